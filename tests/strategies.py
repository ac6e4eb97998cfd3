"""Random documents from three or four values, so that ties are everywhere."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

VALUES = st.sampled_from(["1", "2", "3", "12"])
CONFIDENCES = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0])
LEAVES = st.one_of(VALUES, st.builds(lambda value, confidence: {"value": value, "confidence": confidence}, VALUES, CONFIDENCES))  # fmt: skip
ONE_OFS = st.one_of(VALUES, st.tuples(VALUES, VALUES))


def _groups(leaves: st.SearchStrategy[Any], most: int) -> st.SearchStrategy[Any]:
    fields = st.one_of(leaves, st.lists(leaves, max_size=2))
    flat = st.dictionaries(st.sampled_from("ab"), fields, max_size=2)
    nested = st.one_of(flat, st.builds(lambda group, sub: {**group, "sub": sub}, flat, st.lists(flat, max_size=2)))
    return st.lists(nested, max_size=most)


def documents(leaves: st.SearchStrategy[Any] = LEAVES, most: int = 3) -> st.SearchStrategy[dict[str, Any]]:
    """JSON objects with ungrouped values `x`, `y` and groups `g`, `h`, at most `most` of each type."""
    loose = st.one_of(leaves, st.lists(leaves, max_size=3))
    return st.fixed_dictionaries(
        {}, optional={"x": loose, "y": loose, "g": _groups(leaves, most), "h": _groups(leaves, most)}
    )


def shuffled(value: Any, rng: random.Random) -> Any:
    """The same document with its groups, the values in them and its keys in another order."""
    if isinstance(value, dict):
        keys = rng.sample(list(value), len(value))
        return {key: shuffled(value[key], rng) for key in keys}
    if isinstance(value, list):
        return [shuffled(element, rng) for element in rng.sample(value, len(value))]
    return value
