"""Claims about the vertices of a polytope, by exact enumeration."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from flint import fmpq, fmpq_mat

from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.papers.statements.finding import Finding, certify_verdict, shorten, undecided
from eqvproof.papers.statements.judge import Court

Point = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Polytope:
    """The polytope {x >= 0 : A x = b}, and its claimed vertices.

    Attributes:
        name: the polytope in words, such as "B_3".
        matrix: A, integers, of full row rank or not.
        right: b, integers.
        points: the claimed vertices.
    """

    name: str
    matrix: Sequence[Sequence[int]]
    right: Sequence[int]
    points: Iterable[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Vertices:
    """The claim that the vertices of ``{x >= 0 : A x = b}`` are exactly some given points.

    The vertices are its basic feasible solutions: x with A x = b, x >= 0 and linearly independent
    columns of A where x is not zero. All bases are solved exactly. HOLDS, DECIDED, for the given
    polytopes; FAILS, EXACT, with a vertex that is none of the points, or a point that is no vertex.
    The kernel solves all bases again.

    Attributes:
        polytopes: the polytopes, simplest first.

    Source: Schrijver (1986), "Theory of Linear and Integer Programming", section 8.5.
    """

    polytopes: Callable[[], Iterable[Polytope]]

    def judge(self, court: Court) -> Finding:
        """Computes the vertices of every polytope, and compares them with the given points."""
        del court
        done: list[str] = []
        parts: list[dict[str, Any]] = []
        for polytope in self.polytopes():
            found = basic_solutions(polytope.matrix, polytope.right)
            given = {tuple(Fraction(v) for v in point) for point in polytope.points}
            parts.append(_certificate_part(polytope, given))
            for problem, points in (
                ("a vertex that is not given", found - given),
                ("a given point that is no vertex", given - found),
            ):
                if points:
                    reason = shorten(f"{problem}: ({', '.join(map(str, min(points)))})")
                    verdict = Verdict(
                        Outcome.FAILS, Grade.EXACT, f"for {polytope.name}", reason=reason
                    )
                    return certify_verdict(verdict, "vertices", holds=False, parts=parts[-1:])
            done.append(f"{polytope.name} ({len(found)})")
        if not done:
            return undecided("no polytope is given")
        names = ", ".join(name.rpartition(" (")[0] for name in done)
        reason = f"all basic solutions, computed exactly, are the given points: {', '.join(done)}"
        verdict = Verdict(Outcome.HOLDS, Grade.DECIDED, f"for {names}", reason=reason)
        return certify_verdict(verdict, "vertices", holds=True, parts=parts)


def _certificate_part(polytope: Polytope, points: set[Point]) -> dict[str, Any]:
    """Converts the polytope and its claimed vertices to their form in certificates."""
    return {
        "left": [[int(v) for v in row] for row in polytope.matrix],
        "right": [int(v) for v in polytope.right],
        "points": [[str(v) for v in point] for point in sorted(points)],
    }


def basic_solutions(matrix: Sequence[Sequence[int]], right: Sequence[int]) -> set[Point]:
    """Computes the basic feasible solutions of A x = b, x >= 0.

    **Exactness**: exact. **Cost**: one solve for each choice of rank(A) columns.
    """
    joined = fmpq_mat([[fmpq(v) for v in (*row, b)] for row, b in zip(matrix, right, strict=True)])
    reduced, rank = joined.rref()
    rows = [row for row in reduced.tolist()[:rank]]
    count = len(matrix[0])
    if any(all(v == 0 for v in row[:count]) for row in rows):
        return set()
    found: set[Point] = set()
    for columns in combinations(range(count), rank):
        square = fmpq_mat(rank, rank, [row[j] for row in rows for j in columns])
        if square.det() == 0:
            continue
        values = square.solve(fmpq_mat(rank, 1, [row[count] for row in rows])).entries()
        if all(v >= 0 for v in values):
            point = [Fraction(0)] * count
            for j, v in zip(columns, values, strict=True):
                point[j] = Fraction(int(v.p), int(v.q))
            found.add(tuple(point))
    return found
