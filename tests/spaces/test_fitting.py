"""What a page says of two sides that were written differently, and the options that its button sets."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

pytest.importorskip("jinja2")
from docie.spaces.common import fitting, work
from docie.spaces.common.examples import EXAMPLES
from docie.spaces.common.inputs import Form
from docie.spaces.common.limits import RefusedError
from docie.spaces.common.options import control_value, options_for, values_of

ITEMS = [{"name": name, "amount": f"{number}.50"} for number, name in enumerate(["Latte", "Mocha", "Bagel", "Scone"])]
REFERENCES: list[dict[str, Any]] = [
    {"vendor": f"Cafe {number}", "date": f"2024-03-1{number}", "items": ITEMS[number:] + ITEMS[:1]}
    for number in range(3)
]


def form_of(references: Any, predictions: Any, *families: str, **options: Any) -> Form:
    """What a visitor fills in."""
    return Form(
        references=json.dumps(references), predictions=json.dumps(predictions), families=families, options=options
    )


def renamed(row: dict[str, Any]) -> dict[str, Any]:
    """A document with another name of its group."""
    return {"lines" if key == "items" else key: value for key, value in row.items()}


def applied(form: Form) -> tuple[Form, list[str]]:
    """The form once all findings were applied one after another, as the controls of a page hold them."""
    texts: list[str] = []
    controls = options_for(["kieval"])
    while finding := fitting.find(form):
        assert len(texts) < 5, "a finding that was applied comes no more"
        texts.append(finding.text)
        held = {option.name: control_value(option, finding.options.get(option.name)) for option in controls}
        form = replace(form, options=values_of(controls, held))
    return form, texts


@pytest.mark.parametrize("family", ["kieval", "hed", "anls_star", "entity_f1", "nted", "text_match"])
def test_a_renamed_group_is_found_and_scored_as_sound(family: str) -> None:
    form, texts = applied(form_of(REFERENCES, [renamed(row) for row in REFERENCES], family))
    assert texts == ["the predictions have other names than the references: 'lines' for 'items'"]
    assert form.options == {"config": {"predictions": {"rename": {"lines": "items"}}}}
    figures = work.score(form)[family]
    sound = work.score(form_of(REFERENCES, REFERENCES, family))[family]
    assert figures.pop("signature") != sound.pop("signature")
    assert figures == sound


def test_the_line_stands_once() -> None:
    form = form_of(REFERENCES, [renamed(row) for row in REFERENCES], "kieval")
    finding = fitting.find(form)
    assert finding is not None
    assert finding.options == {"config": {"predictions": {"rename": {"lines": "items"}}}}
    assert "docie check searches for the reason" in work.explain(form).html
    assert "docie check searches for the reason" not in work.explain(form, finding).html


@pytest.mark.parametrize("order", [1, -1])
def test_the_rows_of_a_single_document_are_no_documents(order: int) -> None:
    prediction = {"vendor": "Cafe 0", "lines": ITEMS[::order]}
    form, _ = applied(form_of({"vendor": "Cafe 0", "items": ITEMS}, prediction, "kieval"))
    assert form.options == {"config": {"predictions": {"rename": {"lines": "items"}}}}


def test_findings_are_applied_one_after_another() -> None:
    references = [{**row, "date": f"2024-03-1{number + 3}"} for number, row in enumerate(REFERENCES)]
    predictions = [{**renamed(row), "date": f"1{number + 3}.03.2024"} for number, row in enumerate(REFERENCES)]
    form, texts = applied(form_of(references, predictions, "kieval"))
    assert len(texts) == 2
    assert form.options["config"] == {"predictions": {"rename": {"lines": "items"}}}
    assert list(form.options["normalize"]) == ["date"]
    assert work.score(form)["kieval"]["entity_f1"] == 1


@pytest.mark.parametrize(
    ("reference", "prediction", "options", "expected"),
    [
        ({"items": [{"n": "a", "amount": "12.00"}]}, {"items": [{"n": "a", "amount": "12"}]}, {}, {"items.amount": ["number"]}),
        ({"d": ["2026-03-14", "12.00"]}, {"d": ["14 Mar 2026", "12"]}, {}, {"d": ["date", "number"]}),
        ({"d": ["Kopi O", "12.00"]}, {"d": ["kopi o", "12"]}, {"d": ["casefold"]}, {"d": ["casefold", "number"]}),
    ],
    ids=["in a line item", "two formats of a type", "beside a normalizer"],
)  # fmt: skip
def test_formats_of_one_document(
    reference: Any, prediction: Any, options: dict[str, Any], expected: dict[str, Any]
) -> None:
    given = {"normalize": options} if options else {}
    form, texts = applied(form_of(reference, prediction, "kieval", **given))
    assert len(texts) == 1
    assert {name: sorted(steps) for name, steps in form.options["normalize"].items()} == expected
    assert work.score(form)["kieval"]["corrections"] == 0


def test_formats_of_values_that_are_not_scored_are_not_offered() -> None:
    reference, prediction = {"a": "1", "d": "2026-03-14"}, {"a": "1", "d": "14 Mar 2026"}
    assert fitting.find(form_of(reference, prediction, "kieval")) is not None
    assert fitting.find(form_of(reference, prediction, "kieval", ontology=["a"])) is None


def test_a_report_leaves_out_the_options_of_other_families() -> None:
    form = form_of(REFERENCES, REFERENCES, "hed", unmatched="ignore")
    assert "data-can-be-reported" in work.explain(form).html
    assert "<html" in work.report_of(form)


def test_an_unknown_family_is_named() -> None:
    with pytest.raises(RefusedError, match="nope"):
        work.score(form_of(REFERENCES, REFERENCES, "nope"))


def test_what_is_refused_is_searched() -> None:
    references = [{"id": f"doc-{number}", "reference": row} for number, row in enumerate(REFERENCES)]
    predictions = [{"id": f"doc-{number}.pdf", "prediction": row} for number, row in enumerate(REFERENCES)]
    form = form_of(references, predictions, "kieval")
    with pytest.raises(RefusedError, match="doc-0"):
        work.score(form)
    form, _ = applied(form)
    assert form.options == {"config": {side: {"strip_id": ["ending"]} for side in ("references", "predictions")}}
    assert work.score(form)["kieval"]["entity_f1"] == 1


@pytest.mark.parametrize("options", [{"normalize": ["casefold"]}, {"match": "similar(0.9)"}])
def test_options_of_values_stay(options: dict[str, Any]) -> None:
    predictions = [{**renamed(row), "date": f"1{number + 3}.03.2024"} for number, row in enumerate(REFERENCES)]
    form, texts = applied(form_of(REFERENCES, predictions, "kieval", **options))
    assert form.options == {**options, "config": {"predictions": {"rename": {"lines": "items"}}}}
    assert len(texts) == 1


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_examples_have_no_finding_but_of_a_format(example: Any) -> None:
    form = Form(references=example.references, predictions=example.predictions, form=example.form)
    found = fitting.find(form)
    assert (found and found.options) == (
        {"normalize": {"date": ["date"]}} if "14 Mar 2026" in example.predictions else None
    )


def test_a_format_is_offered_and_its_normalizer_makes_the_value_correct() -> None:
    form = form_of([{"date": "2026-03-14", "total": "12.00"}], [{"date": "14 Mar 2026", "total": "$12"}])
    found = fitting.find(form)
    assert found
    assert found.text == "only the format differs in date and total; normalizers count such values as correct"
    assert found.options["normalize"] == {"date": ["date"], "total": ['money(currency="$")']}
    again = replace(form, options=found.options)
    assert (work.score(form)["kieval"]["corrections"], work.score(again)["kieval"]["corrections"]) == (2, 0)
    assert fitting.find(again) is None


@pytest.mark.parametrize(
    ("reference", "prediction"),
    [
        ({"words": ["a", "b", "c"], "tags": ["B-x", "B-x", "B-x"]}, {"words": ["a", "b", "c"], "tags": ["B-y"] * 3}),
        ([{"label": "a", "box": [0, 0, 4, 2]}] * 4, [{"label": "b", "box": [0, 0, 4, 2]}] * 4),
    ],
)
def test_tags_and_boxes_are_not_searched(reference: Any, prediction: Any) -> None:
    assert fitting.find(form_of([reference] * 3, [prediction] * 3)) is None
