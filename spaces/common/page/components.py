"""The components of a page: the fields of its form, and the places of its results and errors.

Examples are buttons: one replaces the visitor's input only when it is clicked. (Gradio's dropdown sends `input` and
`change` with the value that it shows when its list is merely left.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gradio as gr

from docie.core.family import description, families, get
from docie.core.values.plain import JsonObject

from .. import files, limits, rendering
from .. import options as option_controls
from ..examples import for_family
from ..inputs import FORMS, Form
from ..options import Option
from .launching import QUIET

Upload = tuple[gr.UploadButton, gr.HTML]


class Desk:
    """Columns in the open blocks: for what a visitor enters, and for what the page says of it.

    On a phone the score comes first, then what is entered, then all else.

    Args:
        name: the key of what is entered in a link.
        texts: the names of the fields with the documents.
        examples: from the name of an example to the values that it puts into fields.
        prefix: the beginning of the ids of what every desk has; pages may have several.
    """

    def __init__(
        self, name: str, texts: Sequence[str], examples: Mapping[str, Mapping[str, object]], prefix: str = ""
    ) -> None:
        self.name, self.texts, self.examples = name, texts, examples
        self.form: dict[str, gr.Component] = {}
        """From the name of a field to its component."""
        self.uploads: dict[str, Upload] = {}
        """From what files can be opened as to the button, and the place of errors about them."""
        self.problems: dict[str, gr.HTML] = {}
        """From a field, a key of `limits.NAMES`, to the place of its errors."""
        self.scans = gr.State({})
        """Pictures of the pages of a document. They are forgotten with the visit."""
        self.judged = gr.Button("Judged", visible="hidden", elem_id=f"{prefix}judged")
        """Pressed by the script when labels were judged."""
        self.changed = gr.Textbox(visible="hidden", label="Changed", elem_id=f"{prefix}changed")
        """Changes whenever the page changes fields by itself."""
        with gr.Row(equal_height=False, elem_classes="dx-desk"):
            self.entered = gr.Column(elem_classes="dx-entered", min_width=0)
            self.shown = gr.Column(elem_classes="dx-shown", min_width=0)
        with self.entered:
            self.notice, self.undo = _line(f"{prefix}notice", "Undo")
            with gr.Accordion("Examples", open=False, elem_id=f"{prefix}example"), gr.Row():
                self.menu = {each: gr.Button(each, size="sm", min_width=160) for each in examples}
        with self.shown:
            self.finding, self.apply = _line(f"{prefix}finding", "Apply")
            self.applied, self.take_back = _line(f"{prefix}applied", "Take back")
            self.score = gr.HTML(
                "", elem_id=f"{prefix}score", elem_classes="dx-score", js_on_load=None, apply_default_css=False
            )

    def add_text(self, name: str, text: str, label: str, what: str) -> None:
        """Add an editor of a text, and the place of its errors."""
        self.form[name] = editor(text, label, what, elem_id=name)
        self.add_problem(name)

    def add_problem(self, name: str) -> None:
        """Add the place of a field's errors."""
        self.problems[name] = gr.HTML("", elem_id=f"{name}-problem", js_on_load=None)

    def add_upload(self, name: str, label: str) -> None:
        """Add the button that opens files for a field, and the place of errors about them."""
        upload = gr.UploadButton(label, size="sm", file_count="multiple", elem_id=f"{name}-files")
        self.uploads[name] = upload, gr.HTML("", elem_id=f"{name}-file-problem", js_on_load=None)

    def add_results(self, elem_id: str) -> None:
        """Add the place of the results."""
        nothing = rendering.render("unscored.html.j2")
        self.results = gr.HTML(nothing, elem_id=elem_id, min_height=480, js_on_load=None, apply_default_css=False)

    @property
    def inputs(self) -> list[gr.Component]:
        """The components whose values make a form: the fields, and the pictures."""
        return [*self.form.values(), self.scans]

    def given(self, values: Sequence[Any]) -> JsonObject:
        """The values of `inputs` by their names."""
        return dict(zip([*self.form, "scans"], values, strict=True))


class Fields(Desk):
    """All components of a page for scores, laid out in the open blocks.

    Args:
        family: the family of the page; None for all, among which the visitor can choose.
    """

    def __init__(self, family: str | None) -> None:
        self.names = [family] if family else families()
        self.options = option_controls.options_for(self.names)
        known = {example.name: example for example in for_family(family)}
        first = next(iter(known.values()))
        rest = {"document": None, **self.controls_for({})}
        texts = ("references", "predictions")
        super().__init__(
            "state", texts, {name: {each: getattr(example, each) for each in (*texts, "form")} | rest
            for name, example in known.items()},
        )  # fmt: skip
        with self.entered:
            self._side("references", "Reference: the correct values", first.references)
            self._side("predictions", "Prediction: what the model extracted", first.predictions)
            written = [(text, key) for key, text in FORMS.items()]
            self.form["form"] = gr.Dropdown(written, value=first.form, label="The prediction is", elem_id="form")
            if any({"document", "boxes"} & {*get(name).INPUTS} for name in self.names):
                self.add_upload("scans", "Add pictures of the pages")
            self._choices(choose=family is None)
        with self.shown:
            self.form["document"] = gr.Dropdown(
                [], value=None, allow_custom_value=True, label="Document", elem_id="document", visible=False
            )
            self.add_results("results")
            self.make_report = gr.Button("Make the HTML report", size="sm", elem_id="make-report")
            self.report = gr.HTML("", elem_id="report", js_on_load=None)

    def _side(self, name: str, label: str, text: str) -> None:
        what = f"the {name.removesuffix('s')}"
        self.add_text(name, text, label, what)
        self.add_upload(name, f"Open files as {what}")

    def _choices(self, *, choose: bool) -> None:
        with gr.Accordion("Metrics and options" if choose else "Options", open=False, elem_id="options"):
            if choose:
                known = {name: description(name) for name in self.names}
                choices = [(f"{name}: {text.partition(': ')[2] or text}", name) for name, text in known.items()]
                self.form["families"] = gr.CheckboxGroup(
                    choices, label="Metrics", info="None: all metrics that read such documents.", elem_id="families"
                )
            self.form["confidence_level"] = gr.Dropdown(
                [("none", 0.0), ("90 %", 0.9), ("95 %", 0.95), ("99 %", 0.99)],
                value=0.0, label="Intervals", info="From the variation between documents; meaningful for several.",
            )  # fmt: skip
            for title, told in option_controls.GROUPS.items():
                if of_group := [option for option in self.options if option.name in told]:
                    gr.Markdown(f"### {title}", elem_classes="dx-group")
                    with gr.Row():
                        for option in of_group:
                            self.form[option.name] = _control(option, *told[option.name], len(self.names))
            gr.Markdown(files.FILES_HINT, elem_classes="dx-hint")
        self.add_problem("options")

    def form_of(self, values: Sequence[Any]) -> Form:
        """The form, from the values of `inputs`.

        Raises:
            RefusedError: if a text is too long, or if an option cannot be read.
        """
        given = self.given(values)
        for side in self.texts:
            given[side] = given[side] or ""
            limits.check_text(given[side], side)  # before it goes to a worker
        number, _, among = str(given["document"] or "").partition(" of ")
        is_chosen = number.isdecimal() and among.isdecimal()
        scans = given["scans"]
        return Form(
            references=given["references"],
            predictions=given["predictions"],
            form=given["form"],
            families=given.get("families", self.names),
            options=option_controls.values_of(self.options, given),
            confidence_level=given["confidence_level"] or None,
            document=int(number) - 1 if is_chosen else None,
            among=int(among) if is_chosen else 0,
            scans=scans.get("scans", ()) if scans.get("document") == given["document"] else (),
        )

    def controls_for(self, options: Mapping[str, object]) -> JsonObject:
        """The values of the options' controls by their names."""
        return {option.name: option_controls.control_value(option, options.get(option.name)) for option in self.options}


def _line(elem_id: str, button: str) -> tuple[gr.HTML, gr.Button]:
    """The place of what the page did or can do, in words, and its button. Without words, both are hidden."""
    with gr.Row(elem_classes="dx-line"):
        said = gr.HTML("", elem_id=elem_id, js_on_load=None)
        return said, gr.Button(button, size="sm", scale=0, min_width=80, elem_id=f"{elem_id}-button")


def editor(text: str, label: str, what: str, *, elem_id: str) -> gr.Code:
    """An editor of JSON with a fixed height: longer texts scroll. A button pretty-prints what stands on one line."""
    code = gr.Code(
        text, language="json", label=label, lines=8, max_lines=8, wrap_lines=True, elem_id=elem_id,
        elem_classes="dx-editor",
    )  # fmt: skip
    indent = gr.Button(f"Pretty-print {what}", size="sm", elem_id=f"{elem_id}-indent", elem_classes="dx-indent")
    indent.click(None, code, code, js="docieIndented", **QUIET)
    return code


def _control(option: Option, label: str, hint: str, families_of_page: int) -> gr.Component:
    """The component of an option."""
    owners = "" if len(option.families) == families_of_page else f"{', '.join(option.families)}. "
    common: dict[str, object] = {
        "label": f"{label} ({option.name})",
        "info": (owners + hint) or None,
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
    if option.name == "schema":
        with gr.Column():  # the button stands below
            return editor("", f"{common['label']}. {common['info']}", "the schema", elem_id=str(common["elem_id"]))
    return gr.Textbox("", lines=1 if option.name != option_controls.CORRECTIONS else 4, **common)
