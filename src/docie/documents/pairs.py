"""Predictions and references side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from itertools import zip_longest
from typing import Any

from docie.core.errors import DocumentError, errors_of_document, warn
from docie.core.values.json_text import loads
from docie.documents.rows import Opened, id_of, open_row, plain_row

_MISSING = object()


def paired(
    predictions: Iterable[object], references: Iterable[object], *, accepts_text: bool = False
) -> Iterator[tuple[Any, Any]]:
    """The document of each prediction with that of its reference, as `paired_rows` reads them."""
    for predicted, expected in paired_rows(predictions, references, accepts_text=accepts_text):
        yield predicted.document, expected.document


def paired_rows(
    predictions: Iterable[object],
    references: Iterable[object],
    *,
    accepts_text: bool = False,
    tell: Callable[[str], object] = warn,
) -> Iterator[tuple[Opened, Opened]]:
    """Each prediction with its reference, in order, with the id and the meta of their wrappers. Both are read once.

    Args:
        predictions, references: rows, as `docie.documents.rows` describes them.
        accepts_text: whether a document may be a text.
        tell: what is called with a line that a user should know, at the end.

    Raises:
        DocumentError: for a row that cannot be read, and for a pair of rows with different ids.
        ValueError: unless there are as many of each.
    """
    for name, documents in (("predictions", predictions), ("references", references)):
        check_sequence(name, documents)
    if isinstance(predictions, Sized) and isinstance(references, Sized):
        check_lengths(len(predictions), len(references))
    predictions, references = iter(predictions), iter(references)
    forms: dict[str, set[bool]] = {"predictions": set(), "references": set()}
    for number, (prediction, reference) in enumerate(zip_longest(predictions, references, fillvalue=_MISSING)):
        if prediction is _MISSING or reference is _MISSING:
            longer = references if prediction is _MISSING else predictions
            total = number + 1 + sum(1 for _ in longer)
            check_lengths(number if prediction is _MISSING else total, number if reference is _MISSING else total)
        with errors_of_document(number):
            predicted, expected = _opened(prediction, reference, accepts_text=accepts_text)
        for side, row in (("predictions", predicted), ("references", expected)):
            if isinstance(row.document, dict) and row.document:
                forms[side].add(row.key is not None)
        yield predicted, expected
    for side, kinds in forms.items():
        if len(kinds) > 1:
            tell(f"some {side} are wrappers, such as {{'document': ...}}, and others are documents; write all alike")


def _opened(prediction: Any, reference: Any, *, accepts_text: bool) -> tuple[Opened, Opened]:
    predicted = open_row(prediction, "prediction", accepts_text=accepts_text)
    expected = open_row(reference, "reference", accepts_text=accepts_text)
    if predicted.key is None and expected.key is None:
        return predicted, expected
    if predicted.key in ("reference", "ground_truth") and expected.key == "prediction":
        raise DocumentError("the prediction holds a 'reference', and the reference a 'prediction': they are swapped")
    predicted, expected = (
        _as_document(predicted, prediction, expected),
        _as_document(expected, reference, predicted),
    )
    predicted, expected = _with_id_of_field(predicted, expected), _with_id_of_field(expected, predicted)
    if predicted.id is not None and expected.id is not None and predicted.id != expected.id:
        problem = f"the prediction has the id {predicted.id!r}, the reference {expected.id!r}; sort both by id"
        raise DocumentError(problem)
    return predicted, expected


def _as_document(opened: Opened, row: Any, counterpart: Opened) -> Opened:
    """A wrapper's only key may be a field, too: then a document on the other side has it among its fields."""
    document = counterpart.document
    if opened.key is None or counterpart.key is not None or not isinstance(document, dict):
        return opened
    if opened.key not in document:
        return opened
    fields = plain_row(loads(row) if isinstance(row, str) else row)
    return Opened({key: value for key, value in fields.items() if key != "id" or "id" in document})


def _with_id_of_field(opened: Opened, counterpart: Opened) -> Opened:
    """A document whose counterpart is a wrapper with an id: its field `id` is its id, too."""
    document = opened.document
    if counterpart.id is None or opened.key is not None or not isinstance(document, dict) or "id" not in document:
        return opened
    try:
        identity = id_of(document)
    except ValueError:
        return opened
    return Opened({key: value for key, value in document.items() if key != "id"}, identity)


def check_sequence(name: str, documents: Any) -> None:
    """Raise ValueError for what is no sequence of documents. `name` says whose documents they are."""
    try:
        is_iterable = iter(documents) is not None
    except TypeError:
        is_iterable = False
    is_table = hasattr(documents, "columns") and hasattr(documents, "to_dict")
    if is_table or isinstance(documents, str | bytes | Mapping) or not is_iterable:
        hint = "; its rows are .to_dict('records')" if is_table else ""
        raise ValueError(f"{name} must be a sequence of documents, got {type(documents).__name__}{hint}")


def check_lengths(predictions: int, references: int) -> None:
    """Raise ValueError unless there are as many predictions as references."""
    if predictions != references:
        raise ValueError(f"expected as many predictions as references, got {predictions} and {references}")
