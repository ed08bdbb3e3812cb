"""Random elements, exact."""

from __future__ import annotations

import random
from fractions import Fraction

import flint

from eqvproof.errors import GroupError
from eqvproof.groups.custom import generator_elements
from eqvproof.groups.element import Element, compose, from_flint, inverse, permutation_sign, to_flint
from eqvproof.groups.model import Factor


def random_element(factor: Factor, size: int, rng: random.Random) -> Element:
    """A random element of a factor at a size; the identity only where the group is trivial.

    O, SO: ``D (I - A)^{-1} (I + A)`` with A skew-symmetric of small rationals and D a random diagonal of
    signs (of determinant 1 for SO); every orthogonal matrix is such a product over the reals. S, A, C, Signs:
    uniform among the elements other than the identity.

    **Exactness**: exact rational matrices.
    **Cost**: one rational inverse; entries have some size^2 digits.
    """
    while True:
        element = _any_element(factor, size, rng)
        if not element.is_identity or is_trivial(factor, size):
            return element


def is_trivial(factor: Factor, size: int) -> bool:
    """Whether the group has the identity only: S(1), A(1), A(2), C(1), SO(1)."""
    if factor.generators:
        return all(g.is_identity for g in generator_elements(factor))
    if factor.family in ("O", "Signs", "T", "E", "SE", "Scale", "GL"):
        return False
    return size < (3 if factor.family == "A" else 2)


def _any_element(factor: Factor, size: int, rng: random.Random) -> Element:
    kind = factor.kind
    if factor.generators:
        steps = [h for g in generator_elements(factor) for h in (g, inverse(g))]
        found = rng.choice(steps)
        for _ in range(rng.randrange(12)):
            found = compose(rng.choice(steps), found)
        return found
    if kind == "none":
        raise GroupError(f"elements of {factor} are not supported yet", code="group.unsupported")
    if kind == "orth":
        return Element(factor.family, factor.axis, _orthogonal(size, rng, special=factor.family == "SO"))
    if kind == "lin":
        while True:
            rows = [
                [Fraction(rng.randint(-3, 3), rng.choice((1, 1, 1, 2))) for _ in range(size)]
                for _ in range(size)
            ]
            if to_flint(tuple(map(tuple, rows))).det() != 0:
                return Element(factor.family, factor.axis, tuple(map(tuple, rows)))
    if kind == "scale":
        return Element(factor.family, factor.axis, (Fraction(rng.randint(1, 9), rng.randint(1, 9)),))
    vector = tuple(Fraction(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(size))
    if kind == "shift":
        return Element(factor.family, factor.axis, vector)
    if kind == "rigid":
        return Element(
            factor.family, factor.axis, (_orthogonal(size, rng, special=factor.family == "SE"), vector)
        )
    if factor.family == "D":
        by, sense = rng.randrange(size), rng.choice((1, -1))
        return Element(factor.family, factor.axis, tuple((by + sense * i) % size for i in range(size)))
    if kind == "sign":
        return Element(factor.family, factor.axis, tuple(rng.choice((1, -1)) for _ in range(size)))
    if factor.family == "C":
        by = rng.randrange(size)
        return Element(factor.family, factor.axis, tuple((i + by) % size for i in range(size)))
    p = list(range(size))
    rng.shuffle(p)
    if factor.family == "A" and permutation_sign(p) == -1:
        p[0], p[1] = p[1], p[0]
    return Element(factor.family, factor.axis, tuple(p))


def _orthogonal(size: int, rng: random.Random, *, special: bool) -> tuple[tuple[Fraction, ...], ...]:
    plus = [[flint.fmpq(int(i == j)) for j in range(size)] for i in range(size)]
    minus = [row[:] for row in plus]
    for i in range(size):
        for j in range(i):
            value = flint.fmpq(rng.randint(-4, 4), rng.randint(1, 3))
            plus[i][j], plus[j][i] = value, -value
            minus[i][j], minus[j][i] = -value, value
    signs = [rng.choice((1, -1)) for _ in range(size)]
    if special and signs.count(-1) % 2:
        signs[0] = -signs[0]
    flat_minus = flint.fmpq_mat(size, size, [v for row in minus for v in row])
    flat_plus = flint.fmpq_mat(size, size, [v for row in plus for v in row])
    rows = from_flint(flat_minus.inv() * flat_plus)
    return tuple(tuple(s * v for v in row) for s, row in zip(signs, rows, strict=True))
