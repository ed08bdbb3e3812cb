"""The function phi of `sum_k phi(x_k)` as a straight-line formula with one meaning everywhere."""

from eqvproof.deepsets.phi.formula import Formula, Node, Tape
from eqvproof.deepsets.phi.reading import read_formula

__all__ = ["Formula", "Node", "Tape", "read_formula"]
