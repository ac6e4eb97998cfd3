"""Ready-made `compute_metrics`: one for models that label tokens, one for generative models.

They are classes with names of functions, because they are called like functions and can be made in a second way, as
`itertools.chain` can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from docie.inputs.config import Config

from .. import donut
from ..grouping.documents import GroupTypes
from ..row_reading import is_of_rows, reading_of_labels, reading_of_rows
from ..tokens.labels import Id2Label
from . import tokenized
from .columns import REFERENCES, Columns
from .generated import GeneratedDocuments
from .labelled import TaggedDocuments
from .metrics import TrainingMetrics
from .scores import Metrics, Scorer


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
        scores (list of str): the scores to return, by name or by a pattern such as "kieval_entity_f1/*"; None for all.
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
        source = TaggedDocuments(
            words,
            references,
            word_ids,
            id2label,
            documents=documents,
            groups=groups,
            strategy=strategy,
            reading=reading,
        )
        scorer = Scorer(metrics, kinds=source.kinds, per_entity=per_entity, scores=scores, reading=reading)
        super().__init__(source, scorer, check_rows=check_rows)

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
        return cls(
            found.words,
            found.references,
            found.word_ids,
            found.id2label,
            documents=found.documents,
            groups=found.groups if groups is None else groups,
            config=reading,
            **options,
        )


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
        source = GeneratedDocuments(tokenizer, references, read, None if config is None else reading)
        scorer = Scorer(metrics, kinds=source.kinds, per_entity=per_entity, scores=scores, reading=reading)
        super().__init__(source, scorer, check_rows=check_rows)

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
