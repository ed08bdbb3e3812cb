"""Rewrites a symmetric SymPy expression of n points as rho(sum_k phi(x_k)).

Functions of symmetric arguments are rewritten argument by argument; the sum of one function over
the points becomes a feature. Anything else is treated as a polynomial in functions of one point
(x_k, exp(x_k), ...), which is written in power sums by Gauss's algorithm. A quotient is rewritten
in its numerator and its denominator.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import factorial, prod
from types import MappingProxyType
from typing import Any

from eqvproof.deepsets.symmetric import PowerSumForms, Vector
from eqvproof.support.errors import DomainError, ErrorCode


class NotRewritten(DomainError):
    """An error: no rule rewrites this symmetric expression."""

    default_code = "domain.rewriting"


@dataclass(frozen=True, slots=True)
class SumExpression:
    """The expression rho(sum_k phi(x_k)) in symbols.

    Attributes:
        point: the symbols of one point.
        phi: the features, expressions in `point`.
        sums: the symbols that stand for the sums of the features.
        rho: an expression in `sums` (and in symbols that are not coordinates of points); a SymPy
            matrix for a function with several values.
    """

    point: tuple[Any, ...]
    phi: tuple[Any, ...]
    sums: tuple[Any, ...]
    rho: Any

    @property
    def latent_dimension(self) -> int:
        """The number of features."""
        return len(self.phi)

    def embed(
        self, points: Any, known: Mapping[Any, Any] = MappingProxyType({})
    ) -> tuple[Any, ...]:
        """Sums the features over points given as rows.

        ``known`` gives the values of other symbols.
        """
        import sympy

        tables = [
            {**known, **dict(zip(self.point, _read_coordinates(p, len(self.point)), strict=True))}
            for p in points
        ]
        return tuple(sympy.Add(*(feature.xreplace(t) for t in tables)) for feature in self.phi)

    def compose(self, points: Any, known: Mapping[Any, Any] = MappingProxyType({})) -> Any:
        """Evaluates rho(sum_k phi(x_k)) at points given as rows."""
        return self.rho.xreplace(
            {**known, **dict(zip(self.sums, self.embed(points, known), strict=True))}
        )


def _no_rule_error(e: Any) -> NotRewritten:
    return NotRewritten(
        "no rule writes this function of several points as rho of a sum",
        given=str(e),
        expected="sums and products of functions of one point, and functions of symmetric"
        " arguments",
        hint="decompose(f, n=..., d=...) takes a Python function, and decodes the points inside"
        " rho",
    )


def _read_coordinates(row: Any, d: int) -> list[Any]:
    import sympy

    entries = [row]
    if hasattr(row, "__len__"):
        entries = list(row)
    if len(entries) != d:
        raise DomainError(
            "a point has the wrong number of coordinates",
            given=f"{row!r}",
            expected=f"{d} coordinates",
            hint="give all points the same number of coordinates",
        )
    for i, x in enumerate(entries):
        if hasattr(x, "numerator") and not hasattr(x, "p"):  # not a number of SymPy
            entries[i] = sympy.Rational(x.numerator, x.denominator)
        else:
            entries[i] = sympy.sympify(x, strict=True)
    return entries


class Rewriter:
    """A rewriter of expressions in the coordinates of the same points, with one list of features.

    Args:
        points: the symbols of each point, the same number for each.
        point: the symbols of one point, in which features are written.
        reduce: use features up to degree n only, by Newton's identities.
        name: the beginning of the names of the sums' symbols.
    """

    def __init__(
        self, points: Sequence[Sequence[Any]], point: Sequence[Any], *, reduce: bool, name: str
    ) -> None:
        import sympy

        self._sympy = sympy
        self.points = [tuple(row) for row in points]
        self.point = tuple(point)
        self.name = name
        self.owner = {symbol: k for k, row in enumerate(self.points) for symbol in row}
        self.forms = PowerSumForms(len(self.points), reduce=reduce)
        self.sums: dict[Any, Any] = {}  # feature -> symbol of its sum

    def rewrite(self, expression: Any) -> SumExpression:
        """Rewrites an expression; the result has only the features that it needs.

        Raises:
            DomainError: the expression is not symmetric in the points.
            NotRewritten: no rule applies.
        """
        if hasattr(expression, "shape"):
            rho = expression.applyfunc(self._rewrite_scalar)
        else:
            rho = self._rewrite_scalar(expression)
        used = [(feature, symbol) for feature, symbol in self.sums.items() if rho.has(symbol)]
        return SumExpression(self.point, tuple(f for f, _ in used), tuple(s for _, s in used), rho)

    def _rewrite_scalar(self, expression: Any) -> Any:
        """Rewrites an expression; if a part is not symmetric, the error is about the whole."""
        try:
            return self._convert(expression)
        except NotRewritten:
            raise
        except DomainError as error:
            if error.code == ErrorCode.NOT_INVARIANT:
                raise self._explain_refusal(expression) from error
            raise

    def _explain_refusal(self, e: Any) -> DomainError:
        """Builds the error for an expression that is not rewritten.

        The error names two points whose swap changes the expression, or says that no rule applies.
        """
        for k in range(1, len(self.points)):
            swapped = e.xreplace(self._swap(k))
            for shift in range(3):
                names = sorted(e.free_symbols | swapped.free_symbols, key=str)
                values = {
                    s: self._sympy.Rational(3 * i + 2 + shift, 7 + shift)
                    for i, s in enumerate(names)
                }
                a, b = (self._sympy.N(x.xreplace(values), 30) for x in (e, swapped))
                if a.is_Number and b.is_Number and abs(a - b) > 10**-15 * (1 + abs(a)):
                    points = " and ".join(", ".join(map(str, self.points[i])) for i in (0, k))
                    return DomainError(
                        "the expression changes when two points are swapped",
                        given=f"{e}; with the points ({points}) swapped: {swapped}",
                        expected="a symmetric expression",
                        hint="look for a point that is treated differently",
                        code=ErrorCode.NOT_INVARIANT,
                    )
        return _no_rule_error(e)

    def _depends(self, expression: Any) -> set[int]:
        """Returns the indices of the points whose coordinates an expression contains."""
        return {self.owner[s] for s in expression.free_symbols if s in self.owner}

    def _swap(self, k: int) -> dict[Any, Any]:
        a, b = self.points[0], self.points[k]
        return {**dict(zip(a, b, strict=True)), **dict(zip(b, a, strict=True))}

    def is_symmetric(self, expression: Any) -> bool:
        """Checks whether swapping the first point with any other leaves the expression unchanged.

        Both are compared by SymPy's `expand`; False if it does not show that they are equal.
        """
        for k in range(1, len(self.points)):
            swapped = expression.xreplace(self._swap(k))
            if swapped == expression:
                continue
            if not isinstance(swapped, self._sympy.Expr):  # a condition of a case
                return False
            if self._sympy.expand(swapped - expression) != 0:
                return False
        return True

    def _convert(self, e: Any) -> Any:
        if not self._depends(e):
            return e
        if not (e.is_Add or e.is_Mul or e.is_Symbol or (e.is_Pow and e.exp.is_Integer)):
            return self._convert_function(e)
        if e.is_Pow and self.is_symmetric(e.base):
            return self._convert(e.base) ** e.exp
        if e.is_Add:
            found, rest = self._split_sums(e)
            if found:
                return self._sympy.Add(*found) + self._convert(rest)
        if e.is_Mul or e.is_Add:
            whole = [x for x in e.args if self.is_symmetric(x)]
            if whole and len(whole) < len(e.args):
                rest = e.func(*(x for x in e.args if x not in whole))
                return e.func(*(self._convert(x) for x in whole), self._convert(rest))
            if len(whole) == len(e.args):
                return e.func(*(self._convert(x) for x in whole))
        numerator, denominator = self._sympy.fraction(self._sympy.together(e))
        if len(self._depends(denominator)) > 1:
            return self._convert_quotient(numerator, denominator)
        return self._convert_polynomial(e)

    def _split_sums(self, e: Any) -> tuple[list[Any], Any]:
        """Splits off the parts c sum_k h(x_k) of a sum, for functions h that are not polynomials.

        Returns these parts, rewritten, and the rest.
        """
        groups: dict[tuple[Any, Any], dict[int, Any]] = {}
        for term in e.args:
            owners = self._depends(term)
            if len(owners) == 1:
                (k,) = owners
                constant, h = term.as_independent(*self.points[k], as_Add=False)
                shape = h.xreplace(dict(zip(self.points[k], self.point, strict=True)))
                if not shape.is_polynomial(*self.point):
                    groups.setdefault((constant, shape), {})[k] = term
        complete = {key: terms for key, terms in groups.items() if len(terms) == len(self.points)}
        used = {term for terms in complete.values() for term in terms.values()}
        rest = self._sympy.Add(*(term for term in e.args if term not in used))
        return [constant * self._sum_of((1,), [shape]) for constant, shape in complete], rest

    def _convert_function(self, e: Any) -> Any:
        if e.args and all(self.is_symmetric(x) for x in e.args):
            return e.func(*(self._convert(x) for x in e.args))
        if len(self._depends(e)) == 1 and len(self.points) == 1:
            return self._convert_polynomial(e)
        expanded = self._sympy.expand(e)
        if expanded != e:
            return self._convert(expanded)
        if self.is_symmetric(e):
            raise _no_rule_error(e)
        raise self._not_symmetric_error(e)

    def _convert_quotient(self, numerator: Any, denominator: Any) -> Any:
        if not (self.is_symmetric(numerator) and self.is_symmetric(denominator)):
            numerator, denominator = self._sympy.fraction(
                self._sympy.cancel(numerator / denominator)
            )
        if self.is_symmetric(denominator):
            return self._convert(numerator) / self._convert(denominator)
        swapped = [self._swap(k) for k in range(1, len(self.points))]
        cross = (
            numerator.xreplace(s) * denominator - denominator.xreplace(s) * numerator
            for s in swapped
        )
        if any(self._sympy.expand(difference) != 0 for difference in cross):
            raise self._not_symmetric_error(numerator / denominator)
        # The quotient is symmetric: multiply both by the other images of the denominator.
        factor = self._sympy.prod(denominator.xreplace(s) for s in swapped)
        return self._convert(self._sympy.expand(numerator * factor)) / self._convert(
            self._sympy.expand(denominator * factor)
        )

    def _convert_polynomial(self, e: Any) -> Any:
        """Rewrites a polynomial in functions of one point, one orbit of monomials at a time."""
        sympy = self._sympy
        expanded = sympy.expand(e, log=False, power_base=False)
        try:
            terms, atoms = self._collect_terms(expanded)
        except sympy.PolynomialError as error:
            raise NotRewritten(
                "not a polynomial in functions of one point", given=str(e), expected=str(error)
            ) from error
        result = sympy.S.Zero
        count = len(self.points)
        while terms:
            key, coefficient = next(iter(terms.items()))
            parts = tuple(sorted((v for v in key if any(v)), reverse=True))
            images = [
                k for k in terms if tuple(sorted((v for v in k if any(v)), reverse=True)) == parts
            ]
            repeats = prod(factorial(parts.count(v)) for v in set(parts))
            if len(images) != factorial(count) // factorial(count - len(parts)) // repeats or any(
                sympy.expand(terms[k] - coefficient) != 0 for k in images
            ):
                raise self._not_symmetric_error(e)
            for k in images:
                del terms[k]
            orbit = sympy.Add(
                *(
                    sympy.Rational(c.numerator, c.denominator)
                    * sympy.Mul(*(self._sum_of(v, atoms) for v in factors))
                    for factors, c in self.forms.orbit_sum(parts).items()
                )
            )
            result += coefficient * orbit
        return result

    def _collect_terms(self, e: Any) -> tuple[dict[tuple[Vector, ...], Any], list[Any]]:
        """Returns the coefficient for the exponents of each point, and the functions of one point.

        A point's exponents are those of these functions, evaluated at the point.
        """
        poly = self._sympy.Poly(e)
        atoms: dict[Any, int] = {}
        places: list[tuple[int, int] | None] = []
        outer: dict[int, Any] = {}
        for g, generator in enumerate(poly.gens):
            owners = self._depends(generator)
            if len(owners) == 1:
                (k,) = owners
                shape = generator.xreplace(dict(zip(self.points[k], self.point, strict=True)))
                places.append((k, atoms.setdefault(shape, len(atoms))))
            else:
                places.append(None)
                outer[g] = self._convert(generator)
        terms: dict[tuple[Vector, ...], Any] = {}
        for exponents, coefficient in poly.terms():
            vectors = [[0] * len(atoms) for _ in self.points]
            for g, (place, exponent) in enumerate(zip(places, exponents, strict=True)):
                if place is None:
                    coefficient = coefficient * outer[g] ** exponent
                else:
                    vectors[place[0]][place[1]] += exponent
            key = tuple(tuple(v) for v in vectors)
            terms[key] = terms.get(key, self._sympy.S.Zero) + coefficient
        return {k: c for k, c in terms.items() if c != 0}, list(atoms)

    def _sum_of(self, exponents: Vector, atoms: Iterable[Any]) -> Any:
        """Returns the symbol for the sum over the points of a product of powers."""
        feature = self._sympy.Mul(*(u**e for u, e in zip(atoms, exponents, strict=True)))
        if feature not in self.sums:
            self.sums[feature] = self._sympy.Symbol(f"{self.name}{len(self.sums) + 1}")
        return self.sums[feature]

    def _not_symmetric_error(self, e: Any) -> DomainError:
        return DomainError(
            "the expression is not symmetric in the points",
            given=str(e),
            expected="a symmetric expression",
            hint="swap two points and compare",
            code=ErrorCode.NOT_INVARIANT,
        )
