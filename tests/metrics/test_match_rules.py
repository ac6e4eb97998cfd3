"""The option `match`: which values are equal, which of them are paired, and what the families make of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, entity_f1, kieval, text_match
from docie.core.errors import DocumentError
from docie.core.rules.match import Rule, rules_of
from docie.core.rules.pairs import pairs_by_rule

import oracle
from cli_runs import lines, run, scored
from sizes import examples
from strategies import ONE_OFS, documents, shuffled


def rule(spec: Any) -> Rule:
    """The rule of a text or a function."""
    rules = rules_of(spec)
    assert rules is not None
    assert rules.others is not None
    return rules.others


@pytest.mark.parametrize(
    ("spec", "prediction", "reference", "expected"),
    [
        ("similar(0.9)", "Kedai Kopi", "Kedai K0pi", True),  # exactly 0.9
        ("similar(0.9)", "Kedai", "Keday", False),
        ("similar(0.1)", "abcdefghij", "a123456789", True),  # 1 - 9/10 is a little less than 0.1 as a float
        ("similar(1)", "a", "a", True),
        ("similar(1)", "a", "A", False),
        ("similar(0.9)", "कि", "की", False),  # one of two characters
        ("within(0.01)", "12.00", "12.01", True),
        ("within(0.01)", "12.00", "12.02", False),
        ("within(0.01)", "$1,240.00", "1240.01", True),
        ("within(0.01)", "8.20 €", "$8.20", True),  # currencies do not count
        ("within(0.01)", "0.1", "0.11", True),  # 0.11 - 0.1 is a little more than 0.01 as a float
        ("within(0)", "12.00", "12", True),
        ("within(.5)", "19.0 %", "19.5%", True),
        ("within(1)", "19%", "19", False),  # a percentage and a number
        ("within(1)", "twelve", "twelve", True),
        ("within(1)", "twelve", "12", False),
        ("within(1)", "1.240", "1240", False),  # 1.240 can be read in two ways
        ("within(1)", "1.240", "1.240", True),
        ("within(1%)", "101", "100", True),
        ("within(1%)", "99", "100", True),
        ("within(1%)", "100", "101.02", False),  # of the reference
        ("within(1%)", "-100", "-101", True),
        ("within(1%)", "0.001", "0", False),
        ("within(10%)", "9" * 400, "9" * 399 + "8", True),  # larger than a float
        ("within(0.5)", "9" * 400, "9" * 399 + "8", False),
        ("same_amount", "€ 1,240.00", "1240", True),
        ("same_amount", "1240", "1.240,00 EUR", True),
        ("same_amount", "€5", "5.00 EUR", True),
        ("same_amount", "€5", "$5", False),
        ("same_amount", "$5", "5 USD", False),  # of which dollars is not said
        ("same_amount", "€5", "€6", False),
        ("same_amount", "-5", "€5", False),
        ("same_amount", "5%", "5", False),
        ("same_amount", "5 %", "5%", True),
        ("same_amount", "€ 1.240", "1240", False),  # can be read in two ways
        ("same_amount", "007", "7", False),
        ("same_amount", "tea", "Tea", False),
        ("same_amount", "tea", "tea", True),
        (lambda a, b: a.lower() == b.lower(), "ABC", "abc", True),
        (lambda a, b: False, "abc", "abc", True),  # identical texts are equal under every rule
        (str.startswith, "2023-12-31T00:00", "2023-12-31", True),
        (str.startswith, "2023-12-31", "2023-12-31T00:00", False),
    ],
)
def test_cases(spec: Any, prediction: str, reference: str, expected: bool) -> None:
    assert rule(spec).holds(prediction, reference) is expected
    assert rule(spec).table([prediction], [reference]).tolist() == [[expected]]
    for family, figure in ((kieval, "entity_f1"), (entity_f1, "f1"), (text_match, "exact_match")):
        counts = family.count({"a": prediction}, {"a": reference}, family.Settings(match={"a": spec}))
        assert family.score(counts)[figure] == expected


TEXTS = st.text("a1.", min_size=1, max_size=4) | st.sampled_from(["1.0", "2", "2.5", "1,5", "3 %", "2%", "$2", "a b"])
SPECS = st.sampled_from(
    [
        "similar(0.5)",
        "similar(0.75)",
        "within(0.5)",
        "within(1)",
        "within(50%)",
        "same_amount",
        str.startswith,
        lambda a, b: True,
    ]
)


@given(predictions=st.lists(TEXTS, max_size=5), references=st.lists(TEXTS, max_size=5), spec=SPECS)
@examples(1000)
def test_many_at_once_are_as_one_by_one(predictions: list[str], references: list[str], spec: Any) -> None:
    table = rule(spec).table(predictions, references)
    assert table.shape == (len(predictions), len(references))
    assert table.tolist() == [[rule(spec).holds(each, reference) for reference in references] for each in predictions]


ALTERNATIVES = st.lists(TEXTS, min_size=1, max_size=2, unique=True)


@pytest.mark.exhaustive
@given(predictions=st.lists(TEXTS, max_size=5), references=st.lists(ALTERNATIVES, max_size=5), spec=SPECS)
@examples(2000, 400)
def test_pairs_agree_with_all_matchings(predictions: list[str], references: list[list[str]], spec: Any) -> None:
    predictions = sorted(predictions)
    pairs = pairs_by_rule(predictions, references, rule(spec))
    best = oracle.best_pairs(predictions, references, rule(spec).holds)
    assert [row for row, _ in pairs] == [row for row, _ in best]
    assert {column for _, column in pairs} == {column for _, column in best}


@pytest.mark.parametrize(
    ("predictions", "references", "rows", "columns"),
    [
        (["zzzz", "abc", "abd"], ["abc", "abd"], [1, 2], {0, 1}),  # the most similar ones come before the first ones
        (["abc", "abd"], ["zzzz", "abd", "abc"], [0, 1], {1, 2}),
        (["x", "y", "z"], ["a", "b"], [0, 1], {0, 1}),  # of equally similar ones, the first ones
        (["x", "y"], ["a", "b", "c"], [0, 1], {0, 1}),
        (["x", "y"], ["a"], [0], {0}),
        (["x"], ["a", "b"], [0], {0}),
        (["x", "ay"], ["a"], [1], {0}),
        (["x"], ["a", "xb", "xc"], [0], {1}),
        (["a" * 10_000 + "xx", "a" * 10_000 + "x", "b"], ["a" * 10_000, "b"], [1, 2], {0, 1}),  # by very little
    ],
)
def test_which_values_are_paired(predictions: list[str], references: list[str], rows: list[int], columns: Any) -> None:
    everything = rule(lambda a, b: True)
    pairs = pairs_by_rule(predictions, [[each] for each in references], everything)
    assert [row for row, _ in pairs] == rows
    assert {column for _, column in pairs} == columns
    alternatives = [[each, "QQQQQQQQQ"] for each in references]
    assert [row for row, _ in pairs_by_rule(predictions, alternatives, everything)] == rows


def test_similar_values_cross() -> None:
    assert pairs_by_rule(["abc", "abd"], [["abd"], ["abc"]], rule(lambda a, b: True)) == [(0, 1), (1, 0)]
    assert pairs_by_rule(["abc", "xyz"], [["xyz", "a"], ["q", "abc"]], rule(lambda a, b: True)) == [(0, 1), (1, 0)]
    nothing_alike = pairs_by_rule([*"abcdefghijk"], [[each] for each in "ABCDEFGHIJK"], rule(lambda a, b: True))
    assert len(nothing_alike) == 11
    assert pairs_by_rule([], [["a"]], rule("similar(0.5)")) == pairs_by_rule(["a"], [], rule("similar(0.5)")) == []


@given(predictions=st.lists(TEXTS, min_size=11, max_size=25), references=st.lists(TEXTS, min_size=11, max_size=25))
@examples(300)
def test_parts_of_long_lists_give_the_matching_of_the_whole(predictions: list[str], references: list[str]) -> None:
    predictions, references = sorted(predictions), sorted(references)
    pairs = pairs_by_rule(predictions, [[each] for each in references], rule("similar(0.6)"))
    assert all(rule("similar(0.6)").holds(predictions[row], references[column]) for row, column in pairs)
    predicted, expected = (Counter(("x", text) for text in texts) for texts in (predictions, references))
    assert len(pairs) == oracle.shared(predicted, expected, rule("similar(0.6)").holds).total()


DOCUMENT_SPECS = st.sampled_from(["within(1)", "similar(0.5)", lambda a, b: a in b, lambda a, b: True])


@given(prediction=documents(), reference=documents(ONE_OFS) | documents(), spec=DOCUMENT_SPECS)
@examples(1000)
def test_agrees_with_the_textbook(prediction: Any, reference: Any, spec: Any) -> None:
    figures = kieval.score(kieval.count(prediction, reference, kieval.Settings(match=spec)))
    expected = oracle.totals(prediction, reference, rule(spec).holds)
    assert figures["true_positives"] == expected.tp
    assert (figures["false_positives"], figures["false_negatives"]) == (expected.fp, expected.fn)
    assert figures["substitutions"] == expected.substitutions
    assert figures["document_accuracy"] == expected.correct


@given(prediction=documents(), reference=documents(ONE_OFS) | documents(), seed=st.randoms(), spec=DOCUMENT_SPECS)
@examples(1000, 150)
def test_order_changes_no_figure(prediction: Any, reference: Any, seed: Any, spec: Any) -> None:
    settings = kieval.Settings(match=spec, thresholds=[0.5])
    counts = kieval.count(prediction, reference, settings)
    assert kieval.count(shuffled(prediction, seed), shuffled(reference, seed), settings).rows == counts.rows


@given(prediction=documents(), reference=documents(ONE_OFS) | documents())
@examples(500)
def test_a_rule_of_identical_texts_changes_nothing(prediction: Any, reference: Any) -> None:
    for family in (kieval, entity_f1, text_match):
        plain = family.count(prediction, reference)
        assert family.count(prediction, reference, family.Settings(match="similar(1)")).rows == plain.rows


@given(prediction=documents(), reference=documents())
@examples(500)
def test_a_wider_rule_finds_no_less(prediction: Any, reference: Any) -> None:
    found = [
        kieval.score(kieval.count(prediction, reference, kieval.Settings(match=spec)))["true_positives"]
        for spec in (None, "within(1)", "within(2)", "within(20)")
    ]
    assert found == sorted(found)


def test_rules_hold_for_their_types_only() -> None:
    prediction, reference = {"total": "12.00", "tax": "1.00"}, {"total": "12.01", "tax": "1.01"}
    counts = kieval.count(prediction, reference, kieval.Settings(match={"total": "within(0.01)"}))
    assert kieval.score(counts)["true_positives"] == 1


def test_rules_choose_the_pairs_of_groups() -> None:
    prediction = {"item": [{"nm": "Tea", "price": "4.51"}, {"nm": "Tea", "price": "9.00"}]}
    reference = {"item": [{"nm": "Tea", "price": "9.01"}, {"nm": "Tea", "price": "4.50"}]}
    figures = kieval.score(kieval.count(prediction, reference, kieval.Settings(match={"item.price": "within(0.01)"})))
    assert (figures["group_f1"], figures["document_accuracy"]) == (1.0, 1.0)


def test_identical_groups_are_not_paired_first_if_that_loses_values() -> None:
    prediction, reference = {"item": [{"p": "1"}, {"p": "2"}]}, {"item": [{"p": "1"}, {"p": "0"}]}
    figures = kieval.score(kieval.count(prediction, reference, kieval.Settings(match="within(1)")))
    assert figures["true_positives"] == 2


def test_normalised_numbers_are_read_again() -> None:
    settings = kieval.Settings(normalize='number(decimal=".")', match="within(0.001)")
    assert kieval.score(kieval.count({"a": "1.240"}, {"a": "1.241"}, settings))["entity_f1"] == 1.0
    settings = kieval.Settings(match="within(0.001)")
    assert kieval.score(kieval.count({"a": 1.234}, {"a": 1.235}, settings))["entity_f1"] == 1.0


@pytest.mark.parametrize("spec", ["roughly", "similar", "similar(0)", "similar(1.1)", "within(-1)", "within(x)", 3, ["similar(0.9)"], {"a": None}])  # fmt: skip
def test_what_is_no_rule_is_refused(spec: Any) -> None:
    for family in (kieval, entity_f1, text_match):
        with pytest.raises(ValueError, match=r"^match: [^\n]+$"):
            family.Settings(match=spec)


def test_a_function_must_answer_yes_or_no() -> None:
    half: Any = lambda prediction, reference: 0.5  # noqa: E731
    with pytest.raises(DocumentError, match=r"^a match rule must give True or False, got 0.5$"):
        kieval.count({"a": "1"}, {"a": "2"}, kieval.Settings(match=half))


def test_the_signature_names_the_rules() -> None:
    results = docie.load("kieval").compute(
        predictions=[{"total": "12.00"}], references=[{"total": "12.01"}], match={"total": "within(0.01)"}
    )
    assert results["entity_f1"] == 1.0
    assert "|match:total=within(0.01)|" in results["signature"]
    assert "|match:" not in corpus.evaluate(kieval, [{}], [{}])["signature"]


def test_a_type_that_no_document_has() -> None:
    with pytest.warns(UserWarning, match=r"^match: no document has 'totl' \(close: 'total'\)$"):
        corpus.evaluate(kieval, [{"total": "1"}], [{"total": "1"}], kieval.Settings(match={"totl": "within(1)"}))


def test_workers_take_rules() -> None:
    pairs = [{"a": "1"}] * 300, [{"a": "2"}] * 300
    results = corpus.evaluate(kieval, *pairs, kieval.Settings(match="within(1)"), workers=2)
    assert results["entity_f1"] == 1.0


REFERENCE = {"total": "12.01", "name": "Kedai Kopi"}
PREDICTION = {"total": "12.00", "name": "Kedai K0pi"}


@pytest.mark.parametrize(
    ("options", "true_positives"),
    [
        ([], 0),
        (["--match", "total=within(0.01)"], 1),
        (["--match", "total=within(0.01)", "--match", "name=similar(0.9)"], 2),
        (["--match", "similar(0.8)"], 2),
    ],
)
def test_the_command_line(options: list[str], true_positives: int, tmp_path: Path) -> None:
    files = lines(tmp_path / "r.jsonl", [REFERENCE]), lines(tmp_path / "p.jsonl", [PREDICTION])
    assert scored(*files, *options)["true_positives"] == true_positives


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--match", "roughly"],
            "--match: unknown rule 'roughly', expected similar(0.9), within(0.01), within(1%), same_amount or a function of two texts",
        ),
        (
            ["--match", "within(1)", "--match", "similar(0.9)"],
            "--match: expected one rule, got within(1) and similar(0.9)",
        ),
        (
            ["--match", "a=within(1)", "--match", "a=within(2)"],
            "--match: expected one rule of 'a', got within(1) and within(2)",
        ),
        (
            ["--match", "a=within(1)", "--match", "within(2)"],
            "--match: name an entity type for every rule, or for none",
        ),
        (
            ["--match", "within(1)", "--metric", "hed"],
            "unknown option 'match' of hed, expected one of: normalize, unmatched",
        ),
    ],
)
def test_wrong_options(options: list[str], message: str, tmp_path: Path) -> None:
    path = lines(tmp_path / "r.jsonl", [REFERENCE])
    done = run(path, path, *options)
    assert (done.exit_code, done.stdout, done.stderr) == (2, "", message + "\n")


def test_a_thousand_groups_with_a_rule_on_every_type() -> None:
    references = [{"nm": f"item number {n * n}", "cnt": n % 7, "price": f"{n * 1.37:.2f}"} for n in range(1, 1001)]
    predictions = [{**item, "price": f"{float(str(item['price'])) + 0.01:.2f}"} for item in reversed(references)]
    settings = kieval.Settings(match={"g.nm": "similar(0.9)", "g.cnt": "within(0)", "g.price": "within(0.01)"})
    figures = kieval.score(kieval.count({"g": predictions}, {"g": references}, settings))
    assert (figures["group_f1"], figures["entity_f1"]) == (1.0, 1.0)
