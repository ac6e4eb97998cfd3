"""The report of a comparison: which of several systems is better, and where."""

from docie.show.report.comparison.content import Comparison
from docie.show.report.comparison.page import render_comparison
from docie.show.report.comparison.writing import write_comparison

__all__ = ["Comparison", "render_comparison", "write_comparison"]
