"""What stderr says of documents while they are scored: values that differ in form only, documents that take long."""

from docie.cli.notes.form import LOOK_AT, FormHint
from docie.cli.notes.time import with_notes

__all__ = ["LOOK_AT", "FormHint", "with_notes"]
