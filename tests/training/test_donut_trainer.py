"""A Donut model, a data set of pictures and a Seq2SeqTrainer: the figures of every evaluation are those of `docie score`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from docie.adapters import donut, training

import cli_runs
from checkout import skip_module_without

skip_module_without("examples")
datasets = pytest.importorskip("datasets", reason="pictures are in a data set")
pytest.importorskip("torch", reason="training needs torch")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytest.importorskip("accelerate", reason="training needs accelerate")
pytest.importorskip("matplotlib", reason="the example draws learning curves")
pytest.importorskip("PIL.Image", reason="training needs Pillow")

import coded_receipts  # noqa: E402
import train_donut  # noqa: E402

LENGTH = 40


def split(count: int, part: str) -> Any:
    """A data set as it was loaded, with the columns of CORD."""
    receipts = coded_receipts.receipts(count, 0, part=part)
    columns = {
        "image": [coded_receipts.picture(receipt) for receipt in receipts],
        "ground_truth": [json.dumps({"gt_parse": receipt.document}) for receipt in receipts],
    }
    features = datasets.Features({"image": datasets.Image(), "ground_truth": datasets.Value("string")})
    return datasets.Dataset.from_dict(columns, features=features)


def documents(rows: Any) -> list[Any]:
    return [json.loads(text)["gt_parse"] for text in rows["ground_truth"]]


@pytest.mark.exhaustive(minutes=True)
@pytest.mark.parametrize("columns", ["removed", "kept", "made when read"])
def test_a_donut_script_needs_three_lines(columns: str, tmp_path: Path) -> None:
    transformers.set_seed(0)
    train, held_out = split(1000, "train"), split(30, "held_out")
    processor, tokenizer, model = train_donut.tiny_model(LENGTH)
    train_donut.prepare(model, tokenizer, documents(train) + documents(held_out), LENGTH)

    def prepared(batch: dict[str, list[Any]]) -> dict[str, list[Any]]:
        sequences = [donut.to_sequence(each) + tokenizer.eos_token for each in documents(batch)]
        options = {"add_special_tokens": False, "padding": "max_length", "truncation": True, "max_length": LENGTH}
        rows = tokenizer(sequences, **options)["input_ids"]
        labels = [[-100 if number == tokenizer.pad_token_id else number for number in row] for row in rows]
        return {"pixel_values": processor([each.convert("RGB") for each in batch["image"]])["pixel_values"], "labels": labels}  # fmt: skip

    rows = {
        "removed": lambda: held_out.map(prepared, batched=True, remove_columns=held_out.column_names),
        "kept": lambda: held_out.map(prepared, batched=True),
        "made when read": lambda: held_out.with_transform(prepared),
    }[columns]()
    compute_metrics = training.generation_metrics.from_dataset(held_out if columns == "removed" else rows, tokenizer)
    trainer = transformers.Seq2SeqTrainer(
        model=model,
        args=transformers.Seq2SeqTrainingArguments(
            str(tmp_path), num_train_epochs=1, learning_rate=4e-3, per_device_train_batch_size=8, eval_strategy="epoch",
            per_device_eval_batch_size=7, predict_with_generate=True, remove_unused_columns=columns != "made when read",
            save_strategy="no", report_to="none", disable_tqdm=True, use_cpu=True,
        ),
        train_dataset=train.with_transform(prepared) if columns == "made when read" else train.map(prepared, batched=True),
        eval_dataset=rows,
        compute_metrics=compute_metrics,
    )  # fmt: skip
    trainer.train()
    [during] = [entry for entry in trainer.state.log_history if "eval_kieval_entity_f1" in entry]
    output = trainer.predict(rows)

    tokens = [[number for number in row if number >= 0] for row in output.predictions.tolist()]
    sequences = tokenizer.batch_decode(tokens, skip_special_tokens=False)
    for token in (tokenizer.bos_token, tokenizer.eos_token, tokenizer.pad_token):
        sequences = [sequence.replace(token, "") for sequence in sequences]
    files = [
        cli_runs.lines(tmp_path / "references.jsonl", cli_runs.rows("ground_truth", held_out["ground_truth"])),
        cli_runs.lines(tmp_path / "predictions.jsonl", cli_runs.rows("prediction", sequences)),
    ]
    [expected] = json.loads(cli_runs.run(*files, "--format", "json").stdout).values()
    for prefix, figures in (("eval_kieval_", during), ("test_kieval_", output.metrics)):
        found = {name.removeprefix(prefix): value for name, value in figures.items() if name.startswith(prefix)}
        assert len(found) > 10
        assert found == {name: expected[name] for name in found}
    assert 0 < expected["entity_f1"] < 1
