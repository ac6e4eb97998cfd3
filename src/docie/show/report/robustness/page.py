"""From the sections of the report of form attacks to one page of HTML that loads nothing, and to pictures."""

from __future__ import annotations

import functools
import os
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from docie.metrics import kieval
from docie.robustness import RobustnessReport
from docie.robustness.result import sweeps
from docie.show import plots
from docie.show.report.forms.picture import form_picture
from docie.show.report.packages import imported
from docie.show.report.page import framed
from docie.show.report.rendering import aligned_view
from docie.show.report.robustness.content import Robustness, name_of_size, sizes
from docie.show.report.robustness.examples import Example

POINTS_PER_INCH = 300
"""Of pictures: sharp in print."""


class Chart(NamedTuple):
    """A chart of a run, what it shows, and how it is drawn."""

    name: str
    caption: str
    draw: Callable[[], Any]


def render_robustness(report: Robustness, settings: kieval.Settings | None = None) -> str:
    """The page of form attacks.

    Args:
        report (Robustness): its sections.
        settings (kieval.Settings): when values are right where answers are shown; None for the defaults.

    Returns:
        str: HTML that loads nothing.

    Raises:
        ModuleNotFoundError: without the packages of the extra `report`.

    >>> from docie import robustness
    >>> from docie.robustness.form import Field, Form, Word
    >>> from docie.show.report import Facts
    >>> form = Form([Word("9.00"), Word("Thanks")], [Field("total", (0,))])
    >>> html = render_robustness(Robustness(robustness.run(lambda forms: [{}], [form], attacks=["bg_drop"]), Facts()))
    >>> "F1 is 0.0 % on 1 form even without an attack, so no attack can lower it." in html
    True
    """
    markup = imported("markupsafe").Markup

    def view(prediction: Any, reference: Any) -> Any:
        return markup(aligned_view(prediction, reference, settings))

    def picture(*forms: Any, **before: Any) -> Any:
        return markup(form_picture(*forms, **before))

    charts: defaultdict[str, dict[str, Any]] = defaultdict(dict)  # without matplotlib, there are none
    for chart in charts_of(report.results):
        try:
            drawing = plots.svg(chart.draw(), title=f"{chart.caption} The table of this section has the numbers.")
        except ImportError:
            break
        charts[chart.name] = {"caption": chart.caption, "svg": markup(drawing)}
    return framed("robustness/page.html.j2", report, view=view, picture=picture, charts=charts)


def charts_of(results: RobustnessReport) -> list[Chart]:
    """The charts that a run has something for."""
    found = [
        Chart("drops", "The drop of F1 under each attack, with its interval.", lambda: plots.drops(results)),
        Chart("drops-precision", "The drop of precision.", lambda: plots.drops(results, score="precision")),
        Chart("drops-recall", "The drop of recall.", lambda: plots.drops(results, score="recall")),
        Chart("fields", "The drop of F1 of each field under each attack.", lambda: plots.drop_heat_map(results)),
    ]
    for size in sizes(results):
        caption = f"The {name_of_size(size)} that cost most. A diamond is the worst of the attacks alone."
        draw = functools.partial(plots.combinations, results, size=size)
        found.append(Chart(f"combinations-{size}", caption, draw))
    if sweeps(results):
        caption = "The drop of F1 by the strength of the attack; 1 is its default."
        found.append(Chart("strengths", caption, lambda: plots.severity_curves(results)))
    return found


def save_charts(
    results: RobustnessReport, folder: str | os.PathLike[str], examples: Sequence[Example] = ()
) -> list[Path]:
    """Save the charts of a run as PNG files, for papers and slides; of each example the form before and after.

    Args:
        results (RobustnessReport): what `robustness.run` gave.
        folder (str or Path): where they go; it is made if it is not there. Files of the same names are replaced.
        examples (list of Example): what `examples` found.

    Returns:
        list of Path: the files.

    Raises:
        ImportError: without matplotlib.
        ValueError: for a folder that cannot be written.

    >>> import tempfile
    >>> from docie import robustness
    >>> from docie.robustness.form import Form, Word
    >>> results = robustness.run(lambda forms: [{}], [Form([Word("9.00")])], attacks=["bg_drop"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in save_charts(results, folder)]
    ['drops.png', 'drops-precision.png', 'drops-recall.png', 'fields.png']
    """
    place, paths = chart_folder(folder), []
    try:
        for chart in [*charts_of(results), *_forms(examples)]:
            paths.append(place / f"{chart.name}.png")
            figure: Any = chart.draw().figure
            figure.savefig(paths[-1], dpi=POINTS_PER_INCH)
    except OSError as error:
        raise ValueError(f"{os.fspath(folder)}: cannot write the charts ({error.strerror or error})") from None
    return paths


def _forms(examples: Sequence[Example]) -> Iterator[Chart]:
    """The pictures of examples."""
    for number, example in enumerate(examples, 1):
        after = functools.partial(plots.form_page, example.after, before=example.before)
        yield Chart(f"form-{number}-before", "As it was.", functools.partial(plots.form_page, example.before))
        yield Chart(f"form-{number}-after", f"Under {example.attack}.", after)


def chart_folder(folder: str | os.PathLike[str]) -> Path:
    """A folder for `save_charts`, made if it is not there: what prevents charts is found out before the work.

    Args:
        folder (str or Path): the folder.

    Returns:
        Path: the folder.

    Raises:
        ImportError: without matplotlib.
        ValueError: for a folder that cannot be written.

    >>> chart_folder("setup.py/charts")
    Traceback (most recent call last):
    ...
    ValueError: setup.py/charts: cannot write the charts (Not a directory)
    """
    plots.check_packages()
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"{os.fspath(folder)}: cannot write the charts ({error.strerror or error})") from None
    return Path(folder)
