"""Exact decisions at given sizes, over rational functions with uninterpreted atoms."""

from eqvproof.engines.decide.decide import HOLDS, decide_equivariance, decide_identity

__all__ = ["HOLDS", "decide_equivariance", "decide_identity"]
