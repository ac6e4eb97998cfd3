"""Sequences as transformers reads them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from docie.core.errors import shortened
from docie.core.values.json_text import with_deep_recursion

from ..grouping.documents import checked_iterable
from .writing import SEPARATOR


def token2json(sequence: str, vocabulary: Sequence[str] = ()) -> object:
    """Read a sequence as `DonutProcessor.token2json` of transformers does, to compare with figures made that way.

    Unlike `to_document`, it pairs an opening tag with the first closing tag of its name, in whichever order they stand,
    and ignores upper and lower case there. It keeps the last of repeated keys. It drops what is not closed, and all
    after the last closing tag. It gives a list of one element as that element, and splits texts at `<sep/>` even at
    their end. `<sep/>` at the top makes a list, text without tags makes `{"text_sequence": ...}`. It takes quadratic
    time. There is one difference: where nesting ends the original with a RecursionError, this returns None.

    Args:
        sequence (str): the sequence, without the token of the task.
        vocabulary (list of str): the added tokens of the tokenizer. A value `<name/>` among them is read as `name`.

    Returns:
        dict or list: what the original returns.

    Raises:
        ValueError: for what is no text, and for a vocabulary that is no list of texts.

    >>> token2json("<s_nm>Latte</s_nm><s_nm>Mocha</s_nm><s_total>9.00")
    {'nm': 'Mocha'}
    """
    if not isinstance(sequence, str):
        raise ValueError(f"sequence must be text, got {shortened(sequence)}")
    vocabulary = list(checked_iterable("vocabulary", vocabulary))
    if not all(isinstance(token, str) for token in vocabulary):
        raise ValueError(f"vocabulary must be a list of texts, got {shortened(vocabulary)}")
    try:
        pieces = with_deep_recursion(lambda: list(_objects(sequence, frozenset(vocabulary))))
    except RecursionError:
        return None
    *objects, (last, rest) = pieces
    if not objects:
        return last or {"text_sequence": rest}
    return [fields for fields, _ in objects] + ([last] if last else [])


def _objects(text: str, vocabulary: frozenset[str]) -> Iterator[tuple[dict[str, object], str]]:
    """The objects between `<sep/>`, each with the text that is left behind it. The last one may be empty."""
    fields: dict[str, object] = {}
    while opening := re.search(r"<s_([^>]*)>", text, re.IGNORECASE):
        key = opening[1]
        closing = re.search(rf"</s_{re.escape(key)}>", text, re.IGNORECASE)
        if closing is None:
            text = text.replace(opening[0], "")
            continue
        element = re.search(f"{re.escape(opening[0])}(.*?){re.escape(closing[0])}", text, re.IGNORECASE | re.DOTALL)
        if element is not None:
            _add(fields, key, element[1].strip(), vocabulary)
        text = text[closing.end() :].strip()
        if text.startswith(SEPARATOR):
            yield fields, text
            fields, text = {}, text[len(SEPARATOR) :]
    yield fields, text


def _add(fields: dict[str, object], key: str, content: str, vocabulary: frozenset[str]) -> None:
    values: list[object]
    if "<s_" in content and "</s_" in content:
        values = [inner for inner, _ in _objects(content, vocabulary)]
        if not values[-1]:
            values.pop()
        if not values:
            return
    else:
        leaves = [leaf.strip() for leaf in content.split(SEPARATOR)]
        values = [
            leaf[1:-2] if leaf in vocabulary and leaf.startswith("<") and leaf.endswith("/>") else leaf
            for leaf in leaves
        ]
    fields[key] = values[0] if len(values) == 1 else values
