"""What stderr says of documents while they are scored: values that differ in form only, documents that take long."""

from docie.cli.notes.form import FormHint
from docie.cli.notes.time import with_notes

__all__ = ["FormHint", "with_notes"]
