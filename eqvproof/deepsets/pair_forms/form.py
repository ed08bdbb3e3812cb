"""Defines `PairForm`: the equivariant maps X g(Z^T X) of Ma and Ying (my23), Prop. 4.1."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.deepsets.arguments import library_name, require_integer
from eqvproof.deepsets.distribution import compute_values
from eqvproof.deepsets.pair_forms.chunks import evaluate_by_workers, evaluate_chunks
from eqvproof.deepsets.pair_forms.evaluate import Evaluation
from eqvproof.deepsets.pair_forms.exact_program import build_program
from eqvproof.deepsets.pair_forms.plan import Plan, make_plan
from eqvproof.deepsets.pair_forms.points import read_points
from eqvproof.deepsets.pair_forms.symbols import read_form
from eqvproof.deepsets.pooling.host import threads_to_use
from eqvproof.programs import Program
from eqvproof.support.errors import BackendError
from eqvproof.support.short_tracebacks import shortens_tracebacks_of_methods

Function = Callable[..., Any] | int | float


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost O(n^exponent) of a pair form, with the reason.

    Args:
        exponent: 1, 2 or 3.
        reason: why it is that exponent, in words.
    """

    exponent: int
    reason: str

    def __str__(self) -> str:
        if self.exponent == 1:
            return f"O(n): {self.reason}"
        return f"O(n^{self.exponent}): {self.reason}"


@shortens_tracebacks_of_methods
@dataclass(frozen=True, slots=True)
class PairForm:
    """An equivariant map `X g~(Z^T X)`, given by rho_1, psi_1, rho_2 and psi_2.

    `g~_ij = rho_2(y_i, y_j, sum_{k != i, j} psi_2(y_k, y_i, y_j))` off the diagonal, and
    `g~_ii = rho_1(y_i, sum_{k != i} psi_1(y_k, y_i))`; y_i is column i of `Z^T X`. Called with X
    (d, n) and Z (d, k) the form gives `X g~(Z^T X)` (d, n).

    Args:
        rho1: `rho_1(y, s)`, a number.
        psi1: `psi_1(x, y)`, a number or a vector.
        rho2: `rho_2(y, z, s)`, a number.
        psi2: `psi_2(x, y, z)`, a number or a vector.

    Each is a constant, or a function of vectors (k,) written with arithmetic and functions of SymPy
    or of NumPy. It is called once, with symbols.

    Exactness: float64 (float32 for float32 arrays, sums over more than 128 pairs in float64); exact
        for arrays of Fractions, if the functions are rational. Terms k = i, j are left out
        without cancellation (`eqvproof.deepsets.pair_forms.sums`).

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
        """Builds the plan by which the form is evaluated for points of R^k."""
        return _plan(self.rho1, self.psi1, self.rho2, self.psi2, require_integer("k", k, 1))

    @property
    def cost(self) -> Cost:
        """The cost for points of R^2."""
        return self.cost_at(2)

    def cost_at(self, k: int) -> Cost:
        """Returns the cost for points of R^k."""
        plan = self.plan(k)
        return Cost(plan.exponent, _reason(plan))

    def __call__(
        self, X: Any, Z: Any = None, threads: int | None = None, executor: Any = None
    ) -> Any:
        """Evaluates `X g~(Z^T X)`, (d, n).

        Args:
            X: (d, n); a NumPy, CuPy or Dask array: float64, float32, 16-bit numbers (as float32),
                Fractions.
            Z: (d, k). The default: the points are the columns of X.
            threads: number of threads; the default is all cores of this process.
            executor: a Dask client, or an executor of `concurrent.futures`, whose workers compute
                parts of the result. The bits are those that this process would compute, if BLAS
                uses the same number of threads there. The result of Dask arrays is computed, too.

        Raises:
            ShapeError: X or Z has another shape.
            DomainError: X or Z holds complex numbers.
            BackendError: X and Z are of different backends.
        """
        if executor is None:
            if library_name(X) == "dask":
                return evaluate_chunks(self, X, Z)
            return self.evaluate_and_count(X, Z, threads)[0]
        if library_name(X) == "dask":
            (X,) = compute_values([X], executor)
        if library_name(Z) == "dask":
            (Z,) = compute_values([Z], executor)
        X, Y, xp = read_points(X, Z)
        if xp is not np:
            raise BackendError(
                "executors cannot use arrays of a GPU",
                given=f"executor= and an array of {library_name(X)}",
                expected="NumPy or Dask arrays",
                hint="omit executor=",
            )
        return evaluate_by_workers(self.plan(Y.shape[1]), X, Y, executor)

    def evaluate_and_count(
        self, X: Any, Z: Any = None, threads: int | None = None
    ) -> tuple[Any, int]:
        """Evaluates `X g~(Z^T X)`; counts the array entries that are computed on the way."""
        X, Y, xp = read_points(X, Z)
        if not X.shape[1]:
            return X.copy(), 0
        work = Evaluation(self.plan(Y.shape[1]), Y, xp, threads_to_use(threads))
        return work.output(X), work.entries

    def coefficients(self, X: Any, Z: Any = None) -> Any:
        """Computes the whole matrix g~(Z^T X), (n, n), in memory."""
        X, Y, xp = read_points(X, Z)
        if not len(Y):
            return X[:0, :0]
        work = Evaluation(self.plan(Y.shape[1]), Y, xp)
        return work.coefficients(work.point_sums(0, len(Y)), slice(0, len(Y)), slice(0, len(Y)))

    def program(self, k: int, d: int | None = None) -> Program:
        """Builds `X g~(Z^T X)` as a Program of "X: d n, Z: d k" for all n.

        Without ``d``, the Program is for all d as well.
        """
        return build_program(self.plan(k).e, d, k)


@functools.lru_cache(maxsize=256)
def _plan(rho1: Any, psi1: Any, rho2: Any, psi2: Any, k: int) -> Plan:
    return make_plan(read_form(rho1, psi1, rho2, psi2, k))


def _reason(plan: Plan) -> str:
    if plan.exponent == 3:
        return "psi_2 couples k, i and j, and does not separate into products of fewer points"
    if plan.exponent == 1:
        return f"g~ is a sum of {len(plan.products or ())} products of a function of i and one of j"
    if any(s.groups for s in plan.sums):
        return "every pair of points is visited, once for the sums over k and once for g~"
    return "every pair of points is visited"
