"""Comparison of two functions: as expressions, or at points, exactly or within a bound."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
from flint import Ordering, fmpq, fmpq_mpoly_ctx

from eqvproof.deepsets.arguments import Array
from eqvproof.engines.verdict.numbers import array_text
from eqvproof.support.errors import DomainError, ErrorCode

#: Largest number of terms of polynomials, and of operations of quotients, that are compared.
MOST_TERMS, MOST_OPERATIONS = 50_000, 1_000
#: For values that are not rational: largest relative difference that counts as rounding.
ROUNDING = 1e-8


@dataclass(frozen=True, slots=True)
class Agreement:
    """The evidence that a construction reproduces a function: a proof, or agreement at points.

    Attributes:
        proved: whether both sides are one expression, so that they agree wherever both are defined.
        points: number of points at which both sides were evaluated.
        exact_points: number of those points at which both values were rational, and equal.
        bound: the largest relative difference at the others.
    """

    proved: bool
    points: int
    exact_points: int
    bound: float

    def __str__(self) -> str:
        if self.proved:
            return "both sides are the same expression"
        text = f"equal at {self.exact_points} of {self.points} points, exactly"
        rest = self.points - self.exact_points
        if rest == 0:
            return text
        return f"{text}; within {self.bound:.2g} at the other {rest}"


PROVED = Agreement(proved=True, points=0, exact_points=0, bound=0.0)


def same_expression(left: Any, right: Any) -> bool:
    """Checks whether two SymPy expressions are equal as polynomials or quotients.

    Subexpressions that are not polynomials, such as function values, are treated as variables.
    A float counts as the rational number that it equals. The result is False, too, if the
    polynomials would be too long to write out.
    """
    import sympy

    if left == right:
        return True
    left, right = (
        e.xreplace({f: sympy.Rational(f) for f in e.atoms(sympy.Float)}) for e in (left, right)
    )
    terms: dict[Any, int] = {}
    degree = max(_collect_terms(left, terms), _collect_terms(right, terms))
    if all(_is_variable(t) for t in terms):
        if comb(len(terms) + degree, degree) > MOST_TERMS:
            return False
        ring = fmpq_mpoly_ctx.get([f"t{i}" for i in range(len(terms))], Ordering.degrevlex)
        table = dict(zip(terms, ring.gens(), strict=True))
        return bool(_to_polynomial(left, table, ring) == _to_polynomial(right, table, ring))
    difference = left - right
    if sympy.count_ops(difference) > MOST_OPERATIONS:
        return False
    if sympy.expand(difference) == 0:
        return True
    try:
        return bool(sympy.cancel(sympy.together(difference)) == 0)
    except (sympy.PolynomialError, NotImplementedError):
        return False


def _is_variable(term: Any) -> bool:
    """Checks whether a term can be treated as a variable.

    That is so for a symbol, and for a function of symbols and numbers, which expansion does not
    change.
    """
    return bool(
        term.is_Symbol or (term.is_Function and all(x.is_Symbol or x.is_number for x in term.args))
    )


def _collect_terms(e: Any, terms: dict[Any, int]) -> int:
    """Returns the degree of an expression as a polynomial in its terms; adds these to ``terms``."""
    if e.is_Rational:
        return 0
    if e.is_Add:
        return max(_collect_terms(x, terms) for x in e.args)
    if e.is_Mul:
        return sum(_collect_terms(x, terms) for x in e.args)
    if e.is_Pow and e.exp.is_Integer and e.exp > 0:
        return int(e.exp) * _collect_terms(e.base, terms)
    terms.setdefault(e, len(terms))
    return 1


def _to_polynomial(e: Any, table: dict[Any, Any], ring: Any) -> Any:
    """Converts an expression to a polynomial in the terms of the table."""
    if e.is_Rational:
        return ring.constant(fmpq(int(e.p), int(e.q)))
    if e.is_Add or e.is_Mul:
        parts = [_to_polynomial(x, table, ring) for x in e.args]
        total = parts[0]
        for part in parts[1:]:
            if e.is_Add:
                total = total + part
            else:
                total = total * part
        return total
    if e in table:
        return table[e]
    return _to_polynomial(e.base, table, ring) ** int(e.exp)


def rational_points(n: int, d: int, trials: int, seed: int) -> Iterator[Array]:
    """Yields n x d arrays of Fractions: generic ones, with equal rows, with a zero row."""
    draw = random.Random(f"{seed} {n} {d}")
    for trial in range(trials):
        rows = np.empty((n, d), dtype=object)
        for place in np.ndindex(n, d):
            rows[place] = Fraction(draw.randint(-4, 4), draw.choice((1, 1, 2, 3)))
        if trial == 0:  # in descending order, which no decoded multiset has
            rows[:, 0] = [Fraction(n - i, 2) for i in range(n)]
        elif trial % 3 == 1 and n > 1:
            rows[draw.randrange(1, n)] = rows[0]
        elif trial % 3 == 2 and n > 0:
            rows[draw.randrange(n)] = Fraction(0)
        yield rows


def compare(
    left: Callable[[Array], Array],
    right: Callable[[Array], Array],
    points: Iterator[Array],
    what: str,
) -> Agreement:
    """Compares both sides at the points: Fractions must be equal, floats within rounding.

    Raises:
        DomainError: the sides differ, with the message ``what``, the point and both values; or the
            function is defined at none of the points.
    """
    count, exact, bound = 0, 0, 0.0
    for x in points:
        try:
            a = left(x)
        except DomainError:
            continue  # f is not defined there
        b = right(x)
        count += 1
        difference = _relative_difference(a, b)
        if difference is None:
            exact += 1
        elif difference <= ROUNDING:
            bound = max(bound, difference)
        else:
            raise DomainError(
                what,
                given=f"at {array_text(x)}: {array_text(a)}, but {array_text(b)}",
                expected="an invariant (equivariant) function",
                code=ErrorCode.NOT_INVARIANT,
                hint="make it depend on the multiset of the points alone",
            )
    if count == 0:
        raise DomainError(
            "the function is defined at none of the points tried",
            expected="real numbers",
            given="points with small rational coordinates",
            hint="look for a division by zero",
        )
    return Agreement(proved=False, points=count, exact_points=exact, bound=bound)


def _relative_difference(a: Array, b: Array) -> float | None:
    """Returns None for equal exact arrays, else the relative difference of two arrays.

    The difference of arrays of different shapes is infinite.
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return float("inf")
    if a.dtype.kind in "iubO" and b.dtype.kind in "iubO":
        if bool((a == b).all()):
            return None
        return float("inf")
    x, y = (m.astype(np.float64) for m in (a, b))
    scale = max(1.0, float(np.max(np.abs(x), initial=0.0)))
    difference = float(np.max(np.abs(x - y), initial=0.0)) / scale
    if np.isfinite(difference):
        return difference
    return float("inf")
