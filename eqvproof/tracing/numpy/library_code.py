"""Examination of installed libraries' code, which must be a function of its arguments.

A package that requires a library of arrays is traced as it is, and its code is not examined as the
user's is. It is trusted, except for violations that show at once: that it names the clock, random
numbers, files or other processes, that it sets variables of modules or attributes of classes, that
a call changes the contents of its modules, classes and defaults, and that it runs other
instructions on traced arrays than on real ones. A function without parameters can only set values
that depend on no argument: so it may, if later calls do not change them again. Code that runs for a
function that is read as its definition is not examined: the two are compared. Settings that are
read from the environment are treated like its modules' variables: part of the function, as long as
nobody sets them, and code of a library that names the environment otherwise is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any

from eqvproof.tracing.arrays.functions import HANDLED_LIBRARIES, functions_with_definitions
from eqvproof.tracing.arrays.holder_content import CACHE
from eqvproof.tracing.arrays.object_state import Contents, Place
from eqvproof.tracing.observing.code import (
    ClassQuestions,
    arguments_at,
    class_questions,
)
from eqvproof.tracing.observing.frames import (
    LIBRARIES,
    is_other_library_file,
    owner_of_module,
    required_by,
    root_of,
)
from eqvproof.tracing.observing.monitoring import unwatch, watch, watching

#: In place of an instruction: the code starts; the code asks for a class.
STARTS, ASKS = -1, -2
_UNKNOWN = object()
#: Packages some of whose functions are read as their definitions.
_DEFINED = frozenset(home.partition(".")[0] for home in HANDLED_LIBRARIES)


class LibraryCode:
    """Examines the code objects of libraries that run in one call, each at its first start.

    Args:
        caches: whether caches of functions count as state.

    Attributes:
        held: what names, classes and functions of the libraries held before the call.
    """

    def __init__(self, *, caches: bool = False) -> None:
        self._examined: dict[CodeType, Mapping[int, str]] = {}
        self._asks: dict[CodeType, ClassQuestions] = {}
        self._anywhere: set[CodeType] = set()
        self.held = Contents()
        self._caches = caches
        self._defined: dict[CodeType | None, list[object]] | None = None

    def is_followed(self, frame: FrameType) -> bool:
        """Checks whether a frame runs library code that must run alike on traced and real arrays.

        Packages that a library of arrays requires and calls itself do not count.
        """
        name = frame.f_code.co_filename
        return (
            is_other_library_file(name)
            and not _is_required(frame)
            and not self._in_a_definition(frame)
        )

    def _in_a_definition(self, frame: FrameType) -> bool:
        """Checks whether the code runs for a function that is read as its definition."""
        if root_of(frame.f_code.co_filename) not in _DEFINED:
            return False
        if self._defined is None:
            self._defined = {}
            for function in functions_with_definitions():
                self._defined.setdefault(getattr(function, "__code__", None), []).append(function)
        caller: FrameType | None = frame
        while caller is not None:
            if any(_runs(caller, f) for f in self._defined.get(caller.f_code, ())):
                return True
            caller = caller.f_back
        return False

    def examine(self, frame: FrameType) -> bool:
        """Examines the state of library code beside its arguments at its first start.

        Returns whether the code asks for a class.
        """
        code = frame.f_code
        if code not in self._examined:
            from eqvproof.tracing.numpy.library_complaints import complaints
            from eqvproof.tracing.numpy.library_state import held_by

            for name, value in held_by(frame, self._examined):
                self.hold(value, name)
            found = complaints(code, frame.f_globals)
            self._examined[code] = {STARTS if k is None else k: reason for k, reason in found}
            self._asks[code] = class_questions(code, _names_of_type(frame.f_globals))
        questions = self._asks[code]
        if questions.anywhere or _holds_type(frame):
            self._anywhere.add(code)
        return bool(questions.at) or code in self._anywhere

    def may_ask_anywhere(self, code: CodeType) -> bool:
        """Checks whether examined code may ask for classes by a function that it holds."""
        return code in self._anywhere

    def asks(self, frame: FrameType, offset: int) -> bool:
        """Checks whether an instruction of examined code asks for the class of a traced value.

        Of an object that is no part of a trace, the class is the same in every call.
        """
        name = self._asks[frame.f_code].at.get(offset)
        if name is None:
            return False
        value = frame.f_locals.get(name, _UNKNOWN)
        return value is _UNKNOWN or owner_of_module(type(value).__module__) == "engine"

    def hold(self, root: object, path: str) -> None:
        """Records what is reached from a value of a library's."""
        from eqvproof.tracing.numpy.library_state import reached

        for holder in reached(root, caches=self._caches):
            self.held.record(holder, path)

    def complaint(self, code: CodeType, offset: int = STARTS) -> str:
        """Says why code is no function of its arguments, at its start or an instruction, or ""."""
        return self._examined.get(code, {}).get(offset, "")

    def changed(self) -> list[str]:
        """Returns the names of library state that the call has changed."""
        return sorted({place.path for place in self.held.changes()})


@contextmanager
def packages_kept(
    roots: Iterable[tuple[object, str]], refusal: Callable[[str], Exception]
) -> Iterator[list[Place]]:
    """Restores the state of packages that a call changes in a block, and lists the changes.

    Args:
        roots: objects, functions and classes of packages that the user holds, with their names.
        refusal: the error for a change that cannot be undone, by its place.

    Returns:
        The places that were changed, filled in at the end.
    """
    code, changed = LibraryCode(caches=True), list[Place]()
    for root, path in roots:
        code.hold(root, path)
    with watching(()):
        before = watch(_Starts(code))
        try:
            yield changed
        finally:
            unwatch(before)
            changed += code.held.changes()
            code.held.put_back()
    for place in code.held.changes():
        if not isinstance(place.holder, CACHE):  # which is empty now
            raise refusal(place.path)


class _Starts:
    """Examines code of packages when it starts, and records nothing else."""

    def __init__(self, code: LibraryCode) -> None:
        self._code = code

    def on_call(self, frame: FrameType) -> tuple[FrameType, ...]:
        if self._code.is_followed(frame):
            self._code.examine(frame)
        return ()

    def on_step(self, frame: FrameType, offset: int) -> None:
        """Does nothing: instructions are not recorded."""

    def on_raise(self, frame: FrameType, kind: type[BaseException]) -> None:
        """Does nothing: exceptions are not recorded."""


def is_a_key(frame: FrameType, offset: int) -> bool:
    """Checks whether code takes the id of an object only as a key of a dictionary or set.

    Then the id only says which object it is.
    """
    from eqvproof.tracing.observing.code_of_packages import keyed

    arguments = arguments_at(frame.f_code)
    name = keyed(frame.f_code, offset) if arguments.get(offset) == "id" else ""
    return bool(name) and type(frame.f_locals.get(name)) in (dict, set)


def _names_of_type(scope: Mapping[str, object]) -> frozenset[str]:
    """Returns the global names of the class `type`, which tells traced arrays from real ones.

    isinstance does not tell them apart.
    """
    return frozenset({"type", *(name for name, value in scope.items() if value is type)})


def _holds_type(frame: FrameType) -> bool:
    """Checks whether a local variable is the class `type`."""
    return any(value is type for value in frame.f_locals.values())


def _is_required(frame: FrameType) -> bool:
    """Checks whether the package is called by a library of arrays that requires it."""
    root, caller = root_of(frame.f_code.co_filename), frame.f_back
    while caller is not None and root_of(caller.f_code.co_filename) == root:
        caller = caller.f_back
    home = "" if caller is None else root_of(caller.f_code.co_filename)
    return home in LIBRARIES and root in required_by(home)


def _runs(frame: FrameType, function: Any) -> bool:
    """Checks whether a frame that runs the code of a function is a call of it.

    Wrappers share the code, and differ in the closure.
    """
    held = zip(frame.f_code.co_freevars, function.__closure__ or (), strict=True)
    return all(frame.f_locals.get(name) is cell.cell_contents for name, cell in held)
