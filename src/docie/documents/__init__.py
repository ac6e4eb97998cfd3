"""What metrics read: documents, JSON trees, line items, lists of entities, labelled boxes, and pairs of these."""
