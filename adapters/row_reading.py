"""How a configuration reads a row that stands alone: of a harness, of a reward, of a Trainer whose model writes."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

from docie.core.errors import DocumentError, inside
from docie.core.values.json_text import parsed
from docie.inputs.answer_rows import SPECIAL_KEYS, check_parse
from docie.inputs.config import reading_of
from docie.inputs.join import paired
from docie.inputs.reading import JOINS, SIDE_OPTIONS, SIDES, Reading, Side
from docie.inputs.row import Pair

_NAMES = {f"{side}.{option}" for side in SIDES for option in ("rename", "ignore")}


class ReadPair(NamedTuple):
    """The documents of a row, and a line for each thing that was repaired or dropped in its prediction."""

    prediction: Any
    reference: Any
    issues: list[str]


def reading_of_rows(config: object, *, parse: str | None = None) -> Reading:
    """The reading of rows that stand alone.

    Args:
        config: as in `docie.corpus.evaluate`.
        parse: what reads predictions, in place of what the configuration says.

    Raises:
        ValueError: if the configuration is wrong, or if it has an option for which a row alone is not enough.

    >>> reading_of_rows("join.missing=empty")
    Traceback (most recent call last):
    ...
    ValueError: config: join.missing needs ids, which a row that is counted alone does not have
    """
    reading = reading_of(config)
    if parse is not None:
        check_parse(parse)
        reading = reading.with_options({"predictions.parse": parse})
    needs = {f"join.{option}": "ids" for option in JOINS}
    for name in SIDES:
        side = getattr(reading, name)
        with inside(f"config: {name}.parse"):
            check_parse(side.parse)
        of_ids = ("pages", "lines", "run", *(() if is_of_rows(side) else ("id", "strip_id")))
        needs |= {f"{name}.{option}": "ids" for option in of_ids}
    if not is_of_rows(reading.references):
        needs["values.normalize_by"] = "meta"
    return _checked(reading, needs, "a row that is counted alone does not have")


def reading_of_labels(config: object) -> Reading:
    """The reading of labelled words, which have nothing but names.

    Raises:
        ValueError: if the configuration is wrong, or if it has an option that reads rows.

    >>> reading_of_labels("predictions.unwrap=output")
    Traceback (most recent call last):
    ...
    ValueError: config: predictions.unwrap needs rows, which labelled words are not
    """
    options = {f"{side}.{option}" for side in SIDES for option in SIDE_OPTIONS}
    options |= {"values.normalize_by", *(f"join.{option}" for option in JOINS)}
    return _checked(reading_of(config), dict.fromkeys(options - _NAMES, "rows"), "labelled words are not")


def _checked(reading: Reading, needs: dict[str, str], which: str) -> Reading:
    """The reading. Raises ValueError for an option that needs what there is not."""
    for name, value in reading.options.items():
        if value and name in needs:
            raise ValueError(f"config: {name} needs {needs[name]}, which {which}")
    return reading


def is_of_rows(side: Side) -> bool:
    """Whether documents are found in rows, with what stands beside them, and not documents are given."""
    return bool(side.unwrap or side.dataset)


def read_pair(prediction: object, reference: object, reading: Reading) -> ReadPair:
    """The documents of a row, read as those in the rows of files.

    Args:
        prediction: a document or an answer; what holds it, where the reading unwraps predictions; None for no answer.
        reference: likewise, or the object with `gt_parse` that data sets for Donut have.
        reading: how both are read.

    Raises:
        DocumentError, InputError: for a row that cannot be read.

    >>> reading = reading_of_rows(["predictions.unwrap=out", "predictions.rename.sum=total"])
    >>> read_pair('{"out": {"sum": "7.50"}}', '{"total": "7.50"}', reading)
    ReadPair(prediction={'total': '7.50'}, reference={'total': '7.50'}, issues=[])
    """
    predicted, expected = parsed(prediction), parsed(reference)
    if reading.is_plain and _is_plain(expected) and (predicted is None or _is_plain(predicted)):
        return ReadPair(predicted, expected, [])  # most rows; the rest takes half as long
    try:
        pair = _pair(prediction, reference, reading)
    except DocumentError as error:
        error.document = None  # a row does not know its number
        raise
    return ReadPair(pair.prediction.document, pair.reference.document, [*pair.prediction.issues])


def _pair(prediction: object, reference: object, reading: Reading) -> Pair:
    if prediction is None:
        reading = dataclasses.replace(reading, predictions=Side())  # there is nothing to read
    if not is_of_rows(reading.references):
        content = parsed(reference)
        if isinstance(content, dict) and "gt_parse" in content:
            reference = {"ground_truth": content}
        elif not isinstance(content, str):
            reference = {"reference": reference}  # also of JSON text, whose only keys may be those of a wrapper
    elif reading.references.dataset:
        reference = parsed(reference)
    if not is_of_rows(reading.predictions):
        prediction = {"prediction": prediction}
    elif reading.predictions.dataset:
        prediction = parsed(prediction)
    times = 1 if reading.joins_by_id else 2  # a list in a row without another would be all of the rows
    return next(iter(paired([prediction] * times, [reference] * times, reading, tell=lambda note: None)))


def _is_plain(value: object) -> bool:
    """Whether a value is a document as it stands, which most are."""
    return type(value) is dict and SPECIAL_KEYS.isdisjoint(value)
