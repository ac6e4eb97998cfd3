"""The command line."""

from docie.cli.app import app, main

__all__ = ["app", "main"]
