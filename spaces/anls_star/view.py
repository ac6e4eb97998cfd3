"""ANLS*, seen: the score of every value, and how the scores add up."""

from __future__ import annotations

import json
from typing import Any

from docie.metrics import anls_star
from docie.metrics.anls_star import Explained
from docie.show.report import TextPart, readable_differences, shortened_parts
from docie.show.tables import brief

from ..common.computing import Part, Request
from ..views import TreeNode, counted, document_figures, figure, limited, percent, render, verb

_MARKS = {
    "right": ("right", "✓", ""),
    "form": ("form", "≈", "counts as equal"),
    "near": ("substitution", "≠", "similar"),
    "far": ("substitution", "≠", "too different"),
    "mismatch": ("substitution", "≠", "of another kind"),
    "missed": ("addition", "+", "missed"),
    "invented": ("deletion", "−", "invented"),
}
"""From what became of a value to its tone, its mark and its words."""


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """The tree of scores."""
    tree = _explained(request)
    root, omitted = limited(_node(tree, "the whole document" if tree.children else "the answer"))
    lead = (
        f"ANLS* is the mean similarity of {counted(tree.length, 'text')}: {_sum_of(tree)} of {tree.length:,}, "
        f"which is {figure(tree.anls_star)}. A text that is less similar than {request.settings.threshold:g} counts 0."
    )
    return [
        Part("The score of every value", render("views/templates/tree.html.j2", lead=lead, trees=[("", root, omitted)]))
    ]


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What ANLS* means for the document that is shown."""
    value = document_figures(request, results)["anls_star"]
    tree = _explained(request)
    right, near, lost = _tally(tree)
    if tree.length == 1:
        return f"The answer is {percent(tree.score, 1)} like the reference: ANLS* is {figure(value)}."
    if right == tree.length:
        return f"All {counted(right, 'text')} are right: ANLS* is {figure(value)}."
    return (
        f"Of {counted(tree.length, 'text')}, {right:,} {verb(right)} right, {near:,} similar, and {lost:,} wrong, "
        f"missed or invented: ANLS* is {figure(value)}."
    )


def _explained(request: Request) -> Explained:
    return anls_star.explain(request.prediction, request.reference, request.settings)


def _tally(tree: Explained) -> tuple[int, int, int]:
    """Texts that are right, similar, and that count nothing; together they are the length."""
    right = near = 0
    stack = [tree]
    while stack:
        node = stack.pop()
        stack += node.children
        if not node.children and node.score:
            right += node.score == node.length
            near += node.score < node.length
    return right, near, tree.length - right - near


def _node(explained: Explained, name: str = "") -> TreeNode:
    name = name or _name(explained)
    notes = []
    if explained.alternatives:
        notes.append(f"the best of {len(explained.alternatives)} alternatives")
    if explained.reference_place is not None and explained.predicted_place not in (None, explained.reference_place):
        notes.append(f"predicted as [{explained.predicted_place}]")
    note = ", ".join(notes)
    if explained.children:
        numbers = f"{_sum_of(explained)} of {explained.length:,} = {figure(explained.anls_star)}"
        is_right = explained.score == explained.length
        tone, mark = ("right", "✓") if is_right else ("", "")
        children = [_node(child) for child in explained.children]
        return TreeNode(name, tone, mark, "", [], numbers, note, children, is_folded=is_right)
    outcome = _outcome(explained)
    tone, mark, label = _MARKS[outcome]
    number = _sum_of(explained)
    numbers = number if explained.length == 1 else f"{number} of {explained.length:,}"
    return TreeNode(name, tone, mark, label, _parts(explained, outcome), numbers, note)


def _name(explained: Explained) -> str:
    if explained.key is not None:
        return explained.key
    place = explained.predicted_place if explained.reference_place is None else explained.reference_place
    return "" if place is None else f"[{place}]"


def _outcome(explained: Explained) -> str:
    if explained.kind in ("missed", "invented"):
        return explained.kind
    if explained.kind == "mismatch":
        if _is_absent(explained.reference):
            return "invented"
        return "missed" if _is_absent(explained.prediction) else "mismatch"
    if explained.kind != "text" or explained.reference == explained.prediction:
        return "right"
    return "form" if explained.score == 1 else "near" if explained.score else "far"


def _is_absent(value: Any) -> bool:
    return value is None or value in ("", [], {})


def _parts(explained: Explained, outcome: str) -> list[TextPart]:
    """The text, with what differs: what to delete from the prediction, and what to insert from the reference."""
    reference, prediction = _text(explained.reference), _text(explained.prediction)
    if outcome == "missed":
        return shortened_parts([TextPart("insert", reference)])
    if outcome == "invented":
        return shortened_parts([TextPart("delete", prediction)])
    if outcome in ("right", "form"):
        return shortened_parts([TextPart("equal", prediction)]) if prediction else []
    return readable_differences(prediction, reference)


def _text(value: Any) -> str:
    """A value as text; what is no text as JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _sum_of(explained: Explained) -> str:
    """The sum of similarities, of as many as its length at most."""
    return brief(explained.score, whole=explained.length)
