"""Rewards of answers, from their texts and the JSON texts of their references, beside the generation of answers.

The generation is a step of a tiny random model on the processor: 64 tokens for each of the answers, in batches of 50.
Models that are trained are some thousand times larger. The kernel is json.loads of both texts.

    python benchmarks/run.py --family rewards
"""

from __future__ import annotations

import importlib.util
import json
from typing import Any

import cases

from docie.adapters import training

REFERENCE = "generation"
BATCH, TOKENS = 50, 64


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {"kieval": rewards("kieval"), "anls_star": rewards("anls_star"), "kernel": kernel}
    if importlib.util.find_spec("torch") and importlib.util.find_spec("transformers"):
        makers["generation"] = generation
    return cases.rows(makers, cases.receipts(documents))


def rewards(family: str) -> cases.Maker:
    """The rewards of a batch, as TRL asks for them."""

    def make(pairs: list[cases.Pair]) -> cases.Work:
        reward = training.reward(family)
        answers, references = ([json.dumps(side) for side in sides] for sides in zip(*pairs, strict=True))
        return lambda: reward(completions=answers, reference=references)

    return make


def kernel(pairs: list[cases.Pair]) -> cases.Work:
    texts = [json.dumps(document) for pair in pairs for document in pair]
    return lambda: [json.loads(text) for text in texts]


def generation(pairs: list[cases.Pair]) -> cases.Work:
    """A step of a model of 100,000 parameters."""
    import torch
    import transformers

    config = transformers.LlamaConfig(
        vocab_size=512, hidden_size=64, intermediate_size=128, num_hidden_layers=1, num_attention_heads=2
    )
    model: Any = transformers.LlamaForCausalLM(config)
    sizes = [min(BATCH, len(pairs) - start) for start in range(0, len(pairs), BATCH)]
    prompts = [torch.ones((size, 16), dtype=torch.long) for size in sizes]

    def work() -> None:
        with torch.no_grad():
            for prompt in prompts:
                options = {"min_new_tokens": TOKENS, "max_new_tokens": TOKENS, "pad_token_id": 0}
                model.generate(prompt, attention_mask=torch.ones_like(prompt), do_sample=True, **options)

    return work
