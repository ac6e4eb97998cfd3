"""Models that need no training, with a Trainer that evaluates them.

`Echo` predicts of each token what the token says, so that the rows decide what is predicted.
"""

from __future__ import annotations

from typing import Any

import torch
import transformers

from docie.adapters import training

from training_rows import NAMES, dataset


def padded(rows: list[dict[str, list[int]]]) -> dict[str, Any]:
    """A batch, as long as its longest row."""
    length = max(len(column) for row in rows for column in row.values())
    return {
        name: torch.tensor([row[name] + [fill] * (length - len(row[name])) for row in rows])
        for name, fill in (("input_ids", 0), ("labels", -100))
    }


class Echo(torch.nn.Module):  # type: ignore[misc]
    """Predicts of each token what it is, with a probability of e⁴ / (e⁴ + 4)."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(4 * torch.eye(len(NAMES)))

    def forward(self, input_ids: Any, labels: Any = None) -> Any:
        return {"loss": torch.tensor(0.5), "logits": self.weight[input_ids]}


class Parrot(torch.nn.Module):  # type: ignore[misc]
    """Generates the tokens that it is shown."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(1))

    def forward(self, input_ids: Any, labels: Any = None) -> Any:
        return {"loss": torch.tensor(0.5), "logits": input_ids}


def trainer(
    compute_metrics: Any, folder: Any, *, keep: Any = None, cls: Any = None, model: Any = None, **options: Any
) -> Any:
    """A Trainer that evaluates `dataset()`, three rows at a time; `keep` is its preprocess_logits_for_metrics."""
    arguments = transformers.TrainingArguments(
        str(folder), use_cpu=True, report_to=[], disable_tqdm=True, per_device_eval_batch_size=3, **options
    )
    return (cls or transformers.Trainer)(
        Echo() if model is None else model, arguments, data_collator=padded, eval_dataset=dataset(),
        compute_metrics=compute_metrics, preprocess_logits_for_metrics=keep,
    )  # fmt: skip


class InOrder(training.EachRowOnce, transformers.Trainer):  # type: ignore[misc]
    """Evaluates each row once, in several processes too."""
