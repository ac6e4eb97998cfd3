"""What holds for every attack: it changes what it declares and nothing else, and the same way everywhere."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import unicodedata
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from docie import attacks
from docie.robustness.form import Field, Page, Word
from docie.robustness.form.page import reading_order

from sizes import examples
from strategies import forms

NAMES = [name for name in attacks.names(own=True) if name != "value_text_augment" or find_spec("faker")]
BACKGROUND = frozenset({"background texts", "background boxes", "words"})


def changes(before: Page, after: Page) -> set[str]:
    """Which of `attacks.CHANGES` can be seen in an attacked form."""
    old, new = ({word.id: word for word in form.words} for form in (before, after))
    values = {before.words[position].id for position in before.values}
    found = set()
    if [word.id for word in before.words if word.id in new] != [word.id for word in after.words]:
        found.add("order")
    if len(new) < len(old):
        found.add("words")
    if before.page != after.page:
        found.add("page")
    for number, word in new.items():
        side = "value" if number in values else "background"
        found |= {f"{side} texts"} if old[number].text != word.text else set()
        found |= {f"{side} boxes"} if old[number].box != word.box else set()
    return found


def check(name: str, before: Page, after: Page) -> None:
    """What an attack declares, and what every form keeps."""
    attack = attacks.ATTACKS[name]
    assert changes(before, after) <= attack.changes, name
    assert after.id == before.id
    assert [field._replace(keys=(), values=()) for field in after.fields] == [
        field._replace(keys=(), values=()) for field in before.fields
    ]
    assert {word.id for word in after.words} <= {word.id for word in before.words}
    left = {word.id for word in after.words}
    for old, new in zip(before.fields, after.fields, strict=True):
        # every field keeps its own words, in text order
        for first, second in ((old.values, new.values), (old.keys, new.keys)):
            kept = [before.words[position].id for position in first if before.words[position].id in left]
            assert [after.words[position].id for position in second] == kept
        assert len(old.values) == len(new.values)
    if attack.preserves_texts:
        assert after.document() == before.document()
        assert after.entities() == before.entities()
    if attack.preserves_labels:
        assert places_of_values(after) == places_of_values(before)


def places_of_values(form: Page) -> list[Any]:
    """The boxes of each value's words."""
    return [[form.words[position].box for position in field.values] for field in form.fields]


@given(st.sampled_from(NAMES), forms(with_boxes=True), st.integers(0, 3), st.sampled_from([0.5, 1.0, 10.0, 100.0]))
@examples(1000, 80)
def test_an_attack_changes_what_it_declares(name: str, form: Page, seed: int, strength: float) -> None:
    """Boxes on the page and valid positions are checked wherever a form is made."""
    check(name, form, attacks.apply(name, form, seed=seed, strength=strength))


@pytest.mark.parametrize("name", NAMES)
def test_an_attack_changes_what_it_declares_on_invoices(name: str, invoice_forms: list[Page]) -> None:
    """And each change that is declared is seen."""
    options: dict[str, Any] = {"types": ["vendor"]} if name == "value_location_move" else {}
    seen = set()
    for form in invoice_forms[:25]:
        attacked = attacks.apply(name, form, seed=3, strength=10 if name == "bg_typo" else 1, **options)
        check(name, form, attacked)
        seen |= changes(form, attacked)
    # the vendors are at the top of these pages, whose bottom has room
    assert seen == attacks.ATTACKS[name].changes - ({"page"} if name == "value_location_move" else set())


@pytest.mark.parametrize("name", NAMES)
def test_an_attack_changes_what_it_declares_on_cord(name: str, cord_forms: list[Page]) -> None:
    for form in cord_forms[::4]:
        check(name, form, attacks.apply(name, form, seed=3))


@given(st.sampled_from(NAMES), forms(), st.integers(0, 3))
@examples(500, 50)
def test_strength_zero_changes_nothing(name: str, form: Page, seed: int) -> None:
    assume(form.has_boxes or not form.words or not attacks.ATTACKS[name].needs_boxes)
    assert attacks.apply(name, form, seed=seed, strength=0) == form


@pytest.mark.parametrize("name", NAMES)
def test_forms_without_boxes(name: str, invoice_forms: list[Page]) -> None:
    before = [
        Page([word._replace(box=None) for word in form.words], form.fields, id=form.id) for form in invoice_forms[:5]
    ]
    if attacks.ATTACKS[name].needs_boxes:
        with pytest.raises(ValueError, match=f"^{name} needs boxes, and form 'train-1-0' has none$"):
            attacks.apply(name, before[0], seed=0)
        return
    after = [attacks.apply(name, form, seed=0, p=1.0) for form in before]
    assert after != before


@pytest.mark.parametrize("name", NAMES)
def test_forms_with_hardly_anything(name: str) -> None:
    assert attacks.apply(name, Page([]), seed=0) == Page([])
    empty = Page([], page=(10, 10), id="x")
    attacked = attacks.apply(name, empty, seed=0)
    assert (attacked.words, attacked.fields) == ((), ())


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("strength", [1.0, 100.0])
def test_forms_that_are_read_from_the_right(name: str, strength: float) -> None:
    """Attacks go by boxes and by the order of words, so they declare the same there. Typos keep the script."""
    lines = [["חשבונית", "מספר", "4711"], ["תאריך", "05/06/2021"], ["סה״כ", "$1,240.00"], ["תודה", "רבה"]]
    words = [
        Word(text, (90 - 30 * place, 20 * row, 115 - 30 * place, 20 * row + 10))
        for row, line in enumerate(lines)
        for place, text in enumerate(line)
    ]
    fields = [Field("number", (2,), (0, 1)), Field("date", (4,), (3,)), Field("total_amount", (6,), (5,))]
    form = Page(words, fields, (120, 100), "rtl")
    assert reading_order(form) == [*range(len(words))]
    options: dict[str, Any] = {"types": ["number"]} if name == "value_location_move" else {}
    attacked = attacks.apply(name, form, seed=1, strength=strength, **options)
    check(name, form, attacked)
    if name == "bg_typo":
        letters = {sign for position in attacked.background for sign in attacked.words[position].text}
        assert all(unicodedata.bidirectional(sign) in ("R", "ON") for sign in letters)
    if name == "bg_synonyms":
        assert attacked == form  # no lexicon has these words


@pytest.mark.parametrize("name", NAMES)
def test_what_is_random_depends_on_seed_attack_and_form(name: str, invoice_forms: list[Page]) -> None:
    chosen = invoice_forms[:8]
    options: dict[str, Any] = {"types": ["vendor"]} if name == "value_location_move" else {}
    together = {form.id: attacks.apply(name, form, seed=5, **options) for form in chosen}
    state = random.getstate()
    for form in reversed(chosen):
        assert attacks.apply(name, form, seed=5, **options) == together[form.id]
    assert random.getstate() == state  # nothing global is used, nor seeded
    if name not in ("neighbor_bg_drop", "key_drop", "value_location_move"):  # nothing is random there
        others = {form.id: attacks.apply(name, form, seed=6, **options) for form in chosen}
        assert others != together


def test_a_form_without_id_is_told_by_its_words(invoice_forms: list[Page]) -> None:
    first, second = (Page(form.words, form.fields, form.page) for form in invoice_forms[:2])
    assert attacks.apply("bg_typo", first, seed=0) == attacks.apply("bg_typo", first, seed=0)
    orders = [
        [word.id for word in attacks.apply("global_shuffle", form, seed=0).words[:10]] for form in (first, second)
    ]
    assert orders[0] != orders[1]


@pytest.mark.exhaustive
def test_another_process_does_the_same(invoice_forms: list[Page]) -> None:
    script = (
        "import json; from docie import attacks; from synthetic_invoices import invoices\n"
        "for name in attacks.names(own=True): print(json.dumps([attacks.apply(name, form, seed=2, source='lexicon').to_record()"
        " if name == 'bg_synonyms' else attacks.apply(name, form, seed=2).to_record() for form in invoices(10, seed=1)]))"
    )
    here = []
    for name in NAMES:
        options: dict[str, Any] = {"source": "lexicon"} if name == "bg_synonyms" else {}
        here.append([attacks.apply(name, form, seed=2, **options).to_record() for form in invoice_forms[:10]])
    for hash_seed in ("1", "2"):
        environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": ":".join(sys.path)}
        done = subprocess.run(
            [sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment
        )
        assert [json.loads(line) for line in done.stdout.splitlines()] == json.loads(json.dumps(here))


@pytest.mark.parametrize("size", [2, 3])
def test_attacks_compose(size: int, invoice_forms: list[Page]) -> None:
    """A combination is its attacks one after the other, each with the random numbers that it has alone."""
    pytest.importorskip("faker")
    combinations = attacks.combinations(size)
    assert len(combinations) == len({frozenset(names) for names in combinations}) == {2: 91, 3: 364}[size]
    for number, names in enumerate(combinations[::12]):
        form = expected = invoice_forms[number % len(invoice_forms)]
        for name in names:
            expected = attacks.apply(name, expected, seed=1)
        attacked = attacks.apply(names, form, seed=1)
        assert attacked == expected
        allowed = frozenset[str]().union(*(attacks.ATTACKS[name].changes for name in names))
        assert changes(form, attacked) <= allowed


def test_an_attack_twice_is_not_the_same_twice(invoice_forms: list[Page]) -> None:
    form = invoice_forms[0]
    once = attacks.apply("global_shuffle", form, seed=0)
    assert attacks.apply(["global_shuffle", "global_shuffle"], form, seed=0) != attacks.apply(
        "global_shuffle", once, seed=0
    )


def test_a_larger_p_does_the_same_and_more(invoice_forms: list[Page]) -> None:
    for form in invoice_forms[:20]:
        few, more = ({word.id for word in attacks.apply("bg_drop", form, seed=0, p=p).words} for p in (0.2, 0.5))
        assert more <= few
