"""Functions left uninterpreted.

    v_1, ..., v_m : all axes fixed        v_i : as the assumed symmetry says of argument i
    ------------------------------        ------------------------------------------------
    g(v_1, ..., v_m) : all fixed          g(v_1, ..., v_m) : as it says of the result

Proof. Left: the arguments are equal for moved and unmoved inputs, hence so are the values of a function.
Right: the assumption is ``g(h v) = h g(v)`` for all h in a group; the factor at hand belongs to it, or is a
subgroup of one of its factors on the same axis: SO, Signs and the permutation groups lie in O as orthogonal
matrices, O (where duals are equal) and SL lie in GL, A, C and D lie in S, C in D, and the parts by which a
group is proved lie in it: O in E, S and Signs in B. An
argument that is fixed altogether where the assumption does not mention the
factor's axis is the left rule. QED
"""

from __future__ import annotations

import json
from typing import Any

from eqvproof.groups.families import EVERY_FAMILY, containing
from eqvproof.program import ops
from eqvproof.rules.acts import Act, Stuck, Type, is_fixed, is_instance
from eqvproof.rules.claim import axis_act
from eqvproof.rules.context import Context


def infer(op: ops.Opaque, args: list[Type], context: Context) -> list[Type]:
    """The type of an uninterpreted function of values."""
    if all(is_fixed(act) for arg in args for act in arg):
        return [context.fixed(op.shape)]
    symmetry: dict[str, Any] | None = None if op.symmetry is None else json.loads(op.symmetry)
    if symmetry is None:
        raise Stuck(
            f"the function {op.name}, of which nothing is assumed, is given values that the group moves"
        )
    families = containing(EVERY_FAMILY[context.family])
    if not any(f["axis"] == context.axis and f["family"] in families for f in symmetry["group"]):
        raise Stuck(f"the symmetry assumed of {op.name} does not include this group")
    for number, (arg, axes) in enumerate(zip(args, symmetry["inputs"], strict=True), start=1):
        declared = _acts(axes, context, context.shape(op.args[number - 1]))
        for have, want in zip(arg, declared, strict=True):
            if not is_instance(have, want, context.kind):
                raise Stuck(f"argument {number} of {op.name} is not acted upon as its symmetry assumes")
    return [tuple(_acts(symmetry["output"], context, op.shape))]


def _acts(axes: Any, context: Context, shape: ops.Shape) -> list[Act]:
    pairs = zip(axes, shape, strict=True)
    return [axis_act(axis, context.axis, s, context.pins, context.family) for axis, s in pairs]
