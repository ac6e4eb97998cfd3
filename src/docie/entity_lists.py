"""Lists of entities: (category, text) pairs, or the tagged words that hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from docie.errors import DocumentError, shortened
from docie.tagging import Tagged, spans, tagged
from docie.values import as_list, is_list, plain_value, scalar_text

EXPECTED = '{"category": ..., "text": ...} or [category, text]'


class EntityList(NamedTuple):
    """The entities of a document, (category, text), in order; with tagged words, the text of all words as well."""

    entities: list[tuple[str, str]]
    text: str | None = None

    def categories(self) -> list[str]:
        """The categories of the entities, in order."""
        return [category for category, _ in self.entities]


def parse(value: object, side: str, *, normalize: Callable[[str, str], str] | None = None) -> EntityList | None:
    """Read a list of entities, or tagged words.

    An entity is an object with the keys `category` and `text` (others are ignored) or a list of these two, which a
    confidence and a group id may follow; a text may be a number or a boolean, None makes no entity, and an empty text
    is one. Tagged words are `{"words": [...], "tags": [...]}`, read leniently in any scheme but BILOU (see
    `docie.tagging`); an entity's text is its words, joined by blanks. `normalize(category, text)` is applied to every
    entity's text; the text of all words has the category "".

    A prediction that is neither gives None; of a reference that is an error. Raises DocumentError, naming the entity or
    tag, for what cannot be read.

    >>> parse([["date", "26 mai 1770"], {"category": "serie", "text": "X1A"}], "reference").entities
    [('date', '26 mai 1770'), ('serie', 'X1A')]
    >>> parse({"words": ["le", "26", "mai"], "tags": ["O", "B-date", "I-date"]}, "reference")
    EntityList(entities=[('date', '26 mai')], text='le 26 mai')
    """
    try:
        found = _read(value)
    except DocumentError as error:
        error.side = side
        raise
    if found is None and side == "reference":
        problem = f"reference must be a list of entities or tagged words, got {type(value).__name__}"
        raise DocumentError(problem, side=side)
    return found if found is None or normalize is None else _normalized(found, normalize)


def _read(value: Any) -> EntityList | None:
    words_and_tags = tagged(value)
    if words_and_tags is not None:
        return _from_words(words_and_tags)
    if is_list(value):
        return EntityList(list(_entities(as_list(value))))
    return None


def _from_words(tagged: Tagged) -> EntityList:
    texts = [_word(word, number) for number, word in enumerate(tagged.words)]
    found = spans(tagged.tags, sentences=tagged.sentences)
    entities = [(span.type, " ".join(texts[span.first : span.last + 1])) for span in found]
    return EntityList(entities, " ".join(texts))


def _word(word: Any, number: int) -> str:
    return word if type(word) is str else _text(word, "a word", f"word {number}") or ""


def _entities(elements: Iterable[Any]) -> Iterator[tuple[str, str]]:
    for number, element in enumerate(elements):
        category, text = _parts(element, number)
        if type(text) is not str:
            text = _text(text, "the text", f"entity {number}")
            if text is None:
                continue
        yield category, text


def _parts(element: Any, number: int) -> Sequence[Any]:
    """Category and text of an entity; the text as it stands."""
    if isinstance(element, dict) and "category" in element and "text" in element:
        parts: Sequence[Any] = (element["category"], element["text"])
    elif is_list(element) and 2 <= len(element) <= 4:
        parts = element[:2]
    else:
        raise DocumentError(f"expected {EXPECTED}, got {shortened(element)}", item=f"entity {number}")
    if not isinstance(parts[0], str):
        raise DocumentError(f"the category must be text, got {shortened(parts[0])}", item=f"entity {number}")
    return parts


def _text(value: Any, name: str, place: str) -> str | None:
    try:
        if not isinstance(plain_value(value), list | tuple | dict):
            return scalar_text(value)
    except (TypeError, ValueError) as error:
        raise DocumentError(str(error), item=place) from None
    raise DocumentError(f"{name} must be a single value, got {shortened(value)}", item=place)


def _normalized(found: EntityList, normalize: Callable[[str, str], str]) -> EntityList:
    entities = [(category, normalize(category, text)) for category, text in found.entities]
    return EntityList(entities, None if found.text is None else normalize("", found.text))
