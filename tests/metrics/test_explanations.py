"""What explains a score has its numbers: the verdicts and credits of an explanation are those that the family counts."""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import families
from docie.core.counts import Outcomes
from docie.core.explanation import Explanation, Fields, Pair, Tree
from docie.core.family import Family, get
from docie.core.scores import headline_of
from docie.documents.leaves import is_scored_leaf

import sizes
from checkout import ROOT
from real_documents import cord_pairs, docubench_pairs, invoice_pairs
from sizes import examples
from strategies import ENTITIES, ONE_OFS, attacked, boxes, documents, tagged_words, tags

DOCUMENTS = st.tuples(documents(), documents(ONE_OFS))
PAIRS: dict[str, st.SearchStrategy[tuple[Any, Any]]] = {
    **dict.fromkeys(families(), DOCUMENTS),
    "entity_f1": st.one_of(DOCUMENTS, tags(), tagged_words()),
    "oi_entities": st.one_of(st.tuples(ENTITIES, ENTITIES), tagged_words()),
    "box_iou": st.tuples(boxes(), boxes()),
    "form_robustness": st.tuples(attacked(), attacked(ONE_OFS)),
}
LOOSE = ("anls_star", "box_iou", "hed", "nted")
"""Families by which a text that differs may be correct, without any option."""
UNORDERED = [name for name in families() if name not in ("form_robustness", "nted", "oi_entities")]
"""Families to whose pairs the order of line items or boxes does not matter; forms have no list. (Of the cheapest assignments of entities,
there may be several: only their cost is the same.)"""
every_family = pytest.mark.parametrize("family", families())


def verdicts(pairs: Sequence[Pair]) -> Counter[str]:
    """How often each verdict is given; values that count as equal are right."""
    return Counter(str(pair.verdict) for pair in pairs)


def check_counts(family: str, prediction: Any, reference: Any, settings: Any = None) -> None:
    """The pairs have the numbers of `count` and `score`."""
    module = get(family)
    settings = module.Settings() if settings is None else settings
    explanation = module.explain(prediction, reference, settings)
    counts = module.count(prediction, reference, settings)
    CHECKS.get(family, partial(check_headline, module))(explanation, counts, module.score(counts))
    assert explanation.sentence.endswith(".")
    for pair in explanation.pairs:
        assert -1e-9 <= pair.credit <= 1 + 1e-9
        assert (pair.predicted is None, pair.expected is None) == (
            pair.verdict == "missing",
            pair.verdict == "spurious",
        )
        assert pair.verdict != "correct" or pair.predicted == pair.expected or family in LOOSE


def check_outcomes(explanation: Explanation, counts: Any, figures: Any) -> None:
    """Of entity F1: right, invented and missed values."""
    found, total = verdicts(explanation.pairs), counts.total("entity", Outcomes)
    assert [found["correct"], found["spurious"], found["missing"], found["incorrect"]] == [*total.numbers(), 0]


def check_corrections(explanation: Explanation, counts: Any, figures: Any) -> None:
    found = verdicts(explanation.pairs)
    names = ("true_positives", "substitutions", "additions", "deletions")
    assert [found[name] for name in ("correct", "incorrect", "missing", "spurious")] == [
        figures[name] for name in names
    ]


def check_fields(explanation: Explanation, counts: Any, figures: Any) -> None:
    """Of text match: means over fields."""
    pairs = explanation.pairs
    if pairs:
        assert verdicts(pairs)["correct"] / len(pairs) == pytest.approx(figures["exact_match"])
        assert math.fsum(pair.credit for pair in pairs) / len(pairs) == pytest.approx(figures["levenshtein_similarity"])


def check_characters(explanation: Explanation, counts: Any, figures: Any) -> None:
    found = verdicts(explanation.pairs)
    support = sum(row[0] for key, row in counts.rows.items() if key[0] == "support")
    assert found["correct"] + found["incorrect"] + found["missing"] == support
    differs = found["incorrect"] or any(
        pair.predicted or pair.expected for pair in explanation.pairs if not pair.credit
    )
    assert (figures["uhed_f1_micro"] == 1.0) == (not differs)


def check_tree(explanation: Explanation, counts: Any, figures: Any) -> None:
    [tree] = explanation.drawings
    assert isinstance(tree, Tree)
    value = tree.roots[0].node.numbers.rpartition(" = ")[2]
    assert value in (f"{figures['anls_star']:.4f}", "1", "0") or not tree.roots[0].node.children
    if figures["anls_star"] == 1.0:
        assert {*verdicts(explanation.pairs)} == {"correct"}


def check_edits(explanation: Explanation, counts: Any, figures: Any) -> None:
    if not isinstance(explanation.drawings[0], Tree):
        assert explanation.pairs == [], "these trees are too large to be shown"
        return
    cost = sum(int(pair.note.removeprefix("costs ").replace(",", "")) for pair in explanation.pairs if pair.note)
    if not (numbers := re.search(r" 1 − ([\d,]+) / ([\d,]+)", explanation.drawings[0].lead)):
        assert figures["nted_accuracy"] == float(not cost), "the reference is empty"
        return
    distance, full = (int(number.replace(",", "")) for number in numbers.groups())
    assert cost == distance
    assert figures["nted_accuracy"] == pytest.approx(max(0.0, 1 - cost / full))


def check_assignment(explanation: Explanation, counts: Any, figures: Any) -> None:
    pairs, found = explanation.pairs, verdicts(explanation.pairs)
    distance = math.fsum(1 - pair.credit for pair in pairs if None not in (pair.predicted, pair.expected))
    distance += max(found["missing"], found["spurious"])
    references = found.total() - found["spurious"]
    assert figures["oi_ecer"] == pytest.approx(distance / references if references else float(distance > 0), abs=1e-9)


def check_boxes(explanation: Explanation, counts: Any, figures: Any) -> None:
    found = verdicts(explanation.pairs)
    total = 2 * found["correct"] + found["missing"] + found["spurious"]
    assert figures["f1"] == pytest.approx(2 * found["correct"] / total if total else 1.0, abs=1e-12)
    assert all(pair.credit >= 0.5 - 1e-9 for pair in explanation.pairs if pair.is_correct)
    units = explanation.drawings[-1]
    assert isinstance(units, Fields)
    overlaps = [pair.credit for group in units.groups for pair in group.pairs]
    mean = math.fsum(overlaps) / len(overlaps) if overlaps else 1.0
    assert figures["iou_grouped"] == pytest.approx(mean, abs=1e-12)


def check_attacked(explanation: Explanation, counts: Any, figures: Any) -> None:
    found, total = verdicts(explanation.pairs), Outcomes()
    rows = [Outcomes(*row) for key, row in counts.rows.items() if key[0] == "field"]
    for name in ("true_positives", "false_positives", "false_negatives"):
        setattr(total, name, sum(getattr(row, name) for row in rows))
    assert [found["correct"], found["spurious"], found["missing"]] == total.numbers()


def check_headline(family: Family, explanation: Explanation, counts: Any, figures: Any) -> None:
    """Of a family without a check of its own: nothing is wrong if and only if its main score is 1."""
    assert ({*verdicts(explanation.pairs)} <= {"correct"}) == (figures[headline_of(family)] == 1.0)


CHECKS: dict[str, Callable[[Explanation, Any, Any], None]] = {
    "anls_star": check_tree,
    "box_iou": check_boxes,
    "entity_f1": check_outcomes,
    "form_robustness": check_attacked,
    "hed": check_characters,
    "kieval": check_corrections,
    "nted": check_edits,
    "oi_entities": check_assignment,
    "text_match": check_fields,
}


@every_family
@given(data=st.data())
@examples(1000, 100)
def test_verdicts_are_what_is_counted(family: str, data: st.DataObject) -> None:
    prediction, reference = data.draw(PAIRS[family])
    if family == "form_robustness" and "none" not in reference["attacks"]:
        return
    check_counts(family, prediction, reference)


@every_family
@given(data=st.data())
@examples(300, 50)
def test_all_pairs_of_a_document_with_itself_are_right(family: str, data: st.DataObject) -> None:
    document, _ = data.draw(PAIRS[family])  # references have alternatives
    pairs = get(family).explain(document, document, get(family).Settings()).pairs
    assert {*verdicts(pairs)} <= {"correct"}
    assert all(pair.credit == 1.0 for pair in pairs)


def test_fields_of_items_know_confidences_boxes_and_pages() -> None:
    """Of an item that is compared with another one, too; a field of several values has no place of its own."""
    leaf = {"value": "9", "confidence": 0.25, "box": [0, 0, 9, 9], "page": 2}
    prediction: Any = {"total": [leaf, "8"], "items": [{}, {"nm": "Tea"}, {"nm": {**leaf, "value": "Latte"}}]}
    reference: Any = {"total": leaf, "items": [{"nm": {**leaf, "value": "Latte", "page": 3}}, {"nm": "Tea"}]}
    found = get("text_match").explain(prediction, reference, get("text_match").Settings()).pairs
    assert {(each.group, each.entity_type): each[8:] for each in found} == {
        ("Header", "total"): (None, None, None, [0, 0, 9, 9], 2),
        ("items[0]", "nm"): (0.25, [0, 0, 9, 9], 2, [0, 0, 9, 9], 3),
        ("items[1]", "nm"): (None, None, None, None, None),
    }


@pytest.mark.parametrize("family", ["entity_f1", "form_robustness", "kieval"])
def test_pairs_know_confidences_boxes_and_pages(family: str) -> None:
    leaf = {"value": "9", "confidence": 0.25, "box": [0, 0, 9, 9], "page": 2}
    prediction: Any = {"total": leaf, "tax": {**leaf, "confidence": None}}
    reference: Any = {"total": {**leaf, "page": 3}, "tip": leaf}
    if family == "form_robustness":
        prediction, reference = {"attacks": {"none": prediction}}, {"attacks": {"none": reference}}
    explanation = get(family).explain(prediction, reference, get(family).Settings())
    found = {each.verdict: each[8:] for each in explanation.pairs}
    assert found == {
        "correct": (0.25, [0, 0, 9, 9], 2, [0, 0, 9, 9], 3),
        "spurious": (None, [0, 0, 9, 9], 2, None, None),
        "missing": (None, None, None, [0, 0, 9, 9], 2),
    }


@pytest.mark.parametrize("family", UNORDERED)
@given(data=st.data(), seed=st.integers(0, 1000))
@examples(300, 50)
def test_the_order_of_a_list_changes_no_verdict(family: str, data: st.DataObject, seed: int) -> None:
    prediction, reference = data.draw(PAIRS["box_iou"] if family == "box_iou" else DOCUMENTS)
    other: Any = [*prediction]
    if isinstance(prediction, dict):
        other = {key: in_another_order(value, random.Random(seed)) for key, value in prediction.items()}
    else:
        random.Random(seed).shuffle(other)
    one, another = (get(family).explain(side, reference, get(family).Settings()) for side in (prediction, other))
    in_order = ", hed_f1"
    assert one.sentence.partition(in_order)[0] == another.sentence.partition(in_order)[0]
    assert verdicts(one.pairs) == verdicts(another.pairs)


def in_another_order(value: Any, rng: random.Random) -> Any:
    """A list of line items in another order; all else as it is: HED and text match join the values of a field."""
    is_list = isinstance(value, list) and all(isinstance(item, dict) and not is_scored_leaf(item) for item in value)
    return rng.sample(value, len(value)) if is_list else value


def pairs_of(data: Path, cord: dict[str, list[Any]]) -> Iterator[tuple[Any, Any]]:
    """Receipts and invoices, and the documents of DocuBench."""
    for system in ("qwen", "layoutlm"):
        yield from cord_pairs(cord, system)
    yield from invoice_pairs(data)
    yield from docubench_pairs(data, "gpt")


@pytest.mark.parametrize(
    "family",
    [
        pytest.param(name, marks=[pytest.mark.exhaustive] * (name != "kieval"))
        for name in families()
        if "document" in get(name).INPUTS
    ],
)
def test_verdicts_of_real_documents_are_what_is_counted(family: str, data: Path, cord: dict[str, list[Any]]) -> None:
    pairs = [*pairs_of(data, cord)]
    for prediction, reference in pairs if sizes.FULL else pairs[::5]:
        check_counts(family, prediction, reference)


def test_verdicts_of_forms_are_what_is_counted() -> None:
    lines = (ROOT / "examples" / "forms.jsonl").read_text(encoding="utf-8").splitlines()
    from docie.robustness.form import Page

    forms = [Page.from_record(json.loads(line)).document() for line in lines]
    assert len(forms) > 1
    for form, other in pairwise(forms):
        check_counts("form_robustness", {"attacks": {"none": form, "x": other}}, {"attacks": {"none": form, "x": form}})
