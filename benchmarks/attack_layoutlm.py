"""Train LayoutLMv3 to read invoices, and attack it: how far does it fall when the forms change?

    python benchmarks/attack_layoutlm.py --output attacked-layoutlm --seeds 3 --training plain shuffled augmented

This trains tiny models from nothing, without any download, on invoices that `synthetic_invoices.py` makes, and attacks
them on invoices of vendors, numbers, days and amounts that they have never seen. It prints tables of drops beside those
of the paper (Xue et al., 2021); `report.json` has all figures, and `combinations.png` the worst pairs and triples.

`--training` says what a model learns from: `plain` invoices in reading order, as in the paper; `shuffled` ones, whose
words are in random order, as in its section on the order of text; or `augmented` ones, of which every second is
attacked, as it recommends. `--severity edit_rate=0.1` also attacks all at equal severity. `--pairs` and `--triples 364`
attack with combinations.

The folder keeps models and answers: a run that was stopped goes on there, and another one adds what is missing.

`pip install ".[transformers,robustness]"` in a checkout installs what it needs.
"""

from __future__ import annotations

import argparse
import functools
import importlib.util
import json
import os
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers

from docie import attacks, robustness
from docie.adapters import tokens
from docie.robustness import plots
from docie.robustness.form import Page

import attack_tables

sys.path.append(str(Path(__file__).resolve().parents[1] / "examples"))

import synthetic_invoices
import train_layoutlmv3
import training_report

THRESHOLD = 0.1
"""The least score of a word of a value, as in the paper."""
OUTSIDE = "O"
LABELS = [OUTSIDE, *sorted(synthetic_invoices.DATA_TYPES)]
MULTI_WORD = {name for name, kind in synthetic_invoices.DATA_TYPES.items() if kind in ("date", "text")}
"""The fields whose values may have several words."""
TRAININGS = ("plain", "shuffled", "augmented")
MEASURED = 50
"""The invoices on which the strengths are found that attacks need for a severity."""


def pages(forms: Sequence[Page]) -> train_layoutlmv3.Pages:
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


def training_forms(training: str, count: int, seed: int) -> list[Page]:
    """The invoices of a training: as they are, all with their words shuffled, or every second one attacked."""
    forms = synthetic_invoices.invoices(count, seed)
    if training == "shuffled":
        return [attacks.apply("global_shuffle", form, seed=seed) for form in forms]
    if training == "augmented":
        names = attacks.names()
        return [
            attacks.apply(names[number // 2 % len(names)], form, seed=seed) if number % 2 else form
            for number, form in enumerate(forms)
        ]
    return forms


class Model:
    """A model that reads fields: what `docie.robustness.run` asks. It is trained when it is asked first.

    Args:
        folder: where it is kept. A model that is there already is taken from there.
        training: what it learns from, of `TRAININGS`.
        seed: of invoices and training.
        options: those of the script.
    """

    def __init__(self, folder: Path, training: str, seed: int, options: argparse.Namespace) -> None:
        self.folder, self.options = folder, argparse.Namespace(**{**vars(options), "seed": seed})
        names = ("invoices", "epochs", "window", "learning_rate", "seed")
        self.made_of: dict[str, Any] = {"training": training, **{name: getattr(self.options, name) for name in names}}
        if self.folder.exists():
            self._check()

    def __call__(self, forms: Sequence[Page]) -> list[dict[str, str]]:
        """The fields of forms."""
        tokenizer, model = self._loaded
        asked = pages(forms)
        windows = train_layoutlmv3.Windows(asked, tokenizer, LABELS, self.options.window)
        inputs = {name: torch.tensor(windows.encoding[name]) for name in ("input_ids", "attention_mask", "bbox")}
        logits = []
        with torch.inference_mode():
            for start in range(0, len(windows), 64):
                batch = {name: values[start : start + 64] for name, values in inputs.items()}
                logits.append(model(**batch).logits.numpy())
        lengths = [len(words) for words in asked.words]
        found = tokens.word_labels(logits, windows.word_ids, LABELS, documents=windows.pages, lengths=lengths)
        return [fields(words, *labels) for words, labels in zip(asked.words, found, strict=True)]

    @functools.cached_property
    def _loaded(self) -> tuple[Any, Any]:
        """Tokenizer and model, always of the folder: a run that goes on has the same ones."""
        if not self.folder.exists():
            self._train()
        tokenizer, model, _ = train_layoutlmv3.hub_model(str(self.folder), LABELS)
        return tokenizer, model.eval()

    def _train(self) -> None:
        start = time.monotonic()
        transformers.set_seed(self.options.seed)
        invoices = training_forms(self.made_of["training"], self.options.invoices, self.options.seed)
        train = pages(invoices)
        tokenizer, model = train_layoutlmv3.tiny_model(train, LABELS, self.options.window)
        windows = train_layoutlmv3.Windows(train, tokenizer, LABELS, self.options.window)
        trainer = train_layoutlmv3.trained(model, windows, self.options)
        part = self.folder.with_suffix(".part")  # no half model stays if this is stopped
        trainer.save_model(str(part))
        tokenizer.save_pretrained(part)
        (part / "training.json").write_text(json.dumps(self.made_of), encoding="utf-8")
        os.replace(part, self.folder)
        log(f"{self.folder}: trained", start)

    def _check(self) -> None:
        found = json.loads((self.folder / "training.json").read_text(encoding="utf-8"))
        different = [name for name, value in self.made_of.items() if found[name] != value]
        if different:
            raise ValueError(f"{self.folder}: trained otherwise: {', '.join(different)} differ; use another --output")


def fields(words: Sequence[str], labels: Sequence[str], confidences: Sequence[float | None]) -> dict[str, str]:
    """The value of each field, made of the words' scores as in the paper.

    That is the word that the model is surest of. Of a field of several words it is the run of words, in the order that
    the model got, which has that word.
    """
    runs: dict[str, list[list[int]]] = {}
    scores = [confidence or 0.0 for confidence in confidences]
    for position, label in enumerate(labels):
        if label != OUTSIDE and scores[position] > THRESHOLD:
            known = runs.setdefault(label, [])
            if label in MULTI_WORD and known and known[-1][-1] == position - 1:
                known[-1].append(position)
            else:
                known.append([position])
    best = {label: max(known, key=lambda run: max(scores[word] for word in run)) for label, known in runs.items()}
    return {label: " ".join(words[position] for position in run) for label, run in best.items()}


def log(text: str, start: float) -> None:
    """Say on stderr how long something took."""
    print(f"{text} in {time.monotonic() - start:.0f} seconds", file=sys.stderr)


def attacked(training: str, seed: int, options: argparse.Namespace) -> attack_tables.Attacked:
    """Train a model, if there are answers to be asked for, and attack it."""
    folder = options.output / f"{training}-{seed}"
    folder.mkdir(parents=True, exist_ok=True)
    forms = synthetic_invoices.invoices(options.tested, seed, part="held_out")
    run = functools.partial(robustness.run, Model(folder / "model", training, seed, options), forms, seed=seed)
    start = time.monotonic()
    triples = random.Random(0).sample(attacks.combinations(3), options.triples)  # the same ones for all seeds
    report = run(
        attacks=attacks.names(own=True), pairs=options.pairs, combinations=triples, folder=folder / "as in the paper"
    )
    log(f"{folder}: {len(report.attacks)} attacks", start)
    equal = {}
    for figure, value in options.severity:
        start, target = time.monotonic(), f"{figure} {value:g}"
        strength = strengths(forms, figure, value, seed, folder / f"{target}.json")
        answers = run(attacks=list(strength), strength=strength, folder=folder / target)
        equal[target] = attack_tables.Equal(answers, strength)
        log(f"{folder}: {len(strength)} attacks at {target}", start)
    return attack_tables.Attacked(report, equal)


def strengths(forms: Sequence[Page], figure: str, value: float, seed: int, path: Path) -> dict[str, float]:
    """How strong each attack must be for a severity, kept in a file. Attacks that never reach it are left out."""
    if path.exists():
        kept: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
        return kept
    found = {}
    for name in attacks.names(own=True):
        try:
            found[name] = attacks.strength_for(name, forms[:MEASURED], seed=seed, **{figure: value})
        except ValueError as error:  # it does something else
            print(f"{name}: {error}", file=sys.stderr)
    path.write_text(json.dumps(found), encoding="utf-8")
    return found


def main(options: argparse.Namespace) -> None:
    training_report.quiet()
    found = {
        training: [attacked(training, seed, options) for seed in range(options.seeds)] for training in options.training
    }
    text = json.dumps({training: [each.to_json() for each in seeds] for training, seeds in found.items()}, indent=1)
    (options.output / "report.json").write_text(text + "\n", encoding="utf-8")
    sizes = [size for size, asked in ((2, options.pairs), (3, options.triples)) if asked]
    print("\n\n".join(attack_tables.sections(found, sizes)))
    if sizes and importlib.util.find_spec("matplotlib"):
        draw(found[options.training[0]][0].report, sizes, options.output / "combinations.png")


def draw(report: robustness.RobustnessReport, sizes: Sequence[int], path: Path) -> None:
    """The worst combinations of the first model, as a picture."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5.5 * len(sizes), 5.2), layout="constrained")
    for axes, size in zip(figure.subplots(1, len(sizes), squeeze=False)[0], sizes, strict=True):
        plots.combinations(report, size=size, ax=axes)
        axes.set_title({2: "pairs", 3: "triples"}[size])
    figure.savefig(path, dpi=130)


def severity(text: str) -> tuple[str, float]:
    """A severity of the command line, such as edit_rate=0.1."""
    figure, _, value = text.partition("=")
    if figure not in attacks.Severity._fields:
        raise argparse.ArgumentTypeError(f"{text!r} begins with none of {', '.join(attacks.Severity._fields)}")
    return figure, float(value)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--output", type=Path, required=True, help="folder for models, answers and figures")
    parser.add_argument("--invoices", type=int, default=1500, help="invoices to make for training (default: 1500)")
    parser.add_argument("--tested", type=int, default=200, help="invoices to attack (default: 200)")
    parser.add_argument("--seeds", type=int, default=1, help="models to train, with other invoices each (default: 1)")
    parser.add_argument("--training", choices=TRAININGS, nargs="+", default=["plain"], help="on which invoices")
    parser.add_argument(
        "--severity", type=severity, nargs="+", default=[], help="also attack at equal severity: edit_rate=0.1"
    )
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
