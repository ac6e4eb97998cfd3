"""What a Trainer gets beside `compute_metrics`: an argument that keeps little of logits, and a mix-in."""

from __future__ import annotations

from typing import Any

_IN_ORDER = ("SequentialSampler", "_InfiniteConstantSampler")  # the second one for streamed data


def preprocess_logits_for_metrics(logits: Any, labels: object = None) -> Any:
    """Keep the part of a Trainer's logits that metrics need: for each token the best label's id and probability.

    For `Trainer(preprocess_logits_for_metrics=...)`, which otherwise keeps all logits of an evaluation in memory. It
    works with the strategies "first" and "max" of `tokens.word_labels`.

    Args:
        logits (torch.Tensor): logits (rows × tokens × labels), or a tuple of a model's outputs, logits first. Generated
            tokens are returned as they are.
        labels: ignored.

    Returns:
        tuple of torch.Tensor: label ids and probabilities (rows × tokens).

    >>> import torch
    >>> ids, probabilities = preprocess_logits_for_metrics(torch.tensor([[[0.0, 0.0], [5.0, -5.0]]]))
    >>> ids.tolist(), probabilities.round(decimals=2).tolist()
    ([[0, 0]], [[0.5, 1.0]])
    """
    scores = logits[0] if isinstance(logits, tuple) else logits
    if not scores.is_floating_point():
        return logits
    best, ids = scores.float().max(dim=-1)
    return ids.int(), (best - scores.float().logsumexp(dim=-1)).exp()


class EachRowOnce:
    """A mix-in for a Trainer: evaluates every row once and in the data set's order, in any number of processes.

    With several processes, a Seq2SeqTrainer repeats rows to fill the last batch, and counts them twice. Put this class
    first: `class MyTrainer(EachRowOnce, Seq2SeqTrainer): ...`.

    Raises:
        ValueError: if the data loader does not keep the order of the data.
    """

    def evaluation_loop(self, dataloader: object, *args: object, **kwargs: object) -> object:
        """The Trainer's own loop, over each row once."""
        sampler = _sampler(dataloader)
        if sampler is not None and type(sampler).__name__ not in _IN_ORDER:
            raise ValueError(f"expected rows in the data set's order, got them from a {type(sampler).__name__}")
        self.gather_function = self.accelerator.gather_for_metrics  # type: ignore[attr-defined]
        return super().evaluation_loop(dataloader, *args, **kwargs)  # type: ignore[misc]


def _sampler(dataloader: object) -> object:
    """The sampler of a data loader. With several processes, batch samplers wrap one another."""
    batches: object = getattr(dataloader, "batch_sampler", None)
    while hasattr(batches, "batch_sampler"):
        batches = batches.batch_sampler
    return getattr(batches, "sampler", None)
