"""What can be shown as HTML: pages of a corpus, a comparison or form attacks, documents side by side, and forms."""

from docie.show.report.charts import save_charts
from docie.show.report.forms import form_picture
from docie.show.report.rendering import aligned_styles, aligned_view, explanation_view

__all__ = [
    "aligned_styles",
    "aligned_view",
    "explanation_view",
    "form_picture",
    "save_charts",
]
