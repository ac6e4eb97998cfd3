"""From data to HTML: templates and style sheets, and signs for invisible characters in texts of users."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Mapping
from importlib import resources
from typing import Any, NamedTuple

from docie.core.explanation import Explanation, Fields
from docie.core.phrases import printable
from docie.core.scores import rounded
from docie.core.settings import check_whole
from docie.metrics import kieval
from docie.show.report.fields import blocks_of, runs
from docie.show.report.output import imported

OWN = "docie.show.report"
"""The package with the templates and styles of reports."""
SPACE = "␣"
MOST_ENTITIES = 500
"""The errors of a document that its view shows, and as many correct values."""
_SIGNS = {"\n": "↵", "\t": "⇥"}
_INVISIBLE = (
    "\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ufffe\uffff\ud800-\udfff"
)
_OTHER_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"


@functools.cache
def environment(package: str = OWN) -> Any:
    """The templates of Jinja, of a package and those of `docie.report`. They escape all values.

    Their filters are `pieces` for texts of users, `printable` for such texts in attributes, `rounded` for scores,
    `runs` for what is folded, and `kind` for the name of a part's type.
    """
    jinja2 = imported("jinja2")
    result = jinja2.Environment(
        loader=jinja2.ChoiceLoader([*map(jinja2.PackageLoader, dict.fromkeys((package, OWN)))]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    result.filters |= {"pieces": pieces, "printable": printable, "rounded": rounded, "runs": runs, "id": id}
    result.filters["kind"] = lambda part: type(part).__name__
    return result


def aligned_view(
    prediction: object,
    reference: object,
    settings: kieval.Settings | None = None,
    *,
    document: str | int | None = None,
    most_entities: int = MOST_ENTITIES,
) -> str:
    """One document side by side: groups as KIEval matched them, every value correct or with its error.

    It needs no script, and the styles of `aligned_styles`. In a notebook:
    `HTML(f"<style>{aligned_styles()}</style>{aligned_view(prediction, reference)}")`.

    Args:
        prediction (dict): the predicted document. Anything else counts as the empty document, and the view says so.
        reference (dict): the reference document.
        settings (kieval.Settings): the options of KIEval; None for the defaults.
        document (str or int): its name, as a title; None for no title.
        most_entities (int): at most so many errors are shown, and as many correct values. The view says how many
            are not.

    Returns:
        str: a fragment of HTML. All texts of the documents in it are escaped.

    Raises:
        DocumentError: for a document that cannot be read.
        ValueError: if `most_entities` is less than 1.
        ModuleNotFoundError: without the packages of the extra `report`.

    >>> html = aligned_view({"total": "<b>12"}, {"total": "<b>12"})
    >>> "1 of 1 value correct" in html, "<b>" in html, "&lt;b&gt;12" in html
    (True, False, True)
    """
    explanation = kieval.explain(prediction, reference, settings or kieval.Settings())
    return explanation_view(explanation, "" if document is None else str(document), most_entities=most_entities)


def explanation_view(
    explanation: Explanation,
    title: str = "",
    *,
    most_entities: int = MOST_ENTITIES,
    folds: bool = False,
    numbers: bool = False,
    anchors: Mapping[int, str] | None = None,
) -> str:
    """The sentence of an explanation, and its values side by side, as `aligned_view` shows them.

    Args:
        explanation (Explanation): what a family's `explain` gives. Of its drawings, the `Fields` are shown.
        title (str): a title; "" for none.
        most_entities (int): as in `aligned_view`.
        folds (bool): whether correct values between errors are folded.
        numbers (bool): whether rows bear the numbers of their pairs, by which `scans_view` knows them.
        anchors (dict): from the numbers of some pairs to what links call their rows; None for none.

    Returns:
        str: a fragment of HTML. All texts of the documents in it are escaped.

    Raises:
        ValueError, ModuleNotFoundError: as `aligned_view`.

    >>> "marked<ins>!</ins>" in explanation_view(kieval.explain({"total": "marked"}, {"total": "marked!"}))
    True
    """
    check_whole("most_entities", most_entities, 1)
    template, shown = environment().get_template("fields.html.j2"), list[str]()
    places = {id(pair): number for number, pair in enumerate(explanation.pairs)} if numbers else {}
    named = {id(explanation.pairs[number]): anchor for number, anchor in (anchors or {}).items()}
    for fields in (drawing for drawing in explanation.drawings if isinstance(drawing, Fields)):
        blocks, omitted = blocks_of(fields, most_entities)
        more = {"omitted": omitted, "folds": folds, "places": places, "anchors": named}
        shown.append(template.render(title=title, explanation=explanation, fields=fields, blocks=blocks, **more))
    return "".join(shown)


def aligned_styles() -> str:
    """The styles of `aligned_view` and of pictures of pages and forms, once for a page.

    All class names begin with "docie-". Light and dark follow the system, else an element around the view with
    `data-theme="light"` or `data-theme="dark"`, or the theme of Gradio and of Jupyter.

    Returns:
        str: a style sheet (CSS).

    >>> ".docie-aligned" in aligned_styles()
    True
    """
    return "".join(map(static, ("look.css", "aligned.css", "pages.css")))


def static(name: str, package: str = OWN) -> str:
    """The text of a file in the folder `static` of a package."""
    return resources.files(package).joinpath("static", name).read_text(encoding="utf-8")


class Piece(NamedTuple):
    """A piece of a text. With a `name`, it is a sign that stands for the character of this name."""

    text: str
    name: str = ""


def pieces(text: str, *, is_first: bool = True, is_last: bool = True, is_changed: bool = False) -> list[Piece]:
    """A text, or a part of one, with signs for characters that cannot be seen.

    These are control characters, those that turn the direction of writing, lone surrogates (which no file can hold),
    and spaces at the ends of the whole text. In what two texts differ in (`is_changed`), spaces at its own ends have
    signs too, and spaces that only look like one.

    >>> [piece.text for piece in pieces(" 12\\u202e.00")]
    ['␣', '12', 'U+202E', '.00']
    """
    edges = "^ +|" * (is_first or is_changed) + r" +\Z|" * (is_last or is_changed)
    found, end = list[Piece](), 0
    for sign in re.finditer(f"{edges}[{_INVISIBLE}{_OTHER_SPACES * is_changed}]", text):
        found += [Piece(text[end : sign.start()]), _sign(sign.group())]
        found += [Piece("\n")] * (sign.group() == "\n")  # the line still ends here
        end = sign.end()
    return [piece for piece in [*found, Piece(text[end:])] if piece.text]


def _sign(character: str) -> Piece:
    """The sign for a character, or for spaces."""
    if character[0] == " ":
        return Piece(SPACE * len(character), "space")
    code = f"U+{ord(character):04X}"
    return Piece(_SIGNS.get(character, code), f"{code} {unicodedata.name(character, '')}".rstrip())
