"""Elementwise functions.

    PERM   v_1 : T, ..., v_m : T             ORTH, SIGN   v_1, ..., v_m : all axes fixed
           ----------------------                         ------------------------------
           fn(v_1, ..., v_m) : T                          fn(v_1, ..., v_m) : all axes fixed

    SIGN, fn odd    v : T             SIGN, fn even   v : T
                    ---------                         ------------------------------
                    fn(v) : T                         fn(v) : T with all axes fixed

Proof. A permutation of an axis moves entries and changes none, and fn does the same to every entry. On
fixed axes nothing moves. A sign change multiplies an entry by s in {-1, 1} (the product of the signs of its
axes), and fn(s v) = s fn(v) or fn(v). Undefined entries are those at which fn is undefined or an argument
is: they move with the entries; fn odd or even is undefined at -v where it is at v. In particular under ORTH
an undefined entry arises at a place whose axes are all fixed, and reaches mixed axes only through einsums,
where it then fills whole lines of them. QED
"""

from __future__ import annotations

from eqvproof.program import ops
from eqvproof.rules.acts import Act, Kind, Stuck, Type, fix, is_fixed, unify_types
from eqvproof.rules.context import Context


def infer(op: ops.Map, args: list[Type], context: Context) -> list[Type]:
    """The type of an elementwise function of values."""
    if not args:
        return [()]
    if context.kind is Kind.PERM:
        return [unify_types(args, context.kind)]
    if context.kind is Kind.SIGN and len(args) == 1:
        parity = ops.MAP_FUNCTIONS[op.fn][1]
        if parity == "odd":
            return [args[0]]
        if parity == "even":
            return [_fixed(args[0], op.shape)]
    if not all(is_fixed(act) for arg in args for act in arg):
        verb = {Kind.ORTH: "rotates", Kind.SIGN: "changes the sign of"}.get(context.kind, "mixes")
        raise Stuck(f"the elementwise function {op.fn} is applied to entries that the group {verb}")
    return [unify_types(args, context.kind)]


def _fixed(arg: Type, shape: ops.Shape) -> Type:
    acts: list[Act] = [act if is_fixed(act) else fix(s) for act, s in zip(arg, shape, strict=True)]
    return tuple(acts)
