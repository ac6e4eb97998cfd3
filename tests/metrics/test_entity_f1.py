"""Entity F1 of documents: multisets, alternatives, the relation to KIEval's figure; of tagged words: seqeval's."""

from __future__ import annotations

import random
import warnings
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import docie
from docie import corpus, entity_f1, kieval
from docie.core.counts import Outcomes
from docie.core.errors import DocumentError
from docie.documents.tagging import SCHEMES
from docie.documents.tagging.schemes import PREFIXES
from docie.documents.tagging.spans import tags_of

import oracle
from sizes import examples
from strategies import LEAVES, ONE_OFS, documents


def figures(prediction: Any, reference: Any, **options: Any) -> dict[str, Any]:
    return corpus.evaluate(entity_f1, [prediction], [reference], entity_f1.Settings(**options), breakdown=True)


def test_both_sides_are_normalised() -> None:
    for prediction, reference in [
        ("ICED LATTE", "iced latte"),
        ("iced latte", "ICED LATTE"),
        ("Iced latte", "iced Latte"),
    ]:
        assert figures({"a": prediction}, {"a": reference}, normalize="casefold")["f1"] == 1.0
        assert figures({"a": prediction}, {"a": reference})["f1"] == 0.0


@pytest.mark.parametrize(
    ("prediction", "reference", "precision", "recall"),
    [
        ({"a": "1"}, {"a": "1"}, 1.0, 1.0),
        ({"a": ["1", "1"]}, {"a": "1"}, 0.5, 1.0),  # multisets
        ({"a": "1"}, {"a": ["1", "1"]}, 1.0, 0.5),
        ({"a": "1"}, {"b": "1"}, 0.0, 0.0),  # types
        ({"g": [{"a": "1"}, {"a": "2"}]}, {"g": [{"a": ["2", "1"]}]}, 1.0, 1.0),  # groups have no say
        ({"g.a": "1"}, {"g": {"a": "1"}}, 1.0, 1.0),
        ({"a": ["1", "2"]}, {"a": [("1", "2"), "1"]}, 1.0, 1.0),  # one to one, the most of them
        ({"a": ["1", "1"]}, {"a": [("1", "2"), "3"]}, 0.5, 0.5),
        ({}, {}, 1.0, 1.0),
        ({"a": ""}, {"a": None}, 1.0, 1.0),
        (None, {"a": "1"}, 0.0, 0.0),
        ({"a": 12}, {"a": "12"}, 1.0, 1.0),
    ],
)
def test_worked_cases(prediction: Any, reference: Any, precision: float, recall: float) -> None:
    result = figures(prediction, reference)
    assert (result["precision"], result["recall"]) == (precision, recall)


def test_macro_f1_is_the_mean_over_types_of_either_side() -> None:
    result = figures({"a": ["1", "2"], "b": "1"}, {"a": ["1", "2"], "c": "1"})
    assert result["f1"] == pytest.approx(2 * 2 / 6)
    assert result["f1_macro"] == pytest.approx(1 / 3)
    assert {kind: (row["f1"], row["support"]) for kind, row in result["per_entity"].items()} == {
        "a": (1.0, 2), "b": (0.0, 0), "c": (0.0, 1)
    }  # fmt: skip


@given(prediction=documents(), reference=documents(ONE_OFS) | documents())
@examples(1500)
def test_agrees_with_the_textbook(prediction: Any, reference: Any) -> None:
    """A maximum matching of all entities of the document, as if it were one group."""
    left, right = (_flat(oracle.read(document)) for document in (prediction, reference))
    hits = oracle.shared(left, right).total()
    total = entity_f1.count(prediction, reference).total("entity", Outcomes)
    assert total == Outcomes(hits, left.total() - hits, right.total() - hits)


def _flat(read: Any) -> Any:
    ungrouped, groups = read
    return sum((group for listed in groups.values() for group in listed), ungrouped)


@given(prediction=documents(LEAVES), reference=documents(ONE_OFS))
@examples(500)
def test_groups_can_only_lower_it(prediction: Any, reference: Any) -> None:
    in_groups = kieval.score(kieval.count(prediction, reference))
    assert entity_f1.score(entity_f1.count(prediction, reference))["f1"] >= in_groups["entity_f1"]


# Tagged words


def tag_figures(predictions: list[Any], references: list[Any], **options: Any) -> dict[str, Any]:
    return corpus.evaluate(entity_f1, predictions, references, entity_f1.Settings(**options), breakdown=True)


@pytest.mark.parametrize(
    ("prediction", "reference", "counts", "accuracy"),
    [
        ("B-a I-a O", "B-a I-a O", (1, 0, 0), 3 / 3),
        ("I-a I-a O", "B-a I-a O", (1, 0, 0), 2 / 3),  # the same span, not the same tag
        ("B-a O O", "B-a I-a O", (0, 1, 1), 2 / 3),  # a boundary
        ("B-b I-b O", "B-a I-a O", (0, 1, 1), 1 / 3),  # a type
        ("B-a B-a O", "B-a I-a O", (0, 2, 1), 2 / 3),
        ("B-a I-a B-a", "B-a I-a O", (1, 1, 0), 2 / 3),
        ("O O O", "B-a I-a O", (0, 0, 1), 1 / 3),
        ("B-a O O", "O O O", (0, 1, 0), 2 / 3),
        ("O O", "O O", (0, 0, 0), 1.0),
        ("", "", (0, 0, 0), 1.0),
    ],
)
def test_worked_cases_of_tags(prediction: str, reference: str, counts: tuple[int, int, int], accuracy: float) -> None:
    left, right = prediction.split(), reference.split()
    words = [str(number) for number in range(len(left))]
    for one in (left, tuple(left), {"words": words, "tags": left}):
        for other in (right, tuple(right), {"words": words, "tags": right}):
            found = entity_f1.count(one, other)
            assert (found.documents, found.invalid_predictions) == (1, 0)
            assert found.total("entity", Outcomes) == Outcomes(*counts)
            assert entity_f1.score(found)["accuracy"] == accuracy
    if not sum(counts):
        assert set(entity_f1.score(entity_f1.count(left, right)).values()) == {1.0}


def test_strictness_and_schemes_of_tags() -> None:
    left, right = ["I-a", "I-a", "O", "B-b"], ["B-a", "I-a", "O", "B-b"]
    assert tag_figures([left], [right])["f1"] == tag_figures([left], [right], scheme="IOB2")["f1"] == 1.0
    strict = tag_figures([left], [right], scheme="IOB2", strict=True)
    assert (strict["precision"], strict["recall"], strict["accuracy"]) == (1.0, 0.5, 0.75)
    bilou = tag_figures([["U-a", "B-a", "L-a"]], [["U-a", "U-a", "U-a"]], scheme="BILOU")
    assert (bilou["precision"], bilou["recall"]) == (1 / 2, 1 / 3)


def test_how_tags_were_read_is_in_the_signature() -> None:
    assert "|scheme:any|strict:False|" in tag_figures([["O"]], [["O"]])["signature"]
    signature = tag_figures([["O"]], [["O"]], scheme="IOB2", strict=True)["signature"]
    assert signature.startswith("entity_f1|normalize:none|scheme:IOB2|strict:True|version:")


ALPHABET = ["O", "B-a", "I-a", "E-a", "B-b", "I-b"]
WORDS, RIGHT, WRONG = ["x", "y", "z"], ["B-a", "I-a", "O"], ["O", "B-a", "I-a"]


@pytest.mark.parametrize("more", [{}, {"id": 7}, {"file": "a.png", "boxes": [[0, 0, 1, 1]]}])
@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_tagged_words_are_known_by_their_lists(kind: Any, more: dict[str, Any]) -> None:
    """Whatever else the object holds, and whatever sort of lists they are."""
    reference = {"words": kind(WORDS), "tags": kind(RIGHT), **more}
    for evaluate in (partial(corpus.evaluate, entity_f1), docie.load("entity_f1").compute):
        for tags, f1 in ((RIGHT, 1.0), (WRONG, 0.0)):
            for prediction in (
                {"words": kind(WORDS), "tags": kind(tags), **more},
                {"words": WORDS, "tags": tags},
                kind(tags),
            ):
                result = evaluate(predictions=[prediction], references=[reference])
                assert (result["f1"], result["invalid_predictions"]) == (f1, 0)
                assert "accuracy" in result


@given(
    sentences=st.lists(
        st.lists(st.tuples(st.sampled_from(ALPHABET), st.sampled_from(ALPHABET)), max_size=4), min_size=1, max_size=4
    ),
    scheme=st.sampled_from(["IOB1", "IOB2", "IOE1", "IOE2"]),
    strict=st.booleans(),
)
@examples(300)
def test_sentences_are_counted_one_by_one(sentences: Any, scheme: str, strict: bool) -> None:
    prefixes = dict(zip("BIE", "BIB" if scheme.startswith("IOB") else "EIE", strict=True))
    sides = [
        [
            [tag if tag == "O" else prefixes[tag[0]] + tag[1:] for tag in (pair[side] for pair in sentence)]
            for sentence in sentences
        ]
        for side in (0, 1)
    ]
    whole = [
        {"words": list(chain(*side)), "tags": list(chain(*side)), "sentences": [len(sentence) for sentence in side]}
        for side in sides
    ]
    options = entity_f1.Settings(scheme=scheme, strict=strict)
    one = corpus.evaluate(entity_f1, whole[:1], whole[1:], options)
    parts = corpus.evaluate(entity_f1, sides[0], sides[1], options)
    for name in ("precision", "recall", "f1", "f1_macro", "accuracy"):
        assert one[name] == parts[name]


def test_sentences_must_add_up() -> None:
    for wrong in ([1], [1, 1, 2], [-1, 4], "3", [1.5, 1.5], 3):
        with pytest.raises(
            DocumentError, match="^sentences of the reference: expected lengths that add up to 3 words, got "
        ):
            entity_f1.count(RIGHT, {"words": WORDS, "tags": RIGHT, "sentences": wrong})
    assert entity_f1.count(RIGHT, {"words": WORDS, "tags": RIGHT, "sentences": None}).rows["entity", "a"] == [1, 0, 0]


def test_documents_have_no_accuracy() -> None:
    assert "accuracy" not in corpus.evaluate(entity_f1, [{"a": "1"}], [{"a": "1"}])
    assert "accuracy" not in corpus.evaluate(entity_f1, [], [])
    both = tag_figures([["B-a", "O"], {"a": "1"}], [["B-a", "B-b"], {"a": "1"}])
    assert (both["accuracy"], both["recall"]) == (0.5, 2 / 3)


@pytest.mark.parametrize("bad", [None, "B-a O", 3, {"a": "1"}, {"words": ["x"], "tags": "O"}, {"tags": ["B-a", "O"]}])
def test_a_prediction_that_is_no_tags(bad: Any) -> None:
    result = tag_figures([bad, ["B-a", "O"]], [["B-a", "B-b"], ["B-a", "O"]])
    assert result["invalid_predictions"] == 1
    assert (result["precision"], result["recall"], result["accuracy"]) == (1.0, 1 / 3, 0.5)
    assert tag_figures([bad], [[]])["accuracy"] == 1.0
    assert tag_figures([bad], [["O", "B-a"]])["accuracy"] == 0.0  # not even an O


def test_tags_are_no_prediction_of_a_document() -> None:
    for prediction in (["B-a"], []):
        result = corpus.evaluate(entity_f1, [prediction], [{"a": "1"}])
        assert (result["invalid_predictions"], result["recall"]) == (1, 0.0)
    document = {"words": ["x"], "tags": "y", "total": "1"}
    assert corpus.evaluate(entity_f1, [document], [document])["f1"] == 1.0
    assert corpus.evaluate(entity_f1, [{"words": ["x"], "tags": ["B-a", "O"]}], [{"words": "x"}])["recall"] == 1.0


@pytest.mark.parametrize(
    ("prediction", "reference", "message"),
    [
        (["O", "PER"], ["O", "O"], "document 1, tag 1 of the prediction: 'PER' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S)"),
        (["O", "O"], ["O", None], "document 1, tag 1 of the reference: null is no tag, expected O or a tag such as B-total (prefixes B, I, E, S)"),
        (["O", "O", "O"], ["PER", "O", "O"], "document 1, tag 0 of the reference: 'PER' is no tag, expected O or a tag such as B-total (prefixes B, I, E, S)"),
        (["O"] * 4, ["O"] * 5, "document 1: expected as many tags as in the reference, got 4 and 5"),
        ({"words": ["a"], "tags": []}, ["O"], "document 1, tags of the prediction: expected one for each of 1 words, got 0"),
        (["O"], {"words": ["a"], "tags": []}, "document 1, tags of the reference: expected one for each of 1 words, got 0"),
        (None, 3, "document 1: reference must be a JSON object or a list of tags, got a number"),
    ],
)  # fmt: skip
def test_errors_of_tags(prediction: Any, reference: Any, message: str) -> None:
    for evaluate in (partial(corpus.evaluate, entity_f1), docie.load("entity_f1").compute):
        with pytest.raises(DocumentError) as error:
            evaluate(predictions=[["O"], prediction], references=[["O"], reference])
        assert str(error.value) == message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"scheme": "BIO"}, "unknown scheme 'BIO', expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        ({"scheme": 3}, "unknown scheme 3, expected one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        ({"strict": True}, "strict needs a scheme, one of IOB1, IOB2, IOE1, IOE2, IOBES, BILOU"),
        ({"scheme": "IOB2", "strict": "yes"}, "strict must be True or False, got 'yes'"),
    ],
)
def test_options_of_tags(options: Any, message: str) -> None:
    for make in (entity_f1.Settings, lambda **given: docie.load("entity_f1", **given)):
        with pytest.raises(ValueError) as error:  # noqa: PT011
            make(**options)
        assert str(error.value) == message


def test_the_module_takes_tags() -> None:
    metric = docie.load("entity_f1", scheme="IOB2")
    pairs = {
        "predictions": [["B-a", "O"], ("B-a", "B-b")],
        "references": [{"words": ["x", "y"], "tags": ["B-a", "O"]}, ("B-a", "I-a")],
    }
    result = metric.compute(**pairs, breakdown=True, confidence_level=0.9)
    assert (result["f1"], result["accuracy"]) == (2 * 1 / 5, 0.75)
    assert [row["accuracy"] for row in result["per_document"]] == [1.0, 0.5]
    low, high = result["accuracy_interval"]
    assert 0 < low < 0.75 < high < 1, "of two documents, and therefore wide"
    figures = dict.fromkeys(("precision", "recall", "f1"), 0.0)
    assert result["per_entity"]["b"] == {**figures, "support": 0}, "no interval: the references have no such type"
    for prediction, reference in zip(*pairs.values(), strict=True):
        metric.add(prediction=prediction, reference=reference)
    assert metric.compute()["f1"] == result["f1"]


def tag_sequences(scheme: str, rng: random.Random, documents: int) -> list[list[str]]:
    """Of up to a dozen words and three types; every other one well-formed."""
    result = []
    for number in range(documents):
        length = rng.randrange(13)
        spans = [
            (rng.choice("XYZ"), first, first + rng.randrange(2))
            for first in range(0, length - 1, 2)
            if rng.random() < 0.6
        ]
        tags = tags_of(spans, length, scheme)
        for position in range(length if number % 2 else 0):
            if rng.random() < 0.3:
                tags[position] = rng.choice(
                    ["O", *(f"{prefix}-{kind}" for prefix in PREFIXES[scheme] for kind in "XYZ")]
                )
        result.append(tags)
    return result


def corpora(scheme: str, number: int) -> list[tuple[list[list[str]], list[list[str]]]]:
    """Predictions, some of their tags another's, and references."""
    rng = random.Random(f"{scheme} {number}")
    result = []
    for _ in range(number):
        references = tag_sequences(scheme, rng, rng.randint(1, 6))
        others = [rng.choices(sum(references, ["O"]), k=len(tags)) for tags in references]
        predictions = [
            [rng.choices(pair, [4, 1])[0] for pair in zip(tags, other, strict=True)]
            for tags, other in zip(references, others, strict=True)
        ]
        result.append((predictions, references))
    return result


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_figures_are_seqevals(scheme: str, strict: bool) -> None:
    metrics = pytest.importorskip("seqeval.metrics")
    schemes = pytest.importorskip("seqeval.scheme")
    if scheme == "BILOU" and not strict:
        pytest.skip("seqeval's default mode does not know it")
    if scheme == "IOE1" and strict:
        pytest.skip("seqeval loses spans")
    options = {"mode": "strict", "scheme": getattr(schemes, scheme)} if strict else {}
    compared = 0
    for predictions, references in corpora(scheme, 100):
        ours = tag_figures(predictions, references, scheme=scheme, strict=strict)
        if not ours["per_entity"]:
            continue  # 1 here, zero_division there
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = {
                "precision": metrics.precision_score(references, predictions, **options),
                "recall": metrics.recall_score(references, predictions, **options),
                "f1": metrics.f1_score(references, predictions, **options),
                "f1_macro": metrics.f1_score(references, predictions, average="macro", **options),
                "accuracy": metrics.accuracy_score(references, predictions),
            }
        assert {name: ours[name] for name in theirs} == pytest.approx(theirs, abs=1e-12)
        compared += 1
    assert compared > 80


def test_figures_are_nervaluates() -> None:
    nervaluate = pytest.importorskip("nervaluate")
    compared = 0
    for predictions, references in corpora("IOB2", 100):
        kept = [(left, right) for left, right in zip(predictions, references, strict=True) if left]
        ours = tag_figures([left for left, _ in kept], [right for _, right in kept], scheme="IOB2")
        if not ours["per_entity"]:
            continue
        evaluator = nervaluate.Evaluator(
            [right for _, right in kept], [left for left, _ in kept], tags=[*"XYZ"], loader="list"
        )
        theirs = evaluator.evaluate()["overall"]["strict"]
        assert ours["precision"] == pytest.approx(theirs.precision)
        assert ours["recall"] == pytest.approx(theirs.recall)
        assert ours["f1"] == pytest.approx(theirs.f1)
        compared += 1
    assert compared > 80


TAGS = st.lists(st.sampled_from(["O", "O", "B-a", "I-a", "B-b", "I-b"]), max_size=8)


@st.composite
def tag_pairs(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    reference = draw(TAGS)
    size = len(reference)
    return draw(st.lists(st.sampled_from(["O", "B-a", "I-a", "I-b"]), min_size=size, max_size=size)), reference


@pytest.mark.parametrize("options", [{}, {"scheme": "IOB2", "strict": True}], ids=["lenient", "strict"])
@given(pairs=st.lists(tag_pairs(), max_size=5), seed=st.integers(0, 99))
@examples(200)
def test_properties_of_tags(options: Any, pairs: list[tuple[list[str], list[str]]], seed: int) -> None:
    predictions, references = [left for left, _ in pairs], [right for _, right in pairs]
    result = tag_figures(predictions, references, **options)
    scores = [name for name in ("precision", "recall", "f1", "f1_macro", "accuracy") if name in result]
    assert all(0.0 <= result[name] <= 1.0 for name in scores)
    itself = tag_figures(references, references, **options)
    assert all(itself[name] == 1.0 for name in scores)
    mixed = random.Random(seed).sample(pairs, len(pairs))
    other = tag_figures([left for left, _ in mixed], [right for _, right in mixed], **options)
    assert {name: other[name] for name in scores} == pytest.approx({name: result[name] for name in scores}, abs=1e-12)
    swapped = tag_figures(references, predictions, **options)
    assert (swapped["precision"], swapped["recall"]) == (result["recall"], result["precision"])
    chosen = entity_f1.Settings(**options)
    sides: list[tuple[list[Any], list[Any]]] = [([], []), *(([left], [right]) for left, right in pairs)]
    parts = [corpus.count(entity_f1, *side, chosen).to_json() for side in sides]
    summed = corpus.results(corpus.Partial.sum_of(map(corpus.Partial.from_json, parts)))
    assert {name: summed[name] for name in scores} == {name: result[name] for name in scores}
    assert [row["f1"] for row in result["per_document"]] == [
        entity_f1.score(entity_f1.count(left, right, chosen))["f1"] for left, right in pairs
    ]


def test_rules_of_values() -> None:
    settings = entity_f1.Settings(match={"total": "within(0.01)"})
    rows = entity_f1.count({"total": "12.01", "tax": "1.01"}, {"total": "12.00", "tax": "1.00"}, settings).rows
    assert rows == {("entity", "total"): [1, 0, 0], ("entity", "tax"): [0, 1, 1]}
