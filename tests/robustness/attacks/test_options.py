"""Names, options, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from docie import attacks
from docie.robustness.attacks.entries import CHANGES, SOURCES
from docie.robustness.form import Page, Word

FORM = Page([Word("Total"), Word("Bye")], id="a")
PAPER = (
    "center_shift box_stretch margin_pad global_shuffle neighbor_shuffle non_neighbor_shuffle bg_drop neighbor_bg_drop key_drop "
    "bg_typo bg_synonyms bg_adversarial value_text_augment value_location_augment"
)


def test_names() -> None:
    assert attacks.names() == [*PAPER.split(), "value_location_move"]
    listed = attacks.names(own=True)
    assert listed[:15] == attacks.names()
    assert {*listed} == {*attacks.ATTACKS}
    assert {attacks.ATTACKS[name].source for name in listed[15:]} == {"docie"}
    assert {name for names in attacks.combinations(1) for name in names} == set(PAPER.split())


def test_every_attack_says_what_it_does() -> None:
    for name, attack in attacks.ATTACKS.items():
        assert attack.name == name
        assert attack.scales in attack.defaults
        assert attack.changes
        assert attack.changes <= set(CHANGES)
        assert attack.source in SOURCES
        assert attack.scaled(attack.defaults, 0.5)  # each default passes the check of its option
        assert re.fullmatch(r"[A-Z].{8,}\.", attack.summary), name
        assert not any(
            isinstance(value, list | dict | set) for value in attack.defaults.values()
        )  # nothing to be changed
        assert attack.summary.endswith(".")
        assert ". " not in attack.summary
        assert (attack.function.__doc__ or "").startswith(attack.summary)
    changing = {name for name, attack in attacks.ATTACKS.items() if not attack.preserves_texts}
    assert changing == {"value_text_augment"}
    moving = {
        name for name, attack in attacks.ATTACKS.items() if attack.preserves_texts and not attack.preserves_labels
    }
    assert moving == {"center_shift", "box_stretch", "margin_pad", "value_location_augment", "value_location_move"}


def test_the_defaults_of_the_paper() -> None:
    every = [attacks.ATTACKS[name] for name in attacks.names()]
    defaults = {attack.name: attack.defaults[attack.scales] for attack in every}
    assert {name: value for name, value in defaults.items() if value != 1.0} == {
        **dict.fromkeys(("center_shift", "box_stretch", "bg_drop", "bg_typo", "bg_synonyms", "bg_adversarial"), 0.1),
        "margin_pad": 0.3,
    }  # fmt: skip
    zones = [attack.defaults for attack in every if "expand" in attack.defaults]
    assert len(zones) == 4
    assert all((zone["expand"], zone["neighbor_words"]) == (0.02, 2) for zone in zones)


def test_options_go_to_the_attacks_that_have_them() -> None:
    each = [("bg_drop", {"p": 1.0}), "bg_typo"]
    assert attacks.apply(each, FORM, seed=0, p=0.0).words == ()
    assert attacks.apply(["bg_drop", "bg_typo"], FORM, seed=0, p=0.0, kinds=["swap"]) == FORM


def test_strength_multiplies_what_an_attack_scales() -> None:
    form = Page([Word("Total", (10, 10, 50, 20))], page=(100, 100))
    doubled = attacks.apply("center_shift", form, seed=0, strength=2)
    assert (
        doubled == attacks.apply("center_shift", form, seed=0, sigma=0.2) != attacks.apply("center_shift", form, seed=0)
    )
    assert attacks.apply("bg_drop", FORM, seed=0, strength=100).words == ()  # a probability is at most 1


@pytest.mark.parametrize(
    ("attack", "options", "message"),
    [
        ("bg_dorp", {}, f"unknown attack 'bg_dorp', expected one of {', '.join(attacks.names(own=True))}"),
        ([], {}, "attacks must be a name or a list of names, got []"),
        (None, {}, "attacks must be a name or a list of names, got None"),
        ([3], {}, "expected the name of an attack, or a name and its options, got 3"),
        ([("bg_drop", 3)], {}, "expected the name of an attack, or a name and its options, got ('bg_drop', 3)"),
        ("bg_drop", {"q": 1}, "unknown option 'q', expected one of p"),
        (["bg_drop", "bg_typo"], {"sigma": 1}, "unknown option 'sigma', expected one of character, kinds, p"),
        ([("bg_drop", {"q": 1})], {}, "unknown option 'q' of bg_drop, expected one of p"),
        ("bg_drop", {"p": 1.5}, "p must be between 0 and 1, got 1.5"),
        ("bg_drop", {"p": "a"}, "p must be between 0 and 1, got 'a'"),
        ("bg_drop", {"strength": -1}, "strength must be a number of at least 0, got -1"),
        ("bg_drop", {"strength": float("inf")}, "strength must be a number of at least 0, got inf"),
        ("bg_drop", {"seed": "a"}, "seed must be a whole number of at least 0, got 'a'"),
        ("center_shift", {"sigma": -0.1}, "sigma must be a number of at least 0, got -0.1"),
        ("center_shift", {"sigma": float("nan")}, "sigma must be a number of at least 0, got nan"),
        ("margin_pad", {"most": True}, "most must be a number of at least 0, got True"),
        ("neighbor_shuffle", {"neighbor_words": 1.5}, "neighbor_words must be a whole number of at least 0, got 1.5"),
        ("bg_typo", {"kinds": ["swop"]}, "kinds must be a list of swap, delete, insert, replace, got ['swop']"),
        ("bg_typo", {"kinds": 3}, "kinds must be a list of swap, delete, insert, replace, got 3"),
        ("bg_typo", {"character": "ab"}, "character must be one character, got 'ab'"),
        ("bg_synonyms", {"source": "thesaurus"}, "source must be 'wordnet' or 'lexicon', got 'thesaurus'"),
        ("ocr_confusion", {"on": "keys"}, "on must be 'background' or 'values' or 'all', got 'keys'"),
        ("value_text_augment", {"keep": "total"}, "keep must be a list of entity types, got 'total'"),
        ("value_text_augment", {"keep": None}, "keep must be a list of entity types, got None"),
        ("value_location_move", {"types": 3}, "types must be a list of entity types, got 3"),
    ],
)
def test_what_is_refused(attack: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as error:  # noqa: PT011 - the whole message is compared
        attacks.apply(attack, FORM, **{"seed": 0, **options})
    assert str(error.value) == message


def test_only_forms_are_attacked() -> None:
    with pytest.raises(ValueError, match="^expected a Page, got dict$"):
        attacks.apply("bg_drop", {"words": []}, seed=0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="^size must be at most 14, got 15$"):
        attacks.combinations(15)
