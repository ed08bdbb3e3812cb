"""An exact, invertible, linear sketch of machine numbers."""

from eqvproof.deepsets.sketches.sketch import CapacityExceeded, Multiset, Sketch

__all__ = ["CapacityExceeded", "Multiset", "Sketch"]
