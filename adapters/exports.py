"""Exports of annotation tools → rows of references and predictions.

Each function yields a row for each task: a wrapper `{"id", "reference", "prediction", "meta"}`. It has a reference if
the task is annotated, and a prediction if a model's was loaded into the tool. Tasks with neither have no row. What is
missing or malformed raises ValueError, naming record and field.

An entity's type is its label. Labels do not tell line items apart: `group` makes groups of the entities that relations
join.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from docie.core.errors import in_json
from docie.core.values.plain import JsonObject, is_number, read_confidence
from docie.documents.boxes import hull

from .records.fields import field, inside, list_of, number, objects, reading, text, whole

__all__ = ["argilla", "detect", "doccano", "label_studio"]

LONGEST = 200
"""Characters of a text that rows may be grouped by."""
Links = list[tuple[str, str]]
"""Pairs of the ids of entities."""


class _Entity(NamedTuple):
    id: str
    label: str
    value: Any


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
    answers = [record.get(key) for key in ("annotations", "predictions") if key in record]
    if isinstance(record.get("data"), Mapping) and answers and all(_have(each, "result") for each in answers):
        return "label_studio"
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


def label_studio(
    export: Iterable[Mapping[str, Any]], *, group: str | None = None, annotator: int | None = None
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
    for position, task in enumerate(export):
        with reading("Label Studio", task, otherwise=position):
            done = [each for each in _objects(task, "annotations") if not each.get("was_cancelled")]
            chosen = [each for each in done if annotator in (None, _user(each))]
            chosen.sort(key=lambda each: not each.get("ground_truth"))
            data = field(task, "data", Mapping, "an object")
            meta = {**_scalars(data), "annotators": len(done)}
            row = {"id": task.get("id", position)}
            for key, answers in (("reference", chosen), ("prediction", _objects(task, "predictions"))):
                if answers:
                    with inside(key):
                        row[key], without_text = _results(objects(answers[0], "result"), data, group)
                    if without_text:
                        meta[f"{key}_without_text"] = without_text
            if len(row) > 1:
                yield {**row, "meta": meta}


def _user(annotation: Mapping[str, Any]) -> object:
    user = annotation.get("completed_by")
    return user.get("id") if isinstance(user, Mapping) else user


def _results(results: list[Mapping[str, Any]], data: Mapping[str, Any], group: str | None) -> tuple[JsonObject, int]:
    """The document of one annotation, and the number of regions without a text."""
    regions: dict[str, list[Mapping[str, Any]]] = {}
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
            labels = [label for part in parts for label in _labels(part)]
            values = [value for part in parts for value in _values(part, data)]
            named = [part for part in parts if not labels and "from_name" in part]
            leaf = {"confidence": _score(parts), **_place(parts)}
            without_text += not values
            entities += [
                _Entity(region, str(label), {"value": value, **leaf})
                for label in labels or [part["from_name"] for part in named[:1]]
                for value in values
            ]
    return _document(entities, links, group), without_text


def _labels(result: Mapping[str, Any]) -> list[Any]:
    name = str(result.get("type"))
    return list_of(result["value"], name, str, "a list of texts") if name.endswith("labels") else []


def _values(result: Mapping[str, Any], data: Mapping[str, Any]) -> list[Any]:
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


def _score(parts: list[Mapping[str, Any]]) -> float | None:
    scores = [read_confidence(part["score"]) for part in parts if part.get("score") is not None]
    return min(scores, default=None)


def _place(parts: list[Mapping[str, Any]]) -> JsonObject:
    """The box and the page of a region."""
    place: JsonObject = {}
    for part in parts:
        value = part["value"]
        if "box" not in place and ("x" in value or "points" in value):
            place["box"] = [round(share, 6) for share in _box(part, value)]
        if "page" not in place and "item_index" in part:
            place["page"] = whole(part, "item_index") + 1
    return place


def _box(result: Mapping[str, Any], value: Mapping[str, Any]) -> tuple[float, float, float, float]:
    if "points" in value:
        points = [_point(point) for point in list_of(value, "points", list | tuple, "a list of points")]
        return hull([(x / 100, y / 100, x / 100, y / 100) for x, y in points])
    x, y, width, height = (number(value, name) / 100 for name in ("x", "y", "width", "height"))
    angle = math.radians(number(value, "rotation")) if value.get("rotation") else 0.0
    across, along = result.get("original_width"), result.get("original_height")
    ratio = along / across if is_number(along) and is_number(across) and across > 0 < along else 1.0
    # the box turns about its top left corner in pixels, not in shares
    right = (width * math.cos(angle), width * math.sin(angle) / ratio)
    down = (-height * math.sin(angle) * ratio, height * math.cos(angle))
    xs = [x + a * right[0] + b * down[0] for a in (0, 1) for b in (0, 1)]
    ys = [y + a * right[1] + b * down[1] for a in (0, 1) for b in (0, 1)]
    return min(xs), min(ys), max(xs), max(ys)


def _point(point: Any) -> tuple[float, float]:
    if len(point) != 2 or not all(map(is_number, point)):
        raise ValueError(f"a point must be two numbers, got {in_json(point)}")
    return point[0], point[1]


def doccano(export: Iterable[Mapping[str, Any]], *, group: str | None = None) -> Iterator[JsonObject]:
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
    for position, line in enumerate(export):
        with reading("doccano", line, otherwise=position):
            content = text(line, "text")
            links = [(str(each.get("from_id")), str(each.get("to_id"))) for each in _objects(line, "relations")]
            meta = {key: value for key, value in _scalars(line).items() if key not in ("id", "text")}
            spans = [
                _Entity(str(each.get("id")), text(each, "label"), _part(content, each, "start_offset", "end_offset"))
                for each in _objects(line, "entities")
            ]
            labels = "label" if "label" in line else "labels"
            for span in list_of(line, labels, list | tuple, "a list of spans") if "entities" not in line else []:
                if len(span) != 3:
                    raise ValueError(f"a span must be its start, its end and its label, got {in_json(span)}")
                spans.append(_Entity("", str(span[2]), _part(content, dict(zip(("start", "end"), span, strict=False)))))
            yield {"id": line.get("id", position), "reference": _document(spans, links, group), "meta": meta}


def argilla(
    export: Iterable[Mapping[str, Any]], *, field_name: str | None = None, annotator: str | None = None
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
    for position, record in enumerate(export):
        with reading("Argilla", record, otherwise=position):
            fields = field(record, "fields", Mapping, "an object")
            if field_name is None and len(fields) != 1:
                raise ValueError(f"expected one field, got {in_json([*fields])}; name that of the spans as field_name")
            name = next(iter(fields)) if field_name is None else field_name
            row: JsonObject = {"id": record.get("id", position)}
            for key, column in (("reference", "responses"), ("prediction", "suggestions")):
                entities: list[_Entity] = []
                for question, answer in _answers(record, column, annotator):
                    with inside(f"{column} to {question!r}"):
                        entities += _answer(question, answer, fields, name)
                if entities:
                    row[key] = _document(entities, [], None)
            if len(row) > 1:
                metadata = field({"metadata": record.get("metadata") or {}}, "metadata", Mapping, "an object")
                yield {**row, "meta": _scalars(metadata)}


def _answers(record: Mapping[str, Any], column: str, annotator: str | None) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The questions, each with its first answer of this annotator."""
    asked = record.get(column) or {}
    for question in field({column: asked}, column, Mapping, "an object"):
        answers = _objects(asked, question) if isinstance(asked[question], list) else [asked[question]]
        for answer in answers:
            field({question: answer}, question, Mapping, "an object")
            if annotator is None or answer.get("user_id", annotator) == annotator:
                yield question, answer
                break


def _answer(question: str, answer: Mapping[str, Any], fields: Mapping[str, Any], name: str) -> Iterator[_Entity]:
    value, score = answer.get("value"), answer.get("score")
    values = value if isinstance(value, list) else [value]
    scores = score if isinstance(score, list) else [score] * len(values)
    if len(scores) != len(values):
        raise ValueError(f"expected as many scores as values, got {len(scores)} and {len(values)}")
    for each, confidence in zip(values, scores, strict=True):
        is_span = isinstance(each, Mapping)
        label = text(each, "label") if is_span else question
        found = _part(text(fields, name), each) if is_span else _scalar(each)
        leaf = {"value": found, "confidence": None if confidence is None else read_confidence(confidence)}
        yield _Entity("", label, found if confidence is None else leaf)


def _objects(value: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """A field that is a list of objects, or missing."""
    return objects(value, name) if value.get(name) is not None else []


def _part(content: str, span: Mapping[str, Any], start: str = "start", end: str = "end") -> str:
    """The characters from a place to another, which is exclusive."""
    first, last = whole(span, start), whole(span, end)
    if not 0 <= first <= last <= len(content):
        raise ValueError(f"a span must lie in the text of {len(content)} characters, got {first} to {last}")
    return content[first:last]


def _scalars(data: Mapping[str, Any]) -> JsonObject:
    """What rows can be grouped by."""
    return {
        key: value
        for key, value in data.items()
        if isinstance(value, int | float) or (isinstance(value, str) and len(value) <= LONGEST)
    }


def _document(entities: list[_Entity], links: Links, group: str | None) -> JsonObject:
    """The document of entities. Linked ones are a group, if groups have a name."""
    joined = {each.id: each.id for each in entities}

    def root(entity: str) -> str:
        while joined[entity] != entity:
            entity = joined[entity]
        return entity

    for first, last in links if group is not None else []:
        if first not in joined or last not in joined:
            raise ValueError(f"a relation must join entities, got {first!r} and {last!r}")
        joined[root(last)] = root(first)
    linked = {entity for link in links for entity in link} if group is not None else set()
    document: JsonObject = {}
    groups: dict[str, JsonObject] = {}
    for each in entities:
        target = groups.setdefault(root(each.id), {}) if each.id in linked else document
        target.setdefault(each.label, []).append(each.value)
    flat = [
        {label: values if len(values) > 1 else values[0] for label, values in each.items()}
        for each in (document, *groups.values())
    ]
    return {**flat[0], **({str(group): flat[1:]} if groups else {})}
