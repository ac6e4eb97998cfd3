"""Rows that are pages of the documents on the other side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from docie.core.reading import BY_NAME, Reading
from docie.documents.fit.change import Change
from docie.documents.fit.ids import SideRows, id_column, present
from docie.documents.pairs.pages import page_of
from docie.documents.pairs.sides import Listed


def pages(predictions: SideRows, references: SideRows, reading: Reading) -> Iterator[Change]:
    """The change to pages that are merged, if their names without numbers are the ids of the other side."""
    sides = {"reference": references, "prediction": predictions}
    keys = {side: id_column(rows, reading.id_key_of(side)) for side, rows in sides.items()}
    if None in keys.values() or reading.pages:
        return
    names = {side: [*map(reading.stripped, rows.columns[str(keys[side])])] for side, rows in sides.items()}
    for side, other in (("prediction", "reference"), ("reference", "prediction")):
        documents = {page_of(name)[0] for name in names[side]}
        if len(documents) < len(names[side]) and documents == {*names[other]}:
            asked = replace(reading, pages=(f"{side}s:{BY_NAME}",))
            rows = Listed(sides[side].with_ids(reading.id_key_of(side)), side, asked, accepts_text=True)
            merged = sides | {side: SideRows.listed([*rows.merged()])}
            sample = present(*(of_all := (merged["prediction"], merged["reference"])), asked).sample(*of_all, asked)
            text = f"the {side}s are pages, whose names end with their numbers"
            yield Change("join", {"pages": asked.pages}, sample.size, sample.agreed, text, sample)
