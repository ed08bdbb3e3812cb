"""Entries of traced arrays for compiled code: constants, and objects in a plain array.

NumPy's operators take a list beside a plain array as an array. Of traced numbers it makes an array
of objects, whose arithmetic is that of the trace; it answers some questions in another way than an
array of floats does, which the code that ran may not ask.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType, FrameType

import numpy as np

from eqvproof.tracing.arrays.constants import constant_floats
from eqvproof.tracing.arrays.context import make_error
from eqvproof.tracing.arrays.values import Array, Numbers
from eqvproof.tracing.observing.code import instructions
from eqvproof.tracing.observing.frames import is_followed

#: What an array of objects answers in another way than one of floats.
_OF_OBJECTS = frozenset(
    "dtype itemsize nbytes strides data ctypes view base getfield tobytes tostring tofile dump"
    " dumps any all astype __array_interface__ __array_struct__ __reduce__ __dict__ getattr"
    " vars".split()
)


def may_be_read(array: Array, name: str, frame: FrameType) -> bool:
    """Checks whether compiled code asks for the memory, and `__array__` can give it the entries."""
    code = frame.f_code
    if name in code.co_names or name in code.co_consts:
        return False
    return constant_floats(array) is not None or enters_an_operation(array, frame)


def enters_an_operation(array: Array, frame: FrameType) -> bool:
    """Checks whether an arithmetic operator of traced code is given these numbers in a list."""
    value = array._eqvproof
    is_fixed = all(size.constant is not None for size in value.shape)
    if not (is_fixed and value.kind == "f" and value.infinite is None and is_followed(frame)):
        return False
    current = (i.opname for i in instructions(frame.f_code) if i.offset == frame.f_lasti)
    return "BINARY_OP" in current


def as_objects(array: Array) -> Numbers:
    """Returns the entries as objects in a plain array."""
    array._eqvproof.context.gives_objects = True
    objects = np.empty([int(size) for size in array.shape], object)
    for place in np.ndindex(objects.shape):
        objects[place] = array[place]
    return objects


def require_no_question(codes: Iterable[CodeType]) -> None:
    """Refuses code that may ask for what tells arrays of objects from arrays of floats."""
    asked = sorted(_OF_OBJECTS & {name for code in codes for name in code.co_names})
    if asked:
        raise make_error(
            f"a list of traced numbers is an operand of a plain array, and .{asked[0]} may be asked"
            " of the result",
            "", "give the operator an array: np.array of the list", "trace.value",
        )  # fmt: skip
