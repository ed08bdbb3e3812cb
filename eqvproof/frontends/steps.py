"""Which instructions of the user's code run: the same ones when a target is traced and when it is called.

A branch that tells a trace from a call, however it does so, takes another way through the code then.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import CodeType, FrameType
from typing import Any

from eqvproof.errors import TraceError
from eqvproof.frontends.frames import place_text
from eqvproof.frontends.watch import unwatch, watch


class Steps:
    """Records one call; a context manager, to be used inside of `watch.watching`.

    Args:
        codes: the code objects whose instructions are wanted.

    Attributes:
        codes: those of them that ran.
        steps: (code object, offset) of the instructions that ran.
    """

    def __init__(self, codes: Iterable[CodeType]) -> None:
        self._wanted = frozenset(codes)
        self.codes: set[CodeType] = set()
        self.steps: set[tuple[CodeType, int]] = set()
        self._before: Any = None

    def __enter__(self) -> Steps:
        self._before = watch(self)
        return self

    def __exit__(self, *exc: object) -> None:
        unwatch(self._before)

    def on_call(self, frame: FrameType) -> bool:
        """A function starts; whether its instructions are to be recorded."""
        if frame.f_code not in self._wanted:
            return False
        self.codes.add(frame.f_code)
        return True

    def on_step(self, frame: FrameType, offset: int) -> None:
        """An instruction is about to run."""
        if frame.f_code in self._wanted:
            self.steps.add((frame.f_code, offset))

    def on_raise(self, frame: FrameType, kind: type[BaseException]) -> None:
        """An exception arises: handlers are read off the code instead."""


def require_same(traced: Steps, called: Steps, where: str, *, whole: bool) -> None:
    """Refuse a target that takes another way through its code when it is called.

    Args:
        traced: what ran when the target was traced.
        called: what ran when it was called.
        where: the call, in words.
        whole: whether all that was traced must run; else what a compiler has kept may be left out.

    Raises:
        TraceError: naming the first line that only one of the two ran.
    """
    different = traced.steps ^ called.steps if whole else called.steps - traced.steps
    if not different:
        return
    code, offset = min(different, key=lambda s: (s[0].co_filename, s[0].co_firstlineno, s[1]))
    line = next((n for start, end, n in code.co_lines() if start <= offset < end and n), code.co_firstlineno)
    raise TraceError(
        f"the target takes another way through its code when it is called ({where}) than when it is traced"
        f" (at {place_text(code.co_filename, line)})",
        expected="one path for all sizes and inputs",
        code="trace.branch",
    )
