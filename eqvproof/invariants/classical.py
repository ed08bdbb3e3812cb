"""Invariants of vectors under the classical groups, and families of vectors with given invariants.

Let x be vectors and z covectors, on which g acts by its inverse transpose. By the first fundamental
theorem every polynomial invariant is a polynomial in

- the inner products ``x^T B y`` in the form B of the group (O, O(p,q), Lorentz, Sp), ``x^* y`` for
  U;
- these and the brackets, determinants of d of the vectors, for SO, SO(p,q) and SU;
- the pairings ``z^T x`` for GL; these and the brackets of vectors and of covectors for SL,

and every polynomial equivariant function is a combination, with invariant coefficients, of the
vectors; for SO, SO(p,q), SU and SL also of the vectors c with ``<c, v> = det(x_1, ..., x_(d-1),
v)`` for all v. If there is a form, it identifies covectors with vectors.

Source: Weyl (1939), "The classical groups", Theorems 2.6.A, 2.9.A and 6.1.A.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from flint import fmpq, fmpq_mat

from eqvproof.claims.groups.element import Element
from eqvproof.claims.groups.matrices import multiply_along
from eqvproof.invariants.calling import Array, as_floats, is_exact
from eqvproof.invariants.layout import Layout
from eqvproof.invariants.roots import float_root, form_root, skew_root
from eqvproof.invariants.witnesses.orbit_space import Space, space
from eqvproof.invariants.witnesses.rational import (
    concatenate,
    identity_matrix,
    matrix_of_columns,
    pivots,
    select_columns,
)
from eqvproof.numbers.scalar import from_fraction, to_fraction
from eqvproof.support.errors import DomainError


def to_rational(array: Array) -> fmpq_mat:
    """Converts a matrix of Fractions or floats, at their exact values, to a FLINT matrix."""
    values = [Fraction(v) for v in array.ravel().tolist()]
    rows, width = array.shape
    return fmpq_mat(rows, width, [from_fraction(v) for v in values])


def from_rational(matrix: fmpq_mat) -> Array:
    """Converts a FLINT rational matrix to an object array of Fractions."""
    array = np.empty(matrix.nrows() * matrix.ncols(), dtype=object)
    array[:] = [to_fraction(v) for v in matrix.entries()]
    return array.reshape(matrix.nrows(), matrix.ncols())


def bracket(square: Array) -> Any:
    """Computes the determinant of a square matrix; exact if the matrix is."""
    if not is_exact(square):
        return np.linalg.det(square)
    if not square.size:
        return Fraction(1)
    return to_fraction(to_rational(square).det())


@dataclass(frozen=True)
class Setting:
    """A layout at fixed sizes: the dimension d and the number of vectors in each argument.

    Attributes:
        layout: the layout.
        d: the dimension.
        widths: the number of vectors of each argument.
    """

    layout: Layout
    d: int
    widths: tuple[int, ...]

    @cached_property
    def space(self) -> Space:
        """The real vector space on which the group acts, with the form that the group preserves."""
        return space(self.layout.factor.family, self.d * self.layout.factor.record.reals)

    @cached_property
    def form(self) -> Array:
        """The matrix B of the form; for complex vectors the identity."""
        form = self.space.form
        if form is None or self.layout.is_complex:
            form = identity_matrix(self.d)
        return from_rational(form)

    @property
    def duals(self) -> Array:
        """For each column, True if it is a covector."""
        return np.repeat([b.is_dual for b in self.layout.blocks], self.widths)

    def act(self, g: Element, array: Array, duals: Array) -> Array:
        """Applies a group element to vectors, and its inverse transpose to covectors."""
        result = array.copy()
        if not self.layout.is_complex:
            result[:, ~duals] = multiply_along(g.matrix(), array[:, ~duals])
            result[:, duals] = multiply_along(g.contragredient().matrix(), array[:, duals])
            return result
        result[:, duals] = result[:, duals].conj()
        parts = multiply_along(g.matrix(), np.concatenate([result.real, result.imag]))
        result = parts[: self.d] + 1j * parts[self.d :]
        result[:, duals] = result[:, duals].conj()
        return result

    def raise_duals(self, array: Array, duals: Array) -> Array:
        """Maps covectors to vectors by the form of the group.

        For a symmetric form this map is its own inverse; for a skew form its square is -1.
        """
        return self._map_duals(array, duals, self._form_like(array).T)

    def lower_duals(self, array: Array, duals: Array) -> Array:
        """Maps the vectors back to covectors: the inverse of `raised`."""
        return self._map_duals(array, duals, self._form_like(array))

    def _map_duals(self, array: Array, duals: Array, form: Array) -> Array:
        if self.layout.is_paired or not duals.any():
            return array
        result = array.copy()
        if self.layout.is_complex:
            result[:, duals] = array[:, duals].conj()
        else:
            result[:, duals] = form @ array[:, duals]
        return result

    def _form_like(self, array: Array) -> Array:
        if is_exact(array):
            return self.form
        return as_floats(self.form)

    def invariants(self, array: Array) -> list[Array]:
        """Computes inner products or pairings of columns, block by block, and brackets."""
        x, z = self._sides(self.raise_duals(array, self.duals))
        if self.layout.is_paired:
            found = self._blocks(z.T @ x)
        else:
            found = self._blocks(x.conj().T @ self._form_like(x) @ x)
        for dual in self.bracket_families:
            if dual:
                found.append(self._brackets(z))
            else:
                found.append(self._brackets(x))
        return found

    def _sides(self, array: Array) -> tuple[Array, Array]:
        """Splits columns into vectors and covectors; without pairings all are vectors."""
        if not self.layout.is_paired:
            return array, array[:, :0]
        return array[:, ~self.duals], array[:, self.duals]

    @property
    def bracket_families(self) -> list[bool]:
        """For each family of columns that has brackets, True if it is the family of covectors."""
        if not self.space.is_oriented:
            return []
        if not self.layout.is_paired:
            return [False]
        return sorted({b.is_dual for b in self.layout.blocks})

    def _brackets(self, x: Array) -> Array:
        found = [bracket(x[:, list(chosen)]) for chosen in combinations(range(x.shape[1]), self.d)]
        array = np.empty(len(found), dtype=x.dtype)
        array[:] = found
        return array

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yields the pairs (row argument, column argument) that index the blocks."""
        blocks = self.layout.blocks
        if self.layout.is_paired:
            rows = [i for i, b in enumerate(blocks) if b.is_dual]
            return ((i, j) for i in rows for j, b in enumerate(blocks) if not b.is_dual)
        return ((i, j) for i in range(len(blocks)) for j in range(i + 1))

    def _ends(self, i: int) -> slice:
        """Returns the slice of one argument's columns in the joint matrix of `joint`."""
        blocks = self.layout.blocks
        start = 0
        for block, width in zip(blocks[:i], self.widths, strict=False):
            if not self.layout.is_paired or block.is_dual == blocks[i].is_dual:
                start += width
        return slice(start, start + self.widths[i])

    def _blocks(self, joint: Array) -> list[Array]:
        return [joint[self._ends(i), self._ends(j)] for i, j in self.pairs()]

    def join_blocks(self, blocks: Sequence[Array]) -> Array:
        """Assembles the matrix of all inner products, or of all pairings, from its blocks."""
        if self.layout.is_paired:
            shape = (int(self.duals.sum()), int((~self.duals).sum()))
        else:
            shape = (sum(self.widths), sum(self.widths))
        if all(map(is_exact, blocks)):
            result = np.zeros(shape, dtype=object)
        elif self.layout.is_complex:
            result = np.zeros(shape, dtype=complex)
        else:
            result = np.zeros(shape)
        for (i, j), block in zip(self.pairs(), blocks, strict=True):
            result[self._ends(i), self._ends(j)] = block
            if self.layout.is_paired:
                continue
            if self.space.skew:
                result[self._ends(j), self._ends(i)] = -block.T
            else:
                result[self._ends(j), self._ends(i)] = block.conj().T
        return result

    def covariants(self, array: Array) -> Array:
        """Computes the covariant vectors, of which equivariant values are linear combinations.

        They are returned as the columns of one matrix, mapped to vectors by `raised` in the same
        way as values.
        """
        x, z = self._sides(self.raise_duals(array, self.duals))
        output = self.layout.output
        if not self.layout.is_paired:
            first, other = x, x
        elif output and output.is_dual:
            first, other = z, x
        else:
            first, other = x, z
        if not self.space.is_oriented:
            return first
        choices = combinations(range(other.shape[1]), self.d - 1)
        stars = [self._star(other[:, list(chosen)]) for chosen in choices]
        return np.concatenate([first, *(s[:, None] for s in stars)], axis=1)

    def _star(self, some: Array) -> Array:
        """Returns the vector c with <c, v> = det(x_1, ..., x_(d-1), v) for all v."""
        unit = np.eye(self.d, dtype=int).astype(some.dtype)
        values = [
            bracket(np.concatenate([some, unit[:, k : k + 1]], axis=1)) for k in range(self.d)
        ]
        found = np.array(values, dtype=some.dtype)
        if self.layout.is_complex or self.layout.is_paired:
            return found.conj()
        product: Array = self._form_like(some) @ found
        return product

    def root(self, given: Sequence[Array]) -> Array | None:
        """Finds columns of greatest rank with given invariants; None if no rational one was found.

        Exactness: exact if the invariants are, except for complex vectors, which are floats.

        Raises:
            DomainError: no vectors have these invariants.
        """
        count = len(list(self.pairs()))
        joint, brackets = self.join_blocks(given[:count]), list(given[count:])
        if self.layout.is_paired:
            return self._paired_root(
                to_rational(joint), [to_rational(b[None]).entries() for b in brackets]
            )
        x = self._root(joint)
        if x is None:
            return None
        if brackets:
            x = self._orient(x, brackets[0])
        return self.lower_duals(x, self.duals)

    def _root(self, gram: Array) -> Array | None:
        form = self.space.form
        if self.space.skew:
            return from_rational(skew_root(to_rational(gram), self.d))
        if not is_exact(gram):
            signs = np.diag(self.form).tolist()
            if self.layout.is_complex:
                gram = gram.astype(complex)
            return float_root(gram, signs.count(1), signs.count(-1))  # signs + come first
        if form is None:
            return None
        found = form_root(to_rational(gram), form)
        if found is None:
            return None
        return from_rational(found)

    def _orient(self, x: Array, brackets: Array) -> Array:
        """Changes the sign or phase of the root's first row so that it has the given brackets."""
        own = self._brackets(x)
        if own.shape != brackets.shape:
            raise _no_brackets(
                f"{brackets.size} brackets", f"{own.size}, one for each choice of d vectors"
            )
        if not own.size:
            return x
        k = int(np.argmax(np.abs(own.astype(complex))))
        if own[k]:
            factor = brackets[k] / own[k]
            if is_exact(x) and is_exact(brackets) and factor not in (1, -1):
                raise _no_brackets(
                    f"{brackets[k]}", f"{own[k]} or {-own[k]}, by the inner products"
                )
            x = x.copy()
            if self.layout.is_complex:
                x[0] = x[0] * factor
            elif not factor > 0:
                x[0] = -x[0]
        return x

    def _paired_root(self, pairing: fmpq_mat, brackets: list[list[fmpq]]) -> Array:
        """Finds vectors and covectors with given pairings and brackets.

        If a bracket of the vectors is not 0, say of the first d: these are e_1, ..., c e_d, all
        others follow by Cramer's rule, and covectors from their pairings; likewise with vectors and
        covectors exchanged. If all brackets are 0: a factorisation of the pairings of the greatest
        rank.
        """
        n, k = pairing.ncols(), pairing.nrows()
        sides = dict(zip(self.bracket_families, brackets, strict=True))
        for dual, values in sides.items():
            if dual:
                count, rows = k, pairing
            else:
                count, rows = n, pairing.transpose()
            choices = list(combinations(range(count), self.d))
            if len(choices) != len(values):
                raise _no_brackets(
                    f"{len(values)} brackets", f"{len(choices)}, one for each choice of d vectors"
                )
            if any(values):
                first = _from_brackets(choices, values, self.d, count)
                basis = choices[next(i for i, v in enumerate(values) if v)]
                second = (
                    select_columns(first, basis).transpose().inv()
                    * select_columns(rows.transpose(), basis).transpose()
                )
                if dual:
                    return self._join_sides(second, first)
                return self._join_sides(first, second)
        echelon, rank = pairing.rref()
        if rank > self.d:
            raise DomainError(
                "the pairings have a rank above d",
                given=f"rank {rank}, d = {self.d}",
                expected="the pairings of vectors and covectors of R^d",
                hint="raise d; or give exact numbers, if rounding hides the rank",
            )
        x = fmpq_mat(rank, n, [echelon[i, j] for i in range(rank) for j in range(n)])
        z = select_columns(
            pairing, [next(j for j in range(n) if echelon[i, j]) for i in range(rank)]
        ).transpose()
        output = self.layout.output
        if output and output.is_dual:
            z = _extend_to_rank(z, min(self.d - int(True in sides and k >= self.d), k))
        else:
            x = _extend_to_rank(x, min(self.d - int(False in sides and n >= self.d), n))
        return self._join_sides(_pad_rows(x, self.d), _pad_rows(z, self.d))

    def _join_sides(self, x: fmpq_mat, z: fmpq_mat) -> Array:
        """Joins vectors and covectors to the columns of one array."""
        result = np.empty((self.d, sum(self.widths)), dtype=object)
        result[:, ~self.duals], result[:, self.duals] = from_rational(x), from_rational(z)
        return result


def _no_brackets(given: str, expected: str) -> DomainError:
    return DomainError(
        "no vectors have these brackets",
        given=given,
        expected=expected,
        hint="compute the brackets from vectors, with .invariants",
    )


def _from_brackets(
    choices: Sequence[Sequence[int]], values: Sequence[fmpq], d: int, n: int
) -> fmpq_mat:
    """Returns a d x n matrix with given d x d minors, not all of which are 0."""
    table = dict(zip(map(tuple, choices), values, strict=True))
    basis = next(c for c in table if table[c])

    def minor(order: Sequence[int]) -> fmpq:
        if len(set(order)) < d:
            return fmpq(0)
        inversions = sum(a > b for k, a in enumerate(order) for b in order[k + 1 :])
        return table[tuple(sorted(order))] * (1 - 2 * (inversions % 2))

    weights = [
        [minor([*basis[:i], j, *basis[i + 1 :]]) / table[basis] for j in range(n)] for i in range(d)
    ]
    if d:
        weights[-1] = [w * table[basis] for w in weights[-1]]
    found = fmpq_mat(d, n, [w for row in weights for w in row])
    if any(select_columns(found, c).det() != v for c, v in table.items()):
        raise _no_brackets(
            "numbers that are not the minors of a matrix", "the d x d minors of a d x n matrix"
        )
    return found


def _extend_to_rank(rows: fmpq_mat, rank: int) -> fmpq_mat:
    """Appends unit vectors to the rows until the matrix has a given rank."""
    wide = concatenate(rows.transpose(), identity_matrix(rows.ncols()))
    return select_columns(wide, pivots(wide)[: max(rank, rows.nrows())]).transpose()


def _pad_rows(rows: fmpq_mat, d: int) -> fmpq_mat:
    """Appends rows of zeros until there are d rows."""
    every = [select_columns(rows.transpose(), [k]) for k in range(rows.nrows())]
    nothing = fmpq_mat(rows.ncols(), 1)
    return matrix_of_columns([*every, *[nothing] * (d - len(every))], rows.ncols()).transpose()
