"""What can be shown as HTML: pages of a corpus, a comparison or form attacks, documents side by side, and forms."""

from docie.show.report.collection import Collection, check_kind
from docie.show.report.comparison_page import comparison_page
from docie.show.report.corpus_page import corpus_page
from docie.show.report.differences import Part as TextPart
from docie.show.report.differences import readable_differences, sides_of
from docie.show.report.differences import shortened as shortened_parts
from docie.show.report.examples import Example, examples
from docie.show.report.forms import Frame, form_picture
from docie.show.report.output import Destination, check_packages, destination
from docie.show.report.page import Facts, Page, render
from docie.show.report.rendering import aligned_styles, aligned_view, environment
from docie.show.report.robustness_page import robustness_page
from docie.show.report.writing import chart_folder, save_charts, write, write_comparison, write_robustness

__all__ = [
    "Collection",
    "Destination",
    "Example",
    "Facts",
    "Frame",
    "Page",
    "TextPart",
    "aligned_styles",
    "aligned_view",
    "chart_folder",
    "check_kind",
    "check_packages",
    "comparison_page",
    "corpus_page",
    "destination",
    "environment",
    "examples",
    "form_picture",
    "readable_differences",
    "render",
    "robustness_page",
    "save_charts",
    "shortened_parts",
    "sides_of",
    "write",
    "write_comparison",
    "write_robustness",
]
