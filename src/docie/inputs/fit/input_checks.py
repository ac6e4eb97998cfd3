"""Inputs that were probably meant otherwise: told by keys, entity types, failures, words and likely ids."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set

from docie.core.phrases import NAMED
from docie.core.values.plain import JsonObject, as_list
from docie.documents.tagging.tagged_words import is_tagged_words
from docie.inputs.openers import ERROR_KEYS

_VALUE_KEYS = {"value", "text", "content"}
_FACT_KEYS = {"confidence", "score", "probability", "box", "bbox", "bounding_box", "polygon"}
_RIGHT_FORM = (
    'A value with a confidence is {"value": ..., "confidence": ...}; it may have box and page too, and no other keys'
)
_ONE_OF_KEYS = {"$any_of", "any_of"}
_WRAPPER_KEYS = {"prediction", "reference", "ground_truth", "gt_parse"}
_WORDS = {"words", "tokens"}
_TAGS = {"tags", "ner_tags", "labels"}
_TELLING_KEYS = _VALUE_KEYS | _ONE_OF_KEYS | _FACT_KEYS
_FAILURE_KEYS = frozenset(
    {*ERROR_KEYS, "message", "msg", "status", "status_code", "code", "type", "reason", "traceback", "success", "ok"}
)


def warnings_of_types(types: Set[str]) -> Iterator[str]:
    """A line for each kind of object that is read as a group, but looks like something else.

    Args:
        types: the entity types of both sides.

    >>> list(warnings_of_types({"total", "total.value", "total.score"}))[0][:61]
    "'total' is a value in some places, and an object with the key"
    """
    parts = [name.rpartition(".") for name in types]
    odd = {path for path, dot, key in parts if dot and key.lower() in _TELLING_KEYS}
    keys_of: defaultdict[str, set[str]] = defaultdict(set)
    for path, dot, key in parts:
        if dot and path in odd:
            keys_of[path].add(key)
    for path, keys in sorted(keys_of.items()):
        lower = {key.lower() for key in keys}
        has_value, has_facts = bool(lower & _VALUE_KEYS), bool(lower & _FACT_KEYS)
        listed = quoted(sorted(keys), len(keys))
        if path in types and (has_value or has_facts):
            yield (
                f"{path!r} is a value in some places, and an object with the keys {listed} in others, which is a "
                f"group. {_RIGHT_FORM}"
            )
        elif has_value and has_facts:
            yield f"{path!r} is an object with the keys {listed}, which is a group: each key is scored. {_RIGHT_FORM}"
        elif lower & _ONE_OF_KEYS:
            yield (
                f'{path!r} has the key {quoted(sorted(keys & _ONE_OF_KEYS), 1)}, read as a group. {{"$any_of": [...]}} '
                "lists alternatives in a reference only, and without other keys"
            )
    for root in sorted(_WRAPPER_KEYS & {name.partition(".")[0] for name in types if "." in name}):
        yield (
            f"{root!r} holds an object beside other keys, so the whole row is read as the document; a wrapper has no "
            "other keys than id, meta, document, prediction, reference, ground_truth and gt_parse"
        )
    if types & _WORDS and types & _TAGS:
        yield (
            f"the keys {quoted(sorted(types & (_WORDS | _TAGS)))} are read as entity types; "
            'tagged words are {"words": [...], "tags": ["O", "B-total", ...]}'
        )


def quoted(names: Sequence[str], limit: int = NAMED) -> str:
    """The first names, in quotes.

    >>> quoted(["date", "total", "vendor"], 2)
    "'date', 'total', …"
    """
    return ", ".join(map(repr, names[:limit])) + (", …" if len(names) > limit else "")


class Predictions:
    """Looks for predictions that are no readings of their documents: reports of failures, and tags of other words.

    Args:
        inputs: the kinds of input that the family reads.
    """

    def __init__(self, inputs: Collection[str]) -> None:
        self.compares_tags = "tags" in inputs  # place by place, whatever the words are
        self.failures = 0
        self.failure_keys: set[str] = set()
        self.other_words = ""

    def note(self, number: int, prediction: object, reference: object) -> None:
        """Look at the pair of a document."""
        if type(prediction) is dict and prediction and _FAILURE_KEYS.issuperset(prediction):
            if keys := prediction.keys() & {*ERROR_KEYS}:
                self.failures += 1
                self.failure_keys |= keys
        elif self.compares_tags and not self.other_words and _have_other_words(prediction, reference):
            self.other_words = f"document {number}"

    def to_json(self) -> JsonObject:
        """What was seen, as plain JSON values, for `add`."""
        keys = sorted(self.failure_keys)
        return {"failures": self.failures, "failure_keys": keys, "other_words": self.other_words}

    def add(self, seen: JsonObject) -> None:
        """Add what was seen in another part of the corpus."""
        self.failures += seen["failures"]
        self.failure_keys.update(seen["failure_keys"])
        self.other_words = min(filter(None, (self.other_words, seen["other_words"])), default="")

    def warnings(self, expected: Collection[str], documents: int, *, has_finding: bool = False) -> Iterator[str]:
        """What a user should know, a line each.

        Args:
            expected: the entity types of the references.
            documents: the number of documents.
            has_finding: whether a finding tells of the failures.
        """
        keys = self.failure_keys - {name.partition(".")[0] for name in expected}
        if keys and not has_finding:
            yield (
                f"{self.failures} of {documents} predictions only report a failure ({quoted(sorted(keys), 5)}), and "
                "are scored as wrong values; null in their place counts as an invalid prediction"
            )
        if self.other_words:
            yield (
                f"{self.other_words}: the words of the prediction are not those of the reference. Tags are compared "
                "place by place, whatever the words are; oi_entities compares the words of entities"
            )


def _have_other_words(prediction: object, reference: object) -> bool:
    """Whether both sides are tagged words, and the words differ."""
    if not (is_tagged_words(prediction) and is_tagged_words(reference)):
        return False
    return as_list(prediction["words"]) != as_list(reference["words"])


SAME_KEYS = 1000
"""The number of documents whose keys are compared at most."""
NO_IDS = 16
"""The number of documents after which keys with equal values in the references are left out."""
LEAST = 2
"""The number of values at other places from which on they may be ids."""

Scalar = str | int | float


class SharedKeys:
    """The top-level keys that all documents of both sides have, with their values."""

    def __init__(self) -> None:
        self.documents = 0
        self.pairs: dict[str, list[tuple[str, str]]] = {}
        self.sides_with_id = {"predictions": 0, "references": 0}

    def note(self, prediction: object, reference: object) -> None:
        """Look at a pair."""
        if self.documents == SAME_KEYS or (self.documents and not self.pairs and not any(self.sides_with_id.values())):
            return
        predicted, expected = (row if isinstance(row, Mapping) else {} for row in (prediction, reference))
        if not self.documents:
            self.pairs = {key: [] for key in predicted if key in expected and isinstance(key, str)}
        for key in list(self.pairs):
            value, expected_value = predicted.get(key), expected.get(key)
            if isinstance(value, Scalar) and isinstance(expected_value, Scalar):
                self.pairs[key].append((_text(value), _text(expected_value)))
            else:
                del self.pairs[key]
        for side, document in (("predictions", predicted), ("references", expected)):
            self.sides_with_id[side] += isinstance(document.get("id"), str | int)
        self.documents += 1
        if self.documents == NO_IDS:
            self.pairs = {key: pairs for key, pairs in self.pairs.items() if key == "id" or _are_different(pairs)}

    def warnings(self) -> Iterator[str]:
        """What the values of these keys say about the order of the rows, a line each."""
        moved = [key for key, pairs in self.pairs.items() if _is_moved(pairs)]
        if moved:
            which = "this" if len(moved) == 1 else "one of them"
            yield (
                f"the values of {quoted(moved, 5)} are the same on both sides, but in another order: if {which} is the "
                "id of the documents, sort both sides by it, or set references.id and predictions.id to it"
            )
        elif len(self.pairs.get("id", ())) > 1:
            in_place = sum(predicted == expected for predicted, expected in self.pairs["id"])
            if in_place in (0, self.documents):
                always = "equal" if in_place else "different"
                yield (
                    f"the key 'id' is {always} on both sides of every document and is scored as an entity type: "
                    "leave it out if it only numbers the rows"
                )
        sides = [side for side, number in self.sides_with_id.items() if number == self.documents > 0]
        if len(sides) == 1 and not self.sides_with_id["references" if sides == ["predictions"] else "predictions"]:
            yield f"only the {sides[0]} have the key 'id', and it is scored: leave it out if it only numbers the rows"


def _text(value: Scalar) -> str:
    try:
        return str(value)
    except ValueError:  # an integer of more than 4,300 digits, which scoring refuses with its place
        return hex(value) if isinstance(value, int) else ""


def _is_moved(pairs: list[tuple[str, str]]) -> bool:
    """Whether most values that both sides have, each once, stand at other places."""
    if not _are_different(pairs):
        return False
    predicted, expected = {predicted for predicted, _ in pairs}, {expected for _, expected in pairs}
    in_place = sum(predicted_value == value for predicted_value, value in pairs)
    moved = len(predicted & expected) - in_place
    return moved >= LEAST and moved > in_place


def _are_different(pairs: list[tuple[str, str]]) -> bool:
    """Whether the references' values are all different, as ids are."""
    return len({expected for _, expected in pairs}) == len(pairs)
