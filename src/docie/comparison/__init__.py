"""Comparing systems: significance tests, confidence intervals and corrections for multiple tests."""
