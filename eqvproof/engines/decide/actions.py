"""How group elements, and skew matrices, act on arrays over a `Ring`, along the axes that they move."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.engines.answer import Unable
from eqvproof.engines.decide.ring import Ring
from eqvproof.engines.decide.ring_system import filled
from eqvproof.groups import Element
from eqvproof.groups.matrices import inverse_of
from eqvproof.rules.acts import DUAL, Act, one_by_one
from eqvproof.rules.irreps import Irrep

Array = NDArray[Any]
Matrix = list[list[Fraction]]


def matrix_of(element: Element) -> Matrix:
    """The matrix by which a group element acts on its axis."""
    return [list(row) for row in element.matrix()]


def _blocks(act: Act, g: Matrix, dual: Matrix | None = None) -> list[tuple[Matrix | None, int]]:
    """The matrices along an axis, one a block: (matrix or None for the identity, size)."""
    result: list[tuple[Matrix | None, int]] = []
    for block in one_by_one(act):
        if len(block) != 1:
            raise Unable("an axis that is a tensor product")
        (size, moved) = block[0]
        if isinstance(moved, Irrep):
            raise Unable(f"an axis that carries {moved}")
        result.append(((dual if moved == DUAL and dual else g) if moved else None, size.constant or 0))
    return result


def move(x: Array, acts: Sequence[Act], g: Matrix, ring: Ring) -> Array:
    """g x: the matrix applied to every moved axis, its inverse transpose to dual ones."""
    dual = _contragredient(g) if any(has_dual(act) for act in acts) else None
    for axis, act in enumerate(acts):
        parts, at = [], 0
        moved = np.moveaxis(x, axis, 0)
        for matrix, size in _blocks(act, g, dual):
            piece = moved[at : at + size]
            parts.append(piece if matrix is None else _times(matrix, piece, ring))
            at += size
        x = np.moveaxis(np.concatenate(parts, axis=0), 0, axis) if parts else x
    return x


def derivative(x: Array, acts: Sequence[Act], a: Matrix, ring: Ring) -> Array:
    """The sum over the moved axes of a applied to that axis, of minus its transpose to dual ones."""
    dual = [[-v for v in column] for column in zip(*a, strict=True)]
    zero = ring.constant(0)
    total = filled(x.shape, lambda _: zero)
    for axis, act in enumerate(acts):
        parts, at = [], 0
        moved = np.moveaxis(x, axis, 0)
        for matrix, size in _blocks(act, a, dual):
            piece = moved[at : at + size]
            parts.append(
                filled(piece.shape, lambda _: zero) if matrix is None else _times(matrix, piece, ring)
            )
            at += size
        if parts:
            total = np.asarray(total + np.moveaxis(np.concatenate(parts, axis=0), 0, axis), dtype=object)
    return total


def has_dual(act: Act) -> bool:
    """Whether a block is moved by the inverse transpose."""
    return any(moved == DUAL for block in act or () for _, moved in block)


def _contragredient(g: Matrix) -> Matrix:
    inverse = inverse_of(tuple(map(tuple, g)))
    return [list(column) for column in zip(*inverse, strict=True)]


def _times(matrix: Matrix, x: Array, ring: Ring) -> Array:
    """The matrix times x along its first axis."""
    zero = ring.constant(0)
    out = np.empty(x.shape, dtype=object)
    for i, row in enumerate(matrix):
        total = filled(x.shape[1:], lambda _: zero)
        for c, entry in zip(row, x, strict=True):
            if c:
                total = np.asarray(total + entry * ring.constant(c), dtype=object)
        out[i] = total if total.ndim else total.item()
    return out


def equal(a: Array, b: Array) -> bool:
    """Whether entries are equal, and rest on the same partial functions."""
    return all(
        p.num == q.num and p.den == q.den and p.domain == q.domain
        for p, q in zip(a.ravel(), b.ravel(), strict=True)
    )


def uniform_domains(x: Array, acts: Sequence[Act]) -> bool:
    """Whether entries along a moved block are all undefined at the same places."""
    for axis, act in enumerate(acts):
        moved, at = np.moveaxis(x, axis, 0), 0
        for matrix, size in _blocks(act, []):
            for k in range(at + 1, at + size if matrix is not None else at):
                pairs = zip(moved[at : at + 1].ravel(), moved[k : k + 1].ravel(), strict=True)
                if any(p.domain != q.domain for p, q in pairs):
                    return False
            at += size
    return True
