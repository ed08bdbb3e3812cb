"""Bounds sums of many independent roundings with a probability, measured by normal draws.

If normal numbers of deviation w_j replace the roundings d_j, a linear form ``sum_j s_j d_j`` becomes
a normal number of deviation sigma. M draws of it bound sigma by the lower tail of chi-squared:
``P(mean of squares < t sigma^2) <= (t exp(1 - t))^(M / 2)``. Roundings that occur in no other entry
yet need no draws: their deviations add up in squares.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from eqvproof.rounding.enclosed import Array, Enclosed, array_sum

#: The least and largest number of draws of a linear form, and the largest number of drawn numbers
#: if there are more draws than the least number.
DRAWS, MANY, QUICK = 48, 128, 2**20
#: The largest number of entries of an array that is drawn, and of numbers computed at a time for a
#: larger one.
LARGE, AT_ONCE = 2**15, 2**18
#: The number of normal numbers that all bounds share: enough for a large layer (8 MB).
POOL = 2**21


@dataclass(frozen=True, slots=True)
class Term:
    """Draws of a part of a linear form: a drawn array, possibly constant along axes, times numbers.

    Attributes:
        take: returns a slice of the draws, of shape (count, *base), in units of the format.
        base: a shape that broadcasts to that of the array.
        factor: the numbers, of the array's shape; None stands for 1.
        size: the number of entries of the largest array from which a draw is computed.
    """

    take: Callable[[slice], Array]
    base: tuple[int, ...]
    factor: Array | None
    size: int

    def values(self, at: slice) -> Array:
        """Returns a slice of the draws, times the numbers."""
        drawn = self.take(at)
        if self.factor is not None:
            drawn = drawn * self.factor
        return drawn


@dataclass(frozen=True, slots=True)
class Draws:
    """Draws of the linear forms of an array of this shape, computed on request."""

    terms: tuple[Term, ...]
    shape: tuple[int, ...]

    def take(self, at: slice) -> Array:
        """Returns a slice of the draws, of shape (count, ...), in units of the format."""
        whole = array_sum(t.values(at) for t in self.terms)
        return np.broadcast_to(whole, (len(whole), *self.shape))

    def parts(self, count: int) -> Iterable[Array]:
        """Yields all draws, in parts."""
        step = max(AT_ONCE // max(math.prod(self.shape), *(t.size for t in self.terms), 1), 1)
        return (self.take(slice(k, min(k + step, count))) for k in range(0, count, step))

    def store_if_small(self, count: int) -> Draws:
        """Returns the same draws, as stored numbers if the array is small."""
        if is_large(self.shape):
            return self
        whole, done = np.empty((count, *self.shape), dtype=np.float32), 0
        for part in self.parts(count):
            whole[done : done + len(part)] = part
            done += len(part)
        return stored_draws(whole)

    def times(self, factor: Array) -> Draws:
        """Returns the draws of the forms multiplied by numbers."""
        single = factor.astype(np.float32)
        terms = (
            replace(t, factor=single if t.factor is None else t.factor * single) for t in self.terms
        )
        return Draws(tuple(terms), self.shape)

    def transform(self, move: Callable[[Array], Array], shape: tuple[int, ...]) -> Draws:
        """Returns the draws of the forms after a linear map.

        The map turns arrays (count, *self.shape) into (count, *shape).
        """
        return Draws(
            (Term(lambda at: move(self.take(at)), shape, None, math.prod(self.shape)),), shape
        )


def stored_draws(draws: Array) -> Draws:
    """Returns stored numbers as draws."""
    shape = draws.shape[1:]
    return Draws((Term(lambda at: draws[at], shape, None, math.prod(shape)),), shape)


class DrawnNumber:
    """A number with draws of its error of first order, and a bound of the rest.

    Attributes:
        known: the number with a bound of its error.
        draws: the draws of the linear form without the part of `fresh`; None stands for 0.
        fresh: the deviations, in units of the format, of a part that is independent of the draws
            and between entries (for a large array see `probable`); None stands for 0.
        rest: at least |error - linear form|; None stands for 0.
        sources: the arrays whose roundings the fresh part of a large array may contain.
        is_used_once: True if a single product, sum or function uses the number; it may then take
            over `fresh`.
        is_near: True if the bound in `known` is the probable one.
    """

    __slots__ = ("draws", "fresh", "is_near", "is_used_once", "known", "rest", "sources")

    def __init__(
        self, known: Enclosed, draws: Draws | None = None, fresh: Array | None = None,
        rest: Array | None = None, sources: frozenset[int] = frozenset(),
    ) -> None:  # fmt: skip
        self.known = known
        self.draws = draws
        self.fresh = fresh
        self.rest = rest
        self.sources = sources
        self.is_used_once = False
        self.is_near = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape."""
        return self.known.shape

    @property
    def is_large(self) -> bool:
        """True if the array is so large that its fresh part is not drawn."""
        return is_large(self.shape)


def is_large(shape: tuple[int, ...]) -> bool:
    """Checks whether an array of this shape is too large to be drawn."""
    return math.prod(shape) > LARGE


class Normals:
    """A source of independent normal numbers, each returned once; those of the pool come first."""

    def __init__(self) -> None:
        self._given = 0
        self._rng = np.random.Generator(np.random.SFC64(1))

    def draw(self, draws: int, deviations: Array) -> Array:
        """Returns draws with these deviations."""
        shape = (draws, *deviations.shape)
        start, self._given = self._given, self._given + math.prod(shape)
        if self._given <= POOL:
            return np.asarray(
                _pool()[start : self._given].reshape(shape) * deviations.astype(np.float32)
            )
        self._given = max(start, POOL)
        found = self._rng.standard_normal(shape, dtype=np.float32)
        found *= deviations.astype(np.float32)
        return found


@cache
def _pool() -> Array:
    """Returns standard normal numbers, drawn once: they do not depend on the measured forms."""
    return np.random.Generator(np.random.SFC64(0)).standard_normal(POOL, dtype=np.float32)


def bound_forms(x: DrawnNumber, risk: float, draws: int, shift: float = 0.0) -> Array:
    """Returns a bound of each linear form, in units of the format.

    All bounds hold together, except with probability `risk`, even if the roundings of a form are
    shifted by `shift` deviations (B in `probable`).
    """
    count = max(math.prod(x.shape), 1)
    sigma = np.zeros(x.shape)
    if x.draws is not None:
        squares = array_sum(np.einsum("i...,i...->...", p, p) for p in x.draws.parts(draws))
        sigma = np.sqrt(squares / draws / lower_tail(risk / (2 * count), draws))
    if x.fresh is not None:  # in large arrays it may depend on the draws
        if x.is_large:
            sigma = sigma + x.fresh
        else:
            sigma = sum_deviations(sigma, x.fresh)
    return np.asarray((math.sqrt(2 * math.log(4 * count / risk)) + shift) * sigma)


def lower_tail(probability: float, draws: int) -> float:
    """Returns the t with (t exp(1 - t))^(draws / 2) = probability."""
    low, high, target = 0.0, 1.0, 2 * math.log(probability) / draws
    for _ in range(60):
        middle = (low + high) / 2
        if math.log(middle) + 1 - middle > target:
            high = middle
        else:
            low = middle
    return low


def draws_for(entries: Iterable[int]) -> int:
    """Returns the number of draws for arrays with these numbers of entries."""
    return min(max(QUICK // max((n for n in entries if n <= LARGE), default=1), DRAWS), MANY)


def sum_deviations(a: Array, b: Array) -> Array:
    """Returns the deviations of sums of two independent numbers."""
    return np.asarray(np.sqrt(a * a + b * b))


def combine_deviations(parts: Sequence[Array]) -> Array | None:
    """Returns deviations of a sum of forms, which may depend on each other.

    The deviations of each form are given as if its entries were independent. By Minkowski and
    Cauchy and Schwarz, with any numbers t_k > 0 of sum 1 in place of the shares of norms:

        (sum_k sqrt(sum_i c_i^2 f_ki^2))^2 <= sum_k (1 / t_k) sum_i c_i^2 f_ki^2
    """
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    norms = [max(float(np.linalg.norm(f)), 1e-300) for f in parts]
    if not math.isfinite(sum(norms)):
        norms = [1.0] * len(parts)
    return np.sqrt(array_sum(f * f * (sum(norms) / n) for f, n in zip(parts, norms, strict=True)))
