"""What holds of every family: a test a property."""

from __future__ import annotations

import inspect
import json
import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus
from docie.core.counts import Counts
from docie.core.errors import DocumentError
from docie.core.family import get
from docie.core.scores import score_of

from sizes import examples, length
from strategies import ENTITIES, ONE_OFS, attacked, boxes, documents, shuffled, tagged_words, tags

FAMILIES = {name: get(name) for name in docie.families()}
# scores in [0, 1], of which 1.0 is best: all shares, but those that need options or that have no value on empty documents
BEST: dict[str, list[str]] = {
    **{
        name: [score.name for score in family.SCORES if score.better == "higher" and score.kind in ("share", "documents")]
        for name, family in FAMILIES.items()
    },
    "box_iou": [
        "iou_grouped", "iou_constituent", "area_precision", "area_recall", "area_f1", "precision", "recall", "f1",
        "f1_mean", "f1_at_0.5",
    ],
    "entity_f1": ["precision", "recall", "f1", "f1_macro"],
    "form_robustness": ["f1", "precision", "recall"],
    "kieval": ["entity_f1", "entity_f1_macro", "group_f1", "aligned", "document_accuracy"],
}  # fmt: skip
ORDERED = {("hed", f"hed_{f}{s}") for f in ("f1", "precision", "recall") for s in ("", "_micro")} | {
    ("nted", "nted_accuracy")
}  # line items in another order are others
NOTHING_ABSENT = {"absent_accuracy": 1.0, "absent": 0, "false_alarms": 0}
"""What a document of KIEval has in `per_document` if only others have absent values."""
LOWEST = {  # error rates, of which 0.0 is best
    "oi_entities": ["oi_ecer", "oi_ewer", "ecer", "ewer"]
    + [f"bag_of_{bag}_error_rate" for bag in ("words", "tagged_words", "entities")]
}


class Samples(NamedTuple):
    """Of one kind of input: pairs of prediction and reference, one of them invalid; random ones; something, nothing."""

    pairs: list[tuple[Any, Any]]
    random: st.SearchStrategy[tuple[Any, Any]]
    something: Any
    nothing: Any


BOX = {"label": "a", "box": [0, 0, 4, 2]}
SAMPLES = {
    "document": Samples(
        [
            (
                {"a": "2", "g": [{"b": "60.00"}]},
                {"a": ("1", "2"), "g": [{"b": "60.000"}, {"b": None, "c": ["x", "y"]}]},
            ),
            ({"a": {"value": "y", "confidence": 0.5}}, {"a": "x"}),
            (None, {}),
            ({"g": {"b": 7}, "h": {"c": 1}}, {"g": [{"b": "7"}] * 2}),
        ],
        st.tuples(documents(), documents(ONE_OFS)),
        {"a": "1", "g": [{"b": "2"}]},
        {},
    ),
    "tags": Samples(
        [(["B-a", "I-a", "B-b"], ["B-a", "I-a", "O"]), ([], []), (None, ["B-a"]), (["O", "S-b"], ["O", "B-b"])],
        tags(),
        ["B-a"],
        ["O"],
    ),
    "tagged words": Samples(
        [
            ({"words": ["x", "y"], "tags": ["B-a", "I-a"]}, {"words": ["x", "z"], "tags": ["B-a", "B-b"]}),
            (None, {"words": ["x"], "tags": ["O"]}),
            ({"words": [], "tags": []}, {"words": [], "tags": []}),
        ],
        tagged_words(),
        {"words": ["x"], "tags": ["B-a"]},
        {"words": ["x"], "tags": ["O"]},
    ),
    "entities": Samples(
        [
            ([["a", "26 mai 1771"], ["b", "X1A"]], [["b", "X1A"], {"category": "a", "text": "26 mai 1770"}]),
            ([], []),
            (None, [["a", 7]]),
            ([["c", "?"]], []),
        ],
        st.tuples(ENTITIES, ENTITIES),
        [["a", "x"]],
        [],
    ),
    "boxes": Samples(
        [
            ([BOX, BOX | {"group": 1}], [BOX | {"box": [1, 0, 5, 2]}, BOX | {"group": 1}]),
            ([], []),
            (None, [BOX]),
            ([BOX | {"label": "b"}], [BOX]),
        ],
        st.tuples(boxes(), boxes()),
        [BOX],
        [],
    ),
    "attacked": Samples(
        [
            (
                {"attacks": {"none": {"a": "1"}, "global_shuffle": {"b": "2"}}},
                {"attacks": {"none": {"a": ("1", "2")}, "global_shuffle": {"a": "1", "g": [{"b": "2"}]}}},
            ),
            ({"attacks": {"none": {}, "global_shuffle": {}}},) * 2,
            ({"attacks": {"none": {"a": "1"}}}, {"attacks": {"none": {"a": "1"}, "global_shuffle": {}}}),
            ({"attacks": {"none": {"b": "1"}, "global_shuffle": {"a": "1"}}},) * 2,
        ],
        st.tuples(attacked(), attacked(ONE_OFS)),
        {"attacks": {"none": {"a": "1"}}},
        {"attacks": {"none": {}}},
    ),
}
CASES = [(name, kind) for name, family in sorted(FAMILIES.items()) for kind in family.INPUTS if kind in SAMPLES]
PREDICTIONS, REFERENCES = (list(side) for side in zip(*SAMPLES["document"].pairs, strict=True))
every_family = pytest.mark.parametrize("name", sorted(FAMILIES))
of_documents = pytest.mark.parametrize("name", [name for name, kind in CASES if kind == "document"])
every_case = pytest.mark.parametrize(("name", "kind"), CASES)
few_cases = pytest.mark.parametrize(
    ("name", "kind"),
    [pytest.param(*case, marks=[pytest.mark.exhaustive] * (case[0] not in ("kieval", "hed"))) for case in CASES],
)


def evaluate(name: str, pairs: list[tuple[Any, Any]], **options: Any) -> dict[str, Any]:
    return corpus.evaluate(FAMILIES[name], [p for p, _ in pairs], [r for _, r in pairs], **options)


def columns_of(pairs: list[tuple[Any, Any]], kind: str) -> dict[str, list[Any]]:
    """What `compute` takes: of attacked forms, a row for each version."""
    predictions, references = (list(side) for side in zip(*pairs, strict=True))
    if kind != "attacked":
        return {"predictions": predictions, "references": references}
    rows = [
        (prediction["attacks"].get(attack), document, attack)
        for prediction, reference in pairs
        for attack, document in reference["attacks"].items()
    ]
    return dict(zip(("predictions", "references", "attack"), map(list, zip(*rows, strict=True)), strict=True))


def check_all(name: str, result: dict[str, Any], best: float) -> None:
    """All scores are 1.0, or all are 0.0, and error rates the other way round."""
    assert [result[score] for score in BEST[name]] == [best] * len(BEST[name])
    assert [result[rate] for rate in LOWEST.get(name, [])] == [1 - best] * len(LOWEST.get(name, []))


@every_case
def test_the_module_gives_what_the_package_gives(name: str, kind: str) -> None:
    options: dict[str, Any] = {"breakdown": True, "confidence_level": 0.9}
    metric = docie.load(name)
    pairs = SAMPLES[kind].pairs
    expected = evaluate(name, pairs, **options)
    columns = columns_of(pairs, kind)
    assert metric.compute(**columns, **options) == expected
    for row in zip(*columns.values(), strict=True):
        metric.add(**dict(zip((name.removesuffix("s") for name in columns), row, strict=True)))
    assert metric.compute(**options) == expected
    assert metric.name == name


@every_family
def test_every_option_of_the_settings_is_an_option_of_compute(name: str) -> None:
    options = inspect.signature(docie.load(name)._compute).parameters
    for option, parameter in inspect.signature(FAMILIES[name].Settings).parameters.items():
        assert options[option].default == parameter.default
    generic = inspect.signature(corpus.evaluate).parameters
    for option in ("breakdown", "confidence_level", "bootstrap_samples", "seed"):
        assert options[option].default == generic[option].default
    with pytest.raises(ValueError, match="^unknown option 'mathcing', expected one of: "):
        docie.load(name, mathcing="greedy")


@of_documents
def test_options_are_set_when_loading_and_overridden_when_computing(name: str) -> None:
    metric = docie.load(name, normalize="casefold")
    pairs = {"predictions": [{"a": "X"}], "references": [{"a": "x"}]}
    assert metric.compute(**pairs)[BEST[name][0]] == 1.0
    assert "normalize:casefold" in metric.compute(**pairs)["signature"]
    if name != "anls_star":  # has no case by itself
        assert metric.compute(**pairs, normalize=None)[BEST[name][0]] < 1.0


@every_case
def test_results_are_numbers_that_any_logger_takes(name: str, kind: str) -> None:
    results = evaluate(name, SAMPLES[kind].pairs)
    assert isinstance(results.pop("signature"), str)
    assert all(type(value) in (int, float) for value in results.values())
    assert results["invalid_predictions"] == (0 if name == "anls_star" else 1)
    assert json.loads(json.dumps(results)) == results


@every_case
@given(data=st.data())
@examples(200)
def test_a_document_is_its_own_perfect_prediction(name: str, kind: str, data: st.DataObject) -> None:
    document, _ = data.draw(SAMPLES[kind].random)
    check_all(name, evaluate(name, [(document, document)]), 1.0)


@every_case
@given(data=st.data())
@examples(300)
def test_scores_are_fractions(name: str, kind: str, data: st.DataObject) -> None:
    result = evaluate(name, [data.draw(SAMPLES[kind].random)], breakdown=True)
    for score in BEST[name]:
        assert 0.0 <= result[score] <= 1.0 + 1e-12
    for rate in LOWEST.get(name, []):
        assert result[rate] >= 0.0
    for row in result.get("per_entity", {}).values():
        assert row["support"] >= 0
        # of a list's entities, which need not be the whole text, cer and wer are given by category only
        assert row.keys() - {"support", *(("cer", "wer") if kind == "entities" else ())} <= result.keys()


@every_case
def test_the_figures_of_a_group_are_those_of_its_documents_alone(name: str, kind: str) -> None:
    pairs = SAMPLES[kind].pairs * 2
    options: dict[str, Any] = {"confidence_level": 0.9}
    wrapped = [
        ({"prediction": prediction}, {"reference": reference, "meta": {"by": "one" if number % 3 else "two"}})
        for number, (prediction, reference) in enumerate(pairs)
    ]
    results = evaluate(name, wrapped, group_by="by", **options)
    groups = results.pop("by_by")
    assert results == evaluate(name, pairs, **options)
    assert list(groups) == ["one", "two"]
    for group, rest in (("one", (1, 2)), ("two", (0,))):
        alone = evaluate(name, [pair for number, pair in enumerate(pairs) if number % 3 in rest], **options)
        del alone["invalid_predictions"], alone["signature"]
        assert groups[group] == alone


@of_documents
@given(prediction=documents(), reference=documents(ONE_OFS), seed=st.integers(0, 999))
@examples(400)
def test_order_changes_no_figure(name: str, prediction: Any, reference: Any, seed: int) -> None:
    """Of keys, of groups and of the values in them; values of one field are joined in order, so these stay."""
    rng = random.Random(seed)
    whole = name in ("kieval", "entity_f1", "anls_star")
    mix = shuffled if whole else _keys_shuffled if name == "nted" else _items_shuffled
    one = evaluate(name, [(prediction, reference)])
    other = evaluate(name, [(mix(prediction, rng), mix(reference, rng))])
    left_out = {score for family, score in ORDERED if family == name and name != "nted"} | {"signature"}
    for score in one.keys() - left_out:
        assert one[score] == pytest.approx(other[score], abs=1e-12)


def _keys_shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        return {key: _keys_shuffled(value[key], rng) for key in rng.sample(list(value), len(value))}
    return [_keys_shuffled(child, rng) for child in value] if isinstance(value, list) else value


def _items_shuffled(value: Any, rng: random.Random) -> Any:
    """Groups in another order, and nothing else."""
    return {
        key: rng.sample(child, len(child)) if isinstance(child, list) and all(isinstance(c, dict) for c in child) and key in "gh" else child
        for key, child in value.items()
    }  # fmt: skip


@every_case
@given(data=st.data(), cut=st.lists(st.integers(0, 2), min_size=8, max_size=8), rng=st.randoms(use_true_random=False))
@examples(100)
def test_any_split_in_any_order_gives_the_whole(
    name: str, kind: str, data: st.DataObject, cut: list[int], rng: random.Random
) -> None:
    """To the last bit."""
    pairs = data.draw(st.lists(SAMPLES[kind].random, max_size=8))
    expected = evaluate(name, pairs, breakdown=True)
    del expected["per_document"]
    rng.shuffle(pairs)
    parts = [[pair for pair, part in zip(pairs, cut, strict=False) if part == number] for number in range(3)]
    counts = [corpus.count(FAMILIES[name], [p for p, _ in part], [r for _, r in part]) for part in parts]
    merged = corpus.Partial.sum_of([corpus.Partial.from_json(json.loads(json.dumps(counts[0].to_json()))), *counts[1:]])
    assert corpus.results(merged, breakdown=True) == expected


@every_case
@given(data=st.data())
@examples(50)
def test_documents_by_themselves(name: str, kind: str, data: st.DataObject) -> None:
    pairs = data.draw(st.lists(SAMPLES[kind].random, max_size=5))
    result = evaluate(name, pairs, breakdown=True)
    assert len(result["per_document"]) == len(pairs)
    for pair, row in zip(pairs, result["per_document"], strict=True):
        alone = NOTHING_ABSENT | evaluate(name, [pair])
        assert row == pytest.approx({score: alone[score] for score in row}, abs=1e-12)


@few_cases
def test_many_documents_in_several_processes(name: str, kind: str) -> None:
    pairs = SAMPLES[kind].pairs * 300
    assert evaluate(name, pairs, workers=2) == evaluate(name, pairs)


@every_case
def test_intervals_hold_the_figures(name: str, kind: str) -> None:
    result = evaluate(name, SAMPLES[kind].pairs * 10, confidence_level=0.95)
    for score in [*BEST[name], *LOWEST.get(name, [])]:
        interval = result[f"{score}_interval"]
        assert interval is None or result[score] != 0 or score_of(FAMILIES[name], score).kind in ("share", "documents")
        low, high = interval or [result[score]] * 2
        assert low <= result[score] <= high


@every_case
def test_systems_can_be_compared(name: str, kind: str) -> None:
    pairs = SAMPLES[kind].pairs * 2
    references = [reference for _, reference in pairs]
    systems = {
        "a": [prediction for prediction, _ in pairs],
        "b": [None if number % 3 else prediction for number, (prediction, _) in enumerate(pairs)],
        "c": [None] * len(pairs),
    }
    family = FAMILIES[name]
    scores = [*corpus.evaluate(family, systems["a"], references)]
    scores = [score for score in scores if score not in ("documents", "invalid_predictions", "signature")]
    scores = [score for score in scores if score_of(family, score).better != "neither"]
    result = corpus.compare(family, systems, references, scores=scores, breakdown=True)
    expected = {system: corpus.evaluate(family, rows, references) for system, rows in systems.items()}
    for row in result["comparisons"]:
        assert row["value_a"] == expected[row["a"]][row["score"]]
        assert row["value_b"] == expected[row["b"]][row["score"]]
        assert 0 < row["p_value"] <= row["p_value_holm"] <= 1
        low, high = row["interval"] or [row["difference"]] * 2
        assert low <= row["difference"] <= high
        assert row["interval"] is not None or row["smallest_difference"] is None
    assert len(result["ranks"]) == len(scores)
    assert "per_entity" in result


@every_family
def test_nothing_at_all(name: str) -> None:
    for result in (evaluate(name, []), FAMILIES[name].score(Counts())):
        check_all(name, result, 1.0)
    assert FAMILIES[name].breakdown(Counts()).keys() <= {"per_entity", "per_group"}


@every_case
def test_one_side_without_anything(name: str, kind: str) -> None:
    _, _, something, nothing = SAMPLES[kind]
    check_all(name, evaluate(name, [(something, nothing)]), 0.0)
    check_all(name, evaluate(name, [(nothing, something)]), 0.0)


@pytest.mark.parametrize(("name", "kind"), [(name, kind) for name, kind in CASES if kind not in ("document", "tags")])
def test_what_is_no_list(name: str, kind: str) -> None:
    for bad in (None, "text", {"total": "12.00"}, 3):
        if name != "entity_f1" or not isinstance(bad, dict):
            with pytest.raises(DocumentError, match="^document 1: reference must be "):
                evaluate(name, [SAMPLES[kind].pairs[0], (SAMPLES[kind].something, bad)])
        result = evaluate(name, [(bad, SAMPLES[kind].something)])
        assert result["invalid_predictions"] == 1
        check_all(name, result, 0.0)


@pytest.mark.parametrize("name", [name for name, kind in CASES if kind == "document" and name != "anls_star"])
def test_what_is_no_document(name: str) -> None:
    expected = "a JSON object or a list of tags" if name == "entity_f1" else "a JSON object"
    for bad in (None, "text", ["a"], 3):
        if name != "entity_f1" or not isinstance(bad, list):
            with pytest.raises(DocumentError, match=f"^document 1: reference must be {expected}, got "):
                evaluate(name, [({}, {}), ({}, bad)])
        result = evaluate(name, [(bad, {"a": "1"}), (bad, {})])
        assert result["invalid_predictions"] == 2
        assert result[BEST[name][0]] < 1.0


@of_documents
def test_what_a_normaliser_empties_is_absent(name: str) -> None:
    blank = {"normalize": lambda text: text.replace("-", " ")}
    reference, prediction = {"m": [{"a": "--"}, {"a": "x", "b": ("--", "y")}]}, {"m": {"a": "x", "b": "y"}, "c": "-"}
    for options in ({"normalize": "alphanumeric"}, blank):
        settings = FAMILIES[name].Settings(**options)
        result = corpus.evaluate(FAMILIES[name], [prediction], [reference], settings)
        if name != "anls_star":  # an element of a list stays one, whatever it holds
            assert result[BEST[name][0]] == 1.0
        result = corpus.evaluate(FAMILIES[name], [{}, {"a": "--", "b": None}], [{"a": "--"}, {"c": ""}], settings)
        assert result[BEST[name][0]] == 1.0


@of_documents
def test_alternatives_of_documents_are_single_values(name: str) -> None:
    for answers in (({"b": "x"},), ({"b": "x"}, "y"), (["x"], "y")):
        if name == "anls_star":
            assert evaluate(name, [({"a": answers[0]}, {"a": answers})])["anls_star"] == 1.0
        else:
            with pytest.raises(
                DocumentError, match="entity 'a': alternatives must be single values, got (an object|a list)$"
            ):
                evaluate(name, [({}, {"a": answers})])


@of_documents
def test_bad_values_are_named(name: str) -> None:
    with pytest.raises(DocumentError, match="^document 0, entity 'a.b': expected text, a number, .* got set$"):
        evaluate(name, [({"a": [{"b": {1}}]}, {})])
    with pytest.raises(DocumentError, match="^document 0, entity 'a': confidence must be between 0 and 1, got 1.7$"):
        evaluate(name, [({"a": {"value": "x", "confidence": 1.7}}, {})])


@of_documents
@length(10_000)
def test_deep_wide_and_odd_documents(name: str, length: int) -> None:
    """A hundred levels, thousands of keys, mixed types, NaN."""
    deep: Any = "x"
    for level in range(98):
        deep = {"b": deep} if level % 2 else [deep, {}]
    wide = {f"key {number}": f"value {number}" for number in range(length)}
    mixed = {"a": [1, None, "x", {"b": 2.5}, [True, ["y"]]], "c": float("nan"), "d": {}}
    for document in ({"a": deep}, wide, mixed):
        assert evaluate(name, [(document, document)])[BEST[name][0]] == 1.0
    almost = wide | {"key 5": "?", "another": "value"}
    assert 0.9 < evaluate(name, [(almost, wide)])[BEST[name][0]] < 1.0
    assert evaluate(name, [(mixed, {"a": deep})])[BEST[name][0]] < 1.0
    assert evaluate(name, [({"c": "NaN"}, {"c": float("nan")})])[BEST[name][0]] < 1.0
    assert evaluate(name, [({"c": float("nan")}, {})])[BEST[name][0]] == 1.0


@every_case
def test_the_card_names_every_figure(name: str, kind: str) -> None:
    card = Path(docie.path(name), "README.md").read_text(encoding="utf-8")
    values = card.partition("## Output values")[2].partition("\n## ")[0]
    for score, value in evaluate(name, SAMPLES[kind].pairs).items():
        if isinstance(value, float):
            assert f"`{score_of(FAMILIES[name], score).name}`" in values, score
    inputs = card.partition("## Inputs")[2].partition("\n## ")[0]
    for option in inspect.signature(docie.load(name)._compute).parameters.keys() - {"predictions", "references"}:
        assert f"`{option}`" in inputs or f"**{option}**" in inputs, option


def test_the_families_of_documents_share_one_schema() -> None:
    schemas = {name: json.loads(Path(docie.path(name), "schema.json").read_text(encoding="utf-8")) for name in FAMILIES}
    document = schemas["kieval"]
    for name, family in FAMILIES.items():
        if family.INPUTS == ("document",):
            assert schemas[name] == document, name
    definitions = schemas["entity_f1"]["$defs"]  # entity F1's is that, or tags
    assert {name: definitions[name] for name in document["$defs"]} == document["$defs"]
    assert definitions["document"] == {key: document[key] for key in ("description", "type", "additionalProperties")}
