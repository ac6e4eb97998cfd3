"""Entity F1's measurements.

The textbook loop is the field F1 as Donut's evaluation counts it: predicted fields are looked up in the list of
expected fields. The kernel is what no implementation can avoid: to flatten both documents and count their fields, and
of tags, to look at every one of both sides.

Tagged words are measured with seqeval and nervaluate too, where these are installed. One call of seqeval gives
precision, recall and F1 of one average. Its report, the figures of every type with all averages, takes several calls.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import cases

from docie import entity_f1
from docie.documents.tagging.spans import tags_of

REFERENCE = "textbook loop"
TYPES = [f"type {number}" for number in range(10)]


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    return _documents(documents) | _tags(2 * documents)


def _documents(documents: int) -> dict[tuple[str, str], cases.Row]:
    makers = {
        "corpus.evaluate": cases.through_corpus(entity_f1),
        "evaluate.compute": cases.through_evaluate("entity_f1"),
        "textbook loop": cases.pair_by_pair(textbook),
        "kernel": cases.pair_by_pair(kernel),
    }
    return cases.rows(makers, cases.receipts(documents) | cases.invoices(100, 1000))


def _tags(sequences: int) -> dict[tuple[str, str], cases.Row]:
    makers: dict[str, cases.Maker] = {
        "corpus.evaluate": cases.through_corpus(entity_f1),
        "corpus.evaluate, strict": cases.through_corpus(entity_f1, scheme="IOB2", strict=True),
        "evaluate.compute": cases.through_evaluate("entity_f1"),
        "textbook loop": cases.pair_by_pair(textbook_of_tags),
        "kernel": cases.pair_by_pair(kernel_of_tags),
    }
    if find_spec("seqeval"):
        makers |= {"seqeval": seqeval, "seqeval, strict": seqeval_strict, "seqeval, report": seqeval_report}
    if find_spec("nervaluate"):
        makers["nervaluate"] = nervaluate
    return cases.rows(
        makers,
        {
            f"{sequences:,} × 100 tags": cases.Case(sequences, partial(tagged_pairs, sequences, 100)),
            "20 × 5,000 tags": cases.Case(20, partial(tagged_pairs, 20, 5_000)),
        },
    )


def tagged_pairs(sequences: int, words: int) -> list[cases.Pair]:
    """Sequences of IOB2 tags. Half of the words are in entities of ten types, one word in twenty is tagged wrong."""
    rng = random.Random(0)
    pairs = []
    for _ in range(sequences):
        starts = [first for first in range(0, words - 4, 5) if rng.random() < 0.9]
        reference = tags_of([(rng.choice(TYPES), first, first + rng.randrange(4)) for first in starts], words)
        prediction = [tag if rng.random() < 0.95 else rng.choice(reference) for tag in reference]
        pairs.append((prediction, reference))
    return pairs


def seqeval(pairs: list[cases.Pair]) -> cases.Work:
    module = import_module("seqeval.metrics.sequence_labeling")
    predictions, references = cases.sides(pairs)
    return lambda: module.precision_recall_fscore_support(references, predictions, average="micro")


def seqeval_strict(pairs: list[cases.Pair]) -> cases.Work:
    module, scheme = import_module("seqeval.metrics.v1"), import_module("seqeval.scheme").IOB2
    predictions, references = cases.sides(pairs)
    return lambda: module.precision_recall_fscore_support(references, predictions, average="micro", scheme=scheme)


def seqeval_report(pairs: list[cases.Pair]) -> cases.Work:
    module = import_module("seqeval.metrics")
    predictions, references = cases.sides(pairs)
    return lambda: (
        module.classification_report(references, predictions, output_dict=True),
        module.accuracy_score(references, predictions),
    )


def nervaluate(pairs: list[cases.Pair]) -> cases.Work:
    module = import_module("nervaluate")
    predictions, references = cases.sides(pairs)
    return lambda: module.Evaluator(references, predictions, tags=TYPES, loader="list").evaluate()


def textbook_of_tags(prediction: list[str], reference: list[str]) -> tuple[int, int]:
    """The numbers of spans on both sides and on one side only."""
    predicted, expected = set(spans_of(prediction)), set(spans_of(reference))
    return len(predicted & expected), len(predicted ^ expected)


def spans_of(tags: list[str]) -> list[tuple[str, int, int]]:
    """Spans of IOB tags."""
    spans: list[tuple[str, int, int]] = []
    for position, tag in enumerate(tags):
        prefix, _, entity_type = tag.partition("-")
        if prefix == "I" and spans and spans[-1][0] == entity_type and spans[-1][2] == position - 1:
            spans[-1] = (entity_type, spans[-1][1], position)
        elif prefix != "O":
            spans.append((entity_type, position, position))
    return spans


def kernel_of_tags(prediction: list[str], reference: list[str]) -> None:
    for _ in zip(prediction, reference, strict=True):
        pass


def fields_of(value: Any, path: str = "") -> list[tuple[str, str]]:
    """Fields of a document: (path of keys, text)."""
    if isinstance(value, dict):
        return [field for key, child in value.items() for field in fields_of(child, f"{path}.{key}")]
    return (
        [field for child in value for field in fields_of(child, path)] if isinstance(value, list) else [(path, value)]
    )


def textbook(prediction: Any, reference: Any) -> tuple[int, int]:
    """The numbers of fields on both sides and on one side only."""
    expected, correct, wrong = fields_of(reference), 0, 0
    for field in fields_of(prediction):
        if field in expected:
            expected.remove(field)
            correct += 1
        else:
            wrong += 1
    return correct, wrong + len(expected)


def kernel(prediction: Any, reference: Any) -> int:
    return (Counter(fields_of(prediction)) & Counter(fields_of(reference))).total()
