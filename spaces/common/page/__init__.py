"""The page of a Space: its components, what its events do, its endpoints, and how it is launched."""

from .launching import WORKERS, launch, runner
from .pages import explorer_page, family_page

__all__ = ["WORKERS", "explorer_page", "family_page", "launch", "runner"]
