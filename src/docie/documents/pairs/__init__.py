"""References and predictions become pairs of documents: by id or by order, as a `Reading` asks for it."""
