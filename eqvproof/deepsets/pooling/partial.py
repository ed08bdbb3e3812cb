"""Sums in the making: what is known of each, how far it may be off, and how it is settled.

Parts are added by integer addition (`Partial`), in any order: threads, chunks, devices, workers. The result
is the exact sum of the machine numbers phi(x_k), rounded once, whoever computed the parts: where a bound
leaves two roundings open, the features in question are summed again by a stricter rule, at last exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.deepsets.sums.rounding import round_between


class Partial:
    """A sum in the making, and how far it may be from the exact one, in units of 2^-1074."""

    __slots__ = ("lost", "sum")

    def __init__(self) -> None:
        self.sum, self.lost = ExactSum(), 0

    def __iadd__(self, other: Partial) -> Partial:
        self.sum += other.sum
        self.lost += other.lost
        return self

    def result(self, dtype: str) -> Any:
        """The sum rounded once, or None where its bound leaves two answers open."""
        s = self.sum
        if self.lost == 0 or s.invalid or any(s.infinite):
            return s.result(dtype)
        return round_between(s.total - self.lost, s.total + self.lost, dtype)


#: sums of a formula's features by a rule
Sums = Callable[[Formula, str], list[Partial]]


def rules(working: str, *, reproducible: bool) -> tuple[str, ...]:
    """By which rules features are summed, one after another, in numbers of a dtype."""
    if not reproducible:
        return ("plain",)
    return ("quick", "anchored", "exact") if working == "float32" else ("anchored", "exact")


def merge(total: list[Partial], other: list[Partial]) -> None:
    """Adds the sums of other rows."""
    for mine, theirs in zip(total, other, strict=True):
        mine += theirs


def together(one: list[Partial], other: list[Partial]) -> list[Partial]:
    """The sums of both; what is given stays as it is, since workers may add it once more."""
    total = [Partial() for _ in one]
    merge(total, one)
    merge(total, other)
    return total


def settle(formula: Formula, dtype: str, rules: tuple[str, ...], sums: Sums) -> np.ndarray:
    """Every sum rounded (m,); what one rule leaves in doubt goes to the next."""
    results: list[Any] = [None] * formula.features
    for rule in rules:
        doubtful = [f for f, r in enumerate(results) if r is None]
        if not doubtful:
            break
        some = len(doubtful) < formula.features
        wanted = formula.of(formula.outputs[f] for f in doubtful) if some else formula
        for f, partial in zip(doubtful, sums(wanted, rule), strict=True):
            results[f] = partial.result(dtype)
    return np.array(results, dtype=dtype)
