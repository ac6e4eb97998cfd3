"""What a page of a report consists of."""

from __future__ import annotations

from typing import TypeVar

from docie.show.result import Page

T = TypeVar("T")


def parts(page: Page, title: str, kind: type[T]) -> list[T]:
    """The parts of one kind in the section of this title; none without such a section."""
    return [
        part for section in page.sections if section.title == title for part in section.parts if isinstance(part, kind)
    ]
