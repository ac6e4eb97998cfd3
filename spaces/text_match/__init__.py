"""The Space of text match."""
