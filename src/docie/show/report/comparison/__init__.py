"""The report of a comparison: which of several systems is better, and where."""
