"""The data of a page: documents with their values, as compact JSON, which the script of the page draws.

A document is `[name, meta, groups, more]`, a group `[name, type, note, is_alone, pairs]`, and a pair
`[field, expected, *answers]`: one answer a system, 0 where it is as in the reference, else `[predicted, kind, more]`.
Answers of 0 at the end are left out, so `["total", "12.00"]` is correct in all systems. Of a document without an id,
`more` has the `number`.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from docie.core.explanation import Explanation, Fields, Group, Pair, Tree
from docie.core.values.plain import JsonObject
from docie.show.error_kinds import KIND_NAMES
from docie.show.writers import finite

AT_FIRST, TOGETHER = 100, 1_000
"""The documents of the first block, which a page shows at once, and of each further one."""
MARKS = {
    "format": "≈",
    "group": "⇄",
    "type": "⇅",
    "duplicate": "×2",
    "value": "≠",
    "missing": "+",
    "spurious": "−",
    "place": "□",
}
KINDS = {kind: (mark, str(KIND_NAMES[kind])) for kind, mark in MARKS.items()}
"""The mark and the words of each kind of error."""
_ENCODER = json.JSONEncoder(separators=(",", ":"), allow_nan=False, default=repr)


def text_of(value: object) -> str:
    """A value as compact JSON; numbers that JSON does not have are texts.

    >>> text_of(["total", 0.5, float("inf")])
    '["total",0.5,"Infinity"]'
    """
    try:
        return _ENCODER.encode(value)
    except ValueError:
        return _ENCODER.encode(finite(value))


def in_script(value: object) -> str:
    """A value as JSON that may stand in a script element."""
    return text_of(value).replace("<", "\\u003c")


def link_to(**wanted: str) -> str:
    """The fragment of an address that shows only some values: of a `field`, of a `kind`, of a `document` and so on.

    >>> link_to(field="menu.nm", kind="format")
    'field=menu.nm&kind=format'
    """
    return urlencode(wanted, errors="replace")


def unique_names(names: Iterable[str]) -> list[str]:
    """The names of documents, of which a later one that has the name of another gets a number.

    >>> unique_names(["a", "b", "a"])
    ['a', 'b', 'a (2)']
    """
    found: dict[str, None] = {}
    for name in names:
        unique, times = name, 1
        while unique in found:
            times += 1
            unique = f"{name} ({times})"
        found[unique] = None
    return [*found]


def numbered(name: str | int) -> JsonObject:
    """What else is known of a document: its number, if it has no id.

    >>> numbered("r-1"), numbered(7)
    ({}, {'number': 7})
    """
    return {} if isinstance(name, str) else {"number": name}


def document_text(name: str, meta: Sequence[str], groups: str, more: JsonObject) -> bytes:
    """A document, whose groups are JSON already."""
    parts = [text_of(name), text_of([*meta]), groups, *([text_of(more)] if more else [])]
    return f"[{','.join(parts)}]".encode()


def blocks(documents: Sequence[bytes]) -> Iterator[str]:
    """Documents, each as JSON, in blocks as a page has them: compressed (zlib), in base64.

    >>> [block] = blocks([b'["r-1",[],[]]'])
    >>> zlib.decompress(base64.b64decode(block))
    b'[["r-1",[],[]]]'
    """
    ends = [*range(AT_FIRST, len(documents), TOGETHER), len(documents)]
    for start, end in zip([0, *ends], ends, strict=False):
        content = b"[" + b",".join(documents[start:end]) + b"]"
        yield base64.b64encode(zlib.compress(content, 6)).decode()


def more_of(pair: Pair) -> JsonObject:
    """What is known of an answer beside its text: the confidence, boxes, pages and a note."""
    return {
        key: value
        for key, value in (
            ("c", pair.confidence),
            ("b", pair.box),
            ("p", pair.page),
            ("B", pair.expected_box),
            ("P", pair.expected_page),
            ("n", pair.note),
        )
        if value is not None and value != ""
    }


def answer_of(pair: Pair) -> list[Any]:
    """An answer as a list of one; empty for a correct one of which nothing else is known.

    >>> answer_of(Pair("", "total", "12", "12.00", "incorrect", 0.0, kind="format", confidence=0.5))
    [['12', 'format', {'c': 0.5}]]
    """
    more = more_of(pair)
    if pair.is_correct and pair.predicted == pair.expected and not more:
        return []
    kind = pair.kind or ("" if pair.is_correct else pair.verdict or "none")
    return [[pair.predicted, kind, more] if more else [pair.predicted, kind]]


def groups_of(groups: Iterable[Group]) -> list[Any]:
    """Groups of an explanation.

    >>> groups_of([Group("menu[0]", [Pair("menu[0]", "nm", "Tea", "Tea", "correct", 1.0)], type="menu")])
    [['menu[0]', 'menu', '', 0, [['nm', 'Tea']], '']]
    """
    return [
        [
            *(group.name, group.type, group.note, int(group.is_alone)),
            [[pair.entity_type, pair.expected, *answer_of(pair)] for pair in group.pairs],
            group.numbers,
        ]
        for group in groups
    ]


def explained(explanation: Explanation, images: Sequence[Sequence[object]] = ()) -> JsonObject:
    """An explanation with its drawings, and the images of the pages."""
    drawings = [_drawing(each) for each in explanation.drawings]
    said = {"sentence": explanation.sentence, "problem": explanation.problem}
    return {**said, "images": [*images], "drawings": drawings}


def _drawing(drawing: Any) -> JsonObject:
    plain: JsonObject = {"type": type(drawing).__name__.lower(), **_plain(vars(drawing))}
    if isinstance(drawing, Tree):
        plain["roots"] = [[root.title, root.side, _plain(root.node)] for root in drawing.roots]
    if isinstance(drawing, Fields):
        plain["groups"] = groups_of(drawing.groups)
        plain["scattered"] = plain.pop("marks_scattered")
    return plain


def _plain(value: Any) -> Any:
    """Named tuples as lists, other objects as what they hold that is not empty."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if hasattr(value, "__dict__"):
        return {key: _plain(each) for key, each in vars(value).items() if each not in (None, "", [])}
    return value
