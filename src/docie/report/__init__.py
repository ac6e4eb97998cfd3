"""What one can show: documents side by side, as HTML."""

from docie.report.rendering import aligned_styles, aligned_view

__all__ = ["aligned_styles", "aligned_view"]
