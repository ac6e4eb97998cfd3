"""The errors of whole corpora: rows, what repairing them would bring, and false alarms. The matching is KIEval's."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import nullcontext
from functools import partial
from typing import Any, NamedTuple

from docie.core.counts import Counts, Number
from docie.core.errors import errors_of_document, warn
from docie.corpus.clusters.column import Column
from docie.corpus.counting import CHUNK, documents_of
from docie.corpus.counting import Document as Given
from docie.corpus.guard import LongDocuments, check_seconds, failure_of
from docie.corpus.method import Method
from docie.corpus.partial import Partial
from docie.corpus.progress import with_progress_bar
from docie.corpus.workers import results_in_order
from docie.documents.document import Document
from docie.inputs.config import Config
from docie.inputs.fit.survey import Survey
from docie.inputs.row import each_run
from docie.metrics import kieval
from docie.metrics.kieval.corrections import ErrorRow
from docie.metrics.kieval.repairs import analyse


class DocumentErrors(NamedTuple):
    """The errors of one document.

    Attributes:
        document: its id, or its number, counted from 0.
        group: what its `meta` has in the column that was asked for; "(none)" if it has nothing, None if none was.
        rows: its errors.
        counts: its counts, for `kieval.repaired` and `kieval.false_alarms`.
        reference: the document as it should be, before normalisation.
    """

    document: str | int
    group: str | None
    rows: list[ErrorRow]
    counts: Counts
    reference: Document


def errors(
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    config: Config = None,
    counts: Counts | None = None,
    progress: bool = False,
    max_seconds: float | None = None,
) -> Iterator[ErrorRow]:
    """The errors of a corpus, one row for each correction that KIEval counts.

    Documents are read one by one, so memory stays bounded. `kieval.error_rows` says what the kinds are.

    Args:
        predictions (iterable of dict): one prediction a document. A generator is read once.
        references (iterable of dict): the references, in the same order.
        settings (kieval.Settings): the options of KIEval; None for its defaults.
        config (path or dict): how rows are read, as in `docie.corpus.evaluate`.
        counts (Counts): if given, the counts of `count_errors` are added to it, once all documents are read.
        progress (bool): show a progress bar on stderr, if that is a terminal.
        max_seconds (float): stop a document that takes longer, as `evaluate` does. None for no limit.

    Returns:
        iterator of kieval.ErrorRow: named tuples, in the order of the documents. `document` is the id of the wrapper
        around the reference or the prediction, else the number of the document, counted from 0.

    Raises:
        DocumentError: for a document that cannot be read or takes too long; it has the number of the document.
        ValueError: unless there are as many predictions as references, and for a limit that is no number above 0.

    >>> predictions = [{"id": "r-1", "prediction": {"total": "12,00"}}, {"id": "r-2", "prediction": {"tax": "1"}}]
    >>> references = [{"id": "r-1", "reference": {"total": "12.00"}}, {"id": "r-2", "reference": {}}]
    >>> for row in errors(predictions, references):
    ...     print(row.document, row.entity_type, row.operation, row.kind, row.reference, row.prediction)
    r-1 total substitution format 12.00 12,00
    r-2 tax deletion spurious None 1
    """
    options: dict[str, Any] = {"config": config, "counts": counts, "progress": progress, "max_seconds": max_seconds}
    for each in errors_by_document(predictions, references, settings, **options):
        yield from each.rows


def errors_by_document(
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    config: Config = None,
    counts: Counts | None = None,
    group_by: str | None = None,
    progress: bool = False,
    max_seconds: float | None = None,
    tell: Callable[[str], object] = warn,
) -> Iterator[DocumentErrors]:
    """The errors of a corpus, document by document, with what each adds to the counts.

    Args:
        predictions, references, settings, config, counts: as in `errors`.
        group_by (str): a column of the wrappers' `meta`, such as "vendor", whose value is the `group` of a document.
            The reference's `meta` goes before the prediction's.
        progress, max_seconds: as in `errors`.
        tell (callable): what is called with each line that a user should know; a warning, if it is not given.

    Returns:
        iterator of DocumentErrors: named tuples, in the order of the documents, those without errors too.

    Raises:
        DocumentError: as `errors`; and for a value of `group_by` that is no text, number or boolean.
        ValueError: as `errors`; and, at the end, if no document has the column `group_by`.

    >>> prediction, reference = {"prediction": {"a": "1"}}, {"reference": {"a": "2"}, "meta": {"vendor": "ACME"}}
    >>> for each in errors_by_document([prediction], [reference], group_by="vendor"):
    ...     print(each.document, each.group, [row.kind for row in each.rows], kieval.score(each.counts)["entity_f1"])
    0 ACME ['value'] 0.0
    """
    check_seconds("max_seconds", max_seconds)
    method = Method.of(kieval, settings, config)
    total = Counts() if counts is None else counts
    column = None if group_by is None else Column(group_by)
    survey = Survey.of(method.family, method.settings)
    rows = each_run(survey.watch(method.pairs(predictions, references, tell=tell)))
    if progress:
        rows = with_progress_bar(rows, len(references) if isinstance(references, Sized) else None)
    with LongDocuments(kieval.NAME) as long_documents:
        work = partial(_analyse, method.settings, long_documents if max_seconds is None else None)
        tasks, added = ((number, [each]) for number, each in enumerate(documents_of(rows, column))), list[Counts]()
        for found in results_in_order(work, tasks, 1, partial(failure_of, kieval.NAME), max_seconds):
            added.append(found.counts)
            if len(added) == CHUNK:  # six times as fast as one by one
                total += Counts.sum_of(added)
                added.clear()
            yield found
        total += Counts.sum_of(added)
    survey.check()
    if column is not None:
        column.check()
    total.signature = method.signature()
    for line in survey.warnings(kieval, total):
        tell(line)


def _analyse(
    settings: kieval.Settings, watching: LongDocuments | None, number: int, documents: list[Given]
) -> DocumentErrors:
    """What is wrong in a document; in a process of its own, nothing is watching yet."""
    [(prediction, reference, identity, group, places)] = documents
    name = number if identity is None else identity
    watched = LongDocuments(kieval.NAME) if watching is None else nullcontext(watching)
    with errors_of_document(number, places), watched as long_documents:
        long_documents.begin(number, identity, prediction, reference)
        analysis = analyse(prediction, reference, settings, name)
        long_documents.end()
    return DocumentErrors(name, group, analysis.rows, analysis.counts, analysis.reference)


def count_errors(
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    config: Config = None,
    progress: bool = False,
) -> Partial:
    """Count the errors of a corpus, or of a part of one, for `kieval.repaired` and `kieval.false_alarms`.

    Args:
        predictions, references, settings, config, progress: as in `errors`.

    Returns:
        Partial: its `counts` are those of KIEval, and what repairs would change.

    Raises:
        DocumentError, ValueError: as `errors`.

    >>> parts = [count_errors([{"a": "1"}], [{"a": "2"}]), count_errors([{}], [{"b": "2"}])]
    >>> [row["name"] for row in kieval.repaired((parts[0] + parts[1]).counts)]
    [None, 'value', 'missing', 'a', 'b']
    """
    counts = Counts()
    rows = errors(predictions, references, settings, config=config, counts=counts, progress=progress)
    deque(rows, maxlen=0)
    return Partial(counts)


def repaired(
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    config: Config = None,
    progress: bool = False,
) -> list[dict[str, Any]]:
    """What would help most: the scores with all errors of one kind, or of one entity type, repaired.

    True positives, false positives and false negatives are those of predictions that are really repaired and scored
    again. The other figures are too, or are lower, because a new matching may break ties in a better way. It is no
    forecast of a model that is trained again.

    With `matching="greedy"` these are the scores of the matching as it is. Predictions that are really repaired may be
    matched in another way, since a repair may change which pair is taken first: their scores may be lower or higher.

    Args:
        predictions, references, settings, config, progress: as in `errors`.

    Returns:
        list of dict: the table of `kieval.repaired`.

    Raises:
        DocumentError, ValueError: as `errors`.

    >>> table = repaired([{"total": "12,00", "tax": "1"}], [{"total": "12.00"}])
    >>> [(row["repaired"], row["name"], row["rows"], round(row["entity_f1"], 3)) for row in table[:3]]
    [('nothing', None, 0, 0.0), ('kind', 'format', 1, 0.667), ('kind', 'spurious', 1, 0.0)]
    """
    counted = count_errors(predictions, references, settings, config=config, progress=progress)
    return kieval.repaired(counted.counts)


def false_alarms(
    predictions: Iterable[object],
    references: Iterable[object],
    settings: kieval.Settings | None = None,
    *,
    config: Config = None,
    progress: bool = False,
) -> dict[str, dict[str, Number]]:
    """How often each entity type is predicted in documents that do not have it.

    Args:
        predictions, references, settings, config, progress: as in `errors`.

    Returns:
        dict: the table of `kieval.false_alarms`, of the entity types of the ontology, else of those seen.

    Raises:
        DocumentError, ValueError: as `errors`.

    >>> false_alarms([{"tax": "1"}, {"tax": "1"}], [{"tax": "2"}, {"total": "7"}])["tax"]
    {'false_alarms': 1, 'documents': 1, 'rate': 1.0}
    """
    counted = count_errors(predictions, references, settings, config=config, progress=progress)
    return kieval.false_alarms(counted.counts, ontology=None if settings is None else settings.ontology)
