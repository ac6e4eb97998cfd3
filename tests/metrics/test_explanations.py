"""What explains a score has its numbers: score trees, edits of trees, assignments and units add up to the figures."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from docie import anls_star, box_iou, nted, oi_entities
from docie.metrics.nted import EditedNode

from sizes import examples
from strategies import ENTITIES, ONE_OFS, boxes, documents

LENIENT = anls_star.Settings(threshold=0.0)


@given(prediction=documents(), reference=documents(ONE_OFS), settings=st.sampled_from([anls_star.Settings(), LENIENT]))
@examples(2000, 200)
def test_the_root_of_a_score_tree_has_the_score(prediction: Any, reference: Any, settings: Any) -> None:
    tree = anls_star.explain(prediction, reference, settings)
    figures = anls_star.score(anls_star.count(prediction, reference, settings))
    assert tree.anls_star == figures["anls_star"]
    _check_sums(tree)


def _check_sums(node: anls_star.Explained) -> None:
    if node.kind in ("object", "list") and node.children:
        assert node.length == sum(child.length for child in node.children)
        assert math.isclose(node.score, sum(child.score for child in node.children), abs_tol=1e-9)
    for child in node.children:
        _check_sums(child)


def test_a_score_tree_says_what_was_chosen_and_what_was_left_over() -> None:
    reference = {"date": ("2026-03-14", "14 Mar 2026"), "items": [{"nm": "Tea"}, {"nm": "Latte"}, {"nm": "Bagel"}]}
    prediction = {"date": "14 Mar 2026", "items": [{"nm": "Latte"}, {"nm": "Bagels"}]}
    date, items = anls_star.explain(prediction, reference).children
    assert (date.reference, date.alternatives, date.anls_star) == ("14 Mar 2026", [*reference["date"]], 1.0)
    places = [(child.kind, child.reference_place, child.predicted_place) for child in items.children]
    assert places == [("missed", 0, None), ("object", 1, 0), ("object", 2, 1)]
    assert items.children[0].score == 0.0
    [invented] = [node for node in anls_star.explain(["a", "b"], ["a"]).children if node.kind == "invented"]
    assert (invented.prediction, invented.length, invented.score) == ("b", 1, 0.0)


@given(prediction=documents(), reference=documents(ONE_OFS))
@examples(2000, 200)
def test_the_edits_of_trees_cost_their_distance(prediction: Any, reference: Any) -> None:
    edits = nted.edits(prediction, reference)
    assert edits is not None
    assert edits.accuracy == nted.score(nted.count(prediction, reference))["nted_accuracy"]
    predicted, expected = ([*tree.walk()] for tree in (edits.prediction, edits.reference))
    inserted = [node for node in expected if node.operation == "insert"]
    assert sum(node.cost for node in predicted + inserted) == edits.distance
    assert _after_edits(edits.prediction) == [node for node in expected if node.operation != "insert"]
    assert sum(node.price for node in expected[1:]) == edits.full_cost


def _after_edits(tree: EditedNode) -> list[EditedNode | None]:
    """What the nodes of the prediction become, in their order: all of the reference that is not inserted."""
    return [node.counterpart for node in tree.walk() if node.operation != "delete"]


def test_edits_name_what_changes() -> None:
    edits = nted.edits({"name": "Latte", "count": "2"}, {"nm": "Latte", "price": "4.50"})
    assert edits is not None
    changed = [(node.operation, node.label or node.text, node.cost) for node in edits.prediction.walk() if node.cost]
    assert ("rename", "name", 1) in changed
    assert edits.distance == 6  # two keys are renamed, "2" becomes "4.50" in four edits


def test_trees_too_large_for_the_textbook_are_not_edited() -> None:
    document = {"items": [{"name": str(number), "amount": str(number)} for number in range(300)]}
    assert nted.edits(document, document) is None


@given(prediction=ENTITIES, reference=ENTITIES)
@examples(2000, 200)
def test_an_assignment_costs_the_distance(prediction: Any, reference: Any) -> None:
    assigned = oi_entities.assignment(prediction, reference)
    missed = sum(each.prediction is None for each in assigned)
    invented = sum(each.reference is None for each in assigned)
    distance = sum(each.cer or 0.0 for each in assigned) + max(missed, invented)
    figures = oi_entities.score(oi_entities.count(prediction, reference))
    if reference:
        assert math.isclose(figures["oi_ecer"], distance / len(reference), abs_tol=1e-9)
    assert {each.predicted_place for each in assigned} - {None} == {*range(len(prediction))}
    assert [each.reference_place for each in assigned if each.reference is not None] == [*range(len(reference))]


@given(prediction=boxes(), reference=boxes())
@examples(2000, 200)
def test_units_and_detections_make_the_figures(prediction: Any, reference: Any) -> None:
    figures = box_iou.score(box_iou.count(prediction, reference, box_iou.Settings(thresholds=[0.3])))
    units = box_iou.units(prediction, reference)
    for name in ("iou_grouped", "iou_constituent"):
        mean = sum(getattr(unit, name) for unit in units) / len(units) if units else 1.0
        assert math.isclose(figures[name], mean, abs_tol=1e-12)
    for threshold, f1 in ((0.5, "f1"), (0.3, "f1_at_0.3")):
        found = box_iou.detections(prediction, reference, threshold)
        pairs = sum(each.iou is not None for each in found)
        sides = sum(each.prediction is not None for each in found), sum(each.reference is not None for each in found)
        assert math.isclose(figures[f1], 2 * pairs / sum(sides) if any(sides) else 1.0, abs_tol=1e-12)
        assert all(each.iou is None or each.iou >= threshold - 1e-9 for each in found)
