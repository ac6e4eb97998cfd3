"""A value with its confidence, its page and its box, which stand where a `Layout` says."""

from __future__ import annotations

from collections import Counter
from typing import Any

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject, is_number
from docie.documents.boxes import Corners, hull

from .layouts import Layout
from .places import Paths, corners, first, found_at, page_number, page_sizes, regions_in_text, size_in

Path = tuple[str | int, ...]
"""The place of a value in the document."""


class Leaves:
    """Makes the leaves of one document.

    Attributes:
        issues: what was dropped, with the number of times.
    """

    def __init__(self, layout: Layout, answer: JsonObject, document: object) -> None:
        self.layout = layout
        self.issues: Counter[str] = Counter()
        self.sizes = page_sizes(first(document, layout.pages) or first(answer, layout.pages))
        chunks = first(answer, layout.chunks)
        self.chunks: JsonObject = chunks if isinstance(chunks, dict) else {}

    def leaf(self, value: Any, meta: Any, path: Path) -> Any:
        if value is None:
            return None
        if not self.layout.values and not self.is_known(meta):
            self.issues[f"dropped what is said about {path_text(path)}, which cannot be read"] += 1
        leaf = {"value": value, "confidence": self.confidence(meta, path)}
        page, box = self.place(meta, path)
        return leaf | {key: each for key, each in (("box", box), ("page", page)) if each is not None}

    def is_known(self, meta: Any) -> bool:
        """Whether an object or a list can say something about a value."""
        heads = _heads(self.layout.regions + self.layout.confidences)
        if isinstance(meta, dict):
            return not meta or not heads or not heads.isdisjoint(meta)
        return meta is None or (isinstance(meta, list) and (not meta or "" in heads))

    def confidence(self, meta: Any, path: Path) -> float | None:
        found = [each for at in self.layout.confidences if (each := found_at(meta, at)) is not None]
        known = [each / self.layout.scale for each in found if is_number(each)]
        valid = [each for each in known if 0 <= each <= 1]
        if found and not valid:
            problem = f"which is no number from 0 to {self.layout.scale}"
            self.issues[f"dropped the confidence {shortened(found[0])} of {path_text(path)}, {problem}"] += 1
        lowest = min(valid, default=None)
        if lowest == 0 and self.layout.is_zero_unset:
            self.issues["read a confidence of 0 as none"] += 1
            return None
        return lowest

    def place(self, meta: Any, path: Path) -> tuple[int | None, list[float] | None]:
        """The page and the box of a value. Its box is around all of its regions on the first one's page."""
        regions = self.regions(first(meta, self.layout.regions), path)
        pages = [self.page(region, meta, path) for region in regions] or [self.page(None, meta, path)]
        page = pages[0]
        if len({*pages}) > 1:
            self.issues[f"dropped the places of {path_text(path)} on other pages than its first"] += 1
        boxes = [self.box(region, page, path) for region, at in zip(regions, pages, strict=False) if at == page]
        known = [box for box in boxes if box is not None]
        return page, [*hull(known)] if known else None

    def regions(self, found: Any, path: Path) -> list[Any]:
        if isinstance(found, str):
            found = regions_in_text(found) or found
        regions: list[Any] = found if isinstance(found, list) else [] if found is None else [found]
        regions = [self.chunks.get(each) if isinstance(each, str) else each for each in regions]
        objects = [region for region in regions if isinstance(region, dict)]
        if len(objects) < len(regions):
            self.issues[f"dropped a place of {path_text(path)}, which cannot be read"] += 1
        return objects

    def page(self, region: Any, meta: Any, path: Path) -> int | None:
        layout = self.layout
        found = first(region, layout.page)
        found = first(meta, layout.page) if found is None else found
        if found is None:
            found = None if region is None else layout.default_page
        number = page_number(found)
        if found is not None and (number is None or number < layout.first_page):
            self.issues[f"dropped the page {shortened(found)} of {path_text(path)}"] += 1
            return None
        return None if number is None else number - layout.first_page + 1

    def box(self, region: Any, page: int | None, path: Path) -> Corners | None:
        shape = first(region, self.layout.shares)
        lengths = None if shape is not None else first(region, self.layout.lengths)
        if shape is None and lengths is None:
            is_there = first(region, (*_heads(self.layout.shares + self.layout.lengths),)) is not None
            if region and (is_there or first(region, self.layout.page) is None):
                self.issues[f"dropped a place of {path_text(path)}, which cannot be read"] += 1
            return None
        box = corners(lengths if shape is None else shape)
        if box is not None and shape is None:
            sizes = (size_in(found_at(region, at)) for at in self.layout.size)
            size = next(filter(None, sizes), None if page is None else self.sizes.get(page))
            if size is None:
                self.issues[f"kept the box of {path_text(path)} in its own unit: the size of its page is unknown"] += 1
                return box
            box = _shares(box, *size, is_upward=found_at(lengths, "coord_origin") == "BOTTOMLEFT")
        if box is None or not all(map(is_number, box)):
            self.issues[f"dropped the box of {path_text(path)}, which cannot be read"] += 1
            return None
        x0, y0, x1, y1 = (round(number, 6) for number in box)
        return x0, y0, x1, y1


def _heads(paths: Paths) -> set[str]:
    """The first keys of paths."""
    return {path.partition(".")[0] for path in paths}


def _shares(box: Corners, width: float, height: float, *, is_upward: bool) -> Corners:
    """A box as shares of its page. `is_upward`: whether y is measured from the bottom."""
    x0, y0, x1, y1 = box
    y0, y1 = (height - y1, height - y0) if is_upward else (y0, y1)
    return x0 / width, y0 / height, x1 / width, y1 / height


def path_text(path: Path) -> str:
    return shortened(".".join(key for key in path if isinstance(key, str)))
