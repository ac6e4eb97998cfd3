"""What can be shown as HTML: pages of a corpus, a comparison or form attacks, documents side by side, and forms."""

from docie.show.report.differences import Part as TextPart
from docie.show.report.differences import readable_differences, sides_of
from docie.show.report.differences import shortened as shortened_parts
from docie.show.report.fields import LOOKS
from docie.show.report.forms import Frame, form_picture
from docie.show.report.rendering import aligned_styles, aligned_view, environment, explanation_view
from docie.show.report.writing import save_charts, write, write_comparison, write_robustness

__all__ = [
    "LOOKS",
    "Frame",
    "TextPart",
    "aligned_styles",
    "aligned_view",
    "environment",
    "explanation_view",
    "form_picture",
    "readable_differences",
    "save_charts",
    "shortened_parts",
    "sides_of",
    "write",
    "write_comparison",
    "write_robustness",
]
