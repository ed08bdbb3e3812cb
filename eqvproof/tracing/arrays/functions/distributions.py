"""Distributions of ``scipy.stats`` in a trace: ``norm.cdf(x)``, ``t(n - 1).ppf(0.975)``, ...

SciPy computes each function of a distribution entry by entry, from the standard one: for a positive
scale, ``cdf(x) = F((x - loc) / scale, *shapes)``, ``pdf(x) = f((x - loc) / scale, *shapes) / scale``
and ``ppf(q) = loc + scale Q(q, *shapes)``; for another scale all are undefined. A standard function
is a formula where `FORMULAS` has one, else a function of entries of which only this is known (see
`by_entries`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import reduce
from typing import Protocol

import numpy as np

from eqvproof.tracing.arrays.by_entries import applied
from eqvproof.tracing.arrays.context import TraceContext, current_context, untraced
from eqvproof.tracing.arrays.lifting import lift, mentions_trace
from eqvproof.tracing.arrays.refusals import guarded
from eqvproof.tracing.arrays.values import Array, make, node_of, xp

Formula = Callable[..., Array]


class Family(Protocol):
    """The type of a distribution of SciPy."""

    name: str
    dist: Family
    args: tuple[object, ...]
    kwds: dict[str, object]
    freeze: Callable[..., object]
    _random_state: object

    def _parse_args(
        self, *args: object, **kwds: object
    ) -> tuple[tuple[object, ...], object, object]: ...


_DENSITIES = frozenset(("pdf", "logpdf", "pmf", "logpmf"))
_INVERSES = frozenset(("ppf", "isf"))
METHODS = _DENSITIES | _INVERSES | frozenset(("cdf", "sf", "logcdf", "logsf"))
#: Attributes of distributions that have their parameters.
_PLAIN = frozenset(("args", "kwds"))


def _special(name: str) -> Formula:
    return lambda *x: getattr(sys.modules["scipy.special"], name)(*x)


_ndtr, _ndtri, _expit, _logit, _gammaln = map(
    _special, ("ndtr", "ndtri", "expit", "logit", "gammaln")
)


def _pi(like: Array) -> Array:
    return lift(like._eqvproof.context, np.pi)


def _valid_parameters(*shapes: Array) -> Array:
    """Returns 0, undefined where a parameter is not positive."""
    return reduce(xp.add, [0 * xp.log(a) for a in shapes])


def _valid_share(q: Array) -> Array:
    """Returns 0, undefined outside of [0, 1]."""
    return 0 * xp.sqrt(q) + 0 * xp.sqrt(1 - q)


def _right_of(z: Array, density: Callable[[Array], Array], start: float = 0.0) -> Array:
    """Returns a density from a start on, and 0 below it."""
    inside = z >= start
    return xp.where(inside, density(xp.where(inside, z, start + 1)), 0.0)


def _student(z: Array, df: Array) -> Array:
    at_zero = _gammaln((df + 1) / 2) - _gammaln(df / 2) - xp.log(_pi(z) * df) / 2
    return at_zero - (df + 1) / 2 * xp.log1p(z * z / df) + _valid_parameters(df)


def _gamma(z: Array, a: Array) -> Array:
    return z ** (a - 1) * xp.exp(-z) / xp.exp(_gammaln(a))


def _lognormal(z: Array, s: Array) -> Array:
    inside = z > 0
    size = xp.log(xp.where(inside, z, 1.0))
    found = xp.exp(-(size**2) / (2 * s**2)) / (s * xp.where(inside, z, 1.0) * xp.sqrt(2 * _pi(z)))
    return xp.where(inside, found, 0.0) + _valid_parameters(s)


def _poisson(k: Array, mu: Array) -> Array:
    inside = xp.logical_and(k >= 0, xp.floor(k) == k)
    n = xp.where(inside, k, 0.0)
    found = mu**n * xp.exp(-mu) / xp.exp(_gammaln(n + 1))
    return xp.where(inside, found, 0.0) + 0 * xp.sqrt(mu)


#: Distribution -> function of the standard one -> its formula. From ``pdf`` follows ``logpdf``, as
#: its logarithm, and the other way round; from ``cdf`` follow ``sf``, and the logarithms of both.
FORMULAS: dict[str, dict[str, Formula]] = {
    "norm": {
        "logpdf": lambda z: -z * z / 2 - xp.log(2 * _pi(z)) / 2,
        "cdf": _ndtr,
        "sf": lambda z: _ndtr(-z),
        "ppf": _ndtri,
        "isf": lambda q: -_ndtri(q),
    },
    "uniform": {
        "pdf": lambda z: 1.0 * xp.logical_and(z >= 0, z <= 1),
        "cdf": lambda z: xp.clip(z, 0.0, 1.0),
        "ppf": lambda q: q + _valid_share(q),
    },
    "expon": {
        "pdf": lambda z: _right_of(z, lambda z: xp.exp(-z)),
        "sf": lambda z: xp.exp(-xp.maximum(z, 0.0)),
        "logsf": lambda z: -xp.maximum(z, 0.0),
        "cdf": lambda z: 1 - xp.exp(-xp.maximum(z, 0.0)),
        "ppf": lambda q: -xp.log(1 - q) + _valid_share(q),
    },
    "logistic": {
        "pdf": lambda z: _expit(z) * _expit(-z),
        "cdf": _expit,
        "sf": lambda z: _expit(-z),
        "logcdf": lambda z: -xp.logaddexp(0.0, -z),
        "logsf": lambda z: -xp.logaddexp(0.0, z),
        "ppf": _logit,
    },
    "laplace": {
        "pdf": lambda z: xp.exp(-xp.abs(z)) / 2,
        "cdf": lambda z: xp.where(z > 0, 1 - xp.exp(-xp.abs(z)) / 2, xp.exp(-xp.abs(z)) / 2),
    },
    "cauchy": {
        "pdf": lambda z: 1 / (_pi(z) * (1 + z * z)),
        "cdf": lambda z: 0.5 + xp.arctan(z) / _pi(z),
    },
    "gumbel_r": {
        "logpdf": lambda z: -z - xp.exp(-z),
        "cdf": lambda z: xp.exp(-xp.exp(-z)),
        "logcdf": lambda z: -xp.exp(-z),
    },
    "lognorm": {"pdf": _lognormal},
    "t": {"logpdf": _student},
    "gamma": {"pdf": lambda z, a: _right_of(z, lambda z: _gamma(z, a)) + _valid_parameters(a)},
    "chi2": {
        "pdf": lambda z, k: _right_of(z, lambda z: _gamma(z / 2, k / 2) / 2) + _valid_parameters(k)
    },
    "poisson": {"pmf": _poisson},
}
#: Function of a standard distribution -> another one, and how the first follows from it.
_FROM: dict[str, tuple[str, Formula]] = {
    "pdf": ("logpdf", lambda f: xp.exp(f)),
    "logpdf": ("pdf", lambda f: xp.log(f)),
    "logpmf": ("pmf", lambda f: xp.log(f)),
    "logcdf": ("cdf", lambda f: xp.log(f)),
    "logsf": ("sf", lambda f: xp.log(f)),
    "sf": ("cdf", lambda f: 1 - f),
}


def _standard(distribution: Family, method: str, z: Array, shapes: list[Array]) -> Array:
    """Returns a function of the standard distribution."""
    known = FORMULAS.get(distribution.name, {})
    if method in known:
        return known[method](z, *shapes)
    if method in _FROM and _FROM[method][0] in known:
        other, formula = _FROM[method]
        return formula(_standard(distribution, other, z, shapes))
    if method == "isf" and "ppf" in known:
        return _standard(distribution, "ppf", 1 - z, shapes)
    if method == "logsf" and "cdf" in known:
        return xp.log(_standard(distribution, "sf", z, shapes))
    context = z._eqvproof.context
    name = f"scipy.stats.{distribution.name}.{method}"
    nodes = [node_of(a) for a in (z, *shapes)]
    return make(
        context, applied(context.builder, name, getattr(distribution, method), nodes), array=True
    )


def _positive(scale: Array) -> Array:
    """Returns a scale, undefined where it is not positive once it divides.

    The root of a negative number is undefined, and so is a division by 0.
    """
    return xp.sqrt(scale) ** 2


def _call(
    context: TraceContext, distribution: Family, method: str, *args: object, **kwds: object
) -> Array:
    """Returns a function of a distribution with a location and a scale."""
    x, *rest = args
    shapes, loc, scale = distribution._parse_args(*rest, **kwds)
    parameters = [lift(context, a) for a in shapes]
    value = lift(context, x)
    is_moved = mentions_trace((loc,)) or np.any(loc != 0)
    is_scaled = mentions_trace((scale,)) or np.any(scale != 1)
    width = None
    if is_scaled:
        width = _positive(lift(context, scale))
    if method in _INVERSES:
        found = _standard(distribution, method, value, parameters)
        if width is not None:
            found = found * (width * width / width)
        if is_moved:
            found = found + lift(context, loc)
        return found
    if is_moved:
        value = value - lift(context, loc)
    if width is None:
        return _standard(distribution, method, value, parameters)
    found = _standard(distribution, method, value / width, parameters)
    if method == "pdf":
        return found / width
    if method == "logpdf":
        return found - xp.log(width)
    return found


class Distribution:
    """A distribution of ``scipy.stats``, with some of its parameters, as traced code sees it."""

    __slots__ = ("_args", "_kwds", "_original")

    def __init__(self, original: Family, args: tuple[object, ...] = (), **kwds: object) -> None:
        self._original = original
        self._args = args
        self._kwds = kwds

    def __call__(self, *args: object, **kwds: object) -> object:
        """Returns the distribution with these parameters."""
        if self._args or self._kwds:
            raise TypeError("a distribution that has its parameters is not callable")
        return Distribution(self._original, args, **kwds)

    def __getattr__(self, name: str) -> object:
        context, original = current_context(), self._original
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _PLAIN or context is None or not context.active:
            held = self._args or self._kwds
            if held:
                return getattr(original.freeze(*self._args, **self._kwds), name)
            return getattr(original, name)
        found = getattr(original, name)
        called = f"scipy.stats.{original.name}.{name}"
        if name == "freeze":
            return self
        if name not in METHODS:
            context.refuse(
                f"{called} is not traced", hint="densities, probabilities and quantiles are"
            )

        def method(x: object, *args: object, **kwds: object) -> object:
            given, named = (x, *self._args, *args), {**self._kwds, **kwds}
            if not mentions_trace(given) and not mentions_trace(named):
                with untraced():
                    return found(*given, **named)
            return guarded(context, called, _call, (original, name, *given), named)

        return method


def stand_in(value: Family) -> Distribution:
    """Returns a distribution of SciPy, free or with parameters, as traced code sees it."""
    if is_frozen(value):
        return Distribution(_named(value.dist), value.args, **value.kwds)
    return Distribution(value)


def is_frozen(value: Family) -> bool:
    """Checks whether a distribution has its parameters."""
    return isinstance(value, sys.modules[_HOME].rv_frozen)


def is_distribution(value: Family) -> bool:
    """Checks whether a value is a distribution of SciPy's own, free or with parameters.

    It must draw from NumPy's global generator, whose state shows whether it drew.
    """
    home = sys.modules[_HOME]
    if isinstance(value, home.rv_frozen):
        free = value.dist
    else:
        free = value
    if not isinstance(free, home.rv_generic):
        return False
    original = _named(free)
    is_own = type(free) is type(original) and (free is value) <= (free is original)
    return is_own and free._random_state is np.random.mtrand._rand


def _named(distribution: Family) -> Family:
    """Returns SciPy's distribution of this name, or the one that is given."""
    found: Family = getattr(sys.modules["scipy.stats"], str(distribution.name), distribution)
    return found


_HOME = "scipy.stats._distn_infrastructure"
