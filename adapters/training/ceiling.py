"""What labels score against the references, and what a user should know if they do not score 1."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable

from docie.core import family
from docie.core.counts import Counts

from .scores import Tally

_ENOUGH = 1 - 1e-9  # means of ones may miss 1 by the last digit
_NAMED = 5
"""The number of entity types that a message names."""


def shortfall(tally: Tally, expected: Collection[str]) -> str:
    """One line on labels that do not score 1 against the references; empty if they do.

    Looks at the figures whose best value is 1: those that are 1 if there is nothing on either side.

    Args:
        tally: the labels, counted as predictions.
        expected: the entity types of the references.

    >>> from .scores import Scorer, view_of_document
    >>> tally = Scorer("kieval", kinds=["document"]).start()
    >>> tally.add(0, view_of_document({"sum": "9.00"}, "prediction"), view_of_document({"total": "9.00"}, "reference"))
    >>> shortfall(tally, ["total"])
    "the labels do not score 1 against the references: kieval_entity_f1 is 0; never right are 'total' of the references
    and 'sum' of the labels; see whether labels, groups and references have the same names"
    """
    figures: list[str] = []
    never: set[str] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # labels have no confidences, and need none
        all_results = list(tally.results(breakdown=True))
    for name, results in all_results:
        best = [figure for figure, value in family.get(name).score(Counts()).items() if value == 1.0]
        figures += [f"{name}_{figure} is {results[figure]:.4g}" for figure in best if results.get(figure, 1) < _ENOUGH][
            :1
        ]
        for entity_type, row in results.get("per_entity", {}).items():
            values = [row[figure] for figure in best if figure in row]
            if values and not any(values):
                never.add(entity_type)
    if not figures:
        return ""
    sides = {"references": never.intersection(expected), "labels": never.difference(expected)}
    names = " and ".join(f"{_listed(types)} of the {side}" for side, types in sides.items() if types)
    problem = f"the labels do not score 1 against the references: {', '.join(figures)}"
    advice = "see whether labels, groups and references have the same names"
    return f"{problem}; never right are {names}; {advice}" if names else problem


def _listed(types: Iterable[str]) -> str:
    names = sorted(types)
    return ", ".join(map(repr, names[:_NAMED])) + (f" and {len(names) - _NAMED} more" if len(names) > _NAMED else "")
