"""Evaluates operations over rational functions, with identities of |x|, max, eigenvalues.

    |x| = x s(x), s odd               max(x, y) = (x + y + |x - y|) / 2        min(x, y) = x + y - max(x, y)
    x < y = l(x - y)                  x <= y = 1 - (y < x)                     x = y is e(x - y), e even
    not x = e(x)                      x and y = (1 - e(x)) (1 - e(y))          x or y = 1 - e(x) e(y)
    ceil x = -floor(-x)               x mod y = x - y floor(x / y)             odd and even functions stay so
    max over an axis = mean + M(deviations from it), M symmetric; min x = -max(-x); so each place of
    a sort

Eigenvalues of S = M + M^T are functions of the traces of its powers, which determine them;
functions by its eigenvectors are polynomials in S, the pseudo-inverse is one in M^T M times M^T,
with coefficients that are functions of the eigenvalues (and weights). An inverse is the adjugate
over the determinant, which is not 0. A Cholesky factor is the unit triangle of elimination, which
is rational, times roots of the pivots.

where(c, a, b) is b + (1 - e(c)) (a - b) if a and b are defined under the same conditions. Else it
is an atom of c, a, b and these conditions: the branch that is not taken may have a pole, which the
formula would cancel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from .form_functions import Function, Opaque
from .form_values import sum_defined
from .functions import EVEN, ODD, SERIES, TOTAL
from .rational import Field, Value, domain_of, union
from .report import Limited, Rejected, spend
from .tensors import Tensor, cells, matrix_and_weights, multiply_rows

ONE, HALF, MINUS = Fraction(1), Fraction(1, 2), Fraction(-1)
#: Largest number of rows of a determinant: it has as many terms as there are orders of the rows.
MOST_ROWS = 5
Matrix = list[list[Value]]


class Numbers(Field):
    """The number system in which programs are evaluated at single sizes."""

    def minus(self, x: Value) -> Value:
        """Returns -x."""
        return self.mul(MINUS, x)

    def apply(self, fn: str, args: Sequence[Value]) -> Value:
        """Returns the value of an elementwise function."""
        spend(8)
        if fn in RULES:
            return RULES[fn](self, *args)
        domain, factor = domain_of(*args), 1
        if fn in ODD or fn in EVEN:
            number, sign = self.numbered(args[0])
            if fn in ODD and self.is_none(args[0]):
                return self.mul(Fraction(0), args[0])
            numbers = [number]
            if fn in ODD:
                factor = sign
        else:
            numbers = [self.numbered(x, signed=False)[0] for x in args]
        key = (fn, *numbers)
        if fn not in TOTAL:
            domain = union(domain, frozenset([key]))
        return self.mul(Fraction(factor), self.atom(key, domain))

    def is_none(self, x: Value) -> bool:
        """Checks whether x is 0."""
        if isinstance(x, Fraction):
            return x == 0
        return self.ring.is_zero(x.num)

    def is_zero(self, x: Value) -> Value:
        """Returns e(x): 1 at zero, else 0."""
        if isinstance(x, Fraction):
            return Fraction(int(x == 0))
        return self.atom(("is zero", self.numbered(x)[0]), x.domain)

    def is_negative(self, x: Value) -> Value:
        """Returns l(x): 1 below zero, else 0."""
        if isinstance(x, Fraction):
            return Fraction(int(x < 0))
        return self.atom(("is negative", self.numbered(x, signed=False)[0]), x.domain)

    def choose(self, c: Value, a: Value, b: Value) -> Value:
        """Returns a where c is not 0, else b."""
        if isinstance(c, Fraction):
            if c:
                return a
            return b
        first, second = domain_of(a), domain_of(b)
        if first == second:
            return self.add(b, self.mul(self.sub(ONE, self.is_zero(c)), self.sub(a, b)))
        number, *branches = (
            self.numbered(c)[0],
            *(self.numbered(x, signed=False)[0] for x in (a, b)),
        )
        domain = union(c.domain, frozenset([("where", number, first, second)]))
        return self.atom(("where", number, *branches, first, second), domain)

    def symmetric(self, name: str, values: Sequence[Value], places: int) -> list[Value]:
        """Returns the mean plus functions of the multiset of deviations, one for each place."""
        mean = self.mul(Fraction(1, len(values)), sum_defined(values, self))
        deviations = [self.numbered(self.sub(x, mean), signed=False)[0] for x in values]
        domain, key = domain_of(*values), self.counted(sorted(deviations))
        return [self.add(mean, self.atom((name, k, key), domain)) for k in range(places)]

    def fold(self, fn: str, values: Sequence[Value]) -> Value:
        """Returns the max, min or product of values."""
        if fn == "prod":
            result: Value = ONE
            for x in values:
                result = self.mul(result, x)
            return result
        if not values:
            raise Rejected(f"{fn} of nothing")
        if fn == "min":
            return self.minus(self.fold("max", [self.minus(x) for x in values]))
        rationals = [x for x in values if isinstance(x, Fraction)]
        if len(rationals) == len(values):
            return max(rationals)
        if len(values) == 1:
            return values[0]
        return self.symmetric("max", values, 1)[0]

    def ascending(self, values: list[Value]) -> list[Value]:
        """Returns the values in ascending order."""
        rationals = [x for x in values if isinstance(x, Fraction)]
        if len(rationals) == len(values):
            return [*sorted(rationals)]
        if len(values) == 1:
            return [*values]
        return self.symmetric("ascending", values, len(values))

    # -- functions of arrays
    # ------------------------------------------------------------------------------------------

    def whole(
        self, function: Function, args: Sequence[Tensor], shape: tuple[int, ...]
    ) -> list[Value]:
        """Returns the entries of a function of arrays; an opaque one may be defined or not."""
        if isinstance(function, str):
            rows = MATRICES[function](self, *matrix_and_weights(args))
            return [x for row in rows for x in row]
        if not isinstance(function, Opaque) or function.symmetry is not None:
            raise Rejected(
                f"{function}, of which a symmetry is assumed, is no unknown function here"
            )
        entries = self.listed(x for t in args for x in t.values)
        key = ("opaque", function.name, shape, *(t.shape for t in args), entries)
        domain = union(frozenset([key]), *(domain_of(*t.values) for t in args))
        return [self.atom((key, k), domain) for k in range(cells(shape))]

    def determinant(self, m: Matrix) -> Value:
        """Returns the determinant, by expansion along the first row."""
        if len(m) > MOST_ROWS:
            raise Limited(f"a determinant of more than {MOST_ROWS} rows")
        if not m:
            return ONE
        terms = []
        for k, x in enumerate(m[0]):
            minor = self.determinant([row[:k] + row[k + 1 :] for row in m[1:]])
            terms.append(self.mul(Fraction((-1) ** k), self.mul(x, minor)))
        result: Value = sum_defined(terms, self)
        return result

    def inverse(self, m: Matrix) -> Matrix:
        """Returns the inverse, as the adjugate over the determinant."""
        n, over = len(m), self.recip(self.determinant(m))

        def cofactor(i: int, j: int) -> Value:
            minor = [row[:i] + row[i + 1 :] for k, row in enumerate(m) if k != j]
            return self.mul(Fraction((-1) ** (i + j)), self.determinant(minor))

        return [[self.mul(cofactor(i, j), over) for j in range(n)] for i in range(n)]

    def symmetric_powers(self, m: Matrix) -> tuple[list[Matrix], list[Value]]:
        """Returns the powers of M + M^T, and their traces."""
        return self.powers(
            [[self.add(x, m[j][i]) for j, x in enumerate(row)] for i, row in enumerate(m)]
        )

    def powers(self, m: Matrix) -> tuple[list[Matrix], list[Value]]:
        """Returns the powers 0, ..., n, and the traces of the last n of them."""
        n = len(m)
        found: list[Matrix] = [[[Fraction(int(i == j)) for j in range(n)] for i in range(n)]]
        for _ in range(n):
            found.append(multiply_rows(found[-1], m, self))
        return found, [sum_defined([p[i][i] for i in range(n)], self) for p in found[1:]]

    def polynomial(
        self, name: str, found: tuple[list[Matrix], list[Value]], known: Sequence[Value] = ()
    ) -> Matrix:
        """Returns a polynomial in P, given P's powers.

        Its coefficients are functions of the traces and of `known` values.
        """
        powers, traces = found
        n = len(traces)
        key, domain = self.listed((*traces, *known)), domain_of(*traces, *known)
        factors = [self.atom((name, n, k, key), domain) for k in range(n)]

        entries = [zip(*rows, strict=True) for rows in zip(*powers[:n], strict=True)]
        return [[self.dot(zip(factors, entry, strict=True)) for entry in row] for row in entries]


# -- functions of matrices and of entries
# ---------------------------------------------------------------------------------------


def _pseudo_inverse(a: Numbers, m: Matrix) -> Matrix:
    turned = [[*column] for column in zip(*m, strict=True)]
    return multiply_rows(
        a.polynomial("pseudo-inverse", a.powers(multiply_rows(turned, m, a))), turned, a
    )


def _eigenvalues(a: Numbers, m: Matrix) -> list[Value]:
    traces = a.symmetric_powers(m)[1]
    key = a.listed(traces)
    return [a.atom(("eigenvalue", len(m), i, key), domain_of(*traces)) for i in range(len(m))]


def _cholesky(a: Numbers, m: Matrix, _: list[Value]) -> Matrix:
    """Returns the unit triangle of elimination times roots of the pivots, by the lower half of M.

    All entries are defined where each root and each reciprocal of a pivot is.
    """
    rows, pivots, inverses = [list[Value]() for _ in m], list[Value](), list[Value]()

    def eliminated(i: int, j: int) -> Value:
        found = m[i][j]
        for x, y, pivot in zip(rows[i], rows[j], pivots, strict=False):
            found = a.sub(found, a.mul(pivot, a.mul(x, y)))
        return found

    for j in range(len(m)):
        pivots.append(eliminated(j, j))
        inverses.append(a.recip(pivots[j]))
        rows[j].append(ONE)
        for i in range(j + 1, len(m)):
            rows[i].append(a.mul(eliminated(i, j), inverses[j]))
    roots = [a.apply("sqrt", [x]) for x in pivots]
    needed = (*roots, *inverses, *(x for row in m for x in row))
    nothing = sum_defined([a.mul(Fraction(0), x) for x in needed], a)
    scaled = [[a.mul(x, root) for x, root in zip(row, roots, strict=False)] for row in rows]
    return [
        [a.add(nothing, x) for x in (*row, *[Fraction(0)] * (len(m) - len(row)))] for row in scaled
    ]


def _series(fn: str, a: Numbers, m: Matrix, _: list[Value]) -> Matrix:
    return a.polynomial(fn, a.powers(m))


def _abs(a: Numbers, x: Value) -> Value:
    return a.mul(x, a.apply("sign", [x]))


def _maximum(a: Numbers, x: Value, y: Value) -> Value:
    return a.mul(HALF, a.add(a.add(x, y), _abs(a, a.sub(x, y))))


def _mod(a: Numbers, x: Value, y: Value) -> Value:
    return a.sub(x, a.mul(y, a.apply("floor", [a.mul(x, a.recip(y))])))


def _not(a: Numbers, x: Value) -> Value:
    return a.sub(ONE, a.is_zero(x))


RULES: dict[str, Callable[..., Value]] = {
    "recip": Numbers.recip,
    "abs": _abs,
    "maximum": _maximum,
    "mod": _mod,
    "not": Numbers.is_zero,
    "minimum": lambda a, x, y: a.sub(a.add(x, y), _maximum(a, x, y)),
    "lt": lambda a, x, y: a.is_negative(a.sub(x, y)),
    "gt": lambda a, x, y: a.is_negative(a.sub(y, x)),
    "le": lambda a, x, y: a.sub(ONE, a.is_negative(a.sub(y, x))),
    "ge": lambda a, x, y: a.sub(ONE, a.is_negative(a.sub(x, y))),
    "eq": lambda a, x, y: a.is_zero(a.sub(x, y)),
    "ne": lambda a, x, y: _not(a, a.sub(x, y)),
    "and": lambda a, x, y: a.mul(_not(a, x), _not(a, y)),
    "or": lambda a, x, y: a.sub(ONE, a.mul(a.is_zero(x), a.is_zero(y))),
    "ceil": lambda a, x: a.minus(a.apply("floor", [a.minus(x)])),
}
#: The rows of a function of one matrix and its weights.
MATRICES: dict[str, Callable[[Numbers, Matrix, list[Value]], Matrix]] = {
    "det": lambda a, m, _: [[a.determinant(m)]], "inv": lambda a, m, _: a.inverse(m),
    "pinv": lambda a, m, _: _pseudo_inverse(a, m), "eigvals": lambda a, m, _: [_eigenvalues(a, m)],
    "spectral": lambda a, m, weights: a.polynomial("spectral", a.symmetric_powers(m), weights),
    "cholesky": _cholesky,
    **{fn: partial(_series, fn) for fn in SERIES},
}  # fmt: skip
