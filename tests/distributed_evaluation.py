"""Evaluate a model that a training example has saved, in one process or, started by torchrun, in several.

    python tests/distributed_evaluation.py {layoutlmv3,donut} MODEL_FOLDER DOCUMENTS OUTPUT_FOLDER

Every process writes the figures and the predicted documents as it has them to OUTPUT_FOLDER/rank-<its number>.json.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import torch
import transformers

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples"))

from docie.adapters import training

import synthetic_receipts
import train_donut
import train_layoutlmv3

ARGUMENTS: dict[str, Any] = {
    "output_dir": "unused",
    "per_device_eval_batch_size": 4,
    "use_cpu": True,
    **({"ddp_backend": "gloo"} if "RANK" in os.environ else {}),
    "report_to": "none",
    "disable_tqdm": True,
}


def layoutlmv3(folder: str, count: int) -> tuple[Any, Any, Any]:
    """The trainer, the rows and the metrics of a LayoutLMv3."""
    pages = train_layoutlmv3.synthetic_pages(count, 11, "held_out")
    tokenizer = transformers.LayoutLMv3Tokenizer.from_pretrained(folder)
    model = transformers.LayoutLMv3ForTokenClassification.from_pretrained(folder)
    labels = [model.config.id2label[number] for number in range(model.config.num_labels)]
    rows = train_layoutlmv3.Windows(pages, tokenizer, labels, 96)
    metrics = training.token_classification_metrics(
        pages.words,
        pages.documents,
        rows.word_ids,
        labels,
        documents=rows.pages,
        groups=synthetic_receipts.GROUPS,
        metrics=train_layoutlmv3.METRICS,
    )
    trainer = transformers.Trainer(
        model=model,
        args=transformers.TrainingArguments(**ARGUMENTS),
        compute_metrics=metrics,
        preprocess_logits_for_metrics=training.preprocess_logits_for_metrics,
    )
    return trainer, rows, metrics


def donut(folder: str, count: int) -> tuple[Any, Any, Any]:
    """The trainer, the rows and the metrics of a Donut."""
    pages = train_donut.coded_pages(count, 11, "held_out")
    processor, tokenizer, model = train_donut.hub_model(folder)
    metrics = training.generation_metrics(tokenizer, pages.documents, metrics=train_donut.METRICS)
    arguments = transformers.Seq2SeqTrainingArguments(**ARGUMENTS, predict_with_generate=True)
    trainer = train_donut.Trainer(model=model, args=arguments, compute_metrics=metrics)
    return trainer, train_donut.Rows(pages, processor, tokenizer, 40), metrics


def main(kind: str, folder: str, count: str, output: str) -> None:
    trainer, rows, metrics = {"layoutlmv3": layoutlmv3, "donut": donut}[kind](folder, int(count))
    figures = trainer.evaluate(rows)
    for name in [name for name in figures if name.startswith(("eval_loss", "eval_runtime", "eval_model"))]:
        del figures[name]
    figures = {name: value for name, value in figures.items() if not name.endswith("_per_second")}
    documents = metrics.predicted(trainer.predict(rows))
    result = {"processes": trainer.args.world_size, "rows": len(rows), "figures": figures, "documents": documents}
    Path(output, f"rank-{os.environ.get('RANK', 0)}.json").write_text(json.dumps(result), encoding="utf-8")
    if torch.distributed.is_initialized():  # without these two, some runs abort at exit
        torch.distributed.barrier()
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
