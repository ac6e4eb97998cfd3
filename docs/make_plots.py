"""Draw the charts of the page on plots: one figure of results on the example receipts.

    python docs/make_plots.py [FILE]

It needs matplotlib: `pip install ".[plots]"`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from matplotlib.figure import Figure

import docie
from docie import confidence, corpus, kieval, plots

RECEIPTS = Path(__file__).resolve().parents[1] / "examples" / "receipts"
PICTURE = Path(__file__).with_name("plots.svg")


def draw(path: Path) -> None:
    """Draw the charts and write them as one SVG, on white: it stands alone, without a page to take a colour from."""
    predictions = docie.read(RECEIPTS / "predictions-hasty.jsonl")
    references = docie.read(RECEIPTS / "references.jsonl")
    results = corpus.evaluate(kieval, predictions, references, breakdown=True, confidence_level=0.95)
    values = confidence.collect(predictions, references)
    figure = Figure(figsize=(7, 6.8), layout="constrained")
    rows = [["fields", "kinds"], ["fields", "curve"], ["errors", "reliability"]]
    axes = figure.subplot_mosaic(rows, height_ratios=[4, 4, 5])
    plots.per_field(results, ax=axes["fields"])
    plots.error_kinds(corpus.errors(predictions, references), ax=axes["kinds"])
    plots.automation_curve(kieval.automation_curve(predictions, references), ax=axes["curve"])
    plots.risk_coverage(confidence.risk_coverage(values), ax=axes["errors"])
    plots.reliability_diagram(confidence.calibration(values), ax=axes["reliability"])
    picture = plots.svg(axes["fields"], title="Scores by field, kinds of errors, and what confidences are worth")
    path.write_text(picture.replace("<svg ", '<svg style="color: black; background: white" ', 1), encoding="utf-8")


if __name__ == "__main__":
    draw(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
