"""Train LayoutLMv3 to read receipts, with docie's figures after every epoch.

    python examples/train_layoutlmv3.py --output layoutlmv3-receipts

This trains a tiny model from nothing, without any download, on receipts that `synthetic_receipts.py` makes. It is
evaluated on receipts whose vendors, values and layouts it has never seen. The folder then has the model,
`learning-curve.png`, and for `docie score` the files `references.jsonl` and `predictions.jsonl`. With a model and a
data set of the Hub:

    python examples/train_layoutlmv3.py --model microsoft/layoutlmv3-base --dataset nielsr/cord-layoutlmv3 \\
        --epochs 10 --learning-rate 1e-5 --window 512 --output layoutlmv3-cord

`pip install ".[transformers,plots]"` in a checkout installs what it needs.
"""

from __future__ import annotations

import argparse
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import transformers

from docie import corpus
from docie.adapters import bio, grouping, records, training
from docie.core import family

import synthetic_receipts
import training_report
from transformers_versions import image_processor, warmup_steps

METRICS = ["kieval", "entity_f1"]


class Pages(NamedTuple):
    """Words of pages with boxes (coordinates from 0 to 1000) and tags, the documents, and images if there are some."""

    ids: list[str]
    words: list[list[str]]
    boxes: list[list[list[int]]]
    tags: list[list[str]]
    documents: list[dict[str, Any]]
    images: Sequence[Any] | None = None


def synthetic_pages(count: int, seed: int, part: str) -> Pages:
    """Receipts made from a seed."""
    receipts = synthetic_receipts.receipts(count, seed, part=part)
    boxes = [
        [[1000 * place // side for place, side in zip(box, receipt.page * 2, strict=True)] for box in receipt.boxes]
        for receipt in receipts
    ]
    ids, documents = [f"{part}-{number}" for number in range(count)], [receipt.document for receipt in receipts]
    return Pages(ids, [receipt.words for receipt in receipts], boxes, [receipt.tags for receipt in receipts], documents)


def hub_pages(name: str, split: str) -> Pages:
    """Records of `nielsr/cord-layoutlmv3`, or of a data set with the same columns, in a folder or on the Hub."""
    import datasets

    rows = datasets.load_dataset(name, split=split)
    names = rows.features["ner_tags"].feature.names
    tags = [[names[tag][:2] + names[tag][2:].lower() for tag in row] for row in rows["ner_tags"]]
    documents = [records.cord(row, names=names) for row in rows.select_columns(["id", "words", "ner_tags"])]
    ids, words, boxes = (list(rows[column]) for column in ("id", "words", "bboxes"))
    return Pages(ids, words, boxes, tags, documents, rows["image"])


class Windows:
    """The rows that a model sees. A page longer than a window has several, which overlap by a quarter."""

    def __init__(self, pages: Pages, tokenizer: Any, labels: Sequence[str], length: int, processor: Any = None) -> None:
        numbers = {label: number for number, label in enumerate(labels)}
        self.encoding = tokenizer(
            pages.words,
            boxes=pages.boxes,
            word_labels=[[numbers[tag] for tag in tags] for tags in pages.tags],
            max_length=length,
            stride=length // 4,
            truncation=True,
            padding="max_length",
            return_overflowing_tokens=True,
        )
        self.pages: list[int] = self.encoding["overflow_to_sample_mapping"]
        self.word_ids = [self.encoding.word_ids(row) for row in range(len(self.pages))]
        self.images, self.processor = pages.images, processor

    def __len__(self) -> int:
        return len(self.pages)

    def __getitem__(self, row: int) -> dict[str, Any]:
        columns = ("input_ids", "attention_mask", "bbox", "labels")
        inputs = {column: self.encoding[column][row] for column in columns}
        if self.processor is not None and self.images is not None:
            image = self.images[self.pages[row]].convert("RGB")
            inputs["pixel_values"] = self.processor(image)["pixel_values"][0]
        return inputs


def tiny_model(pages: Pages, labels: Sequence[str], length: int) -> tuple[Any, Any]:
    """A tokenizer that knows the words of the pages, and a model of some 100,000 random parameters without images."""
    from tokenizers import ByteLevelBPETokenizer

    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trained = ByteLevelBPETokenizer(add_prefix_space=True)
    trained.train_from_iterator(map(" ".join, pages.words), vocab_size=400, special_tokens=special, show_progress=False)
    with tempfile.TemporaryDirectory() as folder:
        trained.save_model(folder)
        tokenizer = transformers.LayoutLMv3TokenizerFast.from_pretrained(folder)
    config = transformers.LayoutLMv3Config(
        vocab_size=len(tokenizer),
        hidden_size=48,  # 4 coordinates and 2 sides, of 8 numbers each
        coordinate_size=8,
        shape_size=8,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=96,
        max_position_embeddings=length + 2,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.05,  # a model as small as this starts slowly with the usual 0.02
        visual_embed=False,
        **label_names(labels),
    )
    return tokenizer, transformers.LayoutLMv3ForTokenClassification(config)


def hub_model(name: str, labels: Sequence[str]) -> tuple[Any, Any, Any]:
    """Tokenizer, model and, if the model sees images, image processor, from a folder or the Hub."""
    tokenizer = transformers.LayoutLMv3TokenizerFast.from_pretrained(name)
    model = transformers.LayoutLMv3ForTokenClassification.from_pretrained(name, **label_names(labels))
    if not model.config.visual_embed:
        return tokenizer, model, None
    return tokenizer, model, image_processor("LayoutLMv3").from_pretrained(name, apply_ocr=False)


def label_names(labels: Sequence[str]) -> dict[str, Any]:
    """The names of the labels as a model's configuration takes them."""
    return {"id2label": dict(enumerate(labels)), "label2id": {label: number for number, label in enumerate(labels)}}


def baseline(train: Pages, held_out: Pages, groups: Sequence[str]) -> list[dict[str, Any]]:
    """The documents if every word gets the tag that it has most often in training, and a new word the most frequent."""
    tags_of_word: dict[str, Counter[str]] = {}
    for words, tags in zip(train.words, train.tags, strict=True):
        for word, tag in zip(words, tags, strict=True):
            tags_of_word.setdefault(word, Counter())[tag] += 1
    all_tags = sum(tags_of_word.values(), Counter[str]())
    documents = []
    for words in held_out.words:
        predicted = [tags_of_word.get(word, all_tags).most_common(1)[0][0] for word in words]
        documents.append(grouping.slot_filling(bio.decode(words, predicted), groups))
    return documents


def trained(
    model: Any,
    train: Windows,
    options: argparse.Namespace,
    *,
    held_out: Windows | None = None,
    metrics: training.TrainingMetrics | None = None,
) -> transformers.Trainer:
    """The trainer, after training. What is held out is evaluated with the metrics after every epoch."""
    strategy = "no" if held_out is None else "epoch"
    arguments = transformers.TrainingArguments(
        output_dir=str(options.output),
        num_train_epochs=options.epochs,
        learning_rate=options.learning_rate,
        warmup_steps=warmup_steps(len(train), 16, options.epochs),
        per_device_train_batch_size=16,
        per_device_eval_batch_size=32,
        eval_strategy=strategy,
        logging_strategy=strategy,
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        seed=options.seed,
    )
    trainer = transformers.Trainer(
        model=model,
        args=arguments,
        train_dataset=train,
        eval_dataset=held_out,
        compute_metrics=metrics,
        preprocess_logits_for_metrics=training.preprocess_logits_for_metrics,
        callbacks=[training_report.Progress()],
    )
    trainer.remove_callback(transformers.PrinterCallback)  # it prints on stdout
    trainer.train()
    return trainer


def main(options: argparse.Namespace) -> None:
    training_report.quiet()
    transformers.set_seed(options.seed)
    if options.dataset:
        train, held_out = (hub_pages(options.dataset, split) for split in ("train", "test"))
        groups: Sequence[str] = records.CORD_GROUPS
    else:
        train = synthetic_pages(options.receipts, options.seed, "train")
        held_out = synthetic_pages(60, options.seed, "held_out")
        groups = synthetic_receipts.GROUPS
    labels = sorted({tag for tags in train.tags + held_out.tags for tag in tags}, reverse=True)  # O first
    groups = [group for group in groups if any(f"-{group}." in label for label in labels)]  # a sample may lack some
    if options.model:
        tokenizer, model, processor = hub_model(options.model, labels)
    else:
        tokenizer, model, processor = *tiny_model(train, labels, options.window), None
    windows = Windows(held_out, tokenizer, labels, options.window, processor)
    metrics = training.token_classification_metrics(
        held_out.words,
        held_out.documents,
        windows.word_ids,
        model.config.id2label,
        documents=windows.pages,
        groups=groups,
        metrics=METRICS,
    )
    rows = Windows(train, tokenizer, labels, options.window, processor)
    trainer = trained(model, rows, options, held_out=windows, metrics=metrics)
    output = trainer.predict(windows)

    trainer.save_model()
    tokenizer.save_pretrained(options.output)
    training_report.write_rows(options.output / "references.jsonl", "reference", held_out.ids, held_out.documents)
    predicted = metrics.predicted(output)
    training_report.write_rows(options.output / "predictions.jsonl", "prediction", held_out.ids, predicted)
    title = (
        f"{options.model or 'A tiny LayoutLMv3'} on {options.dataset or 'receipts of unseen vendors, values, layouts'}"
    )
    training_report.draw_learning_curve(trainer.state.log_history, options.output / "learning-curve.png", title)
    columns = {"model": metrics(output), "baseline": figures(baseline(train, held_out, groups), held_out.documents)}
    training_report.print_figures(columns)


def figures(predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:
    """The scores of `docie score`, named as in training."""
    return {
        f"{metric}_{name}": value
        for metric in METRICS
        for name, value in corpus.evaluate(family.get(metric), predictions, references).items()
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for what comes out")
    parser.add_argument("--model", help="a LayoutLMv3 model, of the Hub or a folder (default: a tiny one from nothing)")
    parser.add_argument("--dataset", help="a data set like nielsr/cord-layoutlmv3 (default: receipts made of the seed)")
    parser.add_argument("--epochs", type=float, default=5)
    parser.add_argument("--receipts", type=int, default=2500, help="receipts to make for training (default: 2500)")
    parser.add_argument("--window", type=int, default=96, help="tokens that the model sees at once (default: 96)")
    parser.add_argument("--learning-rate", type=float, default=4e-3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    return options


if __name__ == "__main__":
    main(arguments())
