"""Examples to choose from, made for this project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from docie.core.family import get

from . import rendering

_SIDES = ("references", "predictions")
WIDTH = 72
"""Of a line, beside its key."""


@dataclass(frozen=True, kw_only=True)
class Example:
    """Texts for the fields of a page.

    Attributes:
        name: the name on the button.
        references, predictions: the texts.
        kind: the kind of the references, one of `docie.inputs.kinds.INPUT_KINDS`.
        form: the format of the predictions, a key of `docie.spaces.common.inputs.FORMS`.
    """

    name: str
    references: str
    predictions: str
    kind: str = "document"
    form: str = "json"


def text_of(value: object) -> str:
    """JSON as a person would write it: a value that fits on a line is written on one line.

    >>> print(text_of({"vendor": "Juniper Cafe", "items": [{"name": "Latte", "amount": "4.50"}]}))
    {
      "vendor": "Juniper Cafe",
      "items": [{"name": "Latte", "amount": "4.50"}]
    }
    """
    return _text(value, "")


def _text(value: object, indent: str) -> str:
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or (indent and len(line) <= WIDTH):
        return line
    start, end = "{}" if isinstance(value, dict) else "[]"
    inner = f"{indent}  "
    if isinstance(value, dict):
        rows = [f"{json.dumps(key, ensure_ascii=False)}: {_text(child, inner)}" for key, child in value.items()]
    else:
        rows = [_text(child, inner) for child in value]
    return f"{start}\n" + ",\n".join(inner + row for row in rows) + f"\n{indent}{end}"


def for_family(family: str | None) -> list[Example]:
    """The examples that a family can read; all for None.

    >>> [example.name for example in for_family("box_iou")]
    ['Boxes on a page', 'Words and lines']
    """
    return [example for example in EXAMPLES if family is None or example.kind in get(family).INPUTS]


def _examples() -> Iterator[Example]:
    """Those of the file: a text there is the text of a field, all else is written as a person would."""
    for row in json.loads(rendering.own("examples.json")):
        texts = {name: row[name] if isinstance(row[name], str) else text_of(row[name]) for name in _SIDES}
        yield Example(**{**row, **texts})


EXAMPLES = [*_examples()]
