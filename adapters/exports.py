"""Exports of annotation tools → rows of references and predictions.

Each function yields a row for each task: a wrapper `{"id", "reference", "prediction", "meta"}`. It has a reference if
the task is annotated, and a prediction if a model's was loaded into the tool. Tasks with neither have no row. What is
missing or malformed raises ValueError, naming record and field.

An entity's type is its label. Labels do not tell line items apart: `group` makes groups of the entities that relations
join.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from docie.core.errors import in_json, inside
from docie.core.values.plain import JsonObject, is_number, read_confidence
from docie.documents.boxes import Corners, hull

from .grouping import to_document
from .grouping.documents import Entity
from .records.checks import field, list_of, number, objects, reading, text, whole

__all__ = ["argilla", "detect", "doccano", "label_studio"]
NAMES = ("argilla", "doccano", "label_studio")
"""The functions that read tasks."""

LONGEST = 200
"""Characters of a text that rows may be grouped by."""
_RESULT_KEYS = frozenset({"id", "type", "from_name", "to_name"})
"""Keys of which each result of Label Studio has one, beside its value."""
Record = Mapping[str, Any]
Links = list[tuple[str, str]]
"""Pairs of the ids of entities."""


def detect(record: object) -> str | None:
    """Name the tool whose export has this record.

    Args:
        record (dict): what may be a task of Label Studio, a line of doccano or a record of Argilla, or any document.

    Returns:
        str: the name of the function that reads it; None for everything else.

    >>> detect({"id": 1, "text": "Bagel 3.00", "label": [[0, 5, "name"]]}), detect({"text": "Bagel", "label": "food"})
    ('doccano', None)
    """
    if not isinstance(record, Mapping):
        return None
    answers: list[Any] = [record.get(key) for key in ("annotations", "predictions") if key in record]
    if isinstance(record.get("data"), Mapping) and answers and all(_have(each, "result") for each in answers):
        results = [task["result"] for each in answers for task in each if isinstance(task["result"], list)]
        named = [not _RESULT_KEYS.isdisjoint(result) for listed in results for result in listed if result]
        return "label_studio" if any(named) or not named else None
    spans = record.get("label", record.get("labels"))
    if isinstance(record.get("text"), str) and (
        ("relations" in record and _have(record.get("entities"), "start_offset"))
        or (isinstance(spans, list) and (spans or "Comments" in record) and all(map(_is_span, spans)))
    ):
        return "doccano"
    if isinstance(record.get("fields"), Mapping) and {"responses", "suggestions"} <= record.keys():
        return "argilla"
    return None


def _have(values: object, key: str) -> bool:
    """Whether a value is a list of objects that have a key."""
    return isinstance(values, list) and all(isinstance(each, Mapping) and key in each for each in values)


def _is_span(value: object) -> bool:
    return isinstance(value, list) and len(value) == 3 and [*map(type, value)] == [int, int, str]


def _rows(
    tool: str, export: Iterable[Record], read: Callable[[Record], tuple[JsonObject, JsonObject]]
) -> Iterator[JsonObject]:
    """A row of each record for which `read` gives a reference or a prediction, with its `meta`."""
    for position, record in enumerate(export):
        with reading(tool, record, otherwise=position):
            sides, meta = read(record)
            if sides:
                yield {"id": record.get("id", position), **sides, "meta": meta}


def label_studio(
    export: Iterable[Record], *, group: str | None = None, annotator: int | None = None
) -> Iterator[JsonObject]:
    """Rows of an export of Label Studio, in its format JSON.

    The reference of a task is the annotation that is marked as ground truth, or else the first one that is not
    cancelled; the prediction is the first one. A region's label and its text are two results with one id. Boxes in
    percent become shares of the page; of a rotated one, the upright box around it. Choices, numbers, dates and ratings
    are entities by the name of their control.

    Args:
        export (iterable of dict): the tasks.
        group (str): the name of the groups that relations make. Without it, relations are left out.
        annotator (int): whose annotations to take, by `completed_by`.

    Returns:
        iterator of dict: the rows. Their `meta` has the short texts and the numbers in `data`, and the number of
            `annotators`. Regions without a text are left out; `reference_without_text` says how many.

    Raises:
        ValueError: for a task that is malformed.

    >>> box = {"x": 50, "y": 0, "width": 25, "height": 50, "rotation": 0}
    >>> results = [{"id": "r1", "type": "rectanglelabels", "value": {**box, "rectanglelabels": ["total"]}},
    ...            {"id": "r1", "type": "textarea", "value": {**box, "text": ["7.50"]}}]
    >>> task = {"id": 1, "data": {"image": "1.png"}, "annotations": [{"was_cancelled": False, "result": results}]}
    >>> [row] = label_studio([task])
    >>> row["reference"]
    {'total': {'value': '7.50', 'confidence': None, 'box': [0.5, 0.0, 0.75, 0.5]}}
    >>> row["meta"]
    {'image': '1.png', 'annotators': 1}
    """
    return _rows("Label Studio", export, partial(_task, group, annotator))


def _task(group: str | None, annotator: int | None, task: Record) -> tuple[JsonObject, JsonObject]:
    done = [each for each in _objects(task, "annotations") if not each.get("was_cancelled")]
    chosen = [each for each in done if annotator in (None, _user(each))]
    chosen.sort(key=lambda each: not each.get("ground_truth"))
    data = field(task, "data", Mapping, "an object")
    sides, meta = {}, {**_scalars(data), "annotators": len(done)}
    for key, answers in (("reference", chosen), ("prediction", _objects(task, "predictions"))):
        if answers:
            with inside(key):
                sides[key], without_text = _results(objects(answers[0], "result"), data, group)
            if without_text:
                meta[f"{key}_without_text"] = without_text
    return sides, meta


def _user(annotation: Record) -> object:
    user = annotation.get("completed_by")
    return user.get("id") if isinstance(user, Mapping) else user


def _results(results: list[Record], data: Record, group: str | None) -> tuple[JsonObject, int]:
    """The document of one annotation, and the number of regions without a text."""
    regions: dict[str, list[Record]] = {}
    links: Links = []
    for position, result in enumerate(results):
        with inside(f"result {position}"):
            if result.get("type") == "relation":
                links.append((text(result, "from_id"), text(result, "to_id")))
            else:
                field(result, "value", Mapping, "an object")
                regions.setdefault(str(result.get("id", f"#{position}")), []).append(result)
    entities, without_text = [], 0
    for region, parts in regions.items():
        with inside(f"region {region!r}"):
            kinds = [(part["value"], str(part.get("type"))) for part in parts]
            lists = [list_of(each, kind, str, "a list of texts") for each, kind in kinds if kind.endswith("labels")]
            labels = [label for each in lists for label in each]
            values = [value for part in parts for value in _values(part, data)]
            named = [part for part in parts if not labels and "from_name" in part]
            scores = [read_confidence(part["score"]) for part in parts if part.get("score") is not None]
            leaf = {"confidence": min(scores, default=None), **_place(parts)}
            without_text += not values
            entities += [
                Entity(str(label), {"value": value, **leaf}, None, region)
                for label in labels or [part["from_name"] for part in named[:1]]
                for value in values
            ]
    return _document(entities, links, group), without_text


def _values(result: Record, data: Record) -> list[Any]:
    """The texts of a region; its part of the task's text if it has only offsets; or what was chosen."""
    value = result["value"]
    for key in ("text", "choices", "number", "datetime", "rating"):
        if value.get(key) is not None:
            return [_scalar(each) for each in (value[key] if isinstance(value[key], list) else [value[key]])]
    name = result.get("to_name")
    texts = [data[name]] if isinstance(name, str) and name in data else [*data.values()]
    if "start" in value and len(texts) == 1 and isinstance(texts[0], str):
        return [_part(texts[0], value)]
    return []


def _scalar(value: object) -> object:
    if not isinstance(value, str) and not is_number(value):
        raise ValueError(f"a value must be text or a number, got {in_json(value)}")
    return value


def _place(parts: list[Record]) -> JsonObject:
    """The box and the page of a region."""
    drawn = [part for part in parts if part["value"].keys() & {"x", "points"}]
    numbered = [part for part in parts if "item_index" in part]
    pages = [whole(part, "item_index") + 1 for part in numbered[:1]]
    boxes = [[round(share, 6) for share in _box(part, part["value"])] for part in drawn[:1]]
    return {key: found[0] for key, found in (("box", boxes), ("page", pages)) if found}


def _box(result: Record, value: Record) -> Corners:
    """The upright box around a polygon, or around a box that turns about its top left corner, in pixels."""
    if "points" in value:
        ends = [_point(point) / 100 for point in list_of(value, "points", list | tuple, "a list of points")]
    else:
        x, y, width, height = (number(value, name) / 100 for name in ("x", "y", "width", "height"))
        turn = cmath.rect(1, math.radians(number(value, "rotation") if value.get("rotation") else 0))
        across, along = result.get("original_width"), result.get("original_height")
        ratio = along / across if is_number(along) and is_number(across) and across > 0 < along else 1.0
        turned = [complex(right, down * ratio) * turn for right in (0, width) for down in (0, height)]
        ends = [complex(x + end.real, y + end.imag / ratio) for end in turned]
    return hull([(end.real, end.imag, end.real, end.imag) for end in ends])


def _point(point: Any) -> complex:
    if len(point) != 2 or not all(map(is_number, point)):
        raise ValueError(f"a point must be two numbers, got {in_json(point)}")
    return complex(*point)


def doccano(export: Iterable[Record], *, group: str | None = None) -> Iterator[JsonObject]:
    """Rows of an export of doccano: sequence labelling, with or without relations. There are only references.

    Args:
        export (iterable of dict): the lines of its JSON Lines file.
        group (str): the name of the groups that relations make. Without it, relations are left out.

    Returns:
        iterator of dict: the rows. Their `meta` has the other texts and numbers of a line.

    Raises:
        ValueError: for a line that is malformed.

    >>> [row] = doccano([{"id": 1, "text": "Bagel 3.00", "label": [[0, 5, "name"], [6, 10, "amount"]], "Comments": []}])
    >>> row
    {'id': 1, 'reference': {'name': 'Bagel', 'amount': '3.00'}, 'meta': {}}
    """
    return _rows("doccano", export, partial(_line, group))


def _line(group: str | None, line: Record) -> tuple[JsonObject, JsonObject]:
    content = text(line, "text")
    links = [(str(each.get("from_id")), str(each.get("to_id"))) for each in _objects(line, "relations")]
    spans = [
        Entity(text(each, "label"), _part(content, each, "start_offset", "end_offset"), None, str(each.get("id")))
        for each in _objects(line, "entities")
    ]
    labels = "label" if "label" in line else "labels"
    for span in list_of(line, labels, list | tuple, "a list of spans") if "entities" not in line else []:
        if len(span) != 3:
            raise ValueError(f"a span must be its start, its end and its label, got {in_json(span)}")
        spans.append(Entity(str(span[2]), _part(content, {"start": span[0], "end": span[1]})))
    meta = {key: value for key, value in _scalars(line).items() if key not in ("id", "text")}
    return {"reference": _document(spans, links, group)}, meta


def argilla(
    export: Iterable[Record], *, field_name: str | None = None, annotator: str | None = None
) -> Iterator[JsonObject]:
    """Rows of records of Argilla, as `records.to_list()` gives them.

    Responses are references, and suggestions are predictions. Spans are entities by their labels; the answers to other
    questions are entities by the names of the questions.

    Args:
        export (iterable of dict): the records.
        field_name (str): the field that spans are of; None if records have one field.
        annotator (str): whose responses to take, by `user_id`; None takes the first one.

    Returns:
        iterator of dict: the rows. Their `meta` is the record's `metadata`.

    Raises:
        ValueError: for a record that is malformed.

    >>> spans = [{"start": 6, "end": 10, "label": "amount"}]
    >>> record = {"id": "a", "fields": {"text": "Bagel 3.00"}, "metadata": {"vendor": "ACME"},
    ...           "suggestions": {"spans": {"value": spans, "score": 0.5}}, "responses": {}}
    >>> [*argilla([record])]
    [{'id': 'a', 'prediction': {'amount': {'value': '3.00', 'confidence': 0.5}}, 'meta': {'vendor': 'ACME'}}]
    """
    return _rows("Argilla", export, partial(_record, field_name, annotator))


def _record(field_name: str | None, annotator: str | None, record: Record) -> tuple[JsonObject, JsonObject]:
    fields = field(record, "fields", Mapping, "an object")
    if field_name is None and len(fields) != 1:
        raise ValueError(f"expected one field, got {in_json([*fields])}; name that of the spans as field_name")
    name = next(iter(fields)) if field_name is None else field_name
    sides = {}
    for key, column in (("reference", "responses"), ("prediction", "suggestions")):
        entities: list[Entity] = []
        asked = _optional(record, column)
        for question in asked:
            with inside(f"{column} to {question!r}"):
                is_list = isinstance(asked[question], list)
                answers = objects(asked, question) if is_list else [field(asked, question, Mapping, "an object")]
                own = [each for each in answers if annotator is None or each.get("user_id", annotator) == annotator]
                entities += [each for answer in own[:1] for each in _answer(question, answer, fields, name)]
        if entities:
            sides[key] = to_document([], entities)
    return sides, _scalars(_optional(record, "metadata"))


def _answer(question: str, answer: Record, fields: Record, name: str) -> Iterator[Entity]:
    value, score = answer.get("value"), answer.get("score")
    values = value if isinstance(value, list) else [value]
    scores = score if isinstance(score, list) else [score] * len(values)
    if len(scores) != len(values):
        raise ValueError(f"expected as many scores as values, got {len(scores)} and {len(values)}")
    for each, confidence in zip(values, scores, strict=True):
        is_span = isinstance(each, Mapping)
        label = text(each, "label") if is_span else question
        found = _part(text(fields, name), each) if is_span else _scalar(each)
        yield Entity(label, found, None if confidence is None else read_confidence(confidence))


def _optional(value: Record, name: str) -> Record:
    """A field that is an object, or missing."""
    content: Record = field({name: value.get(name) or {}}, name, Mapping, "an object")
    return content


def _objects(value: Record, name: str) -> list[Record]:
    """A field that is a list of objects, or missing."""
    return objects(value, name) if value.get(name) is not None else []


def _part(content: str, span: Record, start: str = "start", end: str = "end") -> str:
    """The characters from a place to another, which is exclusive."""
    first, last = whole(span, start), whole(span, end)
    if not 0 <= first <= last <= len(content):
        raise ValueError(f"a span must lie in the text of {len(content)} characters, got {first} to {last}")
    return content[first:last]


def _scalars(data: Record) -> JsonObject:
    """What rows can be grouped by."""
    return {
        key: value
        for key, value in data.items()
        if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= LONGEST)
    }


def _document(entities: list[Entity], links: Links, group: str | None) -> JsonObject:
    """The document of entities. Linked ones are a group, if groups have a name."""
    linked: dict[Any, list[Any]] = {each.group: [each.group] for each in entities}
    for first, last in links if group is not None else []:
        if first not in linked or last not in linked:
            raise ValueError(f"a relation must join entities, got {first!r} and {last!r}")
        if linked[first] is not linked[last]:
            both = linked[first] + linked[last]
            linked.update(dict.fromkeys(both, both))
    groups: dict[str, list[Entity]] = {}
    for each in entities:
        groups.setdefault(linked[each.group][0], []).append(each)
    grouped = [(str(group), members) for key, members in groups.items() if len(linked[key]) > 1]
    return to_document(grouped, [each for each in entities if len(linked[each.group]) == 1])
