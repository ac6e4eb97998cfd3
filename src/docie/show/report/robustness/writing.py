"""Write the report of form attacks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

from docie import corpus
from docie.metrics import form_robustness
from docie.robustness import Predict, RobustnessReport
from docie.robustness.form import Form
from docie.show.report.output import destination
from docie.show.report.page import check_packages
from docie.show.report.robustness.content import Robustness
from docie.show.report.robustness.examples import Example, examples
from docie.show.report.robustness.page import render_robustness
from docie.show.report.wording import Facts


def write_robustness(
    path: str | os.PathLike[str],
    results: RobustnessReport,
    *,
    forms: Iterable[Form] = (),
    predict: Predict | None = None,
    reference: Callable[[Form], Any] = Form.document,
    settings: form_robustness.Settings | None = None,
    title: str = "Form attacks",
    command: str = "",
) -> None:
    """Write a report of form attacks: one HTML file that needs no network.

    With forms and the model, it shows for each of the worst attacks the form on which the model falls furthest, as it
    was and attacked, with both answers. The model is asked once more for that, about twenty forms at most.

    Args:
        path (str or Path): the file. One that is there is replaced, once the report is complete.
        results (RobustnessReport): what `robustness.run` gave.
        forms (iterable of Form): the forms of the run, unattacked; none to show no forms.
        predict (callable): the model of the run; needed with forms.
        reference (callable): from a form to what there is to find, as in the run.
        settings (form_robustness.Settings): when a value is right, as in the run; None for exact matches.
        title (str): the title of the page.
        command (str): what the report names as the command that made it.

    Raises:
        ModuleNotFoundError: without the packages of the extra `report`.
        ValueError: for a path that cannot be written, for forms without `predict` or of another run.

    >>> import tempfile
    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Word
    >>> forms = [Form([Word("Total"), Word(str(number))], [Field("total", (1,), (0,))]) for number in range(9)]
    >>> def last_word(forms):
    ...     return [{"total": form.words[-1].text} if len(form.words) > 1 else {} for form in forms]
    >>> results = robustness.run(last_word, forms, attacks=["key_drop"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_robustness(f"{folder}/report.html", results, forms=forms, predict=last_word)
    ...     os.listdir(folder)
    ['report.html']
    """
    check_packages()
    listed = list(forms)
    if listed and predict is None:
        raise ValueError("forms are shown with the answers to them, so predict is needed")
    with destination(path) as file:
        shown: tuple[list[Example], list[str]] = ([], [])
        if listed and predict is not None:
            shown = examples(results, listed, predict, reference=reference, settings=settings)
        page = Robustness(results, Facts(title=title, command=command, notes=shown[1]), shown[0])
        file.save(render_robustness(page, None if settings is None else corpus.kieval_settings(settings)))
