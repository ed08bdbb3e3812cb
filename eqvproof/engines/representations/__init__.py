"""Representations that are given by irreps, or by functions of the group element.

Claims with irreps are proved or decided as claims about tensors; those with functions are refuted or tested.
"""

from eqvproof.engines.representations.reading import calls_functions, read_functions
from eqvproof.engines.representations.verdicts import check, decide, neither, prove, refute

__all__ = ["calls_functions", "check", "decide", "neither", "prove", "read_functions", "refute"]
