"""Runs of models that are objects with callable parts (Equinox, or classes of your own), recorded.

The method ``__call__`` of the classes of the parts is replaced while the model runs. Under
`jax.vmap` an array is recorded with all entries over which it is mapped.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from eqvproof.interface.profile.recording import Array, Key, Run, replace_arrays

#: What is callable, and no part of a model.
PLAIN = (type, FunctionType, MethodType, BuiltinFunctionType, ModuleType, np.ufunc)
#: Packages whose callable objects are functions.
LIBRARIES = ("numpy", "scipy", "jax", "functools")
#: Largest number of parts of a model.
MOST_PARTS = 2000


def callable_parts(model: Any) -> dict[str, Any]:
    """Returns the callable parts of a model by their paths, the model itself as "", first."""
    found: dict[str, Any] = {}
    seen: set[int] = set()

    def walk(value: Any, path: str) -> None:
        if id(value) in seen or len(found) >= MOST_PARTS:
            return
        if isinstance(value, (list, tuple, dict)):
            seen.add(id(value))
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for name, part in items:
                walk(part, f"{path}.{name}".lstrip("."))
        elif _is_part(value):
            seen.add(id(value))
            found[path] = value
            for name, part in vars(value).items():
                walk(part, f"{path}.{name}".lstrip("."))

    walk(model, "")
    return found


def _is_part(value: Any) -> bool:
    """Checks whether a value is an object of a class that can be called, and has attributes."""
    if not callable(value) or not hasattr(value, "__dict__") or isinstance(value, PLAIN):
        return False
    return not type(value).__module__.startswith(LIBRARIES)


class ObjectModel:
    """A model of callable parts, whose runs are recorded.

    Args:
        model: the model.
        like: its arguments.
        dtype: the dtype of its parameters and arguments; None for their own.
    """

    def __init__(self, model: Any, like: Sequence[Any], dtype: str | None) -> None:
        self._jax: Any = sys.modules.get("jax")
        self._model, self._dtype = model, dtype
        self._like = [a if hasattr(a, "dtype") else np.asarray(a) for a in like]
        if dtype is not None and self._jax is not None:
            with self._bits():
                self._model = self._jax.tree_util.tree_map(self._in_dtype, model)
        self._given = model

    @property
    def is_converted(self) -> bool:
        """True if there is a copy in the dtype, as of trees of JAX."""
        return self._model is not self._given

    @property
    def is_jax(self) -> bool:
        """True if it takes arrays of JAX."""
        return self._jax is not None and isinstance(self._like[0], self._jax.Array)

    @property
    def dtype(self) -> str:
        """The name of the dtype in which it is run."""
        if self._dtype is not None:
            return self._dtype
        return next(str(a.dtype) for a in self._like if a.dtype.kind == "f")

    def run(self, arrays: Sequence[Array], changes: Mapping[Key, Array]) -> Run:
        """Runs the model."""
        run = Run(changes)
        with self._bits(), _watched(run, callable_parts(self._model), self._jax):
            self._model(*(self._like_given(a, b) for a, b in zip(arrays, self._like, strict=True)))
        return run

    def kind(self, path: str) -> str:
        """Returns the class of a part."""
        return type(callable_parts(self._given)[path]).__name__

    def submodule(self, path: str) -> Callable[..., Any] | None:
        """Returns a part."""
        found: Callable[..., Any] = callable_parts(self._given)[path]
        return found

    def _bits(self) -> Any:
        if self._jax is None or self._dtype != "float64":
            return nullcontext()
        from eqvproof.tracing.jax.target import in_64_bits

        return in_64_bits(wide=True)

    def _in_dtype(self, leaf: Any) -> Any:
        if isinstance(leaf, (self._jax.Array, np.ndarray)) and leaf.dtype.kind == "f":
            return self._jax.numpy.asarray(leaf, dtype=self._dtype)
        return leaf

    def _like_given(self, array: Array, like: Any) -> Any:
        dtype = like.dtype
        if dtype.kind == "f" and self._dtype is not None:
            dtype = np.dtype(self._dtype)
        if isinstance(like, np.ndarray):
            return np.asarray(array, dtype=dtype)
        return self._jax.numpy.asarray(array, dtype=dtype)


@contextmanager
def _watched(run: Run, parts: Mapping[str, Any], jax: Any) -> Iterator[None]:
    """Records the calls of some objects in a block."""
    paths = {id(part): path for path, part in parts.items()}
    calls = {type(part): type(part).__call__ for part in parts.values()}
    running: set[str] = set()

    def is_array(value: Any) -> bool:
        if isinstance(value, (np.ndarray, np.floating)):
            return True
        return jax is not None and isinstance(value, jax.Array)

    def recording(call: Callable[..., Any]) -> Callable[..., Any]:
        def called(self: Any, *args: Any, **kwargs: Any) -> Any:
            path = paths.get(id(self))
            if path is None or path in running:  # a method of a base class
                return call(self, *args, **kwargs)
            args, only = replace_arrays(args, is_array, _visitor(run, path, "in", jax))
            if kwargs or not only:
                run.others.add(path)
            running.add(path)
            try:
                result = call(self, *args, **kwargs)
            finally:
                running.discard(path)
            return replace_arrays(result, is_array, _visitor(run, path, "out", jax))[0]

        return called

    with ExitStack() as stack:
        if jax is not None:
            stack.enter_context(jax.disable_jit())
        for cls, call in calls.items():
            own = cls.__dict__.get("__call__")
            type.__setattr__(cls, "__call__", recording(call))
            if own is None:
                stack.callback(type.__delattr__, cls, "__call__")
            else:
                stack.callback(type.__setattr__, cls, "__call__", own)
        yield


def _visitor(run: Run, path: str, side: Any, jax: Any) -> Callable[[Any, int], Any]:
    """Returns a function that records an array, and returns the one that takes its place."""

    def visit(array: Any, number: int) -> Any:
        if jax is None or not isinstance(array, jax.core.Tracer):
            new = run.keep(path, side, number, np.asarray(array))
            if new is None:
                return array
            if isinstance(array, (np.ndarray, np.floating)):
                return new.astype(array.dtype)
            return jax.numpy.asarray(new, dtype=array.dtype)

        def record(value: Any) -> Any:
            numbers = np.asarray(value)
            new = run.keep(path, side, number, numbers, numbers.ndim - array.ndim)
            if new is None:
                return numbers
            return new.astype(numbers.dtype)

        def called(value: Any) -> Any:
            shape = jax.ShapeDtypeStruct(value.shape, value.dtype)
            return jax.pure_callback(record, shape, value, vmap_method="broadcast_all")

        tap = jax.custom_jvp(called)
        tap.defjvp(lambda primals, tangents: (tap(*primals), *tangents))
        return tap(array)

    return visit
