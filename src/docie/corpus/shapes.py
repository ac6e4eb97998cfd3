"""Objects that were probably meant as something else, told by the entity types that they make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set

_VALUE_KEYS = {"value", "text", "content"}
_FACT_KEYS = {"confidence", "score", "probability", "box", "bbox", "bounding_box", "polygon"}
_RIGHT_FORM = (
    'A value with a confidence is {"value": ..., "confidence": ...}; it may have box and page too, and no other keys'
)
_ONE_OF_KEYS = {"$any_of", "any_of"}
_WRAPPER_KEYS = {"prediction", "reference", "ground_truth", "gt_parse"}
_WORDS = {"words", "tokens"}
_TAGS = {"tags", "ner_tags", "labels"}


def warnings_of_types(types: Set[str]) -> Iterator[str]:
    """A line for each kind of object that is read as a group, but looks like something else.

    Args:
        types: the entity types of both sides.

    >>> list(warnings_of_types({"total", "total.value", "total.score"}))[0][:61]
    "'total' is a value in some places, and an object with the key"
    """
    keys_of: defaultdict[str, set[str]] = defaultdict(set)
    for name in types:
        path, dot, key = name.rpartition(".")
        if dot:
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
