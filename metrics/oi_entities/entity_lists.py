"""Lists of entities: (category, text) pairs, or the tagged words that hold them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from docie.core.errors import DocumentError, in_json, json_kind, located_errors
from docie.core.values.plain import as_list, is_list, plain_value, scalar_text
from docie.documents.tagging import find_spans
from docie.documents.tagging.tagged_words import TaggedWords, parse_tagged_words

EXPECTED = '{"category": ..., "text": ...} or [category, text]'


class EntityList(NamedTuple):
    """The entities of a document, (category, text), in order; of tagged words also the text of all words."""

    entities: list[tuple[str, str]]
    text: str | None = None


def parse_entities(
    value: object, side: str, *, normalize: Callable[[str, str], str] | None = None
) -> EntityList | None:
    """Read a list of entities, or tagged words.

    Args:
        value (list or dict): a list of entities. An entity is an object with the keys `category` and `text` (others are
            ignored), or a list of these two, which a confidence and a group id may follow. A text may be a number or a
            boolean; None makes no entity, an empty text makes one. Or tagged words, `{"words": [...], "tags": [...]}`,
            which are read leniently in any scheme but BILOU (see `docie.tagging`). The words of an entity are joined by
            blanks.
        side (str): "prediction" or "reference".
        normalize: a function (category, text) → text, applied to the text of every entity, and with the category "" to
            the text of all words.

    Returns:
        EntityList: the entities; None for a prediction that is neither.

    Raises:
        DocumentError: for a reference that is neither, and for what cannot be read; it names the entity or the tag.

    >>> parse_entities([["date", "26 mai 1770"], {"category": "serie", "text": "X1A"}], "reference").entities
    [('date', '26 mai 1770'), ('serie', 'X1A')]
    >>> parse_entities({"words": ["le", "26", "mai"], "tags": ["O", "B-date", "I-date"]}, "reference")
    EntityList(entities=[('date', '26 mai')], text='le 26 mai')
    """
    try:
        result = _read(value)
    except DocumentError as error:
        error.side = side
        raise
    if result is None and side == "reference":
        problem = f"reference must be a list of entities or tagged words, got {json_kind(value)}"
        raise DocumentError(problem, side=side)
    return result if result is None or normalize is None else _normalized(result, normalize)


def _read(value: object) -> EntityList | None:
    words = parse_tagged_words(value)
    if words is not None:
        return _from_words(words)
    if is_list(value):
        return EntityList(list(_entities(as_list(value))))
    return None


def _from_words(tagged: TaggedWords) -> EntityList:
    texts = [_word(word, number) for number, word in enumerate(tagged.words)]
    spans = find_spans(tagged.tags, sentences=tagged.sentences)
    entities = [(span.type, " ".join(texts[span.first : span.last + 1])) for span in spans]
    return EntityList(entities, " ".join(texts))


def _word(word: object, number: int) -> str:
    return word if type(word) is str else _text(word, "a word", f"word {number}") or ""


def _entities(elements: Iterable[object]) -> Iterator[tuple[str, str]]:
    for number, element in enumerate(elements):
        category, text = _parts(element, number)
        if type(text) is not str:
            text = _text(text, "the text", f"entity {number}")
            if text is None:
                continue
        yield category, text


def _parts(element: object, number: int) -> tuple[str, object]:
    """Category and text of an entity; the text as it stands."""
    if isinstance(element, dict) and "category" in element and "text" in element:
        category, text = element["category"], element["text"]
    elif is_list(element) and 2 <= len(element) <= 4:
        category, text = element[:2]
    else:
        raise DocumentError(f"expected {EXPECTED}, got {in_json(element)}", item=f"entity {number}")
    if not isinstance(category, str):
        raise DocumentError(f"the category must be text, got {in_json(category)}", item=f"entity {number}")
    return category, text


def _text(value: object, name: str, place: str) -> str | None:
    with located_errors(item=place):
        if not isinstance(plain_value(value), list | tuple | dict):
            return scalar_text(value)
    raise DocumentError(f"{name} must be a single value, got {in_json(value)}", item=place)


def _normalized(entity_list: EntityList, normalize: Callable[[str, str], str]) -> EntityList:
    entities = [(category, normalize(category, text)) for category, text in entity_list.entities]
    return EntityList(entities, None if entity_list.text is None else normalize("", entity_list.text))
