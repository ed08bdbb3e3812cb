"""Exact ``np.einsum`` and ``np.tensordot``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from eqvproof.numbers.arrays import unwrap, wrap_array
from eqvproof.numbers.contraction import Labels, contract
from eqvproof.numbers.elementwise import elementwise, matrix_product, sum_entries
from eqvproof.numbers.tensor import Array, take_along_axis


class ArrayShapes:
    """Operations on object arrays that do not depend on the entries."""

    def concat(self, arrays: Sequence[Array], axis: int) -> Array:
        """Joins arrays along an axis."""
        return np.concatenate(arrays, axis=axis)

    def take(self, array: Array, axis: int, indices: range | list[int]) -> Array:
        """Takes the entries of an axis at these indices."""
        part: Array = take_along_axis(array, axis, indices)
        return part

    def stride(self, array: Array, step: int) -> Array:
        """Returns the entries 0, step, 2 step, ... of the first axis."""
        return array[::step]

    def permute(self, array: Array, axes: Sequence[int]) -> Array:
        """Permutes the axes of an array."""
        return np.transpose(array, tuple(axes))

    def reshape(self, array: Array, shape: Sequence[int]) -> Array:
        """Reshapes an array, in row-major order."""
        return array.reshape(tuple(shape))

    def broadcast(self, array: Array, shape: Sequence[int]) -> Array:
        """Repeats an array along axes of size 1."""
        return np.broadcast_to(array, tuple(shape))


class ObjectArithmetic(ArrayShapes):
    """The arithmetic of object arrays of flint numbers (see `contraction.Arithmetic`)."""

    contract = contract

    def multiply(self, a: Array, b: Array) -> Array:
        """Returns the products of entries, with broadcasting."""
        return np.asarray(elementwise("multiply", a, b), dtype=object)

    def matmul(self, a: Array, b: Array) -> Array:
        """Returns the products of stacks of matrices."""
        return matrix_product(a, b)

    def total(self, a: Array, axes: Sequence[int]) -> Array:
        """Returns the sums over some axes."""
        return sum_entries(a, axes)


OBJECTS = ObjectArithmetic()


def einsum(*operands: Any, out: Any = None, **kwargs: Any) -> Any:
    """Computes ``np.einsum``, in both of its call forms."""
    labels, output, raw = parse(operands)
    sizes: dict[int, int] = {}
    for array, names in zip(raw, labels, strict=True):
        if array.ndim != len(names):
            raise ValueError(f"einsum: {len(names)} subscripts for an operand of {array.ndim} axes")
        for label, size in zip(names, array.shape, strict=True):
            if sizes.setdefault(label, size) != size and 1 not in (size, sizes[label]):
                raise ValueError(f"einsum: a label has the sizes {sizes[label]} and {size}")
            sizes[label] = max(size, sizes[label]) if size else 0
    squeezed = [_squeeze(array, names, sizes) for array, names in zip(raw, labels, strict=True)]
    result = contract(OBJECTS, [a for a, _ in squeezed], [ls for _, ls in squeezed], output, sizes)
    value = wrap_array(result)
    if out is None:
        return value
    return np.positive(value, out=out)


def _squeeze(array: Array, labels: Labels, sizes: dict[int, int]) -> tuple[Array, Labels]:
    """Drops axes of size 1 whose label is longer elsewhere (NumPy broadcasts them)."""
    drop = [k for k, label in enumerate(labels) if array.shape[k] == 1 and sizes[label] != 1]
    return np.squeeze(array, tuple(drop)), tuple(ls for k, ls in enumerate(labels) if k not in drop)


def parse(operands: Sequence[Any]) -> tuple[list[Labels], Labels, list[Array]]:
    """Parses an einsum call: integer labels of the inputs and of the output, and the operands."""
    if isinstance(operands[0], str):
        text = operands[0].replace(" ", "")
        raw = [unwrap(x) for x in operands[1:]]
        left, arrow, right = text.partition("->")
        inputs = [_symbols(part) for part in left.split(",")]
        output = None
        if arrow:
            output = _symbols(right)
    else:
        pairs = list(operands)
        output = None
        if len(pairs) % 2:
            output = list(pairs.pop())
        raw = [unwrap(x) for x in pairs[::2]]
        inputs = [list(part) for part in pairs[1::2]]
    if len(inputs) != len(raw):
        raise ValueError(f"einsum: {len(inputs)} subscripts for {len(raw)} operands")
    counts = [
        array.ndim - len(part) + 1 for array, part in zip(raw, inputs, strict=True) if ... in part
    ]
    width = max(counts, default=0)
    if output is None:
        flat = [s for part in inputs for s in part if s is not ...]
        output = sorted(s for s in set(flat) if flat.count(s) == 1)
        if width:
            output = [..., *output]
    symbols = sorted({s for part in (*inputs, output) for s in part if s is not ...}, key=str)
    number = {s: k + width for k, s in enumerate(symbols)}
    expanded = []
    for array, part in zip(raw, inputs, strict=True):
        extra = array.ndim - len(part) + 1
        expanded.append(_expand(part, number, tuple(range(width - extra, width))))
    return expanded, _expand(output, number, tuple(range(width))), raw


def _symbols(text: str) -> list[Any]:
    before, dots, after = text.partition("...")
    if "." in before or "." in after:
        raise ValueError(f"einsum: misplaced dots in {text!r}")
    if dots:
        return [*before, ..., *after]
    return [*before]


def _expand(part: Sequence[Any], number: dict[Any, int], ellipsis: Labels) -> Labels:
    result: list[int] = []
    for s in part:
        if s is ...:
            result.extend(ellipsis)
        else:
            result.append(number[s])
    return tuple(result)


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """Computes ``np.tensordot``."""
    x, y = unwrap(a), unwrap(b)
    if isinstance(axes, (int, np.integer)):
        left, right = list(range(x.ndim - int(axes), x.ndim)), list(range(int(axes)))
    else:
        left, right = ([int(k) for k in np.atleast_1d(part)] for part in axes)
    left, right = [k % x.ndim for k in left], [k % y.ndim for k in right]
    if [x.shape[k] for k in left] != [y.shape[k] for k in right]:
        raise ValueError("shape-mismatch for sum")
    first = list(range(x.ndim))
    second = [x.ndim + k for k in range(y.ndim)]
    for k, m in zip(left, right, strict=True):
        second[m] = first[k]
    kept = [s for s in first if s not in second] + [s for s in second if s not in first]
    return einsum(x, first, y, second, kept)
