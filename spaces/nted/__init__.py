"""The Space of nTED."""
