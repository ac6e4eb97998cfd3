"""No way to cheat a reward earns as much as an honest answer of which half is correct."""

from __future__ import annotations

import json

import pytest

from cheats import CHEATS, HONEST, RECEIPT, REWARDS, earned

UNREADABLE = {
    "nothing at all",
    "a refusal",
    "an empty object",
    "an empty list",
    "every key, with null or a blank",
    "the prompt, repeated",
    "thoughts alone",
    "thoughts that do not end",
    "thoughts alone, of another model",
}


def test_each_way_to_cheat_earns_less_than_an_honest_half() -> None:
    (_, honest), *cheats = earned()
    assert len(cheats) == len(CHEATS) >= 20
    assert all(0.5 <= reward < 0.7 for reward in honest)
    for name, rewards in cheats:
        assert len(rewards) == len(REWARDS)
        assert all(reward < half for reward, half in zip(rewards, honest, strict=True)), name


@pytest.mark.parametrize("name", sorted(UNREADABLE))
def test_no_answer_cannot_be_read(name: str) -> None:
    assert {reward.of(CHEATS[name], RECEIPT) for reward in REWARDS.values()} == {-1.0}


@pytest.mark.parametrize("trick", range(6))
def test_tricks_add_nothing_to_an_honest_answer(trick: int) -> None:
    """They copy correct values to where they are no values of these fields."""
    answer = json.dumps(HONEST)
    answers = [
        f"<think>{json.dumps(RECEIPT)}</think>{answer}",
        f"{json.dumps(RECEIPT)}\n```json\n{answer}\n```",
        json.dumps(HONEST | {"reference": RECEIPT}),
        json.dumps(HONEST | {"ground_truth": RECEIPT, "id": "1"}),
        json.dumps({"reference": RECEIPT, "prediction": HONEST}),
        json.dumps(HONEST | {"Tax": RECEIPT["tax"], "DATE": RECEIPT["date"]}),
    ]
    for reward in REWARDS.values():
        honest, found = reward.of(answer, RECEIPT), reward.of(answers[trick], RECEIPT)
        assert honest is not None
        assert found is not None
        assert found <= honest, reward.__name__
