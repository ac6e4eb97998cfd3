"""Pages: words with their boxes in reading order, and the fields that they hold.

A page is what attacks change (`docie.attacks`). It comes from a record of a data set, and goes back into the columns of
that record.
"""

from docie.robustness.form.layout import lines, neighbors, reading_order
from docie.robustness.form.page import Form, Page
from docie.robustness.form.words import DATA_TYPES, Box, Field, Word, fitted, hull, iou

__all__ = [
    "DATA_TYPES",
    "Box",
    "Field",
    "Form",
    "Page",
    "Word",
    "fitted",
    "hull",
    "iou",
    "lines",
    "neighbors",
    "reading_order",
]
