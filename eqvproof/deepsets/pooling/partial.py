"""Sums in the making: what is known of each, how far it may be off, and how it is settled.

Parts are added by integer addition (`ExactSum`), in any order: threads, chunks, devices, workers. The result
is the exact sum of the machine numbers phi(x_k), rounded once, whoever computed the parts: where a bound
leaves two roundings open, the features in question are summed again by a stricter rule, at last exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from eqvproof.deepsets.phi.formula import Formula
from eqvproof.deepsets.sums.exact import ExactSum

#: sums of a formula's features by a rule
Sums = Callable[[Formula, str], list[ExactSum]]


def rules(working: str, *, reproducible: bool) -> tuple[str, ...]:
    """By which rules features are summed, one after another, in numbers of a dtype."""
    if not reproducible:
        return ("plain",)
    return ("quick", "anchored", "exact") if working == "float32" else ("anchored", "exact")


def merge(total: list[ExactSum], other: list[ExactSum]) -> None:
    """Adds the sums of other rows."""
    for mine, theirs in zip(total, other, strict=True):
        mine += theirs


def together(one: list[ExactSum], other: list[ExactSum]) -> list[ExactSum]:
    """The sums of both; what is given stays as it is, since workers may add it once more."""
    total = [ExactSum() for _ in one]
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
