"""Evaluate models in one process or, started by torchrun, in several.

    python tests/support/distributed_evaluation.py OUTPUT_FOLDER stubs
    python tests/support/distributed_evaluation.py OUTPUT_FOLDER {layoutlmv3,donut} MODEL_FOLDER

The stubs need no training. The other models are those that a training example has saved. Each process writes the
figures and the predicted documents as it has them to OUTPUT_FOLDER/rank-<its number>.json.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

import torch
import transformers

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples"))

from docie.adapters import training

import stub_models
import training_rows

COUNT = 21
"""Documents that are evaluated: odd, so that two processes cannot share them evenly."""
DISTRIBUTED: dict[str, Any] = {"ddp_backend": "gloo"} if "RANK" in os.environ else {}
Evaluated = tuple[Any, Any, training.TrainingMetrics]
"""The trainer, the rows and the metrics of a model."""


def tagging_stub(output: str) -> Evaluated:
    """A model that labels the words of documents, some of which are cut into two windows."""
    rows, word_ids, documents = [], [], []
    chosen = random.Random(0).choices(range(len(training_rows.DOCUMENTS)), k=COUNT)
    for number, document in enumerate(chosen):
        windows = [row for row, of in enumerate(training_rows.OF_DOCUMENT) if of == document]
        rows += [training_rows.dataset()[row] for row in windows]
        word_ids += [training_rows.WORD_IDS[row] for row in windows]
        documents += [number] * len(windows)
    metrics = training.token_classification_metrics(
        [training_rows.WORDS[document] for document in chosen],
        [training_rows.DOCUMENTS[document] for document in chosen],
        word_ids,
        training_rows.NAMES,
        documents=documents,
        groups=["items"],
        metrics=["kieval", "entity_f1"],
    )
    keep = training.preprocess_logits_for_metrics
    return stub_models.trainer(metrics, output, keep=keep, **DISTRIBUTED), rows, metrics


def writing_stub(output: str) -> Evaluated:
    """A model that writes sequences, evaluated by an `EachRowOnce`."""
    chosen = random.Random(1).choices(range(len(training_rows.RIGHT)), k=COUNT)
    tokenizer = training_rows.Tokens()
    answers = [
        {"input_ids": tokenizer.ids(answer), "labels": tokenizer.ids(label)}
        for answer, label in zip(training_rows.ANSWERS, training_rows.LABELS, strict=True)
    ]
    metrics = training.generation_metrics(tokenizer, [training_rows.RIGHT[answer] for answer in chosen])
    trainer = stub_models.trainer(metrics, output, cls=stub_models.InOrder, model=stub_models.Parrot(), **DISTRIBUTED)
    return trainer, [answers[answer] for answer in chosen], metrics


def trained_arguments(output: str) -> dict[str, Any]:
    return {
        "output_dir": output,
        "per_device_eval_batch_size": 4,
        "use_cpu": True,
        "report_to": "none",
        "disable_tqdm": True,
        **DISTRIBUTED,
    }


def layoutlmv3(output: str, folder: str) -> Evaluated:
    """The LayoutLMv3 that examples/train_layoutlmv3.py has saved."""
    import synthetic_receipts
    import train_layoutlmv3

    pages = train_layoutlmv3.synthetic_pages(COUNT, 11, "held_out")
    tokenizer = transformers.LayoutLMv3TokenizerFast.from_pretrained(folder)
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
        args=transformers.TrainingArguments(**trained_arguments(output)),
        compute_metrics=metrics,
        preprocess_logits_for_metrics=training.preprocess_logits_for_metrics,
    )
    return trainer, rows, metrics


def donut(output: str, folder: str) -> Evaluated:
    """The Donut that examples/train_donut.py has saved."""
    import train_donut

    pages = train_donut.coded_pages(COUNT, 11, "held_out")
    processor, tokenizer, model = train_donut.hub_model(folder)
    metrics = training.generation_metrics(tokenizer, pages.documents, metrics=train_donut.METRICS)
    arguments = transformers.Seq2SeqTrainingArguments(**trained_arguments(output), predict_with_generate=True)
    trainer = train_donut.Trainer(model=model, args=arguments, compute_metrics=metrics)
    return trainer, train_donut.Rows(pages, processor, tokenizer, 40), metrics


MODELS: dict[str, list[Any]] = {"stubs": [tagging_stub, writing_stub], "layoutlmv3": [layoutlmv3], "donut": [donut]}


def evaluate(model: str, output: str, *arguments: str) -> list[dict[str, Any]]:
    """What this process has of each evaluation, as JSON."""
    results = [result(*load(output, *arguments)) for load in MODELS[model]]
    return list(json.loads(json.dumps(results)))


def result(trainer: Any, rows: Any, metrics: training.TrainingMetrics) -> dict[str, Any]:
    figures = trainer.evaluate(rows)
    for name in [name for name in figures if name.startswith(("eval_loss", "eval_runtime", "eval_model"))]:
        del figures[name]
    figures = {name: value for name, value in figures.items() if not name.endswith("_per_second")}
    documents = metrics.predicted(trainer.predict(rows))
    return {"processes": trainer.args.world_size, "rows": len(rows), "figures": figures, "documents": documents}


def main(output: str, model: str, *arguments: str) -> None:
    results = evaluate(model, output, *arguments)
    Path(output, f"rank-{os.environ.get('RANK', 0)}.json").write_text(json.dumps(results), encoding="utf-8")
    if torch.distributed.is_initialized():  # without these two, some runs abort at exit
        torch.distributed.barrier()
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
