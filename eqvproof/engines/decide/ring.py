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

from eqvproof.deadline import require_time
from eqvproof.engines.answer import Unable
from eqvproof.operations import FUNCTIONS

NOWHERE: frozenset[object] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """num / den, in lowest terms, den with leading coefficient 1.

    Attributes:
        ring: the ring.
        num: a python-flint polynomial.
        den: a python-flint polynomial.
        domain: the partial functions, with their arguments, that must be defined for this value to be.
    """

    ring: Ring
    num: Any
    den: Any
    domain: frozenset[object] = NOWHERE

    def __add__(self, other: Ratio) -> Ratio:
        domain = _union(self.domain, other.domain)
        if self.den is other.den or self.den == other.den:
            return self.ring.ratio(self.num + other.num, self.den, domain)
        num = self.num * other.den + other.num * self.den
        return self.ring.ratio(num, self.den * other.den, domain)

    def __mul__(self, other: Ratio) -> Ratio:
        one, num = self.ring.one, self.num * other.num
        den = one if self.den is one and other.den is one else self.den * other.den
        return self.ring.ratio(num, den, _union(self.domain, other.domain))

    @property
    def is_zero(self) -> bool:
        """Whether this is the zero function."""
        return bool(self.num == 0)

    def key(self) -> str:
        """Text that two ratios share when and only when they are equal."""
        return f"({self.num})/({self.den})"


def _union(a: frozenset[object], b: frozenset[object]) -> frozenset[object]:
    return a | b if a and b else a or b


class Ring:
    """The ring for given inputs; atoms are made as they are met.

    Args:
        count: how many input entries there are.
        atoms: at most so many atoms.
        most_terms: polynomials longer than this are refused.

    Attributes:
        fields: vector fields, each the velocities (polynomials) of input entries by number, those that rest
            left out. Atoms do not move: their arguments are required to be invariant along every field.
        kept: rationals of constant nodes and their arrays, by the identity of the rationals.
    """

    def __init__(self, count: int, atoms: int, most_terms: int = 200_000) -> None:
        self.context = fmpq_mpoly_ctx.get(("x", max(1, count + atoms)), Ordering.degrevlex)
        self.generators = self.context.gens()
        self.count, self.most_terms = count, most_terms
        self.one = self.context.constant(fmpq(1))
        self.fields: list[dict[int, Any]] = []
        self.kept: dict[int, tuple[Any, Any]] = {}
        self._atoms: dict[tuple[object, ...], int] = {}
        self._constants: dict[tuple[int, int], Ratio] = {}

    def constant(self, value: Fraction | int) -> Ratio:
        """A rational number."""
        key = value.numerator, value.denominator
        known = self._constants.get(key)
        if known is None:
            known = self._constants[key] = Ratio(self, self.context.constant(fmpq(*key)), self.one)
        return known

    def variable(self, number: int) -> Ratio:
        """An input entry."""
        return Ratio(self, self.generators[number], self.one)

    def ratio(self, num: Any, den: Any, domain: frozenset[object] = NOWHERE) -> Ratio:
        """num / den in lowest terms."""
        if len(num) > self.most_terms or len(den) > self.most_terms:
            raise Unable("the polynomials grow too large")
        if den is self.one:
            return Ratio(self, num, den, domain)
        if num == 0:
            return Ratio(self, num, self.one, domain)
        if den != self.one:
            common = num.gcd(den)
            if common != self.one:
                num, den = divmod(num, common)[0], divmod(den, common)[0]
            lead = den.leading_coefficient()
            if lead != 1:
                num, den = num / lead, den / lead
        return Ratio(self, num, self.one if den == self.one else den, domain)

    # ------------------------------------------------------------------------------------------ derivatives
    def derivative(self, value: Ratio, field: int) -> Ratio:
        """The derivative of a value along a field: (N' D - N D') / D^2."""
        num = self._along(value.num, field)
        if value.den is self.one:
            return Ratio(self, num, self.one)
        top = num * value.den - value.num * self._along(value.den, field)
        return self.ratio(top, value.den * value.den)

    def _along(self, polynomial: Any, field: int) -> Any:
        total = self.context.constant(fmpq(0))
        for number, velocity in self.fields[field].items():
            require_time()
            slope = polynomial.derivative(number)
            if slope != 0:
                total = total + slope * velocity
        return total

    def is_invariant(self, value: Ratio) -> bool:
        """Whether the derivatives along all fields vanish."""
        if value.num.is_constant() and value.den is self.one:
            return True
        return all(self.derivative(value, k).is_zero for k in range(len(self.fields)))

    def atom(self, fn: str, args: Sequence[Ratio], *, symmetric: bool = False, number: int = 0) -> Ratio:
        """fn(args), uninterpreted; invariant arguments are required where there are fields.

        Raises:
            Unable: an argument moves along a field, or there are too many atoms.
        """
        if not all(map(self.is_invariant, args)):
            raise Unable(f"{fn} of a quantity that the group moves")
        keys = [a.key() for a in args]
        if symmetric:
            keys = sorted(set(keys)) if fn in ("max", "min") else sorted(keys)
        return self._atom((fn, number, *keys), NOWHERE.union(*(a.domain for a in args)))

    def choice(self, c: Ratio, a: Ratio, b: Ratio) -> Ratio:
        """a where c is not 0, else b; where the one not chosen is undefined does not matter."""
        if c.num == self.one and c.den == self.one:
            return Ratio(self, a.num, a.den, a.domain | c.domain)
        if c.is_zero:
            return Ratio(self, b.num, b.den, b.domain | c.domain)
        if not all(map(self.is_invariant, (c, a, b))):
            raise Unable("a choice between quantities that the group moves")
        domain = c.domain
        if a.domain or b.domain:  # where c is 0 decides which of the two matters
            domain |= {("select", c.key(), a.domain, b.domain)}
        return self._atom(("select", c.key(), a.key(), a.domain, b.key(), b.domain), domain)

    def _atom(self, key: tuple[object, ...], domain: frozenset[object]) -> Ratio:
        at = self._atoms.setdefault(key, self.count + len(self._atoms))
        if at >= len(self.generators):
            raise Unable("there are too many values of nonlinear functions")
        return Ratio(self, self.generators[at], self.one, domain)

    def map(self, fn: str, args: Sequence[Ratio]) -> Ratio:
        """An elementwise function; 1/x stays a ratio, odd and even functions know their parity.

        Raises:
            Unable: an argument that the group moves, or 1/0.
        """
        if not args:
            return self.atom(fn, [])
        if not all(map(self.is_invariant, args)):
            raise Unable(f"{fn} of a quantity that the group moves")
        (first, *_), parity = args, FUNCTIONS[fn].parity
        negative = bool(parity) and not first.is_zero and first.num.leading_coefficient() < 0
        folded = [Ratio(self, -first.num, first.den, first.domain), *args[1:]] if negative else args
        known = fn in TOTAL or (fn == "recip" and first.num.is_constant() and first.den.is_constant())
        own: frozenset[object] = NOWHERE if known else frozenset([(fn, *(a.key() for a in folded))])
        domain = own.union(*(a.domain for a in args))
        if fn == "recip":
            if first.is_zero:
                raise Unable("a division by zero at every point")
            return self.ratio(first.den, first.num, domain)
        value = self.atom(fn, folded)
        num = -value.num if negative and parity == "odd" else value.num
        return Ratio(self, num, value.den, domain)


#: Elementwise functions that are defined on all reals.
TOTAL = frozenset(row.name for row in FUNCTIONS.values() if not row.partial)
