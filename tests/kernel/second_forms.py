"""The value of a program in forms, in rational numbers, for the second checker of the grade EXACT.

Written from the format and from `rocq/Programs.v`, with none of the kernel's code.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from tests.kernel.second import (
    BINARY,
    UNARY,
    Entries,
    Index,
    Unsure,
    added,
    entrywise,
    exactly,
    indices,
    listed,
    need,
    one_by_one,
    rearranged,
    sized,
    strict,
    tensor,
    whole,
)

Value = tuple[Index, Entries]
MATRICES = ("inv", "det", "pinv", "eigvals", "spectral", "cholesky", "expm", "cosm", "sinm", "coshm", "sinhm")
KNOWN = ("pi", *UNARY, *BINARY, "arctan2", *MATRICES, "max", "min", "prod", "sort")
PLACES: dict[str, Callable[[int, int], int]] = {
    "Plus": lambda a, b: a + b, "Minus": lambda a, b: max(a - b, 0), "Times": lambda a, b: a * b,
    "Over": lambda a, b: a // b if b else 0, "Modulo": lambda a, b: a % b if b else a,
}  # fmt: skip


def value_of_forms(forms: Any, inputs: dict[str, Value], sizes: dict[str, int]) -> Value:
    """The value of the last line; the arguments are in the order of the claim."""
    functions, leaves, shapes, kinds, lines = exactly(
        forms, "functions", "leaves", "shapes", "kinds", "lines"
    )
    reader = _Reader(sizes)
    known = [_function(f) for f in listed(functions)]
    for leaf in listed(leaves):
        _read_leaf(leaf)
    read_shapes = [tuple(reader.size(s) for s in listed(shape)) for shape in listed(shapes)]
    read_kinds = []
    for kind in listed(kinds, 50_000):
        shape, name, *rest = [*listed(kind), None, None][: max(2, len(kind))]
        need(whole(shape, 0) < len(read_shapes), "a shape")
        read_kinds.append((read_shapes[shape], name, reader.fields(name, rest)))
        used = _arguments(*read_kinds[-1][1:])
        need(used == [*range(len(used))], "arguments in order")
    values: list[Value] = []
    for line in listed(lines, 50_000):
        number, *args = [*listed(line)] or [None]
        need(whole(number, 0) < len(read_kinds), "a kind")
        form, name, at = read_kinds[number]
        need(len(args) == len(_arguments(name, at)), "arguments")
        given = [values[whole(a, 0, len(values) - 1)] for a in args]
        entries = _entries(name, at, form, given, [*inputs.values()], known, listed(leaves))
        need(set(entries) == set(indices(form)), "an entry for every index")
        values.append((form, {i: entries[i] for i in indices(form)}))
    need(values, "lines")
    return values[-1]


def _function(value: Any) -> Any:
    if isinstance(value, str):
        need(value in KNOWN, "a known function")
        return value
    need(isinstance(value, dict), "a function")
    if "array" in value:
        (array,) = exactly(value, "array")
        need(isinstance(array, list) and len(array) == 2 and array[0] in ("form", "numbers"), "an array")
        if array[0] == "form":
            need(type(array[1]) is bool, "signs")
            return ("form", array[1])
        return ("numbers", [Fraction(_canonical(x)) for x in one_by_one(array[1])])
    name, symmetry = exactly(value, "name", "symmetry")
    need(isinstance(name, str) and re.fullmatch("[A-Za-z_][A-Za-z0-9_.]{0,127}", name), "a name")
    if symmetry not in (None, "entries"):
        raise Unsure("an assumed symmetry")
    need(not (name.startswith("at_a_tie.") and symmetry), "no symmetry")
    return ("opaque", name, symmetry)


def _canonical(text: str) -> str:
    return next(iter(tensor({"shape": [1], "values": [text]})[1].values()), None)  # type: ignore[return-value]


class _Reader:
    """Fields of forms."""

    def __init__(self, sizes: dict[str, int]) -> None:
        self.sizes = sizes

    def size(self, value: Any) -> int:
        found = sized(value, self.sizes)
        need(found >= 0, "a size")
        return found

    def place(self, value: Any) -> Any:
        if type(value) is int:
            return whole(value, 0)
        name, *parts = [*listed(value, 3)] or [None]
        if name == "Num":
            need(len(parts) == 1, "a number")
            return ("Num", whole(parts[0], 0))
        if name == "Size":
            need(len(parts) == 1, "a size")
            return ("Num", self.size(parts[0]))
        need(isinstance(name, str) and name in PLACES and len(parts) == 2, "a place")
        return (name, self.place(parts[0]), self.place(parts[1]))

    def row(self, value: Any) -> Any:
        need(len(listed(value)) == 2, "a pair")
        return whole(value[0], 0), [self.place(p) for p in listed(value[1], 32)]

    def pair(self, value: Any) -> Any:
        need(len(listed(value)) == 2, "a pair")
        return whole(value[0], 0), self.size(value[1])

    def seen(self, value: Any) -> Any:
        need(len(listed(value)) == 2, "a pair")
        return whole(value[0], 0), [self.size(s) for s in listed(value[1], 32)]

    def fields(self, name: Any, values: list[Any]) -> list[Any]:
        """The fields of a form."""

        def many(read: Any) -> Any:
            return lambda value: [read(v) for v in listed(value)]

        def natural(value: Any) -> int:
            return whole(value, 0)

        def view(value: Any) -> str:
            need(isinstance(value, str) and value in ("Cut", "Split", "Merge"), "a view")
            return str(value)

        readers: dict[str, list[Any]] = {
            "Input": [natural], "Scalar": [whole], "Leaf": [natural], "Delta": [self.size],
            "Contract": [many(self.row), many(self.pair), many(natural)], "Add": [many(natural)],
            "Map": [natural, many(natural)], "Choose": [natural, many(natural), natural, natural],
            "Fold": [natural, natural, natural, self.size], "Sort": [natural, natural, natural, self.size],
            "Join": [many(self.pair), natural], "Whole": [natural, natural, many(self.seen)],
            "View": [view, natural, natural, self.size, self.size],
        }  # fmt: skip
        need(isinstance(name, str) and name in readers and len(values) == len(readers[name]), "a form")
        return [read(v) for read, v in zip(readers[name], values, strict=True)]


def _arguments(name: str, at: list[Any]) -> list[int]:
    match name:
        case "Contract" | "Join":
            return [row[0] for row in at[0]]
        case "Whole":
            return [row[0] for row in at[2]]
        case "Add":
            return list(at[0])
        case "Map":
            return list(at[1])
        case "Choose":
            return [at[0], at[2], at[3]]
        case "Fold" | "Sort" | "View":
            return [at[1]]
    return []


def _entries(
    name: str, at: list[Any], shape: Index, args: list[Value], inputs: list[Value], known: list[Any],
    leaves: list[Any],
) -> Entries:  # fmt: skip
    shapes, values = [s for s, _ in args], [v for _, v in args]
    match name:
        case "Input":
            need(at[0] < len(inputs) and inputs[at[0]][0] == shape, "an argument of this shape")
            return inputs[at[0]][1]
        case "Scalar":
            return {i: Fraction(at[0]) for i in indices(shape)}
        case "Leaf":
            need(at[0] < len(leaves), "an array")
            return _leaf(leaves[at[0]], shape)
        case "Delta":
            need(shape == (at[0], at[0]), "square")
            return {i: Fraction(i[0] == i[1]) for i in indices(shape)}
        case "Add":
            need(all(s == shape for s in shapes), "equal shapes")
            return {i: added(*(v[i] for v in values)) for i in indices(shape)}
        case "Contract":
            return _contract(at, shape, args)
        case "Choose":
            need(all(a < len(shape) for a in at[1]), "axes")
            need(shapes[0] == tuple(shape[a] for a in at[1]) and shapes[1:] == [shape] * 2, "shapes")
            condition = {i: values[0][tuple(i[a] for a in at[1])] for i in indices(shape)}
            return {
                i: entrywise("select", [], [condition[i], *(v[i] for v in values[1:])])
                for i in indices(shape)
            }
        case "Join":
            sizes, axis = [size for _, size in at[0]], at[1]
            need(axis < len(shape), "an axis")
            need(sizes == [s[axis] if axis < len(s) else None for s in shapes], "sizes")
            if not args:
                need(shape[axis] == 0, "nothing")
                return {}
            return rearranged("concat", [axis], shape, shapes, values, {})
        case "View":
            return _view(at, shape, shapes[0], values[0])
    return _function_of(name, at, shape, args, known)


def _read_leaf(leaf: Any) -> None:
    """Refuses what is no array, whether or not a line reads it."""
    kind, *held = [*listed(leaf)] or [None]
    need(kind in ("numbers", "digest", "counter", "triangle", "function"), "a kind of array")
    need(len(held) == (kind != "counter"), "what an array holds")
    if kind == "numbers":
        list(one_by_one(held[0]))
    if kind == "triangle":
        whole(held[0])
    need(kind != "function" or held == ["pi"], "pi")


def _leaf(leaf: Any, shape: Index) -> Entries:
    kind, *held = [*listed(leaf)] or [None]
    if kind == "numbers" and len(held) == 1:
        return tensor({"shape": list(shape), "values": list(one_by_one(held[0]))})[1]
    if kind == "counter" and not held and len(shape) == 1:
        return {i: Fraction(i[0]) for i in indices(shape)}
    if kind == "triangle" and len(held) == 1 and len(shape) == 2:
        most = whole(held[0])
        return {i: Fraction(i[1] <= i[0] + most) for i in indices(shape)}
    need(kind == "function" and held == ["pi"] and not shape, "an array")
    raise Unsure("pi")


def _place(place: Any, labels: dict[int, int]) -> int:
    if isinstance(place, int):
        return labels[place]
    if place[0] == "Num":
        return int(place[1])
    return PLACES[place[0]](_place(place[1], labels), _place(place[2], labels))


def _labels(place: Any) -> set[int]:
    if isinstance(place, int):
        return {place}
    return set() if place[0] == "Num" else _labels(place[1]) | _labels(place[2])


def _contract(at: list[Any], shape: Index, args: list[Value]) -> Entries:
    rows, summed, out = at
    labels = [*out, *(label for label, _ in summed)]
    need(len(out) == len(shape) and len(labels) == len(set(labels)), "labels")
    sizes = [size for _, size in summed]
    result: Entries = {}
    if 0 in sizes:
        return dict.fromkeys(indices(shape), Fraction(0))
    for (_, places), (form, _) in zip(rows, args, strict=True):
        need(len(places) == len(form), "a place for every axis")
        need(all(_labels(p) <= set(labels) for p in places), "labels with sizes")
        for point in indices([*shape, *sizes]):
            where = dict(zip(labels, point, strict=True))
            need(all(_place(p, where) < n for p, n in zip(places, form, strict=True)), "inside")
    for i in indices(shape):
        terms = []
        for j in indices(sizes):
            where = dict(zip(labels, [*i, *j], strict=True))
            read = [
                v[tuple(_place(p, where) for p in places)]
                for (_, places), (_, v) in zip(rows, args, strict=True)
            ]
            terms.append(strict(lambda *x: math.prod(x, start=Fraction(1)), *read))
        result[i] = added(*terms)
    return result


def _view(at: list[Any], shape: Index, form: Index, x: Entries) -> Entries:
    view, _, axis, first, second = at
    before, own = {
        "Cut": ((form[axis] if axis < len(form) else 0,), (second,)),
        "Split": ((first * second,), (first, second)), "Merge": ((first, second), (first * second,)),
    }[view]  # fmt: skip
    need(shape[axis : axis + len(own)] == own, "its own axes")
    need(form == (*shape[:axis], *before, *shape[axis + len(own) :]), "the axes that it sees")
    if view != "Cut":
        return dict(zip(indices(shape), x.values(), strict=True))
    need(first + second <= before[0], "inside")
    return {i: x[(*i[:axis], first + i[axis], *i[axis + 1 :])] for i in indices(shape)}


def _function_of(
    name: str, at: list[Any], shape: Index, args: list[Value], known: list[Any]
) -> Entries:
    need(at[0] < len(known), "a function")
    function, shapes, values = known[at[0]], [s for s, _ in args], [v for _, v in args]
    if name == "Map":
        need(all(s == shape for s in shapes), "equal shapes")
        if isinstance(function, str):
            need(len(args) < 3, "so many arguments")
            return {i: entrywise("map", [function], [v[i] for v in values]) for i in indices(shape)}
        need(function[0] == "opaque" and function[2] == "entries" and args, "a function of entries")
        raise Unsure("an unknown function")
    if name in ("Fold", "Sort"):
        axis, size = at[2:]
        if name == "Sort":
            need(function == "sort" and axis < len(shape) and shape[axis] == size, "a sort")
            need(shapes[0] == shape, "the same shape")
            return rearranged("sort", [axis], shape, shapes, values, {})
        need(function in ("max", "min", "prod") and axis <= len(shape), "a fold")
        need(shapes[0] == (*shape[:axis], size, *shape[axis:]), "an axis more")
        return rearranged("reduce", [function, [axis]], shape, shapes, values, {})
    _, batch, seen = at
    need(batch <= len(shape) or not args, "axes that are not seen")
    sizes = [tuple(z) for _, z in seen]
    if isinstance(function, tuple) and function[0] != "opaque":
        need(batch == 0 and not args, "an array")
        if function[0] == "numbers":
            need(len(function[1]) == math.prod(shape), "as many numbers")
            return dict(zip(indices(shape), function[1], strict=True))
        need(len(shape) == 2 and shape[0] == shape[1] and (function[1] or shape[0] % 2 == 0), "square")
        half = shape[0]
        if function[1]:
            return {(i, j): Fraction((i == j) * (1 if i == 0 else -1)) for i, j in indices(shape)}
        return {(i, j): Fraction((2 * (j - i) == half) - (2 * (i - j) == half)) for i, j in indices(shape)}
    if isinstance(function, tuple):
        need(function[2] is None and not (function[1].startswith("at_a_tie.") and args), "an opaque one")
        need(shapes == [(*shape[:batch], *z) for z in sizes], "shapes")
        raise Unsure("an unknown function")
    need(shapes == [(*shape[:batch], *z) for z in sizes], "shapes")
    if function in ("sqrt", "cbrt"):
        need(len(args) == 1 and sizes == [()] and shape[batch:] == (), "of numbers")
        return {i: entrywise("map", [function], [values[0][i]]) for i in indices(shape)}
    need(function in MATRICES and len(args) == (2 if function == "spectral" else 1), "of matrices")
    need(len(sizes[0]) == 2 and (function == "pinv" or sizes[0][0] == sizes[0][1]), "a matrix")
    if function not in ("inv", "det"):
        raise Unsure(function)
    return rearranged("matrix_function", [function], shape, shapes, values, {})
