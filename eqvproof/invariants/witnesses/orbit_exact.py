"""Exact elements of classical groups that map X to Y, or obstructions to them.

Let B be the form that the group preserves, symmetric or skew, and X, Y families of n vectors. The
group of all matrices that preserve B has an element g with g X = Y if and only if ``X^T B X = Y^T B
Y`` and the columns of X and of Y have the same linear relations (Witt). For a definite form the
second follows from the first; with null vectors it does not: (1, 1) and 0 have the same inner
products.

Construction. Let g map x_1, ..., x_(j-1) to w_1, ..., w_(j-1), and let u = g x_j, w = y_j and a = u
- w. If a is not 0 and ``c = <a, u>`` is not 0, the move ``x -> x - a <a, x> / c`` preserves the
form, maps u to w, and fixes every w_i, since <a, w_i> = 0. It is a reflection if B is symmetric, and
a transvection if B is skew. It preserves the form since <a, u> + <u, a> = <a, a>. If c = 0, a
reflection or transvection in a vector b comes first, with b orthogonal to all w_i, <w, b> and <b,
u> not 0, and b not null if B is symmetric: after it, c = t <w, b> <b, u>, t not 0. Such a b exists:
u and w lie outside the span of the w_i, so that neither product vanishes on its orthogonal
complement. If B is symmetric, the x_j are made pairwise orthogonal, null ones last; then the
complement is not totally null, since at each null one the complement modulo its radical still has
two dimensions.

Complex vectors are represented by real ones, real parts above imaginary parts, with i x next to x:
a, u and w above are then pairs of columns, and 1 / c is the inverse of a 2 x 2 matrix, whose
symmetric part is positive definite.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from eqvproof.claims.groups.element import Element
from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.claims.groups.families.unitary import complex_determinant
from eqvproof.claims.groups.kinds import matrix_to_json
from eqvproof.claims.groups.matrices import from_flint
from eqvproof.invariants.witnesses.certificate import Certificate, tensor
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import columns_hint
from eqvproof.invariants.witnesses.orbit_parts import apply_element
from eqvproof.invariants.witnesses.orbit_space import Space
from eqvproof.invariants.witnesses.rational import (
    concatenate,
    identity_matrix,
    matrix_of_columns,
    nonzero,
    null_vectors,
    pivots,
    select_columns,
)
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import OrbitMismatch, defect

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True, eq=False)
class OrbitWitness:
    """An exact element g of a classical group with g X = Y.

    Attributes:
        element: g, as in counterexamples; for complex groups a real matrix that acts on all real
            parts followed by all imaginary parts.
        moves: reflections or transvections whose product is g, the first one applied first; empty
            for GL, SL.
        x: X, real parts above imaginary parts.
        y: Y, likewise.
    """

    element: Element
    moves: tuple[fmpq_mat, ...]
    x: fmpq_mat
    y: fmpq_mat

    is_exact = True
    #: g X - Y is zero, and g is in the group.
    bound = 0
    distance_bound = 0

    @property
    def family(self) -> str:
        """The name of the group."""
        return self.element.family

    @property
    def matrix(self) -> Array:
        """The matrix of g, Fractions."""
        return np.array(self.element.matrix(), dtype=object)

    def apply(self, array: Any) -> Array:
        """Computes g A for A with one row for each coordinate.

        For complex groups A has either one row for each real coordinate or one for each complex
        coordinate.

        Exactness: exact if A is.
        """
        is_complex = EVERY_FAMILY[self.family].is_complex
        return apply_element(self.matrix, array, is_complex=is_complex)

    @property
    def certificate(self) -> Certificate:
        """The certificate with X, Y and g; the kernel checks the products."""
        return _seal_orbit(self.family, self.x, self.y, matrix=matrix_to_json(self.element.data))


def _seal_orbit(
    family: str, x: fmpq_mat, y: fmpq_mat, *, kind: str = "orbit-witness", **parts: Any
) -> Certificate:
    sides = {name: tensor(FieldMatrix.rational(m)) for name, m in (("X", x), ("Y", y))}
    return seal(kind, family=family, **sides, **parts)


def exact_orbit(place: Space, axis: str | int, x: fmpq_mat, y: fmpq_mat) -> OrbitWitness:
    """Computes the witness for rational matrices; see `orbit_witness`."""
    refuse = partial(_mismatch, place, x, y)
    left, right = place.block(x), place.block(y)
    if place.form is not None:
        pair = next(nonzero(place.inner(left, left) - place.inner(right, right)), None)
        if pair is not None:
            raise refuse(pair=pair)
    for side, other in ((left, right), (right, left)):
        relation = next((c for c in null_vectors(side) if any((other * c).entries())), None)
        if relation is not None:
            raise refuse(relation=relation)
    chosen = place.pivots(x)
    bases = select_columns(x, chosen), select_columns(y, chosen)
    if place.form is None:
        moves = [_linear_map(place, *bases)]
    else:
        moves = _find_moves(place, *bases)
    g = identity_matrix(place.size)
    for move in moves:
        g = move * g
    if place.is_oriented:
        last = _with_determinant_one(place, bases[1], g)
        if last is None:
            raise refuse(matrix=g)
        moves, g = [*moves, last], last * g
    if g * x != y:
        raise defect("an element that maps X to Y failed its exact check")
    element = Element(place.family.letter, axis, from_flint(g))
    if place.form is None:
        moves = []
    return OrbitWitness(element, tuple(moves), x, y)


def _linear_map(place: Space, x: fmpq_mat, y: fmpq_mat) -> fmpq_mat:
    """Returns an invertible matrix that maps independent columns to independent columns."""
    one = identity_matrix(place.size)
    wide = [concatenate(side, one) for side in (x, y)]
    a, b = (select_columns(w, pivots(w)) for w in wide)
    if place.size:
        return b * a.inv()
    return one


def _find_moves(place: Space, x: fmpq_mat, y: fmpq_mat) -> list[fmpq_mat]:
    """Returns reflections or transvections whose product maps x to y.

    x and y have independent columns and equal Gram matrices.
    """
    if not place.skew and place.turn is None:
        mixing = orthogonal_basis(place.gram(x))
        x, y = x * mixing, y * mixing
    moves: list[fmpq_mat] = []
    g, rng = identity_matrix(place.size), random.Random(0)
    for j in range(x.ncols()):
        u, w = g * select_columns(x, [j]), select_columns(y, [j])
        step = _move_to(place, u, w)
        if step is None:
            before = _detour(place, select_columns(y, range(j)), u, w, rng)
            moves.append(before)
            g, u = before * g, before * u
            step = _move_to(place, u, w)
        if step is None:
            raise defect("no reflection or transvection was found for the next vector")
        if step != identity_matrix(place.size):
            moves.append(step)
            g = step * g
    return moves


def _move_to(place: Space, u: fmpq_mat, w: fmpq_mat) -> fmpq_mat | None:
    """Returns the move that maps u to w, or None if <u - w, u> is 0."""
    one = identity_matrix(place.size)
    if u == w:
        return one
    a = place.block(u - w)
    c = place.inner(a, place.block(u))
    if c.det() == 0:
        return None
    return one - a * c.inv() * place.inner(a, one)


def _detour(
    place: Space, fixed: fmpq_mat, u: fmpq_mat, w: fmpq_mat, rng: random.Random
) -> fmpq_mat:
    """Returns a reflection or transvection that makes a move from u to w possible.

    It fixes the vectors ``fixed``.
    """
    one = identity_matrix(place.size)
    if fixed.ncols():
        basis = null_vectors(place.inner(fixed, one))
    else:
        basis = [select_columns(one, [k]) for k in range(place.size)]
    for reach in range(1, 60):
        b = basis[0] * 0
        for vector in basis:
            b += vector * rng.randint(-reach, reach)
        square = place.inner(b, b)[0, 0]
        if not (place.inner(w, b)[0, 0] and place.inner(b, u)[0, 0]):
            continue
        if place.skew:
            return one - b * place.inner(b, one)
        if square:
            return one - b * place.inner(b, one) * (2 / square)
    raise defect("a vector to reflect in was not found")


def orthogonal_basis(gram: fmpq_mat) -> fmpq_mat:
    """Returns an invertible T with T^T G T diagonal, zeros last, for a symmetric G."""
    n = gram.nrows()
    t = [select_columns(identity_matrix(n), [k]) for k in range(n)]
    done: list[fmpq_mat] = []
    while t:
        b = non_null_combination(t, lambda x, y: (x.transpose() * gram * y)[0, 0])
        if b is None:
            break
        done.append(b)
        square = (b.transpose() * gram * b)[0, 0]
        rest = [v - b * ((b.transpose() * gram * v)[0, 0] / square) for v in t]
        t = [rest[k] for k in pivots(matrix_of_columns(rest, n))]
    return matrix_of_columns([*done, *t], n)


def non_null_combination(
    vectors: Sequence[fmpq_mat], inner: Callable[[fmpq_mat, fmpq_mat], fmpq]
) -> fmpq_mat | None:
    """Finds a vector b in the span with <b, b> not 0.

    Returns None if all vectors of the span are null, so that all inner products are 0.
    """
    for v in vectors:
        if inner(v, v):
            return v
    return next((v + w for v, w in product(vectors, repeat=2) if inner(v, w)), None)


def _with_determinant_one(place: Space, y: fmpq_mat, g: fmpq_mat) -> fmpq_mat | None:
    """Returns a matrix h that fixes Y and preserves the form, with det(h g) = 1; or None."""
    one = identity_matrix(place.size)
    left = (fmpq(1), fmpq(0))
    if place.turn is not None:
        re, im = complex_determinant(from_flint(g))
        left = (fmpq(re.numerator, re.denominator), fmpq(-im.numerator, im.denominator))
    elif place.size:
        left = (1 / g.det(), fmpq(0))
    if left[0] == 1 and not left[1]:
        return one
    if place.form is None:
        wide = concatenate(y, one)
        basis = select_columns(wide, pivots(wide))
        if y.ncols() == place.size:
            return None
        scaling = identity_matrix(place.size)
        scaling[place.size - 1, place.size - 1] = left[0]
        return basis * scaling * basis.inv()
    if y.ncols():
        free = null_vectors(place.inner(place.block(y), one))
    else:
        free = [select_columns(one, [0])]
    b = non_null_combination(free, lambda v, w: place.inner(v, w)[0, 0])
    if b is None:
        return None
    p, q = left
    square, both = place.inner(b, b)[0, 0], place.block(b)
    if place.turn is None:
        weights = fmpq_mat(1, 1, [1 - p])
    else:
        weights = fmpq_mat(2, 2, [1 - p, q, -q, 1 - p])
    return one - both * (weights / square) * place.inner(both, one)


def _mismatch(place: Space, x: fmpq_mat, y: fmpq_mat, **why: Any) -> OrbitMismatch:
    (reason,) = why
    value, name = why[reason], place.family.letter
    n, shape = max(x.ncols(), 1), (x.nrows() // place.family.reals, x.ncols())
    if reason == "pair":
        i, j = value
        a, b = (place.gram(side)[i, j] for side in (x, y))
        products = "inner products" if i // n == j // n else "imaginary parts of inner products"
        message = f"columns {i % n} and {j % n} have different {products}"
        given = f"{a} in X, {b} in Y"
        expected = "the same inner products of all columns in the form of the group"
        parts: dict[str, Any] = {"pair": [i, j]}
    elif reason == "relation":
        shown = [str(c) for c in value.entries()]
        message = "a linear relation between the columns of one side does not hold on the other"
        given = f"the coefficients {', '.join(shown)}"
        expected = (
            "the same relations on both sides; equal inner products imply them for definite forms"
            " only"
        )
        parts = {"relation": shown}
    else:
        message = (
            "every matrix that maps X to Y and satisfies the other conditions has a determinant"
            " other than 1"
        )
        given = "no element that fixes X changes the determinant"
        expected = "families of the same orientation"
        parts = {"matrix": matrix_to_json(from_flint(value))}
    error = OrbitMismatch(
        f"no element of {name} maps X to Y: {message}",
        given=given,
        expected=expected,
        hint=columns_hint(shape, "use a larger group, or see .certificate"),
    )
    error.why = reason
    if reason == "pair":
        error.pair, error.inner_products = (i % n, j % n), (a, b)
    error.evidence = partial(_seal_orbit, name, x, y, kind="orbit-mismatch", **parts)
    return error
