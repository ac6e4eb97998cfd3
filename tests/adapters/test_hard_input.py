"""Hard and hostile input: what is no argument is an error of one line, and the work grows as the input does."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from time import process_time
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docie import adapters, corpus, kieval, tagging
from docie.core.errors import shortened
from docie.documents.tagging.spans import tags_of
from docie.documents.tagging.tagged_words import parse_lines

for name in ("bio", "donut", "grouping", "llm", "records", "tokens", "training"):
    import_module(f"docie.adapters.{name}")
untyped: Any = adapters  # these tests pass arguments of other types on purpose
bio, donut, grouping, llm = untyped.bio, untyped.donut, untyped.grouping, untyped.llm
records, tokens, training, Entity = untyped.records, untyped.tokens, untyped.training, untyped.grouping.Entity
NO: Any = 5  # an argument of another type
CYCLE: dict[str, Any] = {}
CYCLE |= {"a": CYCLE, "b": [CYCLE, CYCLE]}
LEAF: dict[str, Any] = {"properties": {"value": {}, "confidence": {}}}


# --- scorable comes last ---


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize(
    ("answer", "document"),
    [
        ('{"total": {"value": "12", "confidence": "high", "source": "l3"}}', {"total": {"value": "12", "confidence": None}}),
        ('{"total": {"Value": "12", "Confidence": "95%"}}', {"total": {"value": "12", "confidence": 0.95}}),
        ('{"total.Value": "12", "total.confidence": 1.7}', {"total": {"value": "12", "confidence": None}}),
    ],
)  # fmt: skip
def test_what_becomes_a_scored_leaf_by_a_schema_can_be_scored(answer: str, document: Any, as_text: bool) -> None:
    value = answer if as_text else llm.to_document(answer).document
    found = llm.to_document(value, schema={"properties": {"total": LEAF}}).document
    assert found == document
    kieval.count(found, {"total": "12"})


def test_box_and_page_of_a_scored_leaf() -> None:
    leaf = {"value": "1", "confidence": 0.5}
    box: list[Any] = []
    box.append(box)
    parsed = llm.to_document({"a": {**leaf, "box": b"x", "page": 10**5000}, "b": {**leaf, "box": [np.int64(1), {2}], "page": 3}, "c": {**leaf, "box": box}})  # fmt: skip
    assert parsed.document == {"a": leaf, "b": {**leaf, "box": [1], "page": 3}, "c": {**leaf, "box": []}}
    assert "dropped 'a.page', a number of more than 4,300 digits" in parsed.issues


def test_lists_of_parsed_objects_with_any_values() -> None:
    parsed = llm.to_document([{"a": (1, [2])}, {"a": {3}}, {"a": np.array([4])}, {"a": 1.5}])
    assert parsed.document == {"a": [1, [2], [4], 1.5]}


@pytest.mark.parametrize("schema", [None, {"additionalProperties": True}, {"properties": {"a": {}, "b": {}}}])
def test_objects_that_contain_themselves(schema: Any) -> None:
    document = llm.to_document(CYCLE, schema=schema).document
    assert document is not None
    kieval.count(document, {})


# --- arguments of other types ---

TAGGED = {"ner_tags": [0], "words": ["a"], "bboxes": [[0, 0, 10**400, 1]]}
PAGE = {"meta": {"image_size": {"width": 10**400, "height": 3}}, "valid_line": []}
COUNTS: Any = kieval.count({"a": "1"}, {"a": "1"}).to_json()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: donut.to_document("", token_scores=[(None, 0.5)]), "token_scores 0: expected pairs of a token's text and its probability, got (None, 0.5)"),
        (lambda: donut.to_document("", token_scores=5), "token_scores must be a list, got 5"),
        (lambda: donut.to_document("", task_token=5), "task_token must be text, got 5"),
        (lambda: donut.to_sequence(CYCLE), None),
        (lambda: donut.tags(5), "documents must be a list, got 5"),
        (lambda: donut.token2json(5), "sequence must be text, got 5"),
        (lambda: bio.decode(["a"], ["O"], sentences="x"), "expected sentences that add up to 1 words, got 'x'"),
        (lambda: bio.decode(5, ["O"]), "words must be a list, got 5"),
        (lambda: bio.decode(["a"], ["O"], []), "unknown scheme [], expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        (lambda: bio.decode(["a"], ["B-a"], confidences=5), "confidences must be a list, got 5"),
        (lambda: bio.decode(["a", "b"], ["B-a", "I-a"], confidences=["x", 0.5]), "confidences must be numbers or None, got ['x', 0.5]"),
        (lambda: bio.shuffle_entities(["a"], "x"), "seed must be a whole number of at least 0, got 'x'"),
        (lambda: grouping.slot_filling(5, ["a"]), "entities must be a list, got 5"),
        (lambda: grouping.slot_filling([5], ["a"]), "entity 0 must be a type, a value, a confidence and a group id, got 5"),
        (lambda: grouping.slot_filling([Entity(None, "x")], ["a"]), "entity 0 must be a type, a value, a confidence and a group id, got Entity(type=None, value='x', confidence=None, group=None)"),
        (lambda: grouping.slot_filling([], 5), "groups must be a list, got 5"),
        (lambda: grouping.slot_filling([], [5]), "groups must be a list of group types, got [5]"),
        (lambda: grouping.slot_filling([], {"a": 5}), "groups must map each group type to a list of entity types, got {'a': 5}"),
        (lambda: grouping.by_group_id([Entity("a", "x", None, [])], ["a"]), "entity 0 must be a type, a value, a confidence and a group id, got Entity(type='a', value='x', confidence=None, group=[])"),
        (lambda: grouping.to_document([5]), "group 0 must be a group type and its entities, got 5"),
        (lambda: grouping.from_words(["a"], [5], groups=[]), "labels must be texts or None, got 5"),
        (lambda: grouping.from_words(["a"], ["a"], groups=[], line_numbers=[[]]), "group ids and line numbers must be texts, numbers or None, got []"),
        (lambda: grouping.from_words([5], ["a"], groups=[], line_numbers=[1], join_words=True), "join_words needs words that are texts"),
        (lambda: grouping.labelled_boxes(["a"], [5]), "box 0: expected four numbers, four points or eight numbers, got 5"),
        (lambda: tokens.word_labels([[0]], [[0]], None), "id2label must give names by numbers, got None"),
        (lambda: tokens.word_labels([[0]], 5, ["O"]), "word_ids must be a list, got 5"),
        (lambda: tokens.word_labels([[0]], [[10**12]], ["O"]), "row 0: word_ids must be whole numbers up to 10,000,000 or None, got [1000000000000]"),
        (lambda: tokens.word_labels([[0]], [["x"]], ["O"]), "row 0: word_ids must be whole numbers up to 10,000,000 or None, got ['x']"),
        (lambda: tokens.word_labels([[0]], [[0]], ["O"], lengths=["x"]), "lengths must be whole numbers, got 'x'"),
        (lambda: records.words_and_boxes(PAGE), f"CORD record: field 'width' must be finite, got 1{'0' * 59}…"),
        (lambda: records.words_and_boxes(TAGGED, names=["O"]), None),
        (lambda: records.cord(TAGGED, names=5), "CORD record: names must be a list, got 5"),
        (lambda: records.cord_names(CYCLE), None),
        (lambda: tagging.find_spans(["O"], sentences=NO), "sentences must be a list of their lengths, got 5"),
        (lambda: tags_of([NO], 1), "span 0 must be a type and the positions of its first and last word, got 5"),
        (lambda: parse_lines(NO), "expected the text of a file, got 5"),
        (lambda: llm.prompt({"a": "b"}, confidences="x"), "confidences must be True or False, got 'x'"),
        (lambda: training.generation_metrics(SimpleNamespace(decode=lambda ids, **options: ""), 5), "references must be a list, got 5"),
        (lambda: training.token_classification_metrics([["a"]], 5, [[0]], ["O"]), "references must be a list, got 5"),
        (lambda: training.token_classification_metrics([["a"]], [{}], [[0]], ["O"], metrics=5), "metrics must be names of families, got 5"),
        (lambda: corpus.evaluate(kieval, [{}], NO), "references must be a sequence of documents, got int"),
        (lambda: corpus.evaluate(kieval, [CYCLE], [{}]), None),
        (lambda: corpus.Partial.sum_of(NO), "expected a list of Partials, got 5"),
        (lambda: corpus.Partial.sum_of(COUNTS), None),
        (lambda: corpus.Partial.from_json({"counts": NO}), "expected the JSON of counts, got 5"),
        *((lambda change=change: corpus.Partial.from_json({"counts": COUNTS | change}), None) for change in (
            {"documents": "1"}, {"documents": -1}, {"documents": float("nan")}, {"documents": True}, {"signature": 5},
            {"rows": 5}, {"rows": [[["a"], [float("nan")]]]}, {"rows": [[["a"], [[1.0, float("inf")]]]]}, {"rows": [["a", [1]]]},
            {"rows": [[[[]], [1]]]}, {"rows": [[["a"], [10**400]]]}, {"rows": [[["a"], [1]], [["a"], [2]]]}, {"listed": "x"},
            {"rows": [[["a", "b"], [1]], [["a", "c"], [1, 2]]]},
        )),
    ],
)  # fmt: skip
def test_what_is_no_argument(call: Callable[[], Any], message: str | None) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the message is compared whole
        call()
    assert message is None or str(error.value) == message
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


def test_what_tables_write_for_nothing() -> None:
    pandas = pytest.importorskip("pandas")
    found = grouping.from_words(["a", "b"], ["x", pandas.NA], groups=[], line_numbers=[pandas.NA, 1], confidences=[pandas.NA, 0.5])  # fmt: skip
    assert found == {"x": "a"}
    boxes = grouping.labelled_boxes(["x", None], [[0, 0, 1, 1]] * 2, [pandas.NaT, 1])
    assert boxes == [{"label": "x", "box": [0, 0, 1, 1]}]
    assert llm.to_document({"a": pandas.NA, "b": [pandas.NaT]}).document == {"a": None, "b": [None]}


def test_messages_show_the_beginning_of_any_value() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert shortened(deep) == "[" * 60 + "…"
    assert shortened(CYCLE).startswith("{'a': {'a': ")
    assert shortened(np.zeros((2, 2))) == "array([[0., 0.], [0., 0.]])"
    values: list[Any] = [(1,), (), {}, [], {"a": (1, [2, None])}, "x", {1: "y"}]
    for value in values:
        assert shortened(value) == repr(value)


# --- stacks of 1 MB ---

DEEP = """
import sys, threading
import docie
from docie import anls_star, kieval, nted
from docie.adapters import donut, llm
from docie.documents.tree import parse_tree
from docie.module import encode
from docie.core.values.json_text import loads

metrics = [docie.load(name) for name in ("kieval", "entity_f1", "box_iou")]

def attempt(call):
    try:
        call()
    except ValueError as error:
        assert len(str(error)) < 200

def objects(levels, value="x"):
    for _ in range(levels):
        value = {"a": value}
    return value

def lists(levels):
    value = "x"
    for _ in range(levels):
        value = [value, "b"]
    return {"a": value}

def work():
    for text in ("[" * 100_000, '{"a":' * 100_000, "{" * 100_000, '"[' * 50_000, 'x {"a": [' * 30_000, "[" * 250 + "]" * 250):
        attempt(lambda: loads(text))
        llm.to_document(text)
        llm.to_document("Here: " + text, schema={"additionalProperties": True})
    donut.to_document("<s_a>" * 100_000)
    donut.token2json("<s_a>" * 500 + "x" + "</s_a>" * 500)
    for value in (objects(100), lists(99), objects(100_000), lists(100_000)):
        llm.to_document(value, schema={"additionalProperties": {"additionalProperties": True}})
        for read in (donut.to_sequence, lambda value: parse_tree(value, "reference")):
            attempt(lambda: read(value))
        for family in (anls_star, kieval, nted):
            attempt(lambda: family.count(value, value))
        for is_reference in (False, True):
            attempt(lambda: encode(value, is_reference=is_reference))
        for metric in metrics:
            attempt(lambda: metric.compute(predictions=[value], references=[value]))
            attempt(lambda: metric.compute(predictions=[[value]], references=[[value]]))
"""


@pytest.mark.exhaustive(minutes=True)
@pytest.mark.parametrize("limit", [1000, 500_000])
def test_a_thread_with_a_stack_of_1_mb(limit: int) -> None:
    """In a process of its own, which a stack that is too small would end."""
    script = f"""{DEEP}
limit = {limit}
sys.setrecursionlimit(limit)
threading.stack_size(1 << 20)
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert sys.getrecursionlimit() == limit
print("done")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


# --- growth ---

LOOP = {"$defs": {"A": {"properties": {"a": {"$ref": "#/$defs/A"}}}}, "$ref": "#/$defs/A"}
GROWTHS: dict[str, tuple[Callable[[int], Any], int]] = {  # each with a size that takes some ten milliseconds
    "dotted keys": (lambda n: llm.to_document({f"{k}." + "a." * 1000: 1 for k in range(n)}, schema=LOOP), 1000),
    "one dotted key": (lambda n: llm.to_document('{"' + "a." * n + 'a": 1}', schema=LOOP), 50_000),
    "dotted keys that fit": (lambda n: llm.to_document({"a." * 60 + str(k): 1 for k in range(n)}, schema=LOOP), 50),
    "scores not found": (lambda n: donut.to_document("<s_a>" + "ab " * n, token_scores=[("xyz", 0.5)] * n), 4000),
    "scores of parts of letters": (lambda n: donut.to_document("<s_a>" + "é" * n, token_scores=[("<0xC3>", 0.5)] * n), 4000),
    "group types": (lambda n: grouping.slot_filling([Entity(f"t{k}.a", "x") for k in range(n)], [f"t{k}" for k in range(n)]), 2000),
    "types of a group": (lambda n: grouping.slot_filling([Entity(f"t.{k}", "x") for k in range(n)], ["t"]), 4000),
    "brackets": (lambda n: llm.to_document("[" * n), 50_000),
    "objects without an end": (lambda n: llm.to_document('x {"a": [' * n), 2000),
    "objects": (lambda n: llm.to_document("Here: [" + '{"a": "1"}, ' * n), 5000),
    "quotes": (lambda n: llm.to_document('{"a": "' + 'b" ' * n), 5000),
    "sequences": (lambda n: donut.to_document("<s_a><s_b>x</s_a>" * n), 2000),
    "tags": (lambda n: bio.decode(["x"] * n, [f"B-{k}" for k in range(n)]), 20_000),  # more than a reader remembers
    "long tags": (lambda n: bio.decode(["x"] * n, ["B-" + "a" * 200] * n), 5000),
}  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", GROWTHS)
def test_the_work_grows_as_the_input_does(name: str) -> None:
    """Eight times the input takes eight times the processor's time, not 64 times. The bound lies between, far from both:
    a busy machine may double a time. Garbage is not collected meanwhile: that depends on what other tests have left."""
    run, size = GROWTHS[name]

    def time_of(size: int) -> float:
        start = process_time()
        run(size)
        return process_time() - start

    time_of(size)
    gc.collect()
    gc.disable()
    try:
        small, large = zip(*((time_of(size), time_of(8 * size)) for _ in range(3)), strict=True)
    finally:
        gc.enable()
    assert min(large) < 24 * min(small) + 0.02
