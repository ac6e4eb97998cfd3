"""A ready-made `compute_metrics` for generative models: each row of generated tokens becomes a document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Protocol

from docie.core.errors import DocumentError, InputError, inside, shortened
from docie.core.settings import check_list
from docie.documents.parsed import Parsed
from docie.inputs.config import Config
from docie.inputs.reading import Reading

from .. import donut
from ..row_reading import is_of_rows, read_pair, reading_of_rows
from ..tokens.predictions import read_rows
from .columns import REFERENCES, Columns
from .metrics import TrainingMetrics
from .scores import Forms, Metrics, Scorer


class generation_metrics(TrainingMetrics):  # noqa: N801
    """A `compute_metrics` for a Seq2SeqTrainer with `predict_with_generate=True`. `from_dataset` reads the references
    of a data set.

    Besides the scores it returns `invalid_predictions`, the number of answers without a readable document, and
    `repaired_predictions`, the number of answers in which something was repaired or dropped. With several processes,
    use a trainer with `EachRowOnce`.

    Args:
        tokenizer: a tokenizer or a processor, which decodes what the model generates.
        references (list): the reference of each evaluated row, in order: a document, or the answer to a question.
        read (function): turns the text into a document, or into the answer to a question: `donut.to_document`,
            `llm.to_document` or any function that does not raise. The text has all special tokens except those for
            padding, beginning and end. None for `donut.to_document` or, with a `config`, for what that says of
            predictions: by default, sequences of Donut and JSON are read.
        metrics, per_entity, scores, check_rows: as in `token_classification_metrics`.
        config (path, dict or list): how answers and references are read, and when values are equal, as in
            `docie.corpus.evaluate`: a `docie.toml`, for instance. Rows have no ids here.

    Raises:
        ValueError: now, if a reference cannot be scored, or if `config` has an option for which a row alone is not
            enough; during evaluation, if rows do not match the references, as far as their number and their labels
            show.

    >>> class Words:
    ...     def decode(self, ids, **options):
    ...         return " ".join(["<s_shop>", "</s_shop>", "Kedai"][number] for number in ids)
    >>> compute_metrics = generation_metrics(Words(), [{"shop": "Kedai"}, {"shop": "Kopi"}])
    >>> from types import SimpleNamespace
    >>> figures = compute_metrics(SimpleNamespace(predictions=[[0, 2, 1], [0, 2, -100]], label_ids=None))
    >>> figures["kieval_entity_f1"], figures["repaired_predictions"]
    (0.5, 1)
    """

    def __init__(
        self,
        tokenizer: object,
        references: Sequence[object],
        *,
        read: Callable[[str], object] | None = None,
        metrics: Metrics = "kieval",
        per_entity: bool = False,
        scores: Iterable[str] | None = None,
        check_rows: bool = True,
        config: Config = None,
    ) -> None:
        reading = reading_of_rows(config, parse=None if read is None else "no")
        if read is None:
            read = donut.to_document if config is None else str  # the text as it is: the configuration reads it
        check_list("references", references)
        given = list(references)
        if not callable(read):
            raise ValueError(f"read must be a function, got {shortened(read)}")
        decoder: Any = getattr(tokenizer, "tokenizer", tokenizer)  # of a processor
        if not callable(getattr(decoder, "decode", None)):
            expected = "a tokenizer or a processor of transformers"
            raise ValueError(f"tokenizer must be {expected}, got {type(tokenizer).__name__}")
        self._answers = partial(_Answers, decoder, given, read, None if config is None else reading)
        documents = given if config is None else [*_read_references(given, reading)]
        self._answers().text([])  # raises now for a decoder of another kind
        scorer = Scorer(metrics, per_entity=per_entity, scores=scores, reading=reading)
        super().__init__(scorer, [{"document": document} for document in documents], check_rows=check_rows)

    @classmethod
    def from_dataset(
        cls,
        dataset: object,
        tokenizer: object,
        *,
        reference: str | None = None,
        config: Config = None,
        **options: Any,
    ) -> generation_metrics:
        """A `compute_metrics` with the references of a data set, as of `naver-clova-ix/cord-v2`. Images are not read.

        Args:
            dataset: a split of a data set of `datasets`, or a list of dicts: what the Trainer evaluates, in its order.
            tokenizer: a tokenizer or a processor, which decodes what the model generates.
            reference (str): the column with the references: documents, their JSON text, or answers to questions. None
                for the first of `reference`, `ground_truth`, `gt_parse` and `document`.
            config (path, dict or list): as in the class. A path to references begins at what stands in the column.
            **options: `read`, `metrics`, `per_entity`, `scores`, `check_rows`, as in the class.

        Returns:
            generation_metrics: the function.

        Raises:
            ValueError: if there is no such column, or if a reference cannot be read.

        >>> class Words:
        ...     def decode(self, ids, **options):
        ...         return " ".join(["<s_shop>", "</s_shop>", "Kedai"][number] for number in ids)
        >>> rows = [{"ground_truth": '{"gt_parse": {"shop": "Kedai"}}'}]
        >>> compute_metrics = generation_metrics.from_dataset(rows, Words(), scores=["kieval_entity_f1"])
        >>> from types import SimpleNamespace
        >>> compute_metrics(SimpleNamespace(predictions=[[0, 2, 1]], label_ids=None))
        {'kieval_entity_f1': 1.0}
        """
        columns = Columns(dataset)
        name = columns.find("references", REFERENCES) if reference is None else reference
        reading = None if config is None else reading_of_rows(config)
        is_read_later = reading is not None and is_of_rows(reading.references)
        references = columns[name] if is_read_later else columns.references(name)
        return cls(tokenizer, references, config=reading, **options)

    def _reader(self, *, of_labels: bool = False) -> _Answers:
        return self._answers()

    def _forms(self, number: int, content: object) -> Forms:
        return {"document": content}

    def _nothing(self, number: int) -> None:
        """No answer."""


def _read_references(given: Iterable[object], reading: Reading) -> Iterator[object]:
    for number, reference in enumerate(given):
        with inside(f"document {number}"):
            yield read_pair(None, reference, reading).reference


class _Decoder(Protocol):
    """Turns token ids into text: a tokenizer of transformers."""

    def decode(self, ids: list[int], /, *, skip_special_tokens: bool, clean_up_tokenization_spaces: bool) -> str:
        """The text of tokens."""


class _Answers:
    """Reads rows of token ids, batch by batch.

    Args:
        decoder: turns them into text.
        given: the reference of each row, as it was given.
        read: turns the text into an answer.
        reading: how answers and references are read; None for those that are documents.

    Attributes:
        cut: the number of answers without the token that ends the others.
    """

    def __init__(
        self, decoder: _Decoder, given: Sequence[object], read: Callable[[str], object], reading: Reading | None
    ) -> None:
        self.decoder, self.given, self.from_text, self.reading = decoder, given, read, reading
        self.left_out = {getattr(decoder, f"{name}_token_id", None) for name in ("pad", "eos", "bos")}
        self.end = getattr(decoder, "eos_token_id", None)
        self.seen = self.repaired = self.invalid = self.ended = 0

    def read(self, ids: object, label_ids: object = None) -> Iterator[tuple[int, object]]:
        """Read the next rows, and return the answers, each with its row. Labels are ignored."""
        for row in read_rows(ids):
            if row.confidences is not None:  # logits, or what preprocess_logits_for_metrics keeps of them
                raise ValueError("expected generated tokens, got logits: set predict_with_generate=True")
            if self.seen == len(self.given):
                problem = f"expected as many rows as references, {self.seen}, got more"
                hint = "several processes repeat some rows, unless the trainer is a training.EachRowOnce"
                raise ValueError(f"{problem}; {hint}")
            document = self._answer(self.text(row.ids.tolist()))
            self.ended += self.end is not None and self.end in row.ids
            yield self.seen, document
            self.seen += 1

    def rest(self) -> Iterator[tuple[int, object]]:
        """Nothing remains. Raises ValueError if rows are missing."""
        if self.seen != len(self.given):
            raise ValueError(f"expected as many rows as references, got {self.seen} and {len(self.given)}")
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
        return self.decoder.decode(kept, skip_special_tokens=False, clean_up_tokenization_spaces=False)

    def _answer(self, text: str) -> object:
        """The document, or the answer to a question, that a text holds; None if it cannot be read."""
        try:
            read = self.from_text(text)
        except Exception as error:
            raise ValueError(f"row {self.seen}: reading the answer failed: {error!r}") from error
        document, issues = read if isinstance(read, Parsed) else (read, [])
        is_invalid = document is None
        if self.reading is not None:
            try:
                document, reference, more = read_pair(document, self.given[self.seen], self.reading)
                is_invalid = document is None or (isinstance(document, str) and isinstance(reference, Mapping))
            except (DocumentError, InputError) as error:  # a model may write anything
                document, more, is_invalid = None, [str(error)], True
            issues = [*issues, *more]
        self.repaired += bool(issues)
        self.invalid += is_invalid
        return document
