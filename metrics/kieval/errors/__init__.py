"""Errors as rows: the pairs of groups that were compared, the kind of each correction, and the rows."""
