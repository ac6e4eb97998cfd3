"""What one can show: a page of a corpus, and documents side by side, as HTML."""

from docie.report.collection import Collection, check_kind
from docie.report.content import Facts, Report, percent
from docie.report.differences import Part as TextPart
from docie.report.differences import readable_differences
from docie.report.differences import shortened as shortened_parts
from docie.report.output import Destination, destination
from docie.report.page import check_packages, render
from docie.report.rendering import aligned_styles, aligned_view, environment
from docie.report.writing import write

__all__ = [
    "Collection",
    "Destination",
    "Facts",
    "Report",
    "TextPart",
    "aligned_styles",
    "aligned_view",
    "check_kind",
    "check_packages",
    "destination",
    "environment",
    "percent",
    "readable_differences",
    "render",
    "shortened_parts",
    "write",
]
