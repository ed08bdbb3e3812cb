"""The record of a call: code objects, executed instructions, and exceptions that passed.

The same function must run the same instructions on traced arrays and on real ones: a branch that
distinguishes them, in whatever way, shows in this record.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from types import CodeType, FrameType, SimpleNamespace

from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays.object_state import refuse_stand_ins
from eqvproof.tracing.numpy.library_code import ASKS, STARTS, LibraryCode, is_a_key
from eqvproof.tracing.observing import pure
from eqvproof.tracing.observing.code import (
    DECIDED_BY_TYPES,
    attribute_stores,
    handlers_at,
    only_branches,
)
from eqvproof.tracing.observing.frames import (
    IMPORTING,
    is_array_library_file,
    is_imported_by_engine,
    is_library_file,
    is_other_library_file,
    is_standard,
    is_stray,
    is_told_by_a_library,
    owner_of_frame,
    owner_of_module,
    place_text,
)
from eqvproof.tracing.observing.monitoring import unwatch, watch

texts = LaterModule("eqvproof.tracing.observing.texts")
#: The code of `threading.RLock`, which NumPy's random generators call for locks of their own.
_LOCK = getattr(vars(threading)["RLock"], "__code__", None)
#: The module of layers, which register what they hold.
_LAYERS = "torch.nn.modules.module"
#: The instructions that ran on one path through a target.
Way = frozenset[tuple[CodeType, int]]
_QUESTIONS = frozenset("isinstance issubclass hasattr getattr vars dir __dict__".split())
#: More than the number of questions on any path.
KEPT = 1_000_000
_PASSING = (StopIteration, GeneratorExit, StopAsyncIteration)


@dataclass(frozen=True, slots=True)
class TracedPath:
    """Records what ran on one path through a target.

    Attributes:
        steps: the instructions.
        answers: the questions for truth values of traced numbers, with the answers that make it.
        last_asked: see `Recorder`.
    """

    steps: Way
    answers: tuple[tuple[int, bool], ...] = field(default=(), compare=False)
    last_asked: int = field(default=-1, compare=False)


class Recorder:
    """Records one call; use it as a context manager.

    Args:
        known: code objects that the target reaches by names.

    Attributes:
        codes: the user's code objects that ran.
        steps: (code object, offset) of the instructions that ran, in the user's code and in that of
            installed packages: a question that tells a traced array from a real one shows in what
            runs next. (code object, `STARTS`) for each function of a package, and (code object,
            `ASKS`) for those that ask for a class.
        ways: the steps of each path through the target, where branches on values are followed.
        raised: places of the user's code where an exception passed, and its class.
        failed: the instructions that found no such attribute or module.
        answers: the questions of the path that have been answered so far, in their order.
        last_asked: how many of them were answered when code of a package last asked what a traced
            value is; -1 if none asked, `KEPT` if it may have kept what it was told.
        foreign: (reason, place) of library code that may be impure or swallow exceptions.
    """

    def __init__(self, known: Collection[CodeType] = ()) -> None:
        self._known = known
        self.codes: set[CodeType] = set()
        self.steps: set[tuple[CodeType, int]] = set()
        self.ways: list[Way] = []
        self.raised: list[tuple[str, type[BaseException]]] = []
        self.failed: set[tuple[CodeType, int]] = set()
        self.answers: Sequence[tuple[int, bool]] = ()
        self.last_asked = -1
        self._raised_before = 0
        self.foreign: list[tuple[str, str]] = []
        self._files: set[str] = set()
        self._library_code = LibraryCode()
        self._before: object = None

    def __enter__(self) -> Recorder:
        self._before = watch(self)
        return self

    def __exit__(self, *exc: object) -> None:
        unwatch(self._before)
        for name in self._library_code.changed():
            self.foreign.append((f"a call changes {name} of a library", ""))
        self.steps = self.steps.union(*self.ways)

    def end_way(self, *, raises: bool) -> None:
        """Ends the record of one path; an exception that ends it does not count as swallowed."""
        self.ways.append(frozenset(self.steps))
        self.steps = set()
        if raises:
            del self.raised[self._raised_before :]
        self._raised_before = len(self.raised)

    def add(self, other: Recorder) -> None:
        """Adds the record of another call."""
        self.codes |= other.codes
        self.steps |= other.steps
        self.raised += other.raised
        self.failed |= other.failed
        self.foreign += [f for f in other.foreign if f not in self.foreign]

    def complaints(self, *, one_way: bool = False) -> Iterator[tuple[str, str]]:
        """Yields (reason, place) for what a target may not do.

        With `one_way`, the target runs the same instructions at all sizes and inputs, and whether a
        call on real arrays runs them is compared: then it may catch what types decide.
        """
        yield from self.foreign
        for place, kind in self.raised:
            if not (one_way and issubclass(kind, DECIDED_BY_TYPES)):
                yield "an exception is swallowed", place

    def on_call(self, frame: FrameType) -> Sequence[FrameType]:
        """Handles the start of a function; returns the frames whose instructions to record."""
        if is_imported_by_engine(frame):
            return ()
        code, caller = frame.f_code, frame.f_back
        home = "" if caller is None else caller.f_code.co_filename
        by_user, by_package = home in self._files, is_other_library_file(home)
        if not (by_user or by_package) and is_array_library_file(code.co_filename):
            return ()  # most of what runs
        if self._library_code.is_followed(frame):
            if is_told_by_a_library(frame, self._known):
                return ()
            refuse_stand_ins(frame)
            self.steps.add((code, STARTS))
            if self._library_code.examine(frame):
                self.steps.add((code, ASKS))
            if reason := self._library_code.complaint(code):
                self._complain(f"{code.co_qualname} of a library {reason}", frame)
            return (frame,)
        module = str(frame.f_globals.get("__name__", ""))
        if by_package and caller and (caller.f_code, STARTS) in self.steps and is_standard(module):
            if not (pure.may_enter(module) or pure.known_to_libraries(module)):
                self._complain(
                    f"{module}.{code.co_name} runs in a library: it may read the world", frame
                )
        if not by_user and is_library_file(code.co_filename):
            return ()
        owner = owner_of_frame(frame)
        if owner == "user":
            refuse_stand_ins(frame)
            if _is_aside(frame) or (code not in self.codes and is_stray(frame, self._known)):
                return ()
            self.codes.add(code)
            self._files.add(code.co_filename)
            if code.co_name in ("__exit__", "__aexit__"):
                self._complain("a context manager of its own may swallow exceptions", frame)
            return (frame,)
        if owner in ("stdlib", "arrays") and caller is not None and caller.f_code in self.codes:
            if module == "warnings" and frame.f_locals.get("record"):
                self._complain("warnings are recorded, whose filters may change", frame)
            if code.co_name.lstrip("_").startswith("register") and module != _LAYERS:
                self._complain(f"{module}.{code.co_name} changes what later calls look up", frame)
            is_plain = pure.may_enter(module) or code is _LOCK or _is_aside(frame)
            is_plain = is_plain or (
                module.endswith(".arrayprint") and texts.may_make_text(caller, of_libraries=False)
            )
            if owner_of_module(module) != "user" and not is_plain:
                self._complain(
                    f"{module}.{code.co_name} runs, not known to be pure: it may read the world"
                    f" outside",
                    frame,
                )
        return ()

    def on_step(self, frame: FrameType, offset: int) -> None:
        """Records an instruction of the user's code that is about to run."""
        code = frame.f_code
        if code not in self.codes:
            if (code, STARTS) in self.steps:
                self.steps.add((code, offset))
                if offset in handlers_at(code) or self._library_code.may_ask_anywhere(code):
                    self.last_asked = KEPT
                elif self._library_code.asks(frame, offset):
                    self.note_asked(code, offset)
                reason = self._library_code.complaint(code, offset)
                if reason and not is_a_key(frame, offset):
                    self._complain(f"{code.co_qualname} of a library {reason}", frame)
            return
        self.steps.add((code, offset))
        stored = attribute_stores(code).get(offset)
        if stored is not None and not _is_own_object(frame.f_locals.get(stored[0])):
            self._complain(f"the attribute {stored[1]} of an object of a library is set", frame)

    def on_raise(self, frame: FrameType, kind: type[BaseException]) -> None:
        """Records an exception that arises in, or passes through, the user's code."""
        if frame.f_code in self.codes and not issubclass(kind, _PASSING):
            self.raised.append((place_text(frame.f_code.co_filename, frame.f_lineno), kind))
            if issubclass(kind, (AttributeError, ImportError)):
                self.failed.add((frame.f_code, frame.f_lasti))

    def note_asked(self, code: CodeType, offset: int) -> None:
        """Records that an instruction of a package asks now what a traced value is.

        What only decides a branch is not known later on.
        """
        decided = len(self.answers) if only_branches(code, offset) else KEPT
        self.last_asked = max(self.last_asked, decided)

    def path(self) -> TracedPath:
        """Returns what ran, as one path through the target."""
        return TracedPath(frozenset(self.steps), tuple(self.answers), self.last_asked)

    def _complain(self, reason: str, frame: FrameType) -> None:
        caller: FrameType | None = frame
        while caller is not None and owner_of_frame(caller) != "user":
            caller = caller.f_back
        if caller is not None:
            place = place_text(caller.f_code.co_filename, caller.f_lineno)
        else:
            place = ""
        if (reason, place) not in self.foreign:
            self.foreign.append((reason, place))


def _is_aside(frame: FrameType) -> bool:
    """Checks whether code runs for an import, or to compute an uninterpreted function.

    What may be imported is checked at the import; such a computation is no part of the target.
    """
    caller: FrameType | None = frame
    while caller is not None:
        filename = caller.f_code.co_filename
        if filename.startswith(IMPORTING):
            return True
        if owner_of_frame(caller) == "engine":
            return caller.f_code.co_name == "concrete" and filename.endswith("opaque.py")
        caller = caller.f_back
    return False


def _is_own_object(value: object) -> bool:
    """Checks whether an object's class is the user's, so that its state is fingerprinted."""
    cls = type(value)
    return not issubclass(cls, type) and (
        cls is SimpleNamespace
        or owner_of_module(cls.__module__) == "user"
        or pure.is_holder(cls.__module__)
    )


def asks_what_values_are(way: Way, *, of_framework: bool = False) -> bool:
    """Checks whether code of an installed package on a path may tell traced values from real ones.

    It may if it asks for a class by `type`, or handles an exception. Traced arrays of NumPy's
    functions answer other questions like real ones; those of a framework do not.
    """
    packages = {code for code, offset in way if offset == STARTS}
    return any(
        offset == ASKS or (code in packages and offset in handlers_at(code)) for code, offset in way
    ) or (of_framework and any(_QUESTIONS & {*code.co_names} for code in packages))


def paths_of_framework(ways: Collection[Way]) -> list[TracedPath]:
    """Returns paths whose branches are not known, and which may ask anywhere if they ask at all."""
    asks = (asks_what_values_are(way, of_framework=True) for way in ways)
    return [TracedPath(w, (), KEPT if asked else -1) for w, asked in zip(ways, asks, strict=True)]


def require_all_taken(paths: Collection[TracedPath], ran: Collection[Way]) -> None:
    """Refuses a path that no call takes, if code of a package on it may tell traced values.

    Until two paths part, they are the same run: a question that decides a branch before then has
    the same answer on the path that is compared.

    Args:
        paths: what ran when the target was traced, on each path.
        ran: what ran in its calls.

    Raises:
        TraceError: there is such a path.
    """
    taken = [path for path in paths if path.steps in ran]
    for path in paths:
        compared = max((_answers_in_common(path, other) for other in taken), default=-1)
        if path.steps not in ran and path.last_asked > compared:
            raise TraceError(
                "a library asks for the class of a value on a way through the function that no"
                " replay takes",
                hint="leave the test out",
                code=ErrorCode.TRACE_BRANCH,
            )


def _answers_in_common(path: TracedPath, other: TracedPath) -> int:
    """Counts the questions that two paths ask, and answer alike, before they part."""
    pairs = zip(path.answers, other.answers, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def require_same(
    ways: Collection[Way], called: Recorder, where: str, *, whole: bool = True,
    by_entries: Collection[CodeType] = (),
) -> Way:  # fmt: skip
    """Refuses a target that takes another path through its code when it is called.

    Returns the path that it takes.

    Args:
        ways: what ran when the target was traced, on each path.
        called: what ran when it was called.
        where: the sizes of the call, in words.
        whole: whether all that was traced must run; else cached compiled code may not run.
        by_entries: code that runs for each entry of an array, each on a way of its own (by
            np.vectorize): of what was traced of it, some need not run.

    Raises:
        TraceError: naming the first line that only one of the two ran.
    """
    wanted = ({s for s in way if s in called.steps or s[0] not in by_entries} for way in ways)
    nearest = min((way ^ called.steps for way in wanted), key=len)
    different = nearest if whole else called.steps.difference(*ways)
    if not different:
        return frozenset(called.steps)
    code, offset = min(different, key=lambda s: (s[0].co_filename, s[0].co_firstlineno, s[1]))
    line = next(
        (n for start, end, n in code.co_lines() if start <= offset < end and n), code.co_firstlineno
    )
    raise TraceError(
        f"the target takes another way through its code when it is called (at {where}) than when"
        f" it is traced"
        f" (at {place_text(code.co_filename, line)})",
        expected="one path for all sizes and inputs",
        hint="a branch may depend on nothing but what the trace can see",
        code=ErrorCode.TRACE_BRANCH,
    )
