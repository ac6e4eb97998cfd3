"""Probabilities of tokens → confidences of the values in an answer, beside an oracle on bytes."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.adapters import llm
from docie.adapters.token_scores import TokenScores
from docie.documents.leaves import is_scored_leaf

from answers import check_scorable, leaves, values
from mutations import Mutator
from sizes import examples, times

Tokens = list[tuple[str | bytes, float]]
UNCERTAIN = "gave a value no confidence: which tokens are its own is uncertain"


def tokenized(text: str, rng: random.Random, longest: int = 6) -> Tokens:
    """A text in random tokens, which may end inside a letter, with random probabilities."""
    rest, tokens = text.encode(), Tokens()
    while rest:
        piece, rest = rest[: (cut := rng.randint(1, longest))], rest[cut:]
        is_text = piece.decode(errors="ignore").encode() == piece and rng.random() < 0.5
        tokens.append((piece.decode() if is_text else piece, rng.randint(0, 1000) / 1000))
    return tokens


def lowest(text: str, tokens: Tokens, start: int, end: int) -> float:
    """The oracle: the lowest probability of the tokens that have a byte of `text[start:end]`."""
    first, last, position, found = len(text[:start].encode()), len(text[:end].encode()), 0, []
    for token, probability in tokens:
        before, position = position, position + len(token if isinstance(token, bytes) else token.encode())
        if before < last and position > first:
            found.append(probability)
    return min(found)


def expected(text: str, tokens: Tokens) -> dict[tuple[Any, ...], float]:
    """The confidence of each value in a text, by its path."""
    found = {}
    for path, start, end in values(text):
        quote = text[start] == '"'
        if text[start:end] not in ("null", '""'):
            found[path] = lowest(text, tokens, start + quote, end - quote)
    return found


def scored(value: Any, confidences: dict[tuple[Any, ...], Any], path: tuple[Any, ...] = ()) -> Any:
    """A document with these confidences."""
    if isinstance(value, dict):
        return {key: scored(child, confidences, (*path, key)) for key, child in value.items()}
    if isinstance(value, list):
        return [scored(child, confidences, (*path, number)) for number, child in enumerate(value)]
    return {"value": value, "confidence": confidences[path]} if path in confidences else value


def unscored(value: Any) -> Any:
    """A document without any confidences."""
    if isinstance(value, dict):
        return (
            unscored(value["value"])
            if is_scored_leaf(value)
            else {key: unscored(child) for key, child in value.items()}
        )
    return [unscored(child) for child in value] if isinstance(value, list) else value


scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=12)
    | st.text('aé€😀"\\/\n ,:{}[]', max_size=12)
)
documents = st.dictionaries(
    st.text(max_size=4),
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
        max_leaves=12,
    ),
    min_size=1,
    max_size=4,
)


@given(documents, st.sampled_from([None, 1]), st.booleans(), st.randoms(use_true_random=False))
@examples(1000, 100)
def test_every_value_has_the_lowest_probability_of_its_tokens(
    document: dict[str, Any], indent: int | None, ascii_only: bool, rng: random.Random
) -> None:
    text = json.dumps(document, indent=indent, ensure_ascii=ascii_only)
    for answer in (text, f"Héré:\n```json\n{text}\n```\nDone.", f"<think>só</think> {text}"):
        tokens = tokenized(answer, rng)
        beside = [*tokenized("<think>é</think>", rng), *tokens, ("", 0.0), ("<|im_end|>", 0.0)]
        for each in (tokens, beside):
            parsed = llm.to_document(answer, token_scores=each)
            assert parsed.document == scored(document, expected(answer, tokens))
            assert UNCERTAIN not in "".join(parsed.issues)
    check_scorable(parsed.document)


WHOLE = '{"shop": "Café \\"J\\u00e9\\"", "items": [{"nm": "Latte", "opt": ["oat", 1.5]}, {"nm": "Mocha", "n": 2}], "paid": true, "tip": null}'


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("}", "}"), ('}, {', '} {'), ('", "', '" "'), (", ", ",, "), ("]", ",]"), ('"n":', "n:"), ('"items":', '""items":'), ("true", "True"), ('": ', '": /* x */ '), ('"oat"', "'oat'"),
        ('{"shop"', "Here: {'shop'"),
    ],
)  # fmt: skip
def test_a_repair_elsewhere_changes_no_confidence(old: str, new: str) -> None:
    text, rng = WHOLE.replace(old, new), random.Random(3)
    certain = [
        part for part in ('Café \\"J\\u00e9\\"', "Latte", "oat", "1.5", "Mocha", "2", "true", "True") if part in text
    ]
    paths = [path for path, _, _ in values(WHOLE)][: len(certain)]
    for _ in range(20):
        tokens = tokenized(text, rng)
        spans = [(text.index(part), text.index(part) + len(part)) for part in certain]
        confidences = {path: lowest(text, tokens, *span) for path, span in zip(paths, spans, strict=True)}
        parsed = llm.to_document(text, token_scores=tokens)
        assert parsed.document == scored(json.loads(WHOLE), confidences)
        assert UNCERTAIN not in "".join(parsed.issues)


@pytest.mark.parametrize("end", range(12, len(WHOLE)))
def test_of_a_value_that_is_cut_off_the_confidence_is_unknown(end: int) -> None:
    text = WHOLE[:end]
    tokens = tokenized(text, random.Random(end))
    plain = llm.to_document(text).document
    confidences = dict[Any, Any]()
    for path, start, stop in values(WHOLE):
        if dict(leaves(plain)).get(path) not in (None, ""):
            quote = text[start] == '"'
            is_whole = stop <= end if quote else stop < end
            confidences[path] = lowest(text, tokens, start + quote, stop - quote) if is_whole else None
    assert llm.to_document(text, token_scores=tokens).document == scored(plain, confidences)


@pytest.mark.parametrize(
    ("answer", "document", "number"),
    [
        ('{"a": "x, "b": "y"}', {"a": None, "b": 0.5}, 1),  # a quote is missing
        ('{"a": "say "x", please", "b": "y"}', {"a": None, "b": 0.5}, 1),
        ('{"a": ""x", "b": "y"}', {"a": None, "b": 0.5}, 1),
        ('{"a": Flat White, "b": 60,000}', {"a": None, "b": None}, 2),
        ("{“a”: “x”, “b”: “y”}", {"a": None, "b": None}, 2),
        ('"{\\"a\\": \\"x\\", \\"b\\": 1}"', {"a": None, "b": None}, 2),
        ("{'a': 'O'Brien', 'b': 'y'}", {"a": None, "b": 0.5}, 1),
    ],
)
def test_what_is_uncertain_is_said(answer: str, document: dict[str, Any], number: int) -> None:
    found = llm.to_document(answer, token_scores=[(letter, 0.5) for letter in answer])
    assert isinstance(found.document, dict)
    assert {key: leaf["confidence"] for key, leaf in found.document.items()} == document
    assert (UNCERTAIN if number == 1 else f"{UNCERTAIN} ({number} times)") in found.issues


def test_confidences_that_the_model_wrote_are_kept() -> None:
    text = '{"a": {"value": "x", "confidence": 0.9, "box": [0, 0, 1, 1]}, "b": {"value": "y", "confidence": null}, "c": "z"}'
    found = llm.to_document(text, token_scores=[(letter, 0.5) for letter in text])
    assert found.document == {
        "a": {"value": "x", "confidence": 0.9, "box": [0, 0, 1, 1]},
        "b": {"value": "y", "confidence": None},
        "c": {"value": "z", "confidence": 0.5},
    }
    assert found.issues == ["kept the confidence that the model wrote (2 times)"]


def test_names_of_a_schema_and_repeated_keys() -> None:
    text = '{"Total Price": "1", "Total Price": "1", "mood": "fine", "value": 2}'
    tokens = [(letter, 0.5 if letter == "1" else 0.75) for letter in text]
    schema: Any = {"properties": {"total_price": {}, "value": {}}}
    found = llm.to_document(text, schema=schema, token_scores=tokens)
    plain = llm.to_document(text, schema=schema)
    document = {"total_price": {"value": "1", "confidence": 0.5}, "value": {"value": 2, "confidence": 0.75}}
    assert found == (document, plain.issues)


def test_tokens_with_the_marks_of_a_tokenizer_are_searched() -> None:
    text = '{"a": "Iced Latte", "b": 12}'
    tokens = [('{"', 1.0), ("a", 1.0), ('":', 1.0), ('▁"', 1.0), ("Iced", 0.9), ("▁Latte", 0.75), ('",', 1.0), ('▁"b":', 1.0), ("▁12", 0.5), ("}", 1.0)]  # fmt: skip
    assert llm.to_document(text, token_scores=tokens).document == {
        "a": {"value": "Iced Latte", "confidence": 0.75},
        "b": {"value": 12, "confidence": 0.5},
    }


def test_tokens_of_the_same_text_twice() -> None:
    """The last one is the answer, if a model thinks before it answers."""
    scores = TokenScores("ab", [("ab", 0.1), ("a", 0.9), ("b", 0.8)])
    assert (scores.least([(0, 1)]), scores.least([(1, 2)])) == (0.9, 0.8)


@times(10_000, 1000)
def test_garbled_answers_have_the_same_values_with_and_without_scores(times: int) -> None:
    rng = random.Random(9)
    mutator = Mutator([WHOLE, f"```json\n{WHOLE}\n```"], rng, [*"{}[]\",:0é'\\ ", "null", '","', "value", "confidence"])
    for _ in range(times):
        text = mutator.text()
        tokens: list[Any] = tokenized(text, rng) if rng.random() < 0.5 else tokenized(mutator.text(), rng)
        plain, found = llm.to_document(text), llm.to_document(text, token_scores=tokens)
        assert json.dumps(unscored(found.document)) == json.dumps(unscored(plain.document)), text
        check_scorable(found.document or {}, [])


@pytest.mark.parametrize("text", ["1.50", "12", "true", '"1"', "[1, true]", '["x", 12]'])
def test_what_is_no_object_is_refused_in_the_same_words(text: str) -> None:
    plain = llm.to_document(text)
    assert plain.document is None
    assert llm.to_document(text, token_scores=[(text, 0.9)]) == plain
