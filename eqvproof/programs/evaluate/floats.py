"""Float evaluation of Programs over any Array API namespace; NaN stands for undefined.

NumPy and CuPy are such namespaces.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from eqvproof.numbers.contraction import contract
from eqvproof.programs import Program
from eqvproof.programs.evaluate.opaque import Functions, draw_rationals, find_function
from eqvproof.programs.evaluate.walk import bind, evaluate_program
from eqvproof.programs.operations import FUNCTIONS, Const
from eqvproof.programs.operations.stored import Stored
from eqvproof.support.errors import ShapeError

#: NumPy as it was at import; later changes to it do not count.
_NUMPY = SimpleNamespace(**{**vars(np), "linalg": SimpleNamespace(**vars(np.linalg))})


#: Entries from which constants may stay narrow, and entries that are widened at once.
_LARGE, _PART = 2**18, 2**17


def as_lapack_array(array: Any) -> Any:
    """Converts the array to float64 if LAPACK does not know its floats (float16, longdouble)."""
    beyond = isinstance(array, np.ndarray) and array.dtype.char not in "fd"
    if beyond:
        return array.astype(np.float64)
    return array


class FloatSystem:
    """Arrays of one namespace and one floating dtype; see `system.NumberSystem`."""

    def __init__(
        self, xp: Any, dtype: Any, functions: Functions | None = None, seed: int = 0
    ) -> None:
        self._xp = xp
        self._dtype = dtype
        self._functions = functions
        self._seed = seed
        self._permute = getattr(xp, "permute_dims", None) or xp.transpose
        self._concat = getattr(xp, "concat", None) or xp.concatenate

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Any:
        """Returns the array of the nearest floats."""
        if isinstance(values, Stored):
            numbers: Any = values.array
        else:
            numbers = [nearest_float(v) for v in values]
        flat = self._xp.asarray(numbers, dtype=self._dtype)
        return self._xp.reshape(flat, tuple(shape))

    contract = contract

    def permute(self, array: Any, axes: Sequence[int]) -> Any:
        """Permutes the axes of an array."""
        return self._permute(array, tuple(axes))

    def reshape(self, array: Any, shape: Sequence[int]) -> Any:
        """Reshapes an array; entries stay in row-major order."""
        whole = tuple(shape)
        if array.shape == whole:
            return array
        return self._xp.reshape(array, whole)

    def broadcast(self, array: Any, shape: Sequence[int]) -> Any:
        """Repeats an array along axes of size 1."""
        whole = tuple(shape)
        if array.shape == whole:
            return array
        return self._xp.broadcast_to(array, whole)

    def multiply(self, a: Any, b: Any) -> Any:
        """Multiplies entries, with broadcasting."""
        return a * b

    def matmul(self, a: Any, b: Any) -> Any:
        """Multiplies stacks of matrices; a narrow one (see `_narrow`) is widened part by part."""
        if a.dtype == b.dtype or len(a.shape) != 2:
            return self._xp.matmul(a, b)
        if a.dtype != self._dtype:
            return self.matmul(b.T, a.T).T
        width = max(1, _PART // b.shape[0])
        parts = (b[:, k : k + width] for k in range(0, b.shape[1], width))
        return self.concat([a @ self._xp.asarray(p, dtype=self._dtype) for p in parts], axis=1)

    def total(self, a: Any, axes: Sequence[int]) -> Any:
        """Sums over some axes."""
        return self._xp.sum(a, axis=tuple(axes), dtype=self._dtype)

    def stride(self, array: Any, step: int) -> Any:
        """Takes entries 0, step, 2 step, ... of the first axis."""
        return array[(slice(None, None, step), *[slice(None)] * (len(array.shape) - 1))]

    def concat(self, arrays: Sequence[Any], axis: int) -> Any:
        """Joins arrays along an axis."""
        return self._concat(list(arrays), axis=axis)

    def take(self, array: Any, axis: int, indices: range | list[int]) -> Any:
        """Takes the entries of an axis at these indices."""
        if isinstance(indices, range):
            from eqvproof.numbers.tensor import take_along_axis

            return take_along_axis(array, axis, indices)
        return self._xp.take(array, self._xp.asarray(indices, dtype=self._xp.int64), axis=axis)

    def add(self, arrays: Sequence[Any]) -> Any:
        """Adds arrays."""
        result = arrays[0]
        for array in arrays[1:]:
            result = result + array
        return result

    def apply(self, fn: str, arrays: Sequence[Any]) -> Any:
        """Applies an elementwise function, strict in NaN."""
        xp = self._xp
        if not arrays:
            return xp.asarray(FUNCTIONS[fn].floats(xp), dtype=self._dtype)
        result = xp.asarray(FUNCTIONS[fn].floats(xp, *arrays), dtype=self._dtype)
        undefined = xp.isnan(arrays[0])
        for array in arrays[1:]:
            undefined = undefined | xp.isnan(array)
        return xp.where(undefined, xp.full_like(result, math.nan), result)

    def select(self, c: Any, a: Any, b: Any) -> Any:
        """Chooses a where c is not 0, else b."""
        xp = self._xp
        return xp.where(xp.isnan(c), c, xp.where(c != 0, a, b))

    def reduce(self, fn: str, array: Any, axes: tuple[int, ...]) -> Any:
        """Computes max, min or prod."""
        xp = self._xp
        if fn == "prod":
            return xp.prod(array, axis=axes, dtype=self._dtype)
        shape = tuple(s for i, s in enumerate(array.shape) if i not in axes)
        if any(array.shape[a] == 0 for a in axes):
            return xp.full(shape, math.nan, dtype=self._dtype)
        result = getattr(xp, fn)(array, axis=axes)
        undefined = xp.any(xp.isnan(array), axis=axes)
        return xp.where(undefined, xp.full_like(result, math.nan), result)

    def sort(self, array: Any, axis: int) -> Any:
        """Sorts in ascending order; a line with a NaN is NaN."""
        xp = self._xp
        undefined = xp.any(xp.isnan(array), axis=axis, keepdims=True)
        ordered = xp.sort(array, axis=axis)
        return xp.where(undefined, xp.full_like(ordered, math.nan), ordered)

    def inverse(self, array: Any) -> Any:
        """Inverts matrices; NaN where the library finds a matrix singular."""
        xp = self._xp
        try:
            return xp.asarray(xp.linalg.inv(as_lapack_array(array)), dtype=self._dtype)
        except np.linalg.LinAlgError:
            if len(array.shape) == 2:
                return xp.full_like(array, math.nan)
        flat = xp.reshape(array, (-1, *array.shape[-2:]))
        inverses = [self.inverse(flat[i, :, :]) for i in range(flat.shape[0])]
        return xp.reshape(xp.stack(inverses), array.shape)

    def determinant(self, array: Any) -> Any:
        """Computes the determinants of matrices."""
        return self._xp.asarray(self._xp.linalg.det(as_lapack_array(array)), dtype=self._dtype)

    def matrix(self, fn: str, arrays: Sequence[Any]) -> Any:
        """Evaluates another function of matrices; NaN where an entry is no number."""
        from eqvproof.programs.evaluate.matrices import VALUES

        xp = self._xp
        matrix, *weights = arrays
        known = xp.all(xp.isfinite(matrix), axis=(-2, -1))
        for w in weights:
            known = known & xp.all(xp.isfinite(w), axis=-1)
        safe = [
            as_lapack_array(
                xp.where(xp.reshape(known, (*known.shape, *[1] * rank)), a, xp.zeros_like(a))
            )
            for a, rank in zip(arrays, (2, 1), strict=False)
        ]
        with np.errstate(all="ignore"):
            found = xp.asarray(VALUES[fn].floats(xp, *safe), dtype=self._dtype)
        wide = xp.reshape(known, (*known.shape, *[1] * (len(found.shape) - len(known.shape))))
        return xp.where(wide, found, xp.full_like(found, math.nan))

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Any], shape: tuple[int, ...]
    ) -> Any:
        """Calls the given function, or draws values from the arguments."""
        function = find_function(name, symmetry, self._functions)
        if function is not None:
            return self._xp.reshape(self._xp.asarray(function(*arrays), dtype=self._dtype), shape)
        given = [(*a.shape, *_float_entries(a)) for a in arrays]
        if not all(math.isfinite(x) for row in given for x in row):
            return self._xp.full(shape, math.nan, dtype=self._dtype)
        entries = [Fraction(x) for row in given for x in row]
        return self.fractions(draw_rationals(name, entries, math.prod(shape), self._seed), shape)


def nearest_float(value: Any) -> float:
    """Returns the nearest float; an infinity beyond their range."""
    try:
        return float(value)
    except OverflowError:
        if value > 0:
            return math.inf
        return -math.inf


def _float_entries(array: Any) -> list[float]:
    if hasattr(array, "get"):  # an array of CuPy
        array = array.get()
    return [float(x) for x in np.asarray(array).ravel()]


def evaluate_float(
    program: Program,
    inputs: Mapping[str, Any],
    sizes: Mapping[str, int] | None = None,
    dtype: Any = None,
    xp: Any = np,
    opaque: Functions | None = None,
    seed: int = 0,
) -> Any:
    """Evaluates a Program in floating point.

    Args:
        program: what to evaluate.
        inputs: arrays by name; made arrays of ``xp`` of this dtype.
        sizes: axis sizes; those that an input shows may be left out.
        dtype: a floating dtype of ``xp`` (default float64).
        xp: NumPy, CuPy, or another Array API namespace.
        opaque: functions that stand for uninterpreted ones; None or no entry: values drawn by hash.
        seed: of those draws.

    Returns:
        An array of ``xp``; NaN = undefined (or lost to overflow).

    Exactness: rounded; products of arrays are made in the order that costs least.

    Raises:
        ShapeError: the inputs do not fit. EqvproofError: an opaque function with an assumed
            symmetry.
    """
    if xp is np:
        xp = _NUMPY
    if dtype is None:
        dtype = xp.float64
    arrays = {name: _as_float_array(xp, value, dtype) for name, value in inputs.items()}
    known = bind(program, arrays, sizes or {})
    narrow = _narrow_constants(program, dtype) if xp is _NUMPY else {}
    with np.errstate(all="ignore"):
        result = evaluate_program(
            program, FloatSystem(xp, dtype, opaque, seed), arrays, known, narrow
        )
    return xp.asarray(result)


def _narrow_constants(program: Program, dtype: Any) -> dict[int, Any]:
    """Returns large constants of a narrower float type that are only multiplied by wide values.

    They are used as they are stored. Their products are wide, so that nothing is rounded sooner,
    and no wide copy of them is needed.
    """
    large = {
        i: node.array()
        for i, node in enumerate(program.nodes[: program.output])
        if isinstance(node, Const)
        and len(node.values) >= _LARGE
        and isinstance(node.values, Stored)
    }
    found = {
        i: a
        for i, a in large.items()
        if a.dtype.kind == "f" and a.itemsize < np.dtype(dtype).itemsize
    }
    for node in program.nodes if found else ():
        of = [a for a in node.args if a in found]
        if node.as_product is None or len(node.args) == 1 or len(of) > 1:
            found = {i: a for i, a in found.items() if i not in of}
    return found


def _as_float_array(xp: Any, value: Any, dtype: Any) -> Any:
    if isinstance(value, np.ndarray) and value.dtype == object:
        from eqvproof.numbers import to_floats

        value = to_floats(value)
    try:
        return xp.asarray(value, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise ShapeError(
            "an input is not an array of real numbers",
            given=type(value).__name__,
            expected="floats, integers or booleans",
            hint="convert it with np.asarray(..., dtype=float)",
        ) from error
