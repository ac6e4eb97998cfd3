"""KIEval as an evaluate module."""
