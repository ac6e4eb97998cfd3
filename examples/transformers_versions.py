"""What versions 4 and 5 of transformers do differently, for the training examples."""

from __future__ import annotations

import math
from typing import Any

import torch
import transformers


def image_processor(model: str) -> Any:
    """The class of a model's image processor that needs Pillow only; since version 5 its name ends in Pil."""
    since_5 = getattr(transformers, f"{model}ImageProcessorPil", None)
    return since_5 or getattr(transformers, f"{model}ImageProcessor")


def warmup_steps(rows: int, batch_size: int, epochs: float) -> int:
    """The first tenth of a training; only version 5 takes it as a share."""
    return math.ceil(0.1 * math.ceil(epochs * math.ceil(rows / batch_size)))


def mend_loss(model: Any) -> None:
    """Let a VisionEncoderDecoderModel learn: 4.50 to 4.57 shift its labels twice (huggingface/transformers#40863)."""

    def loss(logits: Any, labels: Any, vocab_size: int, **_: Any) -> Any:
        return torch.nn.functional.cross_entropy(logits.reshape(-1, vocab_size), labels.reshape(-1))

    model.loss_function = loss  # version 5 does not ask for it
