"""The pages of the `app.py` files."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import gradio as gr

from docie.core.family import card

from . import events
from .components import Fields
from .launching import Blocks

Around = Callable[[gr.Blocks], contextlib.AbstractContextManager[None]]


def page_of(family: str | None, *, title: str = "", introduction: str = "", around: Around | None = None) -> gr.Blocks:
    """The page of a family, whose `explain` gives the sentence and the drawings, or of all.

    Args:
        family (str): the name of the family; None for all, among which the visitor chooses.
        title (str): the heading; that of the family's card by default.
        introduction (str): what the page is for, in a sentence or two (Markdown); by default the question in the card.
        around (callable): lays out further functions of the page in the open blocks, around the fields of the scores.

    Returns:
        gr.Blocks: the page, whose endpoints are `/score` and `/explain`, and those of `around`.

    >>> page_of("hed").title
    'HED and UHED'
    """
    if family is not None:
        told = card(family)
        title, introduction = title or told["title"], introduction or told["question"]
    with Blocks(title=title, analytics_enabled=False, delete_cache=(60, 60)) as demo:
        gr.Markdown(f"# {title}\n\n{introduction}", elem_classes="dx-head")
        with around(demo) if around else contextlib.nullcontext():
            fields = Fields(family)
        events.score_page(demo, fields)
        events.offer(fields.names)
    return demo
