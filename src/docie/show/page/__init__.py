"""Pages that load nothing: plain HTML, data, and one script that draws it; and documents as tables."""

from docie.show.page.rendering import aligned_styles, aligned_view, explanation_view

__all__ = ["aligned_styles", "aligned_view", "explanation_view"]
