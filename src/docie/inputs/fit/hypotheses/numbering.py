"""Keys that only number the rows of one side, and are scored."""

from __future__ import annotations

from collections.abc import Iterator

from docie.inputs.fit.change import LEAST, Change
from docie.inputs.fit.rows import is_id_name
from docie.inputs.fit.sample import SIDES, Sample
from docie.inputs.reading import both


def propose(sample: Sample) -> Iterator[Change]:
    """Keys that only number the rows of one side, and are scored."""
    for place, side in enumerate(SIDES):
        rows = [pair[place] for pair in sample.documents if isinstance(pair[place], dict)]
        for key in rows[0] if len(rows) >= LEAST else ():
            if key and isinstance(key, str) and is_id_name(key) and key not in sample.types[1 - place]:
                ids = {str(row[key]) for row in rows if isinstance(row.get(key), str | int)}
                if len(ids) == len(rows):
                    text = f"{key!r} only numbers the rows of the {side}s, and is scored as an entity type"
                    yield Change("join", both("ignore", [key]), len(rows), 0, text, sample.under(both("ignore", [key])))
