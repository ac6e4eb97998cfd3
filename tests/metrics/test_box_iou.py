"""Box overlap: worked cases, the properties of every figure, detection against all assignments, real receipts."""

from __future__ import annotations

import inspect
import json
import math
import random
from itertools import permutations
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from box_areas import areas_of
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import box_iou, corpus
from docie.adapters import grouping, records
from docie.core.counts import Counts
from docie.core.errors import DocumentError
from docie.core.explanation import Fields, pairs_of
from docie.core.scores import score_of
from docie.documents.boxes import hull
from docie.metrics.box_iou.metric import THRESHOLDS

from sizes import examples
from strategies import boxes, corners

SCORES = [
    "iou_grouped", "iou_constituent", "area_precision", "area_recall", "area_f1", "precision", "recall", "f1", "f1_mean", "f1_at_0.5",
]  # fmt: skip


def box(label: str, *numbers: float, group: Any = None) -> dict[str, Any]:
    return {"label": label, "box": list(numbers)} | ({} if group is None else {"group": group})


def figures(prediction: Any, reference: Any, **options: Any) -> dict[str, Any]:
    return corpus.evaluate(box_iou, [prediction], [reference], box_iou.Settings(**options), breakdown=True)


def check(prediction: Any, reference: Any, **expected: float) -> None:
    result = figures(prediction, reference)
    assert {name: result[name] for name in expected} == pytest.approx(expected, abs=1e-12)


PAGES = st.lists(
    st.tuples(corners(6), st.sampled_from("aab"), st.sampled_from([None, None, 1, "2"])).map(
        lambda row: {"label": row[1], "box": list(row[0]), "group": row[2]}
    ),
    max_size=6,
)


# two words "ICE TEA" of one field, 4 × 2 each, a space of 1 between them
ICE, TEA = box("nm", 0, 0, 4, 2), box("nm", 5, 0, 9, 2)


def test_the_space_between_words() -> None:
    """One box over both words: 9 × 2 = 18 against 8 + 8 = 16 covered."""
    check(
        [box("nm", 0, 0, 9, 2)], [ICE, TEA],
        iou_grouped=1.0, iou_constituent=16 / 18, area_precision=16 / 18, area_recall=1.0, area_f1=32 / 34,
        precision=0.0, recall=0.0, f1=0.0, f1_mean=0.0,  # 8 / 18 with either word
    )  # fmt: skip


def test_a_missed_word() -> None:
    """ICE alone: hulls 8 and 18, areas 8 of 16, one of two instances."""
    check(
        [ICE], [ICE, TEA],
        iou_grouped=8 / 18, iou_constituent=8 / 16, area_precision=1.0, area_recall=0.5, area_f1=2 / 3,
        precision=1.0, recall=0.5, f1=2 / 3, f1_mean=2 / 3,
    )  # fmt: skip


def test_two_halves_of_a_word() -> None:
    """They cover all of it; each half has an intersection over union of exactly 0.5, and only one may be the word."""
    check(
        [box("nm", 0, 0, 2, 2), box("nm", 2, 0, 4, 2)], [ICE],
        iou_grouped=1.0, iou_constituent=1.0, area_precision=1.0, area_recall=1.0, area_f1=1.0,
        precision=0.5, recall=1.0, f1=2 / 3, f1_mean=2 / 3 / 10,
    )  # fmt: skip


def test_overlaps_of_one_side_count_once() -> None:
    """ICE twice, the second one right by half: union 6 × 2 = 12 of which 8."""
    check(
        [ICE, box("nm", 2, 0, 6, 2)], [ICE],
        iou_grouped=8 / 12, iou_constituent=8 / 12, area_precision=8 / 12, area_recall=1.0,
        precision=0.5, recall=1.0,
    )  # fmt: skip


def test_a_wrong_label() -> None:
    """Units (nm), (cnt): both on one side only."""
    result = figures([box("cnt", 0, 0, 4, 2)], [ICE])
    assert [result[name] for name in SCORES] == [0.0] * len(SCORES)
    assert result["per_entity"]["cnt"]["support"] == 0
    assert result["per_entity"]["nm"]["support"] == 1


def test_groups_are_units_and_their_hulls_instances() -> None:
    """Line 1 right, line 2 half of it: unit IoUs 1 and 9 × 2 ∩ 4 × 2 = 8 / 18 (8 / 16 of words); areas 24 of 32."""
    line = [box("nm", 0, 5, 4, 7, group=2), box("nm", 5, 5, 9, 7, group=2)]
    reference = [ICE | {"group": 1}, TEA | {"group": 1}, *line]
    check(
        [ICE | {"group": "1"}, TEA | {"group": "1"}, line[0]], reference,
        iou_grouped=(1 + 8 / 18) / 2, iou_constituent=(1 + 8 / 16) / 2,
        area_precision=1.0, area_recall=24 / 32,
        precision=1 / 2, recall=1 / 2, f1=1 / 2, f1_mean=1 / 2,
    )  # fmt: skip


def test_names_of_groups_play_no_role_in_areas_and_detection() -> None:
    reference = [ICE | {"group": 1}, TEA | {"group": 1}]
    other = [word | {"group": "x"} for word in reference]
    check(other, reference, iou_grouped=0.0, iou_constituent=0.0, area_f1=1.0, f1=1.0, f1_mean=1.0)
    # without groups each word is an instance by itself, none like the hull: 8 / 18
    check([ICE, TEA], reference, iou_grouped=0.0, area_f1=1.0, f1=0.0)
    # a word of group 1 and one without a group: two units, two instances
    check([ICE | {"group": 1}, TEA], [ICE, TEA], iou_grouped=(0 + 8 / 18) / 2, iou_constituent=(0 + 8 / 16) / 2, f1=1.0)


def test_matching_is_maximum_where_the_best_first_finds_less() -> None:
    """Predictions 8 and 12 wide, references 10 and 6: 8 is nearest to 10, but only 12 ↔ 10 and 8 ↔ 6 makes two."""
    prediction = [box("a", 0, 0, 8, 1), box("a", 0, 0, 12, 1)]
    check(prediction, [box("a", 0, 0, 10, 1), box("a", 0, 0, 6, 1)], precision=1.0, recall=1.0, f1=1.0)


def test_thresholds_are_met_by_equality() -> None:
    """0.6 and 0.95 as ratios of whole numbers are the nearest doubles, as are the thresholds."""
    reference = [box("a", 0, 0, 20, 1)]
    for width in range(1, 21):
        result = figures([box("a", 0, 0, width, 1)], reference, thresholds=[width / 20, 0.5, 1])
        assert result[f"f1_at_{width / 20}"] == 1.0
        assert result["f1"] == result["f1_at_0.5"] == (1.0 if width >= 10 else 0.0)
        assert result["f1_at_1.0"] == (1.0 if width == 20 else 0.0)
        assert result["f1_mean"] == pytest.approx(max(0, min(width - 9, 10)) / 10)
        assert result["per_entity"]["a"]["f1_at_0.5"] == result["f1"]


def test_areas_are_summed_over_documents_and_units_averaged() -> None:
    """Document 1: 2 of 2; document 2: 3 of 6 in a unit of label a, and a unit of label b that is missed."""
    predictions = [[box("a", 0, 0, 2, 1)], [box("a", 0, 0, 3, 1)]]
    references = [[box("a", 0, 0, 2, 1)], [box("a", 0, 0, 6, 1), box("b", 0, 0, 5, 1)]]
    result = corpus.evaluate(box_iou, predictions, references, breakdown=True)
    assert result["iou_grouped"] == pytest.approx((1 + 0.5 + 0) / 3)
    assert (result["area_precision"], result["area_recall"]) == (1.0, pytest.approx(5 / 13))
    assert (result["precision"], result["recall"]) == (1.0, pytest.approx(2 / 3))
    assert result["per_entity"]["a"]["iou_constituent"] == pytest.approx((1 + 0.5) / 2)
    assert result["per_entity"]["a"]["area_recall"] == pytest.approx(5 / 8)
    assert result["per_entity"]["b"] == dict.fromkeys(SCORES, 0.0) | {"support": 1}


@pytest.mark.parametrize(
    ("prediction", "reference", "value", "invalid"),
    [
        ([], [], 1.0, 0),
        ((), np.array([]), 1.0, 0),
        (None, [], 1.0, 1),  # the answer could not be parsed, but there is nothing to find
        ("text", [ICE], 0.0, 1),
        ({"label": "nm", "box": [0, 0, 4, 2]}, [ICE], 0.0, 1),  # an object is no list
        ([], [ICE], 0.0, 0),
        ([ICE], [], 0.0, 0),
        ([ICE], [ICE], 1.0, 0),
        ([ICE, ICE], [ICE, ICE], 1.0, 0),
    ],
)
def test_degenerate_input(prediction: Any, reference: Any, value: float, invalid: int) -> None:
    result = figures(prediction, reference)
    assert [result[name] for name in SCORES] == [value] * len(SCORES)
    assert result["invalid_predictions"] == invalid


def test_nothing_at_all() -> None:
    for result in (corpus.evaluate(box_iou, [], []), box_iou.score(Counts())):
        assert [result[name] for name in SCORES] == [1.0] * len(SCORES)
    assert box_iou.breakdown(Counts()) == {"per_entity": {}}
    # documents without boxes have the asked thresholds all the same
    result = corpus.evaluate(box_iou, [[]], [[]], box_iou.Settings(thresholds=[0.9, 0.25]))
    assert [name for name in result if name.startswith("f1_at")] == ["f1_at_0.25", "f1_at_0.9"]


def test_errors_name_document_and_box() -> None:
    with pytest.raises(DocumentError) as caught:
        corpus.evaluate(box_iou, [[], [ICE]], [[], [ICE, box("a", 3, 0, 3, 1)]])
    expected = "document 1, box 1 of the reference: box must have x0 < x1 and y0 < y1, got [3, 0, 3, 1]"
    assert str(caught.value) == expected
    with pytest.raises(DocumentError, match="^document 0: reference must be a list of boxes, got an object$"):
        corpus.evaluate(box_iou, [[]], [{}])
    metric = docie.load("box_iou")
    with pytest.raises(DocumentError) as caught:
        metric.compute(predictions=[[], [ICE]], references=[[], [ICE, box("a", 3, 0, 3, 1)]])
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    ("thresholds", "got"),
    [([], "[]"), (0.5, "0.5"), ("0.5", "'0.5'"), ([0], "0"), ([0.5, 1.1], "1.1"), ([50], "50"), ([True], "True"), (["0.5"], "'0.5'"), ([math.nan], "nan"), (None, "None")],
)  # fmt: skip
def test_thresholds_that_are_none(thresholds: Any, got: str) -> None:
    with pytest.raises(ValueError, match="^thresholds must be a list of numbers above 0 and at most 1, got ") as caught:
        box_iou.Settings(thresholds=thresholds)
    assert str(caught.value).endswith(f"got {got}")


def test_settings_and_the_signature() -> None:
    listed: Any = np.array([0.75, 0.5, 0.75])
    assert box_iou.Settings(thresholds=listed).thresholds == (0.5, 0.75)
    assert hash(box_iou.Settings()) == hash(box_iou.Settings(thresholds=[0.5]))
    assert figures([], [])["signature"] == f"box_iou|version:{docie.__version__}"
    assert figures([], [], thresholds=[1])["signature"] == f"box_iou|thresholds:1.0|version:{docie.__version__}"


@given(page=PAGES)
@examples(200)
def test_a_page_is_its_own_perfect_prediction(page: Any) -> None:
    result = figures(page, page, thresholds=[0.5, 1.0])
    assert [result[name] for name in [*SCORES, "f1_at_1.0"]] == [1.0] * (len(SCORES) + 1)


@given(prediction=PAGES, reference=PAGES, seed=st.integers(0, 999))
@examples(300)
def test_order_changes_nothing(prediction: Any, reference: Any, seed: int) -> None:
    rng = random.Random(seed)
    left, right = (rng.sample(page, len(page)) for page in (prediction, reference))
    assert box_iou.score(box_iou.count(left, right)) == pytest.approx(
        box_iou.score(box_iou.count(prediction, reference)), abs=1e-15
    )


@given(
    prediction=PAGES,
    reference=PAGES,
    dx=st.integers(-50, 50),
    dy=st.integers(-50, 50),
    flip=st.booleans(),
    scale=st.sampled_from([1, 2, 0.25, 1024]),
)
@examples(300)
def test_moving_scaling_and_swapping_x_and_y_changes_no_figure(
    prediction: Any, reference: Any, dx: int, dy: int, flip: bool, scale: float
) -> None:
    def moved(page: Any) -> Any:
        rows = [
            [scale * (x0 + dx), scale * (y0 + dy), scale * (x1 + dx), scale * (y1 + dy)]
            for x0, y0, x1, y1 in (b["box"] for b in page)
        ]
        rows = [[y0, x0, y1, x1] for x0, y0, x1, y1 in rows] if flip else rows
        return [found | {"box": row} for found, row in zip(page, rows, strict=True)]

    assert figures(moved(prediction), moved(reference)) == figures(prediction, reference)


@given(prediction=PAGES, reference=PAGES)
@examples(300)
def test_swapping_the_sides_swaps_precision_and_recall(prediction: Any, reference: Any) -> None:
    one, other = figures(prediction, reference), figures(reference, prediction)
    for name in SCORES:
        swapped = name.replace("precision", "x").replace("recall", "precision").replace("x", "recall")
        assert one[name] == pytest.approx(other[swapped], abs=1e-12)


@given(prediction=PAGES, reference=PAGES)
@examples(300)
def test_figures_are_bounded(prediction: Any, reference: Any) -> None:
    """In [0, 1]. Of one label without groups, IoU_C = area F1 / (2 - area F1), and the overlap of the unions is no more
    than that of the hulls; the mean F1 is no more than the first, and F1 falls as the threshold rises.
    """
    result = figures(prediction, reference, thresholds=[0.1, 0.5, 0.7, 1.0])
    assert all(0.0 <= result[name] <= 1.0 for name in SCORES)
    assert result["f1_at_0.1"] >= result["f1"] >= result["f1_at_0.7"] >= result["f1_at_1.0"]
    assert result["f1"] + 1e-12 >= result["f1_mean"] >= result["f1_at_1.0"] - 1e-12
    for label, row in result["per_entity"].items():
        if all(found["group"] is None for found in [*prediction, *reference] if found["label"] == label):
            assert row["iou_constituent"] == pytest.approx(row["area_f1"] / (2 - row["area_f1"]), abs=1e-12)
            words = [[found["box"] for found in page if found["label"] == label] for page in (prediction, reference)]
            if all(words):
                assert areas_of(*words).overlap <= areas_of(*([hull(page)] for page in words)).overlap


def most_pairs(left: Any, right: Any, threshold: float) -> int:
    """The best of all assignments of the smaller side's boxes."""
    small, large = sorted((left, right), key=len)
    hits = [[areas_of([one], [other]).iou >= threshold for other in large] for one in small]
    return max(
        sum(row[column] for row, column in zip(hits, chosen, strict=True))
        for chosen in permutations(range(len(large)), len(small))
    )


@given(
    prediction=st.lists(corners(5), min_size=1, max_size=5),
    reference=st.lists(corners(5), min_size=1, max_size=5),
    threshold=st.sampled_from([0.05, 0.2, 0.3, 0.5, 0.75]),
)
@examples(400)
def test_detection_finds_the_most_pairs(prediction: Any, reference: Any, threshold: float) -> None:
    found = figures([box("a", *b) for b in prediction], [box("a", *b) for b in reference], thresholds=[threshold])
    for score, at in (("f1", 0.5), (f"f1_at_{threshold}", threshold)):
        pairs = most_pairs(prediction, reference, at)
        assert found[score] == 2 * pairs / (len(prediction) + len(reference))


def textbook(prediction: Any, reference: Any) -> dict[str, float]:
    """IoU_G, IoU_C and the areas from unit squares."""
    grouped, constituent, sums = [], [], np.zeros(3)
    for label in "ab":
        both = [[found for found in page if found["label"] == label] for page in (prediction, reference)]
        one, other = [squares(page) for page in both]
        sums += [(one & other).sum(), one.sum(), other.sum()]
        for group in {str(found["group"]) for page in both for found in page}:
            units = [[found for found in page if str(found["group"]) == group] for page in both]
            one, other = [squares(page) for page in units]
            constituent.append((one & other).sum() / (one | other).sum())
            one, other = [squares(around(page)) for page in units]
            grouped.append((one & other).sum() / (one | other).sum())
    overlap, predicted, expected = sums
    nothing = float(not grouped)
    return {
        "iou_grouped": np.mean(grouped) if grouped else 1.0,
        "iou_constituent": np.mean(constituent) if constituent else 1.0,
        "area_precision": overlap / predicted if predicted else nothing,
        "area_recall": overlap / expected if expected else nothing,
    }


def squares(page: Any) -> Any:
    covered = np.zeros((6, 6), dtype=bool)
    for found in page:
        x0, y0, x1, y1 = found["box"]
        covered[y0:y1, x0:x1] = True
    return covered


def around(page: Any) -> Any:
    low, high = (
        ([function(found["box"][k] for found in page) for k in ks] for function, ks in ((min, (0, 1)), (max, (2, 3))))
        if page
        else ([0, 0], [0, 0])
    )
    return [{"box": [*low, *high]}]


@given(prediction=PAGES, reference=PAGES)
@examples(600)
def test_agrees_with_the_textbook(prediction: Any, reference: Any) -> None:
    result, expected = figures(prediction, reference), textbook(prediction, reference)
    assert {name: result[name] for name in expected} == pytest.approx(expected, abs=1e-12)


@given(pairs=st.lists(st.tuples(PAGES, PAGES), max_size=5), cut=st.lists(st.integers(0, 2), min_size=5, max_size=5))
@examples(100)
def test_merging_any_split_gives_the_whole(pairs: Any, cut: Any) -> None:
    chosen = box_iou.Settings(thresholds=[0.3, 0.75])
    parts = [[pair for pair, part in zip(pairs, cut, strict=False) if part == number] for number in range(3)]
    counts = [corpus.count(box_iou, [p for p, _ in part], [r for _, r in part], chosen) for part in parts]
    merged = corpus.Partial.sum_of([corpus.Partial.from_json(json.loads(json.dumps(counts[0].to_json()))), *counts[1:]])
    expected = corpus.evaluate(box_iou, [p for p, _ in pairs], [r for _, r in pairs], chosen)
    found = corpus.results(merged)
    assert found.pop("signature") == expected.pop("signature")
    if pairs:
        assert found == pytest.approx(expected, abs=1e-12)


REFERENCES: list[Any] = [
    [ICE, TEA | {"group": 1}],
    [],
    [box("a", 0, 0, 1.5, 1), {"label": "a", "quad": [0, 5, 4, 5, 4, 7, 0, 7]}],
]
PREDICTIONS: list[Any] = [
    (ICE, TEA),
    None,
    [
        {"label": "a", "box": np.array([0, 0, 1, 1])},
        {"label": "b", "quad": np.array([[0, 5], [4, 5], [4, 7], [0, 7]]), "text": "x"},
    ],
]


def test_the_module_gives_what_the_package_gives() -> None:
    options: dict[str, Any] = {"breakdown": True, "confidence_level": 0.9}
    chosen = box_iou.Settings(thresholds=[0.25, 0.5])
    expected = corpus.evaluate(box_iou, PREDICTIONS, REFERENCES, chosen, **options)
    metric = docie.load("box_iou", thresholds=[0.25, 0.5])
    assert metric.compute(predictions=PREDICTIONS, references=REFERENCES, **options) == expected
    for prediction, reference in zip(PREDICTIONS, REFERENCES, strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute(**options) == expected
    assert metric.name == "box_iou"
    assert expected["invalid_predictions"] == 1
    assert corpus.evaluate(box_iou, PREDICTIONS * 200, REFERENCES * 200, chosen, workers=2) == corpus.evaluate(
        box_iou, PREDICTIONS * 200, REFERENCES * 200, chosen
    )
    for name in SCORES:
        low, high = expected[f"{name}_interval"]
        assert 0.0 <= low <= high <= 1.0
    for pair, row in zip(zip(PREDICTIONS, REFERENCES, strict=True), expected["per_document"], strict=True):
        alone = box_iou.score(box_iou.count(*pair, chosen))
        assert row == pytest.approx(alone, abs=1e-12)


NUMBERS = st.sampled_from([0, 1, 2.5, "1", None, True])
WRONG: st.SearchStrategy[Any] = st.sampled_from([None, "text", 3, [], {}, [1, 2], [[0, 1]] * 3]) | st.lists(
    NUMBERS, min_size=3, max_size=5
)
ITEMS = st.fixed_dictionaries(
    {},
    optional={
        "label": st.sampled_from(["a", "", " ", None, 3]),
        "box": st.sampled_from([[0, 1, 2, 3], [-1, 0.5, 2, 3]]) | WRONG,
        "quad": st.sampled_from([[0, 0, 1, 0, 1, 1, 0, 1], [[0, 0], [1, 0], [1, 1], [0, 1]]]) | WRONG,
        "group": st.sampled_from([None, "", "x", 1, 2.0, 1.5, True, []]),
        "text": NUMBERS,
    },
)

SCHEMA = json.loads(Path(docie.path("box_iou"), "schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one() -> None:
    VALIDATOR.check_schema(SCHEMA)


@given(reference=st.lists(ITEMS | WRONG, max_size=1) | WRONG)
@examples(1500)
def test_the_schema_and_the_package_agree_on_what_can_be_scored(reference: Any) -> None:
    try:
        box_iou.count([], reference)
        scored = True
    except DocumentError as error:
        scored = "must have" in str(error)  # a shape that is right: what lies where is beyond a schema
    assert VALIDATOR.is_valid(reference) == scored


def test_options_and_the_card() -> None:
    metric = docie.load("box_iou")
    options = inspect.signature(metric._compute).parameters
    assert options["thresholds"].default == box_iou.Settings().thresholds
    for option, parameter in inspect.signature(corpus.evaluate).parameters.items():
        if option in ("breakdown", "confidence_level", "bootstrap_samples", "seed"):
            assert options[option].default == parameter.default
    with pytest.raises(ValueError, match="^unknown option 'normalize', expected one of: "):
        docie.load("box_iou", normalize="casefold")
    card = Path(docie.path("box_iou"), "README.md").read_text(encoding="utf-8")
    inputs = card.partition("## Inputs")[2].partition("\n## ")[0]
    values = card.partition("## Output values")[2].partition("\n## ")[0]
    assert [score for score in SCORES if f"`{score_of(box_iou, score).name}`" not in values] == []
    assert list(box_iou.score(Counts())) == SCORES
    told = {option for option in options if f"`{option}`" in inputs}
    assert told == options.keys() - {"predictions", "references"}


@pytest.fixture(scope="module")
def receipts(cord: dict[str, list[Any]]) -> tuple[list[Any], list[Any]]:
    """LayoutLM's words on CORD's test set, and the annotated words that are values."""
    references, left_out = [], 0
    for record in cord["references"]:
        words = records.words_and_boxes(record)
        flat = [x0 >= x1 or y0 >= y1 for x0, y0, x1, y1 in words["boxes"]]
        labels = [
            "O" if key or none else label
            for label, key, none in zip(words["labels"], words["is_key"], flat, strict=True)
        ]
        references.append(grouping.labelled_boxes(labels, words["boxes"]))
        left_out += sum(flat)
    assert left_out == 0  # CORD's test set has no box without an area
    predictions = [
        grouping.labelled_boxes([word["label"] for word in row["words"]], [word["box"] for word in row["words"]])
        for row in cord["layoutlm"]
    ]
    return predictions, references


def golden(root: Path) -> dict[str, dict[str, float]]:
    lines = (root / "tests" / "golden" / "box_iou_cord.tsv").read_text(encoding="utf-8").splitlines()
    names, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return {label: dict(zip(names[1:], map(float, numbers), strict=True)) for label, *numbers in rows}


def test_layoutlm_on_cord_by_class(receipts: tuple[list[Any], list[Any]], root: Path) -> None:
    result = corpus.evaluate(box_iou, *receipts, box_iou.Settings(thresholds=[0.5, 0.75]), breakdown=True)
    expected = golden(root)
    found = {
        "all": {**result, "support": sum(row["support"] for row in result["per_entity"].values())},
        **result["per_entity"],
    }
    assert found.keys() == expected.keys()
    for label, figures in expected.items():
        assert {name: found[label][name] for name in figures} == pytest.approx(figures, rel=1e-9), label


def test_the_card_shows_figures_of_cord(root: Path) -> None:
    """The table's rows are those of the golden file, which the test above finds again."""
    card = Path(docie.path("box_iou"), "README.md").read_text(encoding="utf-8")
    names = ["iou_grouped", "iou_constituent", "area_f1", "f1", "f1_mean"]
    rows = {
        label: f"| {label} | {row['support']:.0f} | {' | '.join(f'{row[name]:.4f}' for name in names)} |"
        for label, row in golden(root).items()
    }
    shown = [label for label, row in rows.items() if row in card]
    assert shown[0] == "all"
    assert len(shown) == card.partition("| label |")[2].partition("\n\n")[0].count("\n| ") - 1 == 7


def test_the_card_shows_typical_mistakes() -> None:
    moved, halves = [box("nm", 2, 0, 6, 2), TEA], [box("nm", 0, 0, 2, 2), box("nm", 2, 0, 4, 2), TEA]
    predictions = [[ICE, TEA], moved, halves, [ICE], [ICE, box("cnt", 5, 0, 9, 2)], [box("nm", 0, 0, 9, 2)]]
    card = Path(docie.path("box_iou"), "README.md").read_text(encoding="utf-8")
    rows = card.partition("| prediction |")[2].partition("\n\n")[0].splitlines()[2:]
    for row, prediction in zip(rows, predictions, strict=True):
        result = corpus.evaluate(box_iou, [prediction], [[ICE, TEA]])
        shown = (f"{result[name]:.2f}" for name in ("iou_grouped", "iou_constituent", "area_f1", "f1"))
        assert row.endswith(f" | {' | '.join(shown)} |"), row


def test_areas_on_cord_are_those_of_a_polygon_library(receipts: tuple[list[Any], list[Any]]) -> None:
    shapely = pytest.importorskip("shapely", reason="the polygon library shapely is not installed")
    compared = 0
    for pages in zip(*receipts, strict=True):
        for label in {found["label"] for page in pages for found in page}:
            words = [[found["box"] for found in page if found["label"] == label] for page in pages]
            one, other = (shapely.union_all([shapely.box(*corners) for corners in page]) for page in words)
            expected = [one.area, other.area, one.intersection(other).area]
            assert areas_of(*words) == pytest.approx(expected, rel=1e-9)
            compared += 1
    assert compared > 700


@pytest.mark.parametrize(
    ("one", "other", "threshold"), [([0.2, 0.3, 0.8, 0.6], [0.3, 0.3, 0.9, 0.5], 0.5), ([0.1, 0.1, 0.7, 0.8], [0.1, 0.2, 0.8, 0.8], 0.75)]
)  # fmt: skip
def test_decimals_at_a_threshold_are_not_left_to_rounding(
    one: list[float], other: list[float], threshold: float
) -> None:
    """Tenths are no doubles, but their IoU is that of the same boxes ten times as large."""
    far = {"label": "a", "box": [50, 50, 60, 60]}
    for scale in (1, 10):
        left, right = ({"label": "a", "box": [scale * number for number in box]} for box in (one, other))
        for more, expected in (([], 1.0), ([far], 1.0)):
            assert figures([left, *more], [right, *more], thresholds=[threshold])[f"f1_at_{threshold}"] == expected


def test_thresholds_of_a_range() -> None:
    assert box_iou.Settings(thresholds=np.arange(0.5, 1, 0.05).tolist()).thresholds == THRESHOLDS


def test_no_document_no_asked_thresholds() -> None:
    assert "f1_at_0.3" not in corpus.evaluate(box_iou, [], [], box_iou.Settings(thresholds=[0.3]))
    assert corpus.evaluate(box_iou, [[]], [[]], box_iou.Settings(thresholds=[0.3]))["f1_at_0.3"] == 1.0


def test_the_order_of_boxes_does_not_change_the_last_digit() -> None:
    rng = random.Random(0)
    page: list[Any] = [{"label": "a", "box": [20 * n, 0, 20 * n + 10, 10], "group": n} for n in range(30)]
    moved = [box | {"box": [*box["box"][:2], box["box"][2] + rng.randint(1, 9), 10]} for box in page]
    expected = figures(moved, page)
    for _ in range(20):
        assert figures(rng.sample(moved, 30), rng.sample(page, 30)) == expected


def test_many_boxes_on_one_spot() -> None:
    page = [{"label": "a", "box": [0, 0, 4, 2]}] * 800
    result = figures(page, page[:600])
    assert (result["recall"], result["precision"], result["f1_mean"]) == (1.0, 0.75, pytest.approx(6 / 7))


@given(prediction=boxes(), reference=boxes())
@examples(200, 30)
def test_a_box_that_is_found_is_called_incorrect_nowhere(prediction: Any, reference: Any) -> None:
    """Detection alone judges boxes; units overlap more or less, and only one that a side lacks has a verdict."""
    explanation = box_iou.explain(prediction, reference)
    *_, units = [drawing for drawing in explanation.drawings if isinstance(drawing, Fields)]
    for pair in pairs_of(units.groups):
        alone = {(True, False): "missing", (False, True): "spurious"}
        assert pair.verdict == alone.get((pair.predicted is None, pair.expected is None))


def test_what_one_side_has_alone_is_missed_or_invented() -> None:
    one, other = ({"label": label, "box": [0, 0, 1, 1]} for label in "ab")
    assert [pair[:5] for pair in box_iou.explain([one], [other]).pairs] == [
        ("b", "no. 1", None, "0, 0, 1, 1", "missing"),
        ("a", "no. 2", "0, 0, 1, 1", None, "spurious"),
    ]
    with pytest.raises(DocumentError, match="^box 0 of the prediction: box must be four numbers"):
        box_iou.explain([{**one, "box": [0]}], [other])
    with pytest.raises(DocumentError, match="^box 0 of the reference: box must be four numbers"):
        box_iou.explain([one], [{**other, "box": [0]}])
