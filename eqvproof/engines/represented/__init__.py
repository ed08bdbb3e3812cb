"""Representations that are given by functions of the group element: such claims are refuted or tested."""

from eqvproof.engines.represented.judging import check, neither, refute
from eqvproof.engines.represented.reading import calls_functions, read_functions

__all__ = ["calls_functions", "check", "neither", "read_functions", "refute"]
