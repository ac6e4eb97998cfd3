"""What to write instead of rows that are no documents, in the words of a page."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from docie.family import get

from . import limits
from .limits import RefusedError

_WORDS, _TAGS = ("tokens", "words"), ("ner_tags", "labels", "tags")
_EXAMPLES = {
    "document": '{"total": "12.00"}',
    "tagged words": '{"words": ["Total", "12.00"], "tags": ["O", "B-total"]}',
    "tags": '["O", "B-total"]',
    "entities": '[{"category": "total", "text": "12.00"}]',
    "boxes": '[{"label": "total", "box": [0, 0, 90, 20]}]',
    "attacked": '{"attacks": {"none": {"total": "12.00"}, "key_drop": {"total": "1"}}}',
}
"""From a kind of `docie.documents.INPUT_KINDS` to what a person could write."""
_LONGEST = 40


def check(document: Any, field: str, where: str, families: Collection[str]) -> None:
    """Refuse a row that cannot be what its writer means.

    Args:
        document: the document of the row.
        field: the field that holds it, a key of `limits.NAMES`.
        where: which row of the field it is, in words; empty if it is the only one.
        families: the names of the families that were chosen; none for all.

    Raises:
        RefusedError: it says what to write.

    >>> check({"total": "12.00"}, "references", "", ["hed"])
    """
    if isinstance(document, dict):
        _check_tagged(document, field, where, families)
    elif field == "references" and is_single(document):
        for name in families:
            if "value" not in get(name).INPUTS:
                what = f"{limits.NAMES[field]}{where} is {_shown(document)}"
                raise RefusedError(f"{what}, where {name} reads {_example(name)}, for instance.", field=field)


def _check_tagged(document: dict[str, Any], field: str, where: str, families: Collection[str]) -> None:
    """Refuse tagged words under other keys, as data sets have them: they would be scored as a document's values."""
    words, tags = ([key for key in keys if isinstance(document.get(key), list)] for keys in (_WORDS, _TAGS))
    if not (words and tags) or (words[0], tags[0]) == ("words", "tags"):
        return
    message = f'{limits.NAMES[field]}{where} has its words under "{words[0]}" and its tags under "{tags[0]}"'
    others = [name for name in families if "tagged words" not in get(name).INPUTS]
    if others:
        raise RefusedError(f"{message}: {others[0]} reads no tagged words, but {_example(others[0])}.", field=field)
    values = document[tags[0]]
    named = ", with the names of tags for their numbers" if values and all(type(tag) is int for tag in values) else ""
    raise RefusedError(f"{message}: write {_EXAMPLES['tagged words']}{named}.", field=field)


def _example(family: str) -> str:
    return _EXAMPLES[get(family).INPUTS[0]]


def note(prediction: Any, reference: Any, where: str, families: Collection[str]) -> str | None:
    """What to say of a prediction that is no document and counts as an empty one; None if it is as it should be.

    Args:
        prediction, reference: the documents of a pair of rows.
        where: which row it is, in words; empty if it is the only one.
        families: the names of the families that were chosen; none for all.

    >>> note(None, {"total": "12.00"}, "", [])
    'The prediction is null: it counts as an empty document. For an answer without values, write {}.'
    """
    takes_values = bool(families) and all("value" in get(name).INPUTS for name in families)
    if takes_values or is_single(reference) or not is_single(prediction):
        return None
    advice = "For an answer without values, write {}."
    if isinstance(prediction, str):
        advice = "If it holds JSON, choose “a language model's answer” above."
    return f"{limits.NAMES['predictions']}{where} is {_shown(prediction)}: it counts as an empty document. {advice}"


def is_single(document: Any) -> bool:
    """Whether a document is a single value, such as null or a number."""
    return not isinstance(document, dict | list)


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
