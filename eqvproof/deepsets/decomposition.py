"""Decomposition of a given invariant f as rho(sum_k phi(x_k)), compared with f."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from eqvproof.deepsets.agreement import rational_points
from eqvproof.deepsets.arguments import require_integer
from eqvproof.deepsets.codes import CountableCode
from eqvproof.deepsets.constructions import (
    NOT_INVARIANT,
    Construction,
    construct_by_decoding,
    construct_over_universe,
    value_at,
)
from eqvproof.deepsets.formulas import (
    Formula,
    formula_by_symbols,
    make_formula,
    symbol_array,
    symbol_rows,
    to_numbers,
    value_in_symbols,
)
from eqvproof.support.errors import DomainError
from eqvproof.support.short_tracebacks import shortens_tracebacks

if TYPE_CHECKING:
    import sympy

    from eqvproof.deepsets.argument_types import Expressions
    from eqvproof.deepsets.pair_decomposition import PairConstruction, PairFormula

__all__ = ["Construction", "Formula", "decompose"]


@overload
def decompose(
    f: Callable[..., Any] | Expressions,
    points: Sequence[Any] | sympy.MatrixBase | None = ...,
    *,
    n: int | None = ...,
    d: int | None = ...,
    universe: Iterable[Any],
    multiplicity: int = ...,
    at_most: bool = ...,
    kind: Literal["invariant"] = ...,
    reduce: bool = ...,
    trials: int = ...,
    seed: int = ...,
) -> Construction: ...
@overload
def decompose(
    f: Callable[..., Any] | Expressions,
    points: Sequence[Any] | sympy.MatrixBase | None = ...,
    *,
    n: int | None = ...,
    d: int | None = ...,
    universe: None = ...,
    multiplicity: int = ...,
    at_most: bool = ...,
    kind: Literal["invariant"] = ...,
    reduce: bool = ...,
    trials: int = ...,
    seed: int = ...,
) -> Formula | Construction: ...
@overload
def decompose(
    f: Callable[..., Any] | Expressions,
    points: Sequence[Any] | sympy.MatrixBase | None = ...,
    *,
    n: int | None = ...,
    d: int | None = ...,
    universe: Iterable[Any] | None = ...,
    multiplicity: int = ...,
    at_most: bool = ...,
    kind: Literal["coefficients"],
    reduce: bool = ...,
    trials: int = ...,
    seed: int = ...,
) -> PairFormula | PairConstruction: ...
@shortens_tracebacks
def decompose(
    f: Callable[..., Any] | Expressions,
    points: Sequence[Any] | sympy.MatrixBase | None = None,
    *,
    n: int | None = None,
    d: int | None = None,
    universe: Iterable[Any] | None = None,
    multiplicity: int = 1,
    at_most: bool = False,
    kind: Literal["invariant", "coefficients"] = "invariant",
    reduce: bool = False,
    trials: int = 9,
    seed: int = 0,
) -> Formula | Construction | PairFormula | PairConstruction:
    """Decomposes f as rho(sum phi), and compares both sides.

    | f | phi | rho |
    |---|---|---|
    | a SymPy expression, symmetric in ``points`` | functions of one point, found in it | an expression |
    | a Python function that accepts SymPy symbols (``n``, ``d``) | the same | the same |
    | any other Python function of n x d arrays (``n``, ``d``) | power sums | f of the decoded points |
    | a function of lists of elements of ``universe`` | b^-c(x) | f of the decoded multiset |

    With ``kind="coefficients"``, f is g of Prop. 4.1: g(Y P) = P^T g(Y) P for Y = Z^T X, k x n
    (points are columns there; in SymPy a matrix in the symbols of ``points``), and the result holds
    rho_1, psi_1, rho_2, psi_2.

    Args:
        f: the function.
        points: for expressions, the symbols: a sequence of symbols (d = 1) or of rows, or a SymPy
            matrix of rows. The default: all free symbols, sorted by name.
        n: for Python functions, the number of points.
        d: their dimension; with None, f gets an array of shape (n,).
        universe: see `CountableCode`.
        multiplicity: for a universe, how often an element may occur in X.
        at_most: for Python functions, admit fewer points than n.
        kind: "invariant" or "coefficients".
        reduce: write power sums of degree above n in lower ones, by Newton's identities.
        trials: number of points at which both sides are evaluated if they cannot be compared as
            expressions.
        seed: seed of the points.

    Returns:
        `Formula`, `Construction`, or `pair_decomposition.PairFormula` / `PairConstruction`; each
        with ``.agreement``.

    Raises:
        DomainError: f is not invariant (equivariant); the message names a point, or two points that
            f does not let be swapped.

    >>> import sympy
    >>> x, y, z = sympy.symbols("x y z")
    >>> decompose(x * y + y * z + z * x).rho
    p1**2/2 - p2/2
    """
    import sympy

    trials = require_integer("trials", trials, 1)
    if d is not None:
        d = require_integer("d", d, 1)
    if kind == "coefficients":
        from eqvproof.deepsets.pair_decomposition import decompose_coefficients

        return decompose_coefficients(f, points, n=n, k=d, reduce=reduce, trials=trials, seed=seed)
    if kind != "invariant":
        raise DomainError(
            "unknown kind",
            given=repr(kind),
            expected='"invariant" or "coefficients"',
            hint="omit kind= for invariant functions",
        )
    if isinstance(f, (sympy.Expr, sympy.MatrixBase)):
        return make_formula(f, symbol_rows(f, points), reduce=reduce, trials=trials, seed=seed)
    if not callable(f):
        raise DomainError(
            "f is neither an expression nor a function",
            given=repr(f),
            expected="a SymPy expression or a function",
            hint="pass the function itself, not its value",
        )
    if universe is not None:
        return construct_over_universe(f, CountableCode(universe, multiplicity), trials, seed)
    n = require_integer("n", n, 0)
    array = symbol_array(n, d or 1, "x")
    if d is None:
        shape, argument = "flat", array[:, 0]
    else:
        shape, argument = "rows", array
    if at_most:
        found = None
    else:
        found = formula_by_symbols(
            value_in_symbols(f, argument, (0, 1)),
            lambda e: make_formula(
                e, list(map(tuple, array)), reduce=reduce, trials=trials, seed=seed
            ),
            (
                lambda x: value_at(f, x, shape),
                lambda formula, x: to_numbers(formula([list(row) for row in x])),
            ),
            rational_points(n, d or 1, trials, seed),
            NOT_INVARIANT,
        )
    if found is None:
        return construct_by_decoding(f, n, d, at_most=at_most, trials=trials, seed=seed)
    return found
