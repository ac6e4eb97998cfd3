"""What protocols score the documents of golden files, and where that differs from the original."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import docie
from docie import protocols
from docie.core.settings import settings_of_document

CLOSE = 1e-6
"""CC-OCR adds a millionth to what it divides by."""


def read(path: Path) -> Any:
    """A golden file."""
    return json.loads(gzip.decompress(path.read_bytes()))


def differences(name: str, golden: Mapping[str, Any]) -> list[str]:
    """The ids of documents that a protocol scores otherwise; one that the original cannot score is none."""
    rows = golden["rows"]
    found = scores(name, rows)
    return [
        row["id"]
        for row, score in zip(rows, found, strict=True)
        if row["score"] is not None and not math.isclose(score, row["score"], abs_tol=CLOSE)
    ]


def scores(name: str, rows: Iterable[Mapping[str, Any]]) -> list[float]:
    """The quoted score of each document by itself."""
    protocol = protocols.get(name)
    family, found = protocol.computed_by, []
    given = {"schema": {row["id"]: row["schema"] for row in rows}} if protocol.asks else {}
    settings = family.Settings(**protocol.with_options(given))
    for row in rows:
        counts = family.count(row["prediction"], row["reference"], settings_of_document(settings, row["id"]))
        found.append(float(family.score(counts)[protocol.quoted]))
    return found


def score(name: str, rows: Iterable[Mapping[str, Any]]) -> float:
    """The quoted score of all documents."""
    rows = [*rows]
    given: dict[str, Any] = {"schema": {row["id"]: row["schema"] for row in rows}} if "schema" in rows[0] else {}
    references, predictions = (
        [{"id": row["id"], side: row[side]} for row in rows] for side in ("reference", "prediction")
    )
    result = docie.score(references=references, predictions=predictions, protocol=name, **given)
    return result[protocols.get(name).quoted]
