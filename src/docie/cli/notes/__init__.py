"""What stderr says of documents while they are scored: which of them take long."""

from docie.cli.notes.time import with_notes

__all__ = ["with_notes"]
