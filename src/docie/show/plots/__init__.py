"""Charts of results, for papers, notebooks and reports. They need matplotlib: `pip install "docie[plots]"`."""

from docie.show.plots.charts import agreement, error_kinds, forest, per_field
from docie.show.plots.curves import automation_curve, reliability_diagram, risk_coverage
from docie.show.plots.inline import svg
from docie.show.plots.style import paper

__all__ = [
    "agreement",
    "automation_curve",
    "error_kinds",
    "forest",
    "paper",
    "per_field",
    "reliability_diagram",
    "risk_coverage",
    "svg",
]
