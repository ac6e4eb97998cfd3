"""Invoices as annotation tools export them: references from annotations, predictions from what a model suggested."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .files import as_lines, json_lines
from .invoices import Case, values_of
from service_answers import Fields, Invoice, Value

Task = dict[str, Any]


def label_studio(folder: Path, cases: list[Case]) -> None:
    """One file of both: annotations, and the predictions of a model."""
    tasks = []
    for case in cases:
        cancelled = {"id": 1, "completed_by": 1, "was_cancelled": True, "ground_truth": False, "result": []}
        done = {
            "id": 2,
            "completed_by": 2,
            "was_cancelled": False,
            "ground_truth": False,
            "result": [*_results(case.truth, scored=False)],
        }
        predicted = {"id": 3, "model_version": "m-1", "score": 0.5, "result": [*_results(case.found, scored=True)]}
        data = {"image": f"/data/{case.id}.png", "country": case.country}
        tasks.append({"id": int(case.id), "data": data, "annotations": [cancelled, done], "predictions": [predicted]})
    (folder / "export.json").write_text(json.dumps(tasks, ensure_ascii=False), encoding="utf-8")


def _results(invoice: Invoice, *, scored: bool) -> Iterator[Task]:
    yield from _regions(invoice.header, "header", scored=scored)
    for row, item in enumerate(invoice.items):
        yield from _regions(item, f"row{row}", scored=scored)
        first, *rest = [f"row{row}-{name}" for name in item]
        for other in rest:
            yield {"type": "relation", "from_id": first, "to_id": other, "direction": "right"}


def _regions(fields: Fields, prefix: str, *, scored: bool) -> Iterator[Task]:
    """A region has two results with one id: its label and its text."""
    for name, value in fields.items():
        x0, y0, x1, y1 = (100 * share for share in value.box)
        box = {"x": x0, "y": y0, "width": x1 - x0, "height": y1 - y0, "rotation": 0}
        common: Task = {"id": f"{prefix}-{name}", "to_name": "image", "original_width": 1700, "original_height": 2200,
                        "image_rotation": 0, "item_index": value.page - 1}  # fmt: skip
        common |= {"score": value.confidence} if scored else {}
        yield {**common, "from_name": "label", "type": "rectanglelabels", "value": {**box, "rectanglelabels": [name]}}
        yield {**common, "from_name": "text", "type": "textarea", "value": {**box, "text": [value.text]}}


def doccano(folder: Path, cases: list[Case]) -> None:
    """Labelled spans of a text. There are only references."""
    json_lines(folder, cases)
    rows = []
    for case in cases:
        text, spans = "", list[Task]()
        for path, value in values_of(case.truth):
            name, start = path.rpartition(".")[2], len(text) + len(path) + 2
            text += f"{path}: {value.text}\n"
            spans.append(
                {"id": len(spans), "label": name, "start_offset": start, "end_offset": start + len(value.text)}
            )
        rows.append(
            {"id": int(case.id), "text": text, "entities": spans, "relations": [*_relations(case)], "Comments": []}
        )
    (folder / "export.jsonl").write_text(as_lines(rows), encoding="utf-8")


def _relations(case: Case) -> Iterator[Task]:
    """The spans of a row are joined one after the other."""
    number, last_row = 0, ""
    for number, (path, _) in enumerate(values_of(case.truth)):
        row = path.rpartition(".")[0]
        if row and row == last_row:
            yield {"id": number, "from_id": number - 1, "to_id": number, "type": "row"}
        last_row = row


def argilla(folder: Path, cases: list[Case]) -> None:
    """Records as `records.to_list()` gives them: responses and suggestions to one question, spans of a text."""
    records = []
    for case in cases:
        lines = [value.text for fields in (case.truth, case.found) for value in fields.header.values()]
        text = "\n".join(lines)
        answers = [_spans(text, invoice.header) for invoice in (case.truth, case.found)]
        scores = [value.confidence for value in case.found.header.values()]
        records.append({
            "id": case.id, "fields": {"text": text}, "metadata": {"country": case.country}, "vectors": {}, "status": "completed",
            "responses": {"spans": [{"value": answers[0], "user_id": "u-1"}]},
            "suggestions": {"spans": {"value": answers[1], "score": scores, "agent": "m-1"}},
        })  # fmt: skip
    (folder / "records.json").write_text(json.dumps(records, ensure_ascii=False), encoding="utf-8")


def _spans(text: str, fields: dict[str, Value]) -> list[Task]:
    starts = {name: text.index(value.text) for name, value in fields.items()}
    return [
        {"start": starts[name], "end": starts[name] + len(value.text), "label": name} for name, value in fields.items()
    ]
