"""Hypothesis strategies for pairs with equal, or almost equal, Gram matrices."""

from __future__ import annotations

from typing import Any

from eqvproof.invariants.pairs import GramPair, gram_pairs


def gram_equal_pairs(*, max_d: int = 6, max_n: int = 8, near: bool = False) -> Any:
    """Returns a strategy for `GramPair`: ``X, Y = pair`` with Y = Q X, Q hidden; or near pairs.

    Args:
        max_d: the largest dimension.
        max_n: the largest number of columns.
        near: draw pairs whose Gram matrices differ in exactly one entry (and its mirror image).
    """
    from hypothesis import strategies as st

    def build(d: int, n: int, seed: int) -> GramPair:
        return next(gram_pairs(d, n, count=1, seed=seed, near=near))

    least_n = 0
    if near:
        least_n = 1
    return st.builds(
        build,
        st.integers(1, max_d),
        st.integers(least_n, max_n),
        st.integers(0, 2**32 - 1),
    )
