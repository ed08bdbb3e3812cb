"""What a target of a framework can reach: the user's code, and the data that must not change.

Libraries are trusted to be traced faithfully, and compared by value; the user's own functions, methods and
submodules are read for what a graph cannot show, and everything that they hold is fingerprinted.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import inspect
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from eqvproof.errors import TraceError
from eqvproof.frontends.code import (
    FORBIDDEN_BUILTINS,
    attribute_questions,
    examine,
    global_names,
    nested_codes,
)
from eqvproof.frontends.libraries import is_library_function, is_library_module

#: Names by which code asks whether it is being traced.
TELLTALES = frozenset(
    "is_exporting is_compiling is_tracing is_dynamo_compiling is_scripting FakeTensor is_fake "
    "is_grad_enabled requires_grad grad_fn data_ptr untyped_storage Tracer is_concrete is_symbolic_dim "
    "DynamicJaxprTracer trace_state_clean unsafe_buffer_pointer pure_callback io_callback host_callback "
    "debug_callback".split()
)
PLAIN = (int, float, complex, str, bytes, bool, type(None), type, ModuleType, range, slice)


class Surroundings:
    """The user's functions behind a target, and a fingerprint of the data that they can reach.

    Attributes:
        functions: the user's functions.
        token: equal tokens mean equal data.
    """

    def __init__(self, target: Callable[..., Any]) -> None:
        self.functions: dict[CodeType, FunctionType] = {}
        self._seen: dict[int, Any] = {}
        self._digest = hashlib.sha256()
        self._visit(target, "target")
        self._digest.update(_random_state())
        self.token = self._digest.hexdigest()

    @property
    def codes(self) -> frozenset[CodeType]:
        """The code objects of the user's functions, nested ones included."""
        return frozenset(inner for code in self.functions for inner in nested_codes(code))

    def judge(self, ran: Iterable[CodeType] | None = None) -> None:
        """Refuse what a graph cannot answer for, in the code that ran (None: in all of it).

        Raises:
            TraceError: with the reason and the line.
        """
        wanted = self.codes if ran is None else self.codes & frozenset(ran)
        for code in sorted(wanted, key=lambda c: (c.co_filename, c.co_firstlineno, c.co_name)):
            place = f"{code.co_filename.rsplit('/', 1)[-1]}:{code.co_firstlineno}"
            for finding in examine(code):
                raise TraceError(finding.reason, given=finding.place, code="trace.impure")
            asked = sorted((_forbidden(code) & global_names(code)) | (TELLTALES & set(code.co_names)))
            if asked:
                raise TraceError(
                    f"the target uses {asked[0]}, which a graph cannot answer for",
                    given=place,
                    code="trace.impure",
                )

    def _visit(self, value: Any, path: str) -> None:
        if id(value) in self._seen and not isinstance(value, PLAIN):
            self._add(path, "again")
            return
        self._seen[id(value)] = value
        data = array_data(value)
        if data is not None:
            self._add(path, *data)
        elif isinstance(value, PLAIN):
            self._add(path, repr(value))
        elif isinstance(value, np.generic):
            self._add(path, repr(value))
        elif isinstance(value, (tuple, list, set, frozenset)):
            ordered = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else value
            count = 0
            for count, item in enumerate(ordered, start=1):
                self._visit(item, f"{path}[{count}]")
            self._add(path, str(count))
        elif isinstance(value, dict):
            for key, item in value.items():
                self._visit(item, f"{path}[{key!r}]")
            self._add(path, str(len(value)))
        elif isinstance(value, functools.partial):
            self._visit((value.func, value.args, value.keywords), path)
        elif isinstance(value, MethodType):
            self._visit(value.__self__, path + ".self")
            self._visit(value.__func__, path)
        elif isinstance(value, FunctionType):
            self._function(value, path)
        else:
            self._object(value, path)

    def _function(self, function: FunctionType, path: str) -> None:
        wrapped = getattr(function, "__wrapped__", None)
        if wrapped is not None:
            self._visit(wrapped, path + ".wrapped")
        if is_library_function(function):
            return
        self.functions[function.__code__] = function
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            try:
                self._visit(cell.cell_contents, f"{path}.{name}")
            except ValueError:  # a cell that is still empty
                continue
        self._visit(function.__defaults__, path + ".defaults")
        self._visit(function.__kwdefaults__, path + ".kwdefaults")
        self._visit(dict(function.__dict__), path + ".dict")
        for code in nested_codes(function.__code__):
            for name in sorted(global_names(code)):
                if name in function.__globals__:
                    self._visit(function.__globals__[name], f"{path}.{name}")

    def _object(self, value: Any, path: str) -> None:
        if callable(value) and inspect.isbuiltin(value):
            self._add(path, repr(value))
            return
        kind = type(value)
        if _is_generator(value):
            raise _unreadable(value, path)
        self._add(path, f"{kind.__module__}.{kind.__qualname__}")
        for wrapped in ("__wrapped__", "fun"):
            inner = inspect.getattr_static(value, wrapped, None)
            if callable(getattr(value, wrapped, None)) and inner is not None:
                self._visit(getattr(value, wrapped), f"{path}.{wrapped}")
        for method in _methods(kind):
            self._visit(method, f"{path}.{method.__name__}")
        if is_library_module(kind.__module__) and not _holds_data(value):
            return
        if not hasattr(value, "__dict__"):
            slots = [s for base in kind.__mro__ for s in vars(base).get("__slots__", ())]
            if not slots:
                raise _unreadable(value, path)
            self._visit({s: getattr(value, s, None) for s in slots}, path)
            return
        for name, item in sorted(vars(value).items()):
            self._visit(item, f"{path}.{name}")

    def _add(self, *parts: str | bytes) -> None:
        for part in parts:
            self._digest.update(part.encode() if isinstance(part, str) else part)
            self._digest.update(b"\0")


def array_data(value: Any) -> tuple[str | bytes, ...] | None:
    """What an array of NumPy or of a framework holds; None for what is no array."""
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    if torch is not None and isinstance(value, torch.Tensor):
        array = value.detach().cpu()
        data = array.double().numpy() if array.is_floating_point() else array.numpy()
        return str(array.dtype), str(tuple(array.shape)), np.ascontiguousarray(data).tobytes()
    if jax is not None and isinstance(value, jax.Array) and not isinstance(value, jax.core.Tracer):
        if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
            value = jax.random.key_data(value)
        data = np.asarray(value)
        return str(data.dtype), str(data.shape), data.tobytes()
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return None
        return str(value.dtype), str(value.shape), value.tobytes()
    return None


def _is_generator(value: Any) -> bool:
    """Whether it draws random numbers."""
    torch = sys.modules.get("torch")
    kinds: tuple[type, ...] = (np.random.Generator, np.random.RandomState, random.Random)
    return isinstance(value, (*kinds, torch.Generator) if torch is not None else kinds)


def _holds_data(value: Any) -> bool:
    """Whether an object of a library's class holds what a user gave it: parameters, options, functions."""
    torch = sys.modules.get("torch")
    return dataclasses.is_dataclass(value) or (torch is not None and isinstance(value, torch.nn.Module))


def _unreadable(value: Any, path: str) -> TraceError:
    return TraceError(
        "the target reaches an object whose state cannot be read",
        given=f"{path}: {type(value).__name__}",
        code="trace.state",
    )


def _forbidden(code: CodeType) -> frozenset[str]:
    """Builtins that the code may not use: getattr and hasattr where an array could answer them."""
    asked = attribute_questions(code)
    if asked is None or any(_is_telling(name) for name in asked):
        return FORBIDDEN_BUILTINS
    return FORBIDDEN_BUILTINS - {"getattr", "hasattr"}


def _is_telling(name: str) -> bool:
    """Whether an array that is traced answers otherwise than a real one when it is asked for an attribute."""
    if name.startswith("_") or name in TELLTALES:
        return True
    return any(_has(traced, name) != _has(real, name) for real, traced in _array_classes())


def _has(cls: type, name: str) -> bool:
    return hasattr(cls, name) or any(name in getattr(c, "__annotations__", {}) for c in cls.__mro__)


def _array_classes() -> list[tuple[type, type]]:
    """Classes of arrays, each with one that stands for it in a trace."""
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    found: list[tuple[type, type]] = []
    if torch is not None:
        from torch._subclasses.fake_tensor import FakeTensor

        found.append((torch.Tensor, FakeTensor))
    if jax is not None:
        from jax._src.array import ArrayImpl
        from jax._src.interpreters.partial_eval import DynamicJaxprTracer

        found.append((ArrayImpl, DynamicJaxprTracer))
    return found


def _methods(cls: type) -> Iterator[FunctionType]:
    for base in cls.__mro__:
        for name, value in vars(base).items() if base is not object else ():
            inner = value.__func__ if isinstance(value, (staticmethod, classmethod)) else value
            inner = inner.fget if isinstance(inner, property) else inner
            if isinstance(inner, FunctionType) and name != "__init__" and not is_library_function(inner):
                yield inner


def _random_state() -> bytes:
    torch = sys.modules.get("torch")
    legacy: Any = np.random.get_state(legacy=False)
    state = legacy["state"]
    own = None if torch is None else torch.get_rng_state().tolist()
    return repr((own, state["key"].tolist(), state["pos"], random.getstate())).encode()
