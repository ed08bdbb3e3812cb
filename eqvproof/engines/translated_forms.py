"""Proofs under translations by normal forms: of f(x + t), and of f(x) to which t is added as claimed.

Types follow t through a Program only as long as it is added to values. Where it goes through products,
powers, exponentials or angles and cancels at the end, the kernel's normal forms of both sides show it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from eqvproof.engines.affine_types import claimed_move
from eqvproof.engines.identity import IdentityProof, prove_translated
from eqvproof.errors import EqvproofError
from eqvproof.evaluate import evaluate_float
from eqvproof.groups import Factor
from eqvproof.program import Program
from eqvproof.rules import Stuck
from eqvproof.signature import Axis, Signature
from eqvproof.size import least_sizes

Array = np.ndarray[Any, Any]
#: Programs of more numbers than this have no normal forms within the kernel's work.
MOST_NUMBERS = 4096
#: What is larger beside the results is no rounding: no forms are made, as the claim must be false.
APART = 1e-3


def translated_forms(
    program: Program, signature: Signature, factor: Factor, pins: Mapping[str, int]
) -> IdentityProof | str:
    """The proof of a claim under T that the normal forms of both sides are, or why they are none.

    Args:
        program: the function; sizes in ``pins`` are numbers in it.
        signature: the claimed typing.
        factor: the translations.
        pins: axis names that are numbers in the program.

    **Exactness**: exact, all sizes. **Cost**: what the kernel spends on such a certificate.
    """
    if factor.each or _numbers(program) > MOST_NUMBERS:
        return "no normal form is tried"
    try:
        inputs = {a.name: _moved(a.axes, factor) for a in signature.inputs}
        output = _moved(signature.output, factor)
    except Stuck as stuck:
        return str(stuck)
    if not _seems_true(program, signature, inputs, output, pins):
        return "floats differ"
    return prove_translated(program, inputs, output)


def _numbers(program: Program) -> int:
    """How many numbers stand in the constants of a Program."""
    arrays = (node.constant for node in program.nodes)
    return sum(array.size for array in arrays if array is not None)


def _moved(axes: Sequence[Axis], factor: Factor) -> int | None:
    """The axis along which t is added to a value."""
    move = claimed_move(axes, factor)
    return None if move is None else move.axis


def _seems_true(
    program: Program, signature: Signature, inputs: Mapping[str, int | None], output: int | None,
    pins: Mapping[str, int],
) -> bool:  # fmt: skip
    """Whether floats do not show that the claim is false: it saves the work of normal forms."""
    rng = np.random.default_rng(0)
    names = {name for _, shape in program.inputs for size in shape for name in size.names}
    lows = least_sizes(names)
    sizes = {name: max(2, lows[name]) + k % 3 for k, name in enumerate(sorted(names))}
    shapes = {name: tuple(size.value(sizes) for size in shape) for name, shape in program.inputs}
    given = {a.name: a for a in signature.inputs}
    t = rng.normal(size=16)
    arrays, moved = dict[str, Array](), dict[str, Array]()
    for name, shape in shapes.items():
        positions = given[name].indexes
        count = None if positions is None else sizes.get(positions, pins.get(positions, 1))
        arrays[name] = rng.normal(size=shape) if count is None else rng.integers(0, count, shape)
        moved[name] = _added(arrays[name], inputs[name], t)
    try:
        with np.errstate(all="ignore"):
            here, there = (evaluate_float(program, x, sizes) for x in (arrays, moved))
    except EqvproofError:
        return True
    gap = np.abs(there - _added(here, output, t))
    return not bool(np.any(gap > APART * (1 + np.abs(here))))


def _added(array: Array, axis: int | None, t: Array) -> Array:
    if axis is None:
        return array
    row = np.resize(t, array.shape[axis])
    return array + row.reshape([-1 if a == axis else 1 for a in range(array.ndim)])
