"""Whether two texts differ in accents, case, punctuation or blanks only: to explain errors, not to score."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from docie.core.normalizers.texts import narrow
from docie.core.normalizers.typography import folded

LONGEST = 1000
"""The longest text that is compared, in characters."""
KINDS = "accents", "case", "punctuation", "blanks"
_TWO = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "æ": "ae", "ø": "oe", "œ": "oe"}
_IN_TWO = str.maketrans(_TWO | {letter.upper(): two.title() for letter, two in _TWO.items()})
_ACCENTS = re.compile("[\u0300-\u036f]+")
_MARK = r"""[_.,:;!?¡¿"'´*~/\\|&@()\[\]{}•·、。・「」『』【】《》]"""
_SIGNS = re.compile(rf"(?<!\d){_MARK}|{_MARK}(?!\d)|(?<!\w)-(?!\w)|(?<=[^\W\d])-(?=[^\W\d])")
"""Signs but those between digits, and hyphens that may be a minus."""
_BLANKS = re.compile(r"(?<!\d)\s+|\s+(?!\d)")


@lru_cache(maxsize=4096)
def signless(text: str, *, but: str = "", is_in_two: bool = False) -> str:
    """A text without its signs, but for those of one kind; nothing for a long text, or one without letters.

    >>> signless("Chez «L'Été»"), signless("Zürich", is_in_two=True), signless("1.5 l, A+"), signless("-9.15")
    ('chezlete', 'zuerich', '1.5la+', '')
    """
    text = narrow(folded(text)) if len(text) <= LONGEST else ""
    if but != "accents":
        text = unicodedata.normalize("NFD", text.translate(_IN_TWO) if is_in_two else text)
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", text))
    text = text if but == "case" else text.casefold()
    text = text if but == "punctuation" else _SIGNS.sub("", text)
    text = text if but == "blanks" else _BLANKS.sub("", text)
    return text if any(map(str.isalpha, text)) else ""


def differences(one: str, other: str) -> list[str] | None:
    """The kinds of signs in which two texts differ; None if they differ in more.

    >>> differences("Cafe", "Café"), differences("**Tea Room**", "Tea-Room"), differences("C#", "C")
    (['accents'], ['punctuation', 'blanks'], None)
    """
    for is_in_two in (False, True):
        key = signless(one, is_in_two=is_in_two)
        if key and key == signless(other, is_in_two=is_in_two):
            keys = ((signless(text, but=kind, is_in_two=is_in_two) for text in (one, other)) for kind in KINDS)
            return [kind for kind, (mine, yours) in zip(KINDS, keys, strict=True) if mine != yours]
    return None
