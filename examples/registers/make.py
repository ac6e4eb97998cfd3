"""Make the example registers: tagged words of invented parish records, and what a recogniser might read in them.

    python examples/registers/make.py [FOLDER]

This writes references/ and predictions/ with a file for each page, and a word and a tag on each line. The recogniser
misreads letters, loses and mistakes tags, and reads the records of some pages in another order.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from docie.adapters import bio

PAGES = 8
NAMES = ["Marguerite", "Jehan", "Perrine", "Guillaume", "Colette", "Bastien", "Aliénor", "Thomas", "Odile", "Renaud"]
SURNAMES = ["Lavigne", "du Moulin", "Charpentier", "Le Goff", "Picard", "de la Croix", "Fontaine", "Marchand"]
TRADES = ["charron", "tisserand", "laboureur", "maître boulanger", "marchand de draps", "vigneron"]
PLACES = ["Saint-Aubin", "Vaux le Comte", "La Roche", "Montfleury", "Pont-sur-Aure"]
MONTHS = ["janvier", "mars", "avril", "juin", "août", "octobre", "décembre"]
LOOKALIKES = {"a": "o", "e": "c", "i": "l", "n": "u", "r": "v", "t": "l", "m": "nn", "1": "7", "7": "1", "s": "f"}

Block = tuple[str | None, str]
"""The category of some words (None outside of entities), and the words."""


def record(rng: random.Random) -> list[Block]:
    """One record: who was married, when and where."""
    day, year = rng.randint(1, 28), rng.randint(1640, 1789)
    blocks: list[Block] = [(None, "Le"), ("date", f"{day} {rng.choice(MONTHS)} {year}"), (None, "ont été mariés")]
    for conjunction in ("", "et"):
        if conjunction:
            blocks.append((None, conjunction))
        blocks += [("name", rng.choice(NAMES)), ("surname", rng.choice(SURNAMES))]
        if rng.random() < 0.6:
            blocks.append(("occupation", rng.choice(TRADES)))
    if rng.random() < 0.8:
        blocks += [(None, "de"), ("place", rng.choice(PLACES))]
    return blocks


def read(blocks: list[Block], rng: random.Random) -> list[Block]:
    """The blocks as they were recognised."""
    result: list[Block] = []
    for category, words in blocks:
        if category and rng.random() < 0.05:
            category = None
        elif category in ("name", "surname") and rng.random() < 0.06:
            category = "place"
        result.append((category, "".join(misread(letter, rng) for letter in words)))
    return result


def misread(letter: str, rng: random.Random) -> str:
    """The letter, or sometimes one that looks like it."""
    return LOOKALIKES.get(letter, letter) if rng.random() < 0.06 else letter


def main(folder: Path) -> None:
    rng = random.Random(1789)
    for side in ("references", "predictions"):
        (folder / side).mkdir(parents=True, exist_ok=True)
    for number in range(PAGES):
        records = [record(rng) for _ in range(rng.randint(2, 4))]
        order = rng.sample(records, len(records)) if rng.random() < 0.5 else records
        for side, blocks in (
            ("references", [block for written in records for block in written]),
            ("predictions", read([block for written in order for block in written], rng)),
        ):
            bio.write(folder / side / f"page-{number + 1}.bio", **bio.encode(blocks))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
