"""Files become pairs of rows in one way: two files or their partitions, by id if both sides have one, else by order."""

from __future__ import annotations

from array import array
from bisect import bisect
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from docie.core.errors import DocumentError, shortened
from docie.documents.kinds import input_kind_of
from docie.documents.rows import read_row
from docie.files.partitions import Partition, is_partitioned, open_source, partitions_of, read_once
from docie.files.source import STDIN, InputError, Row, Source

NOTED = 5
"""The number of notes on files that are kept."""


class MismatchError(InputError):
    """References and predictions that do not belong together. The message names no file."""


class PairedSources:
    """The pairs (prediction, reference) of two sources, in the order of the references.

    Args:
        references: one side.
        predictions: the other side.
        missing_empty: whether a reference without a prediction is compared with the empty document, instead of being an
            error.
        may_be_empty: whether no documents at all are no error.
    """

    def __init__(
        self, references: Source, predictions: Source, *, missing_empty: bool = False, may_be_empty: bool = False
    ) -> None:
        if references.path == predictions.path == STDIN and references.content is None:
            raise InputError("only one of references and predictions can be standard input")
        self.sources = {"reference": references, "prediction": predictions}
        self.missing_empty, self.may_be_empty = missing_empty, may_be_empty
        self._numbers = {"reference": array("q"), "prediction": array("q")}
        self._ids: list[str | None] = []
        self._missing = 0
        self._with_ids_alone: Source | None = None  # the only side that has ids
        self.joined_by = ""  # "id" or "order", once the first rows were read

    def __iter__(self) -> Iterator[tuple[object, object]]:
        predictions, references = self.sources["prediction"], self.sources["reference"]
        predicted_rows, reference_rows = iter(predictions), iter(references)
        first_predicted, first_reference = next(predicted_rows, None), next(reference_rows, None)
        if first_predicted is None and first_reference is None:
            if self.may_be_empty:
                return
            raise InputError(f"{references.name}: no documents")
        rows = _with_first(first_predicted, predicted_rows), _with_first(first_reference, reference_rows)
        has_id = [row is not None and row.id is not None for row in (first_predicted, first_reference)]
        is_joined_by_id = all(has_id) or (first_predicted is None and self.missing_empty and has_id[1])
        self.joined_by = "id" if is_joined_by_id else "order"
        self._with_ids_alone = None
        if has_id[0] != has_id[1] and not is_joined_by_id:
            self._with_ids_alone = predictions if has_id[0] else references
        for prediction, reference in self._by_id(*rows) if is_joined_by_id else self._by_order(*rows):
            self._numbers["prediction"].append(prediction.number if prediction else 0)
            self._numbers["reference"].append(reference.number)
            self._ids.append(reference.id if prediction is None or reference.id is not None else prediction.id)
            self._missing += prediction is None
            predicted = predictions.document(prediction) if prediction else None
            expected = references.document(reference)
            yield predicted if prediction else _empty_prediction(expected), expected

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
            references = f"{self._missing} reference{'s' * (self._missing > 1)}"
            warnings.append(f"{references} without a prediction, scored against nothing")
        return warnings

    def _why_by_order(self, source: Source) -> str:
        """Why rows are joined by order, if only one side has ids."""
        note = f" (the key {source.id_key!r}, which is not scored)" if source.has_id_among_fields else ""
        return f"only {source.name} has ids{note}, so rows are joined by order"

    def located(self, error: DocumentError) -> DocumentError:
        """The error, with the place of its document in the files instead of its position in the corpus."""
        if isinstance(error.document, int):
            side = error.side or "reference"
            error.document = self.sources[side].place(self._numbers[side][error.document])
        return error

    def _by_order(self, predictions: Iterator[Row], references: Iterator[Row]) -> Iterator[tuple[Row | None, Row]]:
        count = 0
        for reference in references:
            prediction = next(predictions, None)
            if prediction is None:
                total = count + 1 + sum(1 for _ in references)
                reason = "; --missing empty needs rows with ids, to know which ones are missing" * self.missing_empty
                raise self._unequal(count, total, reason)
            count += 1
            yield prediction, reference
        rest = sum(1 for _ in predictions)
        if rest:
            raise self._unequal(count + rest, count)

    def _unequal(self, predictions: int, references: int, reason: str = "") -> MismatchError:
        """The error for rows without ids on both sides that are not equally many."""
        if self._with_ids_alone is not None:
            reason = f"; {self._why_by_order(self._with_ids_alone)}{reason}"
        return MismatchError(f"expected as many predictions as references, got {predictions} and {references}{reason}")

    def _by_id(self, predictions: Iterator[Row], references: Iterator[Row]) -> Iterator[tuple[Row | None, Row]]:
        # In files of the same order none waits. Those that do wait without their values, which saves memory.
        waiting: dict[str, Row] = {}
        following = self._with_ids(predictions, "prediction")
        expected = self._with_ids(references, "reference")
        for identity, reference in expected:
            prediction = waiting.pop(identity, None)
            while prediction is None and (following_one := next(following, None)) is not None:
                other, row = following_one
                if other == identity:
                    prediction = row
                else:
                    waiting[other] = row._replace(value=None)
            if prediction is None and not self.missing_empty:
                rest = {identity: None, **{other: None for other, _ in expected}}
                missing = [each for each in rest if each not in waiting]
                raise self._unmatched(missing, [each for each in waiting if each not in rest])
            yield prediction, reference
        if extra := [*waiting, *(other for other, _ in following)]:
            raise self._unmatched([], extra)

    def _unmatched(self, missing: list[str], extra: list[str]) -> MismatchError:
        """The error for references without a prediction, and predictions without a reference. All rows were read."""
        problems = []
        for ids, here, there in ((missing, "references", "predictions"), (extra, "predictions", "references")):
            if ids:
                which = f"ids {shortened(ids[0])} and {len(ids) - 1} more are"
                which = which if len(ids) > 1 else f"id {shortened(ids[0])} is"
                problems.append(f"{which} in the {here} but not in the {there}")
        field = next(filter(None, (source.id_hint() for source in self.sources.values())), "")
        if missing and extra:
            hint = field if len(missing) == len(extra) else ""  # else there are not as many rows on both sides
        elif extra:
            hint = f"; remove {'this prediction' if len(extra) == 1 else 'these predictions'}"
        else:
            hint = "; --missing empty scores a missing prediction as an empty document"
        return MismatchError(", and ".join(problems) + hint)

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


class Reading(NamedTuple):
    """How files are read.

    Attributes:
        id_key: the key of a row that holds its id; "" if rows have none.
        missing_empty: whether a reference without a prediction is compared with the empty document.
        accepts_text: whether a document may be a text.
    """

    id_key: str = "id"
    missing_empty: bool = False
    accepts_text: bool = False

    def paired(
        self, partition: Partition, contents: Mapping[str, bytes] | None = None, *, may_be_empty: bool = True
    ) -> PairedSources:
        """The documents of two files side by side. `contents` are those of `read_once`."""
        references, predictions = (
            open_source(
                path, side, accepts_text=self.accepts_text, id_key=self.id_key, content=(contents or {}).get(path)
            )
            for path, side in zip(partition, ("reference", "prediction"), strict=True)
        )
        return PairedSources(references, predictions, missing_empty=self.missing_empty, may_be_empty=may_be_empty)


class PairedFiles:
    """The pairs (prediction, reference) of two paths: of two files, or of one partition after the other.

    Args:
        references, predictions: what the user named: files, folders, patterns, URLs, or "-".
        reading: how they are read.
        contents: those of `read_once`, where the paths are read more than once.

    Raises:
        InputError: for partitions that do not belong together, and for what cannot be read.
    """

    def __init__(
        self,
        references: str,
        predictions: str,
        reading: Reading | None = None,
        contents: Mapping[str, bytes] | None = None,
    ) -> None:
        self.references, self.predictions, self.reading = references, predictions, reading or Reading()
        self.is_partitioned = is_partitioned(references) or is_partitioned(predictions)
        self._opened: list[PairedSources] = []
        self._starts: list[int] = []  # the number of the first document of each
        if self.is_partitioned:
            self.partitions = partitions_of(references, predictions)
            return
        self.partitions = [Partition(references, predictions)]
        contents = read_once(references, predictions) if contents is None else contents
        self._first = self.reading.paired(self.partitions[0], contents, may_be_empty=False)

    def __iter__(self) -> Iterator[tuple[object, object]]:
        """The pairs, in order. Errors of partitions name their files."""
        self._opened, self._starts, number = [], [], 0
        for partition in self.partitions:
            pairs = self.reading.paired(partition) if self.is_partitioned else self._first
            self._opened.append(pairs)
            self._starts.append(number)
            for pair in pairs:
                yield pair
                number += 1
        if not number:
            raise InputError(f"{self.partitions[0].references}: no documents, and none in other partitions")

    @property
    def names(self) -> tuple[str, str]:
        """What the references and the predictions are called in messages."""
        references, predictions = ("<stdin>" if path == STDIN else path for path in (self.references, self.predictions))
        return references, predictions

    @property
    def joined_by(self) -> str:
        """How rows were joined: "id", "order", or both, if partitions differ."""
        return " and ".join(sorted({pairs.joined_by for pairs in self._opened} - {""}))

    def name(self, number: int) -> str | int:
        """The id of a document that was read; without one, its number, counted from 0."""
        pairs, place = self._find(number)
        return number if isinstance(name := pairs.name(place), int) else name

    def warnings(self) -> list[str]:
        """What a user should know about the input that was read."""
        notes = [note for pairs in self._opened for note in pairs.warnings()]
        return first_notes(notes) if self.is_partitioned else notes

    def located(self, error: DocumentError) -> DocumentError:
        """The error, with the place of its document in the files instead of its position in the corpus."""
        if not isinstance(error.document, int) or not self._opened:
            return error
        pairs, error.document = self._find(error.document)
        return pairs.located(error)

    def _find(self, number: int) -> tuple[PairedSources, int]:
        """The files of a document, and its number in them."""
        part = bisect(self._starts, number) - 1
        return self._opened[part], number - self._starts[part]


def first_notes(notes: Iterable[str]) -> list[str]:
    """The first notes on files, each once: of a thousand partitions, each may have its own."""
    distinct = list(dict.fromkeys(notes))
    more = len(distinct) - NOTED
    return [*distinct[:NOTED], f"{more} more lines like these, of other files"] if more > 0 else distinct


def _with_first(first: Row | None, rest: Iterator[Row]) -> Iterator[Row]:
    return rest if first is None else chain([first], rest)


def _empty_prediction(reference: object) -> object:
    """What stands for a missing prediction: nothing; of tags, which need a number of them, an invalid prediction."""
    document = read_row(reference, "reference", accepts_text=True)
    return [] if input_kind_of(document) in (None, "entities", "boxes") else {}
