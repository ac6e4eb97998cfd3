"""The page of a Space: its components, what its events and endpoints do, and how it is launched."""

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
