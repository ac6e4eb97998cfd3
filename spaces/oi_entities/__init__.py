"""The Space of entities in any order."""
