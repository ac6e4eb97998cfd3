"""How `docie errors` writes its rows."""

from docie.cli.rows.formats import Format, Listed, cut, format_of, output_to, texts, write_rows

__all__ = ["Format", "Listed", "cut", "format_of", "output_to", "texts", "write_rows"]
