"""`f(X) = X g~(Z^T X)`: the permutation equivariant maps of Prop. 4.1, evaluated without an n x n matrix."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.deepsets.pair_forms.evaluate import Work, coefficients, output, point_sums
from eqvproof.deepsets.pair_forms.exact_program import program_of
from eqvproof.deepsets.pair_forms.plan import Plan, make_plan
from eqvproof.deepsets.pair_forms.symbols import read
from eqvproof.deepsets.pooling.host import threads_to_use
from eqvproof.deepsets.pooling.rows import from_torch
from eqvproof.errors import BackendError, DomainError, ShapeError
from eqvproof.program import Program

Function = Callable[..., Any] | int | float


@dataclass(frozen=True, slots=True)
class Cost:
    """How the work grows: O(n^exponent), and why.

    Args:
        exponent: 1, 2 or 3.
        reason: in words.
    """

    exponent: int
    reason: str

    def __str__(self) -> str:
        return f"O(n{'' if self.exponent == 1 else f'^{self.exponent}'}): {self.reason}"


@dataclass(frozen=True, slots=True)
class PairForm:
    """`g~_ij = rho_2(y_i, y_j, sum_{k != i, j} psi_2(y_k, y_i, y_j))`, on the diagonal rho_1 and psi_1.

    `g~_ii = rho_1(y_i, sum_{k != i} psi_1(y_k, y_i))`; y_i is column i of `Z^T X`. Called with X (d, n) and Z
    (d, k) the form gives `X g~(Z^T X)` (d, n).

    Args:
        rho1: `rho_1(y, s)`.
        psi1: `psi_1(x, y)`.
        rho2: `rho_2(y, z, s)`.
        psi2: `psi_2(x, y, z)`; a number or a vector, as psi_1.

    Each is a number, or a function of vectors (k,) written with arithmetic and functions of SymPy or of
    NumPy. It is called once, with symbols.

    Exactness: float64 (float32 for float32 arrays, sums over more than 128 pairs in float64); exact for
        arrays of Fractions, where the functions are rational. Terms k = i, j are left out without
        cancellation (`eqvproof.deepsets.pair_forms.sums`).

    Cost: `.cost`, found from psi_2 and rho_2; memory O(n (d + k)).

    Source: C. Ma, L. Ying, Prop. 4.1 and Remark 4.1 (my23).

    Examples:
        >>> form = PairForm(1, 0, lambda y, z, s: y @ z, 0)
        >>> print(form.cost)
        O(n^2): every pair of points is visited
    """

    rho1: Function
    psi1: Function
    rho2: Function
    psi2: Function

    def plan(self, k: int) -> Plan:
        """How the form is evaluated for points of R^k."""
        return _plan(self.rho1, self.psi1, self.rho2, self.psi2, k)

    @property
    def cost(self) -> Cost:
        """The cost, read off at k = 2 (or the least even k that the functions take)."""
        return self.cost_at(2)

    def cost_at(self, k: int) -> Cost:
        """The cost for points of R^k."""
        plan = self.plan(k)
        return Cost(plan.exponent, _reason(plan))

    def __call__(self, X: Any, Z: Any = None, threads: int | None = None) -> Any:
        """`X g~(Z^T X)`, (d, n).

        Args:
            X: (d, n); a NumPy, CuPy or Dask array: float64, float32, 16-bit numbers (as float32), Fractions.
            Z: (d, k); the points are the columns of X where it is absent.
            threads: default all cores of this process.

        Raises:
            ShapeError: X or Z of other shapes.
            DomainError: complex numbers.
            BackendError: X and Z of different backends.
        """
        return self.measured(X, Z, threads)[0]

    def measured(self, X: Any, Z: Any = None, threads: int | None = None) -> tuple[Any, int]:
        """`X g~(Z^T X)`, and how many entries of arrays were evaluated for it."""
        if _kind(X) == "dask":
            from eqvproof.deepsets.pair_forms.chunks import evaluate_chunks

            return evaluate_chunks(self, X, Z), 0
        X, Y, xp = _points(X, Z)
        if not X.shape[1]:
            return X.copy(), 0
        plan, work = self.plan(Y.shape[1]), Work(xp, _centre(Y), threads_to_use(threads))
        return output(plan, X, Y, work), work.entries

    def coefficients(self, X: Any, Z: Any = None) -> Any:
        """The whole matrix g~(Z^T X), (n, n), in memory."""
        X, Y, xp = _points(X, Z)
        plan, work = self.plan(Y.shape[1]), Work(xp, _centre(Y))
        whole = slice(0, len(Y))
        return coefficients(plan, Y, point_sums(plan, Y, 0, len(Y), work), whole, whole, work)

    def program(self, k: int, d: int | None = None) -> Program:
        """`X g~(Z^T X)` as a Program of "X: d n, Z: d k" for all n (and all d where none is given)."""
        return program_of(self.plan(k).e, d, k)


@functools.lru_cache(maxsize=256)
def _plan(rho1: Any, psi1: Any, rho2: Any, psi2: Any, k: int) -> Plan:
    return make_plan(read(rho1, psi1, rho2, psi2, k))


def _reason(plan: Plan) -> str:
    if plan.exponent == 3:
        return "psi_2 couples k, i and j, and separates into no products that do not"
    if plan.exponent == 1:
        return f"g~ is a sum of {len(plan.products or ())} products of a function of i and one of j"
    if any(s.groups for s in plan.sums):
        return "every pair of points is visited, once for the sums over k and once for g~"
    return "every pair of points is visited"


def _kind(array: Any) -> str:
    return type(array).__module__.split(".")[0]


def _points(X: Any, Z: Any) -> tuple[Any, Any, Any]:
    """X (d, n), the points (n, k), and the namespace of both."""
    kinds = {
        _kind(a) for a in (X, Z) if a is not None and _kind(a) in ("cupy", "dask", "torch", "jax", "jaxlib")
    }
    if kinds and (Z is not None and _kind(X) != _kind(Z)):
        raise BackendError(
            "X and Z are arrays of different backends",
            given=f"{_kind(X)}, {_kind(Z)}",
            expected="one backend for both",
            hint="convert one of them",
        )
    if _kind(X) == "cupy":
        import cupy

        xp: Any = cupy
    else:
        xp = np
        X = _read(X, "X")
        Z = None if Z is None else _read(Z, "Z")
    if X.ndim != 2 or (Z is not None and (Z.ndim != 2 or Z.shape[0] != X.shape[0])):
        raise ShapeError(
            "X is (d, n) and Z is (d, k)",
            given=f"{X.shape}, {None if Z is None else Z.shape}",
            expected="two arrays with n columns each",
            hint="one point a column in both",
        )
    if X.dtype.kind != "O":
        dtype = "float32" if X.dtype in (np.float32, np.float16) else "float64"
        X = X.astype(dtype)
        Z = None if Z is None else Z.astype(dtype)
    Y = X if Z is None else Z.T @ X
    return X, xp.ascontiguousarray(Y.T), xp


def _read(array: Any, name: str) -> np.ndarray:
    try:
        found = np.asarray(from_torch(array))
    except ValueError as error:
        raise ShapeError(
            f"{name} has rows of different lengths",
            given=str(error),
            expected="rows of one length",
            hint="give a matrix",
        ) from error
    if found.dtype.kind == "O":
        flat = found.ravel()
        if not all(isinstance(v, Fraction | int) for v in flat):
            raise DomainError(
                f"{name} holds objects",
                given=type(flat[0]).__name__,
                expected="numbers or Fractions",
                hint="convert it with astype(float)",
            )
        exact = np.empty(found.shape, dtype=object)
        exact.ravel()[:] = [Fraction(v) for v in flat]
        return exact
    if found.dtype.name == "bfloat16":
        return found.astype(np.float32)
    if found.dtype.kind not in "fiub":
        raise DomainError(
            f"{name} holds real numbers",
            given=f"dtype {found.dtype}",
            expected="floats or integers",
            hint="convert it with astype(float)",
        )
    return found


def _centre(Y: Any) -> Any:
    """The mean of the points, which distances do not see."""
    if Y.dtype.kind == "O" or not len(Y):
        return Y[:1].sum(axis=0) * 0
    return Y.mean(axis=0)
