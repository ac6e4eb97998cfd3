"""What can be shown as HTML: pages of sections, and documents side by side."""

from docie.show.report.rendering import aligned_styles, aligned_view, explanation_view

__all__ = [
    "aligned_styles",
    "aligned_view",
    "explanation_view",
]
