"""The transpose of rows that a mask picks, ``X[mask].T``, and what sums over these rows.

X[mask].T @ Y[mask] = sum over all rows of X^T Y, with 0 where the mask is 0
np.cov(X[mask].T) = np.cov(X[mask], rowvar=False)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

import numpy as np

from eqvproof.tracing.arrays.boolean_indexing import (
    HINT,
    REDUCTIONS,
    Picked,
    context_of,
    degrees_of_freedom,
    filled_rows,
    whole_array,
)
from eqvproof.tracing.arrays.in_place_operators import ArithmeticInPlace
from eqvproof.tracing.arrays.lifting import lift
from eqvproof.tracing.arrays.operators import refused
from eqvproof.tracing.arrays.refusals import name_of
from eqvproof.tracing.arrays.values import TracedSelection, Value, is_traced, xp


class PickedColumns(ArithmeticInPlace, TracedSelection):
    """Columns of an array: the rows that a mask picks of another one.

    Args:
        rows: these rows, with two axes.
    """

    __slots__ = ("_rows",)
    _rows: Picked

    def __init__(self, rows: Picked) -> None:
        object.__setattr__(self, "_rows", rows)

    def __setattr__(self, name: str, value: object) -> None:
        self._refuse(f"setting .{name}")

    def __getattr__(self, name: str) -> object:
        function = _METHODS.get(name)
        if function is not None:
            return lambda axis=None, **options: self._reduced(function, axis, options)
        self._refuse(f".{name}")

    def _refuse(self, what: str) -> NoReturn:
        context_of(self._rows).refuse(
            f"{what} of the transpose of rows that a mask picks is not traced", hint=HINT
        )

    @property
    def _eqvproof(self) -> Value:
        return self._rows._eqvproof

    @property
    def T(self) -> Picked:
        """Returns the rows."""
        return self._rows

    @property
    def ndim(self) -> int:
        """Returns the number of axes."""
        return 2

    @property
    def shape(self) -> tuple[object, ...]:
        """Returns the number of columns of the array, and the number of selected rows, traced."""
        return self._rows.shape[::-1]

    def __array_ufunc__(
        self, ufunc: Callable[..., object], method: str, *inputs: object, **kwargs: object
    ) -> object:
        if method != "__call__" or kwargs:
            self._refuse(name_of(ufunc))
        if ufunc is np.matmul:
            return _times_rows(*inputs)
        return PickedColumns(ufunc(*map(self._turned, inputs)))  # type: ignore[arg-type]

    def __array_function__(
        self, function: object, types: object, args: Sequence[object], kwargs: dict[str, object]
    ) -> object:
        if function is np.dot and not kwargs:
            return _times_rows(*args)
        if function is np.transpose and len(args) == 1:
            return self._rows
        if function is np.cov and len(args) == 1 and kwargs.keys() <= {"bias", "ddof"}:
            return covariance(self._rows, **{**kwargs, "rowvar": False})
        options = {name: value for name, value in kwargs.items() if name != "axis"}
        if args[0] is not self or len(args) > 2:
            self._refuse(name_of(function))
        return self._reduced(
            function, kwargs.get("axis", args[1] if len(args) > 1 else None), options
        )

    def _reduced(self, function: object, axis: object, options: dict[str, object]) -> object:
        """Applies a function to each column, over the entries that the mask picks."""
        if function not in REDUCTIONS or type(axis) is not int or axis not in (1, -1):
            self._refuse(name_of(function))
        keeps = options.pop("keepdims", False)
        if type(keeps) is not bool:
            self._refuse("keepdims that is no truth value")
        found = REDUCTIONS[function](self._rows, 0, **options)
        if keeps is True:
            return xp.expand_dims(found, 1)
        return found

    __bool__, __len__, __iter__, __getitem__, __array__ = map(
        refused, ("a truth value", "len()", "a loop", "an index", "an array")
    )
    __contains__, __hash__, __repr__, __str__ = map(refused, ("in", "hash()", "a text", "a text"))

    def _turned(self, value: object) -> object:
        """Returns an operand of columns as one of rows."""
        if type(value) is PickedColumns:
            return value._rows
        if not is_traced(value) and not isinstance(value, np.ndarray):
            return value
        array = lift(context_of(self._rows), value)
        if array.ndim == 2 and array.shape[1] == 1:
            return array[:, 0]
        if array.ndim:
            self._refuse("an operation with another array")
        return array

    def _changed(self, found: object) -> PickedColumns:
        """Changes the rows, of which these are the columns."""
        if type(found) is not PickedColumns:
            self._refuse("an operation in place")
        self._rows.hold(found._rows)
        return self

    def dot(self, other: object) -> object:
        """Returns the product with the rows that the mask picks of an array."""
        return _times_rows(self, other)


_METHODS = {name: getattr(np, name) for name in ("sum", "mean", "max", "min", "var", "std")}


def _times_rows(left: object, right: object) -> object:
    """Returns a product of matrices, one of them columns that a mask picks."""
    if type(left) is not PickedColumns:
        rows: Picked = right._rows  # type: ignore[attr-defined]
        return PickedColumns(np.matmul(rows, np.transpose(left)))  # type: ignore[call-overload]
    context = context_of(left._rows)
    if type(right) is not Picked:
        context.refuse("columns that a mask picks, times what it does not pick", hint=HINT)
    whole_array(context, left._rows, right)  # refuses rows that another mask picks
    return xp.matmul(xp.transpose(filled_rows(left._rows)), filled_rows(right)) / left._rows.copies


def covariance(
    rows: Picked, *, rowvar: object = True, bias: object = False, ddof: object = None
) -> object:
    """Returns the covariance matrix of the columns of rows that a mask picks."""
    context = context_of(rows)
    if rowvar or rows.ndim != 2:
        context.refuse("the covariance of other than columns that a mask picks", hint=HINT)
    gap = rows - REDUCTIONS[np.mean](rows, 0)
    if ddof is None:
        ddof = int(not bias)
    return _times_rows(PickedColumns(gap), gap) / degrees_of_freedom(rows, ddof)
