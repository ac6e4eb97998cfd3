"""What one can show as HTML: pages of a corpus, a comparison or form attacks, documents side by side, and forms."""

from docie.show.report.collection import Collection, check_kind
from docie.show.report.comparison import tables as comparison_tables
from docie.show.report.comparison.content import Comparison
from docie.show.report.comparison.page import render_comparison
from docie.show.report.comparison.writing import write_comparison
from docie.show.report.content import Report
from docie.show.report.differences import Part as TextPart
from docie.show.report.differences import readable_differences
from docie.show.report.differences import shortened as shortened_parts
from docie.show.report.forms.frame import Frame
from docie.show.report.forms.picture import form_picture
from docie.show.report.output import Destination, destination
from docie.show.report.page import check_packages, render
from docie.show.report.rendering import aligned_styles, aligned_view, environment
from docie.show.report.robustness.content import Robustness
from docie.show.report.robustness.examples import Example, examples
from docie.show.report.robustness.page import chart_folder, render_robustness, save_charts
from docie.show.report.robustness.writing import write_robustness
from docie.show.report.wording import Facts, percent
from docie.show.report.writing import write

__all__ = [
    "Collection",
    "Comparison",
    "Destination",
    "Example",
    "Facts",
    "Frame",
    "Report",
    "Robustness",
    "TextPart",
    "aligned_styles",
    "aligned_view",
    "chart_folder",
    "check_kind",
    "check_packages",
    "comparison_tables",
    "destination",
    "environment",
    "examples",
    "form_picture",
    "percent",
    "readable_differences",
    "render",
    "render_comparison",
    "render_robustness",
    "save_charts",
    "shortened_parts",
    "write",
    "write_comparison",
    "write_robustness",
]
