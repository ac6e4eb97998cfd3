"""The report of form attacks: how far a model falls, under which attacks, in which fields, and on which form."""
