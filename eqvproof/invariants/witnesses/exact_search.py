"""Search for an exact orthogonal Q with Q X = Y: one solve, Wall's form, or a shorter matrix.

Every result is verified.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import fmpq_mat, fmpz_mat

from eqvproof.invariants.witnesses.extension import cayley_extensions
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.lattice import coprime, primitive_columns
from eqvproof.invariants.witnesses.mismatch import first_difference, gram_mismatch
from eqvproof.invariants.witnesses.modular import ATTEMPTS, independent_columns, pivots, primes
from eqvproof.invariants.witnesses.wall_parametrization import one_solve, wall_form
from eqvproof.support.errors import defect

#: A Q shorter than Wall's is searched if Wall's has this many bits more than twice those of X and
#: Y. It is used only if its entries have less than half as many bits.
WORTHWHILE = 32
#: Estimated bit length of Wall's form above which a shorter Q is searched first.
LONG = 800
#: Largest dimension of lattices that are reduced.
LARGEST_LATTICE = 72


def find_orthogonal(x: FieldMatrix, y: FieldMatrix, *, short: bool) -> tuple[FieldMatrix, int]:
    """Finds an orthogonal Q with Q X = Y; returns Q, verified, and rank(X).

    Args:
        x: X, d x n.
        y: Y, d x n.
        short: below full rank, prefer short entries to least displacement.

    Raises:
        GramMismatch: the Gram matrices differ.
    """
    direct = _solve_directly(x, y)
    if direct is not None:
        return direct, x.shape[0]
    left, right = primitive_columns(x, y)
    for _, (prime, root) in zip(range(ATTEMPTS), primes(x.field), strict=False):
        chosen = pivots(left, prime, root)
        if chosen is None:
            continue
        bases = (left.select(columns=chosen), right.select(columns=chosen))
        q = _shortest(bases, (left, right), short=short)
        if q is not None:
            return q, len(chosen)
        pair = first_difference(left, right)
        if pair is not None:
            raise gram_mismatch(x, y, pair)
    raise defect("no prime was found that keeps the rank of X")


def _solve_directly(x: FieldMatrix, y: FieldMatrix) -> FieldMatrix | None:
    """Solves for Q by the first d columns of rational matrices; None if that Q fails the check."""
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
    if orthogonal and solution * x.given == y.given:
        return q
    return None


def _shortest(
    bases: tuple[FieldMatrix, FieldMatrix], whole: tuple[FieldMatrix, FieldMatrix], *, short: bool
) -> FieldMatrix | None:
    """Finds a verified orthogonal Q that maps X to Y: Wall's form or a shorter one; or None.

    Args:
        bases: independent columns of X, and the same columns of Y.
        whole: X and Y.
        short: whether a Q other than Wall's form is acceptable.
    """
    x, y = bases
    d, r = x.shape
    if r == d:
        return _verify(one_solve, x, y, whole)
    extended = None
    if short and 0 < r and d <= LARGEST_LATTICE and x.field.is_rational:
        size = r * (x.bits + y.bits)
        if size > LONG:
            # Wall's form would be long, and slow to compute: it is used only if no other is found
            extended = _verify(cayley_extensions, x, y, whole)
            if extended is not None:
                return extended
            return _verify(_wall, x, y, whole)
    wall = _verify(_wall, x, y, whole)
    if (
        wall is None
        or not short
        or wall.bits <= WORTHWHILE + 2 * max(y.bits, x.bits)
        or d > LARGEST_LATTICE
    ):
        return wall
    if x.field.is_rational:
        extended = _verify(cayley_extensions, x, y, whole)
    if extended is not None and 2 * extended.bits < wall.bits:
        return extended
    return wall


def _verify(
    make: Callable[[FieldMatrix, FieldMatrix], FieldMatrix | None],
    x: FieldMatrix,
    y: FieldMatrix,
    whole: tuple[FieldMatrix, FieldMatrix],
) -> FieldMatrix | None:
    """Builds a matrix Q from independent columns; None unless Q^T Q = I and Q X = Y."""
    try:
        q = make(x, y)
    except ZeroDivisionError:
        return None
    if q is not None and is_orthogonal_solution(q, *whole):
        return q
    return None


def _wall(x: FieldMatrix, y: FieldMatrix) -> FieldMatrix | None:
    return next((wall_form(*chosen) for chosen in _displacement_columns(x, y)), None)


def _displacement_columns(
    x: FieldMatrix, y: FieldMatrix
) -> Iterator[tuple[FieldMatrix, FieldMatrix]]:
    """Yields columns of X and the same columns of U = X - Y, those of U independent.

    Each prime gives one choice: the first columns of U that are independent modulo it.
    """
    u = x - y
    for _, (prime, root) in zip(range(ATTEMPTS), primes(x.field), strict=False):
        chosen = pivots(u, prime, root)
        if chosen is not None:
            yield x.select(columns=chosen), u.select(columns=chosen)


def is_orthogonal_solution(q: FieldMatrix, x: FieldMatrix, y: FieldMatrix) -> bool:
    """Checks exactly whether Q^T Q = I and Q X = Y."""
    identity = FieldMatrix.identity(q.shape[0], q.field)
    if not q.field.is_rational:
        return (q @ x).equals(y) and (q.transpose() @ q).equals(identity)
    if q.top * x.top * y.bottom != y.top * (q.bottom * x.bottom):
        return False
    return bool(q.top.transpose() * q.top == identity.top * q.bottom**2)


def displacement(x: FieldMatrix, y: FieldMatrix) -> tuple[FieldMatrix, FieldMatrix]:
    """Returns columns of X and of U = X - Y; those of U are independent and span X - Y."""
    for chosen in _displacement_columns(x, y):
        try:
            if is_orthogonal_solution(wall_form(*chosen), x, y):
                return chosen
        except ZeroDivisionError:
            continue
    raise defect("no prime was found that keeps the rank of X - Y")


def normal_vector(x: FieldMatrix) -> FieldMatrix:
    """Returns a nonzero vector orthogonal to all columns of X, shortened by LLL."""
    d = x.shape[0]
    basis = x.select(columns=independent_columns(x))
    if x.field.is_rational:
        kernel, nullity = primitive_columns(basis, basis)[0].top.transpose().nullspace()
        columns = [FieldMatrix.rational(kernel).select(columns=[k]) for k in range(nullity)]
        rows = fmpz_mat([coprime(column).top.entries() for column in columns]).lll().tolist()
        shortest = min(rows, key=lambda row: sum(int(e) ** 2 for e in row))
        return coprime(FieldMatrix.rational(fmpz_mat(d, 1, shortest)))
    gram = basis.transpose() @ basis
    identity = FieldMatrix.identity(d, x.field)
    rest = identity - basis @ gram.solve(basis.transpose())
    return next(
        rest.select(columns=[k]) for k in range(d) if not rest.select(columns=[k]).is_zero()
    )
