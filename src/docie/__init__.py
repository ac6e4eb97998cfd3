"""docie: the metrics of document information extraction, as Hugging Face evaluate modules."""
from docie._version import __version__
