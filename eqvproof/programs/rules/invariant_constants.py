"""Constants that are invariant under the elements of a group, up to a character.

    C constant,  g C = chi(g)^e C for the generators g of the group, or their derivatives kill C
    --------------------------------------------------------------------------------------------
    C : rho on the axes of its size that g was applied to, with the exponent e

Proof. Elements that fix C up to chi^e are a group, for chi is a homomorphism, so generators
suffice; SO(s) is connected, so C is fixed when the derivatives ``E_k,k+1 - E_k+1,k`` kill it (their
brackets span so(s)), and O(s) is SO(s) with one reflection. Under GL ``g C = det(g)^-w C`` is a
polynomial identity in g, which holds when the derivatives E_kl times C are ``-w [k = l] C``. The
group that keeps a form B is its connected part, of which the Lie algebra has the trace 0 and is
known, and some elements beside it, as O(s) is. The Levi-Civita symbol is such a constant with e =
1. QED Under O(3) and SO(3), where axes carry irreps: `eqvproof.programs.rules.tables`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import lcm
from typing import Any

import numpy as np

from eqvproof.claims.groups import Factor, generators_of, permutation_sign
from eqvproof.claims.groups.families.linear import GL
from eqvproof.claims.groups.families.orthogonal import O
from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.groups.matrices import Matrix, to_flint
from eqvproof.claims.size import Size
from eqvproof.programs.rules.acts import DUAL, Act, std
from eqvproof.programs.rules.characters import Typed
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.tables import table_types

#: Most entries of a constant, axes that may be moved, and such axes under GL, that are tried.
MOST_ENTRIES, MOST_AXES, MOST_LINEAR = 4096, 8, 6


def is_special(context: Context) -> bool:
    """Checks whether all elements of the group have determinant 1."""
    if context.kind.permutes and context.generators:
        return all(permutation_sign(g) == 1 for g in context.generators)
    if context.generators:
        return all(to_flint(g).det() == 1 for g in context.generators)
    return context.record.special


def invariant_types(array: Any, shape: Sequence[Size], context: Context) -> Iterator[Typed]:
    """Yields the types in which an array of rationals is moved and yet invariant, up to chi."""
    if context.is_spatial:
        special = is_special(context)
        yield from table_types(array, shape, context.acts, special=special, bits=context.bits)
        return
    size = context.size.constant
    places = [i for i, n in enumerate(array.shape) if n == size]
    if size is None or not places or len(places) > MOST_AXES or array.size > MOST_ENTRIES:
        return
    if context.kind.has_dual and len(places) > MOST_LINEAR:
        return
    values = list(map(Fraction, array.ravel().tolist()))
    whole = lcm(*(v.denominator for v in values))
    numbers = [int(v * whole) for v in values]
    small = max(map(abs, numbers)) < 2**40
    array = np.array(numbers, dtype=np.int64 if small else object).reshape(array.shape)
    if context.kind.has_dual:
        yield from _invariant_under_matrices(array, places, shape, context)
        return
    slopes, elements = _algebra_and_elements(context, size)
    for count in range(1, len(places) + 1):
        for moved in combinations(places, count):
            if any(np.any(_slope(array, [(axis, 1) for axis in moved], a) != 0) for a in slopes):
                continue
            odd = _sign_of(array, moved, elements)
            if odd is not None:
                acts = [std(s) if i in moved else ((((s, False),),)) for i, s in enumerate(shape)]
                yield Typed(tuple(acts), 0 if is_special(context) else odd)


def _algebra_and_elements(context: Context, size: int) -> tuple[list[Any], list[tuple[Any, int]]]:
    """Returns matrices of the Lie algebra and elements with their chi.

    Together they generate the group.
    """
    if context.kind.rotates and not context.generators:
        # what all orthogonal matrices keep is kept by some of them
        family = _lie_family(context, O)
        elements = [(_numeric_array(g), -1) for g in family.components(size)]
        return [np.array(a) for a in family.lie(size)], elements
    factor = Factor(context.family, context.axis, context.generators)
    found = [g.matrix() for g in generators_of(factor, size)]
    return [], [(_numeric_array(g), int(to_flint(g).det())) for g in found]


def _lie_family(context: Context, otherwise: LieFamily) -> LieFamily:
    """Returns the family of the factor, or another one that contains it, with a Lie algebra."""
    if isinstance(context.record, LieFamily):
        return context.record
    return otherwise


def _numeric_array(matrix: Matrix) -> Any:
    """Converts a matrix to an array, of integers if all entries are."""
    rows = np.array(matrix, dtype=object)
    if all(v.denominator == 1 for row in matrix for v in row):
        return rows.astype(np.int64)
    return rows


def _invariant_under_matrices(
    array: Any, places: Sequence[int], shape: Sequence[Size], context: Context
) -> Iterator[Typed]:
    """Yields the types under GL, or a group of a form, in which an array is invariant up to chi.

    ``g C = det(g)^-w C`` holds if for all A of the Lie algebra the derivative is ``-w tr(A) C``;
    see the module docstring.
    """
    size, family = array.shape[places[0]], _lie_family(context, GL)
    if family.keeps_form and family.form(size) is None:
        return
    slopes = [np.array(a) for a in family.lie(size)]
    for choice in product((DUAL, 1, 0), repeat=len(places)):
        moved = [(axis, how) for axis, how in zip(places, choice, strict=True) if how]
        weight, rest = divmod(sum(-1 if how == 1 else 1 for _, how in moved), size)
        if not moved or (rest and not family.keeps_form):
            continue
        if not all(
            np.all(_slope(array, moved, a) == -weight * int(np.trace(a)) * array) for a in slopes
        ):
            continue
        odd: int | None = weight
        if is_special(context):
            odd = 0
        if family.keeps_form:
            signs = [(_numeric_array(g), int(to_flint(g).det())) for g in family.components(size)]
            odd = _sign_of(array, [axis for axis, _ in moved], signs)
        if odd is None or (odd and is_special(context)):
            continue
        acts: list[Act] = [(((s, False),),) for s in shape]
        for axis, how in moved:
            acts[axis] = (((shape[axis], True if how == 1 else DUAL),),)
        yield Typed(tuple(acts), odd)


def _sign_of(array: Any, axes: Sequence[int], elements: Sequence[tuple[Any, int]]) -> int | None:
    """Returns e with ``g C = chi(g)^e C`` for all g applied to these axes, or None."""
    found = set()
    for g, chi in elements:
        turned = array
        for axis in axes:
            turned = np.moveaxis(np.tensordot(g, turned, axes=(1, axis)), 0, axis)
        same, opposite = bool(np.all(turned == array)), bool(np.all(turned == -array))
        if not same and not (opposite and chi == -1):
            return None
        if chi == -1:
            found.add(int(not same))
    if len(found) == 1:
        return found.pop()
    if found:
        return None
    return 0


def _slope(array: Any, moved: Sequence[tuple[int, int]], a: Any) -> Any:
    """Applies A (-A^T on dual axes) to each moved axis, and returns the sum."""
    total = np.zeros_like(array)
    for axis, how in moved:
        front, sums = np.moveaxis(array, axis, 0), np.moveaxis(total, axis, 0)
        sums += np.tensordot(a if how == 1 else -a.T, front, axes=(1, 0))
    return total
