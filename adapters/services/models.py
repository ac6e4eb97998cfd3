"""Answers of language models as their APIs write them: lines of a batch, and answers alone."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from docie.core.errors import shortened
from docie.core.phrases import some_of
from docie.core.values.plain import JsonObject, is_number
from docie.documents.parsed import Parsed

from ..llm import to_document
from ..parsed import issue_lines
from ..token_scores import first_byte
from .layouts import Layout
from .places import first, found_at, objects_in

_ANSWERS = ("choices", "candidates", "output", "content", "stopReason")
"""Where the answer stands in a body, or why there is none."""
_ERRORS = (
    "error.error", "error", "response.body.error", "response.body.message", "response.error", "result.error.error",
    "result.error", "response.promptFeedback.blockReason", "promptFeedback.blockReason",
)  # fmt: skip
_REASONS = ("finishReason", "stopReason", "incomplete_details.reason", "status")
_DONE = (
    *(None, "stop", "tool_calls", "function_call", "completed"),
    *("end_turn", "stop_sequence", "tool_use", "finish_reason_unspecified"),
)
_CUT = ("length", "max_output_tokens", "max_tokens", "incomplete", "model_context_window_exceeded")
_MESSAGE = {"role", "content", "tool_calls"}  # keys of a message, and of nothing else in an answer
_THOUGHTS = ("reasoning", "thinking", "redacted_thinking")
_KINDS = {
    "call": ("function.arguments", "arguments", "functionCall.args", "input"),
    "refusal": ("refusal",),
    "text": ("text",),
}


def model_answer(layout: Layout, line: JsonObject, schema: object, issues: Counter[str]) -> Parsed:
    """Read a line of a batch: an answer of a model in `layout.root`, or an error. The answer alone is read too.

    `llm.to_document` reads the text of the answer, or the arguments of its first function call. Log-probabilities of
    tokens become confidences of values. Of several answers, the first one is read. What a model thought is left out.
    """
    choice = _first_choice(layout, line, issues)
    parts = [] if choice is None else _parts(choice)
    said = _said(parts, issues)
    if said is None:
        return Parsed(None, issue_lines(issues))
    scores = _token_scores(_tokens(choice, parts), said, issues)
    parsed = to_document(said, schema=schema, token_scores=scores)
    return Parsed(parsed.document, [*issue_lines(issues), *parsed.issues])


def _first_choice(layout: Layout, line: JsonObject, issues: Counter[str]) -> JsonObject | None:
    """The first answer in a body: a choice, a candidate, or a body that is an answer itself; None if there is none."""
    bodies = [body for path in layout.root if first(body := found_at(line, path), _ANSWERS) is not None]
    failure = _failure(line, has_answer=bool(bodies))
    if failure or not bodies:
        why = ", ".join(failure) or "expected 'choices', 'candidates', 'output' or 'content'"
        issues[f"{'read an answer in spite of' if bodies else 'no answer:'} {why}"] += 1
    if not bodies:
        return None
    choice: JsonObject = bodies[0]
    key = next((key for key in ("choices", "candidates") if key in choice), None)
    if key is not None:
        choices = objects_in(choice, key, issues)
        others = [shortened(each.get("index")) for each in choices[1:]]
        if others:
            issues[f"read the first of {len(choices)} {key}, and left out {some_of(others)}"] += 1
        choice = choices[0] if choices else {}
    reason = first(choice, _REASONS)
    if (reason.lower() if isinstance(reason, str) else reason) not in _DONE:
        is_cut = isinstance(reason, str) and reason.lower() in _CUT
        issues[f"the answer {'was cut off' if is_cut else 'ended early'}: {shortened(reason)}"] += 1
    return choice


def _failure(line: JsonObject, *, has_answer: bool) -> list[str]:
    """Why a line has no answer: the status of the request, and its error."""
    error, status = first(line, _ERRORS), found_at(line, "response.status_code")
    failure = [f"status {shortened(status)}"] if status not in (None, 200) else []
    if error is not None:
        told = [found for key in ("code", "type", "message") if (found := first(error, (key,))) is not None]
        failure.append(f"error {', '.join(map(shortened, told or [error]))}")
    ended = first(line, ("result.type", "status"))  # of Anthropic and of Vertex AI
    if not failure and not has_answer and ended is not None:
        failure.append(f"status {shortened(ended)}")
    return failure


def _parts(choice: JsonObject) -> list[Any]:
    """Texts, calls and refusals: in messages, among them, or a completion without one."""
    parts: list[Any] = []
    for item in _listed(first(choice, ("message", "output", "content")) or choice):
        if not isinstance(item, dict) or _MESSAGE.isdisjoint(item) or _is_thought(item):
            parts.append({"text": item} if isinstance(item, str) else item)
            continue
        content = item.get("content", item.get("parts"))
        has_parts = "parts" in item or (
            isinstance(content, list) and all(isinstance(each, dict) and "type" in each for each in content)
        )
        parts += _listed(content) if has_parts else [{"text": content}]
        parts += [{"refusal": item.get("refusal"), "text": ""}, *_listed(item.get("tool_calls"))]
        parts += _listed(item.get("function_call"))
    return parts


def _said(parts: list[Any], issues: Counter[str]) -> Any:
    """The first function call, or else the text; None for a refusal, or if there are no parts."""
    said: dict[str, list[Any]] = {kind: [] for kind in _KINDS}
    for part in parts:
        if isinstance(part, dict) and _is_thought(part):
            continue
        held = {kind: each for kind in _KINDS if (each := _held(part, kind)) is not None}
        if held:
            kind, each = next(iter(held.items()))
            said[kind].append(each)
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


def _is_thought(part: JsonObject) -> bool:
    return part.get("type") in _THOUGHTS or part.get("thought") is True


def _held(part: Any, kind: str) -> Any:
    """What a part holds of a kind; None for nothing. The arguments of a call may be an empty object."""
    if kind == "call" and isinstance(part, dict) and part.get("type") == "server_tool_use":  # it calls no function
        return None
    found = (found_at(part, path) for path in _KINDS[kind])
    return next((each for each in found if each is not None and each != "" and (each or kind == "call")), None)


def _tokens(choice: Any, parts: list[Any]) -> list[Any]:
    """The tokens of a choice, or of the texts in a response, with their log-probabilities."""
    found = first(choice, ("logprobs", "logprobsResult"))
    held = found.get("content", first(found, ("chosenCandidates", ""))) if isinstance(found, dict) else found
    return _listed(held) or [
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
    written, logprob = token.get("bytes"), first(token, ("logprob", "logProbability"))
    is_known = isinstance(written, list) and all(type(each) is int and each in range(256) for each in written)
    piece = bytes(_listed(written)) if is_known else str(token.get("token"))
    return piece, math.exp(logprob) if is_number(logprob) and logprob <= 0 else math.nan


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]
