"""Orthogonal witnesses: an orthogonal Q with Q X = Y, or two columns that rule it out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.certificate import Certificate, element, field_parts, tensor
from eqvproof.invariants.witnesses.exact_search import (
    displacement,
    find_orthogonal,
    is_orthogonal_solution,
    normal_vector,
)
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.householder import Householder, Reflections
from eqvproof.invariants.witnesses.input_matrices import (
    call_by_kind,
    read_matrices,
    read_operand,
    require_same_shape,
    require_tolerance,
    to_array,
)
from eqvproof.invariants.witnesses.lattice import primitive_columns
from eqvproof.invariants.witnesses.modular import orthogonal_determinant
from eqvproof.invariants.witnesses.orthogonal_float import FloatOrthogonalWitness, float_witness
from eqvproof.invariants.witnesses.wall_parametrization import reflection_vectors
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import DomainError, defect
from eqvproof.support.short_tracebacks import shortens_tracebacks


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
        """The largest bit length among the numerators and the common denominator of Q."""
        return self.matrix.bits

    @cached_property
    def reflections(self) -> Reflections:
        """At most rank(X) reflections whose product maps X to Y, one more for a given determinant.

        Their product is Q itself if ``with_reflections`` is set, and whenever X has rank d.
        Otherwise the product is the Q of least displacement, whose entries may be much longer than
        those of a witness that was chosen to be short: see `Reflections.bits`.
        """
        x, u = displacement(*primitive_columns(self.x, self.y))
        vectors = reflection_vectors(x, u)
        items = [Householder(v) for v in reversed(vectors)]
        if self.with_reflections and self.determinant != (-1) ** len(items):
            items.append(Householder(normal_vector(self.x)))
        found = Reflections(tuple(items), self.x.shape[0])
        if not found.image(self.x).equals(self.y):
            raise defect("a factorisation into reflections failed its exact check")
        return found

    def apply(self, array: Any) -> NDArray[Any]:
        """Computes Q A for A of shape (d, m) or (d,); exact if A is."""
        both, single = read_operand(array, self.x.shape[0], Q=self.Q)
        result: NDArray[Any] = call_by_kind(
            both, lambda q, a: to_array(q @ a), lambda q, a: q.values @ a.values
        )
        if single:
            return result[:, 0]
        return result

    @property
    def certificate(self) -> Certificate:
        """The certificate with X, Y, Q and any requested reflections, for the kernel."""
        parts: dict[str, Any] = {"X": tensor(self.x), "Y": tensor(self.y), "Q": tensor(self.matrix)}
        if self.with_reflections and self.x.field.is_rational:
            parts["reflections"] = [
                [element(e) for e in r.vector.entries()]
                for r in self.reflections
                if isinstance(r.vector, FieldMatrix)
            ]
        return seal(
            "orthogonal-witness", **field_parts(self.x.field), **parts, determinant=self.determinant
        )

    def __repr__(self) -> str:
        d, n = self.x.shape
        return (
            f"<exact orthogonal witness: {d} x {d}, det {self.determinant}, "
            f"Q X = Y for {n} columns of rank {self.rank}>"
        )


@shortens_tracebacks
def orthogonal_witness(
    X: Any,
    Y: Any,
    *,
    det: int | None = None,
    reflections: bool = False,
    tol: float | None = None,
) -> OrthogonalWitness | FloatOrthogonalWitness:
    """Finds an orthogonal Q with ``Q X = Y``, which exists if and only if ``X^T X = Y^T Y``.

    Args:
        X: d x n; integers, Fractions, SymPy or python-flint numbers (exact), or floats.
        Y: d x n, with the same inner products between columns.
        det: 1 or -1, if the determinant matters.
        reflections: make Q the product of at most rank(X) reflections (one more if ``det`` requires
            it). Below full rank such a Q is unique in general, and its entries can be long; without
            this, a short Q is searched.
        tol: for floats, the largest |Q x - y| / |x| that counts as rounding; by default, derived
            from the precision of the data.

    Returns:
        A witness with ``.Q``, ``.reflections``, ``.apply(A)``, ``.certificate``. For floats, Q is
        orthogonal to rounding, with a rigorous ``.bound`` on |Q X - Y|; complex floats give a
        unitary Q.

    Exactness: exact for exact input; Q^T Q = I and Q X = Y are verified before Q is returned.

    Raises:
        GramMismatch: naming the first pair of columns whose inner products differ, and both values.
        DomainError: NaN, infinities, text; or a determinant that is impossible, with the reason.
        ShapeError: X and Y of different shapes.

    Cost: exact: one modular solve of the size of rank(X - Y), and a product; float: two QR
        factorisations.

    Source: Wall (1959); Scherk (1950), "On the decomposition of orthogonalities into symmetries".

    >>> w = orthogonal_witness([[3], [4]], [[5], [0]])
    >>> print(w.Q)
    [[Fraction(3, 5) Fraction(4, 5)]
     [Fraction(4, 5) Fraction(-3, 5)]]
    """
    if not (det is None or (isinstance(det, (int, float, np.integer)) and det in (1, -1))):
        raise DomainError(
            "det is neither 1 nor -1",
            given=repr(det),
            expected="1, -1 or None",
            hint="omit det= if both are acceptable",
        )
    if not isinstance(reflections, (bool, np.bool_)):
        raise DomainError(
            "reflections is neither True nor False",
            given=repr(reflections)[:80],
            expected="True or False",
            hint="reflections=True makes Q a product of few reflections",
        )
    require_tolerance(tol)
    both = read_matrices(X=X, Y=Y)
    require_same_shape(*both)
    exact = partial(exact_witness, det=det, reflections=reflections)
    return call_by_kind(both, exact, partial(float_witness, det=det, tol=tol))


def exact_witness(
    x: FieldMatrix, y: FieldMatrix, *, det: int | None = None, reflections: bool = False
) -> OrthogonalWitness:
    """Computes an exact witness for matrices over one field; see `orthogonal_witness`."""
    q, rank = find_orthogonal(x, y, short=not reflections)
    determinant = orthogonal_determinant(q)
    if det is not None and determinant != det:
        if rank == x.shape[0]:
            raise DomainError(
                f"no orthogonal matrix of determinant {det} maps X to Y",
                given=f"X of rank {rank}, which spans R^{rank}",
                expected=f"det Q = {determinant}: the columns of X determine Q, and this is its"
                f" determinant",
                code="domain.determinant",
                hint="omit det=, or use the other sign",
            )
        q = q @ Householder(normal_vector(x)).image(FieldMatrix.identity(x.shape[0], x.field))
        determinant = det
        if not is_orthogonal_solution(q, x, y):
            raise defect("a change of the determinant failed its exact check")
    return OrthogonalWitness(x, y, q, determinant, rank, reflections or rank == x.shape[0])
