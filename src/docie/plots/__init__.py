"""Charts of results, for papers, notebooks and reports. They need matplotlib: `pip install "docie[plots]"`."""

from docie.plots.charts import error_kinds, per_field
from docie.plots.comparisons import agreement, forest
from docie.plots.curves import automation_curve, reliability_diagram, risk_coverage
from docie.plots.forms import form_page
from docie.plots.inline import svg
from docie.plots.marks import CHANGES, Mark, marks_of, most_telling
from docie.plots.robustness import combinations, drop_heat_map, drops, severity_curves
from docie.plots.style import check_packages

__all__ = [
    "CHANGES",
    "Mark",
    "agreement",
    "automation_curve",
    "check_packages",
    "combinations",
    "drop_heat_map",
    "drops",
    "error_kinds",
    "forest",
    "form_page",
    "marks_of",
    "most_telling",
    "per_field",
    "reliability_diagram",
    "risk_coverage",
    "severity_curves",
    "svg",
]
