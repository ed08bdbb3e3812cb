"""Inverse and determinant over the last two axes.

    M : (..., A, B)               M : (..., A, A)
    ------------------------      -----------------
    M^-1 : (..., B*, A*)          det M : (...)

for PERM any act on the batch axes, else fixed batch axes; B* is the dual of B, for orthogonal acts B itself.
Determinants of other matrices: see `eqvproof.rules.parity`.

Proof. ``(A M B^T)^-1 = B^-T M^-1 A^-1``; for orthogonal A ``det(A M A^T) = det(A)^2 det M = det M``; both are
singular together. Permuting a batch axis moves whole matrices; under the other kinds a mixed batch axis
would need linearity, which neither function has. A uniform axis is taken as fixed. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Kind, Stuck, Type, dual, fix, is_fixed
from eqvproof.rules.context import Context


def infer(op: ops.Inv | ops.Det, args: list[Type], context: Context) -> list[Type]:
    """The type of an inverse or a determinant."""
    (arg,) = args
    batch = arg[:-2]
    if context.kind is not Kind.PERM and not all(is_fixed(a) for a in batch):
        raise Stuck("a matrix function of matrices that the group mixes")
    shape = context.shape(op.args[0])
    rows, columns = (fix(s) if a is None else a for a, s in zip(arg[-2:], shape[-2:], strict=True))
    if isinstance(op, ops.Inv):
        return [(*batch, dual(columns, context.kind), dual(rows, context.kind))]
    if rows != dual(columns, context.kind):
        raise Stuck("the determinant of a matrix whose rows and columns are acted upon in different ways")
    return [batch]
