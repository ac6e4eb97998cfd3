"""One-to-one matchings and assignments of rows and columns, and the similarity of texts."""
