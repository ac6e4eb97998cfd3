"""The score report: the score, what to fix first, fields by kinds of errors, review by confidence, and documents."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from docie.core.errors import shortened
from docie.core.phrases import counted, verb
from docie.core.results import read_results
from docie.core.scores import Headline as Said
from docie.core.settings import is_normalized, signature
from docie.diagnosis.patterns import Pattern
from docie.metrics import kieval
from docie.metrics.kieval.hints import IS_FORMAT, Sampled, lines_of
from docie.show import tables
from docie.show.page.data import KINDS, document_text, link_to, numbered, unique_names
from docie.show.page.images import scans_of
from docie.show.page.score import error_tables, thresholds
from docie.show.page.score.collection import Collection, Costly
from docie.show.result import Fact, Facts, Page, making_of, notes_of
from docie.show.section import Details, Documents, Headlines, Part, Section, Table, Text, cut, number

MOST_IMAGES = 100
"""The documents that are shown with images of their pages."""
MOST_WORST = 20
"""The documents that readers without scripts see."""
MOST_PROBLEMS = 3
"""The images that are said to be missing."""


def corpus_page(
    results: Mapping[str, Mapping[str, Any]],
    collection: Collection,
    facts: Facts,
    *,
    said: Mapping[str, Iterable[Said]],
    confidence_level: float | None = None,
    images: Path | None = None,
    corrected: Sequence[str] = (),
    others: Sequence[Section] = (),
) -> Page:
    """The report of a corpus.

    The results of families are those of `docie.corpus.evaluate`; "kieval" is among them, with a breakdown; what each
    family has `said` first is beside them. The images are in the folder that `meta.image` of the rows starts from.
    Where labels were `corrected`, this is said of their effect. `others` are sections of their own.
    """
    found, counts = read_results(results[kieval.NAME]), collection.counts
    facts = dataclasses.replace(facts, notes=_notes(facts.notes, collection, found.scores.figures["substitutions"]))
    number: int = results[kieval.NAME]["documents"]
    has_runs = number != counts.documents
    documents = counted(number, "document") + f" with {counts.documents:,} answers" * has_runs
    level = "" if confidence_level is None else f"{100 * confidence_level:g} %"
    patterns = collection.patterns.found(counts)
    shows_all = len(collection.costliest()) == counts.documents
    remarks = [*error_tables.failed(counts, patterns), *_equal(collection.equal)]
    remarks += [Text(f"{line}.", "note", "Labels:") for line in corrected]
    sections = [
        _overview(results, said, facts, level, remarks),
        error_tables.repairs(counts, in_minutes="minutes_per_100_documents" in found.scores.figures),
        error_tables.patterns(patterns),
        error_tables.fields(found.tables, counts, collection.in_documents, level, shows_all=shows_all),
        *error_tables.groups(found.tables),
        None if has_runs else thresholds.review(collection, documents),  # it would count answers as documents
        *others,
        _suspects(collection),
        _documents(collection, patterns, images),
    ]
    size = f"{number:,}" + (f", joined by {facts.joined_by}" if facts.joined_by else "")
    if invalid := counts.invalid_predictions:
        size += f"; {counted(invalid, 'prediction')} could not be read, and count as empty"
    signatures = (
        Fact("Signature" + (f" of {name}" if len(results) > 1 else ""), each["signature"], is_code=True)
        for name, each in results.items()
    )
    how = "Values are compared as KIEval does: groups are matched first, so a value is correct only in its group. "
    making = making_of(facts, Fact("Documents", size), *signatures, said=how)
    lead = facts.lead(documents, options_in(results[kieval.NAME]["signature"]))
    return Page(facts.title, lead, [section for section in sections if section], making, facts.date)


def _notes(notes: Iterable[str], collection: Collection, substitutions: float) -> list[str]:
    """The notes but those that sections repeat: the hint has the number of all errors, not that of a sample."""
    form = sum(kieval.errors_by_kind(collection.counts).get("format", {}).values())
    all_errors = Sampled(int(substitutions), int(form), 0, (), is_all=True)
    hints = lines_of(all_errors, is_normalized=is_normalized(collection.settings))
    return [*hints, *(note for note in notes if not note.endswith(IS_FORMAT) and "rows of per_" not in note)]


def options_in(line: str) -> list[str]:
    """The options of KIEval in a signature that are not at their defaults, and how rows were read.

    >>> options_in("kieval|confidence_level:0.95|interval:t|matching:greedy|normalize:none|version:0.1.0")
    ['matching:greedy']
    """
    known = {*signature(kieval.NAME, kieval.Settings()).split("|")}
    beside = ("confidence_level:", "interval:", "bootstrap_samples:", "seed:", "clusters:", "version:")
    return [part for part in line.split("|") if part not in known and not part.startswith(beside)]


def _equal(number: int) -> list[Text]:
    """What leads to the values that options make correct."""
    if not number:
        return []
    said = f"{counted(number, 'correct value')} {verb(number)} not written as in the reference."
    return [Text(said, "note", "Options:", link_to(kind="equal"))]


def _overview(
    results: Mapping[str, Mapping[str, object]],
    said: Mapping[str, Iterable[Said]],
    facts: Facts,
    level: str,
    remarks: Sequence[Text],
) -> Section:
    """What KIEval says first, then the first score of each other family; behind them all scores of each."""
    names = sorted(results, key=lambda name: name != kieval.NAME)
    found = {name: [*tables.headlines(name, results[name], said[name])] for name in names}
    others = [found[name][0]._replace(name=f"{name} {found[name][0].name}") for name in names[1:]]
    parts: list[Part] = [Headlines([*found[kieval.NAME], *others])]
    if level:
        told = f"The ranges are {level} intervals: how far a score may move with other documents like these."
        parts.append(Text(told, "hint"))
    parts += [*remarks, *notes_of(facts.notes)]
    for name in names:
        tabled = [key for key, value in results[name].items() if isinstance(value, Mapping | list)]
        left_out = [key for key in tabled if name == kieval.NAME and not key.endswith("_interval")]
        shown = {key: value for key, value in results[name].items() if key not in left_out}
        [section] = tables.sections({name: shown})
        small = [part._replace(is_small=True) if isinstance(part, Table) else part for part in section.parts]
        parts.append(Details(f"All scores of {name}", small))
    return Section(parts, "Overview", "overview")


def _documents(collection: Collection, patterns: Sequence[Pattern], images: Path | None) -> Section:
    """The documents with the highest cost; the first ones with the images of their pages."""
    shown, number = collection.costliest(), collection.counts.documents
    is_all = len(shown) == number
    which = "The costliest come first." if is_all else f"The {len(shown):,} costliest of {number:,} documents."
    texts, problems, names = list[bytes](), list[str](), unique_names(str(each.name) for each in shown)
    for place, (name, each) in enumerate(zip(names, shown, strict=True)):
        more = numbered(each.name) | ({"problem": each.problem} if each.problem else {})
        if each.keys:
            more["keys"] = each.keys
        if images is not None and each.images is not None and place < MOST_IMAGES:
            try:
                more["images"] = [[*scan] for scan in scans_of(each.images, images)]
            except (OSError, ValueError):
                problems.append(f"{each.name}: the image {shortened(each.images)} cannot be read")
        texts.append(document_text(name, each.meta, each.groups, more))
    if len(problems) > MOST_PROBLEMS:
        problems[MOST_PROBLEMS:] = [f"{counted(len(problems) - MOST_PROBLEMS, 'more image')} cannot be read"]
    if images is not None and all(each.images is None for each in shown):
        problems.append(f"{images}: no document that is shown names an image in its meta, as {{'image': 'page.png'}}")
    said = Text(f"{which} Each has its values side by side: reference and prediction.", "hint")
    told = [(each.text, sorted(each.keys)) for each in patterns]
    documents = Documents(texts, _worst(shown, names), columns=collection.columns.names, patterns=told)
    return Section([said, *notes_of(problems), documents], "Documents", "documents")


def _worst(shown: Sequence[Costly], names: Sequence[str]) -> Table:
    """The documents with the highest cost, and their errors by kind."""
    kinds = [kind for kind in KINDS if any(kind in each.errors for each in shown[:MOST_WORST])]
    rows = [
        [name, *(str(each.errors.get(kind, "")) for kind in kinds)]
        for name, each in zip(names[:MOST_WORST], shown, strict=False)
    ]
    links = {place: link_to(document=name) for place, (name, *_) in enumerate(rows)}
    columns = ["Document", *(" ".join(KINDS[kind]) for kind in kinds)]
    return Table("Documents with the most errors", columns, rows, is_small=True, links=links)


def _suspects(collection: Collection) -> Section | None:
    """The errors that the model was surest of, which labels may explain; each leads to its value."""
    said = (
        "The errors of the highest confidence. Where the model is this sure, the label may be incorrect: look at the "
        "document before you change it. With a second system, docie compare --suspects lists the values on which all "
        "systems agree against the reference."
    )
    surest, shown = collection.surest, {each.name for each in collection.costliest()}
    texts = [(str(row.document), row.entity_type, row.reference or "–", str(row.prediction)) for _, row, _ in surest]
    cells = [[*map(cut, said), number(each.confidence)] for said, each in zip(texts, surest, strict=True)]
    links = {
        at: link_to(document=str(row.document), value=str(place))
        for at, (_, row, place) in enumerate(surest)
        if row.document in shown
    }
    columns = ["Document", "Field", "Reference", "Prediction", "Confidence"]
    table = Table("The surest errors", columns, cells, texts=4, links=links)
    return Section([Text(said, "hint"), table], "Suspected labels", "suspects") if cells else None
