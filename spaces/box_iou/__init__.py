"""The Space of box overlap."""
