"""Entity F1 as an evaluate module."""
