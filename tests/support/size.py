"""How large the library is: lines of code by room, files, exported names, and functions with `Any`.

    python tests/support/size.py             # of this checkout
    python tests/support/size.py ../other    # of another one, to compare with

A line of code is one that is neither blank, nor a comment, nor part of a docstring. Templates, scripts, styles and word
lists are counted by themselves.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOTS = ("src/docie", "metrics", "adapters", "spaces")
BESIDE = {
    "*.j2": "templates",
    "*.js": "scripts",
    "*.css": "styles",
    "lexicon.txt": "word lists",
    "layouts.json": "layouts of services",
}
_NO_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Size(NamedTuple):
    """What is counted of files."""

    lines: int = 0
    files: int = 0
    exported: int = 0
    functions: int = 0
    with_any: int = 0

    def plus(self, other: Size) -> Size:
        """The sum."""
        return Size(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def size_of(source: str) -> Size:
    """The size of one file.

    >>> size_of('"Doc."' + chr(10) + "__all__ = ['f']" + chr(10) + "def f(x: Any) -> int:  # why" + chr(10) + " return 1")
    Size(lines=3, files=1, exported=1, functions=1, with_any=1)
    """
    tree = ast.parse(source)
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    return Size(
        lines=_code_lines(source, tree),
        files=1,
        exported=sum(map(_exported, tree.body)),
        functions=len(functions),
        with_any=sum(map(mentions_any, functions)),
    )


def _code_lines(source: str, tree: ast.Module) -> int:
    docstrings: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | Function) and ast.get_docstring(node, clean=False) is not None:
            docstrings.update(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type not in _NO_CODE:
            lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines - docstrings)


def _exported(statement: ast.stmt) -> int:
    """The names that a statement puts into `__all__`."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.List | ast.Tuple):
        return 0
    is_all = any(isinstance(target, ast.Name) and target.id == "__all__" for target in statement.targets)
    return len(statement.value.elts) if is_all else 0


def mentions_any(function: Function) -> bool:
    """Whether the signature of a function, or an annotation in its own body, has `Any`."""
    arguments = function.args
    annotated = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    annotations = [function.returns, *(each.annotation for each in annotated if each is not None)]
    annotations += [node.annotation for node in _own(function) if isinstance(node, ast.AnnAssign)]
    return any(
        isinstance(node, ast.Name) and node.id == "Any"
        for annotation in annotations
        if annotation is not None
        for node in ast.walk(annotation)
    )


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes in a function but those in functions and classes inside of it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, Function | ast.ClassDef):
            yield from _own(child)


def sizes(checkout: Path) -> dict[str, Size]:
    """The size of every room of a checkout, by its folder."""
    found: dict[str, Size] = {}
    for root in ROOTS:
        for path in sorted((checkout / root).rglob("*.py")):
            first, *rest = path.relative_to(checkout / root).parts
            room = f"{root}/{first}" if rest else root
            found[room] = found.get(room, Size()).plus(size_of(path.read_text(encoding="utf-8")))
    return found


def beside(checkout: Path) -> Counter[str]:
    """The lines that are no Python, by what they are."""
    return Counter(
        {
            name: sum(len(path.read_text(encoding="utf-8").splitlines()) for path in _files(checkout, pattern))
            for pattern, name in BESIDE.items()
        }
    )


def _files(checkout: Path, pattern: str) -> Iterator[Path]:
    for root in ROOTS:
        yield from (checkout / root).rglob(pattern)


def entries(checkout: Path) -> int:
    """The modules and folders of `src/docie`, without what is private."""
    found = (path for path in (checkout / "src" / "docie").iterdir() if not path.name.startswith(("_", ".")))
    return sum(path.suffix == ".py" or any(path.glob("*.py")) for path in found)


def main(checkout: Path) -> None:
    """Print the sizes."""
    by_room = sizes(checkout)
    rows = [*by_room.items()]
    for root in ROOTS:
        total = Size()
        for room, size in by_room.items():
            total = total.plus(size) if room == root or room.startswith(f"{root}/") else total
        rows.append((f"all of {root}", total))
    rows.append(("all", Size(*map(sum, zip(*by_room.values(), strict=True)))))
    print(f"{'lines':>7}{'files':>7}{'names':>7}{'functions':>11}{'with Any':>10}")
    for room, size in rows:
        share = f"{size.with_any / size.functions:.0%}" if size.functions else "–"
        print(f"{size.lines:7}{size.files:7}{size.exported:7}{size.functions:11}{share:>10}  {room}")
    print(f"entries of src/docie: {entries(checkout)}")
    print("beside it, lines: " + ", ".join(f"{name} {lines:,}" for name, lines in beside(checkout).items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2])
