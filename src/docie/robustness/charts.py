"""The charts of a run of attacks by name: for its report, and as files."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

from docie.robustness import plots
from docie.robustness.result import RobustnessReport, combined, sweeps
from docie.show.destination import errors_of
from docie.show.plots.style import check_packages
from docie.show.section import Chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS_PER_INCH = 300
"""Of saved charts: sharp in print."""


def charts_of(results: RobustnessReport) -> dict[str, Chart]:
    """The charts that a run has data for, by the names of their files."""
    drops = partial(plots.drops, results)
    found = {
        "drops": (drops, "The drop of F1 under each attack, with its interval."),
        "drops-precision": (partial(drops, score="precision"), "The drop of precision."),
        "drops-recall": (partial(drops, score="recall"), "The drop of recall."),
        "fields": (partial(plots.drop_heat_map, results), "The drop of F1 of each field under each attack."),
    }
    for size in sizes(results):
        caption = f"The combinations of {size} attacks that cost most. A diamond is the worst of the attacks alone."
        found[f"combinations-{size}"] = partial(plots.combinations, results, size=size), caption
    if sweeps(results):
        caption = "The drop of F1 by the strength of the attack; 1 is its default."
        found["strengths"] = partial(plots.severity_curves, results), caption
    said = "The table of this section has the numbers."
    return {name: Chart(draw, f"{caption} {said}", caption) for name, (draw, caption) in found.items()}


def sizes(results: RobustnessReport) -> list[int]:
    """How many attacks its combinations combine."""
    return sorted({len(row.parts) for row in combined(results)})


def save_charts(results: RobustnessReport, folder: str | os.PathLike[str]) -> list[Path]:
    """Save the charts of a run as PNG files, for papers and slides.

    Args:
        results (RobustnessReport): what `robustness.run` gave.
        folder (str or Path): where they go; it is made if it is not there. Files of the same names are replaced.

    Returns:
        list of Path: the files.

    Raises:
        ImportError: without matplotlib.
        ValueError: for a folder that cannot be written.

    >>> import tempfile
    >>> from docie import robustness
    >>> from docie.robustness.form import Page, Word
    >>> results = robustness.run(lambda forms: [{}], [Page([Word("9.00")])], attacks=["bg_drop"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in save_charts(results, folder)]
    ['drops.png', 'drops-precision.png', 'drops-recall.png', 'fields.png']
    """
    check_packages()
    pictures = {Path(folder) / f"{name}.png": chart for name, chart in charts_of(results).items()}
    with errors_of(folder, "cannot write the charts"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        for path, chart in pictures.items():
            cast("Figure", chart.draw().figure).savefig(path, dpi=POINTS_PER_INCH)
    return [*pictures]
