"""What happens on a page: a change shows at once, examples and files fill the fields, a link reopens them."""

from __future__ import annotations

import contextlib
import functools
import json
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gradio as gr

from .. import inputs, limits, rendering, reproducing, work
from ..examples import Example
from ..limits import RefusedError
from .fields import Fields
from .launching import WORKERS, runner

LIMITED: dict[str, Any] = {"concurrency_id": "work", "concurrency_limit": WORKERS}
"""Of every event, page or endpoint: together they run no more computations than there are workers."""
QUIET: dict[str, Any] = {"show_progress": "hidden", "api_visibility": "private", **LIMITED}
"""Of every event of a page."""


def connect(demo: gr.Blocks, fields: Fields) -> None:
    """Connect the components of a page with what they do.

    Args:
        demo: the blocks, which are open.
        fields: their components.
    """
    # one event shows all figures, so that older ones never come after newer ones
    changed = gr.State("")
    gr.on(
        [*(component.input for component in fields.inputs), changed.change],
        lambda *values: _updated(fields, values),
        fields.inputs,
        [*fields.problems.values(), fields.results, fields.make_report, fields.report],
        trigger_mode="always_last",
        **QUIET,
    )
    again: dict[str, Any] = {"fn": lambda: uuid.uuid4().hex, "outputs": changed, **QUIET}
    texts = [fields.form[name] for name in ("references", "predictions", "form")]
    filled = [*texts, *fields.controls.values()]
    for name, button in fields.menu.items():
        # in the browser, at once: the answer of a server would overwrite what is typed until it comes
        contents = json.dumps(_contents(fields, fields.examples[name]))
        button.click(None, None, filled, js=f"() => {contents}", **QUIET).then(**again)
    for name, (upload, problem) in fields.uploads.items():
        upload.upload(functools.partial(opened, name), upload, [fields.form[name], problem], **QUIET).then(**again)

    def reopened(request: gr.Request) -> list[Any]:  # Gradio looks at the annotation
        return _reopened(fields, request.query_params.get(reproducing.PARAMETER))

    demo.load(reopened, None, [*fields.inputs, fields.notice], **QUIET).then(**again)
    fields.make_report.click(
        lambda *values: _reported(fields, values), fields.inputs, fields.report, **{**QUIET, "show_progress": "minimal"}
    )


def _updated(fields: Fields, values: Sequence[Any]) -> list[Any]:
    """Everything below the fields."""
    problems = dict.fromkeys(fields.problems, "")
    explained = None
    try:
        if not (fields.text("references", values) or fields.text("predictions", values)):
            return [*problems.values(), rendering.render("empty.html.j2"), gr.update(visible=False), ""]
        explained = runner().run(work.explain, fields.form_of(values))
    except RefusedError as error:
        problems[error.field or "options"] = rendering.problem(error, fields.text(error.field, values))
    html = explained.html if explained else rendering.render("unscored.html.j2")
    return [*problems.values(), html, gr.update(visible=bool(explained and explained.can_be_reported)), ""]


def _contents(fields: Fields, example: Example) -> list[Any]:
    """What an example puts into the fields and the controls."""
    return [example.references, example.predictions, example.form, *fields.control_values(example.options)]


def open_by_link(demo: gr.Blocks, tabs: gr.Tabs, name: str) -> None:
    """Let a link with the state of a form open the tab of this name."""

    def chosen(request: gr.Request) -> Any:  # Gradio looks at the annotation
        return gr.Tabs(selected=name) if reproducing.PARAMETER in request.query_params else gr.skip()

    demo.load(chosen, None, tabs, **QUIET)


def opened(name: str, paths: Sequence[str]) -> list[Any]:
    """The text of files, which are deleted at once, and what is wrong with them.

    Args:
        name: the field that is to hold the text, a key of `limits.NAMES`.
        paths: where Gradio has put the files.
    """
    found = [Path(path) for path in paths]
    try:
        size = sum(file.stat().st_size for file in found)
        if size > 4 * limits.MAX_CHARACTERS:
            raise RefusedError(f"These files have {size:,} bytes; at most {4 * limits.MAX_CHARACTERS:,} are read.")
        contents = {file.name: file.read_bytes() for file in found}
        if len(contents) < len(found):
            raise RefusedError("Two of these files have the same name.")
        return [runner().run(inputs.text_of_files, contents, name), ""]
    except RefusedError as error:
        return [gr.skip(), rendering.problem(error)]
    finally:
        for file in found:
            with contextlib.suppress(OSError):
                file.unlink()


def _reported(fields: Fields, values: Sequence[Any]) -> str:
    """A link that saves the report."""
    try:
        html = runner().run(work.report_of, fields.form_of(values))
    except RefusedError as error:
        return rendering.problem(error)
    return rendering.render("report.html.j2", html=html)


def _reopened(fields: Fields, state: str | None) -> list[Any]:
    """What the page's address holds, and what is wrong with it. Without it, the fields stay as they are."""
    problem = ""
    if state is not None:
        try:
            return [*fields.values_of(reproducing.decode(state)), ""]
        except RefusedError as error:
            problem = rendering.problem(error)
    return [*(gr.skip() for _ in fields.inputs), problem]
