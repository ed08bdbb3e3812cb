"""Pseudo-inverses over the last two axes.

    M : (..., A, B), A and B orthogonal
    -----------------------------------
    M^+ : (..., B, A)

for PERM any act on the batch axes, else fixed batch axes; LIN: all axes fixed.

Proof. ``B M^+ A^T`` satisfies the four equations of Penrose for ``A M B^T``, which have one solution:
``A M B^T B M^+ A^T = A (M M^+) A^T`` is symmetric, likewise ``B (M^+ M) B^T``, and
``A M B^T (B M^+ A^T) A M B^T = A M M^+ M B^T = A M B^T``, likewise the other. For invertible A that is not
orthogonal ``A (M M^+) A^-1`` need not be symmetric. Permuting a batch axis moves whole matrices. A uniform
axis is taken as fixed. An undefined entry makes its whole matrix undefined; under ORTH whole lines are
undefined together, and some entry is undefined on both sides. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Kind, Stuck, Type, fix, is_fixed
from eqvproof.rules.context import Context


def infer(op: ops.Pinv, args: list[Type], context: Context) -> list[Type]:
    """The type of a pseudo-inverse."""
    (arg,) = args
    batch = arg[:-2]
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in batch):
        raise Stuck("pseudo-inverses of matrices that the group mixes")
    shape = context.shape(op.args[0])
    rows, columns = (fix(s) if a is None else a for a, s in zip(arg[-2:], shape[-2:], strict=True))
    if context.kind is Kind.LIN and not (is_fixed(rows) and is_fixed(columns)):
        raise Stuck("the pseudo-inverse of a matrix that is multiplied by others than orthogonal ones")
    return [(*batch, columns, rows)]
