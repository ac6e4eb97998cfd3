"""Answers of language models as their APIs write them: lines of a batch, and answers alone."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from docie.core.errors import shortened
from docie.core.phrases import some_of
from docie.core.values.plain import JsonObject, is_number
from docie.documents.rows import Parsed

from ..llm import to_document
from ..parsed import issue_lines
from ..token_scores import first_byte
from .places import first, found_at, objects_in

_BODIES = ("response.body", "body", "response", "")
_CONTENTS = ("choices", "output")
_ERRORS = ("error.error", "error", "response.body.error", "response.body.message", "response.error")
_REASONS = ("finish_reason", "incomplete_details.reason", "status")
_DONE = (None, "stop", "tool_calls", "function_call", "completed")
_CUT = ("length", "max_output_tokens", "max_tokens", "incomplete")
_MESSAGE = {"role", "content", "tool_calls"}  # keys of a message, and of nothing else in an answer
_THOUGHTS = ("reasoning", "thinking")
_KINDS = {"call": ("function.arguments", "arguments"), "refusal": ("refusal",), "text": ("text",)}


def openai_batch(line: object, *, schema: object = None) -> Parsed:
    """Read a line of a batch of OpenAI, Azure OpenAI or vLLM: a chat completion, a response of the Responses API, or an
    error. The completion or response alone is read too.

    `llm.to_document` reads the text of the answer, or the arguments of its first function call. Log-probabilities of
    tokens (`logprobs`) become confidences of values. Of several choices, the first one is read. What a model thought is
    left out.

    Args:
        line (dict or str): the line.
        schema (dict): a JSON Schema, or a pydantic model class, that names the keys, as in `llm.to_document`.

    Returns:
        Parsed: the document, and a line for everything that was repaired or dropped. None for an error, a refusal and
        an empty answer.

    Raises:
        ValueError: if the schema is not one; never for a line.

    >>> message = {"role": "assistant", "content": '{"total": "7.50"}'}
    >>> body = {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
    >>> openai_batch({"custom_id": "r-1", "response": {"status_code": 200, "body": body}, "error": None})
    Parsed(document={'total': '7.50'}, issues=[])
    >>> openai_batch({"custom_id": "r-2", "response": None, "error": {"code": "batch_expired", "message": "Too late."}})
    Parsed(document=None, issues=["no answer: error 'batch_expired', 'Too late.'"])
    """
    opened = to_document(line)
    if not isinstance(opened.document, dict):
        return opened
    issues = Counter(opened.issues)
    choice = _first_choice(opened.document, issues)
    parts = [] if choice is None else _parts(choice)
    said = _said(parts, issues)
    if said is None:
        return Parsed(None, issue_lines(issues))
    scores = _token_scores(_tokens(choice, parts), said, issues)
    parsed = to_document(said, schema=schema, token_scores=scores)
    return Parsed(parsed.document, [*issue_lines(issues), *parsed.issues])


def _first_choice(line: JsonObject, issues: Counter[str]) -> JsonObject | None:
    """The first choice of a completion, or a response; None if there is neither."""
    bodies = [body for path in _BODIES if first(body := found_at(line, path), _CONTENTS) is not None]
    error, status = first(line, _ERRORS), found_at(line, "response.status_code")
    failure = [f"status {shortened(status)}"] if status not in (None, 200) else []
    if error is not None:
        told = [found for key in ("code", "type", "message") if (found := first(error, (key,))) is not None]
        failure.append(f"error {', '.join(map(shortened, told or [error]))}")
    if failure or not bodies:
        why = ", ".join(failure) or "expected 'choices' or 'output'"
        issues[f"{'read an answer in spite of' if bodies else 'no answer:'} {why}"] += 1
    if not bodies:
        return None
    choice: JsonObject = bodies[0]
    if "choices" in choice:
        choices = objects_in(choice, "choices", issues)
        others = [shortened(each.get("index")) for each in choices[1:]]
        if others:
            issues[f"read the first of {len(choices)} choices, and left out {some_of(others, 5)}"] += 1
        choice = choices[0] if choices else {}
    reason = first(choice, _REASONS)
    if reason not in _DONE:
        issues[f"the answer {'was cut off' if reason in _CUT else 'ended early'}: {shortened(reason)}"] += 1
    return choice


def _parts(choice: JsonObject) -> list[Any]:
    """Texts, calls and refusals: in messages, among them, or a completion without one."""
    parts: list[Any] = []
    for item in _listed(first(choice, ("message", "output")) or choice):
        if not isinstance(item, dict) or _MESSAGE.isdisjoint(item) or item.get("type") in _THOUGHTS:
            parts.append(item)
            continue
        content = item.get("content")
        has_parts = isinstance(content, list) and all(isinstance(each, dict) and "type" in each for each in content)
        parts += _listed(content) if has_parts else [{"text": content}]
        parts += [{"refusal": item.get("refusal"), "text": ""}, *_listed(item.get("tool_calls"))]
        parts += _listed(item.get("function_call"))
    return parts


def _said(parts: list[Any], issues: Counter[str]) -> Any:
    """The first function call, or else the text; None for a refusal, or if there are no parts."""
    said: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    for part in parts:
        if isinstance(part, dict) and part.get("type") in _THOUGHTS:
            continue
        kind = next((kind for kind, paths in _KINDS.items() if first(part, paths) is not None), None)
        if kind:
            said[kind].append(first(part, _KINDS[kind]))
        elif not isinstance(part, dict) or "text" not in part:
            issues[f"dropped a part of the answer, {shortened(part)}"] += 1
    issues.update(f"the model refused: {shortened(refusal)}" for refusal in said["refusal"])
    calls, texts = said["call"], said["text"]
    if len(calls) > 1:
        issues[f"read the first of {len(calls)} function calls"] += 1
    if calls and "".join(map(str, texts)).strip():
        issues["left out the text beside a function call"] += 1
    if calls:
        return calls[0]
    if not texts and (said["refusal"] or not parts):
        return None
    return texts[0] if len(texts) == 1 else "".join(map(str, texts))


def _tokens(choice: Any, parts: list[Any]) -> list[Any]:
    """The tokens of a choice, or of the texts in a response, with their log-probabilities."""
    found = choice.get("logprobs")
    return _listed(found.get("content", found) if isinstance(found, dict) else found) or [
        token for part in parts if isinstance(part, dict) for token in _listed(part.get("logprobs"))
    ]


def _token_scores(tokens: list[Any], text: Any, issues: Counter[str]) -> list[tuple[str | bytes, float]] | None:
    """Tokens with their probabilities, if they make the text."""
    pairs = [_pair(token) for token in tokens if isinstance(token, dict)]
    if isinstance(text, str) and first_byte([token for token, _ in pairs], text) is not None:
        return pairs
    issues["dropped the log-probabilities: their tokens do not make the answer"] += bool(tokens)
    return None


def _pair(token: JsonObject) -> tuple[str | bytes, float]:
    written, logprob = token.get("bytes"), token.get("logprob")
    is_known = isinstance(written, list) and all(type(each) is int and each in range(256) for each in written)
    piece = bytes(_listed(written)) if is_known else str(token.get("token"))
    return piece, math.exp(logprob) if is_number(logprob) and logprob <= 0 else math.nan


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
