"""The peak memory of a Trainer's evaluation with docie's metrics, for each way to keep it low.

    python benchmarks/training_memory.py [--documents 10000] [--tokens 512] [--labels 60]

Every way is measured in a process of its own, with a tenth of the documents and with all, which shows how memory grows.
The model does nothing but look up logits, so that time and memory are those of the evaluation.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from typing import Any

WAYS: dict[str, dict[str, Any]] = {
    "all logits kept": {},
    "preprocess_logits_for_metrics": {"preprocess": True},
    "batch_eval_metrics": {"batch_eval_metrics": True},
    "both": {"preprocess": True, "batch_eval_metrics": True},
}


class Rows:
    """A data set whose rows are made when they are read, so that it takes no memory.

    A word has two tokens, and every third word is an entity.
    """

    def __init__(self, documents: int, tokens: int, labels: int) -> None:
        self.documents, self.tokens, self.labels = documents, tokens, labels
        self.words = [f"w{number}" for number in range(tokens // 2)]
        self.tags = [1 + number % (labels - 1) if number % 3 == 0 else 0 for number in range(tokens // 2)]
        self.row = [label for label in self.tags for _ in range(2)]
        self.word_ids = [number for number in range(tokens // 2) for _ in range(2)]

    def __len__(self) -> int:
        return self.documents

    def __getitem__(self, number: int) -> dict[str, list[int]]:
        return {"input_ids": self.row, "labels": self.row}


def evaluate(way: str, documents: int, tokens: int, labels: int) -> dict[str, Any]:
    """Seconds, and the megabytes that the evaluation adds to the peak memory of the process."""
    import torch
    import transformers

    from docie.adapters import training

    class LookUp(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(9 * torch.eye(labels))

        def forward(self, input_ids: Any, labels: Any = None) -> Any:
            return {"loss": self.weight.sum(), "logits": self.weight[input_ids]}

    rows, options = Rows(documents, tokens, labels), dict(WAYS[way])
    preprocess = training.preprocess_logits_for_metrics if options.pop("preprocess", False) else None
    compute_metrics = training.token_classification_metrics(
        [rows.words] * documents,
        [rows.tags] * documents,
        [rows.word_ids] * documents,
        ["O", *(f"B-t{number}" for number in range(labels - 1))],
        metrics="entity_f1",
    )
    arguments = transformers.TrainingArguments(
        tempfile.mkdtemp(), use_cpu=True, report_to=[], disable_tqdm=True, per_device_eval_batch_size=16, **options
    )
    trainer = transformers.Trainer(
        LookUp(),
        arguments,
        eval_dataset=rows,
        compute_metrics=compute_metrics,
        preprocess_logits_for_metrics=preprocess,
    )
    before, start = peak_memory(), time.perf_counter()
    figures = trainer.evaluate()
    assert figures["eval_entity_f1_f1"] == 1.0
    return {"seconds": time.perf_counter() - start, "megabytes": peak_memory() - before}


def peak_memory() -> float:
    """Peak resident memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--tokens", type=int, default=512)
    parser.add_argument("--labels", type=int, default=60)
    parser.add_argument("--way", choices=WAYS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    size = (arguments.tokens, arguments.labels)
    if arguments.way:
        print(json.dumps(evaluate(arguments.way, arguments.documents, *size)))
        return
    for way in WAYS:
        for documents in (arguments.documents // 10, arguments.documents):
            command = [sys.executable, __file__, "--way", way, "--documents", str(documents)]
            command += ["--tokens", str(size[0]), "--labels", str(size[1])]
            process = subprocess.run(command, check=True, capture_output=True, text=True)
            measured = json.loads(process.stdout.splitlines()[-1])
            print(
                f"{way:32}{documents:7,} documents {measured['megabytes']:8,.0f} MB {measured['seconds']:7.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    main()
