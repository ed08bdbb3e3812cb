"""Congruence witnesses: Q and P with Q X P = Y, for point sets without labels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eqvproof.invariants.witnesses.certificate import Certificate, field_parts, tensor
from eqvproof.invariants.witnesses.field import FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import (
    Floats,
    call_by_kind,
    read_matrices,
    require_columns,
    require_real,
    require_same_shape,
    require_tolerance,
)
from eqvproof.invariants.witnesses.labels import FloatLabels, PairLabels, ResidueLabels
from eqvproof.invariants.witnesses.modular import ATTEMPTS
from eqvproof.invariants.witnesses.orthogonal import OrthogonalWitness, exact_witness
from eqvproof.invariants.witnesses.orthogonal_float import (
    SLACK,
    FloatOrthogonalWitness,
    float_witness,
)
from eqvproof.invariants.witnesses.permutation import matrix_of
from eqvproof.invariants.witnesses.refinement import WHOLE, Indices, Search, refuting_base
from eqvproof.programs.sealing import seal
from eqvproof.support.errors import CongruenceMismatch, GramMismatch, defect
from eqvproof.support.short_tracebacks import shortens_tracebacks
from eqvproof.support.writing import entry_text


@dataclass(frozen=True, eq=False)
class CongruenceWitness:
    """An orthogonal Q and a permutation matrix P with Q X P = Y.

    Attributes:
        x: X, d x n.
        y: Y, d x n.
        permutation: p with ``Q @ X[:, p] == Y``.
        rotation: the orthogonal witness that maps X P to Y.
    """

    x: FieldMatrix | Floats
    y: FieldMatrix | Floats
    permutation: Indices
    rotation: OrthogonalWitness | FloatOrthogonalWitness

    @property
    def is_exact(self) -> bool:
        """True if Q X P equals Y exactly."""
        return self.rotation.is_exact

    @property
    def Q(self) -> NDArray[Any]:
        """The orthogonal matrix, d x d."""
        return self.rotation.Q

    @cached_property
    def P(self) -> NDArray[np.int64]:
        """The n x n permutation matrix, ``P[p[j], j] = 1``."""
        return matrix_of(self.permutation)

    def apply(self, array: Any) -> NDArray[Any]:
        """Computes Q A P for A of shape (d, n)."""
        columns = require_columns(array, len(self.permutation), least=2)
        return self.rotation.apply(columns[..., self.permutation])

    @property
    def certificate(self) -> Certificate:
        """The certificate with X, Y, Q and the permutation, which the kernel multiplies out.

        For floats, it is the orthogonal certificate of X P and Y.
        """
        if isinstance(self.x, Floats) or isinstance(self.y, Floats):
            return self.rotation.certificate
        if isinstance(self.rotation, OrthogonalWitness):
            matrix = tensor(self.rotation.matrix)
        else:
            matrix = tensor(self.rotation.Q)
        return seal(
            "congruence-witness",
            **field_parts(self.x.field),
            X=tensor(self.x),
            Y=tensor(self.y),
            Q=matrix,
            permutation=self.permutation.tolist(),
        )

    def __repr__(self) -> str:
        kind = "exact" if self.is_exact else "to rounding"
        return f"<congruence witness of {self.permutation.shape[0]} columns, {kind}>"


@shortens_tracebacks
def congruence_witness(X: Any, Y: Any, *, tol: float | None = None) -> CongruenceWitness:
    """Finds an orthogonal Q and a permutation P with ``Q X P = Y``, for unlabelled point sets.

    Args:
        X: d x n; integers, Fractions, SymPy or python-flint numbers (exact), or real floats.
        Y: d x n.
        tol: for floats, the largest |Q x - y| / |x| that counts as rounding.

    Returns:
        A witness with ``.Q``, ``.permutation`` (``Q @ X[:, p] == Y``), ``.P``, ``.apply(A)``,
        ``.certificate``.

    Exactness: exact for exact input; Q^T Q = I and Q X P = Y are verified before they are returned.
        A mismatch is exact too: the invariants of X and Y differ modulo a prime.

    Raises:
        CongruenceMismatch: naming the invariant that differs (also a `GramMismatch` and a
        `MultisetMismatch`).
        DomainError: NaN, infinities, text, complex numbers.
        ShapeError: X and Y of different shapes.

    Cost: generic sets O(n log n + d n); symmetric ones O(d n^2) for each column tried, at most d
        columns deep.

    Source: Babai, Erdos, Selkow (1980), "Random graph isomorphism"; McKay and Piperno (2014),
        "Practical graph isomorphism, II".

    >>> w = congruence_witness([[1, 0, 2], [0, 1, 0]], [[0, 0, 1], [2, 1, 0]])
    >>> w.permutation.tolist()
    [2, 0, 1]
    """
    require_tolerance(tol)
    both = read_matrices(X=X, Y=Y)
    require_same_shape(*both)
    return call_by_kind(both, _exact_congruence, partial(_float_congruence, tol=tol))


def _exact_congruence(x: FieldMatrix, y: FieldMatrix) -> CongruenceWitness:
    for attempt in range(ATTEMPTS):
        labels = ResidueLabels.of(x, y, attempt)
        found, unlucky = _search_witness(
            x, y, labels, lambda p: exact_witness(x.select(columns=p.tolist()), y)
        )
        if found is not None:
            return found
        if not unlucky:
            raise _mismatch(x, y, labels)
    raise defect("no primes were found that distinguish the inner products")


def _search_witness(
    x: FieldMatrix | Floats, y: FieldMatrix | Floats, labels: PairLabels,
    rotate: Callable[[Indices], OrthogonalWitness | FloatOrthogonalWitness],
) -> tuple[CongruenceWitness | None, bool]:  # fmt: skip
    """Searches the orders of columns that the labels allow for one that gives a witness.

    Returns the first witness, or None; and True if some order allowed by the labels gave none, so
    that two different inner products have the same label.
    """
    found: list[CongruenceWitness] = []
    wrong: list[Indices] = []

    def accept(order: Indices) -> bool:
        try:
            found.append(CongruenceWitness(x, y, order, rotate(order)))
        except GramMismatch:
            wrong.append(order)
        return bool(found)

    grams = labels.grams() if labels.n <= WHOLE else None
    Search(labels, grams, accept).run()
    if found:
        return found[0], bool(wrong)
    return None, bool(wrong)


def _float_congruence(x: Floats, y: Floats, tol: float | None) -> CongruenceWitness:
    require_real(x.values, "X")
    require_real(y.values, "Y")
    if tol is None:
        slack = SLACK * (x.shape[0] + 8) * max(x.epsilon, y.epsilon)
    else:
        slack = float(tol)
    largest = float(np.max(np.sum(x.values**2, axis=0), initial=0.0))
    labels = FloatLabels(x.shape[1], x.values, y.values, 4 * slack * largest)

    def rotate(order: Indices) -> FloatOrthogonalWitness:
        ordered = Floats(np.ascontiguousarray(x.values[:, order]), x.epsilon)
        return float_witness(ordered, y, det=None, tol=tol)

    found, _ = _search_witness(x, y, labels, rotate)
    if found is None:
        raise _mismatch(x, y, labels)
    return found


def _mismatch(
    x: FieldMatrix | Floats, y: FieldMatrix | Floats, labels: PairLabels
) -> CongruenceMismatch:
    base = refuting_base(labels)
    if base is None:
        given = "every choice of images of columns that span X was tried"
    elif not base:
        given = "their columns have different lengths, counted with multiplicity"
    elif len(base) == 1:
        given = f"column {base[0]} of X has inner products with all columns that no column of Y has"
    else:
        given = (
            f"columns {entry_text(*base)} of X have inner products with all columns that no"
            f" {len(base)} columns of Y have"
        )
    error = CongruenceMismatch(
        "no orthogonal matrix maps the columns of X to those of Y, in any order",
        given=given,
        expected="two sets of vectors that differ by a rotation or reflection about the origin",
        hint="if the sets may also be translated, subtract the mean of the columns from each first",
    )
    if base is not None:
        error.base = tuple(base)
        if isinstance(x, FieldMatrix) and isinstance(y, FieldMatrix):
            parts = {**field_parts(x.field), "X": tensor(x), "Y": tensor(y), "base": base}
            error.evidence = lambda: seal("congruence-mismatch", **parts)
    return error
