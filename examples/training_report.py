"""The output of the training examples: progress, figures, the learning curve, and files for `docie score`."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from transformers import TrainerCallback
from transformers.utils import logging

from docie import tables

SHOWN = {"eval_loss": "loss", "eval_kieval_entity_f1": "entity F1", "eval_kieval_group_f1": "group F1"}


def quiet() -> None:
    """Keep the libraries' warnings and bars off the screen."""
    warnings.filterwarnings("ignore", message=".*pin_memory", category=UserWarning)  # there may be no GPU
    warnings.filterwarnings("ignore", message=".*removed in v5 of Transformers", category=FutureWarning)  # by version 4
    logging.set_verbosity_error()
    logging.disable_progress_bar()


class Progress(TrainerCallback):
    """Prints a line for each evaluation, on stderr."""

    def on_evaluate(self, args: Any, state: Any, control: Any, metrics: dict[str, float], **kwargs: Any) -> None:
        figures = ", ".join(f"{title} {metrics[name]:.4f}" for name, title in SHOWN.items())
        print(f"epoch {state.epoch:.0f}: {figures}", file=sys.stderr)


def print_figures(columns: Mapping[str, Mapping[str, float]]) -> None:
    """Print a table in Markdown on stdout, with a row for each figure. `columns` has the figures of each column."""
    names = next(iter(columns.values()))
    rows = [[name, *(tables.number(figures[name]) for figures in columns.values())] for name in names]
    print(tables.markdown(tables.Table("figures", ["score", *columns], rows)))


def write_rows(path: Path, key: str, ids: Sequence[str], documents: Iterable[Any]) -> None:
    """Write JSON Lines as `docie score` reads them. `key` is "reference" or "prediction"."""
    rows = ({"id": name, key: document} for name, document in zip(ids, documents, strict=True))
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def draw_learning_curve(history: Sequence[Mapping[str, float]], path: Path, title: str) -> None:
    """Draw the losses and the F1 scores of `trainer.state.log_history`, epoch by epoch."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot as plt
    from matplotlib.ticker import MaxNLocator

    figure, (losses, scores) = plt.subplots(1, 2, figsize=(9, 3.6), layout="constrained")
    curves = [
        (losses, "loss", "training", "C7"),
        (losses, "eval_loss", "held out", "C0"),
        (scores, "eval_kieval_entity_f1", "entity F1", "C0"),
        (scores, "eval_kieval_group_f1", "group F1", "C1"),
    ]
    for axes, name, label, colour in curves:
        points = [(row["epoch"], row[name]) for row in history if name in row]
        axes.plot(*zip(*points, strict=True), marker="o", markersize=4, color=colour, label=label)
    losses.set(ylabel="loss", ylim=(0, None))
    scores.set(ylabel="KIEval on held-out receipts", ylim=(0, 1.02))
    for axes in (losses, scores):
        axes.set_xlabel("epoch")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
    losses.legend(loc="upper right")
    scores.legend(loc="lower right")
    figure.suptitle(title)
    figure.savefig(path, dpi=150)
    plt.close(figure)
