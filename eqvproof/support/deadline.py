"""Time limits: work with a deadline is ended there, wherever it is.

with until(time.monotonic() + 2.0):
    ...  # raises TimeIsUp soon after two seconds

Code of this package checks the clock (`require_time`); other code, of a user or a library, is
`interrupted`.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import os
import signal
import sys
import sysconfig
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType
from typing import Any

from eqvproof.support import PACKAGE

#: A call may end this many seconds after the limit.
SLACK = 0.1
#: Interval at which the clock is checked, time after the limit at which code that does not check it
#: is interrupted, and time until the next interruption if that had no effect: it must suffice for
#: cleaning up. All in seconds.
TICK, PATIENCE, AGAIN = 0.1, 0.25, 0.6
#: Cleaning up (a context that is entered or left, an import) may end this many seconds after the
#: limit.
TIDYING = 5.0
#: Seconds for writing down what was found in time.
OVERTIME = 0.8
#: Exponent of the number of entries with which the time of a call grows at most, but for a fixed
#: part in seconds.
GROWTH, FIXED = 2.5, 1e-3
#: Expected time of the first call in seconds, for one entry.
FIRST = 1e-11

#: The class from which types of functions are made that C code may call.
_CALLBACK: type = ctypes.CFUNCTYPE(None).__mro__[1]
_INSTALLED = tuple(
    os.path.abspath(sysconfig.get_path(name)) for name in ("stdlib", "purelib", "platlib")
)


class TimeIsUp(BaseException):
    """Signals that the limit has passed.

    It is no Exception, so that no code on the way takes it for one of the user's function.
    """


@dataclass(frozen=True, slots=True)
class _Limit:
    """A deadline, and the last call's seconds, processor seconds and number of entries."""

    at: float = float("inf")
    last: list[float] = field(default_factory=lambda: [0.0, FIXED + FIRST, 1.0])


#: Thread -> its limit. It is read from other threads, and in any context in which the function
#: runs.
_limits: dict[int, _Limit | None] = {}
#: Thread -> when it was interrupted last, and when TimeIsUp was last raised for it by
#: `require_time`.
_last: dict[int, float] = {}
_told: dict[int, float] = {}
#: Functions that the timer of the system calls at each tick, in the main thread.
watchers: list[Callable[[], None]] = []


@contextmanager
def _limited(limit: _Limit | None) -> Iterator[None]:
    thread = threading.get_ident()
    outer = _limits.get(thread)
    _limits[thread] = limit
    try:
        yield
    finally:
        if outer is None:
            for known in (_limits, _last, _told):
                known.pop(thread, None)
        else:
            _limits[thread] = outer


def until(at: float) -> contextlib.AbstractContextManager[None]:
    """Limits work to a deadline of time.monotonic(), or an earlier one of an outer limit."""
    outer = _limits.get(threading.get_ident())
    if outer is None:
        return _limited(_Limit(at))
    return _limited(_Limit(min(at, outer.at), outer.last))


def overtime(seconds: float = OVERTIME) -> contextlib.AbstractContextManager[None]:
    """Gives short work some more time after a limit, to record results found in time."""
    outer = _limits.get(threading.get_ident())
    if outer is None:
        return _limited(None)
    at = time.monotonic() + seconds
    return _limited(_Limit(max(at, outer.at), outer.last))


def require_time() -> None:
    """Returns if there is time left.

    Raises:
        TimeIsUp: there is none left.
    """
    thread = threading.get_ident()
    limit = _limits.get(thread)
    if limit is not None and (now := time.monotonic()) > limit.at:
        _told[thread] = now
        raise TimeIsUp


@contextmanager
def reraise_time_is_up() -> Iterator[None]:
    """Raises TimeIsUp at the end of a block that may swallow it or raise something else instead.

    Raises:
        TimeIsUp: it was raised inside the block, and the limit has passed.
    """
    start = time.monotonic()
    try:
        yield
    except (Exception, SystemExit) as error:
        if _was_up_since(start):
            raise TimeIsUp from error
        raise
    if _was_up_since(start):
        raise TimeIsUp


def _was_up_since(start: float) -> bool:
    """Checks whether this thread is past its limit, and TimeIsUp was raised in it since a time."""
    thread = threading.get_ident()
    limit = _limits.get(thread)
    if limit is None or max(_last.get(thread, 0.0), _told.get(thread, 0.0)) < start:
        return False
    return time.monotonic() > limit.at


@contextmanager
def timed_call(entries: int = 1) -> Iterator[None]:
    """Wraps a call of the user's function.

    The call is not begun where one as long as the last would end too late.

    Args:
        entries: the number of entries of its arguments.

    Raises:
        TimeIsUp: it would end too late; or it was interrupted, and continued as if nothing had
            happened.
    """
    thread = threading.get_ident()
    limit = _limits.get(thread)
    if limit is None:
        yield
        return
    seconds, busy, before = limit.last
    # the processor's clock is slow to read: it is looked at where a call may be longer than the
    # ones before
    is_measured = seconds > FIXED or entries > before
    start, begun = time.monotonic(), time.thread_time() if is_measured else 0.0
    if start > limit.at or start + seconds > limit.at + SLACK:
        raise TimeIsUp
    with reraise_time_is_up():
        yield
    if is_measured:
        busy, before = time.thread_time() - begun, max(1, entries)
    limit.last[:] = time.monotonic() - start, busy, before


def expected(entries: int) -> float:
    """Returns the expected seconds of a call with this many entries, judging by the last one."""
    limit = _limits.get(threading.get_ident())
    if limit is None:
        return 0.0
    seconds, busy, before = limit.last
    growth: float = max(1.0, entries / before) ** GROWTH
    return max(seconds, (busy - FIXED) * growth)


# ----------------------------------------------------------------------------------------
# interruptions


@contextmanager
def interrupted() -> Iterator[None]:
    """Interrupts code in this thread that runs past its limit by raising TimeIsUp, repeatedly.

    Calls of compiled code that never return, and never look for signals, are not reached: see
    `forked_work`.
    """
    is_main = threading.current_thread() is threading.main_thread()
    with _by_signal() if is_main and hasattr(signal, "setitimer") else _by_thread():
        yield


@contextmanager
def _by_signal() -> Iterator[None]:
    """Interrupts by a timer of the system, which also ends waiting.

    An alarm that other code has set still rings.
    """
    theirs: Any = signal.getsignal(signal.SIGALRM)
    rings = float("inf")

    def ring(number: int, frame: FrameType | None) -> None:
        nonlocal rings
        if time.monotonic() > rings:
            rings = float("inf")
            if again:
                rings = time.monotonic() + again
            if callable(theirs):
                theirs(number, frame)
        for watcher in watchers:
            watcher()
        interrupt(number, frame)

    signal.signal(signal.SIGALRM, ring)
    left, again = signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    if left:
        rings = time.monotonic() + left
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL if theirs is None else theirs)
        if rings < float("inf"):
            signal.setitimer(signal.ITIMER_REAL, max(rings - time.monotonic(), 1e-3), again)


@contextmanager
def _by_thread() -> Iterator[None]:
    """Interrupts by a thread that watches this one, where this is not the main thread.

    Signals do not reach it.
    """
    thread, over = threading.get_ident(), threading.Event()

    def watch() -> None:
        while not over.wait(TICK):
            if _is_due(thread, sys._current_frames().get(thread)):
                with contextlib.suppress(AttributeError):  # an interpreter without this function
                    raised = ctypes.py_object(TimeIsUp)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        while watcher.is_alive():
            with contextlib.suppress(TimeIsUp):  # one that was still on its way arises here
                watcher.join()


def interrupt(number: int, frame: FrameType | None) -> None:
    """Handles a signal of the timer.

    Raises:
        TimeIsUp: this thread is past its limit.
    """
    if _is_due(threading.get_ident(), frame):
        raise TimeIsUp


def _is_due(thread: int, frame: FrameType | None) -> bool:
    """Checks whether a thread is to be interrupted now, and records the interruption."""
    limit, now = _limits.get(thread), time.monotonic()
    if limit is None:
        return False
    late = now - limit.at
    if late < PATIENCE or now < _last.get(thread, 0.0) + AGAIN:
        return False
    if late < TIDYING and (_is_tidying(frame) or _is_unheard(frame)):
        return False
    _last[thread] = now
    return True


def _is_unheard(frame: FrameType | None) -> bool:
    """Checks whether an exception raised here would be lost.

    That is so in callbacks of the collector and of weak references, in finalizers, and in functions
    that C code calls through ctypes. A callback of a weak reference is known by its argument: a
    reference to an object that is gone. In an answer to a question of torch about a tensor it would
    end the process.
    """
    callbacks = {getattr(c, "__code__", None) for c in gc.callbacks}
    while frame is not None:
        code, names = frame.f_code, frame.f_code.co_varnames[: frame.f_code.co_argcount]
        if code in callbacks or code.co_name == "__del__" or code.co_filename == weakref.__file__:
            return True
        if _is_called_from_c(frame):
            return True
        given = frame.f_locals if names else {}
        if code.co_name == "__torch_dispatch__" and is_question(given.get("func")):
            return True
        if any(_is_of_nothing(given.get(name)) for name in names):
            return True
        frame = frame.f_back
    return False


def _is_called_from_c(frame: FrameType) -> bool:
    """Checks whether a frame may be that of a callback from C.

    Its module is installed, and has types of callbacks.
    """
    if not _is_installed(frame.f_code.co_filename) or frame.f_code.co_filename.startswith(PACKAGE):
        return False
    values = list(frame.f_globals.values())
    return any(
        isinstance(v, type) and issubclass(v, _CALLBACK) and v is not _CALLBACK for v in values
    )


def is_question(func: object) -> bool:
    """Checks whether torch asks about a tensor (its device), in C++ code.

    No exception may leave that code.
    """
    return getattr(func, "namespace", "") == "prim"


def _is_of_nothing(value: object) -> bool:
    return issubclass(type(value), weakref.ref) and weakref.ref.__call__(value) is None  # type: ignore[arg-type]


def _is_tidying(frame: FrameType | None) -> bool:
    """Checks whether installed code is about to enter or leave a context, or to import a module."""
    while frame is not None and _is_installed(frame.f_code.co_filename):
        name, file = frame.f_code.co_name, frame.f_code.co_filename
        if name in ("__enter__", "__exit__") or file.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


@lru_cache(maxsize=1024)
def _is_installed(file: str) -> bool:
    """Checks whether a file belongs to the interpreter, an installed package, or this one."""
    path = file
    if not file.startswith("<"):
        path = os.path.abspath(file)
    return path.startswith(("<frozen", PACKAGE + os.sep, *(root + os.sep for root in _INSTALLED)))
