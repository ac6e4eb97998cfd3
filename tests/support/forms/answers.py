"""Invoices as language models and Donut answer: texts, batch lines and sequences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .files import as_lines
from .invoices import Case, leaves_of, texts_of

THOUGHT = '<think>\nThe total is printed twice: {"total": "?"}. I take the lower one.\n</think>\n\n'
Answer = dict[str, Any]


def answer(case: Case, *, with_leaves: bool = True) -> str:
    """What a model answers: sometimes it thinks first, sometimes it fences the JSON, sometimes a comma is too much."""
    number = int(case.id)
    document = leaves_of(case.found) if with_leaves else texts_of(case.found)
    text = json.dumps(document, ensure_ascii=False, indent=None if number % 2 else 2)
    if number % 5 == 0:
        text = text[:-1] + ",}"
    if number % 3 == 0:
        text = f"Here is the invoice:\n```json\n{text}\n```\nIs there anything else?"
    return (THOUGHT if number % 4 == 0 else "") + text


def texts(folder: Path, cases: list[Case]) -> None:
    (folder / "answers").mkdir()
    for case in cases:
        (folder / "answers" / f"{case.id}.txt").write_text(answer(case), encoding="utf-8")


def column(folder: Path, cases: list[Case]) -> None:
    rows = [{"id": case.id, "model": "m-1", "seconds": 1.5, "output": answer(case)} for case in cases]
    (folder / "answers.jsonl").write_text(as_lines(rows), encoding="utf-8")


def _chat(case: Case) -> Answer:
    message = {"role": "assistant", "content": answer(case), "refusal": None}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    return {**_body("chat.completion"), "choices": [choice]}


def _tool_calls(case: Case) -> Answer:
    function = {"name": "invoice", "arguments": json.dumps(leaves_of(case.found))}
    calls = [{"id": f"call_{case.id}", "type": "function", "function": function}]
    message = {"role": "assistant", "content": None, "refusal": None, "tool_calls": calls}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "tool_calls"}
    return {**_body("chat.completion"), "choices": [choice]}


def _azure(case: Case) -> Answer:
    found = _chat(case)
    safe = {"hate": {"filtered": False, "severity": "safe"}}
    found["choices"][0]["content_filter_results"] = safe
    return {**found, "prompt_filter_results": [{"prompt_index": 0, "content_filter_results": safe}]}


def _responses(case: Case) -> Answer:
    content = {"type": "output_text", "text": answer(case), "annotations": [], "logprobs": []}
    message = {
        "id": f"msg_{case.id}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [content],
    }
    reasoning = {"id": f"rs_{case.id}", "type": "reasoning", "summary": []}
    made: Answer = {"created_at": 1767225600, "error": None, "incomplete_details": None, "parallel_tool_calls": True}
    made |= {"tool_choice": "auto", "tools": [], "metadata": {}, "instructions": None, "temperature": 1.0, "top_p": 1.0}
    return {
        "id": f"resp_{case.id}",
        "object": "response",
        "status": "completed",
        "model": "m-1",
        "output": [reasoning, message],
    } | made


def _vllm(case: Case) -> Answer:
    found = _chat(case)
    found["choices"][0] |= {"stop_reason": None, "token_ids": None}
    found["choices"][0]["message"] |= {"reasoning": None, "tool_calls": []}
    return {**found, "prompt_logprobs": None, "kv_transfer_params": None}


def _body(kind: str) -> Answer:
    usage = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
    return {"id": "chatcmpl-1", "object": kind, "created": 1767225600, "model": "m-1", "usage": usage}


BODIES: dict[str, Callable[[Case], Answer]] = {
    "chat": _chat, "tool_calls": _tool_calls, "responses": _responses, "azure": _azure, "vllm": _vllm,
}  # fmt: skip


def batch(kind: str) -> Callable[[Path, list[Case]], None]:
    """Writes the lines of a batch, in another order than that of the requests."""

    def write(folder: Path, cases: list[Case]) -> None:
        rows = []
        for case in reversed(cases):
            response = {"status_code": 200, "request_id": f"req-{case.id}", "body": BODIES[kind](case)}
            rows.append({"id": f"batch_req_{case.id}", "custom_id": case.id, "response": response, "error": None})
        (folder / "batch.jsonl").write_text(as_lines(rows), encoding="utf-8")

    return write


def anthropic(folder: Path, cases: list[Case]) -> None:
    """The results of a message batch, in another order than that of the requests."""
    rows = []
    for case in reversed(cases):
        content = [{"type": "text", "text": answer(case), "citations": None}]
        message = {"id": f"msg_{case.id}", "type": "message", "role": "assistant", "model": "m-1", "content": content,
                   "stop_reason": "end_turn", "stop_sequence": None, "usage": {"input_tokens": 9, "output_tokens": 9}}  # fmt: skip
        rows.append({"custom_id": case.id, "result": {"type": "succeeded", "message": message}})
    (folder / "batch.jsonl").write_text(as_lines(rows), encoding="utf-8")


def gemini(folder: Path, cases: list[Case]) -> None:
    rows = []
    for case in reversed(cases):
        parts = [{"text": "The total is printed twice.", "thought": True}, {"text": answer(case)}]
        candidate = {"content": {"parts": parts, "role": "model"}, "finishReason": "STOP", "index": 0}
        response = {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 18}, "modelVersion": "m-1"}
        rows.append({"key": case.id, "response": response})
    (folder / "batch.jsonl").write_text(as_lines(rows), encoding="utf-8")


def donut(folder: Path, cases: list[Case]) -> None:
    rows = [{"id": case.id, "prediction": f"<s_invoice>{sequence(texts_of(case.found))}</s>"} for case in cases]
    (folder / "sequences.jsonl").write_text(as_lines(rows), encoding="utf-8")


def sequence(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"<s_{key}>{sequence(child)}</s_{key}>" for key, child in value.items())
    return "<sep/>".join(map(sequence, value)) if isinstance(value, list) else str(value)
