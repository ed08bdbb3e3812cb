"""Finds what code does with values that calls leave, from which only the next may be computed.

A stand-in is put where calls leave such a value. It refuses to be used, but Python answers some
questions without asking it: which object or class it is, and what fails with it.
"""

from __future__ import annotations

import dis
from functools import lru_cache
from types import CodeType

from eqvproof.tracing.observing.code import handlers_at, instructions

#: Builtins that tell objects apart by their classes, and read attributes by what is no name.
_ASK = frozenset("type callable vars __dict__".split())
_METHODS = frozenset("__init__ __call__ __post_init__ __enter__ __exit__".split())
_ARITHMETIC = ("BINARY_OP", "UNARY_NEGATIVE")
_ENDS = ("STORE", "DELETE", "RETURN", "YIELD", "POP_TOP", "COPY", "SEND", "RAISE", "RERAISE")

#: Of an expression: the lines and columns where it starts and ends.
Span = tuple[tuple[int, int], tuple[int, int]]


@lru_cache(maxsize=512)
def asks_what_objects_are(code: CodeType) -> bool:
    """Checks whether code may tell any object from another without a method of theirs.

    It may ask whether an object is None, or another constant, match it with a pattern, ask for its
    class, call a method of a class or of an object by its special name, or catch an exception.
    """
    if handlers_at(code) or not _ASK.isdisjoint(code.co_names):
        return True
    if any(n[:2] == n[-2:] == "__" and n not in _METHODS for n in code.co_names):
        return True
    return any(
        i.opname == "IS_OP" or i.opname.endswith("_NONE") or i.opname.startswith("MATCH_")
        for i in instructions(code)
    )


@lru_cache(maxsize=512)
def renews_itself(code: CodeType, offset: int) -> bool:
    """Checks whether an attribute is read there only to compute its own next value.

    ``self.calls += 1`` and ``self.mean = 0.9 * self.mean + 0.1 * x.mean()`` do so: the value is an
    operand of arithmetic alone, whose result is stored in the attribute of the same object.
    """
    body = [i for i in instructions(code) if i.opname not in ("CACHE", "NOP", "EXTENDED_ARG")]
    start = next(k for k, i in enumerate(body) if i.offset == offset)
    read = body[start]
    inner = _span(read)
    if read.opname != "LOAD_ATTR" or inner is None or start == 0:
        return False
    for k, i in enumerate(body[start + 1 :], start + 1):
        if i.opname == "STORE_ATTR":
            return i.argval == read.argval and _same_owner(body, start, k)
        if i.opname.startswith(_ENDS) or i.opcode in (*dis.hasjrel, *dis.hasjabs):
            return False
        if i.opname == "SWAP":  # several values, or x.k += 1
            if body[k + 1].opname != "STORE_ATTR":
                return False
            continue
        outer = _span(i)
        encloses = outer is None or (outer[0] <= inner[0] and inner[1] <= outer[1])
        if encloses and (i.opname not in _ARITHMETIC or i.argrepr == "[]"):
            return False
    return False


def _same_owner(body: list[dis.Instruction], read: int, store: int) -> bool:
    """Checks whether an attribute is read and stored of one object."""
    owner, other = body[read - 1], body[store - 1]
    if owner.opname == "COPY":  # x.k += 1
        return other.opname == "SWAP"
    names = [i.argval[-1] if isinstance(i.argval, tuple) else i.argval for i in (owner, other)]
    are_local = all(i.opname.startswith("LOAD_FAST") for i in (owner, other))
    return are_local and names[0] == names[1]


def _span(i: dis.Instruction) -> Span | None:
    at = i.positions
    if at is None or at.lineno is None or at.col_offset is None:
        return None
    if at.end_lineno is None or at.end_col_offset is None:
        return None
    return (at.lineno, at.col_offset), (at.end_lineno, at.end_col_offset)
