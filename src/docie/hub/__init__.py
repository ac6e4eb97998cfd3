"""Folders of Spaces for the Hugging Face Hub."""

from docie.hub.space import build, push

__all__ = [
    "build",
    "push",
]
