"""Values of a function of vectors, computed from their Gram matrix alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.errors import ShapeError
from eqvproof.invariants.calling import call, is_exact, require_shape
from eqvproof.invariants.coefficients import Coefficients, solve
from eqvproof.invariants.layout import Layout
from eqvproof.invariants.roots import float_root, rational_root
from eqvproof.witnesses.field import FieldMatrix
from eqvproof.witnesses.reading import read_matrices, to_array

Array = NDArray[Any]


def as_matrix(value: Any) -> Array:
    """An array of Fractions (SymPy numbers) or floats."""
    (matrix,) = read_matrices(G=value)
    return to_array(matrix) if isinstance(matrix, FieldMatrix) else matrix.values


def as_array(value: Any) -> Array:
    """An array of any number of axes, of Fractions or floats."""
    array = np.asarray(value)
    flat = array.reshape(1, -1)
    return as_matrix(flat).reshape(array.shape)


def evaluate(f: Callable[..., Any], layout: Layout, columns: Array, widths: Sequence[int]) -> Array:
    """The value of f, as columns, at arguments given as columns."""
    value = call(f, layout.split(columns, widths))
    expected = 1 if layout.output.axes == 1 else 2
    if value.ndim != expected:
        raise ShapeError(
            "the value has another number of axes than the signature says",
            given=f"shape {value.shape}",
            expected=layout.signature.text,
            hint="compare the shape that f returns with the signature",
        )
    found = layout.output.to_columns(value)
    require_shape(found, (columns.shape[0], None), "the value")
    return found


def minimal(
    f: Callable[..., Any], layout: Layout, gram: Array, widths: Sequence[int], d: int | None
) -> Coefficients:
    """The coefficients of f at a root of a Gram matrix."""
    known = layout.fixed.get(layout.axis) if d is None else d
    dimensions = [known] if known is not None else [max(1, gram.shape[0]) + k for k in range(4)]
    if is_exact(gram):
        (exact,) = read_matrices(G=gram)
        for size in dimensions:
            if isinstance(exact, FieldMatrix) and exact.field.is_rational:
                root = rational_root(exact, size)
                if root is not None:
                    columns = to_array(root)
                    return solve(columns, evaluate(f, layout, columns, widths))
        gram = np.array([[float(v) for v in row] for row in gram.tolist()]).reshape(gram.shape)
    columns = float_root(gram, dimensions[0])
    return solve(columns, evaluate(f, layout, columns, widths))
