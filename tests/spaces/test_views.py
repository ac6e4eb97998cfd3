"""The families' views: their numbers are those of the families, their texts are texts, and a large document fits."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import box_iou, families, kieval
from docie.core.family import get

from sizes import examples
from strategies import CONFIDENCES, ENTITIES, ONE_OFS, VALUES, attacked, boxes, documents, tagged_words, tags

computing = pytest.importorskip("docie.spaces.common.computing")
pytest.importorskip("matplotlib")

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>\u202e{{7*7}}"
SURE = st.fixed_dictionaries({"value": VALUES, "confidence": CONFIDENCES})
PAIRS: dict[str, list[st.SearchStrategy[tuple[Any, Any]]]] = {
    **{family: [st.tuples(documents(), documents(ONE_OFS))] for family in families()},
    "anls_star": [st.tuples(documents(), documents(ONE_OFS)), st.tuples(VALUES, ONE_OFS)],
    "entity_f1": [st.tuples(documents(), documents(ONE_OFS)), tags(), tagged_words()],
    "oi_entities": [st.tuples(ENTITIES, ENTITIES), tagged_words()],
    "box_iou": [st.tuples(boxes(), boxes())],
    "form_robustness": [st.tuples(attacked(), attacked(ONE_OFS))],
}
DOCUMENT = {
    "vendor": "Juniper Cafe",
    "items": [{"name": "Bagel", "amount": "3.00"}, {"name": "Latte", "amount": "4.50"}],
}
MISREAD = {"vendor": "Juniper Café", "items": [{"name": "Latte", "amount": "4.80"}], "total": "7.50"}
SHOWN: dict[str, tuple[Any, Any]] = {
    **dict.fromkeys(families(), (MISREAD, DOCUMENT)),
    "form_robustness": (
        {"attacks": {"none": DOCUMENT, "key_drop": MISREAD}}, {"attacks": {"none": DOCUMENT, "key_drop": DOCUMENT}},
    ),
    "oi_entities": ([["date", "1771"], ["place", "Vic"]], [["serie", "X1A"], ["date", "1770"]]),
    "box_iou": ([{"label": "a", "box": [0, 0, 4, 2]}], [{"label": "a", "box": [0, 0, 4, 3]}, {"label": "b", "box": [0, 4, 2, 5]}]),
}  # fmt: skip
"""For each family a prediction and its reference."""


def request_of(family: str, prediction: Any, reference: Any, **options: Any) -> Any:
    """A request for one document."""
    return computing.Request(family=family, predictions=[prediction], references=[reference], options=options)


def parts_of(request: Any) -> list[Any]:
    """All parts of a page but the document side by side, which the report draws."""
    return [part for part in computing.compute(request).parts if part.title != "Side by side"]


def view_of(family: str, prediction: Any, reference: Any, **options: Any) -> tuple[str, str]:
    """The sentence, and the HTML of all parts."""
    request = request_of(family, prediction, reference, **options)
    return computing.compute(request).sentence, "".join(part.html for part in parts_of(request))


def drawings_of(html: str) -> list[dict[str, Any]]:
    """The drawings whose data the script of the page finds there."""
    found = re.findall(r'<div class="docie-drawn"><script type="application/json">(.*?)</script>', html)
    return [drawing for each in found for drawing in json.loads(each)["drawings"]]


def pairs_of(html: str) -> list[tuple[str, list[Any]]]:
    """All pairs of drawings with fields, each with the name of its group."""
    groups = [group for each in drawings_of(html) if each["type"] == "fields" for group in each["groups"]]
    return [(name, pair) for name, _, _, _, pairs, *_ in groups for pair in pairs]


def visible(html: str) -> str:
    """The text of HTML."""
    return re.sub(r"<[^>]*>", "", html)


@pytest.mark.parametrize("family", families())
@given(data=st.data())
@examples(150, 8)
def test_every_document_has_a_view(family: str, data: Any) -> None:
    prediction, reference = data.draw(st.one_of(PAIRS[family]))
    request = request_of(family, prediction, reference)
    answer = computing.compute(request)
    figures = {f"{value:.4f}" for value in answer.results.values() if isinstance(value, float)}
    assert set(re.findall(r"-?\d\.\d{4}", answer.sentence)) <= figures, answer.sentence
    assert answer.sentence.endswith(".")
    assert parts_of(request)
    assert all(part.title and part.html for part in answer.parts)


@pytest.mark.parametrize("family", families())
def test_the_sentence_changes_with_the_document(family: str) -> None:
    prediction, reference = SHOWN[family]
    sentences = {view_of(family, other, reference)[0] for other in (prediction, reference, type(reference)())}
    assert len(sentences) == 3


@pytest.mark.parametrize("family", families())
def test_the_sentence_is_about_the_document_that_is_shown(family: str) -> None:
    prediction, reference = SHOWN[family]
    request = computing.Request(
        family=family, predictions=[reference, prediction], references=[reference, reference], document=1
    )
    assert computing.compute(request).sentence == view_of(family, prediction, reference)[0]


@pytest.mark.parametrize("family", families())
def test_texts_are_texts(family: str) -> None:
    hostile = {f"{HOSTILE}key": HOSTILE, "x": [{"y": f"{HOSTILE}1"}, {"y": HOSTILE}]}
    reference = {f"{HOSTILE}key": f"{HOSTILE}2", "x": [{"y": HOSTILE}, {HOSTILE: "1"}]}
    pairs: list[tuple[Any, Any]] = [(hostile, reference)]
    if family == "oi_entities":
        words = {"words": [HOSTILE, "b"], "tags": [f"B-{HOSTILE}", "O"]}
        pairs = [([[HOSTILE, HOSTILE]], [[HOSTILE, f"{HOSTILE}2"]]), (words, {**words, "words": [HOSTILE, HOSTILE]})]
    if family == "entity_f1":
        pairs.append(({"words": [HOSTILE], "tags": ["O"]}, {"words": [HOSTILE], "tags": [f"B-{HOSTILE}"]}))
    if family == "box_iou":
        box = {"label": HOSTILE, "box": [0, 0, 1, 1], "group": HOSTILE}
        pairs = [([box], [{**box, "box": [0, 0, 2, 1]}, {**box, "group": f"{HOSTILE}2"}])]
    if family == "form_robustness":
        pairs = [tuple({"attacks": {"none": side, HOSTILE: side}} for side in (hostile, reference))]  # type: ignore[list-item]
    for prediction, expected in pairs:
        sentence, html = view_of(family, prediction, expected)
        assert "<script" not in html.replace('<script type="application/json">', "")
        assert "<img" not in html
        assert "\u202e" not in html + sentence
        assert "49" not in html.replace("{{7*7}}", "") or "{{7*7}}" in html
        assert family == "kieval" or HOSTILE in json.dumps(drawings_of(html), ensure_ascii=False)


def test_attacks_come_worst_first_after_the_unattacked_form() -> None:
    answers = {"none": {"a": "1"}, "y": {"b": "2"}, "x": {}, "z": {"a": "1", "b": "2"}}
    reference = {"attacks": {attack: {"a": "1", "b": "2"} for attack in answers}}
    sentence, html = view_of("form_robustness", {"attacks": answers}, reference)
    assert sentence == "4 of 8 values correct, 4 missing: f1 0.5000, worst_drop 0.5000 (0 is best)."
    [fields] = [each for each in drawings_of(html) if each["type"] == "fields"]
    assert [(name, numbers) for name, _, _, _, _, numbers in fields["groups"]] == [
        ("unattacked", "macro F1 0.5000"), ("x", "macro F1 0.0000"), ("y", "macro F1 0.5000"), ("z", "macro F1 1.0000")
    ]  # fmt: skip


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", families())
def test_a_large_document_fits(family: str) -> None:
    items = [{"name": f"item {number}", "amount": f"{number}.00"} for number in range(2000)]
    prediction, reference = ({"items": side} for side in ([{**item, "amount": "1"} for item in items], items))
    if family == "oi_entities":
        prediction, reference = ([[key, value] for item in items for key, value in item.items()] for _ in "ab")  # type: ignore[assignment]
    if family == "box_iou":
        reference = [{"label": "a", "box": [x, y, x + 1, y + 1]} for x in range(50) for y in range(40)]  # type: ignore[assignment]
        prediction = [{"label": "b", "box": box["box"]} for box in reference]  # type: ignore[index,assignment]
    if family == "form_robustness":
        prediction, reference = ({"attacks": {"none": side}} for side in (prediction, reference))  # type: ignore[assignment]
    sentence, html = view_of(family, prediction, reference)
    assert len(html) < 1_500_000
    assert len(sentence) < 400


@given(prediction=boxes(), reference=boxes())
@examples(500, 30)
def test_boxes_and_rows_are_in_the_order_of_their_pairs(prediction: Any, reference: Any) -> None:
    pairs = box_iou.explain(prediction, reference).pairs
    _, html = view_of("box_iou", prediction, reference)
    [drawing] = [each for each in drawings_of(html) if each["type"] == "boxes"]
    sides = [(label, predicted is not None, expected is not None) for label, predicted, expected in drawing["found"]]
    assert sides == [(pair.group, pair.predicted is not None, pair.expected is not None) for pair in pairs]
    assert [pair[0] for _, pair in pairs_of(html)][: len(pairs)] == [pair.entity_type for pair in pairs]


@given(prediction=documents(), reference=documents(ONE_OFS), unmatched=st.sampled_from(["count", "ignore"]))
@examples(500, 50)
def test_characters_add_up(prediction: Any, reference: Any, unmatched: str) -> None:
    results = computing.score(request_of("hed", prediction, reference, unmatched=unmatched))
    _, html = view_of("hed", prediction, reference, unmatched=unmatched)
    leads = [found for each in drawings_of(html) for found in re.findall(r"All characters: ([^.]*)\.", each["lead"])]
    assert leads
    for words, name in zip(leads, ("uhed_f1", "hed_f1"), strict=False):
        right, extra, missing = (_number_before(name, words) for name in ("correct", "spurious", "missing"))
        total = 2 * right + extra + missing
        assert results[name] == pytest.approx(2 * right / total if total else 1.0)
    if len(leads) == 1:
        assert results["hed_f1"] == results["uhed_f1"]


def test_a_box_that_is_found_is_called_correct_throughout() -> None:
    box, moved = ([{"label": "total", "box": corners}] for corners in ([0, 0, 4, 1], [1, 0, 4, 1]))
    (group, pair), *_ = pairs_of(view_of("box_iou", moved, box)[1])
    assert pair[2][1:] == ["", {"n": "IoU 0.7500"}]
    assert group == "total"


def test_the_characters_of_a_row_are_counted_once() -> None:
    """As HED counts them: a text in another order shares some, whatever a reader would call different."""
    html = view_of("hed", {"total": "ab cd 12.50"}, {"total": "ba dc 12.00"})[1]
    [(_, pair)] = pairs_of(html)
    assert pair[2] == ["ab cd 12.50", "incorrect", {"n": "characters: 8 correct · 3 spurious · 3 missing"}]
    assert drawings_of(html)[0]["scattered"], "what is not marked is shared"


def seen(html: str) -> str:
    """The words of HTML, with a space where something ends."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def _number_before(name: str, text: str) -> int:
    found = re.search(rf"([\d,]+) {name}", text)
    return int(found.group(1).replace(",", "")) if found else 0


@pytest.mark.exhaustive
@given(prediction=documents(SURE), reference=documents())
@examples(150, 10)
def test_what_goes_through_unseen(prediction: Any, reference: Any) -> None:
    """Every step of the slider against the values of the explanation."""
    html = computing.compute(request_of("kieval", prediction, reference)).parts[1].html
    values = [each for each in kieval.explain(prediction, reference).pairs if each.predicted is not None]
    if "No predicted value has a confidence" in html:
        assert not any(each.confidence is not None for each in values)
        return
    steps = [re.findall(r">([^<>\n]+)</(?:bdi|td)>", row) for row in html.split("<tr>")[2:]]
    assert steps
    for threshold, *cells in steps:
        passing = [each for each in values if each.confidence is None or each.confidence >= float(threshold)]
        wrong = sum(not each.is_correct for each in passing)
        caught = sum(not each.is_correct for each in values) - wrong
        numbers = len(passing), len(values) - len(passing), wrong, caught
        assert [int(re.split(r"\D", cell.replace(",", ""))[0]) for cell in cells] == [*numbers]


def test_of_several_documents_each_number_says_whose_it_is() -> None:
    """The score is that of all, and the sentence on a document stands with it."""
    from docie.spaces.common.inputs import Form
    from docie.spaces.common.work import explain

    references = '[{"total": "9", "tax": "1"}, {"total": "7"}]'
    predictions = '[{"total": "9", "tax": {"value": "2", "confidence": 0.5}}, {"total": "7"}]'
    for names in (["kieval"], ["kieval", "anls_star"]):
        html = explain(Form(references=references, predictions=predictions, families=names)).html
        first, document = (seen(part) for part in html.split('id="dx-document"'))
        assert "0.6667 entity_f1" in first.replace("kieval", "").replace("  ", " ")
        assert "all 2 documents" in first
        assert "F1 score of entities" in first
        own = "Document 1 of 2: 1 of 2 values correct, 1 incorrect: entity_f1 0.5000."
        assert own in document
        assert "Document 1 of 2" not in first
        rows = re.findall(r"<summary><span class=.dx-name.>.*?</summary>", html)
        assert not any("1 of 2 values" in row for row in rows)
        assert "Values that skip review all 2 documents" in seen(html)


def test_values_without_confidence_have_no_curve() -> None:
    assert "No predicted value has a confidence" in view_of("kieval", {"a": "1"}, {"a": "1"})[1]


@pytest.mark.parametrize(
    ("prediction", "reference", "sentence"),
    [
        ({}, {}, "No value on either side: f1 1"),
        ({"a": "1"}, {"a": "1"}, "1 of 1 value correct: f1 1"),
        (["B-a", "B-b"], ["B-a", "B-b"], "2 of 2 spans correct: f1 1"),
        (["O"], ["B-a"], "0 of 1 span correct, 1 missing: f1 0"),
        ({"a": "1"}, {"a": "1", "b": "2"}, "1 of 2 values correct, 1 missing: f1 0"),
    ],
)
def test_the_sentence_of_entity_f1_is_english(prediction: Any, reference: Any, sentence: str) -> None:
    assert view_of("entity_f1", prediction, reference)[0].startswith(sentence)


@given(pair=st.one_of(st.tuples(documents(), documents(ONE_OFS)), tags(), tagged_words()))
@examples(500, 50)
def test_values_and_spans_by_type(pair: tuple[Any, Any]) -> None:
    results = computing.score(request_of("entity_f1", *pair))
    _, html = view_of("entity_f1", *pair)
    for entity_type, row in results["per_entity"].items():
        text = json.dumps(drawings_of(html), ensure_ascii=False)
        assert json.dumps(entity_type, ensure_ascii=False) in text
        assert f"F1 {row['f1']:.4f}" in text


@pytest.mark.parametrize("family", [name for name in families() if "document" in get(name).INPUTS])
def test_what_is_no_document_counts_as_empty(family: str) -> None:
    sentence, html = view_of(family, "no JSON", DOCUMENT)
    assert sentence
    assert html
