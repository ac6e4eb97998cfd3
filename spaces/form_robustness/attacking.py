"""The effect of an attack on a form and on the scores, and its HTML. It runs in worker processes, without Gradio."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from docie.adapters import llm
from docie.core.explanation import Fields, Group, tally
from docie.core.notes import noted
from docie.core.phrases import counted, enumerated, figure, percent, verb
from docie.core.values.plain import JsonObject
from docie.metrics import form_robustness
from docie.metrics.form_robustness import NAME, UNATTACKED
from docie.robustness import KeyReader, form_picture
from docie.robustness.attacks import ATTACKS, Severity, severity
from docie.robustness.form import Page
from docie.show import tables
from docie.show.tables import Table

from ..common import computing, limits, rendering, reproducing
from ..common.computing import Request
from ..common.drawing import drawn
from ..common.limits import RefusedError
from .asked import PARAMETER, READERS, Asked, Versions, attacked


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """The result of an attack.

    Attributes:
        asked: the input.
        versions: the form as it is and attacked.
        severity: how much the attack changed the form.
        request: the answers to both versions, as input for the family.
        results: the scores, those of `docie score --metric form_robustness --by-field --format json`.
        notes: notes for the visitor.
    """

    asked: Asked
    versions: Versions
    severity: Severity
    request: Request
    results: JsonObject
    notes: list[str]

    @property
    def f1(self) -> tuple[float, ...]:
        """F1 of the form as it is, and attacked if the attacks apply to it."""
        attacked = (self.results[f"f1_{self.asked.name}"],) if self.versions.applies else ()
        return self.results["f1"], *attacked

    @cached_property
    def groups(self) -> Sequence[Group]:
        """The values of the form as it is, then those of the attacked form if the attacks apply to it."""
        [fields] = form_robustness.explain(self.request.prediction, self.request.reference).drawings
        assert isinstance(fields, Fields)
        return fields.groups


def attack(asked: Asked) -> Outcome:
    """Attack a form, get its fields from a reader before and after, and score the answers.

    Raises:
        RefusedError: if something cannot be read, attacked or scored, or would take too long.

    >>> record = '{"words": ["Total", "9.00"], "labels": ["total", "total"], "is_key": [true, false]}'
    >>> attack(Asked(record=record, attacks=["key_drop"])).f1
    (1.0, 0.0)
    """
    versions = attacked(asked)
    answers, notes = _answers(asked, versions)
    names = (UNATTACKED, asked.name) if versions.applies else (UNATTACKED,)
    references = [versions.before.document(), versions.after.document()]
    request = Request(
        family=NAME,
        predictions=[{"attacks": dict(zip(names, answers, strict=False))}],
        references=[{"attacks": dict(zip(names, references, strict=False))}],
    )
    with noted(warns=False) as said:
        results = computing.score(request)
    return Outcome(
        asked=asked,
        versions=versions,
        severity=severity(versions.before, versions.after),
        request=request,
        results=results,
        notes=[*versions.notes, *notes, *said],
    )


def figures(asked: Asked) -> JsonObject:
    """The result for programs: the attacked record, the severity, the answers, and the scores.

    Raises:
        RefusedError: for the same reasons as `attack`.
    """
    outcome = attack(asked)
    return {
        "sentence": sentence(outcome),
        "record": outcome.versions.attacked,
        "severity": outcome.severity._asdict(),
        "predictions": outcome.request.predictions[0]["attacks"],
        "references": outcome.request.references[0]["attacks"],
        "scores": outcome.results,
        "notes": outcome.notes,
    }


def _answers(asked: Asked, versions: Versions) -> tuple[Sequence[object], list[str]]:
    """The answers to both versions, and notes on them."""
    if asked.reader not in READERS:
        raise RefusedError(f"reader must be {', '.join(READERS)}, got {asked.reader!r}.", field="attacks")
    if asked.reader == "answers":
        return _pasted(asked)
    read = KeyReader.of([versions.before], sorts=asked.reader == "place")
    note = "No value of this form has a key (is_key), so the rule finds none: paste the answers of a model instead."
    is_readable = not versions.before.values or read.rules
    return read([versions.before, versions.after]), [] if is_readable else [note]


def _pasted(asked: Asked) -> tuple[Sequence[object], list[str]]:
    """The answers of a visitor's model. Both are needed: a score alone is not a drop."""
    answers, notes = [], []
    for field, text in (("before", asked.before), ("after", asked.after)):
        limits.check_text(text, field)
        if not text.strip():
            raise RefusedError(f"{limits.NAMES[field]} is empty: paste the model's answer, as JSON.", field=field)
        answer, issues = llm.to_document(text)
        answers.append(answer)
        notes += [f"{limits.NAMES[field]} was read like this: {issue}." for issue in issues]
    return answers, notes


def sentence(outcome: Outcome) -> str:
    """The effect of the attack on the form and on the scores, with the form's own numbers."""
    who = "your model" if outcome.asked.reader == "answers" else "the rule"
    if not outcome.versions.applies:
        return _not_applicable(outcome, who)
    (before, after), (found, left) = outcome.f1, (tally(group.pairs) for group in outcome.groups)
    of = counted(left.expected, "value")
    did = what_it_did(outcome.severity, outcome.versions.before)
    if before == after:
        course = f"macro F1 stays {figure(after)}"
    else:
        course = f"macro F1 {'falls' if after < before else 'rises'} from {figure(before)} to {figure(after)}"
    in_place_of = "as before" if found.correct == left.correct else f"in place of {found.correct:,}"
    return f"{outcome.asked.name} {did}; {who} finds {left.correct:,} of {of}, {in_place_of}: {course}."


def _not_applicable(outcome: Outcome, who: str) -> str:
    """The sentence for attacks that find nothing to change."""
    several = len(outcome.asked.attacks) > 1
    not_applicable = "do not apply: they find" if several else "does not apply: it finds"
    found = tally(outcome.groups[0].pairs)
    values = f"{found.correct:,} of {counted(found.expected, 'value')}"
    score = f"{who} finds {values}: macro F1 is {figure(outcome.f1[0])}"
    return f"{outcome.asked.name} {not_applicable} nothing to change in this form; {score}."


def what_it_did(figures: Severity, form: Page) -> str:
    """The effect of an attack on a form, as the end of a sentence.

    >>> from docie.robustness.form import Word
    >>> form = Page([Word("Total"), Word("9.00")])
    >>> what_it_did(severity(form, form.arranged([1])), form), what_it_did(severity(form, form), form)
    ("drops 1 of the form's 2 words", 'changes nothing in this form')
    """
    verbs: Mapping[str, str] = {"dropped": "drops", "replaced": "rewrites", "moved": "moves", "reordered": "reorders"}
    words = len(form.words)
    numbers = {name: round(getattr(figures, name) * words) for name in verbs}
    done = [
        f"{verb} {'all' if numbers[name] == words > 1 else format(numbers[name], ',')}"
        for name, verb in verbs.items()
        if numbers[name]
    ]
    if not done:
        return "changes nothing in this form"
    overlap = f" (on average, boxes overlap their old places by {percent(figures.mean_iou or 0.0, 1)})"
    return f"{enumerated(done)} of the form's {counted(words, 'word')}{overlap if figures.moved else ''}"


_PYTHON = """\
import json
from pathlib import Path

from docie import robustness
from docie.robustness.form import Page

form = Page.from_record(json.loads(Path("form.jsonl").read_text(encoding="utf-8")))
read = robustness.KeyReader.of([form], sorts={sorts})
report = robustness.run(read, [form], attacks=[{attacks}], strength={strength}, seed={seed})
print(report)"""


def explain(asked: Asked) -> str:
    """The HTML below the controls, in which all texts are escaped.

    Raises:
        RefusedError: for the same reasons as `attack`.

    >>> record = '{"words": ["Total", "9.00"], "labels": ["total", "total"], "is_key": [true, false]}'
    >>> "macro F1 falls from 1.0000 to 0.0000." in explain(Asked(record=record, attacks=["key_drop"]))
    True
    """
    outcome = attack(asked)
    record, attacked = (reproducing.json_lines([each]) for each in (outcome.versions.record, outcome.versions.attacked))
    return rendering.render(
        "attacked.html.j2",
        outcome=outcome,
        f1=[*map(figure, outcome.f1)],
        drop=_drop(*outcome.f1),
        sentence=sentence(outcome),
        told=[*((name, ATTACKS[name].summary) for name in asked.attacks), *_reader(outcome)],
        severity=_severity(outcome),
        scores=tables.tables(NAME, outcome.results)[0],
        sides=_sides(outcome),
        own=READERS["answers"],
        record=record,
        attacked=attacked,
        link=reproducing.encode(asked, PARAMETER),
        python=_python_lines(outcome),
        command=_command_lines(outcome),
    )


def _drop(before: float, after: float | None = None) -> str:
    return "not applicable" if after is None else f"drop {figure(before - after)}".replace("-", "−")


def _sides(outcome: Outcome) -> list[tuple[str, str, str]]:
    """The form as it is, and attacked if the attacks apply to it: a title, its picture and its fields as HTML."""
    before, after = outcome.versions.before, outcome.versions.after
    pictures = {"As it is": form_picture(before), "Attacked": form_picture(after, before=before)}
    return [
        (title, picture, drawn(Fields(title, [group], noun="value")))
        for (title, picture), group in zip(pictures.items(), outcome.groups, strict=False)
    ]


def _reader(outcome: Outcome) -> list[tuple[str, str]]:
    """A description of the rule, if it reads the form."""
    if outcome.asked.reader == "answers":
        return []
    is_sorted = outcome.asked.reader == "place" and outcome.versions.before.has_boxes
    order = "line by line, by their boxes" if is_sorted else "word by word, in the order of the words"
    keyless = sum(bool(field.values) and not field.keys for field in outcome.versions.before.fields)
    limit = f" {counted(keyless, 'value')} of this form {verb(keyless, 'has', 'have')} no key." if keyless else ""
    return [("the rule", f"Reads the words after each key, {order}.{limit}")]


def _severity(outcome: Outcome) -> Table:
    rows = [
        [name.replace("_", " ").replace("iou", "IoU"), "–" if value is None else figure(value)]
        for name, value in outcome.severity._asdict().items()
    ]
    return Table("severity", ["severity", "value"], rows)


def _python_lines(outcome: Outcome) -> str:
    """The Python code for the same scores."""
    asked = outcome.asked
    if asked.reader == "answers":
        return reproducing.python_lines([NAME], outcome.request.predictions, outcome.request.references, {})
    return _PYTHON.format(
        sorts=asked.reader == "place", attacks=[*asked.attacks], strength=asked.strength, seed=asked.seed
    )


def _command_lines(outcome: Outcome) -> str:
    """The commands that attack the form again, and score the answers."""
    asked = outcome.asked
    command = ["docie", "attack", "form.jsonl", "--attack", asked.name]
    command += ["--strength", str(asked.strength), "--option", f"seed={asked.seed}"]
    score = reproducing.command_lines([NAME], outcome.request.predictions, outcome.request.references, {})
    return f"{shlex.join(command)} > attacked.jsonl\n{score}"
