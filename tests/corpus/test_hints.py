"""What a user is told of a corpus that was probably meant otherwise: the same lines in Python and on the command line."""

from __future__ import annotations

import functools
import json
import math
import operator
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import corpus, entity_f1, kieval, oi_entities
from docie.core.family import MOST_NOTES
from docie.inputs.fit import survey
from docie.inputs.kinds import seen_types
from docie.metrics.kieval import Hints, error_rows, hints
from docie.metrics.kieval.hints import LOOK_AT, MOST_PAIRS

from cli_runs import lines, run
from real_documents import cord_pairs, docubench_pairs
from sizes import examples
from strategies import documents

FORMATS = st.sampled_from(["12.00", "12", 12, "$12", "€12", "1.240", "1,240", 1240, "31.12.2023", "2023-12-31", "Tea", "TEA", "tea.", "coke"])  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {},
    {"matching": "greedy"},
    {"empty_groups": "count"},
    {"ontology": ["x", "g.a"]},
    {"thresholds": [0.0, 0.5]},
    {"weights": {"x": 2.0}},
    {"normalize": "casefold"},
    {"normalize": {"x": "money"}},
    {"schema": {"properties": {"x": {"type": "number"}}}},
]
FORM = {"total": "$12", "date": "31 Dec 2023", "vendor": "KEDAI  KOPI.", "tax": "1,00 €", "rate": "19.0 %", "till": "8"}
RIGHT = {"total": "12.00", "date": "2023-12-31", "vendor": "Kedai Kopi", "tax": "1.00", "rate": "19%", "till": "7"}


def warnings_of(family: Any, predictions: list[Any], references: list[Any], **options: Any) -> list[str]:
    """What `corpus.evaluate` warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corpus.evaluate(family, predictions, references, family.Settings(**options))
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@examples(300, 60)
@given(st.lists(st.tuples(documents(FORMATS), documents(FORMATS)), min_size=1, max_size=3))
def test_the_hint_counts_the_rows_of_kind_form(options: dict[str, Any], pairs: list[tuple[Any, Any]]) -> None:
    settings = kieval.Settings(**options)
    looked = Hints(settings)
    for pair in pairs:
        assert kieval.count(*pair, settings, looked) == kieval.count(*pair, settings)
    seen = Hints.sampled(looked.seen)
    rows = [row for pair in pairs for row in error_rows(*pair, settings) if row.operation == "substitution"]
    assert seen.substitutions == min(len(rows), LOOK_AT)
    assert seen.is_all == (len(rows) <= LOOK_AT)
    if len(rows) <= LOOK_AT and not {"normalize", "schema"} & options.keys():  # rows explain values as they are written
        assert seen.format == sum(row.kind == "format" for row in rows)
    assert seen.ambiguous <= seen.substitutions - seen.format


def of_substitutions(told: list[str]) -> list[str]:
    """The lines on substitutions, without the one on most values."""
    return [line for line in told if not line.startswith("nearly all values are wrong")]


def test_the_hints_on_cord(cord: dict[str, list[Any]]) -> None:
    predictions, references = ([*side] for side in zip(*cord_pairs(cord, "qwen"), strict=True))
    form, ambiguous = warnings_of(kieval, predictions, references)[:2]
    assert form == "25 of 166 sampled substitutions are the same value in a different format; see the option normalize"
    assert ambiguous.startswith("39 of 166 sampled substitutions may be the same amount or date ('")


def test_the_same_value_in_a_different_format(tmp_path: Path) -> None:
    expected = "5 of 6 substitutions are the same value in a different format; see the option normalize"
    assert warnings_of(kieval, [FORM], [RIGHT]) == [expected]
    files = lines(tmp_path / "r.jsonl", [RIGHT]), lines(tmp_path / "p.jsonl", [FORM])
    assert run(*files).stderr == f"warning: {expected}\n"
    assert of_substitutions(warnings_of(kieval, [FORM], [RIGHT], normalize="casefold")) == []
    assert of_substitutions(warnings_of(kieval, [FORM], [RIGHT], match="similar(0.9)")) == []
    assert warnings_of(entity_f1, [FORM], [RIGHT]) == []


def test_amounts_that_can_be_read_in_two_ways() -> None:
    prediction = {"n": ["1.240", "5.100", "7.300"], "d": ["03/04/24", "23/12/31"], "x": ["€9.999", "a", "7"]}
    reference = {"n": ["1,240", "5100", "7.3"], "d": ["2024-03-04", "2031-12-23"], "x": ["$9999", "b", "007"]}
    [line] = warnings_of(kieval, [prediction], [reference])
    assert line == (
        "5 of 8 substitutions may be the same amount or date ('03/04/24' and '2024-03-04', say), but can be read in two "
        'ways: normalizers leave them as they are, unless number(decimal=",") or date(day_first=True) states the reading'
    )
    [line] = warnings_of(kieval, [prediction], [reference], normalize=["money", "date"])
    assert line.startswith("5 of 8 substitutions may be")  # 7 is not 007, and €9.999 is not $9999
    stated = {"n": 'money(decimal=",")', "d": "date(day_first=True)"}
    assert of_substitutions(warnings_of(kieval, [prediction], [reference], normalize=stated)) == []


def test_a_sample_tells() -> None:
    [line] = warnings_of(kieval, [FORM] * 3, [RIGHT] * 3)
    assert line == "15 of 18 substitutions are the same value in a different format; see the option normalize"
    side = math.isqrt(MOST_PAIRS) + 1
    large, other = ({"x": [f"{number}{text}" for number in range(side)]} for text in (" a", " A"))
    for order in (1, -1):
        line = warnings_of(kieval, [FORM, large][::order], [RIGHT, other][::order])[0]
        assert line.startswith("5 of 6 sampled substitutions are the same value in a different format")


def test_the_share_is_of_the_whole_corpus(data: Path) -> None:
    """Not of the first errors: ten of the first ten of these differ in format alone."""
    predictions, references = ([*side] for side in zip(*docubench_pairs(data, "gemini"), strict=True))
    lines = warnings_of(kieval, predictions, references)
    assert "72 of 276 substitutions are the same value in a different format; see the option normalize" in lines


def test_the_sample_is_the_same_for_any_parts(cord: dict[str, list[Any]]) -> None:
    """Documents in another order, in parts, and in several processes: the same substitutions are inspected."""
    pairs = cord_pairs(cord, "qwen") * 3

    def seen_of(*parts: list[Any], workers: int = 1) -> Any:
        counted = [
            corpus.count(kieval, [one for one, _ in part], [other for _, other in part], workers=workers)
            for part in parts
        ]
        survey = functools.reduce(operator.add, counted).survey
        assert survey is not None
        return survey["for_hints"]

    whole = seen_of(pairs)
    assert len(whole["sample"]) == MOST_NOTES < whole["documents"]
    assert Hints.sampled(whole).is_all is False
    assert seen_of(pairs[::-1]) == seen_of(pairs[:1], pairs[1:170], pairs[170:]) == seen_of(pairs, workers=2) == whole
    assert Hints.sampled(json.loads(json.dumps(whole))) == Hints.sampled(whole)


def test_the_work_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look for trouble in sound corpora takes the same time however many documents there are."""
    seen = {"values": 0, "substitutions": 0}
    monkeypatch.setattr(survey, "seen_types", counted(seen, "values", seen_types))
    monkeypatch.setattr(hints, "is_format_only", counted(seen, "substitutions", hints.is_format_only))
    document = {"total": "1", **{f"key {number}": str(number) for number in range(9)}}
    for number in (100, 400):
        seen |= {"values": 0, "substitutions": 0}
        predictions = [{**document, "total": "2"}] * number
        assert warnings_of(kieval, predictions, [document] * number) == []
        assert seen == {"values": 2 * math.ceil(survey.MOST_VALUES / 20), "substitutions": MOST_NOTES}


def counted(calls: dict[str, int], name: str, function: Any) -> Any:
    """A function whose calls are counted."""

    def call(*args: Any, **options: Any) -> Any:
        calls[name] += 1
        return function(*args, **options)

    return call


def test_one_sided_types_are_looked_at_in_more_documents() -> None:
    document = {f"key {number}": "1" for number in range(survey.MOST_VALUES)}
    odd = {f"other {number}": "1" for number in range(survey.MOST_VALUES)} | {"key 0": "1"}
    line, *_ = warnings_of(kieval, [odd] * 3, [document] * 3)
    assert line.startswith("in predictions, 150 of 153 values are of types that no reference has: 'other 0', ")
    assert "; in references, 147 of 150 are of types that no prediction has: 'key 1', " in line
    assert line.endswith("; docie check searches for the reason")
    assert warnings_of(kieval, [{**document, "odd": "1"}, *[document] * 3], [document] * 4) == []


def test_parts_add_up() -> None:
    few = ("total", "date", "vendor")
    form, right = ({name: row[name] for name in few} for row in (FORM, RIGHT))
    predictions, references = [form, {"a": "x"}, form], [right, {"a": "y"}, right]
    parts = [corpus.count(kieval, predictions[place : place + 1], references[place : place + 1]) for place in range(3)]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        corpus.results(parts[0] + (parts[1] + parts[2]))
    assert [str(warning.message) for warning in caught] == warnings_of(kieval, predictions, references)
    assert str(caught[-1].message).startswith("6 of 7 substitutions are")


@pytest.mark.parametrize(
    ("predictions", "references"),
    [
        ([{**RIGHT, "total": "13"}] * 9, [RIGHT] * 9),  # other values
        ([{**RIGHT, "total": "12"}], [RIGHT]),  # a few
        ([{**RIGHT, "total": "13", "till": "1", "rate": "x"}] * 50 + [FORM], [RIGHT] * 51),  # a small share
        ([{"n": "1.240"}], [{"n": "1,240"}]),
    ],
)
def test_no_hint(predictions: list[Any], references: list[Any]) -> None:
    assert of_substitutions(warnings_of(kieval, predictions, references)) == []


def test_lists_of_lists_have_no_rows() -> None:
    prediction = {"shop": "x", "menu": [["Bagel", "4.50"], ["Latte", "3.00"]]}
    reference = {"shop": "x", "menu": [["Bagel", "3.00"], ["Latte", "4.50"]]}
    assert warnings_of(kieval, [prediction], [reference]) == [
        "'menu': lists of lists have no rows here, all of their values are one list; write rows as objects, such as "
        '{"name": "Bagel", "price": "3.00"}'
    ]
    assert warnings_of(entity_f1, [prediction], [reference]) == []  # its values are never compared by rows
    for menu in ([["Bagel", "3.00"]], [["Bagel"], ["Latte"]], ["Bagel", ["Latte", "Tea"]], [{"nm": ["Bagel", "Roll"]}]):
        assert warnings_of(kieval, [{"menu": menu}], [{"menu": menu}]) == []


def test_tags_of_other_words() -> None:
    rows = [{"words": ["Juniper", words], "tags": ["B-shop", "I-shop"]} for words in ("Cafe", "Cave", "Bar")]
    [line] = warnings_of(entity_f1, [rows[0], rows[1], rows[2]], [rows[0]] * 3)
    assert line.startswith("document 1: the words of the prediction are not those of the reference. Tags are compared ")
    assert warnings_of(entity_f1, rows, rows) == warnings_of(oi_entities, rows, [rows[0]] * 3) == []


@pytest.mark.parametrize("family", [kieval, entity_f1, oi_entities])
def test_answers_without_any_value(family: Any) -> None:
    rows: tuple[Any, Any] = ([], [["a", "1"]]) if family is oi_entities else ({}, {"a": "1"})
    empty, full = rows
    line = "no prediction holds a value, in 3 documents"
    assert warnings_of(family, [empty] * 3, [full] * 3) == [line]
    assert warnings_of(family, [empty, empty, full], [full] * 3) == []
    assert warnings_of(family, [empty], [full]) == warnings_of(family, [empty] * 3, [empty] * 3) == []


def test_reports_of_failures(tmp_path: Path) -> None:
    predictions = [{"total": "1"}, {"error": "timeout"}, {"total": "1"}, {"detail": {"code": 429}, "status": 429}]
    references = [{"total": "1"}] * 4
    line = (
        "2 of 4 predictions only report a failure ('detail', 'error'), and are scored as wrong values; null in their "
        "place counts as an invalid prediction"
    )
    assert warnings_of(kieval, predictions, references) == [line]
    wrapped = [{"id": number, "prediction": row} for number, row in enumerate(predictions)]
    expected = [{"id": number, "reference": row} for number, row in enumerate(references)]
    files = lines(tmp_path / "r.jsonl", expected), lines(tmp_path / "p.jsonl", wrapped)
    assert f"warning: {line}\n" in run(*files).stderr
    documents = [{"error": "E-12", "code": "7"}] * 4  # references have these keys: it is what the documents are about
    assert warnings_of(kieval, documents, documents) == []
    assert warnings_of(kieval, [{"status": "paid", "code": "7"}] * 4, [{"status": "paid", "code": "8"}] * 4) == []
