"""docie: metrics for document information extraction, as Hugging Face evaluate modules.

>>> import docie
>>> metric = docie.load("kieval")
>>> metric.compute(predictions=[{"total": "12.00"}], references=[{"total": "12.00"}])["entity_f1"]
1.0
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from docie._version import __version__
from docie.core.family import families, load, path

if TYPE_CHECKING:
    from docie import confidence, corpus, robustness
    from docie.core import normalizers
    from docie.core.reading import Reading
    from docie.diagnosis.check import check
    from docie.documents import tagging
    from docie.files.reading import read
    from docie.metrics import (
        anls_star,
        box_iou,
        entity_f1,
        form_robustness,
        hed,
        kieval,
        nted,
        oi_entities,
        text_match,
    )
    from docie.robustness import attacks, form
    from docie.show import plots, report, tables
    from docie.show.tables import flat

__all__ = [
    "Reading",
    "__version__",
    "anls_star",
    "attacks",
    "box_iou",
    "check",
    "confidence",
    "corpus",
    "entity_f1",
    "families",
    "flat",
    "form",
    "form_robustness",
    "hed",
    "kieval",
    "load",
    "normalizers",
    "nted",
    "oi_entities",
    "path",
    "plots",
    "read",
    "report",
    "robustness",
    "tables",
    "tagging",
    "text_match",
]

_FUNCTIONS = {
    "Reading": "docie.core.reading",
    "check": "docie.diagnosis.check",
    "flat": "docie.show.tables",
    "read": "docie.files.reading",
}
_MODULES = {
    "attacks": "docie.robustness.attacks",
    "confidence": "docie.confidence",
    "corpus": "docie.corpus",
    "form": "docie.robustness.form",
    "normalizers": "docie.core.normalizers",
    "plots": "docie.show.plots",
    "report": "docie.show.report",
    "robustness": "docie.robustness",
    "tables": "docie.show.tables",
    "tagging": "docie.documents.tagging",
}
"""The modules of public names; other names are families, in `docie.metrics`.

`python tests/support/pages.py` writes the families into the imports for type checkers and into `__all__`."""


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that `import docie` is fast."""
    if name not in __all__:
        raise AttributeError(f"module 'docie' has no attribute {name!r}")
    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    return import_module(_MODULES.get(name, f"docie.metrics.{name}"))
