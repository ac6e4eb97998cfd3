"""How `docie errors` writes its rows."""

from docie.cli.rows.formats import Format, Listed, format_of, output_to, texts, write_rows

__all__ = ["Format", "Listed", "format_of", "output_to", "texts", "write_rows"]
