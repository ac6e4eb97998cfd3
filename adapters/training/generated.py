"""Generated tokens → answers. Each row is a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, cast

from docie.core.errors import shortened
from docie.core.settings import check_list
from docie.documents.rows import Parsed

from ..tokens.predictions import read_rows
from .scores import View, view_of_document


class Decoder(Protocol):
    """What makes text of token ids: a tokenizer of transformers."""

    def decode(self, ids: list[int], /, *, skip_special_tokens: bool, clean_up_tokenization_spaces: bool) -> str:
        """The text of tokens."""


class GeneratedDocuments:
    """The references of a model that writes, and what reads its answers.

    Args:
        tokenizer, references, read: as in `generation_metrics`.
    """

    kinds: tuple[str, ...] = ("document", "entities")

    def __init__(self, tokenizer: object, references: Sequence[object], read: Callable[[str], object]) -> None:
        found = getattr(tokenizer, "tokenizer", tokenizer)  # of a processor
        check_list("references", references)
        self.references: Sequence[object] = list(references)
        self.read = read
        if not callable(read):
            raise ValueError(f"read must be a function, got {shortened(read)}")
        if not callable(getattr(found, "decode", None)):
            expected = "a tokenizer or a processor of transformers"
            raise ValueError(f"tokenizer must be {expected}, got {type(tokenizer).__name__}")
        self.tokenizer = cast(Decoder, found)
        self.reader().text([])  # a decoder of another kind is an error now

    def reader(self) -> Answers:
        """What reads the rows of one evaluation."""
        return Answers(self.tokenizer, len(self.references), self.read)

    label_reader = reader

    def document(self, number: int, content: object) -> object:
        """The answer is the document."""
        return content

    def prediction(self, number: int, content: object) -> View:
        """An answer, as metrics take it."""
        return view_of_document(content, "prediction")

    def reference(self, number: int) -> View:
        """The reference of a document, as metrics take it."""
        return view_of_document(self.references[number], "reference")

    def nothing(self, number: int) -> None:
        """No answer."""


class Answers:
    """Reads rows of token ids as they come.

    Args:
        tokenizer: decodes them.
        count: how many rows there will be.
        read_text: takes a decoded answer to its value, or to a `Parsed`.

    Attributes:
        repaired: the number of answers with issues.
        invalid: the number of answers that are None.
    """

    def __init__(self, tokenizer: Decoder, count: int, read_text: Callable[[str], object]) -> None:
        self.tokenizer = tokenizer
        self.left_out = {getattr(tokenizer, f"{name}_token_id", None) for name in ("pad", "eos", "bos")}
        self.count = count
        self.read_text = read_text
        self.seen = self.repaired = self.invalid = 0

    def read(self, ids: object, label_ids: object = None) -> Iterator[tuple[int, object]]:
        """Read the next rows; gives the answers, each with its row. Labels do not matter here."""
        for row in read_rows(ids):
            if row.confidences is not None:  # logits, or what preprocess_logits_for_metrics keeps of them
                raise ValueError("expected generated tokens, got logits: set predict_with_generate=True")
            if self.seen == self.count:
                problem = f"expected as many rows as references, {self.count}, got more"
                hint = "several processes repeat some rows, unless the trainer is a training.EachRowOnce"
                raise ValueError(f"{problem}; {hint}")
            answer = self._answer(self.text(row.ids.tolist()))
            self.repaired += isinstance(answer, Parsed) and bool(answer.issues)
            document = answer.document if isinstance(answer, Parsed) else answer
            self.invalid += document is None
            yield self.seen, document
            self.seen += 1

    def rest(self) -> Iterator[tuple[int, object]]:
        """Nothing more. Raises ValueError for missing rows."""
        if self.seen != self.count:
            raise ValueError(f"expected as many rows as references, got {self.seen} and {self.count}")
        yield from ()

    def facts(self) -> dict[str, float]:
        """How many answers were none, or had to be repaired."""
        return {"invalid_predictions": self.invalid, "repaired_predictions": self.repaired}

    def text(self, ids: list[int]) -> str:
        """The text of tokens, without padding, beginning and end."""
        kept = [number for number in ids if number >= 0 and number not in self.left_out]
        return self.tokenizer.decode(kept, skip_special_tokens=False, clean_up_tokenization_spaces=False)

    def _answer(self, text: str) -> object:
        try:
            return self.read_text(text)
        except Exception as error:
            raise ValueError(f"row {self.seen}: reading the answer failed: {error!r}") from error
