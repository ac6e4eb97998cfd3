"""Spaces by name, and folders of them for the Hugging Face Hub.

>>> names()[0]
'explorer'
"""

from docie.hub.space import build, names, page, push

__all__ = ["build", "names", "page", "push"]
