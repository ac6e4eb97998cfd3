"""Train a Donut model to read receipts from pictures, with docie's figures after every epoch.

    python examples/train_donut.py --output donut-receipts

This trains a tiny model from nothing, without any download, on the pictures that `coded_receipts.py` makes. It is
evaluated on receipts with other layouts and new combinations of words. The folder then has the model,
`learning-curve.png`, and for `docie score` the files `references.jsonl` and `predictions.jsonl`. With a model and a
data set of the Hub:

    python examples/train_donut.py --model naver-clova-ix/donut-base --dataset naver-clova-ix/cord-v2 \\
        --epochs 30 --learning-rate 3e-5 --batch-size 2 --length 768 --output donut-cord

`pip install ".[transformers,plots]"` in a checkout installs what it needs.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import transformers

from docie.adapters import donut, records, training

import coded_receipts
import training_report
from transformers_versions import image_processor, mend_loss, warmup_steps

METRICS = ["kieval", "nted"]


class Pages(NamedTuple):
    """Images and their documents."""

    ids: list[str]
    images: Sequence[Any]
    documents: list[dict[str, Any]]


def coded_pages(count: int, seed: int, part: str) -> Pages:
    """Receipts made from a seed."""
    receipts = coded_receipts.receipts(count, seed, part=part)
    ids, images = [f"{part}-{number}" for number in range(count)], [coded_receipts.picture(page) for page in receipts]
    return Pages(ids, images, [receipt.document for receipt in receipts])


def hub_pages(name: str, split: str) -> Pages:
    """Records of `naver-clova-ix/cord-v2`, or of a data set with the same columns, in a folder or on the Hub."""
    import datasets

    rows = datasets.load_dataset(name, split=split)
    documents = [records.cord(row) for row in rows.select_columns(["ground_truth"])]
    return Pages([f"{split}-{number}" for number in range(len(rows))], rows["image"], documents)


class Rows:
    """What a model learns: the pixels of each page, and the tokens of its document."""

    def __init__(self, pages: Pages, processor: Any, tokenizer: Any, length: int) -> None:
        self.images, self.processor = pages.images, processor
        sequences = [donut.to_sequence(document) + tokenizer.eos_token for document in pages.documents]
        options = {"add_special_tokens": False, "truncation": True, "max_length": length}
        tokens = tokenizer(sequences, **options)["input_ids"]
        self.labels = [[*row, *[-100] * (length - len(row))] for row in tokens]  # -100 does not count

    def __len__(self) -> int:
        return len(self.labels)

    def __getitem__(self, row: int) -> dict[str, Any]:
        pixels = self.processor(self.images[row].convert("RGB"))["pixel_values"][0]
        return {"pixel_values": pixels, "labels": self.labels[row]}


def tiny_model(length: int) -> tuple[Any, Any, Any]:
    """An image processor, a tokenizer that knows the words of coded receipts, and a model of random parameters."""
    import tokenizers

    words = [word for texts in coded_receipts.WORDS.values() for word in texts]
    vocabulary = {word: number for number, word in enumerate(["<s>", "<pad>", "</s>", "<unk>", *words])}
    backend = tokenizers.Tokenizer(tokenizers.models.WordLevel(vocabulary, unk_token="<unk>"))
    backend.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    special = {"bos_token": "<s>", "pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=backend, **special)
    size = 8 * coded_receipts.CELL
    processor = image_processor("Donut")(
        size={"height": size, "width": size}, do_resize=False, do_thumbnail=False, do_align_long_axis=False
    )
    encoder = transformers.DonutSwinConfig(
        image_size=[size, size],
        embed_dim=32,
        depths=[1, 1],
        num_heads=[2, 4],
        window_size=8,
        initializer_range=0.1,  # a model as small as this hardly starts with the usual 0.02
    )
    decoder = transformers.MBartConfig(
        vocab_size=len(vocabulary),
        d_model=64,
        encoder_layers=2,  # the decoder's own, in the names of this configuration
        decoder_layers=2,
        decoder_attention_heads=4,
        decoder_ffn_dim=128,
        max_position_embeddings=length + 2,
        dropout=0.0,
        init_std=0.1,
        scale_embedding=True,
        is_decoder=True,
        add_cross_attention=True,
    )
    parts = transformers.DonutSwinModel(encoder), transformers.MBartForCausalLM(decoder)
    return processor, tokenizer, transformers.VisionEncoderDecoderModel(encoder=parts[0], decoder=parts[1])


def hub_model(name: str) -> tuple[Any, Any, Any]:
    """Image processor, tokenizer and model, from a folder or the Hub."""
    return (
        image_processor("Donut").from_pretrained(name),
        transformers.AutoTokenizer.from_pretrained(name),
        transformers.VisionEncoderDecoderModel.from_pretrained(name),
    )


def prepare(model: Any, tokenizer: Any, documents: Sequence[Any], length: int) -> None:
    """Teach tokenizer and model the tags of the documents, and where sequences begin and end."""
    tokenizer.add_special_tokens({"additional_special_tokens": donut.tags(documents)})
    model.decoder.resize_token_embeddings(len(tokenizer))
    mend_loss(model)
    for config in (model.config, model.generation_config):
        config.decoder_start_token_id = tokenizer.bos_token_id
        config.pad_token_id, config.eos_token_id = tokenizer.pad_token_id, tokenizer.eos_token_id
    model.generation_config.update(max_length=length, forced_eos_token_id=None, bos_token_id=tokenizer.bos_token_id)


class Trainer(training.EachRowOnce, transformers.Seq2SeqTrainer):
    """Generates once for every row, in several processes too."""


def trained(
    model: Any, train: Rows, held_out: Rows, metrics: training.TrainingMetrics, options: argparse.Namespace
) -> Trainer:
    """The trainer, after training."""
    arguments = transformers.Seq2SeqTrainingArguments(
        output_dir=str(options.output),
        num_train_epochs=options.epochs,
        learning_rate=options.learning_rate,
        warmup_steps=warmup_steps(len(train), options.batch_size, options.epochs),
        per_device_train_batch_size=options.batch_size,
        per_device_eval_batch_size=options.batch_size,
        predict_with_generate=True,
        eval_strategy="epoch",
        logging_strategy="epoch",
        save_strategy="no",
        report_to="none",
        disable_tqdm=True,
        seed=options.seed,
    )
    trainer = Trainer(
        model=model,
        args=arguments,
        train_dataset=train,
        eval_dataset=held_out,
        compute_metrics=metrics,
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
    else:
        train = coded_pages(options.receipts, options.seed, "train")
        held_out = coded_pages(60, options.seed, "held_out")
    processor, tokenizer, model = hub_model(options.model) if options.model else tiny_model(options.length)
    prepare(model, tokenizer, train.documents + held_out.documents, options.length)
    rows = Rows(held_out, processor, tokenizer, options.length)
    metrics = training.generation_metrics(tokenizer, held_out.documents, metrics=METRICS)
    trainer = trained(model, Rows(train, processor, tokenizer, options.length), rows, metrics, options)
    output = trainer.predict(rows)

    trainer.save_model()
    for part in (tokenizer, processor):
        part.save_pretrained(options.output)
    training_report.write_rows(options.output / "references.jsonl", "reference", held_out.ids, held_out.documents)
    predicted = metrics.predicted(output)
    training_report.write_rows(options.output / "predictions.jsonl", "prediction", held_out.ids, predicted)
    title = f"{options.model or 'A tiny Donut'} on {options.dataset or 'receipts of unseen layouts'}"
    training_report.draw_learning_curve(trainer.state.log_history, options.output / "learning-curve.png", title)
    training_report.print_figures({"model": metrics(output)})


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for what comes out")
    parser.add_argument("--model", help="a Donut model, of the Hub or a folder (default: a tiny one from nothing)")
    parser.add_argument("--dataset", help="a data set like naver-clova-ix/cord-v2 (default: receipts made of the seed)")
    parser.add_argument("--epochs", type=float, default=6)
    parser.add_argument("--receipts", type=int, default=3000, help="receipts to make for training (default: 3000)")
    parser.add_argument("--length", type=int, default=40, help="most tokens of a document (default: 40)")
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    return options


if __name__ == "__main__":
    main(arguments())
