"""From an attack to the HTML of its tab."""

from __future__ import annotations

import shlex
from typing import NamedTuple

from docie.core.explanation import Fields
from docie.core.phrases import counted, figure, verb
from docie.metrics.form_robustness import NAME
from docie.show import report, tables
from docie.show.tables import Table

from ..common import rendering, reproducing
from ..common.drawing import drawn
from . import attacking
from .asked import PARAMETER, READERS, Asked, what_attacks_do
from .attacking import Outcome

_PYTHON = """\
import json
from pathlib import Path

from docie import robustness
from docie.robustness.form import Form

form = Form.from_record(json.loads(Path("form.jsonl").read_text(encoding="utf-8")))
read = robustness.KeyReader.of([form], sorts={sorts})
report = robustness.run(read, [form], attacks=[{attacks}], strength={strength}, seed={seed})
print(report)"""


class Side(NamedTuple):
    """The form as it is, or attacked: a title, its picture and its fields as HTML."""

    title: str
    picture: str
    fields: str


def explain(asked: Asked) -> str:
    """The HTML below the controls.

    Args:
        asked (Asked): what a visitor has filled in.

    Returns:
        str: a fragment of HTML. All texts in it are escaped.

    Raises:
        RefusedError: as `attacking.attack`.

    >>> record = '{"words": ["Total", "9.00"], "labels": ["total", "total"], "is_key": [true, false]}'
    >>> "macro F1 falls from 1.0000 to 0.0000." in explain(Asked(record=record, attacks=["key_drop"]))
    True
    """
    outcome = attacking.attack(asked)
    versions = outcome.versions
    record, attacked = (reproducing.json_lines([each]) for each in (versions.record, versions.attacked))
    return rendering.render(
        "attacked.html.j2",
        outcome=outcome,
        f1=[*map(figure, outcome.f1)],
        drop=_drop(*outcome.f1),
        sentence=attacking.sentence(outcome),
        told=[*what_attacks_do(asked.attacks), *_reader(outcome)],
        severity=_severity(outcome),
        scores=tables.tables(NAME, outcome.results)[0],
        sides=_sides(outcome),
        own=READERS["answers"],
        record=attacked,
        downloads={
            "form": rendering.data_url(f"{record}\n", "application/x-ndjson"),
            "attacked": rendering.data_url(f"{attacked}\n", "application/x-ndjson"),
        },
        link=reproducing.encode(asked, PARAMETER),
        python=_python_lines(outcome),
        command=_command_lines(outcome),
    )


def _drop(before: float, after: float | None = None) -> str:
    return "not applicable" if after is None else f"drop {figure(before - after)}".replace("-", "−")


def _sides(outcome: Outcome) -> list[Side]:
    """The form as it is, and attacked if the attacks apply to it."""
    before, after = outcome.versions.before, outcome.versions.after
    pictures = {"As it is": report.form_picture(before), "Attacked": report.form_picture(after, before=before)}
    return [
        Side(title, picture, drawn(Fields(title, [group], noun="value")))
        for (title, picture), group in zip(pictures.items(), outcome.groups, strict=False)
    ]


def _reader(outcome: Outcome) -> list[tuple[str, str]]:
    """What the rule does, if it reads the form."""
    if outcome.asked.reader == "answers":
        return []
    is_sorted = outcome.asked.reader == "place" and outcome.versions.before.has_boxes
    order = "line by line, as their boxes say" if is_sorted else "word by word, in the order of the words"
    keyless = sum(bool(field.values) and not field.keys for field in outcome.versions.before.fields)
    limit = f" {counted(keyless, 'value')} of this form {verb(keyless, 'has', 'have')} no key." if keyless else ""
    return [("the rule", f"Reads the words behind each key, {order}.{limit}")]


def _severity(outcome: Outcome) -> Table:
    rows = [
        [name.replace("_", " ").replace("iou", "IoU"), "–" if value is None else figure(value)]
        for name, value in outcome.severity._asdict().items()
    ]
    return Table("severity", ["severity", "value"], rows)


def _python_lines(outcome: Outcome) -> str:
    """The lines that give the same figures in Python."""
    asked = outcome.asked
    if asked.reader == "answers":
        return reproducing.python_lines([NAME], outcome.request.predictions, outcome.request.references, {})
    return _PYTHON.format(
        sorts=asked.reader == "place", attacks=[*asked.attacks], strength=asked.strength, seed=asked.seed
    )


def _command_lines(outcome: Outcome) -> str:
    """The lines that make the attacked form again, and score the answers."""
    asked = outcome.asked
    command = ["docie", "attack", "form.jsonl", "--attack", asked.name]
    command += ["--strength", str(asked.strength), "--seed", str(asked.seed)]
    score = reproducing.command_lines([NAME], outcome.request.predictions, outcome.request.references, {})
    return f"{shlex.join(command)} > attacked.jsonl\n{score}"
