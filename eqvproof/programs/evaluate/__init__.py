"""Evaluation of Programs: one evaluator, several number systems."""

from eqvproof.programs.evaluate.exact import evaluate_exact
from eqvproof.programs.evaluate.floats import evaluate_float

__all__ = ["evaluate_exact", "evaluate_float"]
