"""Values of programs at given inputs; entries are numbers of `interval`, or None (undefined).

Other number systems put their own operations in the place of some of `OPERATIONS` (`symbolic`).

An entry computed from an undefined entry is undefined, except by `select`, which reads the chosen
entry only; in sort, inv and det the whole fibre or matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any, NoReturn, Protocol

from .functions import SERIES
from .interval import F0, F1, Arithmetic, Number, Real, decide_zero, hi, lo
from .program import Node, Program
from .pseudo import pseudo_inverse
from .report import Limited, Rejected, Undecided, spend
from .rules.leaves import INPUT
from .rules.opaque import OPAQUE
from .rules.read import readers
from .sizes import as_integers
from .symmetric import spectral, symmetric_eigenvalues
from .tensors import Tensor
from .tensors import multiply_rows as product_of

#: Largest number of entries of an array, and of terms of the series of a matrix function.
MOST_CELLS, MOST_TERMS = 100_000, 1_000


class System(Protocol):
    """A number system, with the operations that evaluation uses."""

    def sum(self, values: Sequence[Any]) -> Any:
        """Returns the sum of the values."""

    def mul(self, x: Any, y: Any) -> Any:
        """Returns x y."""

    def dot(self, pairs: Sequence[tuple[Any, Any]]) -> Any:
        """Returns the sum of the products of pairs, undefined if a factor is."""

    def apply(self, fn: str, args: list[Any]) -> Any:
        """Returns the value of an elementwise function."""


class Missing:
    """An entry that is not computed; nothing but its product with 0 can be computed from it."""


class Unknown:
    """An unknown number: some value of a function of which nothing is known.

    `select` may pass over it, and 0 times it is 0; every other operation on it raises Undecided.
    """

    def _asked(self, *_: object) -> NoReturn:
        raise Undecided("a value that rests on an unknown function")

    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __neg__ = __abs__ = __bool__ = __getattr__ = _asked
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = (
        _asked
    )
    __hash__ = object.__hash__


#: The only instance of each.
MISSING, UNKNOWN = Missing(), Unknown()
#: For each node the places of the entries that are needed, in row-major order; None for all of
#: them.
Wanted = Sequence[Sequence[int] | None]


def evaluate(
    program: Program,
    inputs: Mapping[str, Tensor],
    arithmetic: System,
    operations: Mapping[str, Evaluation] | None = None,
    wanted: Wanted | None = None,
    constants: dict[int, Tensor] | None = None,
) -> Tensor:
    """Evaluates the output node of a program whose shapes are all constants.

    Args:
        program: the program.
        inputs: by name.
        arithmetic: the numbers.
        operations: in place of `OPERATIONS`.
        wanted: the needed entries of each node (`wanted.wanted`); others are `MISSING`.
        constants: values of nodes that do not depend on the inputs, which are put there and taken
            from there.
    """
    known = operations or OPERATIONS
    values: list[Tensor] = []
    fixed: list[bool] = []
    for i, node in enumerate(program.nodes):
        fixed.append(node.op != INPUT and all(fixed[a] for a in node.args))
        if constants is not None and i in constants:
            values.append(constants[i])
            continue
        shape = as_integers(node.shape)
        args = [values[a] for a in node.args]
        places = None if wanted is None else wanted[i]
        if node.op == "reshape":
            spend(20)  # the list stays
        elif places is None:
            spend(20 + 2 * cells(shape) + sum(len(t.values) for t in args))
        else:
            spend(20 + (1 + len(args)) * len(places) + cells(shape) // 16)
        if node.op == INPUT:
            value = inputs[node.at["name"]]
        elif node.op in LEAVES:
            value = Tensor(shape, LEAVES[node.op](node, shape))
        elif places is not None and node.op in ENTRYWISE:
            few = (len(places),)
            picked = [Tensor(few, [t.values[p] for p in places]) for t in args]
            value = spread_entries(shape, places, known[node.op](node, few, picked, arithmetic))
        elif places is not None and node.op == "einsum":
            value = spread_entries(
                shape, places, _evaluate_einsum(node, shape, args, arithmetic, places)
            )
        elif node.op in known:
            value = Tensor(shape, known[node.op](node, shape, args, arithmetic))
        else:
            raise Rejected(f"a program that uses {node.op} has no value")
        if constants is not None and fixed[i]:
            constants[i] = value
        values.append(value)
    return values[program.output]


def spread_entries(shape: tuple[int, ...], places: Sequence[int], values: Sequence[Any]) -> Tensor:
    """Builds the tensor with these values at these places, and MISSING elsewhere."""
    result: list[Any] = [MISSING] * cells(shape)
    for p, value in zip(places, values, strict=True):
        result[p] = value
    return Tensor(shape, result)


def cells(shape: Sequence[int]) -> int:
    """Returns the number of entries of a shape; raises Limited if it is too large.

    In the check of the limit, sizes 0 count as 1.
    """
    count = 1
    for size in shape:
        count *= max(size, 1)
        if count > MOST_CELLS:
            raise Limited(f"an array of more than {MOST_CELLS} entries")
    if 0 in shape:
        return 0
    return count


def fibres(shape: Sequence[int], axis: int) -> list[range]:
    """Returns the positions along an axis, for each choice of the other indices.

    The choices are in row-major order.
    """
    inner = cells(shape[axis + 1 :])
    step = shape[axis] * inner
    outer = range(cells(shape[:axis]))
    return [range(o * step + i, (o + 1) * step, inner) for o in outer for i in range(inner)]


def map_fibres(
    shape: tuple[int, ...], old: Tensor, axis: int, f: Callable[[list[Any]], list[Any]]
) -> list[Any]:
    """Replaces every fibre along an axis by its image under f, and returns the values."""
    spend(2 * len(old.values) + 2 * cells(shape))
    result: list[Any] = [None] * cells(shape)
    for before, after in zip(fibres(old.shape, axis), fibres(shape, axis), strict=True):
        result[after.start : after.stop : after.step] = f([old.values[i] for i in before])
    return result


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


# -- products
# --------------------------------------------------------------------------------------------


def offsets(
    labels: Sequence[int], row: Sequence[int], shape: Sequence[int], sizes: Mapping[int, int]
) -> list[int]:
    """Returns what each choice of the labels adds to the position in an argument.

    The choices are in row-major order.
    """
    strides = dict.fromkeys(labels, 0)
    for i, label in enumerate(row):
        if label in strides:
            strides[label] += cells(shape[i + 1 :])
    offsets = [0]
    for label in labels:
        offsets = [o + k * strides[label] for o in offsets for k in range(sizes[label])]
    return offsets


def _evaluate_einsum(
    node: Node,
    shape: tuple[int, ...],
    args: list[Tensor],
    a: System,
    places: Sequence[int] | None = None,
) -> list[Any]:
    """Evaluates an einsum from left to right.

    Multiplies by the next argument, and sums over labels that are not needed later.

    Only the given places of the result are computed, if any are given.
    """
    rows, output = node.at["inputs"], node.at["output"]
    sizes = dict(zip(output, shape, strict=True))
    for row, arg in zip(rows, args, strict=True):
        sizes.update(zip(row, arg.shape, strict=True))
    if any(size == 0 for label, size in sizes.items() if label not in output):
        return [F0] * (cells(shape) if places is None else len(places))
    value, labels = Tensor((), [F1]), ()
    for i, (row, arg) in enumerate(zip(rows, args, strict=True)):
        later = {label for r in rows[i + 1 :] for label in r} | set(output)
        present = dict.fromkeys([*labels, *row])
        last = i == len(rows) - 1
        if last:
            kept = output
        else:
            kept = tuple(label for label in present if label in later)
        summed = tuple(label for label in present if label not in kept)
        spend(sum(cells([sizes[label] for label in chosen]) for chosen in (kept, summed)) // 4)
        outer, inner = (
            list(
                zip(
                    offsets(x, labels, value.shape, sizes),
                    offsets(x, row, arg.shape, sizes),
                    strict=True,
                )
            )
            for x in (kept, summed)
        )
        if last and places is not None:
            outer = [outer[p] for p in places]
        left, right = value.values, arg.values
        spend(min(i + 1, 2) * cells([len(outer), len(inner)]))
        if i == 0:
            numbers = [sum_defined([right[q + t] for _, t in inner], a) for _, q in outer]
        else:
            numbers = [a.dot([(left[p + s], right[q + t]) for s, t in inner]) for p, q in outer]
        value, labels = Tensor(tuple(sizes[label] for label in kept), numbers), kept
    return value.values


# -- entrywise, along axes, whole matrices
# ---------------------------------------------------------------


def _evaluate_add(node: Node, shape: tuple[int, ...], args: list[Tensor], a: System) -> list[Any]:
    spend(2 * len(args) * cells(shape))
    return [sum_defined(entries, a) for entries in zip(*(t.values for t in args), strict=True)]


def _evaluate_map(node: Node, shape: tuple[int, ...], args: list[Tensor], a: System) -> list[Any]:
    if not args:
        return [a.apply(node.at["fn"], [])]
    return [
        a.apply(node.at["fn"], list(entries))
        for entries in zip(*(t.values for t in args), strict=True)
    ]


def evaluate_select(
    node: Node, shape: tuple[int, ...], args: list[Tensor], a: Arithmetic
) -> list[Any]:
    """Evaluates a choice: the second value where the first is not 0, else the third."""

    def choose(condition: Number, yes: Any, no: Any) -> Any:
        if condition is None:
            return None
        if decide_zero(condition):
            return no
        return yes

    return [choose(*entries) for entries in zip(*(t.values for t in args), strict=True)]


def _fold(fn: str, numbers: list[Number], a: Arithmetic) -> list[Number]:
    if fn == "prod":
        result: Number = F1
        for x in numbers:
            result = multiply_defined(result, x, a)
        return [result]
    real = [x for x in numbers if x is not None]
    if not real or len(real) < len(numbers):
        return [None]
    choose = max if fn == "max" else min
    return [a.enclose(choose(map(lo, real)), choose(map(hi, real)))]


def evaluate_reduce(
    node: Node, shape: tuple[int, ...], args: list[Tensor], a: Arithmetic
) -> list[Any]:
    """Evaluates maxima, minima and products along axes."""
    return reduced(node, args[0], lambda numbers: _fold(node.at["fn"], numbers, a))


def reduced(node: Node, value: Tensor, fold: Callable[[list[Any]], list[Any]]) -> list[Any]:
    """Folds the listed axes one after another, and returns the values."""
    for axis in reversed(node.at["axes"]):
        smaller = (*value.shape[:axis], 1, *value.shape[axis + 1 :])
        values = map_fibres(smaller, value, axis, fold)
        value = Tensor((*smaller[:axis], *smaller[axis + 1 :]), values)
    return value.values


def _evaluate_concat(
    node: Node, shape: tuple[int, ...], args: list[Tensor], a: System
) -> list[Any]:
    result: list[Any] = []
    for parts in zip(*(_slabs(t, node.at["axis"]) for t in args), strict=True):
        for part in parts:
            result += part
    return result


def _slabs(t: Tensor, axis: int) -> list[list[Number]]:
    size = cells(t.shape[axis:])
    return [t.values[o * size : (o + 1) * size] for o in range(cells(t.shape[:axis]))]


def _evaluate_read(node: Node, shape: tuple[int, ...], args: list[Tensor], a: System) -> list[Any]:
    return [args[0].values[p] for p in read_at(node, shape, args[0].shape)]


def read_at(node: Node, shape: tuple[int, ...], given: tuple[int, ...]) -> list[int]:
    """Returns the positions in the argument of the entries that are read.

    The positions at which each axis is read, axis after axis, are added up.
    """
    positions = [0]
    for axis, ((start, steps, cyclic), own) in enumerate(
        zip(node.at["places"], readers(node), strict=True)
    ):
        size, stride, at = given[axis], cells(given[axis + 1 :]), [start.constant]
        for step, k in zip(steps, own, strict=True):
            at = [i + step * j for i in at for j in range(shape[k])]
        if cyclic:
            at = [i % size for i in at]
        positions = [p + stride * i for p in positions for i in at]
    return positions


def evaluate_sort(
    node: Node, shape: tuple[int, ...], args: list[Tensor], a: Arithmetic
) -> list[Any]:
    """Sorts entries in ascending order along an axis."""

    def ascending(numbers: list[Number]) -> list[Number]:
        """Sorts numbers given as intervals.

        The k-th smallest number lies between the k-th smallest lower and upper ends.
        """
        real = [x for x in numbers if x is not None]
        if len(real) < len(numbers):
            return [None] * len(numbers)
        return [
            a.enclose(*ends)
            for ends in zip(sorted(map(lo, real)), sorted(map(hi, real)), strict=True)
        ]

    return map_fibres(shape, args[0], node.at["axis"], ascending)


def _evaluate_indicator(
    node: Node, shape: tuple[int, ...], args: list[Tensor], a: System
) -> list[Any]:
    """Evaluates [x = j] of an entry, or [i = j] or [j <= i + offset] of two indices."""
    places, k = range(shape[-1]), node.at["offset"]
    if args:
        return [a.apply("eq", [x, Fraction(j)]) for x in args[0].values for j in places]
    pairs = product(range(shape[0]), places)
    if k is None:
        return [(F0, F1)[i == j] for i, j in pairs]
    return [(F0, F1)[j <= i + k] for i, j in pairs]


def with_weights(args: list[Tensor]) -> list[tuple[list[list[Any]], list[Any]]]:
    """Returns the matrices in the last two axes, each with its weights, if there are any."""
    t, weights = args[0], [x for other in args[1:] for x in other.values]
    height, width = t.shape[-2:]
    spend(3 * len(t.values) * (width + 1))
    rows = [t.values[i * width : (i + 1) * width] for i in range(cells(t.shape[:-1]))]
    places = [range(k * height, (k + 1) * height) for k in range(cells(t.shape[:-2]))]
    return [(rows[p.start : p.stop], weights[p.start : p.stop]) for p in places]


def _inv(matrix: list[list[Number]], weights: list[Number], a: Arithmetic) -> list[Any]:
    n = len(matrix)
    unit = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    _, rows = eliminate([[*row, *more] for row, more in zip(matrix, unit, strict=True)], a)
    if rows is None:
        return [None] * (n * n)
    return [x for row in rows for x in row[n:]]


def _series(
    signs: Sequence[int], matrix: list[list[Number]], weights: list[Number], a: Arithmetic
) -> list[Any]:
    """Evaluates sum_k s_k M^k / k! with a bound of the remainder.

    No entry of M^k is larger than N^k, where N is at least the sum of the absolute values of the
    entries of each row.

    After the term K, with K + 2 >= 2 N, the others add up to 2 N^(K+1) / (K+1)! at most.
    """
    n, known = len(matrix), [[x for x in row if x is not None] for row in matrix]
    if any(len(row) < n for row in known):
        return [None] * (n * n)
    norm = max((sum((max(abs(lo(x)), abs(hi(x))) for x in row), F0) for row in known), default=F0)
    power: list[list[Real]] = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
    sums: list[Real] = [
        Fraction(signs[0]) * x for row in power for x in row if isinstance(x, Fraction)
    ]
    rest, k = norm, 0
    while rest and (k + 2 < 2 * norm or 2 * rest > Fraction(1, 1 << a.bits)):
        k += 1
        spend(8 * n**3 + k)
        if k > MOST_TERMS:
            raise Limited(f"a series of more than {MOST_TERMS} terms")
        over, sign = Fraction(1, k), Fraction(signs[k % len(signs)])
        power = [[a.mul(over, x) for x in row] for row in product_of(power, known, a)]
        terms = [x for row in power for x in row]
        sums = [a.add(s, a.mul(sign, x)) for s, x in zip(sums, terms, strict=True)]
        rest = rest * norm / (k + 1)
        if all(x == 0 for x in terms):
            rest = F0  # nilpotent: no other terms
    return [a.enclose(lo(s) - 2 * rest, hi(s) + 2 * rest) for s in sums]


def eliminate(rows: list[list[Number]], a: Arithmetic) -> tuple[Number, list[list[Real]] | None]:
    """Eliminates; returns the determinant of the left square part, and the reduced rows.

    The rows are reduced so that the left square part is I; they are None if it is singular.

    Raises:
        Undecided: no pivot is certainly not 0, and some pivot may be.
    """
    m = [[x for x in row if x is not None] for row in rows]
    if [len(row) for row in m] != [len(row) for row in rows]:
        return None, None
    determinant: Real = F1
    for k in range(len(m)):
        pivot = next((i for i in range(k, len(m)) if lo(m[i][k]) > 0 or hi(m[i][k]) < 0), None)
        if pivot is None:
            if all(m[i][k] == 0 for i in range(k, len(m))):
                return F0, None
            raise Undecided("a matrix that may be singular")
        if pivot != k:
            m[k], m[pivot] = m[pivot], m[k]
            determinant = a.mul(Fraction(-1), determinant)
        determinant = a.mul(determinant, m[k][k])
        inverse = a.over(F1, m[k][k])
        m[k] = [a.mul(inverse, x) for x in m[k]]
        for i, row in enumerate(m):
            if i != k and row[k] != 0:
                m[i] = [a.sub(x, a.mul(row[k], y)) for x, y in zip(row, m[k], strict=True)]
    return determinant, m


def _form_entries(size: int, *, signs: bool) -> list[Any]:
    """Returns the entries of diag(1, -1, ..., -1), or of [[0, I], [-I, 0]]."""
    spend(size * size)
    pairs = product(range(size), repeat=2)
    if signs:
        diagonal = [F1, *[-F1] * size]
        return [diagonal[i] if i == j else F0 for i, j in pairs]
    return [Fraction((2 * (j - i) == size) - (2 * (i - j) == size)) for i, j in pairs]


LEAVES: dict[str, Callable[[Node, tuple[int, ...]], list[Any]]] = {
    "const": lambda node, shape: node.at["values"],
    "size": lambda node, shape: [Fraction(node.at["size"].constant)],
    "iota": lambda node, shape: [Fraction(i) for i in range(shape[0])],
    "form": lambda node, shape: _form_entries(shape[0], signs=node.at["signs"]),
}
#: Operations whose entries depend on the same entries of the arguments alone.
ENTRYWISE = ("add", "map", "select")
Evaluation = Callable[[Node, tuple[int, ...], list[Tensor], Any], list[Any]]
#: The entries of a function of one matrix and its weights.
MATRICES: dict[str, Callable[[list[list[Number]], list[Number], Arithmetic], list[Any]]] = {
    "inv": _inv,
    "det": lambda m, _, a: [eliminate(m, a)[0]],
    "eigvals": lambda m, _, a: symmetric_eigenvalues(m, a),
    "pinv": lambda m, _, a: [x for row in pseudo_inverse(m, a) for x in row],
    "spectral": spectral,
    **{fn: partial(_series, signs) for fn, signs in SERIES.items()},
}


def evaluate_matrix(
    node: Node, shape: tuple[int, ...], args: list[Tensor], a: Arithmetic
) -> list[Any]:
    """Evaluates a function of the matrices in the last two axes."""
    f = MATRICES[node.at["fn"]]
    return [x for m, weights in with_weights(args) for x in f(m, weights, a)]


OPERATIONS: dict[str, Evaluation] = {
    "einsum": _evaluate_einsum,
    "add": _evaluate_add,
    "map": _evaluate_map,
    "select": evaluate_select,
    "reduce": evaluate_reduce,
    "concat": _evaluate_concat,
    "read": _evaluate_read,
    "sort": evaluate_sort,
    "indicator": _evaluate_indicator,
    "matrix_function": evaluate_matrix,
    OPAQUE: lambda node, shape, args, a: [UNKNOWN] * cells(shape),
    "reshape": lambda node, shape, args, a: args[0].values,
}


def _entry_read(
    node: Node, shape: tuple[int, ...], shapes: Sequence[tuple[int, ...]], places: set[int]
) -> list[Iterable[int]]:
    spend(cells(shape) // 4)
    at = read_at(node, shape, shapes[0])
    return [[at[p] for p in places]]


def _same_entries(
    node: Node, shape: tuple[int, ...], shapes: Sequence[tuple[int, ...]], places: set[int]
) -> list[Iterable[int]]:
    return [places] * len(shapes)


def _einsum_parts(
    node: Node, shape: tuple[int, ...], shapes: Sequence[tuple[int, ...]], places: set[int]
) -> list[Iterable[int]] | None:
    if len(shapes) > 2:
        return None
    rows, output = node.at["inputs"], node.at["output"]
    sizes = dict(zip(output, shape, strict=True))
    for row, lengths in zip(rows, shapes, strict=True):
        sizes.update(zip(row, lengths, strict=True))
    if len(rows) == 2 and not {*rows[0]} <= {*rows[1], *output}:  # it is summed by itself first
        return None
    found: list[Iterable[int]] = []
    for row, lengths in zip(rows, shapes, strict=True):
        rest = offsets(
            [label for label in dict.fromkeys(row) if label not in output], row, lengths, sizes
        )
        spend((cells(shape) + len(places) * len(rest)) // 4)
        kept = offsets(output, row, lengths, sizes)
        found.append({kept[p] + t for p in places for t in rest})
    return found


#: For each argument the places that enter into entries at some places (None: all places).
PARTS: dict[str, Callable[..., list[Iterable[int]] | None]] = {
    "read": _entry_read,
    "einsum": _einsum_parts,
    **dict.fromkeys((*ENTRYWISE, "reshape"), _same_entries),
}
