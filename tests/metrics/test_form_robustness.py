"""Form robustness: worked cases, a textbook beside it, forms made of columns, and input that makes no sense."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, entity_f1, form_robustness, tables
from docie.core.errors import DocumentError
from docie.inputs.kinds import entity_types, input_kind_of, seen_types

from cli_runs import lines, run, scored
from sizes import examples
from strategies import VALUES, attacked

INVOICE = {"total": "9.00", "date": "2026-03-14"}
OTHER = {"total": "41.50", "date": "2026-05-02"}
FLAT = st.dictionaries(st.sampled_from("abc"), st.lists(VALUES, max_size=2), max_size=3)
ROWS = st.lists(st.tuples(FLAT, FLAT, st.sampled_from(["none", "x", "y+z"])), max_size=8)


def compute(predictions: list[Any], references: list[Any], attack: list[Any], **options: Any) -> dict[str, Any]:
    results: dict[str, Any] = docie.load("form_robustness").compute(
        predictions=predictions, references=references, attack=attack, **options
    )
    return results


def textbook(rows: list[tuple[Any, Any, str]], attack: str) -> tuple[float, float, float]:
    """Precision, recall and F1 of the rows under an attack, means over fields, as the definition says it."""
    right: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    for prediction, reference, name in rows:
        if name == attack:
            sides = [
                Counter((key, v) for key, values in side.items() for v in values) for side in (prediction, reference)
            ]
            for counter, values in ((right, sides[0] & sides[1]), (predicted, sides[0]), (expected, sides[1])):
                for (key, _), number in values.items():
                    counter[key] += number
    fields = sorted(predicted.keys() | expected.keys())
    if not fields:
        return 1.0, 1.0, 1.0
    return (
        fmean(right[field] / predicted[field] if predicted[field] else 0.0 for field in fields),
        fmean(right[field] / expected[field] if expected[field] else 0.0 for field in fields),
        fmean(2 * right[field] / (predicted[field] + expected[field]) for field in fields),
    )


@given(rows=ROWS)
@examples(600)
def test_agrees_with_the_textbook(rows: list[tuple[Any, Any, str]]) -> None:
    rows = [*rows, ({}, {}, "none")]
    predictions, references, names = (list(column) for column in zip(*rows, strict=True))
    forms = form_robustness.from_columns(predictions, references, names) if _is_even(names) else _alone(rows)
    result = corpus.evaluate(form_robustness, *forms)
    precision, recall, f1 = textbook(rows, "none")
    assert (result["precision"], result["recall"], result["f1"]) == pytest.approx((precision, recall, f1))
    drops = []
    for attack in {*names} - {"none"}:
        after = textbook(rows, attack)
        assert result[f"f1_{attack}"] == pytest.approx(after[2])
        for name, before, now in zip(("precision", "recall", "f1"), (precision, recall, f1), after, strict=True):
            assert result[f"drop_{name}_{attack}"] == pytest.approx(before - now)
        drops.append(result[f"drop_f1_{attack}"])
    assert result["worst_drop"] == max(drops, default=0.0)
    assert result["documents"] == len(rows)


def _is_even(names: list[str]) -> bool:
    return len({*Counter(names).values()}) == 1


def _alone(rows: list[tuple[Any, Any, str]]) -> tuple[list[Any], list[Any]]:
    return [{"attacks": {a: p}} for p, _, a in rows], [{"attacks": {a: r}} for _, r, a in rows]


@given(pairs=st.lists(st.tuples(attacked(), attacked()), max_size=5))
@examples(200)
def test_each_score_is_that_of_entity_f1(pairs: list[tuple[Any, Any]]) -> None:
    result = corpus.evaluate(form_robustness, [p for p, _ in pairs], [r for _, r in pairs])
    for attack, name in (("none", "f1"), ("global_shuffle", "f1_global_shuffle")):
        sides = [[form["attacks"][attack] for form in side] for side in zip(*pairs, strict=True)] or [[], []]
        assert result.get(name, 1.0) == corpus.evaluate(entity_f1, *sides)["f1_macro"]


@given(answers=attacked(), references=attacked())
@examples(200)
def test_the_same_answers_do_not_fall(answers: Any, references: Any) -> None:
    sides = ([{"attacks": dict.fromkeys(["none", "x"], each["attacks"]["none"])}] for each in (answers, references))
    result = corpus.evaluate(form_robustness, *sides)
    assert result["drop_f1_x"] == result["drop_precision_x"] == result["drop_recall_x"] == result["worst_drop"] == 0.0


def test_a_worked_case() -> None:
    """Two fields: under the attack, one date is missed and one is wrong; 0 of 1 dates are right, 0 of 2 were found."""
    result = compute(
        [INVOICE, OTHER, {"total": "9.00"}, OTHER | {"date": "May"}],
        [INVOICE, OTHER, INVOICE, OTHER],
        ["none", "none", "key_drop", "key_drop"],
        breakdown=True,
    )
    assert (result["f1"], result["f1_key_drop"], result["drop_recall_key_drop"]) == (1.0, 0.5, 0.5)
    assert result["per_entity"]["date"]["f1_key_drop"] == 0.0
    assert result["per_entity"]["total"]["drop_f1_key_drop"] == 0.0
    assert result["per_entity"]["total"]["support"] == 2
    assert [row["drop_f1_key_drop"] for row in result["per_document"]] == [0.5, 0.5]
    assert result["documents"] == 4


def test_attacks_that_change_values_change_the_reference() -> None:
    result = compute([INVOICE, OTHER], [INVOICE, OTHER], ["none", "value_text_augment"])
    assert result["worst_drop"] == 0.0
    assert compute([INVOICE, INVOICE], [INVOICE, OTHER], ["none", "value_text_augment"])["worst_drop"] == 1.0


def test_an_attack_may_help() -> None:
    result = compute([{}, INVOICE], [INVOICE, INVOICE], ["none", "x"])
    assert (result["drop_f1_x"], result["worst_drop"]) == (-1.0, -1.0)


def test_a_field_that_only_an_attack_invents() -> None:
    """It counts where it was invented, as in entity F1, and not in the unattacked score."""
    result = compute([{"a": "1"}, {"a": "1", "b": "2"}], [{"a": "1"}, {"a": "1"}], ["none", "x"], breakdown=True)
    assert (result["f1"], result["f1_x"]) == (1.0, 0.5)
    assert (result["per_entity"]["b"]["f1"], result["per_entity"]["b"]["drop_f1_x"]) == (1.0, 1.0)


def test_forms_without_attack_and_attacks_without_fields() -> None:
    assert compute([INVOICE], [INVOICE], ["none"])["worst_drop"] == 0.0
    result = compute([INVOICE, {}], [INVOICE, {}], ["none", "x"])
    assert (result["f1_x"], result["drop_f1_x"]) == (1.0, 0.0)


def test_rows_are_forms_by_place_or_by_id() -> None:
    by_place = form_robustness.from_columns(
        [1, 2, 3, 4], [{"a": "1"}, {"b": "1"}, {"c": "1"}, {"d": "1"}], ["none", "x", "x", "none"]
    )
    assert by_place[0] == [{"attacks": {"none": 1, "x": 2}}, {"attacks": {"x": 3, "none": 4}}]
    ids, names = ["p", "q", "q"], ["none", "none", "x"]
    documents = [{"a": identity} for identity in ids]
    predictions, references = form_robustness.from_columns([{}] * 3, documents, names, ids=ids)
    assert predictions == [{"attacks": {"none": {}}}, {"attacks": {"none": {}, "x": {}}}]
    assert references[1] == {"attacks": {"none": {"a": "q"}, "x": {"a": "q"}}}
    wrapped = [{"id": identity, "document": {"a": identity}} for identity in ids]
    answers = [{"a": "p"}, {"a": "q"}, {}]
    assert compute(answers, wrapped, names) == corpus.evaluate(
        form_robustness, *form_robustness.from_columns(answers, documents, names, ids=ids)
    )


def test_pairs_have_narrower_intervals_than_rows_of_which_nothing_is_known() -> None:
    """Every second form is read wrong, and the attack changes nothing: paired, the drop is 0 in each of them."""
    answers = [INVOICE if number % 2 else {} for number in range(20)]
    references, names = [INVOICE] * 40, ["none"] * 20 + ["x"] * 20
    paired = compute(answers * 2, references, names, confidence_level=0.95)
    assert paired["drop_f1_x_interval"] is None
    with pytest.warns(
        UserWarning, match="^attacks have different numbers of rows, so each row counts as a separate form"
    ):
        apart = compute([*answers * 2, {}], [*references, {}], [*names, "none"], confidence_level=0.95)
    low, high = apart["drop_f1_x_interval"]
    assert low < -0.1 < 0.1 < high
    assert {name: paired[name] for name in ("f1", "f1_x", "drop_f1_x")} == {
        name: apart[name] for name in ("f1", "f1_x", "drop_f1_x")
    }


def test_added_bit_by_bit_and_merged() -> None:
    metric = docie.load("form_robustness")
    rows: list[tuple[Any, Any, str]] = [(INVOICE, INVOICE, "none"), ({"total": "9.00"}, INVOICE, "x")]
    for prediction, reference, attack in rows:
        metric.add(prediction=prediction, reference=reference, attack=attack)
    metric.add_batch(predictions=[OTHER], references=[OTHER], attack=["none"])
    metric.add_batch(predictions=[{}], references=[OTHER], attack=["x"])
    expected = compute([INVOICE, {"total": "9.00"}, OTHER, {}], [INVOICE, INVOICE, OTHER, OTHER], ["none", "x"] * 2)
    assert metric.compute() == expected
    predictions, references = form_robustness.from_columns(*zip(*rows, strict=True))
    part = corpus.count(form_robustness, predictions, references)
    more = corpus.count(
        form_robustness, [{"attacks": {"none": OTHER, "x": {}}}], [{"attacks": {"none": OTHER, "x": OTHER}}]
    )
    assert corpus.results(part + corpus.Partial.from_json(json.loads(json.dumps(more.to_json())))) == expected


RIGHT, NOTHING, HALF = {"a": "1"}, dict[str, str](), {"a": "1", "b": "x"}


def test_a_form_without_a_version_has_no_say_in_it_on_either_side() -> None:
    """The first form is read right, before and after; the second one never is, and x finds nothing to change there."""
    references: list[Any] = [{"attacks": {"none": RIGHT, "x": RIGHT}}, {"attacks": {"none": RIGHT}}]
    answers: list[Any] = [{"attacks": {"none": RIGHT, "x": RIGHT}}, {"attacks": {"none": NOTHING}}]
    result = corpus.evaluate(form_robustness, answers, references, breakdown=True)
    assert result["f1"] == pytest.approx(2 / 3)
    assert (result["f1_x"], result["drop_f1_x"], result["drop_recall_x"], result["worst_drop"]) == (1.0, 0.0, 0.0, 0.0)
    assert result["per_entity"]["a"]["drop_f1_x"] == 0.0
    assert (result["documents"], result["forms_x"]) == (3, 1)
    both = [each["attacks"] for each in references]
    rows = [(RIGHT, both[0]["none"], "none"), (NOTHING, both[1]["none"], "none"), (RIGHT, both[0]["x"], "x")]
    predictions, expected, names = map(list, zip(*rows, strict=True))
    wrapped = [[{"id": f"{number % 2}", "document": each} for number, each in enumerate(side)] for side in (predictions, expected)]  # fmt: skip
    assert compute(wrapped[0], wrapped[1], names, breakdown=True)["drop_f1_x"] == 0.0


def test_a_drop_is_that_of_the_forms_under_the_attack_alone() -> None:
    """Further forms, without the attack, do not change the drop, however they are read."""
    forms: list[tuple[Any, Any]] = [
        ({"none": HALF, "x": NOTHING if number % 3 else RIGHT}, {"none": HALF, "x": HALF}) for number in range(9)
    ]
    others: list[tuple[Any, Any]] = [({"none": NOTHING}, {"none": HALF | {"c": "1"}})] * 5
    results = [
        corpus.evaluate(
            form_robustness, *([{"attacks": pair[side]} for pair in rows] for side in (0, 1)), breakdown=True
        )
        for rows in (forms, forms + others)
    ]
    for name in ("f1_x", "drop_f1_x", "drop_precision_x", "drop_recall_x", "worst_drop"):
        assert results[0][name] == results[1][name]
    assert results[0]["f1"] > results[1]["f1"]
    assert (results[0]["forms_x"], results[1]["forms_x"]) == (9, 9)
    assert "drop_f1_x" not in results[1]["per_entity"]["c"], "no form under the attack has it"
    assert "drop_f1_x" in results[1]["per_entity"]["a"]


def test_tables_of_fields_and_groups_that_an_attack_does_not_have() -> None:
    """The first field and the first group have no version under x."""
    one, other = {"a": "1", "c": "1"}, {"b": "1", "c": "1"}
    references: list[Any] = [*[{"attacks": {"none": one}}] * 3, {"attacks": {"none": other, "x": other}}]
    rows = [{"reference": each, "meta": {"vendor": name}} for each, name in zip(references, "uuuv", strict=True)]
    result = corpus.evaluate(form_robustness, references, rows, breakdown=True, group_by="vendor")
    _, fields, groups = tables.tables("form_robustness", result)
    assert (fields.columns[5:7], groups.columns[4:6]) == (["f1_x", "drop_f1_x"], ["f1_x", "drop_f1_x"])
    assert [row[5:7] for row in fields.rows] == [["", ""], ["1.0000", "0.0000"], ["1.0000", "0.0000"]]
    assert [row[4:6] for row in groups.rows] == [["", ""], ["1.0000", "0.0000"]]


def test_a_version_without_an_unattacked_one_is_compared_with_all() -> None:
    references: list[Any] = [{"attacks": {"none": RIGHT}}, {"attacks": {"none": RIGHT, "x": RIGHT}}, {"attacks": {"x": RIGHT}}]  # fmt: skip
    answers: list[Any] = [{"attacks": {"none": RIGHT}}, {"attacks": {"none": NOTHING, "x": NOTHING}}, {"attacks": {"x": RIGHT}}]  # fmt: skip
    result = corpus.evaluate(form_robustness, answers, references)
    assert result["f1"] == result["f1_x"] == pytest.approx(2 / 3)
    assert result["drop_f1_x"] == 0.0


def test_a_part_of_attacked_forms_alone_can_be_counted_and_merged() -> None:
    attacked_only = corpus.count(form_robustness, [{"attacks": {"x": {}}}], [{"attacks": {"x": INVOICE}}])
    unattacked = corpus.count(form_robustness, [{"attacks": {"none": INVOICE}}], [{"attacks": {"none": INVOICE}}])
    assert corpus.results(attacked_only + unattacked)["worst_drop"] == 1.0
    with pytest.raises(ValueError, match="^no form is unattacked: the attack 'none' is missing among x$"):
        corpus.results(attacked_only)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({}, "^attack is missing: form_robustness takes predictions, references and attack$"),
        ({"attack": ["a", "b"]}, "^no form is unattacked: the attack 'none' is missing among a, b$"),
        ({"attack": ["none"]}, "^expected as many attacks as references, got 1 and 2$"),
        ({"attack": "none"}, "^attack must be a sequence of documents, got str$"),
        ({"attack": ["none", None]}, "^document 1: attack must be the name of an attack, or 'none' if .*, got None$"),
        ({"attack": ["none", " x"]}, "^document 1: attack must be the name of an attack, or 'none' if .*, got ' x'$"),
        ({"attack": ["none", ""]}, "^document 1: attack must be the name of an attack, or 'none' if .*, got ''$"),
        ({"attack": ["none", "x_interval"]}, "^document 1: no attack may end in '_interval'"),
        ({"attack": ["none", "x"], "atack": []}, "^unknown option 'atack', expected one of: "),
    ],
)
def test_columns_that_make_no_sense(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        docie.load("form_robustness").compute(predictions=[{}, {}], references=[{}, {}], **columns)


def test_rows_that_make_no_sense() -> None:
    row = {"id": "p", "document": {}}
    with pytest.raises(DocumentError, match="^document 1: the form 'p' already has a row under the attack 'none'$"):
        compute([row, row], [row, row], ["none", "none"])
    with pytest.raises(
        DocumentError, match="^document 1, attack 'x' of the reference: reference must be a JSON object, got a list$"
    ):
        compute([{}, {}], [{}, []], ["none", "x"])
    metric = docie.load("form_robustness")
    for add in (metric.add, metric.add_batch):
        with pytest.raises(ValueError, match="^attack is missing: "):
            add()


def test_forms_that_make_no_sense() -> None:
    good = {"attacks": {"none": {"a": "1"}}}
    for reference, message in [
        ({"attacks": {}}, 'reference has no version of the form, not even "none"$'),
        (
            {"attacks": {"none": {}, "x": 7}},
            "attack 'x' of the reference: reference must be a JSON object, got a number$",
        ),
        ({"a": "1"}, r'reference must be an object \{"attacks": \{attack: document\}\}$'),
        (
            {"attacks": {"none": {"a": {"value": "1", "confidence": 7}}}},
            "entity 'a', attack 'none' of the reference: confidence must be",
        ),
    ]:
        with pytest.raises(DocumentError, match=f"^document 0(: |, ){message}"):
            corpus.evaluate(form_robustness, [good], [reference])
    problem = "^document 0: there is an answer under the attack 'nnoe' \\(close: 'none'\\), but no reference$"
    with pytest.raises(DocumentError, match=problem):
        corpus.evaluate(form_robustness, [{"attacks": {"nnoe": {}}}], [good])


def test_answers_that_are_missing_count_as_invalid() -> None:
    form = {"attacks": {"none": {"a": "1"}, "x": {"a": "1"}}}
    with pytest.warns(UserWarning, match="^3 of 4 predictions could not be read"):
        result = corpus.evaluate(form_robustness, ["no idea", {"attacks": {"none": {"a": "1"}}}], [form, form])
    assert (result["documents"], result["invalid_predictions"], result["f1"]) == (4, 3, pytest.approx(2 / 3))


def test_options_of_values() -> None:
    columns: tuple[Any, ...] = ([{"a": "X"}, {"a": "x"}], [{"a": "x"}, {"a": ("x", "y")}], ["none", "x"])
    assert compute(*columns)["f1"] == 0.0
    assert compute(*columns, normalize={"a": "casefold"})["f1"] == 1.0
    assert compute(*columns, match=lambda prediction, reference: True)["f1"] == 1.0
    with pytest.warns(UserWarning, match="^normalize: no document has 'b'"):
        compute(*columns, normalize={"b": "casefold"})


@given(seed=st.integers(0, 999), forms=st.lists(st.tuples(attacked(), attacked()), min_size=1, max_size=5))
@examples(100)
def test_order_of_rows_and_attacks_changes_no_score(seed: int, forms: list[tuple[Any, Any]]) -> None:
    rng = random.Random(seed)
    rows = [(p["attacks"][a], r["attacks"][a], a) for p, r in forms for a in r["attacks"]]
    shuffled = rng.sample(rows, len(rows))
    assert compute(*map(list, zip(*rows, strict=True))) == compute(*map(list, zip(*shuffled, strict=True)))


def test_scores_of_arrays_are_those_of_numbers() -> None:
    forms = [
        ({"attacks": {"none": INVOICE, "x": side}}, {"attacks": {"none": INVOICE, "x": INVOICE}})
        for side in ({}, INVOICE)
    ]
    each = corpus.evaluate(form_robustness, *map(list, zip(*forms, strict=True)), breakdown=True)["per_document"]
    assert [row["worst_drop"] for row in each] == [1.0, 0.0]
    assert not any(isinstance(value, np.generic) for row in each for value in row.values())


def test_kinds_and_types() -> None:
    form = {"attacks": {"none": {"a": "1"}, "x": {"b": "1"}}}
    assert input_kind_of(form) == "attacked"
    assert input_kind_of({"attacks": {"kind": "sql", "host": "x"}}) == "document"
    assert input_kind_of(form | {"id": 1}) == "document"
    assert entity_types(form, "reference", inputs=("attacked",)) == {"a", "b"}
    assert entity_types(form, "reference", inputs=("document",)) == {"attacks.none.a", "attacks.x.b"}
    numbers = {"attacks": {"none": {"a": 1}, "x": {"b": "1.0"}, "y": None}}
    assert seen_types(numbers, "reference", inputs=("attacked",)) == ({"a", "b"}, {"a"}, {"b"}, set(), 2)
    assert seen_types({"attacks": {}}, "reference", inputs=("attacked",)) == (set(), set(), set(), set(), 0)


def test_the_schema_holds_what_can_be_scored() -> None:
    validator = jsonschema.Draft202012Validator(
        json.loads(Path(docie.path("form_robustness"), "schema.json").read_text())
    )
    good = {"attacks": {"none": {"a": ["1"]}, "x+y": {}}}
    validator.validate(good)
    form_robustness.count(good, good)
    versions: list[Any] = [{}, {"x_interval": {}}, {" x": {}}, {"none": []}]
    bad_ones: list[Any] = [*({"attacks": each} for each in versions), {"a": "1"}, []]
    for bad in bad_ones:
        assert not validator.is_valid(bad)
        with pytest.raises(DocumentError):
            form_robustness.count({}, bad)


def test_the_command_line_knows_such_rows(tmp_path: Path) -> None:
    reference = {"attacks": {"none": INVOICE, "x": INVOICE}}
    prediction = {"attacks": {"none": INVOICE, "x": {}}}
    for extra in ({}, {"id": "inv-1"}):
        files = [lines(tmp_path / f"{n}.jsonl", [row | extra]) for n, row in (("r", reference), ("p", prediction))]
        for options in ([], ["--metric", "form_robustness"], ["--metric", "all"]):
            assert scored(*files, *options)["worst_drop"] == 1.0
    done = run(*files, "--metric", "kieval")
    assert (done.exit_code, done.stderr) == (2, "kieval reads documents, but these are forms with attacked versions\n")
    documents = lines(tmp_path / "d.jsonl", [INVOICE])
    done = run(documents, documents, "--metric", "form_robustness")
    assert done.exit_code == 2
    assert done.stderr.endswith('d.jsonl:1: reference must be an object {"attacks": {attack: document}}\n')
