"""The page of a Space: its components, its events, its endpoints, and its launch."""

from . import events, fields
from .launching import LIMITED, QUIET, launch, runner
from .pages import page_of

__all__ = ["LIMITED", "QUIET", "events", "fields", "launch", "page_of", "runner"]
