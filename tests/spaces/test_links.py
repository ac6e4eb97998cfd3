"""A link holds a page's state, and nothing that a link should not."""

from __future__ import annotations

import base64
import json
import random
import string
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docie.spaces.common import limits, reproducing
from docie.spaces.common.inputs import Form
from docie.spaces.common.limits import RefusedError

from sizes import examples


def decoded(query: str | None) -> Form:
    assert query is not None
    return reproducing.decode(query.removeprefix(f"?{reproducing.PARAMETER}="))


@given(
    st.builds(
        Form,
        references=st.text(max_size=200),
        predictions=st.text(max_size=200),
        form=st.sampled_from(["json", "llm", "donut"]),
        families=st.lists(st.sampled_from(["kieval", "hed"]), unique=True),
        options=st.dictionaries(st.text(max_size=5), st.one_of(st.booleans(), st.text(max_size=5), st.floats(0, 1))),
        confidence_level=st.none() | st.floats(0.1, 0.9),
        document=st.integers(0, 99),
    )
)
@examples(1000)
def test_they_go_round(form: Form) -> None:
    if form.families == []:
        form = Form(**{**vars(form), "families": ()})
    assert decoded(reproducing.encode(form)) == form


def test_what_is_too_long_has_no_link() -> None:
    noise = "".join(random.Random(0).choices(string.ascii_letters, k=2 * limits.MAX_LINK))
    assert reproducing.encode(Form(references=noise)) is None
    link = reproducing.encode(Form(references="x" * 100_000))
    assert link is not None
    assert len(link) < limits.MAX_LINK


def packed(values: Any) -> str:
    return base64.urlsafe_b64encode(zlib.compress(json.dumps(values).encode())).decode()


@pytest.mark.parametrize(
    "text",
    [
        "", "nonsense", "?", "a" * 5000, packed([]), packed("x"), packed({"unknown": 1}), packed({"references": 1}),
        packed({"document": "1"}), packed({"options": []}), packed({"references": "x"})[:-8], packed({"references": "x" * 10**7}),
    ],
)  # fmt: skip
def test_damaged_links_are_refused(text: str) -> None:
    with pytest.raises(RefusedError, match="damaged"):
        reproducing.decode(text)
