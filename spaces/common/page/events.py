"""The events of a page: changes show at once, examples and files fill the fields, a link or a reload restores them.

And its endpoints, for programs. The cards describe them and their inputs.
"""

from __future__ import annotations

import contextlib
import functools
import json
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import gradio as gr

from docie.core.values.plain import JsonObject

from .. import files, fitting, limits, rendering, work
from .. import options as option_controls
from ..fitting import Finding
from ..inputs import Form
from ..limits import RefusedError
from .components import Desk, Fields
from .launching import LIMITED, QUIET, runner

if TYPE_CHECKING:
    from gradio.events import Dependency

T = TypeVar("T")


def connect(demo: gr.Blocks, desk: Desk, outputs: Sequence[gr.Component], updated: Callable[..., list[object]]) -> None:
    """Show the effect of a changed field of a desk at once, keep what is entered, and bring it back.

    One event updates all outputs, so that older scores never appear after newer ones: `updated` makes their values from
    those of the desk's `inputs`. What fills fields runs in the browser, at once: a server's answer would overwrite what
    is typed before it arrives. The script says what each does.
    """
    fields = [*desk.form.values()]
    choices = {name: _choices(component) for name, component in desk.form.items()}
    told = {
        "key": f"docie {demo.title} {desk.name}",
        "names": [*desk.form],
        "texts": desk.texts,
        "examples": desk.examples,
        "choices": {name: values for name, values in choices.items() if values},
    }

    def call(function: str, *more: object) -> str:
        arguments = ", ".join(map(json.dumps, (desk.name, *more)))
        return f"(...now) => docie.{function}({arguments}, now)"

    def act(event: Callable[..., Dependency], function: str, *more: object, forgets: bool = False) -> None:
        done = event(None, fields, [*fields, desk.notice, desk.applied], js=call(function, *more), **QUIET)
        if forgets:  # the pages of other documents
            done = done.then(dict, None, desk.scans, **QUIET)
        done.then(None, None, desk.changed, js="() => String(Math.random())", **QUIET)

    act(demo.load, "opened", told)
    for name, button in desk.menu.items():
        act(button.click, "filled", name, forgets=True)
    act(desk.undo.click, "undone", forgets=True)
    act(desk.apply.click, "applied")
    act(desk.take_back.click, "takenBack")
    if option_controls.CORRECTIONS in desk.form:
        act(desk.judged.click, "judged")
    most = 2 * limits.MAX_CHARACTERS  # of JavaScript, where a character may count twice
    cut = f"(...now) => docie.sent({json.dumps(desk.name)}, now, {most})"
    triggers = [*(each.input for each in fields), desk.changed.change]
    gr.on(triggers, updated, desk.inputs, outputs, js=cut, trigger_mode="always_last", **QUIET)
    gr.on([each.input for each in fields], None, fields, desk.applied, js=call("chosen"), **QUIET)
    for name, (button, problem) in desk.uploads.items():
        opened = functools.partial(_opened, desk, name)
        document = desk.form.get("document", desk.changed)
        button.upload(opened, [button, document], [problem, desk.changed, desk.scans, *fields], **QUIET)


def _choices(component: gr.Component) -> list[object]:
    """The only values that a component takes; none for any."""
    is_open = getattr(component, "allow_custom_value", False)
    return [] if is_open else [value for _, value in getattr(component, "choices", None) or ()]


def _opened(desk: Desk, name: str, paths: Sequence[str], document: str) -> dict[gr.Component, object]:
    """What uploaded files hold, and the error about them, by the component that shows it. They are deleted at once."""
    found, problem = [Path(path) for path in paths], desk.uploads[name][1]
    try:
        size = sum(file.stat().st_size for file in found)
        if size > limits.MAX_BYTES:
            raise RefusedError(f"These files have {size:,} bytes; at most {limits.MAX_BYTES:,} are read.")
        contents = {file.name: file.read_bytes() for file in found}
        if len(contents) < len(found):
            raise RefusedError("Two of these files have the same name.")
        changed: dict[gr.Component, object] = {desk.changed: uuid.uuid4().hex, problem: "", desk.scans: {}}
        if name == "scans":
            scans = runner().run(files.scans_of_files, contents)
            return {**changed, desk.scans: {"document": document, "scans": scans}}
        opened = runner().run(files.text_of_files, contents, name)
        if "document" in desk.form:
            changed[desk.form["document"]] = None
        if name == "predictions":
            changed[desk.form["form"]] = opened.form
        if opened.left_out:
            changed[problem] = rendering.problem(RefusedError(opened.left_out))
        return {**changed, desk.form[name]: opened.text}
    except RefusedError as error:
        return {problem: rendering.problem(error)}
    finally:
        for file in found:
            with contextlib.suppress(OSError):
                file.unlink()


def score_page(demo: gr.Blocks, fields: Fields) -> None:
    """Connect the fields of a page for scores."""
    shown = [fields.finding, fields.score, fields.form["document"], fields.results, fields.report]
    connect(demo, fields, [*fields.problems.values(), *shown], lambda *values: _updated(fields, values))
    fields.make_report.click(
        lambda *values: _reported(fields, values), fields.inputs, fields.report, **{**QUIET, "show_progress": "minimal"}
    )


def _updated(fields: Fields, values: Sequence[object]) -> list[object]:
    """What the page says of what is entered. The last result stays beside what cannot be scored."""
    if not any(map(fields.given(values).get, fields.texts)):
        nothing = gr.Dropdown(choices=[], value=None, visible=False)
        return [*("" for _ in fields.problems), "", "", nothing, rendering.render("empty.html.j2"), ""]
    finding = _found(fields, values)
    problems, explained = judged(
        fields, values, "options", lambda: runner().run(work.explain, fields.form_of(values), finding)
    )
    line = rendering.finding(finding, fields.controls_for(finding.options)) if finding else ""
    if explained is None:
        return [*problems, line, *(gr.skip() for _ in range(4))]
    several = len(explained.documents) > 1
    shown = explained.document if several else None
    chooser = gr.Dropdown(choices=explained.documents, value=shown, visible=several)
    score, _, html = explained.html.partition(rendering.BELOW)
    return [*problems, line, score, chooser, html, ""]


def judged(
    desk: Desk, values: Sequence[object], otherwise: str, explained: Callable[[], T]
) -> tuple[list[str], T | None]:
    """What becomes of the values of a desk: the problem beside each of its fields, and what is explained without one.

    What is wrong with no field of the desk stands at the field `otherwise`.
    """
    problems = dict.fromkeys(desk.problems, "")
    try:
        return [*problems.values()], explained()
    except RefusedError as error:
        field = error.field if error.field in problems else otherwise
        problems[field] = rendering.problem(error, str(desk.given(values).get(field) or ""))
        return [*problems.values()], None


def _found(fields: Fields, values: Sequence[object]) -> Finding | None:
    """What differs in how both sides were written; None, too, where nothing can be scored."""
    try:
        return runner().run(fitting.find, fields.form_of(values))
    except RefusedError:
        return None


def _reported(fields: Fields, values: Sequence[object]) -> str:
    """A link that saves the report."""
    try:
        html = runner().run(work.report_of, fields.form_of(values))
    except RefusedError as error:
        return rendering.problem(error)
    return rendering.render("report.html.j2", html=html)


def offer(families_of_page: Sequence[str]) -> None:
    """Add the endpoints `/score` and `/explain` to the open blocks.

    A request that names no families is scored with those of the page; if there are several, with those that read such
    documents.
    """
    default = families_of_page if len(families_of_page) == 1 else ()

    def asked(families: list[str] | None, options: JsonObject | None, **given: Any) -> Form:
        return Form(families=families or default, options=options or {}, **given)

    def score(
        references: str,
        predictions: str,
        families: list[str] | None = None,
        options: JsonObject | None = None,
        form: str = "json",
        confidence_level: float | None = None,
    ) -> JsonObject:
        """The scores of each family, as `docie score --by-field --format json` prints them."""
        given = {"references": references, "predictions": predictions, "form": form}
        return answer(work.score, asked(families, options, confidence_level=confidence_level, **given))

    def explain(
        references: str,
        predictions: str,
        families: list[str] | None = None,
        options: JsonObject | None = None,
        form: str = "json",
        document: int = 0,
    ) -> JsonObject:
        """The meaning of the scores of a document: for each family a sentence, and views as HTML."""
        given = {"references": references, "predictions": predictions, "form": form}
        return answer(work.views, asked(families, options, document=document, **given))

    gr.api(score, api_name="score", **LIMITED)
    gr.api(explain, api_name="explain", **LIMITED)


def answer(function: Callable[..., T], *arguments: object) -> T:
    """The result of a worker. A refusal becomes an error of the endpoint."""
    try:
        return runner().run(function, *arguments)
    except RefusedError as error:
        raise gr.Error(str(error), print_exception=False) from None
