"""The endpoints of a page, for programs. The cards name them and their inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import gradio as gr

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

    def form_of(
        references: str, predictions: str, families: list[str] | None, options: dict[str, Any] | None, **others: Any
    ) -> Form:
        chosen = families or default
        return Form(references=references, predictions=predictions, families=chosen, options=options or {}, **others)

    def score(
        references: str,
        predictions: str,
        families: list[str] | None = None,
        options: dict[str, Any] | None = None,
        form: str = "json",
        confidence_level: float | None = None,
    ) -> dict[str, Any]:
        """The figures of each family, as `docie score --by-field --format json` prints them."""
        asked = form_of(references, predictions, families, options, form=form, confidence_level=confidence_level)
        return answer(work.score, asked)

    def explain(
        references: str,
        predictions: str,
        families: list[str] | None = None,
        options: dict[str, Any] | None = None,
        form: str = "json",
        document: int = 0,
        controls: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """What the figures mean for a document: for each family a sentence, and views as HTML."""
        shown: dict[str, Any] = {"document": document, "controls": controls or {}}
        return answer(work.views, form_of(references, predictions, families, options, form=form, **shown))

    gr.api(score, api_name="score", **LIMITED)
    gr.api(explain, api_name="explain", **LIMITED)


def answer(function: Callable[..., T], *arguments: object) -> T:
    """The result of a worker. What it refuses is an error of the endpoint."""
    try:
        return runner().run(function, *arguments)
    except RefusedError as error:
        raise gr.Error(str(error), print_exception=False) from None
