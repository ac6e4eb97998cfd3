"""The planted changes: a table of how two sides of the same documents come to be written differently.

A plant takes a draft, the side that it changes ("references", "predictions" or "both") and dice. It gives what it
planted, or None where it changes nothing that must be found: fewer than three values, or less than half of those that
it concerns, are right. Nothing of docie is imported.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable
from typing import NamedTuple

from planted_drafts import SIDES, Draft, Options, Planted, of_sides, shuffled, sides
from planted_formats import FORMATS
from planted_sources import Document, Path_
from planted_structures import RECORDS, RENAMES, SWAPPED

BOTH = (*SIDES, "both")
PREDICTIONS = ("predictions",)
ID_KEYS = ("custom_id", "file_name", "doc_id", "document_id")
ENDINGS = (".pdf", ".png", ".json", ".tif")
LEAST_RISE = 0.025
"""A little more than what a finding about failures must raise the score."""


class Plant(NamedTuple):
    """A kind of change: its hypothesis, its name, the sides that it may change, and what plants it."""

    kind: str
    name: str
    sides: tuple[str, ...]
    put: Callable[[Draft, str, random.Random], Planted | None]


def change_ids(
    draft: Draft,
    side: str,
    dice: random.Random,
    *,
    key: bool = False,
    flat: bool = False,
    written: Callable[[str, str, random.Random], str] | None = None,
) -> Planted | None:
    """Ids stand under another key, beside the fields (`flat`), or are written in another way; the order is another."""
    keys = dice.sample(ID_KEYS, 2)
    for each, name in zip(sides(side), keys, strict=False):
        layout = draft.layouts[each]
        if key:
            layout.id_key = name
        if flat:
            layout.path = ()
        if written:
            # one way of writing for all ids of a side
            seed = dice.random()
            layout.names = {one: written(one, each, random.Random(seed)) for one in layout.order}
    draft.layouts["predictions"].order = shuffled(draft.layouts["predictions"].order, dice)
    used = keys[: len(sides(side))] if key else []

    def asks(options: Options) -> bool:
        return {*used} <= {*of_sides(options, "id")} and (written is None or bool(of_sides(options, "strip_id")))

    return draft.planted("join", asks)


def file_ending(name: str, side: str, dice: random.Random) -> str:
    return name + dice.choice(ENDINGS if side == "references" else ENDINGS[::-1])


def folder(name: str, side: str, dice: random.Random) -> str:
    return f"{dice.choice(('scans', 'data/test', '/mnt/in'))}/{side}/{name}"


def file_in_folder(name: str, side: str, dice: random.Random) -> str:
    return file_ending(folder(name, side, dice), side, dice)


def suffix(name: str, side: str, dice: random.Random) -> str:
    return name + dice.choice(("_gt", "-label", ".ref") if side == "references" else ("_pred", "-out", "_v2"))


def prefix(name: str, side: str, dice: random.Random) -> str:
    return dice.choice(("gt_", "label-") if side == "references" else ("pred_", "run3-")) + name


def drop_rows(draft: Draft, side: str, dice: random.Random) -> Planted | None:
    """Some documents are missing on one side: extra predictions, or missing ones, which are read as empty documents."""
    layout = draft.layouts[side]
    dropped = set(dice.sample(layout.order, max(1, round(len(layout.order) * dice.uniform(0.05, 0.4)))))
    layout.order = [one for one in layout.order if one not in dropped]
    if side == "references":
        return draft.planted("join", lambda options: options.get("join.extra") == "drop")
    draft.missing = sorted(dropped)
    return draft.planted("join", lambda options: "join.missing" in options)


def unrelated_ids(draft: Draft, side: str, dice: random.Random) -> Planted | None:
    """The ids of a side are its own; rows stand in the same order."""
    layout = draft.layouts[side]
    layout.names = {one: f"{dice.getrandbits(48):012x}" for one in layout.order}
    return draft.planted("join", lambda options: bool(of_sides(options, "id")))


def fail(draft: Draft, side: str, dice: random.Random, *, report: Document, is_row: bool = False) -> Planted | None:
    """Some predictions, or their whole rows, are reports of a failure."""
    draft.has_bare_failures = is_row
    failing = dice.sample(draft.ids, round(len(draft.ids) * dice.uniform(0.2, 0.6)))
    for one in failing:
        draft.failures[one] = report
        draft.sound["predictions"][one] = None
    number = len(failing) * len(report)
    is_found = number >= 3 and draft.score() - draft.score(with_failures=True) >= LEAST_RISE
    return Planted("failures", lambda _: True, number, number) if is_found else None


def wrap(
    draft: Draft,
    side: str,
    dice: random.Random,
    *,
    path: Path_,
    as_text: bool = False,
    beside: tuple[str, ...] = (),
    has_ids: bool = True,
    inside: bool = False,
) -> Planted | None:
    """Documents stand under other keys: in place of those of a wrapper, or `inside` of them."""
    layout = draft.layouts[side]
    is_free = layout.path == () or len(layout.path) == 1
    has_own_ids = any(each.id_key != "id" or each.names for each in draft.layouts.values())
    if not is_free or (draft.keeps_meta and side == "references") or (not has_ids and has_own_ids):
        return None
    if not has_ids and {*draft.layouts["references"].order} != {*draft.layouts["predictions"].order}:
        return None
    layout.path, layout.as_text, layout.beside = (*layout.path, *path) if inside else path, as_text, beside
    if not has_ids:
        for each in draft.layouts.values():
            each.id_key = None
    return draft.planted("unwrap", functools.partial(_unwraps, set(path), {*beside}, side))


def _unwraps(path: set[str], beside: set[str], side: str, options: Options) -> bool:
    is_unwrapped = bool(path & {*str(options.get(f"{side}.unwrap", "")).split(".")})
    return is_unwrapped or bool(beside and beside <= {*of_sides(options, "ignore")})


def put_in_one_object(draft: Draft, side: str, dice: random.Random) -> Planted | None:
    """One object holds a list of all rows."""
    name = dice.choice(("documents", "results", "data", "receipts"))
    for each in sides(side):
        draft.layouts[each].envelope = name
    if side == "both":
        draft.layouts["predictions"].order = shuffled(draft.layouts["predictions"].order, dice)
    return draft.planted("unwrap", lambda options: any(name in each for each in of_sides(options, "unwrap")))


def _with(put: Callable[..., Planted | None], **variation: object) -> Callable[..., Planted | None]:
    return functools.partial(put, **variation)


_ERROR: Document = {"error": "internal server error", "code": 500, "request_id": "req-77", "retry_after": 20}
_FAILURES = {
    "error": _with(fail, report={"error": "timeout"}),
    "error-with-code": _with(fail, report=_ERROR),
    "error-rows": _with(fail, report=_ERROR, is_row=True),
    "detail-rows": _with(fail, report={"detail": "Rate limit exceeded", "status": 429, "limit": 60}, is_row=True),
}
_JOINS = {
    "other-key": (BOTH, _with(change_ids, key=True)),
    "other-key-beside-fields": (BOTH, _with(change_ids, key=True, flat=True)),
    "file-endings": (SIDES, _with(change_ids, written=file_ending)),
    "folders": (BOTH, _with(change_ids, written=folder)),
    "files-in-folders": (BOTH, _with(change_ids, written=file_in_folder)),
    "file-under-other-key": (SIDES, _with(change_ids, key=True, written=file_in_folder)),
    "suffixes": (BOTH, _with(change_ids, written=suffix)),
    "prefixes": (BOTH, _with(change_ids, written=prefix)),
    "fewer-rows": (SIDES, drop_rows),
    "unrelated-ids": (SIDES, unrelated_ids),
}
_UNWRAPS = {
    "one-key": (SIDES, _with(wrap, path=("invoice",))),
    "one-key-no-ids": (SIDES, _with(wrap, path=("extraction",), has_ids=False)),
    "key-in-wrapper": (SIDES, _with(wrap, path=("fields",), inside=True)),
    "chain": (SIDES, _with(wrap, path=("output", "data"))),
    "chain-no-ids": (SIDES, _with(wrap, path=("response", "result"), has_ids=False)),
    "text": (SIDES, _with(wrap, path=("response",), as_text=True)),
    "columns-beside": (SIDES, _with(wrap, path=("document",), beside=("model", "latency"))),
    "columns-beside-key": (PREDICTIONS, _with(wrap, path=("parsed",), beside=("model", "latency", "pages"))),
    "image-and-text": (
        ("references",),
        _with(wrap, path=("ground_truth",), as_text=True, beside=("image",), has_ids=False),
    ),
    "gt-parse": (
        ("references",),
        _with(wrap, path=("ground_truth", "gt_parse"), beside=("image",), has_ids=False),
    ),
    "one-object": (BOTH, put_in_one_object),
}


def _plants() -> Iterable[Plant]:
    for kind, table in (("join", _JOINS), ("unwrap", _UNWRAPS)):
        for name, (where, change) in table.items():
            yield Plant(kind, name, where, change)
    for name, put in _FAILURES.items():
        yield Plant("failures", name, PREDICTIONS, put)
    for kind, contents in (("format", FORMATS), ("rename", RENAMES), ("records", RECORDS)):
        for name, put in contents.items():
            yield Plant(kind, name, BOTH if name in SWAPPED else SIDES, put)


KINDS = ("join", "failures", "format", "rename", "records", "unwrap")
"""The order in which changes are planted."""
PLANTS = {plant.name: plant for plant in _plants()}
