"""Forms: the words of a page with their boxes in reading order, and the fields that they hold.

A form is what attacks change (`docie.attacks`). It comes from a record of a data set, and goes back into the columns of
that record.
"""

from docie.form.boxes import Box, fitted, hull, iou
from docie.form.form import Form
from docie.form.layout import lines, reading_order
from docie.form.parts import DATA_TYPES, Field, Word
from docie.form.vicinity import neighbors

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
