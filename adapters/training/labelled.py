"""A ready-made `compute_metrics` for models that label tokens: labels of words become documents.

It is a class with the name of a function, because it is called like one and can be made in a second way, as
`itertools.chain` can.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from typing import Any

from docie.core.errors import shortened, warn
from docie.core.settings import check_list
from docie.core.values.plain import as_list, is_list
from docie.documents.tagging.schemes import OUTSIDE, is_tag, split_tag
from docie.inputs.config import Config
from docie.inputs.row import Row
from docie.inputs.shapes import Shape

from .. import bio
from ..grouping import slot_filling
from ..grouping.documents import GroupTypes, checked_iterable
from ..row_reading import reading_of_labels
from ..tokens.labels import Id2Label, Joiner, WordLabels, label_names
from . import tokenized
from .metrics import TrainingMetrics
from .scores import Forms, Metrics, Scorer


class token_classification_metrics(TrainingMetrics):  # noqa: N801
    """A `compute_metrics` for a Trainer whose model labels tokens. `from_dataset` finds its arguments in a data set.

    It works with `batch_eval_metrics=True`, with `preprocess_logits_for_metrics` (except for the strategy "mean"), and
    in several processes. It is for one data set: before `trainer.predict(test)`, set `trainer.compute_metrics` to the
    metrics of the test set.

    Entities are read from the tags of the words leniently, in any scheme but BILOU. If labels are not tags, neighbours
    with the same label are one entity. The label outside entities is O.

    The first evaluation also scores the labels themselves. If they do not score 1, a warning states what no model can
    reach, and which entity types are never correct, or what differs in how both were written, such as names of types.

    Args:
        words (list of list of str): the words of each evaluated document.
        references (list): the reference of each document: a document, or a list of tags or label ids, one a word.
        word_ids (list of list of int): for each evaluated row, in order, the word of every token, as in
            `tokens.word_labels`.
        id2label (dict or list): the names of the label ids.
        documents (list of int): for each row the document to which the window belongs; None: every row is a document.
        groups (list of str, or dict): the group types, as in `grouping.slot_filling`, which makes the groups. If no
            reference has a group, group scores (`kieval_group_f1`) are meaningless and left out.
        metrics (str, list or dict): names of families, or a mapping from them to their options. If the references are
            tags, families that read tagged words get tags.
        strategy (str): how the label of a word is derived from its sub-words, as in `tokens.word_labels`.
        per_entity (bool): add the scores of each entity type of the references.
        scores (list of str): the scores to return, by name or by a pattern such as `kieval_entity_f1/*`; None for all.
        check_rows (bool): check that the labels of the rows are those of the references, and score them once.
        config (path, dict or list): a `docie.toml`, for instance, as in `docie.corpus.evaluate`. Of how rows are read,
            only `rename` and `ignore` go with labels; `groups` are those of the labels, before they are renamed.

    Raises:
        ValueError: now, if arguments do not match, such as groups to which no label belongs; during evaluation, if rows
            do not match `word_ids`, or if labels share no text with the references in most documents.
            `eval_on_start=True` in the Trainer's arguments raises these errors before the first epoch.

    >>> compute_metrics = token_classification_metrics(
    ...     words=[["Latte", "4.50"]], references=[{"items": {"items.name": "Latte", "items.amount": "4.50"}}],
    ...     word_ids=[[None, 0, 0, 1, None]], id2label=["O", "B-items.name", "B-items.amount"], groups=["items"],
    ... )
    >>> from types import SimpleNamespace
    >>> output = SimpleNamespace(predictions=[[0, 1, 1, 0, 0]], label_ids=[[-100, 1, -100, 2, -100]])
    >>> compute_metrics(output)["kieval_entity_recall"], compute_metrics.predicted(output)
    (0.5, [{'items': [{'items.name': 'Latte'}]}])
    """

    def __init__(
        self,
        words: Sequence[Sequence[str]],
        references: Sequence[object],
        word_ids: Sequence[Sequence[int | None]],
        id2label: Id2Label,
        *,
        documents: Sequence[int] | None = None,
        groups: GroupTypes = (),
        metrics: Metrics = "kieval",
        strategy: str = "first",
        per_entity: bool = False,
        scores: Iterable[str] | None = None,
        check_rows: bool = True,
        config: Config = None,
    ) -> None:
        reading = reading_of_labels(config)
        self._shapes = {side: Shape(side, reading.side(side), looks=False) for side in ("prediction", "reference")}
        for name, values in (("words", words), ("references", references)):
            check_list(name, values)
        self._words, references = list(words), list(references)
        if len(references) != len(self._words):
            raise ValueError(f"expected as many references as documents, got {len(references)} and {len(self._words)}")
        names = label_names(id2label)
        self._prefix = _missing_prefix(names.values())
        self._names = {number: name if name == OUTSIDE else self._prefix + name for number, name in names.items()}
        self._groups = groups if isinstance(groups, Mapping | str) else list(checked_iterable("groups", groups))
        _check_groups(self._groups, {split_tag(name)[1] for name in self._names.values() if name != OUTSIDE})
        self._tagged = _are_lists(references)
        lengths = [_length(number, of_one) for number, of_one in enumerate(self._words)]
        self._joiner = partial(Joiner, word_ids, self._names, documents=documents, lengths=lengths)
        self._strategy = strategy
        _check_all_documents_have_rows(self._joiner(strategy=strategy), lengths)
        scorer = Scorer(metrics, tagged=self._tagged, per_entity=per_entity, scores=scores, reading=reading)
        of_references = [self._reference(number, reference) for number, reference in enumerate(references)]
        super().__init__(scorer, of_references, check_rows=check_rows)

    @classmethod
    def from_dataset(
        cls,
        dataset: object,
        tokenizer: object,
        *,
        rows: object = None,
        id2label: Id2Label | None = None,
        reference: str | None = None,
        groups: GroupTypes | None = None,
        config: Config = None,
        **options: Any,
    ) -> token_classification_metrics:
        """A `compute_metrics` whose arguments are found in a tokenised data set, as transformers' `run_ner` has it.

        Nothing is tokenised again. The column `word_ids` of the rows has the word of each token. Without it, labels
        show the words if only the first token of each word has one; then tags and labels are compared.

        Args:
            dataset: a split of a data set of `datasets`, or a list of dicts, with the columns `words` or `tokens`, and
                `ner_tags`, `tags` or, if it is not tokenised, `labels`.
            tokenizer: the tokenizer, or the processor, that has tokenised it.
            rows: what the Trainer evaluates, if that is another data set, as with windows; they need the columns
                `word_ids` and `overflow_to_sample_mapping`.
            id2label (dict or list): the names of the label ids, `model.config.id2label`; None for those of the tags.
            reference (str): the column with the references: documents, their JSON text, or tags. None for the first of
                `reference`, `ground_truth`, `gt_parse` and `document`, or otherwise the tags. It may name tags that
                have a column of another name.
            groups (list of str, or dict): the group types; None for those that labels name before a dot, as
                `items.name` does, if any reference has them.
            config (path, dict or list): as in the class.
            **options: `metrics`, `strategy`, `per_entity`, `scores`, `check_rows`, as in the class.

        Returns:
            token_classification_metrics: the function.

        Raises:
            ValueError: if a column is missing or malformed, or does not show to which words tokens belong.

        >>> class Tokenizer:
        ...     all_special_ids, unk_token_id = [0, 1], None
        >>> rows = [{"tokens": ["Latte", "4.50"], "ner_tags": [1, 2], "reference": '{"item": "Latte", "total": "4.50"}',
        ...          "input_ids": [0, 7, 8, 9, 1], "labels": [-100, 1, -100, 2, -100]}]
        >>> compute_metrics = token_classification_metrics.from_dataset(
        ...     rows, Tokenizer(), id2label=["O", "B-item", "B-total"], scores=["kieval_entity_f1"]
        ... )
        >>> compute_metrics.ceiling([row["labels"] for row in rows])
        {'kieval_entity_f1': 1.0}
        """
        reading = reading_of_labels(config)
        found = tokenized.read(dataset, tokenizer, rows=rows, id2label=id2label, reference=reference, reading=reading)
        if groups is not None:
            found["groups"] = groups
        return cls(**found, config=reading, **options)

    def _reader(self, *, of_labels: bool = False) -> Joiner:
        return self._joiner(strategy="first" if of_labels else self._strategy)

    def _forms(self, number: int, content: WordLabels, side: str = "prediction") -> Forms:
        """Labelled words as a document and, where references are tags, as tagged words."""
        words = self._words[number]
        entities = bio.decode(words, content.labels, None, confidences=content.confidences)
        document = self._named(slot_filling(entities, self._groups), side)
        if not self._tagged:
            return {"document": document}
        return {"document": document, "tagged words": self._named({"words": [*words], "tags": content.labels}, side)}

    def _nothing(self, number: int) -> WordLabels:
        words = len(self._words[number])
        return WordLabels([OUTSIDE] * words, [None] * words)

    def _named(self, document: object, side: str) -> object:
        """A document with the names of the other side."""
        shape = self._shapes[side]
        return document if shape.is_plain else shape.of(Row(document)).document

    def _reference(self, number: int, reference: Any) -> Forms:
        """A document, or a list of tags or of label ids, one a word."""
        if not self._tagged:
            return {"document": self._named(reference, "reference")}
        tags = reference.tolist() if hasattr(reference, "tolist") else as_list(reference)  # also for a tensor
        if len(tags) != len(self._words[number]):
            expected = len(self._words[number])
            raise ValueError(f"document {number}: expected as many tags as words, got {len(tags)} and {expected}")
        labels = WordLabels([self._tag(number, tag) for tag in tags], [None] * len(tags))
        return self._forms(number, labels, "reference")

    def _tag(self, number: int, tag: object) -> str:
        """A label id or name as a tag."""
        if isinstance(tag, int | str) and tag in self._names:
            return self._names[tag]
        if not isinstance(tag, str):
            raise ValueError(f"document {number}: expected tags or ids of id2label, got {shortened(tag)}")
        if tag != OUTSIDE and is_tag(tag) != (not self._prefix):
            raise ValueError(f"document {number}: expected labels as id2label has them, got {tag!r}")
        return tag if tag == OUTSIDE else self._prefix + tag


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
