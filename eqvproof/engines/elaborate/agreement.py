"""Compares a Program with its forms: each operation with the lines that were written for it.

Both are evaluated at random arguments in a prime field, where functions are hashes: two different
terms have different values, see `hashed_field`. An operation of which the same lines were written
before, for arguments of the same shapes, is compared once. Nothing else connects the forms of a
certificate with the Program that was traced.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import numpy as np

from eqvproof.engines.elaborate.forms import ROOTS
from eqvproof.engines.elaborate.hashed_field import HashedField
from eqvproof.engines.elaborate.translation import Held, Translation, arguments_of, with_arguments
from eqvproof.numbers.signals import Undefined
from eqvproof.programs import Program
from eqvproof.programs.program import parse_numbers
from eqvproof.support.deadline import require_time

Sizes = Mapping[str, int]
Labels = Mapping[int, int]
#: The seed of arguments and hashes: one certificate is written of one proof.
SEED = 20261129
#: The sizes above the least ones at which both are compared, in the order in which they are tried.
TRIED = ((2, 4), (3, 7), (1, 2))
#: The number of entries of all values of a Program from which on the smallest sizes come first.
MANY = 1 << 22


def agree(program: Program, forms: Translation) -> bool:
    """Checks that each operation of a Program and the lines for it have equal values.

    Args:
        program: the Program.
        forms: the lines.

    Returns:
        Whether they do; False also where no sizes are found at which all are defined.
    """
    tried = [_sizes_above(forms, low, high) for low, high in TRIED]
    if _count_entries(program, tried[0]) > MANY:
        tried.sort(key=partial(_count_entries, program))
    for sizes in tried:
        try:
            return _Comparison(program, forms, sizes).agrees()
        except (Undefined, ZeroDivisionError):
            continue
    return False


def _sizes_above(forms: Translation, low: int, high: int) -> dict[str, int]:
    """Draws sizes that are above the least ones by a number from `low` to `high`."""
    source, rng = forms.source, random.Random(f"eqvproof-forms-{low}")
    sizes = {name: least + rng.randint(low, high) for name, least in source.lows.items()}
    return sizes | {n: s.constant for n, s in source.pins.items() if s.constant is not None}


def _count_entries(program: Program, sizes: Sizes) -> int:
    """Returns the number of entries of all values of a Program."""
    return sum(prod(node.lengths(sizes)) for node in program.nodes)


class _Comparison:
    """The comparison at given sizes."""

    def __init__(self, program: Program, forms: Translation, sizes: Sizes) -> None:
        self.program = program
        self.kinds = [node[0] for node in program.to_json(is_stored=True)["nodes"]]
        self.forms = forms
        self.sizes = sizes
        self.system = HashedField(SEED)

    def agrees(self) -> bool:
        """Checks all operations, and the lines after the last of them."""
        nodes, known = self.program.nodes, set[Hashable]()
        if len(nodes) != len(self.kinds) or self.program.output != self.forms.source.output:
            return False
        ends = [*self.forms.starts[1:], len(self.forms.lines)]
        ends[-1] = self._end_of_last()
        for i, (start, end) in enumerate(zip(self.forms.starts, ends, strict=True)):
            require_time()
            held = [self.forms.held[a] for a in nodes[i].args]
            written = self._written(start, end, held, self.forms.held[i])
            if written is None:
                return False
            pattern = tuple(nodes[i].args.index(a) for a in nodes[i].args)
            shapes = tuple(nodes[a].shape for a in nodes[i].args)
            seen = tuple((h.axes, h.is_zero) for h in held)
            key = (self.kinds[i], pattern, shapes, seen, written)
            if key not in known and not self._agrees_at(i, start, end):
                return False
            known.add(key)
        return self._ends_with_result(ends[-1])

    def _end_of_last(self) -> int:
        """Returns the number of lines up to those that spread the result."""
        last = self.forms.held[-1]
        lines = len(self.forms.lines)
        if last.line is None:
            return self.forms.starts[-1]
        return max(self.forms.starts[-1], min(lines, last.line + 1))

    def _written(self, start: int, end: int, held: Sequence[Held], own: Held) -> Hashable | None:
        """Returns lines as data in which earlier lines are the numbers of arguments, or None.

        They may use no other earlier lines.
        """
        names = {h.line: ("argument", k) for k, h in reversed([*enumerate(held)])}
        lines = []
        for line in self.forms.lines[start:end]:
            used = list[Any]()
            for argument in arguments_of(line.op):
                if argument < start and argument not in names:
                    return None
                used.append(argument - start if argument >= start else names[argument])
            lines.append((with_arguments(line.op, used), line.shape))
        value: Any = own.line
        if own.line is not None:
            value = names.get(own.line, own.line - start)
        return repr((lines, value, own.axes, own.is_zero))

    def _agrees_at(self, i: int, start: int, end: int) -> bool:
        """Checks one operation at random arguments."""
        node, forms, system = self.program.nodes[i], self.forms, self.system
        own = forms.held[i]
        if node.input_name is not None:
            place = [given.name for given in forms.source.inputs].index(node.input_name)
            return forms.lines[start].op == ("Input", place) and own.line == start
        recorded = forms.source.nodes[i]
        if recorded.op == "parameter":
            name, number = forms.lines[start].op
            return name == "Leaf" and forms.leaves[number] == ["digest", recorded.at["digest"]]
        if recorded.op == "form":
            name, number, *_ = forms.lines[start].op
            return bool(name == "Whole" and forms.source.nodes[forms.tables[number]] == recorded)
        values, given = dict[int, Any](), dict[int, Any]()
        exponents = {powers for powers in forms.powers.values() if powers[0] == i}
        for a in node.args:
            if exponents and a == node.args[1]:
                given[a] = self._computed(a)
            elif a not in given:
                given[a] = self._draw(a, values)
        if recorded.op == "eigenvectors":
            return self._holds_eigenvectors(i, start, given[node.args[0]], values)
        expected = node.evaluate(system, [given[a] for a in node.args], self.sizes)
        if own.is_zero and np.any(expected):
            return False
        for number in range(start, end):
            values[number] = self._value_of_line(number, values)
        return np.array_equal(expected, self._spread(i, values))

    def _computed(self, node: int) -> Any:
        """Returns the value of a node that depends on no argument."""
        own = self.program.nodes[node]
        if own.input_name is not None:
            raise Undefined("an exponent that depends on an argument")
        return own.evaluate(self.system, [self._computed(a) for a in own.args], self.sizes)

    def _holds_eigenvectors(
        self, i: int, start: int, matrices: Any, values: dict[int, Any]
    ) -> bool:
        """Checks that an argument stands for eigenvectors of matrices, which a line holds."""
        forms, number = self.forms, self.forms.held[i].line
        listed = [node for node, *_ in forms.eigenvectors]
        if i not in listed or number is None:
            return False
        place = listed.index(i)
        _, matrix, first = forms.eigenvectors[place]
        for line in range(start, number):
            values[line] = self._value_of_line(line, values)
        return bool(
            forms.lines[number].op == ("Input", len(forms.source.inputs) + place)
            and first.to_json() == forms.source.nodes[i].at["start"]
            and matrix in values
            and np.array_equal(matrices, values[matrix])
        )

    def _value_of_line(self, number: int, values: Mapping[int, Any]) -> Any:
        """Returns the value of a line, from those of the lines it uses."""
        line = self.forms.lines[number]
        shape = tuple(size.value(self.sizes) for size in line.shape)
        return _value_of_form(self.forms, self.system, line.op, shape, values, self.sizes)

    def _draw(self, node: int, values: dict[int, Any]) -> Any:
        """Draws the value of a node, and records that of the line that stands for it.

        Indices are numbers in the Program, and indicators of their labels in the forms.
        """
        forms, system, sizes = self.forms, self.system, self.sizes
        held, shape = forms.held[node], self.program.nodes[node].lengths(sizes)
        if held.line is None:
            return _zeros(system, shape)
        if len(held.axes) > len(shape):
            count = forms.size(node, len(shape)).value(sizes)
            array = system.drawn(shape) % count
            wide, labels = (*shape, count), (*(1 for _ in shape), count)
            entries = system.reshape(array, (*shape, 1))
            numbers = _numbers(system, range(count), labels)
            pair = [system.broadcast(x, wide) for x in (entries, numbers)]
            values[held.line] = system.apply("eq", pair)
            return array
        if held.line not in values:  # two arguments may be one value, along other axes
            own = tuple(shape[a] for a in held.axes)
            values[held.line] = _zeros(system, own) if held.is_zero else system.drawn(own)
        return self._spread(node, values)

    def _spread(self, node: int, values: Mapping[int, Any]) -> Any:
        """Returns the value of a node, by that of the line that stands for it."""
        held, shape = self.forms.held[node], self.program.nodes[node].lengths(self.sizes)
        if held.line is None:
            return _zeros(self.system, shape)
        if len(held.axes) > len(shape):
            return values[held.line]
        wide = [shape[a] if a in held.axes else 1 for a in range(len(shape))]
        return self.system.broadcast(self.system.reshape(values[held.line], wide), shape)

    def _ends_with_result(self, start: int) -> bool:
        """Checks that the last line is the result, which the lines from a number on only spread."""
        values = dict[int, Any]()
        expected = self._draw(self.program.output, values)
        for number in range(start, len(self.forms.lines)):
            if not {*arguments_of(self.forms.lines[number].op)} <= values.keys():
                return False
            values[number] = self._value_of_line(number, values)
        last = len(self.forms.lines) - 1
        return last in values and np.array_equal(expected, values[last])


def _numbers(system: Any, values: Sequence[int], shape: Sequence[int]) -> Any:
    return system.fractions([Fraction(v) for v in values], tuple(shape))


def _zeros(system: Any, shape: Sequence[int]) -> Any:
    return system.broadcast(_numbers(system, [0], ()), tuple(shape))


def _value_of_form(
    forms: Translation, system: Any, op: Any, shape: tuple[int, ...], values: Mapping[int, Any],
    sizes: Sizes,
) -> Any:  # fmt: skip
    """Returns the value of a form, from those of the lines before it."""
    match op:
        case "Scalar", number:
            return _numbers(system, [number], ())
        case "Leaf", number:
            return _leaf(system, forms.leaves[number], shape)
        case "Delta", _:
            return _numbers(system, [*np.eye(shape[0], dtype=int).ravel().tolist()], shape)
        case "Add", []:
            return _zeros(system, shape)
        case "Add", lines:
            return system.add([values[k] for k in lines])
        case "Contract", rows, summed, out:
            lengths = dict(zip(out, shape, strict=True))
            lengths |= {label: size.value(sizes) for label, size in summed}
            return _contract(system, rows, out, lengths, values, sizes)
        case "Map", number, lines:
            name = forms.functions[number]
            if isinstance(name, str):
                return system.apply(name, [values[k] for k in lines])
            return system.opaque(name["name"], '"entries"', [values[k] for k in lines], shape)
        case "Choose", condition, axes, chosen, other:
            wide = [1] * len(shape)
            for axis in axes:
                wide[axis] = shape[axis]
            order = sorted(range(len(axes)), key=axes.__getitem__)
            found = system.reshape(system.permute(values[condition], order), wide)
            return system.select(system.broadcast(found, shape), values[chosen], values[other])
        case "Fold", number, argument, axis, _:
            if forms.functions[number] not in ("max", "min", "prod"):
                raise ValueError("a fold by a function of entries")
            return system.reduce(forms.functions[number], values[argument], (axis,))
        case "Sort", _, argument, axis, _:
            return system.sort(values[argument], axis)
        case "Join", parts, axis:
            return system.concat([values[k] for k, _ in parts], axis)
        case "View", view, argument, axis, first, _:
            if view != "Cut":
                return system.reshape(values[argument], shape)
            begin = first.value(sizes)
            return system.take(values[argument], axis, [*range(begin, begin + shape[axis])])
        case "Whole", number, _, parts:
            return _whole(forms, system, number, [values[k] for k, _ in parts], shape)
    raise ValueError(f"no form: {op[0]}")


def _leaf(system: Any, array: Sequence[Any], shape: tuple[int, ...]) -> Any:
    """Returns an array that does not depend on the arguments."""
    match array:
        case "numbers", text:
            return system.fractions(parse_numbers(text), shape)
        case ("counter",):
            return _numbers(system, range(shape[0]), shape)
        case "triangle", offset:
            rows = [int(j <= i + offset) for i in range(shape[0]) for j in range(shape[1])]
            return _numbers(system, rows, shape)
        case "function", name:
            return system.broadcast(system.apply(name, []), shape)
    raise Undefined("numbers that are not stored")


def _whole(
    forms: Translation, system: Any, number: int, given: Sequence[Any], shape: tuple[int, ...]
) -> Any:
    """Returns the value of a function of arrays."""
    name = forms.functions[number]
    if isinstance(name, dict) and "array" in name:
        return system.fractions(parse_numbers(name["array"][1]), shape)
    if isinstance(name, dict) and "power" in name:
        exponent = system.fractions([Fraction(name["power"])], ())
        return system.apply("pow", [*given, system.broadcast(exponent, shape)])
    if not isinstance(name, str):
        return system.opaque(name["name"], None, given, shape)
    if name in ROOTS:
        return system.apply(name, given)
    if name == "inv":
        return system.inverse(*given)
    if name == "det":
        return system.determinant(*given)
    return system.matrix(name, given)


def _contract(
    system: Any, rows: Sequence[Any], out: Sequence[int], lengths: Labels, values: Mapping[int, Any],
    sizes: Sizes,
) -> Any:  # fmt: skip
    """Returns a sum of products, with a factor of ones for labels at which nothing is read."""
    arrays, labels = list[Any](), list[tuple[int, ...]]()
    for argument, places in rows:
        own = tuple(dict.fromkeys(label for place in places for label in _labels(place)))
        array = values[argument]
        plain = [("Lab", label) for label in own]
        if plain != [*places] or array.shape != tuple(lengths[label] for label in own):
            array = _read(system, array, places, own, lengths, sizes)
        arrays.append(array)
        labels.append(own)
    seen = {label for own in labels for label in own}
    for label, length in lengths.items():
        if label not in seen:
            arrays.append(_numbers(system, [1] * length, (length,)))
            labels.append((label,))
    if not arrays:
        return _numbers(system, [1], ())
    return system.contract(arrays, labels, tuple(out), dict(lengths))


def _read(
    system: Any, array: Any, places: Sequence[Any], own: Sequence[int], lengths: Labels,
    sizes: Sizes,
) -> Any:  # fmt: skip
    """Returns an array over labels: the entries at places computed from them."""
    shape = tuple(lengths[label] for label in own)
    at = dict(zip(own, np.indices(shape, sparse=True), strict=True))
    flat: Any = np.zeros(shape, dtype=np.int64)
    for place, length in zip(places, array.shape, strict=True):
        flat = flat * length + _place(place, at, sizes)
    flat = np.broadcast_to(flat, shape)
    entries = system.take(system.reshape(array, (-1,)), 0, flat.ravel().tolist())
    return system.reshape(entries, shape)


def _labels(place: Any) -> list[int]:
    """Returns the labels in a place."""
    if place[0] == "Lab":
        return [place[1]]
    return [label for part in place[1:] if isinstance(part, tuple) for label in _labels(part)]


def _place(place: Any, at: Mapping[int, Any], sizes: Sizes) -> Any:
    """Returns the numbers that a place is, for all values of its labels."""
    match place:
        case "Lab", label:
            return at[label]
        case "Num", number:
            return number
        case "Size", size:
            return size.value(sizes)
    name, a, b = place
    x, y = _place(a, at, sizes), _place(b, at, sizes)
    match name:
        case "Plus":
            return x + y
        case "Minus":
            return np.maximum(x - y, 0)
        case "Times":
            return x * y
        case "Over":
            return x // y
    return x % y
