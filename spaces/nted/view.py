"""nTED, seen: both trees, and the edits that make the predicted one the reference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from docie.metrics import nted
from docie.metrics.nted import EditedNode, TreeEdits
from docie.show.report import TextPart

from ..common.computing import Part, Request
from ..views import TreeNode, compared_parts, counted, document_figures, figure, joined, limited, percent, render

Side = Literal["prediction", "reference"]
_MARKS = {
    "equal": ("", ""),
    "rename": ("substitution", "≠"),
    "delete": ("deletion", "−"),
    "insert": ("addition", "+"),
}
"""From an operation to its tone and its mark."""
OBJECT = "{ }"
"""Stands for an object of a list, and for the whole document."""
_VERBS = {"rename": "changed", "delete": "deleted", "insert": "inserted"}


def parts(request: Request, results: dict[str, Any]) -> list[Part]:
    """Both trees with their edits."""
    edits = _edits(request)
    if edits is None:
        problem = "These trees are too large to show their edits here; the figures hold nevertheless."
        return [Part("Trees and edits", render("nted/templates/too_large.html.j2", problem=problem))]
    trees = [
        ("Predicted tree", *limited(_node(edits.prediction, "prediction"))),
        ("Reference tree", *limited(_node(edits.reference, "reference"))),
    ]
    prices = "To insert or to delete a text costs its characters, a key or an object 1."
    lead = f"{_edits_in_words(edits)} {_equation(edits)} {prices}"
    return [Part("Trees and edits", render("views/templates/tree.html.j2", lead=lead, trees=trees))]


def sentence(request: Request, results: dict[str, Any]) -> str:
    """What nTED accuracy means for the document that is shown."""
    accuracy = figure(document_figures(request, results)["nted_accuracy"])
    if not isinstance(request.prediction, Mapping):
        return f"The prediction is no document, so all of the reference has to be written: nTED accuracy is {accuracy}."
    edits = _edits(request)
    if edits is None:
        return (
            f"nTED accuracy of this document is {accuracy}: 1 minus the share of the reference that edits would cost."
        )
    if not edits.distance:
        return f"The predicted tree is the reference's, and nothing is to be edited: nTED accuracy is {accuracy}."
    if not edits.full_cost:
        return f"The reference is empty and the prediction is not: nTED accuracy is {accuracy}."
    share = percent(edits.distance, edits.full_cost)
    return (
        f"Editing the prediction into the reference costs {edits.distance:,}, {share} "
        f"of the {edits.full_cost:,} that writing all of it would cost: nTED accuracy is {accuracy}."
    )


def _edits(request: Request) -> TreeEdits | None:
    return nted.edits(request.prediction, request.reference, request.settings)


def _edits_in_words(edits: TreeEdits) -> str:
    nodes = [*edits.prediction.walk(), *(node for node in edits.reference.walk() if node.operation == "insert")]
    found = []
    for operation, verb in _VERBS.items():
        costs = [node.cost for node in nodes if node.operation == operation]
        if costs:
            found.append(f"{counted(len(costs), 'node')} {verb} for {sum(costs):,}")
    return f"The cheapest edits: {joined(found)}."


def _equation(edits: TreeEdits) -> str:
    if not edits.full_cost:
        return f"The reference is empty, so the accuracy is {figure(edits.accuracy)}."
    least = "" if edits.distance <= edits.full_cost else ", never below 0"
    return f"1 − {edits.distance:,} / {edits.full_cost:,} = {figure(edits.accuracy)}{least}."


def _node(node: EditedNode, side: Side) -> TreeNode:
    """A node as it is shown: a key with a single text takes one line."""
    leaf = node.children[0] if len(node.children) == 1 and node.children[0].text is not None else None
    edited = [each for each in (node, leaf) if each is not None and each.cost]
    tone, mark = _MARKS[edited[0].operation if edited else "equal"]
    children = [] if leaf else [_node(child, side) for child in node.children]
    return TreeNode(
        _name(node),
        tone,
        mark,
        " and ".join(dict.fromkeys(map(_label, edited))),
        _parts(leaf or node, side),
        " + ".join(f"{each.cost:,}" for each in edited),
        children=children,
        is_folded=not any(below.cost for below in node.walk()),
    )


def _name(node: EditedNode) -> str:
    if node.text is not None:
        return ""
    return OBJECT if node.label is None else node.label


def _label(node: EditedNode) -> str:
    if node.operation != "rename":
        return _VERBS[node.operation]
    return "changed" if node.text is not None else "another key"


def _parts(node: EditedNode, side: Side) -> list[TextPart]:
    """The text of a leaf, with what differs from its counterpart."""
    if node.text is None:
        return []
    other = None if node.counterpart is None else node.counterpart.text
    if side == "prediction":
        return compared_parts(node.text, other)[1]
    return compared_parts(other, node.text)[0]
