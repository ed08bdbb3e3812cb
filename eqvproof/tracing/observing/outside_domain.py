"""Recognises errors of `math` and `cmath` outside of their domains."""

from __future__ import annotations

from types import BuiltinFunctionType, FrameType, ModuleType

from eqvproof.tracing.observing.code import Read, instructions, reads


def is_outside_domain(error: BaseException | None) -> bool:
    """Checks whether a ValueError comes from a function of `math` or `cmath` without a value there.

    Its message differs between releases of Python. What counts is the line that raised it without a
    `raise` statement: it names such a function, or its frame holds one (``np.vectorize(math.log)``).
    """
    last = error.__traceback__ if type(error) is ValueError else None
    if last is None:
        return False
    while last.tb_next is not None:
        last = last.tb_next
    frame = last.tb_frame
    here = (i.opname for i in instructions(frame.f_code) if i.offset == last.tb_lasti)
    if next(here, "") == "RAISE_VARARGS":
        return False
    lines = {
        offset: line for start, end, line in frame.f_code.co_lines() for offset in range(start, end)
    }
    named = [
        _value_of(frame, read)
        for read in reads(frame.f_code)
        if lines.get(read.offset) == last.tb_lineno
    ]
    return any(map(_is_of_math, (*named, *frame.f_locals.values())))


def _value_of(frame: FrameType, read: Read) -> object:
    """Returns the value of a name, with its attributes, in a frame; None if it has none."""
    value = frame.f_locals.get(read.name, frame.f_globals.get(read.name))
    for attribute in read.chain:
        value = vars(value).get(attribute) if isinstance(value, ModuleType) else None
    return value


def _is_of_math(value: object) -> bool:
    return isinstance(value, BuiltinFunctionType) and value.__module__ in ("math", "cmath")
