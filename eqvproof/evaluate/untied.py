"""A Program at points where nothing rests on the order of equal entries.

A sort that promises no order of equal entries is free to give them in any: what rests on it is no function of
the real numbers given. The Program here is undefined where the other asks for that order, and the same
elsewhere: ``select(equal, order, 0)`` is 0 where no two entries are equal, whatever stands for the order.
"""

from __future__ import annotations

from eqvproof.evaluate.library_functions import is_order
from eqvproof.operations import Operation
from eqvproof.program import Builder, Program, copied


def without_ties(program: Program) -> Program:
    """The Program, with undefined entries in place of the orders of equal entries."""

    def undefined(b: Builder, _: int, op: Operation) -> int | None:
        is_undefined = op.called and is_order(op.called)
        return b.broadcast_to(b.map("recip", [b.const(0)]), op.shape) if is_undefined else None

    b, made = copied(program, undefined)
    return b.program(made[program.output])
