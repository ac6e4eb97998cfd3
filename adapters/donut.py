"""Token sequences of Donut and its kin ↔ documents.

A field is written `<s_key>value</s_key>`, objects nest, `<sep/>` stands between the elements of a list. The format is
that of Kim et al., "OCR-free Document Understanding Transformer" (2022). Reading never raises: what was repaired or
dropped stands in `issues`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from docie.adapters.donut_escapes import escaped, escaped_key
from docie.adapters.donut_tree import read_tree
from docie.adapters.parsed import Parsed
from docie.adapters.token_scores import TokenScores
from docie.document import checked, is_scored_leaf
from docie.errors import DocumentError, shortened
from docie.jsontext import with_room
from docie.values import ANY_OF, is_list, key_text, plain_value, scalar_text

__all__ = ["Parsed", "tags", "to_document", "to_sequence", "token2json"]

SEPARATOR = "<sep/>"


def to_document(
    sequence: object, *, task_token: str | None = None, token_scores: Iterable[tuple[str, float]] | None = None
) -> Parsed:
    """The document that a sequence spells, in time linear in its length, however broken it is.

    Every closing tag closes the innermost open one of its name. An element that is never closed ends at the next tag if
    it is a text or a list of texts, else with what it stands in. A repeated key becomes a list; `<sep/>` at the
    top, tags that close nothing and text beside fields are dropped. All of that stands in `issues`. `</s>`, `<s>` and
    `<pad>` do not count. A sequence with text and no field at all gives None.

    Generation starts with a token of the task, `<s_cord-v2>` say, which is dropped: `task_token`, "" if there is none,
    None for a tag that stands first, has neither text nor `<sep/>` directly behind or in it, and is never closed.

    `token_scores`, the text of each generated token and its probability, in order, make every value a scored leaf: its
    confidence is that of its least sure token. What `generate` returns with `output_scores=True` gives them:

        scores = model.compute_transition_scores(output.sequences, output.scores, normalize_logits=True).exp()
        tokens = tokenizer.convert_ids_to_tokens(output.sequences[0])[-len(scores[0]) :]
        to_document(tokenizer.decode(output.sequences[0]), token_scores=zip(tokens, scores[0].tolist()))

    >>> to_document("<s_menu><s_nm>Latte</s_nm><sep/><s_nm>Mocha</s_nm></s_menu><s_total>9.00</s_total></s>")
    Parsed(document={'menu': [{'nm': 'Latte'}, {'nm': 'Mocha'}], 'total': '9.00'}, issues=[])
    >>> to_document("<s_menu><s_nm>Latte<s_price>4.50</s_menu><s_total>9.0")
    Parsed(document={'menu': {'nm': 'Latte', 'price': '4.50'}, 'total': '9.0'},
           issues=["'<s_nm>' is not closed", "'<s_price>' is not closed", "'<s_total>' is not closed"])
    >>> to_document("<s_total>9.00</s_total>", token_scores=[("<s_total>", 1.0), ("9.", 0.9), ("00", 0.7)]).document
    {'total': {'value': '9.00', 'confidence': 0.7}}
    """
    if not isinstance(sequence, str):
        return Parsed(None, [f"expected text, got {'null' if sequence is None else type(sequence).__name__}"])
    return read_tree(sequence, task_token, None if token_scores is None else TokenScores(sequence, token_scores))


def to_sequence(document: Mapping[str, Any]) -> str:
    """The sequence of a document, for a model to learn; `to_document` gives the document back.

    Scalars come back as text, lists in lists flattened, what is absent (None, "", {}) as "", or not at all in a list.
    Of scored leaves and of several right answers the value, or the first one, is written. A list of fewer than two
    elements ends with `<sep/>`, without which it would come back as its element; Donut's own sequences lack that, and
    put the keys of an object in reverse order. What would be read as a tag, and white space around a value, is escaped
    as in HTML (`&lt;`, `&#32;`). Raises ValueError for what is no document, naming the entity.

    >>> to_sequence({"menu": [{"nm": "Latte", "cnt": 2}, {"nm": "Mocha"}], "shop": "A <b> c"})
    '<s_menu><s_nm>Latte</s_nm><s_cnt>2</s_cnt><sep/><s_nm>Mocha</s_nm></s_menu><s_shop>A <b> c</s_shop>'
    >>> to_sequence({"menu": [{"nm": "Latte"}]})
    '<s_menu><s_nm>Latte</s_nm><sep/></s_menu>'
    """
    if not isinstance(document, Mapping):
        raise ValueError(f"document must be an object, got {type(document).__name__}")
    return with_room(lambda: _fields(document, ""))


def tags(documents: Iterable[Mapping[str, Any]]) -> list[str]:
    """The tags in the sequences of documents, sorted: the special tokens that a tokenizer needs.

    >>> tags([{"total": "9.00"}, {"shop": "Kedai"}])
    ['</s_shop>', '</s_total>', '<s_shop>', '<s_total>', '<sep/>']
    """
    found = {SEPARATOR}
    for document in documents:
        found.update(re.findall(r"</?s_[^<>]*>", to_sequence(document)))
    return sorted(found)


def _fields(value: Mapping[Any, Any], path: str) -> str:
    parts = []
    for name, child in value.items():
        key = key_text(name)
        tag = f"s_{escaped_key(key)}"
        parts.append(f"<{tag}>{_written(child, f'{path}.{key}' if path else key)}</{tag}>")
    return "".join(parts)


def _written(value: Any, path: str) -> str:
    if type(value) is str:
        return escaped(value)
    value = checked(plain_value, value, path, "reference")
    if isinstance(value, dict) and len(value) == 1 and ANY_OF in value:
        value = value[ANY_OF]
        if not is_list(value):
            raise DocumentError(f"{ANY_OF} must hold a list, got {shortened(value)}", entity=path)
        value = tuple(value)
    if isinstance(value, tuple):
        return _written(value[0] if value else None, path)
    if isinstance(value, dict):
        return _written(value["value"], path) if is_scored_leaf(value) else _fields(value, path)
    if is_list(value):
        elements = [text for text in (_written(element, path) for element in _flat(value)) if text]
        return SEPARATOR.join(elements) + (SEPARATOR if len(elements) < 2 else "")
    return escaped(checked(scalar_text, value, path, "reference") or "")


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if isinstance(value, list):
            yield from _flat(value)
        else:
            yield value


def token2json(sequence: str, vocabulary: Sequence[str] = ()) -> Any:
    """A sequence as `DonutProcessor.token2json` of transformers reads it, to compare with figures made that way.

    Unlike `to_document` it pairs an opening tag with the first closing tag of its name, in whichever order they stand,
    ignores upper and lower case there, keeps the last of repeated keys, drops what is not closed and all after the last
    closing tag, gives a list of one element as that element, splits texts at `<sep/>` even at their end, and gives a
    list for `<sep/>` at the top, `{"text_sequence": ...}` for text without tags. It takes quadratic time. `vocabulary`
    are the tokenizer's added tokens: a value `<name/>` among them is read as `name`. The sequence is expected without
    the task's token. One difference: nesting that ends the original with a RecursionError gives None here.

    >>> token2json("<s_nm>Latte</s_nm><s_nm>Mocha</s_nm><s_total>9.00")
    {'nm': 'Mocha'}
    """
    try:
        found = with_room(lambda: list(_objects(sequence, frozenset(vocabulary))))
    except RecursionError:
        return None
    *objects, (last, rest) = found
    if not objects:
        return last or {"text_sequence": rest}
    return [fields for fields, _ in objects] + ([last] if last else [])


def _objects(text: str, vocabulary: frozenset[str]) -> Iterator[tuple[dict[str, Any], str]]:
    """The objects between `<sep/>`, each with the text that is left behind it; the last may be empty."""
    fields: dict[str, Any] = {}
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


def _add(fields: dict[str, Any], key: str, content: str, vocabulary: frozenset[str]) -> None:
    values: list[Any]
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
