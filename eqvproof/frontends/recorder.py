"""What ran: the code objects of a call, the instructions that were executed, the exceptions that passed.

The same function must run the same instructions on traced arrays and on real ones: a branch that tells them
apart, however it does so, shows here.
"""

from __future__ import annotations

from types import CodeType, FrameType
from typing import Any

from eqvproof.frontends.code import PURE_MODULES, attribute_stores
from eqvproof.frontends.frames import owner_of_frame, owner_of_module, place_text
from eqvproof.frontends.watch import unwatch, watch

#: Parts of the array libraries that draw random numbers, or read files.
_IMPURE = (
    "numpy.random", "numpy.testing", "numpy.lib.npyio", "numpy.lib._npyio", "numpy.lib._datasource",
    "scipy.stats", "scipy.optimize", "scipy.sparse.linalg", "scipy.cluster", "scipy.io", "scipy.datasets",
    "scipy.integrate", "scipy.linalg._interpolative", "scipy.linalg.interpolative",
)  # fmt: skip
_PASSING = (StopIteration, GeneratorExit, StopAsyncIteration)


class Recorder:
    """Records one call; use it as a context manager.

    Attributes:
        codes: the user's code objects that ran.
        steps: (code object, offset) of the instructions that ran.
        raised: places of the user's code where an exception passed.
        foreign: (reason, place) of library code that may be impure or swallow exceptions.
    """

    def __init__(self) -> None:
        self.codes: set[CodeType] = set()
        self.steps: set[tuple[CodeType, int]] = set()
        self.raised: list[str] = []
        self.foreign: list[tuple[str, str]] = []
        self._before: Any = None

    def __enter__(self) -> Recorder:
        self._before = watch(self)
        return self

    def __exit__(self, *exc: object) -> None:
        unwatch(self._before)

    def add(self, other: Recorder) -> None:
        """What another call ran, too."""
        self.codes |= other.codes
        self.steps |= other.steps
        self.raised += other.raised
        self.foreign += [f for f in other.foreign if f not in self.foreign]

    def on_call(self, frame: FrameType) -> bool:
        """A function starts; whether its instructions are to be recorded."""
        code = frame.f_code
        owner = owner_of_frame(frame)
        if owner == "user":
            if _is_aside(frame):
                return False
            self.codes.add(code)
            if code.co_name in ("__exit__", "__aexit__"):
                self._complain("a context manager of its own may swallow exceptions", frame)
            return True
        module = str(frame.f_globals.get("__name__", ""))
        if owner == "stdlib":
            if _caller(frame) == "user" and not _is_aside(frame):
                self._stdlib(frame, module)
        elif owner == "arrays" and module.startswith(_IMPURE):
            self._complain(f"{module}.{code.co_name} runs, which may be random", frame)
        return False

    def _stdlib(self, frame: FrameType, module: str) -> None:
        code = frame.f_code
        if code.co_qualname in ("suppress.__exit__", "ExitStack.__exit__", "_BaseExitStack.__exit__"):
            self._complain("contextlib.suppress swallows exceptions", frame)
        elif module.split(".")[0] not in PURE_MODULES and "importlib" not in module and module != "zipimport":
            self._complain(
                f"{module}.{code.co_name} runs, which may be random, or read the world outside", frame
            )

    def on_step(self, frame: FrameType, offset: int) -> None:
        """An instruction of the user's code is about to run."""
        code = frame.f_code
        if code not in self.codes:
            return
        self.steps.add((code, offset))
        stored = attribute_stores(code).get(offset)
        if stored is not None and not _is_own_object(frame.f_locals.get(stored[0])):
            self._complain(f"the attribute {stored[1]} of an object of a library is set", frame)

    def on_raise(self, frame: FrameType, kind: type[BaseException]) -> None:
        """An exception arises in, or passes through, the user's code."""
        if frame.f_code in self.codes and not issubclass(kind, _PASSING):
            self.raised.append(place_text(frame.f_code.co_filename, frame.f_lineno))

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
