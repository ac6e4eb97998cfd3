"""The parts of results, which users get as a plain dict: scores with their intervals, tables of rows, and lists."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

INTERVAL = "_interval"
"""The suffix of a score's name in the name of its interval."""
FACTS = ("documents", "clusters", "invalid_predictions", "signature")
"""The entries of results that describe the corpus."""


class Row(NamedTuple):
    """Numbers by name, with the intervals of some of them; None if a score has no interval."""

    figures: Mapping[str, float]
    intervals: Mapping[str, Sequence[float] | None]


Rows = Mapping[str, Row]


class Results(NamedTuple):
    """The results of a family.

    Attributes:
        scores: the scores of the corpus.
        tables: from the title of a breakdown to its rows, by entity type, say.
        lists: results with a row for each document or each threshold.
    """

    scores: Row
    tables: Mapping[str, Rows]
    lists: Mapping[str, Sequence[Any]]


def read_row(values: Mapping[str, Any]) -> Row:
    """The numbers and intervals of a row.

    >>> read_row({"f1": 0.5, "f1_interval": [0.4, 0.6], "support": 8})
    Row(figures={'f1': 0.5, 'support': 8}, intervals={'f1': [0.4, 0.6]})
    """
    ends = {name for name in values if name.endswith(INTERVAL)}
    return Row(
        {name: value for name, value in values.items() if name not in ends},
        {name.removesuffix(INTERVAL): values[name] for name in values if name in ends},
    )


def read_results(results: Mapping[str, Any]) -> Results:
    """The parts of a result of `corpus.evaluate`."""
    numbers, tables, lists = dict[str, Any](), dict[str, Rows](), dict[str, Sequence[Any]]()
    for name, value in results.items():
        if isinstance(value, Mapping):
            tables[name] = {each: read_row(row) for each, row in value.items()}
        elif name.endswith(INTERVAL):
            numbers[name] = value
        elif isinstance(value, list):
            lists[name] = value
        elif value is not None and name not in FACTS and not isinstance(value, str):
            numbers[name] = value
    return Results(read_row(numbers), tables, lists)
