"""The Space of ANLS*."""
