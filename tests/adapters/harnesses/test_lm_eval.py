"""The score that lm-evaluation-harness and lmms-eval print is the one of `docie score`."""

from __future__ import annotations

import argparse
import json
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from docie.adapters.harnesses import lm_eval as adapter

from checkout import ROOT
from harness_page import blocks
from harness_rows import ASKED, CONFIG, HarnessRow, rows, scored_by_command

SHOWN = ["kieval_entity_f1", "kieval_document_accuracy"]


def task_folder(harness: str, receipts: list[HarnessRow], folder: Path, changes: dict[str, str] | None = None) -> Path:
    """The folder of an example's task, with these receipts and with texts in place of others."""
    for path in (ROOT / "examples" / "harnesses" / harness).glob("[du]*.*"):
        text = path.read_text(encoding="utf-8")
        for old, new in {**(changes or {}), "../lm_eval/receipts.jsonl": "receipts.jsonl"}.items():
            text = text.replace(old, new)
        (folder / path.name).write_text(text, encoding="utf-8")
    (folder / "receipts.jsonl").write_text(lines(receipts), encoding="utf-8")
    return folder


def lines(receipts: list[HarnessRow]) -> str:
    """References are JSON text: as columns of a table, they would get the fields of all others, with nulls."""
    columns = ({"text": row.input, "reference": json.dumps(row.reference)} for row in receipts)
    return "".join(json.dumps(each) + "\n" for each in columns)


def test_the_receipts_of_the_example_are_the_first_ones() -> None:
    path = ROOT / "examples" / "harnesses" / "lm_eval" / "receipts.jsonl"
    assert path.read_text(encoding="utf-8") == lines(rows(20))


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Answers:
    """A model that gives the answer to each receipt."""

    def __init__(self, receipts: list[HarnessRow], repeated: list[str] | None = None) -> None:
        self.answers = {row.input: row.answer for row in receipts}
        self.repeated = repeated or []

    def generate_until(self, requests: list[Any], **_: object) -> list[str]:
        texts = [request.args[0].partition("\n\n")[2] for request in requests]
        return [self.repeated.pop(0) if self.repeated else self.answers[text] for text in texts]

    def loglikelihood(self, requests: list[Any]) -> Any:
        raise NotImplementedError

    loglikelihood_rolling = generate_until_multi_round = loglikelihood


def evaluated(
    receipts: list[HarnessRow], folder: Path, changes: dict[str, str] | None = None, *, answers: list[str] | None = None
) -> Any:
    """The results of lm-evaluation-harness, its samples, and the table that it prints."""
    lm_eval = pytest.importorskip("lm_eval")
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager
    from lm_eval.utils import make_table

    class Model(Answers, LM):  # type: ignore[misc]
        def __init__(self) -> None:
            LM.__init__(self)
            Answers.__init__(self, receipts, answers)

    manager = TaskManager(include_path=str(task_folder("lm_eval", receipts, folder, changes)), include_defaults=False)
    found = lm_eval.simple_evaluate(model=Model(), tasks=["docie_receipts"], task_manager=manager, bootstrap_iters=100)
    return found["results"]["docie_receipts"], found["samples"]["docie_receipts"], make_table(found)


def test_the_page_shows_the_example() -> None:
    yaml, utils, *_ = blocks("lm-evaluation-harness")
    folder = ROOT / "examples" / "harnesses"
    assert (folder / "lm_eval" / "docie_receipts.yaml").read_text(encoding="utf-8") == yaml
    assert (folder / "lm_eval" / "utils.py").read_text(encoding="utf-8") == utils
    changes = {
        "data_files: receipts": "data_files: ../lm_eval/receipts",
        "doc_to_text:": "doc_to_visual: !function utils.doc_to_visual\ndoc_to_text:",
        "max_gen_toks": "max_new_tokens",
    }
    for old, new in changes.items():
        yaml = yaml.replace(old, new)
    assert (folder / "lmms_eval" / "docie_receipts.yaml").read_text(encoding="utf-8") == yaml
    assert (folder / "lmms_eval" / "utils.py").read_text(encoding="utf-8").startswith(utils)


def test_the_score_of_the_corpus(in_folder: Path) -> None:
    receipts = rows()
    shuffled = random.Random(5).sample(receipts, len(receipts))
    found, samples, table = evaluated(shuffled, in_folder)
    assert table == blocks("lm-evaluation-harness")[-1]
    expected = scored_by_command(receipts, in_folder)
    assert {name: found[f"{name},none"] for name in SHOWN} == {name: expected[name] for name in SHOWN}
    items = [sample["kieval_entity_f1"] for sample in samples]
    mean_of_rows = sum(item["row_entity_f1"] for item in items) / len(items)
    assert abs(mean_of_rows - expected["kieval_entity_f1"]) > 0.02
    assert found["kieval_entity_f1_stderr,none"] == "N/A"  # it would be that of the mean
    kept = json.loads(json.dumps(samples))
    assert kept[0]["kieval_entity_f1"] == items[0]
    assert adapter.aggregation("kieval_document_accuracy")([each["kieval_entity_f1"] for each in kept]) == 0.3


def test_options_of_a_task(in_folder: Path) -> None:
    receipts = rows(12)
    changes = {
        '"kieval", reference="reference"': f'"anls_star", parse="llm", config={CONFIG}',
        'scores=["entity_f1", "document_accuracy"]': 'scores="anls_star"',
        "kieval_entity_f1": "anls_star_anls_star",
    }
    found, samples, _ = evaluated(receipts, in_folder, changes)
    expected = scored_by_command(
        receipts, in_folder, "--metric", "anls_star", *ASKED, "--config", "predictions.parse=llm"
    )
    assert found["anls_star_anls_star,none"] == expected["anls_star_anls_star"]
    assert samples[3]["anls_star_anls_star"]["issues"] == ["dropped the text around the JSON object"]


def test_repeated_answers_are_all_counted(in_folder: Path) -> None:
    receipts = rows(8)
    right = [row._replace(answer=json.dumps(row.reference)) for row in receipts]
    twice = "repeats: 2\nfilter_list:\n  - name: all\n    filter:\n      - function: take_first_k\n        k: 2\nmetric_list:"
    in_turn = [run.answer for pair in zip(receipts, right, strict=True) for run in pair]
    found, *_ = evaluated(receipts, in_folder, {"metric_list:": twice}, answers=in_turn)
    expected = scored_by_command([*receipts, *right], in_folder)
    assert {name: found[f"{name},all"] for name in SHOWN} == {name: expected[name] for name in SHOWN}


def test_real_receipts(cord: dict[str, list[Any]], in_folder: Path) -> None:
    """Their references are the texts of the data set, with `gt_parse`."""
    receipts = [
        HarnessRow("", str(number), json.dumps(predicted["prediction"]), json.loads(expected["ground_truth"]))
        for number, (predicted, expected) in enumerate(zip(cord["qwen"], cord["references"], strict=True))
    ]
    found, *_ = evaluated(receipts, in_folder)
    expected = scored_by_command([row._replace(reference=row.reference["gt_parse"]) for row in receipts], in_folder)
    assert {name: found[f"{name},none"] for name in SHOWN} == {name: expected[name] for name in SHOWN}


@pytest.mark.exhaustive
def test_the_command_finds_the_task() -> None:
    pytest.importorskip("lm_eval")
    command = ["-m", "lm_eval", "run", "--model", "dummy", "--include_path", ".", "--tasks", "docie_receipts"]
    folder = ROOT / "examples" / "harnesses" / "lm_eval"
    done = subprocess.run([sys.executable, *command], cwd=folder, capture_output=True, encoding="utf-8", check=True)
    assert "|docie_receipts|" in done.stdout
    assert "20 of 20 predictions could not be read" in done.stderr


def test_lmms_eval(in_folder: Path) -> None:
    """Its process_results gets the answer without blanks around it, in a list; with repeats, answers and each by itself."""
    pytest.importorskip("lmms_eval")
    from lmms_eval.api.model import lmms
    from lmms_eval.evaluator import simple_evaluate
    from lmms_eval.tasks import TaskManager

    receipts = rows()

    class Model(Answers, lmms):  # type: ignore[misc]
        def __init__(self) -> None:
            lmms.__init__(self)
            Answers.__init__(self, receipts)

    manager = TaskManager("ERROR", include_path=str(task_folder("lmms_eval", receipts, in_folder)))
    arguments = argparse.Namespace(process_with_media=False, output_path=None, reasoning_tags=None, log_samples=True)
    expected = scored_by_command(receipts, in_folder)
    for repeats in (1, 2):
        found = simple_evaluate(
            model=Model(), tasks=["docie_receipts"], task_manager=manager, repeats=repeats, cli_args=arguments
        )["results"]["docie_receipts"]
        assert {name: found[f"{name},none"] for name in SHOWN} == {name: expected[name] for name in SHOWN}
        assert found["kieval_entity_f1_stderr_clt,none"] == "N/A"  # it would be that of the mean


def test_items_hold_no_score_of_a_row_under_a_plain_name() -> None:
    """lmms-eval takes an item's `score` for the deviation that it prints beside the score of the corpus."""
    item = adapter.process_results()({"reference": "{}"}, ["{}"])["kieval_entity_f1"]
    assert [*item] == ["row_entity_f1", "counts", "issues"]


def test_counts_are_kept_once() -> None:
    names = ["document_accuracy", "entity_f1", "group_f1"]
    items = adapter.process_results(scores=names)({"reference": '{"total": "1"}'}, ["{}"])
    assert [[*item] for item in items.values()] == [
        ["row_document_accuracy", "counts", "issues"],
        ["row_entity_f1"],
        ["row_group_f1"],
    ]
    assert json.dumps(items).count("signature") == 1
    for name, item in items.items():
        aggregate = adapter.aggregation(name)
        assert aggregate([pickle.loads(pickle.dumps(item))]) == aggregate([item]) == float(name == "kieval_group_f1")
    with pytest.raises(ValueError, match="expected an item with counts, which that of the first score has, got {'row_"):
        aggregate([dict(item)])


def test_wrong_names_are_told_at_once() -> None:
    with pytest.raises(ValueError, match="unknown option 'normalise'"):
        adapter.process_results(normalise="casefold")
    with pytest.raises(ValueError, match="no column 'refrence' .close: 'reference'. in"):
        adapter.process_results(reference="refrence")({"reference": "{}"}, ["{}"])
    with pytest.raises(ValueError, match="unknown score 'entity_f'"):
        adapter.process_results(scores=["entity_f"])
    with pytest.raises(ValueError, match="unknown score 'entity_f'"):
        adapter.aggregation("kieval_entity_f")
    for score in ("f1", "entity_f1"):  # the name of a family, too
        with pytest.raises(
            ValueError, match=f"expected a score with its family, such as kieval_entity_f1, got '{score}'"
        ):
            adapter.aggregation(score)
    missing = "kieval has no score 'weighted_entity_f1' with these options, expected some of: entity_f1, "
    with pytest.raises(ValueError, match=missing):
        adapter.process_results(scores=["weighted_entity_f1"])({"reference": "{}"}, ["{}"])
    items = [adapter.process_results()({"reference": "{}"}, ["{}"])["kieval_entity_f1"]]
    with pytest.raises(ValueError, match="kieval has no score 'kieval_weighted_entity_f1' with these options"):
        adapter.aggregation("kieval_weighted_entity_f1")(items)
