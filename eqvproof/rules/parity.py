"""Parities: values that are multiplied by the determinant of the group element as well.

A value has the type T, *odd*, when moving the inputs by g moves it by T and multiplies it by ``chi(g)``: the
determinant of rho(g), which is the sign of a permutation and the product of the signs for Signs.
Pseudo-vectors and signed volumes are odd. Under SO, A, SL chi is 1, and nothing is odd. Under GL chi is any
number but 0, and a value is multiplied by a whole power of it, its *weight*, which takes the place of the
parity: weights add in products, are equal in sums, change sign in inverses and in 1/v; no more is known.

    v : T, odd by e;  w : U, odd by f      v : T, odd by e, ...                v : T, odd, n x n
    -----------------------------------    --------------------------------    ----------------------
    products of v and w : odd by e + f     sums, joins, parts : odd by e       inverse : odd; det : odd by n

    fn odd    v : T, odd      fn even   v : T, odd      M : (..., A, B), odd by e
              -----------               -----------     --------------------------------------------
              fn(v) : T, odd            fn(v) : T       det M : (...), odd by p(A) + p(B) + n e

with ``det A(g) = chi(g)^p(A)``: a block of factors f_1, ..., f_r counts, for each moved one, the product
of the sizes of the others, and ``p(A) + p(A)`` is even whatever A is.

    C constant,  g C = chi(g)^e C for the generators g of the group, or their derivatives kill C
    --------------------------------------------------------------------------------------------
    C : rho on the axes of its size that g was applied to, odd by e

Proof. chi(g) is 1 or -1 and the same at every entry, so it comes out of products and linear operations; a
sign comes out of an odd function, and is lost in an even one, in a test for being zero, and in a comparison
of equality of two odd values. ``det(c A M B^T) = c^n det A det B det M``, and
``det(A (x) B) = det(A)^dim B det(B)^dim A``. Constants: elements that fix C up to chi^e are a group, for chi
is a homomorphism, so generators suffice; SO(s) is connected, so C is fixed when the
derivatives ``E_k,k+1 - E_k+1,k`` kill it (their brackets span so(s)), and O(s) is SO(s) with one
reflection. The Levi-Civita symbol is such a constant with e = 1. Where an operation is not named here all
its arguments must be even. QED
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import lcm
from typing import Any

import numpy as np

from eqvproof.groups import Factor, generators, permutation_sign
from eqvproof.groups.families import EVERY_FAMILY
from eqvproof.groups.matrices import to_flint
from eqvproof.program import ops
from eqvproof.program.size import Size
from eqvproof.rules.acts import DUAL, Act, Kind, Stuck, Type, dual, is_fixed, std
from eqvproof.rules.context import Context

#: Constants of more entries, and with more axes that may be moved, are not tried.
MOST_ENTRIES, MOST_AXES, MOST_LINEAR = 4096, 8, 4


@dataclass(frozen=True, slots=True)
class Typed:
    """A type and a parity.

    Attributes:
        acts: how each axis is moved.
        odd: whether the value is multiplied by the determinant too; under GL by which power of it.
    """

    acts: Type
    odd: int = 0


def infer(rule: Any, op: ops.Op, args: Sequence[Typed], context: Context) -> list[Typed]:
    """The types of an operation's value, with parities; ``rule`` is the rule for those without.

    Raises:
        Stuck: no rule gives one.
    """
    acts = [a.acts for a in args]
    if isinstance(op, ops.Matrix) and op.fn == "det":
        return [_determinant(rule, op, args[0], context)]
    if _is_zero(op, context):
        both = (0,) if _is_special(context) or context.kind is Kind.LIN else (0, 1)
        return [Typed(t, odd) for t in rule(op, acts, context) for odd in both]
    weigh = _weight if context.kind is Kind.LIN else _parity
    odd = weigh(op, [a.odd for a in args], context)
    found = [Typed(t, odd) for t in rule(op, acts, context)]
    return found + list(_invariant(op, context)) if isinstance(op, ops.Const) else found


def _is_special(context: Context) -> bool:
    """Whether all elements of the group have determinant 1."""
    if context.kind is Kind.PERM and context.generators:
        return all(permutation_sign(g) == 1 for g in context.generators)
    if context.generators:
        return all(to_flint(g).det() == 1 for g in context.generators)
    return EVERY_FAMILY[context.family].special


def _is_zero(op: ops.Op, context: Context) -> bool:
    nodes = [op, *(context.nodes[a] for a in op.args)] if isinstance(op, ops.Einsum) else [op]
    constants = [n for n in nodes if isinstance(n, ops.Const)]
    return len(constants) >= max(1, len(nodes) - 1) and any(not np.any(n.array()) for n in constants)


def _weight(op: ops.Op, weights: Sequence[int], context: Context) -> int:
    if not any(weights):
        return 0
    match op:
        case ops.Einsum():
            return sum(weights)
        case ops.Read() | ops.Reshape():
            return weights[0]
        case ops.Matrix(fn="inv"):
            return -weights[0]
        case ops.Add() | ops.Concat():
            return _equal(weights)
        case ops.Select():
            return _equal(weights[1:])
        case ops.Map() if op.fn == "recip":
            return -weights[0]
        case ops.Map() if op.fn in ("not", "and", "or") or (op.fn in ("eq", "ne") and len(set(weights)) == 1):
            return 0
        case _:
            raise Stuck("a function of values that are multiplied by a power of the determinant")


def _parity(op: ops.Op, odds: Sequence[int], context: Context) -> int:
    if not any(odds):
        return 0
    match op:
        case ops.Einsum():
            return sum(odds) % 2
        case ops.Read() | ops.Reshape() | ops.Matrix(fn="inv"):
            return odds[0]
        case ops.Add() | ops.Concat():
            return _equal(odds)
        case ops.Select():
            return _equal(odds[1:])
        case ops.Map():
            parity = ops.MAP_FUNCTIONS[op.fn][1]
            if parity:
                return int(parity == "odd")
            if op.fn in ("and", "or") or (op.fn in ("eq", "ne") and all(odds)):
                return False
            raise Stuck(
                f"the function {op.fn} is applied to values that a reflection turns into their negatives"
            )
        case ops.Reduce() if op.fn == "prod":
            shape = context.shape(op.args[0])
            return _times([shape[i] for i in op.axes], "a product")
        case _:
            raise Stuck("values that a reflection turns into their negatives are put in order or compared")


def _equal(odds: Sequence[int]) -> int:
    if len(set(odds)) > 1:
        raise Stuck("a value that is multiplied by the determinant is combined with one that is not, or less")
    return odds[0]


def _times(sizes: Sequence[Size], what: str) -> int:
    total = Size.of(1)
    for size in sizes:
        total = total * size
    odd = size_parity(total)
    if odd is None:
        raise Stuck(f"{what} of negatives whose number depends on the size")
    return odd


def size_parity(size: Size) -> bool | None:
    """Whether a size is odd, or None where that depends on the names."""
    left: dict[frozenset[str], int] = {}
    for names, coefficient in size.terms:
        left[frozenset(names)] = left.get(frozenset(names), 0) + coefficient  # x^k and x are both odd or even
    found = {names for names, c in left.items() if c % 2}
    return None if any(found - {frozenset()}) else bool(found)


def act_power(act: Act) -> Size:
    """p where the determinant of the act is ``chi^p``."""
    total = Size.of(0)
    for block in act or ():
        for k, (_, moved) in enumerate(block):
            if moved:
                others = Size.of(-1 if moved == DUAL else 1)
                for m, (size, _) in enumerate(block):
                    others = others if m == k else others * size
                total = total + others
    return total


def _determinant(rule: Any, op: ops.Matrix, arg: Typed, context: Context) -> Typed:
    *_, rows, columns = arg.acts
    linear = context.kind is Kind.LIN
    (batch,) = rule(op, [(*arg.acts[:-2], rows, dual(rows, context.kind))], context)
    power = context.shape(op.args[0])[-1] * arg.odd
    if not (is_fixed(rows) and is_fixed(columns)) and (linear or rows != columns):
        power = power + act_power(rows) + act_power(columns)
    known = power.constant if linear else size_parity(power)
    if _is_special(context):
        return Typed(batch)
    if known is None:
        raise Stuck("the determinant of a matrix whose rows and columns are acted upon in different ways")
    return Typed(batch, int(known))


# ------------------------------------------------------------------------------------- invariant constants
def _invariant(op: ops.Const, context: Context) -> Iterator[Typed]:
    """The types in which a constant is moved and yet stays as it is, up to chi."""
    size = context.size.constant
    shape = tuple(s.constant or 0 for s in op.shape)
    places = [i for i, n in enumerate(shape) if n == size]
    if size is None or not places or len(places) > MOST_AXES or len(op.values) > MOST_ENTRIES:
        return
    if context.kind is Kind.LIN and len(places) > MOST_LINEAR:
        return
    whole = lcm(*(v.denominator for v in op.values))
    numbers = [int(v * whole) for v in op.values]
    small = max(map(abs, numbers)) < 2**40
    array = np.array(numbers, dtype=np.int64 if small else object).reshape(shape)
    if context.kind is Kind.LIN:
        yield from _invariant_under_gl(array, places, op.shape, special=_is_special(context))
        return
    moves = list(_moves(context, size))
    for count in range(1, len(places) + 1):
        for moved in combinations(places, count):
            odd = _fixed_up_to(array, moved, moves)
            if odd is not None:
                acts = [std(s) if i in moved else ((((s, False),),)) for i, s in enumerate(op.shape)]
                yield Typed(tuple(acts), int(odd and not _is_special(context)))


def _invariant_under_gl(
    array: Any, places: Sequence[int], shape: ops.Shape, *, special: bool
) -> Iterator[Typed]:
    """g C = det(g)^-w C, as a polynomial identity in g: the derivatives E_kl times C are ``-w [k = l] C``."""
    size = array.shape[places[0]]
    for choice in product((0, 1, DUAL), repeat=len(places)):
        moved = [(axis, how) for axis, how in zip(places, choice, strict=True) if how]
        weight, rest = divmod(sum(-1 if how == 1 else 1 for _, how in moved), size)
        if not moved or rest:
            continue
        if all(
            np.all(_slope(array, moved, k, m) == (-weight * array if k == m else 0))
            for k in range(size)
            for m in range(size)
            if abs(k - m) <= 1
        ):
            acts: list[Act] = [(((s, False),),) for s in shape]
            for axis, how in moved:
                acts[axis] = (((shape[axis], True if how == 1 else DUAL),),)
            yield Typed(tuple(acts), 0 if special else weight)


def _slope(array: Any, moved: Sequence[tuple[int, int]], k: int, m: int) -> Any:
    """The sum over the moved axes of E_km, on dual ones of -E_mk, applied to that axis."""
    total = np.zeros_like(array)
    for axis, how in moved:
        front, sums = np.moveaxis(array, axis, 0), np.moveaxis(total, axis, 0)
        if how == 1:
            sums[k] += front[m]
        else:
            sums[m] -= front[k]
    return total


@dataclass(frozen=True, slots=True)
class _Move:
    """``(g x)[i] = signs[i] x[order[i]]``, or a derivative of turns in the plane at, at + 1, or a matrix."""

    order: tuple[int, ...] = ()
    signs: tuple[int, ...] = ()
    chi: int = 1
    at: int = -1
    matrix: Any = None


def _moves(context: Context, size: int) -> Iterator[_Move]:
    still = tuple(range(size))
    if context.generators and context.kind is Kind.ORTH:
        for g in context.generators:
            matrix = np.array(g, dtype=object)
            yield _Move(matrix=matrix, chi=int(to_flint(g).det()))
        return
    if context.kind is Kind.ORTH:
        yield from (_Move(at=k) for k in range(size - 1))
        if not EVERY_FAMILY[context.family].special:
            yield _Move(still, (-1,) + (1,) * (size - 1), -1)
        return
    for g in generators(Factor(context.family, context.axis, context.generators), size):
        data: Any = g.data
        if context.kind is Kind.SIGN:
            yield _Move(still, data, -1)
        else:
            yield _Move(data, (1,) * size, permutation_sign(data))


def _fixed_up_to(array: Any, axes: Sequence[int], moves: Sequence[_Move]) -> bool | None:
    """e with g C = chi(g)^e C for all moves; None where there is none."""
    found: bool | None = None
    for move in moves:
        if move.at >= 0:
            total = np.zeros_like(array)
            for axis in axes:
                front, sums = np.moveaxis(array, axis, 0), np.moveaxis(total, axis, 0)
                sums[move.at] -= front[move.at + 1]
                sums[move.at + 1] += front[move.at]
            if np.any(total != 0):
                return None
            continue
        moved = array
        for axis in axes:
            if move.matrix is not None:
                moved = np.moveaxis(np.tensordot(move.matrix, moved, axes=(1, axis)), 0, axis)
                continue
            signs = np.array(move.signs).reshape((-1,) + (1,) * (array.ndim - 1 - axis))
            moved = np.take(moved, move.order, axis=axis) * signs
        same, opposite = bool(np.all(moved == array)), bool(np.all(moved == -array))
        if not same and not (opposite and move.chi == -1):
            return None
        if move.chi == -1:
            if found not in (None, opposite):
                return None
            found = opposite
    return bool(found)
