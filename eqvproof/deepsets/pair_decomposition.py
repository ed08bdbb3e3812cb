"""Decomposes the entries of an equivariant coefficient function as rho of sums.

For g(Y P) = P^T g(Y) P, Y = Z^T X (Ma and Ying 2023, Prop. 4.1):

    g_ii(Y) = rho_1(y_i, sum_{k != i} psi_1(y_k, y_i))
    g_ij(Y) = rho_2(y_i, y_j, sum_{k != i, j} psi_2(y_k, y_i, y_j))

g_11 is symmetric in y_2, ..., y_n and g_12 in y_3, ..., y_n; every other entry is one of these two
with points swapped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eqvproof.deepsets.agreement import PROVED, Agreement, compare, rational_points
from eqvproof.deepsets.arguments import Array
from eqvproof.deepsets.formulas import (
    compare_expressions,
    formula_by_symbols,
    point_symbols,
    sum_name,
    symbol_array,
    symbol_rows,
    to_numbers,
    value_in_symbols,
)
from eqvproof.deepsets.power_sums import PowerSums
from eqvproof.deepsets.rewriting import Rewriter, SumExpression
from eqvproof.invariants.calling import call, require_shape
from eqvproof.support.errors import DomainError, ShapeError


@dataclass(frozen=True, slots=True, eq=False)
class PairFormula:
    """The functions rho_1, psi_1, rho_2, psi_2 as SymPy expressions.

    Attributes:
        y_k: the symbols of the point that is summed over.
        y_i: the symbols of the row's point.
        y_j: the symbols of the column's point.
        psi_1: features in y_k and y_i.
        sums_1: the symbols for the sums of psi_1.
        rho_1: an expression in y_i and sums_1.
        psi_2: features in y_k, y_i and y_j.
        sums_2: the symbols for the sums of psi_2.
        rho_2: an expression in y_i, y_j and sums_2; None for a single point.
        n: the number of points.
        agreement: how all entries were compared with g.
    """

    y_k: tuple[Any, ...]
    y_i: tuple[Any, ...]
    y_j: tuple[Any, ...]
    psi_1: tuple[Any, ...]
    sums_1: tuple[Any, ...]
    rho_1: Any
    psi_2: tuple[Any, ...]
    sums_2: tuple[Any, ...]
    rho_2: Any
    n: int
    agreement: Agreement

    def entry(self, rows: Any, i: int, j: int) -> Any:
        """Builds the expression of g_ij at points given as rows of SymPy expressions."""
        if i == j:
            psi, sums, rho = (self.psi_1, self.sums_1, self.rho_1)
        else:
            psi, sums, rho = (self.psi_2, self.sums_2, self.rho_2)
        rest = [row for k, row in enumerate(rows) if k not in (i, j)]
        fixed = {
            **dict(zip(self.y_i, rows[i], strict=True)),
            **dict(zip(self.y_j, rows[j], strict=True)),
        }
        return SumExpression(self.y_k, psi, sums, rho).compose(rest, fixed)

    def __call__(self, Y: Any) -> Any:
        """Evaluates the n x n matrix g(Y) at a k x n matrix of numbers or expressions."""
        import sympy

        rows = sympy.Matrix(Y).T.tolist()
        if len(rows) != self.n or len(rows[0]) != len(self.y_k):
            raise ShapeError(
                "Y has the wrong shape",
                expected=f"{len(self.y_k)} x {self.n}",
                hint="give one point per column",
                given=f"{len(rows[0])} x {len(rows)}" if rows else "no columns",
            )
        return sympy.Matrix(self.n, self.n, lambda i, j: self.entry(rows, int(i), int(j)))


@dataclass(frozen=True, slots=True, eq=False)
class PairConstruction:
    """A construction in which rho_1 and rho_2 decode the other points and call g.

    The points are decoded from their power sums, in an order of their own.

    Attributes:
        g: the function, from k x n arrays to n x n arrays.
        n: the number of points.
        k: their dimension.
        agreement: how all entries were compared with g.
    """

    g: Callable[..., Any]
    n: int
    k: int
    agreement: Agreement

    def psi_1(self, y_k: Any, y_i: Any = None) -> Array:
        """Computes the monomials of y_k up to degree n - 1; y_i is not needed."""
        return PowerSums(self.n - 1, self.k).phi(y_k)

    def psi_2(self, y_k: Any, y_i: Any = None, y_j: Any = None) -> Array:
        """Computes the monomials of y_k up to degree n - 2."""
        return PowerSums(max(self.n - 2, 0), self.k).phi(y_k)

    def rho_1(self, y_i: Any, sums: Any) -> Any:
        """Evaluates g_11 at y_i and the points with these sums."""
        return self._entry([y_i], sums)

    def rho_2(self, y_i: Any, y_j: Any, sums: Any) -> Any:
        """Evaluates g_12 at y_i, y_j and the points with these sums."""
        return self._entry([y_i, y_j], sums)

    def _entry(self, fixed: list[Any], sums: Any) -> Any:
        others = PowerSums(self.n - len(fixed), self.k).decode(sums).points
        Y = np.concatenate([np.asarray(fixed, dtype=others.dtype).reshape(-1, self.k), others]).T
        return _coefficient_matrix(self.g, Y)[0, len(fixed) - 1]

    def __call__(self, Y: Any) -> Array:
        """Evaluates the n x n matrix g(Y), each entry by rho of a sum."""
        rows = np.asarray(Y).T
        entries = np.empty((self.n, self.n), dtype=object)
        for i in range(self.n):
            for j in range(self.n):
                rest = [k for k in range(self.n) if k not in (i, j)]
                sums = PowerSums(len(rest), self.k).encode(rows[rest])
                if i == j:
                    entries[i, j] = self.rho_1(rows[i], sums)
                else:
                    entries[i, j] = self.rho_2(rows[i], rows[j], sums)
        exact = not any(isinstance(x, (float, np.floating)) for x in entries.flat)
        if exact:
            return entries
        return entries.astype(np.float64)


def decompose_coefficients(
    g: Any,
    points: Any = None,
    *,
    n: int | None,
    k: int | None,
    reduce: bool,
    trials: int,
    seed: int,
) -> PairFormula | PairConstruction:
    """Finds rho_1, psi_1, rho_2, psi_2 for a coefficient function; see `decompose`.

    Raises:
        DomainError: g(Y P) = P^T g(Y) P fails at a point.
        ShapeError: the value of g is not n x n.
    """
    import sympy

    if isinstance(g, sympy.MatrixBase):
        return _make_formula(g, symbol_rows(g, points), reduce=reduce, trials=trials, seed=seed)
    if not callable(g) or n is None or k is None or n < 1 or k < 1:
        raise DomainError(
            "not a coefficient function with its sizes",
            given=f"{g!r}, n={n!r}, d={k!r}",
            expected="an n x n SymPy matrix and its points, or a function of k x n arrays with n="
            " and d=k",
            hint="pass n= and d=",
        )
    array = symbol_array(n, k, "y")
    found = formula_by_symbols(
        value_in_symbols(g, array.T, (2,)),
        lambda m: _make_formula(
            m, list(map(tuple, array)), reduce=reduce, trials=trials, seed=seed
        ),
        (
            lambda x: _coefficient_matrix(g, x.T),
            lambda formula, x: to_numbers(formula(x.T.tolist())).reshape(n, n),
        ),
        rational_points(n, k, min(trials, 5), seed),
        _NOT_EQUIVARIANT,
    )
    if found is not None:
        return found
    blank = PairConstruction(g, n, k, Agreement(proved=False, points=0, exact_points=0, bound=0.0))
    agreement = compare(
        lambda x: _coefficient_matrix(g, x.T),
        lambda x: blank(x.T),
        rational_points(n, k, trials, seed),
        _NOT_EQUIVARIANT,
    )
    return PairConstruction(g, n, k, agreement)


_NOT_EQUIVARIANT = "the coefficient function is not equivariant: g(Y P) = P^T g(Y) P fails"


def _make_formula(
    g: Any, rows: list[tuple[Any, ...]], *, reduce: bool, trials: int, seed: int
) -> PairFormula:
    n = len(rows)
    if g.shape != (n, n) or n == 0:
        raise ShapeError(
            "the coefficient matrix and the points do not fit",
            given=f"a matrix of shape {g.shape}, {n} points",
            expected="an n x n matrix for n points",
            hint="count the points",
        )
    y_i, y_j, y_k = (point_symbols(rows, g, name) for name in ("a", "b", "y"))
    name = sum_name(g, "s")
    one = _rewrite_entry(g[0, 0], rows[1:], y_k, name, reduce=reduce)
    rename = dict(zip(rows[0], y_i, strict=True))
    diagonal = (tuple(f.xreplace(rename) for f in one.phi), one.sums, one.rho.xreplace(rename))
    off_diagonal: tuple[tuple[Any, ...], tuple[Any, ...], Any] = ((), (), None)
    if n > 1:
        two = _rewrite_entry(g[0, 1], rows[2:], y_k, name, reduce=reduce)
        both = {**rename, **dict(zip(rows[1], y_j, strict=True))}
        off_diagonal = (tuple(f.xreplace(both) for f in two.phi), two.sums, two.rho.xreplace(both))
    draft = PairFormula(y_k, y_i, y_j, *diagonal, *off_diagonal, n, PROVED)
    agreement = compare_expressions(
        g, draft(g.__class__(rows).T), rows, trials, seed, _NOT_EQUIVARIANT
    )
    return replace(draft, agreement=agreement)


def _rewrite_entry(
    e: Any, rows: list[tuple[Any, ...]], y: tuple[Any, ...], name: str, *, reduce: bool
) -> SumExpression:
    if not rows:
        return SumExpression(y, (), (), e)
    return Rewriter(rows, y, reduce=reduce, name=name).rewrite(e)


def _coefficient_matrix(g: Callable[..., Any], Y: Array) -> Array:
    value = call(g, [Y])
    require_shape(value, (Y.shape[1], Y.shape[1]), "the coefficient function")
    return value
