"""References and predictions from files."""
