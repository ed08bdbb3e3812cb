"""Texts of traced values: they may be printed, logged or raised, and used in no other way.

A text of a traced value is not that of a real one. What the target does with it cannot be seen in
the trace, unless it only leaves the target: as an argument of `print` or of a logger whose result
is dropped, or in the message of an exception.
"""

from __future__ import annotations

import builtins
import dis
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

from eqvproof.support.errors import TraceError
from eqvproof.tracing.observing.code import ends_in_raise, instructions, start_of
from eqvproof.tracing.observing.frames import (
    TELLING,
    is_followed,
    is_logger,
    owner_of_frame,
    place_text,
    user_frame,
)
from eqvproof.tracing.observing.held_objects import EXCHANGED

_OF_TEXTS = ("__repr__", "__str__", "__format__")
#: Instructions that make longer texts, pass them to a call, or take no text.
_MAKES_TEXTS = (
    "FORMAT_", "BUILD_STRING", "CONVERT_VALUE", "CALL", "PRECALL", "KW_NAMES", "PUSH_NULL",
    "LOAD_CONST", "LOAD_FAST", "LOAD_GLOBAL", "LOAD_DEREF",
)  # fmt: skip


@contextmanager
def texts_only_told(kinds: Iterable[type]) -> Iterator[None]:
    """Refuses texts of objects of some classes in a block, unless they are only told.

    Libraries of arrays may make texts for their own use.
    """
    before = [(kind, name, vars(kind)[name]) for kind in kinds for name in _OF_TEXTS
              if name in vars(kind)]  # fmt: skip
    try:
        for kind, name, method in before:
            setattr(kind, name, _only_told(method))
        yield
    finally:
        for kind, name, method in before:
            setattr(kind, name, method)


def _only_told(method: Callable[..., str]) -> Callable[..., str]:
    def text(*args: object, **kwargs: object) -> str:
        frame = sys._getframe(1)
        if not may_make_text(frame, of_libraries=True):
            asking = user_frame(frame) or frame
            raise TraceError(
                "a text needs the entries and sizes, which stand for every input",
                given=place_text(asking.f_code.co_filename, asking.f_lineno),
                hint="leave the text out, or only print it",
                code="trace.text",
            )
        return method(*args, **kwargs)

    vars(text)[EXCHANGED] = method
    return text


def may_make_text(start: FrameType, *, of_libraries: bool) -> bool:
    """Checks whether a text that is made in a frame only leaves the target.

    With `of_libraries`, libraries of arrays may make texts for their own use.
    """
    frame: FrameType | None = start
    while frame is not None and (owner := owner_of_frame(frame)) in ("engine", "stdlib"):
        root = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if owner == "stdlib" and root in TELLING:
            return True
        frame = frame.f_back
    if frame is None or not is_followed(frame):
        return of_libraries
    return _is_only_told(frame)


def _is_only_told(frame: FrameType) -> bool:
    """Checks whether a text that the current instruction of a frame makes only leaves the target.

    It does if the instruction belongs to an exception that is raised out of the code; or to an
    argument of a call, whose result is dropped, of `print`, of `warn`, of a logger, or of a
    function of `logging` or `warnings`; nothing but the making of a longer text and this call may
    take it.
    """
    code, offset = frame.f_code, frame.f_lasti
    if ends_in_raise(code, offset):
        return True
    call = _telling_call(code, offset)
    return call is not None and _tells(frame, call)


def _telling_call(code: CodeType, offset: int) -> tuple[str, ...] | None:
    """Returns the names of the called function, of the statement that only tells a text."""
    body = [i for i in instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG")]
    k = next((k for k, i in enumerate(body) if i.offset == offset), None)
    if k is None:
        return None
    end = next((j for j in range(k, len(body)) if _ends(body[j])), None)
    if end is None or body[end].opname != "POP_TOP":
        return None
    taking = [i for i in body[k:end] if _encloses(i, body[k])]
    calls = [i for i in taking if i.opname in ("CALL", "CALL_KW")]
    if len(calls) != 1 or not all(i.opname.startswith(_MAKES_TEXTS) for i in taking):
        return None
    start = start_of(calls[0])
    callee = [i for i in body[:k] if start is not None and start_of(i) == start]
    loads = [i for i in callee if i.opname in ("LOAD_GLOBAL", "LOAD_ATTR", "LOAD_METHOD")]
    if not loads or loads[0].opname != "LOAD_GLOBAL":
        return None
    return tuple(str(i.argval) for i in loads)


def _ends(i: dis.Instruction) -> bool:
    return (
        i.opname.startswith(("POP_TOP", "STORE", "RETURN", "YIELD", "RAISE", "RERAISE"))
        or i.opcode in (*dis.hasjrel, *dis.hasjabs)
        or i.is_jump_target
    )


def _encloses(outer: dis.Instruction, inner: dis.Instruction) -> bool:
    """Checks whether the expression of an instruction contains that of another one."""
    one, other = outer.positions, inner.positions
    if one is None or other is None or None in (*one, *other):
        return True
    starts = (one.lineno, one.col_offset), (other.lineno, other.col_offset)
    ends = (one.end_lineno, one.end_col_offset), (other.end_lineno, other.end_col_offset)
    return bool(starts[0] <= starts[1] and ends[0] >= ends[1])


def _tells(frame: FrameType, names: tuple[str, ...]) -> bool:
    """Checks whether names mean `print`, or a function of `logging`, `warnings` or a logger."""
    first, *others = names
    value = frame.f_globals.get(first, getattr(builtins, first, None))
    if not others:
        return value is print or value is warnings.warn
    logging = sys.modules.get("logging")  # None where nobody has loaded it
    is_module = value is not None and (value is warnings or value is logging)
    return (is_module or is_logger(value)) and len(others) == 1
