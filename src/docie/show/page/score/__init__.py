"""The score report: what is collected from the documents of a corpus, and the sections of its page."""
