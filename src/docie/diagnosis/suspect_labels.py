"""Values on which all systems agree with each other and not with the reference: labels to check first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from docie.core.errors import errors_of_system, warn
from docie.core.normalizers import same_value
from docie.diagnosis.error_analysis import errors_by_document
from docie.inputs.config import Config, reading_of
from docie.inputs.sources.python import sequence_of
from docie.metrics import kieval
from docie.metrics.kieval.corrections import CORRECT, ErrorRow


class Suspect(NamedTuple):
    """A value of the reference that all systems contradict, with one voice.

    Attributes:
        document: the id of the document, or its number, counted from 0.
        group_type: the type of its group; None for values outside groups.
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
    config: Config = None,
    progress: bool = False,
    tell: Callable[[str], object] = warn,
) -> list[Suspect]:
    """Values that all systems read alike, but not as the reference has them.

    They come from the errors that KIEval counts: incorrect and spurious values, but not those of the kind `format`.
    Two values are alike if they are certainly the same, as `docie.normalizers.same_value` says; of several systems,
    each two must be. What all systems leave out is not listed: silence is no agreement.

    Args:
        predictions (dict): from the name of each system, two or more, to its predictions, one a document.
        references (iterable of dict): the references, in the same order.
        settings (kieval.Settings): the options of KIEval; None for its defaults.
        config (path or dict): how rows are read, as in `docie.corpus.evaluate`.
        progress (bool): show a progress bar on stderr, if that is a terminal.
        tell (callable): what is called with each line that a user should know; a warning, if it is not given.

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
    reading = reading_of(config)
    reading.check_one_run("a list of suspects")
    references = list(sequence_of("references", references, reading.references))
    agreed: dict[Suspect, list[list[str]]] | None = None
    for name, rows in predictions.items():
        said: dict[Suspect, list[str]] = {}
        with errors_of_system(name):
            read = errors_by_document(rows, references, settings, config=reading, progress=progress, tell=tell)
            for row in chain.from_iterable(each.rows for each in read):
                if row.prediction is not None and row.kind not in (*CORRECT, "format"):
                    said.setdefault(_place_of(row), []).append(row.prediction)
        if agreed is None:
            agreed = {place: [[text] for text in texts] for place, texts in said.items()}
        else:
            agreed = {place: _agreed(answers, said.get(place, [])) for place, answers in agreed.items()}
    return [place._replace(agreed=texts[0]) for place, answers in (agreed or {}).items() for texts in answers]


def _place_of(row: ErrorRow) -> Suspect:
    """Where a value stands and what the reference has there, without what systems say."""
    return Suspect(row.document, row.group_type, row.reference_group, row.entity_type, row.reference, "")


def _agreed(answers: list[list[str]], texts: list[str]) -> list[list[str]]:
    """What all systems so far say at a place, with what the next one says: each of its texts stands once, equal ones
    first. Sameness is no equivalence, `€5` and `$5` are both `5`, so a text must be the same as all others."""
    left, found = [*texts], dict[int, str]()
    for is_same in (str.__eq__, same_value):
        for number, others in enumerate(answers):
            text = next((text for text in left if all(is_same(text, other) for other in others)), None)
            if number not in found and text is not None:
                found[number] = text
                left.remove(text)
    return [[*others, found[number]] for number, others in enumerate(answers) if number in found]
