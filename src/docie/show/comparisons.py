"""What `corpus.compare` gives, as sections and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from docie.comparison.comparing import gain_of, is_worse
from docie.comparison.results import ChangedDocument, Compared, Comparison, compared, values_of
from docie.comparison.verdicts import disagreement, verdicts
from docie.core.scores import rounded
from docie.show.section import HINT, Part, Section, Table, Text, cut, number, texts
from docie.show.tables import facts

LISTED = 5
"""The number of documents that got better, and of those that got worse, that the tables show for a pair."""
SUSPECTS_SHOWN = 100
"""The number of suspects that the tables show at most."""

FEW = 200
"""With fewer documents, intervals of differences may be too narrow."""

FIELDS_IN_COMMENT = 10
"""The number of entity types that a comment has at most."""


def sections(results: Mapping[str, Any], *, joined_by: str) -> Iterator[Section]:
    """What a comparison found, in words first."""
    found = compared(results)
    parts: list[Part] = [*said_first(found), *ranks(found), differences(found), *notes(found), *changes(found)]
    if "per_entity" in found:
        parts.append(by_entity_type(found))
    if "suspects" in found:
        table = suspects(found)
        parts.append(table._replace(rows=[[*map(cut, row)] for row in table.rows]))
    line = facts(results, joined_by=joined_by)
    if found["units"] != found["documents"]:
        documents, separator, rest = line.partition(" · ")
        line = f"{documents}, {found['units']} clusters{separator}{rest}"
    yield Section([*parts, Text(line, HINT)])


def said_first(results: Compared) -> Iterator[Text]:
    """The verdicts."""
    yield from (Text(text, "found", sign) for sign, text in verdicts(results))


def notes(results: Compared) -> Iterator[Text]:
    """Why a star and its interval disagree, for each pair where they do."""
    for row in results["comparisons"]:
        if said := disagreement(row, results):
            yield Text(f"{pair_of(row, results)}: {said}", HINT)


def pair_of(row: Comparison, results: Compared) -> str:
    """The two systems of a comparison, behind the score if there are several."""
    return f"{row['score']}: " * (len(results["ranks"]) > 1) + f"{row['a']} → {row['b']}"


def ranks(results: Compared) -> Iterator[Table]:
    """The systems by each score, best first."""
    for score, letters in results["ranks"].items():
        rows = [row for row in results["comparisons"] if row["score"] == score]
        values = values_of(rows)
        title = f"ranks by {score}; no test separates systems that share a letter"
        cells = [[name, number(values[name]), text] for name, text in letters.items()]
        yield Table(title, ["system", score, "rank"], cells)


def differences(results: Compared) -> Table:
    """All comparisons, a row each; a significant one is marked."""
    title = f"differences, b less a; p corrected by Holm over {results['holm']['comparisons']}"
    return _comparisons(title + _doubt(results), results["comparisons"])


def changes(results: Compared) -> Iterator[Table]:
    """For each system the documents that changed most from the first system to it."""
    rows = results["comparisons"]
    yield from (_changes(row) for row in rows if row["a"] == rows[0]["a"] and row["changes"])


def by_entity_type(results: Compared) -> Table:
    """The comparisons of each entity type."""
    title = f"by entity type; p corrected by Holm over {results['holm']['per_entity']}"
    return _comparisons(title, results["per_entity"])


def comment(results: Mapping[str, Any], *, joined_by: str, tolerance: float, fails: bool) -> Iterator[Section]:
    """A comparison of two systems in short, for a pull request.

    Args:
        results (dict): what `compare` gives; the first system is the base.
        joined_by (str): how rows were joined.
        tolerance (float): a loss of at most this much is no regression.
        fails (bool): whether the exit code is 1 after a regression.

    Returns:
        iterator of Section: the scores with their differences; the fields that lost, those with significant losses
        first, then by loss, then by score; if none lost, those with the worst scores.
    """
    found = compared(results)
    rows = found["comparisons"]
    score, base, new = (rows[0][key] for key in ("score", "a", "b"))
    worse = [row for row in rows if is_worse(row, tolerance)]
    values = (f"{row['score']} {number(row['value_b'])} against {number(row['value_a'])}" for row in worse)
    limit = f" by more than {tolerance:g}" * bool(tolerance)
    said = f"Regression: {', '.join(values)}." if worse else f"No regression: {new} is not significantly worse{limit}."
    code = f" Exit code {len(worse) and 1}." * fails
    fields = [row for row in found.get("per_entity", ()) if row["score"] == score]
    has_stars = any(row["significant"] for row in [*rows, *fields])
    star = "* chance hardly explains this difference, whatever its interval" * has_stars
    hint = f"{star}{_doubt(found)}".removeprefix("; ")
    parts: list[Part] = [*said_first(found), Text(said + code), _in_short("score", rows)]
    parts += [Text(text, HINT) for text in (hint, facts(results, joined_by=joined_by)) if text]
    yield Section(parts, f"{new} against {base}", captions=False)
    if fields:
        yield _fields_in_comment(fields, score, tolerance)


def _fields_in_comment(fields: list[Comparison], score: str, tolerance: float) -> Section:
    """The fields that lost; if none lost, those with the worst scores."""
    is_loss = any(gain_of(row, row["difference"]) < 0 for row in fields)
    fields = sorted(fields, key=lambda row: gain_of(row, row["value_b"]))
    if is_loss:
        fields.sort(key=lambda row: (not is_worse(row), gain_of(row, row["difference"])))
    shown = f" ({FIELDS_IN_COMMENT} of {len(fields)})" if len(fields) > FIELDS_IN_COMMENT else ""
    heading = f"Fields that lost most {score}" if is_loss else f"No field lost {score}; those with the worst"
    return Section([_in_short("entity_type", fields[:FIELDS_IN_COMMENT])], heading + shown, captions=False)


def _in_short(name: Literal["score", "entity_type"], rows: list[Comparison]) -> Table:
    """Comparisons of two systems, named by one of their keys."""
    cells = [
        [row[name], number(row["value_a"]), number(row["value_b"]), _signed(row["difference"], row), *_tested(row)]
        for row in rows
    ]
    columns = [name.replace("_", " "), rows[0]["a"], rows[0]["b"], "difference", "interval", "p corrected"]
    return Table("", columns, cells)


def _doubt(results: Compared) -> str:
    """What a reader should know of intervals: by simulation, those of few documents cover less often than they say."""
    units = results["units"]
    if not 1 < units < FEW:
        return ""
    kind = "documents" if units == results["documents"] else "clusters"
    return f"; with {units} {kind}, intervals may be too narrow"


def _comparisons(title: str, rows: list[Comparison]) -> Table:
    """One row for each comparison; a significant one is marked."""
    has_types, has_scores = any("entity_type" in row for row in rows), len({row["score"] for row in rows}) > 1
    has_documents = all("better" in row for row in rows)
    cells = []
    for row in rows:
        interval, p_corrected = _tested(row)
        cells.append(
            [
                *([row["entity_type"]] if has_types else []),
                *([row["score"]] if has_scores else []),
                *(row["a"], row["b"]),
                _signed(row["difference"], row),
                interval,
                number(row["p_value"]),
                p_corrected,
                *texts([row["smallest_difference"]]),
                *(texts([row["better"], row["worse"]]) if has_documents else ()),
            ]
        )
    names = ["entity type"] * has_types + ["score"] * has_scores
    headings = [*names, "a", "b", "difference", "interval", "p", "p corrected"]
    headings += ["smallest to find", *(["better", "worse"] if has_documents else [])]
    return Table(title, headings, cells, texts=len(names) + 2)


def _tested(row: Comparison) -> tuple[str, str]:
    """The interval of a difference, and its corrected p, with a star if it is significant."""
    interval = "–" if row["interval"] is None else " – ".join(_signed(bound, row) for bound in row["interval"])
    return interval, number(row["p_value_holm"]) + ("*" if row["significant"] else "")


def _signed(value: float, row: Comparison) -> str:
    """A difference with its sign, to as many digits as the score has."""
    return rounded(value, flags="+") if isinstance(row["value_a"], float) else f"{value:+.0f}"


def _changes(row: Comparison) -> Table:
    """The documents of a pair that changed most: those that got better, then those that got worse."""
    cells = [
        [
            str(each["document"]),
            *(_value(value, row) for value in (each["value_a"], each["value_b"])),
            _signed(each["effect"], row),
        ]
        for changes in better_and_worse(row)
        for each in changes[:LISTED]
    ]
    better = f"{row['better']} document{'s' * (row['better'] != 1)} better"
    title = f"{row['score']}: {better}, {row['worse']} worse; the largest changes"
    return Table(title, ["document", row["a"], row["b"], "effect on all"], cells)


def better_and_worse(row: Comparison) -> tuple[list[ChangedDocument], list[ChangedDocument]]:
    """The changed documents of a comparison: those that got better, and those that got worse."""
    sides: tuple[list[ChangedDocument], list[ChangedDocument]] = [], []
    for each in row["changes"]:
        sides[gain_of(row, each["value_b"] - each["value_a"]) <= 0].append(each)
    return sides


def _value(value: float, row: Comparison) -> str:
    """A score of a document, to as many digits as that of the corpus has."""
    return rounded(value) if isinstance(row["value_a"], float) else f"{value:.0f}"


def suspects(results: Compared) -> Table:
    """Values on which all systems agree against the reference."""
    rows = results["suspects"]
    shown = f" (the first {SUSPECTS_SHOWN} of {len(rows)})" if len(rows) > SUSPECTS_SHOWN else "" if rows else ": none"
    said = ("reference", "agreed")
    cells = [
        [str(row["document"]), str(row["entity_type"]), *("–" if row[key] is None else str(row[key]) for key in said)]
        for row in rows[:SUSPECTS_SHOWN]
    ]
    title = f"values on which all systems agree against the reference{shown}"
    return Table(title, ["document", "entity type", "reference", "all systems"], cells, texts=4)
