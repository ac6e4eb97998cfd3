"""Planted differences of format: texts, and placeholders for what is not there."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from planted_sources import Document, Path_
from writing_cases import PREDICTIONS, SIDES, Difference, Rows, Sides, Write, all_values, both, documents, texts


def marked(sides: Sides) -> Sides:
    """Names that hold an apostrophe, a hyphen, an ampersand, an umlaut and quotes: the same ones on both sides."""

    def name(text: str) -> str:
        head, blank, rest = text.partition(" ")
        return f'{head}\'s "{rest}" & Söhne - Zürich' if blank else f"{head} - l'Été"

    return both(texts(name))(sides)


def wide(text: str) -> str:
    """Digits, letters and marks as wide as East Asian ones."""
    return "".join(chr(ord(each) + 0xFEE0) if "!" <= each <= "~" else each for each in text)


def mojibake(text: str) -> str:
    return text.encode().decode("cp1252", errors="replace")


def accents_dropped(text: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFD", text) if not unicodedata.combining(each))


TRANSLITERATED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "É": "E", "é": "e"})
TYPESET = str.maketrans({"'": "’", "-": "–"})
TEXTS: dict[str, dict[str, Callable[[str], str]]] = {
    "case": {"capitals": str.upper, "small letters": str.lower, "title": str.title, "first letter": str.capitalize},
    "blanks in texts": {
        "around": " {} ".format,
        "doubled": lambda text: text.replace(" ", "  "),
        "line break": lambda text: text.replace(" ", "\n", 1),
        "escaped line break": lambda text: text.replace(" ", "\\n", 1),
        "tabulator": lambda text: text.replace(" ", "\t", 1),
        "no-break": lambda text: text.replace(" ", "\N{NO-BREAK SPACE}"),
        "none": lambda text: text.replace(" ", ""),
        "of width zero": lambda text: f"\N{ZERO WIDTH SPACE}{text}",
    },
    "quotes and dashes": {
        "typographic": lambda text: re.sub(r'"(.*?)"', r"“\1”", text).translate(TYPESET),
        "German": lambda text: re.sub(r'"(.*?)"', r"„\1“", text).translate(TYPESET),
        "French": lambda text: re.sub(r'"(.*?)"', "«\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}»", text),
        "long dash": lambda text: text.replace("-", "—"),
        "backticks": lambda text: text.replace("'", "`"),
        "escaped": lambda text: text.replace('"', '\\"').replace("'", "\\'"),
        "doubled": lambda text: text.replace('"', '""'),
    },
    "HTML entities": {
        "named": lambda text: html.escape(text, quote=False),
        "numbered": lambda text: html.escape(text).replace("&#x27;", "&#39;"),
        "of letters": lambda text: text.encode("ascii", "xmlcharrefreplace").decode().replace("&", "&", 1),
    },
    "wrong encoding": {
        "UTF-8 as Windows": mojibake,
        "escapes": lambda text: text.encode("ascii", "backslashreplace").decode(),
    },
    "Unicode forms": {
        "decomposed": lambda text: unicodedata.normalize("NFD", text),
        "full width": wide,
        "soft hyphens": lambda text: text[:2] + "\N{SOFT HYPHEN}" + text[2:],
        "ligatures": lambda text: text.replace("fi", "ﬁ").replace("ss", "ß").replace("ff", "ﬀ"),
    },
    "accents": {"dropped": accents_dropped, "transliterated": lambda text: text.translate(TRANSLITERATED)},
    "marks of texts": {
        "in quotes": '"{}"'.format,
        "Markdown": "**{}**".format,
        "full stop": "{}.".format,
        "dash before": "- {}".format,
        "tag": "<b>{}</b>".format,
        "comma behind": "{},".format,
    },
}
MARKED = ("quotes and dashes", "HTML entities", "wrong encoding", "accents", "Unicode forms")
PLACEHOLDERS = ("N/A", "-", "null", "None", "not found", "unknown", "Not specified", "—", "NaN", "[]")


def placeholders(text: str) -> Write:
    """A placeholder for each field of the root, and of records, that a document does not have."""

    def write(rows: Rows, dice: Any) -> Rows:
        documents_of = [row["document"] for row in rows]
        fields = {k for each in documents_of for k, v in each.items() if not isinstance(v, dict | list)}
        inner: dict[str, set[str]] = {}
        for each in documents_of:
            for key, child in each.items():
                for record in child if isinstance(child, list) else [child]:
                    if isinstance(record, dict):
                        names = {k for k, v in record.items() if not isinstance(v, dict | list)}
                        inner.setdefault(key, set()).update(names)

        def filled(record: Any, names: set[str]) -> Any:
            if not isinstance(record, dict):
                return record
            return {
                **{name: text for name in sorted(names) if record.get(name) in (None, "")},
                **{k: v for k, v in record.items() if v not in (None, "")},
            }

        def written(document: Document) -> Document:
            done: Document = filled(document, fields)
            for key, child in done.items():
                names = inner.get(key, set())
                done[key] = [filled(each, names) for each in child] if isinstance(child, list) else filled(child, names)
            return done

        return documents(written)(rows, dice) or []

    return write


def wide_numbers(_: Path_, value: Any) -> Any:
    return wide(value) if isinstance(value, str) and re.search(r"\d", value) else value


_TOLD = {
    "case": r"casefold|case|capital|alphanumeric",
    "blanks in texts": r"blank|white ?space|alphanumeric|nfkc|spaces?|invisible|width|line break|contain",
    "quotes and dashes": r"quot|dash|punctuation|alphanumeric|typograph|apostrophe",
    "HTML entities": r"html|entit",
    "wrong encoding": r"mojibake|encod|escape|utf",
    "Unicode forms": r"nfkc|nfc|unicode|width|ligature|invisible|hyphen",
    "accents": r"accent|diacritic|umlaut|transliterat|letters?",
    "marks of texts": r"quot|punctuation|mark|alphanumeric|\btag|<b>|contain|full stop|begin|end",
}
_NOTHING = r"placeholder|nothing|empty|absent"

DIFFERENCES = [
    *(
        Difference(
            sort,
            name,
            texts(spell),
            rf"^(format|contains|warning).*({_TOLD[sort]})",
            names_types=True,
            prepare=marked if sort in MARKED else None,
        )
        for sort, spells in TEXTS.items()
        for name, spell in spells.items()
    ),
    Difference(
        "Unicode forms",
        "wide numbers",
        all_values(wide_numbers),
        rf"^(format|warning).*({_TOLD['Unicode forms']})",
        names_types=True,
    ),
    *(
        Difference(
            "placeholders",
            text,
            placeholders(text),
            rf"^(format|placeholders?|alone|ignore|failures|warning).*({_NOTHING}|{re.escape(text)})",
            side,
        )
        for side in SIDES
        for text in PLACEHOLDERS
        if side == PREDICTIONS or text == "N/A"
    ),
]
