"""Charts as SVG that stands inside an HTML page."""

from __future__ import annotations

import hashlib
import io
import re
import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.typing import ColorType

_FONT = re.compile(r"font-family:[^;]*;?\s*")
_REFERENCE = re.compile(r"#([\w.-]+)")


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
    >>> picture = svg(error_kinds({"form": {"substitution": 3}}))
    >>> picture[:4], "<title" in picture
    ('<svg', True)
    """
    figure = cast("Figure", axes.figure)
    root = ElementTree.fromstring(_drawn(figure))
    for element in root.iter():
        _simplify(element)
    for parent in [*root.iter()]:
        for child in [*parent]:
            if child.tag in ("metadata", "style"):  # a style would hold for the whole page
                parent.remove(child)
    _use_colours_of_the_page(root, set(map(_hex, _inks(figure))))
    prefix = _make_ids_unique(root)
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
    """What matplotlib writes, once the layout is at rest: a drawing begins with the layout of the one before."""
    if figure.get_layout_engine() is None:
        return _drawn_once(figure)
    earlier, picture = "", _drawn_once(figure)
    for _ in range(10):
        if picture == earlier:
            break
        earlier, picture = picture, _drawn_once(figure)
    return picture


def _drawn_once(figure: Figure) -> str:
    """Settings of matplotlib are changed for this moment only."""
    from matplotlib import rc_context

    file = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "docie"}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # the page's fonts have what this one lacks
        figure.savefig(file, format="svg", transparent=True, metadata=nothing)
    return file.getvalue()


def _simplify(element: ElementTree.Element) -> None:
    """Names without namespaces, as HTML has them; no fonts."""
    element.tag = element.tag.rpartition("}")[2]
    for name in [*element.attrib]:
        value = element.attrib.pop(name)
        element.set(name.rpartition("}")[2], _FONT.sub("", value) if name == "style" else value)
    if element.tag != "text":
        element.text = None if element.text is None or not element.text.strip() else element.text
    element.tail = None


def _inks(figure: Figure) -> Iterator[ColorType]:
    """The colours of texts and axes."""
    for axes in figure.axes:
        for text in (axes.title, axes.xaxis.label, axes.yaxis.label, *axes.get_xticklabels(), *axes.get_yticklabels()):
            yield text.get_color()
        for spine in axes.spines.values():
            yield spine.get_edgecolor()


def _hex(colour: ColorType) -> str:
    from matplotlib.colors import to_hex

    return str(to_hex(colour))


def _use_colours_of_the_page(root: ElementTree.Element, inks: set[str]) -> None:
    pattern = re.compile(rf"(fill|stroke): (?:{'|'.join(sorted(inks))})\b")
    for element in root.iter():
        if "style" in element.attrib:
            element.set("style", pattern.sub(r"\1: currentColor", element.attrib["style"]))


def _make_ids_unique(root: ElementTree.Element) -> str:
    """Give ids a prefix that depends on all of the picture, and drop those that nothing refers to."""
    digest = hashlib.sha256(ElementTree.tostring(root)).hexdigest()[:12]
    prefix = f"docie-{digest}-"
    known = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    used = set()
    for element in root.iter():
        for name in ("href", "clip-path", "style"):
            for reference in _REFERENCE.findall(element.get(name, "")):
                if reference in known:
                    used.add(reference)
                    element.set(name, element.attrib[name].replace(f"#{reference}", f"#{prefix}{reference}"))
    for element in root.iter():
        identifier = element.attrib.pop("id", None)
        if identifier in used:
            element.set("id", f"{prefix}{identifier}")
    return prefix
