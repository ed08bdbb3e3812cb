"""Factors of normal forms that are functions of other forms: max, det, inverse, in one listing.

The value of a head does not depend on the order in which its shared axes are listed, nor, for some
heads, on the order of operands (maximum) or of bound axes (max over two axes; the transpose inside
det and inv). Of all these listings the one with the least operands is stored; those with the same
operands are the head's `alike`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import permutations, product
from math import factorial, prod
from typing import Any

from . import constant_atoms
from .indices import FIRST, FIXED, ONCE, Index, Laurent, affine, fixed_index, line, through
from .normal_forms import Forms, Head, HeadKind, Labels, Piece, multiplied
from .report import Rejected, spend
from .sizes import ONE, ZERO, Size

#: Largest number of orders tried for axes that cannot be told apart.
MOST_ORDERS = 720
#: Largest number of axes over which a maximum is taken at once.
MOST_AXES = 4
#: A listing: operands, order of the bound axes of each operand, order of the own axes.
Listing = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def make(
    forms: Forms,
    kind: HeadKind,
    data: Any,
    listings: list[Listing],
    sizes: tuple[Size, ...],
    own: int,
    *,
    total: bool,
) -> int:
    """Returns the form of one head over axes of the given sizes, the last `own` not shared."""
    shared = len(sizes) - own
    first = listings[0][0]
    used = sorted({a for operand in first for a in forms.varies[operand] if a < shared})
    best: tuple[int, ...] | None = None
    orders: list[tuple[int, ...]] = []
    for operands, bound, owned in listings:
        for order in _orders(forms, used, first, sizes):
            found = tuple(_listed(forms, operand, order, shared, bound) for operand in operands)
            places = order + tuple(shared + i for i in owned)
            if best is None or found < best:
                best, orders = found, []
            if found == best and places not in orders:
                orders.append(places)
    alike = tuple(tuple(orders[0].index(a) for a in places) for places in orders)
    total = total and all(map(forms.total, first))
    head = Head(kind, data, best or (), tuple(sizes[a] for a in orders[0]), len(used), alike, total)
    factor = (forms.store_head(head), tuple((a, ()) for a in orders[0]))
    return forms.close(Labels(sizes), [Piece(ONCE, (factor,))])


def _listed(
    forms: Forms, form: int, order: tuple[int, ...], shared: int, bound: tuple[int, ...]
) -> int:
    sizes = forms.form[form][0]
    axes = order + tuple(shared + i for i in bound if shared + i < len(sizes))
    places: list[Index] = [FIRST] * len(sizes)
    for new, old in enumerate(axes):
        places[old] = (new, ())
    return forms.move(form, tuple(places), tuple(sizes[a] for a in axes))


def _orders(
    forms: Forms, axes: list[int], operands: tuple[int, ...], sizes: tuple[Size, ...]
) -> Iterator[tuple[int, ...]]:
    """Yields the orders of the axes, in which axes that can be told apart have a fixed order."""
    looks: dict[Any, list[int]] = {}
    for axis in axes:
        seen = []
        for operand in operands:
            for parts, coefficient in forms.form[operand][1]:
                for h, row in (factor for part in parts for factor in forms.part[part][1]):
                    for i, (a, steps) in enumerate(row):
                        if a == axis:
                            orbit = min(order.index(i) for order in forms.head[h].alike)
                            seen.append((h, orbit, steps, len(parts), coefficient))
        looks.setdefault((sizes[axis].terms, tuple(sorted(seen))), []).append(axis)
    if prod(factorial(len(cell)) for cell in looks.values()) > MOST_ORDERS:
        raise Rejected("a value with too many axes that look alike")
    for choice in product(*(permutations(cell) for _, cell in sorted(looks.items()))):
        yield tuple(axis for cell in choice for axis in cell)


def single_listing(*operands: int, bound: int = 0, own: int = 0) -> list[Listing]:
    """Returns the single listing of operands, bound axes and own axes in their given order."""
    return [(operands, tuple(range(bound)), tuple(range(own)))]


def single(
    forms: Forms, sizes: tuple[Size, ...], parts: tuple[int, ...], times: Laurent = ONCE
) -> int:
    """Returns the form of a single term."""
    return forms.store_form(sizes, {parts: times})


# -- heads with operands
# ------------------------------------------------------------------------------------


def extremum(forms: Forms, fn: str, operand: int, shared: int) -> int:
    """Returns the form of max, min or prod over the axes from `shared` on.

    A maximum over axes along which nothing varies is left out, and one of maxima is one over all of
    their axes.
    """
    sizes = forms.form[operand][0]
    for axis in range(shared, len(sizes)):
        count = sizes[axis].constant or 0
        if count in forms.written and any(forms.signs(h) for h, _ in forms.factors(operand)):
            entries = [_form_at(forms, operand, axis, i) for i in range(count)]
            if fn == "prod":
                made = multiplied(forms, forms.form[entries[0]][0], entries, ONCE)
            else:
                both = {"max": "maximum", "min": "minimum"}[fn]
                made = reduce(lambda p, q: forms.elementwise(both, [p, q]), entries)
            return extremum(forms, fn, made, shared)
    if len(sizes) == shared:
        return operand
    nested = _without_inner(forms, fn, operand, shared)
    if nested is not None:
        return extremum(forms, fn, nested, shared)
    filled = all(forms.at_least(size, 1) for size in sizes[shared:])
    if filled and fn != "prod":
        kept = [a for a in range(shared, len(sizes)) if a in forms.varies[operand]]
        axes = [*range(shared), *kept]
        places = tuple((axes.index(a), ()) if a in axes else FIRST for a in range(len(sizes)))
        sizes = tuple(sizes[a] for a in axes)
        operand = forms.move(operand, places, sizes)
        if not kept:
            return operand
    if len(sizes) - shared > MOST_AXES:
        raise Rejected("a maximum over too many axes")
    listings: list[Listing] = [
        ((operand,), order, ()) for order in permutations(range(len(sizes) - shared))
    ]
    return make(forms, "extremum", fn, listings, sizes[:shared], 0, total=filled or fn == "prod")


def _without_inner(forms: Forms, fn: str, operand: int, shared: int) -> int | None:
    """Returns that of which an operand is the maximum, with the axes of that maximum as last ones.

    Returns None where it is no maximum, or one over too many axes. A maximum of maxima is that of
    all of their entries, also of none; so it is with the minimum and the product.
    """
    sizes, terms = forms.form[operand]
    if len(terms) != 1 or terms[0][1] != ONCE or len(terms[0][0]) != 1:
        return None
    summed, factors = forms.part[terms[0][0][0]]
    number_, row = factors[0]
    head = forms.head[number_]
    if summed or len(factors) > 1 or (head.kind, head.data) != ("extremum", fn):
        return None
    bound = forms.form[head.operands[0]][0][head.shared :]
    if len(sizes) - shared + len(bound) > MOST_AXES:
        return None
    own: list[Index] = [(len(sizes) + i, ()) for i in range(len(bound))]
    return forms.move(head.operands[0], (*row, *own), (*sizes, *bound))


def _form_at(forms: Forms, form: int, axis: int, i: int) -> int:
    """Returns a form at the index i of an axis."""
    sizes = forms.form[form][0]
    own: list[Index] = [(a, ()) for a in range(len(sizes) - 1)]
    places = (*own[:axis], fixed_index(Size.of(i)), *own[axis:])
    return forms.move(form, places, (*sizes[:axis], *sizes[axis + 1 :]))


def join_forms(forms: Forms, operands: Sequence[int]) -> int:
    """Returns the form that joins forms along their last axis."""
    kept = [form for form in operands if forms.form[form][0][-1] != ZERO] or [operands[0]]
    if len(kept) == 1:
        return kept[0]
    length = ZERO
    for form in kept:
        length = length + forms.form[form][0][-1]
    sizes = (*forms.form[kept[0]][0][:-1], length)
    return make(forms, "joined", None, single_listing(*kept, bound=1, own=1), sizes, 1, total=True)


def ascending(forms: Forms, operand: int) -> int:
    """Returns the form of an operand sorted along its last axis."""
    sizes = forms.form[operand][0]
    if len(sizes) - 1 not in forms.varies[operand]:
        return operand
    return make(
        forms, "ascending", None, single_listing(operand, bound=1, own=1), sizes, 1, total=True
    )


def inverse_or_determinant(forms: Forms, kind: str, operand: int) -> int:
    """Returns the form of inv or det over the last two axes.

    By inv(A^T) = inv(A)^T and det(A^T) = det(A), both orders of these axes are listings.
    """
    sizes = forms.form[operand][0]
    flips: tuple[tuple[int, int], ...] = ((0, 1), (1, 0))
    if kind == "det":
        return make(
            forms,
            "det",
            None,
            [((operand,), flip, ()) for flip in flips],
            sizes[:-2],
            0,
            total=True,
        )
    return make(
        forms, "inv", None, [((operand,), flip, flip) for flip in flips], sizes, 2, total=False
    )


def unknown(
    forms: Forms,
    data: Any,
    operands: Sequence[int],
    shared: tuple[Size, ...],
    own: tuple[Size, ...],
) -> int:
    """Returns the form of an unknown function of arrays, for each index along shared axes.

    Its value has the axes `own`; arrays are seen along the axes after the shared ones.
    """
    bound = max((len(forms.form[form][0]) - len(shared) for form in operands), default=0)
    listings = single_listing(*operands, bound=bound, own=len(own))
    return make(forms, "unknown", data, listings, (*shared, *own), len(own), total=False)


def cell(forms: Forms, form: int) -> int:
    """Returns a form as one factor; equal forms give equal cells."""
    return make(forms, "cell", None, single_listing(form), forms.form[form][0], 0, total=True)


# -- a head with indices put in its places
# ------------------------------------------------------------------


def head_at(forms: Forms, labels: Labels, number_: int, row: tuple[Index, ...]) -> list[Piece]:
    """Returns the terms of a head at the given indices, simplified where possible.

    A head whose shared places do not hold distinct labels is built anew.
    """
    spend(5)
    head = forms.head[number_]
    shared = row[: head.shared]
    if len({a for a, steps in shared if not steps and a != FIXED}) < head.shared:
        return _remade(forms, labels, head, row)
    found: list[Piece] | None = None
    if head.kind == "joined":
        inside = _inside(forms, labels, head, row[-1])
        if inside is not None:
            operand, start = inside
            moved = through(row[-1], (affine(ZERO - start, 1),))
            return forms.put(labels, operand, (*row[:-1], moved))
    elif head.kind == "array":
        found = constant_atoms.known_entries(forms, labels, head, row)
    elif head.kind == "triangle":
        found = constant_atoms.triangle(forms, head, row)
    elif head.kind == "counter":
        found = constant_atoms.counter(forms, labels, head, row[0])
    if found is None:
        return [Piece(ONCE, ((number_, row),))]
    return found


def _remade(forms: Forms, labels: Labels, head: Head, row: tuple[Index, ...]) -> list[Piece]:
    """Rebuilds a head whose shared indices are not distinct labels.

    f(p, q, ...)[i, i, g(j)] is f of p[i, i, g(j)], q[i, i, g(j)], ..., entry by entry.
    """
    distinct = list(dict.fromkeys(a for a, _ in row[: head.shared] if a != FIXED))
    sizes = tuple(labels.sizes[a] for a in distinct)
    shared = [
        (FIXED if a == FIXED else distinct.index(a), steps) for a, steps in row[: head.shared]
    ]
    operands = []
    for operand in head.operands:
        bound = forms.form[operand][0][head.shared :]
        places = (*shared, *((len(distinct) + i, ()) for i in range(len(bound))))
        operands.append(forms.move(operand, places, sizes + bound))
    if head.kind == "function":
        form = forms.elementwise(head.data, operands)
    elif head.kind == "extremum":
        form = extremum(forms, head.data, operands[0], len(distinct))
    elif head.kind == "joined":
        form = join_forms(forms, operands)
    elif head.kind == "ascending":
        form = ascending(forms, operands[0])
    elif head.kind == "cell":
        form = cell(forms, operands[0])
    elif head.kind == "unknown":
        form = unknown(forms, head.data, operands, sizes, head.sizes[head.shared :])
    else:
        form = inverse_or_determinant(forms, head.kind, operands[0])
    return forms.put(labels, form, (*((a, ()) for a in distinct), *row[head.shared :]))


def _inside(forms: Forms, labels: Labels, head: Head, index: Index) -> tuple[int, Size] | None:
    """Finds the operand in whose range an index stays at all sizes, and where the range begins.

    Returns None where there is none.
    """
    reach = line(index)
    if reach is None:
        return None
    start, k = reach
    if k:
        last = start + (labels.sizes[index[0]] - ONE) * Size.of(k)
    else:
        last = start
    low, high = (start, last) if k >= 0 else (last, start)
    begin = ZERO
    for operand in head.operands:
        end = begin + forms.form[operand][0][-1]
        if forms.at_least(low - begin, 0) and forms.at_least(end - high, 1):
            return operand, begin
        begin = end
    return None
