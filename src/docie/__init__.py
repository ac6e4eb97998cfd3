"""docie: the metrics of document information extraction, as Hugging Face evaluate modules.

>>> import docie
>>> metric = docie.load("kieval")
>>> metric.compute(predictions=[{"total": "12.00"}], references=[{"total": "12.00"}])["entity_f1"]
1.0
"""

from docie._version import __version__
from docie.family import families, load, path
from docie.reading import read
from docie.tables import flat

__all__ = ["__version__", "families", "flat", "load", "path", "read"]
