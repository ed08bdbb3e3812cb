"""Checks whether a value's formula makes it a symmetric matrix; eigenvalues of such values."""

from __future__ import annotations

from collections import Counter

import numpy as np

from eqvproof.programs import Builder
from eqvproof.programs.node import Weight
from eqvproof.programs.operations.functions import FUNCTIONS
from eqvproof.support.errors import ErrorCode, TraceError

#: Largest number of factors that are matched with each other in all orders.
MOST_FACTORS = 6


def turned(b: Builder, x: int) -> int:
    """Exchanges the last two axes."""
    rank = len(b.shape(x))
    return exchange(b, x, rank - 2, rank - 1)


def exchange(b: Builder, x: int, p: int, q: int) -> int:
    """Exchanges two axes."""
    return b.transpose(x, _order(len(b.shape(x)), p, q))


def _order(rank: int, p: int, q: int) -> list[int]:
    return [q if k == p else p if k == q else k for k in range(rank)]


def is_symmetric(b: Builder, x: int) -> bool:
    """Checks whether the last two axes can be exchanged at all inputs (False may mean unknown)."""
    rank = len(b.shape(x))
    return b.nodes[x].matrix_function == "spectral" or exchanged(b, x, rank - 2, rank - 1) == 1


def exchanged(b: Builder, x: int, p: int, q: int) -> int:
    """Returns the sign by which exchanging two axes multiplies all entries; 0 if it is unknown."""
    op, rank = b.nodes[x], len(b.shape(x))
    order = _order(rank, p, q)
    if op.is_identity or b.transpose(x, order) == x:
        return 1
    if op.constant is not None:
        return int(np.all(op.constant == op.constant.transpose(order)))
    if op.as_product is not None:
        return exchanged_product(b, op.as_product.factors, op.as_product.output, p, q)
    if op.terms:
        each = [(a, exchanged(b, a, p, q)) for a in op.terms]
        for sign in (1, -1):
            rest = [a for a, known in each if known != sign]
            if Counter(b.mul(b.const(sign), b.transpose(a, order)) for a in rest) == Counter(rest):
                return sign
        return 0
    # entries of the diagonal change places with none
    if op.choice and b.nodes[op.choice[0]].is_identity:
        return int(exchanged(b, op.choice[2], p, q) == 1)
    if op.function or op.choice:
        signs = {exchanged(b, a, p, q) for a in op.args}
        if op.function and signs == {-1}:
            parity = FUNCTIONS[op.function].parity
        else:
            parity = ""
        if not parity:
            return int(signs == {1})
        if parity == "even":
            return 1
        return -1
    inverse = op.matrix_function == "inv" and {p, q} == {rank - 2, rank - 1}
    if inverse:
        return exchanged(b, op.args[0], p, q)
    return 0


def exchanged_product(b: Builder, right: list[Weight], output: tuple[int, ...], *axes: int) -> int:
    """Returns the sign by which exchanging two axes multiplies a product; 0 if it is unknown.

    The factors change signs, or places, and the summed labels may be renamed.
    """
    p, q = (output[k] for k in axes)
    swap = {p: q, q: p}
    sign, rest = 1, list[Weight]()
    for a, row in right:  # zero off the diagonal
        if b.nodes[a].is_identity and {*row} == {p, q} and all(b.is_total(x) for x, _ in right):
            return 1
        both = row.count(p) == row.count(q) == 1
        if both:
            own = exchanged(b, a, row.index(p), row.index(q))
        else:
            own = int(not {p, q} & {*row})
        sign *= own or 1
        rest += [] if own else [(a, row)]
    if len(rest) < len(right):
        kept = {k: k for _, row in right for k in row if k not in swap}
    else:
        kept = {}
    left = [(a, tuple(swap.get(k, k) for k in row)) for a, row in rest]
    names = kept | {k: k for k in output}
    if len(rest) <= MOST_FACTORS and _matched(b, left, rest, names):
        return sign
    return 0


def _matched(
    b: Builder,
    left: list[Weight],
    right: list[Weight],
    names: dict[int, int],
) -> bool:
    if not left:
        return True
    (a, row), *rest = left
    for k, (other, wanted) in enumerate(right):
        if other != a:
            continue
        options = [wanted]
        if len(wanted) >= 2 and is_symmetric(b, a):
            options.append((*wanted[:-2], wanted[-1], wanted[-2]))
        for choice in options:
            known = dict(names)
            if all(known.setdefault(u, v) == v for u, v in zip(row, choice, strict=True)):
                if len(set(known.values())) == len(known) and _matched(
                    b, rest, right[:k] + right[k + 1 :], known
                ):
                    return True
    return False


def eigenvalues(b: Builder, x: int, *, lower: bool = True) -> int:
    """Returns the ascending eigenvalues of the symmetric matrix with this triangle of x."""
    if not is_symmetric(b, x):
        n = b.shape(x)[-1]
        part = x if lower else turned(b, x)
        below = b.select(b.broadcast_to(b.tri(n, n, -1), b.shape(x)), part, b.const(0))
        middle = b.select(b.broadcast_to(b.eye(n), b.shape(x)), part, b.const(0))
        x = b.add([below, turned(b, below), middle])
    return b.eigvals(x)


def gram(b: Builder, x: int) -> int:
    """Returns X^T X."""
    rank = len(b.shape(x))
    batch = list(range(rank - 2))
    return b.einsum(
        [x, x], [[*batch, rank, rank + 1], [*batch, rank, rank + 2]], [*batch, rank + 1, rank + 2]
    )


def squared_singular_values(b: Builder, x: int) -> int:
    """Returns the squared singular values, ascending: the eigenvalues of X^T X, some of them 0."""
    return b.map("maximum", [b.eigvals(gram(b, x)), b.const(0)])


def is_tall(b: Builder, x: int) -> bool | None:
    """Checks whether there are at least as many rows as columns; None where it is not known."""
    rows, columns = b.shape(x)[-2:]
    if (rows - columns).is_at_least(0):
        return True
    if (columns - rows).is_at_least(0):
        return False
    return None


def has_more_rows(b: Builder, x: int) -> int:
    """Returns the condition that there are at least as many rows as columns."""
    rows, columns = b.shape(x)[-2:]
    return b.map("ge", [b.size(rows), b.size(columns)])


def tall(b: Builder, x: int, *, assumed: bool | None = None) -> int:
    """Returns the matrix, transposed if it has more columns than rows.

    Args:
        b: where the nodes are made.
        x: the matrix.
        assumed: whether there are at least as many rows as columns, on a path that is traced for
            such sizes; None otherwise.

    Raises:
        TraceError: it is not known whether there are more rows or more columns.
    """
    seen = is_tall(b, x)
    found = assumed if seen is None else seen
    if found is None:
        rows, columns = b.shape(x)[-2:]
        raise TraceError(
            "singular values of a matrix of which either size may be the greater",
            given=f"{rows} x {columns}", hint="give sizes=", code=ErrorCode.TRACE_SIZE,
        )  # fmt: skip
    if found:
        return x
    return turned(b, x)


def singular_values(b: Builder, x: int, *, assumed: bool | None = None) -> int:
    """Returns the singular values in descending order. Arguments and errors: as `tall`."""
    squares = squared_singular_values(b, tall(b, x, assumed=assumed))
    return b.flip(b.map("sqrt", [squares]), len(b.shape(x)) - 2)


def spectral_norm(b: Builder, x: int) -> int:
    """Returns the largest singular value."""
    values = squared_singular_values(b, x)
    return b.map("sqrt", [b.reduce("max", values, [len(b.shape(values)) - 1])])


def nuclear_norm(b: Builder, x: int) -> int:
    """Returns the sum of the singular values."""
    values = squared_singular_values(b, x)
    return b.sum(b.map("sqrt", [values]), [len(b.shape(values)) - 1])
