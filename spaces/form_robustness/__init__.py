"""The Space of form robustness."""
