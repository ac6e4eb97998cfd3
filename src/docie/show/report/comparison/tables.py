"""What `corpus.compare` gives, as tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from docie.corpus import gain_of
from docie.show import tables

LISTED = 5
"""The number of documents that got better, and of those that got worse, that the tables show for a pair."""
SUSPECTS_SHOWN = 100
"""The number of suspects that the tables show at most."""

FEW = 200
"""With fewer documents, intervals of differences may be too narrow."""


def ranks(results: Mapping[str, Any]) -> Iterator[tables.Table]:
    """The systems by each score, best first."""
    for score, letters in results["ranks"].items():
        yield _ranks(score, letters, results["comparisons"])


def differences(results: Mapping[str, Any], most: int | None = None) -> tables.Table:
    """All comparisons, a row each; a significant one is marked."""
    title = f"differences, b less a; p corrected by Holm over {results['holm']['comparisons']}"
    return _comparisons(title + _doubt(results), results["comparisons"][:most])


def changes(results: Mapping[str, Any]) -> Iterator[tables.Table]:
    """For each system the documents that changed most from the first system to it."""
    rows = results["comparisons"]
    yield from (_changes(row) for row in rows if row["a"] == rows[0]["a"] and row["changes"])


def by_entity_type(results: Mapping[str, Any], most: int | None = None) -> tables.Table:
    """The comparisons of each entity type."""
    title = f"by entity type; p corrected by Holm over {results['holm']['per_entity']}"
    return _comparisons(title, results["per_entity"][:most])


def suspects(results: Mapping[str, Any]) -> tables.Table:
    """Values on which all systems agree against the reference."""
    return _suspects(results["suspects"])


def _doubt(results: Mapping[str, Any]) -> str:
    """What a reader should know of intervals: by simulation, those of few documents cover less often than they say."""
    units = results["units"]
    if not 1 < units < FEW:
        return ""
    kind = "documents" if units == results["documents"] else "clusters"
    return f"; with {units} {kind}, intervals may be too narrow"


def _ranks(score: str, letters: Mapping[str, str], rows: Iterable[Mapping[str, Any]]) -> tables.Table:
    """The systems, best first."""
    values = {row[side]: row[f"value_{side}"] for row in rows if row["score"] == score for side in ("a", "b")}
    cells = [[name, tables.number(values[name]), text] for name, text in letters.items()]
    return tables.Table(
        f"ranks by {score}; no test separates systems that share a letter", ["system", score, "rank"], cells
    )


def _comparisons(title: str, rows: list[dict[str, Any]]) -> tables.Table:
    """One row for each comparison; a significant one is marked."""
    names = [name for name in ("entity_type", "score") if any(name in row for row in rows)]
    if len({row["score"] for row in rows}) < 2:
        names = [name for name in names if name != "score"]
    has_documents = all("better" in row for row in rows)
    cells = []
    for row in rows:
        interval = "–" if row["interval"] is None else " – ".join(_signed(bound, row) for bound in row["interval"])
        cells.append(
            [
                *(row[name] for name in (*names, "a", "b")),
                _signed(row["difference"], row),
                interval,
                tables.number(row["p_value"]),
                tables.number(row["p_value_holm"]) + ("*" if row["significant"] else ""),
                *_texts([row["smallest_difference"]]),
                *(_texts([row["better"], row["worse"]]) if has_documents else ()),
            ]
        )
    headings = [*(name.replace("_", " ") for name in names), "a", "b", "difference", "interval", "p", "p corrected"]
    headings += ["smallest to find", *(["better", "worse"] if has_documents else [])]
    return tables.Table(title, headings, cells, texts=len(names) + 2)


def _signed(value: float, row: Mapping[str, Any]) -> str:
    """A difference with its sign, to as many digits as the score has."""
    return tables.rounded(value, flags="+") if isinstance(row["value_a"], float) else f"{value:+.0f}"


def _changes(row: Mapping[str, Any]) -> tables.Table:
    """The documents of a pair that changed most: those that got better, then those that got worse."""
    gains = [gain_of(row, each["value_b"] - each["value_a"]) for each in row["changes"]]
    better, worse = (
        [each for each, gain in zip(row["changes"], gains, strict=True) if (gain > 0) == is_better]
        for is_better in (True, False)
    )
    cells = [
        [
            str(each["document"]),
            *(_value(each[f"value_{side}"], row) for side in ("a", "b")),
            _signed(each["effect"], row),
        ]
        for each in [*better[:LISTED], *worse[:LISTED]]
    ]
    number = f"{row['better']} document{'s' * (row['better'] != 1)}"
    title = f"{row['score']}: {number} better, {row['worse']} worse; the largest changes"
    return tables.Table(title, ["document", row["a"], row["b"], "effect on all"], cells)


def _value(value: float, row: Mapping[str, Any]) -> str:
    """A score of a document, to as many digits as that of the corpus has."""
    return tables.rounded(value) if isinstance(row["value_a"], float) else f"{value:.0f}"


def _suspects(rows: list[dict[str, Any]]) -> tables.Table:
    shown = f" (the first {SUSPECTS_SHOWN} of {len(rows)})" if len(rows) > SUSPECTS_SHOWN else "" if rows else ": none"
    cells = [
        [str(row["document"]), row["entity_type"], *_texts([row["reference"], row["agreed"]])]
        for row in rows[:SUSPECTS_SHOWN]
    ]
    title = f"values on which all systems agree against the reference{shown}"
    return tables.Table(title, ["document", "entity type", "reference", "all systems"], cells, texts=4)


def _texts(cells: Iterable[Any]) -> Iterator[str]:
    return ("" if cell is None else cell if isinstance(cell, str) else tables.number(cell) for cell in cells)
