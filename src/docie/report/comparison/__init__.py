"""The report of a comparison: which of several systems is better, and where."""

from docie.report.comparison.content import Comparison
from docie.report.comparison.page import render_comparison
from docie.report.comparison.writing import write_comparison

__all__ = ["Comparison", "render_comparison", "write_comparison"]
