"""Compare systems, and write the report."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping
from typing import Any

from docie import corpus
from docie.core.errors import warn
from docie.core.family import Family
from docie.metrics import kieval
from docie.show.report.comparison.content import Comparison
from docie.show.report.comparison.page import render_comparison
from docie.show.report.output import destination
from docie.show.report.page import check_packages
from docie.show.report.wording import Facts


def write_comparison(
    path: str | os.PathLike[str],
    predictions: Mapping[str, Iterable[object]],
    references: Iterable[object],
    settings: Any = None,
    *,
    family: Family = kieval,
    title: str = "Comparison",
    command: str = "",
    **options: Any,
) -> dict[str, Any]:
    """Compare systems, and write a report: one HTML file that needs no network.

    Args:
        path (str or Path): the file. One that is there is replaced, once the report is complete.
        predictions (dict): from the name of each system, two or more, to its predictions. The first is the one to beat.
        references (iterable of dict): the references, in the same order.
        settings (Settings): the options of the family; None for its defaults.
        family (module): the family of metrics. Documents are shown as KIEval matches them, whatever the family.
        title (str): the title of the page.
        command (str): what the report names as the command that made it.
        **options: those of `docie.corpus.compare`, such as `scores`, `clusters`, `breakdown` and `suspects`.

    Returns:
        dict: what `docie.corpus.compare` gave.

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
    check_packages()
    with destination(path) as file, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        systems, expected = {name: list(rows) for name, rows in predictions.items()}, list(references)
        settings = family.Settings() if settings is None else settings
        results = corpus.compare(family, systems, expected, settings, **options)
        notes = list(dict.fromkeys(str(warning.message) for warning in caught))
        facts = Facts(title=title, command=command, notes=notes)
        shown = Comparison(results, systems, expected, corpus.kieval_settings(settings), facts)
        file.save(render_comparison(shown))
    for note in notes:
        warn(note)
    return results
