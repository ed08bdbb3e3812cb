"""The rational functions of a `Ring` as a number system: object arrays of `Ratio`."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.deadline import require_time
from eqvproof.engines.answer import Unable
from eqvproof.engines.decide.ring import Ratio, Ring
from eqvproof.evaluate import matrices
from eqvproof.evaluate.exact_system import taken
from eqvproof.evaluate.walk import run
from eqvproof.exact.contraction import Labels
from eqvproof.exact.einsum import ArrayShapes
from eqvproof.program import Program

Array = NDArray[Any]
#: Products of polynomials at most in one sum; beyond, a decision takes longer than a search.
MOST_PRODUCTS = 400_000
#: Values of functions that are not rational, each a variable: more make polynomials slow.
MOST_ATOMS = 256


def atoms_of(program: Program, sizes: Mapping[str, int]) -> int:
    """How many atoms the value of a Program at one point has at most, as far as that is not over MOST_ATOMS.

    Unused variables make polynomials slower.
    """
    made = (prod(node.lengths(sizes)) for node in program.nodes if not node.is_rational)
    return min(sum(made), MOST_ATOMS)


def value(program: Program, inputs: Mapping[str, Array], sizes: Mapping[str, int], ring: Ring) -> Array:
    """The result as an array of ratios.

    Args:
        program: the program.
        inputs: object arrays of ratios, by name.
        sizes: the axis sizes.
        ring: where the values live.

    Raises:
        Unable: an operation that is not covered, or too large a computation.
    """
    result: Array = run(program, RingSystem(ring), inputs, sizes)
    return result


class RingSystem(ArrayShapes):
    """Arrays of ratios; functions that are not rational make atoms; see `evaluate.system.NumberSystem`."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring

    def fractions(self, values: Sequence[Fraction], shape: tuple[int, ...]) -> Array:
        """The array of these rationals; that of a constant node is kept."""
        known: Array | None = self.ring.kept.get(id(values), (None, None))[1]
        if known is None:
            known = filled(shape, lambda i: self.ring.constant(values[i]))
            if not isinstance(values, list):
                self.ring.kept[id(values)] = values, known  # held, so that no others have this number
        return known

    def contract(
        self, arrays: Sequence[Array], labels: Sequence[Labels], output: Labels, sizes: Mapping[int, int]
    ) -> Array:
        """The sum of products."""
        return _contracted(arrays, labels, output, tuple(sizes[k] for k in output), self.ring)

    def concat(self, arrays: Sequence[Array], axis: int) -> Array:
        """The arrays one after another."""
        return np.concatenate(arrays, axis=axis)

    def take(self, array: Array, axis: int, indices: range | list[int]) -> Array:
        """The entries of an axis at these indices."""
        part: Array = taken(array, axis, indices)
        return part

    def add(self, arrays: Sequence[Array]) -> Array:
        """The sum."""
        return functools.reduce(lambda a, b: np.asarray(np.add(a, b), dtype=object), arrays)

    def apply(self, fn: str, arrays: Sequence[Array]) -> Array:
        """An elementwise function."""
        flat = [a.ravel() for a in arrays]
        return filled(arrays[0].shape if arrays else (), lambda i: self.ring.map(fn, [a[i] for a in flat]))

    def select(self, c: Array, a: Array, b: Array) -> Array:
        """a where c is not 0, else b."""
        flat = [x.ravel() for x in (c, a, b)]
        return filled(c.shape, lambda i: self.ring.choice(*(x[i] for x in flat)))

    def reduce(self, fn: str, array: Array, axes: tuple[int, ...]) -> Array:
        """prod, computed; max and min as atoms that do not see the order."""
        lines = np.moveaxis(array, axes, tuple(range(-len(axes), 0)))
        shape = lines.shape[: lines.ndim - len(axes)]
        rows = lines.reshape(prod(shape), -1)
        return filled(shape, lambda i: self._reduced(fn, list(rows[i])))

    def _reduced(self, fn: str, line: list[Ratio]) -> Ratio:
        if fn == "prod" or len(line) == 1:
            return functools.reduce(operator.mul, line)
        return self.ring.atom(fn, line, symmetric=True)

    def sort(self, array: Array, axis: int) -> Array:
        """Atoms that do not see the order, one for each place."""
        moved = np.moveaxis(array, axis, -1)
        rows = moved.reshape(-1, moved.shape[-1])
        n = rows.shape[1]
        made = filled(
            rows.shape, lambda i: self.ring.atom("sort", list(rows[i // n]), symmetric=True, number=i % n)
        )
        return np.moveaxis(made.reshape(moved.shape), -1, axis)

    def inverse(self, array: Array) -> Array:
        """Inverse matrices, where determinants are invariant."""
        return _matrices(array, array.shape, lambda m: _inverse(m, self.ring))

    def determinant(self, array: Array) -> Array:
        """Determinants."""
        return _matrices(array, array.shape[:-2], lambda m: filled((), lambda _: determinant(m, self.ring)))

    def matrix(self, fn: str, arrays: Sequence[Array]) -> Array:
        """Another function of matrices: a polynomial with coefficients that are atoms."""
        found: Array = matrices.as_unknown(self, fn, arrays)
        return found

    def unknown(self, name: object, arrays: Sequence[Array]) -> Array:
        """Atoms of the entries at each place."""
        flat = [a.ravel() for a in arrays]
        return filled(arrays[0].shape, lambda i: self.ring.atom(repr(name), [a[i] for a in flat]))

    def opaque(
        self, name: str, symmetry: str | None, arrays: Sequence[Array], shape: tuple[int, ...]
    ) -> Array:
        """Atoms of all entries of all arguments."""
        if symmetry is not None:
            raise Unable(f"{name} is known by its assumed symmetry only")
        everything = [entry for a in arrays for entry in a.ravel()]
        return filled(shape, lambda i: self.ring.atom(f"opaque {name}", everything, number=i))


def filled(shape: tuple[int, ...], entry: Callable[[int], Ratio]) -> Array:
    """An object array with entry(i) at flat position i."""
    array = np.empty(int(np.prod(shape, dtype=int)), dtype=object)
    for i in range(array.size):
        require_time()
        array[i] = entry(i)
    return array.reshape(shape)


def _contracted(
    args: Sequence[Array], rows: Sequence[Labels], output: Labels, shape: tuple[int, ...], ring: Ring
) -> Array:
    """Contraction one argument at a time; labels are summed as soon as no later argument needs them."""
    plain = all(x.den is ring.one and not x.domain for a in args for x in a.flat)
    parts = [_numerators(a) for a in args] if plain else list(args)
    zero, one = (x.num if plain else x for x in (ring.constant(0), ring.constant(1)))
    labels: tuple[int, ...] = ()
    current: Array | None = None
    for number, (a, row) in enumerate(zip(parts, rows, strict=True)):
        a, row = _diagonal(a, row)
        union = (*labels, *(k for k in row if k not in labels))
        right = _spread(a, row, union)
        if current is None:
            current = right
        else:
            left = _spread(current, labels, union)
            if np.broadcast(left, right).size > MOST_PRODUCTS:
                raise Unable("a product with too many terms")
            if plain and _longest(left) * _longest(right) > ring.most_terms * 100:
                raise Unable("the polynomials grow too large")
            require_time()
            current = _boxed(left * right)
        labels = union
        later = {k for r in rows[number + 1 :] for k in r} | set(output)
        for axis in reversed(range(len(labels))):
            if labels[axis] not in later:
                current = _summed(current, axis, zero)
                labels = labels[:axis] + labels[axis + 1 :]
    current = _boxed(one) if current is None else current
    result = np.broadcast_to(_spread(current, labels, output), shape)
    return filled(shape, lambda i: ring.ratio(result.flat[i], ring.one)) if plain else result.copy()


def _numerators(a: Array) -> Array:
    """The polynomials of an array of ratios without denominators."""
    return _boxed(_NUMERATORS(a))


_NUMERATORS = np.frompyfunc(lambda x: x.num, 1, 1)


def _boxed(x: Any) -> Array:
    """What a ufunc returns as an array: polynomials look like sequences to NumPy."""
    if isinstance(x, np.ndarray):
        return x
    box = np.empty((), dtype=object)
    box[()] = x
    return box


def _longest(a: Array) -> int:
    return max(map(len, a.flat), default=0)


def _summed(a: Array, axis: int, zero: Any) -> Array:
    if not a.shape[axis]:
        return np.broadcast_to(_boxed(zero), a.shape[:axis] + a.shape[axis + 1 :])
    return _boxed(np.add.reduce(a, axis=axis))


def _diagonal(a: Array, row: tuple[int, ...]) -> tuple[Array, tuple[int, ...]]:
    for label in row:
        while row.count(label) > 1:
            i, j = [k for k, other in enumerate(row) if other == label][:2]
            a = np.diagonal(a, axis1=i, axis2=j)
            row = (*(k for n, k in enumerate(row) if n not in (i, j)), label)
    return a, row


def _spread(a: Array, labels: Sequence[int], union: Sequence[int]) -> Array:
    order = [labels.index(k) for k in union if k in labels]
    moved = np.transpose(a, order)
    spread: Array = moved[(*(slice(None) if k in labels else None for k in union), ...)]
    return spread


def _matrices(a: Array, shape: tuple[int, ...], fn: Callable[[Array], Array]) -> Array:
    if a.shape[-1] > 5:
        raise Unable("a matrix that is too large for a symbolic determinant")
    out = np.empty(shape, dtype=object)
    for i in np.ndindex(a.shape[:-2]):
        result = fn(a[i])
        if result.ndim == 0:
            out[i] = result.item()
        else:
            out[i] = result
    return out


def determinant(m: Array, ring: Ring) -> Ratio:
    """The determinant by Leibniz's formula."""
    n = len(m)
    total = ring.constant(0)
    for p in permutations(range(n)):
        term = ring.constant((-1) ** sum(p[i] > p[j] for i in range(n) for j in range(i + 1, n)))
        for i in range(n):
            term = term * m[i, p[i]]
        total = total + term
    return total


def _inverse(m: Array, ring: Ring) -> Array:
    n = len(m)
    det = determinant(m, ring)
    if not ring.is_invariant(det):
        raise Unable("the inverse of a matrix whose determinant the group moves")
    over = ring.map("recip", [det])

    def entry(k: int) -> Ratio:
        i, j = divmod(k, n)
        minor = np.delete(np.delete(m, j, 0), i, 1)
        return determinant(minor, ring) * ring.constant((-1) ** (i + j)) * over

    return filled((n, n), entry)
