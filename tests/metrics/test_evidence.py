"""Evidence: which correct values stand where the reference has them."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evidence_documents import moved, receipts
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, kieval
from docie.core.counts import Counts
from docie.core.errors import DocumentError
from docie.documents.boxes import boxes_on_pages, iou_of_unions
from docie.metrics.kieval.metric import comparisons_of
from docie.metrics.kieval.pairs import count_judged

from cli_runs import lines, run_command
from sizes import examples
from strategies import SIDE, corners

BOX, HALF, THIRD, OTHER = [0, 0, 9, 9], [0, 0, 9, 5], [0, 0, 9, 3], [20, 0, 29, 9]
FIGURES = ("grounded_precision", "grounded_recall", "grounded_f1", "evidence_share")
ASKED = kieval.Settings(evidence="box")


def leaf(value: Any, box: Any = None, page: Any = None, confidence: Any = None) -> dict[str, Any]:
    """A scored leaf, with what is known of its place."""
    places = {"box": box, "page": page}
    known = {name: each for name, each in places.items() if each is not None}
    return {"value": value, "confidence": confidence, **known}


def figures(prediction: Any, reference: Any, evidence: str = "box", **options: Any) -> tuple[float, ...]:
    """Precision, recall, F1 and the share of predicted values with evidence."""
    scores = kieval.score(kieval.count(prediction, reference, kieval.Settings(evidence=evidence, **options)))
    return tuple(scores[name] for name in FIGURES)


def grounded(prediction: Any, reference: Any, evidence: str = "box", **options: Any) -> int:
    """The number of values that are."""
    counts = kieval.count(prediction, reference, kieval.Settings(evidence=evidence, **options))
    return sum(row[0] for key, row in counts.rows.items() if key[0] == "evidence")


def test_the_denominators_are_values_with_evidence() -> None:
    reference = {"a": leaf("1", BOX), "b": leaf("2", BOX), "c": leaf("3", BOX), "d": "4", "e": leaf("5", BOX)}
    prediction = {"a": leaf("1", HALF), "b": leaf("2", OTHER), "c": leaf("7", BOX), "d": leaf("4", BOX), "e": "5"}
    # of four predicted values with evidence and of four in the reference, one is correct and in its place
    assert figures(prediction, reference) == (1 / 4, 1 / 4, 1 / 4, 4 / 5)
    assert figures(prediction | {"f": "6"}, reference) == (1 / 4, 1 / 4, 1 / 4, 4 / 6)
    assert figures({"a": leaf("1", BOX)}, reference) == (1, 1 / 4, 2 / 5, 1)


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        ({}, {}, (1, 1, 1, 1)),
        ({"a": "1"}, {"a": "1"}, (1, 1, 1, 0)),  # nothing has a place: nothing is in the wrong one
        ({}, {"a": "1"}, (1, 1, 1, 0)),
        ({"a": "1"}, {"a": leaf("1", BOX)}, (0, 0, 0, 0)),
        ({}, {"a": leaf("1", BOX)}, (0, 0, 0, 0)),
        (None, {"a": leaf("1", BOX)}, (0, 0, 0, 0)),
        ({"a": leaf("1", BOX)}, {"a": "1"}, (0, 0, 0, 1)),
        ({"a": leaf("1", page=1)}, {"a": leaf("1", page=1)}, (1, 1, 1, 0)),  # pages are no boxes
    ],
)
def test_without_evidence(prediction: Any, reference: Any, expected: tuple[float, ...]) -> None:
    assert figures(prediction, reference) == expected


@pytest.mark.parametrize(
    ("box", "page", "expected"),
    [
        (HALF, None, {"box": 1, "box(0.7)": 0, "page": 0}),
        (THIRD, 1, {"box": 0, "box(0.3)": 1, "page": 1}),
        ([[0, 0, 9, 3], [0, 3, 9, 9]], 1, {"box": 1, "box(1)": 1, "page": 1}),
        ([[0, 0, 9, 6], [0, 3, 9, 9]], [1, 1], {"box": 1, "box(1)": 1, "page": 1}),  # an overlap counts once
        ([BOX, OTHER], [1, 2], {"box": 0, "page": 0}),  # nothing stands on the second page
        (BOX, 2, {"box": 0, "page": 0}),
        (BOX, "1", {"box": 1, "page": 1}),
        ([0, 0, 9, 0, 9, 9, 0, 9], 1.0, {"box": 1, "page": 1}),
        ([[0, 0], [9, 0], [9, 9], [0, 9]], [1], {"box": 1, "page": 1}),
        (None, [1], {"box": 0, "page": 1}),
        ([], [], {"box": 0, "page": 0}),
    ],
)
def test_boxes_and_pages(box: Any, page: Any, expected: dict[str, int]) -> None:
    reference = {"a": leaf("1", BOX, 1)}
    assert {evidence: grounded({"a": leaf("1", box, page)}, reference, evidence) for evidence in expected} == expected


def test_every_page_must_overlap() -> None:
    reference = {"a": leaf("1", [BOX, BOX], [1, 2])}
    assert grounded({"a": leaf("1", [BOX, HALF], [1, 2])}, reference) == 1
    assert grounded({"a": leaf("1", [HALF, BOX], [2, 1])}, reference) == 1
    assert grounded({"a": leaf("1", [BOX, THIRD], [1, 2])}, reference) == 0
    assert grounded({"a": leaf("1", BOX, 1)}, reference) == 0
    assert grounded({"a": leaf("1", page=[2, 1])}, reference, "page") == 1


PAGES = st.lists(corners(), min_size=1, max_size=4)


@given(one=PAGES, other=PAGES)
@examples(400)
def test_the_overlap_of_unions_is_that_of_the_raster(one: Any, other: Any) -> None:
    squares = np.zeros((2, SIDE, SIDE), dtype=bool)
    for side, boxes in enumerate((one, other)):
        for x0, y0, x1, y1 in boxes:
            squares[side, y0:y1, x0:x1] = True
    iou = (squares[0] & squares[1]).sum() / (squares[0] | squares[1]).sum()
    assert iou_of_unions(one, other) == iou_of_unions(other, one) == pytest.approx(iou, abs=1e-15)
    read = boxes_on_pages([[*box] for box in one], 3)
    assert read == {"3": one}


PLACES = st.sampled_from([None, BOX, HALF, THIRD, OTHER, [BOX, OTHER], [5, 0, 14, 9]])
LEAVES = st.builds(leaf, st.sampled_from("12"), PLACES, confidence=st.sampled_from([None, 0.5, 0.9]))
GROUPS = st.lists(st.fixed_dictionaries({"x": st.lists(LEAVES, min_size=1, max_size=2)}), max_size=3)
DOCUMENTS = st.fixed_dictionaries({"a": st.lists(LEAVES, max_size=3), "g": GROUPS})


def fits(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether a predicted value is equal to a reference value, and in its place."""
    if one["value"] != other["value"] or "box" not in one or "box" not in other:
        return False
    sides = [each["box"] if isinstance(each["box"][0], list) else [each["box"]] for each in (one, other)]
    squares = np.zeros((2, 10, 30), dtype=bool)
    for side, boxes in enumerate(sides):
        for x0, y0, x1, y1 in boxes:
            squares[side, y0:y1, x0:x1] = True
    return bool(2 * (squares[0] & squares[1]).sum() >= (squares[0] | squares[1]).sum())


def most_in(one: list[Any], other: list[Any]) -> int:
    """The most values of two lists that fit in pairs, by all ways to pair them."""
    shorter, longer = sorted((one, other), key=len)
    return max(sum(map(fits, shorter, order)) for order in permutations(longer, len(shorter)))


def most_of(predicted: list[Any], expected: list[Any]) -> tuple[int, bool]:
    """The most values of groups that fit in pairs, where groups of the same values change places in all ways; and
    whether all groups of the same values are compared with groups of the same values."""

    def kind(group: Any) -> tuple[str, ...]:
        return tuple(sorted(each["value"] for each in group["x"]))

    def kinds(pairs: Any) -> Counter[Any]:
        return Counter((kind(predicted[row]), kind(expected[column])) for row, column in pairs)

    compared = comparisons_of({"g": predicted}, {"g": expected}, ASKED)
    wanted = kinds(each.places for each in compared if None not in each.places)
    size, best = min(len(predicted), len(expected)), 0
    for rows in combinations(range(len(predicted)), size):
        for columns in permutations(range(len(expected)), size):
            pairs = [*zip(rows, columns, strict=True)]
            if kinds(pairs) == wanted:
                best = max(best, sum(most_in(predicted[row]["x"], expected[column]["x"]) for row, column in pairs))
    is_simple = all(len({pair[side] for pair in wanted}) == len(wanted) for side in (0, 1))
    return best, is_simple


def mixed(document: Any, rng: random.Random) -> dict[str, Any]:
    """A document with its groups and its lists of values in another order."""
    groups = [{"x": rng.sample(group["x"], len(group["x"]))} for group in document["g"]]
    return {"g": rng.sample(groups, len(groups)), "a": rng.sample(document["a"], len(document["a"]))}


@given(prediction=DOCUMENTS, reference=DOCUMENTS, seed=st.integers(0, 99))
@examples(2000)
def test_most_values_are_grounded_by_brute_force(prediction: Any, reference: Any, seed: int) -> None:
    most, is_simple = most_of(prediction["g"], reference["g"])
    found = grounded(prediction, reference)
    most += most_in(prediction["a"], reference["a"])
    assert found == most if is_simple else found <= most
    rng = random.Random(seed)
    assert figures(mixed(prediction, rng), mixed(reference, rng)) == figures(prediction, reference)


@given(prediction=DOCUMENTS, reference=DOCUMENTS)
@examples(1000)
def test_evidence_moves_no_other_figure(prediction: Any, reference: Any) -> None:
    options: dict[str, Any] = {"thresholds": [0.6], "weights": {"a": 2}, "costs": 3, "ontology": ["a", "g.x", "z"]}
    plain, asked = kieval.Settings(**options), kieval.Settings(evidence="box", **options)
    for count in (kieval.count, count_judged):
        counts = [count(prediction, reference, settings) for settings in (plain, asked)]
        assert counts[0].rows == {key: row for key, row in counts[1].rows.items() if key[0] != "evidence"}
        assert counts[0].listed == counts[1].listed
    scores = kieval.score(counts[1])
    assert all(0 <= scores[name] <= 1 for name in FIGURES)
    row = counts[1].by("evidence", 0, lambda *numbers: numbers)["evidence"]
    assert row[0] <= min(scores["true_positives"], row[1], row[2])
    assert row[1] <= scores["true_positives"] + scores["false_positives"]


@given(document=DOCUMENTS)
@examples(400)
def test_a_document_agrees_with_itself(document: Any) -> None:
    assert figures(document, document)[:3] == (1, 1, 1)


@given(prediction=DOCUMENTS, reference=DOCUMENTS)
@examples(400)
def test_with_places_everywhere_no_figure_is_above_that_of_values(prediction: Any, reference: Any) -> None:
    prediction, reference = (moved(each, lambda value: {"box": OTHER} | value) for each in (prediction, reference))
    scores = kieval.score(kieval.count(prediction, reference, ASKED))
    for name in ("precision", "recall", "f1"):
        assert scores[f"grounded_{name}"] <= scores[f"entity_{name}"]
    assert scores["evidence_share"] == 1 or not scores["true_positives"] + scores["false_positives"]


@given(prediction=DOCUMENTS, reference=DOCUMENTS)
@examples(1000)
def test_rows_and_explanations_tell_what_is_counted(prediction: Any, reference: Any) -> None:
    counts = kieval.count(prediction, reference, ASKED)
    rows = kieval.error_rows(prediction, reference, ASKED)
    misplaced = [row for row in rows if row.kind == "place"]
    assert {row.kind for row in rows if row.operation == "relocation"} <= {"place"}
    for row in misplaced:
        assert row.reference == row.prediction
        assert row.reference_box is not None
    plain = Counter(row.operation for row in kieval.error_rows(prediction, reference))
    assert Counter(row.operation for row in rows if row.kind != "place") == plain
    pairs = kieval.explain(prediction, reference, ASKED).pairs
    correct = [pair for pair in pairs if pair.verdict == "correct"]
    assert len(correct) == kieval.score(counts)["true_positives"]
    assert Counter(pair.kind for pair in correct if pair.kind) == Counter(row.kind for row in misplaced)
    number = sum(fits(leaf(each.predicted, each.box), leaf(each.expected, each.expected_box)) for each in correct)
    assert number == sum(row[0] for key, row in counts.rows.items() if key[0] == "evidence")


def test_equal_rows_change_places() -> None:
    """The reference has an item twice; what a system finds of it counts wherever it stands."""
    items = [{"nm": leaf("Tea", [0, y, 9, y + 9]), "price": leaf("3", [20, y, 29, y + 9])} for y in (0, 10)]
    assert figures({"menu": items[::-1]}, {"menu": items}) == (1, 1, 1, 1)
    assert figures({"menu": items[1:]}, {"menu": items}) == (1, 1 / 2, 2 / 3, 1)
    [missing] = {row.reference_group for row in kieval.error_rows({"menu": items[1:]}, {"menu": items}, ASKED)}
    assert missing == 0
    sure = [{"nm": each["nm"] | {"confidence": 0.9 - at / 10}} for at, each in enumerate(items)]
    assert grounded({"menu": sure}, {"menu": [{"nm": items[1]["nm"]}]}) == 1, "the less confident one is in its place"


def test_alternatives_rules_and_normalizers() -> None:
    reference = {"a": {"$any_of": [{"value": "1.00", "confidence": None, "box": BOX}, "1"]}, "b": leaf("Tea", BOX)}
    prediction = {"a": leaf("1", HALF), "b": leaf("tea", BOX)}
    assert grounded(prediction, reference) == 1
    assert grounded(prediction, reference, normalize="casefold") == 2
    assert grounded(prediction, reference, match={"b": "similar(0.6)"}) == 2
    assert grounded(prediction, reference, ontology=["b"], normalize="casefold") == 1
    assert grounded({"a": leaf("1", HALF)}, {"a": (leaf("1", BOX), "2")}) == 1


@pytest.mark.parametrize(
    ("prediction", "reference", "said"),
    [
        (
            leaf("1", [0.1, 0.2, 0.5, 0.4]),
            leaf("1", [100, 200, 500, 400]),
            "page 1: expected boxes in one unit, got edges up to 0.5 in the prediction and up to 500 in the reference",
        ),
        (
            leaf("2", [[0, 0, 50, 60], [0, 0, 50, 60]], ["A", "B"]),
            leaf("1", [0, 0, 0.5, 0.4], "B"),
            "page B: expected boxes in one unit, got edges up to 60 in the prediction and up to 0.5 in the reference",
        ),
        (leaf("1", "left"), leaf("1"), "entity 'a': box must be four numbers [x0, y0, x1, y1], got 'left'"),
        (leaf("1", [9, 0, 0, 9]), leaf("1"), "entity 'a': box must have x0 < x1 and y0 < y1, got [9, 0, 0, 9]"),
        (leaf("1", [BOX, BOX], [1]), leaf("1"), "entity 'a': expected a page for each of 2 boxes, got [1]"),
        (leaf("1"), leaf("1", BOX, 1.5), "entity 'a': page must be text or a whole number, got 1.5"),
        (
            leaf("1"),
            leaf("1", [float("nan"), 0, 1, 1]),
            "entity 'a': coordinates must be finite numbers below 1e+100, got nan",
        ),
    ],
)
def test_what_is_refused(prediction: Any, reference: Any, said: str) -> None:
    with pytest.raises(DocumentError) as error:
        figures({"a": prediction}, {"a": reference})
    assert str(error.value) == said
    kieval.count({"a": prediction}, {"a": reference})  # nobody asked


def test_shares_that_leave_the_page_a_little_are_shares() -> None:
    assert grounded({"a": leaf("1", [0.5, 0.5, 1.02, 0.9])}, {"a": leaf("1", [0.5, 0.5, 1, 0.9])}) == 1


@pytest.mark.parametrize("evidence", ["boxes", "box(0)", "box(1.5)", "box(70%)", "page(1)", "", 1, True])
def test_other_options(evidence: Any) -> None:
    with pytest.raises(ValueError, match="evidence must be 'page', 'box' or 'box\\(0.7\\)' with a number above 0 and"):
        kieval.Settings(evidence=evidence)


def test_the_signature_and_the_figures_are_there_if_asked_for() -> None:
    predictions, references = [{"a": leaf("1", HALF)}, {"a": "1"}], [{"a": leaf("1", BOX)}, {"a": "1"}]
    plain = corpus.evaluate(kieval, predictions, references)
    assert "evidence" not in plain["signature"]
    assert not {*FIGURES} & plain.keys()
    options: dict[str, Any] = {"breakdown": True, "confidence_level": 0.9}
    asked = corpus.evaluate(kieval, predictions, references, kieval.Settings(evidence="box(.50)"), **options)
    assert "|evidence:box(0.5)|" in asked["signature"]
    assert [asked[name] for name in FIGURES] == [1, 1, 1, 0.5]
    assert [asked["per_entity"]["a"][name] for name in FIGURES] == [1, 1, 1, 0.5]
    metric = docie.load("kieval", evidence="page")
    assert metric.compute(predictions=predictions, references=references)["evidence_share"] == 0.0
    parts = [kieval.count(*each, ASKED) for each in zip(predictions, references, strict=True)]
    whole = Counts.from_json(sum(parts, Counts()).to_json())
    assert kieval.score(whole)["grounded_f1"] == asked["grounded_f1"]


def test_errors_on_the_command_line(tmp_path: Path) -> None:
    lines(tmp_path / "r.jsonl", [{"id": "r-1", "a": leaf("1", BOX, 1), "b": leaf("2", BOX, 1)}])
    lines(tmp_path / "p.jsonl", [{"id": "r-1", "a": leaf("1", OTHER, 1, 0.9), "b": leaf("3", BOX, 1)}])
    asked = "errors", str(tmp_path / "r.jsonl"), str(tmp_path / "p.jsonl"), "--option", "evidence=box"
    shown = run_command(*asked, "--kind", "place", "--format", "csv").stdout.splitlines()
    assert shown[0].endswith("box,page,elsewhere,reference_box,reference_page")
    assert shown[1:] == ['r-1,,,,a,relocation,place,1,1,1.0,0.9,"[20, 0, 29, 9]",1,,"[0, 0, 9, 9]",1']
    result = docie.errors(references=asked[1], predictions=asked[2], evidence="box")
    assert [row["kind"] for row in result] == ["value", "place"]
    assert [row["name"] for row in result.summary()["repaired"]] == [None, "value", "b"]
    assert "grounded_f1" not in result.summary()["repaired"][0]
    found = corpus.suspects({name: [{"a": leaf("1", OTHER)}] for name in "xy"}, [{"a": leaf("1", BOX)}], ASKED)
    assert found == [], "the label is correct"


def test_headlines_tell_how_many_places_were_found() -> None:
    def said(prediction: Any, reference: Any) -> str:
        counts = kieval.count(prediction, reference, ASKED)
        [found] = [each for each in kieval.headlines(counts, kieval.score(counts)) if each.score == "grounded_f1"]
        return found.sentence

    reference = {"a": leaf("1", BOX), "b": leaf("2", BOX)}
    assert said(reference | {"b": "2"}, reference) == "1 of 2 places in the reference found with the correct value"
    assert said(reference, {"a": "1"}) == "no value of the reference has evidence"


@pytest.fixture(scope="module")
def cord_receipts(cord: dict[str, list[Any]]) -> tuple[list[Any], list[Any]]:
    return receipts(cord)


@pytest.mark.parametrize(("evidence", "expected"), [("box", 0.8103), ("box(0.7)", 0.7796), ("box(0.9)", 0.2680)])
def test_layoutlm_on_cord(cord_receipts: tuple[list[Any], list[Any]], evidence: str, expected: float) -> None:
    """Its values are text boxes, a little larger or smaller than the words of the annotation. The docs have its scores."""
    found = corpus.evaluate(kieval, *cord_receipts, kieval.Settings(evidence=evidence))
    assert (round(found["entity_f1"], 4), found["evidence_share"]) == (0.8287, 1.0)
    assert round(found["grounded_f1"], 4) == expected


def test_the_docs_show_how_many_values_of_layoutlm_are_in_their_place(
    cord_receipts: tuple[list[Any], list[Any]], root: Path
) -> None:
    counts = sum((kieval.count(*each, ASKED) for each in zip(*cord_receipts, strict=True)), Counts())
    row = counts.by("evidence", 0, lambda *numbers: numbers)["evidence"]
    correct = kieval.score(counts)["true_positives"]
    page = " ".join((root / "docs/choosing.md").read_text(encoding="utf-8").split())
    assert f"{row[0]:,} of its {correct:,} correct values stand where" in page


def test_moved_boxes_on_cord(cord_receipts: tuple[list[Any], list[Any]]) -> None:
    """Each value that is put elsewhere is a grounded one less, and nothing else changes."""
    _, references = cord_receipts
    for every in (10, 2, 1):
        numbers = iter(range(10**6))

        def change(value: dict[str, Any], numbers: Any = numbers, every: int = every) -> dict[str, Any]:
            boxes = [[x0, y0 + 5000, x1, y1 + 5000] for x0, y0, x1, y1 in value["box"]]
            return value if next(numbers) % every else value | {"box": boxes}

        answers = [moved(reference, change) for reference in references]
        found = corpus.evaluate(kieval, answers, references, ASKED)
        values, left = found["true_positives"], found["true_positives"] - -(-found["true_positives"] // every)
        assert (found["entity_f1"], found["grounded_f1"]) == (1.0, left / values)


@pytest.mark.parametrize(
    ("predicted", "expected", "said"),
    [
        ({"box": [0, 0, 300, 30], "page": 1}, {"box": [0, 0, 100, 10], "page": 1}, "boxes measured, in another way"),
        ({"box": [0, 0, 9, 9], "page": 0}, {"box": [0, 0, 9, 9], "page": 1}, "pages may be numbered"),
        ({}, {}, "no value of the references has a place"),
    ],
)
def test_places_that_never_agree_are_told(predicted: Any, expected: Any, said: str) -> None:
    rows = [{"id": "r", "total": {"value": "9", "confidence": None, **place}} for place in (predicted, expected)]
    found = docie.score(predictions=rows[:1], references=rows[1:], evidence="box")
    assert [note for note in found.notes if note.startswith("evidence: ") and said in note]
