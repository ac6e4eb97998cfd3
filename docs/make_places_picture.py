"""Draw the picture of the README that shows where docie plugs in, with a line of code each.

    python docs/make_places_picture.py [FILE]

It needs nothing but Python. The picture has its own ground, in light and dark colours.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import NamedTuple

PICTURE = Path(__file__).with_name("places.svg")


class Place(NamedTuple):
    """A tool that docie plugs into, the line of code that does it, and the module of docie with its names."""

    tool: str
    code: str
    module: str = ""


PLACES = {
    "Evaluate": [
        Place(
            "lm-eval, lmms-eval", 'process_results = lm_eval.process_results("kieval")', "adapters.harnesses.lm_eval"
        ),
        Place("Inspect AI", 'Task(..., scorer=document_scorer("kieval"))', "adapters.harnesses.inspect_ai"),
        Place(
            "pydantic-evals",
            'Dataset(..., report_evaluators=[CorpusScores("kieval")])',
            "adapters.harnesses.pydantic_evals",
        ),
        Place("MLflow", 'log_corpus_scores(evaluate(..., scorers=[scorer("kieval")]))', "adapters.harnesses.mlflow"),
        Place("Phoenix", 'corpus_scores(evaluate_dataframe(..., [evaluator("kieval")]))', "adapters.harnesses.phoenix"),
        Place(
            "LangSmith",
            'evaluate(..., summary_evaluators=[summary_evaluator("kieval")])',
            "adapters.harnesses.langsmith",
        ),
        Place(
            "Langfuse", 'run_experiment(..., run_evaluators=[run_evaluator("kieval")])', "adapters.harnesses.langfuse"
        ),
    ],
    "Train": [
        Place(
            "Trainer",
            "compute_metrics = token_classification_metrics.from_dataset(...)",
            "adapters.training",
        ),
        Place(
            "TRL, verifiers, verl", 'GRPOTrainer(..., reward_funcs=reward("kieval", "entity_f1"))', "adapters.training"
        ),
    ],
    "Track": [
        Place("W&B, Trackio", "wandb.log(docie.flat(results))", "show.tables"),
        Place("MLflow, TensorBoard", "mlflow.log_metrics(docie.flat(results))", "show.tables"),
    ],
    "Merge": [
        Place("GitHub Actions", "docie compare references.jsonl base.jsonl new.jsonl --comment c.md"),
    ],
}
"""The tools by what a team does with them."""

STYLE = """
.ground { fill: #ffffff; stroke: #d0d7de } .card { fill: #f6f8fa; stroke: #d0d7de } .line { stroke: #2f6f9f }
.docie { fill: #2f6f9f } text { font: 14px system-ui, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1f2328 }
.group, .name { font-weight: 600 } .name { font-size: 26px } .docie-text { fill: #ffffff } .small { font-size: 13px }
.code { font: 13px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #0a4a78 }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117; stroke: #3d444d } .card { fill: #161b22; stroke: #3d444d } .line { stroke: #6fb3e0 }
.docie { fill: #1d5a87 } text { fill: #e6edf3 } .docie-text { fill: #ffffff } .code { fill: #9ecbf0 } }
"""
WIDTH, ROW, GAP, EDGE = 990, 26, 10, 14
CARD, TOOL, CODE = 180, 276, 440
"""Where cards, tools and lines of code begin."""


def parts() -> Iterator[str]:
    """The cards from top to bottom, each with a line from docie to it."""
    top, middle = EDGE, height() / 2
    for group, places in PLACES.items():
        tall = ROW * len(places) + 12
        centre = top + tall / 2
        curve = f"M150 {middle:g} C166 {middle:g} 162 {centre:g} {CARD} {centre:g}"
        yield f'<path class="line" d="{curve}" fill="none" stroke-width="2"/>'
        yield f'<rect class="card" x="{CARD}" y="{top}" width="{WIDTH - EDGE - CARD}" height="{tall}" rx="8"/>'
        yield text(CARD + 12, centre + 5, group, "group")
        for number, place in enumerate(places):
            base = top + 6 + ROW * number + 18
            yield text(TOOL, base, place.tool)
            yield text(CODE, base, place.code, "code")
        top += tall + GAP


def height() -> int:
    """The height of the picture."""
    return 2 * EDGE + sum(ROW * len(places) + 12 for places in PLACES.values()) + GAP * (len(PLACES) - 1)


def text(x: float, y: float, words: str, style: str = "") -> str:
    """A line of text."""
    attribute = f' class="{style}"' if style else ""
    return f'<text x="{x:g}" y="{y:g}"{attribute} xml:space="preserve">{escape(words)}</text>'


def draw(path: Path) -> None:
    """Write the picture."""
    middle = height() / 2
    said = ["each document's", "counts, added up:", "the same score", "everywhere"]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height()}" role="img">',
        "<title>Where docie plugs in</title>",
        f"<style>{STYLE}</style>",
        f'<rect class="ground" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height() - 1}" rx="10"/>',
        f'<rect class="docie" x="{EDGE}" y="{middle - 75:g}" width="136" height="150" rx="10"/>',
        text(EDGE + 10, middle - 36, "docie", "name docie-text"),
        *(text(EDGE + 10, middle - 6 + 20 * number, line, "docie-text small") for number, line in enumerate(said)),
        *parts(),
        "</svg>",
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
