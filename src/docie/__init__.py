"""docie: metrics for document information extraction, as Hugging Face evaluate modules.

>>> import docie
>>> metric = docie.load("kieval")
>>> metric.compute(predictions=[{"total": "12.00"}], references=[{"total": "12.00"}])["entity_f1"]
1.0
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from docie._version import __version__ as __version__
from docie.core.family import families as families
from docie.core.family import load as load
from docie.core.family import path as path

if TYPE_CHECKING:  # `as` exports a name
    from docie import confidence as confidence
    from docie import corpus as corpus
    from docie import protocols as protocols
    from docie import robustness as robustness
    from docie.core import normalizers as normalizers
    from docie.documents import tagging as tagging
    from docie.inputs.files import read as read
    from docie.metrics import anls_star as anls_star
    from docie.metrics import box_iou as box_iou
    from docie.metrics import entity_f1 as entity_f1
    from docie.metrics import form_robustness as form_robustness
    from docie.metrics import hed as hed
    from docie.metrics import kieval as kieval
    from docie.metrics import nted as nted
    from docie.metrics import oi_entities as oi_entities
    from docie.metrics import text_match as text_match
    from docie.questions.check import check as check
    from docie.questions.compare import compare as compare
    from docie.questions.errors import errors as errors
    from docie.questions.score import score as score
    from docie.questions.threshold import threshold as threshold
    from docie.robustness import attacks as attacks
    from docie.robustness import form as form
    from docie.robustness.question import attack as attack
    from docie.show import page as report  # noqa: F401
    from docie.show import plots as plots
    from docie.show import tables as tables
    from docie.show.tables import flat as flat
    from docie.show.write import write as write

_FUNCTIONS = {
    "attack": "docie.robustness.question",
    "check": "docie.questions.check",
    "compare": "docie.questions.compare",
    "errors": "docie.questions.errors",
    "flat": "docie.show.tables",
    "read": "docie.inputs.files",
    "score": "docie.questions.score",
    "threshold": "docie.questions.threshold",
    "write": "docie.show.write",
}
_MODULES = {
    "attacks": "docie.robustness.attacks",
    "confidence": "docie.confidence",
    "corpus": "docie.corpus",
    "form": "docie.robustness.form",
    "normalizers": "docie.core.normalizers",
    "plots": "docie.show.plots",
    "protocols": "docie.protocols",
    "report": "docie.show.page",
    "robustness": "docie.robustness",
    "tables": "docie.show.tables",
    "tagging": "docie.documents.tagging",
}
"""The modules of public names; other names are families, in `docie.metrics`."""
_PUBLIC = sorted(["__version__", "families", "load", "path", *_FUNCTIONS, *_MODULES, *families()])
if not TYPE_CHECKING:  # type checkers read the imports above
    __all__ = _PUBLIC


def __getattr__(name: str) -> Any:
    """Import a public name on first use, so that `import docie` is fast."""
    if name not in _PUBLIC:
        raise AttributeError(f"module 'docie' has no attribute {name!r}")
    if name in _FUNCTIONS:
        return getattr(import_module(_FUNCTIONS[name]), name)
    return import_module(_MODULES.get(name, f"docie.metrics.{name}"))
