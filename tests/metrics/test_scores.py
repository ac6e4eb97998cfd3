"""What families say of their scores: every number has one entry, and the entry says what is true of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import docie
from docie import box_iou, corpus, entity_f1, form_robustness, kieval
from docie.core.family import get
from docie.core.scores import COMMON, Score, headline_of, score_of

LEAF = {"value": "9", "confidence": 0.7}
DOCUMENTS = [
    ({"a": LEAF, "g": [{"b": "60.00", "c": "x"}], "d": "1"}, {"a": "9", "g": [{"b": "60.000"}, {"c": ["x", "y"]}]}),
    (None, {"a": "1"}),
    ({"a": "12", "g": {"b": "7"}}, {"a": "12", "g": {"b": "7"}}),
]
TAGGED = [({"words": ["x", "y"], "tags": ["B-a", "B-b"]}, {"words": ["x", "z"], "tags": ["B-a", "I-a"]})]
BOX = {"label": "a", "box": [0, 0, 4, 2]}
ATTACKS = ("none", "drop_x", "x_cer", "errors", "f1_macro", "precision")
ATTACKED = [
    (
        {"attacks": {attack: {"a": "1"} for attack in ATTACKS}},
        {"attacks": {attack: {"a": "1" if attack == "none" else "2"} for attack in ATTACKS}},
    )
]
COSTS: dict[str, Any] = {"weights": {"a": 2}, "costs": 3, "thresholds": [0.5, 0.9]}
SAMPLES: list[tuple[str, list[tuple[Any, Any]], dict[str, Any]]] = [
    *((name, DOCUMENTS, {}) for name in docie.families() if "document" in get(name).INPUTS),
    ("kieval", [*DOCUMENTS, ({"a": "1"}, {"a": None})], COSTS),
    ("kieval", DOCUMENTS, {"evidence": "page"}),
    ("anls_star", DOCUMENTS, {"closest": True}),
    ("entity_f1", TAGGED, {}),
    ("oi_entities", TAGGED, {}),
    ("oi_entities", [([["a", "x"], ["b", "y"]], [["a", "z"]])], {}),
    ("box_iou", [([BOX], [BOX | {"box": [1, 0, 5, 2]}, BOX | {"group": 1}])], {"thresholds": [0.25, 0.5, 1]}),
    ("form_robustness", ATTACKED, {}),
]
OF_THE_COMMAND_LINE = {"kieval": {"minutes_per_100_documents"}}
every_sample = pytest.mark.parametrize(("name", "pairs", "options"), SAMPLES)


def numbers_in(results: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """All numbers of results and of their tables, with their keys."""
    for key, value in results.items():
        if isinstance(value, int | float):
            yield key, value
        rows = value.values() if isinstance(value, Mapping) else value if key in ("automation", "per_document") else ()
        for row in rows:
            yield from numbers_in(row)


def evaluated(name: str, pairs: list[tuple[Any, Any]], options: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    family: Any = get(name)
    rows = [
        ({"prediction": prediction}, {"reference": reference, "meta": {"by": "all"}}) for prediction, reference in pairs
    ]
    predictions, references = zip(*rows, strict=True)
    return corpus.evaluate(family, predictions, references, family.Settings(**options), breakdown=True, **more)


@every_sample
def test_every_number_has_one_entry(name: str, pairs: Any, options: Any) -> None:
    results = evaluated(name, pairs, options, group_by="by", confidence_level=0.9)
    numbers = list(numbers_in(results))
    assert {"documents", headline_of(get(name))} <= {key for key, _ in numbers}
    for key, value in numbers:
        [entry] = [score for score in (*get(name).SCORES, *COMMON) if score.names(key)]
        assert score_of(get(name), key) is entry
        assert entry.kind not in ("share", "documents") or 0 <= value <= 1, key
        assert entry.kind != "count" or isinstance(value, int), key
        assert entry.kind in ("count", "cost") or isinstance(value, float), key


@pytest.mark.parametrize("name", docie.families())
def test_every_entry_is_of_some_number_and_one_is_the_headline(name: str) -> None:
    found = {
        key
        for family, pairs, options in SAMPLES
        if family == name
        for key, _ in numbers_in(evaluated(name, pairs, options))
    } | OF_THE_COMMAND_LINE.get(name, set())
    scores = get(name).SCORES
    for score in scores:
        assert any(map(score.names, found)), score.name
        assert re.fullmatch(r"[A-Z`]\S* .+\.", score.meaning), score
        assert score.part_of in (None, *(other.name for other in scores)), score
    assert [score.name for score in scores if score.headline] == [headline_of(get(name))]
    assert headline_of(get(name)) in found


@every_sample
def test_a_perfect_answer_is_better_as_the_entries_say(name: str, pairs: Any, options: Any) -> None:
    family: Any = get(name)
    settings = family.Settings(**options)
    ways = {"higher": 1, "lower": -1, "neither": 0}
    for prediction, reference in pairs:
        perfect = family.score(family.count(reference, reference, settings))
        found = family.score(family.count(prediction, reference, settings))
        for key in perfect.keys() & found.keys():
            assert ways[score_of(family, key).better] * (perfect[key] - found[key]) >= 0, key
            assert score_of(family, key).better != "neither" or perfect[key] == found[key], "a size of the corpus"


@pytest.mark.parametrize("attack", ATTACKS[1:])
def test_names_of_attacks_do_not_change_what_a_score_is(attack: str) -> None:
    for key, better in ((f"f1_{attack}", "higher"), (f"drop_f1_{attack}", "lower"), (f"drop_recall_{attack}", "lower")):
        assert score_of(form_robustness, key).better == better
    assert score_of(form_robustness, "worst_drop").better == "lower"


def test_patterns() -> None:
    assert score_of(box_iou, "f1_at_0.75").name == "f1_at_<threshold>"
    between = Score("from_<a>_on", "lower", "count", "A number.")
    assert [between.names(key) for key in ("from_x_on", "from__on", "from_x", "from_on")] == [True, False, False, False]


def test_unknown_scores_and_families_that_say_nothing() -> None:
    with pytest.raises(
        ValueError, match=r"^unknown score 'f1_micro' \(close: 'f1_macro'\), expected one of: precision, recall, "
    ):
        score_of(entity_f1, "f1_micro")
    own: Any = SimpleNamespace(**{name: getattr(kieval, name) for name in kieval.__all__ if name != "SCORES"})
    own.NAME = "own"
    with pytest.raises(ValueError, match=r"^family 'own' must declare SCORES, a tuple of docie.core.scores.Score"):
        score_of(own, "entity_f1")
    own.SCORES = (Score("entity_f1", "higher", "share", "F1."),)
    with pytest.raises(ValueError, match=r"^no score in own.SCORES is the headline, one must be$"):
        headline_of(own)
    module = ModuleType("own")
    with pytest.raises(ValueError, match=r"^family <module 'own'> must declare SCORES"):
        headline_of(module)


@pytest.mark.parametrize("name", docie.families())
def test_cards_say_which_way_scores_are_better(name: str) -> None:
    card = (Path(docie.path(name)) / "README.md").read_text(encoding="utf-8")
    values = card.partition("## Output values")[2].partition("\n#")[0]
    said = dict(re.findall(r"^\| (?:\*\*)?`([^`]+)`(?:\*\*)? \| [^|]+ \| (higher|lower|–) \|", values, re.MULTILINE))
    assert said == {score.name: score.better.replace("neither", "–") for score in get(name).SCORES}
