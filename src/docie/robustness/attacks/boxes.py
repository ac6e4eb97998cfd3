"""Attacks on the boxes: what another scan, or an OCR that places words less well, would give."""

from __future__ import annotations

from random import Random

from docie.robustness.attacks.selection import need_boxes
from docie.robustness.form import Form, Word, fitted


def center_shift(form: Form, generator: Random, *, sigma: float = 0.1) -> Form:
    """Shift each box by a normally distributed share of its width and of its height. Sizes stay.

    The paper's sigma is not known; 0.1 is docie's.
    """
    need_boxes("center_shift", form)
    width, height = form.page or (0, 0)
    words = []
    for word in form.words:
        x0, y0, x1, y1 = word.box or (0, 0, 0, 0)
        across = _within(generator.gauss(0, sigma) * (x1 - x0), -x0, width - x1)
        down = _within(generator.gauss(0, sigma) * (y1 - y0), -y0, height - y1)
        words.append(_placed(form, word, x0 + across, y0 + down, x1 + across, y1 + down))
    return form.with_words(words)


def _within(shift: float, least: float, most: float) -> float:
    return max(least, min(shift, most))


def _placed(form: Form, word: Word, x0: float, y0: float, x1: float, y1: float) -> Word:
    """The word in another box. Rounding may have moved it off the page, by less than a millionth."""
    page = form.page or (0, 0)
    if 0 <= x0 < x1 <= page[0] and 0 <= y0 < y1 <= page[1]:
        return Word(word.text, (x0, y0, x1, y1), word.id)
    return Word(word.text, fitted((x0, y0, x1, y1), page), word.id)


def box_stretch(form: Form, generator: Random, *, sigma: float = 0.1) -> Form:
    """Move each of the four edges of each box by a normally distributed share of its width or height.

    The paper's sigma is not known; 0.1 is docie's.
    """
    need_boxes("box_stretch", form)
    draw = generator.gauss
    words = []
    for word in form.words:
        x0, y0, x1, y1 = word.box or (0, 0, 0, 0)
        across, down = sigma * (x1 - x0), sigma * (y1 - y0)
        moves = draw(0, 1) * across, draw(0, 1) * down, draw(0, 1) * across, draw(0, 1) * down
        words.append(_placed(form, word, x0 + moves[0], y0 + moves[1], x1 + moves[2], y1 + moves[3]))
    return form.with_words(words)


def margin_pad(form: Form, generator: Random, *, most: float = 0.3) -> Form:
    """Add blank margins on the four sides, each at most a share of the page: all boxes move, and the page grows.

    A page of whole numbers keeps whole numbers, and its margins are at least 1, as in the paper. A page of shares
    ([1, 1]) has no pixels: there they are at least 0.
    """
    need_boxes("margin_pad", form)
    if form.page is None:
        return form
    width, height = form.page
    is_whole = isinstance(width, int) and isinstance(height, int) and max(width, height) > 1
    least = 1 if is_whole else 0
    draws = [(generator.random(), most * size) for size in (width, height, width, height)]
    margins = [least + share * (largest - least) if largest >= least else 0 for share, largest in draws]
    left, top, right, bottom = [round(margin) for margin in margins] if is_whole else margins
    page = (width + left + right, height + top + bottom)
    words = []
    for word in form.words:
        x0, y0, x1, y1 = word.box or (0, 0, 0, 0)
        words.append(Word(word.text, (x0 + left, y0 + top, x1 + left, y1 + top), word.id))
    return form.with_words(words, page=page)
