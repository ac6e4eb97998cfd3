"""Reading lines of a batch from a file, beside JSON Lines of the same documents. The lines are read one by one.

The kernel is json.loads of a line. Lines with log-probabilities have a token of at most four bytes for each of them.

    python benchmarks/run.py --family batches --documents 100000
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cases
import generate

from docie.adapters import services

REFERENCE = "JSON Lines"


def measurements(documents: int) -> dict[tuple[str, str], cases.Row]:
    """(implementation, case) → row."""
    makers = {
        "openai_batch": line_by_line(chat, services.to_document),
        "openai_batch, log-probabilities": line_by_line(with_tokens, services.to_document),
        "kernel, log-probabilities": line_by_line(with_tokens, json.loads),
        "kernel": line_by_line(chat, json.loads),
        "JSON Lines": line_by_line(json.dumps, json.loads),
    }
    return cases.rows(makers, {f"{documents:,} receipts": cases.Case(documents, lambda: [(documents, None)])})


def line_by_line(write: Callable[[Any], str], read: Callable[[str], Any]) -> cases.Maker:
    """A function of a line. The file of all lines is written first."""

    def make(pairs: list[cases.Pair]) -> cases.Work:
        folder = tempfile.TemporaryDirectory()
        path = Path(folder.name, "lines.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f"{write(reference)}\n" for _, reference in generate.receipts(pairs[0][0]))

        def work(folder: tempfile.TemporaryDirectory[str] = folder) -> None:
            with open(path, encoding="utf-8") as file:
                for line in file:
                    read(line)

        return work

    return make


def chat(document: Any, logprobs: Any = None) -> str:
    """A line of a batch."""
    message = {"role": "assistant", "content": json.dumps(document), "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": logprobs, "finish_reason": "stop"}
    body = {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": {"total_tokens": 9}}
    response = {"status_code": 200, "request_id": "q", "body": body}
    return json.dumps({"id": "b", "custom_id": "r-1", "response": response, "error": None})


def with_tokens(document: Any) -> str:
    """A line of a batch, with the log-probability of each token."""
    text = json.dumps(document)
    pieces = [text[start : start + 4] for start in range(0, len(text), 4)]
    tokens = [{"token": piece, "logprob": -0.1, "bytes": [*piece.encode()], "top_logprobs": []} for piece in pieces]
    return chat(document, {"content": tokens})
