"""While a target runs on traced arrays: what it gets when it names a function of NumPy, math or SciPy.

NumPy hands a call to us only where an argument is traced. ``np.eye(n)``, ``np.sqrt(3)``, ``math.sqrt(d)`` and
``np.pi`` need more: during a trace the modules look attributes up through `TracingModule`, which gives the
user's code (and no other code, and no other thread) functions that trace. Names that the user's module,
closure or objects hold directly (``from math import sqrt``) are exchanged for the time of the trace,
and put back. Python's own len, sum, max, min and sorted are exchanged too (see `builtin_calls`).
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import BuiltinFunctionType, CellType, FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from eqvproof.errors import TraceError
from eqvproof.frontends import functions
from eqvproof.frontends.builtin_calls import BUILTINS, ORIGINAL
from eqvproof.frontends.calls import apply_function, apply_ufunc, name_of
from eqvproof.frontends.code import arguments_at
from eqvproof.frontends.context import TraceContext, alone, current_context, set_context
from eqvproof.frontends.frames import owner_of_frame
from eqvproof.frontends.tables import as_table, is_table
from eqvproof.frontends.values import NAMED, mentions_trace, named_constant

MODULES = (
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "math",
    "scipy.special",
    "scipy.linalg",
    "scipy.spatial.distance",
)
#: Attributes that are random, read the world, or set hidden state.
FORBIDDEN: dict[str, frozenset[str]] = {
    "numpy": frozenset(
        "random load loads save savez savez_compressed savetxt loadtxt genfromtxt fromfile fromregex memmap "
        "seterr geterr seterrcall geterrcall setbufsize getbufsize set_printoptions get_printoptions "
        "printoptions datetime64 timedelta64 datetime_as_string busday_count ctypeslib show_config "
        "show_runtime test shares_memory may_share_memory byte_bounds frompyfunc nditer nested_iters testing "
        "f2py".split()
    ),
}  # fmt: skip


class TracedFunction:
    """A function of NumPy, math or SciPy as traced code sees it."""

    __slots__ = ("_function",)

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The function, traced where it has to be."""
        context, function = current_context(), self._function
        if context is None or not context.active:
            return function(*args, **kwargs)
        symbolic = mentions_trace(args) or mentions_trace(kwargs)
        if not symbolic and function not in functions.EXACT:
            return function(*args, **kwargs)
        if symbolic:
            return _apply(context, function, args, kwargs)
        before = len(context.refusals)
        try:
            return _apply(context, function, args, kwargs)
        except TraceError:
            del context.refusals[before:]
            return function(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """The class of the function that it stands for."""
        return type(self._function)

    def __eq__(self, other: object) -> bool:
        return bool(self._function == (other._function if type(other) is TracedFunction else other))

    def __hash__(self) -> int:
        return hash(self._function)


def _apply(context: TraceContext, function: Any, args: Any, kwargs: dict[str, Any]) -> Any:
    if isinstance(function, np.ufunc):
        count = function.nin
        if len(args) > count:
            kwargs = {**kwargs, "out": args[count:]}
        return apply_ufunc(context, function, "__call__", args[:count], dict(kwargs))
    return apply_function(context, function, args, kwargs)


_CALLABLES = (FunctionType, BuiltinFunctionType, np.ufunc, type(np.sum))
_wrapped: dict[Any, TracedFunction] = {}


def replacement(value: Any) -> Any:
    """What traced code gets in place of a function, or the function itself where it needs no other."""
    if type(value) not in _CALLABLES or not (value in functions.FUNCTIONS or value in functions.UFUNCS):
        return value
    return _wrapped.setdefault(value, TracedFunction(value))


def _names(frame: FrameType, name: str) -> bool:
    """Whether the frame itself asks for an attribute of this name, now.

    A compiled function has no frame: what it asks for seems to come from the code that called it. It wants
    arrays, and reads memory that a traced array does not have.
    """
    return bool(arguments_at(frame.f_code).get(frame.f_lasti) == name)


class TracingModule(ModuleType):
    """A module whose attributes are traced functions for the user's code while a trace runs."""

    def __getattribute__(self, name: str) -> Any:
        value = ModuleType.__getattribute__(self, name)
        context = current_context()
        if context is None or not context.active or name.startswith("__"):
            return value
        frame = sys._getframe(1)
        if owner_of_frame(frame) != "user" or not _names(frame, name):
            return value
        module: str = ModuleType.__getattribute__(self, "__name__")
        if name in FORBIDDEN.get(module, ()):
            context.refuse(
                f"{module}.{name} is random, reads the world outside, or sets hidden state",
                hint="pass random numbers and data to the function as arguments",
                code="trace.impure",
            )
        if type(value) is float:
            constant = named_constant(context, value)
            return value if constant is None else constant
        return replacement(value)


@dataclass(frozen=True, slots=True)
class Slot:
    """A place outside the array libraries that holds a function or constant directly.

    Attributes:
        owner: a dict, a list, a closure cell, or a function (its defaults).
        key: the key, the index, or the name of the attribute.
        value: what it holds.
    """

    owner: Any
    key: Any
    value: Any

    def put(self, value: Any) -> None:
        """Store a value there."""
        if isinstance(self.owner, CellType):
            self.owner.cell_contents = value
        elif isinstance(self.owner, FunctionType):
            old = getattr(self.owner, self.key)
            if type(old) is tuple:
                setattr(self.owner, self.key, tuple(value if v is self.value else v for v in old))
        elif isinstance(self.owner, type):
            setattr(self.owner, self.key, value)
        else:
            self.owner[self.key] = value


def needs_slot(value: Any) -> bool:
    """Whether a value that the user's code holds directly must be exchanged during a trace."""
    if type(value) is float:
        return any(value is c for c in NAMED)
    return is_table(value) or replacement(value) is not value


def _exchanged(context: TraceContext, slot: Slot) -> Any:
    """What takes the place of the value of a slot; the value itself where it stays."""
    value = slot.value
    if is_table(value):
        return as_table(value) if context.has_tables else value
    if type(value) is float:
        return named_constant(context, value) if type(slot.owner) in (dict, CellType) else value
    return replacement(value)


@contextmanager
def tracing(context: TraceContext, slots: list[Slot]) -> Iterator[None]:
    """Run a target on traced arrays: one trace at a time, everything put back at the end."""
    if current_context() is not None:
        raise TraceError("a target traces another function while it is traced itself")
    with alone():
        functions.load_scipy()
        modules = [sys.modules[name] for name in MODULES if name in sys.modules]
        restored: list[tuple[Slot, Any]] = []
        before = set_context(context)
        try:
            for module in modules:
                module.__class__ = TracingModule
            for name, stand_in in BUILTINS.items():
                setattr(builtins, name, stand_in)
            for slot in slots:
                new = _exchanged(context, slot)
                if new is slot.value:
                    continue
                old = getattr(slot.owner, slot.key) if isinstance(slot.owner, FunctionType) else slot.value
                restored.append((slot, old))
                slot.put(new)
            yield
        finally:
            for name, original in ORIGINAL.items():
                setattr(builtins, name, original)
            for slot, old in reversed(restored):
                if isinstance(slot.owner, FunctionType):
                    setattr(slot.owner, slot.key, old)
                else:
                    slot.put(old)
            for module in modules:
                module.__class__ = ModuleType
            set_context(before)
            context.active = False


__all__ = [
    "FORBIDDEN",
    "MODULES",
    "Slot",
    "TracedFunction",
    "TracingModule",
    "name_of",
    "needs_slot",
    "tracing",
]
