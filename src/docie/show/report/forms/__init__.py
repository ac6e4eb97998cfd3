"""Pictures of forms."""

from docie.show.report.forms.frame import Frame, Rectangle
from docie.show.report.forms.picture import form_picture

__all__ = ["Frame", "Rectangle", "form_picture"]
