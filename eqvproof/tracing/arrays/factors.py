"""Triangular factors in a trace: L L^T = K, so that their products are functions of K.

    L the triangular factor of the symmetric K        W = 1 / L
    ----------------------------------------------------------------------------------
    sum_i W[i, a] W[i, b] = (1/K)[a, b]        sum_k log L[k, k] = 1/2 log det K

where K is positive definite, its least eigenvalue above 0; undefined elsewhere, as L is. A
triangular factor depends on the order of the axes, but its usual uses do not:
``solve(L.T, solve(L, y))`` and ``sum(solve(L, y)^2)`` become functions of K alone. Factors that
remain are functions of their matrix.

Proof. K^-1 = (L L^T)^-1 = W^T W, det K = (det L)^2, and det L is the product of the diagonal, whose
entries are positive. QED
"""

from __future__ import annotations

import dataclasses
from fractions import Fraction

from eqvproof.programs import Builder
from eqvproof.tracing.arrays import symmetric
from eqvproof.tracing.arrays.eigenvectors import Product, Row, Work, alone, is_long, meeting
from eqvproof.tracing.arrays.traced_program import Drafts


def cholesky(b: Builder, x: int, *, upper: bool = False) -> int:
    """Returns the triangular Cholesky factors of matrices (..., n, n).

    Of the upper factor, entries below the diagonal are not read.
    """
    if upper:
        return symmetric.turned(b, b.matrix("cholesky", symmetric.turned(b, x)))
    return b.matrix("cholesky", x)


def replace_factors(drafts: Drafts) -> Drafts:
    """Rewrites the drafts of a trace with functions of matrices in place of triangular factors."""
    return _Factors.on(drafts)


class _Factors(Work):
    """One pass that multiplies out products with inverse factors, and keeps the originals too."""

    def run(self, output: int) -> int:
        """Returns the result with fewer factors."""
        self.plain: dict[int, int] = {}
        self.result = output
        return super().run(output)

    def _node(self, x: int) -> int | list[Product]:
        op, b = self.b.nodes[x], self.b
        plain = tuple(self.plain[a] for a in op.args)
        if plain == op.args:
            same = x
        else:
            same = b.node(dataclasses.replace(op, args=plain))
        found = self._products(x, same)
        self.plain[x] = found if isinstance(found, int) else same
        if x == self.result:
            return self.plain[x]
        return found

    def _products(self, x: int, same: int) -> int | list[Product]:
        b, op = self.b, self.b.nodes[x]
        held = _inverse(b, same)
        if held is not None:
            return [held]
        args = [self.values[a] for a in op.args]
        if op.as_product is not None:
            half = self._half(same)
            if half is not None:
                return half
            if all(isinstance(a, int) for a in args):
                return same
            terms = [self._paired(t) for t in self.multiplied(op, args)]
        elif op.terms and not all(isinstance(a, int) for a in args):
            terms = self.added(args)
        else:
            return same
        if is_long(terms):
            return same
        if any(_is_held(b, a) for t in terms for a, _ in t.factors):
            return terms
        return self.made(terms)

    def _paired(self, term: Product) -> Product:
        """Replaces pairs of inverse factors whose rows are summed by inverses."""
        b = self.b
        for label in dict.fromkeys(row[-2] for a, row in term.factors if _is_held(b, a)):
            met = meeting(term, label, -2, lambda x: _is_held(b, x))
            if met is None or met[3]:
                continue
            held, left, right, _ = met
            made = (_defined(b, _of(b, held), b.inv), (*left[:-2], left[-1], right[-1]))
            rest = tuple(f for f in term.factors if label not in f[1])
            sizes = {k: s for k, s in term.sizes.items() if k != label}
            term = Product((*rest, made), term.output, sizes)
        return term

    def _half(self, x: int) -> int | None:
        """Replaces a sum of logarithms of a factor's diagonal by half of the log-determinant."""
        b, op = self.b, self.b.nodes[x].as_product
        if op is None:
            return None
        for number, (a, row) in enumerate(op.factors):
            matrix = _logarithms(b, a)
            others = (*op.factors[:number], *op.factors[number + 1 :])
            if (
                matrix is None
                or row[-1] in (*op.output, *row[:-1])
                or any(row[-1] in r for _, r in others)
            ):
                continue
            sizes = {k: s for k, s in op.labels(b.nodes).items() if k != row[-1]}
            log = _defined(b, matrix, lambda m: b.map("log", [b.det(m)]))
            factors = [*others, (b.mul(b.const(Fraction(1, 2)), log), row[:-1])]
            return b.einsum([a for a, _ in factors], [r for _, r in factors], op.output, sizes)
        return None


def _defined(b: Builder, given: int, made: object) -> int:
    """Applies a function to the symmetric matrix with this lower triangle.

    The result is undefined where that matrix is not positive definite.
    """
    values = symmetric.eigenvalues(b, given, lower=True)
    (matrix,) = b.nodes[values].args
    found: int = made(matrix)  # type: ignore[operator]
    least = b.reduce("min", values, [len(b.shape(values)) - 1])
    one = b.defined_where(b.map("log", [least]), b.const(1))  # undefined where that is not above 0
    labels = [*range(len(b.shape(found)))]
    return b.einsum([found, one], [labels, labels[: len(b.shape(one))]], labels)


def _turned(b: Builder, x: int) -> int | None:
    """Returns the node of which this one is the transpose in the last two axes; None for others."""
    view = b.nodes[x].single_factor
    if view is None or len(view[1]) != len(view[2]) or len(view[1]) < 2:
        return None
    source, row, output = view
    if (*row[:-2], row[-1], row[-2]) == tuple(output) and len({*row}) == len(row):
        return source
    return None


def _factor(b: Builder, x: int) -> tuple[int, bool] | None:
    """Returns the factor that a node is, and whether it is transposed; None for others.

    A mask that keeps the triangle of a factor returns the same factor.
    """
    op = b.nodes[x]
    if op.matrix_function == "cholesky":
        return x, False
    if op.choice and b.scalar_value(op.choice[2]) == 0:
        found = _factor(b, op.choice[1])
        if found is not None and _is_triangle(b, op.choice[0], turned=found[1]):
            return found
        return None
    source = _turned(b, x)
    found = None if source is None else _factor(b, source)
    if found is None:
        return None
    return (found[0], not found[1])


def _is_triangle(b: Builder, x: int, *, turned: bool) -> bool:
    """Checks whether the last two axes hold ones on and below (`turned`: above) the diagonal.

    All other entries must be zeros.
    """
    view = b.nodes[x].single_factor
    if view is not None:
        source, row, output = view
        if not turned:
            wanted = (*output[-2:],)
        else:
            wanted = (output[-1], output[-2])
        return tuple(row) == wanted and len({*row}) == 2 and _is_triangle(b, source, turned=False)
    return b.nodes[x].triangle == 0 and not turned


def _inverse(b: Builder, x: int) -> Product | None:
    """Returns the inverse of a factor, or of its transpose, as a product; None for others."""
    op = b.nodes[x]
    if op.matrix_function == "inv":
        found = _factor(b, op.args[0])
    else:
        found = None
    if found is None:
        return None
    held = b.inv(found[0])
    own = alone(b, held)
    row: Row = own.output
    if found[1]:
        return Product(own.factors, (*row[:-2], row[-1], row[-2]), own.sizes)
    return own


def _is_held(b: Builder, x: int) -> bool:
    op = b.nodes[x]
    return op.matrix_function == "inv" and b.nodes[op.args[0]].matrix_function == "cholesky"


def _of(b: Builder, held: int) -> int:
    """Returns the matrix of an inverse factor."""
    (factor,) = b.nodes[held].args
    return b.nodes[factor].args[0]


def _logarithms(b: Builder, x: int) -> int | None:
    """Returns the matrix if a value is the logarithms of the diagonal of its factor, else None."""
    op = b.nodes[x]
    if op.function == "log":
        view = b.nodes[op.args[0]].single_factor
    else:
        view = None
    if view is None:
        return None
    source, row, output = view
    if len(row) >= 2 and row[-1] == row[-2]:
        found = _factor(b, source)
    else:
        found = None
    straight = tuple(output) == tuple(row[:-1]) and len({*output}) == len(output)
    if found is not None and straight:
        return b.nodes[found[0]].args[0]
    return None
