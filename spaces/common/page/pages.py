"""The pages that an `app.py` makes.

>>> demo = family_page("hed", title="HED", introduction="How many characters are right?")
>>> demo.title
'HED'
"""

from __future__ import annotations

from collections.abc import Sequence

import gradio as gr

from docie.family import families

from ..examples import Example, for_family
from . import endpoints, events
from .blocks import Blocks
from .fields import Controls, Fields


def family_page(
    family: str,
    *,
    title: str,
    introduction: str,
    controls: Controls | None = None,
    examples: Sequence[Example] | None = None,
) -> gr.Blocks:
    """The page of one family.

    Args:
        family (str): the name of the family. Its module `docie.spaces.<family>.view` makes the views and the sentence.
        title (str): the heading.
        introduction (str): what the family measures, in a sentence or two (Markdown).
        controls (dict): the page's own controls, such as a slider; the view finds their values in `request.controls`.
        examples (list of Example): what one can pick; None for all examples that the family reads.

    Returns:
        gr.Blocks: the page, whose endpoints are `/score` and `/explain`.
    """
    return _page([family], title, introduction, controls or {}, examples or for_family(family), choose=False)


def explorer_page(*, title: str, introduction: str) -> gr.Blocks:
    """The page of all families.

    Args:
        title (str): the heading.
        introduction (str): what the page is for (Markdown).

    Returns:
        gr.Blocks: the page, whose endpoints are `/score` and `/explain`.
    """
    return _page(families(), title, introduction, {}, for_family(None), choose=True)


def _page(
    names: Sequence[str],
    title: str,
    introduction: str,
    controls: Controls,
    examples: Sequence[Example],
    *,
    choose: bool,
) -> gr.Blocks:
    with Blocks(title=title, analytics_enabled=False, delete_cache=(60, 60)) as demo:
        fields = Fields(names, f"# {title}\n\n{introduction}", controls, examples, choose=choose)
        events.connect(demo, fields)
        endpoints.offer(names)
    return demo
