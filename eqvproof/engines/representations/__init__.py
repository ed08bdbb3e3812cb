"""Representations given by functions of the group element.

Claims with them are refuted or tested.
"""

from eqvproof.engines.representations.calls import check, neither, refute
from eqvproof.engines.representations.reading import read_functions

__all__ = ["check", "neither", "read_functions", "refute"]
