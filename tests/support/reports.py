"""Reports of rows in Python, as tests need them."""

from __future__ import annotations

import dataclasses
import os
from typing import Any

import docie
from docie.metrics import kieval


def score_report(
    path: str | os.PathLike[str],
    predictions: Any,
    references: Any,
    settings: kieval.Settings | None = None,
    *,
    documents: int = 20_000,
    title: str = "Extraction report",
    command: str = "",
    **options: Any,
) -> dict[str, Any]:
    """Score with KIEval, write the report, and return the scores."""
    given = (
        {}
        if settings is None
        else {each.name: getattr(settings, each.name) for each in dataclasses.fields(settings) if each.init}
    )
    result = docie.score(
        references=references, predictions=predictions, metric="kieval", documents=documents, **options, **given
    )
    docie.write(result, path, title=title, command=command)
    return dict(result.results["kieval"])
