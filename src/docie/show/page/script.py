"""The script and the styles of a page, each from its files."""

from __future__ import annotations

import functools
import graphlib
import re
from collections import Counter
from importlib import resources
from importlib.resources.abc import Traversable

STYLES = ("look", "page", "aligned", "pages", "drawings", "lists", "judging", "print")
_IMPORT = re.compile(r'^import \{[^}]*\} from "\./(\w+)\.js";\n', re.MULTILINE)
_COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|// @ts-check)\n", re.MULTILINE | re.DOTALL)
_NAME = re.compile(r"^(?:export )?(?:const|let|class|(?:async )?function\*?) +(\w+)", re.MULTILINE)


@functools.cache
def script() -> str:
    """All modules as one, those first that others import, without the comments that stand alone.

    Raises:
        ValueError: if a name is defined at the top of two modules, or twice in one.
    """
    modules = {path.name.removesuffix(".js"): path.read_text(encoding="utf-8") for path in _files("script", ".js")}
    names = Counter(name for text in modules.values() for name in _NAME.findall(text))
    if twice := [name for name, number in names.items() if number > 1]:
        raise ValueError(f"defined twice at the top of modules: {', '.join(twice)}")
    order = graphlib.TopologicalSorter({name: _IMPORT.findall(text) for name, text in modules.items()}).static_order()
    texts = (_COMMENT.sub("", _IMPORT.sub("", modules[name])) for name in order)
    return "".join(re.sub(r"^export ", "", text, flags=re.MULTILINE) for text in texts)


@functools.cache
def styles(*names: str) -> str:
    """Style sheets as one, all of them by default; what comes later goes first."""
    texts = {path.name.removesuffix(".css"): path.read_text(encoding="utf-8") for path in _files("styles", ".css")}
    return "".join(texts[name] for name in names or STYLES)


def _files(folder: str, ending: str) -> list[Traversable]:
    found = (path for path in resources.files(__package__).joinpath(folder).iterdir() if path.name.endswith(ending))
    return sorted(found, key=lambda path: path.name)
