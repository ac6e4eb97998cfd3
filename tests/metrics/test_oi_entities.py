"""Entity error rates, Nerval and bags: the paper's formulas and cases, textbook oracles, the reference package."""

from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import docie
from docie import corpus, oi_entities
from docie.adapters import bio, grouping, llm, records
from docie.adapters.grouping.documents import Entity
from docie.core.errors import DocumentError
from docie.metrics.oi_entities import alignment, savings
from docie.metrics.oi_entities import metric as oi_metric
from docie.metrics.oi_entities.alignment import align
from docie.metrics.oi_entities.savings import Savings

from sizes import examples

Entities = list[tuple[str, str]]
TEXTS = ["a", "ab", "abc", "abd", "a b", "a b c", "c b a", "x y", "a  b", "", " "]
ENTITIES = st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from(TEXTS)), max_size=6)
THRESHOLDS = st.sampled_from([0.0, 0.3, 1 / 3, 0.5, 1.0])
SIMARA = [
    ("title", "COCATRIX (Jean-François) receveur du grenier à sel de Pithivers"),
    ("analysis", "Contre Denis QUIROT"),
    ("date", "26 mai 1770"),
    ("serie", "X1A"),
    ("article", "4678"),
    ("reference", "270"),
]


def figures(prediction: Any, reference: Any, **options: Any) -> dict[str, Any]:
    return oi_entities.score(oi_entities.count(prediction, reference, oi_entities.Settings(**options)))


def rows(prediction: Any, reference: Any, threshold: float = 0.3) -> tuple[oi_metric.Entities, oi_metric.Words]:
    counts = oi_entities.count(prediction, reference, oi_entities.Settings(nerval_threshold=threshold))
    return oi_metric.Entities(*counts.rows["entities", None]), oi_metric.Words(*counts.rows["words", None])


# The textbook: whole tables, no structure.


def levenshtein(one: Any, other: Any) -> int:
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            last, row[j] = row[j], min(last + (a != b), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def error_rate(reference: Any, prediction: Any) -> float:
    """Capped at 1; an empty reference is wholly missed by anything."""
    return min(1.0, levenshtein(reference, prediction) / len(reference)) if reference else float(len(prediction) > 0)


def cost(reference: tuple[str, str], prediction: tuple[str, str], metric: str, threshold: float) -> float:
    """Equations 2, 3 and 8."""
    words = metric == "ewer"
    rate = error_rate(*(text.split() if words else text for _, text in (reference, prediction)))
    if metric == "nerval":
        return 0.0 if reference[0] == prediction[0] and rate <= threshold else 2.0
    return rate if reference[0] == prediction[0] else 1.0


def in_order(references: Entities, predictions: Entities, metric: str, threshold: float) -> float:
    """The sequential alignment's distance: Wagner and Fischer's table with the costs of equations 2, 3 and 8."""
    table = [[float(i + j) for j in range(len(predictions) + 1)] for i in range(len(references) + 1)]
    for i, reference in enumerate(references, 1):
        for j, prediction in enumerate(predictions, 1):
            substituted = table[i - 1][j - 1] + cost(reference, prediction, metric, threshold)
            table[i][j] = min(substituted, table[i - 1][j] + 1, table[i][j - 1] + 1)
    return table[-1][-1]


def in_any_order(references: Entities, predictions: Entities, metric: str, threshold: float) -> float:
    """The assignment's distance (equation 1): every assignment tried, the shorter side padded with dummies of cost 1."""
    size = max(len(references), len(predictions))
    padded: list[Any] = [*predictions, *[None] * (size - len(predictions))]
    expected: list[Any] = [*references, *[None] * (size - len(references))]
    return min(
        sum(1.0 if a is None or b is None else cost(a, b, metric, threshold) for a, b in zip(expected, order, strict=True))
        for order in itertools.permutations(padded)
    )  # fmt: skip


FEW = ENTITIES.filter(lambda side: len(side) < 6)


@pytest.mark.parametrize("how", ["in_order", "in_any_order"])
@given(references=FEW, predictions=FEW, threshold=THRESHOLDS)
@examples(400)
def test_distances_are_the_textbooks(how: str, references: Entities, predictions: Entities, threshold: float) -> None:
    distance = in_order if how == "in_order" else in_any_order
    for category, found in align(references, predictions, threshold).items():
        left, right = (
            [entity for entity in side if category in (None, entity[0])] for side in (references, predictions)
        )
        characters, words, matches = getattr(found, how)
        assert characters == pytest.approx(distance(left, right, "ecer", threshold), abs=1e-9)
        assert words == pytest.approx(distance(left, right, "ewer", threshold), abs=1e-9)
        assert len(left) + len(right) - 2 * matches == distance(left, right, "nerval", threshold)


@pytest.mark.parametrize("seed", range(20))
def test_one_table_or_one_a_category(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    left, right = ([(rng.choice("ABC"), rng.choice(TEXTS)) for _ in range(rng.randint(0, 12))] for _ in "lr")
    whole = align(left, right, 0.3)
    monkeypatch.setattr(alignment, "_ONE_TABLE", 0)
    apart = align(left, right, 0.3)
    assert whole.keys() == apart.keys()
    for category, found in whole.items():
        assert found.in_order == pytest.approx(apart[category].in_order, abs=1e-12)
        assert found.in_any_order == pytest.approx(apart[category].in_any_order, abs=1e-12)


def bag(references: list[Any], predictions: list[Any]) -> tuple[int, float]:
    """True positives and errors: equations 10 and 11."""
    left, right = Counter(references), Counter(predictions)
    differences = sum(abs(left[value] - right[value]) for value in left.keys() | right.keys())
    return (left & right).total(), (abs(len(references) - len(predictions)) + differences) / 2


@given(references=ENTITIES, predictions=ENTITIES)
@examples(300)
def test_bags(references: Entities, predictions: Entities) -> None:
    entities, words = rows(predictions, references)
    tagged = [
        [(category, word) for category, text in side for word in text.split()] for side in (references, predictions)
    ]
    plain = [[word for _, word in side] for side in tagged]
    assert bag(references, predictions) == (entities.equal, entities.longer - entities.equal)
    assert bag(*plain) == (words.equal, words.longer - words.equal)
    assert bag(*tagged) == (words.equal_tagged, words.longer - words.equal_tagged)
    assert words.equal_tagged <= words.equal
    # of equal bags, as of any, errors and true positives make up the longer side
    result = figures(predictions, references)
    for name in ("bag_of_words", "bag_of_tagged_words", "bag_of_entities"):
        assert (result[f"{name}_error_rate"] == 0) == (result[f"{name}_f1"] == 1)


@given(references=ENTITIES, predictions=ENTITIES, seed=st.integers(0, 99), threshold=THRESHOLDS)
@examples(400)
def test_order_changes_no_order_independent_figure(
    references: Entities, predictions: Entities, seed: int, threshold: float
) -> None:
    rng = random.Random(seed)
    one = figures(predictions, references, nerval_threshold=threshold)
    mixed = [rng.sample(side, len(side)) for side in (predictions, references)]
    other = figures(*mixed, nerval_threshold=threshold)
    for name, value in one.items():
        if name.startswith(("oi_", "bag_")):
            assert other[name] == pytest.approx(value, abs=1e-12), name
    for name in ("ecer", "ewer"):
        assert one[f"oi_{name}"] <= min(one[name], other[name]) + 1e-12
    for name in ("precision", "recall", "f1"):
        assert one[f"oi_nerval_{name}"] >= max(one[f"nerval_{name}"], other[f"nerval_{name}"])


@given(predictions=ENTITIES, references=ENTITIES)
@examples(200)
def test_a_higher_threshold_never_matches_less(predictions: Entities, references: Entities) -> None:
    matches = [rows(predictions, references, threshold)[0] for threshold in (0.0, 0.3, 0.5, 1.0)]
    for one, other in itertools.pairwise(matches):
        assert one.nerval_matches <= other.nerval_matches
        assert one.oi_nerval_matches <= other.oi_nerval_matches
    # at 1, only the categories count
    categories = [Counter(category for category, _ in side) for side in (predictions, references)]
    assert matches[-1].oi_nerval_matches == (categories[0] & categories[1]).total()


@given(predictions=ENTITIES, references=ENTITIES)
@examples(200)
def test_a_category_by_itself(predictions: Entities, references: Entities) -> None:
    table = oi_entities.breakdown(oi_entities.count(predictions, references))["per_entity"]
    assert set(table) == {category for category, _ in predictions + references}
    for category, row in table.items():
        alone = [[entity for entity in side if entity[0] == category] for side in (predictions, references)]
        expected = figures(*alone)
        assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-12)
        assert row["support"] == len(alone[1])
        texts = [" ".join(text for _, text in side) for side in alone]
        assert row["cer"] == pytest.approx(
            levenshtein(texts[1], texts[0]) / len(texts[1]) if texts[1] else float(texts[0] != "")
        )


# The paper's formulas, by hand.


def test_substitution_costs() -> None:
    one = ("title", "COCATRIX receveur")
    for prediction, ecer, ewer in (
        (("title", "COCATRIX receveur"), 0, 0),
        (("title", "COCATRIX recevour"), 1 / 17, 1 / 2),  # a letter of seventeen, a word of two
        (("title", "COCATRIX"), 9 / 17, 1 / 2),  # nine letters and a word missing
        (("title", "COCATRIX receveur du grenier à sel de Pithivers"), 1, 1),  # thirty letters too many: capped
        (("date", "COCATRIX receveur"), 1, 1),  # another category
        (("title", ""), 1, 1),
    ):
        found, _ = rows([prediction], [one])
        assert (found.oi_ecer, found.oi_ewer) == pytest.approx((ecer, ewer))
        assert (found.ecer, found.ewer) == pytest.approx((ecer, ewer))


def test_distances_of_two_lists() -> None:
    """By assignment date costs 1/11, title 0, the insertion 1; in order, date is inserted, title kept, date replaced."""
    references = [("title", "COCATRIX"), ("date", "26 mai 1770")]
    predictions = [("date", "26 mai 1771"), ("title", "COCATRIX"), ("serie", "X1A")]
    entities, words = rows(predictions, references)
    assert entities.oi_ecer == pytest.approx(1 / 11 + 0 + 1)
    assert entities.oi_ewer == pytest.approx(1 / 3 + 0 + 1)
    assert (entities.ecer, entities.ewer) == (2, 2)
    assert (entities.oi_nerval_matches, entities.nerval_matches) == (2, 1)
    assert (words.references, words.predictions, words.equal, words.equal_tagged) == (4, 5, 3, 3)
    result = figures(predictions, references)
    assert result["oi_ecer"] == pytest.approx((1 / 11 + 1) / 2)
    assert result["oi_nerval_precision"] == pytest.approx(2 / 3)
    assert result["oi_nerval_recall"] == 1
    assert result["bag_of_words_error_rate"] == pytest.approx((1 + (1 + 2)) / 2 / 4)  # 1770; 1771 and X1A


def test_error_rates_exceed_one() -> None:
    assert figures([("a", "x")] * 5, [("a", "x")])["oi_ecer"] == 4.0
    assert figures([("a", "x")] * 5, [("a", "x")])["bag_of_entities_error_rate"] == 4.0


# Annex 7.3, on Simara; the texts as printed there.

CASES: dict[str, tuple[dict[str, str | None], dict[str, float]]] = {
    # the printed texts are identical
    "almost perfect": ({}, {"oi_ecer": 0, "oi_ewer": 0, "oi_nerval_f1": 1, "bag_of_tagged_words_f1": 1, "bag_of_entities_f1": 1}),
    # one entity rejected, many words missing: 7 of 18
    "missing words in a long entity": (
        {"title": "COCATRIX (Jean-François)"},
        {"oi_ecer": 39 / 63 / 6, "oi_ewer": 7 / 9 / 6, "oi_nerval_f1": 5 / 6, "bag_of_tagged_words_error_rate": 7 / 18, "bag_of_entities_f1": 5 / 6},
    ),
    # one entity and one word missing
    "single word entity missing": (
        {"reference": None},
        {"oi_ecer": 1 / 6, "oi_ewer": 1 / 6, "oi_nerval_f1": 10 / 11, "bag_of_tagged_words_error_rate": 1 / 18, "bag_of_entities_f1": 10 / 11},
    ),
    # few letters, many words; X1A- has a CER of 1/3, so that Nerval F1 is not perfect, as printed
    "uniform distribution of text errors": (
        {"title": "COCATRIX (Jean Francois) receveur du greniers à sel de Pithiver", "date": "26 mai 1771", "serie": "X1A-"},
        {"oi_ecer": (4 / 63 + 1 / 11 + 1 / 3) / 6, "oi_ewer": (4 / 9 + 1 / 3 + 1) / 6, "oi_nerval_f1": 5 / 6, "bag_of_tagged_words_f1": 26 / 37, "bag_of_entities_f1": 1 / 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_the_papers_cases(case: str) -> None:
    changes, expected = CASES[case]
    texts = [(category, changes.get(category, text)) for category, text in SIMARA]
    result = figures([entity for entity in texts if entity[1] is not None], SIMARA)
    assert {name: result[name] for name in expected} == pytest.approx(expected)
    for name in ("ecer", "ewer", "nerval_f1"):  # nothing changes places
        assert result[name] == pytest.approx(result[f"oi_{name}"])


def test_the_papers_tagging_error() -> None:
    """Case 5: title and analysis swapped. All metrics are bad, but for the bag of words, which sees no categories."""
    (_, title), (_, analysis), *others = SIMARA
    result = figures([("analysis", title), ("title", analysis), *others], SIMARA)
    assert result["oi_nerval_f1"] == result["nerval_f1"] == result["bag_of_entities_f1"] == pytest.approx(4 / 6)
    assert result["bag_of_tagged_words_f1"] == pytest.approx(6 / 18)
    assert result["ecer"] == result["ewer"] == pytest.approx(2 / 6)
    assert 0.25 < result["oi_ecer"] < result["ecer"]  # each is compared with the other text of its category
    assert result["bag_of_words_f1"] == 1


def test_the_papers_shuffled_example() -> None:
    """Table 1: the same entity blocks in another order."""
    original = [
        ("title", "AUBERT Huissier priseur à Paris"), ("analysis", "Contre Baraise"), ("date", "10 mars 1773"),
        ("serie", "X1A"), ("article", "4723"), ("reference", "205"),
    ]  # fmt: skip
    shuffled = [original[place] for place in (4, 0, 3, 5, 2, 1)]
    result = figures(shuffled, original)
    assert result["oi_ecer"] == result["oi_ewer"] == result["bag_of_entities_error_rate"] == 0
    assert result["oi_nerval_f1"] == 1
    assert result["nerval_f1"] == 3 / 6  # title, serie and reference keep their order
    assert result["ecer"] == result["ewer"] == 1  # as far as if everything had been replaced


@pytest.fixture(scope="module")
def card() -> str:
    return Path(docie.path("oi_entities"), "README.md").read_text(encoding="utf-8")


def test_the_card_shows_the_papers_cases(card: str) -> None:
    (_, title), (_, analysis), *others = SIMARA
    swapped = [("analysis", title), ("title", analysis), *others]
    predictions: list[Any] = [
        [[kind, changes.get(kind, text)] for kind, text in SIMARA] for changes, _ in CASES.values()
    ]
    for prediction in [*predictions, swapped]:
        result = figures(prediction, SIMARA)
        shown = ("oi_ecer", "oi_ewer", "oi_nerval_f1", "bag_of_tagged_words_error_rate", "bag_of_tagged_words_f1", "bag_of_entities_f1")  # fmt: skip
        assert f" | {' | '.join(f'{result[name]:.2f}' for name in shown)} |" in card


def test_the_card_says_what_the_protocol_gives(card: str, data: Path, root: Path) -> None:
    """Shuffled predictions: order-independent figures stay, the others are far worse."""
    script = str(root / "benchmarks" / "reading_order.py")
    done = subprocess.run([sys.executable, script], capture_output=True, encoding="utf-8", check=True)
    table = {line.split(" | ")[0].strip("| "): line for line in done.stdout.splitlines()}
    assert len(table) == 2 + 4 + 2 * 3 + 3 * 4
    for name, line in table.items():
        if name.startswith(("oi_", "bag_")):
            _, *cells = line.strip("| ").split(" | ")
            assert (cells[0], cells[2]) == (cells[1], cells[3])
    said = re.search(r"ECER rises from (\S+) to (\S+) for LayoutLM, .*, and from (\S+) to (\S+) for\s+Qwen2-VL", card)
    assert said is not None
    assert table["ecer"] == f"| ecer | {' | '.join(said.groups())} |"
    layoutlm, _, qwen, _ = table["oi_ecer"].removeprefix("| oi_ecer | ").removesuffix(" |").split(" | ")
    assert f"OIECER stays at {layoutlm} and {qwen}." in card


@pytest.mark.exhaustive
def test_the_protocol_on_files(root: Path, tmp_path: Path) -> None:
    script, receipts = str(root / "benchmarks" / "reading_order.py"), root / "examples" / "receipts"
    files = [str(receipts / f"{name}.jsonl") for name in ("references", "predictions-careful")]
    done = subprocess.run([sys.executable, script, *files], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.startswith("| metric | regular | shuffled |\n")
    other = subprocess.run(
        [sys.executable, script, *files, "--seed", "0"], capture_output=True, encoding="utf-8", check=True
    )
    assert other.stdout == done.stdout
    bio.write(tmp_path / "a.bio", ["26", "mai", "X1A"], ["B-date", "I-date", "B-serie"])
    done = subprocess.run(
        [sys.executable, script, str(tmp_path), str(tmp_path)], capture_output=True, encoding="utf-8", check=True
    )
    assert "| oi_ecer | 0.0000 | 0.0000 |\n" in done.stdout


# Input.


@pytest.mark.parametrize(
    ("prediction", "reference", "rate", "f1"),
    [
        ([], [], 0.0, 1.0),
        ([["a", "x"]], [], 1.0, 0.0),
        ([], [["a", "x"]], 1.0, 0.0),
        (None, [], 0.0, 1.0),
        (None, [["a", "x"]], 1.0, 0.0),
        ([["a", ""]], [["a", ""]], 0.0, 1.0),
        ([["a", None]], [], 0.0, 1.0),  # null: no entity
        ([["b", "x"]], [["a", "x"]], 1.0, 0.0),
        ([["a", "x"], ["a", "x"]], [["a", "x"]], 1.0, 2 / 3),
    ],
)
def test_degenerate_lists(prediction: Any, reference: Any, rate: float, f1: float) -> None:
    result = figures(prediction, reference)
    assert [result[name] for name in ("oi_ecer", "oi_ewer", "ecer", "ewer", "bag_of_entities_error_rate")] == [rate] * 5
    assert [result[name] for name in ("oi_nerval_f1", "nerval_f1", "bag_of_entities_f1")] == pytest.approx([f1] * 3)


def test_an_empty_text_is_an_entity() -> None:
    """From an empty reference to a text it is 1, to an empty one 0; without words there is nothing for the bags."""
    found, words = rows([["a", "x"]], [["a", ""]])
    assert (found.oi_ecer, found.oi_ewer, found.references) == (1.0, 1.0, 1)
    assert (words.references, words.predictions) == (0, 1)
    assert rows([["a", "  "]], [["a", ""]])[0].oi_ewer == 0.0
    assert rows([["a", ""]], [["a", "x"]], 1.0)[0].nerval_matches == 1


@pytest.mark.parametrize(
    "entity", [["date", "1770"], ("date", "1770"), {"category": "date", "text": "1770"}, {"category": "date", "text": 1770}, Entity("date", 1770, 0.5)]
)  # fmt: skip
def test_entities_are_written_in_several_ways(entity: Any) -> None:
    assert figures([entity], [["date", "1770"]])["oi_ecer"] == 0


TAGGED = {"words": ["le", "26", "mai", "1770", "X1A"], "tags": ["O", "B-date", "I-date", "I-date", "B-serie"]}


def test_tagged_words() -> None:
    entities = [["date", "26 mai 1770"], ["serie", "X1A"]]
    for tagged, plain in ((figures(TAGGED, TAGGED), figures(entities, entities)), (figures(TAGGED, entities[:1]), figures(entities, entities[:1]))):  # fmt: skip
        assert {name: tagged[name] for name in plain} == plain
    assert "cer" not in figures(TAGGED, entities)  # what stands between the entities is not known
    wrong = TAGGED | {"words": ["la", "26", "mai", "1770", "X1A"]}
    result = figures(wrong, TAGGED)
    assert (result["cer"], result["wer"], result["oi_ecer"]) == (1 / 18, 1 / 5, 0)
    result = figures(entities, TAGGED)
    assert (result["cer"], result["wer"]) == (3 / 18, 1 / 5)
    assert figures(None, TAGGED)["cer"] == 1.0
    assert figures(TAGGED, {"words": [], "tags": []})["wer"] == 1.0


def test_cer_may_be_asked_of_part_of_a_corpus() -> None:
    counts = [oi_entities.count(TAGGED, TAGGED), oi_entities.count([["a", "x"]], [["a", "y"]])]
    assert oi_entities.score(counts[0] + counts[1])["cer"] == 0
    result = corpus.evaluate(oi_entities, [TAGGED, []], [TAGGED, []], breakdown=True, confidence_level=0.9)
    assert [row["cer"] for row in result["per_document"]] == [0.0, 0.0]
    assert result["cer_interval"] is None


def test_normalisers() -> None:
    options = {"normalize": {"date": ["casefold"]}}
    assert (
        figures([["date", "26 MAI"], ["x", "A"]], [["date", "26 mai"], ["x", "a"]], **options)["bag_of_entities_f1"]
        == 0.5
    )
    upper = TAGGED | {"words": [word.upper() for word in TAGGED["words"]]}
    assert figures(upper, TAGGED)["cer"] > 0
    for name in ("date", "text", "words"):  # the whole text has no category
        assert figures(upper, TAGGED, normalize={name: "casefold"})["cer"] > 0
    assert figures(upper, TAGGED, normalize="casefold")["cer"] == 0


@pytest.mark.parametrize(
    ("prediction", "reference", "message"),
    [
        ([], {"total": "1"}, "document 0: reference must be a list of entities or tagged words, got an object"),
        ([], None, "document 0: reference must be a list of entities or tagged words, got null"),
        ([], "date", "document 0: reference must be a list of entities or tagged words, got text"),
        ([["date", "1770"], ["date"]], [], "document 0, entity 1 of the prediction: expected {\"category\": ..., \"text\": ...} or [category, text], got ['date']"),
        ([], ["date"], "document 0, entity 0 of the reference: expected {\"category\": ..., \"text\": ...} or [category, text], got 'date'"),
        ([[None, "1770"]], [], "document 0, entity 0 of the prediction: the category must be text, got null"),
        ([["date", {"a": 1}]], [], "document 0, entity 0 of the prediction: the text must be a single value, got {'a': 1}"),
        ({"words": ["a"], "tags": []}, [], "document 0, tags of the prediction: expected one for each of 1 words, got 0"),
        ([], {"words": ["a", "b"], "tags": ["O", "date"]}, "document 0, tag 1 of the reference: 'date' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S)"),
        ({"words": [["a"]], "tags": ["O"]}, [], "document 0, word 0 of the prediction: a word must be a single value, got ['a']"),
    ],
)  # fmt: skip
def test_what_cannot_be_read(prediction: Any, reference: Any, message: str) -> None:
    with pytest.raises(DocumentError) as error:
        corpus.evaluate(oi_entities, [prediction], [reference])
    assert str(error.value) == message


@pytest.mark.parametrize("threshold", [30, 1.01, -0.1, True, "0.3", None, float("nan")])
def test_thresholds_are_fractions(threshold: Any) -> None:
    with pytest.raises(ValueError, match="^nerval_threshold must be a fraction between 0 and 1, got ") as error:
        oi_entities.Settings(nerval_threshold=threshold)
    assert ("percent" in str(error.value)) == (threshold in (30, 1.01))
    assert oi_entities.Settings(nerval_threshold=np.float64(0.5)).nerval_threshold == 0.5


SCALARS = st.sampled_from(["", "x", "O", "B-a", 1, None, True])
ITEMS: st.SearchStrategy[Any] = (
    SCALARS
    | st.lists(SCALARS, max_size=5)
    | st.fixed_dictionaries({}, optional={"category": SCALARS, "text": SCALARS | st.just([]), "box": SCALARS})
)


@given(reference=SCALARS | st.lists(ITEMS, max_size=3) | st.fixed_dictionaries({}, optional={"words": st.lists(ITEMS, max_size=2), "tags": SCALARS | st.lists(SCALARS, max_size=2), "a": SCALARS}))  # fmt: skip
@examples(1500)
def test_the_schema_and_the_package_agree(reference: Any) -> None:
    schema = json.loads(Path(docie.path("oi_entities"), "schema.json").read_text(encoding="utf-8"))
    try:
        oi_entities.count([], reference)
        scored = True
    except DocumentError as error:
        assume("expected one for each of" not in str(error))  # no schema can say so
        scored = False
    assert jsonschema.Draft202012Validator(schema).is_valid(reference) == scored


# The reference package.


def entities_of(document: Any) -> Entities:
    return [(entity.type, entity.value) for entity in grouping.entities(document)]


def test_cord_equals_ie_eval(cord: dict[str, list[Any]], root: Path) -> None:
    lines = (root / "tests" / "golden" / "ie_eval_cord.tsv").read_text(encoding="utf-8").splitlines()
    expected = {identity: list(map(float, numbers)) for identity, *numbers in (line.split("\t") for line in lines[4:])}
    assert len(expected) == 100
    for record, row in zip(cord["references"], cord["qwen"], strict=True):
        document = records.cord_names(llm.to_document(row["prediction"]).document)
        entities, words = rows(entities_of(document), entities_of(records.cord(record)))
        found = [
            entities.oi_ecer, entities.oi_ewer, entities.oi_nerval_matches, words.longer - words.equal, words.equal,
            words.longer - words.equal_tagged, words.equal_tagged, entities.longer - entities.equal, entities.equal,
        ]  # fmt: skip
        assert found == pytest.approx(expected[row["id"]], abs=1e-9)


# it counts in percent, and a third of a hundred is no third
@given(references=ENTITIES, predictions=ENTITIES, threshold=st.sampled_from([0.0, 0.3, 0.34, 0.5, 1.0]))
@examples(300)
@example(references=[("A", "abc")], predictions=[("A", "abd")], threshold=0.34)
def test_random_lists_equal_ie_eval(references: Entities, predictions: Entities, threshold: float) -> None:
    scorer = pytest.importorskip("ie_eval.scorer", reason="the reference package ie-eval is not installed")
    references = [(category, text) for category, text in references if text.split()]  # it divides by their length
    entities, words = rows(predictions, references, threshold)
    assert entities.oi_ecer == pytest.approx(scorer.OiEcerEwer(references, predictions, True).errors, abs=1e-9)
    assert entities.oi_ewer == pytest.approx(scorer.OiEcerEwer(references, predictions, False).errors, abs=1e-9)
    matched = scorer.OiNerval(references, predictions, 100 * threshold)
    assert entities.oi_nerval_matches == matched.true_positives
    tagged = [
        [(category, word) for category, text in side for word in text.split()] for side in (references, predictions)
    ]
    words_of = [[word for _, word in side] for side in tagged]
    bags: list[tuple[list[Any], int, int]] = [
        (tagged, words.equal_tagged, words.longer),
        (words_of, words.equal, words.longer),
        ([references, predictions], entities.equal, entities.longer),
    ]
    for sides, equal, longer in bags:
        found = scorer.BagOfWords(*sides)
        assert (found.true_positives, found.errors) == (equal, longer - equal)


@given(references=ENTITIES, predictions=ENTITIES, threshold=THRESHOLDS)
@examples(300)
def test_without_a_table_of_savings_all_figures_are_the_same(
    references: Entities, predictions: Entities, threshold: float
) -> None:
    expected = align(references, predictions, threshold)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(savings, "_ONE_TABLE", 0)
        patch.setattr(alignment, "_ONE_TABLE", 0)
        found = align(references, predictions, threshold)
    assert found.keys() == expected.keys()
    for category, each in found.items():
        assert each.in_order == pytest.approx(expected[category].in_order)
        assert each.in_any_order == pytest.approx(expected[category].in_any_order)


@pytest.mark.parametrize("pairs", [savings._ONE_TABLE, 0])
@pytest.mark.parametrize(("threshold", "matches"), [(0.25, 1), (0.24, 0)])
def test_a_pair_at_the_threshold_matches_with_a_table_and_without(
    pairs: int, threshold: float, matches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(savings, "_ONE_TABLE", pairs)
    found = Savings(["abcd"], ["abcx"], threshold)
    assert found.best(2)[1].sum() == matches
    assert [row[2].tolist() for row in found.rows()] == [[matches]]
    assert figures([("a", "abcx")], [("a", "abcd")], nerval_threshold=threshold)["nerval_f1"] == matches
