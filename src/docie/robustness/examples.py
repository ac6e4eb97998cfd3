"""Forms on which a model lost: as they were and attacked, with both answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from docie.core.values.json_text import as_json
from docie.inputs.openers import plain_row
from docie.metrics import form_robustness
from docie.robustness import RobustnessReport, UnderAttack, attacks
from docie.robustness.form import Page
from docie.robustness.models.answers import Predict, predicted
from docie.robustness.result import singles

ASKED = 20
"""The number of forms that the model reads again, to find one on which it lost."""
MOST = 3
"""The number of attacks that are shown."""


class Example(NamedTuple):
    """A form before and after an attack.

    Attributes:
        attack: the name of the attack.
        name: the id of the form, or its number if it has none.
        before, after: the form.
        answers: what the model says of both.
        references: what there is to find in both.
        f1: the F1 of both answers.
    """

    attack: str
    name: str | int
    before: Page
    after: Page
    answers: tuple[object, object]
    references: tuple[object, object]
    f1: tuple[float, float]


def examples(
    results: RobustnessReport,
    forms: Sequence[Page],
    predict: Predict,
    *,
    reference: Callable[[Page], object] = Page.document,
    settings: form_robustness.Settings | None = None,
    most: int = MOST,
) -> tuple[list[Example], list[str]]:
    """For each of the worst attacks the form on which the model falls furthest, among the first twenty.

    The model reads these twenty once more, before the attacks and under each. An attack that was made with
    options of its own cannot be made again from its name; then a note says so.

    Args:
        results (RobustnessReport): what `robustness.run` gave.
        forms (list of Page): the forms of the run, unattacked.
        predict (callable): the model of the run.
        reference (callable): from a form to what there is to find, as in the run.
        settings (form_robustness.Settings): when a value is correct, as in the run; None for exact matches.
        most (int): at most so many attacks.

    Returns:
        tuple: the examples, and notes on attacks without one.

    Raises:
        ValueError: if these are not the forms of the run, or `predict` gives another number of documents.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Word
    >>> forms = [Page([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> [found], notes = examples(robustness.run(last_word, forms, attacks=["key_drop"]), forms, last_word)
    >>> found.attack, found.name, found.answers, found.f1
    ('key_drop', 0, ({'total': '0'}, {}), (1.0, 0.0))
    """
    if len(forms) != results.forms:
        raise ValueError(f"forms must be those of the run: expected {results.forms}, got {len(forms)}")
    rows = [row for row in singles(results) or results.attacks if row.drop_f1 > 0][:most]
    if not rows:
        return [], []
    settings = settings or form_robustness.Settings()
    asked = forms[:ASKED]
    before = predicted(predict, asked)
    found, notes = [], []
    for row in rows:
        attacked = [attacks.apply(row.parts, form, seed=results.seed, strength=row.strength) for form in forms]
        counted = [pair for pair in zip(forms, attacked, strict=True) if attacks.acted(row.parts, *pair)]
        if not counted or attacks.severity(*zip(*counted, strict=True))._asdict() != row.severity:
            notes.append(f"{row.attack} was made with options of its own, so no form is shown under it.")
            continue
        after = predicted(predict, attacked[:ASKED], attack=row.attack)
        every = [*_examples(row, asked, attacked, (before, after), reference, settings)]
        worst = min(every, key=lambda each: each.f1[1] - each.f1[0])
        if worst.f1[1] < worst.f1[0]:
            found.append(worst)
        else:
            notes.append(f"Under {row.attack} the answers to the first {len(asked)} forms are as good as before.")
    return found, notes


def _examples(
    row: UnderAttack,
    forms: Sequence[Page],
    attacked: Sequence[Page],
    answers: tuple[Sequence[object], Sequence[object]],
    reference: Callable[[Page], object],
    settings: form_robustness.Settings,
) -> Iterator[Example]:
    """All forms under an attack."""
    for number, (before, after) in enumerate(zip(forms, attacked, strict=False)):
        both = answers[0][number], answers[1][number]
        expected = tuple(as_json(plain_row(reference(form)), is_reference=True) for form in (before, after))
        f1 = _f1(both, expected, settings)
        yield Example(row.attack, number if before.id is None else before.id, before, after, both, expected, f1)


def _f1(
    answers: tuple[object, object], references: tuple[object, object], settings: form_robustness.Settings
) -> tuple[float, float]:
    """The F1 of the answers to a form before and under an attack."""
    names = (form_robustness.UNATTACKED, "attack")
    prediction, reference = ({"attacks": dict(zip(names, side, strict=True))} for side in (answers, references))
    figures = form_robustness.score(form_robustness.count(prediction, reference, settings))
    return float(figures["f1"]), float(figures["f1_attack"])
