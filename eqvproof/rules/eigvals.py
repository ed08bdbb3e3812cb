"""Eigenvalues of symmetric matrices, in ascending order.

    M : (..., A, A), A orthogonal
    -----------------------------
    eigenvalues of M : (..., fixed)

for PERM any act on the batch axes, else fixed batch axes; LIN: all axes fixed.

Proof. Of (M + M^T)/2. With it A M A^T goes to ``A (M + M^T)/2 A^T``, which has the same eigenvalues, since
A^T is the inverse of A; their order depends on them alone. Permuting a batch axis moves whole matrices. A
uniform axis is taken as fixed. An undefined entry makes all eigenvalues of its matrix undefined; under ORTH
whole lines are undefined together, and some entry of the matrix is undefined on both sides. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Kind, Stuck, Type, fix, is_fixed
from eqvproof.rules.context import Context


def infer(op: ops.Eigvals, args: list[Type], context: Context) -> list[Type]:
    """The type of eigenvalues."""
    (arg,) = args
    batch = arg[:-2]
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in batch):
        raise Stuck("eigenvalues of matrices that the group mixes")
    shape = context.shape(op.args[0])
    rows, columns = (fix(s) if a is None else a for a, s in zip(arg[-2:], shape[-2:], strict=True))
    if rows != columns or (context.kind is Kind.LIN and not is_fixed(rows)):
        raise Stuck("the eigenvalues of a matrix whose rows and columns are acted upon in different ways")
    return [(*batch, fix(shape[-1]))]
