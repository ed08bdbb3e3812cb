"""Rational functions in the input entries and in *atoms*: values of functions that are left uninterpreted.

An atom stands for fn(arguments); equal functions of equal arguments are one atom, and nothing else is known
of them. So an identity that holds in this ring holds for the real functions; one that fails here decides
nothing by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx

from eqvproof.program import MAP_FUNCTIONS

NOWHERE: frozenset[object] = frozenset()


class Unable(Exception):
    """The decision procedure does not cover this program; the message says why."""


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """num / den, in lowest terms, den with leading coefficient 1; ``tangents`` are its derivatives.

    Attributes:
        ring: the ring.
        num: a python-flint polynomial.
        den: a python-flint polynomial.
        tangents: derivatives along the directions that are being tried; None stands for 0.
        domain: the partial functions, with their arguments, that must be defined for this value to be.
    """

    ring: Ring
    num: Any
    den: Any
    tangents: tuple[Ratio | None, ...]
    domain: frozenset[object] = NOWHERE

    def __add__(self, other: Ratio) -> Ratio:
        tangents = tuple(_sum(a, b) for a, b in zip(self.tangents, other.tangents, strict=True))
        domain = self.domain | other.domain
        if self.den == other.den:
            return self.ring.ratio(self.num + other.num, self.den, tangents, domain)
        num = self.num * other.den + other.num * self.den
        return self.ring.ratio(num, self.den * other.den, tangents, domain)

    def __mul__(self, other: Ratio) -> Ratio:
        tangents = tuple(
            _sum(_scaled(a, other), _scaled(b, self))
            for a, b in zip(self.tangents, other.tangents, strict=True)
        )
        return self.ring.ratio(
            self.num * other.num, self.den * other.den, tangents, self.domain | other.domain
        )

    @property
    def is_zero(self) -> bool:
        """Whether this is the zero function."""
        return bool(self.num == 0)

    @property
    def is_invariant(self) -> bool:
        """Whether all derivatives vanish."""
        return all(t is None or t.is_zero for t in self.tangents)

    @property
    def bare(self) -> Ratio:
        """The value without its derivatives."""
        return Ratio(self.ring, self.num, self.den, (), self.domain)

    def key(self) -> str:
        """Text that two ratios share when and only when they are equal."""
        return f"({self.num})/({self.den})"


def _sum(a: Ratio | None, b: Ratio | None) -> Ratio | None:
    if a is None or b is None:
        return a or b
    return a + b


def _scaled(a: Ratio | None, b: Ratio) -> Ratio | None:
    return None if a is None else a * b.bare


class Ring:
    """The ring for given inputs; atoms are made as they are met.

    Args:
        count: how many input entries there are.
        directions: how many derivatives are carried.
        atoms: at most so many atoms.
        most_terms: polynomials longer than this are refused.
    """

    def __init__(self, count: int, directions: int, atoms: int = 256, most_terms: int = 200_000) -> None:
        self.context = fmpq_mpoly_ctx.get(("x", count + atoms), Ordering.degrevlex)
        self.generators = self.context.gens()
        self.count, self.directions, self.most_terms = count, directions, most_terms
        self.one = self.context.constant(fmpq(1))
        self._atoms: dict[tuple[object, ...], int] = {}

    def constant(self, value: Fraction | int) -> Ratio:
        """A rational number."""
        f = Fraction(value)
        return Ratio(
            self, self.context.constant(fmpq(f.numerator, f.denominator)), self.one, (None,) * self.directions
        )

    def variable(self, number: int) -> Ratio:
        """An input entry, without derivatives."""
        return Ratio(self, self.generators[number], self.one, (None,) * self.directions)

    def with_tangents(self, value: Ratio, tangents: Sequence[Ratio | None]) -> Ratio:
        """The value with its derivatives."""
        kept = tuple(None if t is None or t.is_zero else t.bare for t in tangents)
        return Ratio(self, value.num, value.den, kept, value.domain)

    def ratio(
        self, num: Any, den: Any, tangents: tuple[Ratio | None, ...] = (), domain: frozenset[object] = NOWHERE
    ) -> Ratio:
        """num / den in lowest terms."""
        if len(num) > self.most_terms or len(den) > self.most_terms:
            raise Unable("the polynomials grow too large")
        if num == 0:
            return Ratio(self, num, self.one, tangents, domain)
        if den != self.one:
            common = num.gcd(den)
            if common != self.one:
                num, den = divmod(num, common)[0], divmod(den, common)[0]
            lead = den.leading_coefficient()
            if lead != 1:
                num, den = num / lead, den / lead
        return Ratio(self, num, den, tangents, domain)

    def atom(self, fn: str, args: Sequence[Ratio], *, symmetric: bool = False, number: int = 0) -> Ratio:
        """fn(args), uninterpreted; invariant arguments are required where derivatives are carried.

        Raises:
            Unable: an argument has a derivative, or there are too many atoms.
        """
        if not all(a.is_invariant for a in args):
            raise Unable(f"{fn} of a quantity that the group moves")
        keys = [a.key() for a in args]
        if symmetric:
            keys = sorted(set(keys)) if fn in ("max", "min") else sorted(keys)
        return self._atom((fn, number, *keys), NOWHERE.union(*(a.domain for a in args)))

    def choice(self, c: Ratio, a: Ratio, b: Ratio) -> Ratio:
        """a where c is not 0, else b; where the one not chosen is undefined does not matter."""
        if c.num == self.one and c.den == self.one:
            return Ratio(self, a.num, a.den, a.tangents, a.domain | c.domain)
        if c.is_zero:
            return Ratio(self, b.num, b.den, b.tangents, b.domain | c.domain)
        if not all(x.is_invariant for x in (c, a, b)):
            raise Unable("a choice between quantities that the group moves")
        domain = c.domain
        if a.domain or b.domain:  # where c is 0 decides which of the two matters
            domain |= {("select", c.key(), a.domain, b.domain)}
        return self._atom(("select", c.key(), a.key(), a.domain, b.key(), b.domain), domain)

    def _atom(self, key: tuple[object, ...], domain: frozenset[object]) -> Ratio:
        at = self._atoms.setdefault(key, self.count + len(self._atoms))
        if at >= len(self.generators):
            raise Unable("there are too many values of nonlinear functions")
        return Ratio(self, self.generators[at], self.one, (None,) * self.directions, domain)

    def map(self, fn: str, args: Sequence[Ratio]) -> Ratio:
        """An elementwise function; 1/x stays a ratio, odd and even functions know their parity.

        Raises:
            Unable: an argument that the group moves, or 1/0.
        """
        if not args:
            return self.atom(fn, [])
        if not all(a.is_invariant for a in args):
            raise Unable(f"{fn} of a quantity that the group moves")
        (first, *_), parity = args, MAP_FUNCTIONS[fn][1]
        negative = bool(parity) and not first.is_zero and first.num.leading_coefficient() < 0
        folded = (
            [Ratio(self, -first.num, first.den, first.tangents, first.domain), *args[1:]]
            if negative
            else args
        )
        known = fn in TOTAL or (fn == "recip" and first.num.is_constant() and first.den.is_constant())
        own: frozenset[object] = NOWHERE if known else frozenset([(fn, *(a.key() for a in folded))])
        domain = own.union(*(a.domain for a in args))
        if fn == "recip":
            if first.is_zero:
                raise Unable("a division by zero at every point")
            return self.ratio(first.den, first.num, (None,) * self.directions, domain)
        value = self.atom(fn, folded)
        num = -value.num if negative and parity == "odd" else value.num
        return Ratio(self, num, value.den, value.tangents, domain)


#: Elementwise functions that are defined on all reals.
TOTAL = frozenset(MAP_FUNCTIONS) - {"recip", "sqrt", "log", "arcsin", "arccos", "pow", "mod", "tan"}
