"""The pages of the `app.py` files.

>>> demo = family_page("hed", title="HED", introduction="How many characters are right?")
>>> demo.title
'HED'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import gradio as gr

from docie.core.family import families

from ..examples import Example, for_family
from . import events
from .fields import Fields
from .launching import Blocks

SCORES = "Score answers"
"""The tab of the scores, on a page with several tabs."""


class Tab(NamedTuple):
    """A tab in front of that of the scores.

    Attributes:
        label: its label.
        lay_out: lays out its components in the open blocks, and connects them with their events.
    """

    label: str
    lay_out: Callable[[gr.Blocks], None]


def family_page(
    family: str,
    *,
    title: str,
    introduction: str,
    first: Tab | None = None,
) -> gr.Blocks:
    """The page of one family.

    Args:
        family (str): the name of the family, whose `explain` gives the sentence and the drawings.
        title (str): the heading.
        introduction (str): what the family measures, in a sentence or two (Markdown).
        first (Tab): a further function of the page, in a tab that is open at first; None for no tabs.

    Returns:
        gr.Blocks: the page, whose endpoints are `/score` and `/explain`, and those of the first tab.
    """
    return _page([family], title, introduction, for_family(family), choose=False, first=first)


def explorer_page(*, title: str, introduction: str) -> gr.Blocks:
    """The page of all families.

    Args:
        title (str): the heading.
        introduction (str): what the page is for (Markdown).

    Returns:
        gr.Blocks: the page, whose endpoints are `/score` and `/explain`.
    """
    return _page(families(), title, introduction, for_family(None), choose=True)


def _page(
    names: Sequence[str],
    title: str,
    introduction: str,
    examples: Sequence[Example],
    *,
    choose: bool,
    first: Tab | None = None,
) -> gr.Blocks:
    with Blocks(title=title, analytics_enabled=False, delete_cache=(60, 60)) as demo:
        gr.Markdown(f"# {title}\n\n{introduction}", elem_classes="dx-head")
        if first is None:
            fields = Fields(names, examples, choose=choose)
        else:
            with gr.Tabs() as tabs:
                with gr.Tab(first.label):
                    first.lay_out(demo)
                with gr.Tab(SCORES, id=SCORES):
                    fields = Fields(names, examples, choose=choose)
            events.open_by_link(demo, tabs, SCORES)
        events.connect(demo, fields)
        events.offer(names)
    return demo
