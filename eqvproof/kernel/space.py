"""Reads the irreps of O(3) that axes of a claim carry, and checks whom they belong to."""

from __future__ import annotations

from typing import Any

from .claims import MARKS, Claim
from .report import Rejected
from .text import integer, one_of

#: Irreps of O(3) that are neither the identity nor the standard matrix.
IRREPS = ("0o", "1e", *(f"{degree}{parity}" for degree in range(2, 17) for parity in "eo"))


def mark(term: list[Any], path: str) -> str:
    """Reads the irrep that a part of literal size carries a whole number of times."""
    known: tuple[str, ...] = MARKS
    if term[1] is None:
        known = (*MARKS, "0e", "1o", *IRREPS)
    found = one_of(term[2], path, known)
    if integer(term[0], path, 1, 10**6) % (2 * int(found[:-1]) + 1):
        raise Rejected(f"{path}: no whole number of copies of {found}")
    return found


def require(claim: Claim) -> None:
    """Requires that irreps belong to exactly one factor of the group, one of motions in space."""
    moving = [f for f in claim.group if f.about.irreps]
    if len(moving) != 1 or claim.pins.get(str(moving[0].axis), moving[0].axis) != 3:
        raise Rejected("$.claim: irreps need one factor of motions in space")
