"""Do references and predictions fit together? What differs in how they were written, and the options that say so."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from docie.core.counts import Counts
from docie.core.errors import errors_of_document
from docie.core.reading import Reading
from docie.core.values.plain import JsonObject
from docie.documents.fit import Change, Fit, Sample, SideRows, fit
from docie.documents.fit.sample import EQUALITY
from docie.documents.kinds import check_input_kind, peek_input_kind
from docie.documents.pairs.joining import paired_rows
from docie.documents.pairs.sides import Listed
from docie.documents.rows import OpenedPair, plain_row, sequence_of
from docie.metrics import kieval

Pairs = Callable[[Reading], Iterable[OpenedPair]]
"""All predictions with their references, as they are read so."""
LOW = 0.5
"""Below this score, what the differences do not explain is shown."""
SHOWN = 3
"""The number of values of an entity type that are shown."""


class Side(NamedTuple):
    """How the references, or the predictions, were read.

    Attributes:
        documents: the number of rows.
        ids: the key of their ids; None without ids.
        types: the number of entity types.
        groups: the types of groups.
        values: the number of values.
    """

    documents: int
    ids: str | None
    types: int
    groups: list[str]
    values: int


class Finding(NamedTuple):
    """One difference in how references and predictions were written.

    Attributes:
        kind: "join", "unwrap", "rename", "records", "form", "failures" or "ambiguous".
        options: the arguments of the command line that ask for the change.
        values: the number of values that it concerns, in the sample.
        before, after: KIEval's entity F1 without and with these options, both with those of the findings before it;
            None if the documents cannot be scored so.
        text: what differs, in a sentence.
    """

    kind: str
    options: list[str]
    values: int
    before: float | None
    after: float | None
    text: str


class TypeOfValues(NamedTuple):
    """An entity type, as references and predictions have it where the differences do not explain the score.

    Attributes:
        entity_type: its name.
        references, predictions: the numbers of its values.
        equal: how many of them are equal to one of their document, whatever group they are in.
        reference_values, prediction_values: up to three of the others, as they are compared.
    """

    entity_type: str
    references: int
    predictions: int
    equal: int
    reference_values: list[str]
    prediction_values: list[str]


@dataclass(frozen=True)
class Findings:
    """How references and predictions fit together: what `docie.check` returns.

    Attributes:
        references, predictions: how each was read; if they can be joined only after a finding, with it.
        sampled: the number of documents that the findings were searched in.
        score: KIEval's entity F1 as the documents are read now; None if they cannot be scored so.
        problem: why they cannot be scored; None if they can.
        findings: the differences, in the order in which their changes are made.
        settings: KIEval's options with all of the changes: those of how documents are read (`reading`), and the options
            `normalize` and `match`.
        unexplained: with a score below .5 after all changes, or if no value has a counterpart, the entity types, those
            with most values first; otherwise empty.
    """

    references: Side
    predictions: Side
    sampled: int
    score: float | None
    problem: ValueError | None
    findings: list[Finding]
    settings: kieval.Settings
    unexplained: list[TypeOfValues]

    def __iter__(self) -> Iterator[Finding]:
        """The findings."""
        return iter(self.findings)

    def __len__(self) -> int:
        """The number of findings."""
        return len(self.findings)

    @property
    def reading(self) -> Reading:
        """How documents are read with all of the changes."""
        return self.settings.reading or Reading()

    @property
    def options(self) -> list[str]:
        """The arguments of the command line that ask for all of the changes."""
        return [option for finding in self.findings for option in finding.options]

    def to_json(self) -> JsonObject:
        """The findings as `docie check --format json` prints them."""
        found: JsonObject = {
            "references": self.references._asdict(),
            "predictions": self.predictions._asdict(),
            "findings": [finding._asdict() for finding in self.findings],
        }
        return {**found, "unexplained": [each._asdict() for each in self.unexplained]} if self.unexplained else found


def check(
    predictions: Iterable[object], references: Iterable[object], settings: kieval.Settings | None = None
) -> Findings:
    """Check whether predictions and references were written alike, before a score is believed.

    Differences in ids, names, structure and formats lower a score although the values are correct. A difference is
    found by its effect: at least three values, and at least half of those that it concerns, find an equal counterpart
    that they did not have. Of formats, only pairs that are certainly the same value count. Nothing is changed;
    `settings` of the result requests the changes.

    Args:
        predictions (iterable): rows, as in `corpus.evaluate`.
        references (iterable): the references.
        settings (kieval.Settings): how they are scored already; None for the defaults.

    Returns:
        Findings: the differences, in the order in which their changes are made.

    Raises:
        ValueError: for what is no sequence of rows, if there are none, and for references that are no documents.

    >>> references = [{"total": "9.00", "items": [{"name": name}]} for name in ("Latte", "Mocha", "Bagel")]
    >>> predictions = [{"total": "9.00", "lines": [{"name": name}]} for name in ("Latte", "Mocha", "Bagel")]
    >>> for finding in check(predictions, references):
    ...     print(finding.text, finding.options, finding.before, finding.after)
    the predictions have other names than the references: 'lines' for 'items' ['--rename', 'lines=items'] 0.5 1.0
    """
    predicted, expected = _listed("predictions", predictions), _listed("references", references)

    def pairs(reading: Reading) -> Iterator[OpenedPair]:
        by_id = replace(reading, id_key="id") if reading.id_key is None else reading  # as files are joined
        return paired_rows(predicted, expected, reading=by_id, tell=ignore)

    settings = settings or kieval.Settings()
    asked = settings.reading or Reading()
    return findings_of(_rows(predicted, "prediction", asked), _rows(expected, "reference", asked), pairs, settings)


def _rows(rows: list[object], side: str, reading: Reading) -> SideRows:
    is_pages = reading.asked_of("pages", side)
    return SideRows.listed([*Listed(rows, side, reading, accepts_text=True).merged()] if is_pages else rows)


def ignore(note: str) -> None:
    """Findings say what notes on rows would."""


def _listed(name: str, rows: Iterable[object]) -> list[object]:
    listed = [plain_row(row) for row in sequence_of(name, rows)]
    if not listed:
        raise ValueError(f"{name}: no documents")
    return listed


def findings_of(predictions: SideRows, references: SideRows, pairs: Pairs, settings: kieval.Settings) -> Findings:
    """The findings for rows from anywhere.

    Args:
        predictions, references: all rows.
        pairs: gives all of them, joined and read in a way.
        settings: how they are scored already.

    Raises:
        ValueError: for references that are no documents, such as tagged words.
    """
    kind, _ = peek_input_kind((None, row) for row in references.first)
    check_input_kind("docie check", ("document",), kind)
    equality = {name: getattr(settings, name) for name in EQUALITY}
    found = fit(predictions, references, settings.reading or Reading(), **equality)
    sides = [_side(rows, found, place) for place, rows in enumerate((predictions, references))]
    plain, problem = _score(pairs, settings)
    before, findings = plain, list[Finding]()
    for change in found.changes:
        after = before
        if change.options:
            settings = _with_change(settings, change)
            after, _ = _score(pairs, settings)
        findings.append(Finding(change.kind, change.options, change.values, before, after, change.text))
        before = after
    last = found.changes[-1].sample if found.changes else found.sample
    is_explained = before is None or (before >= LOW and last.agreed)
    unexplained = [] if is_explained else _types_of(last)
    return Findings(sides[1], sides[0], len(last.pairs), plain, problem, findings, settings, unexplained)


def _with_change(settings: kieval.Settings, change: Change) -> kieval.Settings:
    """Settings with a change made, beside what they have."""
    reading = settings.reading
    if change.reading:
        reading = (reading or Reading()).with_options(**change.reading)
    normalize = change.sample.normalize if change.normalize else settings.normalize
    match = change.sample.match if change.match else settings.match
    return replace(settings, reading=reading, normalize=normalize, match=match)


def _score(pairs: Pairs, settings: kieval.Settings) -> tuple[float | None, ValueError | None]:
    """KIEval's entity F1 of all documents as they are scored so; or why they cannot be scored."""
    total = Counts()
    try:
        for number, (prediction, reference) in enumerate(pairs(settings.reading or Reading())):
            with errors_of_document(number):
                total += kieval.count(prediction.document, reference.document, settings)
    except ValueError as error:
        return None, error
    return float(kieval.score(total)["entity_f1"]), None


def _side(rows: SideRows, found: Fit, place: int) -> Side:
    keys, sample = found.join.keys, found.sample
    if not sample.pairs and found.changes:  # rows that are joined with a finding alone
        sample = found.changes[0].sample
    groups = {name for pair in sample.values for name in pair[place] if name}
    types = sample.types[place]
    return Side(rows.size, keys and keys[1 - place], len(types), sorted(groups), types.total())


def _types_of(sample: Sample) -> list[TypeOfValues]:
    """The entity types of a sample, those with most values first, with values that have no counterpart."""
    equal, examples = Counter[str](), (defaultdict[str, list[str]](list), defaultdict[str, list[str]](list))
    for written in sample.entities:
        keys = [Counter(chain.from_iterable(chain.from_iterable(side.values()))) for side in written]
        equal.update(name for name, _ in (keys[0] & keys[1]).elements())
        for found, own, other in zip(examples, keys, reversed(keys), strict=True):
            for name, text in own - other:
                if len(found[name]) < SHOWN and text not in found[name]:
                    found[name].append(str(text))
    predicted, expected = sample.types
    names = sorted({*predicted, *expected}, key=lambda name: (-max(predicted[name], expected[name]), name))
    return [
        TypeOfValues(name, expected[name], predicted[name], equal[name], examples[1][name], examples[0][name])
        for name in names
    ]
