"""Images of pages with the boxes of values: small enough to stand in a report."""

from __future__ import annotations

import base64
import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, NamedTuple

import numpy as np

from docie.core.explanation import Explanation, Pair
from docie.core.values.plain import as_list, is_list
from docie.documents.boxes import Corners
from docie.show.report.fields import Look, look_of
from docie.show.report.output import imported
from docie.show.report.rendering import environment
from docie.show.section import Scan

LONGEST_SIDE = 1000
"""Of an image in a report, in pixels."""
MOST_BYTES = 80_000
"""Of an image in a report; one that needs more becomes smaller."""


class Boxed(NamedTuple):
    """A box on a page: its pair, how this looks, its number, whose box it is, and its corners."""

    pair: Pair
    look: Look
    number: int
    side: str
    place: Corners


def image_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder of the images that rows name. Raises ValueError if it is not there."""
    if not Path(folder).is_dir():
        raise ValueError(f"{os.fspath(folder)}: expected a folder of images")
    return Path(folder)


def scans_of(names: object, folder: Path) -> list[Scan]:
    """The images of a document's pages, in order: of one path or a list of paths, in the folder.

    Raises:
        OSError: for an image that is not there or cannot be read. Nothing is fetched from a network.
    """
    return [scan_of(folder / str(name)) for name in (as_list(names) if is_list(names) else [names])]


def scan_of(file: Path | IO[bytes]) -> Scan:
    """The image in a file, small enough for a page of HTML.

    Raises:
        OSError: for a file that is not there or is no image, or too large a one.
    """
    Image = imported("PIL.Image")  # noqa: N806
    try:
        with Image.open(file) as image:
            upright = imported("PIL.ImageOps").exif_transpose(image)  # as cameras say
    except Image.DecompressionBombError as error:
        raise OSError(str(error)) from None
    (width, height), side = upright.size, LONGEST_SIDE
    if upright.mode.startswith("I;16"):  # Pillow would cut its values off at 255
        upright = upright.convert("I").point(lambda value: value / 256).convert("L")
    seen, small = upright.convert("RGBA"), Image.new("RGB", upright.size, "white")
    small.paste(seen, mask=seen)
    while True:
        small.thumbnail((side, side))
        made = io.BytesIO()
        small.save(made, "WEBP", quality=60)
        if made.tell() <= MOST_BYTES:
            return Scan(f"data:image/webp;base64,{base64.b64encode(made.getvalue()).decode()}", width, height)
        side = side * 3 // 4


def scans_view(explanation: Explanation, scans: Sequence[Scan]) -> str:
    """The images of a document's pages, with the boxes of its values that lie on them, as HTML.

    >>> from docie import kieval
    >>> total = {"value": "9", "confidence": 0.5, "box": [0.1, 0.2, 0.3, 0.25]}
    >>> html = scans_view(kieval.explain({"total": total}, {"total": "8"}), [Scan("data:,", 500, 1000)])
    >>> '<rect x="50.0" y="200.0" width="100.0" height="50.0"/>' in html
    True
    """
    pages = [(scan, _boxes(explanation, scan, number)) for number, scan in enumerate(scans, 1)]
    html: str = environment().get_template("scans.html.j2").render(pages=pages)
    return html


def _boxes(explanation: Explanation, scan: Scan, page: int) -> list[Boxed]:
    """The boxes on a page: of each pair that of the reference, then that of the prediction."""
    drawn = list[Boxed]()
    for side in ("reference", "prediction"):  # of which one may have shares of the page, and the other pixels
        found = list[Boxed]()
        for number, pair in enumerate(explanation.pairs):
            box, place = (pair.expected_box, pair.expected_page) if side == "reference" else (pair.box, pair.page)
            corners = _corners(box)
            if corners is not None and _page_of(place) == page:
                found.append(Boxed(pair, look_of(pair), number, side, corners))
        places = on_page([each.place for each in found], scan)
        drawn += [each._replace(place=place) for each, place in zip(found, places, strict=True)]
    return sorted(drawn, key=lambda each: each.number)


def _page_of(place: object) -> float | None:
    """The number of a page, which some write as a text or with a decimal; the first one by default."""
    try:
        return 1 if place is None else float(str(place))
    except ValueError:
        return None


def on_page(places: Sequence[Corners], scan: Scan) -> list[Corners]:
    """Boxes in pixels of a page's image. Coordinates up to 1 are shares of the page, others are pixels.

    >>> on_page([(0.1, 0.1, 0.5, 0.2)], Scan("data:,", 500, 1000))
    [(50.0, 100.0, 250.0, 200.0)]
    """
    x, y = (scan.width, scan.height) if all(max(each) <= 1 for each in places) else (1, 1)
    return [(round(x0 * x, 1), round(y0 * y, 1), round(x1 * x, 1), round(y1 * y, 1)) for x0, y0, x1, y1 in places]


def _corners(box: object) -> Corners | None:
    """The smallest upright box around two or four points; None if it has no area, and for what is no box."""
    try:
        points = np.asarray(box, dtype=float).reshape(-1, 2)
    except (TypeError, ValueError):
        return None
    (x0, y0), (x1, y1) = points.min(axis=0, initial=np.inf), points.max(axis=0, initial=-np.inf)
    is_box = len(points) in (2, 4) and np.isfinite(points).all() and x0 < x1 and y0 < y1
    return (float(x0), float(y0), float(x1), float(y1)) if is_box else None
