"""Records with one part changed: no reader of model output raises, and no value is lost without a word."""

from __future__ import annotations

import random

import pytest

from mutated import Losses, Record, records
from sizes import times

RECORDS = records()


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.name)
@times(3_000, 300)
def test_no_value_is_lost_without_a_word(record: Record, times: int) -> None:
    losses = Losses(record, random.Random(times))
    assert losses.planted
    losses.run(1 + times // len(RECORDS))
    assert losses.silent == {}
