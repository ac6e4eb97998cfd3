"""The endpoints of a page, for programs. The cards name them and their inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import gradio as gr

from docie.core.values.plain import JsonObject

from .. import work
from ..inputs import Form
from ..limits import RefusedError
from .events import LIMITED
from .launching import runner

T = TypeVar("T")


def offer(families_of_page: Sequence[str]) -> None:
    """Give the blocks that are open the endpoints `/score` and `/explain`.

    Args:
        families_of_page: the families that are scored with if a request names none; if they are several, only those
            that read such documents.
    """
    default = families_of_page if len(families_of_page) == 1 else ()

    def score(
        references: str,
        predictions: str,
        families: list[str] | None = None,
        options: JsonObject | None = None,
        form: str = "json",
        confidence_level: float | None = None,
    ) -> JsonObject:
        """The scores of each family, as `docie score --by-field --format json` prints them."""
        asked = Form(
            references=references,
            predictions=predictions,
            families=families or default,
            options=options or {},
            form=form,
            confidence_level=confidence_level,
        )
        return answer(work.score, asked)

    def explain(
        references: str,
        predictions: str,
        families: list[str] | None = None,
        options: JsonObject | None = None,
        form: str = "json",
        document: int = 0,
        controls: JsonObject | None = None,
    ) -> JsonObject:
        """What the figures mean for a document: for each family a sentence, and views as HTML."""
        asked = Form(
            references=references,
            predictions=predictions,
            families=families or default,
            options=options or {},
            form=form,
            document=document,
            controls=controls or {},
        )
        return answer(work.views, asked)

    gr.api(score, api_name="score", **LIMITED)
    gr.api(explain, api_name="explain", **LIMITED)


def answer(function: Callable[..., T], *arguments: object) -> T:
    """The result of a worker. What it refuses is an error of the endpoint."""
    try:
        return runner().run(function, *arguments)
    except RefusedError as error:
        raise gr.Error(str(error), print_exception=False) from None
