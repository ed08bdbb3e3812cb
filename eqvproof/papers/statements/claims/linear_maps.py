"""Claims that a family spans the linear equivariant maps, by exact linear algebra."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpz_mat

from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.numbers import array_text
from eqvproof.papers.statements.finding import Finding, certify_verdict, shorten, undecided
from eqvproof.papers.statements.judge import Court

Matrix = Any


@dataclass(frozen=True, slots=True, eq=False)
class MapSpace:
    """Two representations of a finite group, and a family of linear maps between them.

    Attributes:
        name: the group in words, such as "S_3, C = R^2".
        source: integer matrices of generators, s x s.
        target: integer matrices of the same generators, t x t.
        family: integer matrices, t x s; the claim is that they span the equivariant maps.
    """

    name: str
    source: Sequence[Matrix]
    target: Sequence[Matrix]
    family: Sequence[Matrix]


@dataclass(frozen=True, slots=True)
class LinearMaps:
    """The claim that the linear equivariant maps are exactly the span of a family.

    A linear map W is equivariant if ``T_g W = W S_g`` for all g. HOLDS, DECIDED, for the given
    groups, if all maps of the family commute with the generators, and the rank of the family equals
    the dimension of the space of all equivariant maps. FAILS, EXACT, with a map of the family that
    is not equivariant, or with an equivariant map that is not in the span. The certificate contains
    the matrices of the groups, and the kernel computes the ranks again.

    Attributes:
        spaces: the groups, simplest first.
    """

    spaces: Callable[[], Iterable[MapSpace]]

    def judge(self, court: Court) -> Finding:
        """Checks that the family commutes, and compares two ranks, for every group."""
        del court
        done: list[str] = []
        parts: list[dict[str, Any]] = []
        for space in self.spaces():
            problem = _problem(space)
            parts.append(_certificate_part(space))
            if problem:
                verdict = Verdict(
                    Outcome.FAILS, Grade.EXACT, f"for {space.name}", reason=shorten(problem)
                )
                return certify_verdict(verdict, "linear-maps", holds=False, parts=parts[-1:])
            dimension = _rank(space.family)
            done.append(f"{space.name} (dimension {dimension})")
        if not done:
            return undecided("no group is given")
        spanned = "; ".join(done)
        reason = f"the family spans the linear equivariant maps, by exact ranks: {spanned}"
        names = ", ".join(name.partition(" (dimension")[0] for name in done)
        verdict = Verdict(Outcome.HOLDS, Grade.DECIDED, f"for {names}", reason=shorten(reason))
        return certify_verdict(verdict, "linear-maps", holds=True, parts=parts)


def _certificate_part(space: MapSpace) -> dict[str, Any]:
    """Converts the matrices to their form in certificates."""
    pairs = zip(space.source, space.target, strict=True)
    return {
        "generators": [[_integers(S), _integers(T)] for S, T in pairs],
        "family": [_integers(W) for W in space.family],
    }


def _integers(matrix: Matrix) -> list[list[int]]:
    return [[int(v) for v in row] for row in np.asarray(matrix)]


def _problem(space: MapSpace) -> str:
    """Describes why the family does not span the equivariant maps; "" if it does."""
    for W in space.family:
        for S, T in zip(space.source, space.target, strict=True):
            if not np.array_equal(T @ W, W @ S):
                return f"in the family, but not equivariant: {array_text(W)}"
    rank = _rank(space.family)
    equivariant = _equivariant_basis(space)
    if rank == len(equivariant):
        return ""
    missing = next(W for W in equivariant if _rank([*space.family, W]) > rank)
    return (
        f"the linear equivariant maps have dimension {len(equivariant)}, the family spans"
        f" dimension {rank}; "
        f"equivariant, but not in its span: {array_text(missing)}"
    )


def _equivariant_basis(space: MapSpace) -> list[Matrix]:
    """Computes a basis of the space of W with T W = W S for every generator."""
    s, t = len(space.source[0]), len(space.target[0])
    one_s, one_t = np.eye(s, dtype=int), np.eye(t, dtype=int)
    equations = [
        np.kron(T, one_s) - np.kron(one_t, np.asarray(S).T)
        for S, T in zip(space.source, space.target, strict=True)
    ]
    stacked = np.concatenate(equations, axis=0)
    null, nullity = fmpz_mat(stacked.tolist()).nullspace()
    columns = np.array([[int(v) for v in row] for row in null.tolist()], dtype=object)
    return [columns[:, k].reshape(t, s) for k in range(nullity)]


def _rank(matrices: Sequence[Matrix]) -> int:
    if not len(matrices):
        return 0
    return int(fmpz_mat([[int(v) for v in np.asarray(W).ravel()] for W in matrices]).rank())
