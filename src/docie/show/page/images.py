"""Images of pages, small enough to stand in a page of HTML."""

from __future__ import annotations

import base64
import io
import os
from pathlib import Path
from typing import IO

from docie.core.values.plain import as_list, is_list
from docie.show.page.output import imported
from docie.show.section import Scan

LONGEST_SIDE = 1000
"""Of an image in a report, in pixels."""
MOST_BYTES = 80_000
"""Of an image in a report; one that needs more becomes smaller."""


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
