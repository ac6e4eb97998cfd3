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
from docie.adapters.parsed import Parsed, listed, object_of
from docie.adapters.repair import Reader, find_start, goes_on
from docie.adapters.schema import with_names_of
from docie.adapters.scorable import plain, scorable
from docie.errors import shortened
from docie.jsontext import with_room

__all__ = ["Parsed", "prompt", "to_document"]

_PATIENCE = 1000  # broken objects that json may try to read: for each error it counts all lines before
_MOST_BROKEN = 20_000  # objects in one text: what goes on for longer is a model that repeats itself
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_THOUGHT = re.compile(r"</(?:think|thinking|reasoning)>")
_LINE_START = re.compile(r"(?:^|\n|```\w*+)[ \t]*+\[?\s*+\Z")
_INSIDE = (",", "[", '":')
_FOR_SIGNS = {"“": '"', "”": '"', "„": '"', "＂": '"', "&quot;": '"', "‘": "'", "’": "'", "‚": "'", "＇": "'",
              "：": ":", "，": ",", "｛": "{", "｝": "}", "［": "[", "］": "]",
              '\\"': '"', "\\\\": "\\", "\\n": "\n"}  # fmt: skip
_SIGNS = re.compile("|".join(map(re.escape, _FOR_SIGNS)))
_TASK = (
    "Read the document and answer with one JSON object of this form, where each value says what belongs in its place:"
)


class _Found(NamedTuple):
    """An object in an answer: its value, its place, what was repaired, and what speaks for it."""

    value: dict[str, Any]
    start: int
    end: int
    issues: Counter[str]
    alone: bool
    """Whether it stands first on its line, or behind a code fence."""
    closed: bool

    @property
    def rank(self) -> tuple[bool, bool, bool]:
        return bool(self.value), self.alone, self.closed


def to_document(answer: object, *, schema: object = None) -> Parsed:
    """The document in an answer: a JSON object by itself, in code fences, in prose, in a list; or a parsed one.

    Broken JSON is repaired: comments, commas, quotes and brackets that are missing or too many, single quotes, keys
    without quotes, Python's literals, ellipses, typographic quotes. Of a text that ends too soon everything is kept,
    the last value as far as it goes; a key without a value is dropped. A value that no reader could be sure of stays as
    it stands: a field `60,000` without quotes is text (in a list it is two elements), no number is converted.

    What a model thought before `</think>` counts only if no object follows. Of several objects the last is taken that
    has content and stands first on its line or behind a code fence, a complete one before one that is cut off; those
    of a list are merged. A repeated key's values become a list (`{"item": {...}, "item": {...}}` has two items), equal
    texts or numbers count once. Valid JSON comes out unchanged otherwise, without issues, but for what no metric could
    read (see `docie.adapters.scorable`) and for confidences: "95%", 95 and "0.95" are repaired, "high" is dropped.

    An answer without an object gives None, which every family scores as the empty document and counts as invalid. After
    20,000 broken objects nothing more is read.

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
    found = plain(value)
    if isinstance(found, Mapping):
        return found, []
    elements = map(plain, found) if isinstance(found, list | tuple) else ()
    objects = [element for element in elements if isinstance(element, Mapping)]
    if not objects:
        return None, [f"expected a JSON object, got {'null' if value is None else type(value).__name__}"]
    if len(objects) == 1:
        return objects[0], ["took the one object out of its list"]
    return _merged(objects), [f"merged {len(objects)} JSON objects of a list"]


def _merged(objects: list[Mapping[Any, Any]]) -> dict[str, Any]:
    return object_of([pair for each in objects for pair in each.items()], Counter())


def _from_prose(text: str) -> tuple[dict[str, Any] | None, list[str]]:
    thoughts = [thought.end() for thought in _THOUGHT.finditer(text)]
    if thoughts and (found := _in_any_form(text[thoughts[-1] :])):
        return found[0], ["dropped the thoughts before the answer", *found[1]]
    return _in_any_form(text) or (None, ["no JSON object"])


def _in_any_form(text: str) -> tuple[dict[str, Any], list[str]] | None:
    if found := _best_of(text):
        return found
    straight = _SIGNS.sub(lambda sign: _FOR_SIGNS[sign[0]], text)
    if straight != text and (found := _best_of(straight)):
        return found[0], ["read other quotes, escapes or full-width signs as those of JSON", *found[1]]
    return _best_of(text, loose=True)


def _best_of(text: str, *, loose: bool = False) -> tuple[dict[str, Any], list[str]] | None:
    best, place, number = None, 0, 0
    for found in _objects(text, loose):
        if found.value or found.closed:
            number += 1
            if best is None or found.rank >= best.rank:
                best, place = found, number
    if best is None:
        return None
    issues = listed(best.issues)
    if number > 1:
        issues.insert(0, f"took JSON object {place} of {number}")
    elif text[: best.start].strip() or text[best.end :].strip():
        issues.insert(0, "dropped the text around the JSON object")
    return best.value, issues


def _objects(text: str, loose: bool) -> Iterator[_Found]:
    """The outermost objects in a text, in order, those of a list as one; a broken one ends at a code fence at the
    latest, and what seems to be inside of it is left out."""
    fences = [fence.start() for fence in _FENCE.finditer(text)] + [len(text)]
    position = failures = 0
    in_list = torn = False
    found_together: list[_Found] = []
    hopeless = set[object]()
    while failures < _MOST_BROKEN and (place := find_start(text, position, loose=loose)):
        start, inside = place
        before = text[max(0, start - 50) : start]
        alone = _LINE_START.search(before) is not None
        found = _valid_object(text, start, alone) if failures < _PATIENCE else None
        valid = found is not None
        if found is None:
            failures += 1
            limit = max(inside, fences[bisect_right(fences, start)])
            found = _broken_object(text, start, alone, Reader(text, inside, limit, hopeless))
        is_part = torn and before.rstrip().endswith(_INSIDE)  # of the broken object before it
        if in_list and not text[position:start].strip(" \t\r\n,"):
            found_together.append(found)
        elif not is_part:
            if found_together:
                yield _as_one(found_together)
            found_together, in_list = [found], before.rstrip().endswith("[")
        torn = not valid or is_part
        position = found.end
    if found_together:
        yield _as_one(found_together)


def _as_one(objects: list[_Found]) -> _Found:
    first, last = objects[0], objects[-1]
    if len(objects) == 1:
        return first
    issues = Counter({f"merged {len(objects)} JSON objects of a list": 1})
    for found in objects:
        issues.update(found.issues)
    value = _merged([found.value for found in objects])
    return _Found(value, first.start, last.end, issues, first.alone, last.closed)


def _valid_object(text: str, start: int, alone: bool) -> _Found | None:
    issues: Counter[str] = Counter()
    try:
        value, end = with_room(partial(_decoder(issues).raw_decode, text, start))
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict) or goes_on(text, end):
        return None
    return _Found(value, start, end, issues, alone, closed=True)


def _broken_object(text: str, start: int, alone: bool, reader: Reader) -> _Found:
    reader.issues["added the first bracket"] += text[start] != "{"
    value, closed = reader.read()
    return _Found(value, start, reader.position, reader.issues, alone, closed)


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
