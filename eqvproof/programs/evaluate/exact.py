"""Exact evaluation of Programs, with precision raised as needed (up to a cap)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.numbers import ExactArray
from eqvproof.numbers import precision as at_precision
from eqvproof.numbers.arrays import unwrap, wrap_array
from eqvproof.numbers.tensor import Array, is_rational
from eqvproof.numbers.undefined import UNDEFINED, Absent
from eqvproof.programs import Program
from eqvproof.programs.evaluate.exact_system import ExactSystem, is_narrow
from eqvproof.programs.evaluate.opaque import Functions
from eqvproof.programs.evaluate.walk import bind, evaluate_program
from eqvproof.programs.operations import Operation

#: A ball is narrow enough where its radius is below 2^-ENOUGH.
ENOUGH = 32


def evaluate_exact(
    program: Program, inputs: Mapping[str, Any], sizes: Mapping[str, int] | None = None, *,
    precision: int = 128, max_precision: int = 1024, opaque: Functions | None = None, seed: int = 0,
    named: bool = False, moved: Mapping[Fraction, Fraction] | None = None,
) -> ExactArray:  # fmt: skip
    """Evaluates a Program at exact inputs.

    The precision of balls starts at ``precision`` bits and doubles, up to ``max_precision``, while
    an entry of the result is undecided or a ball of radius above 2^-ENOUGH max(1, |middle|).

    Args:
        program: what to evaluate.
        inputs: arrays of ints, floats (the rationals that they are), Fractions, Reals, by name.
        sizes: axis sizes; those that an input shows may be left out.
        precision: bits of the first attempt.
        max_precision: bits of the last one.
        opaque: functions that stand for uninterpreted ones (called with exact arrays); None or no
            entry: rationals drawn by hash from the arguments.
        seed: of those draws.
        named: whether numbers that are named constants rounded are read as these.
        moved: other numbers in place of some that small constants hold.

    Returns:
        An array of the Program's shape whose entries are `Real`, ``UNDEFINED``, or
        ``UNDECIDED_ENTRY`` where ``max_precision`` bits did not tell.

    Exactness: exact for rational operations; balls that enclose the value for the others.

    Raises:
        ShapeError: the inputs do not fit. EqvproofError: an opaque function with an assumed
            symmetry.
    """
    raw = {name: unwrap(value) for name, value in inputs.items()}
    known_sizes = bind(program, raw, sizes or {})
    system = ExactSystem(opaque, seed, named=named, moved=moved)
    kept: dict[int, Any] = {}
    bits = precision
    while True:
        with at_precision(bits):
            result = np.asarray(
                evaluate_program(program, system, raw, known_sizes, kept, _is_rational),
                dtype=object,
            )
        if bits * 2 > max_precision or _all_narrow(result):
            break
        bits *= 2
    return _as_exact_array(result)


def _is_rational(_: Operation, value: Any) -> bool:
    return is_rational(value)


def _all_narrow(array: Array) -> bool:
    return all(x is UNDEFINED if type(x) is Absent else is_narrow(x, ENOUGH) for x in array.flat)


def _as_exact_array(array: Array) -> ExactArray:
    flat = wrap_array(array.reshape(-1))
    result: ExactArray = flat.reshape(array.shape)
    return result
