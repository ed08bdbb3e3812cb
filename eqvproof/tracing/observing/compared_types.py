"""Finds the comparisons by `is` whose answer is no accident of memory: those of types."""

from __future__ import annotations

import dis
from functools import lru_cache
from types import CodeType

from eqvproof.tracing.observing.code import SILENT, instructions


def are_types(code: CodeType, offset: int, *, has_classes: bool) -> bool:
    """Checks whether an instruction compares dtypes of torch, or classes where these are known."""
    return offset in compared_dtypes(code) or (has_classes and offset in compared_types(code))


def _chain(body: tuple[dis.Instruction, ...], end: int) -> int:
    """Returns where a chain of attributes of a global name starts, which ends there; -1 if none."""
    while end >= 0 and body[end].opname == "LOAD_ATTR":
        end -= 1
    if end >= 0 and body[end].opname in ("LOAD_GLOBAL", "LOAD_DEREF"):
        return end
    return -1


def _type_of(body: tuple[dis.Instruction, ...], end: int) -> int:
    """Returns where a call of `type` with one plain value starts, which ends there; -1 if none."""
    if body[end].opname != "CALL" or body[end].argval != 1:
        return -1
    end -= 1
    while end >= 0 and body[end].opname == "LOAD_ATTR":
        end -= 1
    is_plain = end >= 1 and body[end].opname.startswith("LOAD_")
    is_type = is_plain and (body[end - 1].opname, body[end - 1].argval) == ("LOAD_GLOBAL", "type")
    if is_type:
        return end - 1
    return -1


@lru_cache(maxsize=512)
def compared_types(code: CodeType) -> frozenset[int]:
    """Returns the offsets at which ``type(x) is K`` compares classes.

    K is a class under a global name, perhaps with attributes, or ``type(y)``. Which of the classes
    that names hold is that of an object is no accident of memory.
    """
    body = tuple(i for i in instructions(code) if i.opname not in (*SILENT, "PRECALL"))
    found = set()
    for k, i in enumerate(body):
        if i.opname != "IS_OP":
            continue
        for right, left in ((_type_of, _chain), (_chain, _type_of), (_type_of, _type_of)):
            start = right(body, k - 1)
            if start > 0 and left(body, start - 1) >= 0:
                found.add(i.offset)
    return frozenset(found)


@lru_cache(maxsize=512)
def compared_dtypes(code: CodeType) -> frozenset[int]:
    """Returns the offsets at which ``x.dtype is torch.K`` compares dtypes of torch.

    There is one object of each, so that this is no accident of memory.
    """
    body = [i for i in instructions(code) if i.opname not in (*SILENT, "PRECALL")]
    found = set()
    for k, i in enumerate(body):
        asked, owner, name = body[k - 3 : k] if k >= 3 else (i, i, i)
        of_torch = (owner.opname, owner.argval) == ("LOAD_GLOBAL", "torch")
        named = of_torch and name.opname == "LOAD_ATTR"
        is_dtype = (asked.opname, asked.argval) == ("LOAD_ATTR", "dtype")
        if i.opname == "IS_OP" and named and is_dtype:
            found.add(i.offset)
    return frozenset(found)
