"""The options `schema`, `weights` and `costs`: what they read, what they refuse, and the figures they make."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, entity_f1, kieval, text_match
from docie.core.normalizers import NORMALIZERS
from docie.core.rules.match import EXPECTED
from docie.core.rules.schemas import read_schema

from cli_runs import lines, run, scored
from sizes import examples
from strategies import documents, shuffled

TEXT = ("nfkc", "casefold", "whitespace")


def schema_of(value: Any) -> dict[str, Any]:
    """A schema whose property `a` is this one."""
    return {"type": "object", "properties": {"a": value}}


@pytest.mark.parametrize(
    ("value", "prediction", "reference", "expected"),
    [
        ({"type": "number"}, "1,240.00", 1240, True),
        ({"type": ["integer", "null"]}, "12.0", 12, True),
        ({"type": "number"}, "$12", 12, False),  # a currency is no number; x-docie-normalize and x-docie-match say more
        ({"type": "number", "x-docie-normalize": "money"}, "$12", 12, False),
        ({"type": "number", "x-docie-normalize": 'money(currency="$")'}, "$12", 12, True),
        ({"type": "number", "x-docie-match": "same_amount"}, "$12", 12, True),
        ({"type": "string"}, "Kedai  KOPI", "kedai kopi", True),
        ({"type": "string"}, "12.0", "12", False),
        ({"type": "string", "format": "date"}, "31.12.2023", "2023-12-31", True),
        ({"type": "string", "format": "date-time"}, "31 Dec 2023", "2023-12-31", True),
        ({"type": "boolean"}, "Yes", True, True),
        ({"type": "boolean"}, "no", False, True),
        ({"type": "boolean"}, "no", True, False),
        ({"enum": ["NET 30", "NET 60"]}, "net 30", "NET 30", True),
        ({"enum": [1, 2], "type": "integer"}, "1.0", 1, True),
        ({"anyOf": [{"type": "number"}, {"type": "string", "pattern": "^[0-9]"}]}, "1.50", 1.5, True),
        ({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}, "1.2.2023", "2023-02-01", False),
        ({"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]}, "13.2.2023", "2023-02-13", True),
        ({"type": "array", "items": {"type": "number"}}, ["1.0", "2.0"], [2, 1], True),
        ({"type": "number", "x-docie-match": "within(0.01)"}, 12.01, 12, True),
        ({"type": "string", "x-docie-normalize": []}, "A", "a", False),
        ({"x-docie-match": "similar(0.5)"}, "ab", "ac", True),
        ({}, "A", "a", True),
        (True, "A", "a", True),  # any value
    ],
)
def test_types_of_values(value: Any, prediction: Any, reference: Any, expected: bool) -> None:
    schema = schema_of(value)
    for family, figure in ((kieval, "entity_f1"), (entity_f1, "f1"), (text_match, "exact_match")):
        if family is text_match and isinstance(reference, list):
            continue  # it joins the values of a field, in their order
        counts = family.count({"a": prediction}, {"a": reference}, family.Settings(schema=schema))
        assert family.score(counts)[figure] == expected


def test_names_are_paths_as_documents_have_them() -> None:
    line = {"type": "object", "properties": {"nm": {"type": "string"}, "sub": {"$ref": "#/$defs/Sub"}}}
    schema = {
        "$defs": {"Sub": {"properties": {"price": {"type": "number"}, "menu.flat": {"type": "number"}}}},
        "properties": {
            "menu": {"type": "array", "items": line},
            "total": {"type": "object", "properties": {"due": {}}},
        },
    }
    parsed = read_schema(schema)
    assert parsed is not None
    assert set(parsed.fields) == {"menu.nm", "menu.sub.price", "menu.flat", "total.due"}


def test_schemas_that_refer_to_themselves() -> None:
    node = {"properties": {"name": {"type": "string"}, "child": {"$ref": "#/$defs/Node"}}}
    parsed = read_schema({"$defs": {"Node": node}, "properties": {"tree": {"$ref": "#/$defs/Node"}}})
    assert parsed is not None
    assert "tree.name" in parsed.fields
    assert len(parsed.fields) < 5


def test_pydantic_classes() -> None:
    pydantic = pytest.importorskip("pydantic")
    import datetime
    import decimal

    item: Any = pydantic.create_model("Item", nm=(str, ...), price=(decimal.Decimal | None, None))
    model = pydantic.create_model("Receipt", menu=(list[item], ...), issued=(datetime.date, ...), paid=(bool, False))
    parsed = read_schema(model)
    assert parsed is not None
    assert parsed.normalizers == {"menu.nm": TEXT, "menu.price": ("number", *TEXT), "issued": ("date",), "paid": ("boolean",)}  # fmt: skip


def test_options_that_name_a_type_overrule_the_schema() -> None:
    schema = schema_of({"type": "string", "x-docie-match": "similar(0.5)"})
    for options, prediction, expected in [
        ({}, "Ab", 1),
        ({"match": {"a": "similar(1)"}}, "Ac", 0),
        ({"match": "similar(1)"}, "Ac", 1),  # a rule for all holds where the schema says nothing
        ({"match": {"a": "similar(1)"}, "normalize": {"a": []}}, "Ab", 0),
        ({"match": {"a": "similar(1)"}, "normalize": "alphanumeric"}, "Ab", 1),
        ({"match": {"a": "similar(1)"}, "normalize": "alphanumeric"}, "a-b", 0),
    ]:
        settings = kieval.Settings(schema=schema, **options)  # type: ignore[arg-type]
        assert kieval.score(kieval.count({"a": prediction}, {"a": "ab"}, settings))["true_positives"] == expected
    settings = kieval.Settings(schema=schema, normalize="alphanumeric")
    assert kieval.score(kieval.count({"b": "a-b"}, {"b": "ab"}, settings))["true_positives"] == 1


def test_schemas_that_disagree_are_text() -> None:
    number, text = schema_of({"type": "number", "x-docie-weight": 2}), schema_of({"type": "string"})
    with pytest.warns(UserWarning, match=r"^schema: schemas disagree on 'a'; these are compared as text$"):
        one = read_schema([number, text, number])
    with pytest.warns(UserWarning, match="disagree"):
        other = read_schema((text, number))
    assert one == other
    assert one is not None
    assert one.normalizers == {"a": TEXT}
    assert one.weights == {}


def test_files(tmp_path: Path) -> None:
    first, second = schema_of({"type": "number"}), {"properties": {"b": {"type": "boolean"}}}
    texts = {
        "one.json": json.dumps(first),
        "list.json": json.dumps([first, second]),
        "rows.jsonl": "\n".join(json.dumps({"id": n, "schema": each}) for n, each in enumerate((first, second))),
    }
    for name, text in texts.items():
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        expected = read_schema(first) if name == "one.json" else read_schema([first, second])
        assert read_schema(path) == read_schema(str(path)) == read_schema([path]) == expected


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (3, "schema must be a JSON Schema or a pydantic model class, got 3"),
        ([], "schema: expected a JSON Schema, got an empty list"),
        ({"total": "12.00"}, "schema: expected a JSON Schema with properties, got {'total': '12.00'}"),
        ([{}], "schema: expected a JSON Schema with properties, got {}"),
        (schema_of({"type": 3}), "schema: property 'a': type must be a text or a list of texts, got 3"),
        (schema_of({"properties": []}), "schema: property 'a': properties must be an object, got []"),
        (schema_of({"x-docie-weight": -1}), "schema: property 'a': x-docie-weight must be a number of at least 0, got -1"),
        (schema_of({"x-docie-match": "near"}), f"schema: property 'a': match: unknown rule 'near', {EXPECTED}"),
        (schema_of({"x-docie-normalize": "up"}), f"schema: property 'a': unknown normalizer 'up', expected one of {', '.join(NORMALIZERS)}"),
        (schema_of({"x-docie-normalize": 3}), "schema: property 'a': normalize must be names or functions, or a mapping to these, got 3"),
        ("nowhere.json", "schema: nowhere.json: cannot be read (No such file or directory)"),
    ],
)  # fmt: skip
def test_what_is_no_schema_is_refused(schema: Any, problem: str) -> None:
    for family in (kieval, entity_f1, text_match):
        with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
            family.Settings(schema=schema)
        assert str(error.value) == problem


PREDICTION = {"total": "12.50", "date": "2023-12-31", "item": [{"nm": "Tea"}, {"nm": "Latte"}]}
REFERENCE = {"total": "12.00", "date": "2023-12-31", "item": [{"nm": "Tea"}], "tax": "1.00"}


def test_weighted_figures() -> None:
    settings = kieval.Settings(weights={"total": 3, "tax": 0})
    figures = kieval.score(kieval.count(PREDICTION, REFERENCE, settings))
    # right: date, Tea. Wrong: total (weighs 3). Missed: total, tax (weighs 0). Invented: Latte
    assert figures["weighted_entity_f1"] == 2 * 2 / (2 * 2 + (3 + 1) + (3 + 0))
    assert figures["weighted_aligned"] == 2 / (2 + 3 + 0 + 1)
    plain = kieval.score(kieval.count(PREDICTION, REFERENCE))
    assert plain == {name: value for name, value in figures.items() if not name.startswith("weighted")}


def test_costs() -> None:
    settings = kieval.Settings(costs={"total": 5, "tax": {"addition": 2.5}, "item.nm": {"deletion": 0}})
    results = corpus.evaluate(kieval, [PREDICTION, {}], [REFERENCE, {}], settings, breakdown=True)
    assert results["correction_cost"] == 5 + 2.5 + 0
    assert results["correction_cost_per_document"] == 3.75
    assert [row["correction_cost"] for row in results["per_document"]] == [7.5, 0.0]
    assert {name: row["correction_cost"] for name, row in results["per_entity"].items()} == {"total": 5, "tax": 2.5, "item.nm": 0, "date": 0}  # fmt: skip
    assert "|costs:item.nm=1/1/0,tax=1/2.5/1,total=5|" in results["signature"]


WEIGHTS = st.dictionaries(st.sampled_from(["x", "y", "g.a", "g.b", "h.sub.a"]), st.sampled_from([0, 0.1, 0.3, 1, 7]))


@given(pairs=st.lists(st.tuples(documents(), documents()), min_size=1, max_size=4), weights=WEIGHTS, rng=st.randoms())
@examples(500)
def test_sums_over_the_rows_of_types(pairs: list[Any], weights: dict[str, float], rng: Any) -> None:
    settings = kieval.Settings(weights=weights, costs=weights)
    predictions, references = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    results = corpus.evaluate(kieval, predictions, references, settings, breakdown=True)
    rows = results["per_entity"].items()

    def total(column: str) -> float:
        return sum(float(weights.get(entity_type, 1) * row[column]) for entity_type, row in rows)

    tp, errors, corrections = total("true_positives"), total("errors"), total("corrections")
    assert results["weighted_entity_f1"] == pytest.approx(2 * tp / (2 * tp + errors) if tp + errors else 1)
    assert results["weighted_aligned"] == pytest.approx(tp / (tp + corrections) if tp + corrections else 1)
    assert results["correction_cost"] == pytest.approx(corrections)
    assert results["correction_cost"] == pytest.approx(sum(row["correction_cost"] for row in results["per_document"]))
    other = corpus.evaluate(
        kieval, shuffled(predictions, rng) if len(pairs) == 1 else predictions, references, settings
    )
    assert all(other[name] == results[name] for name in other)


@given(pairs=st.lists(st.tuples(documents(), documents()), min_size=1, max_size=4))
@examples(300)
def test_weights_of_one_change_nothing(pairs: list[Any]) -> None:
    settings = kieval.Settings(weights={}, costs=1)
    results = corpus.evaluate(kieval, [pair[0] for pair in pairs], [pair[1] for pair in pairs], settings)
    assert results["weighted_entity_f1"] == results["entity_f1"]
    assert results["weighted_aligned"] == results["aligned"]
    assert results["correction_cost"] == results["corrections"]


def test_weights_of_a_schema() -> None:
    schema = {"properties": {"total": {"type": "number", "x-docie-weight": 3}, "tax": {"x-docie-weight": 5}}}
    settings = kieval.Settings(schema=schema, weights={"tax": 0})
    assert settings.weight_of == {"total": 3, "tax": 0}
    figures = kieval.score(kieval.count(PREDICTION, REFERENCE, settings))
    assert figures["weighted_aligned"] == 2 / (2 + 3 + 0 + 1)


def test_intervals_and_empty_documents() -> None:
    settings = kieval.Settings(weights={"total": 0.5}, costs=2)
    results = corpus.evaluate(kieval, [PREDICTION, {}], [REFERENCE, {}], settings, confidence_level=0.9)
    low, high = results["weighted_entity_f1_interval"]
    assert low <= results["weighted_entity_f1"] <= high
    empty = kieval.score(kieval.count({}, {}, settings))
    assert (empty["weighted_entity_f1"], empty["weighted_aligned"], empty["correction_cost"]) == (1.0, 1.0, 0.0)
    parts = [corpus.count(kieval, [PREDICTION], [REFERENCE], settings).to_json() for _ in range(3)]
    merged = corpus.Partial.sum_of(map(corpus.Partial.from_json, parts))
    assert corpus.results(merged)["correction_cost"] == 3 * 2 * 3


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"weights": {"total": -1}}, "weights: 'total' must be a number of at least 0, got -1"),
        ({"weights": {"total": float("nan")}}, "weights: 'total' must be a number of at least 0, got nan"),
        ({"weights": {"total": "3"}}, "weights: 'total' must be a number of at least 0, got '3'"),
        ({"weights": [1]}, "weights must map entity types to numbers, got [1]"),
        ({"weights": 3}, "weights must map entity types to numbers, got 3"),
        ({"weights": "nowhere.json"}, "weights: nowhere.json: cannot be read (No such file or directory)"),
        ({"costs": -1}, "costs must be a number of at least 0, got -1"),
        ({"costs": {"total": {"typing": 1}}}, "costs: 'total': unknown operation 'typing', expected substitution, addition, deletion"),
        ({"costs": {"total": {"addition": -1}}}, "costs: 'total': addition must be a number of at least 0, got -1"),
        ({"costs": True}, "costs must map entity types to numbers, got True"),
    ],
)  # fmt: skip
def test_wrong_weights_and_costs_are_refused(options: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=r"^[^\n]+$") as error:
        kieval.Settings(**options)
    assert str(error.value) == problem


def test_a_weight_of_a_type_that_no_document_has() -> None:
    with pytest.warns(UserWarning, match=r"^weights: no document has 'totl' \(close: 'total'\)$"):
        corpus.evaluate(kieval, [PREDICTION], [REFERENCE], kieval.Settings(weights={"totl": 2}))


def test_evaluate_modules() -> None:
    schema = {"properties": {"total": {"type": "number", "x-docie-match": "within(1)"}}}
    results = docie.load("kieval", schema=schema).compute(
        predictions=[PREDICTION], references=[REFERENCE], weights={"tax": 2}, costs=1.5
    )
    assert (results["true_positives"], results["correction_cost"]) == (3, 3.0)
    assert "|costs:1.5|" in results["signature"]
    assert "|schema:1 types sha256=" in results["signature"]
    assert "|weights:tax=2" in results["signature"]
    assert (
        docie.load("entity_f1", schema=schema).compute(predictions=[{"total": "7"}], references=[{"total": 8}])["f1"]
        == 1
    )


def test_the_command_line(tmp_path: Path) -> None:
    files = lines(tmp_path / "r.jsonl", [REFERENCE]), lines(tmp_path / "p.jsonl", [PREDICTION])
    (tmp_path / "schema.json").write_text(json.dumps({"properties": {"total": {"type": "number", "x-docie-match": "within(1)"}}}))  # fmt: skip
    (tmp_path / "weights.json").write_text('{"tax": 0.5}')
    options = ["--schema", str(tmp_path / "schema.json"), "--option", f"weights={tmp_path / 'weights.json'}"]
    results = scored(*files, *options, "--option", "seconds_per_correction=30")
    assert results["true_positives"] == 3
    assert results["weighted_aligned"] == 3 / (3 + 1 + 0.5)
    assert results["correction_cost"] == 60
    assert results["minutes_per_100_documents"] == 100
    table = run(*files, *options, "--option", "seconds_per_correction=30").stdout
    assert "minutes_per_100_documents" in table


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--schema", "{}"], "--schema: expected a JSON Schema with properties, got {'total': '12.50', 'date': '2023-12-31', 'item': [{'nm': 'Te…"),
        (["--option", "weights={}"], "weights: 'total' must be a number of at least 0, got '12.50'"),
        (["--option", "seconds_per_correction=-1"], "seconds_per_correction must be a number of at least 0, got -1"),
        (["--option", "seconds_per_correction=1", "--metric", "hed"], "unknown option 'costs' of hed, expected one of: normalize, unmatched"),
    ],
)  # fmt: skip
def test_wrong_options(options: list[str], message: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "p.jsonl", [PREDICTION])
    done = run(path, path, *[each.replace("{}", str(path)) for each in options])
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", message + "\n")


def test_the_signature_tells_schemas_apart() -> None:
    number, text = {"type": "number"}, {"type": "string"}
    one, same, other = (
        str(read_schema({"properties": properties}))
        for properties in ({"a": number, "b": text}, {"b": text, "a": number}, {"a": text, "b": text})
    )
    assert one == same != other
    assert one.startswith("2 types sha256=")


def test_a_schema_with_a_key_named_schema_is_no_wrapper(tmp_path: Path) -> None:
    inner = {"properties": {"a": {"type": "number"}}}
    file = tmp_path / "schema.json"
    file.write_text(json.dumps({"schema": inner}), encoding="utf-8")
    assert str(read_schema(file)) == str(read_schema(inner))
    own = {"properties": {"b": {"type": "string"}}, "schema": inner}
    file.write_text(json.dumps(own), encoding="utf-8")
    assert str(read_schema(file)) == str(read_schema(own)) != str(read_schema(inner))


@pytest.mark.parametrize(
    ("reference", "normalizers"),
    [
        ("#/anyOf/0", ("number",)),
        ("#/anyOf/1", TEXT),  # there is none, so nothing is known of the value
        ("#/anyOf/x", TEXT),
        ("#/none", TEXT),
        ("#/anyOf/0/type/x", TEXT),
        ("elsewhere.json#/a", TEXT),
    ],
)
def test_what_a_reference_points_to(reference: str, normalizers: tuple[str, ...]) -> None:
    schema = read_schema({"properties": {"a": {"$ref": reference}}, "anyOf": [{"type": "number"}]})
    assert schema is not None
    assert schema.normalizers == {"a": normalizers}
