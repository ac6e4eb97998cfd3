"""How references and predictions fit together: the changes of how rows are read under which more values agree."""

from docie.documents.fit.change import Change
from docie.documents.fit.ids import SideRows
from docie.documents.fit.sample import Sample
from docie.documents.fit.search import Fit, fit, search

__all__ = ["Change", "Fit", "Sample", "SideRows", "fit", "search"]
