"""One spelling for characters that were encoded or typeset: entities, mojibake, quotes, dashes and spaces."""

from __future__ import annotations

import html
import re

_BYTES = {chr(byte): byte for byte in range(0x80, 0x100)} | {
    bytes([byte]).decode("cp1252"): byte for byte in range(0x80, 0xA0) if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
"""From each character that is not ASCII to its byte in Windows-1252, or in Latin-1."""
_REST = "".join(character for character, byte in _BYTES.items() if byte < 0xC0)
_MOJIBAKE = re.compile(f"[ÂÃÄÅÈÎÏÐÑ][{_REST}]|(?:[×ØÙ][{_REST}]){{2,}}|[à-ï][{_REST}]{{2}}|[ð-ô][{_REST}]{{3}}")
"""UTF-8 that was read as Windows-1252 or Latin-1. Of two characters, the first is one that begins letters in use; those
of Hebrew and Arabic stand alone elsewhere, as in `Ø½` and `2×½`."""
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_NESTED = re.compile(r"&(?:(?:amp|AMP|#38|#[xX]26);)+")
"""An ampersand that was escaped, as often as it was."""
_ESCAPE = re.compile(
    r"(?<!\\)\\+(?:u(?!00(?:[01]|5[cC])|[dD][89a-fA-F])([0-9a-fA-F]{4})|x(?![01]|5[cC])([0-9a-fA-F]{2})|([nrt\"'/]))"
)
"""A character as JSON and Python escape it, however often, but for halves of pairs."""
_INSIDE_QUOTES = re.compile("«[ \u00a0\u202f]|[ \u00a0\u202f]»")
_SIGNS = {
    **dict.fromkeys("`‘’‚‛′´ʼ‹›", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―", "-"),
    **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000", " "),
    **dict.fromkeys("\u00ad\u200b\u200e\u200f\u2060\ufeff", ""),
    "…": "...",
}
_FOLDED = str.maketrans(_SIGNS)


def typography(text: str) -> str:
    """Write quotes, dashes and spaces as a keyboard does, and characters that were encoded as themselves.

    Typographic quotes, apostrophes and backticks become straight ones, dashes hyphens (a minus sign stays),
    non-breaking and thin spaces blanks; soft hyphens, characters without width and the blanks inside « » are dropped.
    HTML entities and escapes (`\\u00e4`, `\\n`, `\\'`) are decoded, and UTF-8 that was read as Windows-1252 or Latin-1
    is decoded again.

    Args:
        text (str): the text.

    Returns:
        str: the text in plain characters.

    >>> typography("“Joe’s” – R&amp;D"), typography("BÃ¤ckerei"), typography("12\\u202f500 m²"), typography("&unknown;")
    ('"Joe\\'s" - R&D', 'Bäckerei', '12 500 m²', '&unknown;')
    >>> typography("« Chez `Ali` »"), typography("B\\\\u00e4ckerei"), typography("Tea\\\\nRoom")
    ('"Chez \\'Ali\\'"', 'Bäckerei', 'Tea\\nRoom')
    """
    text = str(text)
    while (plain := folded(decoded(text))) != text:
        text = plain
    return text


def decoded(text: str) -> str:
    """The text without HTML entities, escapes and mojibake: what was encoded twice is decoded twice.

    >>> decoded("caf&eacute;"), decoded("cafÃ©"), decoded("R&amp;amp;D"), decoded("CAFÉ–BAR"), decoded("caf\\\\xe9")
    ('café', 'café', 'R&D', 'CAFÉ–BAR', 'café')
    """
    while "&" in text or "\\" in text or not text.isascii():
        plain = _ENTITY.sub(_entity, _NESTED.sub("&", text)) if "&" in text else text
        plain = _ESCAPE.sub(_escaped, plain) if "\\" in plain else plain
        plain = plain if plain.isascii() else _MOJIBAKE.sub(_character, plain)
        if plain == text:
            break
        text = plain
    return text


def folded(text: str) -> str:
    """The text with plain quotes, dashes and spaces."""
    if text.isascii():
        return text.replace("`", "'")
    return _INSIDE_QUOTES.sub('"', text).translate(_FOLDED)


def _entity(match: re.Match[str]) -> str:
    """The character that an entity stands for, but for a backslash, which would begin another escape."""
    return html.unescape(match[0]).replace("\\", match[0])


def _escaped(match: re.Match[str]) -> str:
    """The character that an escape stands for."""
    code, sign = match[1] or match[2], match[3]
    return chr(int(code, 16)) if code else {"n": "\n", "r": "\r", "t": "\t"}.get(sign, sign)


def _character(match: re.Match[str]) -> str:
    """The character whose UTF-8 was read as several; the text as it is if they are none."""
    try:
        return bytes(_BYTES[character] for character in match[0]).decode()
    except UnicodeDecodeError:
        return match[0]
