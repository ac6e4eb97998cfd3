"""Pages: words with their boxes in reading order, and the fields that they hold.

A page is what attacks change (`docie.attacks`). It comes from a record of a data set, and goes back into the columns of
that record.
"""

from docie.robustness.form.layout import reading_order
from docie.robustness.form.page import Form, Page
from docie.robustness.form.words import Box, Field, Word

__all__ = [
    "Box",
    "Field",
    "Form",
    "Page",
    "Word",
    "reading_order",
]
