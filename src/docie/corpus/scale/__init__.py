"""Corpora that are counted in parts: on many machines, or in several runs."""
