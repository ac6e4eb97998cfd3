"""Box overlap as an evaluate module."""
