"""Scores that no family computes: a module each, which `docie.protocols.scorer` describes."""
