"""Do references and predictions fit together? What differs in how they were written, and the options that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from docie.core.counts import Counts
from docie.core.errors import errors_of_document
from docie.core.reading import Reading
from docie.core.values.plain import JsonObject
from docie.documents.fit import Fit, SideRows, fit
from docie.documents.kinds import check_input_kind, peek_input_kind
from docie.documents.pairs.joining import paired_rows
from docie.documents.pairs.sides import Listed
from docie.documents.rows import OpenedPair, plain_row, sequence_of
from docie.metrics import kieval

Pairs = Callable[[Reading], Iterable[OpenedPair]]
"""All predictions with their references, as they are read so."""
Normalize = dict[str, list[str]]
"""Normalizers by entity type."""


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


@dataclass(frozen=True)
class Findings:
    """How references and predictions fit together: what `docie.check` returns.

    Attributes:
        references, predictions: how each was read.
        sampled: the number of documents that the findings were searched in.
        score: KIEval's entity F1 as the documents are read now; None if they cannot be scored so.
        problem: why they cannot be scored; None if they can.
        findings: the differences, in the order in which their changes are made.
        reading: how documents are read with all of the changes.
        normalize: the option `normalize` of findings on formats; None without any.
    """

    references: Side
    predictions: Side
    sampled: int
    score: float | None
    problem: ValueError | None
    findings: list[Finding]
    reading: Reading
    normalize: Normalize | None

    def __iter__(self) -> Iterator[Finding]:
        """The findings."""
        return iter(self.findings)

    def __len__(self) -> int:
        """The number of findings."""
        return len(self.findings)

    @property
    def options(self) -> list[str]:
        """The arguments of the command line that ask for all of the changes."""
        return [option for finding in self.findings for option in finding.options]

    def to_json(self) -> JsonObject:
        """The findings as `docie check --format json` prints them."""
        return {
            "references": self.references._asdict(),
            "predictions": self.predictions._asdict(),
            "findings": [finding._asdict() for finding in self.findings],
        }


def check(predictions: Iterable[object], references: Iterable[object], *, reading: object = None) -> Findings:
    """Check whether predictions and references were written alike, before a score is believed.

    Differences in ids, names, structure and formats lower a score although the values are correct. A difference is
    found by its effect: at least three values, and at least half of those that it concerns, find an equal counterpart
    that they did not have. Nothing is changed; `reading` and `normalize` of the result request the changes.

    Args:
        predictions (iterable): rows, as in `corpus.evaluate`.
        references (iterable): the references.
        reading (Reading): how they are read already; None for the default.

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

    asked = Reading.of(reading) or Reading()
    return findings_of(_rows(predicted, "prediction", asked), _rows(expected, "reference", asked), pairs, asked)


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


def findings_of(predictions: SideRows, references: SideRows, pairs: Pairs, reading: Reading) -> Findings:
    """The findings for rows from anywhere.

    Args:
        predictions, references: all rows.
        pairs: gives all of them, joined and read in a way.
        reading: how they are read already.

    Raises:
        ValueError: for references that are no documents, such as tagged words.
    """
    kind, _ = peek_input_kind((None, row) for row in references.first)
    check_input_kind("docie check", ("document",), kind)
    found = fit(predictions, references, reading)
    sides = [_side(rows, found, place) for place, rows in enumerate((predictions, references))]
    plain, problem = _score(pairs, reading, {})
    before, findings, normalize = plain, list[Finding](), Normalize()
    for change in found.changes:
        after = before
        if change.options:
            reading = reading.with_options(**change.reading)
            for name, specs in change.normalize.items():
                normalize.setdefault(name, []).extend(specs)
            after, _ = _score(pairs, reading, normalize)
        findings.append(Finding(change.kind, change.options, change.values, before, after, change.text))
        before = after
    sampled = len(found.sample.pairs)
    return Findings(sides[1], sides[0], sampled, plain, problem, findings, reading, normalize or None)


def _score(pairs: Pairs, reading: Reading, normalize: Normalize) -> tuple[float | None, ValueError | None]:
    """KIEval's entity F1 of all documents as they are read so; or why they cannot be scored."""
    settings, total = kieval.Settings(normalize=normalize or None), Counts()
    try:
        for number, (prediction, reference) in enumerate(pairs(reading)):
            with errors_of_document(number):
                total += kieval.count(prediction.document, reference.document, settings)
    except ValueError as error:
        return None, error
    return float(kieval.score(total)["entity_f1"]), None


def _side(rows: SideRows, found: Fit, place: int) -> Side:
    keys = found.join.keys
    groups = {name for pair in found.sample.values for name in pair[place] if name}
    types = found.sample.types[place]
    return Side(rows.size, keys and keys[1 - place], len(types), sorted(groups), types.total())
