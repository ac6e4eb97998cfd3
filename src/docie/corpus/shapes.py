"""Objects that were probably meant as something else, told by their keys and the entity types that they make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from typing import Any

from docie.core.values.plain import as_list
from docie.documents.tagging.words import is_tagged_words

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
_ERROR_KEYS = {"error", "errors", "error_message", "exception", "detail"}
_FAILURE_KEYS = frozenset(
    {*_ERROR_KEYS, "message", "msg", "status", "status_code", "code", "type", "reason", "traceback", "success", "ok"}
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
            f"the keys {quoted(sorted(types & (_WORDS | _TAGS)), 5)} are read as entity types; "
            'tagged words are {"words": [...], "tags": ["O", "B-total", ...]}'
        )


def quoted(names: Sequence[str], limit: int) -> str:
    """The first names, in quotes.

    >>> quoted(["date", "total", "vendor"], 2)
    "'date', 'total', …"
    """
    return ", ".join(map(repr, names[:limit])) + (", …" if len(names) > limit else "")


class Answers:
    """Looks for predictions that are no readings of their documents: reports of failures, and tags of other words.

    Args:
        inputs: the kinds of input that the family reads.
    """

    def __init__(self, inputs: Collection[str]) -> None:
        self.compares_tags = "tags" in inputs  # place by place, whatever the words are
        self.failures = 0
        self.failure_keys: set[str] = set()
        self.other_words = ""

    def note(self, number: int, prediction: Any, reference: Any) -> None:
        """Look at the pair of a document."""
        if type(prediction) is dict and prediction and prediction.keys() <= _FAILURE_KEYS:
            if keys := _ERROR_KEYS & prediction.keys():
                self.failures += 1
                self.failure_keys |= keys
        elif self.compares_tags and not self.other_words and _have_other_words(prediction, reference):
            self.other_words = f"document {number}"

    def to_json(self) -> dict[str, Any]:
        """What was seen, as plain JSON values, for `add`."""
        keys = sorted(self.failure_keys)
        return {"failures": self.failures, "failure_keys": keys, "other_words": self.other_words}

    def add(self, seen: Mapping[str, Any]) -> None:
        """Add what was seen in another part of the corpus."""
        self.failures += seen["failures"]
        self.failure_keys.update(seen["failure_keys"])
        self.other_words = min(filter(None, (self.other_words, seen["other_words"])), default="")

    def warnings(self, expected: Collection[str], documents: int) -> Iterator[str]:
        """What a user should know, a line each.

        Args:
            expected: the entity types of the references.
            documents: the number of documents.
        """
        keys = self.failure_keys - {name.partition(".")[0] for name in expected}
        if keys:
            yield (
                f"{self.failures} of {documents} predictions only report a failure ({quoted(sorted(keys), 5)}), and "
                "are scored as wrong values; null in their place counts as an invalid prediction"
            )
        if self.other_words:
            yield (
                f"{self.other_words}: the words of the prediction are not those of the reference. Tags are compared "
                "place by place, whatever the words are; oi_entities compares the words of entities"
            )


def _have_other_words(prediction: Any, reference: Any) -> bool:
    """Whether both sides are tagged words, and the words differ."""
    both = is_tagged_words(prediction) and is_tagged_words(reference)
    return both and as_list(prediction["words"]) != as_list(reference["words"])
