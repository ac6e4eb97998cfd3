"""What `docie check` found as a `docie.toml`."""

from __future__ import annotations

import os
from collections import defaultdict
from typing import Any

from docie.core.phrases import counted, printable
from docie.core.scores import rounded
from docie.core.values.toml_text import toml_value
from docie.diagnosis.check import Finding, Findings
from docie.inputs.config import VERSION, flattened, options_of_config, placed, with_paths_from

DECISIONS = ("references.ignore", "predictions.ignore", "join.missing", "join.extra")
"""The keys that do not say how rows were written, but what is scored: a person decides on them."""


def undecided(findings: Findings, given: dict[str, Any]) -> dict[str, Any]:
    """What was found that a person decides on, by the keys of a file: what is scored, and uncertain formats.

    Args:
        findings: the findings.
        given: what was asked for before, with the keys of the file.
    """
    keys = {
        key
        for finding in findings
        for key, _ in flattened(finding.config)
        if finding.is_applied and (key in DECISIONS or not finding.is_certain)
    }
    before = dict(flattened(options_of_config(given)))
    found = flattened(options_of_config(findings.config))
    return {key: value for key, value in found if key in keys and value != before.get(key)}


def has_active(findings: Findings, given: dict[str, Any]) -> bool:
    """Whether a `docie.toml` of these findings changes anything before a person decides on its comments.

    Args:
        findings, given: as in `undecided`.
    """
    is_open = undecided(findings, given)
    return any(key not in is_open for each in findings if each.is_applied for key, _ in flattened(each.config))


def config_file(findings: Findings, given: dict[str, Any], path: str) -> str:
    """The text of a `docie.toml` that asks for all changes, each with what it does as a comment.

    Lines that decide what is scored, and formats that may also make different values equal, are comments.

    Args:
        findings: the findings.
        given: what was asked for before, with the keys of the file; it stays as it is.
        path: where the file will be; paths in it are relative to its folder.
    """
    folder = os.path.dirname(path)
    why = defaultdict[str, list[str]](list)
    for finding in findings:
        for key, _ in flattened(finding.config):
            why[key].append(f"# {sentence(finding)}")
    is_open = undecided(findings, given)
    before, found = (
        dict(flattened(options_of_config(with_paths_from(each, folder)))) for each in (given, findings.config)
    )
    active = {key: before.get(key) if key in is_open else value for key, value in found.items()}
    sections, has_comments = defaultdict[str, list[str]](list), False
    for name, option in options_of_config(with_paths_from(findings.proposed, folder)).items():
        title, _ = placed(name)
        lines = sections[title]
        for key, value in flattened({name: option}):
            line, now = f"{key.removeprefix(title + '.')} = ", active.get(key)
            if now not in (None, value):
                lines.append(line + toml_value(now))
            lines += [reason for reason in why[key] if reason not in lines]
            lines.append(f"{'# ' * (now != value)}{line}{toml_value(value)}")
            has_comments |= now != value
    documents = (
        counted(findings.references.documents, "reference"),
        counted(findings.predictions.documents, "prediction"),
    )
    head = [f"# How {' and '.join(documents)} were written, as docie check found it.", f"version = {VERSION}"]
    if has_comments:
        head.insert(1, "# A key behind a # changes what is scored, or what counts as equal: remove the # if you agree.")
    return "\n".join([*head, *(f"\n[{name}]\n" + "\n".join(lines) for name, lines in sections.items()), ""])


def sentence(finding: Finding) -> str:
    """What a finding does, in a line."""
    before, after = map(score_text, (finding.before, finding.after))
    scores = "" if finding.before == finding.after else f", entity F1 {before} → {after}"
    return f"{printable(finding.text)} ({counted(finding.values, 'value')}{scores})"


def score_text(score: float | None) -> str:
    """A score of findings as text."""
    return "not scored" if score is None else rounded(score)
