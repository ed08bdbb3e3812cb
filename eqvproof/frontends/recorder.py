"""What ran: the code objects of a call, the instructions that were executed, the exceptions that passed.

The same function must run the same instructions on traced arrays and on real ones: a branch that tells them
apart, however it does so, shows here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from eqvproof.frontends.code import PURE_MODULES, attribute_stores
from eqvproof.frontends.frames import owner_of_frame, owner_of_module, place_text

_SCIPY = ("scipy.special", "scipy.linalg", "scipy.spatial", "scipy.constants", "scipy._lib", "scipy._cyutility")
_PASSING = (StopIteration, GeneratorExit, StopAsyncIteration)


class Recorder:
    """Records one call; use it as a context manager.

    Attributes:
        codes: the user's code objects that ran.
        steps: (code object, offset) of the instructions that ran.
        caught: places where an exception arose that did not end the call.
        foreign: (reason, place) of library code that may be impure or swallow exceptions.
    """

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()
        self.steps: set[tuple[CodeType, int]] = set()
        self.raised: list[str] = []
        self.foreign: list[tuple[str, str]] = []
        self._before: Any = None

    def __enter__(self) -> Recorder:
        self._before = sys.gettrace()
        sys.settrace(self._call)
        return self

    def __exit__(self, *exc: object) -> None:
        sys.settrace(self._before)

    def _call(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        code = frame.f_code
        owner = owner_of_frame(frame)
        if owner == "user" and _is_aside(frame):
            return None
        if owner == "user":
            self.codes.add(code)
            if code.co_name in ("__exit__", "__aexit__"):
                self._complain("a context manager of its own may swallow exceptions", frame)
            frame.f_trace_lines = False
            frame.f_trace_opcodes = True
            return self._step
        if owner == "stdlib" and _caller(frame) == "user" and not _is_aside(frame):
            module = str(frame.f_globals.get("__name__", ""))
            if code.co_qualname in ("suppress.__exit__", "ExitStack.__exit__", "_BaseExitStack.__exit__"):
                self._complain("contextlib.suppress swallows exceptions", frame)
            elif module.split(".")[0] not in PURE_MODULES and "importlib" not in module and module != "zipimport":
                self._complain(f"{module}.{code.co_name} runs, which may be random, or read the world outside", frame)
        elif owner == "arrays":
            module = str(frame.f_globals.get("__name__", ""))
            if module.startswith("scipy.") and not module.startswith(_SCIPY):
                self._complain(f"{module}.{code.co_name} runs, which may be random", frame)
            elif module.startswith(("numpy.random", "numpy.testing")):
                self._complain(f"{module}.{code.co_name} runs", frame)
        return None

    def _step(self, frame: FrameType, event: str, arg: Any) -> Callable[..., Any] | None:
        if event == "opcode":
            self.steps.add((frame.f_code, frame.f_lasti))
            stored = attribute_stores(frame.f_code).get(frame.f_lasti)
            if stored is not None and not _is_own_object(frame.f_locals.get(stored[0])):
                self._complain(f"the attribute {stored[1]} of an object of a library is set", frame)
        elif event == "exception" and not issubclass(arg[0], _PASSING):
            self.raised.append(place_text(frame.f_code.co_filename, frame.f_lineno))
        return self._step

    def _complain(self, reason: str, frame: FrameType) -> None:
        caller: FrameType | None = frame
        while caller is not None and owner_of_frame(caller) != "user":
            caller = caller.f_back
        place = place_text(caller.f_code.co_filename, caller.f_lineno) if caller is not None else ""
        if (reason, place) not in self.foreign:
            self.foreign.append((reason, place))


def _is_aside(frame: FrameType) -> bool:
    """Whether the code runs for an import, or to stand in for an uninterpreted function.

    What may be imported is judged where it is imported; a stand-in is no part of the target.
    """
    caller: FrameType | None = frame
    while caller is not None:
        filename = caller.f_code.co_filename
        if filename.startswith("<frozen importlib"):
            return True
        if owner_of_frame(caller) == "engine":
            return caller.f_code.co_name == "concrete" and filename.endswith("opaque.py")
        caller = caller.f_back
    return False


def _is_own_object(value: Any) -> bool:
    """Whether it is an instance of a class of the user's, whose state is fingerprinted."""
    cls = type(value)
    return not issubclass(cls, type) and owner_of_module(cls.__module__) == "user"


def _caller(frame: FrameType) -> str:
    """Whose code called, the standard library's own calls left out."""
    caller = frame.f_back
    while caller is not None and owner_of_frame(caller) == "stdlib":
        caller = caller.f_back
    return owner_of_frame(caller) if caller is not None else "engine"
