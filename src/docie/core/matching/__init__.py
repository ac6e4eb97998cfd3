"""One-to-one matchings and assignments of rows and columns, and how similar texts are."""
