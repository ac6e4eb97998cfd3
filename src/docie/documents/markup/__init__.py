"""Tables in texts, HTML or Markdown, and records of them."""

from docie.documents.markup.cells import Cell, records_of
from docie.documents.markup.tables_in_text import records_in, tables_in

__all__ = ["Cell", "records_in", "records_of", "tables_in"]
