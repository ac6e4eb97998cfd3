"""Where values stand in the answer of a service: pages and boxes, as its layout says where they are."""

from __future__ import annotations

from collections import Counter
from typing import Any

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject, is_number
from docie.documents.boxes import Corners, hull

from .layouts import Where
from .places import Paths, corners, first, found_at, page_number, page_sizes, regions_in_text, size_in

Path = tuple[str | int, ...]
"""The place of a value in the document."""


class Standing:
    """Reads where values stand.

    Args:
        where: where the answer says so.
        answer: the answer.
        document: the part of it that holds one document.
        issues: where to count what is dropped.
    """

    def __init__(self, where: Where, answer: JsonObject, document: object, issues: Counter[str]) -> None:
        self.where, self.issues = where, issues
        self.paths = where.shares + where.lengths + where.page
        self.sizes = page_sizes(first(document, where.pages) or first(answer, where.pages))
        chunks = first(answer, where.chunks)
        self.chunks: JsonObject = chunks if isinstance(chunks, dict) else {}

    def of(self, meta: Any, path: Path) -> tuple[int | None, list[float] | None]:
        """The page and the box of a value. Its box is around all of its regions on the first one's page."""
        found = first(meta, self.where.regions)
        if found is meta and isinstance(meta, dict) and first(meta, self.paths) is None:
            found = None  # of a field that would name its place itself
        regions = self.regions(found, path) or [None]
        pages = [self.page(region, meta, path) for region in regions]
        if len({*pages}) > 1:
            self.issues[f"dropped the places of {path_text(path)} on other pages than its first"] += 1
        boxes = [self.box(region, at, path) for region, at in zip(regions, pages, strict=True) if at == pages[0]]
        known = [box for box in boxes if box is not None]
        return pages[0], [*hull(known)] if known else None

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
        named = (each for holder in (region, meta) if (each := first(holder, self.where.page)) is not None)
        found = next(named, None if region is None else self.where.default_page)
        number = page_number(found)
        if found is not None and (number is None or number < self.where.first_page):
            self.issues[f"dropped the page {shortened(found)} of {path_text(path)}"] += 1
            return None
        return None if number is None else number - self.where.first_page + 1

    def box(self, region: Any, page: int | None, path: Path) -> Corners | None:
        shape, lengths = first(region, self.where.shares), first(region, self.where.lengths)
        if shape is None and lengths is None:
            keys = heads(self.where.shares + self.where.lengths)
            if region and (first(region, (*keys, *self.where.page)) is None or first(region, (*keys,)) is not None):
                self.issues[f"dropped a place of {path_text(path)}, which cannot be read"] += 1
            return None
        box = corners(lengths if shape is None else shape)
        if box is not None and shape is None:
            sizes = (size_in(found_at(region, at)) for at in self.where.size)
            size = next(filter(None, sizes), None if page is None else self.sizes.get(page))
            if size is None:
                self.issues[f"kept the box of {path_text(path)} in its own unit: the size of its page is unknown"] += 1
            else:
                box = _shares(box, *size, is_upward=found_at(lengths, "coord_origin") == "BOTTOMLEFT")
        if box is None or not all(map(is_number, box)):
            self.issues[f"dropped the box of {path_text(path)}, which cannot be read"] += 1
            return None
        x0, y0, x1, y1 = (round(number, 6) for number in box)
        return x0, y0, x1, y1


def heads(paths: Paths) -> set[str]:
    """The first keys of paths."""
    return {path.partition(".")[0] for path in paths}


def _shares(box: Corners, width: float, height: float, *, is_upward: bool) -> Corners:
    """A box as shares of its page. `is_upward`: whether y is measured from the bottom."""
    x0, y0, x1, y1 = box
    y0, y1 = (height - y1, height - y0) if is_upward else (y0, y1)
    return x0 / width, y0 / height, x1 / width, y1 / height


def path_text(path: Path) -> str:
    return shortened(".".join(key for key in path if isinstance(key, str)))
