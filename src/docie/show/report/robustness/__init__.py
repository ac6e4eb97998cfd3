"""The report of form attacks: how far a model falls, under which attacks, in which fields, and on which form."""

from docie.show.report.robustness.content import Robustness
from docie.show.report.robustness.examples import Example, examples
from docie.show.report.robustness.page import chart_folder, render_robustness, save_charts
from docie.show.report.robustness.writing import write_robustness

__all__ = ["Example", "Robustness", "chart_folder", "examples", "render_robustness", "save_charts", "write_robustness"]
