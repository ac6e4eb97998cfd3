"""Examples to choose from, made for this project."""

from __future__ import annotations

import json
from dataclasses import dataclass

from docie.core.family import get

from .reproducing import json_lines

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


_ITEMS = [
    {"name": "Bagel", "count": "2", "amount": "6.00"},
    {"name": "Cobb Salad", "count": "1", "amount": "9.50"},
    {"name": "Latte", "count": "1", "amount": "4.50"},
]
_RECEIPT = {"vendor": "Juniper Cafe", "date": "2026-03-14", "items": _ITEMS, "total": "20.00"}
_SHUFFLED = {**_RECEIPT, "items": [_ITEMS[2], *_ITEMS[:2]]}
_READ = {
    "vendor": {"value": "Juniper Cafe", "confidence": 0.98},
    "date": {"value": "14 Mar 2026", "confidence": 0.91},
    "items": [
        {"name": {"value": "Bagel", "confidence": 0.97}, "count": "2", "amount": {"value": "6.00", "confidence": 0.95}},
        {"name": {"value": "Cobb Salod", "confidence": 0.62}, "amount": {"value": "9.50", "confidence": 0.93}},
        {"name": {"value": "Latte", "confidence": 0.96}, "count": "1", "amount": {"value": "4.80", "confidence": 0.71}},
    ],
    "total": {"value": "20.00", "confidence": 0.99},
}
_OTHERS = [
    {"vendor": "Warung Tea", "items": [{"name": "Teh Tarik", "count": "3", "amount": "7.50"}], "total": "7.50"},
    {"vendor": "North Books", "items": [{"name": "Atlas", "count": "1", "amount": "31.00"}], "total": "31.00"},
    {"vendor": "Green Grocer", "items": [{"name": "Plums", "count": "1", "amount": "3.20"}], "total": "3.20"},
]
_OTHERS_READ = [
    {"vendor": "Warung Tea", "items": [{"name": "Teh Tarik", "count": "3", "amount": "7.50"}], "total": "7.50"},
    {"vendor": "North Book", "items": [{"name": "Atlas", "count": "1", "amount": "31.00"}], "total": "31.00"},
    {"vendor": "Green Grocer", "items": [{"name": "Plums", "count": "1"}], "total": "3.20", "change": "1.80"},
]
_ANSWER = """Here is what I found on the receipt:

```json
{
  "vendor": "Juniper Cafe",
  "date": "2026-03-14",
  "items": [
    {"name": "Bagel", "count": 2, "amount": "6.00"},
    {"name": "Latte", "count": 1, "amount": "4.50",},
  ],
  "total": "20.00"
```
Let me know if you need anything else!"""
_SEQUENCE = (
    "<s_receipt><s_vendor>Juniper Cafe</s_vendor><s_date>2026-03-14</s_date><s_items>"
    "<s_name>Bagel</s_name><s_count>2</s_count><s_amount>6.00</s_amount><sep/>"
    "<s_name>Cobb Salad</s_name><s_count>1</s_count><s_amount>9.50<sep/>"
    "<s_name>Latte</s_name><s_amount>4.50</s_amount></s_items><s_total>20.00</s_total></s>"
)
_RECORD = [["name", "Jordi Puig"], ["state", "widower"], ["occupation", "ropemaker"], ["place", "Mataró"]]
_RECORD_READ = [["name", "Jordi Puig"], ["occupation", "ropemaker"], ["place", "Mataro"], ["name", "widower"]]
_WORDS = ["Jordi", "Puig", ",", "ropemaker", "of", "Mataró"]
_TAGS = ["B-name", "I-name", "O", "B-occupation", "O", "B-place"]
_TAGS_READ = ["B-name", "O", "O", "B-occupation", "O", "B-name"]
_BOXES = [
    {"label": "vendor", "box": [40, 30, 260, 60]},
    {"label": "item", "box": [40, 110, 180, 132], "group": 1},
    {"label": "item", "box": [300, 110, 360, 132], "group": 1},
    {"label": "item", "box": [40, 140, 210, 162], "group": 2},
    {"label": "total", "box": [290, 220, 360, 246]},
]
_BOXES_READ = [
    {"label": "vendor", "box": [44, 28, 250, 62]},
    {"label": "item", "box": [40, 112, 176, 131], "group": 1},
    {"label": "item", "box": [298, 108, 362, 134], "group": 1},
    {"label": "item", "box": [70, 150, 210, 170], "group": 2},
    {"label": "total", "box": [180, 220, 250, 246]},
]
_PAGE = {
    "words": ["Dilluns", "a", "4", "de", "Maria", "Roca", "filla", "de", "Pau", "Roca", "pagès", "de", "Vic"],
    "tags": [
        "O", "O", "O", "O", "B-wife", "I-wife", "O", "O", "B-father", "I-father", "B-occupation", "O", "B-place",
    ],
}  # fmt: skip
_PAGE_READ = {
    "words": ["Dilluns", "a", "4", "de", "Pau", "Roca", "pages", "de", "Vic", "Maria", "Roga", "filla", "de"],
    "tags": [
        "O", "O", "O", "O", "B-father", "I-father", "B-occupation", "O", "B-place", "B-wife", "I-wife", "O", "O",
    ],
}  # fmt: skip
_WORD_BOXES = [
    {"label": "vendor", "box": [40, 30, 140, 52], "group": 1},
    {"label": "vendor", "box": [150, 30, 230, 52], "group": 1},
    {"label": "date", "box": [300, 30, 390, 52]},
    {"label": "total", "box": [300, 90, 390, 112]},
]
_LINE_BOXES = [
    {"label": "vendor", "box": [40, 30, 230, 52], "group": 1},
    {"label": "date", "box": [300, 30, 345, 52]},
    {"label": "date", "box": [348, 30, 390, 52]},
    {"label": "tax", "box": [300, 90, 390, 112]},
]

_INVOICE = {"invoice_number": "INV-2071", "due_date": "2026-04-13", "total": "1,250.00"}
_INVOICE_WITH_OTHER_VALUES = {"invoice_number": "88120", "due_date": "13/May/19", "total": "1,250.00"}
_VERSIONS = {
    "attacks": {"none": _INVOICE, "key_drop": _INVOICE, "value_text_augment": _INVOICE_WITH_OTHER_VALUES},
}
_VERSIONS_READ = {
    "attacks": {
        "none": _INVOICE,
        "key_drop": {"invoice_number": "INV-2071", "due_date": "2026-03-14"},
        "value_text_augment": {"due_date": "13/May/19", "total": "88120"},
    },
}


def _one(name: str, reference: object, prediction: object, kind: str = "document") -> Example:
    """An example of one document."""
    return Example(name=name, references=text_of(reference), predictions=text_of(prediction), kind=kind)


EXAMPLES = [
    _one("A receipt", _RECEIPT, _READ),
    Example(
        name="Four receipts",
        references=json_lines([_RECEIPT, *_OTHERS]),
        predictions=json_lines([_READ, *_OTHERS_READ]),
    ),
    _one("Line items in another order", _RECEIPT, _SHUFFLED),
    Example(name="A language model's answer", references=text_of(_RECEIPT), predictions=_ANSWER, form="llm"),
    Example(name="Donut's token sequence", references=text_of(_RECEIPT), predictions=_SEQUENCE, form="donut"),
    _one("Entities of a handwritten record", _RECORD, _RECORD_READ, "entities"),
    _one("Tagged words", {"words": _WORDS, "tags": _TAGS}, {"words": _WORDS, "tags": _TAGS_READ}, "tagged words"),
    _one("A page that was read in another order", _PAGE, _PAGE_READ, "tagged words"),
    _one("Tags", _TAGS, _TAGS_READ, "tags"),
    _one("Boxes on a page", _BOXES, _BOXES_READ, "boxes"),
    _one("Words and lines", _WORD_BOXES, _LINE_BOXES, "boxes"),
    _one("An invoice under two attacks", _VERSIONS, _VERSIONS_READ, "attacked"),
    _one("An answer to a question", {"$any_of": ["March 14, 2026", "14 March 2026"]}, "March 14 2026", "value"),
]
