"""Pictures of forms."""
