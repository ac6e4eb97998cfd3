"""The report of a comparison: the answers of all systems to each document side by side, and what the tests say."""
