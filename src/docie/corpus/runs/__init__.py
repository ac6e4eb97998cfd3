"""Several runs of one system: a document counts with the mean of its answers."""
