"""Pages: words with their boxes in reading order, and the fields that they hold.

A page is what attacks change (`docie.attacks`). It comes from a record of a data set, and goes back into the columns of
that record.
"""

from docie.robustness.form.page import Form, Page
from docie.robustness.form.words import Field, Word

__all__ = [
    "Field",
    "Form",
    "Page",
    "Word",
]
