"""Whether an attack finds anything to change: forms without it are none that it was made on."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie import attacks
from docie.robustness.form import Field, Page, Word

from sizes import examples
from strategies import forms

NAMES = attacks.names(own=True)
OPTIONS: dict[str, dict[str, Any]] = {"bg_synonyms": {"source": "lexicon"}, "value_location_move": {"types": ["total"]}}


def form_of(*texts: str, fields: list[Field] | None = None) -> Page:
    """A form with a word a line."""
    words = [Word(text, (10, 10 * row, 40, 10 * row + 8)) for row, text in enumerate(texts)]
    return Page(words, fields or [], (100, 200))


TOTAL = Field("total", (1,), (0,))
DATE = Field("date", (3,), (2,))


@pytest.mark.parametrize("name", NAMES)
def test_every_attack_can_act_on_an_ordinary_form(name: str) -> None:
    form = form_of("Total", "4.50", "Date", "5/6/2021", "Tel.", "4711", "Thank", "you", "!", fields=[TOTAL, DATE])
    assert attacks.can_act(name, form, **OPTIONS.get(name, {}))


@pytest.mark.parametrize(
    ("name", "form"),
    [
        *((name, Page([], page=(10, 10))) for name in NAMES),
        ("global_shuffle", form_of("Total")),
        ("neighbor_shuffle", form_of("Total", "4.50", fields=[TOTAL])),
        ("non_neighbor_shuffle", form_of("Total", "4.50", "Thanks", fields=[TOTAL])),
        *((name, form_of("4.50", fields=[Field("total", (0,))])) for name in ("bg_drop", "bg_typo", "bg_adversarial")),
        ("neighbor_bg_drop", form_of("Total", "4.50")),
        ("key_drop", form_of("Total", "4.50", fields=[Field("total", (1,))])),
        ("bg_synonyms", form_of("Juniper", "4.50", fields=[Field("total", (1,))])),
        ("bg_adversarial", form_of("Total", "4.50", "!", fields=[TOTAL])),
        ("value_text_augment", form_of("Total", "4.50", fields=[TOTAL])),
        ("value_location_augment", form_of("Total", "4.50", fields=[TOTAL])),
        ("value_location_move", form_of("Total", "4.50", fields=[TOTAL])),
        ("ocr_confusion", form_of("€", "4.50", fields=[Field("total", (1,))])),
        ("line_order_shuffle", form_of("Total")),
    ],
)  # fmt: skip
def test_an_attack_finds_nothing_to_change(name: str, form: Page) -> None:
    options = OPTIONS.get(name, {})
    assert not attacks.can_act(name, form, **options)
    attacked = attacks.apply(name, form, seed=0, **options)
    assert attacked.words == form.words
    assert not attacks.acted(name, form, attacked, **options)


@given(name=st.sampled_from(NAMES), form=forms(with_boxes=True), seed=st.integers(0, 5))
@examples(400, 40)
def test_what_an_attack_changes_it_can_act_on(name: str, form: Page, seed: int) -> None:
    options = OPTIONS.get(name, {})
    attacked = attacks.apply(name, form, seed=seed, **options)
    if attacked.words != form.words:
        assert attacks.can_act(name, form, **options)
        assert attacks.acted(name, form, attacked, **options)
    if not attacks.can_act(name, form, **options):
        assert attacks.severity(form, attacked)[1:6] == (0, 0, 0, 0, 0)


def test_chance_and_strength_have_no_say() -> None:
    form = form_of("Total", "4.50", fields=[TOTAL])
    results = {attacks.apply("bg_typo", form, seed=seed) == form for seed in range(40)}
    assert results == {True, False}
    assert attacks.acted("bg_typo", form, form)
    assert attacks.acted("bg_typo", form, attacks.apply("bg_typo", form, seed=0, strength=0))
    assert attacks.can_act("global_shuffle", form), "two words stay as they are with every second seed"


def test_one_of_several_attacks_must_find_something() -> None:
    without = form_of("Total", "4.50", fields=[Field("total", (1,))])
    assert attacks.can_act(["key_drop", "bg_typo"], without)
    assert not attacks.can_act(["key_drop", "value_location_augment"], without)
    assert not attacks.can_act([("bg_typo", {"character": "Z"})], without)
    with pytest.raises(ValueError, match="^unknown attack 'typo', expected one of "):
        attacks.can_act("typo", without)
