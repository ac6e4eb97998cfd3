"""Dataset records → reference documents.

Each function reads the records of one data set, in the columns of its usual versions on the Hugging Face Hub, which its
docstring names. Other columns, such as images, are ignored. Lists may be tuples or arrays, as from `datasets` with a
format set. Annotated data is expected to be correct: missing or malformed data raises ValueError, with record and
field.

**Tags** are numbers, which stand for the names in the data set's feature. `names=None` uses the list with which the
data set was published (`CORD_TAGS`, `SROIE_TAGS`, `FUNSD_TAGS`). Other versions need their own list, for instance
`names=dataset.features["ner_tags"].feature.names`. Tags that are names already need no list. Entity types are the names
in lower case without prefix (`B-MENU.NM` is `menu.nm`). Tags are read as by `docie.tagging.find_spans`, and the words
of an entity are joined by blanks.
"""

from .forms import FUNSD_TAGS, funsd, xfund
from .many_pages import docvqa, kleister, mp_docvqa, vrdu
from .positions import form_columns, words_and_boxes
from .receipts import CORD_GROUPS, CORD_TAGS, SROIE_TAGS, cord, cord_names, sroie

__all__ = [
    "CORD_GROUPS",
    "CORD_TAGS",
    "FUNSD_TAGS",
    "SROIE_TAGS",
    "cord",
    "cord_names",
    "docvqa",
    "form_columns",
    "funsd",
    "kleister",
    "mp_docvqa",
    "sroie",
    "vrdu",
    "words_and_boxes",
    "xfund",
]
