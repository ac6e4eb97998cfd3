"""The Space of form robustness: a tab that attacks a form, with the endpoint `/attack`, and that of the scores."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import replace

import gradio as gr

from docie.core.values.plain import JsonObject
from docie.robustness.attacks import ATTACKS, names
from docie.spaces.common import page, rendering, reproducing
from docie.spaces.common.limits import RefusedError
from docie.spaces.form_robustness import attacking
from docie.spaces.form_robustness.asked import MAX_ATTACKS, PARAMETER, READERS, Asked, examples

FIRST = Asked(attacks=["bg_typo"], strength=2.0)
"""The initial state of the page, with the first form."""
STRONGEST = 5
"""The end of the slider."""


class AttackFields:
    """All components of the tab, laid out in the open blocks."""

    def __init__(self) -> None:
        self.examples = examples()
        self.asked: dict[str, gr.Component] = {}
        """From the name of an attribute of `Asked` to its component."""
        self.problems: dict[str, gr.HTML] = {}
        """From a field to the place of its errors."""
        with page.components.desk() as (entered, shown):
            with entered:
                self._entered()
            with shown:
                self.results = gr.HTML(
                    "", elem_id="attack-results", min_height=480, js_on_load=None, apply_default_css=False
                )

    def _entered(self) -> None:
        self.notice = gr.HTML("", elem_id="attack-notice", js_on_load=None)
        self.menu = page.components.lay_out_menu(self.examples, "Examples", "attack-example")
        with gr.Group():
            self.asked["attacks"] = gr.Dropdown(
                names(own=True), value=[*FIRST.attacks], multiselect=True, max_choices=MAX_ATTACKS, elem_id="attacks",
                label="Attack it with", info="Several attacks are applied one after the other.",
            )  # fmt: skip
            self.asked["strength"] = gr.Slider(
                0, STRONGEST, FIRST.strength, step=0.1, label="Strength", elem_id="strength",
                info="1 is an attack's default, 0 changes nothing.",
            )  # fmt: skip
            self.asked["seed"] = gr.Number(
                FIRST.seed, precision=0, label="Seed", elem_id="seed",
                info="Another seed attacks differently.",
            )  # fmt: skip
            self.asked["reader"] = gr.Dropdown(
                [(text, name) for name, text in READERS.items()], value=FIRST.reader, label="Who reads the form",
                info="The rule reads the words after each key.", elem_id="reader",
            )  # fmt: skip
        self.problems["attacks"] = gr.HTML("", elem_id="attacks-problem", js_on_load=None)
        with gr.Row(visible=False, elem_id="answers") as self.answers:
            for name, label in (("before", "the form as it is"), ("after", "the attacked form")):
                with gr.Column(min_width=300):
                    self.asked[name] = page.components.editor(
                        "", f"Your model's answer to {label}", f"the answer to {label}", elem_id=name
                    )
                    self.problems[name] = gr.HTML("", elem_id=f"{name}-problem", js_on_load=None)
        with gr.Accordion("The form as JSON: paste or open your own", open=False, elem_id="form-accordion"):
            first = next(iter(self.examples.values()))
            self.asked["record"] = page.components.editor(
                first, "The form: words, boxes, labels, keys", "the form", elem_id="record"
            )
            self.upload = page.components.lay_out_upload("record", "Open a file as the form", [".json", ".jsonl"])
        self.problems["record"] = gr.HTML("", elem_id="record-problem", js_on_load=None)


def lay_out(demo: gr.Blocks) -> None:
    """Lay out the tab in the open blocks, and connect its components."""
    fields = AttackFields()
    inputs, record = [*fields.asked.values()], fields.asked["record"]
    again = page.events.follow(
        inputs,
        [*fields.problems.values(), fields.answers, fields.results],
        lambda *values: _updated(fields, values),
    )
    for event in page.events.fill(fields.menu, [record], {name: [text] for name, text in fields.examples.items()}):
        again(event)
    again(page.events.open_files(fields.upload, "record", record))
    again(page.events.reopen(demo, PARAMETER, [*inputs, fields.notice], lambda state: _reopened(fields, state)))
    gr.api(_attack, api_name="attack", **page.LIMITED)


def _updated(fields: AttackFields, values: Sequence[object]) -> list[object]:
    """Everything that may change."""
    given: JsonObject = dict(zip(fields.asked, values, strict=True))
    asked = Asked(**{name: value for name, value in given.items() if value is not None})
    problems = dict.fromkeys(fields.problems, "")
    try:
        html = page.runner().run(attacking.explain, asked)
    except RefusedError as error:
        html = rendering.render("unscored.html.j2")
        field = error.field if error.field in problems else "attacks"
        problems[field] = rendering.problem(error, "" if field == "attacks" else getattr(asked, field))
    return [*problems.values(), gr.Row(visible=asked.reader == "answers"), html]


def _reopened(fields: AttackFields, state: str) -> list[object]:
    """The values in a link, if the components can hold them: Gradio would print what they cannot."""
    asked = reproducing.decode(state, Asked)
    has_all = all(isinstance(name, str) and name in ATTACKS for name in asked.attacks) and asked.reader in READERS
    if not has_all or not 0 <= asked.strength <= STRONGEST:
        raise RefusedError("The link is damaged: it names an attack, a strength or a reader that does not exist.")
    asked = replace(asked, record=asked.record or next(iter(fields.examples.values())))
    return [getattr(asked, name) for name in fields.asked]


def _attack(
    record: str,
    attacks: list[str],
    strength: float = 1.0,
    seed: int = 0,
    reader: str = "place",
    before: str = "",
    after: str = "",
) -> JsonObject:
    """The effect of an attack on a form, and on the scores."""
    asked = Asked(
        record=record, attacks=attacks, strength=strength, seed=seed, reader=reader, before=before, after=after
    )
    return page.events.answer(attacking.figures, asked)


@contextlib.contextmanager
def tabs(demo: gr.Blocks) -> Iterator[None]:
    """A tab that attacks a form, before that of the scores, which a link with the state of their fields opens."""
    with gr.Tabs() as both:
        with gr.Tab("Attack a form"):
            lay_out(demo)
        with gr.Tab("Score answers", id="scores"):
            yield

    def chosen(request: gr.Request) -> object:  # Gradio reads the annotation
        return gr.Tabs(selected="scores") if reproducing.PARAMETER in request.query_params else gr.skip()

    demo.load(chosen, None, both, **page.QUIET)


demo = page.page_of("form_robustness", around=tabs)
