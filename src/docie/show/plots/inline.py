"""Charts as SVG that stands inside an HTML page."""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FONT = re.compile(r"font-family:[^;]*;?\s*")
_REFERENCE = re.compile(r'( id="|url\(#|href="#)')


def svg(axes: Axes, *, title: str | None = None) -> str:
    """The figure of a chart as an SVG element for an HTML page.

    It needs nothing from elsewhere and runs no script. Texts are texts, in the page's sans-serif font; they and the
    axes have the colour of the page's text (`currentColor`), on no background, so a dark page shows them too. Its ids
    are its own, so a page may hold many charts. The same chart gives the same text.

    Args:
        axes (matplotlib.axes.Axes): axes of the figure.
        title (str): what a screen reader says; None for the title or the label of the axes.

    Returns:
        str: one `<svg>` element.

    >>> from docie.show.plots import error_kinds
    >>> picture = svg(error_kinds({"format": {"substitution": 3}}))
    >>> picture[:4], "<title" in picture
    ('<svg', True)
    """
    figure = cast("Figure", axes.figure)
    drawn = _drawn(figure)
    prefix = f"docie-{hashlib.sha256(drawn.encode()).hexdigest()[:12]}-"
    root = ElementTree.fromstring(_REFERENCE.sub(rf"\1{prefix}", drawn))
    for element in root.iter():
        _simplify(element)
    for parent in [*root.iter()]:
        for child in [*parent]:
            if child.tag in ("metadata", "style"):  # a style would hold for the whole page
                parent.remove(child)
    _use_colours_of_the_page(root, figure)
    heading = ElementTree.Element("title", id=f"{prefix}title")
    heading.text = title or axes.get_title() or axes.get_label() or "chart"
    root.insert(0, heading)
    root.attrib |= {
        "xmlns": "http://www.w3.org/2000/svg",
        "role": "img",
        "aria-labelledby": f"{prefix}title",
        "direction": "ltr",
        "fill": "currentColor",
        "font-family": "sans-serif",
        "overflow": "visible",  # fonts differ in width
        "stroke-linecap": "butt",
        "stroke-linejoin": "round",
    }
    return ElementTree.tostring(root, encoding="unicode")


def _drawn(figure: Figure) -> str:
    """What matplotlib writes, once the layout is at rest: a drawing begins with the layout of the one before.

    Settings of matplotlib are changed for this moment only.
    """
    from matplotlib import rc_context

    nothing, picture = dict.fromkeys(("Date", "Creator", "Format", "Type")), ""
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "docie"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # the page's fonts have what this one lacks
        for _ in range(11):
            earlier, file = picture, io.StringIO()
            figure.savefig(file, format="svg", transparent=True, metadata=nothing)
            picture = file.getvalue()
            if picture == earlier:
                break
    return picture


def _simplify(element: ElementTree.Element) -> None:
    """Names without namespaces, as HTML has them; no fonts; no ids of what nothing refers to."""
    element.tag = element.tag.rpartition("}")[2]
    if element.tag in ("svg", "g"):
        element.attrib.pop("id", None)
    for name in [*element.attrib]:
        value = element.attrib.pop(name)
        element.set(name.rpartition("}")[2], _FONT.sub("", value) if name == "style" else value)
    if element.tag != "text":
        element.text = None if element.text is None or not element.text.strip() else element.text
    element.tail = None


def _use_colours_of_the_page(root: ElementTree.Element, figure: Figure) -> None:
    """Those of texts and axes become the colour of the page's text."""
    from matplotlib.colors import to_hex

    inks = set[str]()
    for axes in figure.axes:
        labels = *axes.get_xticklabels(), *axes.get_yticklabels()
        inks |= {to_hex(text.get_color()) for text in (axes.title, axes.xaxis.label, axes.yaxis.label, *labels)}
        inks |= {to_hex(spine.get_edgecolor()) for spine in axes.spines.values()}
    pattern = re.compile(rf"(fill|stroke): (?:{'|'.join(inks)})\b")
    for element in root.iter():
        if "style" in element.attrib:
            element.set("style", pattern.sub(r"\1: currentColor", element.attrib["style"]))
