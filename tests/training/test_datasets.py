"""Metrics from data sets that were tokenised as scripts of transformers do it, and evaluated by a real Trainer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import datasets
import numpy as np
import pytest

from docie.adapters import training

from synthetic_receipts import GROUPS, receipts

RECEIPTS = receipts(12, seed=3)
LABELS = sorted({tag for receipt in RECEIPTS for tag in receipt.tags})
WORDS, TAGS, DOCUMENTS = ([getattr(each, name) for each in RECEIPTS] for name in ("words", "tags", "document"))
CLS, SEP, PAD, UNK = range(4)


class Tokenizer:
    """A tokenizer of three characters a token, with the same interface as a fast tokenizer's."""

    all_special_ids = (CLS, SEP, PAD, UNK)
    unk_token_id, pad_token_id = UNK, PAD

    def encode(self, words: list[str], *, length: int = 10**6, start: int = 0) -> tuple[list[int], list[int | None]]:
        """Token ids of words from `start` on, and the word of each."""
        tokens = [
            (4 + sum(map(ord, word[at : at + 3])) % 90, word_id)
            for word_id, word in enumerate(words)
            for at in range(0, len(word), 3)
        ]
        tokens = tokens[start : start + length - 2]
        return [CLS, *(token for token, _ in tokens), SEP], [None, *(word for _, word in tokens), None]


def labels_of(word_ids: list[int | None], tags: list[Any], *, of_all: bool = False) -> list[int]:
    """The labels of tokens: that of the word for its first token, or for all of its tokens."""
    ids = [tag if isinstance(tag, int) else LABELS.index(tag) for tag in tags]
    before: list[int | None] = [None, *word_ids]
    return [
        -100 if word is None or (word == before[at] and not of_all) else ids[word] for at, word in enumerate(word_ids)
    ]


def tokenised(row: dict[str, Any], *, length: int = 10**6, of_all: bool = False) -> dict[str, Any]:
    ids, word_ids = Tokenizer().encode(row["tokens"], length=length)
    return {
        "input_ids": ids,
        "attention_mask": [1] * len(ids),
        "labels": labels_of(word_ids, row["ner_tags"], of_all=of_all),
    }


def features(**more: Any) -> datasets.Features:
    text = datasets.Value("string")
    tags = datasets.Sequence(datasets.ClassLabel(names=LABELS))
    return datasets.Features({"tokens": datasets.Sequence(text), "ner_tags": tags, **more})


def split(*, references: bool = True) -> datasets.Dataset:
    """A data set as it was loaded."""
    columns: dict[str, Any] = {"tokens": WORDS, "ner_tags": [[LABELS.index(tag) for tag in tags] for tags in TAGS]}
    if not references:
        return datasets.Dataset.from_dict(columns, features())
    columns["reference"] = [json.dumps(document) for document in DOCUMENTS]
    return datasets.Dataset.from_dict(columns, features(reference=datasets.Value("string")))


def expected_metrics(references: list[Any], word_ids: list[Any], **options: Any) -> training.TrainingMetrics:
    return training.token_classification_metrics(WORDS, references, word_ids, LABELS, **options)


def word_ids(length: int = 10**6) -> list[list[int | None]]:
    return [Tokenizer().encode(words, length=length)[1] for words in WORDS]


def outputs(rows: Any) -> Any:
    """What a Trainer passes for a model that takes every seventh label for the next one."""
    length = max(map(len, rows["labels"]))
    labels = np.array([[*row, *[-100] * (length - len(row))] for row in rows["labels"]])
    predicted = (np.maximum(labels, 0) + (np.arange(length) % 7 == 0)) % len(LABELS)
    return SimpleNamespace(predictions=5.0 * np.eye(len(LABELS))[predicted], label_ids=labels)


@pytest.mark.parametrize("length", [10**6, 40])
@pytest.mark.parametrize("strategy", ["first", "max"])
def test_words_show_in_the_labels_of_first_tokens(length: int, strategy: str) -> None:
    """As in run_ner: a data set with words, tags and tokens, no word ids. Rows may be cut off."""
    rows = split().map(tokenised, fn_kwargs={"length": length})
    options: Any = {"metrics": ["kieval", "entity_f1"], "strategy": strategy, "per_entity": True}
    found = training.token_classification_metrics.from_dataset(rows, Tokenizer(), **options)
    expected = expected_metrics(DOCUMENTS, word_ids(length), groups=GROUPS, **options)
    assert found(outputs(rows)) == expected(outputs(rows))
    assert found.predicted(outputs(rows)) == expected.predicted(outputs(rows))
    assert found.ceiling()["kieval_group_f1"] == 1.0 if length > 40 else found.ceiling()["kieval_group_f1"] < 1.0
    assert 0 < found(outputs(rows))["kieval_entity_f1"] < 1


def test_references_are_tags_without_a_column_of_references() -> None:
    rows = split(references=False).map(tokenised)
    found = training.token_classification_metrics.from_dataset(rows, Tokenizer(), metrics=["kieval", "entity_f1"])
    expected = expected_metrics(TAGS, word_ids(), groups=sorted(GROUPS), metrics=["kieval", "entity_f1"])
    assert found(outputs(rows)) == expected(outputs(rows))
    assert found.ceiling()["kieval_entity_f1"] == 1.0
    named = training.token_classification_metrics.from_dataset(
        split().map(tokenised), Tokenizer(), reference="ner_tags", metrics=["kieval", "entity_f1"]
    )
    assert named(outputs(rows)) == found(outputs(rows))


@pytest.mark.parametrize("others", [False, True])
def test_tags_have_a_column_of_another_name(others: bool) -> None:
    """As `--label_column_name` of run_ner names it, also beside tags of another kind."""
    rows = split(references=False).map(tokenised)
    options: Any = {"metrics": ["kieval", "entity_f1"]}
    expected = training.token_classification_metrics.from_dataset(rows, Tokenizer(), **options)(outputs(rows))
    renamed = rows.rename_column("ner_tags", "kinds")
    if others:
        renamed = renamed.add_column("ner_tags", [["X"] * len(words) for words in WORDS])
    found = training.token_classification_metrics.from_dataset(renamed, Tokenizer(), reference="kinds", **options)
    assert "kieval_group_f1" in expected
    assert found(outputs(rows)) == expected


def test_groups_are_those_that_references_have() -> None:
    flat = [{"items.name": document["vendor"], "note": None} for document in DOCUMENTS]
    rows = datasets.Dataset.from_list(
        [
            {"tokens": words, "ner_tags": tags, "document": json.dumps(each)}
            for words, tags, each in zip(WORDS, TAGS, flat, strict=True)
        ]
    )
    metrics = training.token_classification_metrics.from_dataset(
        rows.map(tokenised), Tokenizer(), id2label=LABELS, check_rows=False
    )
    assert "kieval_group_f1" not in metrics(outputs(rows.map(tokenised)))
    assert all("items" not in document for document in metrics.predicted(outputs(rows.map(tokenised))))  # type: ignore[operator]


def test_labels_in_another_order_have_the_names_of_the_model() -> None:
    """run_ner takes over the order of the labels of a model that has them."""
    order = [*reversed(LABELS)]

    def shuffled(row: dict[str, Any]) -> dict[str, Any]:
        row = tokenised(row)
        return {**row, "labels": [label if label < 0 else order.index(LABELS[label]) for label in row["labels"]]}

    rows = split().map(shuffled)
    metrics = training.token_classification_metrics.from_dataset(rows, Tokenizer(), id2label=dict(enumerate(order)))
    labels = list(rows["labels"])
    perfect = SimpleNamespace(predictions=[[max(label, 0) for label in row] for row in labels], label_ids=labels)
    assert metrics(perfect)["kieval_entity_f1"] == 1.0
    with pytest.raises(
        ValueError, match="its labels are not those of the first tokens of its words, in the names of id2label"
    ):
        training.token_classification_metrics.from_dataset(rows, Tokenizer())


def test_a_column_of_word_ids_is_used() -> None:
    """It is needed if all tokens of a word have its label."""
    rows = split().map(tokenised, fn_kwargs={"of_all": True})
    with pytest.raises(
        ValueError, match="so they do not show to which words tokens belong; keep them when you tokenise"
    ):
        training.token_classification_metrics.from_dataset(rows, Tokenizer())
    rows = rows.add_column("word_ids", word_ids())
    found = training.token_classification_metrics.from_dataset(rows, Tokenizer(), strategy="mean")
    expected = expected_metrics(DOCUMENTS, word_ids(), groups=GROUPS, strategy="mean")
    assert found(outputs(rows)) == expected(outputs(rows))


@pytest.mark.parametrize("batch", [None, 5])
def test_windows_of_documents(batch: int | None) -> None:
    """Rows are windows of the documents of another data set. In every batch, their numbers begin again at 0."""

    def windows(batch: dict[str, Any]) -> dict[str, Any]:
        made: dict[str, list[Any]] = {
            name: [] for name in ("input_ids", "labels", "word_ids", "overflow_to_sample_mapping")
        }
        for number, (words, tags) in enumerate(zip(batch["tokens"], batch["ner_tags"], strict=True)):
            for start in range(0, sum(-(-len(word) // 3) for word in words), 30):
                ids, of_tokens = Tokenizer().encode(words, length=42, start=start)
                row = ids, labels_of(of_tokens, tags), of_tokens, number
                for column, value in zip(made.values(), row, strict=True):
                    column.append(value)
        return made

    documents = split()
    rows = documents.map(windows, batched=True, batch_size=batch, remove_columns=documents.column_names)
    found = training.token_classification_metrics.from_dataset(documents, Tokenizer(), rows=rows)
    whole = documents.map(windows, batched=True, batch_size=None, remove_columns=documents.column_names)
    of_rows = list(whole["overflow_to_sample_mapping"])
    assert len(of_rows) > len(documents)
    expected = expected_metrics(DOCUMENTS, list(whole["word_ids"]), groups=GROUPS, documents=of_rows)
    assert found(outputs(rows)) == expected(outputs(rows))
    assert found.ceiling()["kieval_entity_f1"] == 1.0
    with pytest.raises(
        ValueError, match=r"\d+ rows for 12 documents: windows need their overflow_to_sample_mapping, and word_ids"
    ):
        training.token_classification_metrics.from_dataset(
            documents, Tokenizer(), rows=rows.remove_columns("overflow_to_sample_mapping")
        )
    with pytest.raises(
        ValueError, match="overflow_to_sample_mapping has 12 documents, the data set 6; tokenise it in one batch"
    ):
        training.token_classification_metrics.from_dataset(documents.select(range(6)), Tokenizer(), rows=rows)


def test_windows_that_repeat_the_words_are_refused() -> None:
    row = {"words": ["a", "b"], "tags": ["O", "O"], "input_ids": [5], "labels": [0]}
    rows = [{**row, "word_ids": [0]}, {**row, "word_ids": [1]}]
    with pytest.raises(
        ValueError,
        match="row 1 is a window of the document of row 0: pass the data set of documents, and the windows as rows=",
    ):
        training.token_classification_metrics.from_dataset(rows, Tokenizer(), id2label=["O", "B-a"])


def changed(change: Callable[[dict[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    rows = [
        {"tokens": words, "ner_tags": tags, "reference": document}
        for words, tags, document in zip(WORDS, TAGS, DOCUMENTS, strict=True)
    ]
    return [change({**row, **tokenised(row)}) for row in rows]


def without(*names: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda row: {name: value for name, value in row.items() if name not in names}


def with_a_word_without_tokens(row: dict[str, Any]) -> dict[str, Any]:
    row = {**row, "tokens": [*row["tokens"], ""], "ner_tags": [*row["ner_tags"], "O"]}
    return {**row, **tokenised(row)}


@pytest.mark.parametrize(
    ("dataset", "options", "message"),
    [
        (datasets.DatasetDict({"train": split(), "test": split()}), {}, "expected one split of a data set, got several: train, test; MetricsBySet has metrics of each"),
        (split().to_iterable_dataset(), {}, "expected a data set of datasets, or a list of dicts, got"),
        (5, {}, "expected a data set of datasets, or a list of dicts, got 5"),
        (split(), {}, "the data set is not tokenised: pass what the Trainer gets, or pass that as rows="),
        (changed(without("tokens")), {}, "the data set has no column of words (one of words, tokens), got ner_tags, reference, input_ids"),
        (changed(dict), {}, "the features of the data set do not name its tags: pass id2label=model.config.id2label"),
        (changed(dict), {"id2label": LABELS, "reference": "gold"}, "the data set has no column 'gold', got tokens, ner_tags, reference"),
        (changed(without("ner_tags", "reference")), {"id2label": LABELS}, "the data set has no column of references (one of reference, ground_truth, gt_parse, document)"),
        (changed(lambda row: {**row, "reference": '{"'}), {"id2label": LABELS}, "column 'reference', row 0: the reference is not JSON"),
        (changed(lambda row: {**row, "reference": None}), {"id2label": LABELS}, "column 'reference', row 0: there is no reference; leave the row out"),
        (changed(lambda row: {**row, "ner_tags": [99] * len(row["tokens"])}), {"id2label": LABELS}, "column 'ner_tags', row 0: the tag 99 has no name"),
        ([], {}, "the data set has no column of words (one of words, tokens), got none"),
        (changed(lambda row: {**row, "tokens": None}), {"id2label": LABELS}, "column 'tokens', row 0: expected a list, got None"),
        (changed(lambda row: {**row, "ner_tags": 1}), {"id2label": LABELS}, "column 'ner_tags', row 0: expected a list, got 1"),
        (changed(lambda row: {**row, "input_ids": "7 8"}), {"id2label": LABELS}, "column 'input_ids', row 0: expected a list, got '7 8'"),
        (changed(lambda row: {**row, "labels": row["labels"][:-1]}), {"id2label": LABELS}, "row 0: expected as many labels as tokens, got "),
        (changed(with_a_word_without_tokens), {"id2label": LABELS}, "1 of its words have no token; keep them when you tokenise"),
        (changed(dict), {"id2label": LABELS, "metrics": "kieva"}, "unknown family 'kieva'"),
    ],
)  # fmt: skip
def test_data_sets_that_do_not_fit(dataset: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        training.token_classification_metrics.from_dataset(dataset, Tokenizer(), **options)
    assert "\n" not in str(error.value)


def test_formats_of_a_data_set_do_not_matter() -> None:
    torch = pytest.importorskip("torch")
    rows = split().map(tokenised)
    found = training.token_classification_metrics.from_dataset(rows.with_format("torch"), Tokenizer())
    assert found(outputs(rows)) == training.token_classification_metrics.from_dataset(rows, Tokenizer())(outputs(rows))
    tensors = [{**row, "labels": torch.tensor(row["labels"])} for row in changed(dict)]
    assert training.token_classification_metrics.from_dataset(tensors, Tokenizer(), id2label=LABELS)(
        outputs(rows)
    ) == found(outputs(rows))


class Words:
    """Decodes numbers of words."""

    words = ("<pad>", "<s_total>", "</s_total>", "9.00", "8.00")
    pad_token_id = 0

    def decode(self, ids: list[int], **options: Any) -> str:
        return " ".join(self.words[number] for number in ids)


GOLD = {"total": "9.00"}
ANSWERS = SimpleNamespace(predictions=[[1, 3, 2], [1, 4, 2]], label_ids=None)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ground_truth", json.dumps({"gt_parse": GOLD, "valid_line": [], "meta": {"version": 2}})),
        ("ground_truth", json.dumps(GOLD)),
        ("gt_parse", GOLD),
        ("reference", json.dumps(GOLD)),
        ("document", {"id": "r-1", "document": GOLD}),
        ("gold", GOLD),
    ],
)
def test_references_of_generative_models(name: str, value: Any) -> None:
    """As in scripts for Donut: images are not read."""
    options: Any = {"reference": name} if name == "gold" else {}
    rows = datasets.Dataset.from_dict({"image": [{"path": "/no/such/file.png", "bytes": None}] * 2, name: [value] * 2})
    metrics = training.generation_metrics.from_dataset(rows.cast_column("image", datasets.Image()), Words(), **options)
    assert metrics(ANSWERS)["kieval_entity_f1"] == 0.5
    assert isinstance(metrics, training.TrainingMetrics)


def test_answers_to_questions_are_references() -> None:
    rows = [{"question": "?", "answer": "9.00"}, {"question": "?", "answer": "9.00"}]
    metrics = training.generation_metrics.from_dataset(rows, Words(), reference="answer", read=str, metrics="anls_star")
    output = SimpleNamespace(predictions=[[3], [4]], label_ids=None)
    assert metrics(output)["anls_star_anls_star"] == pytest.approx((1 + 0.75) / 2)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"image": 1, "label": "{}"}], "the data set has no column of references (one of reference, ground_truth, gt_parse, document), got image, label"),
        ([{"ground_truth": '{"gt_parse": '}], "column 'ground_truth', row 0: the reference is not JSON"),
        ([{"ground_truth": "{}"}, {"ground_truth": None}], "column 'ground_truth', row 1: there is no reference; leave the row out"),
    ],
)  # fmt: skip
def test_references_that_cannot_be_read(rows: Any, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        training.generation_metrics.from_dataset(rows, Words())


def test_a_trainer_needs_three_lines(tmp_path: Any) -> None:
    """A real Trainer, tokenizer and collator, with the data set that both get."""
    transformers = pytest.importorskip("transformers")
    tokenizers = pytest.importorskip("tokenizers")
    backend = tokenizers.BertWordPieceTokenizer(lowercase=False)
    backend.train_from_iterator([word for words in WORDS for word in words], vocab_size=300, show_progress=False)
    special = {f"{name.lower()}_token": f"[{name}]" for name in ("UNK", "SEP", "PAD", "CLS", "MASK")}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=backend._tokenizer, **special)

    def prepare(batch: dict[str, Any]) -> Any:
        encoding = tokenizer(batch["tokens"], truncation=True, max_length=64, is_split_into_words=True)
        rows = range(len(batch["tokens"]))
        encoding["labels"] = [labels_of(encoding.word_ids(row), batch["ner_tags"][row]) for row in rows]
        return encoding

    rows = split().map(prepare, batched=True)
    names = dict(enumerate(LABELS))
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, id2label=names
    )  # fmt: skip
    compute_metrics = training.token_classification_metrics.from_dataset(rows, tokenizer)
    trainer = transformers.Trainer(
        transformers.BertForTokenClassification(config),
        transformers.TrainingArguments(
            str(tmp_path), use_cpu=True, report_to=[], disable_tqdm=True, per_device_eval_batch_size=5
        ),
        data_collator=transformers.DataCollatorForTokenClassification(tokenizer),
        eval_dataset=rows,
        compute_metrics=compute_metrics,
        preprocess_logits_for_metrics=training.preprocess_logits_for_metrics,
    )
    found = trainer.evaluate()
    encoding = tokenizer(WORDS, truncation=True, max_length=64, is_split_into_words=True)
    trainer.compute_metrics = expected_metrics(
        DOCUMENTS, [encoding.word_ids(row) for row in range(len(WORDS))], groups=GROUPS
    )
    expected = trainer.evaluate()
    scores = [name for name in found if "kieval" in name]
    assert len(scores) > 10
    assert [found[name] for name in scores] == [expected[name] for name in scores]
