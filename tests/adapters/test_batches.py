"""Lines of batches and answers of language models: bodies, tool calls, refusals, errors, several choices, tokens."""

from __future__ import annotations

import copy
import itertools
import json
import math
import random
from typing import Any

import pytest

from docie.adapters import llm, services
from docie.documents.document import parse_document
from docie.documents.parsed import Parsed

from mutations import Mutator
from sizes import times

TEXT = '{"total": "7,50 €", "items": [{"name": "Bagel", "count": 2, "paid": true}]}'
DOCUMENT = json.loads(TEXT)


def read(service: str, answer: object, **options: Any) -> Parsed:
    return services.to_document(answer, service, **options)


def line(body: Any, status: object = 200, **more: object) -> dict[str, Any]:
    response = {"status_code": status, "request_id": "q", "body": body}
    return {"id": "b", "custom_id": "r-1", "response": response, "error": None, **more}


def chat(content: Any = TEXT, reason: object = "stop", **message: object) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": content, "refusal": None, **message}, "logprobs": None,
              "finish_reason": reason}  # fmt: skip
    return {"id": "c", "object": "chat.completion", "model": "m", "choices": [choice], "usage": {"total_tokens": 9}}


def response(*output: Any, status: str = "completed", **more: object) -> dict[str, Any]:
    return {"id": "resp", "object": "response", "status": status, "error": None, "incomplete_details": None, "model": "m",
            "output": [*output], "tool_choice": "auto", "parallel_tool_calls": True, **more}  # fmt: skip


def said(*parts: Any) -> dict[str, Any]:
    return {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [*parts]}


def part(text: str = TEXT, **more: object) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], **more}


def call(arguments: object = TEXT) -> dict[str, Any]:
    return {"id": "f", "type": "function", "function": {"name": "extract", "arguments": arguments}}


REASONING = {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": '{"total": "8"}'}]}
CALL = {"type": "function_call", "call_id": "f", "name": "extract", "arguments": TEXT}


@pytest.mark.parametrize(
    "body",
    [
        chat(),
        chat(f"```json\n{TEXT}\n```"),
        chat([{"type": "text", "text": TEXT}]),
        chat([{"type": "text", "text": TEXT[:20]}, {"type": "text", "text": TEXT[20:]}]),
        chat(DOCUMENT),
        chat([{"type": "thinking", "text": '{"total": "8"}'}, {"type": "text", "text": TEXT}]),
        chat([DOCUMENT]),
        chat(None, "tool_calls", tool_calls=[call()]),
        chat(None, "tool_calls", tool_calls=[call(DOCUMENT)]),
        chat(None, "function_call", function_call={"name": "extract", "arguments": TEXT}),
        chat(reasoning_content='{"total": "8"}', reasoning='{"total": "8"}', annotations=[]),
        response(said(part())),
        response(REASONING, said(part(TEXT[:20]), part(TEXT[20:]))),
        response(REASONING, CALL),
        response(said({"type": "output_text", "text": DOCUMENT})),
        {"id": "c", "object": "text_completion", "choices": [{"index": 0, "text": TEXT, "finish_reason": "stop"}]},
    ],
    ids=map(str, itertools.count()),
)
def test_bodies(body: Any) -> None:
    for answer in (line(body), body, json.dumps(line(body)), {"body": body}):
        found = read("openai_batch", answer)
        assert found.document == DOCUMENT
        assert {*found.issues} <= {"dropped the text around the JSON object", "took the one object out of its list"}
    assert services.detect(line(body)) == "openai_batch"


@pytest.mark.parametrize("body", [chat(), chat(None, "tool_calls", tool_calls=[call()]), response(said(part())), response(REASONING), response()])  # fmt: skip
def test_answers_alone_are_detected(body: Any) -> None:
    assert services.detect(body) == "openai_batch"


def expired(**more: object) -> dict[str, Any]:
    return {
        "id": "b",
        "custom_id": "r",
        "response": None,
        "error": {"code": "batch_expired", "message": "Too\nlate."},
    } | more


@pytest.mark.parametrize(
    ("answer", "issue"),
    [
        (expired(), "no answer: error 'batch_expired', 'Too\\nlate.'"),
        (expired(error="down"), "no answer: error 'down'"),
        (line({"error": {"code": None, "type": "invalid_request_error", "message": "No."}}, 400), "no answer: status 400, error 'invalid_request_error', 'No.'"),
        (line(None, 429), "no answer: status 429"),
        (line(None, 400, error={"error": {"code": 400, "message": "No."}}), "no answer: status 400, error 400, 'No.'"),  # vLLM
        (line({"message": "No."}, 500), "no answer: status 500, error 'No.'"),
        (line(None), "no answer: expected 'choices', 'candidates', 'output' or 'content'"),
        (line({"choices": []}), "no answer: expected 'choices', 'candidates', 'output' or 'content'"),
        ({"total": "7"}, "no answer: expected 'choices', 'candidates', 'output' or 'content'"),
        (line(response(status="failed") | {"error": {"code": "server_error", "message": "No."}}), "no answer: error 'server_error', 'No.'"),
        (line(chat(None, refusal="I cannot\nread this.")), "the model refused: 'I cannot\\nread this.'"),
        (line(response(said({"type": "refusal", "refusal": "No."}))), "the model refused: 'No.'"),
        (line(chat("", "content_filter")), "the answer ended early: 'content_filter'"),
        (line(chat("")), "no JSON object"),
        (line(chat("Sorry.")), "no JSON object"),
        (line(chat(None)), "no JSON object"),
        (line(response(REASONING, status="incomplete", incomplete_details={"reason": "max_output_tokens"})), "the answer was cut off: 'max_output_tokens'"),
        ("", "no JSON object"),
        (None, "expected a JSON object, got null"),
    ],
)  # fmt: skip
def test_no_answer(answer: Any, issue: str) -> None:
    found = read("openai_batch", answer)
    assert found.document is None
    assert issue in found.issues
    if isinstance(answer, dict) and "custom_id" in answer:
        assert services.detect(answer) == "openai_batch"


@pytest.mark.parametrize(
    ("body", "document", "issues"),
    [
        (chat(TEXT[:20], "length"), {"total": "7,50 €"}, ["the answer was cut off: 'length'", "added the end, which is missing"]),
        (response(said(part(TEXT[:20])), status="incomplete", incomplete_details={"reason": "max_output_tokens"}), {"total": "7,50 €"}, ["the answer was cut off: 'max_output_tokens'", "added the end, which is missing"]),
        (response(said(part()), status="incomplete"), DOCUMENT, ["the answer was cut off: 'incomplete'"]),
        (chat(TEXT, "content_filter"), DOCUMENT, ["the answer ended early: 'content_filter'"]),
        (chat(TEXT, refusal="No."), DOCUMENT, ["the model refused: 'No.'"]),
        (chat("Here:", tool_calls=[call(), call('{"total": "8"}')]), DOCUMENT, ["read the first of 2 function calls", "left out the text beside a function call"]),
        (response(said(part()), {"type": "web_search_call", "id": "w"}), DOCUMENT, ["dropped a part of the answer, {'type': 'web_search_call', 'id': 'w'}"]),
    ],
)  # fmt: skip
def test_what_is_said_of_an_answer(body: Any, document: Any, issues: list[str]) -> None:
    found = read("openai_batch", line(body))
    assert found == Parsed(document, issues)


def claude(*content: Any, reason: str | None = "end_turn") -> dict[str, Any]:
    return {"id": "msg", "type": "message", "role": "assistant", "model": "m", "content": [*content], "stop_reason": reason,
            "stop_sequence": None, "usage": {"output_tokens": 9}}  # fmt: skip


def gemini(*content: Any, reason: str = "STOP", **more: Any) -> dict[str, Any]:
    candidate = {"content": {"parts": [*content], "role": "model"}, "finishReason": reason, "index": 0, **more}
    return {"candidates": [candidate], "usageMetadata": {"totalTokenCount": 9}, "modelVersion": "m"}


THINKING = {"type": "thinking", "thinking": '{"total": "8"}', "signature": "s"}
THOUGHT = {"text": '{"total": "8"}', "thought": True}
USE = {"type": "tool_use", "id": "t", "name": "extract", "input": DOCUMENT}


@pytest.mark.parametrize(
    ("body", "document", "issues"),
    [
        (claude({"type": "text", "text": TEXT}), DOCUMENT, []),
        (claude(THINKING, {"type": "redacted_thinking", "data": "x"}, {"type": "text", "text": TEXT[:20]}, {"type": "text", "text": TEXT[20:]}), DOCUMENT, []),
        (claude(THINKING, USE, reason="tool_use"), DOCUMENT, []),
        (claude({**USE, "input": {}}, reason="tool_use"), {}, []),
        (claude({"type": "text", "text": "Here:"}, USE), DOCUMENT, ["left out the text beside a function call"]),
        (claude({"type": "text", "text": TEXT[:20]}, reason="max_tokens"), {"total": "7,50 €"}, ["the answer was cut off: 'max_tokens'", "added the end, which is missing"]),
        (claude(reason="refusal"), None, ["the answer ended early: 'refusal'", "no JSON object"]),
        (gemini({"text": TEXT}), DOCUMENT, []),
        (gemini(THOUGHT, {"text": TEXT[:20]}, {"text": TEXT[20:], "thoughtSignature": "s"}), DOCUMENT, []),
        (gemini({"functionCall": {"name": "extract", "args": DOCUMENT}}), DOCUMENT, []),
        (gemini({"text": TEXT[:20]}, reason="MAX_TOKENS"), {"total": "7,50 €"}, ["the answer was cut off: 'MAX_TOKENS'", "added the end, which is missing"]),
        (gemini(reason="SAFETY"), None, ["the answer ended early: 'SAFETY'", "no JSON object"]),
        (gemini({"text": TEXT}, {"inlineData": 7}), DOCUMENT, ["dropped a part of the answer, {'inlineData': 7}"]),
    ],
    ids=map(str, itertools.count()),
)  # fmt: skip
def test_messages_of_claude_and_candidates_of_gemini(body: Any, document: Any, issues: list[str]) -> None:
    if "candidates" in body:
        snake = json.loads(
            json.dumps(body).replace("finishReason", "finish_reason").replace("functionCall", "function_call")
        )
        lines = [body, {"key": "r-1", "response": body}, {"key": "r-1", "response": snake},
                 {"request": {"contents": []}, "status": "", "response": body}]  # fmt: skip
    else:
        lines = [body, {"custom_id": "r-1", "result": {"type": "succeeded", "message": body}},
                 {"recordId": "r-1", "modelInput": {}, "modelOutput": body},
                 {"custom_id": "r-1", "response": body}]  # fmt: skip
    for each in lines:
        assert services.to_document(each) == (document, issues)
        assert services.detect(each) == ("gemini_batch" if "candidates" in body else "anthropic_batch")


@pytest.mark.parametrize(
    ("answer", "issue"),
    [
        ({"custom_id": "r", "result": {"type": "errored", "error": {"type": "error", "error": {"type": "invalid_request_error", "message": "No."}}}}, "no answer: error 'invalid_request_error', 'No.'"),
        ({"custom_id": "r", "result": {"type": "canceled"}}, "no answer: status 'canceled'"),
        ({"custom_id": "r", "result": {"type": "expired"}}, "no answer: status 'expired'"),
        ({"key": "r", "error": {"code": 13, "message": "No."}}, "no answer: error 13, 'No.'"),
        ({"key": "r", "response": {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {}}}, "no answer: error 'SAFETY'"),
        ({"request": {"contents": []}, "status": "Bad Request: {}", "response": {}}, "no answer: status 'Bad Request: {}'"),
    ],
)  # fmt: skip
def test_no_answer_of_claude_and_gemini(answer: Any, issue: str) -> None:
    assert services.to_document(answer) == (None, [issue])
    assert services.detect(answer) == ("anthropic_batch" if "custom_id" in answer else "gemini_batch")


def test_log_probabilities_of_gemini() -> None:
    pieces = [TEXT[:20], TEXT[20:]]
    chosen = [{"token": piece, "tokenId": 1, "logProbability": math.log(0.5)} for piece in pieces]
    body = gemini({"text": TEXT}, logprobsResult={"chosenCandidates": chosen})
    document = llm.to_document(TEXT, token_scores=[(piece, 0.5) for piece in pieces]).document
    assert services.to_document({"key": "r", "response": body}) == (document, [])


def test_a_document_with_a_type_is_no_part() -> None:
    for document in ({"type": "invoice", "total": "7"}, {"role": "user", "text": "7"}):
        assert read("openai_batch", line(chat(document))) == (document, [])


def test_an_answer_beside_an_error_is_read() -> None:
    found = read("openai_batch", line(chat(), 500, error={"code": "x"}))
    assert found == (DOCUMENT, ["read an answer in spite of status 500, error 'x'"])


def test_the_first_of_several_choices_is_read() -> None:
    body = chat()
    for number in range(1, 8):
        body["choices"].append(copy.deepcopy(body["choices"][0]) | {"index": number})
        body["choices"][-1]["message"]["content"] = '{"total": "8"}'
    found = read("openai_batch", line(body))
    assert found == (DOCUMENT, ["read the first of 8 choices, and left out 1, 2, 3, 4, 5 and 2 more"])


def test_names_of_a_schema() -> None:
    schema: Any = {"properties": {"Total": {}}}
    assert read("openai_batch", line(chat()), schema=schema).document == {"Total": "7,50 €"}
    with pytest.raises(ValueError, match="schema"):
        read("openai_batch", line(chat()), schema=7)


# Log-probabilities


def tokens(text: str, rng: random.Random) -> list[dict[str, Any]]:
    """Tokens as APIs write them: parts of letters only by their bytes."""
    rest, found = text.encode(), []
    while rest:
        piece, rest = rest[: (cut := rng.randint(1, 5))], rest[cut:]
        token = piece.decode(errors="replace")
        found.append(
            {"token": token, "logprob": math.log(rng.randint(1, 100) / 100), "bytes": [*piece], "top_logprobs": []}
        )
        if "\ufffd" not in token and rng.random() < 0.3:
            found[-1]["bytes"] = None
    return found


def scored(text: str, found: list[dict[str, Any]]) -> Any:
    pairs = [
        (token["token"] if token["bytes"] is None else bytes(token["bytes"]), math.exp(token["logprob"]))
        for token in found
    ]
    return llm.to_document(text, token_scores=pairs).document


@times(300, 50)
def test_log_probabilities_become_confidences(times: int) -> None:
    rng = random.Random(2)
    for _ in range(times):
        found = tokens(TEXT, rng)
        body = chat()
        body["choices"][0]["logprobs"] = {"content": found, "refusal": None}
        document = scored(TEXT, found)
        assert read("openai_batch", line(body)) == (document, [])
        thought = [*tokens("<think>7,50</think>", rng), *found, {"token": "", "logprob": 0.0, "bytes": None}]
        body["choices"][0]["logprobs"] = {"content": thought}
        assert read("openai_batch", line(body)) == (document, [])
        body["choices"][0]["message"] |= {"content": None, "tool_calls": [call()]}
        assert read("openai_batch", line(body)) == (document, [])
        first, second = tokens(TEXT[:20], rng), tokens(TEXT[20:], rng)
        parts = said(part(TEXT[:20], logprobs=first), part(TEXT[20:], logprobs=second))
        assert read("openai_batch", line(response(REASONING, parts))) == (scored(TEXT, first + second), [])


@pytest.mark.parametrize(
    ("logprobs", "issue"),
    [
        ({"content": [{"token": "x", "logprob": -1.0, "bytes": [120]}]}, "dropped the log-probabilities: their tokens do not make the answer"),
        ({"content": "x"}, "dropped the log-probabilities: their tokens do not make the answer"),
        ({"content": [{"token": TEXT, "logprob": None, "bytes": [300]}]}, "1 token scores are not numbers between 0 and 1"),
        ({"content": [{"token": TEXT, "logprob": 0.5, "bytes": ["x"]}]}, "1 token scores are not numbers between 0 and 1"),
    ],
)  # fmt: skip
def test_log_probabilities_that_are_none(logprobs: Any, issue: str) -> None:
    body = chat()
    body["choices"][0]["logprobs"] = logprobs
    found = read("openai_batch", line(body))
    assert issue in found.issues
    plain = {"total": {"value": "7,50 €", "confidence": None}}
    assert isinstance(found.document, dict)
    assert found.document["total"] in (plain["total"], "7,50 €")


@pytest.mark.parametrize("logprobs", [None, {"content": None, "refusal": None}, {"content": []}])
def test_no_log_probabilities(logprobs: Any) -> None:
    body = chat()
    body["choices"][0]["logprobs"] = logprobs
    assert read("openai_batch", line(body)) == (DOCUMENT, [])


# Broken lines

ODD: list[Any] = [None, 7, -1, 0.5, float("nan"), float("-inf"), 10**400, True, "", "x", [], {}, [[]], [{}], {"x": 1}, ["a", 7], object(), b"x", {1},
                  "length", "reasoning", [{"type": "text", "text": TEXT}], {"type": "refusal", "refusal": "No."}]  # fmt: skip


def lines() -> list[dict[str, Any]]:
    rng = random.Random(4)
    scored_chat, several = chat(), chat()
    scored_chat["choices"][0]["logprobs"] = {"content": tokens(TEXT, rng)}
    several["choices"] *= 3
    bodies = [chat(), scored_chat, several, chat([{"type": "text", "text": TEXT}]), chat(None, tool_calls=[call()]), chat(None, refusal="No."),
              response(REASONING, said(part(logprobs=tokens(TEXT, rng)))), response(CALL), {"error": {"code": "x", "message": "No."}}]  # fmt: skip
    return [*map(line, bodies), expired()]


@times(30_000, 2000)
def test_no_line_is_too_broken(times: int) -> None:
    rng, whole = random.Random(6), lines()
    mutator = Mutator([*map(json.dumps, whole)], rng, [*'{}[]",:0\\x', "null", "\\n"])
    for number in range(times):
        broken = mutator.text() if number % 4 == 0 else mutator.value(rng.choice(whole), ODD)
        services.detect(broken)
        found = read("openai_batch", broken)
        assert all(isinstance(issue, str) and "\n" not in issue for issue in found.issues)
        if found.document is None:
            assert found.issues
        else:
            parse_document(found.document, "prediction")


def parts(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in a line, those inside of tokens left out but for a few."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [
        found
        for key, child in children
        for found in [(*path, key), *parts(child, (*path, key))]
        if path[-1:] != ("bytes",)
    ]


SAYS = {"content", "text", "arguments"}  # of which any value may be right


@pytest.mark.parametrize("whole", lines()[:-2], ids=map(str, itertools.count()))
@pytest.mark.parametrize("odd", [None, -7.25, True, "odd", ["odd"], {"odd": 1}], ids=str)
def test_every_loss_is_said(whole: dict[str, Any], odd: object) -> None:
    complete = read("openai_batch", whole).document
    silent = []
    for path in parts(whole):
        broken = copy.deepcopy(whole)
        holder: Any = broken
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = odd
        found = read("openai_batch", broken)
        changed = found.document != complete and not {path[-1], path[-2] if len(path) > 1 else 0} & SAYS
        may_be = (path[-1], odd) in (("logprob", -7.25), ("logprobs", None))
        if changed and not found.issues and not may_be:
            silent.append(path)
    assert silent == []


@pytest.mark.parametrize("whole", lines()[:-2], ids=map(str, itertools.count()))
def test_a_line_that_is_cut_off(whole: dict[str, Any]) -> None:
    """Every loss is said: a document that is not whole has issues."""
    text = json.dumps(whole)
    complete = read("openai_batch", whole).document
    for end in range(0, len(text), 7):
        found = read("openai_batch", text[:end])
        assert found.issues
        assert found.document is None or complete is not None
