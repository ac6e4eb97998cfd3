"""A case in the making: documents of both sides as they are meant, and as they are written.

A plant changes how one side (or both) writes its documents, its ids or its rows. What is meant stays beside it: the
sound documents, whose score the changed ones must have after the change was undone. Nothing of docie is imported.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from planted_sources import Document, Item, Path_, shared, values

SIDES = ("references", "predictions")
CONTENT = {"references": "reference", "predictions": "prediction"}
Options = dict[str, Any]
"""What findings ask for: values by the names that `docie.toml` has, such as `predictions.unwrap`."""


class Planted(NamedTuple):
    """A planted change: which options undo it, how many values it concerns, and how many of these are right."""

    kind: str
    asks: Callable[[Options], bool]
    values: int
    right: int


@dataclass
class Layout:
    """How the rows of a side are written.

    Attributes:
        path: the keys around a document; none if the row is the document.
        id_key: the key of the id; None if rows have none.
        as_text: whether the innermost key holds the JSON text of the document.
        beside: columns that belong to the row.
        envelope: the key of the list of rows, if one object holds all of them.
        order: the ids whose rows are there, in order.
        names: how ids are written that are not written as they are.
    """

    path: Path_
    order: list[str]
    id_key: str | None = "id"
    as_text: bool = False
    beside: tuple[str, ...] = ()
    envelope: str | None = None
    names: dict[str, str] = field(default_factory=dict)


class Draft:
    """The documents of a case, by side and id.

    Attributes:
        sound: as they are meant. A failed prediction is None.
        changed: as they are written.
        meta: the facts of each document.
        layouts: how the rows of each side are written.
        failures: the report that stands for the prediction of a document.
        claimed: the keys of the root that a plant has changed; another one leaves them alone.
        keeps_meta: whether a plant depends on the facts of the documents.
        has_bare_failures: whether reports of failures are rows, instead of standing where documents stand.
    """

    def __init__(self, items: Iterable[Item]) -> None:
        items = list(items)
        self.missing: list[str] = []  # ids of references whose prediction was dropped
        self.sound: dict[str, dict[str, Any]] = {
            "references": {item.id: item.reference for item in items},
            "predictions": {item.id: item.prediction for item in items},
        }
        self.changed = {side: dict(documents) for side, documents in self.sound.items()}
        self.meta: dict[str, Document] = {item.id: dict(item.meta) for item in items}
        self.layouts = {side: Layout((CONTENT[side],), [item.id for item in items]) for side in SIDES}
        self.failures: dict[str, Document] = {}
        self.claimed: set[str] = set()
        self.keeps_meta = self.has_bare_failures = False

    @property
    def ids(self) -> list[str]:
        """The ids that both sides have."""
        predicted = set(self.layouts["predictions"].order)
        return [each for each in self.layouts["references"].order if each in predicted]

    @property
    def answered(self) -> list[str]:
        """The ids with a prediction that is no failure."""
        return [each for each in self.ids if each not in self.failures]

    def documents(self) -> list[Document]:
        """The documents of both sides as they are meant, without failures."""
        return [document for documents in self.sound.values() for document in documents.values() if document]

    def change(self, side: str, function: Callable[[Document], Document], *, renames: bool = False) -> None:
        """Write the documents of a side in another way.

        Args:
            side: "references", "predictions" or "both".
            function: from a document to its new form; it changes nothing in place.
            renames: whether it gives types other names. The names of the references are those that count.
        """
        for each in sides(side):
            self.changed[each] = {key: function(document) for key, document in self.changed[each].items()}
        if renames and side == "references":
            for each in SIDES:
                documents = self.sound[each].items()
                self.sound[each] = {key: document and function(document) for key, document in documents}

    def counted(self) -> tuple[Counter[Path_], Counter[Path_]]:
        """By type: the values concerned (of the side that has fewer) and those that are right."""
        totals, right = {side: Counter[Path_]() for side in SIDES}, Counter[Path_]()
        for each in self.answered:
            pair = [self.sound[side][each] for side in SIDES]
            for side, document in zip(SIDES, pair, strict=True):
                totals[side].update(path for path, _ in values(document))
            right += shared(*pair)
        return totals["references"] & totals["predictions"], right

    def planted(
        self, kind: str, asks: Callable[[Options], bool], is_concerned: Callable[[Path_], bool] = lambda _: True
    ) -> Planted | None:
        """A change that concerns these types, unless too few of their values are right."""
        concerned, right = (
            sum(number for path, number in counter.items() if is_concerned(path)) for counter in self.counted()
        )
        return Planted(kind, asks, concerned, right) if is_enough(right, concerned) else None

    def score(self, *, with_failures: bool = False) -> float:
        """About the F1 of all values; `with_failures` takes reports of failures for documents."""
        right = sum(sum(shared(*(self.sound[side][each] for side in SIDES)).values()) for each in self.answered)
        total = sum(1 for side in SIDES for each in self.ids for _ in values(self.sound[side][each]))
        if with_failures:
            total += sum(1 for report in self.failures.values() for _ in values(report))
        return 2 * right / max(total, 1)

    def rows(self, side: str) -> list[Any]:
        """The rows of a side as they are written."""
        layout = self.layouts[side]
        written = [self._row(side, key, number) for number, key in enumerate(layout.order)]
        return [{layout.envelope: written}] if layout.envelope else written

    def sound_rows(self, side: str) -> list[Any]:
        """The rows of a side as they are meant, of the ids that both sides have."""
        return [
            {"id": key, "meta": self.meta[key], CONTENT[side]: self.sound[side][key]}
            if side == "references"
            else {"id": key, CONTENT[side]: self.sound[side][key]}
            for key in self.ids
        ] + [{"id": key, CONTENT[side]: self.sound[side][key] if side == "references" else {}} for key in self.missing]

    def _row(self, side: str, key: str, number: int) -> Any:
        layout = self.layouts[side]
        is_failure = side == "predictions" and key in self.failures
        content: Any = self.failures[key] if is_failure else self.changed[side][key]
        if not (is_failure and self.has_bare_failures):
            if layout.as_text:
                content = json.dumps(content, ensure_ascii=False)
            for name in reversed(layout.path):
                content = {name: content}
        row: Document = {} if layout.id_key is None else {layout.id_key: layout.names.get(key, key)}
        row |= {name: COLUMNS[name](number) for name in layout.beside}
        if side == "references" and layout.path == ("reference",) and self.meta[key]:
            row["meta"] = self.meta[key]
        return row | content


COLUMNS: dict[str, Callable[[int], Any]] = {
    "model": lambda _: "reader-2",
    "latency": lambda number: round(0.8 + number * 0.013, 3),
    "image": lambda number: f"scan-{number:04}.png",
    "pages": lambda number: 1 + number % 3,
}
"""Columns that belong to a row, by its number."""


def sides(side: str) -> tuple[str, ...]:
    """The sides that a plant changes."""
    return SIDES if side == "both" else (side,)


def is_enough(right: int, concerned: int) -> bool:
    """Whether a change that concerns so many values must be found: three and half of them are right."""
    return right >= 3 and 2 * right >= concerned


def requested(configs: Iterable[Mapping[str, Any]]) -> Options:
    """The options that findings ask for, one after another: mappings are merged, other values replaced.

    >>> requested([{"predictions.rename": {"sum": "total"}}, {"predictions.rename": {"n": "id"}, "join.extra": "drop"}])
    {'predictions.rename': {'sum': 'total', 'n': 'id'}, 'join.extra': 'a'}
    """
    options = Options()
    for config in configs:
        for name, value in config.items():
            before = options.get(name)
            are_mappings = isinstance(value, Mapping) and isinstance(before, Mapping)
            options[name] = {**before, **value} if are_mappings else value  # type: ignore[dict-item]
    return options


def of_sides(options: Options, key: str) -> list[Any]:
    """The values of a key of `[references]` and `[predictions]`, those of a list one by one."""
    found = [options[f"{side}.{key}"] for side in SIDES if f"{side}.{key}" in options]
    return [each for value in found for each in (value if isinstance(value, list | tuple) else [value])]


def shuffled(elements: Collection[str], dice: random.Random) -> list[str]:
    """The elements in another order."""
    return dice.sample(list(elements), len(elements))
