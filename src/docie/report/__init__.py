"""What one can show: a page of a corpus or of a comparison, documents side by side, and forms, as HTML."""

from docie.report.collection import Collection, check_kind
from docie.report.comparison import Comparison, render_comparison, write_comparison
from docie.report.comparison import tables as comparison_tables
from docie.report.content import Report
from docie.report.differences import Part as TextPart
from docie.report.differences import readable_differences
from docie.report.differences import shortened as shortened_parts
from docie.report.forms import Frame, form_picture
from docie.report.output import Destination, destination
from docie.report.page import check_packages, render
from docie.report.rendering import aligned_styles, aligned_view, environment
from docie.report.wording import Facts, percent
from docie.report.writing import write

__all__ = [
    "Collection",
    "Comparison",
    "Destination",
    "Facts",
    "Frame",
    "Report",
    "TextPart",
    "aligned_styles",
    "aligned_view",
    "check_kind",
    "check_packages",
    "comparison_tables",
    "destination",
    "environment",
    "form_picture",
    "percent",
    "readable_differences",
    "render",
    "render_comparison",
    "shortened_parts",
    "write",
    "write_comparison",
]
