"""Rows of references and predictions become pairs in one way, in files and in Python: by id, or by order."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sized
from itertools import zip_longest

from docie.core.errors import DocumentError, InputError, MismatchError, errors_of_document, shortened, warn
from docie.core.phrases import counted
from docie.core.reading import BY_NAME, Reading
from docie.documents.pairs.found import PairReader, empty_document
from docie.documents.pairs.pages import page_of
from docie.documents.pairs.sides import Listed, Row, Rows
from docie.documents.rows import Opened, OpenedPair, check_lengths, open_pair, read_row, sequence_of, spy

_MISSING = object()


def paired_rows(
    predictions: Iterable[object],
    references: Iterable[object],
    *,
    accepts_text: bool = False,
    reading: Reading | None = None,
    tell: Callable[[str], object] = warn,
) -> Iterator[OpenedPair]:
    """Each prediction with its reference, in order, with the id and the meta of their wrappers. Both are read once.

    Rows that were read already (`Opened`) stay as they are.

    Args:
        predictions, references: rows, as `docie.documents.rows` describes them.
        accepts_text: whether a document may be a text.
        reading: how rows are read, and whether by id, where more is asked for.
        tell: what is called with a line that a user should know, at the end.

    Raises:
        DocumentError: for a row that cannot be read, and for a pair of rows with different ids.
        ValueError: unless there are as many of each.
    """
    predictions, references = (
        sequence_of(name, documents, reading)
        for name, documents in (("predictions", predictions), ("references", references))
    )
    if reading is not None:
        first, predictions = spy(predictions)
        if not isinstance(first, Opened):
            yield from _joined(predictions, references, reading, accepts_text=accepts_text, tell=tell)
            return
    if isinstance(predictions, Sized) and isinstance(references, Sized):
        check_lengths(len(predictions), len(references))
    predictions, references = iter(predictions), iter(references)
    forms: dict[str, set[bool]] = {"predictions": set(), "references": set()}
    for number, (prediction, reference) in enumerate(zip_longest(predictions, references, fillvalue=_MISSING)):
        if prediction is _MISSING or reference is _MISSING:
            longer = references if prediction is _MISSING else predictions
            total = number + 1 + sum(1 for _ in longer)
            check_lengths(number if prediction is _MISSING else total, number if reference is _MISSING else total)
        with errors_of_document(number):
            predicted, expected = open_pair(prediction, reference, accepts_text=accepts_text)
        for side, row in (("predictions", predicted), ("references", expected)):
            is_answer = isinstance(row.meta, dict) and "source" in row.meta  # the wrapper is not the user's
            if isinstance(row.document, dict) and row.document and not is_answer:
                forms[side].add(row.key is not None)
        yield predicted, expected
    for side, kinds in forms.items():
        if len(kinds) > 1:
            tell(f"some {side} are wrappers, such as {{'document': ...}}, and others are documents; write all alike")


def _joined(
    predictions: Iterable[object],
    references: Iterable[object],
    reading: Reading,
    *,
    accepts_text: bool,
    tell: Callable[[str], object],
) -> Iterator[OpenedPair]:
    """Each prediction with its reference, as a reading asks for it; by id only if one of its options needs ids."""
    sides = (
        Listed(rows, side, reading, accepts_text=accepts_text)
        for rows, side in ((references, "reference"), (predictions, "prediction"))
    )
    pairs = PairedRows(*sides, may_be_empty=True, may_join=reading.joins_by_id)
    yield from pairs  # type: ignore[misc]
    for note in pairs.warnings():
        tell(note)


class PairedRows:
    """The pairs (prediction, reference) of two sides, in the order of the references.

    With a reading they are `Opened`; else rows as `docie.documents.rows.paired_rows` takes them.

    Args:
        references: one side; its reading is that of both.
        predictions: the other side.
        may_be_empty: whether no documents at all are no error.
        may_join: whether rows are joined by id if both sides have one.
    """

    def __init__(
        self, references: Rows, predictions: Rows, *, may_be_empty: bool = False, may_join: bool = True
    ) -> None:
        if references.is_stream and predictions.is_stream:
            raise InputError("only one of references and predictions can be standard input")
        self.sources = {"reference": references, "prediction": predictions}
        self.reading, self.may_be_empty, self.may_join = references.reading or Reading(), may_be_empty, may_join
        self._read = (
            PairReader(references.reading, accepts_text=references.accepts_text) if references.reading else None
        )
        self._scores_missing = self.reading.missing == "empty"
        self._numbers = {"reference": array("q"), "prediction": array("q")}
        self._ids: list[str | None] = []
        self._missing = 0
        self._left_out = {"references": 0, "predictions": 0}
        self._with_ids_alone: Rows | None = None  # the only side that has ids
        self.joined_by = ""  # "id" or "order", once the first rows were read

    def __iter__(self) -> Iterator[tuple[object, object] | OpenedPair]:
        predictions, references = self.sources["prediction"], self.sources["reference"]
        first_predicted, predicted_rows = spy(predictions)
        first_reference, reference_rows = spy(references)
        if first_predicted is None and first_reference is None:
            if self.may_be_empty:
                return
            raise InputError(f"{references.name}: no documents")
        has_id = [row is not None and row.id is not None for row in (first_predicted, first_reference)]
        is_joined_by_id = all(has_id) or (first_predicted is None and self._scores_missing and has_id[1])
        is_joined_by_id &= self.may_join
        self.joined_by = "id" if is_joined_by_id else "order"
        self._with_ids_alone = None
        if has_id[0] != has_id[1] and self.may_join and not is_joined_by_id:
            self._with_ids_alone = predictions if has_id[0] else references
        pairs = self._by_id if is_joined_by_id else self._by_order
        for prediction, reference in pairs(predicted_rows, reference_rows):
            self._numbers["prediction"].append(prediction.number if prediction else 0)
            self._numbers["reference"].append(reference.number)
            self._ids.append(reference.id if prediction is None or reference.id is not None else prediction.id)
            self._missing += prediction is None
            yield self._pair(prediction, reference)

    def _pair(self, prediction: Row | None, reference: Row) -> tuple[object, object] | OpenedPair:
        """The documents of two rows."""
        predictions, references = self.sources["prediction"], self.sources["reference"]
        if self._read is None:
            expected = references.document(reference)
            if prediction is None:
                return empty_document(read_row(expected, "reference", accepts_text=True)), expected
            return predictions.document(prediction), expected
        try:
            found = references.found(reference)
            return self._read.pair(predictions.found(prediction) if prediction else None, found)
        except DocumentError as error:
            error.document = len(self._ids) - 1 if error.document is None else error.document
            raise self.located(error) from None

    def name(self, number: int) -> str | int:
        """The id of a document that was read; without one, its number, counted from 0."""
        identity = self._ids[number]
        return number if identity is None else identity

    def warnings(self) -> list[str]:
        """What a user should know about the input that was read."""
        warnings = [warning for source in self.sources.values() for warning in source.warnings]
        if self._with_ids_alone is not None:
            warnings.append(self._why_by_order(self._with_ids_alone))
        if self._missing:
            warnings.append(f"{counted(self._missing, 'reference')} without a prediction, scored against nothing")
        for side, there in (("references", "predictions"), ("predictions", "references")):
            if number := self._left_out[side]:
                why = "is left out: its id is" if number == 1 else "are left out: their ids are"
                warnings.append(f"{counted(number, side.removesuffix('s'))} {why} not in the {there}")
        return warnings

    def _why_by_order(self, source: Rows) -> str:
        """Why rows are joined by order, if only one side has ids."""
        note = f" (the key {source.id_key!r}, which is not scored)" if source.has_id_among_fields else ""
        return f"only {source.name} has ids{note}, so rows are joined by order"

    def located(self, error: DocumentError) -> DocumentError:
        """The error, with the place of its document instead of its position in the corpus."""
        if isinstance(error.document, int):
            side = error.side or "reference"
            error.document = self.sources[side].place(self._numbers[side][error.document])
        return error

    def _by_order(self, predictions: Iterator[Row], references: Iterator[Row]) -> Iterator[tuple[Row | None, Row]]:
        asked = self.sources["reference"].asked_by
        if self.reading.common_ids:
            raise self._without_ids(f"{asked('common_ids')} needs rows with ids")
        count = 0
        for reference in references:
            prediction = next(predictions, None)
            if prediction is None:
                total = count + 1 + sum(1 for _ in references)
                needs = f"; {asked('missing', 'empty')} needs rows with ids, to know which ones are missing"
                raise self._unequal(count, total, needs * self._scores_missing)
            count += 1
            yield prediction, reference
        rest = sum(1 for _ in predictions)
        if rest:
            raise self._unequal(count + rest, count)

    def _unequal(self, predictions: int, references: int, reason: str = "") -> MismatchError:
        """The error for rows without ids on both sides that are not equally many."""
        return self._without_ids(
            f"expected as many predictions as references, got {predictions} and {references}", reason
        )

    def _without_ids(self, problem: str, reason: str = "") -> MismatchError:
        if self._with_ids_alone is not None:
            reason = f"; {self._why_by_order(self._with_ids_alone)}{reason}"
        return MismatchError(problem + reason)

    def _by_id(self, predictions: Iterator[Row], references: Iterator[Row]) -> Iterator[tuple[Row | None, Row]]:
        # In files of the same order none waits. Those that do wait without their values, which saves memory.
        waiting: dict[str, Row] = {}
        following = self._with_ids(predictions, "prediction")
        expected = self._with_ids(references, "reference")
        left_out: list[str] = []
        for identity, reference in expected:
            prediction = waiting.pop(identity, None)
            while prediction is None and (following_one := next(following, None)) is not None:
                other, row = following_one
                if other == identity:
                    prediction = row
                else:
                    waiting[other] = self.sources["prediction"].set_aside(row)
            if prediction is None and self.reading.common_ids and not self._scores_missing:
                left_out.append(identity)
                continue
            if prediction is None and not self._scores_missing:
                rest = {identity: None, **{other: None for other, _ in expected}}
                missing = [each for each in rest if each not in waiting]
                raise self._unmatched(missing, [each for each in waiting if each not in rest])
            yield prediction, reference
        extra = [*waiting, *(other for other, _ in following)]
        is_refused = not self._ids if self.reading.common_ids else bool(extra)
        if is_refused:
            raise self._unmatched(left_out, extra)
        self._left_out = {"references": len(left_out), "predictions": len(extra)}

    def _unmatched(self, missing: list[str], extra: list[str]) -> MismatchError:
        """The error for references without a prediction, and predictions without a reference. All rows were read."""
        problems = []
        for ids, here, there in ((missing, "references", "predictions"), (extra, "predictions", "references")):
            if ids:
                which = f"ids {shortened(ids[0])} and {len(ids) - 1} more are"
                which = which if len(ids) > 1 else f"id {shortened(ids[0])} is"
                problems.append(f"{which} in the {here} but not in the {there}")
        return MismatchError(", and ".join(problems) + self._advice(missing, extra))

    def _advice(self, missing: list[str], extra: list[str]) -> str:
        """The option that joins rows with these ids."""
        asked = self.sources["reference"].asked_by
        if not missing:
            them = "this prediction" if len(extra) == 1 else "these predictions"
            return f"; {asked('common_ids')} leaves {them} out"
        if not extra:
            return f"; {asked('missing', 'empty')} scores a missing prediction as an empty document"
        for options in (["ending"], ["folder"], ["ending", "folder"]):
            strip = Reading(strip_id=options).stripped
            here, there = {*map(strip, missing)}, {*map(strip, extra)}
            if here <= there or there <= here:
                return "; they are the same with " + asked("strip_id", *options)
        if {page_of(name)[0] for name in extra} <= {*missing}:
            return f"; if they are pages, {asked('pages', f'predictions:{BY_NAME}')} merges them"
        if len(missing) != len(extra):  # there are not as many rows on both sides
            return ""
        return next(filter(None, (source.id_hint() for source in self.sources.values())), "")

    def _with_ids(self, rows: Iterator[Row], side: str) -> Iterator[tuple[str, Row]]:
        source, numbers = self.sources[side], dict[str, int]()
        for row in rows:
            identity = str(row.id)  # all rows have one, or none
            if identity in numbers:
                first = source.place(numbers[identity])
                problem = f"id {shortened(identity)} stands twice, first at {first}{source.id_hint()}"
                raise InputError(f"{source.place(row.number)}: {problem}")
            numbers[identity] = row.number
            yield identity, row
