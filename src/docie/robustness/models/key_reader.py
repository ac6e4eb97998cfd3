"""A rule-based model, to try attacks without training: the value of a field is the text after its key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from docie.core.errors import shortened
from docie.core.values.plain import JsonObject
from docie.robustness.form import Page
from docie.robustness.form.page import reading_order


class KeyRule(NamedTuple):
    """A rule for finding a value.

    Attributes:
        field (str): the entity type.
        keys (list of tuple of str): the words of each possible key; the first one found counts.
        words (int): the number of words of the value.
    """

    field: str
    keys: Sequence[tuple[str, ...]]
    words: int = 1


class KeyReader:
    """Reads the words after a key, in forms from `docie.robustness.run` and `docie attack`.

    Args:
        rules (iterable of KeyRule): one rule for each field.
        sorts (bool): whether words are sorted line by line before they are read; otherwise they are read in the form's
            own order.

    >>> from docie.robustness.form import Field, Word
    >>> form = Page([Word("Date"), Word("5"), Word("May"), Word("Total"), Word("9.00")], [Field("date", (1, 2), (0,))])
    >>> KeyReader.of([form])([form]), KeyReader([KeyRule("total", [("Total",)])])([form])
    ([{'date': '5 May'}], [{'total': '9.00'}])
    """

    def __init__(self, rules: Iterable[KeyRule], *, sorts: bool = True) -> None:
        self.rules, self.sorts = [_checked(rule) for rule in rules], sorts

    @classmethod
    def of(cls, forms: Iterable[Page], *, sorts: bool = True) -> KeyReader:
        """A reader with the keys of these forms, and the number of words of each value.

        Args:
            forms (iterable of Page): forms with keys. Fields without keys, or without values, are never found.
            sorts (bool): as in the constructor.

        Returns:
            KeyReader: the reader.
        """
        rules = [
            KeyRule(field.type, [tuple(form.words[position].text for position in field.keys)], len(field.values))
            for form in forms
            for field in form.fields
            if field.keys and field.values
        ]
        return cls(rules, sorts=sorts)

    def __call__(self, forms: Sequence[Page]) -> list[JsonObject]:
        """The fields of forms, as `docie.robustness.run` needs them.

        Args:
            forms (list of Page): the forms, attacked or not.

        Returns:
            list of dict: a document for each. A field that is found several times is a list.
        """
        return [self._document(self._texts(form)) for form in forms]

    def _texts(self, form: Page) -> list[str]:
        places: Iterable[int] = reading_order(form) if self.sorts and form.has_boxes else range(len(form.words))
        return [form.words[place].text for place in places]

    def _document(self, words: Sequence[str]) -> JsonObject:
        places: dict[str, list[int]] = {}
        for place, word in enumerate(words[:-1]):
            places.setdefault(word, []).append(place)
        found: dict[str, list[str]] = {}
        used: set[tuple[int, tuple[str, ...]]] = set()  # fields with the same key read one occurrence each
        for rule in self.rules:
            standing = ((place, key) for key in rule.keys for place in places.get(key[0], ()))
            for place, key in standing:
                end = place + len(key)
                if end < len(words) and tuple(words[place:end]) == key and (place, key) not in used:
                    used.add((place, key))
                    found.setdefault(rule.field, []).append(" ".join(words[end : end + rule.words]))
                    break
        return {field: texts if len(texts) > 1 else texts[0] for field, texts in found.items()}


def _checked(rule: KeyRule) -> KeyRule:
    for key in rule.keys:
        if not isinstance(key, list | tuple) or not key:
            raise ValueError(f"{rule.field}: a key must be a list of its words, got {shortened(key)}")
    return rule._replace(keys=[tuple(key) for key in rule.keys])
