"""What a corpus holds, looked at while it is scored: inputs that were probably meant otherwise come to light.

Most corpora are sound, and then a few documents tell, so this costs little beside scoring: entity types are looked at
until MOST_VALUES values were seen, and after these only as long as a question is open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from docie.core.counts import Counts
from docie.core.errors import json_kind, shortened, warn, with_close_names
from docie.core.family import MOST_NOTES, Family
from docie.core.settings import is_normalized, named_entity_types
from docie.core.values.json_text import is_deep
from docie.core.values.plain import JsonObject
from docie.inputs.fit.input_checks import Predictions, SharedKeys, quoted, warnings_of_types
from docie.inputs.kinds import entity_types, input_kind_of, seen_types
from docie.inputs.records import record_kinds
from docie.inputs.row import Pair

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

MOST_VALUES = 50
"""The number of values that are looked at where nothing seems wrong; the first document is looked at as a whole."""
STRUCTURE = 2
"""The number of documents whose records are looked at."""
LOOK_AT = 20
"""The number of documents that are looked at where most entity types stand on one side only."""
ADVICE = "; docie check searches for the reason"
"""The end of lines that documents written in different ways may explain."""
SIDES = ("predictions", "references")
_LIST = json_kind([])
FEW, CONCERNED = 3, 0.02
"""Entity types of one side are told if they have at least so many, and this share, of its values."""
NEARLY_NONE = 0.05
"""Of a side with fewer correct values it is told that nearly all are wrong: a weak model has more."""


class Survey:
    """Collects what two sides have in common.

    Args:
        inputs: the kinds of input that the family reads.
        names: from each option that names entity types to the names.
        is_normalized: whether values are normalised.
    """

    def __init__(
        self,
        inputs: Collection[str],
        names: Mapping[str, Iterable[str]],
        *,
        is_normalized: bool = False,
    ) -> None:
        self.is_normalized = is_normalized
        self.for_hints: JsonObject = {}  # what the family saw
        self.answers = Predictions(inputs)
        self.inputs = inputs
        self.names = {option: list(each) for option, each in names.items()}
        self.unseen = {name for each in self.names.values() for name in each}
        self.documents = 0
        self.values = 0  # that were looked at
        self.is_one_sided = False
        self.types: dict[str, Counter[str]] = {"prediction": Counter(), "reference": Counter()}
        self.numbers: dict[str, set[str]] = {"prediction": set(), "reference": set()}
        self.number_texts: dict[str, set[str]] = {"prediction": set(), "reference": set()}
        self.nested: set[str] = set()
        self.is_shared = False
        self.keys = SharedKeys()
        self.flat_keys: set[str] = set()
        self.unread = ""
        self.named: set[str] = set()  # of the names, those that other parts have
        self.lines: list[str] = []  # what is to be said of the keys of other parts
        self.has_documents = False  # that docie check reads
        self.kinds: dict[str, set[str]] = {"prediction": set(), "reference": set()}  # of records

    @classmethod
    def of(cls, family: Family, settings: DataclassInstance) -> Survey:
        """What looks at the documents of a corpus while they are counted."""
        return cls(family.INPUTS, named_entity_types(settings), is_normalized=is_normalized(settings))

    def watch(self, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Pass the pairs (prediction, reference) on, and look at them."""
        for pair in pairs:
            prediction, reference = pair[0].document, pair[1].document
            if self._is_open():
                self._look(prediction, reference)
            if type(prediction) is not dict and not self.unread and not _may_be_read(prediction, reference):
                self.unread = f" (one is {json_kind(prediction)})"
            self.keys.note(prediction, reference)
            self.answers.note(self.documents, prediction, reference)
            self.documents += 1
            yield pair

    def _is_open(self) -> bool:
        """Whether the next document is looked at."""
        if self.documents < LOOK_AT and (self.values < MOST_VALUES or self.is_one_sided):
            return True
        return bool(self.unseen) or not self.is_shared

    def _look(self, prediction: object, reference: object) -> None:
        if self.documents < STRUCTURE and input_kind_of(reference) == "document":
            self.has_documents = not {"document", "value"}.isdisjoint(self.inputs)
            for side, value in (("prediction", prediction), ("reference", reference)):
                self.kinds[side] |= set() if is_deep(value) else record_kinds(value)  # which counting refuses
        for side, value in (("prediction", prediction), ("reference", reference)):
            if self.documents < LOOK_AT:
                seen = seen_types(value, side, inputs=self.inputs)
                types = seen.types
                self.values += seen.values
                self.numbers[side] |= seen.numbers
                self.number_texts[side] |= seen.number_texts
                self.nested |= seen.nested
            else:
                types = entity_types(value, side, inputs=self.inputs)
            self.types[side].update(types)
            self.unseen -= types
        if not self.is_shared:
            self.is_shared = not self.types["prediction"].keys().isdisjoint(self.types["reference"])
        if self.values >= MOST_VALUES and self.documents < LOOK_AT:
            self.is_one_sided = _is_mostly_one_sided(self.types["prediction"], self.types["reference"])
        if isinstance(prediction, Mapping) and isinstance(reference, Mapping):
            self.flat_keys |= _flat_keys(prediction, reference) | _flat_keys(reference, prediction)

    def to_json(self) -> JsonObject:
        """What was seen, as plain JSON values, for `add`."""
        return {
            "has_documents": self.has_documents,
            "kinds": {side: sorted(kinds) for side, kinds in self.kinds.items()},
            "inputs": [*self.inputs],
            "names": self.names,
            "is_normalized": self.is_normalized,
            "documents": self.documents,
            "types": {side: dict(types) for side, types in self.types.items()},
            "numbers": {side: sorted(names) for side, names in self.numbers.items()},
            "number_texts": {side: sorted(names) for side, names in self.number_texts.items()},
            "nested": sorted(self.nested),
            "answers": self.answers.to_json(),
            "for_hints": self.for_hints,
            "named": sorted(self.named | ({name for each in self.names.values() for name in each} - self.unseen)),
            "flat_keys": sorted(self.flat_keys),
            "unread": self.unread,
            "lines": [*self.lines, *self.keys.warnings()],
        }

    @classmethod
    def from_json(cls, seen: JsonObject) -> Survey:
        """A survey that has seen what `to_json` wrote."""
        survey = cls(seen["inputs"], seen["names"], is_normalized=seen["is_normalized"])
        survey.add(seen)
        return survey

    @classmethod
    def sum_of(cls, one: JsonObject | None, other: JsonObject | None) -> JsonObject | None:
        """What was seen in two parts of a corpus, as `to_json` wrote it; None where nobody looked."""
        if one is None or other is None:
            return one or other
        survey = cls.from_json(one)
        survey.add(other)
        return survey.to_json()

    def add(self, seen: JsonObject) -> None:
        """Add what was seen in another part of the corpus, the result of `to_json`. The order makes no difference.

        Of each part the first documents are looked at, so this knows more than one survey of the whole would.
        """
        self.documents += seen["documents"]
        self.has_documents |= seen["has_documents"]
        for side, kinds in self.kinds.items():
            kinds.update(seen["kinds"][side])
        for side in self.types:
            self.types[side].update(seen["types"][side])
            self.numbers[side].update(seen["numbers"][side])
            self.number_texts[side].update(seen["number_texts"][side])
        self.nested.update(seen["nested"])
        self.answers.add(seen["answers"])
        self.add_hints(seen["for_hints"])
        self.is_shared = not self.types["prediction"].keys().isdisjoint(self.types["reference"])
        self.named.update(seen["named"])
        self.unseen -= self.named
        self.flat_keys.update(seen["flat_keys"])
        self.unread = min(filter(None, (self.unread, seen["unread"])), default="")
        self.lines = sorted({*self.lines, *seen["lines"]})

    def check(self) -> None:
        """Raise ValueError if the ontology names no entity type that occurs."""
        names = self.names.get("ontology", [])
        if names and self.documents and self.unseen >= set(names):
            raise ValueError(f"ontology: no document has {self._with_close_names(names)}")

    def warnings(self, family: Family, counts: Counts) -> Iterator[str]:
        """What a user should know, a line each.

        Args:
            family: what has scored the corpus.
            counts: its counts.
        """
        lines = [*self._seen(family, counts)]
        yield from lines
        if self.has_documents and not lines:
            yield from self._wrong(family, counts)

    def _wrong(self, family: Family, counts: Counts) -> Iterator[str]:
        """A line for values of which nearly all are wrong on both sides, although their types are the same."""
        hints = getattr(family, "Hints", None)
        correct, *sides = map(Counter.total, hints.types(counts)) if hints else (0,)
        if sides and max(FEW, correct / NEARLY_NONE) < min(sides) and not [*self.hints(family, self.to_json())]:
            texts = hints.example(self.for_hints) if hints and self.for_hints else ()
            example = f", such as {shortened(texts[0])} for {shortened(texts[1])}" if texts else ""
            wrong = [f"{number - correct:,} of {number:,} in {side}" for number, side in zip(sides, SIDES, strict=True)]
            yield f"nearly all values are wrong, {' and '.join(wrong)}{example}{ADVICE}"

    def _seen(self, family: Family, counts: Counts) -> Iterator[str]:
        """A line for each thing that was probably meant otherwise; what explains most stands first."""
        # the entity type stands last in keys
        scored = {key[-1] for key in counts.rows if key[-1] is not None and key[0] != "group"}
        shapes = list(warnings_of_types({*self.types["prediction"], *self.types["reference"], *scored}))
        yield from self._unread(counts)
        yield from self._empty(counts)
        yield from self.answers.warnings(self.types["reference"], self.documents)
        yield from self._apart()
        if self.is_shared and not shapes:
            yield from self._one_sided(family, counts)
        yield from self._records()
        yield from self._unseen_names()
        yield from self._outside_of_groups()
        yield from self._mixed_numbers()
        yield from self._lists_of_lists(family, counts)
        yield from dict.fromkeys([*self.lines, *self.keys.warnings()])
        yield from shapes

    @property
    def _advice(self) -> str:
        return ADVICE if self.has_documents else ""

    def _unread(self, counts: Counts) -> Iterator[str]:
        """Most predictions are no documents."""
        if 0 < counts.documents < 2 * counts.invalid_predictions:
            is_checked = _LIST in self.unread and self.has_documents
            yield (
                f"{counts.invalid_predictions} of {counts.documents} predictions could not be read, "
                f"and count as empty{self.unread}"
                + (ADVICE if is_checked else ". docie.adapters.llm reads answers of language models")
            )

    def _empty(self, counts: Counts) -> Iterator[str]:
        """No prediction holds a value, though most could be read."""
        has_texts = self.unread and "value" in self.inputs
        is_many = self.documents > max(1, 2 * counts.invalid_predictions)
        if self.types["reference"] and not self.types["prediction"] and is_many and not has_texts:
            yield f"no prediction holds a value, in {self.documents} documents"

    def _apart(self) -> Iterator[str]:
        """Both sides have entity types, and not one in common."""
        predicted, expected = self.types["prediction"], self.types["reference"]
        if predicted and expected and not self.is_shared:
            yield (
                "predictions and references have no entity type in common. "
                f"Most frequent in predictions: {_most_frequent(predicted)}; "
                f"in references: {_most_frequent(expected)}{self._advice}"
            )

    def _one_sided(self, family: Family, counts: Counts) -> Iterator[str]:
        """Many values are of types that stand on one side only.

        A family with hints counts all values; for others, most of the documents that were looked at tell.
        """
        predicted, expected, least = self.types["prediction"], self.types["reference"], 0.5
        if hints := getattr(family, "Hints", None):
            (_, predicted, expected), least = hints.types(counts), CONCERNED
        parts = []
        for mine, others, text in (
            (predicted, expected, "in predictions, {} of {} values are of types that no reference has: {}"),
            (expected, predicted, "in references, {} of {} are of types that no prediction has: {}"),
        ):
            only = Counter({name: number for name, number in mine.items() if number and not others[name]})
            for name in [name for name in only if name.partition(".")[0] in self.answers.failure_keys]:
                del only[name]  # another line tells of these
            if only.total() >= max(FEW, least * mine.total()):
                parts.append(text.format(f"{only.total():,}", f"{mine.total():,}", _most_frequent(only)))
            elif mine is predicted:
                return  # a model may have learned some of the types only
        yield f"{'; '.join(parts)}{self._advice}"

    def _records(self) -> Iterator[str]:
        """The groups of one side are written in a way that those of the other are not."""
        for side, other in (("prediction", "reference"), ("reference", "prediction")):
            if only := self.kinds[side] - self.kinds[other] - ({"dotted"} if self.flat_keys else set()):
                yield f"groups of the {side}s seem to be written as {quoted(sorted(only))} records{self._advice}"

    def _unseen_names(self) -> Iterator[str]:
        """Options name entity types that no document has."""
        for option, names in self.names.items():
            unseen = [name for name in names if name in self.unseen]
            if unseen and self.documents:
                yield f"{option}: no document has {self._with_close_names(unseen)}"

    def _outside_of_groups(self) -> Iterator[str]:
        """Dotted keys name groups that the other side has as objects."""
        if self.flat_keys:
            yield (
                f"the keys {quoted(sorted(self.flat_keys))} stand outside of the groups that they name, so they "
                "are compared as values without a group; write nested objects on both sides"
            )

    def _mixed_numbers(self) -> Iterator[str]:
        """Entity types are numbers on one side, and texts that are written otherwise on the other."""
        mixed = (self.numbers["prediction"] & self.number_texts["reference"]) | (
            self.numbers["reference"] & self.number_texts["prediction"]
        )
        if mixed and not self.is_normalized:
            yield (
                f"{quoted(sorted(mixed))}: a number on one side and a text such as '12.00' on the other are "
                "different values; the normalizer number makes them equal"
            )

    def _lists_of_lists(self, family: Family, counts: Counts) -> Iterator[str]:
        """Rows are written as lists, which a family with groups would count as objects."""
        if self.nested and "per_group" in family.breakdown(counts):
            yield (
                f"{quoted(sorted(self.nested))}: lists of lists have no rows here, all of their values are one "
                'list; write rows as objects, such as {"name": "Bagel", "price": "3.00"}'
            )

    def warn(self, family: Family, counts: Counts, *, system: str = "") -> None:
        """Warn of what was seen in the predictions of a system; it has no name if it is the only one."""
        for line in self.warnings(family, counts):
            warn(f"{system}: {line}" if system else line)

    @staticmethod
    def hints(family: Family, seen: JsonObject) -> Iterator[str]:
        """The hints of the family on what was seen, the result of `to_json`, a line each."""
        if (hints := getattr(family, "Hints", None)) and seen["for_hints"]:  # faster than a check for a protocol
            yield from hints.lines(seen["for_hints"], is_normalized=seen["is_normalized"])

    def add_hints(self, seen: JsonObject) -> None:
        """Add what the family saw in some documents."""
        self.for_hints = _sum(self.for_hints, seen)

    def _with_close_names(self, names: list[str]) -> str:
        """Names that do not occur, with those that do and look alike."""
        return with_close_names(names, self.types["prediction"] | self.types["reference"])


def _may_be_read(prediction: object, reference: object) -> bool:
    """Whether a prediction is no text, or null, where the reference is a document: a list is one of entities, say."""
    return isinstance(prediction, Mapping) or (isinstance(prediction, list) and not isinstance(reference, Mapping))


def _sum(one: JsonObject, other: JsonObject) -> JsonObject:
    """What was seen for hints in two parts: the sums of numbers, and the smallest items of lists."""
    result = {**one, **other}
    for name in one.keys() & other.keys():
        is_list = isinstance(one[name], list)
        result[name] = sorted(one[name] + other[name])[:MOST_NOTES] if is_list else one[name] + other[name]
    return result


def _is_mostly_one_sided(predicted: Counter[str], expected: Counter[str]) -> bool:
    """Whether at least half of what each side holds is of types that the other side never has."""
    shared = predicted.keys() & expected.keys()
    return all(2 * sum(types[name] for name in shared) <= types.total() for types in (predicted, expected))


def _flat_keys(document: Mapping[object, object], counterpart: Mapping[object, object]) -> set[str]:
    """Keys such as "vendor.name", if the other side has an object or a list under "vendor"."""
    names = (name for name in document if isinstance(name, str) and "." in name)
    return {name for name in names if isinstance(counterpart.get(name.partition(".")[0]), Mapping | list)}


def _most_frequent(types: Counter[str]) -> str:
    # equal numbers in alphabetical order, so that the message does not depend on the order of sets
    return quoted(sorted(types, key=lambda name: (-types[name], name)))
