"""Circulant matrices commute."""

from collections.abc import Mapping

from eqvproof.library.lec22.circulants import circulant
from eqvproof.statements import AtSizes, Claim, Identity, Remark

LARGEST = 6


def at(sizes: Mapping[str, int]) -> Claim:
    """C(v) C(w) = C(w) C(v)."""
    n = sizes["n"]
    return Identity(
        lambda v, w: circulant(v) @ circulant(w),
        lambda v, w: circulant(w) @ circulant(v),
        f"v: {n}, w: {n} -> {n} {n}",
    )


STATEMENT = Remark(
    id="lec22.circulant.commute",
    place="Translation and Shift Equivariance",
    printed="circulant matrices commute: C(v) C(w) = C(w) C(v)",
    claim=AtSizes(at, tuple({"n": n} for n in range(1, LARGEST + 1))),
    reading="all pairs of circulant matrices of one size n, with any entries; the slide shows it for the shift S^T, which is one of them. "
    "Exact at some n",
)
