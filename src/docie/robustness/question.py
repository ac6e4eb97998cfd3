"""How much does a model lose when forms are attacked?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from docie import robustness
from docie.core.notes import noted
from docie.core.phrases import counted
from docie.core.values.plain import JsonObject
from docie.metrics import form_robustness
from docie.robustness.form import Page
from docie.robustness.models.answers import Predict
from docie.show.result import Facts, Result
from docie.show.result import Page as ReportPage
from docie.show.section import HINT, Section, Text


@dataclass(frozen=True, kw_only=True)
class AttackResult(Result):
    """How much a model loses under attacks.

    Attributes:
        report: the scores, unattacked and under each attack.
        by_field: whether the drop of each field was asked for.
        settings: when a value is correct; None for exact matches.
    """

    report: robustness.RobustnessReport
    by_field: bool = False
    settings: form_robustness.Settings | None = None

    def to_dict(self) -> JsonObject:
        """The scores as plain values."""
        return self.report.to_json()

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """The table of drops, and on a page charts, fields, combinations and forms."""
        if not brief:
            yield from self.page().sections
            return
        report = self.report
        parts = [report.table()]
        parts += [report.by_field()] if self.by_field else []
        parts += [report.calibration()] if report.confidence else []
        parts += map(report.of_family, report.families)
        lines = [*report.notes(by_field=self.by_field), f"{counted(report.forms, 'form')} · {report.signature}"]
        yield Section([*parts, *(Text(line, HINT) for line in lines)], captions=False)

    def page(self) -> ReportPage:
        """The report."""
        from docie.robustness.report_page import robustness_page

        return robustness_page(self.report, self.facts, settings=self.settings)


def attack(
    *,
    forms: Iterable[Page],
    predict: Predict,
    reference: Callable[[Page], object] = Page.document,
    settings: form_robustness.Settings | None = None,
    by_field: bool = False,
    names: tuple[str, str] = ("", ""),
    **options: Any,
) -> AttackResult:
    """Attack forms, and measure how much a model loses, as `docie attack --model` does.

    Args:
        forms (iterable of Page): the forms.
        predict (callable): the model: from a list of forms to a list of documents.
        reference (callable): from a form to what there is to find.
        settings (form_robustness.Settings): when a value is correct; None for exact matches.
        by_field (bool): add the drop of each field.
        names (tuple of str): what the forms and the model are called in a report.
        **options: those of `docie.robustness.run`, such as `attacks`, `strengths` and `seed`.

    Returns:
        AttackResult: printed, what the command prints; `docie.write` puts it into any form.

    Raises:
        ValueError: as `docie.robustness.run`.

    >>> from docie.robustness.form import Field, Word
    >>> forms = [Page([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> attack(forms=forms, predict=last_word, attacks=["key_drop"]).report.worst_drop
    1.0
    """
    with noted() as notes:
        report = robustness.run(predict, forms, reference=reference, settings=settings, **options)
    title = f"Form attacks on {names[1]}" if names[1] else "Form attacks"
    return AttackResult(
        facts=Facts(title=title, references=names[0], predictions=names[1], notes=notes),
        signature=report.signature,
        report=report,
        by_field=by_field,
        settings=settings,
    )
