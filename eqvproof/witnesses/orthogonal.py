"""Orthogonal witnesses: an orthogonal Q with Q X = Y, or the pair of columns that rules it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpq_mat, fmpz_mat
from numpy.typing import NDArray

from eqvproof.errors import DomainError, EqvproofError
from eqvproof.witnesses.certificate import Certificate, element, field_parts, seal, tensor
from eqvproof.witnesses.extension import cayley_extensions
from eqvproof.witnesses.field import FieldMatrix
from eqvproof.witnesses.householder import Householder, Reflections
from eqvproof.witnesses.lattice import coprime, primitive_columns
from eqvproof.witnesses.mismatch import first_difference, gram_mismatch
from eqvproof.witnesses.modular import (
    ATTEMPTS,
    independent_columns,
    orthogonal_determinant,
    pivots,
    primes,
)
from eqvproof.witnesses.orthogonal_float import FloatOrthogonalWitness, float_witness
from eqvproof.witnesses.reading import Floats, read_matrices, require_same_shape, to_array
from eqvproof.witnesses.wall import one_solve, reflection_vectors, wall_form

#: A longer Q than Wall's is never taken; a shorter one only when it saves so many bits, and at least half.
WORTHWHILE = 32
#: From about so many bits in Wall's form on, another one is sought first.
LONG = 4000
#: Lattices of more dimensions than this are left alone.
LARGEST_LATTICE = 72


@dataclass(frozen=True, eq=False)
class OrthogonalWitness:
    """An exact orthogonal Q with Q X = Y.

    Attributes:
        x: X, d x n.
        y: Y, d x n.
        matrix: Q, d x d, over the field of X and Y.
        determinant: det Q, 1 or -1.
        rank: the rank of X.
        with_reflections: whether Q is the product of `reflections`.
    """

    x: FieldMatrix
    y: FieldMatrix
    matrix: FieldMatrix
    determinant: int
    rank: int
    with_reflections: bool = False

    is_exact = True
    #: Q X - Y is zero.
    bound = 0

    @cached_property
    def Q(self) -> NDArray[Any]:
        """Q as a d x d array of Fractions (of SymPy numbers over a larger field)."""
        return to_array(self.matrix)

    @property
    def bits(self) -> int:
        """The length of the longest integer among the numerators and the common denominator of Q."""
        return self.matrix.bits

    @cached_property
    def reflections(self) -> Reflections:
        """At most rank(X) reflections (one more when a determinant asks for it) whose product carries X to Y.

        Their product is Q itself when ``with_reflections`` is set, and whenever X has rank d. Otherwise the
        product is the Q of least displacement, whose entries may be much longer than those of a witness that
        was chosen to be short: `Reflections.bits` tells.
        """
        x, u = _displacement(*primitive_columns(self.x, self.y))
        vectors = reflection_vectors(x, u)
        items = [Householder(v) for v in reversed(vectors)]
        if self.with_reflections and self.determinant != (-1) ** len(items):
            items.append(Householder(_normal_vector(self.x)))
        found = Reflections(tuple(items), self.x.shape[0])
        if not found.image(self.x).equals(self.y):
            raise EqvproofError("a factorisation into reflections failed its exact check")
        return found

    def apply(self, array: Any) -> NDArray[Any]:
        """Q A for A of shape (d, m) or (d,); exact where A is."""
        single = np.ndim(array) == 1
        columns = np.asarray(array)[:, None] if single else array
        q, a = read_matrices(Q=self.Q, A=columns)
        if isinstance(q, FieldMatrix) and isinstance(a, FieldMatrix):
            result = to_array(q @ a)
        elif isinstance(q, Floats) and isinstance(a, Floats):
            result = q.values @ a.values
        else:
            raise EqvproofError("matrices of different kinds")
        return result[:, 0] if single else result

    @property
    def certificate(self) -> Certificate:
        """X, Y, Q (and the reflections, if asked for), which the kernel multiplies out."""
        parts: dict[str, Any] = {"X": tensor(self.x), "Y": tensor(self.y), "Q": tensor(self.matrix)}
        if self.with_reflections and self.x.field.is_rational:
            parts["reflections"] = [
                [element(e) for e in r.vector.entries()]
                for r in self.reflections
                if isinstance(r.vector, FieldMatrix)
            ]
        return seal("orthogonal-witness", **field_parts(self.x.field), **parts, determinant=self.determinant)

    def __repr__(self) -> str:
        d, n = self.x.shape
        return (
            f"<exact orthogonal witness: {d} x {d}, det {self.determinant}, "
            f"Q X = Y for {n} columns of rank {self.rank}>"
        )


def orthogonal_witness(
    X: Any,
    Y: Any,
    *,
    det: int | None = None,
    reflections: bool = False,
    tol: float | None = None,
) -> OrthogonalWitness | FloatOrthogonalWitness:
    """An orthogonal Q with ``Q X = Y``, which exists if and only if ``X^T X = Y^T Y``.

    Args:
        X: d x n; integers, Fractions, SymPy or python-flint numbers (exact), or floats.
        Y: d x n, with the same inner products between columns.
        det: 1 or -1, where the determinant matters.
        reflections: make Q the product of at most rank(X) reflections (one more when ``det`` asks for it).
            Below full rank such a Q is unique in general, and its entries can be long; without this, a short
            Q is sought.
        tol: for floats, the largest |Q x - y| / |x| that counts as rounding; by default, what the data's own
            precision explains.

    Returns:
        A witness with ``.Q``, ``.reflections``, ``.apply(A)``, ``.certificate``. For floats, Q is orthogonal
        to rounding, with a rigorous ``.bound`` on |Q X - Y|; complex floats give a unitary Q.

    Exactness: exact for exact input; Q^T Q = I and Q X = Y are multiplied out before Q is returned.

    Raises:
        GramMismatch: naming the first pair of columns whose inner products differ, and both values.
        DomainError: NaN, infinities, text; or a determinant that is impossible, with the reason.
        ShapeError: X and Y of different shapes.

    Cost: exact: one modular solve of the size of rank(X - Y), and a product; float: two QR factorisations.

    Source: Wall (1959); Scherk (1950), "On the decomposition of orthogonalities into symmetries".

    >>> w = orthogonal_witness([[3], [4]], [[5], [0]])
    >>> print(w.Q)
    [[Fraction(3, 5) Fraction(4, 5)]
     [Fraction(4, 5) Fraction(-3, 5)]]
    """
    if det not in (None, 1, -1):
        raise DomainError("det is neither 1 nor -1", given=repr(det), expected="1, -1 or None")
    x, y = read_matrices(X=X, Y=Y)
    require_same_shape(x, y)
    if isinstance(x, Floats) and isinstance(y, Floats):
        return float_witness(x, y, det=det, tol=tol)
    if isinstance(x, FieldMatrix) and isinstance(y, FieldMatrix):
        return exact_witness(x, y, det=det, reflections=reflections)
    raise EqvproofError("matrices of different kinds")


def exact_witness(
    x: FieldMatrix, y: FieldMatrix, *, det: int | None = None, reflections: bool = False
) -> OrthogonalWitness:
    """An exact witness for exact matrices over one field; see `orthogonal_witness`."""
    direct = _direct(x, y)
    if direct is not None:
        return _finish(x, y, direct, x.shape[0], det, reflections=reflections)
    left, right = primitive_columns(x, y)
    for _, (prime, root) in zip(range(ATTEMPTS), primes(x.field), strict=False):
        chosen = pivots(left, prime, root)
        if chosen is None:
            continue
        bases = (left.select(columns=chosen), right.select(columns=chosen))
        q = _shortest(bases, (left, right), short=not reflections)
        if q is not None:
            return _finish(x, y, q, len(chosen), det, reflections=reflections)
        pair = first_difference(left, right)
        if pair is not None:
            raise gram_mismatch(x, y, pair)
    raise EqvproofError("no prime was found that keeps the rank of X; this should not happen")


def _direct(x: FieldMatrix, y: FieldMatrix) -> FieldMatrix | None:
    """For rational matrices given by fractions: Q from the first d columns, verified; None where that fails."""
    d, n = x.shape
    if not (isinstance(x.given, fmpq_mat) and isinstance(y.given, fmpq_mat) and 0 < d <= n):
        return None
    left, right = (m.select(columns=range(d)).given for m in (x, y))
    if not isinstance(left, fmpq_mat) or not isinstance(right, fmpq_mat):
        return None
    try:
        solution = left.transpose().solve(right.transpose()).transpose()
    except ZeroDivisionError:
        return None
    q = FieldMatrix.rational(solution)
    orthogonal = q.top.transpose() * q.top == FieldMatrix.identity(d).top * q.bottom**2
    return q if orthogonal and solution * x.given == y.given else None


def _shortest(
    bases: tuple[FieldMatrix, FieldMatrix], whole: tuple[FieldMatrix, FieldMatrix], *, short: bool
) -> FieldMatrix | None:
    """A verified orthogonal matrix that carries X to Y: Wall's, or a shorter one; None if there is none.

    Args:
        bases: independent columns of X, and the same columns of Y.
        whole: X and Y.
        short: whether another than Wall's form will do.
    """
    x, y = bases
    d, r = x.shape
    if r == d:
        return _verified(one_solve, x, y, whole)
    extended = None
    if short and 0 < r and d <= LARGEST_LATTICE and x.field.is_rational:
        size = r * (x.bits + y.bits)
        if size > LONG:
            # Wall's form would take long to compute and be about so long; only if nothing else is found
            extended = _verified(cayley_extensions, x, y, whole)
            return extended if extended is not None else _verified(_wall, x, y, whole)
    wall = _verified(_wall, x, y, whole)
    if wall is None or not short or wall.bits <= WORTHWHILE + 2 * max(y.bits, x.bits) or d > LARGEST_LATTICE:
        return wall
    if x.field.is_rational:
        extended = _verified(cayley_extensions, x, y, whole)
    return extended if extended is not None and 2 * extended.bits < wall.bits else wall


def _verified(
    make: Callable[[FieldMatrix, FieldMatrix], FieldMatrix | None],
    x: FieldMatrix,
    y: FieldMatrix,
    whole: tuple[FieldMatrix, FieldMatrix],
) -> FieldMatrix | None:
    """A matrix made from independent columns, if Q^T Q = I and Q X = Y."""
    try:
        q = make(x, y)
    except ZeroDivisionError:
        return None
    return q if q is not None and _carries(q, *whole) else None


def _wall(x: FieldMatrix, y: FieldMatrix) -> FieldMatrix | None:
    u = x - y
    for _, (prime, root) in zip(range(ATTEMPTS), primes(x.field), strict=False):
        moved = pivots(u, prime, root)
        if moved is not None:
            return wall_form(x.select(columns=moved), u.select(columns=moved))
    return None


def _carries(q: FieldMatrix, x: FieldMatrix, y: FieldMatrix) -> bool:
    """Whether Q^T Q = I and Q X = Y, exactly."""
    identity = FieldMatrix.identity(q.shape[0], q.field)
    if not q.field.is_rational:
        return (q @ x).equals(y) and (q.transpose() @ q).equals(identity)
    if q.top * x.top * y.bottom != y.top * (q.bottom * x.bottom):
        return False
    return bool(q.top.transpose() * q.top == identity.top * q.bottom**2)


def _finish(
    x: FieldMatrix, y: FieldMatrix, q: FieldMatrix, rank: int, det: int | None, *, reflections: bool
) -> OrthogonalWitness:
    determinant = orthogonal_determinant(q)
    if det is not None and determinant != det:
        if rank == x.shape[0]:
            raise DomainError(
                f"no orthogonal matrix of determinant {det} carries X to Y",
                given=f"X of rank {rank}, which spans R^{rank}",
                expected=f"det Q = {determinant}: the columns of X determine Q, and this is its determinant",
                code="domain.determinant",
            )
        q = q @ Householder(_normal_vector(x)).image(FieldMatrix.identity(x.shape[0], x.field))
        determinant = det
        if not _carries(q, x, y):
            raise EqvproofError("a change of the determinant failed its exact check")
    return OrthogonalWitness(x, y, q, determinant, rank, reflections or rank == x.shape[0])


def _displacement(x: FieldMatrix, y: FieldMatrix) -> tuple[FieldMatrix, FieldMatrix]:
    """Columns of X and of U = X - Y with U of full column rank, spanning all differences."""
    u = x - y
    for _, (prime, root) in zip(range(ATTEMPTS), primes(x.field), strict=False):
        moved = pivots(u, prime, root)
        if moved is None:
            continue
        chosen, basis = x.select(columns=moved), u.select(columns=moved)
        try:
            if _carries(wall_form(chosen, basis), x, y):
                return chosen, basis
        except ZeroDivisionError:
            continue
    raise EqvproofError("no prime was found that keeps the rank of X - Y; this should not happen")


def _normal_vector(x: FieldMatrix) -> FieldMatrix:
    """A nonzero vector orthogonal to all columns of X, as short as LLL finds it."""
    d = x.shape[0]
    if x.field.is_rational:
        kernel, nullity = x.top.transpose().nullspace()
        rows = fmpz_mat([coprime_row(kernel, k) for k in range(nullity)]).lll().tolist()
        shortest = min(rows, key=lambda row: sum(int(e) ** 2 for e in row))
        return coprime(FieldMatrix.rational(fmpz_mat(d, 1, shortest)))
    basis = x.select(columns=independent_columns(x))
    gram = basis.transpose() @ basis
    identity = FieldMatrix.identity(d, x.field)
    rest = identity - basis @ gram.solve(basis.transpose())
    return next(rest.select(columns=[k]) for k in range(d) if not rest.select(columns=[k]).is_zero())


def coprime_row(kernel: Any, column: int) -> list[Any]:
    """One column of an integer matrix, divided by the common divisor of its entries."""
    d = kernel.nrows()
    vector = coprime(FieldMatrix.rational(kernel).select(columns=[column]))
    return [vector.top[i, 0] for i in range(d)]
