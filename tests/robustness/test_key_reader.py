"""The model of one rule."""

from __future__ import annotations

from typing import Any

import pytest

from docie.robustness import KeyReader, KeyRule
from docie.robustness.form import Page, Word


def test_fields_with_the_same_key_read_an_occurrence_each() -> None:
    words = ["Tel", "1", "Tel", "2"]
    form = Page.from_record({"words": words, "labels": ["a", "a", "b", "b"], "is_key": [1, 0, 1, 0]})
    assert KeyReader.of([form])([form]) == [{"a": "1", "b": "2"}]
    twice = Page.from_record({"words": words, "labels": ["a"] * 4, "is_key": [1, 0, 1, 0]})
    assert KeyReader.of([twice])([twice]) == [twice.document()] == [{"a": ["1", "2"]}]


def test_keys_are_lists_of_words() -> None:
    form = Page([Word(text) for text in ("Invoice", "No.", "4711")])
    assert KeyReader([KeyRule("number", [["Invoice", "No."]])])([form]) == [{"number": "4711"}]  # type: ignore[list-item]
    bad: list[Any] = [["Invoice No."], "Total", [()]]
    for keys in bad:
        with pytest.raises(ValueError, match="number: a key must be a list of its words, got "):
            KeyReader([KeyRule("number", keys)])
