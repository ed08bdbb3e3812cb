"""Work with a time limit, whatever it calls: calls that may not return run in a forked copy.

Compiled code that does not return cannot be interrupted; a process can be ended. `run_until` runs
some work. Before a call that may last (`continue_in_copy`, `continue_in_copy_if_slow`) the process
is forked: the copy continues the work, and this process waits for its result until the deadline;
after that it takes the partial result.
"""

from __future__ import annotations

import ctypes
import faulthandler
import gc
import os
import random
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Any, NoReturn, TypeVar

from eqvproof.support.deadline import (
    TICK,
    TimeIsUp,
    expected,
    interrupt,
    interrupted,
    overtime,
    until,
)
from eqvproof.support.errors import EqvproofError, error_text

#: A copy that is silent for this many seconds after the limit is ended.
GRACE = 1.4
#: Calls that are expected to take longer than this, in seconds, are made in a copy.
LONG = 0.4
#: The memory of a copy: a share of the machine's memory, and at least this many bytes.
MEMORY_SHARE, LEAST_MEMORY = 0.25, 2**31
#: Option of prctl on Linux: a process is sent a signal when its parent has ended.
PR_SET_PDEATHSIG = 1
#: Locks that a copy must not find held by a thread that it does not have.
LOCKS: list[Any] = []
_T = TypeVar("_T")


class Lost(Exception):
    """Work that ended without a result: no time, no memory, a lost process, or an internal error.

    Attributes:
        found: the partial result at that time, or None.
        how: the reason in words.
    """

    def __init__(self, found: Any, how: str) -> None:
        super().__init__(how)
        self.found, self.how = found, how


class _Elsewhere(BaseException):
    """Signals that a copy has done the work.

    It is no Exception, so that no code on the way takes it for one of the user's function.
    """


class _Work:
    """Work that is being done in this thread.

    Attributes:
        at: the time at which it ends.
        may_leave: whether a copy may do it.
        to: the connection to which a copy sends results; None where the work is done here.
        known: returns the partial result.
        answer: the final message of the copy.
    """

    def __init__(self, at: float, *, may_leave: bool) -> None:
        self.at = at
        self.may_leave = (
            may_leave and hasattr(os, "fork") and sys.platform != "darwin" and at < float("inf")
        )
        self.to: Any = None
        self.known: Callable[[], Any] = lambda: None
        self.answer: tuple[str, Any] = ("", None)


_works: dict[int, _Work] = {}
#: If this module is loaded, numba has run a parallel loop on GNU OpenMP, which ends a copy that
#: runs another one.
_OPENMP = "numba.np.ufunc.omppool"


def run_until(work: Callable[[], _T], at: float, *, may_leave: bool = True) -> _T:
    """Runs work, forked if needed, and returns its result by a deadline.

    Args:
        work: a function without arguments.
        at: the deadline, a time of time.monotonic().
        may_leave: whether it may be done in a copy of this process.

    Raises:
        Lost: it was not done in time, or ended in an unexpected error; holds the partial result.
        BaseException: raised by the work for the user: bad input, an interruption.
    """
    thread = threading.get_ident()
    outer, here = _works.get(thread), _Work(at, may_leave=may_leave)
    _works[thread] = here
    try:
        with until(at), interrupted():
            answer: tuple[str, Any]
            try:
                answer = "found", work()
            except _Elsewhere:
                answer = here.answer
            except (TimeIsUp, Exception) as error:
                is_meant = isinstance(error, EqvproofError) or _is_developed()
                if is_meant:
                    answer = ("raised", error)
                else:
                    answer = ("lost", (_partial_result(here), loss_reason(error)))
            except BaseException as error:
                answer = "raised", error
            if here.to is not None:
                _finish(here, *answer)
        taken: _T = _result_of_copy(*answer)
        return taken
    finally:
        if outer is None:
            del _works[thread]
        else:
            _works[thread] = outer


def loss_reason(error: BaseException) -> str:
    """Returns the reason for the end of work in words, from an unexpected exception."""
    if isinstance(error, TimeIsUp):
        return "the time ran out"
    if isinstance(error, MemoryError):
        return "there is not enough memory"
    frames = traceback.extract_tb(error.__traceback__)
    if frames:
        place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})"
    else:
        place = ""
    return f"an error in eqvproof itself, worth a report: {error_text(error).splitlines()[0][:200]}{place}"


def run_or_substitute(work: Callable[[], _T], instead: Callable[[str], _T]) -> _T:
    """Runs a part of some work, and returns a substitute if it ends in an unexpected exception.

    Args:
        work: a function without arguments.
        instead: returns the substitute, given the reason in words.

    Raises:
        EqvproofError: bad input.
    """
    try:
        return work()
    except EqvproofError:
        raise
    except Exception as error:
        if _is_developed():
            raise
        return instead(loss_reason(error))


def _is_developed() -> bool:
    """Checks whether a developer of this package wants tracebacks of internal errors."""
    return bool(os.environ.get("EQVPROOF_TRACEBACK"))


def _partial_result(here: _Work) -> Any:
    """Returns the partial result of work that has ended, if there is time to compute it."""
    try:
        with overtime():
            return here.known()
    except (TimeIsUp, Exception):
        return None


def keep_partial_result(make: Callable[[], Any]) -> None:
    """Records how to compute the partial result, in case the work is ended before it is done.

    A copy also sends the current one.
    """
    here = _works.get(threading.get_ident())
    if here is None:
        return
    here.known = make
    if here.to is not None:
        with suppress(Exception):
            here.to.send(("so far", make()))


def continue_in_copy_if_slow(entries: int) -> None:
    """Calls `continue_in_copy` before a call on an array of this size that is expected to last."""
    if expected(entries) > LONG:
        continue_in_copy()


def continue_in_copy() -> None:
    """Continues in a forked copy if possible, as the next call may not return."""
    here = _works.get(threading.get_ident())
    if here is None or here.to is not None or not here.may_leave or _OPENMP in sys.modules:
        return
    from multiprocessing.connection import Pipe

    with overtime(float("inf")):
        for stream in (sys.stdout, sys.stderr):
            with suppress(Exception):
                stream.flush()
        ours, theirs = Pipe(duplex=False)
        try:
            child = _copy(here.at)
        except OSError:  # no process is to be had
            ours.close()
            theirs.close()
            here.may_leave = False
            return
        if child == 0:
            ours.close()
            here.to = theirs
            _settle(here.at)
            return
        theirs.close()
        here.answer = _wait(ours, child, here.at + GRACE)
    raise _Elsewhere


def _copy(at: float) -> int:
    """Forks the process while no other thread holds one of our locks.

    Returns the process number of the copy, or 0 in the copy.

    Raises:
        TimeIsUp: a lock does not become free in time.
        OSError: no process can be created.
    """
    with ExitStack() as held, warnings.catch_warnings():
        # of libraries that have threads: the copy leaves these alone
        warnings.simplefilter("ignore")
        state = random.getstate()
        for lock in LOCKS:
            if not lock.acquire(timeout=max(0.0, at - time.monotonic())):
                raise TimeIsUp
            held.callback(lock.release)
        child = _forked()
        random.setstate(state)  # which Python changes in a copy
        return child


def _forked() -> int:
    """Calls os.fork, with interruptions held back until its hooks have run.

    They would be lost in these hooks.
    """
    theirs: Any = signal.getsignal(signal.SIGINT)
    if not callable(theirs) or threading.current_thread() is not threading.main_thread():
        return os.fork()
    heard: list[Any] = []
    signal.signal(signal.SIGINT, lambda *what: heard.append(what))
    try:
        child = os.fork()
    finally:
        signal.signal(signal.SIGINT, theirs)
    if heard and child:
        try:
            theirs(*heard[0])
        except BaseException:
            _end(child)
            raise
    return child


def end_with_parent() -> None:
    """Makes the system end this process when its parent has ended, where that is supported."""
    if sys.platform == "linux":
        with suppress(Exception):
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def ending(status: int) -> str:
    """Returns how a process has ended, in words."""
    if status < 0:
        return f"by signal {-status}"
    return f"with status {status}"


def _settle(at: float) -> None:
    """Sets up a copy: a process group, timers, and no use of threads that it does not have."""
    gc.freeze()  # a pass over all that was there would copy it
    with suppress(OSError):
        os.setpgid(0, 0)
    faulthandler.disable()  # how a copy ends is said by whoever waits for it
    end_with_parent()
    _limit_memory()
    signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
    # should nobody be left to end it, elsewhere
    signal.signal(signal.SIGVTALRM, signal.SIG_DFL)
    left = max(0.0, at - time.monotonic()) + GRACE + 1
    signal.setitimer(signal.ITIMER_VIRTUAL, left * (os.cpu_count() or 1))
    torch: Any = sys.modules.get("torch")
    if torch is not None:
        with suppress(Exception):
            torch.set_num_threads(1)


def _limit_memory() -> None:
    """Limits the memory of a copy; beyond the limit it gets a MemoryError.

    The limit is the memory it has now plus a share of the machine's memory.
    """
    with suppress(Exception):
        import resource

        page = os.sysconf("SC_PAGE_SIZE")
        with open("/proc/self/statm") as file:
            held = int(file.read().split()[0]) * page
        most = held + max(LEAST_MEMORY, int(MEMORY_SHARE * os.sysconf("SC_PHYS_PAGES") * page))
        for limit in resource.getrlimit(resource.RLIMIT_AS):
            if limit != resource.RLIM_INFINITY:
                most = min(most, limit)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _finish(here: _Work, kind: str, value: Any) -> NoReturn:
    """Sends the result of a copy, and ends the copy."""
    signal.setitimer(signal.ITIMER_REAL, 0)
    try:
        for stream in (sys.stdout, sys.stderr):  # first: once it has answered, the copy is ended
            with suppress(Exception):
                stream.flush()
        for answer in (
            (kind, value),
            (kind, _sendable_error(value)),
            ("lost", (None, "its answer cannot be sent")),
        ):
            with suppress(Exception):
                here.to.send(answer)
                break
    finally:
        os._exit(0)


def _sendable_error(value: Any) -> Any:
    """Returns an error without parts that cannot be sent."""
    if isinstance(value, EqvproofError):
        return value.with_place("")
    if isinstance(value, BaseException):
        return RuntimeError(error_text(value))
    return value


def _wait(ours: Any, child: int, end: float) -> tuple[str, Any]:
    """Waits for a copy; returns its result, or its partial result and how it ended.

    The copy is gone then.
    """
    found = None
    try:
        while (left := end - time.monotonic()) > 0:
            if ours.poll(min(left, TICK)):
                kind, value = ours.recv()
                if kind == "lost" and value[0] is None:
                    return kind, (found, value[1])
                if kind != "so far":
                    return kind, value
                found = value
            elif (status := _status(child)) is not None and not ours.poll(0):
                return "lost", (found, status)
        return "lost", (
            found,
            "the target did not come back from a call, and its process was ended",
        )
    except EOFError:
        time.sleep(0.05)  # it closed the pipe, or is about to be gone
        return "lost", (found, _status(child) or "the target's process ended")
    except Exception as error:
        return "lost", (found, f"the answer of its process cannot be read: {error_text(error)}")
    finally:
        _end(child)
        ours.close()


def _status(child: int) -> str | None:
    """Returns how a copy has ended, in words; None where it is still running."""
    try:
        number, status = os.waitpid(child, os.WNOHANG)
    except ChildProcessError:  # somebody else has asked
        return "the target's process ended"
    if not number:
        return None
    return f"the target's process ended {ending(os.waitstatus_to_exitcode(status))}"


def _end(child: int) -> None:
    """Ends a copy and its children."""
    for end in (os.killpg, os.kill):
        with suppress(OSError):
            end(child, signal.SIGKILL)
    with suppress(OSError):
        os.waitpid(child, 0)


def _result_of_copy(kind: str, value: Any) -> Any:
    """Returns or raises the result of a copy as that of the work."""
    if kind == "raised":
        raise value
    if kind == "lost":
        raise Lost(*value)
    return value
