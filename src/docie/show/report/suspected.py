"""Suspected labels: the lists of them on pages, and the rows of documents that they lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from docie.comparison.results import Compared
from docie.core.explanation import Explanation, place_of
from docie.diagnosis.labels import Suspect
from docie.metrics.kieval.corrections import ErrorRow
from docie.show import comparisons
from docie.show.report.answers import line_of, lines_of
from docie.show.report.packing import link_to
from docie.show.report.page import first_rows
from docie.show.report.rendering import MOST_ENTITIES
from docie.show.section import Answers, Item, Section, Table, Text, cut, number

FEW = 10
"""The suspects of a comparison that are shown at first."""


def suspects_section(
    results: Compared, documents: Mapping[str | int, Item], name_of: Callable[[int], str | int]
) -> Section:
    """The suspects of a comparison; each leads to its line in the documents that are shown."""
    title = "Suspected labels", "suspects"
    said = (
        "Where all systems agree on a value that differs from the reference, the label may be incorrect. Look at the "
        "document before you change it: each name leads to its value there, which ⚑ marks."
    )
    table = comparisons.suspects(results)
    if not table.rows:
        return Section([Text("There is none: all systems agree on no value that differs from the reference.")], *title)
    suspected = (each["document"] for each in results["suspects"])
    names = {str(key): str(name_of(key)) for key in suspected if isinstance(key, int)}
    places = {key: place for place, key in enumerate(documents)}
    anchors = [anchor for item in documents.values() for anchor in _answers_of(item).anchors.values()]
    of_rows = [places.get(cast("str | int", each["document"])) for each in results["suspects"][: len(table.rows)]]
    table = table._replace(
        rows=[[names.get(row[0], row[0]), *row[1:]] for row in table.rows], links=_links(of_rows, anchors)
    )
    return Section(
        [Text(said, "hint"), *first_rows(table, "value", "docie compare --suspects lists all", most=FEW)], *title
    )


def suspects_of(results: Compared) -> dict[str | int, dict[int, Suspect]]:
    """The suspects that a page lists, with their numbers, by document."""
    found: dict[str | int, dict[int, Suspect]] = {}
    for place, each in enumerate(results.get("suspects", ())[: comparisons.SUSPECTS_SHOWN]):
        suspect = Suspect(**cast(Any, each))
        found.setdefault(suspect.document, {})[place] = suspect
    return found


def anchored(item: Item, place: int, suspects: Mapping[int, Suspect]) -> Item:
    """A document with the answers of systems, whose lines with suspects bear names; `place` is its own in the list."""
    answers, taken = _answers_of(item), dict[int, str]()
    lines = lines_of(answers.explanations) if suspects else []
    for each, suspect in suspects.items():
        line = line_of(suspect, lines, {*taken})
        if line is not None:
            taken[line] = _anchor(place, each)
    return item._replace(parts=[answers._replace(anchors=taken)])


def _answers_of(item: Item) -> Answers:
    return cast(Answers, item.parts[0])


def _anchor(place: int, suspect: int) -> str:
    return link_to(document=str(place), suspect=str(suspect))


def _links(places: Iterable[int | None], anchors: Iterable[str]) -> dict[int, str]:
    """Where suspects lead, by their numbers: to their rows, else to their documents; `places` are those of these."""
    known, links = {*anchors}, dict[int, str]()
    for suspect, place in enumerate(places):
        if place is not None:
            anchor = _anchor(place, suspect)
            links[suspect] = anchor if anchor in known else link_to(document=str(place))
    return links


def surest_section(
    surest: Sequence[ErrorRow], places: Mapping[str | int, int], anchors: Iterable[str]
) -> Section | None:
    """The errors that the model was surest of, which labels may explain; each leads to its row.

    `places` are those of the documents that are shown, by their names.
    """
    said = (
        "The errors of the highest confidence. Where the model is this sure, the label may be incorrect: look at the "
        "document before you change it. With a second system, docie compare --suspects lists the values on which all "
        "systems agree against the reference."
    )
    texts = [(str(row.document), row.entity_type, row.reference or "–", str(row.prediction)) for row in surest]
    cells = [[*map(cut, said), number(row.confidence)] for said, row in zip(texts, surest, strict=True)]
    columns = ["Document", "Field", "Reference", "Prediction", "Confidence"]
    links = _links([places.get(row.document) for row in surest], anchors)
    table = Table("The surest errors", columns, cells, texts=4, links=links)
    return Section([Text(said, "hint"), table], "Suspected labels", "suspects") if cells else None


def anchors_of(
    surest: Sequence[ErrorRow], name: str | int, place: int, explain: Callable[[], Explanation]
) -> dict[int, str]:
    """From the numbers of those pairs of a document that are among the surest errors to the names of their rows."""
    rows = [(suspect, row) for suspect, row in enumerate(surest) if row.document == name]
    found = dict[int, str]()
    pairs = [(at, pair) for at, pair in enumerate(explain().pairs) if not pair.is_right][:MOST_ENTITIES] if rows else []
    for suspect, row in rows:
        kind = row.group_type
        group = "" if kind is None else place_of(kind, row.predicted_group, row.reference_group)[0]
        own = (group, row.entity_type.removeprefix(f"{kind}."), row.prediction, row.reference)
        for at, pair in pairs:
            if at not in found and pair[:4] == own and (pair.kind, pair.confidence) == (row.kind, row.confidence):
                found[at] = _anchor(place, suspect)
                break
    return found
