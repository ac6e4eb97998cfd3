"""The page of a Space: its components, what its events do, its endpoints, and how it is launched."""

from .endpoints import answer
from .events import LIMITED, QUIET, opened
from .launching import WORKERS, launch, runner
from .pages import SCORES, Tab, explorer_page, family_page

__all__ = [
    "LIMITED",
    "QUIET",
    "SCORES",
    "WORKERS",
    "Tab",
    "answer",
    "explorer_page",
    "family_page",
    "launch",
    "opened",
    "runner",
]
