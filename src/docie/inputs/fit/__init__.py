"""How references and predictions fit together: the changes of how rows are read under which more values agree."""

from docie.inputs.fit.change import Change
from docie.inputs.fit.rows import SideRows
from docie.inputs.fit.sample import Sample
from docie.inputs.fit.search import Fit, fit, search

__all__ = ["Change", "Fit", "Sample", "SideRows", "fit", "search"]
