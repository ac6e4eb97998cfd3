"""Forms: the words of a page with their boxes in reading order, and the fields that they hold.

A form is what attacks change (`docie.attacks`). It comes from a record of a data set, and goes back into the columns of
that record.
"""

from docie.robustness.form.boxes import Box, fitted, hull, iou
from docie.robustness.form.form import Form
from docie.robustness.form.layout import lines, reading_order
from docie.robustness.form.parts import DATA_TYPES, Field, Word
from docie.robustness.form.vicinity import neighbors

__all__ = [
    "DATA_TYPES",
    "Box",
    "Field",
    "Form",
    "Word",
    "fitted",
    "hull",
    "iou",
    "lines",
    "neighbors",
    "reading_order",
]
