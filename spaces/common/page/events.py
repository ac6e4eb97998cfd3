"""The events of a page: changes show at once, examples and files fill the fields, a link restores them.

And its endpoints, for programs. The cards describe them and their inputs.
"""

from __future__ import annotations

import contextlib
import json
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import gradio as gr

from docie.core.values.plain import JsonObject

from .. import files, fitting, limits, rendering, reproducing, work
from ..fitting import Finding
from ..inputs import Form
from ..limits import RefusedError
from .components import Desk, Fields, Upload
from .launching import LIMITED, QUIET, runner

if TYPE_CHECKING:
    from gradio.events import Dependency

T = TypeVar("T")


def connect(demo: gr.Blocks, fields: Fields) -> None:
    """Connect the components of the open blocks with their events."""
    again = follow(
        fields.inputs,
        [*fields.problems.values(), fields.fit, fields.finding, fields.results, fields.make_report, fields.report],
        lambda *values: _updated(fields, values),
    )
    texts = [fields.form[name] for name in ("references", "predictions", "form")]
    contents = {
        name: [each.references, each.predictions, each.form, *fields.control_values({})]
        for name, each in fields.examples.items()
    }
    scans = fields.form.get("scans")
    for event in fill(fields.menu, [*texts, *fields.controls.values()], contents):
        again(event.then(list, None, scans, **QUIET) if scans else event)  # its pages are others
    for name, upload in fields.uploads.items():
        event = open_files(upload, name, fields.form[name])
        again(event.then(list, None, scans, **QUIET) if scans and name != "scans" else event)
    if scans:
        again(fields.form["document"].input(list, None, scans, **QUIET))
    again(
        reopen(
            demo,
            reproducing.PARAMETER,
            [*fields.inputs, fields.notice],
            lambda state: fields.values_of(reproducing.decode(state)),
        )
    )
    again(
        fields.apply.click(
            lambda *values: _applied(fields, values), fields.inputs, [*fields.controls.values()], **QUIET
        )
    )
    fields.make_report.click(
        lambda *values: _reported(fields, values), fields.inputs, fields.report, **{**QUIET, "show_progress": "minimal"}
    )


def follow(
    components: Sequence[gr.Component], outputs: Sequence[gr.Component], updated: Callable[..., list[object]]
) -> Callable[[Dependency], object]:
    """Show the effect of a changed component at once.

    One event updates all outputs, so that older scores never appear after newer ones: `updated` makes their values from
    those of the components. The browser sends no more of a text that is too long than shows that it is. The result is a
    function that also updates the outputs after an event that fills components.
    """
    changed, most = gr.State(""), 2 * limits.MAX_CHARACTERS  # of JavaScript, where a character may count twice
    cut = f"(...values) => values.map((each) => each?.length > {most} ? each.slice(0, {most} + 2) : each)"
    triggers = [*(each.input for each in components if not isinstance(each, gr.State)), changed.change]
    gr.on(triggers, updated, components, outputs, js=cut, trigger_mode="always_last", **QUIET)
    return lambda event: event.then(lambda: uuid.uuid4().hex, None, changed, **QUIET)


def fill(
    menu: Mapping[str, gr.Button], components: Sequence[gr.Component], contents: Mapping[str, Sequence[object]]
) -> Iterator[Dependency]:
    """Let the buttons of a menu fill components with JSON values, and the first one with what an example replaced.

    It runs in the browser, at once: a server's answer would overwrite what is typed before it arrives. `contents` has
    values for each name in the menu but the first; those of the first example stand there when the page opens.
    """
    first = json.dumps(next(iter(contents.values())))
    for name, button in menu.items():
        js = f"(...now) => docieFilled({first}, now, {json.dumps(contents.get(name))})"
        yield button.click(None, [*components], [*components], js=js, **QUIET)


def open_files(upload: Upload, name: str, component: gr.Component) -> Dependency:
    """Let a button open files as the text of a field, a key of `limits.NAMES`, or as pictures of pages."""
    button, problem = upload
    return button.upload(lambda paths: _opened(name, paths), button, [component, problem], **QUIET)


def _opened(name: str, paths: Sequence[str]) -> list[object]:
    """What uploaded files hold, and the error about them. They are deleted at once."""
    found = [Path(path) for path in paths]
    try:
        size = sum(file.stat().st_size for file in found)
        if size > limits.MAX_BYTES:
            raise RefusedError(f"These files have {size:,} bytes; at most {limits.MAX_BYTES:,} are read.")
        contents = {file.name: file.read_bytes() for file in found}
        if len(contents) < len(found):
            raise RefusedError("Two of these files have the same name.")
        read = files.scans_of_files if name == "scans" else files.text_of_files
        return [runner().run(read, contents, name), ""]
    except RefusedError as error:
        return [gr.skip(), rendering.problem(error)]
    finally:
        for file in found:
            with contextlib.suppress(OSError):
                file.unlink()


def reopen(
    demo: gr.Blocks, parameter: str, components: Sequence[gr.Component], values_of: Callable[[str], Iterable[object]]
) -> Dependency:
    """Let a link fill components but the last one, which shows the error about it. Without one, all stay as they are.

    `values_of` makes their values from the state in the link, or raises RefusedError.
    """

    def reopened(request: gr.Request) -> list[object]:  # Gradio reads the annotation
        state, problem = request.query_params.get(parameter), ""
        if state is not None:
            try:
                return [*values_of(state), ""]
            except RefusedError as error:
                problem = rendering.problem(error)
        return [*(gr.skip() for _ in components[1:]), problem]

    return demo.load(reopened, None, components, **QUIET)


def _updated(fields: Fields, values: Sequence[object]) -> list[object]:
    """Everything below the fields."""
    hidden = gr.update(visible=False)
    if not (fields.text("references", values) or fields.text("predictions", values)):
        return [*("" for _ in fields.problems), hidden, "", rendering.render("empty.html.j2"), hidden, ""]
    finding = _found(fields, values)
    problems, explained = judged(
        fields, values, "options", lambda: runner().run(work.explain, fields.form_of(values), finding)
    )
    html, is_reported = explained or (rendering.render("unscored.html.j2"), False)
    line = rendering.render("finding.html.j2", finding=finding) if finding else ""
    shown = gr.update(visible=bool(finding)), line, html, gr.update(visible=is_reported), ""
    return [*problems, *shown]


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
        problems[field] = rendering.problem(error, desk.text(field, values))
        return [*problems.values()], None


def _found(fields: Fields, values: Sequence[object]) -> Finding | None:
    """What differs in how both sides were written; None, too, where nothing can be scored."""
    try:
        return runner().run(fitting.find, fields.form_of(values))
    except RefusedError:
        return None


def _applied(fields: Fields, values: Sequence[object]) -> list[object]:
    """The options with those of the finding."""
    finding = _found(fields, values)
    return [*fields.control_values(finding.options)] if finding else [gr.skip() for _ in fields.controls]


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
