"""Pictures of forms."""

from docie.report.forms.frame import Frame, Rectangle
from docie.report.forms.picture import form_picture

__all__ = ["Frame", "Rectangle", "form_picture"]
