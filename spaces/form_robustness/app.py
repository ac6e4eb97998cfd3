"""The Space of form robustness: a tab that attacks a form, with the endpoint `/attack`, and that of the scores."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

import gradio as gr

from docie.core.values.plain import JsonObject
from docie.robustness.attacks import names
from docie.spaces.common import page, rendering, reproducing
from docie.spaces.common.limits import RefusedError
from docie.spaces.form_robustness import attacking
from docie.spaces.form_robustness.attacking import READERS, Asked

STRONGEST = 5
"""The end of the slider."""


class AttackFields(page.components.Desk):
    """All components of the tab, laid out in the open blocks."""

    def __init__(self) -> None:
        self.examples = attacking.examples()
        super().__init__(self.examples, "attack-")
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
                first = next(iter(self.examples.values()))
                self.add_text("record", first, "The form: words, boxes, labels, keys", "the form")
                self.add_upload("record", "Open a file as the form", [".json", ".jsonl"])
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


def lay_out(demo: gr.Blocks) -> None:
    """Lay out the tab in the open blocks, and connect its components."""
    fields = AttackFields()
    inputs, record = [*fields.form.values()], fields.form["record"]
    outputs = [*fields.problems.values(), fields.answers, fields.results]
    again = page.events.follow(inputs, outputs, lambda *values: _updated(fields, values))
    for event in page.events.fill(fields.menu, [record], {name: [text] for name, text in fields.examples.items()}):
        again(event)
    again(page.events.open_files(fields.uploads["record"], "record", record))
    again(
        page.events.reopen(demo, attacking.PARAMETER, [*inputs, fields.notice], lambda state: _reopened(fields, state))
    )
    gr.api(_attack, api_name="attack", **page.LIMITED)


def _updated(fields: AttackFields, values: Sequence[object]) -> list[object]:
    """Everything that may change."""
    given: JsonObject = dict(zip(fields.form, values, strict=True))
    asked = Asked(**{name: value for name, value in given.items() if value is not None})
    problems, html = page.events.judged(fields, values, "attacks", lambda: page.runner().run(attacking.explain, asked))
    return [*problems, gr.Column(visible=asked.reader == "answers"), html or rendering.render("unscored.html.j2")]


def _reopened(fields: AttackFields, state: str) -> list[object]:
    """The values in a link, if the components can hold them: Gradio would print what they cannot."""
    asked = reproducing.decode(state, Asked)
    has_all = all(name in names(own=True) for name in asked.attacks) and asked.reader in READERS
    if not has_all or not 0 <= asked.strength <= STRONGEST:
        raise RefusedError("The link is damaged: it names an attack, a strength or a reader that does not exist.")
    return [getattr(asked, name) for name in fields.form]


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
