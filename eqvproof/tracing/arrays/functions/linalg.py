"""Linear algebra: inverses, determinants, solutions, norms, powers, covariances."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.support.errors import ErrorCode
from eqvproof.tracing.arrays import eigenvectors, factors, symmetric
from eqvproof.tracing.arrays import node_functions as arrays
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions.registry import (
    Table,
    as_axes,
    as_int,
    handles,
    lift,
    node_of,
    real,
)
from eqvproof.tracing.arrays.poles import undefined
from eqvproof.tracing.arrays.values import Array, xp

FUNCTIONS: Table = {}


@handles(FUNCTIONS, np.linalg.inv)
def inv(context: TraceContext, a: object) -> Array:
    """Returns the inverse matrix."""
    return real(context, context.builder.inv(node_of(lift(context, a))), kind="f")


@handles(FUNCTIONS, np.linalg.cholesky)
def cholesky(context: TraceContext, a: object, /, *, upper: bool = False) -> Array:
    """Returns the triangular Cholesky factor, for which one triangle of the matrix is read."""
    factor = factors.cholesky(context.builder, node_of(lift(context, a)), upper=upper)
    return real(context, factor, kind="f")


@handles(FUNCTIONS, np.linalg.det)
def det(context: TraceContext, a: object) -> Array:
    """Returns the determinant."""
    return real(context, context.builder.det(node_of(lift(context, a))), kind="f")


@handles(FUNCTIONS, np.linalg.slogdet)
def slogdet(context: TraceContext, a: object) -> object:
    """Returns the sign of the determinant and the logarithm of its absolute value."""
    value, b = node_of(det(context, a)), context.builder
    return _results(
        context, np.linalg.slogdet, b.map("sign", [value]), b.map("log", [b.map("abs", [value])])
    )


def _results(context: TraceContext, function: Callable[..., object], *nodes: int) -> object:
    """Returns results as the named tuple of the function: X.sign, X.eigenvalues, X.U."""
    made: Any = type(function(np.eye(1)))
    return made(*(real(context, x, kind="f") for x in nodes))


@handles(FUNCTIONS, np.linalg.eigvalsh)
def eigvalsh(context: TraceContext, a: object, UPLO: object = "L") -> Array:
    """Returns the ascending eigenvalues of the symmetric matrix with the triangle UPLO."""
    node = symmetric.eigenvalues(
        context.builder, node_of(lift(context, a)), lower=UPLO in ("L", "l")
    )
    return real(context, node, kind="f")


@handles(FUNCTIONS, np.linalg.eigh)
def eigh(context: TraceContext, a: object, UPLO: object = "L") -> object:
    """Returns the ascending eigenvalues, and eigenvectors as columns."""
    found = eigenvectors.eigh(context.builder, node_of(lift(context, a)), lower=UPLO in ("L", "l"))
    return _results(context, np.linalg.eigh, *found)


@handles(FUNCTIONS, np.linalg.pinv)
def pinv(context: TraceContext, a: object, rcond: object = None, hermitian: bool = False, *,
         rtol: object = np._NoValue) -> Array:  # fmt: skip
    """Returns the pseudo-inverse; the tolerance for small singular values counts as rounding."""
    if not (rcond is None or rcond == 1e-15) or hermitian or rtol not in (None, np._NoValue):
        context.refuse("np.linalg.pinv with a tolerance of its own, or of the lower triangle")
    return real(context, context.builder.pinv(node_of(lift(context, a))), kind="f")


#: Size at which tolerances that depend on sizes are compared with roundings.
_SOME_SIZE = 100


def is_rounding(context: TraceContext, tolerance: object) -> bool:
    """Checks whether a tolerance, of sizes alone, is at most 10 roundings for each row."""
    if tolerance is None:
        return True
    b = context.builder
    bare = b.program(node_of(lift(context, tolerance)))
    if any(n.input_name is not None or n.opaque_name is not None for n in bare.nodes):
        return False
    from eqvproof.programs.evaluate import evaluate_float

    names = {name for node in bare.nodes for size in node.shape for name in size.names}
    names |= {
        name for node in bare.nodes if node.as_size is not None for name in node.as_size.names
    }
    found = evaluate_float(replace(bare, inputs=()), {}, dict.fromkeys(names, _SOME_SIZE))
    return bool(found <= 10 * _SOME_SIZE * np.finfo(np.float64).eps)


@handles(FUNCTIONS, np.linalg.lstsq)
def lstsq(context: TraceContext, a: object, b: object, rcond: object = None) -> tuple[Array, ...]:
    """Returns the least-squares solution of a x = b.

    Residuals, rank and singular values are undefined. As in `pinv`, the tolerance for small
    singular values counts as rounding, unless it is larger than NumPy's own.
    """
    if not is_rounding(context, rcond):
        context.refuse("np.linalg.lstsq with a tolerance of its own")
    matrix, right = lift(context, a), lift(context, b)
    if matrix.ndim != 2:
        context.refuse("np.linalg.lstsq is for matrices")
    nothing = real(context, undefined(context.builder), kind="f")
    return xp.matmul(pinv(context, matrix), right), nothing, nothing, nothing


@handles(FUNCTIONS, np.polyfit)
def polyfit(
    context: TraceContext, x: object, y: object, deg: int, rcond: object = None, w: object = None
) -> Array:
    """Returns the coefficients of the polynomial that fits best, the highest power first.

    NumPy solves for the powers divided by their lengths.
    """
    if not is_rounding(context, rcond):
        context.refuse("np.polyfit with a tolerance of its own")
    powers, right = xp.vander(lift(context, x) + 0.0, deg + 1), lift(context, y) + 0.0
    if w is not None:
        weights = lift(context, w)
        powers = powers * xp.expand_dims(weights, 1)
        right = xp.transpose(xp.transpose(right) * weights)
    lengths = xp.sqrt(xp.sum(powers * powers, axis=0))
    found = lstsq(context, powers / lengths, right)[0]
    return xp.transpose(xp.transpose(found) / lengths)


@handles(FUNCTIONS, np.linalg.svd)
def svd(context: TraceContext, a: object, full_matrices: bool = True, compute_uv: bool = True,
        hermitian: bool = False) -> object:  # fmt: skip
    """Returns U, the singular values in descending order, and V^T, or the singular values alone."""
    if hermitian:
        context.refuse("np.linalg.svd of the lower triangle", hint="np.linalg.eigh is traced")
    if not compute_uv:
        return svdvals(context, a)
    node, is_tall = _either_way(context, a, full=full_matrices)
    parts = eigenvectors.svd(context.builder, node, full=full_matrices, assumed=is_tall)
    return _results(context, np.linalg.svd, *parts)


@handles(FUNCTIONS, np.linalg.svdvals)
def svdvals(context: TraceContext, x: object, /) -> Array:
    """Returns the singular values in descending order."""
    node, is_tall = _either_way(context, x)
    return real(
        context, symmetric.singular_values(context.builder, node, assumed=is_tall), kind="f"
    )


def _either_way(context: TraceContext, x: object, *, full: bool = False) -> tuple[int, bool | None]:
    """Returns a matrix, and whether it has at least as many rows as columns.

    The answer is known for all sizes, or is the one on the path being traced. Without paths, and
    for `full` matrices of vectors, one of which would be undefined on one of two paths, a matrix
    with an unknown answer is refused, with the sizes from which on the answer is known.
    """
    b, node = context.builder, node_of(lift(context, x))

    def is_settled() -> bool:
        return symmetric.is_tall(b, node) is not None

    answer = symmetric.is_tall(b, node)
    if answer is None and context.path is not None and not full:
        answer = context.path.answer(symmetric.has_more_rows(b, node))
    if answer is None:
        rows, columns = b.shape(node)[-2:]
        context.refuse_for_some(
            f"singular values of a matrix of which either size may be the greater: {rows} x"
            f" {columns}",
            [*rows.names, *columns.names],
            is_settled,
            hint="give sizes=",
            code=ErrorCode.TRACE_SIZE,
        )
    return node, answer


@handles(FUNCTIONS, np.linalg.cond)
def cond(context: TraceContext, x: object, p: object = None) -> Array:
    """Returns the largest divided by the smallest singular value."""
    if p not in (None, 2):
        context.refuse("np.linalg.cond is traced for the 2-norm")
    b = context.builder
    values = symmetric.singular_values(b, node_of(lift(context, x)))
    last = [len(b.shape(values)) - 1]
    return real(
        context, b.div(b.reduce("max", values, last), b.reduce("min", values, last)), kind="f"
    )


@handles(FUNCTIONS, np.linalg.solve)
def solve(context: TraceContext, a: object, b: object) -> Array:
    """Returns the solution of a x = b."""
    matrix, right = lift(context, a), lift(context, b)
    return xp.matmul(inv(context, matrix), right)


@handles(FUNCTIONS, np.linalg.matrix_power)
def matrix_power(context: TraceContext, a: object, n: object) -> Array:
    """Returns a matrix power by repeated squaring, as NumPy computes it."""
    x, power = lift(context, a), as_int(context, n, "a power")
    if power < 0:
        return matrix_power(context, inv(context, x), -power)
    if power > 64:
        context.refuse("a matrix power above 64")
    if power == 0:
        b = context.builder
        return real(context, b.defined_where(node_of(x), b.eye(b.shape(node_of(x))[-1])), x)
    if power == 3:
        return xp.matmul(xp.matmul(x, x), x)
    if power == 1:
        return xp.copy(x)
    while power % 2 == 0:
        x, power = xp.matmul(x, x), power // 2
    result = x
    while power := power // 2:
        x = xp.matmul(x, x)
        if power % 2:
            result = xp.matmul(result, x)
    return result


@handles(FUNCTIONS, np.linalg.multi_dot)
def multi_dot(context: TraceContext, arrays: Iterable[object]) -> Array:
    """Returns a product of matrices."""
    first, *rest = [lift(context, a) for a in arrays]
    for x in rest:
        first = xp.dot(first, x)
    return first


@handles(FUNCTIONS, np.linalg.norm)
def norm(
    context: TraceContext, x: object, ord: Any = None, axis: Any = None, keepdims: bool = False
) -> Array:
    """Returns vector norms 1, 2, p, inf, -inf, 0, or matrix norms fro, nuc, 2, 1, -1, inf, -inf."""
    value = lift(context, x)
    axes = as_axes(context, axis, value.ndim)
    b, node = context.builder, node_of(value)
    if axis is None and ord is not None and value.ndim > 2:
        context.refuse("a norm with ord= over more than two axes")
    if ord is None or (ord == 2 and len(axes) == 1) or (ord == "fro" and len(axes) == 2):
        result = b.map("sqrt", [b.sum(b.mul(node, node), axes)])
    elif len(axes) == 1:
        result = arrays.vector_norm(b, node, ord, axes)
    else:
        if type(axis) in (tuple, list):
            order = [int(a) for a in axis]
        else:
            order = [0, 1]
        result = _matrix_norm(context, node, ord, [a % value.ndim for a in order])
    return real(context, b.restore(result, axes) if keepdims else result, kind="f")


def _matrix_norm(context: TraceContext, node: int, ord: Any, order: list[int]) -> int:
    b = context.builder
    rank = len(b.shape(node))
    if ord in ("nuc", 2) and type(ord) in (str, int, float):
        last = b.transpose(node, [*(i for i in range(rank) if i not in order), *order])
        if ord == "nuc":
            return symmetric.nuclear_norm(b, last)
        return symmetric.spectral_norm(b, last)
    infinite = type(ord) is float and ord in (float("inf"), float("-inf"))
    if not infinite and ord not in (1, -1):
        context.refuse(
            f"a matrix norm with ord={ord!r} needs singular values", hint="'fro' is traced"
        )
    rows, columns = order
    summed, kept = (columns, rows) if infinite else (rows, columns)
    sums = b.sum(b.map("abs", [node]), [summed])
    return b.reduce("max" if ord > 0 else "min", sums, [kept - (summed < kept)])


@handles(FUNCTIONS, np.cov)
def cov(
    context: TraceContext,
    m: object,
    y: object = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: object = None,
) -> Array:
    """Returns the covariance matrix, or a number for one vector."""
    parts = [lift(context, v) for v in (m, y) if v is not None]
    if any(p.ndim not in (1, 2) for p in parts):
        context.refuse("np.cov is traced for vectors and matrices")
    x = xp.concatenate([p[None] if p.ndim == 1 else p if rowvar else p.T for p in parts])
    rows: Size = x._eqvproof.shape[0]
    if rows == Size.of(1):
        return xp.var(x, ddof=(0 if bias else 1) if ddof is None else as_int(context, ddof))
    if not rows.is_at_least(2):
        context.refuse_for_some(
            "np.cov gives a number, not a matrix, when there is one variable", rows.names,
            lambda: rows.is_at_least(2), hint="give sizes=",
        )  # fmt: skip
    b, node = context.builder, node_of(x)
    count = b.shape(node)[1] - ((0 if bias else 1) if ddof is None else as_int(context, ddof))
    if not count.is_at_least(0):
        context.refuse("a covariance over a negative number of degrees of freedom, for some sizes")
    deviation = b.sub(node, b.restore(b.mean(node, [1]), [1]))
    total = b.einsum([deviation, deviation], [[0, 1], [2, 1]], [0, 2])
    return real(context, b.div(total, b.size(count)), kind="f")


@handles(FUNCTIONS, np.corrcoef)
def corrcoef(context: TraceContext, x: object, y: object = None, rowvar: bool = True) -> Array:
    """Returns correlations: covariances over standard deviations.

    NumPy's clipping at -1 and 1 concerns rounding only (Cauchy-Schwarz).
    """
    found = cov(context, x, y, rowvar=rowvar)
    if not found.ndim:
        return found / found
    deviations = xp.sqrt(xp.diagonal(found))
    return found / deviations[:, None] / deviations[None, :]
