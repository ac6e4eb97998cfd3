"""Answers of language models → documents, and the prompts that ask for them.

Reading never raises, and whatever it returns can be scored: what was repaired or dropped stands in `issues`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from docie.adapters.grouping import Entity, GroupTypes, slot_filling
from docie.adapters.parsed import Parsed, listed
from docie.adapters.repair import Reader, find_start, goes_on, object_of
from docie.adapters.schema import with_names_of
from docie.adapters.scorable import scorable
from docie.errors import shortened
from docie.jsontext import with_room
from docie.values import plain_value

__all__ = ["Parsed", "prompt", "to_document"]

_PATIENCE = 1000  # broken objects in one text, whose errors take longer the longer the text
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_INSIDE = (",", "[", '":')
_CURLY_QUOTES = re.compile(r"\{\s*“")
_TASK = (
    "Read the document and answer with one JSON object of this form, where each value says what belongs in its place:"
)
_VALID, _COMPLETE, _CUT = "the last one in valid JSON", "the last complete one", "the last one"


class _Found(NamedTuple):
    """An object in an answer: how good it is, its place, and what was repaired."""

    state: str
    value: dict[str, Any]
    start: int
    end: int
    issues: Counter[str]


def to_document(answer: object, *, schema: object = None) -> Parsed:
    """The document in an answer: a JSON object by itself, in code fences, in prose, in a list; or a parsed one.

    Broken JSON is repaired: comments, commas, quotes and brackets that are missing or too many, single quotes, keys
    without quotes, Python's literals. Of a text that ends too soon everything is kept, the last value as far as it
    goes; a key without a value is dropped. A value that no reader could be sure of stays as it stands: `60,000`
    without quotes is text, no number is converted.

    Of several objects the last one in valid JSON is taken, if there is none the last complete one, else the last.
    A repeated key's values become a list (`{"item": {...}, "item": {...}}` has two items), equal texts or numbers
    count once. Valid JSON comes out unchanged otherwise, without issues, but for what no metric could read (see
    `docie.adapters.scorable`) and for confidences: "95%", 95 and "0.95" are repaired, "high" is dropped.

    An answer without an object gives None, which every family scores as the empty document and counts as invalid.

    `schema`, a JSON Schema or a pydantic model class, names the keys: those that equal one of its properties but for
    case and signs ("Total Price", `total_price`) get that name, others are dropped; values stay as they are.

    Raises ValueError for a schema that is neither; for an answer never.

    >>> to_document('Here you are:\\n```json\\n{"total": "12.00"}\\n```')
    Parsed(document={'total': '12.00'}, issues=['dropped the text around the JSON object'])
    >>> to_document('{"total": "12.').document
    {'total': '12.'}
    >>> to_document('{"Total Price": "12.00", "mood": "fine"}', schema={"properties": {"total_price": {}}})
    Parsed(document={'total_price': '12.00'}, issues=["dropped 'mood', which the schema does not have"])
    """
    rename = with_names_of(schema) if schema is not None else None
    value, issues = _from_text(_text(answer)) if isinstance(answer, str | bytes | bytearray) else _from_value(answer)
    if value is None:
        return Parsed(None, issues)
    document, more = scorable(value)
    issues = issues + more
    if rename is not None:
        document, more = rename(document)
        issues = issues + more
    return Parsed(document, issues)


def _text(answer: str | bytes | bytearray) -> str:
    return str.__str__(answer) if isinstance(answer, str) else answer.decode("utf-8", errors="replace")


def _from_text(text: str) -> tuple[Mapping[Any, Any] | None, list[str]]:
    issues: Counter[str] = Counter()
    try:
        value = with_room(partial(_decoder(issues).decode, text))
    except (ValueError, RecursionError):
        return _from_prose(text)
    if isinstance(value, str):  # JSON in JSON
        return _from_text(value)
    found, more = _from_value(value)
    return found, listed(issues) + more


def _decoder(issues: Counter[str]) -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=lambda pairs: object_of(pairs, issues))


def _from_value(value: object) -> tuple[Mapping[Any, Any] | None, list[str]]:
    try:
        value = value.model_dump() if hasattr(value, "model_dump") else plain_value(value)  # an object of pydantic's
    except Exception:
        return None, [f"expected a JSON object, got {type(value).__name__}"]
    if isinstance(value, Mapping):
        return value, []
    objects = [element for element in value if isinstance(element, Mapping)] if isinstance(value, list | tuple) else []
    if not objects:
        return None, [f"expected a JSON object, got {'null' if value is None else type(value).__name__}"]
    return objects[-1], [
        "took the one object out of its list" if len(objects) == 1 else f"took the last of {len(objects)} JSON objects"
    ]


def _from_prose(text: str) -> tuple[dict[str, Any] | None, list[str]]:
    best, number = None, 0
    for found in _objects(text):
        number += 1
        if best is None or _RANKS[found.state] >= _RANKS[best.state]:
            best = found
    if best is None:
        return None, ["no JSON object"]
    issues = listed(best.issues)
    if number > 1:
        issues.insert(0, f"took {best.state} of {number} JSON objects")
    if text[: best.start].strip() or text[best.end :].strip():
        issues.insert(0, "dropped the text around the JSON object")
    return best.value, issues


_RANKS = {_CUT: 0, _COMPLETE: 1, _VALID: 2}


def _objects(text: str) -> Iterator[_Found]:
    """The outermost objects in a text, in order; a broken one ends at a code fence at the latest."""
    curly = _CURLY_QUOTES.search(text) is not None
    if curly:
        text = text.translate({ord(quote): '"' for quote in "“”"})
    fences = [fence.start() for fence in _FENCE.finditer(text)] + [len(text)]
    position = failures = 0
    torn, hopeless = False, dict[int, set[object]]()
    while place := find_start(text, position):
        start, inside = place
        found = _valid_object(text, start) if failures < _PATIENCE and not curly else None
        valid = found is not None
        if found is None:
            failures += 1
            limit = max(inside, fences[bisect_right(fences, start)])
            found = _broken_object(text, start, Reader(text, inside, limit, hopeless.setdefault(limit, set())))
            found.issues["read curly quotes as straight ones"] += curly
        if torn and text[max(0, start - 50) : start].rstrip().endswith(_INSIDE):
            found = found._replace(state=_CUT)  # a part of the broken object before it
        torn = not valid or (torn and found.state is _CUT)
        position = found.end
        if found.value or found.state is not _CUT:
            yield found


def _valid_object(text: str, start: int) -> _Found | None:
    issues: Counter[str] = Counter()
    try:
        value, end = with_room(partial(_decoder(issues).raw_decode, text, start))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or goes_on(text, end):
        return None
    return _Found(_VALID, value, start, end, issues)


def _broken_object(text: str, start: int, reader: Reader) -> _Found:
    reader.issues["added the first bracket"] += text[start] != "{"
    value, closed = reader.read()
    return _Found(_COMPLETE if closed else _CUT, value, start, reader.position, reader.issues)


def prompt(ontology: Mapping[str, str | None], *, groups: GroupTypes = (), confidences: bool = False) -> str:
    """A prompt that asks a model for the document of a page, in the form that `to_document` and the metrics read.

    `ontology` maps each entity type to a description, `groups` names the group types as in `grouping.slot_filling` (an
    entity type `menu.nm` belongs to `menu`): they become lists of objects. Keys are whole entity types, so that what
    the model writes has these types, in groups or not. `confidences` asks for objects with value and confidence.

    Raises ValueError for an ontology that is no mapping of texts to texts, or empty.

    >>> print(prompt({"menu.nm": "name of an item", "menu.price": "its price", "date": "ISO date"}, groups=["menu"]))
    Read the document and answer with one JSON object of this form, where each value says what belongs in its place:
    <BLANKLINE>
    {
      "menu": [
        {
          "menu.nm": "name of an item",
          "menu.price": "its price"
        }
      ],
      "date": "ISO date"
    }
    <BLANKLINE>
    - Use the keys exactly as they are given, and no others.
    - Copy values as they are printed on the page, as text; do not reformat, translate or compute them.
    - Leave out every key whose value is not on the page.
    - Where a key has several values, give a list of them.
    - Lists hold one object for each group on the page (such as a line item), in reading order.
    - Answer with the JSON object alone: no explanation, no comments.
    """
    if not isinstance(ontology, Mapping) or not ontology:
        raise ValueError(f"ontology must map entity types to descriptions, got {shortened(ontology)}")
    leaves = []
    for kind, description in ontology.items():
        if not isinstance(kind, str) or not isinstance(description, str | None):
            raise ValueError(f"ontology must map texts to texts, got {shortened(kind)}: {shortened(description)}")
        text = description or kind
        leaves.append(Entity(kind, {"value": text, "confidence": "0 to 1"} if confidences else text))
    form = slot_filling(leaves, groups)
    rules = [
        "Use the keys exactly as they are given, and no others.",
        "Copy values as they are printed on the page, as text; do not reformat, translate or compute them.",
        "Leave out every key whose value is not on the page.",
        "Where a key has several values, give a list of them.",
    ]
    if any(isinstance(value, list) for value in form.values()):
        rules.append("Lists hold one object for each group on the page (such as a line item), in reading order.")
    if confidences:
        rules.append("A confidence is a number from 0 to 1: how likely the value is to be right.")
    rules.append("Answer with the JSON object alone: no explanation, no comments.")
    shown = json.dumps(form, indent=2, ensure_ascii=False)
    return "\n".join([_TASK, "", shown, "", *(f"- {rule}" for rule in rules)])
