"""The page of a Space: its components, its events, its endpoints, and its launch."""

from . import events, fields
from .launching import launch, runner
from .pages import Tab, explorer_page, family_page

__all__ = [
    "Tab",
    "events",
    "explorer_page",
    "family_page",
    "fields",
    "launch",
    "runner",
]
