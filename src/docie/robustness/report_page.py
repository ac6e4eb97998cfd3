"""The report of form attacks: how much a model loses, under which attacks, in which fields, and on which form."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Sequence
from functools import partial

from docie.core.phrases import counted, enumerated, verb
from docie.core.scores import rounded
from docie.metrics import form_robustness, kieval
from docie.metrics.kieval.options import kieval_settings
from docie.robustness.form.drawing import form_picture
from docie.robustness.result import (
    LEAST_FORMS,
    Example,
    RobustnessReport,
    UnderAttack,
    combined,
    is_clear,
    main_attacks,
    sweeps,
)
from docie.show.page.page import MOST_ROWS, with_bars
from docie.show.result import Fact, Facts, Page, making_of, notes_of
from docie.show.section import (
    Axis,
    Beside,
    Chart,
    Details,
    Explained,
    Headline,
    Headlines,
    Heat,
    Part,
    Picture,
    Section,
    Series,
    Share,
    Table,
    Text,
    number,
    percent,
)

MOST_COMBINATIONS = 10
"""Of attacks, the worst ones, that a table shows: there may be thousands."""
MOST_LINES = 6
"""The attacks that a chart shows, those that cost most."""
MOST_NAMES = 6
"""The attacks that the sentence names at most."""


def robustness_page(
    results: RobustnessReport,
    facts: Facts,
    *,
    settings: form_robustness.Settings | None = None,
) -> Page:
    """The report of what `robustness.run` gives.

    The references of `facts` stand for the forms, its predictions for the model. Settings are those of the run.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Page, Word
    >>> form = Page([Word("9.00"), Word("Thanks")], [Field("total", (0,))])
    >>> page = robustness_page(robustness.run(lambda forms: [{}], [form], attacks=["bg_drop"]), Facts())
    >>> page.sections[0].parts[0].text
    'Macro F1 is 0.0 % on 1 form even without an attack, so no attack can lower it.'
    """
    rows = main_attacks(results)
    part = dataclasses.replace(results, attacks=rows[:MOST_ROWS])
    found = (
        _overview(results, part, facts),
        *(_attacks(results, part, len(rows)) if rows else ()),
        _combinations(results),
        _strengths(results),
        _calibration(part),
        _families(part),
        _forms(results.examples, kieval_settings(settings)),
    )
    score = (
        "End-to-end F1, precision and recall: a value is correct if it is found under its field, and the score is a "
        "macro average, the mean over fields. Intervals are t intervals of the delta method over forms."
    )
    own = (
        Fact("Number of forms", f"{results.forms:,}"),
        Fact("Score", score),
        Fact("Signature", results.signature, is_code=True),
        Fact(
            "Source",
            "Xue et al., “Robustness Evaluation of Transformer-based Form Field Extractors via Form Attacks” (2021)",
        ),
    )
    making = making_of(facts, *own, names=("Forms", "Model"))
    sections = [section for section in found if section]
    forms, model = counted(results.forms, "form"), facts.predictions or "a model"
    lead = f"What {model} loses when {forms} change, run on {facts.date}."
    return Page(facts.title, lead, sections, making, facts.date)


def _overview(results: RobustnessReport, part: RobustnessReport, facts: Facts) -> Section:
    said = (
        f"A drop is the macro F1 of the forms as they are, minus that under the attack. Its {_level(results)} interval "
        "is paired: each form counts with both answers. It says how far the drop may move with other forms like these. "
        "Intervals are not corrected for the number of attacks."
    )
    precision, recall, fields = number(results.precision), number(results.recall), len(results.per_entity)
    mean = f"The mean over {counted(fields, 'field')} (macro average); precision {precision}, recall {recall}."
    parts = [
        *notes_of(facts.notes),
        Text(sentence(results), "found"),
        Headlines([Headline("Macro F1 without attack", number(results.f1), "", mean)]),
        *(Text(note, "hint") for note in part.notes()),
        Text(said, "hint"),
    ]
    return Section(parts, "Overview", "overview")


def _attacks(results: RobustnessReport, part: RobustnessReport, rows: int) -> Iterator[Section]:
    """The attacks, and what they do to each field."""
    said = (
        "Largest drops come first, each with its interval. “forms” is the number of forms in which the attack finds "
        "something to change: only these count for it, with and without the attack. “unchanged” is the share of forms "
        "whose answer stayed the same; the last columns say what the attack did to the forms."
    )
    rest = rows - len(part.attacks)
    more = [Text(f"{counted(rest, 'more attack')}; docie attack lists all.", "hint")] if rest else []
    both = Details("Precision and recall", [_drops_of(part, "precision"), _drops_of(part, "recall")])
    yield Section([Text(said, "hint"), _drops(part, "drop by attack"), *more, both], "Attacks", "attacks")
    said = "Which field breaks under which attack. The first row is the F1 without attack, the others are drops."
    notes = [Text(note, "hint") for note in part.notes(by_field=True)[len(part.notes()) :]]
    yield Section([Text(said, "hint"), _by_field(part), *notes], "Fields", "fields")


def _drops(part: RobustnessReport, title: str) -> Table:
    """The table of drops, with bars."""
    table = part.table()
    bars = [None, *(_share(row.drop_f1, row.drop_f1_interval) for row in part.attacks)]
    return with_bars(table._replace(title=title), bars, table.columns.index("drop"))


def _drops_of(part: RobustnessReport, score: str) -> Table:
    """The drop of precision or of recall under each attack."""
    found = [
        (row.attack, getattr(row, f"drop_{score}"), getattr(row, f"drop_{score}_interval")) for row in part.attacks
    ]
    cells = [[name, number(drop), " – ".join(map(number, bounds or ()))] for name, drop, bounds in found]
    bars = [_share(drop, bounds) for _, drop, bounds in found]
    return with_bars(Table(f"drop of {score}", ["attack", "drop", "interval"], cells), bars, 1)


def _share(drop: float, bounds: Sequence[float] | None) -> Share:
    return Share(drop, *(bounds or ()))


def _by_field(part: RobustnessReport) -> Table:
    """The drop of each field under each attack, as a heat map."""
    table = part.by_field()
    drops = {
        (row, column): part.field_drop(field, each.attack) or 0.0
        for row, each in enumerate(part.attacks, 1)
        for column, field in enumerate(part.per_entity, 1)
    }
    most = max(map(abs, drops.values()), default=0.0)
    tones = {place: Heat(abs(drop) / most, "worse" if drop > 0 else "better") for place, drop in drops.items() if drop}
    return table._replace(heat=tones)


def _combinations(results: RobustnessReport) -> Section | None:
    """The worst combinations by the number of attacks that they combine."""
    parts: list[Part] = [Text("Attacks that were applied one after the other.", "hint")]
    for size in sorted({len(row.parts) for row in combined(results)}):
        rows = combined(results, size)
        title = f"the worst of {counted(len(rows), 'combination')} of {size} attacks"
        table = _drops(dataclasses.replace(results, attacks=rows[:MOST_COMBINATIONS]), title)
        cells = [[name.replace("+", " + "), *others] for name, *others in table.rows]  # lines break at blanks
        parts.append(table._replace(rows=cells))
    return Section(parts, "Combinations", "combinations") if parts[1:] else None


def _strengths(results: RobustnessReport) -> Section | None:
    """The drop at each strength; None unless an attack was made at several."""
    found = sweeps(results)
    if not found:
        return None
    strengths = sorted({row.strength for rows in found.values() for row in rows})
    cells, series = list[list[str]](), list[Series]()
    for name, rows in [*found.items()][:MOST_ROWS]:
        drops = {row.strength: number(row.drop_f1) for row in rows}
        cells.append([name, *(drops.get(strength, "") for strength in strengths)])
        series.append(Series([(row.strength, row.drop_f1) for row in rows], name, dots=True))
    table = Table("drop of F1 by strength", ["attack", *(f"{strength:g}" for strength in strengths)], cells)
    said = (
        "The same attacks at several strengths; 1 is their default. Where a cell is empty, the attack does no more "
        "than at another strength."
    )
    title = "The drop of F1 by the strength of the attack. The table below has its numbers."
    chart = Chart(title, Axis("strength", percent=False), Axis("drop of F1"), series[:MOST_LINES])
    return Section([Text(said, "hint"), chart, table], "Strength", "strengths")


def _calibration(part: RobustnessReport) -> Section | None:
    """How good confidences are before and after; None without confidences."""
    if part.confidence is None:
        return None
    said = "Whether confidences still tell which values are correct: without attack (none), and under each attack."
    return Section([Text(said, "hint"), part.calibration()], "Confidences", "calibration")


def _families(part: RobustnessReport) -> Section | None:
    """The scores of other families."""
    parts = [Details(name, [part.of_family(name)]) for name in part.families]
    return Section(parts, "Other metrics", "families") if parts else None


def _forms(examples: Sequence[Example], settings: kieval.Settings) -> Section | None:
    """Forms on which the model lost."""
    if not examples:
        return None
    parts = list[Part]()
    for each in examples:
        before, after = (rounded(f1, 2) for f1 in each.f1)
        titled = zip(each.answers, each.references, ("The answer as it was", "The answer under attack"), strict=True)
        answers = [Explained(partial(kieval.explain, got, wanted, settings), said) for got, wanted, said in titled]
        pictures = [
            Picture(partial(form_picture, each.before), "As it was"),
            Picture(partial(form_picture, each.after, before=each.before), "Attacked"),
        ]
        title = f"{each.attack}, form {each.name}: macro F1 {before} → {after}"
        parts.append(Details(title, [Beside(pictures), Beside(answers)], is_open=not parts))
    said = (
        "For the worst attacks, a form on which the model lost: as it was and attacked, with both answers. Macro F1 is "
        "the mean over the fields of the form; the entity F1 below counts all of its values together."
    )
    return Section([Text(said, "hint"), *parts], "Forms", "forms")


def sentence(results: RobustnessReport) -> str:
    """What was found.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Page, Word
    >>> forms = [Page([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> sentence(robustness.run(last_word, forms, attacks=["bg_typo", "key_drop"]))
    'Of 2 attacks on 9 forms, key_drop costs most: macro F1 falls from 100.0 % to 0.0 %; 9 forms are too few to tell a drop from chance.'
    """  # noqa: E501
    rows, forms, f1 = main_attacks(results), counted(results.forms, "form"), Share(results.f1).text
    if not rows:
        done = f"No attack applies to the {forms}" if results.not_applicable else f"The {forms} were not attacked"
        return f"{done}; macro F1 is {f1}."
    if not results.f1 and all(row.f1 == row.drop_f1 == 0 for row in rows):
        return f"Macro F1 is {f1} on {forms} even without an attack, so no attack can lower it."
    attacks = counted(len(rows), "attack")
    if rows[0].drop_f1 <= 0:
        return f"None of {attacks} lowers macro F1 from {f1} on {forms}."
    return f"Of {attacks} on {forms}, {_worst_in_words(results, rows)}; {_clear_in_words(results, rows)}."


def _worst_in_words(results: RobustnessReport, rows: Sequence[UnderAttack]) -> str:
    """Which attack costs most, or which ones cost equally much, and how much."""
    worst, tied = rows[0], [row for row in rows if math.isclose(row.drop_f1, rows[0].drop_f1, abs_tol=1e-9)]
    names = f"{_names(tied)} {'cost' if len(tied) > 1 else 'costs'} most"
    if any(row.forms < results.forms for row in tied) and len(tied) > 1:
        return f"{names}: macro F1 falls by {percent(worst.drop_f1)} points"
    on = f" on the {counted(worst.forms, 'form')} that it applies to" if worst.forms < results.forms else ""
    before = Share(min(1.0, worst.f1 + worst.drop_f1)).text
    where = _where(results, worst) if len(tied) == 1 else ""
    return f"{names}: macro F1 falls from {before} to {Share(worst.f1).text}{on}{where}"


def _where(results: RobustnessReport, row: UnderAttack) -> str:
    """The field that loses most under an attack; nothing if there is one field only."""
    losses = {field: results.field_drop(field, row.attack) or 0.0 for field in results.per_entity}
    if len(losses) < 2:
        return ""
    field = max(losses, key=lambda name: losses[name])
    after = results.per_entity[field][f"f1_{row.attack}"]
    before = min(1.0, after + losses[field])  # rounding may have made it more
    return f", and most of all in {field}, from {Share(before).text} to {Share(after).text}"


def _clear_in_words(results: RobustnessReport, rows: Sequence[UnderAttack]) -> str:
    """Which drops are more than an accident of these forms."""
    judged = [row for row in rows if row.forms >= LEAST_FORMS]
    clear = [row for row in judged if is_clear(row)]
    if not judged:
        most = max(row.forms for row in rows)
        return f"{counted(most, 'form')} {verb(most)} too few to tell a drop from chance"
    if not clear:
        said = f"no {_level(results)} interval of a drop lies above 0"
    elif len(clear) == len(rows):
        said = f"the {_level(results)} interval of {'every' if len(clear) > 1 else 'this'} drop lies above 0"
    else:
        said = f"the {_level(results)} interval of the drop lies above 0 only under {_names(clear)}"
    few = [row for row in rows if row.forms < LEAST_FORMS]
    applies = verb(len(few), "applies", "apply")
    return said + (f"; {_names(few)} {applies} to too few forms to tell" if few else "")


def _level(results: RobustnessReport) -> str:
    """The level of the intervals in per cent."""
    return f"{100 * results.confidence_level:g} %"


def _names(rows: Sequence[UnderAttack]) -> str:
    """The names of attacks in a sentence."""
    names, more = [row.attack for row in rows], len(rows) - MOST_NAMES
    return enumerated([*names[:MOST_NAMES], f"{more} more"] if more > 0 else names)
