"""Scores as rewards, called as TRL, verifiers and verl call them; TRL's own trainer runs in `test_grpo.py`."""

from __future__ import annotations

import asyncio
import copy
import json
import pickle
import re
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from docie import corpus
from docie.adapters import training
from docie.core import family

from cli_runs import run
from harness_rows import rows

ROWS = rows(200)
GOLD = {"total": "9.00", "tax": "1.00"}
HALF = '{"total": "9.00"}'
"""An answer whose entity F1 is 2/3 against GOLD."""


class Logs:
    """What TRL passes for logging."""

    def __init__(self) -> None:
        self.columns: dict[str, list[Any]] = {}
        self.metrics: dict[str, float] = {}

    def arguments(self) -> dict[str, Any]:
        return {"log_extra": self.columns.__setitem__, "log_metric": self.metrics.__setitem__}


def as_trl(reward: training.reward, completions: list[Any], **columns: list[Any]) -> list[float | None]:
    """The call of a GRPOTrainer."""
    count = len(completions)
    arguments = {
        "prompts": ["?"] * count,
        "completion_ids": [[0]] * count,
        "trainer_state": SimpleNamespace(),
        **Logs().arguments(),
    }
    return reward(completions=completions, **{**arguments, **columns})


def conversation(*turns: tuple[str, Any]) -> list[dict[str, Any]]:
    return [{"role": role, "content": content} for role, content in turns]


@pytest.mark.parametrize("metric", ["kieval", "hed", "anls_star"])
def test_the_reward_of_a_row_is_its_score_by_the_command(metric: str, tmp_path: Path) -> None:
    reward = training.reward(metric)
    name = reward.__name__.removeprefix(f"{metric}_")
    rewards = as_trl(reward, [row.answer for row in ROWS], reference=[row.reference for row in ROWS])
    references, predictions = tmp_path / "references.jsonl", tmp_path / "predictions.jsonl"
    for row, value in list(zip(ROWS, rewards, strict=True))[:30]:
        references.write_text(json.dumps({"id": row.id, "reference": row.reference}))
        predictions.write_text(json.dumps({"id": row.id, "prediction": row.answer}))
        printed = run(str(references), str(predictions), "--metric", metric, "--score", name)
        assert float(printed.stdout) == value
    assert len(set(rewards)) > 10


def test_rewards_of_kinds_of_references() -> None:
    """Documents, JSON text, wrappers, and annotations as of CORD are read as in files."""
    reward = training.reward("kieval", "entity_f1", reference="gold")
    annotation = {"gt_parse": GOLD, "valid_line": [], "meta": {"version": 2}}
    gold = [GOLD, json.dumps(GOLD), json.dumps({"gt_parse": GOLD}), annotation, json.dumps(annotation)]
    assert as_trl(reward, [HALF] * len(gold), gold=gold) == [2 / 3] * len(gold)
    assert [reward.of(HALF, each) for each in gold] == [2 / 3] * len(gold)


def test_the_last_turn_of_the_assistant_is_the_answer() -> None:
    reward = training.reward("kieval", "entity_f1")
    completions: list[Any] = [
        conversation(("assistant", HALF)),
        conversation(("assistant", json.dumps(GOLD)), ("tool", "7"), ("assistant", HALF)),
        conversation(("assistant", HALF), ("user", json.dumps(GOLD))),
        conversation(("assistant", [{"type": "text", "text": '{"total": '}, {"type": "text", "text": '"9.00"}'}])),
        HALF,
        conversation(("assistant", json.dumps(GOLD)), ("assistant", None)),  # it calls a tool again
        conversation(("assistant", "")),
        conversation(("tool", HALF)),
        [],
    ]  # fmt: skip
    expected = [2 / 3] * 5 + [0.0] * 4
    assert as_trl(reward, completions, reference=[GOLD] * len(completions)) == expected


def test_rows_without_a_reference_have_no_reward() -> None:
    logs = Logs()
    reward = training.reward("kieval", "entity_f1", unreadable=-1.0)
    gold = [None, GOLD, None, GOLD]
    answers = [HALF, HALF, "Sorry.", "Sorry."]
    assert reward(completions=answers, reference=gold, **logs.arguments()) == [None, 2 / 3, None, -1.0]
    assert logs.columns == {"kieval_entity_f1_issues": ["no reference", "", "no reference", "no JSON object"]}
    assert logs.metrics == {"kieval_entity_f1_unreadable": 0.5}
    logs = Logs()
    assert reward(completions=["{}"], reference=[None], **logs.arguments()) == [None]
    assert logs.metrics == {}
    assert reward(completions=[], reference=[]) == []


def test_issues_of_reading_are_logged() -> None:
    logs = Logs()
    rewards = training.reward()(
        completions=['{"total": "9.00"', f"Here: {HALF}"], reference=[GOLD] * 2, **logs.arguments()
    )
    assert rewards == [2 / 3] * 2
    assert logs.columns["kieval_entity_f1_issues"] == [
        "added the end, which is missing",
        "dropped the text around the JSON object",
    ]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"answer": [GOLD], "refrence": [GOLD]}, "the data set has no column 'reference' (close: 'refrence') for the references; got: answer, refrence"),
        ({}, "the data set has no column 'reference' for the references; got: none"),
        ({"reference": [GOLD, GOLD]}, "column 'reference': expected as many references as completions, got 2 and 1"),
        ({"reference": ['{"total":']}, "column 'reference', row 0 of the batch: the reference is not JSON"),
        ({"reference": ["nine"]}, "column 'reference', row 0 of the batch: reference must be a JSON object, got text"),
        ({"reference": [float("nan")]}, "column 'reference', row 0 of the batch: reference must be a JSON object, got"),
        ({"reference": [[]]}, "column 'reference', row 0 of the batch: reference must be a JSON object, got a list"),
    ],
)  # fmt: skip
def test_errors_of_columns_name_them(columns: dict[str, list[Any]], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        as_trl(training.reward(), [HALF], **columns)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"family": "kieva"}, "unknown family 'kieva', expected one of: "),
        ({"score": "entityf1"}, "unknown score 'entityf1' (close: 'entity_f1'"),
        ({"score": "corrections"}, "lower values of corrections are better, so its weight must be negative, as in score={'corrections': -1.0}"),
        ({"score": {"entity_f1": -1}}, "higher values of entity_f1 are better, so its weight must be positive"),
        ({"score": "support"}, "support cannot be compared: neither higher nor lower values are better"),
        ({"score": {}}, "score must be the name of a score, or weights of scores by name, got {}"),
        ({"score": ["entity_f1"]}, "score must be the name of a score, or weights of scores by name, got ['entity_f1']"),
        ({"score": {"entity_f1": 0}}, "the weight of entity_f1 must be a finite number other than 0, got 0"),
        ({"score": {"entity_f1": float("inf")}}, "the weight of entity_f1 must be a finite number other than 0, got inf"),
        ({"score": {"entity_f1": True}}, "the weight of entity_f1 must be a finite number other than 0, got True"),
        ({"unreadable": "-1"}, "unreadable must be a finite number, got '-1'"),
        ({"unreadable": float("nan")}, "unreadable must be a finite number, got"),
        ({"parse": "yaml"}, "expected auto, no, llm, donut, or a service"),
        ({"matching": "best"}, "matching must be"),
        ({"mathcing": "greedy"}, "unknown option 'mathcing'"),
    ],
)  # fmt: skip
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        training.reward(**arguments)


def test_a_score_that_the_options_leave_out() -> None:
    with pytest.raises(
        ValueError, match="kieval has no score 'weighted_entity_f1' with these options, expected some of: entity_f1, "
    ):
        training.reward("kieval", "weighted_entity_f1").of(HALF, GOLD)
    assert training.reward("kieval", "weighted_entity_f1", weights={"tax": 3}).of(HALF, GOLD) == 0.4


def test_weights() -> None:
    reward = training.reward("kieval", {"entity_f1": 2, "corrections": -0.5, "invalid_predictions": -4})
    assert reward.__name__ == "kieval_entity_f1_corrections_invalid_predictions"
    assert reward.of(HALF, GOLD) == 2 * 2 / 3 - 0.5
    assert reward.of("Sorry.", GOLD) == -0.5 * 2 - 4
    wrong = json.dumps({f"field {number}": "x" for number in range(50)})
    assert reward.of(wrong, GOLD) == -26.0  # counts have no limit


def test_answers_that_cannot_be_read() -> None:
    by_family, penalty = training.reward(), training.reward(unreadable=-1.0)
    for answer in ("Sorry.", "", "null", "[1]"):
        assert (by_family.of(answer, GOLD), penalty.of(answer, GOLD)) == (0.0, -1.0)
        assert (by_family.of(answer, {}), penalty.of(answer, {})) == (None, -1.0)


@pytest.mark.parametrize("family_name", ["kieval", "hed", "nted", "anls_star", "entity_f1", "text_match"])
@pytest.mark.parametrize(
    "answer",
    ["{}", "[]", '{"total": null}', '{"total": " ", "tax": []}', '{"items": [{"name": null}]}', '{"total": {"value": null, "confidence": 1}}', '{"total": NaN}', "So: {}",
     "<think>" + HALF + "</think>", "<think>" + HALF],
)  # fmt: skip
def test_an_answer_without_values_cannot_be_read_where_there_are_some(family_name: str, answer: str) -> None:
    by_family, penalty = training.reward(family_name), training.reward(family_name, unreadable=-1.0)
    assert (by_family.of(answer, GOLD), penalty.of(answer, GOLD)) == (0.0, -1.0)
    logs = Logs()
    penalty(completions=[answer], reference=[GOLD], **logs.arguments())
    assert logs.columns[f"{penalty.__name__}_issues"] != [""]
    assert logs.metrics == {f"{penalty.__name__}_unreadable": 1.0}


def test_a_text_is_no_answer_where_a_document_is_expected() -> None:
    reward = training.reward("anls_star", unreadable=-1.0)
    assert [reward.of("9.00", gold) for gold in ("9.00", GOLD)] == [1.0, -1.0]


def test_a_score_with_nothing_to_count_is_left_out() -> None:
    grouped = {"total": "9.00", "items": [{"name": "Bagel"}]}
    assert training.reward("kieval", "group_f1").of("Sorry.", GOLD) is None
    assert training.reward("kieval", "group_f1").of("Sorry.", grouped) == 0.0
    reward = training.reward("kieval", {"entity_f1": 1.0, "group_f1": 0.5, "corrections": -0.02})
    assert reward.of("Sorry.", GOLD) == -0.04
    assert reward.of(HALF, GOLD) == 1.5 * 2 / 3 - 0.02
    assert reward.of(json.dumps(GOLD), GOLD) == reward.of(json.dumps(grouped), grouped) == 1.5
    invented = GOLD | {"items": [{"name": "Bagel"}]}
    assert reward.of(json.dumps(invented), GOLD) == pytest.approx(1.5 * 4 / 5 - 0.02)
    assert [reward.of(answer, {}) for answer in ("{}", HALF)] == [0.0, -0.02]  # only corrections count


def test_a_row_where_nothing_counts_has_no_reward() -> None:
    logs, reward = Logs(), training.reward("kieval", {"entity_f1": 1.0, "document_accuracy": 1.0}, unreadable=-1.0)
    found = reward(completions=["{}", HALF, "Sorry."], reference=[{}, '{"total": null}', {}], **logs.arguments())
    assert found == [None, None, -1.0]
    assert logs.columns[f"{reward.__name__}_issues"] == [*["the reference has nothing to count"] * 2, "no JSON object"]
    assert [reward.compute_score("receipts", answer, {})["score"] for answer in ("{}", HALF)] == [0.0, 0.0]


def test_precision_or_recall_alone_warns() -> None:
    for score, message in (
        ("entity_precision", "entity_precision alone can be gamed, by one sure value or by a list of everything: reward entity_f1"),
        ({"entity_recall": 0.5, "group_recall": 0.5}, "entity_recall and group_recall alone can be gamed"),
    ):  # fmt: skip
        with pytest.warns(UserWarning, match=message):
            training.reward("kieval", score)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for both in ({"entity_precision": 1, "entity_recall": 1}, {"entity_precision": 1, "corrections": -1}, None):
            training.reward("kieval", both)


def test_no_answer_of_a_model_ends_a_training() -> None:
    logs, reward = Logs(), training.reward(unreadable=-1.0)
    answers = [
        '{"total": 1e999}',
        '{"total": {"value": "9.00", "confidence": 95}}',
        '{"total": ' + "[" * 2000 + "]" * 2000 + "}",
    ]
    assert reward(completions=answers, reference=[GOLD] * 3, **logs.arguments()) == [-1.0] * 3
    assert logs.metrics == {"kieval_entity_f1_unreadable": 1.0}
    *wrong, empty = logs.columns["kieval_entity_f1_issues"]
    assert all("entity 'total': " in issue for issue in wrong)
    assert "nested more than 100 levels deep" in empty
    boxes = [{"label": "a", "box": [0, 0, 1, 1]}]
    assert training.reward("box_iou").of("[[0, 0, 1, 1]]", boxes) == 0.0
    assert training.reward("box_iou")(completions=[boxes], reference=[boxes]) == [1.0]  # no messages, but an answer


def test_answers_that_are_not_repaired() -> None:
    strict = training.reward(parse="no", unreadable=-1.0)
    assert [strict.of(answer, GOLD) for answer in (HALF, HALF[:-1], f"```json\n{HALF}\n```")] == [2 / 3, -1.0, -1.0]


def test_options_of_the_family() -> None:
    assert training.reward("kieval", normalize="casefold").of('{"shop": "KEDAI"}', {"shop": "Kedai"}) == 1.0
    assert (
        training.reward("kieval", config="predictions.rename.store=shop").of('{"store": "Kedai"}', {"shop": "Kedai"})
        == 1.0
    )


@pytest.mark.parametrize(
    ("name", "score"),
    [
        (name, score.name)
        for name in ("kieval", "hed", "nted", "anls_star", "entity_f1", "text_match")
        for score in family.get(name).SCORES
        if score.better != "neither"
    ],
)
def test_every_score_of_documents_is_a_reward(name: str, score: str) -> None:
    module = family.get(name)
    results = corpus.evaluate(module, [json.loads(HALF)], [GOLD])
    if score in results:
        weight = -1 if next(each for each in module.SCORES if each.name == score).better == "lower" else 1
        found = training.reward(name, {score: weight}).of(HALF, json.dumps(GOLD))
        assert found == (None if score.startswith("group_") else weight * results[score])
    else:  # it needs options, or tags
        with pytest.raises(
            ValueError, match=f"{name} has no score '{score}'|neither higher nor lower|must be negative"
        ):
            training.reward(name, score).of(HALF, GOLD)


def test_threads_and_repetitions_get_the_same_rewards() -> None:
    reward = training.reward("kieval", {"entity_f1": 1, "group_f1": 0.5, "corrections": -0.01})
    answers, references = [row.answer for row in ROWS], [json.dumps(row.reference) for row in ROWS]
    expected = as_trl(reward, answers, reference=references)
    with ThreadPoolExecutor(8) as pool:
        together = [*pool.map(lambda _: as_trl(reward, answers, reference=references), range(8))]
        one_by_one = [*pool.map(reward.of, answers, references)]
    assert together == [expected] * 8
    assert one_by_one == expected
    order = [*reversed(range(len(ROWS)))]
    again = as_trl(reward, [answers[place] for place in order], reference=[references[place] for place in order])
    assert again == [expected[place] for place in order]


def test_a_reward_can_be_sent_to_another_process() -> None:
    reward = training.reward(
        "kieval", {"entity_f1": 1, "corrections": -0.1}, "gold", unreadable=-1, normalize="casefold"
    )
    reward.__name__ = "mine"
    again = pickle.loads(pickle.dumps(reward))
    assert again.__name__ == "mine"
    assert (
        as_trl(again, [HALF, "Sorry."], gold=[GOLD] * 2)
        == as_trl(reward, [HALF, "Sorry."], gold=[GOLD] * 2)
        == [2 / 3 - 0.1, -1.0]
    )


def test_verl_gets_the_same_keys_in_every_row() -> None:
    """Its managers pass keywords, one of them also those of a reward model, and take `score` and numbers to log."""
    reward = training.reward("kieval", {"entity_f1": 1.0, "corrections": -0.1}, unreadable=-1.0)
    compute_score: Callable[..., dict[str, float]] = partial(
        reward.compute_score, reward_router_address="localhost:8000"
    )
    gold = json.dumps(GOLD)
    found = [
        compute_score(data_source="receipts", solution_str=answer, ground_truth=gold, extra_info={"num_turns": 2})
        for answer in (HALF, "Sorry.", "", json.dumps(GOLD))
    ]  # fmt: skip
    assert {tuple(row) for row in found} == {("score", "entity_f1", "corrections", "unreadable")}
    assert all(type(value) is float for row in found for value in row.values())
    assert [row["score"] for row in found] == [2 / 3 - 0.1, -1.0, -1.0, 1.0]
    assert [row["unreadable"] for row in found] == [0.0, 1.0, 1.0, 0.0]
    for wrong in (None, "nine", '{"total":'):
        with pytest.raises(ValueError, match="^ground_truth: "):
            reward.compute_score("receipts", HALF, wrong)


def test_verl_runs_the_reward_in_its_managers() -> None:
    managers = pytest.importorskip("verl.workers.reward_manager")
    torch = pytest.importorskip("torch")

    class Words:  # here instead of a tokenizer
        def decode(self, ids: Any, **options: Any) -> str:
            return ("", HALF, "Sorry.", json.dumps(GOLD))[int(ids.max())]

    reward = training.reward("kieval", "entity_f1", unreadable=-1.0)
    answers = torch.tensor([[1, 0], [2, 0], [3, 0]])
    row = {"style": "rule", "ground_truth": json.dumps(GOLD)}
    tensors = {"prompts": answers, "responses": answers, "attention_mask": torch.tensor([[1, 1, 1, 0]] * 3)}
    columns = {"reward_model": [row] * 3, "data_source": ["receipts"] * 3, "extra_info": [{}, {}, {}]}

    def compute_scores(data_sources: Any, solution_strs: Any, ground_truths: Any, extra_infos: Any) -> list[Any]:
        columns = data_sources, solution_strs, ground_truths, extra_infos
        return [reward.compute_score(*of_row) for of_row in zip(*columns, strict=True)]

    makers = {managers.NaiveRewardManager: reward.compute_score, managers.BatchRewardManager: compute_scores}
    for manager, compute_score in makers.items():
        arrays = {name: np.array(values, dtype=object) for name, values in columns.items()}
        data = pytest.importorskip("verl").DataProto.from_dict(tensors=tensors, non_tensors=arrays)
        found = manager(Words(), num_examine=0, compute_score=compute_score)(data, return_dict=True)
        assert found["reward_tensor"][:, 0].tolist() == pytest.approx([2 / 3, -1.0, 1.0])
        extra = found["reward_extra_info"]
        assert {name: len(values) for name, values in extra.items()} == {"score": 3, "entity_f1": 3, "unreadable": 3}
        assert extra["unreadable"] == [0.0, 1.0, 0.0]


def test_verifiers_runs_the_reward_of_a_task() -> None:
    vf: Any = pytest.importorskip("verifiers.v1")
    trace_module = pytest.importorskip("verifiers.v1.trace")

    class Data(vf.TaskData):  # type: ignore[misc]
        reference: str

    class Task(vf.Task[Data]):  # type: ignore[misc]
        f1 = training.reward("kieval", "entity_f1")  # which verifiers must not take for a reward of its own

        @vf.reward(weight=1.0)  # type: ignore[untyped-decorator]
        async def entity_f1(self, trace: Any) -> float:
            return self.f1.of(trace.last_reply, self.data.reference) or 0.0

    task = Task(Data(prompt="?", reference=json.dumps(GOLD)))
    of_trace = {
        "task": trace_module.TraceTask.model_construct(data=task.data),
        "nodes": [],
        "rewards": {},
        "metrics": {},
    }
    trace = trace_module.Trace.model_construct(root_reply=HALF, **of_trace)
    asyncio.run(copy.deepcopy(task).score(trace))
    assert (trace.reward, list(trace.rewards), trace.metrics) == (2 / 3, ["entity_f1"], {})
