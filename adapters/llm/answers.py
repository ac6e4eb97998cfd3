"""The JSON object in an answer: alone, in code fences, in prose, in a list."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from docie.core.errors import json_kind
from docie.core.values.json_text import check_nesting, may_be_deep, parsed
from docie.core.values.plain import JsonObject
from docie.documents.parsed import Parsed

from ..parsed import issue_lines, object_of, plain, scorable
from ..thoughts import outside_thoughts
from ..token_scores import TokenScores
from .confidences import decode
from .repair import Reader, find_start, is_closed_too_early
from .schema import renamer

MAX_JSON_ATTEMPTS = 1000  # at broken objects: to report one error, json counts all lines before it
MAX_BROKEN_OBJECTS = 20_000  # in one text: longer ones come from a model that repeats itself
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_LINE_START = re.compile(r"(?:^|\n|```\w*+)[ \t]*+\[?\s*+\Z")
_INSIDE = (",", "[", '":')
_FOR_SIGNS = {"“": '"', "”": '"', "„": '"', "＂": '"', "&quot;": '"', "‘": "'", "’": "'", "‚": "'", "＇": "'",
              "：": ":", "，": ",", "｛": "{", "｝": "}", "［": "[", "］": "]",
              '\\"': '"', "\\\\": "\\", "\\n": "\n"}  # fmt: skip
_DOUBLED_KEY = re.compile(r'[{,]\s*+""(?=\w)[^"{}\[\],:]++""\s*+:')
_SIGNS = re.compile("|".join(map(re.escape, _FOR_SIGNS)))


class _Found(NamedTuple):
    """An object in an answer: its value, position and repairs, and criteria for choosing it."""

    value: dict[str, Any]
    start: int
    end: int
    issues: Counter[str]
    alone: bool
    """Whether it stands first on its line, or after a code fence."""
    closed: bool

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        return bool(self.value), self.alone, self.closed


def to_document(
    answer: object, *, schema: object = None, token_scores: Iterable[tuple[str | bytes, float]] | None = None
) -> Parsed:
    """Read the document in an answer.

    Broken JSON is repaired: comments; missing or superfluous commas, quotes and brackets; single quotes; keys without
    quotes; Python's literals; ellipses; typographic quotes. Everything in a truncated text is kept, including the last
    value as far as it goes; a key without a value is dropped. An ambiguous value stays as it is written: a field
    `60,000` without quotes is text (in a list it is two elements), and no number is converted.

    Thoughts are no answer: what stands between `<think>` and `</think>`, or similar marks, is dropped, also if the
    thoughts do not end. Of several objects, the last one with content that stands first on its line or after a code
    fence is used; complete objects take precedence over truncated ones. The objects of a list are merged. The values of
    a repeated key become a list (`{"item": {...}, "item": {...}}` has two items); equal texts or numbers count once.
    After 20,000 broken objects, reading stops.

    Valid JSON is returned unchanged and without issues, with two exceptions: values that no metric could read are
    dropped, and confidences are repaired ("95%", 95 and "0.95") or dropped ("high").

    Args:
        answer (str): the text of an answer; a JSON object alone, in code fences, in prose, in a list. Or a value that
            has been parsed already.
        schema (dict): a JSON Schema, or a pydantic model class, that names the keys. Keys that match one of its
            properties, ignoring case and punctuation ("Total Price", `total_price`), get that name; others are dropped.
            Values stay as they are.
        token_scores (iterable of (str, float)): the text of each generated token, or its bytes in UTF-8, and its
            probability, in order. With them, every value becomes a scored leaf, whose confidence is the lowest
            probability of its tokens, quotes excluded. It is None for a value that had to be repaired, and for all of
            them if the signs of the answer were replaced first. Confidences that the model wrote are kept.

    Returns:
        Parsed: the document, and a line for each repaired or dropped part. The document of an answer without an object
        is None, which every family scores as the empty document and counts as invalid.

    Raises:
        ValueError: if the schema is not one, or the token scores are not such pairs; never for an answer.

    >>> to_document('Here you are:\\n```json\\n{"total": "12.00"}\\n```')
    Parsed(document={'total': '12.00'}, issues=['dropped the text around the JSON object'])
    >>> to_document('{"total": "12.').document
    {'total': '12.'}
    >>> to_document('{"Total Price": "12.00", "mood": "fine"}', schema={"properties": {"total_price": {}}})
    Parsed(document={'total_price': '12.00'}, issues=["dropped 'mood', which the schema does not have"])
    >>> to_document('{"total": "12.00"}', token_scores=[('{"total": "', 1.0), ("12.", 0.9), ('00"}', 0.7)]).document
    {'total': {'value': '12.00', 'confidence': 0.7}}
    """
    rename = renamer(schema) if schema is not None else None
    is_text = isinstance(answer, str | bytes | bytearray)
    text = _text(answer) if is_text else ""
    scores = None if token_scores is None else TokenScores(text, token_scores)
    value, issues = _from_text(text, scores) if is_text else _from_value(answer)
    if scores and scores.lost:
        issues = [*issues, f"{scores.lost} token scores are not numbers between 0 and 1"]
    if value is None:
        return Parsed(None, issues)
    if rename is None or not is_text:
        value, changes = scorable(value)
        issues = issues + changes
    if rename is not None:
        named, changes = rename(dict(value))
        issues = issues + changes
        if is_text or named != value:
            value, changes = scorable(named)  # last: a renamed object may have become a scored leaf
            issues = issues + changes
    return Parsed(dict(value), issues)


def to_list(answer: str) -> Parsed:
    """Read the list of objects in an answer: alone, in code fences, in prose.

    Broken JSON is not repaired. An answer with one object in place of a list is read by `to_document`.

    Args:
        answer (str): the text of an answer.

    Returns:
        Parsed: the objects, and a line for each dropped part; without a list or an object, None.

    >>> to_list('Here you are:\\n```json\\n[{"label": "total"}]\\n```')
    Parsed(document=[{'label': 'total'}], issues=['dropped the text around the JSON list'])
    """
    for text in outside_thoughts(answer):
        inside = text[text.find("[") : text.rfind("]") + 1]
        for part in (text, *_FENCE.split(text), inside):
            value = parsed(part.strip().removeprefix("json"))
            if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
                around = [] if part is answer else ["dropped the text around the JSON list"]
                objects, changes = scorable({"": value})
                return Parsed(objects[""], [*around, *changes])
    document, issues = to_document(answer)
    return Parsed([document] if isinstance(document, dict) else None, issues)


def _text(answer: Any) -> str:
    return str.__str__(answer) if isinstance(answer, str) else answer.decode("utf-8", errors="replace")


def _from_text(text: str, scores: TokenScores | None) -> tuple[Mapping[str, object] | None, list[str]]:
    issues: Counter[str] = Counter()
    try:
        check_nesting(text)
        value = _decoder(issues).decode(text)
    except ValueError:
        return _from_prose(text, scores)
    if isinstance(value, str):  # JSON in JSON
        return _from_text(value, _unknown(scores))
    if scores and isinstance(value, dict | list):
        value, issues = decode(text, 0, len(text), scores)
    document, changes = _from_value(value)
    return document, issue_lines(issues) + changes


def _unknown(scores: TokenScores | None) -> TokenScores | None:
    """Scores of a text whose signs are others than those of the tokens: none is known."""
    return scores and TokenScores("", ())


def _decoder(issues: Counter[str]) -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=lambda pairs: object_of(pairs, issues))


def _from_value(value: object) -> tuple[Mapping[str, object] | None, list[str]]:
    value_type = json_kind(value)
    value = plain(value)
    if isinstance(value, Mapping):
        return value, []
    elements = map(plain, value) if isinstance(value, list | tuple) else ()
    objects = [element for element in elements if isinstance(element, Mapping)]
    if not objects:
        return None, [f"expected a JSON object, got {value_type}"]
    if len(objects) == 1:
        return objects[0], ["took the one object out of its list"]
    return _merged(objects), [f"merged {len(objects)} JSON objects of a list"]


def _merged(objects: list[Mapping[str, object]]) -> JsonObject:
    return object_of([pair for each in objects for pair in each.items()], Counter())


def _from_prose(text: str, scores: TokenScores | None) -> tuple[dict[str, object] | None, list[str]]:
    outside = outside_thoughts(text)
    if outside == [text]:
        return _in_any_form(text, scores) or (None, ["no JSON object"])
    for part in outside:
        if result := _in_any_form(part, scores):
            return result[0], ["dropped the thoughts beside the answer", *result[1]]
    return None, ["no JSON object beside the thoughts"]


def _in_any_form(text: str, scores: TokenScores | None) -> tuple[JsonObject, list[str]] | None:
    is_doubled = text.count('"') <= 2 * text.count('""') + 2  # as in a cell of CSV, which may be quoted itself
    if is_doubled and _DOUBLED_KEY.search(text) and (result := _best_object(text.replace('""', '"'), _unknown(scores))):
        return result[0], ["read doubled quotes as single ones", *result[1]]
    if result := _best_object(text, scores):
        return result
    straight = _SIGNS.sub(lambda match: _FOR_SIGNS[match[0]], text)
    if straight != text and (result := _best_object(straight, _unknown(scores))):
        return result[0], ["read other quotes, escapes or full-width signs as those of JSON", *result[1]]
    return _best_object(text, scores, is_loose=True)


def _best_object(
    text: str, scores: TokenScores | None, *, is_loose: bool = False
) -> tuple[JsonObject, list[str]] | None:
    best, place, number = None, 0, 0
    for candidate in _objects(text, scores, is_loose):
        if candidate.value or candidate.closed:
            number += 1
            if best is None or candidate.rank >= best.rank:
                best, place = candidate, number
    if best is None:
        return None
    issues = issue_lines(best.issues)
    if number > 1:
        issues.insert(0, f"took JSON object {place} of {number}")
    elif text[: best.start].strip() or text[best.end :].strip():
        issues.insert(0, "dropped the text around the JSON object")
    return best.value, issues


def _objects(text: str, scores: TokenScores | None, is_loose: bool) -> Iterator[_Found]:
    """The outermost objects in a text, in order; those of a list count as one.

    A broken object ends at a code fence at the latest. Objects that seem to be inside it are left out.
    """
    attempts = 0 if may_be_deep(text) else MAX_JSON_ATTEMPTS
    fences = [fence.start() for fence in _FENCE.finditer(text)] + [len(text)]
    position = failures = 0
    in_list = is_torn = False
    of_one_list: list[_Found] = []
    hopeless = set[object]()
    while failures < MAX_BROKEN_OBJECTS and (place := find_start(text, position, is_loose=is_loose)):
        start, inside = place
        before = text[max(0, start - 50) : start]
        alone = _LINE_START.search(before) is not None
        found = _valid_object(text, start, alone, scores) if failures < attempts else None
        is_valid = found is not None
        if found is None:
            failures += 1
            limit = max(inside, fences[bisect_right(fences, start)])
            found = _broken_object(text, start, alone, Reader(text, inside, limit, hopeless, scores))
        is_part = is_torn and before.rstrip().endswith(_INSIDE)  # of the broken object before it
        if in_list and not text[position:start].strip(" \t\r\n,"):
            of_one_list.append(found)
        elif not is_part:
            if of_one_list:
                yield _as_one(of_one_list)
            of_one_list, in_list = [found], before.rstrip().endswith("[")
        is_torn = not is_valid or is_part
        position = found.end
    if of_one_list:
        yield _as_one(of_one_list)


def _as_one(objects: list[_Found]) -> _Found:
    first, last = objects[0], objects[-1]
    if len(objects) == 1:
        return first
    issues = Counter({f"merged {len(objects)} JSON objects of a list": 1})
    for each in objects:
        issues.update(each.issues)
    value = _merged([each.value for each in objects])
    return _Found(value, first.start, last.end, issues, first.alone, last.closed)


def _valid_object(text: str, start: int, alone: bool, scores: TokenScores | None) -> _Found | None:
    issues: Counter[str] = Counter()
    try:
        value, end = _decoder(issues).raw_decode(text, start)
    except ValueError:
        return None
    if not isinstance(value, dict) or is_closed_too_early(text, end):
        return None
    if scores:
        value, issues = decode(text, start, end, scores)
    return _Found(value, start, end, issues, alone, closed=True)


def _broken_object(text: str, start: int, alone: bool, reader: Reader) -> _Found:
    reader.issues["added the first bracket"] += text[start] != "{"
    value, closed = reader.read()
    return _Found(value, start, reader.position, reader.issues, alone, closed)
