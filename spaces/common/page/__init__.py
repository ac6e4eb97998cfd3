"""The page of a Space: its components, what its events do, its endpoints, and how it is launched."""

from .endpoints import answer
from .events import LIMITED, QUIET, opened
from .fields import editor
from .launching import WORKERS, launch, runner
from .menu import lay_out_menu
from .pages import SCORES, Tab, explorer_page, family_page

__all__ = [
    "LIMITED",
    "QUIET",
    "SCORES",
    "WORKERS",
    "Tab",
    "answer",
    "editor",
    "explorer_page",
    "family_page",
    "launch",
    "lay_out_menu",
    "opened",
    "runner",
]
