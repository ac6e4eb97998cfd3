"""What `corpus.compare` gives, as sections and tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Literal

from docie.comparison.broken import broken_line
from docie.comparison.comparing import gain_of
from docie.comparison.gate import lines_of
from docie.comparison.results import Compared, Comparison, values_of
from docie.comparison.verdicts import Standings, disagreement, standings_of, verdicts
from docie.core.phrases import enumerated
from docie.core.scores import rounded
from docie.show.section import HINT, Part, Section, Table, Text, cut, number, texts
from docie.show.several_runs import of_systems
from docie.show.tables import FIELDS_SHOWN, facts

LISTED = 5
"""The number of documents that got better, and of those that got worse, that the tables show for a pair."""
SUSPECTS_SHOWN = 100
"""The number of suspects that the tables show at most."""

_WORK = "corrections"
"""What a system leaves to people, if its family counts that."""
FEW = 200
"""With fewer documents, intervals of differences may be too narrow."""

FIELDS_IN_COMMENT = 10
"""The number of entity types that a comment has at most."""


def sections(results: Compared, *, joined_by: str) -> Iterator[Section]:
    """What a comparison found, in words first."""
    parts: list[Part] = [*said_first(results), *broken(results), *ranks(results), differences(results)]
    parts += [*_disagreements(results["comparisons"], results), *changes(results), *_asked(results)]
    yield Section([*parts, _line(results, joined_by)])


def brief_sections(results: Compared, *, joined_by: str) -> Iterator[Section]:
    """What a comparison found, in words and a row for each system; all pairs and documents are in `sections`."""
    parts: list[Part] = [*said_first(results), *broken(results)]
    parts += [*map(partial(_standings, results), standings_of(results)), *_fields(results), *_suspects(results)]
    parts += of_systems(results.get("runs", {}), [*results["ranks"]])
    baseline = results["comparisons"][0]["a"]
    parts += _doubtful([row for row in results["comparisons"] if row["a"] == baseline], results)
    parts += [Text(doubt[0].upper() + doubt[1:], HINT) for doubt in [_doubt(results)] if doubt]
    yield Section([*parts, _line(results, joined_by)])


def _disagreements(rows: list[Comparison], results: Compared) -> Iterator[Text]:
    """Why star and interval say different things, a line for each comparison in which they do."""
    said = ((row, disagreement(row, results)) for row in rows)
    yield from (Text(f"{pair_of(row, results)}: {why}", HINT) for row, why in said if why)


def _doubtful(rows: list[Comparison], results: Compared) -> list[Text]:
    """Why interval and p say different things; of several systems only that they do."""
    said = [*_disagreements(rows, results)]
    if len(said) < 2:
        return said
    names = dict.fromkeys(row["b"] for row in rows if disagreement(row, results))
    return [Text(f"Of {enumerated(names)}, interval and p say different things; p decides.", HINT)]


def _tests(results: Compared, table: str) -> str:
    """The number of comparisons over which the p-values of a table are corrected."""
    return results["holm"][table].partition(":")[0]


def _asked(results: Compared) -> Iterator[Table]:
    """The tables that were asked for: fields, suspects and runs."""
    if "per_entity" in results:
        title = f"by entity type; p corrected by Holm over {results['holm']['per_entity']}"
        yield _comparisons(title, results["per_entity"])
    yield from _suspects(results)
    yield from of_systems(results.get("runs", {}), [*results["ranks"]])


def _fields(results: Compared) -> Iterator[Table]:
    """The fields in which a system differs most surely from the baseline; `_asked` has all of them, and all pairs."""
    baseline = results["comparisons"][0]["a"]
    rows = [row for row in results.get("per_entity", ()) if row["a"] == baseline]
    names = [name for name in ("score", "b") if len({str({**row}[name]) for row in rows}) > 1]
    shown = sorted(rows, key=lambda row: (row["p_value"], -abs(row["difference"])))[:FIELDS_SHOWN]
    cells = [
        [row["entity_type"], *(str({**row}[name]) for name in names), _signed(row["difference"], row), *_plain(row)]
        for row in shown
    ]
    if shown:
        system = shown[0]["b"] if "b" not in names else "systems"
        most = f", the {len(shown)} with the smallest p of {len(rows):,}" if len(shown) < len(rows) else ""
        title = f"{system} less {baseline} by entity type{most}; p corrected for {_tests(results, 'per_entity')}"
        columns = ["entity type", *("system" if name == "b" else name for name in names)]
        yield Table(title, [*columns, "difference", "interval", "p"], cells, texts=len(columns))


def _plain(row: Comparison) -> tuple[str, str]:
    """The interval of a difference, and its corrected p."""
    return _tested(row)[0], number(row["p_value_holm"])


def _suspects(results: Compared) -> Iterator[Table]:
    """The suspects, if they were asked for."""
    if "suspects" in results:
        table = suspects(results)
        yield table._replace(rows=[[*map(cut, row)] for row in table.rows])


def _line(results: Compared, joined_by: str) -> Text:
    """The line under the tables."""
    clusters = f", {results['units']} clusters" if results["units"] != results["documents"] else ""
    return Text(facts(results, joined_by=joined_by + clusters), HINT)


def _standings(results: Compared, standings: Standings) -> Table:
    """A row for each system, best first, with its difference to the baseline."""
    rows = {row["b"]: row for row in standings.rows}
    has_work = standings.score != _WORK and all(_WORK in scores for scores in results["systems"].values())
    work = [_WORK] * has_work
    cells, are_tied = [], False
    for name, value in standings.values.items():
        row = rows.get(name)
        tested = ("–", "–", "–") if row is None else (_signed(row["difference"], row), *_plain(row))
        rank = [*dict.fromkeys(standings.ranks[name])]
        are_tied |= len(rank) > 1
        own = (f"{results['systems'][name][each]:,}" for each in work)
        cells.append([name, number(value), "–".join(map(str, rank)), *own, *tested])
    columns = ["system", standings.score, "rank", *work, "difference", "interval", "p"]
    title = f"differences to {standings.baseline}; p corrected for {_tests(results, 'comparisons')}"
    title += "; a rank is a range where no test separates systems" * are_tied
    return Table(title, columns, cells, fits={3: "drop"} if work else {})


def said_first(results: Compared) -> Iterator[Text]:
    """The verdicts."""
    yield from (Text(text, "found", sign) for sign, text in verdicts(results))


def broken(results: Compared) -> Iterator[Text]:
    """The documents that broke, a line for each later system by each score."""
    yield from (Text(line, "note") for row in results["comparisons"] if (line := broken_line(row)))


def gate(results: Compared) -> Iterator[Text]:
    """What the gate says, if there is one."""
    lines = lines_of(results["gate"]) if "gate" in results else ()
    yield from (Text(f"{line[:1].upper()}{line[1:]}.", "note") for line in lines)


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
    return _comparisons("; ".join(filter(None, (title, _doubt(results)))), results["comparisons"])


def changes(results: Compared) -> Iterator[Table]:
    """For each system the documents that changed most from the first system to it."""
    rows = results["comparisons"]
    yield from (_changes(row) for row in rows if row["a"] == rows[0]["a"] and row["changes"])


def comment(results: Compared, *, joined_by: str) -> Iterator[Section]:
    """A comparison of two systems in short, for a pull request; the first system is the base.

    It has what the gate says, the documents that broke, the scores with their differences, and the fields that lost:
    those with significant losses first, then by loss, then by score; if none lost, those with the worst scores.
    """
    rows = results["comparisons"]
    score, base, new = (rows[0][key] for key in ("score", "a", "b"))
    fields = [row for row in results.get("per_entity", ()) if row["score"] == score]
    has_stars = any(row["significant"] for row in [*rows, *fields])
    star = "* chance hardly explains this difference, whatever its interval" * has_stars
    hint = "; ".join(filter(None, (star, _doubt(results))))
    parts: list[Part] = [*gate(results), *said_first(results), *broken(results), _in_short("score", rows)]
    parts += [Text(text, HINT) for text in (hint, facts(results, joined_by=joined_by)) if text]
    yield Section(parts, f"{new} against {base}", captions=False)
    if fields:
        yield _fields_in_comment(fields, score)


def _fields_in_comment(fields: list[Comparison], score: str) -> Section:
    """The fields that lost; if none lost, those with the worst scores."""
    fields = sorted(fields, key=lambda row: gain_of(row, row["value_b"]))
    lost = [row for row in fields if gain_of(row, row["difference"]) < 0]
    lost.sort(key=lambda row: (not row["significant"], gain_of(row, row["difference"])))
    listed = lost or fields
    heading = f"Fields that lost most {score}" if lost else f"No field lost {score}; the worst"
    shown = f" ({FIELDS_IN_COMMENT} of {len(listed)})" if len(listed) > FIELDS_IN_COMMENT else ""
    return Section([_in_short("entity_type", listed[:FIELDS_IN_COMMENT])], heading + shown, captions=False)


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
    return f"with {units} {kind}, intervals may be too narrow"


def _comparisons(title: str, rows: list[Comparison]) -> Table:
    """One row for each comparison; a significant one is marked."""
    names = ["entity_type"] * any("entity_type" in row for row in rows)
    names += ["score"] * (len({row["score"] for row in rows}) > 1) + ["a", "b"]
    documents = ["better", "worse"] * all("better" in row for row in rows)
    cells = []
    for row in rows:
        values: Mapping[str, object] = {**row}
        interval, p_corrected = _tested(row)
        tested = _signed(row["difference"], row), interval, number(row["p_value"]), p_corrected
        said, found = ([values[key] for key in keys] for keys in (names, ["smallest_difference", *documents]))
        cells.append([*texts(said), *tested, *texts(found)])
    headings = [*(name.replace("_", " ") for name in names), "difference", "interval", "p", "p corrected"]
    return Table(title, [*headings, "smallest to find", *documents], cells, texts=len(names))


def _tested(row: Comparison) -> tuple[str, str]:
    """The interval of a difference, and its corrected p, with a star if it is significant."""
    interval = "–" if row["interval"] is None else " – ".join(_signed(bound, row) for bound in row["interval"])
    return interval, number(row["p_value_holm"]) + ("*" if row["significant"] else "")


def _signed(value: float, row: Comparison, flags: str = "+") -> str:
    """A difference with its sign, to as many digits as the score has; without flags a score of a document."""
    return rounded(value, flags=flags) if isinstance(row["value_a"], float) else f"{value:{flags}.0f}"


def _changes(row: Comparison) -> Table:
    """The documents of a pair that changed most: those that got better, then those that got worse."""
    cells = list[list[str]]()
    for got_worse in (False, True):
        side = [each for each in row["changes"] if (gain_of(row, each["value_b"] - each["value_a"]) <= 0) == got_worse]
        for each in side[:LISTED]:
            values = (_signed(value, row, "") for value in (each["value_a"], each["value_b"]))
            cells.append([str(each["document"]), *values, _signed(each["effect"], row)])
    better = f"{row['better']} document{'s' * (row['better'] != 1)} better"
    title = f"{row['score']}: {better}, {row['worse']} worse; the largest changes"
    return Table(title, ["document", row["a"], row["b"], "effect on all"], cells)


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
