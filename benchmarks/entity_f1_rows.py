"""Entity F1's measurements.

The textbook loop is the field F1 as Donut's evaluation counts it: predicted fields are looked up in the list of
expected ones. The kernel is what none can avoid: flattening both documents and counting their fields; of tags, a look
at every one of both sides.

Of tagged words, where they are installed: seqeval, one of whose calls gives precision, recall and F1 of one average
(its report, the figures of every type with all averages, takes several of these), and nervaluate.
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
from docie.tagging import tags_of

REFERENCE = "textbook loop"
TYPES = [f"type {number}" for number in range(10)]


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    return _documents(documents) | _tags(2 * documents)


def _documents(documents: int) -> dict[tuple[str, str], cases.Row]:
    makers = {
        "corpus.evaluate": cases.ours(entity_f1),
        "evaluate.compute": cases.through_evaluate("entity_f1"),
        "textbook loop": cases.each(textbook),
        "kernel": cases.each(kernel),
    }
    return cases.rows(makers, cases.receipts(documents) | cases.invoices(100, 1000))


def _tags(sequences: int) -> dict[tuple[str, str], cases.Row]:
    makers: dict[str, cases.Maker] = {
        "corpus.evaluate": cases.ours(entity_f1),
        "corpus.evaluate, strict": cases.ours(entity_f1, scheme="IOB2", strict=True),
        "evaluate.compute": cases.through_evaluate("entity_f1"),
        "textbook loop": cases.each(textbook_of_tags),
        "kernel": cases.each(look_at_tags),
    }
    if find_spec("seqeval"):
        makers |= {"seqeval": seqeval, "seqeval, strict": seqeval_strict, "seqeval, report": seqeval_report}
    if find_spec("nervaluate"):
        makers["nervaluate"] = nervaluate
    return cases.rows(
        makers,
        {
            f"{sequences:,} × 100 tags": cases.Case(sequences, partial(tagged, sequences, 100)),
            "20 × 5,000 tags": cases.Case(20, partial(tagged, 20, 5_000)),
        },
    )


def tagged(sequences: int, words: int) -> list[cases.Pair]:
    """Sequences of IOB2 tags, half of whose words are in entities of ten types, and one in twenty is tagged wrong."""
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
    left, right = set(chunks(prediction)), set(chunks(reference))
    return len(left & right), len(left ^ right)


def chunks(tags: list[str]) -> list[tuple[str, int, int]]:
    """Spans of IOB tags."""
    found: list[tuple[str, int, int]] = []
    for position, tag in enumerate(tags):
        prefix, _, kind = tag.partition("-")
        if prefix == "I" and found and found[-1][0] == kind and found[-1][2] == position - 1:
            found[-1] = (kind, found[-1][1], position)
        elif prefix != "O":
            found.append((kind, position, position))
    return found


def look_at_tags(prediction: Any, reference: Any) -> None:
    for _ in zip(prediction, reference, strict=True):
        pass


def flat(value: Any, path: str = "") -> list[tuple[str, str]]:
    """Fields of a document, (path of keys, text)."""
    if isinstance(value, dict):
        return [field for key, child in value.items() for field in flat(child, f"{path}.{key}")]
    return [field for child in value for field in flat(child, path)] if isinstance(value, list) else [(path, value)]


def textbook(prediction: Any, reference: Any) -> tuple[int, int]:
    expected, right, wrong = flat(reference), 0, 0
    for field in flat(prediction):
        if field in expected:
            expected.remove(field)
            right += 1
        else:
            wrong += 1
    return right, wrong + len(expected)


def kernel(prediction: Any, reference: Any) -> int:
    return (Counter(flat(prediction)) & Counter(flat(reference))).total()
