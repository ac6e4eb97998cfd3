"""Results of form attacks with chosen figures."""

from __future__ import annotations

import dataclasses
from typing import Any

from docie.robustness import RobustnessReport, UnderAttack

F1 = 0.8


def row(name: str, drop: float, interval: list[float] | None = None, *, strength: float = 1.0, **others: Any) -> Any:
    """The figures under an attack. Precision drops by half as much, recall by twice as much."""
    values: dict[str, Any] = {
        **_empty(UnderAttack),
        "attack": name,
        "parts": name.partition("@")[0].split("+"),
        "strength": strength,
        "f1": F1 - drop,
        "forms": 30,
        "drop_f1": drop,
        "drop_precision": drop / 2,
        "drop_recall": drop * 2,
        "drop_f1_interval": interval,
        "drop_precision_interval": interval,
        "drop_recall_interval": interval,
        "severity": {"mean_iou": 1 - strength / 10, "edit_rate": strength / 100},
        "families": {},
    }
    return UnderAttack(**{**values, **others})


def report(*rows: UnderAttack, fields: dict[str, list[float]] | None = None, **others: Any) -> RobustnessReport:
    """The results of a run. `fields` has the drop of each field under each attack, in the order that is given."""
    per_entity = {name: {"f1": F1, **_of_field(rows, drops)} for name, drops in (fields or {}).items()}
    values: dict[str, Any] = {
        **_empty(RobustnessReport),
        "f1": F1,
        "precision": F1,
        "recall": F1,
        "attacks": sorted(rows, key=lambda each: -each.drop_f1),
        "per_entity": per_entity,
        "families": {},
        "not_applicable": [],
        "forms": 30,
        "confidence_level": 0.95,
        "seed": 0,
        "signature": "form_robustness",
    }
    return RobustnessReport(**{**values, **others})


def _of_field(rows: tuple[UnderAttack, ...], drops: list[float]) -> dict[str, float]:
    """The figures of a field under each attack."""
    figures: dict[str, float] = {}
    for each, drop in zip(rows, drops, strict=True):
        figures |= {f"f1_{each.attack}": F1 - drop, f"drop_f1_{each.attack}": drop}
    return figures


def _empty(result: Any) -> dict[str, Any]:
    """None for every figure."""
    return dict.fromkeys(field.name for field in dataclasses.fields(result))
