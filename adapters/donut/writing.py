"""Documents → token sequences, to train a model; escapes; and sequences as transformers reads them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from docie.core.errors import DocumentError, json_kind, located_errors, shortened
from docie.core.values.json_text import MAX_DEPTH, TOO_DEEP
from docie.core.values.plain import is_list, key_text, plain_value, scalar_text
from docie.documents.leaves import alternatives_of, is_one_of_object, is_scored_leaf

from ..grouping.documents import checked_iterable

_WRITTEN = r"&(lt|gt|amp|#\d{1,5});"
_ESCAPE = re.compile(_WRITTEN)
_LIKE_A_TAG = re.compile(rf"<(?=/?s_|sep/>|/?s>|pad>)|\A<(?=.*/>\Z)|(?={_WRITTEN})&", re.DOTALL)
_IN_A_KEY = re.compile(rf"[<>]|(?={_WRITTEN})&")
_NAMES = {"<": "lt", ">": "gt", "&": "amp"}
_CHARACTERS = {name: character for character, name in _NAMES.items()}


def escaped(value: str) -> str:
    """Write a value so that no part of it is read as a tag or an escape, and its outer white space is kept.

    >>> escaped(" a < b <s_nm> &lt;")
    '&#32;a < b &lt;s_nm> &amp;lt;'
    """
    text = _LIKE_A_TAG.sub(_named, value)
    if not text or not (text[0].isspace() or text[-1].isspace()):
        return text
    inner = text.strip()
    first = text.find(inner) if inner else len(text)
    ends = (text[:first], text[first + len(inner) :])
    before, after = ("".join(f"&#{ord(character)};" for character in blank) for blank in ends)
    return before + inner + after


def escaped_key(key: str) -> str:
    """Write a key so that it can stand in a tag.

    >>> escaped_key("a>b & c")
    'a&gt;b & c'
    """
    return _IN_A_KEY.sub(_named, key)


def unescaped(text: str) -> str:
    """The original of an escaped value or key. Other HTML entities are kept.

    >>> unescaped("&#32;a &lt;s_nm> &copy;")
    ' a <s_nm> &copy;'
    """
    return _ESCAPE.sub(lambda match: _character(match[1], match[0]), text) if "&" in text else text


def _named(match: re.Match[str]) -> str:
    return f"&{_NAMES[match[0]]};"


def _character(name: str, written: str) -> str:
    if name in _CHARACTERS:
        return _CHARACTERS[name]
    character = chr(int(name[1:]))
    return character if character.isspace() else written


SEPARATOR = "<sep/>"


def to_sequence(document: Mapping[str, object]) -> str:
    """The sequence of a document; `to_document` is its inverse.

    Scalars are read back as text, and nested lists as flat ones. Empty values (None, "", {}) are read back as "", or in
    a list not at all. Of a scored leaf the value is written, of alternatives the first one. A list of fewer than two
    elements ends with `<sep/>`; otherwise it would be read back as its element. Donut's own sequences lack that, and
    put the keys of an object in reverse order. Text that would be read as a tag, and white space around a value, are
    escaped as in HTML (`&lt;`, `&#32;`).

    Args:
        document (dict): a document.

    Returns:
        str: its sequence.

    Raises:
        ValueError: if it is not a document; it names the entity.

    >>> to_sequence({"menu": [{"nm": "Latte", "cnt": 2}, {"nm": "Mocha"}], "shop": "A <b> c"})
    '<s_menu><s_nm>Latte</s_nm><s_cnt>2</s_cnt><sep/><s_nm>Mocha</s_nm></s_menu><s_shop>A <b> c</s_shop>'
    >>> to_sequence({"menu": [{"nm": "Latte"}]})
    '<s_menu><s_nm>Latte</s_nm><sep/></s_menu>'
    """
    if not isinstance(document, Mapping):
        raise ValueError(f"document must be an object, got {json_kind(document)}")
    return _fields(document, "", 0)


def tags(documents: Iterable[Mapping[str, object]]) -> list[str]:
    """The tags in the sequences of documents: special tokens to add to a tokenizer.

    Args:
        documents (iterable of dict): documents.

    Returns:
        list of str: the tags, sorted.

    Raises:
        ValueError: if one of them is not a document.

    >>> tags([{"total": "9.00"}, {"shop": "Kedai"}])
    ['</s_shop>', '</s_total>', '<s_shop>', '<s_total>', '<sep/>']
    """
    result = {SEPARATOR}
    for document in checked_iterable("documents", documents):
        result.update(re.findall(r"</?s_[^<>]*>", to_sequence(document)))
    return sorted(result)


def _fields(value: Mapping[str, object], path: str, depth: int) -> str:
    _check_depth(path, depth)
    parts = []
    for name, child in value.items():
        key = key_text(name)
        tag = f"s_{escaped_key(key)}"
        text = escaped(child) if type(child) is str else _written(child, f"{path}.{key}" if path else key, depth + 1)
        parts.append(f"<{tag}>{text}</{tag}>")
    return "".join(parts)


def _written(value: object, path: str, depth: int) -> str:
    if type(value) is str:
        return escaped(value)
    with located_errors(path, "reference"):
        value = plain_value(value)
    if isinstance(value, dict) and is_one_of_object(value):
        value = tuple(alternatives_of(value, path))
    if isinstance(value, tuple):
        _check_depth(path, depth)
        return _written(value[0] if value else None, path, depth + 1)
    if isinstance(value, dict):
        return _written(value["value"], path, depth) if is_scored_leaf(value) else _fields(value, path, depth)
    if is_list(value):
        elements = [
            text for element, level in _flattened(value, path, depth) if (text := _written(element, path, level))
        ]
        return SEPARATOR.join(elements) + (SEPARATOR if len(elements) < 2 else "")
    with located_errors(path, "reference"):
        return escaped(scalar_text(value) or "")


def _flattened(values: Iterable[Any], path: str, depth: int) -> Iterator[tuple[Any, int]]:
    """The elements of a list and of the lists in it, each with its level of nesting."""
    stack = [(values, depth)]
    while stack:
        value, depth = stack.pop()
        if isinstance(value, list) or value is values:
            _check_depth(path, depth)
            stack += [(element, depth + 1) for element in reversed([*value])]
        else:
            yield value, depth


def _check_depth(path: str, depth: int) -> None:
    if depth >= MAX_DEPTH:
        raise DocumentError(TOO_DEEP, entity=path or None, side="reference")


def token2json(sequence: str, vocabulary: Sequence[str] = ()) -> object:
    """Read a sequence as `DonutProcessor.token2json` of transformers does, to compare with scores computed that way.

    Unlike `to_document`, it pairs an opening tag with the first closing tag of its name, in whichever order they stand,
    and ignores case there. It keeps the last of repeated keys. It drops unclosed elements, and everything after the
    last closing tag. It returns a list of one element as that element, and splits texts at `<sep/>` even at their end.
    `<sep/>` at the top makes a list, text without tags makes `{"text_sequence": ...}`. It takes quadratic time. There
    is one difference: for what is nested more than 100 levels deep, this returns None.

    Args:
        sequence (str): the sequence, without the token of the task.
        vocabulary (list of str): the added tokens of the tokenizer. A value `<name/>` that is one of them is read as
            `name`.

    Returns:
        dict or list: what the original returns.

    Raises:
        ValueError: if the sequence is not text, or if the vocabulary is not a list of texts.

    >>> token2json("<s_nm>Latte</s_nm><s_nm>Mocha</s_nm><s_total>9.00")
    {'nm': 'Mocha'}
    """
    if not isinstance(sequence, str):
        raise ValueError(f"sequence must be text, got {shortened(sequence)}")
    vocabulary = list(checked_iterable("vocabulary", vocabulary))
    if not all(isinstance(token, str) for token in vocabulary):
        raise ValueError(f"vocabulary must be a list of texts, got {shortened(vocabulary)}")
    try:
        *objects, (last, rest) = _objects(sequence, frozenset(vocabulary), 0)
    except DocumentError:
        return None
    if not objects:
        return last or {"text_sequence": rest}
    return [fields for fields, _ in objects] + ([last] if last else [])


def _objects(text: str, vocabulary: frozenset[str], depth: int) -> Iterator[tuple[dict[str, object], str]]:
    """The objects between `<sep/>`, each with the remaining text after it. The last one may be empty."""
    _check_depth("", depth)
    fields: dict[str, object] = {}
    while opening := re.search(r"<s_([^>]*)>", text, re.IGNORECASE):
        key = opening[1]
        closing = re.search(rf"</s_{re.escape(key)}>", text, re.IGNORECASE)
        if closing is None:
            text = text.replace(opening[0], "")
            continue
        element = re.search(f"{re.escape(opening[0])}(.*?){re.escape(closing[0])}", text, re.IGNORECASE | re.DOTALL)
        if element is not None:
            _add(fields, key, element[1].strip(), vocabulary, depth)
        text = text[closing.end() :].strip()
        if text.startswith(SEPARATOR):
            yield fields, text
            fields, text = {}, text[len(SEPARATOR) :]
    yield fields, text


def _add(fields: dict[str, object], key: str, content: str, vocabulary: frozenset[str], depth: int) -> None:
    values: list[object]
    if "<s_" in content and "</s_" in content:
        values = [inner for inner, _ in _objects(content, vocabulary, depth + 1)]
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
