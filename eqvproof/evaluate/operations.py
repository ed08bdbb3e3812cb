"""The meaning of each operation, over any number system: one function an operation, one explicit table.

Each function takes the system, the node, the values of its arguments and the axis sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from eqvproof.evaluate.system import NumberSystem
from eqvproof.exact.contraction import contract
from eqvproof.program import ops
from eqvproof.program.reading import indices

Sizes = Mapping[str, int]
Evaluation = Callable[[NumberSystem, Any, Sequence[Any], Sizes], Any]


def shape_of(node: ops.Op, sizes: Sizes) -> tuple[int, ...]:
    """The shape of a node at given sizes."""
    return tuple(s.value(sizes) for s in node.shape)


def _integers(system: NumberSystem, values: Sequence[int], shape: tuple[int, ...]) -> Any:
    known = {v: Fraction(v) for v in set(values)}
    return system.fractions([known[v] for v in values], shape)


def const(system: NumberSystem, node: ops.Const, args: Sequence[Any], sizes: Sizes) -> Any:
    """The tensor itself."""
    return system.fractions(node.values, shape_of(node, sizes))


def size(system: NumberSystem, node: ops.SizeOf, args: Sequence[Any], sizes: Sizes) -> Any:
    """The integer that the size is."""
    return _integers(system, [node.size.value(sizes)], ())


def iota(system: NumberSystem, node: ops.Iota, args: Sequence[Any], sizes: Sizes) -> Any:
    """0, 1, ..., s - 1."""
    shape = shape_of(node, sizes)
    return _integers(system, range(shape[0]), shape)


def indicator(system: NumberSystem, node: ops.Indicator, args: Sequence[Any], sizes: Sizes) -> Any:
    """1 where i = j, or j <= i + offset, else 0; i an index, or an entry of the argument."""
    *batch, columns = shape = shape_of(node, sizes)
    if args:
        places = system.reshape(_integers(system, range(columns), (columns,)), (*(1 for _ in batch), columns))
        entries = system.reshape(args[0], (*batch, 1))
        return system.apply("eq", [system.broadcast(entries, shape), system.broadcast(places, shape)])
    pairs = ((i, j) for i in range(batch[0]) for j in range(columns))
    k = node.offset
    return _integers(system, [int(i == j if k is None else j <= i + k) for i, j in pairs], shape)


def einsum(system: NumberSystem, node: ops.Einsum, args: Sequence[Any], sizes: Sizes) -> Any:
    """out[o] = sum over the labels not in o of the product of the arguments."""
    lengths = dict(zip(node.output, shape_of(node, sizes), strict=True))
    for array, labels in zip(args, node.inputs, strict=True):
        lengths.update(zip(labels, array.shape, strict=True))
    return contract(system, args, node.inputs, node.output, lengths)


def add(system: NumberSystem, node: ops.Add, args: Sequence[Any], sizes: Sizes) -> Any:
    """The sum."""
    return system.add(args)


def elementwise(system: NumberSystem, node: ops.Map, args: Sequence[Any], sizes: Sizes) -> Any:
    """out[i] = fn(x[i], ...)."""
    return system.apply(node.fn, args)


def select(system: NumberSystem, node: ops.Select, args: Sequence[Any], sizes: Sizes) -> Any:
    """out[i] = a[i] if c[i] is not 0 else b[i]."""
    return system.select(*args)


def reduce(system: NumberSystem, node: ops.Reduce, args: Sequence[Any], sizes: Sizes) -> Any:
    """The greatest, the least, or the product over axes."""
    return system.reduce(node.fn, args[0], node.axes)


def concat(system: NumberSystem, node: ops.Concat, args: Sequence[Any], sizes: Sizes) -> Any:
    """One after another."""
    return system.concat(args, node.axis)


def read(system: NumberSystem, node: ops.Read, args: Sequence[Any], sizes: Sizes) -> Any:
    """out[i] = x[places at i], axis after axis."""
    array, shape = args[0], shape_of(node, sizes)
    for axis, (place, axes) in enumerate(zip(node.places, node.axes(), strict=True)):
        counts, size = [shape[k] for k in axes], args[0].shape[axis]
        if place != ops.WHOLE or counts != [size]:
            array = system.take(array, axis, indices(place, counts, size, place.start.value(sizes)))
    return system.reshape(array, shape)


def reshape(system: NumberSystem, node: ops.Reshape, args: Sequence[Any], sizes: Sizes) -> Any:
    """The same entries, row-major."""
    return system.reshape(args[0], shape_of(node, sizes))


def sort(system: NumberSystem, node: ops.Sort, args: Sequence[Any], sizes: Sizes) -> Any:
    """Ascending order."""
    return system.sort(args[0], node.axis)


def matrix(system: NumberSystem, node: ops.Matrix, args: Sequence[Any], sizes: Sizes) -> Any:
    """X^-1, det X, ..."""
    functions: Mapping[str, Callable[..., Any]] = {
        "inv": system.inverse, "det": system.determinant, "pinv": system.pseudo_inverse,
        "eigvals": system.eigenvalues, "spectral": system.spectral,
    }  # fmt: skip
    return functions[node.fn](*args)


def opaque(system: NumberSystem, node: ops.Opaque, args: Sequence[Any], sizes: Sizes) -> Any:
    """The uninterpreted function."""
    return system.opaque(node, args, shape_of(node, sizes))


#: Every operation but `Input`, whose value is given.
EVALUATIONS: tuple[tuple[type[Any], Evaluation], ...] = (
    (ops.Const, const), (ops.SizeOf, size), (ops.Iota, iota), (ops.Indicator, indicator),
    (ops.Einsum, einsum), (ops.Add, add), (ops.Map, elementwise), (ops.Select, select),
    (ops.Reduce, reduce), (ops.Concat, concat), (ops.Read, read),
    (ops.Reshape, reshape), (ops.Sort, sort), (ops.Matrix, matrix), (ops.Opaque, opaque),
)  # fmt: skip
