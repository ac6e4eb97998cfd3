"""What an attack did to a form, and what it cost. It runs in worker processes, without Gradio."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from docie.adapters import llm
from docie.core.explanation import Fields, Group, tally
from docie.core.phrases import counted, enumerated, figure, percent
from docie.core.values.plain import JsonObject
from docie.metrics import form_robustness
from docie.metrics.form_robustness import NAME, UNATTACKED
from docie.robustness import KeyReader
from docie.robustness.attacks import Severity, severity
from docie.robustness.form import Form

from ..common import computing, limits
from ..common.computing import Request
from ..common.limits import RefusedError
from .asked import READERS, Asked, Versions, attacked


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What came of an attack.

    Attributes:
        asked: what was asked.
        versions: the form as it is and attacked.
        severity: what the attack did to the form.
        request: the answers to both versions, as the family scores them.
        results: its figures, those of `docie score --metric form_robustness --by-field --format json`.
        notes: what a user should know.
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
    """Attack a form, ask a reader for its fields before and after, and score the answers.

    Args:
        asked (Asked): what a visitor has filled in.

    Returns:
        Outcome: the forms, the figures and what they mean.

    Raises:
        RefusedError: for what cannot be read, attacked or scored, or would take too long.

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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        results = computing.score(request)
    return Outcome(
        asked=asked,
        versions=versions,
        severity=severity(versions.before, versions.after),
        request=request,
        results=results,
        notes=[*versions.notes, *notes, *(str(each.message) for each in caught if each.category is UserWarning)],
    )


def figures(asked: Asked) -> JsonObject:
    """What programs get: the attacked record, the severity, the answers, and the scores.

    Raises:
        RefusedError: as `attack`.
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
    """The answers to both versions, and what a user should know about them."""
    if asked.reader not in READERS:
        raise RefusedError(f"reader must be {', '.join(READERS)}, got {asked.reader!r}.", field="attacks")
    if asked.reader == "answers":
        return _pasted(asked)
    read = KeyReader.of([versions.before], sorts=asked.reader == "place")
    note = "No value of this form has a key (is_key), so the rule finds none: paste the answers of a model instead."
    is_readable = not versions.before.values or read.rules
    return read([versions.before, versions.after]), [] if is_readable else [note]


def _pasted(asked: Asked) -> tuple[Sequence[object], list[str]]:
    """The answers of a visitor's model. Both are needed: a score alone is no drop."""
    answers, notes = [], []
    for field, text in (("before", asked.before), ("after", asked.after)):
        limits.check_text(text, field)
        if not text.strip():
            raise RefusedError(f"{limits.NAMES[field]} is empty: paste what the model says, as JSON.", field=field)
        answer, issues = llm.to_document(text)
        limits.check_rows([answer], field)
        answers.append(answer)
        notes += [f"{limits.NAMES[field]} was read like this: {issue}." for issue in issues]
    return answers, notes


def sentence(outcome: Outcome) -> str:
    """What the attack did to the form, and what it cost, with the form's own numbers."""
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
    in_place_of = "as before" if found.right == left.right else f"in place of {found.right:,}"
    return f"{outcome.asked.name} {did}; {who} finds {left.right:,} of {of}, {in_place_of}: {course}."


def _not_applicable(outcome: Outcome, who: str) -> str:
    """What to say where the attacks find nothing."""
    several = len(outcome.asked.attacks) > 1
    not_applicable = "do not apply: they find" if several else "does not apply: it finds"
    found = tally(outcome.groups[0].pairs)
    values = f"{found.right:,} of {counted(found.expected, 'value')}"
    score = f"{who} finds {values}: macro F1 is {figure(outcome.f1[0])}"
    return f"{outcome.asked.name} {not_applicable} nothing to change in this form; {score}."


def what_it_did(figures: Severity, form: Form) -> str:
    """What an attack did to a form, as the end of a sentence.

    >>> from docie.robustness.form import Word
    >>> form = Form([Word("Total"), Word("9.00")])
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
