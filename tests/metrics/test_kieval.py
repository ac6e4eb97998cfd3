"""KIEval on worked cases: the paper's figures, degenerate input, options."""

from __future__ import annotations

from typing import Any

import pytest

from docie import corpus, kieval
from docie.core.errors import DocumentError


def figures(prediction: Any, reference: Any, **options: Any) -> dict[str, Any]:
    return kieval.score(kieval.count(prediction, reference, kieval.Settings(**options)))


REFERENCE = {"a": "1", "b": "2", "c": "3"}


@pytest.mark.parametrize(
    ("prediction", "kind", "aligned", "entity_f1"),
    [
        ({"a": "1", "b": "2"}, "additions", 2 / 3, 0.8),
        ({"a": "1", "b": "2", "c": "4"}, "substitutions", 2 / 3, 2 / 3),
        ({"a": "1", "b": "2", "c": "3", "d": "4"}, "deletions", 3 / 4, 6 / 7),
    ],
)
def test_figure_3_one_correction_each(prediction: dict[str, str], kind: str, aligned: float, entity_f1: float) -> None:
    result = figures(prediction, REFERENCE)
    assert result["corrections"] == result[kind] == 1
    assert result["aligned"] == pytest.approx(aligned)
    assert result["entity_f1"] == pytest.approx(entity_f1)


def figure_5() -> tuple[list[dict[str, Any]], dict[str, Any]]:
    reference = {"menu": [{"nm": f"n{i}", "cnt": f"c{i}", "price": f"p{i}"} for i in range(3)]}
    shifted = {"menu": [{"nm": f"n{i}", "cnt": f"c{(i + 1) % 3}", "price": f"p{(i + 2) % 3}"} for i in range(3)]}
    return [reference, shifted], reference


@pytest.mark.parametrize(("number", "entity_f1", "group_f1"), [(0, 1.0, 1.0), (1, 1 / 3, 0.0)])
def test_figure_5_the_same_entities_grouped_wrongly(number: int, entity_f1: float, group_f1: float) -> None:
    predictions, reference = figure_5()

    def entities(document: dict[str, Any]) -> list[tuple[str, str]]:
        return sorted(item for group in document["menu"] for item in group.items())

    assert entities(predictions[number]) == entities(reference)  # conventional entity F1 is 1 for both
    result = figures(predictions[number], reference)
    assert result["entity_f1"] == pytest.approx(entity_f1)
    assert result["group_f1"] == group_f1


@pytest.mark.parametrize(
    ("prediction", "reference", "expected"),
    [
        # nothing on either side is right
        ({}, {}, {"entity_f1": 1.0, "group_f1": 1.0, "aligned": 1.0, "entity_f1_macro": 1.0, "document_accuracy": 1.0}),
        # absent values are nothing
        ({"a": None, "b": " ", "c": [], "g": {}}, {"a": ""}, {"entity_f1": 1.0, "document_accuracy": 1.0, "errors": 0}),
        # one side only
        ({"a": "1"}, {}, {"entity_f1": 0.0, "entity_precision": 0.0, "entity_recall": 0.0, "deletions": 1}),
        ({}, {"a": "1"}, {"entity_f1": 0.0, "aligned": 0.0, "additions": 1, "document_accuracy": 0.0}),
        # an invalid prediction is the empty document
        (None, {"a": "1"}, {"false_negatives": 1, "false_positives": 0}),
        ("no JSON", {}, {"entity_f1": 1.0}),
        # duplicates count as often as they stand
        ({"a": ["1", "1"]}, {"a": ["1", "1", "1"]}, {"true_positives": 2, "additions": 1}),
        ({"a": ["1", "1", "2"]}, {"a": ["2", "1"]}, {"true_positives": 2, "deletions": 1}),
        # 0 and false are values; numbers are compared by value, booleans by their JSON text, NaN is absent
        ({"a": 0, "b": False}, {"a": "0", "b": "false"}, {"true_positives": 2, "errors": 0}),
        ({"a": 12.0}, {"a": 12}, {"true_positives": 1, "substitutions": 0}),
        ({"a": 12.0}, {"a": "12.0"}, {"true_positives": 0, "substitutions": 1}),
        ({"a": float("nan")}, {"a": "NaN"}, {"true_positives": 0, "additions": 1}),
        ({"a": float("nan")}, {"a": None}, {"true_positives": 0, "errors": 0}),
        # order of several values in a group does not matter
        ({"g": {"a": ["2", "1"]}}, {"g": {"a": ["1", "2"]}}, {"group_f1": 1.0}),
        # groups of different types are never matched
        ({"g": {"a": "1"}}, {"h": {"a": "1"}}, {"true_positives": 0, "additions": 1, "deletions": 1}),
        # an unmatched group is added or deleted as a whole
        ({"g": [{"a": "1"}]}, {"g": [{"a": "1"}, {"a": "2", "b": "3"}]}, {"additions": 2, "group_recall": 0.5}),
    ],
)
def test_degenerate_documents(prediction: Any, reference: Any, expected: dict[str, float]) -> None:
    result = figures(prediction, reference)
    assert {name: result[name] for name in expected} == expected


@pytest.mark.parametrize(
    ("predicted", "reference", "expected"),
    [
        # equal in identical entities: the matching with fewer corrections wins
        ([{"a": "1", "b": "9"}], [{"a": "1"}, {"a": "1", "b": "2"}], {"corrections": 2, "substitutions": 1}),
        # ... then the one with more identical groups
        (
            [{"a": "1"}, {"a": "1", "b": "2"}],
            [{"a": "1", "b": "3"}, {"a": "1"}],
            {"group_f1": 0.5, "true_positives": 2},
        ),
    ],
)
def test_order_of_criteria(
    predicted: list[dict[str, str]], reference: list[dict[str, str]], expected: dict[str, float]
) -> None:
    result = figures({"g": predicted}, {"g": reference})
    assert {name: result[name] for name in expected} == expected


def test_greedy_takes_the_first_best_pair() -> None:
    # both share one entity with the first reference; only the second could do more elsewhere
    predicted = [{"a": "1", "b": "2"}, {"a": "1"}]
    reference = [{"a": "1"}, {"b": "2"}]
    assert figures({"g": predicted}, {"g": reference})["true_positives"] == 2
    assert figures({"g": predicted}, {"g": reference}, matching="greedy")["true_positives"] == 1
    assert figures({"g": predicted[::-1]}, {"g": reference}, matching="greedy")["true_positives"] == 2


def test_empty_groups() -> None:
    prediction, reference = {"a": "1", "g": {}, "h": []}, {"a": "1"}
    assert figures(prediction, reference)["document_accuracy"] == 1.0
    counted = figures(prediction, reference, empty_groups="count")
    assert counted["document_accuracy"] == 0.0
    assert counted["group_f1"] == 0.0
    assert counted["entity_f1"] == 1.0
    both = figures(prediction, {"a": "1", "g": {"a": None}}, empty_groups="count")
    assert both["group_f1"] == both["document_accuracy"] == 1.0


def test_ontology_restricts_what_is_scored() -> None:
    prediction = {"a": "1", "g": [{"a": "2", "b": "9"}, {"b": "3"}]}
    reference = {"a": "2", "g": [{"a": "2", "b": "1"}]}
    assert figures(prediction, reference, ontology=["g.a"])["entity_f1"] == 1.0
    assert figures(prediction, reference, ontology=["g.a"])["group_f1"] == 1.0
    assert figures(prediction, reference, ontology=["a"])["errors"] == 2
    empty = {"ontology": ["g.a"], "empty_groups": "count"}
    assert figures({"g": [{"a": "2"}, {"b": "3"}]}, {"g": {"a": "2"}}, **empty)["group_f1"] == 1.0
    assert figures({"g": [{"a": "2"}, {}], "h": {}}, {"g": {"a": "2"}}, **empty)["group_precision"] == 0.5


def test_one_of() -> None:
    reference = {"date": ("2023-12-31", "31.12.2023"), "g": {"a": ("1", "2")}}
    for date in reference["date"]:
        assert figures({"date": date, "g": {"a": "2"}}, reference)["document_accuracy"] == 1.0
    json_form = {"date": {"$any_of": ["2023-12-31", "31.12.2023"]}, "g": {"a": {"$any_of": ["1", "2"]}}}
    assert figures({"date": "2023-12-31", "g": {"a": "1"}}, json_form)["document_accuracy"] == 1.0
    # maximum matching: "1" has to leave the one-of to "2"
    assert figures({"a": ["1", "2"]}, {"a": [("1", "2"), "1"]})["true_positives"] == 2
    # one entity, however many answers
    assert figures({"a": ["1", "2"]}, {"a": ("1", "2")})["false_positives"] == 1
    # the groups' matching sees alternatives too
    crossed = {"g": [{"a": ("1", "2"), "b": "9"}, {"a": "3", "b": "8"}]}
    assert figures({"g": [{"a": "3"}, {"a": "2"}]}, crossed)["true_positives"] == 2
    # as many identical entities and corrections either way: the matching with an identical group wins
    for predicted in ([{"a": "1", "b": "2"}, {"b": "2"}], [{"b": "2"}, {"a": "1", "b": "2"}]):
        assert figures({"g": predicted}, {"g": [{"b": "3"}, {"b": ("1", "2")}]})["group_f1"] == 0.5
    # absent alternatives are dropped
    assert figures({"a": "1"}, {"a": ("1", None, "")})["true_positives"] == 1
    assert figures({}, {"a": (None, "")})["errors"] == 0


def test_breakdown() -> None:
    prediction = {"vendor": "x", "menu": [{"nm": "Latte", "price": "1"}, {"nm": "Tea"}]}
    reference = {"vendor": "y", "menu": [{"nm": "Latte", "price": "2"}, {"nm": "Tea"}]}
    tables = kieval.breakdown(kieval.count(prediction, reference))
    assert list(tables["per_entity"]) == ["menu.nm", "menu.price", "vendor"]
    assert tables["per_entity"]["menu.nm"]["entity_f1"] == 1.0
    assert tables["per_entity"]["menu.nm"]["support"] == 2
    assert tables["per_entity"]["menu.price"]["substitutions"] == 1
    assert list(tables["per_group"]) == ["menu"]
    menu = tables["per_group"]["menu"]
    assert (menu["group_f1"], menu["support"], menu["true_positives"], menu["corrections"]) == (0.5, 2, 2, 1)


def test_the_same_type_inside_and_outside_groups() -> None:
    result = kieval.count({"a": "1", "a.b": "2"}, {"a": {"b": "2"}})
    tables = kieval.breakdown(result)
    assert tables["per_entity"]["a.b"]["errors"] == 2
    assert tables["per_group"]["a"]["errors"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"matching": "best"}, "matching must be 'optimal' or 'greedy', got 'best'"),
        ({"empty_groups": True}, "empty_groups must be 'ignore' or 'count', got True"),
        ({"ontology": "menu.nm"}, "ontology must be a list of entity types, got 'menu.nm'"),
        ({"thresholds": [0.5, -1]}, "thresholds must be a list of numbers of at least 0, got -1"),
        ({"thresholds": []}, r"thresholds must be a list of numbers of at least 0, got \[\]"),
        ({"thresholds": 0.5}, "thresholds must be a list of numbers of at least 0, got 0.5"),
        ({"thresholds": [10**400]}, "thresholds must be a list of numbers of at least 0, got 1000"),
        ({"ontology": []}, r"ontology must be a list of entity types, got \[\]"),
        ({"ontology": 42}, "ontology must be a list of entity types, got 42"),
        ({"normalize": 5}, "normalize must be names or functions, or a mapping to these, got 5"),
        ({"normalize": {"a": None}}, "normalize must be names or functions, or a mapping to these, got {'a': None}"),
        ({"normalize": [["nfkc"]]}, "normalize must be names or functions, or a mapping to these, got"),
        ({"thresholds": [float("nan")]}, "thresholds must be a list of numbers of at least 0, got nan"),
        ({"normalize": "lower"}, "unknown normalizer 'lower', expected one of nfkc, casefold"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        kieval.Settings(**options)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"a": {"value": "1", "confidence": 1.7}}, "entity 'a': confidence must be between 0 and 1, got 1.7"),
        ({"a": {"value": "1", "confidence": float("nan")}}, "entity 'a': confidence must be between 0 and 1, got nan"),
        ({"a": {"value": "1", "confidence": "high"}}, "entity 'a': confidence must be a number between 0 and 1, got 'high'"),
        ({"a": {"value": "1", "confidence": True}}, "entity 'a': confidence must be a number between 0 and 1, got true"),
        ({"g": [{"b": {1, 2}}]}, "entity 'g.b': expected text, a number, a boolean, a list or an object, got set"),
        ({(1, 2): "x"}, r"keys must be text, got tuple \(1, 2\)"),
    ],
)  # fmt: skip
def test_documents_that_cannot_be_read(document: Any, message: str) -> None:
    with pytest.raises(DocumentError, match=f"^{message}"):
        kieval.count(document, {})
    with pytest.raises(DocumentError, match=f"document 1(, |: ){message}"):
        corpus.evaluate(kieval, [{}, {}], [{}, document])


def test_normalisation_by_entity_type() -> None:
    prediction, reference = {"total": "1,240.00", "vendor": "KEDAI"}, {"total": "1240", "vendor": "Kedai"}
    assert figures(prediction, reference)["true_positives"] == 0
    assert figures(prediction, reference, normalize={"total": "number"})["true_positives"] == 1
    assert figures(prediction, reference, normalize={"total": "number", "vendor": str.lower})["true_positives"] == 2
    assert figures({"d": "31.12.2023"}, {"d": ("2023-12-31", "x")}, normalize="date")["true_positives"] == 1


def test_options_may_be_generators() -> None:
    settings = kieval.Settings(ontology=(kind for kind in ["a"]), thresholds=(number / 2 for number in range(3)))  # type: ignore[arg-type]
    assert settings.ontology == {"a"}
    assert settings.thresholds == (0.0, 0.5, 1.0)


def test_a_normaliser_must_give_text() -> None:
    with pytest.raises(DocumentError, match="^entity 'a': its normalizer must give text, got None$"):
        figures({"a": "1"}, {"a": "2"}, normalize=lambda text: None)
    with pytest.raises(DocumentError, match="^entity 'a': its normalizer must give text, got None$"):
        figures({}, {"a": ("1", "2")}, normalize={"a": lambda text: None})


@pytest.mark.parametrize(
    ("number", "text", "equal"),
    [
        (1240.0, "1.240,00", True),
        (12.5, "12,50", True),
        (1.234, "1234", False),
        (1e16, "10.000.000.000.000.000", True),
        (True, "true", True),
    ],
)
def test_the_stated_decimal_mark_is_the_texts_not_json_numbers(number: Any, text: str, equal: bool) -> None:
    for normalize in ('number(decimal=",")', ["nfkc", 'number(decimal=",")', "whitespace"]):
        assert figures({"a": number}, {"a": text}, normalize=normalize)["true_positives"] == equal


def test_many_groups_with_alternatives() -> None:
    lines = [{"a": str(number), "b": ("USD", "US$")} for number in range(60)]
    predicted = [{"a": str(number), "b": "US$"} for number in reversed(range(60))]
    assert figures({"g": predicted}, {"g": lines})["document_accuracy"] == 1.0


def test_texts_of_any_size_and_kind() -> None:
    huge = "x" * 50_000_000
    assert figures({"a": huge}, {"a": huge})["entity_f1"] == 1.0
    surrogate = {"\ud800": "\udc00"}
    assert figures(surrogate, surrogate)["entity_f1"] == 1.0


def test_many_equal_values() -> None:
    result = figures({"a": ["1"] * 100_000}, {"a": ["1"] * 99_999})
    assert (result["true_positives"], result["deletions"]) == (99_999, 1)
