"""Computes the sum `sum_k phi(x_k)` in one pass over the rows."""

from eqvproof.deepsets.pooling.partial import PartialPool
from eqvproof.deepsets.pooling.pool import pool

__all__ = ["PartialPool", "pool"]
