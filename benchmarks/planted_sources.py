"""Documents in sound form, in which changes are planted: references and predictions with the same names and formats.

The shipped receipts and invoices, and from the folder that DOCIE_DATA names CORD's test receipts, DocuBench's documents
and the invoices of RVL-CDIP. Nothing of docie is imported.
"""

from __future__ import annotations

import functools
import json
import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

Document = dict[str, Any]
Path_ = tuple[str, ...]
EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
DOCUBENCH = ("claude", "docupipe_high", "docupipe_standard", "extend", "gemini", "gpt")


class Item(NamedTuple):
    """One document: its id, the reference, the prediction, and facts for grouping."""

    id: str
    reference: Document
    prediction: Document
    meta: Document


def source(name: str) -> list[Item]:
    """The documents of a source, as a list that must not be changed."""
    return _read(name)


def source_names() -> list[str]:
    """The names of all sources that this machine has: the shipped ones first."""
    return [*SHIPPED, *(REAL if os.environ.get("DOCIE_DATA") else ())]


def values(document: Any) -> list[tuple[Path_, Any]]:
    """The values of a document that are there, each with the keys that lead to it."""
    found: list[tuple[Path_, Any]] = []
    _collect(document, (), found)
    return found


def _collect(value: Any, path: Path_, found: list[tuple[Path_, Any]]) -> None:
    if isinstance(value, dict):
        for key, child in value.items():
            _collect(child, (*path, key), found)
    elif isinstance(value, list):
        for child in value:
            _collect(child, path, found)
    elif isinstance(value, str):
        if value and not value.isspace():
            found.append((path, value))
    elif value is not None:
        found.append((path, value if isinstance(value, bool) else float(value)))


def mapped(value: Any, change: Callable[[Path_, Any], Any], path: Path_ = ()) -> Any:
    """A copy of a document in which a function has replaced the values."""
    if isinstance(value, dict):
        return {key: mapped(child, change, (*path, key)) for key, child in value.items()}
    if isinstance(value, list):
        return [mapped(child, change, path) for child in value]
    return change(path, value)


def shared(reference: Document, prediction: Document) -> Counter[Path_]:
    """How many values of each type are on both sides of a document, as they stand."""
    left, found = Counter(values(reference)), Counter[Path_]()
    for each in values(prediction):
        if left[each] > 0:
            left[each] -= 1
            found[each[0]] += 1
    return found


@functools.cache
def _read(name: str) -> list[Item]:
    return (SHIPPED | REAL)[name]()


def _lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _joined(references: Path, predictions: Path) -> list[Item]:
    """The documents of two files of wrappers with the same ids."""
    predicted = {row["id"]: row for row in _lines(predictions)}
    return [
        Item(row["id"], _plain(_content(row)), _plain(_content(predicted[row["id"]])), row.get("meta", {}))
        for row in _lines(references)
    ]


def _content(row: Document) -> Document:
    content = next(row[key] for key in ("reference", "prediction", "document") if key in row)
    return content if isinstance(content, dict) else {}  # an answer that could not be read


def _plain(value: Any) -> Any:
    """A document without confidences."""
    if isinstance(value, dict):
        return value["value"] if {"value", "confidence"} <= value.keys() else {k: _plain(v) for k, v in value.items()}
    return [_plain(child) for child in value] if isinstance(value, list) else value


def _data() -> Path:
    return Path(os.environ["DOCIE_DATA"])


def _shipped_receipts(system: str) -> list[Item]:
    folder = EXAMPLES / "receipts"
    return _joined(folder / "references.jsonl", folder / f"predictions-{system}.jsonl")


def _shipped_invoices(*, whole: bool = False) -> list[Item]:
    """The shipped references, misread: the shipped predictions have other formats. `whole`: amounts without cents."""
    dice, items = random.Random(0), []
    for row in _lines(EXAMPLES / "invoices" / "references.jsonl"):
        reference = mapped(row["reference"], _without_cents) if whole else row["reference"]
        prediction = mapped(reference, lambda _, value: misread(value, dice) if dice.random() < 0.12 else value)
        items.append(Item(row["id"], reference, prediction, row["meta"]))
    return items


def _without_cents(_: Path_, value: Any) -> Any:
    return value.removesuffix(value[-3:]) if isinstance(value, str) and value[-3:-2] == "." else value


def misread(value: Any, dice: random.Random) -> Any:
    """The value with one character replaced by another, so that it stays a number, or a text."""
    if isinstance(value, bool) or value is None:
        return value
    text = str(value)
    places = [place for place, character in enumerate(text) if character.isalnum()]
    if not places:
        return f"{text}x"
    place = dice.choice(places)
    others = "123456789" if text[place].isdigit() else "aeiourstln"
    text = text[:place] + dice.choice([other for other in others if other != text[place]]) + text[place + 1 :]
    return text if isinstance(value, str) else type(value)(float(text))


def _cord() -> list[Item]:
    """CORD with Qwen2-VL's answers, both in the names of the receipts' parses, and line items as lists."""
    folder = _data() / "cord-test"
    pairs = zip(_lines(folder / "references.jsonl"), _lines(folder / "predictions-qwen2-vl-72b.jsonl"), strict=True)
    return [
        Item(row["id"], _cord_names(json.loads(row["ground_truth"])["gt_parse"]), _cord_names(answer["prediction"]), {})
        for row, answer in pairs
    ]


def _cord_names(value: Any, parent: str = "") -> Any:
    if isinstance(value, list):
        return [_cord_names(child, parent) for child in value]
    if not isinstance(value, dict):
        return value
    named = {key.rpartition(".")[2].removeprefix("sub_" if parent == "sub" else ""): key for key in value}
    document = {name: _cord_names(value[key], name) for name, key in named.items()}
    menu = document.get("menu")
    return {**document, "menu": [menu]} if isinstance(menu, dict) else document


def _cord_line_items() -> list[Item]:
    folder = _data() / "cord-test"
    return _joined(folder / "line-items-references.jsonl", folder / "line-items-deepcpcfg.jsonl")


def _docubench(system: str) -> list[Item]:
    folder = _data() / "docubench"
    return _joined(folder / "references.jsonl", folder / f"predictions-{system}.jsonl")


def _invoices() -> list[Item]:
    rows = _lines(_data() / "deepcpcfg-invoices" / "invoices.jsonl")
    return [Item(row["id"], row["annotation"], row["prediction"], {}) for row in rows]


SHIPPED: dict[str, Callable[[], list[Item]]] = {
    "receipts-careful": functools.partial(_shipped_receipts, "careful"),
    "receipts-hasty": functools.partial(_shipped_receipts, "hasty"),
    "invoices-shipped": _shipped_invoices,
    "invoices-whole": functools.partial(_shipped_invoices, whole=True),
}
REAL: dict[str, Callable[[], list[Item]]] = {
    "cord": _cord,
    "cord-line-items": _cord_line_items,
    "invoices": _invoices,
    **{f"docubench-{system}": functools.partial(_docubench, system) for system in DOCUBENCH},
}
