"""The parts of pages that are written from the code: scores, options, leaf keys, and options of commands.

In a page, such a part stands between two comments. The first one names it:

    <!-- generated: scores kieval -->        what the scores of a family mean, from its SCORES
    <!-- generated: options kieval -->       the options of a family, from its Settings
    <!-- generated: options all -->          the options that all families share
    <!-- generated: families -->             a table of the families: a row by hand stays; others have the question of the card
    <!-- generated: protocols -->            all protocols, and those that cannot be made yet (waiting protocols)
    <!-- generated: cards -->                the cards of all families, each with its question
    <!-- generated: faults -->               the scores of seven predictions (examples/faults.py)
    <!-- generated: cheats -->               what cheating a reward earns (cheats.py)
    <!-- generated: forms -->                all forms of documents, with what to type (forms/table.py)
    <!-- generated: attacks -->             all attacks: what they do, options, what they may change (attack_parts.py)
    <!-- generated: attacks on a form -->   what attacks make of a form: the last column; the others are written by hand
    <!-- generated: normalizers -->          what the normalizers at the top of this table make of its texts
    <!-- generated: leaf keys -->            the keys of a value with a confidence
    <!-- generated: measured cord -->       what a script measured on real data and wrote there; a test of its own compares
    <!-- generated: command score -->        the options of a command, from its help; of others, those that score has not
    ...
    <!-- end -->
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Iterable, Mapping
from enum import Enum
from pathlib import Path
from typing import Any, get_type_hints

import docie
from docie import corpus, protocols, tables
from docie.core.family import card, get
from docie.core.normalizers.specs import normalizer_of
from docie.core.scores import COMMON, Score, headline_of
from docie.core.settings import Valued
from docie.corpus.evaluation import RESULT_OPTIONS
from docie.documents.leaves import LEAF_KEYS

import attack_parts
from checkout import ROOT
from forms.table import ALL, FORMS, PYTHON_FORMS

PART = re.compile(r"(<!-- generated: (.*?) -->\n)(.*?)(?=<!-- end -->)", re.DOTALL)
SHARED = "docs/python.md#options-of-all-metrics"
RANGES = {
    "share": "0 to 1",
    "documents": "0 to 1",
    "difference": "−1 to 1",
    "rate": "rate, may exceed 1",
    "count": "count",
    "length": "characters",
    "cost": "your unit",
}
"""What the cards write for the kind of a score."""


def with_generated_parts(text: str, page: Path) -> str:
    """The text of a page with its generated parts as the code has them."""
    return PART.sub(lambda part: part[1] + _content(part[2], page, part[3]), text)


def _content(name: str, page: Path, shown: str) -> str:
    kind, _, of_what = name.partition(" ")
    if name == "leaf keys":
        required, rest = ([f"`{key}`" for key in keys] for keys in (LEAF_KEYS[:2], LEAF_KEYS[2:]))
        return f"Required keys: {', '.join(required)}. Optional keys: {', '.join(rest)}.\n"
    if name == "families":
        return families(shown, page)
    if name == "protocols":
        return _table(("name", "what it is", "metric", "quoted", "compared"), map(protocol_row, protocols.names()))
    if name == "waiting protocols":
        waiting = map(protocols.get, protocols.names(waiting=True))
        return _table(
            ("name", "what it is", "what is missing"),
            ((f"`{each.name}`", each.title, each.missing) for each in waiting),
        )
    if name == "cards":
        cards = {f"{_root(page)}metrics/{family}/README.md": card(family) for family in docie.families()}
        return _table(("metric", "question"), ((f"[{c['title']}]({link})", c["question"]) for link, c in cards.items()))
    if name == "normalizers":
        return normalized(shown)
    if name == "attacks":
        return _table(("attack", "what it does", "default options", "may change"), attack_parts.all_attacks())
    if name == "attacks on a form":
        head, _, *rows = _rows(shown)
        return _table((*head,), attack_parts.on_a_form(rows))
    if name == "forms":
        return forms()
    if name == "faults":
        return tables.markdown(importlib.import_module("faults").table()) + "\n"  # examples/faults.py
    if name == "cheats":
        return tables.markdown(importlib.import_module("cheats").table()) + "\n"
    if kind == "measured":
        return shown
    if kind == "scores":
        return scores(COMMON if of_what == "all" else get(of_what).SCORES)
    if kind == "options":
        return shared_options() if of_what == "all" else options(of_what, page)
    if kind == "command":
        return options_of_command(of_what)
    raise ValueError(f"{page}: unknown generated part {name!r}")


def protocol_row(name: str) -> tuple[str, ...]:
    """A protocol in the table of all of them."""
    protocol = protocols.get(name)
    compared = [
        f"{each.documents:,}" + (f", {each.differences:,} differ" if each.differences else "")
        for each in protocol.compared
    ]
    return f"`{name}`", protocol.title, f"`{protocol.metric}`", protocol.called, "; ".join(compared)


def families(shown: str, page: Path) -> str:
    """A table of families, in which each has a row that begins or goes on with its name."""
    rows = ""
    for name in docie.families():
        question, link = card(name)["question"], f"[`{name}`]({_root(page)}metrics/{name}/README.md)"
        if f"`{name}`" not in shown:
            head = shown.partition("\n")[0].count("|")  # of the README: with the headline, too
            rows += (
                f"| {question} | {link} | `{headline_of(get(name))}` |\n"
                if head == 4
                else f"| `{name}` | {question} |\n"
            )
    return shown + rows


def _root(page: Path) -> str:
    """The way from a page to the root."""
    return "../" * len(page.parent.relative_to(ROOT).parts)


def forms() -> str:
    """A table of all forms of documents."""
    rows = [
        (
            form.name,
            f"`docie score {form.typed}`",
            (", ".join(form.carries) or "–") + "; no line items" * form.is_header,
            form.checked or "–",
        )
        for form in FORMS
    ]
    rows += [
        (form.name, '`docie.load("kieval").compute(predictions=..., references=...)`', ", ".join(ALL), "–")
        for form in PYTHON_FORMS
    ]
    return _table(("form", "what to type", "what arrives", "checked with"), rows)


def normalized(shown: str) -> str:
    """A table with what the normalizers in its head make of the texts in its first column.

    >>> print(normalized("| text | `nfkc` | `casefold` |\\n| :-- |\\n| `ﬁX` |\\n"), end="")
    | text | `nfkc` | `casefold` |
    | :-- | :-- | :-- |
    | `ﬁX` | `fiX` | `fix` |
    """
    head, _, *rows = _rows(shown)
    normalizers = [normalizer_of(spec.strip("`")) for spec in head[1:]]
    table = []
    for cell, *_ in rows:
        text = cell.strip("`")
        made = [normalize("total", text) for normalize in normalizers if normalize is not None]
        table.append((cell, *("stays" if each == text else f"`{each}`" if each else "no value" for each in made)))
    return _table((*head,), table)


def _rows(table: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]


def scores(entries: Iterable[Score]) -> str:
    """A table of scores; the headline is in bold."""
    rows = []
    for score in entries:
        name = f"**`{score.name}`**" if score.headline else f"`{score.name}`"
        rows.append((name, RANGES[score.kind], "–" if score.better == "neither" else score.better, score.meaning))
    return _table(("score", "range or unit", "better", "meaning"), rows)


def options(family: str, page: Path) -> str:
    """A table of the options that a family has for itself, and a line with those that it shares."""
    settings = get(family).Settings
    names = [*inspect.signature(docie.load(family)._compute).parameters]
    own = [name for name in inspect.signature(settings).parameters if name not in _shared()]
    shared = ", ".join(f"`{name}`" for name in names if name in _shared())
    link = _root(page) + SHARED
    line = f"[Options of all metrics]({link}):\n{shared}.\n"
    return _options(own, settings, settings.__doc__) + "\n" + line if own else line


def shared_options() -> str:
    """A table of the options that families share: how rows are read and values compared, and which results are wanted."""
    reading = _options(["config"], corpus.evaluate, corpus.evaluate.__doc__)
    comparing = _options([*inspect.signature(Valued).parameters], Valued, Valued.__doc__)
    results = _options(RESULT_OPTIONS, corpus.evaluate, corpus.evaluate.__doc__)
    return reading + "".join("".join(table.splitlines(keepends=True)[2:]) for table in (comparing, results))


def options_of_command(name: str) -> str:
    """A table of the options of a command, group by group; of other commands than score, those that it has not."""
    groups, known = _options_of_command(name), [] if name == "score" else [*_options_of_command("score").values()]
    told = {row for rows in known for row in rows}
    own = {title: [row for row in rows if row not in told] for title, rows in groups.items()}
    shared = [row[0].split()[0].strip("`") for rows in groups.values() for row in rows if row in told]
    tables = [f"**{title}**\n\n{_table(('option', 'what it does'), rows)}" for title, rows in own.items() if rows]
    return "\n".join(
        [*tables, *([f"As in `docie score`: {', '.join(f'`{option}`' for option in shared)}.\n"] if shared else [])]
    )


def _options_of_command(name: str) -> dict[str, list[tuple[str, str]]]:
    """The options of a command with all that is said about them, by group."""
    from typer.models import OptionInfo

    from docie.cli.app import app

    [function] = [each.callback for each in app.registered_commands if each.callback and each.callback.__name__ == name]
    parameters, groups = inspect.signature(function).parameters, dict[str, list[tuple[str, str]]]()
    for argument, hint in get_type_hints(function, include_extras=True).items():
        for info in getattr(hint, "__metadata__", ()):
            if isinstance(info, OptionInfo):
                names = [each for each in (info.default, *(info.param_decls or ())) if str(each).startswith("--")]
                option = names[0] if names else f"--{argument.replace('_', '-')}"
                value = f" {info.metavar}" if info.metavar else ""
                what = _help_of_option(info.help or "", parameters[argument].default)
                groups.setdefault(str(info.rich_help_panel), []).append((f"`{option}{value}`", what))
    return groups


def _help_of_option(text: str, default: Any) -> str:
    value = default.value if isinstance(default, Enum) else default
    has_default = isinstance(value, int | float | str) and not isinstance(value, bool)
    return " ".join(text.split()) + (f" Default: `{value}`." if has_default else "")


def _shared() -> set[str]:
    return {"config", *inspect.signature(Valued).parameters, *RESULT_OPTIONS}


def _options(names: Iterable[str], function: Any, docstring: str | None) -> str:
    described, parameters = _described(docstring or ""), inspect.signature(function).parameters
    rows = [(f"`{name}`", f"`{_in_json_style(parameters[name].default)}`", described[name]) for name in names]
    return _table(("option", "default", "meaning"), rows)


def _in_json_style(default: Any) -> str:
    return f'"{default}"' if isinstance(default, str) else repr(default)


def _described(docstring: str) -> Mapping[str, str]:
    """What a docstring says of arguments or attributes, by name."""
    entries = re.findall(r"^ {8}(\w+)(?: \([^)]*\))?: (.*(?:\n {12}.*)*)", docstring, re.MULTILINE)
    return {name: _as_sentence(" ".join(text.split())) for name, text in entries}


def _as_sentence(text: str) -> str:
    start = text if text[:1] in "`\"'τ" else text[:1].upper() + text[1:]
    return start if start.endswith(".") else f"{start}."


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, tuple(":--" for _ in head), *(tuple(cell.replace("|", "\\|") for cell in row) for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
