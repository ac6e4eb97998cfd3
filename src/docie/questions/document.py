"""What is behind the score of one document?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from docie.core.errors import errors_of_document, with_close_names
from docie.core.explanation import Explanation
from docie.core.explanation import Pair as Compared
from docie.core.notes import noted
from docie.core.values.plain import JsonObject
from docie.corpus.method import Method
from docie.inputs.files import Files
from docie.inputs.row import Pair, each_run
from docie.metrics import kieval
from docie.questions.asking import facts_of
from docie.show.result import Page, Result, Rows, notes_of
from docie.show.section import HINT, Explained, Part, Section, Text


@dataclass(frozen=True, kw_only=True)
class DocumentResult(Result):
    """What is behind the score of one document: all of its values, correct or not.

    Attributes:
        document: its id, or its number, counted from 0.
        explanation: its values side by side, and the verdict on each.
    """

    document: str
    explanation: Explanation = field(repr=False)

    def to_dict(self) -> JsonObject:
        """The values, and the sentence that sums them up."""
        sentence, pairs, _, problem = self.explanation
        found: JsonObject = {"document": self.document, "sentence": sentence, "problem": problem or None}
        return found | {"pairs": [pair._asdict() for pair in pairs], "signature": self.signature}

    def sections(self, *, brief: bool = False) -> Iterator[Section]:
        """The values, and how they are compared."""
        values = Explained(lambda: self.explanation, f"document {self.document}")
        parts: list[Part] = [values, Text(self.signature, HINT)]
        yield Section(parts) if brief else Section([*notes_of(self.notes), *parts], "What is wrong", "errors")

    def tables(self) -> Iterator[Rows]:
        """The values, as JSON has them."""
        yield Rows(f"document {self.document}", Compared._fields, self.explanation.pairs)

    def page(self) -> Page:
        """The page of the document."""
        return super().page()._replace(lead="All values of one document, correct or not.")


def explained(
    files: Files, pairs: Iterable[Pair], settings: kieval.Settings, document: str, told: Iterable[str]
) -> DocumentResult:
    """Explain the score of one document, as `docie errors --document` does.

    Args:
        files: where the document is.
        pairs: those of `files`, of which the first ones may have been read.
        settings: how values are compared.
        document: the id of the document, or its number, counted from 0, if it has none.
        told: notes from before the documents were read.

    Raises:
        DocumentError: for a document that cannot be read.
        ValueError: if there is none of this name.
    """
    with noted() as found:
        number, pair = _found(pairs, document)
        with errors_of_document(number, pair.places):
            explanation = kieval.explain(pair.prediction.document, pair.reference.document, settings)
    facts = facts_of(files, [*files.notes(), *told, *found])
    return DocumentResult(
        facts=replace(facts, title=f"Document {document} of {facts.title}"),
        signature=Method(kieval, settings, files.reading).signature(),
        document=document,
        explanation=explanation,
    )


def _found(pairs: Iterable[Pair], document: str) -> tuple[int, Pair]:
    """The number and the pair of a document."""
    seen = list[str]()
    for number, pair in enumerate(each_run(pairs)):
        seen.append(str(number if pair.name is None else pair.name))
        if document in (seen[-1], pair.id):
            return number, pair
    raise ValueError(f"document: there is no {with_close_names([document], seen)}")
