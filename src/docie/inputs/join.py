"""References and predictions become pairs, by id or by order."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from itertools import chain, islice
from typing import NamedTuple

from docie.core.errors import DocumentError, InputError, MismatchError, shortened, warn, with_close_names
from docie.core.phrases import counted
from docie.core.values.plain import identity_text, scalar_text
from docie.inputs.config import Config, reading_of
from docie.inputs.opened import OpenedRows
from docie.inputs.openers import kind_of_texts
from docie.inputs.pages import page_of
from docie.inputs.reading import BY_NAME, PLAIN, Reading, Side, both
from docie.inputs.row import Pair, Row
from docie.inputs.shapes import empty_document, normalized
from docie.inputs.sources.python import Listed, check_lengths
from docie.inputs.sources.source import Source

UNSEEN = ("rename", "ignore")
"""The options whose names documents are expected to have."""
MOST_FIELDS = 10_000
"""The number of documents whose fields may be the ids of the other side."""
LOOKED_AT = 100
"""The number of references that are read ahead to tell what they are; the first that is not empty tells."""


def paired(
    predictions: Iterable[object],
    references: Iterable[object],
    config: Config = None,
    *,
    versions: Sequence[str] = (),
    tell: Callable[[str], object] = warn,
) -> Iterator[Pair]:
    """Each prediction in Python with its reference, in order. Both are read once.

    Args:
        predictions, references: rows, as `docie.inputs.openers` describes them. Rows that were joined stay as they are.
        config: how rows are read, and whether they are joined by id, as in `docie.corpus.evaluate`.
        versions: of each row on both sides, what tells it from others of its id, such as the attack on its form: rows
            are joined by both, and their ids are "r-1 under key_drop", say. Empty for none.
        tell: what is called with a line that a user should know, at the end.

    Raises:
        DocumentError: for a row that cannot be read, and for a pair of rows with different ids.
        ValueError: unless there are as many of each.
    """
    asked = reading_of(config)
    by_id = asked.joins_by_id
    predicted = Listed(
        "predictions", predictions, asked.predictions, is_placed=by_id, versions=versions if by_id else ()
    )
    expected = Listed("references", references, asked.references, is_placed=by_id, versions=versions if by_id else ())
    if asked.is_plain and isinstance(predicted.rows, Sized) and isinstance(expected.rows, Sized):
        check_lengths(len(predicted.rows), len(expected.rows))
    rows = iter(predicted.rows)
    first = [*islice(rows, 1)]
    predicted.rows = chain(first, rows)
    if first and isinstance(first[0], Row):
        yield from map(Pair, predicted, expected)
        return
    pairs = Join(expected, predicted, asked, in_python=True)
    yield from pairs
    for note in Told.sum_of([pairs.told()]).lines():
        tell(note)


class Told(NamedTuple):
    """What a user should know about pairs that were read, as plain JSON values.

    Attributes:
        joined_by: how rows were joined: "id", "order", or both, if parts differ; "" without rows.
        notes: a line for each thing.
        unseen: the names in options of the reading that no document had, by option.
        types: the entity types that documents had instead.
    """

    joined_by: str
    notes: list[str]
    unseen: dict[str, list[str]]
    types: list[str]

    @staticmethod
    def sum_of(parts: Iterable[Told]) -> Told:
        """What is to be told of several parts: a name that one of them has was seen."""
        parts = [*parts]
        joined_by = " and ".join(sorted({part.joined_by for part in parts} - {""}))
        notes = [*dict.fromkeys(note for part in parts for note in part.notes)]
        read = [part for part in parts if part.unseen]
        unseen = {
            option: [name for name in names if all(name in part.unseen[option] for part in read)]
            for option, names in (read[0].unseen if read else {}).items()
        }
        return Told(joined_by, notes, unseen, sorted({name for part in parts for name in part.types}))

    def lines(self, most: int | None = None) -> list[str]:
        """All of it, a line each; of notes no more than so many, since each of a thousand parts may have its own.

        >>> Told("id", [], {"rename": ["line"], "ignore": []}, ["lines", "total"]).lines()
        ["rename: no document has 'line' (close: 'lines')"]
        """
        notes, more = self.notes[:most], len(self.notes[most:]) if most else 0
        rest = [f"{more} more lines like these, of other files"] if more else []
        unseen = [
            f"{option}: no document has {with_close_names(each, self.types)}"
            for option, each in self.unseen.items()
            if each
        ]
        return [*notes, *rest, *unseen]


class Join:
    """The pairs of two sources, in the order of the references.

    Args:
        references, predictions: the sources.
        reading: how both are read.
        in_python: whether rows stand in Python, where the field `id` of a document is a field, and rows are joined by
            id only if the reading asks for it.
        may_be_empty: whether no documents at all are no error, as in a partition.
        keeps_extra: whether rows must have ids, and predictions without a reference are expected.

    Attributes:
        joined_by: "id" or "order", once the first rows were read; "" without rows.
        extra: the predictions without a reference by their ids, once all rows were read, if they are kept.
    """

    def __init__(
        self,
        references: Source,
        predictions: Source,
        reading: Reading = PLAIN,
        *,
        in_python: bool,
        may_be_empty: bool = False,
        keeps_extra: bool = False,
    ) -> None:
        if references.is_stream and predictions.is_stream:
            raise InputError("only one of references and predictions can be standard input")
        if in_python and (reading.references.lines or reading.predictions.lines):
            raise ValueError("lines goes with tables in files; line items in Python stand in their documents")
        self.reading, self.in_python, self.may_be_empty = reading, in_python, may_be_empty or in_python
        self.by_ids = not in_python or reading.joins_by_id
        self.references = OpenedRows(references, "reference", reading.references, ids=self.by_ids)
        self.predictions = OpenedRows(predictions, "prediction", reading.predictions, ids=self.by_ids)
        self.joined_by, self.keeps_extra = "", keeps_extra
        self.extra = dict[str, Row]()
        self._missing = 0
        self._dropped: list[str] = []  # the ids of references without a prediction
        self._left_out = {"references": 0, "predictions": 0}
        self._runs = 1, 1  # the least and the greatest number of answers for a document
        self._with_ids_alone: OpenedRows | None = None  # the only side that has ids
        self._lone = LoneIds()  # and which field of the other side may hold them

    def __iter__(self) -> Iterator[Pair]:
        expected = iter(self.references)
        first = self._decide(ahead := list(islice(expected, 1)), expected)
        references, predictions = chain(ahead, expected), iter(self.predictions)
        first_predicted = next(predictions, None)
        if first is None and first_predicted is None:
            if self.may_be_empty:
                return
            raise InputError(f"{self.references.name}: no documents")
        if self.keeps_extra and None in (first, first_predicted):
            raise InputError(f"{(self.references if first is None else self.predictions).name}: no documents")
        if first_predicted is not None:
            predictions = chain([first_predicted], predictions)
        has_id = [row is not None and row.id is not None for row in (first_predicted, first)]
        is_by_id = self.by_ids and (all(has_id) or (first_predicted is None and self._scores_missing and has_id[1]))
        self.joined_by = "id" if is_by_id else "order"
        if has_id[0] != has_id[1] and self.by_ids and not is_by_id:
            self._with_ids_alone = self.predictions if has_id[0] else self.references
        self._check_sides(first)
        joined = (self._by_id if is_by_id else self._by_order)(predictions, references)
        pairs = (with_normalizers(pair, self.reading) for pair in joined)
        corrections = self.reading.corrections
        yield from pairs if corrections is None else corrections.applied(pairs, self._dropped)

    def _decide(self, ahead: list[Row], rows: Iterator[Row]) -> Row | None:
        """The first reference; what it is decides what a text in the predictions is."""
        for row in ahead:
            self.predictions.kind = self.references.kind = kind_of_texts(row.document)
            if self.predictions.kind or len(ahead) == LOOKED_AT:
                break
            ahead += islice(rows, 1)
        return ahead[0] if ahead else None

    @property
    def _scores_missing(self) -> bool:
        return self.reading.missing == "empty"

    def _check_sides(self, first: Row | None) -> None:
        """Refuse references that stand in place of predictions."""
        if {"reference", "ground_truth"} & self.predictions.keys and "prediction" in self.references.keys:
            problem = "the prediction holds a 'reference', and the reference a 'prediction': they are swapped"
            raise DocumentError(problem, document=(first and first.place) or 0)

    def told(self) -> Told:
        """What a user should know about the input that was read."""
        notes = [*self.references.notes, *self.predictions.notes]
        if self._with_ids_alone is not None:
            notes.append(self._why_by_order(self._with_ids_alone))
        least, most = self._runs
        if self.predictions.how.run and most == 1:
            notes.append("run: no document has several answers")
        elif least < most:
            notes.append(f"documents have {least} to {most} answers; each counts with the mean of its own")
        if self._missing:
            notes.append(f"{counted(self._missing, 'reference')} without a prediction, scored against nothing")
        for side, there in (("references", "predictions"), ("predictions", "references")):
            if number := self._left_out[side]:
                why = "is left out: its id is" if number == 1 else "are left out: their ids are"
                notes.append(f"{counted(number, side.removesuffix('s'))} {why} not in the {there}")
        for rows in (self.predictions, self.references):
            if len(rows.forms) > 1:
                others = "are wrappers, such as {'document': ...}, and others are documents; write all alike"
                notes.append(f"some {rows.side}s {others}")
        shapes = self.references.shape, self.predictions.shape
        types = sorted(set[str]().union(*(shape.types for shape in shapes)))
        return Told(self.joined_by, notes, self._unseen() if self.joined_by else {}, types)

    def _unseen(self) -> dict[str, list[str]]:
        """The names in options of the reading that no document had, by option."""
        shapes = self.references.shape, self.predictions.shape
        unseen = {option: [*dict.fromkeys(chain(*(shape.unseen[option] for shape in shapes)))] for option in UNSEEN}
        # a name that is left out on both sides may stand on one of them
        seen = {name for shape in shapes for name in shape.how.ignore if name not in shape.unseen["ignore"]}
        return {**unseen, "ignore": [name for name in unseen["ignore"] if name not in seen]}

    def _why_by_order(self, side: OpenedRows) -> str:
        """Why rows are joined by order, if only one side has ids."""
        note = f" (the key {side.how.id_key!r}, which is not scored)" if side.has_id_among_fields else ""
        return f"only {side.name} has ids{note}, so rows are joined by order{self._where_ids_are(side)}"

    def _where_ids_are(self, side: OpenedRows) -> str:
        """The field of the other side that holds the ids of this one, and the option that joins by it."""
        if not (field := self._lone.field):
            return ""
        other = self.references if side is self.predictions else self.predictions
        option = self.references.source.asked_by({f"{other.side}s.id": field})
        return f"; the ids are the values of {field!r} in {other.name}: {option} joins by them"

    def _by_order(self, predictions: Iterator[Row], references: Iterator[Row]) -> Iterator[Pair]:
        asked = self.references.source.asked_by
        if self.keeps_extra:
            raise self._without_ids(f"{self.references.name} and {self.predictions.name} need rows with ids")
        if "drop" in (self.reading.missing, self.reading.extra):
            option = "missing" if self.reading.missing == "drop" else "extra"
            raise self._without_ids(f"{asked({f'join.{option}': 'drop'})} needs rows with ids")
        if run := self.predictions.how.run:
            raise self._without_ids(f"{asked({'predictions.run': run})} needs rows with ids")
        count = 0
        for reference in references:
            prediction = next(predictions, None)
            if prediction is None:
                total = count + 1 + sum(1 for _ in references)
                needs = f"; {asked({'join.missing': 'empty'})} needs rows with ids, to know which ones are missing"
                raise self._unequal(count, total, needs * self._scores_missing)
            if self.in_python and (prediction.id is None) != (reference.id is None):
                prediction, reference = _with_id_of_field(prediction), _with_id_of_field(reference)
            if None not in (prediction.id, reference.id) and prediction.id != reference.id:
                problem = (
                    f"the prediction has the id {prediction.id!r}, the reference {reference.id!r}; sort both by id"
                )
                raise DocumentError(problem, document=reference.place or count)
            count += 1
            if self._with_ids_alone is not None:
                with_id, other = (prediction, reference) if reference.id is None else (reference, prediction)
                self._lone.note(with_id.id, other.document)
            yield Pair(prediction, reference)
        if (field := self._lone.field) and not self._lone.is_in_order(field):
            raise self._without_ids("rows are not in the same order")
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
            finds = "" if self._lone.field else "; docie check finds ids under other keys"
            reason = f"; {self._why_by_order(self._with_ids_alone)}{finds}{reason}"
        return MismatchError(problem + reason)

    def _by_id(self, predictions: Iterator[Row], references: Iterator[Row]) -> Iterator[Pair]:
        # In files of the same order none waits. Those that do wait as bytes, which saves memory.
        waiting: dict[str, bytes | Row] = {}
        distinct = self._of_runs if self.predictions.how.run else _distinct
        following, expected = distinct(predictions, self.predictions), _distinct(references, self.references)
        number = 0
        for identity, reference in expected:
            prediction = self._unpacked(waiting.pop(identity, None))
            while prediction is None and (following_one := next(following, None)) is not None:
                other, row = following_one
                if other == identity:
                    prediction = row
                else:
                    waiting[other] = self._packed(row)
            if prediction is None and self.reading.missing == "drop":
                self._dropped.append(identity)
                continue
            if prediction is None:
                if not self._scores_missing:
                    rest = {identity: None, **{other: None for other, _ in expected}}
                    missing = [each for each in rest if each not in waiting]
                    raise self._unmatched(missing, [each for each in waiting if each not in rest])
                prediction = Row(empty_document(reference.document), "", identity)
                self._missing += 1
            number += 1
            yield Pair(prediction, reference)
        if self.keeps_extra:
            kept = chain(waiting.items(), following)
            self.extra = {other: row if isinstance(row, Row) else Row(*pickle.loads(row)) for other, row in kept}
            waiting = {}
        extra = [*waiting, *(other for other, _ in following)]
        if (extra and self.reading.extra == "error") or not number:
            raise self._unmatched(self._dropped, extra)
        self._left_out = {"references": len(self._dropped), "predictions": len(extra)}

    def _of_runs(self, rows: Iterator[Row], side: OpenedRows) -> Iterator[tuple[str, Row]]:
        """The first answer for each document with the answers of all runs. All rows are kept in memory."""
        answers = dict[str, dict[str, Row]]()
        for row in rows:
            of_document = answers.setdefault(str(row.id), {})
            run = row.run or str(len(of_document) + 1)
            if run in of_document:
                twice = f"id {shortened(row.id)} stands twice in the run {run!r}, first at {of_document[run].place}"
                raise InputError(f"{row.place}: {twice}")
            of_document[run] = row._replace(run=run)
        numbers = {len(of_document) for of_document in answers.values()}
        self._runs = min(numbers), max(numbers)
        for identity, of_document in answers.items():
            first, *others = runs = [*of_document.values()]
            yield identity, first._replace(runs=runs) if others else first

    def _packed(self, row: Row) -> bytes | Row:
        return row if self.in_python else pickle.dumps(tuple(row), pickle.HIGHEST_PROTOCOL)

    @staticmethod
    def _unpacked(row: bytes | Row | None) -> Row | None:
        return Row(*pickle.loads(row)) if isinstance(row, bytes) else row

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
        asked = self.references.source.asked_by
        if not missing:
            them = "this prediction" if len(extra) == 1 else "these predictions"
            return f"; {asked({'join.extra': 'drop'})} leaves {them} out"
        if not extra:
            return f"; {asked({'join.missing': 'empty'})} scores a missing prediction as an empty document"
        for options in (["ending"], ["folder"], ["ending", "folder"], ["zeros"]):
            strip = Side(strip_id=options).stripped
            here, there = {*map(strip, missing)}, {*map(strip, extra)}
            if here <= there or there <= here:
                return "; they are the same with " + asked(both("strip_id", options))
        if {page_of(name)[0] for name in extra} <= {*missing}:
            return f"; if they are pages, {asked({'predictions.pages': BY_NAME})} merges them"
        if len(missing) != len(extra):  # there are not as many rows on both sides
            return ""
        return next(filter(None, (side.id_hint() for side in (self.references, self.predictions))), "")


class LoneIds:
    """Where one side alone has ids: collects these, and the values of the fields that the other side has beside them.

    >>> lone = LoneIds()
    >>> for identity, number in (("r-1", "r-2"), ("r-2", "r-1")):
    ...     lone.note(identity, {"no": number, "total": "9"})
    >>> lone.field, lone.is_in_order("no")
    ('no', False)
    """

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._values: dict[str, list[str]] = {}

    def note(self, identity: str | None, document: object) -> None:
        """Look at a document without an id, which stands beside one with this id."""
        fields = document if isinstance(document, Mapping) else {}
        if not self._ids:
            self._values = {key: [] for key in fields if isinstance(key, str)}
        if len(self._ids) < MOST_FIELDS:
            self._ids.append(str(identity))
            for key in [*self._values]:
                if isinstance(value := fields.get(key), str | int):
                    self._values[key].append(str(scalar_text(value)))
                else:
                    del self._values[key]

    @property
    def field(self) -> str:
        """The field whose values are ids, each of another document: at least half of them, in any order.

        Numbers may be values of anything, so ids that are only digits are not looked for.
        """
        ids = {each for each in self._ids if not each.isdecimal()}
        for key, values in self._values.items():
            shared = ids & {*values}
            if len({*values}) == len(values) and len(shared) > 1 and 2 * len(shared) >= len(self._ids):
                return key
        return ""

    def is_in_order(self, key: str) -> bool:
        """Whether each id is beside the document that has it in this field."""
        return self._values[key] == self._ids


def with_normalizers(pair: Pair, reading: Reading) -> Pair:
    """The pair with the values of its documents as the reading normalises them by their `meta`."""
    if reading.normalize_by is None:
        return pair
    metas = (row.meta for row in pair if isinstance(row.meta, Mapping))
    normalize = reading.normalizer({key: value for meta in metas for key, value in meta.items()})
    if normalize is None:
        return pair

    def changed(row: Row) -> Row:
        return row._replace(document=normalized(row.document, normalize), runs=[*map(changed, row.runs)])

    return Pair(*map(changed, pair))


def _distinct(rows: Iterable[Row], side: OpenedRows) -> Iterator[tuple[str, Row]]:
    """The rows with their ids, each of which stands once."""
    file = f"{side.name}:"
    places = dict[str, int | str]()  # the number of a line takes a third of the memory of its place
    for row in rows:
        identity = str(row.id)  # all rows have one, or none
        if identity in places:
            place = places[identity]
            first = f"{file}{place}" if isinstance(place, int) else place
            problem = (
                f"id {shortened(identity)} stands twice, first at {first}{side.several_hint(row)}{side.run_hint(row)}"
            )
            raise InputError(f"{row.place}: {problem}")
        line = row.place.removeprefix(file)
        places[identity] = int(line) if line.isdecimal() else row.place
        yield identity, row


def _with_id_of_field(row: Row) -> Row:
    """A document whose counterpart is a wrapper with an id: its field `id` is its id, too."""
    document = row.document
    if row.id is not None or not isinstance(document, dict) or "id" not in document:
        return row
    try:
        identity = identity_text("id", document["id"])
    except ValueError:
        return row
    return row._replace(document={key: value for key, value in document.items() if key != "id"}, id=identity)
