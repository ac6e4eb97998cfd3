"""The Space of form robustness: a tab that attacks a form, with the endpoint `/attack`, and that of the scores."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import gradio as gr

from docie.core.values.plain import JsonObject
from docie.robustness.attacks import names
from docie.spaces.common import page, rendering
from docie.spaces.form_robustness import attacking
from docie.spaces.form_robustness.attacking import READERS, Asked

STRONGEST = 5
"""The end of the slider."""


class AttackFields(page.components.Desk):
    """All components of the tab, laid out in the open blocks."""

    def __init__(self) -> None:
        forms = {name: {"record": text} for name, text in attacking.examples().items()}
        super().__init__("attack", ["record"], forms, "attack-")
        with self.entered:
            self._attacks()
            with gr.Column(visible=False, elem_id="answers") as self.answers:
                self.add_text(
                    "before", "", "Your model's answer to the form as it is", "the answer to the form as it is"
                )
                self.add_text(
                    "after", "", "Your model's answer to the attacked form", "the answer to the attacked form"
                )
            with gr.Accordion("The form as JSON: paste or open your own", open=False, elem_id="form-accordion"):
                first = next(iter(forms.values()))["record"]
                self.add_text("record", first, "The form: words, boxes, labels, keys", "the form")
                self.add_upload("record", "Open a file as the form")
        with self.shown:
            self.add_results("attack-results")

    def _attacks(self) -> None:
        with gr.Group():
            self.form["attacks"] = gr.Dropdown(
                names(own=True), value=["bg_typo"], multiselect=True, max_choices=attacking.MAX_ATTACKS,
                label="Attack it with", info="Several attacks are applied one after the other.", elem_id="attacks",
            )  # fmt: skip
            self.form["strength"] = gr.Slider(
                0, STRONGEST, 2.0, step=0.1, label="Strength", elem_id="strength",
                info="1 is an attack's default, 0 changes nothing.",
            )  # fmt: skip
            self.form["seed"] = gr.Number(
                0, precision=0, label="Seed", info="Another seed attacks differently.", elem_id="seed"
            )
            self.form["reader"] = gr.Dropdown(
                [(text, name) for name, text in READERS.items()], value="place", label="Who reads the form",
                info="The rule reads the words after each key.", elem_id="reader",
            )  # fmt: skip
        self.add_problem("attacks")


def _updated(fields: AttackFields, values: Sequence[object]) -> list[object]:
    """Everything that may change."""
    given = {name: value for name, value in fields.given(values).items() if name != "scans" and value is not None}
    asked = Asked(**given)
    problems, html = page.events.judged(fields, values, "attacks", lambda: page.runner().run(attacking.explain, asked))
    score, _, rest = (html or "").partition(rendering.BELOW)
    results = [score, rest] if html else [gr.skip(), gr.skip()]
    return [*problems, gr.Column(visible=asked.reader == "answers"), *results]


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
            fields = AttackFields()
            outputs = [*fields.problems.values(), fields.answers, fields.score, fields.results]
            page.events.connect(demo, fields, outputs, lambda *values: _updated(fields, values))
            gr.api(_attack, api_name="attack", **page.LIMITED)
        with gr.Tab("Score answers", id="scores"):
            yield

    def chosen(request: gr.Request) -> object:  # Gradio reads the annotation
        return gr.Tabs(selected="scores") if "state" in request.query_params else gr.skip()

    demo.load(chosen, None, both, **page.QUIET)


demo = page.page_of("form_robustness", around=tabs)
