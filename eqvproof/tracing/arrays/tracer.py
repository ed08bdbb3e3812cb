"""Traced arrays: arguments of a target in place of NumPy arrays, which record what it computes.

A `Tracer` implements the operators, the methods of arrays, and NumPy's dispatch protocols. Uses
that have no meaning for all inputs at once (a truth value, a Python number, a text) are refused,
with the user's line.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any, cast

import numpy as np

from eqvproof.support.errors import ErrorCode
from eqvproof.support.lazy import LaterModule
from eqvproof.support.rounding_mode import to_float
from eqvproof.tracing.arrays.calls import apply_function, apply_ufunc
from eqvproof.tracing.arrays.constants import constant_floats, known_number
from eqvproof.tracing.arrays.context import Answers
from eqvproof.tracing.arrays.lifting import shape_of
from eqvproof.tracing.arrays.machine import TypeLike
from eqvproof.tracing.arrays.operators import (
    binary,
    both_ways,
    known_value,
    method,
    reflected,
    refused,
    told_text,
    truth_value,
    unary,
)
from eqvproof.tracing.arrays.refusals import record_class_query, record_memory_query
from eqvproof.tracing.arrays.sizes import SymbolicSize, plain
from eqvproof.tracing.arrays.values import (
    DTYPES,
    Array,
    Numbers,
    TracedArray,
    as_listed,
    is_certain_array,
    is_selection,
    is_traced,
    make,
    node_of,
)

_OBJECTS = LaterModule("eqvproof.tracing.arrays.entries_as_objects")
_OF_MEMORY = ("__array_struct__", "__array_interface__")
_TABLE = "write np.take(table, index, axis=0) where an array that is no input is indexed by one"


class Tracer(TracedArray):
    """A symbolic array of real numbers, which represents every array of its shape."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> None:
        self._eqvproof.context.refuse(f"setting .{name} of an array is not traced")

    def __getattr__(self, name: str) -> object:
        if not any(hasattr(c, name) for c in (np.ndarray, np.float64, np.int64, np.bool_)):
            # as of any array
            raise AttributeError(f"'numpy.ndarray' object has no attribute '{name}'")
        if name in _OF_MEMORY and _OBJECTS.may_be_read(self, name, sys._getframe(1)):
            raise AttributeError("the entries are given by __array__")
        self._eqvproof.context.refuse(f".{name} of an array is not traced")

    # -- operators
    # -----------------------------------------------------------------------------------

    __add__, __radd__, __iadd__ = both_ways(np.add)
    __sub__, __rsub__, __isub__ = both_ways(np.subtract)
    __mul__, __rmul__, __imul__ = both_ways(np.multiply)
    __truediv__, __rtruediv__, __itruediv__ = both_ways(np.true_divide)
    __floordiv__, __rfloordiv__, __ifloordiv__ = both_ways(np.floor_divide)
    __mod__, __rmod__, __imod__ = both_ways(np.remainder)
    __divmod__, __rdivmod__ = binary(np.divmod), reflected(np.divmod)
    __pow__, __rpow__, __ipow__ = both_ways(np.power)
    __matmul__, __rmatmul__, __imatmul__ = both_ways(np.matmul)
    __and__, __rand__, __iand__ = both_ways(np.bitwise_and)
    __or__, __ror__, __ior__ = both_ways(np.bitwise_or)
    __xor__, __rxor__, __ixor__ = both_ways(np.bitwise_xor)
    __lt__, __le__, __gt__, __ge__ = map(
        binary, (np.less, np.less_equal, np.greater, np.greater_equal)
    )
    __eq__, __ne__ = binary(np.equal), binary(np.not_equal)
    __neg__, __pos__, __abs__, __invert__ = map(
        unary, (np.negative, np.positive, np.absolute, np.invert)
    )

    # -- protocols
    # -----------------------------------------------------------------------------------

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: object, **kwargs: object
    ) -> object:
        if any(map(is_selection, inputs)):
            return NotImplemented  # they know which entries are meant
        return apply_ufunc(self._eqvproof.context, ufunc, method, inputs, kwargs)

    def __array_function__(
        self, function: Callable[..., object], types: object, args: tuple[object, ...],
        kwargs: dict[str, object],
    ) -> object:  # fmt: skip
        return apply_function(self._eqvproof.context, function, args, kwargs)

    def __array_namespace__(self, *, api_version: str | None = None) -> object:
        """Returns NumPy, or the wrapper that array_api_compat, or a copy of it, returns instead."""
        frame = sys._getframe(1)
        home, found, _ = str(frame.f_globals.get("__name__")).rpartition(".common._helpers")
        wrapped = found and frame.f_locals.get("use_compat") is not False
        return importlib.import_module(f"{home}.numpy") if wrapped else np

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        """Returns the class that NumPy would give.

        Arrays with axes are of one class for all inputs. Of others, it is recorded that the user's
        code asked: they may be numbers of Python, or of NumPy.
        """
        if is_certain_array(self):
            return np.ndarray
        record_class_query(self._eqvproof.context, "a number")
        if not self._eqvproof.scalar:
            return np.ndarray
        dtype = self._eqvproof.dtype
        return int if dtype is int else dtype.type

    # -- indices
    # -------------------------------------------------------------------------------------

    def __getitem__(self, index: object) -> object:
        from eqvproof.tracing.arrays.indexing import get_item

        found = get_item(self, index)
        if self._eqvproof.listed and is_traced(found):
            return as_listed(found)
        return found

    def __setitem__(self, index: object, value: object) -> None:
        from eqvproof.tracing.arrays.inplace import set_item

        set_item(self, index, value)

    def __len__(self) -> int:
        value = self._eqvproof
        if not value.shape:
            value.context.refuse("len() of a scalar")
        size = value.shape[0].constant
        if size is None:
            value.context.refuse(
                f"len() needs a concrete value of the size {value.shape[0]}",
                hint="write X.shape[0], which stays a symbol; or give sizes=",
                code="trace.size-branch",
            )
        return size

    def __iter__(self) -> Iterator[object]:
        value = self._eqvproof
        if not value.shape or value.shape[0].constant is None:
            what = "a scalar" if not value.shape else f"an axis of size {value.shape[0]}, any size"
            value.context.refuse(
                f"a loop over {what}, cannot be unrolled",
                hint="write it with array operations, or give sizes=",
            )
        return iter([self[i] for i in range(value.shape[0].constant)])

    # -- what would make it a number
    # -----------------------------------------------------------------

    def __bool__(self) -> bool:
        return truth_value(self)

    def __index__(self) -> int:
        if is_certain_array(self) and constant_floats(self) is not None:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        number = known_value(self, "an index", hint=_TABLE, code=ErrorCode.TRACE_INDEX)
        if number != int(number) or self._eqvproof.kind == "f":
            self._eqvproof.context.refuse("an index that is no integer")
        return int(number)

    def __int__(self) -> int:
        return int(known_value(self, "int()"))

    def __float__(self) -> float:
        return to_float(known_value(self, "float()", exact=False))

    def __round__(self, digits: object = None) -> object:
        if digits is not None:
            self._eqvproof.context.refuse("round() to digits is not traced")
        return apply_ufunc(self._eqvproof.context, np.rint, "__call__", (self,), {})

    def __array__(self, dtype: TypeLike = None, copy: object = None) -> Numbers:
        found = constant_floats(self)
        if found is None and dtype is None and _OBJECTS.enters_an_operation(self, sys._getframe(1)):
            return cast(Numbers, _OBJECTS.as_objects(self))
        if found is None:
            self._eqvproof.context.refuse(
                "a function that is not traced asks for the entries of an array",
                hint="use NumPy functions that eqvproof traces, or wrap it with eqvproof.opaque",
                code="trace.value",
            )
        self._eqvproof.storage.locked = "an array whose entries a compiled function has read"
        found.flags.writeable = False
        return found if dtype is None else found.astype(dtype)

    def item(self, *args: object) -> object:
        """Returns the single entry; a traced one where it depends on inputs."""
        one: Any = self[args] if args else self.reshape(())[()]
        if known_number(one, exact=True) is not None:
            return float(one)
        if one._eqvproof.kind != "i":
            return one
        return make(one._eqvproof.context, node_of(one), "i", dtype=int)

    def tolist(self) -> object:
        """Returns the entries in nested lists; traced ones where they depend on inputs."""
        value = self._eqvproof
        if constant_floats(self) is None and value.kind != "b" and value.infinite is None:
            if not value.shape:
                return self.item()
            if value.shape[0].constant is not None:
                return [entry.tolist() for entry in cast(Iterator[Array], iter(self))]
        return self.__array__().tolist()

    __complex__, __contains__, __hash__ = refused("complex()"), refused("in"), refused("hash()")
    __trunc__, __floor__, __ceil__ = map(refused, ("math.trunc()", "math.floor()", "math.ceil()"))
    __reduce__ = __reduce_ex__ = refused("pickling")
    tobytes, tofile, dump, dumps, view = map(
        refused, ("tobytes()", "tofile()", "dump()", "dumps()", "view()")
    )

    def __format__(self, spec: str = "") -> str:
        """Returns a text that stands for every input, if it only leaves the function."""
        shape = ", ".join(map(str, self._eqvproof.shape))
        return told_text(self._eqvproof.context, f"<traced array of shape ({shape})>")

    __str__ = __repr__ = __format__

    # -- attributes
    # ----------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int | SymbolicSize, ...]:
        """Returns the shape: ints where sizes are fixed, symbols elsewhere."""
        return shape_of(self)

    @property
    def flags(self) -> object:
        """Returns the memory flags of a new array, and records that the user's code asked."""
        record_memory_query(self._eqvproof.context)
        return np.empty((2,) * self.ndim).flags

    @property
    def device(self) -> str:
        """Returns the device of NumPy's arrays."""
        return "cpu"

    @property
    def ndim(self) -> int:
        """Returns the number of axes."""
        return len(self._eqvproof.shape)

    @property
    def size(self) -> int | SymbolicSize:
        """Returns the number of entries."""
        value = self._eqvproof
        return plain(value.context, value.context.builder.prod_sizes(value.node))

    @property
    def dtype(self) -> np.dtype[np.generic]:
        """Returns the dtype that NumPy would give."""
        context = self._eqvproof.context
        if self._eqvproof.kind == "i" or context.bits < 64:
            context.refuse("the dtype of integers, or after a cast to short floats, is not traced")
        return DTYPES[self._eqvproof.kind]

    @property
    def real(self) -> Array:
        """Returns the array itself: its entries are real."""
        return make(self._eqvproof.context, node_of(self), self._eqvproof.kind, view_of=self)

    T, imag = map(property, map(method, (np.transpose, np.zeros_like)))

    @property
    def flat(self) -> Array:
        """Returns the entries in a row, in place of the iterator over them."""
        return as_listed(self.ravel())

    @property
    def mT(self) -> Array:
        """Returns the array with the last two axes swapped."""
        return self.swapaxes(-1, -2)

    # -- methods
    # -------------------------------------------------------------------------------------

    sum, mean, prod, var, std = map(method, (np.sum, np.mean, np.prod, np.var, np.std))
    max, min, any, all = map(method, (np.max, np.min, np.any, np.all))
    dot, trace, diagonal, cumsum = map(method, (np.dot, np.trace, np.diagonal, np.cumsum))
    ravel, squeeze, swapaxes, repeat = map(method, (np.ravel, np.squeeze, np.swapaxes, np.repeat))
    clip, conj, conjugate, take = map(method, (np.clip, np.conjugate, np.conjugate, np.take))
    argmax, argmin, argsort, nonzero = map(method, (np.argmax, np.argmin, np.argsort, np.nonzero))
    cumprod, compress, partition = map(method, (np.cumprod, np.compress, np.partition))
    searchsorted, choose, round = map(method, (np.searchsorted, np.choose, np.round))
    copy, astype = method(np.copy), method(np.astype)

    def flatten(self, order: str = "C") -> Array:
        """Returns all entries in a row, in new memory."""
        return self.ravel(order).copy()

    def reshape(self, *shape: object, **kwargs: object) -> Array:
        """Returns the entries in another shape."""
        found: Array = apply_function(
            self._eqvproof.context,
            np.reshape,
            (self, shape[0] if len(shape) == 1 else shape),
            kwargs,
        )
        return found

    def transpose(self, *axes: object) -> Array:
        """Returns the array with its axes in another order."""
        order = axes[0] if len(axes) == 1 else (axes or None)
        found: Array = apply_function(self._eqvproof.context, np.transpose, (self, order), {})
        return found

    def sort(self, axis: int = -1, **kwargs: object) -> None:
        """Sorts in ascending order, in place."""
        from eqvproof.tracing.arrays.inplace import overwrite

        overwrite(self, apply_function(self._eqvproof.context, np.sort, (self, axis), kwargs))

    def fill(self, value: object) -> None:
        """Sets all entries to one value, in place."""
        self[...] = value

    def __copy__(self) -> object:
        return self.copy()

    def __deepcopy__(self, memo: object) -> object:
        return self.copy()


#: The implementations of array operations with which every trace starts.
ANSWERS = Answers(Tracer, apply_ufunc, apply_function)
