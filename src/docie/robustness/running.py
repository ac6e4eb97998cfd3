"""Run a model under attacks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from docie import corpus
from docie.core.errors import shortened
from docie.core.family import Family, get
from docie.core.settings import check_fraction, signature
from docie.corpus.evaluation import check_result_options
from docie.corpus.progress import with_progress_bar
from docie.metrics import entity_f1, form_robustness
from docie.robustness.attacks.sequences import AttackSpec
from docie.robustness.form import Page
from docie.robustness.models.answers import Answers, Asker, Predict
from docie.robustness.plan import Planned, as_severe, at_strengths, planned, with_boxes_only
from docie.robustness.result import Example, RobustnessReport, UnderAttack, main_attacks
from docie.robustness.scoring import Judge, Scorer, Worst

Each = TypeVar("Each")
MOST_EXAMPLES = 3
"""The attacks of which the report has an example."""


def run(
    predict: Predict,
    forms: Iterable[Page],
    *,
    attacks: Iterable[AttackSpec] | Mapping[str, AttackSpec] | None = None,
    combinations: Iterable[Sequence[str]] = (),
    pairs: bool = False,
    triples: bool | int = False,
    strength: float | Mapping[str, float] = 1.0,
    strengths: Iterable[float] = (),
    severity: Mapping[str, float] | None = None,
    seed: int = 0,
    reference: Callable[[Page], object] = Page.document,
    settings: form_robustness.Settings | None = None,
    families: Collection[str] | Mapping[str, object] = (),
    confidence_level: float = 0.95,
    precision: float = 0.99,
    folder: str | Path | None = None,
    progress: bool = True,
) -> RobustnessReport:
    """Compare a model's answers to forms with its answers under attacks.

    The interval of a drop is paired: it is the t interval of the delta method over forms (as in `corpus.compare`), each
    with its answers before and after. It covers the variation between forms, not between seeds.

    An attack applies to the forms in which it finds something to change (`docie.attacks.can_act`), such as a key to
    drop. The model gets only these forms, and its answers are compared with its unattacked answers to the same forms.
    An attack that finds nothing in any form is `not_applicable`.

    Args:
        predict (callable): the model: takes a list of forms, and returns a document for each, in the same order. It
            must use only the words and boxes of forms. Answers are rows as in `docie.corpus.evaluate`, whose warnings
            are shown for the unattacked forms. An answer that is not an object counts as an empty document.
        forms (iterable of Page): the unattacked forms.
        attacks (list or dict): the attacks, each as in `docie.attacks.apply`: a name, or a list of names with options,
            such as [("bg_drop", {"p": 0.13})]. A dict sets their names in the report. None for the fourteen of the
            paper and value_location_move. If a form has no boxes, attacks that need them are left out with a warning.
        combinations (iterable of list): further attacks, each a list of names, such as `docie.attacks.combinations(2)`.
        pairs (bool): add all 91 pairs of the fourteen.
        triples (bool or int): add all 364 triples of the fourteen, or a random sample of this size.
        strength (float or dict): the strength of the attacks, see `docie.attacks.apply`; a dict sets that of single
            attacks by name.
        strengths (list of float): further strengths for every single attack, to see how its drop grows: [0.5, 2] adds
            bg_drop@0.5 and bg_drop@2 to bg_drop. A strength with the same effect as another one, because the
            probability is already 1, is left out.
        severity (dict): instead of a strength, one measure of `docie.attacks.Severity` with its value, such as
            {"edit_rate": 0.1}: each attack gets the strength that reaches it on these forms. Attacks that cannot reach
            it are left out, with a warning.
        seed (int): the seed of the attacks.
        reference (callable): from a form to its reference document. The default is its fields without groups.
        settings (form_robustness.Settings): options such as match rules; None for exact matches.
        families (list or dict): names of further families to score with; a dict adds their settings.
        confidence_level (float): the level of the intervals, between 0 and 1.
        precision (float): if answers have confidences, the unattacked forms determine a threshold: the lowest one at
            which this share of the values at or above it is correct.
        folder (str or Path): where the answers are kept, a JSON file for each attack. An interrupted run continues
            there, and the model gets only the remaining forms. Each model needs a separate folder.
        progress (bool): show a progress bar on stderr, if that is a terminal.

    Returns:
        RobustnessReport: the scores, the largest drop first.

    Raises:
        ValueError: if there are no forms, if an attack or family is unknown, if no attack reaches the severity, if no
            attack is left, if `predict` returns more or fewer documents than forms, or if the folder has answers of
            another run.
            DocumentError: if an answer cannot be scored; the error has the number of the form.

    >>> from docie.robustness.form import Field, Word
    >>> words = [Word("Total:", (10, 10, 50, 20)), Word("9.00", (60, 10, 90, 20)), Word("Thanks", (10, 40, 60, 50))]
    >>> forms = [Page(words, [Field("total", (1,), (0,))], page=(100, 100), id=number) for number in range(4)]
    >>> def behind_the_key(forms):
    ...     texts = [[word.text for word in form.words] for form in forms]
    ...     return [{"total": row[row.index("Total:") + 1]} if "Total:" in row[:-1] else {} for row in texts]
    >>> report = run(behind_the_key, forms, attacks=["key_drop", "center_shift"])
    >>> report.f1, [(row.attack, row.drop_f1, row.unchanged) for row in report.attacks]
    (1.0, [('key_drop', 1.0, 0.0), ('center_shift', 0.0, 1.0)])
    """
    if isinstance(forms, Page):
        raise ValueError("forms must be a list, got one Page; write [form]")
    listed = list(forms)
    if not listed:
        raise ValueError("there are no forms to attack")
    wrong = next((form for form in listed if not isinstance(form, Page)), None)
    if wrong is not None:
        raise ValueError(f"forms must be docie.form.Page objects, got {shortened(wrong)}")
    check_result_options(confidence_level=confidence_level)
    check_fraction("precision", precision)
    if severity is not None and strength != 1:
        raise ValueError("give a strength or a severity, not both")
    settings = settings or form_robustness.Settings()
    chosen = _families(families)
    plan = planned(attacks, combinations, pairs=pairs, triples=triples, strength=strength, seed=seed)
    plan = with_boxes_only(plan, listed)
    if severity is not None:
        plan = as_severe(_shown(plan, "measuring", progress), listed, severity)
    plan = at_strengths(plan, strengths)
    asker = Asker(predict, listed, reference, folder)
    answers = map(asker.answers, _shown([None, *plan], "attacking", progress))
    unattacked = next(answers)
    scorer = Scorer(unattacked, settings, chosen, confidence_level)
    _warn_of(unattacked, settings)
    judge = Judge(unattacked, settings, precision)
    figures, of_families = scorer.of_unattacked()
    results, not_applicable = list[UnderAttack](), list[str]()
    for attack, each in zip(plan, answers, strict=True):
        if each.places:
            results.append(_result(attack, each, scorer, judge))
        else:
            not_applicable.append(attack.name)
    report = RobustnessReport(
        **figures,
        attacks=sorted(results, key=lambda row: -row.drop_f1),
        per_entity=form_robustness.breakdown(scorer.total)["per_entity"],
        families=of_families,
        confidence=judge.of_unattacked,
        not_applicable=not_applicable,
        forms=len(listed),
        confidence_level=confidence_level,
        seed=seed,
        signature=signature(form_robustness.NAME, settings, confidence_level=confidence_level, seed=seed),
    )
    return replace(report, examples=_examples(report, {attack.name: attack for attack in plan}, scorer.worst, listed))


def _result(attack: Planned, answers: Answers, scorer: Scorer, judge: Judge) -> UnderAttack:
    """The scores of the forms under one attack."""
    return UnderAttack(
        attack=attack.name,
        parts=attack.parts,
        strength=float(attack.strength),
        **scorer.add(answers),
        severity=answers.severity or {},
        confidence=judge.figures(answers),
        families=scorer.of_families(answers),
    )


def _examples(
    report: RobustnessReport, plan: Mapping[str, Planned], worst: Mapping[str, Worst], forms: Sequence[Page]
) -> list[Example]:
    """Under each of the attacks that cost most, the form on which the model falls furthest."""
    found = []
    for name in [row.attack for row in main_attacks(report) if row.drop_f1 > 0 and row.attack in worst][:MOST_EXAMPLES]:
        place, answers, references, f1 = worst[name]
        before = forms[place]
        identity = place if before.id is None else before.id
        found.append(Example(name, identity, before, plan[name].apply(before), answers, references, f1))
    return found


def _shown(steps: Sequence[Each], label: str, progress: bool) -> Iterable[Each]:
    """The steps, with a progress bar if requested."""
    return with_progress_bar(steps, len(steps), label) if progress else steps


def _warn_of(answers: Answers, settings: form_robustness.Settings) -> None:
    """Warn of answers that look wrong, as for every corpus: unreadable ones, other field names."""
    same = entity_f1.Settings(normalize=settings.normalize, match=settings.match, schema=settings.schema)
    predictions = [{"prediction": answer} for answer in answers.predictions]
    corpus.evaluate(entity_f1, predictions, [{"reference": document} for document in answers.references], same)


def _families(families: Collection[str] | Mapping[str, object]) -> dict[str, tuple[Family, object]]:
    """The families by name, each with its settings."""
    if isinstance(families, str):
        raise ValueError(f"families must be a list, got the text {families!r}; write [{families!r}]")
    result = {}
    for name in families:
        family = get(name)
        settings = families[name] if isinstance(families, Mapping) else None
        result[name] = (family, family.Settings() if settings is None else settings)
        if "document" not in family.INPUTS:
            raise ValueError(f"{name} does not read documents, so it cannot score the answers to forms")
    return result
