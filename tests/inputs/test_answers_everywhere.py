"""Texts of models where references are objects: one score and one signature, whoever reads them, for every family."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import docie
from docie import corpus
from docie.adapters import llm, training
from docie.adapters.harnesses import lm_eval
from docie.adapters.row_scores import RowMetric, corpus_results
from docie.adapters.training import rewards
from docie.core import family
from docie.core.scores import headline_of, is_better_low
from docie.core.settings import filled
from docie.corpus.method import Method
from docie.inputs.join import paired

from cli_runs import lines, run

REFERENCES: list[Any] = [
    {"total": f"{number}.00", "items": [{"name": "Latte"}, {"name": "Bagel"}]} for number in range(6)
]
READ: list[Any] = [{**row, "total": "3.00"} for row in REFERENCES]
FENCED = "Here it is:\n```json\n{}\n```\nAnything else?"
ANSWERS = [
    json.dumps(row) if number % 2 else FENCED.format(json.dumps(row, indent=1)) for number, row in enumerate(READ)
]
BOXES = [[{"label": "total", "box": [0, 0, 9, number + 1]}] for number in range(3)]
FAMILIES = ["kieval", "anls_star", "hed", "nted", "entity_f1", "text_match"]


def in_files(folder: Path, name: str, references: list[Any], predictions: list[Any], *options: str) -> Any:
    paths = (lines(folder / f"{side}.jsonl", rows) for side, rows in (("r", references), ("p", predictions)))
    result = run(*paths, "--metric", name, "--format", "json", *options)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)[name]


class Decoder:
    """A tokenizer whose only token of a row is the whole answer."""

    pad_token_id = bos_token_id = eos_token_id = None

    def __init__(self, answers: Sequence[str] = ANSWERS) -> None:
        self.answers = answers

    def decode(self, ids: list[int], **options: object) -> str:
        return "".join(self.answers[number] for number in ids)


def prefixed(name: str, scores: dict[str, float]) -> dict[str, float]:
    return {f"{name}_{score}": value for score, value in scores.items()}


def scores_of(results: dict[str, Any]) -> dict[str, float]:
    """The scores among results, which trainers and harnesses log without the facts beside them."""
    facts = ("documents", "invalid_predictions")
    return {name: value for name, value in results.items() if isinstance(value, int | float) and name not in facts}


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.filterwarnings("ignore:predictions. read 3 predictions as llm:UserWarning")
def test_one_score_and_one_signature(name: str, tmp_path: Path) -> None:
    module = getattr(docie, name)
    expected = corpus.evaluate(module, READ, REFERENCES)
    assert corpus.evaluate(module, ANSWERS, REFERENCES) == expected
    assert docie.load(name).compute(predictions=ANSWERS, references=REFERENCES) == expected
    assert in_files(tmp_path, name, REFERENCES, ANSWERS) == expected
    wrapped = [{"id": number, "prediction": answer} for number, answer in enumerate(ANSWERS)]
    given = [{"id": number, "reference": row} for number, row in enumerate(REFERENCES)]
    assert in_files(tmp_path, name, given, wrapped[::-1]) == expected
    metric = RowMetric(name)
    rows = [metric.count(*pair).counts for pair in zip(ANSWERS, REFERENCES, strict=True)]
    assert corpus_results(rows) == expected


def in_training(name: str, answers: Sequence[str], references: list[Any], **options: Any) -> dict[str, float]:
    """What a Trainer logs of a model that writes these answers."""
    metrics = training.generation_metrics(Decoder(answers), references, metrics=name, **options)
    return metrics(SimpleNamespace(predictions=[[number] for number in range(len(answers))], label_ids=None))


def in_a_harness(
    name: str, scores: list[str], answers: Sequence[Any], references: list[Any], **options: Any
) -> dict[str, float]:
    """The scores of the corpus that a harness aggregates."""
    process = lm_eval.process_results(name, scores=scores, **options)
    items = [process({"reference": row}, [answer]) for row, answer in zip(references, answers, strict=True)]
    names = [f"{name}_{score}" for score in scores]
    return {score: lm_eval.aggregation(score)([item[score] for item in items]) for score in names}


@pytest.mark.parametrize("name", FAMILIES)
def test_the_same_scores_in_training_and_in_a_harness(name: str) -> None:
    scores = scores_of(corpus.evaluate(getattr(docie, name), READ, REFERENCES))
    expected = prefixed(name, scores)
    logged = in_training(name, ANSWERS, REFERENCES, read=llm.to_document)
    assert {score: logged[score] for score in expected} == expected
    assert in_a_harness(name, [*scores], ANSWERS, REFERENCES) == expected


TOML = """
version = 1
[references]
unwrap = "gold"
rename = { sum = "total" }
ignore = ["page"]
[predictions]
unwrap = "output.data"
rename = { lines = "items", "lines.desc" = "items.name", sum_of_all = "total" }
ignore = ["page", "notes"]
records = ["numbered"]
failures = ["error"]
[systems.other]
unwrap = "other"
[values]
normalize = { total = "number", "items.name" = "casefold" }
"""
ROWS_OF_REFERENCES: list[Any] = [
    {"gold": {"sum": f"{number}.00", "page": "1", "items": [{"name": "Latte"}, {"name": "Bagel"}]}, "country": "DE"}
    for number in range(8)
]
ROWS_OF_ANSWERS: list[Any] = [
    {
        "output": {
            "data": {
                "sum_of_all": f"{number}.000" if number % 3 else "3.0",
                "page": "2",
                "notes": "none",
                "lines": {"1": {"desc": "LATTE"}, "2": {"desc": "Bagel" if number % 2 else "Bread"}},
            }
        },
        "latency": 0.5,
    }
    for number in range(7)
] + [{"error": "timeout"}]
TEXTS = [json.dumps(row) for row in ROWS_OF_ANSWERS]
AS_DOCUMENTS = (
    [
        {
            "total": row["output"]["data"]["sum_of_all"],
            "items": [{"name": each["desc"]} for each in row["output"]["data"]["lines"].values()],
        }
        for row in ROWS_OF_ANSWERS[:-1]
    ]
    + [None],
    [{"total": row["gold"]["sum"], "items": row["gold"]["items"]} for row in ROWS_OF_REFERENCES],
)  # fmt: skip
OF_DOCUMENTS = [each for each in docie.families() if "document" in family.get(each).INPUTS]


@pytest.fixture
def toml(tmp_path: Path) -> str:
    path = tmp_path / "docie.toml"
    path.write_text(TOML)
    return str(path)


@pytest.mark.parametrize("name", OF_DOCUMENTS)
def test_one_configuration_gives_one_score_everywhere(name: str, toml: str, tmp_path: Path) -> None:
    module = family.get(name)
    by_hand = filled(module.Settings(), {"normalize": {"total": "number", "items.name": "casefold"}})
    expected = corpus.evaluate(module, ROWS_OF_ANSWERS, ROWS_OF_REFERENCES, config=toml)
    scores = scores_of(expected)
    assert scores == scores_of(corpus.evaluate(module, *AS_DOCUMENTS, by_hand))
    assert expected["signature"] == Method.of(module, None, toml).signature()
    assert "|reading:predictions.failures(error)+predictions.ignore(page,notes)+" in expected["signature"]
    assert expected["invalid_predictions"] == (name != "anls_star")  # which reads anything
    for rows in (ROWS_OF_ANSWERS, TEXTS):
        given = {"predictions": rows, "references": ROWS_OF_REFERENCES}
        assert in_files(tmp_path, name, ROWS_OF_REFERENCES, rows, "--config", toml) == expected
        assert corpus.evaluate(module, rows, ROWS_OF_REFERENCES, config=toml) == expected
        assert docie.load(name, config=toml).compute(**given) == expected
        assert docie.load(name).compute(**given, config=toml) == expected
        metric = RowMetric(name, config=toml)
        counts = [metric.count(*pair).counts for pair in zip(rows, ROWS_OF_REFERENCES, strict=True)]
        assert corpus_results(counts) == expected
        assert in_a_harness(name, [*scores], rows, ROWS_OF_REFERENCES, config=toml) == prefixed(name, scores)
    logged = in_training(name, TEXTS, ROWS_OF_REFERENCES, config=toml)
    assert {score: logged[score] for score in prefixed(name, scores)} == prefixed(name, scores)
    assert (logged["invalid_predictions"], logged["repaired_predictions"]) == (1, 0)


@pytest.mark.parametrize("name", OF_DOCUMENTS)
@pytest.mark.filterwarnings("ignore:.* alone can be gamed:UserWarning")
def test_a_reward_gives_the_score_of_each_row(name: str, toml: str) -> None:
    module = family.get(name)
    headline = headline_of(module)
    sign = -1 if is_better_low(module, headline) else 1
    rewards_of_rows = [
        corpus.evaluate(module, [answer] * 2, [row] * 2, config=toml)[headline] * sign
        for answer, row in zip(ROWS_OF_ANSWERS, ROWS_OF_REFERENCES, strict=True)
    ]
    reward = rewards.reward(name, {headline: sign}, config=toml)
    assert reward(completions=TEXTS, reference=ROWS_OF_REFERENCES) == pytest.approx(rewards_of_rows)
    assert reward.row_metric.signature == Method.of(module, None, toml).signature()
    assert 0 < sum(map(abs, rewards_of_rows)) < len(rewards_of_rows)


def test_the_metrics_of_one_command_read_alike(tmp_path: Path) -> None:
    paths = lines(tmp_path / "r.jsonl", REFERENCES), lines(tmp_path / "p.jsonl", ANSWERS)
    asked = [part for name in FAMILIES for part in ("--metric", name)]
    found = json.loads(run(*paths, *asked, "--format", "json").stdout)
    assert {name: found[name] for name in FAMILIES} == {
        name: in_files(tmp_path, name, REFERENCES, ANSWERS) for name in FAMILIES
    }


def test_a_reward_reads_a_fenced_answer() -> None:
    reward = rewards.reward("kieval", "entity_f1")
    fenced = [FENCED.format(json.dumps(row)) for row in REFERENCES]
    assert reward(completions=fenced, reference=REFERENCES) == [1.0] * len(REFERENCES)


@pytest.mark.parametrize("form", ["{}", FENCED])
@pytest.mark.filterwarnings("ignore:predictions. read 3 predictions as llm:UserWarning")
def test_a_fenced_list_of_objects_is_read(form: str) -> None:
    answers = [form.format(json.dumps(row)) for row in BOXES]
    assert [pair.prediction.document for pair in paired(answers, BOXES)] == BOXES
    assert corpus.evaluate(docie.box_iou, answers, BOXES)["f1"] == 1.0


def test_a_list_of_one_object_is_read_as_that_object() -> None:
    for form in ("{}", FENCED):
        [pair] = paired([form.format(json.dumps([READ[0]]))], REFERENCES[:1], tell=lambda note: None)
        assert pair.prediction.document == READ[0]


@pytest.mark.parametrize("reference", ["Paris", ["Paris", "Paris, France"], ("Paris", "Paris, France")])
def test_texts_are_accepted_answers_where_references_are_texts(reference: Any) -> None:
    for prediction, score in (("Paris", 1.0), ('```json\n"Paris"\n```', 0.0), ('["Paris"]', 0.555)):
        found = corpus.evaluate(docie.anls_star, [prediction], [reference])["anls_star"]
        assert found == pytest.approx(score, abs=0.01), prediction


def test_the_first_reference_decides() -> None:
    """A later reference of another kind is read by the same rule."""
    [_, second] = paired(["Paris", '{"a": "1"}'], ["Paris", {"a": "1"}])
    assert second.prediction.document == {"a": "1"}  # JSON, not the answer of a model
    [_, second] = paired(["Paris", "It is:\n{'a': '1'}"], ["Paris", {"a": "1"}])
    assert second.prediction.document == "It is:\n{'a': '1'}"
