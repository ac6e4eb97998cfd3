"""The components of a page: the fields of its form, and the places of its results and errors.

Examples are buttons: one replaces the visitor's input only when it is clicked. (Gradio's dropdown sends `input` and
`change` with the value that it shows when its list is merely left.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import gradio as gr

from docie.core.family import description
from docie.core.values.plain import JsonObject

from .. import inputs
from .. import options as option_controls
from ..examples import Example
from ..inputs import FORMS, Form
from ..options import Option

Controls = Mapping[str, Callable[[], gr.Component]]
"""A page's own controls: from a name in `Request.controls` to the function that makes the Gradio component."""


class Fields:
    """All components of a page, laid out in the open blocks.

    Args:
        names: the families of the page.
        controls: the page's own controls.
        examples: the examples to choose from.
        choose: whether the visitor can choose among the families.
    """

    def __init__(self, names: Sequence[str], controls: Controls, examples: Sequence[Example], *, choose: bool) -> None:
        self.names, self.examples = names, {example.name: example for example in examples}
        first = examples[0]
        self.options = option_controls.options_for(names)
        self.form: dict[str, gr.Component] = {}
        """From the name of a part of a form to its component."""
        self.uploads: dict[str, tuple[gr.UploadButton, gr.HTML]] = {}
        """From "references" or "predictions" to the upload button, and to the place of errors about files."""
        self.problems: dict[str, gr.HTML] = {}
        """From a field, a key of `limits.NAMES`, to the place of its errors."""
        self.notice = gr.HTML("", elem_id="notice", js_on_load=None)
        with gr.Row():
            self.menu = lay_out_menu(self.examples, "Replace both documents by an example", "example")
            self.form["form"] = gr.Dropdown(
                [(text, key) for key, text in FORMS.items()],
                value=first.form, label="The prediction is", elem_id="form", min_width=220,
            )  # fmt: skip
        with gr.Row(equal_height=False):
            self._side("references", "Reference: the correct values of the document", first.references)
            self._side("predictions", "Prediction: what the model extracted", first.predictions)
        gr.Markdown(inputs.FILES_HINT, elem_classes="dx-hint")
        self._choices(choose)
        self.own = {name: make() for name, make in controls.items()}
        with gr.Row(visible=False, elem_id="fit") as self.fit:
            self.finding = gr.HTML("", elem_id="finding", js_on_load=None)
            self.apply = gr.Button("Apply", size="sm", scale=0, min_width=120, elem_id="apply")
        self.results = gr.HTML("", elem_id="results", min_height=480, js_on_load=None, apply_default_css=False)
        self.make_report = gr.Button("Make the HTML report", size="sm", visible=False, elem_id="make-report")
        self.report = gr.HTML("", elem_id="report", js_on_load=None)

    def _side(self, name: str, label: str, text: str) -> None:
        with gr.Column(min_width=300):
            self.form[name] = editor(text, label, lines=16, elem_id=name)
            self.problems[name] = gr.HTML("", elem_id=f"{name}-problem", js_on_load=None)
            upload = gr.UploadButton(
                f"Open files as the {name.removesuffix('s')}",
                size="sm",
                file_count="multiple",
                file_types=inputs.FILES_TAKEN,
            )
            self.uploads[name] = upload, gr.HTML("", elem_id=f"{name}-file-problem", js_on_load=None)

    def _choices(self, choose: bool) -> None:
        with gr.Accordion("Metrics and options" if choose else "Options", open=False, elem_id="options"):
            if choose:
                told = {name: description(name) for name in self.names}
                choices = [(f"{name}: {text.partition(': ')[2] or text}", name) for name, text in told.items()]
                self.form["families"] = gr.CheckboxGroup(
                    choices, label="Metrics", info="None: all metrics that read such documents.", elem_id="families"
                )
            with gr.Row():
                self.form["confidence_level"] = gr.Dropdown(
                    [("none", 0.0), ("90 %", 0.9), ("95 %", 0.95), ("99 %", 0.99)],
                    value=0.0, label="Intervals", info="From resampled documents; meaningful for several.",
                )  # fmt: skip
                self.form["document"] = gr.Number(
                    1, precision=0, minimum=1, label="Document", info="The document that is shown in detail."
                )
            with gr.Row():
                self.controls = {option.name: _control(option, len(self.names)) for option in self.options}
        self.problems["options"] = gr.HTML("", elem_id="options-problem", js_on_load=None)

    @property
    def inputs(self) -> list[gr.Component]:
        """The components whose values make a form."""
        return [*self.form.values(), *self.controls.values(), *self.own.values()]

    def text(self, name: str, values: Sequence[object]) -> str:
        """The text of a field; "" if the page has no such field.

        Args:
            name: the name of a part of the form.
            values: the values of `inputs`.
        """
        return str(dict(zip(self.form, values, strict=False)).get(name) or "")

    def form_of(self, values: Sequence[object]) -> Form:
        """The form, from the values of the components.

        Args:
            values: the values of `inputs`.

        Raises:
            RefusedError: if an option cannot be read.
        """
        named: JsonObject = dict(zip([*self.form, *self.controls, *self.own], values, strict=True))
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

    def values_of(self, form: Form) -> list[object]:
        """The values of `inputs` for a form."""
        named: JsonObject = {
            "references": form.references,
            "predictions": form.predictions,
            "form": form.form,
            "families": [*form.families],
            "confidence_level": form.confidence_level or 0.0,
            "document": form.document + 1,
        }
        own = [form.controls.get(name, gr.skip()) for name in self.own]
        return [*(named[name] for name in self.form), *self.control_values(form.options), *own]

    def control_values(self, options: Mapping[str, object]) -> Iterator[object]:
        """The values of the options' controls."""
        return (option_controls.control_value(option, options.get(option.name)) for option in self.options)


def lay_out_menu(names: Iterable[str], label: str, elem_id: str) -> dict[str, gr.Button]:
    """The buttons of examples, in a box that can be opened.

    Args:
        names: the names of the examples.
        label: the label of the box; it tells what an example replaces.
        elem_id: the id of the box.

    Returns:
        dict: from each name to its button.
    """
    with gr.Column(min_width=300), gr.Accordion(label, open=False, elem_id=elem_id), gr.Row():
        return {name: gr.Button(name, size="sm", min_width=160) for name in names}


def editor(text: str, label: str, *, lines: int, elem_id: str) -> gr.Code:
    """An editor of JSON with a height of so many lines: longer texts scroll.

    Args:
        text: its initial text.
        label: its label.
        lines: its height. Gradio counts a line that wraps as one, so the style sheet sets the height.
        elem_id: the id of the component.
    """
    return gr.Code(
        text, language="json", label=label, lines=lines, max_lines=lines, elem_id=elem_id, wrap_lines=True,
        elem_classes=f"dx-lines-{lines}",
    )  # fmt: skip


def _control(option: Option, families_of_page: int) -> gr.Component:
    """The component of an option."""
    owners = "" if len(option.families) == families_of_page else f"{', '.join(option.families)}. "
    common: dict[str, object] = {
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
