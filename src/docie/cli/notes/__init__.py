"""What stderr says of documents while they are scored: which of them take long."""


__all__ = ["with_notes"]
