"""Outputs of models → the inputs of metrics: labels of words, and generated tokens, each row of which is a document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Protocol, cast

from docie.core.errors import shortened, warn
from docie.core.settings import check_list
from docie.core.values.plain import as_list, is_list
from docie.documents.rows import Parsed
from docie.documents.tagging.schemes import OUTSIDE, is_tag, split_tag

from .. import bio
from ..grouping import slot_filling
from ..grouping.documents import GroupTypes, checked_iterable
from ..tokens.labels import Id2Label, Joiner, WordLabels, label_names
from ..tokens.predictions import read_rows
from .scores import View, view_of_document


class TaggedDocuments:
    """The words of documents, and their references: documents, or lists of tags or label ids, one a word.

    Args:
        words, references, word_ids, id2label, documents, groups, strategy: as in `token_classification_metrics`.

    Attributes:
        reader: makes the reader of the rows of one evaluation.
        label_reader: makes the reader of their labels.
        kinds: the kinds of input for which there are views.
    """

    def __init__(
        self,
        words: Sequence[Sequence[str]],
        references: Sequence[object],
        word_ids: Sequence[Sequence[int | None]],
        id2label: Id2Label,
        *,
        documents: Sequence[int] | None,
        groups: GroupTypes,
        strategy: str,
    ) -> None:
        for name, values in (("words", words), ("references", references)):
            check_list(name, values)
        words, references = list(words), list(references)
        if len(references) != len(words):
            raise ValueError(f"expected as many references as documents, got {len(references)} and {len(words)}")
        names = label_names(id2label)
        self.prefix = _missing_prefix(names.values())
        self.names = {number: name if name == OUTSIDE else self.prefix + name for number, name in names.items()}
        self.words = words
        self.groups = groups if isinstance(groups, Mapping | str) else list(checked_iterable("groups", groups))
        _check_groups(self.groups, {split_tag(name)[1] for name in self.names.values() if name != OUTSIDE})
        self.references: Sequence[object] = references
        self.references_are_tags = _are_lists(references)
        self.kinds = (("tagged words",) if self.references_are_tags else ()) + ("document", "entities")
        lengths = [_length(number, words_of_one) for number, words_of_one in enumerate(words)]
        joiner = partial(Joiner, word_ids, self.names, documents=documents, lengths=lengths)
        self.reader, self.label_reader = partial(joiner, strategy=strategy), partial(joiner, strategy="first")
        _check_all_documents_have_rows(self.reader(), lengths)

    def document(self, number: int, content: WordLabels) -> object:
        """The document of labelled words."""
        entities = bio.decode(self.words[number], content.labels, None, confidences=content.confidences)
        return slot_filling(entities, self.groups)

    def prediction(self, number: int, content: WordLabels) -> View:
        """Labelled words in the format of metrics."""

        def view(input_kind: str) -> object:
            if input_kind == "tagged words":
                return {"words": list(self.words[number]), "tags": content.labels}
            return view_of_document(self.document(number, content), "prediction")(input_kind)

        return view

    def reference(self, number: int) -> View:
        """The reference of a document in the format of metrics."""
        reference = self.references[number]
        if self.references_are_tags:
            return self.prediction(number, self._word_labels(number, reference))
        return view_of_document(reference, "reference")

    def nothing(self, number: int) -> WordLabels:
        """The labels of a document without any entity."""
        return WordLabels([OUTSIDE] * len(self.words[number]), [None] * len(self.words[number]))

    def _word_labels(self, number: int, tags: object) -> WordLabels:
        tags = tags.tolist() if hasattr(tags, "tolist") else as_list(tags)  # also for a tensor
        if len(tags) != len(self.words[number]):
            expected = len(self.words[number])
            raise ValueError(f"document {number}: expected as many tags as words, got {len(tags)} and {expected}")
        return WordLabels([self._tag(number, tag) for tag in tags], [None] * len(tags))

    def _tag(self, number: int, tag: object) -> str:
        """A label id or name as a tag."""
        if isinstance(tag, int | str) and tag in self.names:
            return self.names[tag]
        if not isinstance(tag, str):
            raise ValueError(f"document {number}: expected tags or ids of id2label, got {shortened(tag)}")
        if tag != OUTSIDE and is_tag(tag) != (not self.prefix):
            raise ValueError(f"document {number}: expected labels as id2label has them, got {tag!r}")
        return tag if tag == OUTSIDE else self.prefix + tag


def _are_lists(references: Sequence[object]) -> bool:
    """Whether references are lists of tags. Raises ValueError if only some are."""
    lists = [is_list(reference) or hasattr(reference, "tolist") for reference in references]
    if any(lists) and not all(lists):
        number = lists.index(not lists[0])
        first, here = (type(references[place]).__name__ for place in (0, number))
        problem = f"document {number}: its reference is of the type {here}, that of document 0 of {first}"
        raise ValueError(f"{problem}; expected documents, or lists of tags, for all")
    return any(lists)


def _length(number: int, words: Sequence[str]) -> int:
    if not is_list(words):
        raise ValueError(f"document {number}: expected a list of words, got {shortened(words)}")
    return len(words)


def _check_groups(groups: GroupTypes, types: Collection[str]) -> None:
    """Warn of groups, or of their entity types, without a label. Raise ValueError if all are."""
    slot_filling([], groups)  # raises if they are not group types
    if isinstance(groups, Mapping):
        named, known = [entity_type for members in groups.values() for entity_type in members], set(types)
    else:
        named, known = list(groups), {name[:end] for name in types for end, mark in enumerate(name) if mark == "."}
    unknown = [name for name in named if name not in known]
    texts = []
    for name in unknown:
        close = get_close_matches(name, known, n=1)
        texts.append(f"{name!r} (close: {close[0]!r})" if close else repr(name))
    message = f"groups: no label belongs to {', '.join(texts)}"
    if unknown and len(unknown) == len(named):
        raise ValueError(f"{message}; labels are {', '.join(sorted(types))}")
    if unknown:
        warn(message)


def _check_all_documents_have_rows(reader: Joiner, lengths: Sequence[int]) -> None:
    """Raise ValueError for a document with words but without any row."""
    for number, length in enumerate(lengths):
        if length and number not in reader.last_rows:
            problem = f"document {number} has {length} words, but no row"
            raise ValueError(f"{problem}; check that documents do not count from 0 again in every batch of a map")


def _missing_prefix(names: Collection[str]) -> str:
    """The prefix that turns labels into tags: nothing if they are tags, otherwise `I-`.

    With `I-`, neighbours with the same label are one entity. Raises ValueError for labels of both kinds.
    """
    plain = [name for name in names if name != OUTSIDE and not is_tag(name)]
    tags = [name for name in names if name != OUTSIDE and is_tag(name)]
    if plain and tags:
        raise ValueError(f"id2label has tags and other labels, such as {tags[0]!r} and {plain[0]!r}")
    return "I-" if plain else ""


class Decoder(Protocol):
    """Turns token ids into text: a tokenizer of transformers."""

    def decode(self, ids: list[int], /, *, skip_special_tokens: bool, clean_up_tokenization_spaces: bool) -> str:
        """The text of tokens."""


class GeneratedDocuments:
    """The references of a generative model, and the reader of its answers.

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
        self.reader().text([])  # raises now for a decoder of another kind

    def reader(self) -> Answers:
        """The reader of the rows of one evaluation."""
        return Answers(self.tokenizer, len(self.references), self.read)

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
        read_text: from a decoded answer to its value, or to a `Parsed`.

    Attributes:
        repaired: the number of answers with issues.
        invalid: the number of answers that are None.
        cut: the number of answers without the token that ends the others.
    """

    def __init__(self, tokenizer: Decoder, count: int, read_text: Callable[[str], object]) -> None:
        self.tokenizer = tokenizer
        self.left_out = {getattr(tokenizer, f"{name}_token_id", None) for name in ("pad", "eos", "bos")}
        self.end = getattr(tokenizer, "eos_token_id", None)
        self.count = count
        self.read_text = read_text
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
            answer = self._answer(self.text(row.ids.tolist()))
            self.ended += self.end is not None and self.end in row.ids
            self.repaired += isinstance(answer, Parsed) and bool(answer.issues)
            document = answer.document if isinstance(answer, Parsed) else answer
            self.invalid += document is None
            yield self.seen, document
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

    def _answer(self, text: str) -> object:
        try:
            return self.read_text(text)
        except Exception as error:
            raise ValueError(f"row {self.seen}: reading the answer failed: {error!r}") from error
