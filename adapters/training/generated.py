"""Generated tokens → documents, each row of which is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, cast

from docie.core.errors import DocumentError, InputError, inside, shortened
from docie.core.settings import check_list
from docie.documents.parsed import Parsed
from docie.inputs.reading import Reading

from ..row_reading import read_pair
from ..tokens.predictions import read_rows
from .scores import View, view_of_document


class Decoder(Protocol):
    """Turns token ids into text: a tokenizer of transformers."""

    def decode(self, ids: list[int], /, *, skip_special_tokens: bool, clean_up_tokenization_spaces: bool) -> str:
        """The text of tokens."""


class Answer(NamedTuple):
    """What a model wrote: a document, or the answer to a question; what was repaired or dropped; and whether nothing
    could be read where there should be a document."""

    document: object
    issues: Sequence[str]
    is_invalid: bool


class GeneratedDocuments:
    """The references of a generative model, and the reader of its answers.

    Args:
        tokenizer, references, read: as in `generation_metrics`.
        reading: how answers and references are read; None for references that are documents.
    """

    kinds: tuple[str, ...] = ("document", "entities")

    def __init__(
        self,
        tokenizer: object,
        references: Sequence[object],
        read: Callable[[str], object],
        reading: Reading | None = None,
    ) -> None:
        found = getattr(tokenizer, "tokenizer", tokenizer)  # of a processor
        check_list("references", references)
        self.given: Sequence[object] = list(references)
        self.read, self.reading = read, reading
        if not callable(read):
            raise ValueError(f"read must be a function, got {shortened(read)}")
        if not callable(getattr(found, "decode", None)):
            expected = "a tokenizer or a processor of transformers"
            raise ValueError(f"tokenizer must be {expected}, got {type(tokenizer).__name__}")
        self.tokenizer = cast(Decoder, found)
        self.references: Sequence[object] = self.given if reading is None else [*self._read_references(reading)]
        self.reader().text([])  # raises now for a decoder of another kind

    def _read_references(self, reading: Reading) -> Iterator[object]:
        for number, given in enumerate(self.given):
            with inside(f"document {number}"):
                yield read_pair(None, given, reading).reference

    def reader(self) -> Answers:
        """The reader of the rows of one evaluation."""
        return Answers(self.tokenizer, len(self.references), self._answer)

    def _answer(self, number: int, text: str) -> Answer:
        """The answer of a row, from its text."""
        try:
            read = self.read(text)
        except Exception as error:
            raise ValueError(f"row {number}: reading the answer failed: {error!r}") from error
        document, issues = read if isinstance(read, Parsed) else (read, [])
        if self.reading is None:
            return Answer(document, issues, document is None)
        try:
            document, reference, more = read_pair(document, self.given[number], self.reading)
        except (DocumentError, InputError) as error:  # a model may write anything
            return Answer(None, [*issues, str(error)], True)
        is_text_for_document = isinstance(document, str) and isinstance(reference, Mapping)
        return Answer(document, [*issues, *more], document is None or is_text_for_document)

    label_reader = reader

    def document(self, number: int, content: object) -> object:
        """The answer is the document."""
        return content

    def prediction(self, number: int, content: object) -> View:
        """An answer in the format of metrics."""
        return view_of_document(content, "prediction")

    def reference(self, number: int) -> View:
        """The reference of a document in the format of metrics."""
        return view_of_document(self.references[number], "reference")

    def nothing(self, number: int) -> None:
        """No answer."""


class Answers:
    """Reads rows of token ids, batch by batch.

    Args:
        tokenizer: decodes them.
        count: the total number of rows.
        answer: from the number of a row and its decoded text to its answer.

    Attributes:
        repaired: the number of answers with issues.
        invalid: the number of answers in which nothing could be read.
        cut: the number of answers without the token that ends the others.
    """

    def __init__(self, tokenizer: Decoder, count: int, answer: Callable[[int, str], Answer]) -> None:
        self.tokenizer = tokenizer
        self.left_out = {getattr(tokenizer, f"{name}_token_id", None) for name in ("pad", "eos", "bos")}
        self.end = getattr(tokenizer, "eos_token_id", None)
        self.count = count
        self.answer = answer
        self.seen = self.repaired = self.invalid = self.ended = 0

    def read(self, ids: object, label_ids: object = None) -> Iterator[tuple[int, object]]:
        """Read the next rows, and return the answers, each with its row. Labels are ignored."""
        for row in read_rows(ids):
            if row.confidences is not None:  # logits, or what preprocess_logits_for_metrics keeps of them
                raise ValueError("expected generated tokens, got logits: set predict_with_generate=True")
            if self.seen == self.count:
                problem = f"expected as many rows as references, {self.count}, got more"
                hint = "several processes repeat some rows, unless the trainer is a training.EachRowOnce"
                raise ValueError(f"{problem}; {hint}")
            answer = self.answer(self.seen, self.text(row.ids.tolist()))
            self.ended += self.end is not None and self.end in row.ids
            self.repaired += bool(answer.issues)
            self.invalid += answer.is_invalid
            yield self.seen, answer.document
            self.seen += 1

    def rest(self) -> Iterator[tuple[int, object]]:
        """Nothing remains. Raises ValueError if rows are missing."""
        if self.seen != self.count:
            raise ValueError(f"expected as many rows as references, got {self.seen} and {self.count}")
        yield from ()

    def facts(self) -> dict[str, float]:
        """The numbers of answers that were invalid, or had to be repaired."""
        return {"invalid_predictions": self.invalid, "repaired_predictions": self.repaired}

    @property
    def cut(self) -> int:
        return self.seen - self.ended if self.ended else 0

    def text(self, ids: list[int]) -> str:
        """The text of tokens, without padding, beginning and end."""
        kept = [number for number in ids if number >= 0 and number not in self.left_out]
        return self.tokenizer.decode(kept, skip_special_tokens=False, clean_up_tokenization_spaces=False)
