"""Arguments of wrong types: each call gives a result, or an error of one line that says what was expected."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pytest

from docie.adapters import bio, donut, grouping, llm, records, tokens, training
from docie.adapters.grouping.documents import Entity
from docie.adapters.grouping.labelled_words import from_words
from docie.adapters.tokens.labels import label_names


def values() -> list[Any]:
    """Values of many types. New ones for each call, because a generator ends."""
    pandas = pytest.importorskip("pandas")
    cycle: list[Any] = []
    cycle.append(cycle)
    return [
        None, True, 5, -1, 10**400, 0.5, float("nan"), "x", "", b"x", object(), len, int, (), [], {}, {1}, [None], [5], ["x"],
        [[]], [{}], [["x", 5]], (5, "x"), {"a": 5}, {5: None}, cycle, {"a": cycle}, [object()], range(2), (each for each in [5, None]),
        np.array(5), np.array(["x"]), np.zeros((2, 3)), np.zeros((1, 2, 3)), np.array([object()]), np.datetime64("NaT"),
        pandas.Series([1, 2]), pandas.DataFrame({"a": [1, 2]}), pandas.NA, collections.UserDict(a=1), collections.UserList([1]),
    ]  # fmt: skip


class Tokenizer:
    """What `training.generation_metrics` needs of a tokenizer."""

    pad_token_id = 0

    def decode(self, ids: Any, **options: Any) -> str:
        return ""


TAGGED = [{"words": ["a"], "tags": ["B-a.b"], "input_ids": [5], "labels": [1]}]
RECORD = {"words": ["a"], "ner_tags": [0], "bboxes": [[0, 0, 1, 1]]}
CALLS: dict[str, tuple[Callable[..., Any], Mapping[str, Any]]] = {  # with arguments of which one at a time is wrong
    "bio.decode": (bio.decode, {"words": ["a"], "tags": ["B-x"], "scheme": "IOB2", "sentences": [1], "confidences": [0.5], "invalid": "refuse", "outside": True}),
    "bio.encode": (bio.encode, {"entities": [("a", "x")], "scheme": "IOB2"}),
    "bio.shuffle_entities": (bio.shuffle_entities, {"entities": [("a", "x")], "seed": 1}),
    "donut.to_document": (donut.to_document, {"sequence": "<s_a>x</s_a>", "task_token": "", "token_scores": [("x", 0.5)]}),
    "donut.to_sequence": (donut.to_sequence, {"document": {"a": "x"}}),
    "donut.tags": (donut.tags, {"documents": [{"a": "x"}]}),
    "donut.token2json": (donut.token2json, {"sequence": "<s_a>x</s_a>"}),
    "grouping.by_group_id": (grouping.by_group_id, {"entities": [Entity("a.b", "x")], "groups": ["a"]}),
    "grouping.entities": (grouping.entities, {"document": {"a": "x"}, "side": "reference"}),
    "grouping.from_words": (from_words, {"words": ["a"], "labels": ["x"], "groups": ["x"], "line_numbers": [1], "confidences": [0.5], "join_words": True}),
    "grouping.labelled_boxes": (grouping.labelled_boxes, {"labels": ["x"], "boxes": [[0, 0, 1, 1]]}),
    "grouping.slot_filling": (grouping.slot_filling, {"entities": [Entity("a.b", "x")], "groups": ["a"]}),
    "grouping.to_document": (grouping.to_document, {"grouped": [("a", [Entity("a.b", "x")])], "ungrouped": [Entity("c", "x")]}),
    "llm.prompt": (llm.prompt, {"ontology": {"a": "A"}, "groups": ["a"], "confidences": True}),
    "llm.to_document": (llm.to_document, {"answer": '{"a": 1}', "schema": {"properties": {"a": {}}}, "token_scores": [("1", 0.5)]}),
    "records.cord": (records.cord, {"record": RECORD, "names": ["O"]}),
    "records.cord_names": (records.cord_names, {"document": {"a": "x"}}),
    "records.docvqa": (records.docvqa, {"record": {"answers": ["x"]}}),
    "records.funsd": (records.funsd, {"record": RECORD, "links": False, "names": ["O"]}),
    "records.words_and_boxes": (records.words_and_boxes, {"record": {**RECORD, "ner_tags": ["O"]}}),
    "records.xfund": (records.xfund, {"record": {"input_ids": [1], "entities": [], "relations": []}, "links": False, "decode": str}),
    "tokens.label_names": (label_names, {"id2label": ["O"]}),
    "tokens.word_labels": (tokens.word_labels, {"predictions": [[0]], "word_ids": [[0]], "id2label": ["O"], "documents": [0], "lengths": [1], "label_ids": [[0]], "strategy": "first"}),
    "training.generation_metrics": (training.generation_metrics, {"tokenizer": Tokenizer(), "references": [{"a": "x"}], "metrics": "kieval", "scores": ["kieval_entity_f1"]}),
    "training.generation_metrics.from_dataset": (training.generation_metrics.from_dataset, {"dataset": [{"reference": {"a": "x"}}], "tokenizer": Tokenizer(), "reference": "reference"}),
    "training.reward": (training.reward, {"family": "kieval", "reference": "reference", "unreadable": -1.0, "parse": "auto"}),
    "training.token_classification_metrics.from_dataset": (training.token_classification_metrics.from_dataset, {"dataset": TAGGED, "rows": TAGGED, "tokenizer": Tokenizer(), "id2label": ["O", "B-a.b"], "reference": "tags", "groups": ["a"]}),
    "training.token_classification_metrics": (training.token_classification_metrics, {"words": [["a"]], "references": [{}], "word_ids": [[0]], "id2label": ["O", "B-a.b"], "groups": ["a"], "metrics": "kieval", "documents": [0], "strategy": "first", "scores": ["kieval_entity_f1"]}),
}  # fmt: skip
ARGUMENTS = [
    (name, argument)
    for name, (_, arguments) in CALLS.items()
    for argument in arguments
    if argument != "tokenizer"  # whatever has `decode` may be one, bytes too
]


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS, ids=itertools.starmap("{}-{}".format, ARGUMENTS))
def test_an_argument_of_another_type(name: str, argument: str) -> None:
    call, arguments = CALLS[name]
    call(**arguments)
    for value in values():
        message = _message_of(partial(call, **{**arguments, argument: value}))
        assert message is None or ("\n" not in message and 0 < len(message) < 400), (type(value), message)


def _message_of(call: Callable[[], Any]) -> str | None:
    """The message of a refusal, None if there is none. Any other error ends the test."""
    try:
        call()
    except ValueError as error:
        return str(error)
    except TypeError as error:
        return str(error) if "expected" in str(error) else f"\n{error}"
    return None
