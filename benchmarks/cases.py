"""The cases of documents that are measured, and the rows that they make with the implementations to compare."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import generate

import docie
from docie import corpus
from docie.adapters import llm, records
from docie.core.family import Family

Pair = tuple[Any, Any]
"""A prediction and its reference."""
Work = Callable[[], Any]
Maker = Callable[[list[Pair]], Work]
"""Prepares an implementation for documents, and returns the work that is timed."""


class Case(NamedTuple):
    """A number of documents, and the function that makes them."""

    documents: int
    pairs: Callable[[], list[Pair]]


class Row(NamedTuple):
    """One measurement: an implementation on a case."""

    documents: int
    prepare: Callable[[], Work]


def rows(
    makers: Mapping[str, Maker], cases: Mapping[str, Case], *, without: Collection[tuple[str, str]] = ()
) -> dict[tuple[str, str], Row]:
    """Every implementation on every case, without some pairs (implementation, case)."""
    return {
        (name, case): Row(cases[case].documents, partial(_prepare, maker, cases[case].pairs))
        for case in cases
        for name, maker in makers.items()
        if (name, case) not in without
    }


def _prepare(maker: Maker, pairs: Callable[[], list[Pair]]) -> Work:
    return maker(pairs())


def receipts(documents: int) -> dict[str, Case]:
    """Generated receipts of CORD's size."""
    return {f"{documents:,} receipts": Case(documents, lambda: list(generate.receipts(documents)))}


def cord() -> dict[str, Case]:
    """CORD's test set with the answers of Qwen2-VL, if DOCIE_DATA names the folder that has them."""
    folder = Path(os.environ.get("DOCIE_DATA", "nowhere")) / "cord-test"
    return {"CORD": Case(100, lambda: _cord(folder))} if folder.is_dir() else {}


def _cord(folder: Path) -> list[Pair]:
    predictions, references = (
        [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        for name in ("predictions-qwen2-vl-72b.jsonl", "references.jsonl")
    )
    return [
        (records.cord_names(llm.to_document(row["prediction"]).document), records.cord(record))
        for row, record in zip(predictions, references, strict=True)
    ]


def groups(*numbers: int) -> dict[str, Case]:
    """Single documents with so many groups of short values, many of them equal."""
    return {f"{number:,} groups": Case(1, partial(_single, generate.with_groups, number)) for number in numbers}


def invoices(*numbers: int) -> dict[str, Case]:
    """Single documents with so many line items of four fields, one of them a description."""
    return {f"{number:,} line items": Case(1, partial(_single, generate.invoice, number)) for number in numbers}


def _single(make: Callable[[int], Pair], number: int) -> list[Pair]:
    return [make(number)]


def through_corpus(family: Family, **options: Any) -> Maker:
    """docie as a package."""

    def make(pairs: list[Pair]) -> Work:
        predictions, references = sides(pairs)
        settings = family.Settings(**options)
        return lambda: corpus.evaluate(family, predictions, references, settings)

    return make


def through_evaluate(name: str) -> Maker:
    """docie as an evaluate module."""

    def make(pairs: list[Pair]) -> Work:
        metric = docie.load(name)
        predictions, references = sides(pairs)
        return lambda: metric.compute(predictions=predictions, references=references)

    return make


def pair_by_pair(compare: Callable[[Any, Any], Any]) -> Maker:
    """A function of a prediction and its reference."""
    return lambda pairs: lambda: [compare(prediction, reference) for prediction, reference in pairs]


def sides(pairs: list[Pair]) -> tuple[list[Any], list[Any]]:
    """The predictions and the references."""
    return [prediction for prediction, _ in pairs], [reference for _, reference in pairs]
