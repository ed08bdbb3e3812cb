"""The values of programs in forms, in floats: a second evaluation, written from the format alone.

Used on certificates that the kernel accepts after a change, so it need not be safe or quick.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from typing import Any

import numpy as np

from tests.kernel import oracle
from tests.kernel.encoding import written

JSON = dict[str, Any]
Sizes = dict[str, int]


def value(
    forms: JSON, claim: JSON, inputs: dict[str, Any], sizes: Sizes, *, is_point: bool = False
) -> Any:
    """The value of the last line, NaN where undefined; an entry outside of an array is an error.

    In a proof indices stand for the indicators of their labels; at a point they are numbers.
    """
    given = [inputs[entry["name"]] for entry in claim["inputs"]]
    for k, entry in enumerate(claim["inputs"]):
        if entry["type"] == "index" and not is_point:
            given[k] = (given[k][..., None] == np.arange(sizes[entry["indexes"]])).astype(float)
    values: list[Any] = []
    with np.errstate(all="ignore"):
        for number, *used in forms["lines"]:
            own, name, *fields = forms["kinds"][number]
            shape = tuple(oracle.size(s, sizes) for s in forms["shapes"][own])
            args = [values[k] for k in used]
            if name == "Input" and fields[0] >= len(given):
                found = _eigenvectors(forms, values, fields[0] - len(given), shape, sizes)
            else:
                found = np.asarray(_form(forms, given, name, fields, shape, args, sizes), dtype=float)
            assert found.shape == shape, (name, found.shape, shape)
            values.append(found)
    return values[-1]


def _eigenvectors(forms: JSON, values: list[Any], number: int, shape: tuple[int, ...], sizes: Sizes) -> Any:
    """Columns of eigenvectors of the matrices on a line, with random signs; NaN where eigenvalues tie."""
    entry = forms["eigenvectors"][number]
    matrices, start = values[entry["matrix"]], oracle.size(entry["start"], sizes)
    symmetric = (matrices + np.swapaxes(matrices, -1, -2)) / 2
    found = np.full(matrices.shape, np.nan)
    for at in np.ndindex(matrices.shape[:-2]):
        if not np.isnan(symmetric[at]).any():
            eigenvalues, vectors = np.linalg.eigh(symmetric[at])
            if (np.diff(eigenvalues) > 1e-6 * np.abs(eigenvalues).max()).all():
                found[at] = vectors * np.random.default_rng().choice([-1.0, 1.0], size=len(vectors))
    if len(shape) < matrices.ndim:
        return found[..., start]
    return found[..., start : start + shape[-1]]


def _form(
    forms: JSON, given: list[Any], name: str, fields: list[Any], shape: tuple[int, ...], args: list[Any],
    sizes: Sizes,
) -> Any:  # fmt: skip
    match name, fields:
        case "Input", [number]:
            return given[number]
        case "Scalar", [number]:
            return np.full(shape, float(number))
        case "Leaf", [number]:
            return _array(forms["leaves"][number], shape)
        case "Delta", [_]:
            return np.eye(*shape)
        case "Contract", [rows, summed, out]:
            return _contract(rows, summed, out, shape, args, sizes)
        case "Add", _:
            return sum(args, np.zeros(shape))
        case "Map", [function, _]:
            return _map(forms["functions"][function], args)
        case "Choose", [_, axes, _, _]:
            condition, chosen, other = args
            at = np.indices(shape)
            read = condition[tuple(at[a] for a in axes)]
            return np.where(np.isnan(read), np.nan, np.where(read != 0, chosen, other))
        case "Fold", [function, _, axis, size]:
            assert args[0].shape[axis] == oracle.size(size, sizes)
            node = {"op": "reduce", "fn": forms["functions"][function], "axes": [axis]}
            return oracle._node(node, shape, args, {}, {})
        case "Sort", [_, _, axis, _]:
            return oracle._node({"op": "sort", "axis": axis}, shape, args, {}, {})
        case "Join", [_, axis]:
            return np.concatenate(args, axis=axis)
        case "View", ["Cut", _, axis, start, size]:
            begin, count = oracle.size(start, sizes), oracle.size(size, sizes)
            assert begin + count <= args[0].shape[axis]
            return np.take(args[0], range(begin, begin + count), axis)
        case "View", ["Split", _, axis, first, second]:
            own = (oracle.size(first, sizes), oracle.size(second, sizes))
            return args[0].reshape(*args[0].shape[:axis], *own, *args[0].shape[axis + 1 :])
        case "View", ["Merge", _, axis, first, second]:
            own = (oracle.size(first, sizes), oracle.size(second, sizes))
            assert args[0].shape[axis : axis + 2] == own
            merged = args[0].shape[:axis], args[0].shape[axis + 2 :]
            return args[0].reshape(*merged[0], math.prod(own), *merged[1])
        case "Whole", [function, batch, _]:
            return _whole(forms["functions"][function], batch, shape, args)
    raise ValueError(name)


def _array(leaf: list[Any], shape: tuple[int, ...]) -> Any:
    match leaf:
        case ["numbers", text]:
            return np.array([oracle.number(v) for v in written(text)]).reshape(shape)
        case ["digest", text]:  # of any numbers
            return np.random.default_rng(int(text[-8:], 16)).normal(size=shape)
        case ["counter"]:
            return np.arange(shape[0])
        case ["triangle", offset]:
            return np.tri(*shape, offset)
        case ["function", "pi"]:
            return np.full(shape, math.pi)
        case ["form", signs]:
            half = np.eye(shape[0] // 2)
            return np.diag([1.0] + [-1.0] * (shape[0] - 1)) if signs else np.block(
                [[0 * half, half], [-half, 0 * half]]
            )
    raise ValueError(leaf)


def _place(place: Any, at: dict[int, int], sizes: Sizes) -> int:
    if isinstance(place, int):
        return at[place]
    name, *parts = place
    if name == "Num":
        return int(parts[0])
    if name == "Size":
        return oracle.size(parts[0], sizes)
    a, b = (_place(part, at, sizes) for part in parts)
    return {
        "Plus": a + b, "Minus": max(a - b, 0), "Times": a * b, "Over": a // b if b else 0,
        "Modulo": a % b if b else a,
    }[name]  # fmt: skip


def _contract(
    rows: list[Any], summed: list[Any], out: list[int], shape: tuple[int, ...], args: list[Any], sizes: Sizes
) -> Any:
    found = np.zeros(shape)
    lengths = [oracle.size(size, sizes) for _, size in summed]
    labels = [*out, *(label for label, _ in summed)]
    for point in np.ndindex(shape):
        for more in itertools.product(*map(range, lengths)):
            at = dict(zip(labels, [*point, *more], strict=True))
            read = ((args[k], tuple(_place(p, at, sizes) for p in places)) for k, places in rows)
            found[point] += math.prod(array[index] for array, index in read)
    return found


def _map(function: Any, args: list[Any]) -> Any:
    if isinstance(function, dict):  # some function of the entries at each place
        key = int.from_bytes(hashlib.sha256(function["name"].encode()).digest()[:2], "big") / 2**16
        return np.cos(sum((k + 1) * a for k, a in enumerate(args)) + key)
    if function == "exp":  # without overflow: as for any other function of entries
        return np.exp(np.clip(args[0], -30, 30))
    return oracle._node({"op": "map", "fn": function}, args[0].shape, args, {}, {})


def _whole(function: Any, batch: int, shape: tuple[int, ...], args: list[Any]) -> Any:
    if isinstance(function, str):
        op = "map" if function in oracle.UNARY else "matrix_function"
        return oracle._node({"op": op, "fn": function}, shape, args, {}, {})
    if "power" in function:
        exponent = oracle.number(function["power"])
        return oracle._node({"op": "map", "fn": "pow"}, shape, [*args, exponent], {}, {})
    if "array" in function:
        return _array(function["array"], shape)
    found = np.zeros(shape)
    for index in np.ndindex(shape[:batch]):
        found[index] = oracle._opaque(function, shape[batch:], [a[index] for a in args])
    return found
