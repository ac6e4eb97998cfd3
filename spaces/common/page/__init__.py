"""The page of a Space: its components, its events, its endpoints, and its launch."""

from . import components, events
from .apps import page_of
from .launching import LIMITED, QUIET, launch, runner

__all__ = ["LIMITED", "QUIET", "components", "events", "launch", "page_of", "runner"]
