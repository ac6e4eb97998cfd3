"""The score report: the score, what to fix first, fields by kinds of errors, review by confidence, and documents."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from docie.core.counts import Counts
from docie.core.errors import shortened
from docie.core.explanation import Explanation
from docie.core.phrases import counted
from docie.core.results import Row, read_results
from docie.core.settings import is_normalized
from docie.metrics import kieval
from docie.metrics.kieval.hints import IS_FORMAT, Sampled, lines_of
from docie.show import tables
from docie.show.report.scans import scans_of
from docie.show.report.score import error_tables, thresholds
from docie.show.report.score.collection import Collection
from docie.show.report.score.headlines import headlines
from docie.show.report.score.surest import anchors_of, surest_section
from docie.show.result import Fact, Facts, Page, making_of, notes_of
from docie.show.section import Details, Explained, Headlines, Item, Listing, Part, Scan, Section, Table, Text

MOST_IMAGES = 100
"""The documents that are shown with images of their pages."""
MOST_PROBLEMS = 3
"""The images that are said to be missing."""


def corpus_page(
    results: Mapping[str, Mapping[str, Any]],
    collection: Collection,
    facts: Facts,
    *,
    confidence_level: float | None = None,
    images: Path | None = None,
) -> Page:
    """The report of a corpus.

    The results of families are those of `docie.corpus.evaluate`; "kieval" is among them, with a breakdown. The images
    are in the folder that `meta.image` of the rows starts from.

    >>> from docie import corpus, kieval
    >>> collection = Collection(kieval.Settings())
    >>> pairs = list(collection.watch([{"total": "12"}], [{"total": "13"}]))
    >>> results = {"kieval": corpus.evaluate(kieval, [{"total": "12"}], [{"total": "13"}], breakdown=True)}
    >>> page = corpus_page(results, collection, Facts())
    >>> [section.title for section in page.sections]
    ['Overview', 'What to fix first', 'Fields', 'Documents']
    """
    found, counts = read_results(results[kieval.NAME]), collection.counts
    facts = dataclasses.replace(facts, notes=_notes(facts.notes, collection, found.scores.figures["substitutions"]))
    documents = counted(counts.documents, "document")
    level = "" if confidence_level is None else f"{100 * confidence_level:g} %"
    documents_section = _documents(collection, images)
    sections = [
        _overview(results, found.scores, counts, facts, level),
        error_tables.repairs(counts, in_minutes="minutes_per_100_documents" in found.scores.figures),
        error_tables.patterns(collection.patterns.found(counts)),
        error_tables.fields(found.tables, counts, level),
        error_tables.confused_types(collection.taken),
        *error_tables.groups(found.tables),
        thresholds.review(collection, documents),
        _suspects(collection, documents_section),
        documents_section,
    ]
    size = f"{counts.documents:,}" + (f", joined by {facts.joined_by}" if facts.joined_by else "")
    if invalid := counts.invalid_predictions:
        size += f"; {counted(invalid, 'prediction')} could not be read, and count as empty"
    signatures = (
        Fact("Signature" + (f" of {name}" if len(results) > 1 else ""), each["signature"], is_code=True)
        for name, each in results.items()
    )
    said = "Values are compared as KIEval does: groups are matched first, so a value is correct only in its group. "
    making = making_of(facts, Fact("Documents", size), *signatures, said=said)
    return Page(facts.title, facts.lead(documents), [section for section in sections if section], making, facts.date)


def _notes(notes: Iterable[str], collection: Collection, substitutions: float) -> list[str]:
    """The notes but those that sections repeat: the hint has the number of all errors, not that of a sample."""
    form = sum(kieval.errors_by_kind(collection.counts).get("format", {}).values())
    all_errors = Sampled(int(substitutions), int(form), 0, (), is_all=True)
    hints = lines_of(all_errors, is_normalized=is_normalized(collection.settings))
    return [*hints, *(note for note in notes if not note.endswith(IS_FORMAT) and "rows of per_" not in note)]


def _overview(
    results: Mapping[str, Mapping[str, object]], scores: Row, counts: Counts, facts: Facts, level: str
) -> Section:
    """The scores to begin with; behind them all scores of each family as they are printed, KIEval's without tables."""
    parts: list[Part] = [Headlines([*headlines(scores, counts)])]
    if level:
        said = f"The ranges are {level} intervals: how far a score may move with other documents like these."
        parts.append(Text(said, "hint"))
    parts += notes_of(facts.notes)
    for name in sorted(results, key=lambda name: name != kieval.NAME):
        tabled = [key for key, value in results[name].items() if isinstance(value, Mapping | list)]
        left_out = [key for key in tabled if name == kieval.NAME and not key.endswith("_interval")]
        shown = {key: value for key, value in results[name].items() if key not in left_out}
        [section] = tables.sections({name: shown})
        small = [part._replace(is_small=True) if isinstance(part, Table) else part for part in section.parts]
        parts.append(Details(f"All scores of {name}", small))
    return Section(parts, "Overview", "overview")


def _documents(collection: Collection, images: Path | None) -> Section:
    """The documents with the highest cost; the first ones with the images of their pages."""
    shown, number = collection.costliest(), collection.counts.documents
    is_all = len(shown) == number
    which = "The costliest come first." if is_all else f"The {len(shown):,} costliest of {number:,} documents."
    items, problems, has_images = list[Item](), list[str](), False

    @lru_cache(1)  # a page asks twice in a row for each
    def explain(place: int) -> Explanation:
        contents = shown[place].opened()
        return kieval.explain(contents.prediction, contents.reference, collection.settings)

    for place, each in enumerate(shown):
        contents = each.opened()
        scans, has_images = list[Scan](), has_images or contents.images is not None
        if images is not None and contents.images is not None and place < MOST_IMAGES:
            try:
                scans = scans_of(contents.images, images)
            except (OSError, ValueError):
                problems.append(f"{each.name}: the image {shortened(contents.images)} cannot be read")
        anchors = anchors_of(collection.surest, each.name, place, partial(explain, place))
        explained = Explained(partial(explain, place), scans=scans, anchors=anchors)
        errors = [*error_tables.counts_of_errors(contents.counts)]
        items.append(Item(str(each.name), _summary(contents.counts), [explained], errors=errors))
    if len(problems) > MOST_PROBLEMS:
        problems[MOST_PROBLEMS:] = [f"{counted(len(problems) - MOST_PROBLEMS, 'more image')} cannot be read"]
    if images is not None and not has_images:
        problems.append(f"{images}: no document that is shown names an image in its meta, as {{'image': 'page.png'}}")
    said = Text(f"{which} Open one to see reference and prediction side by side.", "hint")
    return Section([said, *notes_of(problems), Listing(items, "name or value")], "Documents", "documents")


def _suspects(collection: Collection, documents: Section) -> Section | None:
    """The surest errors, with links to their rows in the documents that are shown."""
    places = {each.name: place for place, each in enumerate(collection.costliest())}
    items = (item for part in documents.parts if isinstance(part, Listing) for item in part.items)
    explained = (part for item in items for part in item.parts if isinstance(part, Explained))
    return surest_section(collection.surest, places, [name for part in explained for name in part.anchors.values()])


def _summary(counts: Counts) -> str:
    """The corrections of a document, in a few words.

    >>> _summary(kieval.count({"a": "1", "b": "2"}, {"a": "2"}))
    '2 corrections (1 to replace, 1 to delete)'
    """
    figures = kieval.score(counts)
    if not figures["corrections"]:
        return "no corrections"
    verbs = (("substitutions", "replace"), ("additions", "add"), ("deletions", "delete"))
    parts = [f"{figures[name]} to {verb}" for name, verb in verbs if figures[name]]
    return f"{counted(figures['corrections'], 'correction')} ({', '.join(parts)})"
