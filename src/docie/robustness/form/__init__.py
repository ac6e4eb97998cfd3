"""Pages: words with their boxes in reading order, and the fields that they hold.

Attacks change pages (`docie.attacks`). A page is read from a record of a data set, and written back into the columns of
that record.
"""

from docie.robustness.form.page import Page
from docie.robustness.form.words import Field, Word

__all__ = [
    "Field",
    "Page",
    "Word",
]
