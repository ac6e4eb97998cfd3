"""Evidence: the places of values, which correct values stand where the reference has them, and their scores."""
