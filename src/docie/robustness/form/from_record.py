"""Records of words → the parts of a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from docie.core.errors import in_json, json_kind, shortened
from docie.core.settings import check_list
from docie.core.values.plain import as_list, is_list, is_number, plain_value
from docie.documents.tagging.schemes import OUTSIDE, split_tag
from docie.documents.tagging.spans import spans_of_words, tag_name
from docie.robustness.form.words import DATA_TYPES, Box, Field, PageSize, Word, check_labels, fitted

WORDS, BOXES = ("words", "tokens"), ("boxes", "bboxes", "bbox")
TAGS = "ner_tags"
NO_LABELS = ("", OUTSIDE, None)


def named(record: Mapping[str, object], choices: Sequence[str], *, needed: bool = True) -> str:
    """The name of the column that a record has, out of several with the same meaning; "" for none."""
    found = next((name for name in choices if record.get(name) is not None), "")
    if needed and not found:
        raise ValueError(f"column {choices[0]!r} is missing")
    return found


def column(record: Mapping[str, object], name: str, words: int | None = None, *, default: object = None) -> list[Any]:
    """A column with an element for each word; the default if the record has no such column."""
    values = record.get(name)
    if values is None and words is not None:
        return [default] * words
    if not is_list(values):
        raise ValueError(f"{name} must be a list, got {json_kind(values)}")
    elements = list(as_list(values))
    if words is not None and len(elements) != words:
        raise ValueError(f"{name} must be as long as the words, got {len(elements)} and {words}")
    return elements


def label_texts(
    record: Mapping[str, object], words: int, names: Sequence[str] | None
) -> tuple[list[str], list[int | None] | None]:
    """The label of each word, "" for none, and the number of its span if the record has tags."""
    is_tagged = record.get(TAGS) is not None
    texts = tag_texts(record, TAGS if is_tagged else "labels", words, names)
    if not is_tagged and not _are_tags(texts):
        return ["" if text in NO_LABELS else text for text in texts], None
    return spans_of_words(texts)


def tag_texts(record: Mapping[str, object], name: str, words: int, names: Sequence[str] | None) -> list[str]:
    """The labels or tags of a column as texts."""
    if names is not None:
        check_list("names", names)
    texts = []
    for position, element in enumerate(column(record, name, words, default=OUTSIDE)):
        value = plain_value(element)
        if isinstance(value, int) and not isinstance(value, bool):
            value = tag_name(value, names, column=name, position=position)
        if not isinstance(value, str | None):
            raise ValueError(f"{name} must be texts or whole numbers, got {in_json(value)} at {position}")
        texts.append(value or OUTSIDE)
    return texts


def _are_tags(texts: Sequence[str]) -> bool:
    """Whether labels are tags: all but O have a prefix."""
    inside = [text for text in texts if text != OUTSIDE]
    return bool(inside) and all(text[:2] in ("B-", "I-") and split_tag(text)[1] for text in inside)


def entity_numbers(record: Mapping[str, object], words: int) -> list[int | None]:
    """The number of the entity of each word, None for none."""
    numbers = [plain_value(number) for number in column(record, "entities", words)]
    wrong = [number for number in numbers if number is not None and not isinstance(number, int | str)]
    if wrong:
        raise ValueError(f"entities must be numbers, texts or null, got {in_json(wrong[0])}")
    return numbers


def linked_entities(record: Mapping[str, object]) -> list[Link] | None:
    """The links as (entity of the key, entity of the value); None if the record has none."""
    if record.get("links") is None:
        return None
    if record.get("entities") is None:
        raise ValueError("links need the column 'entities', whose numbers they name")
    links = []
    for position, link in enumerate(column(record, "links")):
        ends = [plain_value(end) for end in as_list(link)] if is_list(link) else []
        if len(ends) != 2 or not all(isinstance(end, int | str) for end in ends):
            raise ValueError(f"links must be pairs of entities, got {in_json(link)} at {position}")
        links.append((ends[0], ends[1]))
    return links


PAGE = (1000, 1000)
"""The page of records that do not state one: LayoutLM's grid."""
_PAGE_HINT = "a column 'page' says its width and height"


class Parts(NamedTuple):
    """The parts of a form."""

    words: list[Word]
    fields: list[Field]
    page: PageSize | None
    id: str | int | None


Link = tuple[object, object]


class Run(NamedTuple):
    """The words of an annotated entity, with the number and the label of the entity."""

    entity: Any
    label: str
    group: str | int | None
    values: tuple[int, ...]
    keys: tuple[int, ...]


def read_record(
    record: object,
    *,
    names: Sequence[str] | None,
    types: Sequence[str] | None,
    key_labels: Sequence[str],
    data_types: Mapping[str, str] | None,
) -> Parts:
    """The parts of a record's form. Raises ValueError, with the record, if something is missing or malformed."""
    if not isinstance(record, Mapping):
        raise ValueError(f"record must be an object, got {json_kind(record)}")
    form_id = plain_value(record["id"]) if record.get("id") is not None else None
    try:
        texts = column(record, named(record, WORDS))
        wrong = [text for text in texts if not isinstance(text, str)]
        if wrong:
            raise ValueError(f"words must be texts, got {in_json(wrong[0])}")
        boxes, page = _boxes(record, len(texts))
        runs = list(_runs(record, len(texts), names))
        links = linked_entities(record)
        words_of = {run.entity: (*run.keys, *run.values) for run in runs}
        keys = set(check_labels("key_labels", key_labels))
        if types is not None:
            chosen = {*check_labels("types", types), *keys}
            runs = [run for run in runs if run.label in chosen]
        runs = _with_keys(runs, keys) if links is None else _with_linked_keys(runs, keys, links, words_of)
        fields = [Field(run.label, run.values, run.keys, _data_type(run.label, data_types), run.group) for run in runs]
    except ValueError as error:
        raise ValueError(f"record{'' if form_id is None else f' {shortened(form_id)}'}: {error}") from None
    return Parts([Word(text, box) for text, box in zip(texts, boxes, strict=True)], fields, page, form_id)


def _boxes(record: Mapping[str, object], words: int) -> tuple[Sequence[Box | None], PageSize | None]:
    """The boxes of the words, clipped to the page, and the page."""
    name = named(record, BOXES, needed=False)
    if not name:
        return [None] * words, None
    has_page = record.get("page") is not None
    page = _page(record["page"]) if has_page else PAGE
    boxes: list[Box] = []
    for position, value in enumerate(column(record, name, words)):
        numbers = [plain_value(number) for number in as_list(value)] if is_list(value) else []
        if len(numbers) != 4 or not all(map(is_number, numbers)):
            raise ValueError(f"{name} must be lists of four numbers, got {in_json(value)} at {position}")
        x0, y0, x1, y1 = numbers
        if x1 < 0 or y1 < 0 or x0 > page[0] or y0 > page[1]:
            problem = f"{name}: box {position} is not on the page {list(page)}, got {numbers}"
            raise ValueError(problem if has_page else f"{problem}; {_PAGE_HINT}")
        boxes.append((x0, y0, x1, y1))
    if not has_page and _are_shares(boxes):
        raise ValueError(f"{name} are shares of a page, from 0 to 1, and not on {list(page)}; {_PAGE_HINT}: [1, 1]")
    return [fitted(box, page) for box in boxes], page


def _are_shares(boxes: Sequence[Box]) -> bool:
    """Whether boxes lie between 0 and 1, and not all on whole numbers: on a page of 1,000 all would be one point."""
    numbers = [number for box in boxes for number in box]
    return max(numbers, default=0) <= 1 and any(number != int(number) for number in numbers)


def _page(value: object) -> PageSize:
    size = [plain_value(number) for number in as_list(value)] if is_list(value) else []
    if len(size) != 2 or not all(is_number(number) and number > 0 for number in size):
        raise ValueError(f"page must be width and height, got {in_json(value)}")
    return size[0], size[1]


def _runs(record: Mapping[str, object], words: int, names: Sequence[str] | None) -> Iterator[Run]:
    """The annotated entities, by their first words."""
    labels, spans = label_texts(record, words, names)
    if spans is not None:  # the adapters name the types of tags this way
        labels = [label.lower() for label in labels]
    is_key = [bool(plain_value(flag)) for flag in column(record, "is_key", words, default=False)]
    groups = [plain_value(group) for group in column(record, "groups", words, default=None)]
    if record.get("entities") is not None:
        spans = entity_numbers(record, words)
    if spans is None:
        spans = _spans(labels, groups, is_key)
    members: dict[Any, list[int]] = {}
    for position, (label, span) in enumerate(zip(labels, spans, strict=True)):
        if label and span is not None:
            members.setdefault(span, []).append(position)
    for entity, positions in members.items():
        values = tuple(position for position in positions if not is_key[position])
        keys = tuple(position for position in positions if is_key[position])
        group = groups[positions[0]]
        yield Run(entity, labels[positions[0]], None if group == "" else group, values, keys)


def _spans(labels: Sequence[str], groups: Sequence[object], is_key: Sequence[bool]) -> list[int | None]:
    """The number of the run of each word. A run has one label and group; a key after a value begins a new one."""
    numbers: list[int | None] = []
    number = 0
    for position, state in enumerate(zip(labels, groups, strict=True)):
        before = (labels[position - 1], groups[position - 1]) if position else None
        begins = state != before or (is_key[position] and not is_key[position - 1])
        number += begins
        numbers.append(number)
    return numbers


def _with_keys(runs: list[Run], key_labels: set[str]) -> list[Run]:
    """The runs; those with the label of a key are joined to the following run."""
    joined: list[Run] = []
    for run in runs:
        before = joined[-1] if joined else None
        if run.label in key_labels:
            joined.append(run._replace(values=(), keys=(*run.keys, *run.values)))
        elif before is not None and before.label in key_labels and not before.values:
            joined[-1] = run._replace(keys=(*before.keys, *run.keys))
        else:
            joined.append(run)
    return joined


def _with_linked_keys(
    runs: list[Run],
    key_labels: set[str],
    links: list[Link],
    words_of: Mapping[object, tuple[int, ...]],
) -> list[Run]:
    """The runs, each with the words that are linked to it as keys. A key of another run is not a field."""
    entities = {run.entity for run in runs}
    keys_of: dict[object, set[int]] = {value: set() for _, value in links if value in entities}
    for key, value in links:
        if value in keys_of:
            keys_of[value].update(words_of.get(key, ()))
    are_keys = {key for key, value in links if value in keys_of}
    joined = []
    for run in runs:
        if run.entity in keys_of:
            keys = keys_of[run.entity].difference(run.values).union(run.keys)
            joined.append(run._replace(keys=tuple(sorted(keys))))
        elif run.label in key_labels and run.entity not in are_keys:
            joined.append(run._replace(values=(), keys=(*run.keys, *run.values)))
        elif run.entity not in are_keys:
            joined.append(run)
    return joined


def _data_type(label: str, data_types: Mapping[str, str] | None) -> str | None:
    if data_types is None:
        return None
    if not isinstance(data_types, Mapping):
        raise ValueError(f"data_types must map entity types to data types, got {shortened(data_types)}")
    found = data_types.get(label)
    if found is not None and found not in DATA_TYPES:
        raise ValueError(f"data_types: {label!r} must be one of {', '.join(DATA_TYPES)}, got {shortened(found)}")
    return found
