"""Values on which all systems agree with each other and not with the reference: look there for wrong labels first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from docie import kieval
from docie.corpus.comparison.systems import errors_of_system
from docie.corpus.error_analysis import errors
from docie.normalizers import standard_form


class Suspect(NamedTuple):
    """A value of the reference that all systems contradict, with one voice.

    Attributes:
        document: the id of the document, or its number, counted from 0.
        group_type: the type of its group; None outside of all groups.
        group: the number of the group in the reference; None outside of all groups, and if the reference has no such
            group.
        entity_type: the type of the value.
        reference: the value in the reference; None if it has none there.
        agreed: what all systems say, as the first of them writes it.
    """

    document: str | int
    group_type: str | None
    group: int | None
    entity_type: str
    reference: str | None
    agreed: str


def suspects(
    predictions: Mapping[str, Iterable[object]],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    progress: bool = False,
) -> list[Suspect]:
    """Values that all systems read alike, but not as the reference has them.

    They come from the errors that KIEval counts: values that are wrong, or that the reference lacks. Two values are
    alike if they are equal as numbers, money or dates, or without case, white space and punctuation. What all systems
    leave out is not listed: silence is no agreement.

    Args:
        predictions (dict): from the name of each system, two or more, to its predictions, one a document.
        references (iterable of dict): the references, in the same order.
        settings (kieval.Settings): the options of KIEval; None for its defaults.
        progress (bool): show a progress bar on stderr, if that is a terminal.

    Returns:
        list of Suspect: named tuples, in the order of the documents.

    Raises:
        DocumentError: for a document that cannot be read; it has the name of the system.
        ValueError: for fewer than two systems, and unless there are as many predictions as references.

    >>> answers = {"a": [{"total": "12.00", "tax": "1"}], "b": [{"total": "12", "tax": "2"}]}
    >>> suspects(answers, [{"total": "12.60", "tax": "3"}])
    [Suspect(document=0, group_type=None, group=None, entity_type='total', reference='12.60', agreed='12.00')]
    """
    if not isinstance(predictions, Mapping) or len(predictions) < 2:
        raise ValueError("suspects need the predictions of at least two systems")
    references = list(references)
    agreed: Counter[tuple[Any, ...]] | None = None
    written: dict[tuple[Any, ...], Suspect] = {}
    for name, rows in predictions.items():
        with errors_of_system(name):
            found = [_key_of(row) for row in errors(rows, references, settings, progress=progress) if _is_said(row)]
        for key, suspect in found:
            written.setdefault(key, suspect)
        counted = Counter(key for key, _ in found)
        agreed = counted if agreed is None else agreed & counted
    return [written[key] for key in (agreed or Counter()).elements()]


def _is_said(row: kieval.ErrorRow) -> bool:
    """Whether a system says something else than the reference, in more than its form."""
    if row.prediction is None:
        return False
    return row.reference is None or standard_form(row.prediction) != standard_form(row.reference)


def _key_of(row: kieval.ErrorRow) -> tuple[tuple[Any, ...], Suspect]:
    """What must be equal in all systems, and the row as it is listed."""
    assert row.prediction is not None
    place = row.document, row.group_type, row.reference_group, row.entity_type, row.reference
    return (*place, standard_form(row.prediction)), Suspect(*place, row.prediction)
