"""Analysis of the bytecode of packages: what they warn of, and what they take as a key."""

from __future__ import annotations

from functools import lru_cache
from types import CodeType

from eqvproof.tracing.observing.code import (
    LOADS,
    QUESTIONS,
    SILENT,
    instructions,
    local_at,
    start_of,
)

_OF_KEYS = ("get", "pop", "setdefault", "add")


@lru_cache(maxsize=512)
def keyed(code: CodeType, offset: int) -> str:
    """Returns the variable that is looked up with the result of a call as a key; else "".

    The function of the call is loaded at the offset. ``d[id(x)]``, ``id(x) in d`` and
    ``d.get(id(x), y)`` look up d.
    """
    body = [i for i in instructions(code) if i.opname not in (*SILENT, "PRECALL")]
    start = next(k for k, i in enumerate(body) if i.offset == offset)
    end = start + 1
    while body[end].opname.startswith("LOAD_"):
        end += 1
    if body[end].opname != "CALL" or body[end].argval != 1 or end + 2 >= len(body):
        return ""
    before, after, last = body[start - 1], body[end + 1], body[end + 2]
    if "SUBSCR" in after.opname or after.argrepr == "[]":
        owner = before
    elif last.opname == "CONTAINS_OP":
        owner = after
    elif before.opname in QUESTIONS and before.argval in _OF_KEYS:
        owner = body[start - 2]
    else:
        return ""
    if owner.opname.startswith("LOAD_DEREF"):
        return str(owner.argval)
    return local_at(owner)


@lru_cache(maxsize=512)
def told_warnings(code: CodeType, modules: frozenset[str]) -> frozenset[int]:
    """Returns the offsets of names that code gives to ``warnings.warn``, or to a filter.

    Args:
        code: the code object.
        modules: the names of the module `warnings`.
    """
    body = [i for i in instructions(code) if i.opname not in (*SILENT, "PRECALL")]
    found: set[int] = set()
    for k, i in enumerate(body):
        if i.opname not in LOADS or i.argval not in modules or start_of(i) is None:
            continue
        calls = (
            j
            for j in range(k, len(body))
            if body[j].opname.startswith("CALL") and start_of(body[j]) == start_of(i)
        )
        asked = body[k + 1].argval
        if asked in ("warn", "filterwarnings", "simplefilter") and (end := next(calls, 0)):
            found.update(j.offset for j in body[k + 1 : end])
    return frozenset(found)
