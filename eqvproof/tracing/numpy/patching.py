"""Replacement of functions of NumPy, math and SciPy while a function is traced.

NumPy dispatches a call to traced arrays only if an argument is traced. ``np.eye(n)``,
``np.sqrt(3)``, ``math.sqrt(d)`` and ``np.pi`` need more: during a trace the modules look attributes
up through `TracingModule`, which gives the user's code (and no other code, and no other thread)
functions that trace. Names that the user's module, closure or objects hold directly (``from math
import sqrt``) are exchanged for the time of the trace, and put back. Python's own len, sum, max,
min, sorted, float and int are exchanged too (see `builtin_calls`).
"""

from __future__ import annotations

import builtins
import copyreg
import functools
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import BuiltinFunctionType, CellType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

import numpy as np

from eqvproof.support.errors import TraceError
from eqvproof.support.lazy import LaterModule
from eqvproof.tracing.arrays import functions
from eqvproof.tracing.arrays.context import TraceContext, alone, current_context, set_context
from eqvproof.tracing.arrays.lifting import (
    NAMED,
    as_table,
    is_table,
    mentions_trace,
    named_constant,
)
from eqvproof.tracing.arrays.paths import FAILED
from eqvproof.tracing.arrays.refusals import name_of, record_class_query
from eqvproof.tracing.arrays.values import is_certain_array, is_listed, is_traced
from eqvproof.tracing.numpy.builtin_calls import (
    BUILTINS,
    NUMBERS,
    ORIGINAL,
    STAND_INS_OF_CLASSES,
    Double,
)
from eqvproof.tracing.numpy.generators import MAKERS
from eqvproof.tracing.numpy.index_tricks import STAND_INS, replaced_vectorize
from eqvproof.tracing.observing import pure
from eqvproof.tracing.observing.code import arguments_at
from eqvproof.tracing.observing.frames import owner_of_frame

MODULES = (
    "numpy",
    "numpy.linalg",
    "numpy.fft",
    "numpy.random",
    "math",
    *functions.HANDLED_LIBRARIES,
)
#: The class of functions that cache their results.
CACHE = functools._lru_cache_wrapper


class TracedFunction(Double):
    """A function of NumPy, math or SciPy as traced code sees it."""

    __slots__ = ()

    def __call__(self, *args: object, **kwargs: object) -> object:
        """Calls the function, traced if needed."""
        context, function = current_context(), self._original
        if context is None or not context.active:
            return function(*args, **kwargs)
        if mentions_trace(args) or mentions_trace(kwargs):
            return context.call(function, args, kwargs)
        of_list = function in functions.OF_LISTS and any(map(_has_floats, args))
        is_exact = function in functions.EXACT or (function in _LIKE and _is_like_floats(args))
        if (of_list or is_exact) and not context.is_foreign:
            before = len(context.refusals)
            try:
                return context.call(function, args, kwargs)
            except TraceError:
                del context.refusals[before:]
        if function in _UNFILLED:
            context.refuse(f"{name_of(function)} gives what happened to stand in memory")
        result = function(*args, **kwargs)
        if not _are_numbers(result):
            context.refuse(
                f"{name_of(function)} makes texts or dates, which may read the clock",
                hint="pass numbers to the function as arguments", code="trace.impure",
            )  # fmt: skip
        return result


def _has_floats(value: object) -> bool:
    """Checks whether a value is a list of numbers, or of lists of them, with a float among them."""
    if not is_listed(value):
        return False
    return any(type(v) is float or _has_floats(v) for v in value)


def _is_like_floats(args: tuple[object, ...]) -> bool:
    """Checks whether the first argument is an array of floats."""
    return bool(args) and type(args[0]) is np.ndarray and args[0].dtype == np.float64


def _are_numbers(result: object) -> bool:
    """Checks whether results of NumPy, arrays or dtypes, are numeric; other values pass."""
    if isinstance(result, (list, tuple)):
        return all(_are_numbers(r) for r in result)
    plain = issubclass(type(result), (np.ndarray, np.generic))
    dtype = getattr(result, "dtype", None) if plain else result
    return not isinstance(dtype, np.dtype) or dtype.kind in "biufcO"


_CALLABLES = (FunctionType, BuiltinFunctionType, np.ufunc, type(np.sum))
#: The module of the class of SciPy's functions of which several libraries provide versions.
_DISPATCHED = "uarray"
_LIKE = (np.zeros_like, np.ones_like, np.empty_like, np.full_like)
_UNFILLED = (np.empty, np.empty_like)
_STAND_INS = (*STAND_INS, *MAKERS)
_wrapped: dict[object, object] = {}
_NEIGHBOURS = LaterModule("eqvproof.tracing.numpy.nearest_neighbours")
_TREES = ("scipy.spatial._kdtree", "scipy.spatial._ckdtree")


class _Asked(type):
    """A class of NumPy as traced code sees it, with the class's attributes and instances."""

    original: type

    def __instancecheck__(cls, value: object) -> bool:
        if is_traced(value) and not is_certain_array(value):
            record_class_query(value._eqvproof.context, "a number")
        return isinstance(value, cls.original)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(getattr(other, "original", other), cls.original)

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.original

    def __hash__(cls) -> int:
        return hash(cls.original)

    def __repr__(cls) -> str:
        return repr(cls.original)

    def __getattr__(cls, name: str) -> object:
        return getattr(cls.original, name)

    def __call__(cls, *args: object, **kwargs: object) -> object:
        """Makes an object; unwritten memory, and dtypes of texts and dates, are refused."""
        context, result = current_context(), cls.original(*args, **kwargs)
        if context is not None and (cls.original is np.ndarray or not _are_numbers(result)):
            context.refuse(
                f"np.{cls.__name__} makes what is not known to be numbers", code="trace.impure"
            )
        return result


def _asked(original: type) -> _Asked:
    """Makes the stand-in of a class, with its methods: abstract classes look for their names."""
    own = {
        n: v
        for n, v in vars(original).items()
        if n not in _OF_CLASSES and (callable(v) or v is None)
    }
    return _Asked(original.__name__, (), {**own, "original": original})


_OF_CLASSES = ("__new__", "__init_subclass__", "__class_getitem__", "__getattribute__", "__doc__")
_CLASSES: dict[object, _Asked] = {c: _asked(c) for c in (np.ndarray, np.dtype)}
STAND_INS_OF_CLASSES.update(_CLASSES)


def replacement(value: Any) -> Any:
    """Returns the replacement of a function in traced code; itself if it needs none."""
    if issubclass(type(value), type) and value in _CLASSES:  # a proxy may have lost its object
        return _CLASSES[value]
    for original, stand_in in _STAND_INS:
        if value is original:
            return stand_in
    if type(value) is np.vectorize:
        return replaced_vectorize(value)
    if issubclass(type(value), type) and value.__module__ in _TREES:
        return _wrapped.setdefault(value, _NEIGHBOURS.maker_of(value))
    if functions.is_distribution(value):
        return functions.replaced_distribution(value)
    if type(value) is MethodType and functions.is_distribution(value.__self__):
        return getattr(functions.replaced_distribution(value.__self__), value.__name__)
    kind = type(value)
    if kind not in _CALLABLES and kind.__module__ != _DISPATCHED:
        return value
    if not (value in functions.FUNCTIONS or value in functions.UFUNCS or pure.of_numpy(value)):
        return value
    return _wrapped.setdefault(value, TracedFunction(value))


def _names(frame: FrameType, name: str) -> bool:
    """Checks whether the frame's current instruction itself asks for an attribute of this name.

    A compiled function has no frame: its requests seem to come from the code that called it. It
    needs arrays, and reads memory that a traced array does not have.
    """
    return bool(arguments_at(frame.f_code).get(frame.f_lasti) == name)


class TracingModule(ModuleType):
    """A module whose attributes are traced functions for the user's code while a trace runs."""

    def __getattribute__(self, name: str) -> object:
        value = ModuleType.__getattribute__(self, name)
        context = current_context()
        if context is None or not context.active or name.startswith("__"):
            return value
        frame = sys._getframe(1)
        home = str(frame.f_globals.get("__name__"))
        # or a copy of it
        of_library = pure.is_installed_library(home) or ".array_api_compat." in f".{home}."
        if not (of_library or owner_of_frame(frame) == "user") or not _names(frame, name):
            return value
        module: str = ModuleType.__getattribute__(self, "__name__")
        if not pure.known_in(self, name):
            if of_library:
                return value
            context.refuse(
                f"{module}.{name} is not known to be pure: it may be random, read the world"
                f" outside, or set"
                " hidden state",
                hint="pass random numbers and data to the function as arguments",
                code="trace.impure",
            )
        if type(value) is float and not context.is_foreign:
            constant = named_constant(context, value)
            if constant is None:
                return value
            return constant
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

    def put(self, value: object) -> None:
        """Stores a value there."""
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

    def exchange(self, value: object) -> object:
        """Stores a value there; returns the argument for `put_back`."""
        if isinstance(self.owner, FunctionType):
            old = getattr(self.owner, self.key)
        else:
            old = self.value
        self.put(value)
        return old

    def put_back(self, old: object) -> None:
        """Restores the old value."""
        if isinstance(self.owner, FunctionType):
            setattr(self.owner, self.key, old)
        elif any(self.value is n for n in NUMBERS):
            self.owner.pop(self.key, None)  # Python's own, which the scope did not hold
        else:
            self.put(old)


def slot_in(scope: dict[str, object], name: str) -> Slot | None:
    """Returns the slot of a module's name that must be exchanged during a trace, or None."""
    if name in scope:
        if needs_slot(scope[name]):
            return Slot(scope, name, scope[name])
        return None
    original = getattr(builtins, name, None)
    if isinstance(original, type) and original in NUMBERS:
        return Slot(scope, name, original)
    return None


def needs_slot(value: object) -> bool:
    """Checks whether a value held directly by the user's code must be exchanged in a trace."""
    if type(value) is float:
        return any(value is c for c in NAMED)
    if type(value) is CACHE:
        return True
    return is_table(value) or replacement(value) is not value


#: Names that an assertion rewritten by pytest uses only after it has failed; no names of Python's.
_EXPLAINING = {"@py_builtins": "builtins", "@pytest_ar": "_pytest.assertion.rewrite"}


class _Failing:
    """Raises the failure of an assertion at its first use, before a message is written."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(FAILED)


def explains_a_failure(name: str, scope: Mapping[str, object]) -> bool:
    """Checks whether a name is one of those that explain why an assertion has failed."""
    module = sys.modules.get(_EXPLAINING.get(name, ""))
    return module is not None and scope.get(name) is module


def _exchanged(context: TraceContext, slot: Slot) -> object:
    """Returns the replacement of the value of a slot; the value itself if it stays."""
    value = slot.value
    if isinstance(value, ModuleType):
        return _Failing()
    if type(value) is CACHE:
        return value.__wrapped__
    if is_table(value):
        if context.has_tables:
            return as_table(value)
        return value
    if isinstance(value, type) and value in NUMBERS:
        if context.is_foreign:
            return value
        return NUMBERS[value]
    if type(value) is float:
        stays = context.is_foreign or type(slot.owner) not in (dict, CellType)
        if stays:
            return value
        return named_constant(context, value)
    return replacement(value)


#: Classes of symbolic sizes in the frameworks; those of NumPy's traces refuse by themselves.
_SIZES = (
    ("torch", ("SymInt", "SymFloat", "SymBool")),
    ("jax._src.export.shape_poly", ("_DimExpr",)),
)


def _refuse_pickling(size: object) -> NoReturn:
    raise TraceError(f"pickling needs a concrete value of the size {size}")


@contextmanager
def _sizes_are_no_texts() -> Iterator[None]:
    """Refuses to pickle symbolic sizes within the block, as a pickle would be a concrete number."""
    homes = ((sys.modules.get(home), names) for home, names in _SIZES)
    kinds = [getattr(home, name) for home, names in homes if home is not None for name in names]
    for kind in kinds:
        copyreg.pickle(kind, _refuse_pickling)
    try:
        yield
    finally:
        for kind in kinds:
            copyreg.dispatch_table.pop(kind, None)


@contextmanager
def tracing(context: TraceContext, slots: list[Slot]) -> Iterator[None]:
    """Runs a function on traced arrays: one trace at a time, everything restored at the end."""
    if current_context() is not None:
        raise TraceError("a target traces another function while it is traced itself")
    with alone(), _sizes_are_no_texts():
        modules = [sys.modules[name] for name in MODULES if name in sys.modules]
        restored: list[tuple[Slot, object]] = []
        before = set_context(context)
        try:
            for module in modules:
                module.__class__ = TracingModule
            for name, stand_in in BUILTINS.items():
                if name == "len" or not context.is_foreign:
                    setattr(builtins, name, stand_in)
            for slot in slots:
                new = _exchanged(context, slot)
                if new is slot.value:
                    continue
                restored.append((slot, slot.exchange(new)))
            yield
        finally:
            for name, original in ORIGINAL.items():
                setattr(builtins, name, original)
            for slot, old in reversed(restored):
                slot.put_back(old)
            for module in modules:
                module.__class__ = ModuleType
            set_context(before)
            context.active = False
