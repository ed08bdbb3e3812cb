"""Actions of group elements on arrays.

An element g of a factor on the axis n acts on every axis of an array that the signature calls n; on
an axis ``n+k`` it acts block by block, in the order written: by g on the blocks of n, by the
identity on others, by D(g) on each copy of an irrep of O(3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from eqvproof.claims.groups.element import Element
from eqvproof.claims.groups.harmonics import irrep_matrix
from eqvproof.claims.groups.matrices import Matrix, multiply_along
from eqvproof.claims.signature import Argument, Axis, Signature, Term
from eqvproof.numbers import Real, current_precision
from eqvproof.numbers.tensor import map_entries
from eqvproof.support.errors import GroupError

Array = np.ndarray[Any, Any]


def act(
    element: Element, array: Array, axes: Sequence[Axis], sizes: Mapping[str, int] | None = None
) -> Array:
    """Applies the element along every axis on which it acts: returns g x.

    A matrix Q acts by ``(Q x)[i] = sum_j Q[i, j] x[j]`` over the j with ``Q[i, j] != 0``: entries
    that do not enter (undefined ones, NaN) do not count.

    Args:
        element: the element.
        array: shape as `axes` say; an object array of exact numbers, or any array of numbers.
        axes: the axes of the array.
        sizes: sizes of names; needed where an axis is a sum of several terms whose sizes are not
            plain.

    Returns:
        A new array. **Exactness**: exact on object arrays and, for permutations and signs, on every
        array; a matrix acts on floats with rounding, and turns integers into Fractions.

    Raises:
        GroupError: the axes do not fit the array or the element.
    """
    if element.each:
        return _in_entry(
            element, array, axes, lambda alone, part, rest: act(alone, part, rest, sizes)
        )
    found = np.asarray(array)
    if found.ndim != len(axes):
        raise GroupError(
            "an array of another number of axes than the signature says",
            given=f"shape {found.shape}",
            expected=" ".join(map(str, axes)),
            hint="add or drop axes of length 1",
        )
    if element.kind.multiplies:
        return _act_by_multiple(element, found, axes)
    result = found.copy()
    known = _known_sizes(element, found.shape, axes, sizes)
    for position, axis in enumerate(axes):
        for acting in _with_dual(element):
            blocks = _find_blocks(acting, axis, known, found.shape[position])
            if blocks:
                front = _apply_to_blocks(acting.acts_as, np.moveaxis(result, position, 0), blocks)
                result = np.moveaxis(front, 0, position)
    if not any(element.vector):
        return result
    for position, axis in enumerate(axes):
        points = _find_blocks(_Acting(element, on="points"), axis, known, found.shape[position])
        front = _add_vector(element, np.moveaxis(result, position, 0), points)
        result = np.moveaxis(front, 0, position)
    return result


@dataclass(frozen=True, slots=True)
class _Acting:
    """An element with the terms of axes on which it acts.

    Attributes:
        element: the element.
        on: "vectors", "duals", or "points", to which a translation adds.
    """

    element: Element
    on: Literal["vectors", "duals", "points"]

    @property
    def acts_as(self) -> Element:
        """Returns the element whose matrix acts: on duals, the inverse transpose."""
        if self.on == "duals":
            return self.element.contragredient()
        return self.element

    def chooses(self, term: Term) -> bool:
        """Checks whether a term is one of those on which it acts."""
        factor = self.element.factor
        if self.on == "points":
            return factor.translates(term)
        return factor.acts_on(term) and factor.is_dual(term) == (self.on == "duals")


def _with_dual(element: Element) -> list[_Acting]:
    """Returns the element on vectors, and its inverse transpose on duals if there are such."""
    found = [_Acting(element, on="vectors")]
    if element.kind.has_dual:
        found.append(_Acting(element, on="duals"))
    return found


def _in_entry(
    element: Element, array: Array, axes: Sequence[Axis],
    act_there: Callable[[Element, Array, tuple[Axis, ...]], Array],
) -> Array:  # fmt: skip
    """Applies an element that acts at one entry of an axis alone."""
    found, place = np.asarray(array).copy(), element.factor.place_of_each(axes)
    if place is None:
        return found
    front, rest = np.moveaxis(found, place, 0), (*axes[:place], *axes[place + 1 :])
    # the ellipsis keeps an entry without further axes an array, and stores its value, not the array
    part = np.asarray(act_there(replace(element, each="", at=0), front[element.at, ...], rest))
    if part.dtype != front.dtype:
        if part.dtype == object:
            front = _to_fractions(front)
        else:
            front = front.astype(part.dtype)
    front[element.at, ...] = part
    return np.moveaxis(front, 0, place)


def _act_by_multiple(element: Element, array: Array, axes: Sequence[Axis]) -> Array:
    """Multiplies by c once for every axis acted on; by 1/c for a dual one."""
    if axis := element.factor.divided(axes):
        raise GroupError(
            f"{element.factor} does not act on a part of the axis {axis}",
            given="an axis that is a sum",
            expected="an axis that is multiplied as a whole",
            hint="make the part an axis, or an argument, of its own",
        )
    c, power = element.multiple, element.factor.power(axes)
    if power == 0 or c == 1:
        return array.copy()
    if array.dtype.kind in "iub":
        array = _to_fractions(array)
    return array * _as_entry(c**power, array)


def _add_vector(element: Element, array: Array, blocks: Sequence[_Block]) -> Array:
    """Adds the vector to blocks of the first axis."""
    if not blocks:
        return array
    if array.dtype.kind in "iub":
        array = _to_fractions(array)
    result = array.copy()
    for block in blocks:
        for row, t in enumerate(element.vector, block.start):
            if t:
                result[row : row + 1] = result[row : row + 1] + _as_entry(t, array)
    return result


def _as_entry(value: Fraction, array: Array) -> Fraction | float:
    """Returns a number as an entry of an array: exact in an array of objects, else a float."""
    if array.dtype == object:
        return value
    return float(value)


def act_all(
    elements: Iterable[Element],
    array: Array,
    axes: Sequence[Axis],
    sizes: Mapping[str, int] | None = None,
) -> Array:
    """Returns g x for a product of elements of factors on different axes (which commute)."""
    for element in elements:
        array = act(element, array, axes, sizes)
    return array


def act_on_argument(
    element: Element, array: Array, argument: Argument, sizes: Mapping[str, int] | None = None
) -> Array:
    """Returns the argument g x; the entries of an index array are relabelled too.

    An entry j of an index array becomes the i with ``p[i] = j``.
    """
    if element.each:

        def act_there(alone: Element, part: Array, axes: tuple[Axis, ...]) -> Array:
            return act_on_argument(alone, part, replace(argument, axes=axes), sizes)

        return _in_entry(element, array, argument.axes, act_there)
    result = act(element, array, argument.axes, sizes)
    if argument.kind == "index" and argument.indexes == element.axis:
        if not element.kind.permutes:
            raise GroupError(
                f"{element.factor} does not act on indices",
                expected="a group of permutations",
                given="positions of an axis",
                hint="take a group of permutations of that axis, or drop the brackets",
            )
        labels = np.array(element.inverse().data)
        result = labels[result.astype(np.int64), ...].astype(array.dtype)
    return result


def act_on_point(
    elements: Iterable[Element],
    inputs: Mapping[str, Array],
    signature: Signature,
    sizes: Mapping[str, int],
) -> dict[str, Array]:
    """Returns the point g x for a product of elements of factors on different axes."""
    point = dict(inputs)
    for element in elements:
        if element.is_identity:
            continue
        for argument in signature.inputs:
            point[argument.name] = act_on_argument(element, point[argument.name], argument, sizes)
    return point


def reach(
    element: Element, errors: Array, axes: Sequence[Axis], sizes: Mapping[str, int] | None = None
) -> Array:
    """Bounds errors after g has acted: ``|M| e`` along every axis on which M acts.

    **Exactness**: floats, rounded outwards. Translations move no error. Raises: GroupError, as
    `act`.
    """
    if element.each:
        return _in_entry(
            element, errors, axes, lambda alone, part, rest: reach(alone, part, rest, sizes)
        )
    if element.kind.multiplies:
        return act(element, errors, axes, sizes)
    known = _known_sizes(element, errors.shape, axes, sizes)
    result = errors
    for position, axis in enumerate(axes):
        for acting in _with_dual(element):
            blocks = _find_blocks(acting, axis, known, errors.shape[position])
            if blocks:
                front = _reach_in_blocks(acting.acts_as, np.moveaxis(result, position, 0), blocks)
                result = np.moveaxis(front, 0, position)
    return result


def _reach_in_blocks(element: Element, errors: Array, blocks: Sequence[_Block]) -> Array:
    """Bounds errors after an element has acted on blocks of the first axis."""
    result = errors.copy()
    for start, irrep in blocks:
        rows = _matrix_on(element, irrep, exact=False)
        matrix = np.abs(np.array(rows, dtype=np.float64)) * (1 + 2.0**-40)
        place = slice(start, start + len(rows))
        # 0 times an error without bound is none that is known
        with np.errstate(all="ignore"):
            result[place] = np.tensordot(matrix, result[place], 1)
    return result


def _known_sizes(
    element: Element, shape: Sequence[int], axes: Sequence[Axis], sizes: Mapping[str, int] | None
) -> dict[str, int]:
    """Returns the sizes of names: given ones, the element's, and those read off the shape."""
    known = dict(sizes or {})
    if isinstance(element.axis, str):
        size = element.size // element.factor.record.reals
        if known.setdefault(element.axis, size) != size:
            raise GroupError(
                f"an element of size {element.size}",
                expected=str(known[element.axis]),
                given=f"an array with {known[element.axis]} entries along {element.axis}",
                hint="draw the element for that size",
            )
    while True:
        before = len(known)
        for axis, length in zip(axes, shape, strict=True):
            missing = [n for n in axis.names if n not in known]
            if len(missing) == 1:
                name = missing[0]
                times = sum(t.coefficient for t in axis.terms if t.name == name)
                rest, remainder = divmod(int(length) - axis.at({**known, name: 0}), times)
                if remainder or rest < 0:
                    raise _misfit(axis, length, known)
                known[name] = rest
        if len(known) == before:
            return known


class _Block(NamedTuple):
    """A block of an axis on which an element acts: its first entry, and the irrep it carries.

    The irrep is "" for other blocks.
    """

    start: int
    irrep: str


def _find_blocks(
    acting: _Acting, axis: Axis, sizes: Mapping[str, int], length: int
) -> list[_Block]:
    """Returns the blocks of an axis on which an element acts."""
    if not any(map(acting.chooses, axis.terms)):
        return []
    if any(n not in sizes for n in axis.names):
        raise GroupError(
            f"the parts of the axis {axis} are not known",
            given=f"length {length}",
            hint="give their sizes",
            expected="the size of each part",
        )
    blocks: list[_Block] = []
    start = 0
    for term in axis.terms:
        size = term.coefficient
        if term.name is not None:
            size *= sizes[term.name]
        if acting.chooses(term):
            step = acting.element.size
            if term.irrep:
                step = 2 * int(term.irrep[:-1]) + 1
            blocks.extend(_Block(k, term.irrep) for k in range(start, start + size, step))
        start += size
    if start != length:
        raise _misfit(axis, length, sizes)
    return blocks


def _misfit(axis: Axis, length: int, sizes: Mapping[str, int]) -> GroupError:
    at = ", ".join(f"{n} = {sizes[n]}" for n in axis.names if n in sizes)
    return GroupError(
        f"an array does not fit the axis {axis}",
        given=f"length {length}",
        expected=f"{axis} at {at}",
        hint="give one size to each name",
    )


def _apply_to_blocks(element: Element, array: Array, blocks: Sequence[_Block]) -> Array:
    """Applies the element to blocks of the first axis."""
    kind = element.kind
    if not kind.moves_directions:
        return array
    if kind.rounds and array.dtype.kind in "iub":
        array = _to_fractions(array)
    result = array.copy()
    for start, irrep in blocks:
        if irrep:
            rows = _matrix_on(element, irrep, exact=array.dtype == object)
            place = slice(start, start + len(rows))
            result[place] = multiply_along(rows, array[place])
        else:
            place = slice(start, start + element.size)
            result[place] = kind.apply(element.data, array[place])
    return result


def _matrix_on(element: Element, irrep: str, *, exact: bool) -> Matrix:
    """Returns the matrix by which an element acts on a block: its own, or that of an irrep."""
    if irrep:
        return _matrix_of_irrep(element.matrix(), irrep, current_precision(), exact)
    return element.matrix()


@lru_cache(maxsize=1024)
def _matrix_of_irrep(matrix: Matrix, irrep: str, bits: int, exact: bool) -> Matrix:  # noqa: FBT001
    """Returns the matrix of an irrep, computed once for each precision `bits`.

    Entries are rationals and enclosures if `exact`; otherwise enclosures are replaced by their
    middles.
    """
    rows = irrep_matrix(np.array(matrix, dtype=object), int(irrep[:-1]), irrep[-1])
    if exact:
        return tuple(map(tuple, rows))
    return tuple(tuple(map(_middle, row)) for row in rows)


def _middle(value: Any) -> Any:
    """Returns the middle of an enclosure, and other numbers as they are."""
    if isinstance(value, Real):
        return value.middle()
    return value


def _to_fractions(array: Array) -> Array:
    return map_entries(lambda v: Fraction(int(v)), array)
