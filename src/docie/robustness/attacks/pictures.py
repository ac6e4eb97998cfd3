"""Pictures of attacked forms."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from docie.robustness.attacks.page_attacks import need_boxes
from docie.robustness.form import Page
from docie.robustness.form.words import Box

if TYPE_CHECKING:
    from PIL import Image


FRAME = 2
"""How many pixels around a word determine its background colour."""


class Redrawn(NamedTuple):
    """A picture after an attack.

    Attributes:
        image (PIL.Image.Image): the picture; the same object if nothing changed.
        missing (tuple of int): the ids of words whose new texts the picture does not show: their boxes are blank.
    """

    image: Any
    missing: tuple[int, ...]


def redraw(image: Image.Image, before: Page, after: Page) -> Redrawn:
    """The picture of a form after an attack.

    Words that were dropped, moved or replaced are painted over with the colour around them; moved words appear at their
    new positions, stretched to their new boxes. No text is drawn: words with new texts are missing, and listed in the
    result. A page with new margins is the old picture on a larger page. An attack on the order leaves the picture as
    is.

    Args:
        image (PIL.Image.Image): the picture of the whole page, of any resolution.
        before (Page): the form as it was, with boxes.
        after (Page): the form after the attack.

    Returns:
        Redrawn: the picture, and the words that it does not show.

    Raises:
        ValueError: if a form has no boxes.

    >>> from PIL import Image
    >>> from docie.robustness.form import Word
    >>> form = Page([Word("Total", (10, 10, 40, 20)), Word("4.50", (50, 10, 70, 20))], page=(100, 50))
    >>> redraw(Image.new("RGB", (200, 100), "white"), form, form.with_texts({1: "9.99"})).missing
    (1,)
    """
    need_boxes("redraw", before)
    old, new = ({word.id: word for word in form.words} for form in (before, after))
    missing = tuple(
        each for each, word in old.items() if each in new and new[each].text != word.text and each is not None
    )
    shown = [each for each in new if each not in missing]
    offset = _offset([(old[each].box, new[each].box) for each in new])
    stays = before.page == after.page and offset == (0, 0)
    gone = [each for each in old if each not in new or each in missing]
    if stays and not gone:
        return Redrawn(image, missing)
    scale = _scale(image, before)
    moved = [] if offset is not None else [each for each in shown if old[each].box != new[each].box]
    picture = _blanked(image, [_pixels(old[each].box, scale) for each in (*gone, *moved)])
    picture = _on_page(picture, after, scale, offset or (0, 0))
    for each in moved:
        source, target = _pixels(old[each].box, scale), _pixels(new[each].box, scale)
        size = (target[2] - target[0], target[3] - target[1])
        picture.paste(image.crop(source).resize(size), target[:2])
    return Redrawn(picture, missing)


def _offset(pairs: list[tuple[Box | None, Box | None]]) -> tuple[float, float] | None:
    """The offset by which all boxes moved; None if they did not all move alike."""
    offsets = set()
    for old, new in pairs:
        if old is None or new is None:
            continue
        left, top, right, bottom = (round(second - first, 6) for first, second in zip(old, new, strict=True))
        if (left, top) != (right, bottom):
            return None
        offsets.add((left, top))
    return (offsets.pop() if offsets else (0, 0)) if len(offsets) < 2 else None


def _scale(image: Image.Image, form: Page) -> tuple[float, float]:
    """The number of pixels in a unit of the page."""
    width, height = form.page or (1, 1)
    return image.width / width, image.height / height


def _pixels(box: Box | None, scale: tuple[float, float]) -> tuple[int, int, int, int]:
    """The pixels of a box, at least one."""
    x0, y0, x1, y1 = box or (0, 0, 0, 0)
    left, top = int(x0 * scale[0]), int(y0 * scale[1])
    return left, top, max(left + 1, round(x1 * scale[0])), max(top + 1, round(y1 * scale[1]))


def _blanked(image: Image.Image, boxes: list[tuple[int, int, int, int]]) -> Image.Image:
    """The picture with each of these boxes filled with the most frequent colour around it."""
    picture = image.copy()
    for left, top, right, bottom in boxes:
        above, below = (left, max(top - FRAME, 0), right, top), (left, bottom, right, min(bottom + FRAME, image.height))
        before, behind = (
            (max(left - FRAME, 0), top, left, bottom),
            (right, top, min(right + FRAME, image.width), bottom),
        )
        picture.paste(_commonest(image, [above, below, before, behind]), (left, top, right, bottom))
    return picture


def _commonest(image: Image.Image, boxes: list[tuple[int, int, int, int]]) -> object:
    """The most frequent colour in these boxes of a picture; the brightest on ties."""
    counts: Counter[Any] = Counter()
    for left, top, right, bottom in boxes:
        if left < right and top < bottom:
            part = image.crop((left, top, right, bottom))
            counts.update({colour: count for count, colour in part.getcolors(part.width * part.height) or ()})
    return max(counts, key=lambda colour: (counts[colour], colour)) if counts else image.getpixel((0, 0))


def _on_page(image: Image.Image, form: Page, scale: tuple[float, float], offset: tuple[float, float]) -> Image.Image:
    """The picture on a page of the form's size, moved by an offset, with margins in the colour of its edge."""
    from PIL import Image

    width, height = form.page or (1, 1)
    size = (round(width * scale[0]), round(height * scale[1]))
    if size == image.size and offset == (0, 0):
        return image
    page = Image.new(image.mode, size, _commonest(image, [(0, 0, image.width, 1)]))
    page.paste(image, (round(offset[0] * scale[0]), round(offset[1] * scale[1])))
    return page
