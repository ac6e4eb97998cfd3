"""Generated tokens → answers, a row a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from docie.adapters.parsed import Parsed
from docie.adapters.token_rows import rows
from docie.adapters.training_scores import View, of_document

__all__ = ["Answers", "GeneratedDocuments"]


class GeneratedDocuments:
    """The references of a model that writes, and what reads its answers: see `training.generation_metrics`."""

    kinds = ("document", "entities")

    def __init__(self, tokenizer: Any, references: Sequence[Any], read: Callable[[str], Any]) -> None:
        self.tokenizer = getattr(tokenizer, "tokenizer", tokenizer)  # of a processor
        self.references = references
        self.read = read
        if not callable(getattr(self.tokenizer, "decode", None)):
            expected = "a tokenizer or a processor of transformers"
            raise ValueError(f"tokenizer must be {expected}, got {type(tokenizer).__name__}")
        self.reader().text([])  # a decoder of another kind is an error now

    def reader(self) -> Answers:
        """What reads the rows of one evaluation."""
        return Answers(self.tokenizer, len(self.references), self.read)

    label_reader = reader

    def document(self, number: int, found: Any) -> Any:
        """An answer is the document."""
        return found

    def prediction(self, number: int, found: Any) -> View:
        """An answer as the kind of input that is asked for."""
        return of_document(found, "prediction")

    def reference(self, number: int) -> View:
        """What is right about a document."""
        return of_document(self.references[number], "reference")

    def nothing(self, number: int) -> None:
        """No answer."""

    def facts(self, reader: Answers) -> dict[str, float]:
        """How many answers were none, or had to be repaired."""
        return {"invalid_predictions": reader.invalid, "repaired_predictions": reader.repaired}


class Answers:
    """Reads rows of token ids as they come, as many as `count`.

    `read_text` takes a decoded answer to its value, or to a `Parsed`. `repaired` and `invalid` count those that had
    issues, and those that are None.
    """

    def __init__(self, tokenizer: Any, count: int, read_text: Callable[[str], Any]) -> None:
        self.tokenizer = tokenizer
        self.left_out = {getattr(tokenizer, f"{name}_token_id", None) for name in ("pad", "eos", "bos")}
        self.count = count
        self.read_text = read_text
        self.seen = self.repaired = self.invalid = 0

    def read(self, ids: Any, label_ids: Any = None) -> Iterator[tuple[int, Any]]:
        """Read the next rows; gives the answers, each with its row. Labels do not matter here."""
        for row in rows(ids):
            if row.confidences is not None:  # logits, or what preprocess_logits_for_metrics keeps of them
                raise ValueError("expected generated tokens, got logits: set predict_with_generate=True")
            if self.seen == self.count:
                problem = f"expected as many rows as references, {self.count}, got more"
                hint = "of several processes some repeat rows, unless the trainer is a training.EachRowOnce"
                raise ValueError(f"{problem}; {hint}")
            answer = self._answer(self.text(row.ids.tolist()))
            self.repaired += bool(answer.issues)
            self.invalid += answer.document is None
            yield self.seen, answer.document
            self.seen += 1

    def rest(self) -> Iterator[tuple[int, Any]]:
        """Nothing more. Raises ValueError for missing rows."""
        if self.seen != self.count:
            raise ValueError(f"expected as many rows as references, got {self.seen} and {self.count}")
        yield from ()

    def text(self, ids: list[int]) -> str:
        """What tokens spell, without padding, beginning and end."""
        kept = [number for number in ids if number >= 0 and number not in self.left_out]
        text: str = self.tokenizer.decode(kept, skip_special_tokens=False, clean_up_tokenization_spaces=False)
        return text

    def _answer(self, text: str) -> Parsed:
        try:
            answer = self.read_text(text)
        except Exception as error:
            raise ValueError(f"row {self.seen}: reading the answer failed: {error!r}") from error
        return answer if isinstance(answer, Parsed) else Parsed(answer, [])
