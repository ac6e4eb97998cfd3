"""The measurements of order-independent entity metrics.

The reference is OIECER, one figure of many, by ie-eval's scorer: `pip install --no-deps ie-eval==0.2.0 munkres==1.1.4`.
Its requirements clash with those of other packages. Without it there are no such rows.

"assignments" is what docie needs for OIECER, OIEWER and OINerval together. "corpus.evaluate" gives every figure by
category too, the sequential ones included. The kernel is what no implementation can avoid: the character distances of
each category's texts, and one assignment.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import cases
import generate
import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import Levenshtein
from scipy.optimize import linear_sum_assignment

from docie import oi_entities
from docie.adapters import grouping
from docie.metrics.oi_entities.alignment import Pairs, by_category

REFERENCE = "ie-eval OIECER"
Entities = list[tuple[str, str]]


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {
        "corpus.evaluate": cases.through_corpus(oi_entities),
        "evaluate.compute": cases.through_evaluate("oi_entities"),
        "assignments": cases.pair_by_pair(assignments),
        "kernel": cases.pair_by_pair(kernel),
    }
    if importlib.util.find_spec("ie_eval"):
        makers[REFERENCE] = cases.pair_by_pair(oiecer)
    receipts = {
        name: cases.Case(case.documents, partial(_entity_lists, case.pairs))
        for name, case in (cases.receipts(documents) | cases.cord()).items()
    }
    pages = {f"{size:,} entities": cases.Case(1, partial(_page, size)) for size in (400, 5000)}
    too_slow = {(REFERENCE, "5,000 entities")}  # takes hours
    return cases.rows(makers, receipts | pages, without=too_slow)


def _entity_lists(pairs: Callable[[], list[cases.Pair]]) -> list[cases.Pair]:
    return [(entity_list(prediction), entity_list(reference)) for prediction, reference in pairs()]


def entity_list(document: Any) -> Entities:
    return [(entity.type, entity.value) for entity in grouping.entities(document or {})]


def _page(size: int) -> list[cases.Pair]:
    """A page of so many entities of eight categories. Half of them are misread, and their order is another."""
    rng = random.Random(size)
    reference = [(f"field {rng.randrange(8)}", text(rng)) for _ in range(size)]
    misread = [(category, value if rng.random() < 0.5 else value[:-1] + "?") for category, value in reference]
    return [(rng.sample(misread, size), reference)]


def text(rng: random.Random) -> str:
    """Up to three words and a price."""
    return " ".join([*rng.choices(generate.WORDS, k=rng.randint(0, 3)), generate.price(rng)])


def assignments(prediction: Entities, reference: Entities) -> Any:
    return Pairs(reference, prediction, 0.3).saved()


def kernel(prediction: Entities, reference: Entities) -> None:
    predicted, expected = by_category(prediction), by_category(reference)
    for category in predicted.keys() & expected.keys():
        distances = process.cdist(expected[category], predicted[category], scorer=Levenshtein.distance, dtype=np.int32)
        lengths = np.array(list(map(len, expected[category])))
        linear_sum_assignment(np.minimum(distances / lengths[:, None], 1))


def oiecer(prediction: Entities, reference: Entities) -> float:
    from ie_eval.scorer import OiEcerEwer

    return float(OiEcerEwer(labels=reference, predictions=prediction, compute_ecer=True).errors)
