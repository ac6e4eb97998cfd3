"""Train LayoutLMv3 to read invoices, and attack it: how far does it fall when the forms change?

    python examples/attack_layoutlm.py --output attacked-layoutlm
    python examples/attack_layoutlm.py --output attacked-shuffled --order shuffled
    python examples/attack_layoutlm.py --output attacked-augmented --augment

This trains a tiny model from nothing, without any download, on invoices that `synthetic_invoices.py` makes, and attacks
it on invoices of vendors, numbers, days and amounts that it has never seen. It prints a table of drops beside those of
the paper (Xue et al., 2021). The folder keeps the answers, so a run that was stopped goes on, and `report.json`, all
figures. `--triples 364` attacks it with all triples of the fourteen.

The paper trains on its words in reading order. `--order shuffled` trains on words in random order, as its section on
the order of text does; `--augment` attacks every second form of the training, as it recommends.

`pip install ".[transformers,robustness]"` in a checkout installs what it needs.
"""

from __future__ import annotations

import argparse
import functools
import json
import statistics
from collections.abc import Sequence
from pathlib import Path

import transformers

from docie import attacks, robustness, tables
from docie.adapters import tokens
from docie.form import Form

import synthetic_invoices
import train_layoutlmv3
import training_report

PAPER = {
    "value_text_augment": "15.5", "global_shuffle": "14.1", "value_location_augment": "11.2", "key_drop": "10.9",
    "neighbor_bg_drop": "about 9", "neighbor_shuffle": "about 6", "non_neighbor_shuffle": "about 4",
    "margin_pad": "slight", "bg_drop": "slight", "bg_synonyms": "negligible", "center_shift": "none",
    "box_stretch": "none",
}  # fmt: skip
"""The drops of F1 in points that the paper's text gives for LayoutLM on its invoices, where F1 is 70.0."""
THRESHOLD = 0.1
"""The least score of a word of a value, as in the paper."""
OUTSIDE = "O"


def pages(forms: Sequence[Form]) -> train_layoutlmv3.Pages:
    """Forms as the training example takes them. A word's tag is its field: attacks may part the words of a value."""
    records = [form.to_record() for form in forms]
    boxes = [
        [
            [int(1000 * place / side) for place, side in zip(box, record["page"] * 2, strict=True)]
            for box in record["boxes"]
        ]
        for record in records
    ]
    tags = [
        [OUTSIDE if is_key else label for label, is_key in zip(record["labels"], record["is_key"], strict=True)]
        for record in records
    ]
    words = [record["words"] for record in records]
    return train_layoutlmv3.Pages(
        [str(form.id) for form in forms], words, boxes, tags, [form.document() for form in forms]
    )


class Reader:
    """A model that reads fields: what `docie.robustness.run` asks."""

    def __init__(self, forms: Sequence[Form], options: argparse.Namespace, seed: int) -> None:
        transformers.set_seed(seed)
        self.window = options.window
        self.labels = [OUTSIDE, *sorted({field.type for form in forms for field in form.fields})]
        train = pages(forms)
        self.tokenizer, model = train_layoutlmv3.tiny_model(train, self.labels, self.window)
        arguments = transformers.TrainingArguments(
            output_dir=str(options.output),
            num_train_epochs=options.epochs,
            learning_rate=options.learning_rate,
            warmup_steps=0.1,
            per_device_train_batch_size=16,
            per_device_eval_batch_size=64,
            save_strategy="no",
            logging_strategy="no",
            report_to="none",
            disable_tqdm=True,
            seed=seed,
        )
        self.trainer = transformers.Trainer(model=model, args=arguments, train_dataset=self._windows(train))
        self.trainer.remove_callback(transformers.PrinterCallback)
        self.trainer.train()

    def _windows(self, of: train_layoutlmv3.Pages) -> train_layoutlmv3.Windows:
        return train_layoutlmv3.Windows(of, self.tokenizer, self.labels, self.window)

    def __call__(self, forms: Sequence[Form]) -> list[dict[str, str]]:
        """The fields of forms."""
        asked = pages(forms)
        windows = self._windows(asked)
        logits = self.trainer.predict(windows).predictions
        lengths = [len(words) for words in asked.words]
        found = tokens.word_labels(logits, windows.word_ids, self.labels, documents=windows.pages, lengths=lengths)
        return [fields(words, *labels) for words, labels in zip(asked.words, found, strict=True)]


def fields(words: Sequence[str], labels: Sequence[str], confidences: Sequence[float | None]) -> dict[str, str]:
    """The value of each field: its words, as the model got them, if the model is sure enough of them."""
    values: dict[str, list[str]] = {}
    for word, label, confidence in zip(words, labels, confidences, strict=True):
        if label != OUTSIDE and (confidence or 0.0) > THRESHOLD:
            values.setdefault(label, []).append(word)
    return {label: " ".join(texts) for label, texts in values.items()}


def training_forms(options: argparse.Namespace, seed: int) -> list[Form]:
    """The invoices of the training: in reading order, or shuffled, every second one attacked if that was asked for."""
    forms = synthetic_invoices.invoices(options.invoices, seed)
    if options.order == "shuffled":
        forms = [attacks.apply("global_shuffle", form, seed=seed) for form in forms]
    if options.augment:
        names = attacks.names()
        forms = [
            attacks.apply(names[number // 2 % len(names)], form, seed=seed) if number % 2 else form
            for number, form in enumerate(forms)
        ]
    return forms


def attacked(options: argparse.Namespace, seed: int) -> robustness.RobustnessReport:
    """Train a model, if there are answers to be asked for, and attack it."""
    reader = functools.cache(lambda: Reader(training_forms(options, seed), options, seed))
    return robustness.run(
        lambda forms: reader()(forms),
        synthetic_invoices.invoices(options.tested, seed, part="held_out"),
        attacks=attacks.names(own=True),
        pairs=options.pairs,
        triples=options.triples,
        seed=seed,
        folder=options.output / f"seed-{seed}",
    )


def table(reports: Sequence[robustness.RobustnessReport]) -> tables.Table:
    """The drops of F1 in points: the mean over seeds, the lowest and the highest, and the paper's."""

    def points(values: Sequence[float]) -> list[str]:
        shown = [f"{100 * value:.1f}" for value in (statistics.fmean(values), min(values), max(values))]
        return [shown[0], f"{shown[1]} to {shown[2]}" if len(values) > 1 else ""]

    rows = []
    for attack in (row.attack for row in reports[0].attacks):
        found = [report[attack] for report in reports]
        unchanged = [row.unchanged for row in found if row.unchanged is not None]
        rows.append(
            [
                attack,
                *points([row.drop_f1 for row in found]),
                f"{100 * statistics.fmean(unchanged):.0f} %" if unchanged else "",
                f"{statistics.fmean(row.severity['mean_iou'] or 0.0 for row in found):.2f}",
                f"{statistics.fmean(row.severity['edit_rate'] or 0.0 for row in found):.3f}",
                PAPER.get(attack, ""),
            ]
        )
    rows.sort(key=lambda row: -float(row[1]))
    rows.insert(0, ["none (F1)", *points([report.f1 for report in reports]), "", "", "", "70.0"])
    columns = ["attack", "drop of F1", "over seeds", "unchanged", "mean IoU", "edit rate", "drop in the paper"]
    return tables.Table("attacks", columns, rows)


def main(options: argparse.Namespace) -> None:
    training_report.quiet()
    reports = [attacked(options, seed) for seed in range(options.seeds)]
    text = json.dumps([report.to_json() for report in reports], indent=1)
    (options.output / "report.json").write_text(text + "\n", encoding="utf-8")
    print(tables.markdown(table(reports)))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for answers and figures")
    parser.add_argument("--invoices", type=int, default=1500, help="invoices to make for training (default: 1500)")
    parser.add_argument("--tested", type=int, default=200, help="invoices to attack (default: 200)")
    parser.add_argument("--seeds", type=int, default=1, help="models to train, with other invoices each (default: 1)")
    parser.add_argument("--order", choices=["reading", "shuffled"], default="reading", help="of words in training")
    parser.add_argument("--augment", action="store_true", help="attack every second form of the training")
    parser.add_argument("--pairs", action="store_true", help="also attack with the 91 pairs")
    parser.add_argument("--triples", type=int, default=0, help="also attack with so many triples (364 are all)")
    parser.add_argument("--epochs", type=float, default=5)
    parser.add_argument("--window", type=int, default=192, help="tokens that the model sees at once (default: 192)")
    parser.add_argument("--learning-rate", type=float, default=4e-3)
    options = parser.parse_args()
    options.output.mkdir(parents=True, exist_ok=True)
    return options


if __name__ == "__main__":
    main(arguments())
