"""corpus.compare: what it gives of systems, and the input that it refuses."""

from __future__ import annotations

import itertools
import math
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docie import corpus, entity_f1, hed, kieval
from docie.core.errors import DocumentError

REFERENCES: list[Any] = [{"a": str(number), "g": [{"b": str(number)}, {"b": "x"}]} for number in range(24)]
HALF: list[Any] = [row if number % 2 else {"a": "?"} for number, row in enumerate(REFERENCES)]
NONE: list[Any] = [{}] * 24


def compared(*systems: list[Any], references: list[Any] = REFERENCES, **options: Any) -> dict[str, Any]:
    return corpus.compare(kieval, dict(zip("abcdef", systems, strict=False)), references, **options)


def test_values_are_those_of_evaluate() -> None:
    [row] = compared(HALF, REFERENCES)["comparisons"]
    expected = [corpus.evaluate(kieval, system, REFERENCES)["entity_f1"] for system in (HALF, REFERENCES)]
    assert [row["value_a"], row["value_b"]] == expected
    assert row["difference"] == expected[1] - expected[0]
    assert (row["better"], row["worse"]) == (12, 0)
    assert row["p_value"] == 2 / 2**12  # twelve documents differ: all ways to swap are made


@pytest.mark.parametrize("rows", [HALF, REFERENCES, NONE])
def test_a_system_with_itself(rows: list[Any]) -> None:
    result = compared(rows, list(rows), scores=["entity_f1", "corrections", "entity_f1_macro"], breakdown=True)
    for row in [*result["comparisons"], *result["per_entity"]]:
        assert (row["difference"], row["p_value"], row["p_value_holm"], row["significant"]) == (0, 1.0, 1.0, False)
        assert row["interval"] is row["smallest_difference"] is None
    assert all((row["better"], row["worse"], row["changes"]) == (0, 0, []) for row in result["comparisons"])
    assert result["ranks"]["entity_f1"] == {"a": "a", "b": "a"}


def test_a_document_that_carries_more_than_half_is_named() -> None:
    """The other score is much better in b, and the one document in which it is not says nothing against that."""
    references = [{f"a{place}": "1" for place in range(20)} for _ in range(30)]
    careful = [{**row, "a0": "2"} for row in references]
    hasty = [{} if number == 7 else row for number, row in enumerate(references)]
    named = [{"id": f"r-{number}", "document": row} for number, row in enumerate(references)]
    for rows, name in ((references, 7), (named, "r-7")):
        with pytest.warns(UserWarning, match="squared") as caught:
            compared(careful, hasty, references=rows, scores=["corrections", "document_accuracy"])
        [line] = [str(each.message) for each in caught]
        assert line == (
            f"corrections of a and b: document {name!r} carries {19**2 / (19**2 + 29):.2f} of the squared "
            "differences; check the result without it"
        )  # document 7 has 20 corrections instead of 1, and each other one 0 instead of 1


def test_documents_alike_have_no_dominating_one(recwarn: pytest.WarningsRecorder) -> None:
    compared(HALF, REFERENCES)
    assert not [each for each in recwarn if "squared" in str(each.message)]


@pytest.mark.parametrize(("sizes", "warned"), [([60, *[4] * 15], True), ([4] * 30, False), ([20, *[10] * 10], False)])
def test_few_unequal_clusters_are_named(sizes: list[int], warned: bool, recwarn: pytest.WarningsRecorder) -> None:
    labels = [label for label, size in enumerate(sizes) for _ in range(size)]
    references = [{"a": str(number)} for number in range(len(labels))]
    hasty = [{"a": "?"} if number % 5 == 0 else row for number, row in enumerate(references)]
    compared(references, hasty, references=references, clusters=labels)
    lines = [str(each.message) for each in recwarn if "clusters holds" in str(each.message)]
    expected = (
        "the largest of 16 clusters holds 0.50 of the documents, so they weigh as 3.8 equal ones: the interval is too "
        "narrow"
    )
    assert lines == ([expected] if warned else [])


def test_no_interval_has_a_word() -> None:
    with pytest.warns(UserWarning, match="^no interval for entity_f1 of a and b: all documents show the same differen"):
        [row] = compared(REFERENCES, NONE)["comparisons"]
    assert (row["difference"], row["interval"]) == (-1.0, None)


def test_other_rows_with_equal_scores() -> None:
    """Scores that are constant, of answers that are not."""
    [row] = compared([{"a": "?"}] * 24, [{"a": "!"}] * 24)["comparisons"]
    assert (row["difference"], row["p_value"], row["better"], row["worse"]) == (0, 1.0, 0, 0)


def test_the_other_way_round() -> None:
    [row] = compared(HALF, NONE)["comparisons"]
    [mirror] = compared(NONE, HALF)["comparisons"]
    assert mirror["difference"] == -row["difference"]
    assert mirror["interval"] == pytest.approx([-bound for bound in reversed(row["interval"])])
    assert (mirror["p_value"], mirror["better"]) == (row["p_value"], row["worse"])


def test_no_documents_and_one() -> None:
    [row] = compared([], [], references=[])["comparisons"]
    assert (row["difference"], row["p_value"], row["interval"]) == (0.0, 1.0, None)
    with pytest.warns(UserWarning, match="^all documents belong to one unit"):
        [row] = compared([{}], [{"a": "1"}], references=[{"a": "1"}])["comparisons"]
    assert (row["difference"], row["p_value"], row["interval"], row["smallest_difference"]) == (1.0, 1.0, None, None)


def test_ranks_and_letters() -> None:
    result = compared(NONE, HALF, REFERENCES, REFERENCES, scores=["corrections", "aligned"])
    assert result["ranks"] == {score: {"c": "a", "d": "a", "b": "b", "a": "c"} for score in ("corrections", "aligned")}
    assert result["holm"] == {"comparisons": "12 comparisons: 6 pairs of systems, 2 scores"}
    verdicts = {(row["a"], row["b"]): row["significant"] for row in result["comparisons"]}
    assert verdicts == {pair: pair != ("c", "d") for pair in verdicts}


def test_the_headline_is_compared() -> None:
    for family, score in ((kieval, "entity_f1"), (entity_f1, "f1"), (hed, "uhed_f1")):
        result = corpus.compare(family, {"a": HALF, "b": NONE}, REFERENCES)
        assert [row["score"] for row in result["comparisons"]] == [score]


def test_entity_types() -> None:
    result = compared(HALF, REFERENCES, breakdown=True)
    rows = {row["entity_type"]: row for row in result["per_entity"]}
    assert rows.keys() == {"a", "g.b"}
    alone = [{"a": row.get("a")} for row in REFERENCES]
    [expected] = compared([{"a": row.get("a")} for row in HALF], alone, references=alone)["comparisons"]
    for name in ("value_a", "value_b", "difference", "p_value"):
        assert rows["a"][name] == expected[name]
    assert rows["a"]["interval"] == pytest.approx(expected["interval"])
    assert result["holm"]["per_entity"] == "2 comparisons: 1 pair of systems, 2 entity types"
    # corrected among themselves: the verdict on the whole does not depend on the table
    assert result["comparisons"] == compared(HALF, REFERENCES)["comparisons"]


def test_the_seed_decides_and_other_systems_do_not() -> None:
    rng = np.random.default_rng(1)
    references = [{"a": str(number), "b": "1"} for number in range(60)]
    one, other = ([row if rng.random() < 0.7 else {} for row in references] for _ in range(2))
    result = compared(one, other, references=references, shuffles=999)
    assert compared(one, other, references=references, shuffles=999) == result
    third = compared(one, other, [{"c": "9"}] * 60, references=references, shuffles=999)["comparisons"][0]
    assert third["p_value"] == result["comparisons"][0]["p_value"]
    others = {compared(one, other, references=references, seed=seed)["comparisons"][0]["p_value"] for seed in range(5)}
    assert len(others) > 1
    assert max(others) - min(others) < 0.05


def test_the_effect_of_a_document() -> None:
    """It is the score less that of the corpus in which this document has the first system's answer."""
    [row] = compared(HALF, REFERENCES)["comparisons"]
    assert len(row["changes"]) == 10
    for change in row["changes"]:
        mixed = [*REFERENCES]
        mixed[change["document"]] = HALF[change["document"]]
        expected = row["value_b"] - corpus.evaluate(kieval, mixed, REFERENCES)["entity_f1"]
        assert change["effect"] == pytest.approx(expected, abs=1e-12)


def test_clusters_by_name_and_by_list() -> None:
    vendors = ["x", "y", "z", "x"] * 6
    wrapped = [{"id": f"r-{n}", "reference": row, "meta": {"vendor": vendors[n]}} for n, row in enumerate(REFERENCES)]
    by_name = compared(HALF, REFERENCES, references=wrapped, clusters="vendor")
    by_list = compared(HALF, REFERENCES, clusters=np.array(vendors))
    assert by_name["units"] == by_list["units"] == 3
    assert "clusters:vendor|" in by_name["signature"]
    assert "clusters:given|" in by_list["signature"]
    for name in ("p_value", "interval", "smallest_difference"):
        assert by_name["comparisons"][0][name] == by_list["comparisons"][0][name]
    assert by_name["comparisons"][0]["changes"][0]["document"].startswith("r-")


def test_documents_without_a_cluster_stand_alone() -> None:
    with pytest.warns(UserWarning, match="^clusters: 2 of 24 documents have no label"):
        result = compared(HALF, REFERENCES, clusters=["x"] * 22 + [None, math.nan])
    assert result["units"] == 3


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"clusters": "vendor"}, "'a': clusters: no document has a value in its meta for 'vendor'"),
        ({"clusters": ["x"]}, "clusters must have one label for each document, got 1 for 24 documents"),
        ({"clusters": [["x"]] * 24}, "clusters must hold texts or numbers, got ['x']"),
        ({"clusters": 3}, "clusters must be a list, got 3"),
        ({"scores": "entity_f"}, "unknown score 'entity_f' (close: 'entity_f1'"),
        ({"scores": []}, "scores is empty, expected some of: entity_f1, "),
        ({"shuffles": 9}, "shuffles must be a whole number of at least 99, got 9"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"confidence_level": None}, "confidence_level must be between 0 and 1, got None"),
        ({"confidence_level": 95}, "confidence_level must be between 0 and 1, got 95"),
    ],
)
def test_wrong_options(options: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(problem)}"):
        compared(HALF, REFERENCES, **options)


@pytest.mark.parametrize("systems", [{"a": HALF}, [HALF, HALF], {"a": HALF, 2: HALF}, {"a": HALF, "": HALF}])
def test_fewer_than_two_names(systems: Any) -> None:
    with pytest.raises(ValueError, match="^predictions must be a mapping from the names of two or more systems, got "):
        corpus.compare(kieval, systems, REFERENCES)


def test_documents_that_do_not_pair_up() -> None:
    with pytest.raises(ValueError, match="^'b': expected as many predictions as references, got 23 and 24$"):
        compared(HALF, HALF[1:])
    references = [{"id": f"r-{number}", "reference": row} for number, row in enumerate(REFERENCES)]
    shifted = [{"id": f"r-{(number + 1) % 24}", "prediction": row} for number, row in enumerate(HALF)]
    with pytest.raises(DocumentError, match="^'b', document 0: the prediction has the id 'r-1', the reference 'r-0'"):
        compared(HALF, shifted, references=references)
    with pytest.raises(DocumentError, match="^'b', document 0: its id is 'r-1', and 'r-0' in other systems; sort all"):
        compared([{**row, "id": f"r-{number}"} for number, row in enumerate(shifted)], shifted)
    with pytest.raises(DocumentError, match="^'b', document 1, entity 'a': "):
        compared(HALF, [{}, {"a": {"value": "1", "confidence": 7}}, *HALF[2:]])


def test_a_score_that_is_no_number() -> None:
    family: Any = SimpleNamespace(**{name: getattr(kieval, name) for name in kieval.__all__})
    family.score = lambda counts: kieval.score(counts) | {"half": math.nan}
    with pytest.raises(ValueError, match="^'a': half is nan, which cannot be compared$"):
        corpus.compare(family, {"a": HALF, "b": NONE}, REFERENCES, scores="half")


def test_too_few_shuffles_for_many_tests() -> None:
    references = [{f"t{number}": "1" for number in range(30)}] * 20
    with pytest.warns(UserWarning, match="^99 shuffles give no p-value that stays below 0.05 after the correction"):
        compared([{}] * 20, references, references=references, breakdown=True, shuffles=99)


def test_too_few_documents_or_clusters_for_any_finding() -> None:
    """Of n units with a difference there are 2 ** n ways to swap, and two of them are as far as what was seen."""
    with pytest.warns(
        UserWarning,
        match=r"^5 documents can be swapped in 32 ways, so no p-value is below 0.0625, and .* for 1 comparison; use",
    ):
        [row] = compared(REFERENCES[:5], [{}] * 5, references=REFERENCES[:5])["comparisons"]
    assert (row["p_value"], row["significant"]) == (2 / 32, False)
    with pytest.warns(UserWarning, match="^4 clusters can be swapped in 16 ways"):
        compared(REFERENCES, [{}] * 24, clusters=[number % 4 for number in range(24)])
    with pytest.warns(UserWarning, match="^6 documents .* 0.05 after the correction for 3 comparisons; use more"):
        compared(REFERENCES[:6], [{}] * 6, HALF[:6], references=REFERENCES[:6])
    [row] = compared(REFERENCES[:6], [{}] * 6, references=REFERENCES[:6])["comparisons"]  # 2 / 64, and no warning
    assert row["significant"]


def test_settings_and_families_that_are_none() -> None:
    with pytest.raises(
        ValueError, match=r"^settings must be kieval.Settings\(...\), got Settings\(normalize=None, unm"
    ):
        compared(HALF, NONE, settings=hed.Settings())
    with pytest.raises(ValueError, match="^family must be a module of metrics, such as docie.kieval, got 'kieval'$"):
        corpus.compare("kieval", {"a": HALF, "b": NONE}, REFERENCES)  # type: ignore[arg-type]


def test_warnings_name_the_system() -> None:
    with pytest.warns(UserWarning, match="^b: predictions and references have no entity type in common"):
        compared(HALF, [{"other": "1"}] * 24)


def test_a_system_that_was_written_differently_is_named() -> None:
    line = "^b: in predictions, 48 of 72 values are of types that no reference has: 'h.b'; in references, 48 of 72 "
    with pytest.warns(UserWarning, match=line):
        compared(HALF, [{"a": row["a"], "h": row["g"]} for row in REFERENCES])


def test_suspects() -> None:
    references = [{"total": "12.00", "g": [{"n": "x"}, {"n": "y"}]}, {"total": "5"}]
    one = [{"total": "$13.00", "g": [{"n": "x"}, {"n": "Z"}], "tax": "1"}, {"total": "5.0"}]
    other = [{"total": "13", "g": [{"n": "z"}, {"n": "x"}], "tax": "1.0"}, {}]
    found = compared(one, other, references=references, suspects=True)["suspects"]
    assert [(row["entity_type"], row["group"], row["reference"], row["agreed"]) for row in found] == [
        ("g.n", 1, "y", "Z"),
        ("total", None, "12.00", "$13.00"),
        ("tax", None, None, "1"),
    ]
    assert found == [row._asdict() for row in corpus.suspects({"a": one, "b": other}, references)]
    assert corpus.suspects({"a": one, "b": other, "c": references}, references) == []
    of_anls = corpus.compare(hed, {"a": one, "b": other}, references, hed.Settings(normalize="money"), suspects=True)
    assert [row["entity_type"] for row in of_anls["suspects"]] == ["g.n", "total", "tax"]
    with pytest.raises(ValueError, match="^suspects need the predictions of at least two systems$"):
        corpus.suspects({"a": one}, references)


def test_suspects_are_what_each_two_systems_agree_on() -> None:
    """Sameness is no equivalence: €5 and $5 both are 5, but not each other."""
    references = [{"total": "7", "n": ["1", "2"]}]
    answers = {"a": [{"total": "5"}], "b": [{"total": "€5"}], "c": [{"total": "$5"}]}
    for pair in ("ab", "ac"):
        [found] = corpus.suspects({name: answers[name] for name in pair}, references)
        assert (found.entity_type, found.agreed) == ("total", "5")
    assert corpus.suspects({name: answers[name] for name in "bc"}, references) == []
    for order in itertools.permutations("abc"):
        assert corpus.suspects({name: answers[name] for name in order}, references) == []
    both = {"a": [{"x": ["8", "€8", "9"]}], "b": [{"x": ["€8", "8.0", "10"]}]}
    assert sorted(found.agreed for found in corpus.suspects(both, [{}])) == ["8", "€8"]
    assert corpus.suspects({"a": [{"total": "7.0"}], "b": [{"total": "7.00"}]}, references) == []


def test_differences_of_shares_stay_between_minus_1_and_1() -> None:
    references = [{"a": "1"}] * 3
    [row] = corpus.compare(kieval, {"a": references, "b": [{"a": "1"}, {}, {}]}, references)["comparisons"]
    assert row["interval"][0] == -1.0
    result = corpus.compare(kieval, {"a": references, "b": [{"a": "1"}, {}, {}]}, references, scores="corrections")
    assert result["comparisons"][0]["interval"][1] > 3, "numbers have no limit"
