"""The blocks of a page, and how it is launched. An `app.py` calls `family_page` or `explorer_page`, and `launch`.

>>> demo = family_page("hed", title="HED", introduction="How many characters are right?")
>>> demo.title
'HED'
"""

from __future__ import annotations

import functools
import os
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("GRADIO_ANALYTICS_ENABLED", "False")  # Gradio reads it when it is imported

import gradio as gr

from docie.family import description, families

from . import limits, links, rendering, work
from . import options as option_controls
from .examples import Example, for_family
from .inputs import FORMS, Form
from .limits import RefusedError
from .options import Option
from .runner import Runner

WORKERS = max(2, min(8, os.cpu_count() or 1))
"""How many computations run at a time."""
QUEUE = 100
"""How many more may wait. Whoever comes then is told to come again."""
Controls = Mapping[str, Callable[[], Any]]
"""A page's own controls: from a name, which `Request.controls` has, to what makes the Gradio component."""
_EVENTS: dict[str, Any] = {"concurrency_id": "work", "concurrency_limit": WORKERS, "api_visibility": "private"}


@functools.cache
def runner() -> Runner:
    """The workers, which all pages of this process share."""
    return Runner(WORKERS, is_warm=True)


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
    return _Page([family], title, introduction, controls or {}, examples or for_family(family), choose=False).demo


def explorer_page(*, title: str, introduction: str) -> gr.Blocks:
    """The page of all families.

    Args:
        title (str): the heading.
        introduction (str): what the page is for (Markdown).

    Returns:
        gr.Blocks: the page, whose endpoints are `/score` and `/explain`.
    """
    return _Page(families(), title, introduction, {}, for_family(None), choose=True).demo


def launch(demo: gr.Blocks, **options: Any) -> Any:
    """Start a page. Nothing is recorded, nothing is sent elsewhere, and the number of computations is bounded.

    Args:
        demo: what `family_page` or `explorer_page` made.
        **options: those of Gradio's `launch`, such as `server_port`.

    Returns:
        What Gradio's `launch` returns.
    """
    runner().start()
    demo.queue(default_concurrency_limit=WORKERS, max_size=QUEUE)
    settings: dict[str, Any] = {
        "run_history": False,
        "enable_monitoring": False,
        "ssr_mode": False,
        "quiet": True,
        "show_error": False,
        "max_file_size": 4 * limits.MAX_CHARACTERS,
        "footer_links": ["api"],
        "theme": _theme(),
        "css": rendering.styles(),
        "head": f"<script>{rendering.static('page.js')}</script>",
    }
    return demo.launch(**{**settings, **options})


def _theme() -> gr.themes.Base:
    """Gradio's theme with fonts that need no download, and with small print that can be read."""
    theme = gr.themes.Default(font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"])
    small = dict.fromkeys(("body_text_color_subdued", "block_info_text_color", "input_placeholder_color"), "#5a6472")
    return theme.set(**small, **{f"{name}_dark": "#a3adba" for name in small})


class _Page:
    """The components of a page, and what their events do."""

    def __init__(
        self,
        names: Sequence[str],
        title: str,
        introduction: str,
        controls: Controls,
        examples: Sequence[Example],
        *,
        choose: bool,
    ) -> None:
        self.names, self.examples = names, {example.name: example for example in examples}
        self.options = option_controls.options_for(names)
        self.fields: dict[str, Any] = {}
        """From the name of a part of a form to its component."""
        self.own: dict[str, Any] = {}
        self.uploads: dict[str, tuple[Any, Any]] = {}
        """From a side to its button, and to where it says what is wrong."""
        self.problems: list[Any] = []
        """Where errors stand, in the order of `limits.NAMES`."""
        with gr.Blocks(title=title, analytics_enabled=False, delete_cache=(60, 60)) as self.demo:
            gr.Markdown(f"# {title}\n\n{introduction}", elem_classes="dx-head")
            self.notice = gr.HTML("", elem_id="notice", js_on_load=None)
            with gr.Row():
                self.example = gr.Dropdown(
                    [*self.examples],
                    value=next(iter(self.examples)),
                    label="Take an example",
                    elem_id="example",
                    min_width=220,
                )
                self.fields["form"] = gr.Dropdown(
                    [(text, key) for key, text in FORMS.items()],
                    value="json", label="The prediction is", elem_id="form", min_width=220,
                )  # fmt: skip
            with gr.Row(equal_height=False):
                self._side("references", "Reference", "what is really in the document")
                self._side("predictions", "Prediction", "what the model extracted")
            self._choices(choose)
            for name, make in controls.items():
                self.own[name] = make()
            self.results = gr.HTML("", elem_id="results", min_height=480, js_on_load=None, apply_default_css=False)
            self._report()
            self._events()
            self._endpoints()

    def _side(self, name: str, label: str, info: str) -> None:
        with gr.Column(min_width=300):
            self.fields[name] = gr.Code(
                language="json", label=f"{label}: {info}", lines=16, max_lines=16, elem_id=name, wrap_lines=True
            )
            problem = gr.HTML("", elem_id=f"{name}-problem", js_on_load=None)
            self.problems.append(problem)
            upload = gr.UploadButton(
                f"Open a file as the {label.lower()}", size="sm", file_types=[".json", ".jsonl", ".ndjson", ".txt"]
            )
            self.uploads[name] = upload, gr.HTML("", elem_id=f"{name}-file-problem", js_on_load=None)

    def _choices(self, choose: bool) -> None:
        with gr.Accordion("Metrics and options" if choose else "Options", open=False, elem_id="options"):
            if choose:
                choices = [
                    (f"{name}: {description(name).partition(': ')[2] or description(name)}", name)
                    for name in self.names
                ]
                self.fields["families"] = gr.CheckboxGroup(
                    choices, label="Metrics", info="None: all that read such documents.", elem_id="families"
                )
            with gr.Row():
                self.fields["confidence_level"] = gr.Dropdown(
                    [("none", 0.0), ("90 %", 0.9), ("95 %", 0.95), ("99 %", 0.99)],
                    value=0.0, label="Intervals", info="From resampled documents; of use for several.",
                )  # fmt: skip
                self.fields["document"] = gr.Number(
                    1, precision=0, minimum=1, label="Document", info="Which one is shown in detail."
                )
            with gr.Row():
                self.controls = {option.name: _control(option, len(self.names)) for option in self.options}
        self.problems.append(gr.HTML("", elem_id="options-problem", js_on_load=None))

    def _report(self) -> None:
        self.make_report = gr.Button("Make the HTML report", size="sm", visible=False, elem_id="make-report")
        self.report = gr.HTML("", elem_id="report", js_on_load=None)

    @property
    def _inputs(self) -> list[Any]:
        return [*self.fields.values(), *self.controls.values(), *self.own.values()]

    def _form(self, values: Sequence[Any]) -> Form:
        """The form that the components hold."""
        named = dict(zip([*self.fields, *self.controls, *self.own], values, strict=True))
        options = option_controls.values_of(self.options, {name: named[name] for name in self.controls})
        return Form(
            references=named["references"] or "",
            predictions=named["predictions"] or "",
            form=named["form"],
            families=named.get("families", self.names),
            options=options,
            confidence_level=named["confidence_level"] or None,
            document=max(0, int(named["document"] or 1) - 1),
            controls={name: named[name] for name in self.own},
        )

    def _events(self) -> None:
        # one event shows all figures, so that older ones never come after newer ones
        changed = gr.State("")
        gr.on(
            [*(component.input for component in self._inputs), changed.change],
            self._updated,
            self._inputs,
            [*self.problems, self.results, self.make_report, self.report],
            trigger_mode="always_last",
            show_progress="hidden",
            **_EVENTS,
        )
        quiet: dict[str, Any] = {"show_progress": "hidden", **_EVENTS}
        again: dict[str, Any] = {"fn": lambda: uuid.uuid4().hex, "outputs": changed, **quiet}
        taken = [*(self.fields[name] for name in ("references", "predictions", "form")), *self.controls.values()]
        self.example.input(self._taken, self.example, taken, **quiet).then(**again)
        for name, (upload, problem) in self.uploads.items():
            opened = functools.partial(_opened, name)
            upload.upload(opened, upload, [self.fields[name], problem], **quiet).then(**again)
        self.demo.load(self._reopened, None, [*self._inputs, self.notice], **quiet).then(**again)
        self.make_report.click(self._reported, self._inputs, self.report, show_progress="minimal", **_EVENTS)

    def _updated(self, *values: Any) -> list[Any]:
        """Everything below the fields."""
        problems = dict.fromkeys(limits.NAMES, "")
        explained = None
        texts = dict(zip(self.fields, values, strict=False))
        try:
            if not (texts["references"] or texts["predictions"]):
                return [*problems.values(), rendering.render("empty.html.j2"), gr.update(visible=False), ""]
            explained = runner().run(work.explain, self._form(values))
        except RefusedError as error:
            problems[error.field or "options"] = rendering.problem(error, texts.get(error.field) or "")
        html = explained.html if explained else rendering.render("unscored.html.j2")
        return [*problems.values(), html, gr.update(visible=bool(explained and explained.can_be_reported)), ""]

    def _taken(self, name: str | None) -> list[Any]:
        """The fields of an example."""
        if name not in self.examples:
            return [gr.skip()] * (3 + len(self.controls))
        example = self.examples[name]
        return [example.references, example.predictions, example.form, *self._control_values(example.options)]

    def _control_values(self, options: Mapping[str, Any]) -> Iterator[Any]:
        return (option_controls.control_value(option, options.get(option.name)) for option in self.options)

    def _reported(self, *values: Any) -> str:
        try:
            html = runner().run(work.report_of, self._form(values))
        except RefusedError as error:
            return rendering.problem(error)
        return rendering.render("report.html.j2", html=html)

    def _reopened(self, request: gr.Request) -> list[Any]:
        """What the page's address holds, else the first example."""
        state, problem = request.query_params.get(links.PARAMETER), ""
        example = next(iter(self.examples.values()))
        form = Form(references=example.references, predictions=example.predictions, form=example.form)
        if state is not None:
            try:
                form = links.decode(state)
            except RefusedError as error:
                problem = rendering.problem(error)
        named = {
            "references": form.references,
            "predictions": form.predictions,
            "form": form.form,
            "families": [*form.families],
            "confidence_level": form.confidence_level or 0.0,
            "document": form.document + 1,
        }
        own = [form.controls.get(name, gr.skip()) for name in self.own]
        return [*(named[name] for name in self.fields), *self._control_values(form.options), *own, problem]

    def _endpoints(self) -> None:
        names = list(self.names)

        def form_of(
            references: str, predictions: str, families: list[str], options: dict[str, Any], **others: Any
        ) -> Form:
            return Form(
                references=references, predictions=predictions, options=options, families=families or
                (names if len(names) == 1 else ()), **others
            )  # fmt: skip

        def score(
            references: str,
            predictions: str,
            families: list[str] | None = None,
            options: dict[str, Any] | None = None,
            form: str = "json",
            confidence_level: float | None = None,
        ) -> dict[str, Any]:
            """The figures of each family, as `docie score --by-field --format json` prints them."""
            return _ran(
                work.score,
                form_of(
                    references, predictions, families or [], options or {}, form=form, confidence_level=confidence_level
                ),
            )

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
            return _ran(
                work.views,
                form_of(
                    references,
                    predictions,
                    families or [],
                    options or {},
                    form=form,
                    document=document,
                    controls=controls or {},
                ),
            )

        events = {name: value for name, value in _EVENTS.items() if name != "api_visibility"}
        gr.api(score, api_name="score", **events)
        gr.api(explain, api_name="explain", **events)


def _ran(function: Callable[[Form], dict[str, Any]], form: Form) -> dict[str, Any]:
    """The result of a worker. What it refuses is an error of the endpoint."""
    try:
        return runner().run(function, form)
    except RefusedError as error:
        raise gr.Error(str(error), print_exception=False) from None


def _opened(name: str, path: str) -> list[str]:
    """The text of a file, which is deleted at once, and what is wrong with it."""
    file = Path(path)
    try:
        text = file.read_text(encoding="utf-8-sig")
        limits.check_text(text, name)
    except UnicodeDecodeError:
        return [gr.skip(), rendering.problem(RefusedError("This file is no UTF-8 text."))]
    except RefusedError as error:
        return [gr.skip(), rendering.problem(error)]
    finally:
        file.unlink(missing_ok=True)
    return [text, ""]


def _control(option: Option, families_of_page: int) -> Any:
    """The component of an option."""
    owners = "" if len(option.families) == families_of_page else f"{', '.join(option.families)}. "
    common: dict[str, Any] = {
        "label": option.name,
        "info": (owners + option.hint) or None,
        "elem_id": f"option-{option.name}",
        "min_width": 220,
    }
    if option.kind == "choices":
        return gr.Dropdown([*option.choices], value=[], multiselect=True, allow_custom_value=True, **common)
    if option.kind == "choice":
        return gr.Dropdown([(each or "any", each) for each in option.choices], value=option.default, **common)
    if option.kind == "flag":
        return gr.Checkbox(option.default, **common)
    if option.kind == "number":
        return gr.Number(option.default, step=0.05, **common)
    return gr.Textbox("", **common)
