"""Attacks on the background: the words of no value, with the keys among them."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from docie.robustness.attacks.characters import KINDS, confused, misspelt
from docie.robustness.attacks.random_values import random_date, random_money, random_number
from docie.robustness.attacks.selection import chosen
from docie.robustness.attacks.synonyms import language_of, synonym
from docie.robustness.form import Form, neighbors


def bg_drop(form: Form, generator: Random, *, p: float = 0.1) -> Form:
    """Drop each background word with probability p. The paper also has 0.13, to drop as many as neighbor_bg_drop."""
    return _without(form, chosen(generator, form.background, p))


def neighbor_bg_drop(
    form: Form, generator: Random, *, p: float = 1.0, expand: float = 0.02, neighbor_words: int = 2
) -> Form:
    """Drop the neighbours of the values."""
    near = set[int]().union(*neighbors(form, expand=expand, words=neighbor_words))
    return _without(form, chosen(generator, sorted(near), p))


def key_drop(form: Form, generator: Random, *, p: float = 1.0) -> Form:
    """Drop the keys. Each field loses all of its keys, with probability p."""
    fields = chosen(generator, range(len(form.fields)), p)
    keys = {position for number in fields for position in form.fields[number].keys}
    return _without(form, keys & form.keys)


def _without(form: Form, positions: Collection[int]) -> Form:
    gone = set(positions)
    return form.arranged([position for position in range(len(form.words)) if position not in gone]) if gone else form


def bg_typo(
    form: Form, generator: Random, *, p: float = 0.1, kinds: Collection[str] = KINDS, character: str | None = None
) -> Form:
    """Misspell each background word with probability p, by one character.

    `kinds` are swap (with the next character), delete, insert and replace; each word gets a random one. A word that it
    cannot change stays, as a swap cannot change a single character. The character is a random one of the word, or a
    given one (`character=`); words without it stay. A word that loses its only character disappears.
    """
    texts = {}
    for position in chosen(generator, form.background, p):
        text = misspelt(form.words[position].text, generator, kinds, character)
        if text is not None:
            texts[position] = text
    return form.with_texts(texts)


def bg_synonyms(form: Form, generator: Random, *, p: float = 0.1, source: str | None = None) -> Form:
    """Replace each background word by a synonym, with probability p. Words without synonyms stay.

    `source` is "wordnet" or "lexicon", docie's words of forms in English, German, French, Spanish and Indonesian; None
    takes WordNet where it is installed, and else the lexicon. WordNet is English: other forms, by their words, take the
    lexicon.
    """
    texts, language = {}, language_of(word.text for word in form.words)
    for position in chosen(generator, form.background, p):
        text = synonym(form.words[position].text, generator, source, language)
        if text is not None:
            texts[position] = text
    return form.with_texts(texts)


def bg_adversarial(
    form: Form, generator: Random, *, p: float = 0.1, expand: float = 0.02, neighbor_words: int = 2
) -> Form:
    """Replace each background word that is no neighbour of a value by a random date, number or amount of money."""
    near = set[int]().union(*neighbors(form, expand=expand, words=neighbor_words))
    far = [position for position in form.background if position not in near]
    makers = (random_date, random_number, random_money)
    return form.with_texts({position: generator.choice(makers)(generator) for position in chosen(generator, far, p)})


def ocr_confusion(form: Form, generator: Random, *, p: float = 0.1, on: str = "background") -> Form:
    """Read one place of a word wrongly, as an OCR may: O as 0, l as 1, rn as m, é as e. docie's own.

    Each word in which there is such a place is misread with probability p. `on` is "background", or "values", which
    changes the texts that are to be found, or "all".
    """
    positions = {"background": form.background, "values": sorted(form.values), "all": range(len(form.words))}[on]
    texts = {}
    for position in chosen(generator, positions, p):
        text = confused(form.words[position].text, generator)
        if text is not None:
            texts[position] = text
    return form.with_texts(texts)
