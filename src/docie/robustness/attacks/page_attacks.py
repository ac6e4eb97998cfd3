"""Attacks that leave values alone: on the background (words outside all values, including keys), on the order of words,
and on boxes, as another scan would have them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from random import Random
from typing import Annotated, TypeVar

from docie.core.errors import shortened
from docie.robustness.attacks.entries import BOXES, Share, Size, WholeNumber, are_texts, attack, choice, or_none
from docie.robustness.attacks.random_values import random_date, random_money, random_number
from docie.robustness.attacks.wording import KINDS, SOURCES, confused, language_of, misspelt, synonym
from docie.robustness.form import Page, Word
from docie.robustness.form.page import lines, neighbors
from docie.robustness.form.words import fitted

T = TypeVar("T")


def _check_kinds(name: str, value: object) -> None:
    if not are_texts(value) or not value or not {*value} <= {*KINDS}:
        raise ValueError(f"{name} must be a list of {', '.join(KINDS)}, got {shortened(value)}")


def _check_character(name: str, value: object) -> None:
    if not isinstance(value, str) or len(value) != 1:
        raise ValueError(f"{name} must be one character, got {shortened(value)}")


Kinds = Annotated[Collection[str], _check_kinds]
Character = Annotated[str | None, or_none(_check_character)]
Source = Annotated[str | None, or_none(choice(*SOURCES))]
On = Annotated[str, choice("background", "values", "all")]


def chosen(generator: Random, items: Collection[T], p: float) -> list[T]:
    """Each item with probability p. One random number per item: a larger p selects the same items and more."""
    draw = generator.random
    return [item for item in items if draw() < p]


def shuffled_places(form: Page, groups: Sequence[Collection[int]], generator: Random, p: float) -> Page:
    """The page with the words at these positions shuffled among themselves, group by group.

    Each word takes part with probability p.
    """
    order = list(range(len(form.words)))
    for group in groups:
        shuffle(order, chosen(generator, sorted(group), p), generator)
    return form.arranged(order)


def shuffle(items: list[T], places: Sequence[int], generator: Random) -> None:
    """Shuffle the items at these positions among themselves."""
    moved = [items[place] for place in places]
    generator.shuffle(moved)
    for place, item in zip(places, moved, strict=True):
        items[place] = item


def need_boxes(name: str, form: Page) -> None:
    """Raise ValueError if the words of a form have no boxes."""
    if form.words and not form.has_boxes:
        place = "the form" if form.id is None else f"form {form.id!r}"
        raise ValueError(f"{name} needs boxes, and {place} has none")


@attack(*BOXES, scales="sigma", needs_boxes=True)
def center_shift(form: Page, generator: Random, *, sigma: Size = 0.1) -> Page:
    """Shift each box by a normally distributed share of its width and height, without changing its size.

    The paper does not state its sigma; 0.1 is docie's choice.
    """
    width, height = form.page or (0, 0)
    words = []
    for word in form.words:
        x0, y0, x1, y1 = word.box or (0, 0, 0, 0)
        across = _clamped(generator.gauss(0, sigma) * (x1 - x0), -x0, width - x1)
        down = _clamped(generator.gauss(0, sigma) * (y1 - y0), -y0, height - y1)
        words.append(_placed(form, word, x0 + across, y0 + down, x1 + across, y1 + down))
    return form.with_words(words)


@attack(*BOXES, scales="sigma", needs_boxes=True)
def box_stretch(form: Page, generator: Random, *, sigma: Size = 0.1) -> Page:
    """Move each of the four edges of each box by a normally distributed share of its width or height.

    The paper does not state its sigma; 0.1 is docie's choice.
    """
    draw = generator.gauss
    words = []
    for word in form.words:
        x0, y0, x1, y1 = word.box or (0, 0, 0, 0)
        across, down = sigma * (x1 - x0), sigma * (y1 - y0)
        moves = draw(0, 1) * across, draw(0, 1) * down, draw(0, 1) * across, draw(0, 1) * down
        words.append(_placed(form, word, x0 + moves[0], y0 + moves[1], x1 + moves[2], y1 + moves[3]))
    return form.with_words(words)


def _clamped(shift: float, least: float, most: float) -> float:
    return max(least, min(shift, most))


def _placed(form: Page, word: Word, x0: float, y0: float, x1: float, y1: float) -> Word:
    """The word in another box. Rounding may have moved it off the page, by less than a millionth."""
    page = form.page or (0, 0)
    if 0 <= x0 < x1 <= page[0] and 0 <= y0 < y1 <= page[1]:
        return Word(word.text, (x0, y0, x1, y1), word.id)
    return Word(word.text, fitted((x0, y0, x1, y1), page), word.id)


@attack(*BOXES, "page", scales="most", needs_boxes=True)
def margin_pad(form: Page, generator: Random, *, most: Size = 0.3) -> Page:
    """Add blank margins on all four edges, each up to `most` of the page: all boxes move, and the page grows.

    A page with whole numbers keeps whole numbers, and its margins are at least 1, as in the paper. A page of shares
    ([1, 1]) has no pixels: its margins are at least 0.
    """
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


@attack("order")
def global_shuffle(form: Page, generator: Random, *, p: Share = 1.0) -> Page:
    """Shuffle the order of all words, which keep their texts and boxes; each takes part with probability p."""
    return shuffled_places(form, [range(len(form.words))], generator, p)


@attack("order")
def neighbor_shuffle(
    form: Page, generator: Random, *, p: Share = 1.0, expand: Size = 0.02, neighbor_words: WholeNumber = 2
) -> Page:
    """Shuffle the order of the neighbours of each value, value by value; all other words keep their positions."""
    return shuffled_places(form, neighbors(form, expand=expand, words=neighbor_words), generator, p)


@attack("order")
def non_neighbor_shuffle(
    form: Page, generator: Random, *, p: Share = 1.0, expand: Size = 0.02, neighbor_words: WholeNumber = 2
) -> Page:
    """Shuffle the order of the words that are neither values nor neighbours; all others keep their positions."""
    near = set[int]().union(*neighbors(form, expand=expand, words=neighbor_words))
    return shuffled_places(form, [set(form.background) - near], generator, p)


@attack("words")
def bg_drop(form: Page, generator: Random, *, p: Share = 0.1) -> Page:
    """Drop each background word with probability p. The paper also uses 0.13, to drop as many as neighbor_bg_drop."""
    return _without(form, chosen(generator, form.background, p))


@attack("words")
def neighbor_bg_drop(
    form: Page, generator: Random, *, p: Share = 1.0, expand: Size = 0.02, neighbor_words: WholeNumber = 2
) -> Page:
    """Drop the background words that are neighbours of a value, each with probability p."""
    near = set[int]().union(*neighbors(form, expand=expand, words=neighbor_words))
    return _without(form, chosen(generator, sorted(near), p))


@attack("words")
def key_drop(form: Page, generator: Random, *, p: Share = 1.0) -> Page:
    """Drop keys: each field loses all of its keys with probability p."""
    fields = chosen(generator, range(len(form.fields)), p)
    keys = {position for number in fields for position in form.fields[number].keys}
    return _without(form, keys & form.keys)


def _without(form: Page, positions: Collection[int]) -> Page:
    gone = set(positions)
    return form.arranged([position for position in range(len(form.words)) if position not in gone]) if gone else form


@attack("background texts", "words")
def bg_typo(
    form: Page, generator: Random, *, p: Share = 0.1, kinds: Kinds = KINDS, character: Character = None
) -> Page:
    """Misspell each background word with probability p: swap, delete, insert or replace one of its characters.

    `kinds` are the ones to choose from at random; a swap is with the next character. A word that the chosen kind cannot
    change is kept: a swap cannot change a single character. The character is chosen at random in the word, or
    given (`character=`); words without it are kept. A word that loses its only character disappears.
    """
    return _rewritten(
        form, chosen(generator, form.background, p), lambda text: misspelt(text, generator, kinds, character)
    )


@attack("background texts")
def bg_synonyms(form: Page, generator: Random, *, p: Share = 0.1, source: Source = None) -> Page:
    """Replace each background word by a synonym, with probability p; words without synonyms are kept.

    `source` is "wordnet" or "lexicon", docie's own synonyms for words of forms in English, German, French, Spanish and
    Indonesian; None uses WordNet if it is installed, or else the lexicon. WordNet is English: forms in other languages,
    detected by their words, use the lexicon.
    """
    language = language_of(word.text for word in form.words)
    places = chosen(generator, form.background, p)
    return _rewritten(form, places, lambda text: synonym(text, generator, source, language))


@attack("background texts")
def bg_adversarial(
    form: Page, generator: Random, *, p: Share = 0.1, expand: Size = 0.02, neighbor_words: WholeNumber = 2
) -> Page:
    """Replace background words that are no neighbours, with probability p, by random dates, numbers and amounts."""
    near = set[int]().union(*neighbors(form, expand=expand, words=neighbor_words))
    far = [position for position in form.background if position not in near]
    makers = (random_date, random_number, random_money)
    return form.with_texts({position: generator.choice(makers)(generator) for position in chosen(generator, far, p)})


@attack("background texts", source="docie")
def ocr_confusion(form: Page, generator: Random, *, p: Share = 0.1, on: On = "background") -> Page:
    """Misread a sequence of characters in background words, as OCR may: O as 0, l as 1, rn as m, é as e. docie's own.

    Each word with such a sequence is misread with probability p. `on` is "background", or "values", which changes the
    expected texts, or "all".
    """
    positions = {"background": form.background, "values": sorted(form.values), "all": range(len(form.words))}[on]
    return _rewritten(form, chosen(generator, positions, p), lambda text: confused(text, generator))


def _rewritten(form: Page, places: Iterable[int], change: Callable[[str], str | None]) -> Page:
    """The page with new texts for the words at these positions; words without a new text are kept."""
    texts = ((place, change(form.words[place].text)) for place in places)
    return form.with_texts({place: text for place, text in texts if text is not None})


@attack("order", source="docie", needs_boxes=True)
def line_order_shuffle(form: Page, generator: Random, *, p: Share = 1.0) -> Page:
    """Shuffle the order of lines; words keep their order inside a line. docie's own."""
    found = lines(form)
    places = chosen(generator, range(len(found)), p)
    if not places:
        return form
    shuffle(found, places, generator)
    return form.arranged([position for line in found for position in line])
