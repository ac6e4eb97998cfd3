"""What yields rows: JSON Lines, lists, folders, tables, tagged words, data sets, and sequences in Python."""
