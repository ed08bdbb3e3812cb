"""The state of one trace: the Program under construction, the user's lines, and refusals.

A refusal is sticky: it is recorded before it is raised, so that a target that swallows the
exception and returns a result is refused as well.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from types import CodeType
from typing import Any, NoReturn

import numpy as np

from eqvproof.claims.size import settled_from
from eqvproof.programs import Builder, Size, new_builder
from eqvproof.support.deadline import require_time
from eqvproof.support.errors import TraceError
from eqvproof.support.forked_work import LOCKS
from eqvproof.tracing.arrays.paths import Path
from eqvproof.tracing.observing.frames import asking_package, place_text, user_frame, user_places

#: The type of integers when no more is known: as wide as possible, and overflow is refused.
UNKNOWN = (np.dtype(np.int64), False)
_lock = threading.RLock()
LOCKS.append(_lock)


@contextmanager
def alone() -> Iterator[None]:
    """Holds a lock so that one trace or call of a target runs at a time in a process.

    A trace replaces objects that the code refers to by name, which other threads would see.

    Raises:
        TimeIsUp: another thread's call lasts too long.
    """
    while not _lock.acquire(timeout=0.1):
        require_time()
    try:
        yield
    finally:
        _lock.release()


@dataclass(frozen=True, slots=True)
class Answers:
    """The implementations of array operations, which lie above this module; each trace holds them.

    Attributes:
        array: a traced array of a value.
        ufunc: a universal function of traced values; see
            `eqvproof.tracing.arrays.calls.apply_ufunc`.
        function: another function of traced values; see
            `eqvproof.tracing.arrays.calls.apply_function`.
    """

    array: Callable[[Any], Any]
    ufunc: Callable[..., Any]
    function: Callable[..., Any]


class TraceContext:
    """The state of one trace.

    Attributes:
        answers: the implementations of array operations.
        builder: the Program under construction.
        places: node -> (file, line) of the user's code that made it, and of its callers, innermost
            first.
        refusals: errors recorded so far; the first one is what the trace ends with.
        notes: remarks for the verdict.
        opaques: name -> the uninterpreted function of that name that was called.
        active: whether the target is still running.
        bits: the bits of the least precise floats that the target casts to.
        path: the path through the target that is traced, where branches on values are followed.
        codes_that_ran: gives the code objects that have run on this path so far.
        codes_by_entries: code that stands for one run for each entry of an array (by np.vectorize).
        end_way: is called when a framework has traced a path, with whether it raised.
        may_raise: whether NumPy, or a path of the target, raises for some values, where the Program
            is undefined.
        mixes_classes: whether the class of a number may depend on entries: a power of a negative float
            of Python is complex, and max(x, 0) gives the one or the other.
        note_asked: is called when an instruction of an installed package asks for the class of a
            traced number or size.
        has_tables: whether arrays that the user's code holds by name let traced arrays index them.
        integers: the type of the integers that the call makes, and whether it is certain.
        is_foreign: whether a framework traces, and NumPy's functions are watched only.
        has_lines: whether the user's code runs now; a reader of what it did knows its lines.
        gives_objects: whether operators were given traced numbers as objects in plain arrays.
        sure: flag nodes, which say which entries are numbers, that are known to be 1 everywhere.
    """

    def __init__(
        self, answers: Answers, builder: Builder | None = None, /, *, has_tables: bool = False,
        limited: bool = False, is_foreign: bool = False,
    ) -> None:  # fmt: skip
        self.answers = answers
        self.has_tables = has_tables
        self.is_foreign = is_foreign
        self.has_lines = builder is None
        if builder is None:
            self.builder = new_builder(limited=limited)
        else:
            self.builder = builder
        self.integers: tuple[Any, bool] = UNKNOWN
        self.places: dict[int, tuple[tuple[str, int], ...]] = {}
        self.refusals: list[TraceError] = []
        self.notes: list[str] = []
        self.opaques: dict[str, object] = {}
        self.active = True
        self.bits = 64
        self.path: Path | None = None
        self.may_raise = False
        self.mixes_classes = False
        self.note_asked: Callable[[CodeType, int], None] = lambda code, offset: None
        self.codes_that_ran: Callable[[], set[CodeType]] = set
        self.codes_by_entries: set[CodeType] = set()
        self.end_way: Callable[..., None] | None = None
        self.sure: set[int] = set()
        self.gives_objects = False
        self.thread = threading.get_ident()
        self._noted = 0

    @contextmanager
    def by_entries(self) -> Iterator[None]:
        """Notes that code which starts in the block may run for some entries, or for none."""
        before = self.codes_that_ran()
        yield
        self.codes_by_entries |= self.codes_that_ran() - before

    def call(self, function: Any, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Applies a NumPy function, universal or not, to traced values.

        Positional arguments of a universal function beyond its inputs are ``out=``.
        """
        if isinstance(function, np.ufunc):
            count = function.nin
            if len(args) > count:
                given = {**kwargs, "out": args[count:]}
            else:
                given = {**kwargs}
            return self.answers.ufunc(self, function, "__call__", args[:count], given)
        return self.answers.function(self, function, args, kwargs)

    def record(self, message: str, *, hint: str = "", code: str = "") -> TraceError:
        """Records a refusal and returns it without raising it."""
        frame = user_frame() if self.has_lines else None
        if frame is not None:
            place = place_text(frame.f_code.co_filename, frame.f_lineno)
        else:
            place = ""
        error = make_error(message, place, hint, code)
        if self.has_lines and not self.is_foreign:
            error.asked = asking_package()
        else:
            error.asked = None
        self.refusals.append(error)
        return error

    def refuse_for_some(
        self, message: str, names: Iterable[str], is_settled: Callable[[], bool], *,
        hint: str = "", code: str = "",
    ) -> NoReturn:  # fmt: skip
        """Raises a refusal that depends on the size; says from which size on it does not apply."""
        error = self.record(message, hint=hint, code=code)
        error.spans = settled_from(names, is_settled)
        raise error

    def refuse(self, message: str, *, hint: str = "", code: str = "") -> NoReturn:
        """Records a refusal and raises it."""
        raise self.record(message, hint=hint, code=code)

    @contextmanager
    def refused_first(self) -> Iterator[None]:
        """Runs a block, and raises the first recorded refusal when it ends."""
        try:
            yield
        finally:
            for error in self.refusals:
                raise error

    def note(self, text: str) -> None:
        """Adds a remark unless it is recorded already."""
        if text not in self.notes:
            self.notes.append(text)

    def mark_lines(self) -> None:
        """Assigns the user's current line to the nodes made since the last call."""
        require_time()
        count = len(self.builder.nodes)
        if count > self._noted and self.has_lines:
            found = user_places()
            if found:
                for node in range(self._noted, count):
                    self.places[node] = found
            self._noted = count

    def number(self, value: int | float | Fraction) -> int:
        """Returns the node of a number, taken exactly."""
        if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
            self.refuse(
                f"the constant {value} is not a real number",
                hint="use a finite number (-inf is traced in masks that end in exp or softmax)",
                code="trace.nonfinite",
            )
        return self.builder.const(value)

    def size(self, size: Size) -> int:
        """Returns the node of a size."""
        return self.builder.size(size)


def make_error(message: str, place: str, hint: str = "", code: str = "") -> TraceError:
    """Builds a TraceError whose message ends with the user's line."""
    text = f"{message} (at {place})" if place else message
    return TraceError(text, hint=hint, code=code or "trace")


class _Current(threading.local):
    context: TraceContext | None = None


_current = _Current()


def current_context() -> TraceContext | None:
    """Returns the trace that runs in this thread, or None."""
    return _current.context


@contextmanager
def untraced() -> Iterator[None]:
    """Runs a block on numbers while a trace waits: modules give it their own functions."""
    before = set_context(None)
    try:
        yield
    finally:
        set_context(before)


def set_context(context: TraceContext | None) -> TraceContext | None:
    """Makes a trace the current one and returns the previous one."""
    before, _current.context = _current.context, context
    return before
