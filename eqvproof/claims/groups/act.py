"""Actions of group elements on arrays.

An element g of a factor on the axis n acts on every axis of an array that the signature calls n; on
an axis ``n+k`` it acts block by block, in the order written: by g on the blocks of n, by the
identity on others, by D(g) on each copy of an irrep of O(3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np

from eqvproof.claims.groups.element import Element, contragredient, inverse
from eqvproof.claims.groups.harmonics import irrep_matrix
from eqvproof.claims.groups.matrices import Matrix, along
from eqvproof.claims.signature import Argument, Axis, Signature, Term
from eqvproof.numbers import Real, current_precision
from eqvproof.numbers.tensor import mapped
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
    kind = element.kind
    if kind.multiple is not None:
        return _multiplied(element, found, axes)
    result = found.copy()
    known = _sizes(element, found.shape, axes, sizes)
    for position, axis in enumerate(axes):
        for dual in (False, True) if kind.has_dual else (False,):
            places = _places(element, axis, known, found.shape[position], dual=dual)
            if places:
                how = contragredient(element) if dual else element
                result = np.moveaxis(
                    _along(how, np.moveaxis(result, position, 0), places), 0, position
                )
    for position, axis in enumerate(axes) if any(element.vector) else ():
        points = _places(element, axis, known, found.shape[position], points=True)
        result = np.moveaxis(
            _translated(element, np.moveaxis(result, position, 0), points), 0, position
        )
    return result


def _in_entry(
    element: Element, array: Array, axes: Sequence[Axis],
    moved: Callable[[Element, Array, tuple[Axis, ...]], Array],
) -> Array:  # fmt: skip
    """Returns the array with one entry of an axis moved by an element that acts there alone."""
    found, place = np.asarray(array).copy(), element.factor.place_of_each(axes)
    if place is None:
        return found
    front, rest = np.moveaxis(found, place, 0), (*axes[:place], *axes[place + 1 :])
    # the ellipsis keeps an entry without further axes an array, and stores its value, not the array
    part = np.asarray(moved(replace(element, each="", at=0), front[element.at, ...], rest))
    if part.dtype != front.dtype:
        if part.dtype == object:
            front = _fractions(front)
        else:
            front = front.astype(part.dtype)
    front[element.at, ...] = part
    return np.moveaxis(front, 0, place)


def _multiplied(element: Element, array: Array, axes: Sequence[Axis]) -> Array:
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
    times = c**power
    if array.dtype.kind in "iub":
        array = _fractions(array)
    return array * (times if array.dtype == object else float(times))


def _translated(element: Element, array: Array, places: Sequence[tuple[int, str]]) -> Array:
    """Adds the vector to the blocks of the first axis that begin at `places`."""
    if not places:
        return array
    if array.dtype.kind in "iub":
        array = _fractions(array)
    result = array.copy()
    exact = array.dtype == object
    for at, _ in places:
        for i, t in enumerate(element.vector):
            if t:
                result[at + i : at + i + 1] = result[at + i : at + i + 1] + (
                    t if exact else float(t)
                )
    return result


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

        def moved(alone: Element, part: Array, axes: tuple[Axis, ...]) -> Array:
            return act_on_argument(alone, part, replace(argument, axes=axes), sizes)

        return _in_entry(element, array, argument.axes, moved)
    result = act(element, array, argument.axes, sizes)
    if argument.kind == "index" and argument.indexes == element.axis:
        if element.factor.kind != "perm":
            raise GroupError(
                f"{element.factor} does not act on indices",
                expected="a group of permutations",
                given="positions of an axis",
                hint="take a group of permutations of that axis, or drop the brackets",
            )
        labels = np.array(inverse(element).data)
        result = labels[result.astype(np.int64), ...].astype(array.dtype)
    return result


def act_on_point(
    elements: Iterable[Element],
    inputs: Mapping[str, Array],
    signature: Signature,
    sizes: Mapping[str, int],
) -> dict[str, Array]:
    """Returns the point g x for a product of elements of factors on different axes."""
    moved = dict(inputs)
    for element in elements:
        for argument in signature.inputs if not element.is_identity else ():
            moved[argument.name] = act_on_argument(element, moved[argument.name], argument, sizes)
    return moved


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
    if element.kind.multiple is not None:
        return act(element, errors, axes, sizes)
    known = _sizes(element, errors.shape, axes, sizes)
    result = errors
    for position, axis in enumerate(axes):
        for how in (element, contragredient(element)) if element.kind.has_dual else (element,):
            places = _places(element, axis, known, errors.shape[position], dual=how is not element)
            if places:
                moved = np.moveaxis(result, position, 0).copy()
                for at, irrep in places:
                    rows = _block(how, irrep, exact=False)
                    matrix = np.abs(np.array(rows, dtype=np.float64)) * (1 + 2.0**-40)
                    # 0 times an error without bound is none that is known
                    with np.errstate(all="ignore"):
                        moved[at : at + len(rows)] = np.tensordot(
                            matrix, moved[at : at + len(rows)], 1
                        )
                result = np.moveaxis(moved, 0, position)
    return result


def _sizes(
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


def _places(
    element: Element, axis: Axis, sizes: Mapping[str, int], length: int, *, points: bool = False,
    dual: bool = False,
) -> list[tuple[int, str]]:  # fmt: skip
    """Returns where the blocks begin on which the element acts, and the irreps that they carry.

    An irrep is "" for other blocks. With `dual`, these are the blocks on which it acts as its
    inverse transpose; with `points`, those that are translated.
    """
    factor = element.factor

    def chosen(term: Term) -> bool:
        if points:
            return factor.translates(term)
        return factor.acts_on(term) and factor.is_dual(term) == dual

    if not any(chosen(t) for t in axis.terms):
        return []
    if any(n not in sizes for n in axis.names):
        raise GroupError(
            f"the parts of the axis {axis} are not known",
            given=f"length {length}",
            hint="give their sizes",
            expected="the size of each part",
        )
    places: list[tuple[int, str]] = []
    at = 0
    for term in axis.terms:
        if term.name is None:
            size = term.coefficient
        else:
            size = term.coefficient * sizes[term.name]
        if chosen(term):
            if term.irrep:
                step = 2 * int(term.irrep[:-1]) + 1
            else:
                step = element.size
            places.extend((k, term.irrep) for k in range(at, at + size, step))
        at += size
    if at != length:
        raise _misfit(axis, length, sizes)
    return places


def _misfit(axis: Axis, length: int, sizes: Mapping[str, int]) -> GroupError:
    at = ", ".join(f"{n} = {sizes[n]}" for n in axis.names if n in sizes)
    return GroupError(
        f"an array does not fit the axis {axis}",
        given=f"length {length}",
        expected=f"{axis} at {at}",
        hint="give one size to each name",
    )


def _along(element: Element, array: Array, places: Sequence[tuple[int, str]]) -> Array:
    """Applies the element to the blocks of the first axis that begin at `places`."""
    kind, size = element.kind, element.size
    if kind.along is None:
        return array
    if kind.rounds and array.dtype.kind in "iub":
        array = _fractions(array)
    result = array.copy()
    for at, irrep in places:
        if irrep:
            rows = _block(element, irrep, exact=array.dtype == object)
            result[at : at + len(rows)] = along(rows, array[at : at + len(rows)])
        else:
            result[at : at + size] = kind.along(element.data, array[at : at + size])
    return result


def _block(element: Element, irrep: str, *, exact: bool) -> Matrix:
    """Returns the matrix by which an element acts on a block: its own, or that of an irrep."""
    if irrep:
        return _of_irrep(element.matrix(), irrep, current_precision(), exact)
    return element.matrix()


@lru_cache(maxsize=1024)
def _of_irrep(matrix: Matrix, irrep: str, bits: int, exact: bool) -> Matrix:  # noqa: FBT001
    """Returns the matrix of an irrep, computed once for each precision `bits`.

    Entries are rationals and enclosures if `exact`; otherwise enclosures are replaced by their
    middles.
    """
    rows = irrep_matrix(np.array(matrix, dtype=object), int(irrep[:-1]), irrep[-1])
    return tuple(
        tuple(v if exact or not isinstance(v, Real) else v.middle() for v in row) for row in rows
    )


def _fractions(array: Array) -> Array:
    return mapped(lambda v: Fraction(int(v)), array)
