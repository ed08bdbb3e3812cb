"""SciPy's special functions, norms and distances, for the SciPy modules that are loaded."""

from __future__ import annotations

import math
import sys

import numpy as np

from eqvproof.programs.operations import MATRIX_FUNCTIONS
from eqvproof.tracing.arrays import masks
from eqvproof.tracing.arrays import node_functions as arrays
from eqvproof.tracing.arrays.boolean_indexing import Picked
from eqvproof.tracing.arrays.context import TraceContext
from eqvproof.tracing.arrays.functions import fourier, linalg, ufuncs
from eqvproof.tracing.arrays.functions.registry import (
    Handler,
    as_axes,
    lift,
    make,
    node_of,
    real,
)
from eqvproof.tracing.arrays.values import Array, xp


def softmax(context: TraceContext, x: object, axis: object = None) -> Array:
    """Returns exp(x) / sum exp(x), computed from x - max x."""
    node, alive = masks.parts(lift(context, x))
    axes = as_axes(context, axis, len(context.builder.shape(node)))
    return real(context, masks.softmax(context.builder, node, alive, axes))


def log_softmax(context: TraceContext, x: object, axis: object = None) -> Array:
    """Returns x - log sum exp(x)."""
    value = lift(context, x)
    return value - logsumexp(context, value, axis, keepdims=True)


def logsumexp(
    context: TraceContext,
    a: object,
    axis: object = None,
    b: object = None,
    keepdims: bool = False,
    return_sign: bool = False,
) -> Array:
    """Returns log sum b exp(a), computed from a - max a."""
    (node, alive), build = masks.parts(lift(context, a)), context.builder
    axes = as_axes(context, axis, len(build.shape(node)))
    if return_sign:
        context.refuse("logsumexp with return_sign= is not traced")
    weights = None if b is None else node_of(lift(context, b))
    result = masks.logsumexp(build, node, alive, axes, weights)
    return real(context, build.restore(result, axes) if keepdims else result)


def softplus(context: TraceContext, x: object) -> Array:
    """Returns log(1 + exp(x))."""
    return xp.logaddexp(lift(context, x), 0)


def cdist(
    context: TraceContext, XA: object, XB: object, metric: object = "euclidean", p: object = None
) -> Array:
    """Returns the distances of all pairs of rows."""
    p = {"minkowski": 2 if p is None else p, "cityblock": 1, "euclidean": 2}.get(str(metric), 0)
    left, right = lift(context, XA), lift(context, XB)
    if metric == "correlation":  # the angles of rows without their means
        left, right = (v - xp.mean(v, axis=1, keepdims=True) for v in (left, right))
        metric = "cosine"
    gap = xp.expand_dims(left, 1) - xp.expand_dims(right, 0)
    if metric == "sqeuclidean":
        return xp.sum(gap * gap, axis=-1)
    if isinstance(p, (int, float)) and 0 < p < math.inf:
        total = xp.sum(gap * gap if p == 2 else xp.abs(gap) ** p, axis=-1)
        if p == 1:
            return total
        if p == 2:
            return xp.sqrt(total)
        return total ** (1 / p)
    if metric == "chebyshev":
        return xp.max(xp.abs(gap), axis=-1)
    if metric == "cosine":
        lengths = xp.sqrt(
            xp.expand_dims(xp.sum(left**2, axis=1), 1) * xp.expand_dims(xp.sum(right**2, axis=1), 0)
        )
        return 1 - left @ xp.transpose(right) / lengths
    context.refuse(f"cdist with metric={metric!r} is not traced")


def pdist(
    context: TraceContext, X: object, metric: object = "euclidean", p: object = None
) -> Picked:
    """Returns the distances of all pairs of different rows, each once.

    They are stored as the entries off the diagonal of a matrix, which holds each of them twice.
    """
    x = lift(context, X)
    same = make(context, context.builder.eye(x._eqvproof.shape[0]), "b", array=True)
    return Picked(cdist(context, x, x, metric, p), xp.logical_not(same), copies=2)


def squareform(context: TraceContext, X: object) -> Array:
    """Returns the symmetric matrix of values of pairs, with 0 on its diagonal."""
    if type(X) is not Picked or X._copies != 2:
        context.refuse("squareform is traced for values of pairs, as pdist gives")
    return xp.where(X._mask, X._values, 0.0)


def of_matrices(fn: str) -> Handler:
    """Returns the handler of a function of `operations.matrix`.

    Other arguments of SciPy say how it is computed.
    """

    def handler(context: TraceContext, a: object, *args: object, **kwargs: object) -> Array:
        return real(context, context.builder.matrix(fn, node_of(lift(context, a))), kind="f")

    return handler


def scipy_cholesky(context: TraceContext, a: object, lower: object = False) -> Array:
    """Returns scipy.linalg.cholesky: the upper factor, or the lower one if `lower`."""
    return linalg.cholesky(context, a, upper=not lower)


def solve_triangular(
    context: TraceContext,
    a: object,
    b: object,
    trans: object = 0,
    lower: object = False,
    unit_diagonal: object = False,
) -> Array:
    """Returns scipy.linalg.solve_triangular; ignores the other triangle of `a`."""
    if trans != 0:
        context.refuse("solve_triangular with trans= is not traced", hint="transpose the matrix")
    node = arrays.triangle(
        context.builder, node_of(lift(context, a)), lower=bool(lower), unit=bool(unit_diagonal)
    )
    return linalg.solve(context, real(context, node, kind="f"), b)


def cho_factor(context: TraceContext, a: object, lower: object = False) -> tuple[Array, bool]:
    """Returns scipy.linalg.cho_factor; the content of the other triangle is not specified."""
    return scipy_cholesky(context, a, lower), bool(lower)


def cho_solve(context: TraceContext, c_and_lower: tuple[object, object], b: object) -> Array:
    """Returns scipy.linalg.cho_solve by solving two triangular systems."""
    c, lower = c_and_lower
    factor = lift(context, c)
    first, second = (factor, factor.mT) if lower else (factor.mT, factor)
    inner = solve_triangular(context, first, b, lower=True)
    return solve_triangular(context, second, inner, lower=False)


_SPECIAL: dict[str, Handler] = {
    "softmax": softmax,
    "log_softmax": log_softmax,
    "logsumexp": logsumexp,
    "softplus": softplus,
}
_OF_MATRICES: dict[str, Handler] = {
    row.names["scipy"]: of_matrices(fn)
    for fn, row in MATRIX_FUNCTIONS.items()
    if "scipy" in row.names
}
_LINALG: dict[str, Handler] = {
    "norm": linalg.norm, "solve": linalg.solve, "cholesky": scipy_cholesky,
    "cho_factor": cho_factor, "cho_solve": cho_solve,
    "solve_triangular": solve_triangular, **_OF_MATRICES
}  # fmt: skip
_DISTANCE: dict[str, Handler] = {"cdist": cdist, "pdist": pdist, "squareform": squareform}


def loaded() -> tuple[dict[object, Handler], dict[object, Handler]]:
    """Returns the universal functions and other functions of the SciPy modules that are loaded."""
    universal: dict[object, Handler] = {}
    functions: dict[object, Handler] = {}
    for module_name, table in (
        ("scipy.special", {**ufuncs.NAMED, **_SPECIAL}),
        ("scipy.linalg", _LINALG),
        ("scipy.spatial.distance", _DISTANCE),
        *fourier.OF_SCIPY.items(),
    ):
        module = sys.modules.get(module_name)
        for name, handler in table.items():
            function = getattr(module, name, None)
            if function is not None:
                (universal if isinstance(function, np.ufunc) else functions)[function] = handler
    return universal, functions
