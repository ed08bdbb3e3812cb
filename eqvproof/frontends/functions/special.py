"""SciPy's special functions, norms and distances; loaded only where SciPy is."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.frontends import masks
from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.functions import composed, linalg
from eqvproof.frontends.functions.registry import (
    Handler,
    as_axes,
    lift,
    node_of,
    only,
    real,
)


def softmax(context: TraceContext, x: Any, axis: Any = None) -> Any:
    """exp(x) / sum exp(x), computed from x - max x."""
    value = lift(context, x)._eqvproof
    axes = as_axes(context, axis, len(value.shape))
    return real(context, masks.softmax(context.builder, value.node, value.alive, axes))


def log_softmax(context: TraceContext, x: Any, axis: Any = None) -> Any:
    """x - log sum exp(x)."""
    value = lift(context, x)
    return value - logsumexp(context, value, axis, keepdims=True)


def logsumexp(
    context: TraceContext,
    a: Any,
    axis: Any = None,
    b: Any = None,
    keepdims: bool = False,
    return_sign: bool = False,
) -> Any:
    """log sum b exp(a), computed from a - max a."""
    value, build = lift(context, a)._eqvproof, context.builder
    axes = as_axes(context, axis, len(value.shape))
    if return_sign:
        context.refuse("logsumexp with return_sign= is not traced")
    weights = None if b is None else node_of(lift(context, b))
    result = masks.logsumexp(build, value.node, value.alive, axes, weights)
    return real(context, build.restore(result, axes) if keepdims else result)


def expit(context: TraceContext, x: Any) -> Any:
    """1 / (1 + exp(-x))."""
    b = context.builder
    return real(context, b.map("recip", [b.add([b.const(1), b.map("exp", [b.neg(node_of(x))])])]))


def logit(context: TraceContext, x: Any) -> Any:
    """log(x / (1 - x))."""
    b, node = context.builder, node_of(x)
    return real(context, b.map("log", [b.div(node, b.sub(b.const(1), node))]))


def erf(context: TraceContext, x: Any) -> Any:
    """The error function."""
    return real(context, context.builder.map("erf", [node_of(x)]))


def erfc(context: TraceContext, x: Any) -> Any:
    """1 - erf(x)."""
    return 1 - erf(context, x)


def ndtr(context: TraceContext, x: Any) -> Any:
    """The normal distribution function, (1 + erf(x / sqrt 2)) / 2."""
    b = context.builder
    scaled = b.div(node_of(x), b.map("sqrt", [b.const(2)]))
    return real(context, b.mul(b.const(Fraction(1, 2)), b.add([b.const(1), b.map("erf", [scaled])])))


def xlogy(context: TraceContext, x: Any, y: Any) -> Any:
    """x log(y), and 0 where x is 0."""
    b, zero = context.builder, context.builder.const(0)
    product = b.mul(node_of(x), b.map("log", [node_of(y)]))
    return real(context, b.select(b.map("eq", [node_of(x), zero]), b.beside(node_of(y), zero), product))


def entr(context: TraceContext, x: Any) -> Any:
    """-x log(x), and 0 at 0."""
    return -xlogy(context, x, x)


def softplus(context: TraceContext, x: Any, **kwargs: Any) -> Any:
    """log(1 + exp(x))."""
    only(context, **kwargs)
    return np.logaddexp(lift(context, x), 0)


def exp10(context: TraceContext, x: Any) -> Any:
    """10 to the power x."""
    b = context.builder
    return real(context, b.map("exp", [b.mul(node_of(x), b.map("log", [b.const(10)]))]))


def cdist(context: TraceContext, XA: Any, XB: Any, metric: Any = "euclidean", **kwargs: Any) -> Any:
    """Distances of all pairs of rows."""
    only(context, **kwargs)
    left, right = lift(context, XA), lift(context, XB)
    gap = np.expand_dims(left, 1) - np.expand_dims(right, 0)
    if metric == "sqeuclidean":
        return np.sum(gap * gap, axis=-1)
    if metric == "euclidean":
        return np.sqrt(np.sum(gap * gap, axis=-1))
    if metric == "cityblock":
        return np.sum(np.abs(gap), axis=-1)
    if metric == "chebyshev":
        return np.max(np.abs(gap), axis=-1)
    context.refuse(f"cdist with metric={metric!r} is not traced")


def scipy_norm(
    context: TraceContext, a: Any, ord: Any = None, axis: Any = None, keepdims: bool = False,
    check_finite: bool = True,
) -> Any:  # fmt: skip
    """scipy.linalg.norm."""
    return linalg.norm(context, a, ord, axis, keepdims)


def scipy_inv(context: TraceContext, a: Any, *args: Any, **kwargs: Any) -> Any:
    """scipy.linalg.inv."""
    return linalg.inv(context, a)


def scipy_det(context: TraceContext, a: Any, *args: Any, **kwargs: Any) -> Any:
    """scipy.linalg.det."""
    return linalg.det(context, a)


def scipy_solve(context: TraceContext, a: Any, b: Any) -> Any:
    """scipy.linalg.solve."""
    return linalg.solve(context, a, b)


_UFUNCS: dict[str, Handler] = {
    "expit": expit, "logit": logit, "erf": erf, "erfc": erfc, "ndtr": ndtr, "xlogy": xlogy, "entr": entr,
    "softplus": softplus, "exp10": exp10, "exp2": composed.exp2, "expm1": composed.expm1,
    "log1p": composed.log1p,
}  # fmt: skip
_SPECIAL: dict[str, Handler] = {"softmax": softmax, "log_softmax": log_softmax, "logsumexp": logsumexp,
                                "softplus": softplus}  # fmt: skip
_LINALG: dict[str, Handler] = {"norm": scipy_norm, "inv": scipy_inv, "det": scipy_det, "solve": scipy_solve}
_DISTANCE: dict[str, Handler] = {"cdist": cdist}


def loaded() -> tuple[dict[Any, Handler], dict[Any, Handler]]:
    """The universal functions and the functions of those SciPy modules that are loaded."""
    ufuncs: dict[Any, Handler] = {}
    functions: dict[Any, Handler] = {}
    for module_name, table in (
        ("scipy.special", {**_UFUNCS, **_SPECIAL}),
        ("scipy.linalg", _LINALG),
        ("scipy.spatial.distance", _DISTANCE),
    ):
        module = sys.modules.get(module_name)
        for name, handler in table.items():
            function = getattr(module, name, None)
            if function is not None:
                (ufuncs if isinstance(function, np.ufunc) else functions)[function] = handler
    return ufuncs, functions


__all__ = ["loaded"]
