"""Generated tokens → answers, a row a document, with a check that the rows are those of the references."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docie.adapters.parsed import Parsed
from docie.adapters.token_rows import rows
from docie.adapters.training_scores import View, of_document
from docie.errors import shortened
from docie.values import is_list, scalar_text

__all__ = ["Answers", "GeneratedDocuments"]


class GeneratedDocuments:
    """The references of a model that writes, and what reads its answers: see `training.generation_metrics`."""

    kinds = ("document", "entities")

    def __init__(self, tokenizer: Any, references: Sequence[Any], read: Callable[[str], Any]) -> None:
        self.tokenizer = tokenizer
        self.references = references
        self.read = read

    def reader(self) -> Answers:
        """What reads the rows of one evaluation."""
        return Answers(self.tokenizer, self.references, self.read)

    def document(self, number: int, found: Any) -> Any:
        """An answer is the document."""
        return found

    def prediction(self, number: int, found: Any) -> View:
        """An answer as the kind of input that is asked for."""
        return of_document(found)

    def reference(self, number: int) -> View:
        """What is right about a document."""
        return of_document(self.references[number])

    def nothing(self, number: int) -> None:
        """No answer."""

    def facts(self, reader: Answers) -> dict[str, float]:
        """How many answers were none, or had to be repaired."""
        return {"invalid_predictions": reader.invalid, "repaired_predictions": reader.repaired}


class Answers:
    """Reads rows as they come: what a model has generated for each of the references.

    `tokenizer` is a tokenizer or a processor of transformers; `read_text` takes a decoded answer to its value, or to a
    `Parsed`. `repaired` and `invalid` count those that had issues, and those that are None.
    """

    def __init__(self, tokenizer: Any, references: Sequence[Any], read_text: Callable[[str], Any]) -> None:
        self.tokenizer = getattr(tokenizer, "tokenizer", tokenizer)
        self.left_out = {getattr(self.tokenizer, f"{name}_token_id", None) for name in ("pad", "eos", "bos")}
        self.references = references
        self.read_text = read_text
        self.seen = self.repaired = self.invalid = 0
        self.strangers: dict[int, frozenset[str]] = {}  # rows whose labels share nothing with their reference
        self.labels_seen = 0

    def read(self, predictions: Any, label_ids: Any = None) -> Iterator[tuple[int, Any]]:
        """Read the next rows, ids of generated tokens and of the right ones; gives the answers, each with its row."""
        for answer in self._parsed(predictions):
            if self.seen == len(self.references):
                problem = f"expected as many rows as references, {self.seen}, got more"
                raise ValueError(
                    f"{problem}; of several processes some repeat rows, unless training.EachRowOnce is used"
                )
            self.repaired += bool(answer.issues)
            self.invalid += answer.document is None
            yield self.seen, answer.document
            self.seen += 1
        for label in () if label_ids is None else self._parsed(label_ids):
            texts = _texts(label.document)
            if texts and not texts & _texts(self.references[self.labels_seen]):
                self.strangers[self.labels_seen] = texts
            self.labels_seen += 1

    def rest(self) -> Iterator[tuple[int, Any]]:
        """Nothing more. Raises ValueError for missing rows, and for labels that are those of another reference."""
        if self.seen != len(self.references):
            raise ValueError(f"expected as many rows as references, got {self.seen} and {len(self.references)}")
        right = [_texts(reference) for reference in self.references] if self.strangers else []
        for row, texts in self.strangers.items():
            other = next((number for number, of_other in enumerate(right) if texts <= of_other), None)
            if other is not None:
                problem = f"row {row} has the labels of reference {other}: {shortened(min(texts))}"
                raise ValueError(f"{problem}; are the rows evaluated in the order of the references?")
        yield from ()

    def _parsed(self, ids: Any) -> Iterator[Parsed]:
        for row in rows(ids):
            if row.probabilities is not None:
                raise ValueError("expected generated tokens, got logits: set predict_with_generate=True")
            kept = [number for number in row.ids.tolist() if number >= 0 and number not in self.left_out]
            text = self.tokenizer.decode(kept, skip_special_tokens=False, clean_up_tokenization_spaces=False)
            answer = self.read_text(text)
            yield answer if isinstance(answer, Parsed) else Parsed(answer, [])


def _texts(value: Any) -> frozenset[str]:
    """All scalars in a value, as text without white space."""
    found, stack = set(), [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            stack += part.values()
        elif is_list(part):
            stack += list(part)
        else:
            found.add("".join((scalar_text(part) or "").split()))
    return frozenset(found - {""})
