"""The Space of entity F1."""
