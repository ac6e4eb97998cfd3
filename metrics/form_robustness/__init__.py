"""Text match as an evaluate module."""
