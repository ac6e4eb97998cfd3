"""A bootstrap that adds up: each part of a corpus is resampled where it lies, and the parts are merged."""
