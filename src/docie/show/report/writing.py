"""Write a report of a corpus."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable
from typing import Any

from docie import corpus
from docie.core.errors import warn
from docie.documents.rows import unzip
from docie.metrics import kieval
from docie.show.report.collection import Collection
from docie.show.report.content import Report
from docie.show.report.output import destination
from docie.show.report.page import check_packages, render
from docie.show.report.wording import Facts


def write(
    path: str | os.PathLike[str],
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    confidence_level: float | None = 0.95,
    group_by: str | None = None,
    documents: int = 100,
    title: str = Facts.title,
    command: str = "",
) -> dict[str, Any]:
    """Score a corpus, and write a report: one HTML file that needs no network.

    Documents are read once, and of most only counts are kept. The file depends on nothing but the documents and the
    options: the same ones give the same bytes.

    Args:
        path (str or Path): the file. One that is there is replaced, once the report is complete.
        predictions (iterable of dict): one prediction a document. A generator is read once.
        references (iterable of dict): the references, in the same order.
        settings (kieval.Settings): the options of KIEval; None for its defaults.
        confidence_level (float): the level of the intervals; None for none.
        group_by (str): a column of the wrapper's `meta`, for a table by its values.
        documents (int): the number of documents that are shown, those with most corrections first; the figures are
            those of all.
        title (str): the title of the page.
        command (str): what the report names as the command that made it.

    Returns:
        dict: the figures and the breakdown, as of `docie.corpus.evaluate`.

    Raises:
        DocumentError: for a document that cannot be scored; nothing is written then.
        ModuleNotFoundError: without the packages of the extra `report`, before anything is read.
        ValueError: for a path that cannot be written, before anything is read; for an option's wrong value; and unless
            there are as many predictions as references.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     figures = write(f"{folder}/report.html", [{"total": "12"}], [{"total": "13"}])
    ...     os.listdir(folder), figures["corrections"]
    (['report.html'], 1)
    """
    check_packages()
    with destination(path) as file, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        collection = Collection(kieval.Settings() if settings is None else settings, documents=documents)
        pairs = collection.watch(predictions, references)
        results = corpus.evaluate(
            kieval, *unzip(pairs), settings, breakdown=True, confidence_level=confidence_level, group_by=group_by
        )
        notes = list(dict.fromkeys(str(warning.message) for warning in caught))
        facts = Facts(title=title, command=command, notes=notes)
        report = Report({kieval.NAME: results}, collection, facts, confidence_level=confidence_level)
        file.save(render(report))
    for note in notes:
        warn(note)
    return results
