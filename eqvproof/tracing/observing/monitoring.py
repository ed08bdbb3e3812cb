"""Events of the interpreter: `sys.monitoring` from Python 3.12 on, `sys.settrace` before.

Both report the same three events of this thread: a function starts, an instruction of the user's
code is about to run, an exception arises in the user's code. `watching` is open while a target is
traced and replayed; a recorder is installed for each call.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Protocol

from eqvproof.support.context_values import uncollected
from eqvproof.support.errors import TraceError
from eqvproof.tracing.observing.frames import is_engine_file


class Observer(Protocol):
    """The interface of objects that receive events."""

    def on_call(self, frame: FrameType) -> Iterable[FrameType]:
        """Handles the start of a function; returns frames whose instructions are wanted.

        These are its own frame and frames of callers.
        """

    def on_step(self, frame: FrameType, offset: int) -> None:
        """Handles an instruction that is about to run."""

    def on_raise(self, frame: FrameType, kind: type[BaseException]) -> None:
        """Handles an exception that arises or passes."""


class _Tracing:
    """The backend with `sys.settrace`, which belongs to one thread."""

    late = False

    def __init__(self, codes: Iterable[CodeType]) -> None:
        pass

    def put(self, observer: Observer | None) -> Any:
        before = sys.gettrace()
        sys.settrace(None if observer is None else self._global(observer))
        return before

    def back(self, before: Any) -> None:
        sys.settrace(before)

    def pause(self) -> Any:
        return self.put(None)

    def close(self) -> None:
        pass

    def _global(self, observer: Observer) -> Callable[..., Any]:
        def on_step(frame: FrameType, event: str, arg: Any) -> object:
            if event == "opcode":
                observer.on_step(frame, frame.f_lasti)
            elif event == "exception":
                observer.on_raise(frame, arg[0])
            return on_step

        def on_call(frame: FrameType, event: str, arg: object) -> object:
            if is_engine_file(frame.f_code.co_filename):
                return None  # most of what starts
            for wanted in observer.on_call(frame):
                wanted.f_trace, wanted.f_trace_lines, wanted.f_trace_opcodes = on_step, False, True
            return frame.f_trace

        return on_call


class _Monitoring:
    """The backend with `sys.monitoring`, which belongs to the process.

    Instructions are watched in the code objects named.
    """

    def __init__(self, codes: Iterable[CodeType]) -> None:
        self.api: Any = sys.monitoring  # type: ignore[attr-defined,unused-ignore]
        free = [i for i in (3, 4, 1, 0, 5, 2) if self.api.get_tool(i) is None]
        if not free:
            raise TraceError(
                "all tools of sys.monitoring are in use",
                hint="end a debugger, profiler or coverage",
            )
        self.tool = free[0]
        self.thread = threading.get_ident()
        self.observer: Observer | None = None
        self.codes: set[CodeType] = set()
        self.late = False
        self.api.use_tool_id(self.tool, "eqvproof")
        events = self.api.events
        for event, callback in (
            (events.PY_START, self._start),
            (events.INSTRUCTION, self._step),
            (events.RAISE, self._raise),
        ):
            self.api.register_callback(self.tool, event, callback)
        for code in codes:
            self._instrument(code)
        self.api.set_events(self.tool, events.PY_START | events.RAISE)

    def _instrument(self, code: CodeType) -> None:
        self.codes.add(code)
        self.api.set_local_events(self.tool, code, self.api.events.INSTRUCTION)

    def put(self, observer: Observer | None) -> Any:
        before, self.observer = self.observer, observer
        return before

    def back(self, before: Any) -> None:
        self.observer = before

    def pause(self) -> Any:
        return self.observer  # the package's own code is switched off where it starts

    def close(self) -> None:
        self.api.set_events(self.tool, 0)
        for code in self.codes:
            self.api.set_local_events(self.tool, code, 0)
        self.api.free_tool_id(self.tool)

    def _is_ours(self) -> bool:
        return self.observer is not None and threading.get_ident() == self.thread

    def _start(self, code: CodeType, offset: int) -> object:
        if is_engine_file(code.co_filename):
            return self.api.DISABLE
        if self._is_ours() and self.observer is not None:
            observer, self.observer = self.observer, None
            for frame in observer.on_call(sys._getframe(1)):
                if frame.f_code not in self.codes:
                    self.late = True
                    self._instrument(frame.f_code)
            self.observer = observer
        return None

    def _step(self, code: CodeType, offset: int) -> Any:
        if self._is_ours() and self.observer is not None:
            self.observer.on_step(sys._getframe(1), offset)

    def _raise(self, code: CodeType, offset: int, error: BaseException) -> Any:
        if self._is_ours() and self.observer is not None and code in self.codes:
            self.observer.on_raise(sys._getframe(1), type(error))


_BACKEND: Any = _Monitoring if sys.version_info >= (3, 12) else _Tracing


class _Open(threading.local):
    backend: Any = None


_open = _Open()


@contextmanager
def watching(codes: Iterable[CodeType]) -> Iterator[Any]:
    """Watches calls in this thread; the instructions of the codes are watched from the start.

    The garbage collector is off in this block, since callbacks of `gc` (Hypothesis has one) are no
    calls of the target.
    """
    before, backend = _open.backend, _BACKEND(codes)
    _open.backend = backend
    with uncollected():
        try:
            yield backend
        finally:
            backend.close()
            _open.backend = before


def watch(observer: Observer) -> object:
    """Installs an observer and returns the previous one."""
    if _open.backend is None:
        raise TraceError("nothing is watched: a recorder outside of `watching`")
    return _open.backend.put(observer)


def unwatch(before: object) -> None:
    """Restores the previous observer."""
    _open.backend.back(before)


def pause() -> Any:
    """Stops watching while the package's own code runs; returns the argument of `resume`."""
    if _open.backend is None:
        return None
    return _open.backend.pause()


def resume(paused: object) -> None:
    """Resumes watching."""
    if _open.backend is not None:
        _open.backend.back(paused)
