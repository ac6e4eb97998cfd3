"""Write reports and charts: score or compare first, where they are not scored yet."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from docie import corpus
from docie.comparison.systems import read_systems
from docie.core.errors import warn
from docie.core.family import Family, checked_settings
from docie.corpus.clusters.labels import Clusters
from docie.documents.rows import unzip
from docie.metrics import form_robustness, kieval
from docie.metrics.kieval.options import kieval_settings
from docie.robustness import RobustnessReport
from docie.robustness.answers import Predict
from docie.robustness.examples import Example, examples
from docie.robustness.form import Form
from docie.show.destination import Destination, errors_of
from docie.show.plots.style import check_packages as plots_check_packages
from docie.show.report.comparison_page import comparison_page
from docie.show.report.output import check_packages
from docie.show.report.page import Facts, Page, render
from docie.show.report.robustness_page import charts_of, robustness_page
from docie.show.report.scans import image_folder
from docie.show.report.score.collection import SHOWN_DOCUMENTS, Collection
from docie.show.report.score.corpus_page import corpus_page

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS_PER_INCH = 300
"""Of saved charts: sharp in print."""
NO_CHARTS = "cannot write the charts"


def write(
    path: str | os.PathLike[str],
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    confidence_level: float | None = 0.95,
    group_by: str | None = None,
    clusters: Clusters = None,
    documents: int = SHOWN_DOCUMENTS,
    images: str | os.PathLike[str] | None = None,
    title: str = Facts.title,
    command: str = "",
) -> dict[str, Any]:
    """Score a corpus, and write a report: one HTML file that needs no network.

    Documents are read once, and of most only counts are kept. The file depends on nothing but the documents, the
    options and the day: the same ones give the same bytes.

    Args:
        path (str or Path): the file. One that is there is replaced, once the report is complete.
        predictions (iterable of dict): one prediction a document. A generator is read once.
        references (iterable of dict): the references, in the same order.
        settings (kieval.Settings): the options of KIEval; None for its defaults.
        confidence_level (float): the level of the intervals; None for none.
        group_by (str): a column of the wrapper's `meta`, for a table by its values.
        clusters (str or list): documents that are not independent, as in `docie.corpus.evaluate`, for the intervals.
        documents (int): the number of documents that are shown, those with most corrections first; the scores are
            those of all.
        images (str or Path): a folder. The hundred costliest documents are shown with the page images that `meta.image`
            of their rows names (a path in this folder, or a list of them), and the boxes of values on them.
        title (str): the title of the page.
        command (str): what the report names as the command that made it.

    Returns:
        dict: the scores and the breakdown, as of `docie.corpus.evaluate`.

    Raises:
        DocumentError: for a document that cannot be scored; nothing is written then.
        ModuleNotFoundError: without the packages of the extra `report`, before anything is read.
        ValueError: for a path that cannot be written or a folder of images that is not there, before anything is read;
            for an option's wrong value; and unless there are as many predictions as references.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     figures = write(f"{folder}/report.html", [{"total": "12"}], [{"total": "13"}])
    ...     os.listdir(folder), figures["corrections"]
    (['report.html'], 1)
    """
    settings = kieval.Settings() if settings is None else settings
    folder = None if images is None else image_folder(images)
    collection = Collection(settings, documents=documents)

    def score() -> dict[str, Any]:
        pairs = unzip(collection.watch(predictions, references))
        options: dict[str, Any] = {"confidence_level": confidence_level, "group_by": group_by, "clusters": clusters}
        return corpus.evaluate(kieval, *pairs, settings, breakdown=True, **options)

    def page(results: dict[str, Any], facts: Facts) -> Page:
        return corpus_page({kieval.NAME: results}, collection, facts, confidence_level=confidence_level, images=folder)

    return _written(path, score, page, title=title, command=command)


def write_comparison(
    path: str | os.PathLike[str],
    predictions: Mapping[str, Iterable[object]],
    references: Iterable[object],
    settings: object = None,
    *,
    family: Family = kieval,
    title: str = "Comparison",
    command: str = "",
    **options: Any,
) -> dict[str, Any]:
    """Compare systems, and write a report: one HTML file that needs no network.

    Args:
        path (str or Path): the file. One that is there is replaced, once the report is complete.
        predictions (dict): from the name of each system, two or more, to its predictions. The first is the baseline.
        references (iterable of dict): the references, in the same order.
        settings (Settings): the options of the family; None for its defaults.
        family (module): the family of metrics. Documents are shown as KIEval matches them, whatever the family.
        title (str): the title of the page.
        command (str): what the report names as the command that made it.
        **options: those of `docie.corpus.compare`, such as `scores`, `clusters`, `breakdown` and `suspects`.

    Returns:
        dict: the results of `docie.corpus.compare`.

    Raises:
        DocumentError: for a document that cannot be scored; nothing is written then.
        ModuleNotFoundError: without the packages of the extra `report`, before anything is read.
        ValueError: for a path that cannot be written, before anything is read, and as `docie.corpus.compare`.

    >>> import tempfile
    >>> references = [{"total": str(number)} for number in range(8)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     results = write_comparison(f"{folder}/report.html", {"a": references, "b": [{}] * 8}, references)
    ...     os.listdir(folder), results["ranks"]
    (['report.html'], {'entity_f1': {'a': 'a', 'b': 'b'}})
    """
    systems: dict[str, list[object]] = {}
    expected: list[object] = []
    settings = checked_settings(family, settings)

    def compare() -> dict[str, Any]:
        read, rows = read_systems(family, settings, predictions, references)
        systems.update((name, list(each)) for name, each in read.items())
        expected.extend(rows)
        return corpus.compare(family, systems, expected, settings, differences=True, **options)

    def page(results: dict[str, Any], facts: Facts) -> Page:
        return comparison_page(results, systems, expected, kieval_settings(settings), facts)

    results = _written(path, compare, page, title=title, command=command)
    del results["differences"]  # the page has them
    return results


def _written(
    path: str | os.PathLike[str],
    score: Callable[[], dict[str, Any]],
    page: Callable[[dict[str, Any], Facts], Page],
    **facts: str,
) -> dict[str, Any]:
    """Score, and write the page of the results. Warnings are notes of the page, and are given once it is written."""
    check_packages()
    with Destination(path) as file:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", UserWarning)
            results = score()
        notes = list(dict.fromkeys(str(warning.message) for warning in caught))
        file.save(render(page(results, Facts(notes=notes, **facts))))
    for note in notes:
        warn(note)
    return results


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
    >>> from docie.robustness.form import Form, Word
    >>> results = robustness.run(lambda forms: [{}], [Form([Word("9.00")])], attacks=["bg_drop"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in save_charts(results, folder)]
    ['drops.png', 'drops-precision.png', 'drops-recall.png', 'fields.png']
    """
    pictures = {chart_folder(folder) / f"{name}.png": chart for name, chart in charts_of(results).items()}
    with errors_of(folder, NO_CHARTS):
        for path, chart in pictures.items():
            cast("Figure", chart.draw().figure).savefig(path, dpi=POINTS_PER_INCH)
    return [*pictures]


def chart_folder(folder: str | os.PathLike[str]) -> Path:
    """A folder for `save_charts`, made if it is not there: problems show before the work.

    >>> chart_folder("setup.py/charts")
    Traceback (most recent call last):
    ...
    ValueError: setup.py/charts: cannot write the charts (Not a directory)
    """
    plots_check_packages()
    with errors_of(folder, NO_CHARTS):
        Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


def write_robustness(
    path: str | os.PathLike[str],
    results: RobustnessReport,
    *,
    forms: Iterable[Form] = (),
    predict: Predict | None = None,
    reference: Callable[[Form], object] = Form.document,
    settings: form_robustness.Settings | None = None,
    title: str = "Form attacks",
    command: str = "",
) -> None:
    """Write a report of form attacks: one HTML file that needs no network.

    With forms and the model, it shows for each of the worst attacks the form on which the model falls furthest, as it
    was and attacked, with both answers. For that, the model runs once more on at most twenty forms.

    Args:
        path (str or Path): the file. One that is there is replaced, once the report is complete.
        results (RobustnessReport): what `robustness.run` gave.
        forms (iterable of Form): the forms of the run, unattacked; none to show no forms.
        predict (callable): the model of the run; needed with forms.
        reference (callable): from a form to what there is to find, as in the run.
        settings (form_robustness.Settings): when a value is correct, as in the run; None for exact matches.
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
    with Destination(path) as file:
        shown, notes = list[Example](), list[str]()
        if listed and predict is not None:
            shown, notes = examples(results, listed, predict, reference=reference, settings=settings)
        facts = Facts(title=title, command=command, notes=notes)
        file.save(render(robustness_page(results, facts, shown, settings=settings)))
