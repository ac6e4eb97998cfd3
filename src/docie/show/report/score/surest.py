"""The errors that a model was surest of: their labels may be incorrect."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from docie.core.explanation import Explanation, place_of
from docie.metrics.kieval.corrections import ErrorRow
from docie.show.report.packing import suspect_anchor, suspect_links
from docie.show.report.rendering import MOST_ENTITIES
from docie.show.section import Section, Table, Text, cut, number


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
    links = suspect_links([places.get(row.document) for row in surest], anchors)
    table = Table("The surest errors", columns, cells, texts=4, links=links)
    return Section([Text(said, "hint"), table], "Suspected labels", "suspects") if cells else None


def anchors_of(
    surest: Sequence[ErrorRow], name: str | int, place: int, explain: Callable[[], Explanation]
) -> dict[int, str]:
    """From the numbers of those pairs of a document that are among the surest errors to the names of their rows."""
    rows = [(suspect, row) for suspect, row in enumerate(surest) if row.document == name]
    found = dict[int, str]()
    pairs = (
        [(at, pair) for at, pair in enumerate(explain().pairs) if not pair.is_correct][:MOST_ENTITIES] if rows else []
    )
    for suspect, row in rows:
        kind = row.group_type
        group = "" if kind is None else place_of(kind, row.predicted_group, row.reference_group)[0]
        own = (group, row.entity_type.removeprefix(f"{kind}."), row.prediction, row.reference)
        for at, pair in pairs:
            if at not in found and pair[:4] == own and (pair.kind, pair.confidence) == (row.kind, row.confidence):
                found[at] = suspect_anchor(place, suspect)
                break
    return found
