"""Restrictions of the inputs, for ``domain=``: only points x with both x and g x in the domain count.

    ep.check(f, "x: n -> n", "S(n)", domain=ep.domains.positive)
    ep.check(f, "X: d n, w: n -> d", "O(d)", domain=ep.domains.of(X=ep.domains.full_column_rank))

A domain is a function of the inputs (arrays of Fractions, by name) that says whether a point belongs to it;
any such function serves. Points are drawn without regard to it and left out where it says no, so a thin
domain leaves few. A proof, which holds at all points, does not need it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import flint
import numpy as np

from eqvproof.errors import EqvproofError

Array = np.ndarray[Any, Any]
Inputs = Mapping[str, Array]
Domain = Callable[[Inputs], bool]


def of(**domains: Domain) -> Domain:
    """The product of domains of single arguments: ``of(X=full_column_rank, w=positive)``."""

    def contains(inputs: Inputs) -> bool:
        missing = [name for name in domains if name not in inputs]
        if missing:
            raise EqvproofError(
                "a domain names an argument that the signature does not have",
                given=", ".join(missing), expected="one of " + ", ".join(inputs), code="domain.argument",
            )  # fmt: skip
        return all(domain({name: inputs[name]}) for name, domain in domains.items())

    return contains


def both(*domains: Domain) -> Domain:
    """The intersection of domains."""
    return lambda inputs: all(domain(inputs) for domain in domains)


def positive(inputs: Inputs) -> bool:
    """All entries are greater than 0."""
    return all(value > 0 for array in inputs.values() for value in array.flat)


def nonnegative(inputs: Inputs) -> bool:
    """All entries are at least 0."""
    return all(value >= 0 for array in inputs.values() for value in array.flat)


def nonzero(inputs: Inputs) -> bool:
    """No entry is 0."""
    return all(value != 0 for array in inputs.values() for value in array.flat)


def distinct(inputs: Inputs) -> bool:
    """No two entries of an argument are equal: no ties."""
    return all(len(set(array.flat)) == array.size for array in inputs.values())


def one_hot(inputs: Inputs) -> bool:
    """Along the last axis one entry is 1 and the others are 0."""
    for array in inputs.values():
        if array.ndim == 0 or any(value not in (0, 1) for value in array.flat):
            return False
        if any(sum(row) != 1 for row in array.reshape(-1, array.shape[-1])):
            return False
    return True


def full_column_rank(inputs: Inputs) -> bool:
    """The columns of every matrix are linearly independent, decided over the rationals."""
    return all(_rank(m) == m.shape[1] for array in inputs.values() for m in _matrices(array))


def full_row_rank(inputs: Inputs) -> bool:
    """The rows of every matrix are linearly independent, decided over the rationals."""
    return all(_rank(m) == m.shape[0] for array in inputs.values() for m in _matrices(array))


def _matrices(array: Array) -> list[Array]:
    """The matrices in the last two axes; none in an array of fewer axes."""
    return list(array.reshape(-1, *array.shape[-2:])) if array.ndim >= 2 else []


def _rank(matrix: Array) -> int:
    rows, columns = matrix.shape
    entries = [flint.fmpq(v.numerator, v.denominator) for v in matrix.flat]
    return int(flint.fmpq_mat(rows, columns, entries).rank())
