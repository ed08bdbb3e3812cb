"""A Program at points where nothing rests on the order of equal entries.

A sort that promises no order of equal entries is free to give them in any: what rests on it is no function of
the real numbers given. The Program here is undefined where the other asks for that order, and the same
elsewhere: ``select(equal, order, 0)`` is 0 where no two entries are equal, whatever stands for the order.
"""

from __future__ import annotations

from dataclasses import replace

from eqvproof.evaluate.library_functions import is_order
from eqvproof.program import Builder, Program


def without_ties(program: Program) -> Program:
    """The Program, with undefined entries in place of the orders of equal entries."""
    b, made = Builder(), list[int]()
    for name, shape in program.inputs:
        b.input(name, shape)
    for op in program.nodes:
        if op.called and is_order(op.called):
            made.append(b.broadcast_to(b.map("recip", [b.const(0)]), op.shape))
        else:
            made.append(b.node(replace(op, args=tuple(made[a] for a in op.args))))
    return b.program(made[program.output])
