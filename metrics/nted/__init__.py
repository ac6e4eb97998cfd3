"""nTED accuracy as an evaluate module."""
