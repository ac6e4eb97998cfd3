"""What differs most in how two sides were written, by some of their documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docie.core.family import Family
from docie.inputs.fit.change import Change
from docie.inputs.fit.sample import EQUALITY, Sample
from docie.inputs.fit.search import search
from docie.inputs.kinds import input_kind_of
from docie.inputs.reading import PLAIN, both

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SAMPLE = 30
"""The number of documents, the first ones, that are searched."""
AS_DOCUMENTS = PLAIN.with_options(both("id", ""))


class FitHint:
    """Keeps the first documents of a corpus, and finds what differs most in how both sides were written.

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

    def change(self) -> Change | None:
        """The change under which most values of the documents agree; None if there is none."""
        equality = {name: getattr(self.settings, name) for name in EQUALITY if hasattr(self.settings, name)}
        return next(search(Sample(self.pairs, AS_DOCUMENTS, **equality), most=1), None)
