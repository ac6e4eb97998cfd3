"""The page of a Space: its components, what its events do, its endpoints, and how it is launched."""

from .endpoints import answer
from .events import LIMITED, fill, follow, open_files, reopen
from .fields import editor, lay_out_menu
from .launching import WORKERS, launch, runner
from .pages import SCORES, Tab, explorer_page, family_page

__all__ = [
    "LIMITED",
    "SCORES",
    "WORKERS",
    "Tab",
    "answer",
    "editor",
    "explorer_page",
    "family_page",
    "fill",
    "follow",
    "launch",
    "lay_out_menu",
    "open_files",
    "reopen",
    "runner",
]
