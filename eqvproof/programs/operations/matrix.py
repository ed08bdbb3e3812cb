"""Functions of the matrices in the last two axes, one row for each function.

    M : (..., A, B)               M : (..., A, B), A and B orthogonal      M : (..., A, A*)
    ------------------------      -----------------------------------      ----------------
    M^-1 : (..., B*, A*)          M^+ : (..., B, A)                        det M : (...)

    M : (..., A, A), A orthogonal            M : (..., A, A), A orthogonal      w : (..., fixed)
    -------------------------------          ---------------------------------------------------
    eigenvalues of M : (..., fixed)          sum_k w_k v_k v_k^T : (..., A, A)

    M : (..., A, A*)                               M : (..., fixed, fixed)
    -------------------------------------------    --------------------------------------------
    s(M) : (..., A, A*), s = exp, cos, sin, ...    Cholesky factor of M : (..., fixed, fixed)

for PERM any act on the batch axes, the same for M and w, else fixed batch axes. A* is the dual of
A, for orthogonal acts A itself; under LIN these are the fixed ones. A
matrix that is multiplied by chi^e as well: M^-1 by chi^-e, and

    M : (..., A, B), times chi^e, n x n
    ---------------------------------------------
    det M : (...), times chi^(p(A) + p(B) + n e)

with ``det A(g) = chi(g)^p(A)``, chi the determinant: a block of factors f_1, ..., f_r counts, for
each moved one, the product of the sizes of the others (less for a dual), and p(A) + p(A) is even
whatever A is.

Proof. ``(A M B^T)^-1 = B^-T M^-1 A^-1``; both are singular together. ``det(A M A*^T) = det M``,
since the transpose of A* is the inverse of A; ``det(c A M B^T) = c^n det A det B det M``, and
``det(A (x) B) = det(A)^dim B det(B)^dim A``. Let A and B be orthogonal now. ``B M^+ A^T`` satisfies
the four equations of Penrose for ``A M B^T``, which have one solution: ``A M B^T B M^+ A^T = A (M
M^+) A^T`` is symmetric, likewise ``B (M^+ M) B^T``, and ``A M B^T (B M^+ A^T) A M B^T = A M M^+ M
B^T = A M B^T``, likewise the other; for other invertible A ``A (M M^+) A^-1`` need not be
symmetric. S = (M + M^T)/2 goes to ``A S A^T`` with M, which has the same eigenvalues, in the same
order. ``sum_k w_k v_k v_k^T`` is ``sum_t a_t P_t`` over the different eigenvalues t of S, with P_t
the orthogonal projection on the eigenspace of t and a_t the mean of the w_k of the places k that t
takes; no choice of eigenvectors is left in it, and ``A S A^T`` has the same a_t and the projections
``A P_t A^T``. For a power series s, ``s(A M A^-1) = A s(M) A^-1``, term by term, and A* is the dual
of A, with transpose ``A^-1``. Of equal
matrices the Cholesky factors are equal; those of other matrices depend on the order of the rows.

Permuting a batch axis moves whole matrices with their w; under the other kinds a mixed batch axis
would need linearity, which none of these has. A uniform axis is taken as fixed. An undefined entry
of a matrix or of its w makes all that comes of them undefined; under ORTH whole lines are undefined
together, and some entry is undefined on both sides. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.numbers.bound import (
    VARIABLE,
    Bound,
    determinant_bound,
    inverse_bound,
    pivot_bound,
)
from eqvproof.programs.defined import Domains
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.matrix_functions import MATRIX_FUNCTIONS
from eqvproof.programs.operations.numpy_code import Text
from eqvproof.programs.rules.acts import (
    Stuck,
    Type,
    act_power,
    dual,
    fix,
    is_fixed,
    unify_types,
)
from eqvproof.programs.rules.characters import DEGREES, Exponent, Typed, size_parity
from eqvproof.programs.rules.context import Context
from eqvproof.programs.signs import Signs

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Matrix(Operation):
    """A function of the matrices M in the last two axes.

    inv: the inverse, undefined where singular; det: the determinant; pinv: the pseudo-inverse
    (Moore, Penrose), defined for every matrix; eigvals: the eigenvalues of S = (M + M^T)/2, in
    ascending order; spectral: sum_k w_k v_k v_k^T of S and of a second argument w over its last axis, v_k the
    unit eigenvector of the k-th smallest eigenvalue; where some are equal, their w_k are averaged;
    expm, cosm, sinm, coshm, sinhm: their power series, for every square matrix; cholesky: the lower
    triangular L with positive diagonal for which L L^T has the lower triangle of M, undefined where
    there is none.
    """

    op: ClassVar[str] = "matrix_function"
    rule: ClassVar[str] = "function of matrices"

    fn: str

    # -- shared answers
    is_up_to_signs = False
    is_ordered = False
    sources = ()
    translated = shared.no_translations
    sums = shared.no_sums
    evaluate_with_conditions = shared.evaluate_values
    interval = shared.any_number
    is_whole = shared.may_be_fractional
    is_nonzero = shared.may_be_zero
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    label = None

    @property
    def matrix_function(self) -> str:
        return self.fn

    @property
    def is_rational(self) -> bool:
        return self.fn in ("inv", "det")

    # -- how groups act
    # --------------------------------------------------------------------------------
    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        batch = len(self.shape) - {"det": 0, "eigvals": 1}.get(self.fn, 2)
        return [a if a < batch else None for a in range(len(shape))]

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        row = MATRIX_FUNCTIONS[self.fn]
        matrix, *weights = args
        batch = unify_types([matrix[:-2], *(w[:-1] for w in weights)], context.kind)
        if not context.kind.permutes and not all(is_fixed(a) for a in batch):
            raise Stuck("a function of matrices that the group mixes")
        if not all(is_fixed(w[-1]) for w in weights):
            raise Stuck("weights of eigenvectors that the group moves, while their order stays")
        shape = context.shape(self.args[0])
        acts = [fix(s) if a is None else a for a, s in zip(matrix[-2:], shape[-2:], strict=True)]
        rows, columns = (dual(a, context.kind) for a in acts)
        if (
            row.needs_orthogonal
            and context.kind.has_dual
            and not (is_fixed(rows) and is_fixed(columns))
        ):
            raise Stuck("a function of matrices that are multiplied by others than orthogonal ones")
        if row.needs_fixed and not all(is_fixed(a) for a in acts):
            raise Stuck("a function of matrices that depends on the order of their rows")
        if row.needs_dual_columns and rows != acts[1]:
            raise Stuck(
                "a function of matrices whose rows and columns are acted upon in different ways"
            )
        return [(*batch, *row.result(rows, columns, fix(shape[-1])))]

    def typed(self, args: Sequence[Typed], context: Context) -> list[Typed]:
        if self.fn == "det":
            return [self._determinant(args[0], context)]
        return shared.acts_and_exponents(self, args, context)

    def _determinant(self, arg: Typed, context: Context) -> Typed:
        *_, rows, columns = arg.acts
        linear = context.kind.has_dual
        (batch,) = self.infer([(*arg.acts[:-2], rows, dual(rows, context.kind))], context)
        power = context.shape(self.args[0])[-1] * arg.odd
        if not (is_fixed(rows) and is_fixed(columns)) and (linear or rows != columns):
            power = power + act_power(rows) + act_power(columns)
        if context.has_weights:
            known = power.constant
        else:
            known = size_parity(power)
        from eqvproof.programs.rules.invariant_constants import is_special

        if is_special(context):
            return Typed(batch)
        if known is None:
            raise Stuck(
                "the determinant of a matrix whose rows and columns are acted upon in different"
                " ways"
            )
        return Typed(batch, int(known))

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        chi, row = context.characters, MATRIX_FUNCTIONS[self.fn]
        if self.fn == "inv":
            return chi.inverse(exponents[0])
        if chi is not DEGREES or row.series or row.needs_fixed:
            return chi.plain(exponents, self.fn)
        if self.fn == "pinv":
            return chi.inverse(exponents[0])
        if self.fn == "det":
            return chi.power(exponents[0], context.shape(self.args[0])[-1])
        # of eigenvalues, those of the matrix; of a sum over eigenvectors, the weights
        return exponents[-1]

    # -- values
    # ----------------------------------------------------------------------------------------
    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        match self.fn:
            case "inv":
                return system.inverse(args[0])
            case "det":
                return system.determinant(args[0])
        return system.matrix(self.fn, args)

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        x, (rows, columns) = args[0], shapes[0][-2:]
        match self.fn:
            case "inv":
                return inverse_bound(x, rows)
            case "det":
                return determinant_bound(x, rows)
            case "pinv":
                gram = x.times(x).summed(rows)
                found = _spectral(gram, Bound(), (*shape[:-2], columns, columns), counts)
                return found.times(x).summed(columns)
            case "eigvals":
                return counts.call(prod(shape), _powers(x, rows)[-1].summed(rows))
            case "cholesky":
                pivot = pivot_bound(x, rows)
                return pivot.times(counts.call(prod(shape[:-1]), pivot))
        return _spectral(x, args[1] if args[1:] else Bound(), shape, counts)

    def count_conditions(self, args: Sequence[Bound], shape: Lengths, counts: CallCounts) -> None:
        match self.fn:
            case "inv":
                counts.call(prod(shape[:-2]), determinant_bound(args[0], shape[-1]))
            case "cholesky":
                counts.call(prod(shape[:-1]), pivot_bound(args[0], shape[-1]))

    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        matrix, *weights = (a.conditions for a in args)
        lost = MATRIX_FUNCTIONS[self.fn].lost
        whole = where.conjunction(
            [where.sum_along(matrix, (-2, -1)), *(where.sum_along(w, (-1,)) for w in weights)]
        )
        match self.fn:
            case "inv":
                singular = where.system.even("defined inv", where.system.determinant(args[0].value))
                whole = where.conjunction([whole, singular])
            case "cholesky":
                whole = where.conjunction([whole, where.has_positive_pivots(args[0].value)])
        return where.with_axes(whole, 2 - lost)

    def stays_defined(self, known: Signs) -> bool:
        return not MATRIX_FUNCTIONS[self.fn].partial

    def varying_axes(self, known: Domains) -> frozenset[int]:
        rank = len(self.shape)
        if not MATRIX_FUNCTIONS[self.fn].partial:
            return frozenset(range(rank))
        return known.varying_axes(self.args[0]) - {rank - 1, rank - 2} | frozenset(range(rank - 2))

    # -- text
    # ------------------------------------------------------------------------------------------
    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        return f"{name} = {MATRIX_FUNCTIONS[self.fn].formula.format(*args)}"

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        return Text(MATRIX_FUNCTIONS[self.fn].code.format(*(a.code for a in args)))


def _powers(x: Bound, n: int) -> list[Bound]:
    """Bounds the powers 1, ..., n of M + M^T."""
    symmetric = x.plus(x)
    powers = [symmetric]
    for _ in range(n - 1):
        powers.append(powers[-1].times(symmetric).summed(n))
    return powers


def _spectral(x: Bound, weights: Bound, shape: Lengths, counts: CallCounts) -> Bound:
    """Bounds a polynomial in M + M^T whose coefficients are functions of n traces and n weights."""
    powers, found = _powers(x, shape[-1]), VARIABLE
    for power in powers[:-1]:
        found = found.plus(VARIABLE.times(power))
    counts.call(prod(shape[:-1]), powers[-1].summed(shape[-1]), weights)
    return found
