"""Writes phi of `sum_k phi(x_k)` as a list of operations that has the same values everywhere."""

from eqvproof.deepsets.phi.conversion import read_formula
from eqvproof.deepsets.phi.formula import Formula, Node, Tape

__all__ = ["Formula", "Node", "Tape", "read_formula"]
