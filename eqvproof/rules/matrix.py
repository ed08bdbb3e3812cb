"""Functions of the matrices in the last two axes, one row a function.

    M : (..., A, B)               M : (..., A, B), A and B orthogonal      M : (..., A, A*)
    ------------------------      -----------------------------------      ----------------
    M^-1 : (..., B*, A*)          M^+ : (..., B, A)                        det M : (...)

    M : (..., A, A), A orthogonal            M : (..., A, A), A orthogonal      w : (..., fixed)
    -------------------------------          ---------------------------------------------------
    eigenvalues of M : (..., fixed)          sum_k w_k v_k v_k^T : (..., A, A)

for PERM any act on the batch axes, the same for M and w, else fixed batch axes. A* is the dual of A, for
orthogonal acts A itself; under LIN these are the fixed ones. Determinants of other matrices: see
`eqvproof.rules.parity`.

Proof. ``(A M B^T)^-1 = B^-T M^-1 A^-1``; both are singular together. ``det(A M A*^T) = det M``, since the
transpose of A* is the inverse of A. Let A and B be orthogonal now. ``B M^+ A^T`` satisfies the four
equations of Penrose for ``A M B^T``, which have one solution: ``A M B^T B M^+ A^T = A (M M^+) A^T`` is
symmetric, likewise ``B (M^+ M) B^T``, and ``A M B^T (B M^+ A^T) A M B^T = A M M^+ M B^T = A M B^T``, likewise
the other; for other invertible A ``A (M M^+) A^-1`` need not be symmetric. S = (M + M^T)/2 goes to
``A S A^T`` with M, which has the same eigenvalues, in the same order. ``sum_k w_k v_k v_k^T`` is
``sum_t a_t P_t`` over the different eigenvalues t of S, with P_t the orthogonal projection on the eigenspace
of t and a_t the mean of the w_k of the places k that t takes; no choice of eigenvectors is left in it, and
``A S A^T`` has the same a_t and the projections ``A P_t A^T``.

Permuting a batch axis moves whole matrices with their w; under the other kinds a mixed batch axis would need
linearity, which none of these has. A uniform axis is taken as fixed. An undefined entry of a matrix or of its
w makes all that comes of them undefined; under ORTH whole lines are undefined together, and some entry is
undefined on both sides. QED
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from eqvproof.program import ops
from eqvproof.rules.acts import Act, Kind, Stuck, Type, dual, fix, is_fixed, unify_types
from eqvproof.rules.context import Context

#: function -> whether A and B must be orthogonal, whether B must be A*, the last axes from A*, B* and fixed.
FUNCTIONS: Mapping[str, tuple[bool, bool, Callable[[Act, Act, Act], Type]]] = {
    "inv": (False, False, lambda a, b, fixed: (b, a)),
    "pinv": (True, False, lambda a, b, fixed: (b, a)),
    "det": (False, True, lambda a, b, fixed: ()),
    "eigvals": (True, True, lambda a, b, fixed: (fixed,)),
    "spectral": (True, True, lambda a, b, fixed: (a, b)),
}


def infer(op: ops.Matrix, args: list[Type], context: Context) -> list[Type]:
    """The type of a function of matrices."""
    orthogonal, alike, result = FUNCTIONS[op.fn]
    matrix, *weights = args
    batch = unify_types([matrix[:-2], *(w[:-1] for w in weights)], context.kind)
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in batch):
        raise Stuck("a function of matrices that the group mixes")
    if not all(is_fixed(w[-1]) for w in weights):
        raise Stuck("weights of eigenvectors that the group moves, while their order stays")
    shape = context.shape(op.args[0])
    acts = [fix(s) if a is None else a for a, s in zip(matrix[-2:], shape[-2:], strict=True)]
    rows, columns = (dual(a, context.kind) for a in acts)
    if orthogonal and context.kind is Kind.LIN and not (is_fixed(rows) and is_fixed(columns)):
        raise Stuck("a function of matrices that are multiplied by others than orthogonal ones")
    if alike and rows != acts[1]:
        raise Stuck("a function of matrices whose rows and columns are acted upon in different ways")
    return [(*batch, *result(rows, columns, fix(shape[-1])))]
