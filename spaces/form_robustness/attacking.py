"""The effect of an attack on a form and on the scores, and its HTML. It runs in worker processes, without Gradio."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple

from docie.adapters import llm, records
from docie.core.phrases import counted, figure, in_words
from docie.core.settings import check_choice
from docie.core.values.plain import JsonObject
from docie.metrics.form_robustness import NAME, UNATTACKED
from docie.robustness import KeyReader, form_picture
from docie.robustness.attacks import ATTACKS, RecordAttack, Severity, acted, severity
from docie.robustness.form import Page

from ..common import computing, inputs, limits, rendering, reproducing
from ..common.computing import Answer, Request
from ..common.examples import text_of
from ..common.limits import refused

READERS = {
    "place": "a rule, line by line",
    "order": "a rule, word by word",
    "answers": "my model: I paste its answers",
}
"""The readers of the form."""
MAX_WORDS = 2_000
"""Of a form: a dense page has about a thousand."""
MAX_TEXT = 100_000
"""Characters of all words."""
MAX_ATTACKS = 5
"""One after another: more leave nothing of a form that could be compared."""
MAX_STRENGTH = 100.0
"""The largest that `docie.attacks` tries for a severity, too."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The input of a visitor.

    Attributes:
        record: the text of a record: words, boxes, labels and so on, as `docie attack` reads it.
        attacks: names of attacks, one after the other.
        strength: their strength.
        seed: the seed of their random numbers.
        reader: a key of `READERS`.
        before, after: a model's answers to the form as it is and to the attacked form, for the reader "answers".
    """

    record: str = ""
    attacks: Sequence[str] = ()
    strength: float = 1.0
    seed: int = 0
    reader: str = "place"
    before: str = ""
    after: str = ""

    @property
    def name(self) -> str:
        """The name of the attacks in results."""
        return "+".join(self.attacks)


class Outcome(NamedTuple):
    """The result of an attack.

    Attributes:
        forms: the form as it is and attacked.
        record: the record of the form as it is.
        f1: F1 of the form as it is, and attacked if the attacks apply to it.
        answer: what a page shows of the answers to both forms, or to the first alone if no attack applies to it.
        figures: the result for programs: the attacked record, the severity, the answers, and the scores.
    """

    forms: tuple[Page, Page]
    record: JsonObject
    f1: list[float]
    answer: Answer
    figures: JsonObject


def attack(asked: Asked) -> Outcome:
    """Attack a form as `docie attack` does, get its fields from a reader before and after, and score the answers.

    Raises:
        RefusedError: if something is too large, or cannot be read, attacked or scored; it names the field.

    >>> record = '{"words": ["Total", "9.00"], "labels": ["total", "total"], "is_key": [true, false]}'
    >>> attack(Asked(record=record, attacks=["key_drop"])).f1
    [1.0, 0.0]
    """
    chosen = _chosen(asked)
    rows = [row.document for row in inputs.source_of(asked.record, "record")]
    notes = [f"There are {len(rows):,} forms; the first one is attacked."] if len(rows) > 1 else []
    with refused("record", end="."):
        if not rows:
            raise ValueError("There is no form in this list")
        record: JsonObject = records.form_columns(rows[0])
        words = Page.from_record(record).words
    limits.check_number(len(words), MAX_WORDS, "words", "record")
    limits.check_number(sum(len(word.text) for word in words), MAX_TEXT, "characters in its words", "record")
    with refused("attacks", end="."):
        before, after = forms = chosen.forms(record)
        attacked = {**record, **chosen.columns_of(record, before, after)}
        names = [UNATTACKED, asked.name] if acted(chosen.attack, before, after) else [UNATTACKED]
    if not before.values:
        notes.append("The form has no values: no label marks words as a value.")
    answers, remarks = _answers(asked, forms)
    predictions = dict(zip(names, answers, strict=False))
    references = {name: form.document() for name, form in zip(names, forms, strict=False)}
    answer = computing.compute(
        Request(family=NAME, predictions=[{"attacks": predictions}], references=[{"attacks": references}])
    )
    f1 = [answer.results[name] for name in ("f1", f"f1_{asked.name}") if name in answer.results]
    changes = severity(before, after)
    figures = {
        "sentence": f"{asked.name}: {_what_it_did(changes, len(words), f1)}; macro F1 {' → '.join(map(figure, f1))}.",
        "record": attacked,
        "severity": changes._asdict(),
        "predictions": predictions,
        "references": references,
        "scores": answer.results,
        "notes": [*notes, *remarks, *answer.notes],
    }
    return Outcome(forms, record, f1, answer, figures)


def _chosen(asked: Asked) -> RecordAttack:
    """The attacks that a visitor chose."""
    with refused("attacks", end="."):
        if isinstance(asked.attacks, str) or not 1 <= len(asked.attacks) <= MAX_ATTACKS:
            raise ValueError(f"Choose a list of 1 to {MAX_ATTACKS} attacks")
        if asked.strength > MAX_STRENGTH:
            raise ValueError(f"strength must be at most {MAX_STRENGTH:g}, got {asked.strength:g}")
        check_choice("reader", asked.reader, *READERS)
        return RecordAttack(attack=[*asked.attacks], seed=asked.seed, strength=asked.strength)


def _answers(asked: Asked, forms: tuple[Page, Page]) -> tuple[Sequence[object], list[str]]:
    """The answers to both forms, and notes on them. Both are needed: a score alone is not a drop."""
    if asked.reader != "answers":
        read = KeyReader.of(forms[:1], sorts=asked.reader == "place")
        note = "No value of this form has a key (is_key), so the rule finds none: paste the answers of a model instead."
        return read(forms), [note] if forms[0].values and not read.rules else []
    answers, notes = list[object](), list[str]()
    for field, text in (("before", asked.before), ("after", asked.after)):
        limits.check_given(text, field, "paste the model's answer, as JSON")
        answer, issues = llm.to_document(text)
        answers.append(answer)
        notes += [f"{limits.NAMES[field]} was read like this: {issue}." for issue in issues]
    return answers, notes


def _what_it_did(changes: Severity, words: int, f1: Sequence[float]) -> str:
    """The effect of the attacks on a form with so many words."""
    if len(f1) == 1:
        return "not applicable, as there is nothing to change in this form"
    shares = {name: getattr(changes, name) for name in ("dropped", "replaced", "moved", "reordered")}
    done = ((round(share * words), name) for name, share in shares.items())
    return f"of the form's {counted(words, 'word')}, {in_words(*done, empty='none changed')}"


def figures(asked: Asked) -> JsonObject:
    """The result for programs.

    Raises:
        RefusedError: for the same reasons as `attack`.
    """
    return attack(asked).figures


def explain(asked: Asked) -> str:
    """The HTML below the controls, in which all texts are escaped.

    Raises:
        RefusedError: for the same reasons as `attack`.

    >>> record = '{"words": ["Total", "9.00"], "labels": ["total", "total"], "is_key": [true, false]}'
    >>> "macro F1 1.0000 → 0.0000." in explain(Asked(record=record, attacks=["key_drop"]))
    True
    """
    outcome = attack(asked)
    before, after = outcome.forms
    predictions, references = ([{"attacks": outcome.figures[name]}] for name in ("predictions", "references"))
    return rendering.render(
        "attacked.html.j2",
        asked=asked,
        outcome=outcome,
        attacks=[ATTACKS[name] for name in asked.attacks],
        pictures={"As it is": form_picture(before), "Attacked": form_picture(after, before=before)},
        record=reproducing.json_lines([outcome.record]),
        attacked=reproducing.json_lines([outcome.figures["record"]]),
        python=reproducing.python_lines([NAME], predictions, references, {}),
        command=reproducing.command_lines([NAME], predictions, references, {}),
    )


def examples() -> dict[str, str]:
    """The forms by name, as texts for the page's field.

    >>> [*examples()][0]
    'Invoice of Lavas Vokagun'
    """
    file = resources.files("docie.spaces").joinpath("form_robustness", "static", "forms.jsonl")
    records = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {f"Invoice of {Page.from_record(each).document()['vendor']}": text_of(each) for each in records}
