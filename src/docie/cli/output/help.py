"""The help of a command: a line or two for each option, in groups."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand

if TYPE_CHECKING:
    from typer import Context


class WithShortHelp(TyperCommand):
    """A command whose help fits on a screen: `docs/options.md` has the rest of what is said about its options."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """What follows the name of the command in its usage."""
        arguments = [each for each in self.params if each.param_type_name == "argument"]
        return ["[OPTIONS]", *(_value(each) if each.required else f"[{_value(each)}]" for each in arguments)]

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write what the arguments and the groups of options are. That `--help` prints this is left out."""
        groups = _groups(ctx)
        options = [name for title, rows in groups.items() if title != "Arguments" for name, _ in rows]
        for title, rows in groups.items():
            width = 0 if title == "Arguments" else max(map(len, options))
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), said) for name, said in rows])


def _groups(context: Context) -> dict[str, list[tuple[str, str]]]:
    """The rows of the help, by the titles above them."""
    found: dict[str, list[tuple[str, str]]] = {}
    for parameter in context.command.params:
        is_argument = parameter.param_type_name == "argument"
        title = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None) or "Options"
        name = _value(parameter) if is_argument else f"{max(parameter.opts, key=len)} {_value(parameter)}"
        found.setdefault(title, []).append((name.rstrip(), _said(parameter)))
    return found


def _value(parameter: Any) -> str:
    """What stands for the value of a parameter; nothing for a flag."""
    return "" if getattr(parameter, "is_flag", False) else str(parameter.metavar or parameter.name.upper())


def _said(parameter: Any) -> str:
    """The first paragraph of what is said about a parameter, and its default."""
    default = parameter.default.value if isinstance(parameter.default, Enum) else parameter.default
    is_told = isinstance(default, int | float | str) and not isinstance(default, bool) and parameter.show_default
    said = str(parameter.help or "").partition("\n\n")[0]
    return f"{said.rstrip('.')} (default: {default})." if is_told else said
