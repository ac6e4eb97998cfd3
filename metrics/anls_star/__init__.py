"""ANLS* as an evaluate module."""
