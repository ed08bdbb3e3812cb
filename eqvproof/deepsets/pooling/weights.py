"""Computes weighted sums `sum_k w_k phi(x_k)`: exact for integers; real weights round each term."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import require_one_per_row, to_array
from eqvproof.deepsets.phi.formula import Formula, Node
from eqvproof.deepsets.phi.numbers import evaluate
from eqvproof.deepsets.pooling.rows import BLOCK, column_blocks
from eqvproof.deepsets.sums.exact import ExactSum
from eqvproof.support.errors import DomainError


def read_weights(weights: Any, rows: int) -> np.ndarray:
    """Converts weights to an array (n,) of int64, uint64 or floats.

    Raises:
        ShapeError: there is not one weight per row.
        DomainError: a weight is an integer beyond 64 bits, or not a real number.
    """
    if isinstance(weights, list | tuple) and all(isinstance(w, int) for w in weights):
        low, high = min(weights, default=0), max(weights, default=0)
        if low < -(2**63) or high >= 2**64 or (low < 0 and high >= 2**63):
            raise DomainError(
                "integer weights have more than 64 bits",
                given=f"{low} to {high}",
                hint="use real weights",
                expected="integers of at most 64 bits",
            )
        weights = np.array(weights, dtype=np.int64 if high < 2**63 else np.uint64)
    array = to_array("weights", weights)
    require_one_per_row("weights", array, rows)
    if array.dtype.kind == "f" or array.dtype == np.uint64:
        return array
    if array.dtype.kind in "iub":
        return array.astype(np.int64)
    raise DomainError(
        "weights must be real numbers or integers of at most 64 bits",
        given=f"dtype {array.dtype}",
        hint="use real weights",
        expected="floats, or integers of 64 bits",
    )


def multiply_by_weight(formula: Formula) -> Formula:
    """Builds the formula `x_d phi(x_0, ..., x_{d-1})`."""
    nodes = [*formula.nodes, Node("column", (), float(formula.columns))]
    weight = len(nodes) - 1
    outputs = range(len(nodes), len(nodes) + formula.features)
    nodes += [Node("mul", (weight, o)) for o in formula.outputs]
    return Formula(formula.columns + 1, tuple(nodes), tuple(outputs), formula.scalar)


def append_weights(rows: Any, weights: Any, working: str, xp: Any = np) -> Any:
    """Appends the weights to the rows as the last column."""
    with np.errstate(over="ignore"):
        return xp.column_stack([rows.astype(working), weights.astype(working)])


def exact_weighted_sums(
    formula: Formula, rows: np.ndarray, weights: np.ndarray, working: str
) -> list[ExactSum]:
    """Sums each feature exactly, with integer weights."""
    sums = [ExactSum() for _ in formula.outputs]
    for start, columns in zip(
        range(0, max(len(rows), 1), BLOCK), column_blocks(rows, working), strict=False
    ):
        w, values = weights[start : start + BLOCK], evaluate(formula, columns)
        sums = [
            s + exact_weighted_sum(v.astype(np.float64), w)
            for s, v in zip(sums, values, strict=True)
        ]
    return sums


def exact_weighted_sum(v: np.ndarray, w: np.ndarray) -> ExactSum:
    """Computes `sum_k w_k v_k` exactly for integers w_k.

    Numbers whose multiples may overflow are scaled down first.
    """
    total = ExactSum()
    large = np.isfinite(v) & (np.abs(v) >= 2.0**900)
    for chosen, scale in ((~large, 0), (large, 256)):
        one = ExactSum()
        one.add(
            split_weighted_terms(
                v[chosen] * 2.0**-scale, w[chosen], np.zeros(int(chosen.sum()), np.int64)
            )[0]
        )
        one.total <<= scale
        total = total + one
    return total


def split_weighted_terms(
    v: np.ndarray, w: np.ndarray, ids: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Splits the terms w_k v_k, for integers w_k, into numbers with the same exact sum.

    v is split into halves of at most 27 bits, |w| into digits of 24 bits: their products are exact.

    Returns:
        The numbers, and the id of each.

    Raises:
        DomainError: a finite value is beyond 2^900, so its multiples may overflow.
    """
    used = w != 0
    v, w, ids = v[used], w[used], ids[used]
    signed = np.where(w < 0, -v, v)
    plain = ~np.isfinite(v) | (v == 0)
    if (np.abs(v[~plain]) >= 2.0**900).any():
        raise DomainError(
            "values beyond 2^900 cannot have integer weights",
            given=str(float(np.abs(v[~plain]).max())),
            hint="pool the sets as NumPy arrays, or with real weights",
            expected="values of at most 2^900",
        )
    size = np.where(w < 0, np.negative(w.astype(np.int64)).astype(np.uint64), w.astype(np.uint64))
    terms, owners, number = [signed[plain]], [ids[plain]], signed[~plain]
    high = (number.view(np.int64) & ~((1 << 27) - 1)).view(np.float64)
    for digit in range(3):
        factor = ((size[~plain] >> np.uint64(24 * digit)) & np.uint64((1 << 24) - 1)).astype(
            np.float64
        )
        for half in (high, number - high):
            product = half * factor * 2.0 ** (24 * digit)
            terms.append(product[product != 0])
            owners.append(ids[~plain][product != 0])
    return np.concatenate(terms), np.concatenate(owners)
