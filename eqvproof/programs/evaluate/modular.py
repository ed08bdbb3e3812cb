"""Evaluation at a point of prime fields, with uninterpreted functions as hashes: an identity test.

A Program is evaluated over several primes at once (channels). What is algebraic (einsum, sums,
reciprocals, products, inverses, determinants) is computed; any other function becomes a keyed hash
of its argument in all channels: equal in, equal out. So a Program is a rational function in
its inputs and in one new variable for each different argument of each function. If two Programs
agree as such rational functions, they agree for every choice of the functions, so also for the real
ones, wherever both are defined (where each is defined is another question); a point where they
differ decides nothing about the real ones. `degree` bounds the probability that they agree at a
random point without being equal.

Some functions keep more structure, each by an identity of the real ones:

    |x| = x s(x), s odd          max(x, y) = (x + y + |x - y|) / 2        min(x, y) = x + y - max(x, y)
    x < y = l(x - y)             x <= y = 1 - (y < x)                     x = y is e(x - y), e even
    not x = e(x)                 x and y = (1 - e(x)) (1 - e(y))          x or y = 1 - e(x) e(y)
    where(c, a, b) = (1 - e(c)) a + e(c) b                                ceil x = -floor(-x)
    x mod y = x - y floor(x / y)         max over an axis = mean + M(deviations from it), M symmetric,
    min x = -max(-x)             sort likewise, one symmetric function a place; odd and even functions stay so
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np

from eqvproof.numbers.signals import Undefined
from eqvproof.programs.evaluate import matrices
from eqvproof.programs.evaluate.channels import Channels, Residues, each
from eqvproof.programs.evaluate.siphash import key_of, siphash
from eqvproof.programs.operations.functions import FUNCTIONS
from eqvproof.support.errors import EqvproofError


class ModularSystem(Channels):
    """Prime fields and keyed hashes, all drawn from a seed; see `system.NumberSystem`."""

    def hashed(self, name: object, *arrays: Residues) -> Residues:
        """Returns a pseudo-random function of the entries of arrays, in all channels.

        The arrays have equal shape.
        """
        words = [part for a in arrays for part in a.parts]
        values = siphash(key_of(self.seed, name), words, len(self.fields))
        return Residues(tuple(f.reduce(v) for f, v in zip(self.fields, values, strict=True)))

    def _signs(self, x: Residues) -> tuple[Residues, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """Returns x or -x, the same one for both; where -x was taken; where x is zero."""
        flip = np.zeros(x.shape, dtype=bool)
        settled = np.zeros(x.shape, dtype=bool)
        for f, part in zip(self.fields, x.parts, strict=True):
            flip |= ~settled & (part > np.uint64(f.p // 2))
            settled |= part != 0
        minus = self.negative(x)
        pairs = zip(minus.parts, x.parts, strict=True)
        return Residues(tuple(np.where(flip, m, p) for m, p in pairs)), flip, ~settled

    def odd(self, name: object, x: Residues) -> Residues:
        """Returns a pseudo-random odd function of x."""
        canonical, flip, zero = self._signs(x)
        value = self.hashed(name, canonical)
        minus = self.negative(value)
        return Residues(
            tuple(
                np.where(zero, np.uint64(0), np.where(flip, m, v))
                for m, v in zip(minus.parts, value.parts, strict=True)
            )
        )

    def even(self, name: object, x: Residues) -> Residues:
        """Returns a pseudo-random even function of x."""
        return self.hashed(name, self._signs(x)[0])

    def symmetric(self, name: object, x: Residues, axes: tuple[int, ...]) -> Residues:
        """Returns a pseudo-random function of the multiset of entries along axes."""
        return self.hashed((name, "of the sum"), self.total(self.hashed((name, "entry"), x), axes))

    def apply(self, fn: str, arrays: Sequence[Residues]) -> Residues:
        """Applies an elementwise function."""
        if not arrays:
            return self.hashed(fn, self.fractions([Fraction(0)], ()))
        if fn in _RULES:
            return _RULES[fn](self, *arrays)
        parity = FUNCTIONS[fn].parity
        if parity == "odd":
            return self.odd(fn, arrays[0])
        if parity == "even":
            return self.even(fn, arrays[0])
        return self.hashed(fn, *arrays)

    def is_zero(self, x: Residues) -> Residues:
        """Returns e(x), the even function of the module docstring for "1 at zero, 0 elsewhere"."""
        return self.even("is zero", x)

    def is_negative(self, x: Residues) -> Residues:
        """Returns l(x), the function of the module docstring."""
        return self.hashed("is negative", x)

    def select(self, c: Residues, a: Residues, b: Residues) -> Residues:
        """Returns where(c, a, b) = b + (1 - e(c)) (a - b)."""
        return self.add([b, self.multiply(self.one_minus(self.is_zero(c)), self.subtract(a, b))])

    def reduce(self, fn: str, array: Residues, axes: tuple[int, ...]) -> Residues:
        """Computes prod; max and min are a mean plus a symmetric function of deviations."""
        if fn == "prod":
            for axis in sorted(axes, reverse=True):
                array = _product_along(self, array, axis)
            return array
        count = prod(array.shape[a] for a in axes)
        if count == 0:
            raise Undefined(f"{fn} of nothing")
        mean, deviations = self._centred(array, axes)
        if count == 1:
            return mean
        if fn == "max":
            return self.add([mean, self.symmetric("max", deviations, axes)])
        return self.subtract(mean, self.symmetric("max", self.negative(deviations), axes))

    def _centred(self, array: Residues, axes: tuple[int, ...]) -> tuple[Residues, Residues]:
        count = prod(array.shape[a] for a in axes)
        mean = self.scale(self.total(array, axes), Fraction(1, count))
        wide = each(mean, lambda x: np.expand_dims(x, axes))
        return mean, self.subtract(array, wide)

    def sort(self, array: Residues, axis: int) -> Residues:
        """Returns the k-th smallest as a mean plus the k-th symmetric function of deviations."""
        if array.shape[axis] < 2:
            return array
        mean, deviations = self._centred(array, (axis,))
        places = [
            self.symmetric(("sort", k), deviations, (axis,)) for k in range(array.shape[axis])
        ]
        stacked = zip(*(p.parts for p in places), strict=True)
        wide = each(mean, lambda x: np.expand_dims(x, axis))
        return self.add([Residues(tuple(np.stack(xs, axis=axis) for xs in stacked)), wide])

    def matrix(self, fn: str, arrays: Sequence[Residues]) -> Residues:
        """Returns another function of matrices: a polynomial with coefficients that are hashes."""
        found: Residues = matrices.as_unknown(self, fn, arrays)
        return found

    def unknown(self, name: object, arrays: Sequence[Residues]) -> Residues:
        """Returns a hash of the entries."""
        return self.hashed(name, *arrays)

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Residues], shape: tuple[int, ...]
    ) -> Residues:
        """Returns a pseudo-random function of all entries of all arguments.

        Raises:
            EqvproofError: its symmetry is assumed: a hash has none.
        """
        if symmetry is not None:
            raise EqvproofError(
                f"the opaque function {name} has an assumed symmetry, which a hash has not",
                code="evaluate.opaque-symmetry",
                given=name,
                expected="a function of which nothing is assumed",
                hint="give example= to opaque",
            )
        digest = self.fractions([Fraction(0)], ())
        for k, array in enumerate(arrays):
            flat = self.reshape(array, (-1,))
            place = self.fractions([Fraction(i) for i in range(flat.shape[0])], flat.shape)
            entries = self.hashed(("opaque", name, k, array.shape), place, flat)
            digest = self.hashed(("opaque", name), digest, self.total(entries, (0,)))
        count = prod(shape)
        places = self.fractions([Fraction(i) for i in range(count)], (count,))
        spread = self.broadcast(self.reshape(digest, (1,)), (count,))
        return self.reshape(self.hashed(("opaque value", name), places, spread), shape)


def _product_along(system: ModularSystem, array: Residues, axis: int) -> Residues:
    return system.zip_parts(lambda f, x: f.product(x, axis), array)


def _abs(s: ModularSystem, x: Residues) -> Residues:
    return s.multiply(x, s.odd("sign", x))


def _maximum(s: ModularSystem, x: Residues, y: Residues) -> Residues:
    return s.scale(s.add([x, y, _abs(s, s.subtract(x, y))]), Fraction(1, 2))


def _mod(s: ModularSystem, x: Residues, y: Residues) -> Residues:
    quotient = s.multiply(x, s.reciprocal(y))
    return s.subtract(x, s.multiply(y, s.hashed("floor", quotient)))


_RULES: Mapping[str, Callable[..., Residues]] = {
    "recip": ModularSystem.reciprocal,
    "abs": _abs,
    "maximum": _maximum,
    "minimum": lambda s, x, y: s.subtract(s.add([x, y]), _maximum(s, x, y)),
    "lt": lambda s, x, y: s.is_negative(s.subtract(x, y)),
    "gt": lambda s, x, y: s.is_negative(s.subtract(y, x)),
    "le": lambda s, x, y: s.one_minus(s.is_negative(s.subtract(y, x))),
    "ge": lambda s, x, y: s.one_minus(s.is_negative(s.subtract(x, y))),
    "eq": lambda s, x, y: s.is_zero(s.subtract(x, y)),
    "ne": lambda s, x, y: s.one_minus(s.is_zero(s.subtract(x, y))),
    "not": ModularSystem.is_zero,
    "and": lambda s, x, y: s.multiply(s.one_minus(s.is_zero(x)), s.one_minus(s.is_zero(y))),
    "or": lambda s, x, y: s.one_minus(s.multiply(s.is_zero(x), s.is_zero(y))),
    "ceil": lambda s, x: s.negative(s.hashed("floor", s.negative(x))),
    "mod": _mod,
}
