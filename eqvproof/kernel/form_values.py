"""Evaluates programs in forms at given sizes, in any system of numbers.

The values are those of `rocq/Programs.v`, with None for undefined entries. An entry that is computed
from an undefined entry is undefined, but for `Choose`, which reads the chosen entry only; in `Sort`
and `Whole` the whole line or array is. Every line has the shape that is stated, or the program is
refused; so is one that reads an entry outside of an array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, Protocol

from . import claims, form_functions, forms
from .form_functions import ROOTS, Array, Function, Power
from .form_program import read_program
from .report import Limited, Rejected, spend
from .sizes import Size, as_integers
from .tensors import Tensor, cells, fibres, map_fibres
from .text import MOST_INTEGER

F0, F1 = Fraction(0), Fraction(1)


class System(Protocol):
    """A system of numbers: the operations on which evaluation rests."""

    def sum(self, values: Sequence[Any]) -> Any:
        """Returns the sum of two or more defined numbers."""

    def mul(self, x: Any, y: Any) -> Any:
        """Returns x y."""

    def dot(self, pairs: Sequence[tuple[Any, Any]]) -> Any:
        """Returns the sum of the products of pairs, undefined if a factor is."""

    def apply(self, fn: str, args: list[Any]) -> Any:
        """Returns the value of a function of entries."""

    def choose(self, condition: Any, chosen: Any, other: Any) -> Any:
        """Returns one number where the condition is not 0, else the other."""

    def fold(self, fn: str, values: Sequence[Any]) -> Any:
        """Returns the maximum, minimum or product of numbers."""

    def ascending(self, values: list[Any]) -> list[Any]:
        """Returns numbers in ascending order."""

    def whole(
        self, function: Function, args: Sequence[Tensor], shape: tuple[int, ...]
    ) -> list[Any]:
        """Returns the entries of the value of a function of arrays, which has a shape."""


class Missing:
    """An entry that is not computed; nothing but its product with 0 can be computed from it."""


#: The only instance.
MISSING = Missing()
#: For each line the places of the entries that are needed, in row-major order; None for all of
#: them.
Needed = Sequence[Sequence[int] | None]
Sizes = Mapping[int, int]


@dataclass(frozen=True, slots=True)
class SizedForms:
    """A program in forms at given sizes.

    Attributes:
        lines: the program.
        shapes: of the lines.
        functions: by number.
        leaves: the arrays that do not depend on the arguments, as the certificate holds them.
        stored: the numbers of those of which they are stored, by number.
        digest: that of the forms, with their shapes, functions and numbers.
    """

    lines: forms.Program
    shapes: Sequence[tuple[int, ...]]
    functions: Sequence[Function]
    leaves: Sequence[Any]
    stored: Mapping[int, Sequence[Fraction]]
    digest: str

    def fixed(self) -> list[bool]:
        """Returns, for each line, whether it does not depend on the arguments."""
        found = list[bool]()
        for form in self.lines:
            found.append(
                not isinstance(form, forms.Input)
                and all(found[k] for k in forms.arguments_of(form))
            )
        return found

    def opaque(self) -> list[form_functions.Opaque]:
        """Returns the opaque functions that lines apply."""
        used = {form.function for form in self.lines if isinstance(form, forms.Map | forms.Whole)}
        every = enumerate(self.functions)
        return [f for k, f in every if k in used and isinstance(f, form_functions.Opaque)]


def read_forms(value: Any, path: str, sizes: Mapping[str, int]) -> SizedForms:
    """Reads a program in forms, with the names of axes replaced by their sizes.

    Raises:
        Rejected: it is malformed, or a function is applied as another one.
    """
    read = read_program(value, path, sizes, {})
    if read.parameters:
        raise Rejected(
            f"{path}.leaves: numbers that are not stored, of which only proofs can speak"
        )
    shapes = {shape: as_integers(shape) for shape in set(read.shapes)}
    own = [shapes[shape] for shape in read.shapes]
    return SizedForms(read.lines, own, read.functions, read.leaves, read.stored, read.digest)


def bound_sizes(claim: claims.Claim, shape: Sequence[int]) -> dict[str, int]:
    """Returns the sizes of all names of a claim about one choice of sizes, and its result's shape.

    Raises:
        Rejected: the result does not have the claimed shape, or a name has several sizes.
    """
    if any(low != high for low, high in claim.scope.values()):
        raise Rejected("$.claim.scope: expected one number for each axis name")
    bound = {name: Size.of(claim.pins[name]) for name in claim.input_names}
    claims.bind_output(claim.output, [Size.of(n) for n in shape], bound)
    sizes = {name: size.number for name, size in bound.items()}
    for name, size in claim.pins.items():
        if sizes[name] != size:
            raise Rejected(f"$.claim.scope.{name}: the function returns the size {sizes[name]}")
    return sizes


def evaluate(
    program: SizedForms,
    inputs: Sequence[Tensor],
    system: System,
    needed: Needed | None = None,
    constants: dict[int, Tensor] | None = None,
) -> Tensor:
    """Evaluates the last line of a program.

    Args:
        program: the program.
        inputs: the arguments, by number.
        system: the numbers.
        needed: the needed entries of each line (`needed_entries.needed`); others are `MISSING`.
        constants: values of lines that do not depend on the arguments, which are put there and
            taken from there.
    """
    values: list[Tensor] = []
    is_fixed, wanted = program.fixed(), needed or [None] * len(program.lines)
    for line, (form, shape) in enumerate(zip(program.lines, program.shapes, strict=True)):
        if constants is not None and line in constants:
            values.append(constants[line])
            continue
        args = [values[k] for k in forms.arguments_of(form)]
        places = wanted[line]
        if isinstance(form, forms.Input | forms.View) and places is None:
            spend(20)  # the list stays
            value = Tensor(shape, _line_values(program, form, shape, args, inputs, system))
        elif places is None or not isinstance(form, ENTRYWISE):
            spend(20 + 2 * cells(shape) + sum(len(t.values) for t in args))
            value = Tensor(shape, _line_values(program, form, shape, args, inputs, system))
        else:
            spend(20 + (1 + len(args)) * len(places) + cells(shape) // 16)
            value = spread_entries(
                shape, places, _line_values_at(program, form, shape, args, system, places)
            )
        if len(value.values) != cells(shape):
            raise Rejected(f"line {line}, a {type(form).__name__}, does not have its shape")
        if constants is not None and is_fixed[line]:
            constants[line] = value
        values.append(value)
    return values[-1]


def spread_entries(shape: tuple[int, ...], places: Sequence[int], values: Sequence[Any]) -> Tensor:
    """Builds the tensor with these values at these places, and MISSING elsewhere."""
    result: list[Any] = [MISSING] * cells(shape)
    for p, value in zip(places, values, strict=True):
        result[p] = value
    return Tensor(shape, result)


def require_shape(value: Tensor, shape: Sequence[int]) -> list[Any]:
    """Returns the entries of a tensor that must have a shape."""
    if value.shape != tuple(shape):
        raise Rejected(f"an array of shape {list(value.shape)} where {list(shape)} is stated")
    return value.values


def _line_values(
    program: SizedForms, form: forms.Form, shape: tuple[int, ...], args: list[Tensor],
    inputs: Sequence[Tensor], system: System,
) -> list[Any]:  # fmt: skip
    """Returns all entries of a line."""
    match form:
        case forms.Input(number):
            if number >= len(inputs):
                raise Rejected("an argument that the claim does not have")
            return require_shape(inputs[number], shape)
        case forms.Scalar(value):
            return [Fraction(value)] * cells(shape)
        case forms.Leaf(number):
            if number in program.stored:
                return list(program.stored[number])
            return _leaf(program.leaves[number], shape, system)
        case forms.Delta(size):
            if shape != (size.number, size.number):
                raise Rejected("an identity matrix of another shape")
            return [Fraction(int(i == j)) for i, j in product(range(shape[0]), repeat=2)]
        case forms.Fold(function, _, axis, size):
            fn = str(program.functions[function])
            if axis > len(shape):
                raise Rejected("a fold along an axis that is not there")
            whole = require_shape(args[0], (*shape[:axis], size.number, *shape[axis:]))
            spend(len(whole))
            return [
                system.fold(fn, [whole[i] for i in line]) for line in fibres(args[0].shape, axis)
            ]
        case forms.Sort(_, _, axis, size):
            require_shape(args[0], shape)
            if axis >= len(shape) or shape[axis] != size.number:
                raise Rejected("a sort along an axis of another size")
            return map_fibres(shape, args[0], axis, system.ascending)
        case forms.Join(rows, axis):
            return _join(shape, args, [size.number for _, size in rows], axis)
        case forms.Whole():
            return _whole(program.functions[form.function], form, shape, args, system)
        case _:
            return _line_values_at(program, form, shape, args, system, range(cells(shape)))


def _line_values_at(
    program: SizedForms, form: forms.Form, shape: tuple[int, ...], args: list[Tensor], system: System,
    places: Sequence[int],
) -> list[Any]:  # fmt: skip
    """Returns the entries at some places of a line that is computed entry by entry."""
    match form:
        case forms.Add():
            spend(2 * len(args) * len(places))
            columns = [require_shape(t, shape) for t in args]
            return [sum_defined([own[p] for own in columns], system) for p in places]
        case forms.Map(function):
            columns, known = [require_shape(t, shape) for t in args], program.functions[function]
            if isinstance(known, str):
                return [system.apply(known, [own[p] for own in columns]) for p in places]
            return [
                system.whole(known, [Tensor((), [own[p]]) for own in columns], ())[0]
                for p in places
            ]
        case forms.Choose(_, axes):
            conditions = [args[0].values[p] for p in condition_places(args[0].shape, axes, shape)]
            chosen, other = (require_shape(t, shape) for t in args[1:])
            return [system.choose(conditions[p], chosen[p], other[p]) for p in places]
        case forms.Contract():
            return _contract(form, shape, args, system, places)
        case forms.View("Cut", _, axis, first, second):
            at = cut_places(args[0].shape, axis, (first.number, second.number), shape)
            return [args[0].values[at[p]] for p in places]
        case forms.View(view, _, axis, first, second):
            kept = _regrouped(view, shape, args[0], axis, (first.number, second.number))
            return [kept[p] for p in places]
    raise Rejected(f"a {type(form).__name__} is not computed entry by entry")


#: The forms of which an entry depends on single entries of the arguments.
ENTRYWISE = (forms.Add, forms.Map, forms.Choose, forms.Contract, forms.View)


def sum_defined(numbers: Sequence[Any], a: System) -> Any:
    """Returns the sum of numbers, undefined if a term is."""
    if len(numbers) < 2:
        if numbers:
            return numbers[0]
        return F0
    if any(x is None for x in numbers):
        return None
    return a.sum(numbers)


def multiply_defined(x: Any, y: Any, a: System) -> Any:
    """Returns the product of two numbers, undefined if a factor is."""
    if x is None or y is None:
        return None
    return a.mul(x, y)


# -- leaves, joins, and functions of arrays
# --------------------------------------------------------------------------------------------


def _leaf(array: Sequence[Any], shape: tuple[int, ...], system: System) -> list[Any]:
    """Returns the entries of an array of which no numbers are stored."""
    match array:
        case ["counter"]:
            return [Fraction(i) for i in range(shape[0])]
        case ["triangle", most]:
            pairs = product(range(shape[0]), range(shape[1]))
            return [Fraction(int(j <= i + most)) for i, j in pairs]
        case _:
            return [system.apply("pi", [])]


def _join(
    shape: tuple[int, ...], args: Sequence[Tensor], sizes: Sequence[int], axis: int
) -> list[Any]:
    if axis >= len(shape) or shape[axis] != sum(sizes):
        raise Rejected("parts side by side along an axis of another size")
    inner, slabs = cells(shape[axis + 1 :]), list[list[list[Any]]]()
    for value, size in zip(args, sizes, strict=True):
        entries, step = (
            require_shape(value, (*shape[:axis], size, *shape[axis + 1 :])),
            size * inner,
        )
        slabs.append([entries[o * step : (o + 1) * step] for o in range(cells(shape[:axis]))])
    return [x for parts in zip(*slabs, strict=True) for part in parts for x in part]


def _regrouped(
    view: str, shape: tuple[int, ...], value: Tensor, axis: int, pair: tuple[int, int]
) -> list[Any]:
    """Returns the entries of one axis seen as two, or of two as one, which keep their order."""
    one: tuple[int, ...] = (pair[0] * pair[1],)
    before, after = {"Split": (one, pair), "Merge": (pair, one)}[view]
    if shape[axis : axis + len(after)] != after:
        raise Rejected("a view of another shape")
    return require_shape(value, (*shape[:axis], *before, *shape[axis + len(after) :]))


def cut_places(
    given: tuple[int, ...], axis: int, part: tuple[int, int], shape: tuple[int, ...]
) -> list[int]:
    """Returns the places in an array of the entries of a part of an axis: its start and its size."""
    start, size = part
    if axis >= len(shape) or axis >= len(given):
        raise Rejected("a part of an axis that is not there")
    cut = given[axis]
    if shape[axis] != size:
        raise Rejected("a part of another size than the axis of the line")
    if given != (*shape[:axis], cut, *shape[axis + 1 :]) or start + size > cut:
        raise Rejected("a part that is not inside of its axis")
    inner = cells(given[axis + 1 :])
    spend(cells(shape))
    return [
        o * cut * inner + i
        for o in range(cells(given[:axis]))
        for i in range(start * inner, (start + size) * inner)
    ]


def _whole(
    function: Function,
    form: forms.Whole,
    shape: tuple[int, ...],
    args: Sequence[Tensor],
    system: System,
) -> list[Any]:
    """Returns the entries of a function of arrays, at each index of the axes that it does not see."""
    batch, own = shape[: form.batch], shape[form.batch :]
    if isinstance(function, Array):
        if function.form is None:
            return list(function.numbers)
        return _form_entries(own[0], signs=function.form)
    seen = [as_integers(sizes) for _, sizes in form.arguments]
    columns = [require_shape(t, (*batch, *z)) for t, z in zip(args, seen, strict=True)]
    found, steps = list[Any](), [cells(z) for z in seen]
    spend(sum(len(entries) for entries in columns) + cells(shape))
    for k in range(cells(batch)):
        parts = [
            Tensor(z, entries[k * n : (k + 1) * n])
            for z, n, entries in zip(seen, steps, columns, strict=True)
        ]
        if isinstance(function, Power):
            found.append(system.apply("pow", [*parts[0].values, function.exponent]))
        elif function in ROOTS:
            found.append(system.apply(str(function), parts[0].values))
        else:
            found += system.whole(function, parts, own)
    return found


def _form_entries(size: int, *, signs: bool) -> list[Any]:
    """Returns the entries of diag(1, -1, ..., -1), or of [[0, I], [-I, 0]]."""
    spend(size * size)
    pairs = product(range(size), repeat=2)
    if signs:
        diagonal = [F1, *[-F1] * size]
        return [diagonal[i] if i == j else F0 for i, j in pairs]
    return [Fraction((2 * (j - i) == size) - (2 * (i - j) == size)) for i, j in pairs]


# -- sums of products
# --------------------------------------------------------------------------------------------


def offsets(
    labels: Sequence[int], row: Sequence[int], shape: Sequence[int], sizes: Sizes
) -> list[int]:
    """Returns what each choice of the labels adds to the position in an argument.

    The choices are in row-major order.
    """
    strides = dict.fromkeys(labels, 0)
    for i, label in enumerate(row):
        if label in strides:
            strides[label] += cells(shape[i + 1 :])
    found = [0]
    for label in labels:
        found = [o + k * strides[label] for o in found for k in range(sizes[label])]
    return found


def condition_places(
    given: tuple[int, ...], axes: Sequence[int], shape: tuple[int, ...]
) -> list[int]:
    """Returns the place in a condition that each entry of a choice reads."""
    if any(axis >= len(shape) for axis in axes) or given != tuple(shape[axis] for axis in axes):
        raise Rejected("a condition of another shape")
    labels = range(len(shape))
    spend(cells(shape) // 4)
    return offsets(labels, axes, given, dict(enumerate(shape)))


@dataclass(frozen=True, slots=True)
class ReadRow:
    """A factor of a sum of products, as an array that is read at labels alone.

    Attributes:
        labels: the label at which each axis is read.
        shape: the sizes of the axes.
        at: the places of the entries in the argument; None where they are its own.
    """

    labels: tuple[int, ...]
    shape: tuple[int, ...]
    at: Sequence[int] | None

    def entries(self, value: Tensor) -> list[Any]:
        """Returns the entries that are read."""
        if self.at is None:
            return value.values
        return [value.values[p] for p in self.at]


def label_sizes(form: forms.Contract, shape: tuple[int, ...]) -> dict[int, int]:
    """Returns the sizes of the labels of a sum of products."""
    if len(form.out) != len(shape):
        raise Rejected("a sum of products of another rank")
    sizes = dict(zip(form.out, shape, strict=True))
    sizes |= {label: size.number for label, size in form.summed}
    if len(sizes) != len(form.out) + len(form.summed):
        raise Rejected("a label of two axes")
    return sizes


def read_row(row: forms.Row, given: tuple[int, ...], sizes: Sizes) -> ReadRow:
    """Returns a factor of a sum of products over the labels in its places.

    Raises:
        Rejected: an entry outside of the array is read.
    """
    _, places = row
    if len(places) != len(given):
        raise Rejected("an array that is read at another number of places than it has axes")
    labels = tuple(dict.fromkeys(label for place in places for label in forms.labels_of(place)))
    if any(label not in sizes for label in labels):
        raise Rejected("a label without a size")
    plain = tuple(place.label for place in places if isinstance(place, forms.Lab))
    if len(plain) == len(places):
        if any(sizes[label] > n for label, n in zip(plain, given, strict=True)):
            raise Rejected("an entry outside of an array is read")
        return ReadRow(plain, given, None)
    shape = tuple(sizes[label] for label in labels)
    count = cells(shape)
    at = [0] * count
    for place, size in zip(places, given, strict=True):
        spend(2 * count)
        own = _indices(place, labels, shape)
        if any(not 0 <= k < size for k in own):
            raise Rejected("an entry outside of an array is read")
        at = [p * size + k for p, k in zip(at, own, strict=True)]
    return ReadRow(labels, shape, at)


_ARITHMETIC: dict[type, Callable[[int, int], int]] = {
    forms.Plus: lambda a, b: a + b,
    forms.Minus: lambda a, b: max(a - b, 0),
    forms.Times: lambda a, b: a * b,
    forms.Over: lambda a, b: a // b if b else 0,
    forms.Modulo: lambda a, b: a % b if b else a,
}


def _indices(place: forms.Place, labels: Sequence[int], shape: tuple[int, ...]) -> list[int]:
    """Returns the index that a place is, for each choice of labels in row-major order."""
    count = cells(shape)
    spend(4 + count)
    match place:
        case forms.Lab(label):
            axis = labels.index(label)
            inner = cells(shape[axis + 1 :])
            one = [k for k in range(shape[axis]) for _ in range(inner)]
            return one * cells(shape[:axis])
        case forms.Num(number):
            return [number] * count
        case forms.SizePlace(size):
            return [size.number] * count
    first, second = (_indices(part, labels, shape) for part in (place.first, place.second))
    combine = _ARITHMETIC[type(place)]
    found = [combine(a, b) for a, b in zip(first, second, strict=True)]
    if max(found, default=0) > MOST_INTEGER:
        raise Limited("a place that is too large a number")
    return found


def _contract(
    form: forms.Contract, shape: tuple[int, ...], args: list[Tensor], system: System,
    places: Sequence[int],
) -> list[Any]:  # fmt: skip
    """Evaluates a sum of products from left to right.

    Multiplies by the next factor, and sums over labels that are not needed later.
    """
    sizes = label_sizes(form, shape)
    if any(size.number == 0 for _, size in form.summed):
        return [F0] * len(places)
    rows = [read_row(row, t.shape, sizes) for row, t in zip(form.rows, args, strict=True)]
    factors = [(row, row.entries(t)) for row, t in zip(rows, args, strict=True)]
    factors = factors or [(ReadRow((), (), None), [F1])]
    unread = {label for label, _ in form.summed}.difference(*(row.labels for row in rows))
    left, known, labels = [F1], tuple[int, ...](), tuple[int, ...]()
    for i, (row, right) in enumerate(factors):
        is_last = i == len(factors) - 1
        present = dict.fromkeys([*labels, *row.labels])
        later = {label for other, _ in factors[i + 1 :] for label in other.labels}
        kept = tuple(label for label in present if label in later | {*form.out})
        if is_last:
            kept, present = form.out, present | dict.fromkeys(unread)
        summed = tuple(label for label in present if label not in kept)
        spend(sum(cells([sizes[label] for label in chosen]) for chosen in (kept, summed)) // 4)
        outer, inner = (
            list(
                zip(
                    offsets(x, labels, known, sizes),
                    offsets(x, row.labels, row.shape, sizes),
                    strict=True,
                )
            )
            for x in (kept, summed)
        )
        if is_last:
            outer = [outer[p] for p in places]
        spend(min(i + 1, 2) * cells([len(outer), len(inner)]))
        if i == 0:
            left = [sum_defined([right[q + t] for _, t in inner], system) for _, q in outer]
        else:
            left = [system.dot([(left[p + s], right[q + t]) for s, t in inner]) for p, q in outer]
        labels, known = kept, tuple(sizes[label] for label in kept)
    return left
