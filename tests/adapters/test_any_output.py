"""Whatever a model writes: no reader raises, every document can be scored, and the work grows as the output does."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from docie import oi_entities
from docie.adapters import bio, donut, grouping, llm, records, tokens
from docie.adapters.grouping.labelled_words import from_words
from docie.adapters.tokens.predictions import STRATEGIES
from docie.documents.document import parse_document
from docie.documents.tree import parse_tree

from answers import FAMILIES
from mutations import Mutator
from sizes import times

RECEIPT = {
    "company": "Kedai Kopi", "date": "2023-12-31", "total": {"price": "12.50", "cash": "20.00"},
    "menu": [{"nm": "Iced Latte", "cnt": "2", "price": {"value": "9.00", "confidence": 0.9}}, {"nm": "Bagel", "price": 3.5}],
}  # fmt: skip
LEAF = {"type": "object", "properties": {"value": {}, "confidence": {}}}
ITEM = {"properties": {"nm": {}, "price": LEAF, "sub": {"$ref": "#/$defs/Item"}}}
SCHEMA = {
    "$defs": {"Item": ITEM},
    "properties": {
        "company": {},
        "date": LEAF,
        "menu": {"items": {"$ref": "#/$defs/Item"}},
        "total": ITEM,
        "value": {},
    },
}
SIGNS = [*"{}[]\",:'\\<>/&#.aZ09é� \n", "```", "null", "s_", "<s_", "</s_", "<sep/>", "menu.", "value", "confidence", "95%", "1e999", "\x00"]  # fmt: skip
WORDS = ["Kedai", "Kopi", "2", "Latte", "9.00"]
TAGS = ["B-company", "I-company", "B-menu.nm", "I-menu.nm", "S-total", "L-total", "O", "B", "I-", "E-menu.price"]
ODD = [None, float("nan"), float("inf"), -1, 2, "x", 10**400, True, 0.5, 0.9]
COUNTED = 50
"""One document of so many is counted by all families; every one is read by the readers of documents."""


def check(document: Any, number: int) -> None:
    """Fail unless a document can be scored."""
    if document is None:
        return
    parse_document(document, "prediction")
    parse_tree(document, "prediction")
    json.dumps(document)
    if number % COUNTED == 0:
        for family in FAMILIES:
            assert family.count(document, RECEIPT).invalid_predictions == 0
        oi_entities.count(grouping.entities(document, side="prediction"), [["total", "12.50"]])


ANSWERS = [json.dumps(RECEIPT), json.dumps(RECEIPT, indent=2), f"Here:\n```json\n{json.dumps([RECEIPT, {'tax': '1'}])}\n```", json.dumps({"Total.Price": "1", "menu.nm": "x", "Date": {"Value": "1", "Confidence": "95%"}})]  # fmt: skip


def answer(mutator: Mutator) -> Any:
    return llm.to_document(mutator.text(), schema=SCHEMA if mutator.rng.random() < 0.5 else None).document


def parsed_answer(mutator: Mutator) -> Any:
    """An object as a client library parses it, with Python's values anywhere in it."""
    value = mutator.value(RECEIPT, [*ODD, {1}, b"x", object(), (1, [2]), [[]], {}, {None: 1}, [RECEIPT]])
    return llm.to_document(value, schema=SCHEMA if mutator.rng.random() < 0.5 else None).document


def sequence(mutator: Mutator) -> Any:
    text = mutator.text()
    scores: Any = None
    if mutator.rng.random() < 0.5:
        pieces = [text[start : start + 3] for start in range(0, len(text), 3)]
        scores = [
            (mutator.rng.choice((piece, "\u2581" + piece, "<0xE2>")), mutator.rng.choice(ODD)) for piece in pieces
        ]
    return donut.to_document(text, token_scores=scores, task_token=mutator.rng.choice((None, "", "<s_cord>"))).document


def tagged(mutator: Mutator) -> Any:
    rng = mutator.rng
    tags = rng.choices(TAGS, k=len(WORDS))
    if rng.random() < 0.2:
        tags[rng.randrange(len(tags))] = "B-" + mutator.piece()
    tags = [tag for tag in tags if not tag.startswith("L")] if (scheme := rng.choice((None, "BILOU"))) is None else tags
    if scheme:
        tags = [tag for tag in tags if not tag.startswith(("E", "S"))]
    words, confidences = WORDS[: len(tags)], rng.choices([0.5, 0.9, None, 1.0, 0.0], k=len(tags))
    entities = bio.decode(words, tags, scheme, confidences=confidences)
    groups: Any = rng.choice((["menu"], ["menu", "total"], [], {"menu": ["menu.nm"]}))
    return grouping.slot_filling(entities, groups)


def token_rows(mutator: Mutator) -> Any:
    """Logits of a model, or of one that has diverged."""
    rng = mutator.rng
    names = ["O", *rng.sample(["B-company", "I-company", "B-menu.nm", "B-menu.price", "I-menu.nm"], 4)]
    logits = [[rng.choice((0.0, 3.0, -9.0, float("nan"), float("inf"))) for _ in names] for _ in WORDS]
    [found] = tokens.word_labels(
        [logits], [rng.choices([None, 0, 1, 2], k=len(WORDS))], names, strategy=rng.choice(STRATEGIES)
    )
    words = WORDS[: len(found.labels)]
    labels = [label.partition("-")[2] or "O" for label in found.labels]
    lines = rng.choices([1, 2, "", None], k=len(words))
    return from_words(words, labels, groups=["menu"], line_numbers=lines, confidences=found.confidences, join_words=True)  # fmt: skip


def named(mutator: Mutator) -> Any:
    """CORD's names for what a model made of CORD's keys; what it gives must be read if what it gets can be."""
    document = llm.to_document(mutator.text()).document
    return records.cord_names(document)


CORD = (
    '{"menu": [{"nm": "Latte", "sub": [{"sub_nm": "oat"}, {"menu.sub_price": "0.50"}]}], "total": {"cashprice": "5"}}'
)
READERS: list[tuple[Callable[[Mutator], Any], list[str], int]] = [  # each with texts to garble, and its share
    (answer, ANSWERS, 30), (parsed_answer, [""], 15), (sequence, [donut.to_sequence(RECEIPT)], 25),
    (tagged, WORDS, 15), (token_rows, [""], 5), (named, [CORD], 10),
]  # fmt: skip


@pytest.mark.parametrize(("reader", "texts", "share"), READERS, ids=[reader.__name__ for reader, _, _ in READERS])
@times(100_000, 2000)
def test_no_output_is_too_garbled(reader: Any, texts: list[str], share: int, times: int) -> None:
    """DOCIE_MUTATIONS sets the number of outputs of all readers together, DOCIE_SEED the seed."""
    seed = int(os.environ.get("DOCIE_SEED") or random.SystemRandom().randrange(10**6))
    count = int(os.environ.get("DOCIE_MUTATIONS") or times) * share // 100
    print(f"seed {seed}: {count} outputs of {reader.__name__}")  # pytest shows it if the test fails
    mutator = Mutator(texts, random.Random(seed), SIGNS)
    start = process_time()
    for number in range(count):
        check(reader(mutator), number)
    print(f"{count / (process_time() - start):.0f} a second")
