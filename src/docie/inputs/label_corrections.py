"""Labels that people found wrong: references are corrected while they are read, and stay as they are in their file.

People judge values on which a system and the references disagree, one JSON object a line. These are corrections of
references; those that KIEval counts are of predictions.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from docie.core.errors import DocumentError, InputError, errors_of_document, in_json, shortened, with_close_names
from docie.core.explanation import path_of
from docie.core.matching.one_to_one import first_pairs
from docie.core.phrases import counted
from docie.core.settings import check_choice
from docie.core.values.json_text import ANY_OF, as_json
from docie.core.values.plain import JsonObject, longer_path
from docie.documents.leaves import answers_of, is_leaf, is_scored_leaf
from docie.documents.values import Leaf, has_values, values_of
from docie.inputs.kinds import INPUT_KINDS, input_kind_of
from docie.inputs.reading import Reading
from docie.inputs.row import Pair
from docie.inputs.sources.lines import Lines

Name = str | int
"""The id of a document, or its number, counted from 0."""
VERDICTS = ("label", "value", "both")
"""What is correct: the label, the value in its place, or both."""
KEYS = ("id", "path", "verdict", "old", "new")
_IN_GROUP = re.compile(r"(.*?)\[(\+?)([0-9]{1,9})\]\.(.+)", re.DOTALL)
_NUMBER = re.compile(r"\[\+?[0-9]+\]")
_GONE: Any = object()
"""Stands for a value that is taken out, until all others are changed."""


class Judgement(NamedTuple):
    """What somebody said of a value of a document.

    Attributes:
        place: where that stands, such as "changes.jsonl:7".
        document: the document.
        path: the place of the value, as `docie.core.explanation.path_of` names it.
        verdict: what is correct, one of `VERDICTS`.
        old: the label, or one of its alternatives; None if the reference has no such value.
        new: the value in its place; None if there should be none.
    """

    place: str
    document: Name
    path: str
    verdict: Literal["label", "value", "both"]
    old: str | None
    new: str | None

    @property
    def changes(self) -> bool:
        """Whether the reference becomes another."""
        return self.verdict != "label" and self.old != self.new

    def error(self, problem: str) -> InputError:
        """An error in it."""
        return InputError(f"{self.place}: document {shortened(self.document)} {problem}")


@dataclass(frozen=True)
class LabelCorrections:
    """All that was judged.

    >>> row = {"id": "r-1", "path": "total", "verdict": "value", "old": "12.00", "new": "12.80", "by": "Ana"}
    >>> LabelCorrections.of([row, {**row, "verdict": "label"}]).changes
    1
    """

    judgements: tuple[Judgement, ...]

    @staticmethod
    def of(given: Any, *, reads_files: bool = True) -> LabelCorrections:
        """The judgements in a file, by its path, or in rows; a server takes rows only.

        Raises:
            InputError: for one that cannot be read.
        """
        if reads_files and isinstance(given, str | os.PathLike):
            lines = Lines(os.fspath(given), side="reference", parse="no")
            return LabelCorrections(tuple(_judgement(row.place, row.document) for row in lines))
        if isinstance(given, Mapping | str) or not isinstance(given, Iterable):
            expected = "a path or a list of rows" if reads_files else "a list of rows"
            raise InputError(f"corrections must be {expected}, got {shortened(given)}")
        return LabelCorrections(tuple(_judgement(f"corrections[{place}]", row) for place, row in enumerate(given)))

    @property
    def changes(self) -> int:
        """How many of them change a reference."""
        return sum(each.changes for each in self.judgements)

    @cached_property
    def by_document(self) -> Mapping[Name, Sequence[Judgement]]:
        """The judgements of each document."""
        found = defaultdict[Name, list[Judgement]](list)
        for each in self.judgements:
            found[each.document].append(each)
        return dict(found)

    @cached_property
    def judged(self) -> Collection[tuple[Name, str]]:
        """Each document and path that somebody judged."""
        return {(each.document, each.path) for each in self.judgements}

    def applied(self, pairs: Iterable[Pair], left_out: Collection[str]) -> Iterator[Pair]:
        """The pairs of a corpus, with corrected references.

        Args:
            pairs: all of them.
            left_out: the ids of references that have no pair, known once all were read.

        Raises:
            DocumentError: for a reference that cannot be read.
            InputError: for a value that is not there; at the end, for a document that is not.
        """
        met = set[Name]()
        for number, pair in enumerate(pairs):
            name, row = name_of(pair, number), pair.reference
            met.add(name)
            if judgements := self.by_document.get(name):
                with errors_of_document(number, pair.places):
                    document = corrected(row.document, judgements)
                if document is not row.document:
                    pair = pair._replace(reference=row._replace(document=document, uncorrected=row.document))
            yield pair
        for name, judgements in self.by_document.items():
            if name not in met and name not in left_out:
                names = "ids" if any(isinstance(each, str) for each in met) else "numbers from 0"
                raise judgements[0].error(f"is not in the references, whose documents have {names}")


def with_corrections(reading: Reading, given: Any, *, reads_files: bool = True) -> Reading:
    """A reading with label corrections, from a path or rows; None for none. A server takes rows only.

    Raises:
        InputError: for corrections that cannot be read.
    """
    if given is None:
        return reading
    return replace(reading, corrections=LabelCorrections.of(given, reads_files=reads_files))


def name_of(pair: Pair, number: int) -> Name:
    """What reports call the document of a pair: its id or, without one, its number.

    >>> from docie.inputs.row import Row
    >>> name_of(Pair(Row({}), Row({}, id="r-1")), 0), name_of(Pair(Row({}), Row({})), 0)
    ('r-1', 0)
    """
    return number if pair.id is None else pair.id


def _judgement(place: str, row: object) -> Judgement:
    """The judgement in a row. Blank texts are no values."""
    try:
        if not isinstance(row, Mapping):
            raise ValueError(f"not a JSON object: {in_json(row)}")
        verdict: Any = row.get("verdict")
        if missing := [key for key in KEYS if key not in row and (key, verdict) != ("new", "label")]:
            raise ValueError(f"no key {missing[0]!r}; expected {', '.join(KEYS)}")
        check_choice("verdict", verdict, *VERDICTS)
        name, path = row["id"], row["path"]
        if isinstance(name, bool) or not isinstance(name, str | int):
            raise ValueError(f"id must be text or a whole number, got {in_json(name)}")
        if not isinstance(path, str):
            raise ValueError(f"path must be text, got {in_json(path)}")
        old, new = (_text(key, row.get(key)) for key in ("old", "new"))
        if verdict == "both" and None in (old, new):
            raise ValueError(f"the verdict both needs two texts, got old {in_json(old)} and new {in_json(new)}")
    except ValueError as error:
        raise InputError(f"{place}: {error}") from None
    return Judgement(place, name, path, verdict, old, new)


def _text(key: str, value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} must be text or null, got {in_json(value)}")
    return value if value and not value.isspace() else None


def corrected(document: Any, judgements: Sequence[Judgement]) -> Any:
    """A reference as judgements have it: a copy, or the document itself if they change nothing.

    Args:
        document: the reference.
        judgements: those of its values, all as they stand.

    Raises:
        DocumentError: for a reference that is no JSON object, or cannot be read.
        InputError: if a value is not there.

    >>> rows = [
    ...     {"id": 0, "path": "total", "verdict": "both", "old": "12.00", "new": "12"},
    ...     {"id": 0, "path": "items[0].options.name", "verdict": "value", "old": None, "new": "oat"},
    ...     {"id": 0, "path": "items[+1].name", "verdict": "value", "old": None, "new": "Tea"},
    ... ]
    >>> corrected({"total": "12.00", "items": {"name": "Latte"}}, LabelCorrections.of(rows).judgements)
    {'total': {'$any_of': ['12.00', '12']}, 'items': [{'name': 'Latte', 'options': {'name': 'oat'}}, {'name': 'Tea'}]}
    """
    if (kind := input_kind_of(document)) != "document":
        got = shortened(document) if kind in (None, "value") else INPUT_KINDS[kind]
        raise DocumentError(f"corrections are of labels in JSON objects, got {got}", side="reference")
    labels = [*_labels(judgements, document)]
    result = as_json(document, is_reference=True)
    added = [(each, _target(each, result)) for each in judgements if each.old is None]
    if not any(each.changes for each in judgements):
        return document
    for judgement, label in labels:
        if judgement.changes:
            _replace(result, label, judgement)
    new_groups: dict[tuple[str, int], JsonObject] = {}
    for judgement, target in added:
        if judgement.changes:
            _add(result, target, judgement.new, new_groups)
    for (group_type, _), group in sorted(new_groups.items(), key=lambda item: item[0]):
        result[group_type] = _with([] if _is_absent(held := result.get(group_type)) else held, group)
    swept = _swept(result)
    return {} if swept is _GONE else swept


def _labels(judgements: Iterable[Judgement], document: JsonObject) -> Iterator[tuple[Judgement, Leaf]]:
    """The value that each judgement is of. Of several that fit, it is one with few alternatives.

    Raises:
        InputError: if a value is not there, or is judged more often than it is there.
    """
    values, at = values_of(document, "reference"), defaultdict[str, list[Leaf]](list)
    for leaf in values.ungrouped:
        at[leaf.type].append(leaf)
    for group_type, groups in values.groups.items():
        for number, group in enumerate(groups):
            for leaf in group:
                at[path_of(group_type, None, number, leaf.type)].append(leaf)
    by_path = defaultdict[str, list[Judgement]](list)
    for each in judgements:
        if each.old is not None:
            by_path[each.path].append(each)
    for path, those in by_path.items():
        if path not in at:
            raise those[0].error(f"has no value at {with_close_names([path], at)}")
        leaves = sorted(at[path], key=lambda leaf: len(answers_of(leaf.written)))
        places = defaultdict[str, list[int]](list)
        for place, leaf in enumerate(leaves):
            for answer in answers_of(leaf.written):
                places[answer].append(place)
        pairs = dict(first_pairs([str(each.old) for each in those], places))
        for place, each in enumerate(those):
            if place not in pairs:
                there = ", ".join(shortened(answer) for leaf in at[path] for answer in answers_of(leaf.written))
                often = " for another judgement" if each.old in places else ""
                raise each.error(f"has no {shortened(each.old)}{often} at {path}, which holds {there}")
            yield each, leaves[pairs[place]]


class _Target(NamedTuple):
    """Where a value is added: its entity type, and the type and the number of its group, which may be a new one."""

    entity_type: str
    group_type: str | None = None
    number: int = 0
    is_new: bool = False


def _target(judgement: Judgement, document: JsonObject) -> _Target:
    """Where a judgement adds a value.

    Raises:
        InputError: if there is no such group.
    """
    found = _IN_GROUP.fullmatch(judgement.path)
    if found is None and _NUMBER.search(judgement.path):
        raise judgement.error(f"has no value at {judgement.path!r}; expected a place such as items[0].name")
    if found is None:
        return _Target(judgement.path)
    group_type, plus, number, field = found.groups()
    target = _Target(f"{group_type}.{field}", group_type, int(number), bool(plus))
    groups = [*_objects(document.get(group_type))]
    if not plus and len(groups) <= target.number:
        raise judgement.error(f"has no {group_type}[{number}], but {counted(len(groups), 'such group')}")
    return target


def _objects(value: Any) -> Iterator[JsonObject]:
    """The objects in a value, or in lists in it, that are no leaves: at the root, groups in their order."""
    if isinstance(value, dict):
        if not is_leaf(value, "reference"):
            yield value
    elif isinstance(value, list):
        for element in value:
            yield from _objects(element)


def _replace(result: JsonObject, label: Leaf, judgement: Judgement) -> None:
    """Put what is correct into the place of a label; a value with a confidence or a box keeps them."""
    *path, last = label.path
    holder: Any = result
    for key in path:
        holder = holder[key]
    if judgement.verdict == "both":
        holder[last] = {ANY_OF: [*dict.fromkeys([*answers_of(label.written), judgement.new])]}
    elif judgement.new is None:
        holder[last] = _GONE
    elif isinstance(holder[last], dict) and is_scored_leaf(holder[last]):
        holder[last]["value"] = judgement.new
    else:
        holder[last] = judgement.new


def _add(result: JsonObject, target: _Target, text: Any, new_groups: dict[tuple[str, int], JsonObject]) -> None:
    """Add a value outside of groups, to a group, or to a new group, which is kept until all are complete."""
    entity_type, group_type, number, is_new = target
    if group_type is None:
        result[entity_type] = _with(result.get(entity_type), text)
        return
    group = new_groups.setdefault((group_type, number), {}) if is_new else [*_objects(result[group_type])][number]
    _add_inside(group, entity_type, text, group_type, f"{group_type}.")


def _add_inside(holder: JsonObject, entity_type: str, text: Any, path: str, root: str) -> None:
    """Add a value to an object of a group: beside others of its type, into an inner object that lacks it, or a new one.

    Args:
        holder: the object.
        entity_type, text: the value.
        path: what the entity types of the object begin with.
        root: what those of its group begin with.
    """
    types = {longer_path(path, root, key): key for key in holder}
    if entity_type in types:
        holder[types[entity_type]] = _with(holder[types[entity_type]], text)
        return
    name, dot, _ = entity_type.removeprefix(f"{path}.").partition(".")
    if not dot:
        holder[name] = text
        return
    for longer, key in types.items():
        if entity_type.startswith(f"{longer}."):
            for inner in _objects(holder[key]):
                lacks = not any(f"{entity_type}.".startswith(f"{longer_path(longer, root, each)}.") for each in inner)
                if lacks or inner is holder[key]:
                    _add_inside(inner, entity_type, text, longer, root)
                    return
    new: JsonObject = {}
    _add_inside(new, entity_type, text, f"{path}.{name}", root)
    holder[name] = _with(holder.get(name), new)


def _with(value: Any, new: object) -> Any:
    """What stands at a key to which a value or an object is added: a list, unless there was no value."""
    if isinstance(value, list):
        return [*value, new]
    return new if _is_absent(value) else [value, new]


def _is_absent(value: Any) -> bool:
    return value is _GONE or (is_leaf(value, "reference") and not has_values(value))


def _swept(value: Any) -> Any:
    """A value without what is gone, and without the objects and lists that have no other value."""
    if not isinstance(value, dict | list):
        return value
    items = value.items() if isinstance(value, dict) else enumerate(value)
    kept = {key: child for key, each in items if (child := _swept(each)) is not _GONE}
    swept = kept if isinstance(value, dict) else [*kept.values()]
    return swept if len(kept) == len(value) or has_values(swept) else _GONE
