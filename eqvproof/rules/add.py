"""Sums of values.

    v_1 : T, ..., v_m : T
    ---------------------
    v_1 + ... + v_m : T

Proof. The action of g on values of type T is linear. A uniform axis may be weakened as in `unify`. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Type, unify_types
from eqvproof.rules.context import Context


def infer(op: ops.Add, args: list[Type], context: Context) -> list[Type]:
    """The type of a sum."""
    return [unify_types(args, context.kind)]
