"""Functions of symmetric matrices by their eigenvectors: sum_k w_k v_k v_k^T.

    M : (..., A, A), A orthogonal      w : (..., fixed)
    ---------------------------------------------------
    sum_k w_k v_k v_k^T : (..., A, A)

for PERM any act on the batch axes, the same for M and w, else fixed batch axes; LIN: all axes fixed.

Proof. The value is ``sum_t a_t P_t`` over the different eigenvalues t of S = (M + M^T)/2, with P_t the
orthogonal projection on the eigenspace of t and a_t the mean of the w_k of the places k that t takes in the
ascending order; no choice of eigenvectors is left in it. ``A S A^T`` has the same eigenvalues at the same
places, hence the same a_t, and the projections ``A P_t A^T``. Permuting a batch axis moves whole matrices
with their w. A uniform axis is taken as fixed. An undefined entry of a matrix or of its w makes the whole
matrix undefined; under ORTH whole lines are undefined together, and some entry is undefined on both sides.
QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Kind, Stuck, Type, fix, is_fixed, unify_types
from eqvproof.rules.context import Context


def infer(op: ops.Spectral, args: list[Type], context: Context) -> list[Type]:
    """The type of a function of a symmetric matrix."""
    matrix, weights = args
    batch = unify_types([matrix[:-2], weights[:-1]], context.kind)
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in batch):
        raise Stuck("functions of matrices that the group mixes")
    if not is_fixed(weights[-1]):
        raise Stuck("weights of eigenvectors that the group moves, while their order stays")
    rows, columns = (fix(s) if a is None else a for a, s in zip(matrix[-2:], op.shape[-2:], strict=True))
    if rows != columns or (context.kind is Kind.LIN and not is_fixed(rows)):
        raise Stuck("eigenvectors of a matrix whose rows and columns are acted upon in different ways")
    return [(*batch, rows, columns)]
