"""Planted differences of single values: objects around them, facts beside them, types that only one side has."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from typing import Any

from planted_sources import Document, Path_, mapped
from writing_cases import REFERENCES, Difference, Rows, Write, documents, fields_of, groups_of, in_groups, number_of

Leaf = Callable[[Any, random.Random], Any]


def box(dice: random.Random) -> list[float]:
    x, y = dice.randint(20, 400), dice.randint(20, 700)
    return [x, y, x + dice.randint(20, 180), y + dice.randint(8, 20)]


def polygon(dice: random.Random) -> list[float]:
    left, top, right, bottom = box(dice)
    return [left, top, right, top, right, bottom, left, bottom]


def sure(dice: random.Random) -> float:
    return round(dice.uniform(0.6, 0.999), 3)


def leaves(leaf: Leaf, *, only: Callable[[Path_, Any], bool] = lambda path, value: True, empty: bool = False) -> Write:
    """An object in place of each value; in place of what is not there, too, if `empty`."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        def changed(path: Path_, value: Any) -> Any:
            is_there = value is not None and value != ""
            return leaf(value, dice) if (is_there or empty) and only(path, value) else value

        return [{**row, "document": mapped(row["document"], changed)} for row in rows]

    return write


def typed(value: Any, dice: random.Random) -> Document:
    """A value under a key that names its type."""
    number = number_of(value)
    if isinstance(value, bool):
        return {"type": "boolean", "valueBoolean": value, "confidence": sure(dice)}
    if number is not None and isinstance(value, int | float):
        return {"type": "number", "valueNumber": value, "confidence": sure(dice)}
    return {"type": "string", "valueString": value, "confidence": sure(dice)}


LEAVES: dict[str, Leaf] = {
    "content, score, polygon": lambda value, dice: {"content": value, "score": sure(dice), "polygon": polygon(dice)},
    "value, bbox, page_number, confidence": lambda value, dice: {
        "value": value, "bbox": box(dice), "page_number": 1, "confidence": sure(dice),
    },
    "#text": lambda value, dice: {"#text": value},
    "#text and attributes": lambda value, dice: {"@lang": "en", "@conf": f"{sure(dice):.2f}", "#text": value},
    "text and percent": lambda value, dice: {"text": value, "certainty": dice.randint(60, 99)},
    "v": lambda value, dice: {"v": value},
    "type and valueString": typed,
    "answer with reasons": lambda value, dice: {
        "answer": value, "reasoning": "It is printed near the top of the page.", "citations": ["page 1"],
    },
    "value and evidence": lambda value, dice: {"extracted": value, "evidence": f"... {value} ...", "page": 1},
    "raw and normalised": lambda value, dice: {"raw": value, "normalized": f"{value}".lower().replace(",", ".")},
    "label beside": lambda value, dice: {"mention": value, "start": dice.randint(0, 99), "end": dice.randint(99, 300)},
    "offsets": lambda value, dice: {"string": value, "span": [dice.randint(0, 900), dice.randint(901, 999)]},
    "nested": lambda value, dice: {"prediction": {"value": value}, "meta": {"model": "m-2", "score": sure(dice)}},
    "list of one": lambda value, dice: [value],
    "pair with confidence": lambda value, dice: [value, sure(dice)],
    "list of one object": lambda value, dice: [{"value": value, "rank": 1}],
}  # fmt: skip


def _priced(code: str, value: Any, _: random.Random) -> Document:
    return {"amount": value, "currency": code}


def money(rows: Rows, dice: random.Random) -> Rows:
    """An amount as an object with its currency."""
    written: Rows = []
    for row in rows:
        leaf = functools.partial(_priced, row["document"].get("currency") or "IDR")
        written += leaves(leaf, only=lambda path, value: number_of(value) is not None)([row], dice) or []
    return written


def beside(fact: Callable[[random.Random], Any], form: str = "{}_confidence", *, flat: bool = False) -> Write:
    """A fact of each value beside it, under its name and another word."""

    def extended(value: Any, dice: random.Random) -> Any:
        if isinstance(value, list):
            return [extended(each, dice) for each in value]
        if not isinstance(value, dict):
            return value
        written: Document = {}
        for key, child in value.items():
            written[key] = child if flat else extended(child, dice)
            if not isinstance(child, dict | list) and child not in (None, ""):
                written[form.format(key)] = fact(dice)
        return written

    return lambda rows, dice: [{**row, "document": extended(row["document"], dice)} for row in rows]


def parallel(name: str, fact: Callable[[random.Random], Any]) -> Write:
    """The facts of the fields of the root in an object of the same names."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        return [
            {**row, "document": {**row["document"], name: {key: fact(dice) for key in fields_of(row["document"])}}}
            for row in rows
        ]

    return write


def more(**fields: Callable[[Document, random.Random], Any]) -> Write:
    """Further fields of the root."""

    def write(rows: Rows, dice: random.Random) -> Rows:
        return [
            {**row, "document": {**row["document"], **{name: of(row["document"], dice) for name, of in fields.items()}}}
            for row in rows
        ]

    return write


def more_of_records(**fields: Callable[[int], Any]) -> Write:
    """Further fields of each record."""
    return in_groups(
        lambda records, _: [
            {**each, **{name: of(n) for name, of in fields.items()}} for n, each in enumerate(records, 1)
        ]
    )


def ocr_text(document: Document, _: random.Random) -> str:
    return " ".join(str(value) for value in fields_of(document).values())


def another_group(document: Document) -> Document:
    """Records that the other side does not ask for."""
    number = sum(len(document[name]) for name in groups_of(document))
    return {**document, "words": [{"text": f"w{n}", "line": n // 4} for n in range(number)]}


_LEAF = r"^(leaf|unwrap|records|rename|warning).*\b(objects?|lists?|leaf|{})"
_BESIDE = r"^(beside|leaf|alone|warning).*({})"
_ALONE = r"^(alone|ignore|warning).*\b({})\b"

DIFFERENCES = [
    *(
        Difference("objects in place of values", name, leaves(leaf), _LEAF.format(name.split(",")[0]))
        for name, leaf in LEAVES.items()
        if "list" not in name and "pair" not in name
    ),
    *(
        Difference("lists in place of values", name, leaves(leaf), _LEAF.format("list"))
        for name, leaf in LEAVES.items()
        if "list" in name or "pair" in name
    ),
    *(
        Difference(
            "objects in place of values", name, leaves(LEAVES[name]), _LEAF.format(name.split(",")[0]), REFERENCES
        )
        for name in ("value, bbox, page_number, confidence", "#text", "content, score, polygon")
    ),
    Difference(
        "objects in place of values",
        "also of what is absent",
        leaves(LEAVES["value, bbox, page_number, confidence"], empty=True),
        _LEAF.format("value"),
    ),
    Difference(
        "objects in place of some values",
        "amounts",
        leaves(LEAVES["content, score, polygon"], only=lambda path, value: number_of(value) is not None),
        _LEAF.format("content"),
    ),
    Difference(
        "objects in place of some values",
        "of the root",
        leaves(LEAVES["content, score, polygon"], only=lambda path, value: len(path) == 1),
        _LEAF.format("content"),
    ),
    Difference("amount and currency", "of predictions", money, _LEAF.format("amount")),
    Difference("amount and currency", "of references", money, _LEAF.format("amount"), REFERENCES),
    Difference("facts beside a field", "_confidence", beside(sure), _BESIDE.format("_confidence|confidence")),
    Difference("facts beside a field", "_page", beside(lambda dice: 1, "{}_page"), _BESIDE.format("_page|page")),
    Difference("facts beside a field", "_bbox", beside(box, "{}_bbox"), _BESIDE.format("_bbox|box")),
    Difference("facts beside a field", "conf_", beside(sure, "conf_{}"), _BESIDE.format("conf_")),
    Difference(
        "facts beside a field",
        "Score",
        beside(lambda dice: f"{dice.randint(70, 99)} %", "{}Score"),
        _BESIDE.format("Score"),
    ),
    Difference(
        "facts beside a field",
        "_source",
        beside(lambda dice: "page 1, line 4", "{}_source"),
        _BESIDE.format("_source|source"),
    ),
    Difference("facts beside a field", "of the root", beside(sure, flat=True), _BESIDE.format("confidence")),
    Difference("facts beside a field", "parallel object", parallel("confidences", sure), _BESIDE.format("confidences")),
    Difference(
        "facts beside a field", "parallel boxes", parallel("bounding_boxes", box), _BESIDE.format("bounding_boxes")
    ),
    Difference("facts beside a field", "of references", beside(box, "{}_box"), _BESIDE.format("_box|box"), REFERENCES),
    Difference(
        "types of one side",
        "reasoning",
        more(reasoning=lambda document, dice: "The header names the seller."),
        _ALONE.format("reasoning"),
    ),
    Difference(
        "types of one side",
        "language and type",
        more(language=lambda *_: "en", document_type=lambda *_: "receipt"),
        _ALONE.format("language|document_type"),
    ),
    Difference("types of one side", "OCR text", more(ocr_text=ocr_text), _ALONE.format("ocr_text")),
    Difference(
        "types of one side",
        "line numbers",
        more_of_records(line_number=lambda n: n),
        _ALONE.format("(\\w+\\.)?line_number"),
    ),
    Difference(
        "types of one side",
        "category",
        more_of_records(category=lambda n: "goods", tax_code=lambda n: "A"),
        _ALONE.format("(\\w+\\.)?(category|tax_code)"),
    ),
    Difference("types of one side", "another group", documents(another_group), _ALONE.format("words(\\.\\w+)?")),
    Difference(
        "types of one side",
        "of references",
        more(image_quality=lambda document, dice: dice.choice("abc"), labelled_by=lambda *_: "kd"),
        _ALONE.format("image_quality|labelled_by"),
        REFERENCES,
    ),
    Difference(
        "types of one side",
        "lines of references",
        more_of_records(line_no=lambda n: n),
        _ALONE.format("(\\w+\\.)?line_no"),
        REFERENCES,
    ),
]
