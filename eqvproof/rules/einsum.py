"""Products followed by sums.

    each label: its acts over all arguments, uniform ones left out, are
      none                                             kept: uniform         summed: gone
      all equal to A, all A(g) permutations (PERM)     kept: A               summed: gone
      all fixed                                        kept: fixed           summed: gone
      one A, not fixed                 (ORTH)          kept: A
      A and A                          (ORTH)                                summed: gone
      one A, not fixed                 (LIN)           kept: A
      A and its dual                   (LIN)                                 summed: gone
      p times A and else fixed         (SIGN)          kept: A^p             summed, p even: gone
    -------------------------------------------------------------------------------------------
    einsum : the acts of the kept labels

Proof. Moving the inputs replaces the entry of argument a at labels (l_1, ..., l_r) by
``sum_m A_1[l_1, m_1] ... A_r[l_r, m_r] a[m_1, ..., m_r]``. Every label is treated alone, since the acts on
different labels are different factors of the product. A label along which an argument is uniform may be
dropped from that argument: its entry does not depend on it. What remains for one label l:
*no occurrence*: the summand does not depend on l; kept, the result is uniform; summed, it is multiplied by
the size. *Permutations*: A(g)[l, m] = [m = p(l)] with one p for all arguments, so every occurrence of l
becomes p(l): kept, that is A(g) acting on the result; summed, the sum runs over p(l) instead of l, the same
set. *Fixed*: nothing happens. *One orthogonal occurrence, kept*: the matrix A(g) comes out of the product.
*Two, summed*: ``sum_l A[l, m] A[l, m'] = [m = m']``; under LIN with ``A^-T`` for the
second. *Signs*: A(g)[l, m] = s_l [l = m], so p occurrences
multiply the summand at l by s_l^p, which is s_l or 1. A label that stands in an argument's row twice counts
twice. Undefined entries: for PERM and SIGN entries move as a whole or stay; for ORTH a value is undefined
along whole lines of an axis that rho mixes (see `eqvproof.rules.map`), so both sides are undefined together.
QED
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from eqvproof.program import ops
from eqvproof.rules.acts import UNI, Act, Kind, Stuck, Type, act_size, dual, fix, is_fixed
from eqvproof.rules.constants import zero
from eqvproof.rules.context import Context


def infer(op: ops.Einsum, args: list[Type], context: Context) -> list[Type]:
    """The types of an einsum."""
    if all(isinstance(context.nodes[a], ops.Const) for a in op.args) and any(
        isinstance(n, ops.Const) and not np.any(n.array()) for n in (context.nodes[a] for a in op.args)
    ):
        return zero(op.shape, context)
    acts: dict[int, list[Act]] = {}
    for row, types in zip(op.inputs, args, strict=True):
        for label, act in zip(row, types, strict=True):
            acts.setdefault(label, []).append(act)
    sizes = dict(zip(op.output, op.shape, strict=True))
    for label in acts:
        if label not in op.output:
            label_act(acts[label], context.kind, kept=False)
    result: list[Act] = []
    for label in op.output:
        act = label_act(acts.get(label, []), context.kind, kept=True)
        result.append(fix(sizes[label]) if is_fixed(act) and act is not UNI else act)
    return [tuple(result)]


def label_act(acts: list[Act], kind: Kind, *, kept: bool) -> Act:
    """The act of one label, by the table of the module docstring.

    Raises:
        Stuck: when the label fits no row.
    """
    firm = [a for a in acts if a is not None]
    if not firm:
        return UNI
    moved = [a for a in firm if not is_fixed(a)]
    if not moved:
        return firm[0]
    first = moved[0]
    if kind is Kind.LIN:
        return _linear(moved, len(firm), kept=kept)
    if any(a != first for a in moved):
        raise Stuck("two different actions meet in one index")
    if kind is Kind.SIGN:
        if len(moved) % 2 == 0:
            return fix(act_size(first))
        if kept:
            return first
        raise Stuck("a sum over an axis whose entries change sign")
    if len(moved) != len(firm):
        raise Stuck("an axis that the group moves meets one that it leaves fixed")
    if kind is Kind.PERM:
        return first
    if kept and len(moved) == 1:
        return first
    if not kept and len(moved) == 2:
        return UNI
    if kept:
        raise Stuck("vectors that the group rotates are multiplied entry by entry")
    if len(moved) == 1:
        raise Stuck("a sum over the entries of vectors that the group rotates")
    raise Stuck("a sum over a product of three or more vectors that the group rotates")


def _linear(moved: Sequence[Act], firm: int, *, kept: bool) -> Act:
    """The rows of the table for LIN."""
    if len(moved) != firm:
        raise Stuck("an axis that the group moves meets one that it leaves fixed")
    if kept and firm == 1:
        return moved[0]
    if not kept and firm == 2 and moved[1] == dual(moved[0], Kind.LIN):
        return UNI
    if kept:
        raise Stuck("vectors that the group mixes are multiplied entry by entry")
    raise Stuck("a sum over a moved axis that is not that of one vector with one dual vector")
