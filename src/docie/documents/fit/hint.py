"""The one line that tells of references and predictions that were written differently, found while they are scored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from docie.core.counts import Counts
from docie.core.errors import DocumentError
from docie.core.family import Family
from docie.core.reading import Reading
from docie.core.scores import headline_of, rounded
from docie.documents.fit.change import Change
from docie.documents.fit.sample import EQUALITY, Sample
from docie.documents.fit.search import search
from docie.documents.kinds import input_kind_of
from docie.documents.pairs.records import record_kinds
from docie.documents.restructure import ERROR_KEYS, is_failure

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SAMPLE = 30
"""The number of documents, the first ones, that are searched."""
AS_DOCUMENTS = Reading(id_key="")
STRUCTURE = 5
"""The number of documents whose structure is inspected."""


class FitHint:
    """Keeps some documents of a corpus, and finds what differs in how references and predictions were written.

    Args:
        family, settings: what counts the corpus.
    """

    def __init__(self, family: Family, settings: DataclassInstance) -> None:
        self.family, self.settings = family, settings
        self.reads_documents = bool({"document", "value"} & {*family.INPUTS}) and hasattr(family, "SCORES")
        self.pairs: list[tuple[Any, Any]] = []

    def note(self, prediction: object, reference: object) -> None:
        """Keep a document, if it is one of the first."""
        if self.reads_documents and len(self.pairs) < SAMPLE and input_kind_of(reference) == "document":
            self.pairs.append((prediction, reference))

    def found(self, *, is_suspicious: bool) -> dict[str, tuple[str, int]]:
        """The best finding: from its kind to what tells it, and the number of documents that it was searched in.

        Args:
            is_suspicious: whether the names or the formats of values give a reason to search. If they do not, only the
                structure of the first documents does.
        """
        if not self.pairs:
            return {}
        is_suspicious = is_suspicious or any(record_kinds(side) for pair in self.pairs[:STRUCTURE] for side in pair)
        is_suspicious = is_suspicious or any(is_failure(prediction, ERROR_KEYS) for prediction, _ in self.pairs)
        change = self.change() if is_suspicious else None
        text = None if change is None else self._text(change)
        return {} if change is None or text is None else {change.kind: (text, len(self.pairs))}

    def change(self) -> Change | None:
        """The change under which most values of the documents agree; None if there is none."""
        equality = {name: getattr(self.settings, name) for name in EQUALITY if hasattr(self.settings, name)}
        return next(search(Sample(self.pairs, AS_DOCUMENTS, **equality), most=1), None)

    def _text(self, change: Change) -> str | None:
        """What tells of a change; None if it does not change the score of the family."""
        name = headline_of(self.family)
        formats = {"normalize": change.normalize, "match": change.match}
        added = {option: getattr(change.sample, option) for option, found in formats.items() if found}
        if not all(hasattr(self.settings, option) for option in added):
            return None
        settings = replace(self.settings, **added)
        before, after = (
            self._score(self.pairs, self.settings, name),
            self._score(change.sample.documents, settings, name),
        )
        if before == after and before is not None:
            return None
        options = " ".join(change.options) if len(change.options) <= 6 else f"{' '.join(change.options[:6])} …"
        has_texts = any(isinstance(each, str) for each, _ in change.sample.documents)  # which are answers in files
        scores = ""
        if not (before is None or after is None or has_texts):
            scores = f" {name} is {rounded(after)} instead of {rounded(before)}"
        return f"{change.text}: with {options}{scores}"

    def _score(self, pairs: Iterable[tuple[Any, Any]], settings: DataclassInstance, name: str) -> float | None:
        total = Counts()
        try:
            for prediction, reference in pairs:
                total += self.family.count(prediction, reference, settings)
            return float(self.family.score(total)[name])
        except (DocumentError, KeyError):
            return None
