"""The stages of a search at one choice of sizes: the points and elements that are tried."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any

from eqvproof.claims.domain_answers import allows, point_in
from eqvproof.claims.domains import Domain
from eqvproof.engines.search.comparer import Comparer, Violation
from eqvproof.engines.search.eigenvalue_points import eigenvalue_points
from eqvproof.engines.search.elements import Move, random_moves, simple_moves
from eqvproof.engines.search.equal_patterns import equal_patterns, half_patterns
from eqvproof.engines.search.limits import Setup
from eqvproof.engines.search.result import Array, Inputs
from eqvproof.engines.search.shrink import EACH, moves_at
from eqvproof.engines.search.sides import Trial
from eqvproof.engines.search.tie_points import tie_points
from eqvproof.programs import Program
from eqvproof.support.errors import TargetError

#: Shares of the comparisons: exceptional points, structured, seeded, and each round of random ones.
_EXCEPTIONAL, _STRUCTURED, _SEEDED, _RANDOM = 0.3, 0.4, 0.2, 0.1
#: Number of simple elements of each factor that are tried at exceptional points.
_SIMPLE = 3
#: The stages in their order; the last one has several rounds.
NAMES = ("probe", "seeded", "structured", "random")
#: The stage of points with equal entries or eigenvalues, after the probe.
EXCEPTIONAL = "exceptional"
#: The stage of points at which values that Programs compare tie, if that stage is left out.
TIED = "tied"
#: Numbers of points with ties: least and largest at one size, and in total; numbers of points
#: inspected to find them: in total, and least at one size.
_TIED, _SCREENED, _LEAST_SCREENED = (16, 64, 480), 4000, 100
Sizes = Mapping[str, int]


class Stages:
    """The stages of a search, each as a method.

    Attributes:
        first: the first point of a probe, with the results of the functions that are called.
    """

    def __init__(self, comparer: Comparer, setup: Setup) -> None:
        self._comparer = comparer
        self._setup = setup
        self.first: tuple[Trial, tuple[Array | None, ...]] | None = None

    def run(self, name: str, sizes: Sizes, number: int = 0) -> Violation | None:
        """Runs a stage at some sizes; ``number`` is that of the round."""
        match name:
            case "probe":
                return self._probe(sizes)
            case "exceptional":
                return self._exceptional(sizes)
            case "tied":
                return self._tied(sizes)
            case "seeded":
                return self._seeded(sizes)
            case "structured":
                return self._structured(sizes)
            case _:
                return self._random(sizes, number)

    def _moves(self, sizes: Sizes, each: int, *labels: Any) -> list[Move]:
        """Returns simple elements and one random one of each factor."""
        group = self._comparer.claim_sides.group
        rng = self._comparer.rng("moves", sorted(sizes.items()), *labels)
        return [*moves_at(self._comparer, sizes, each), *random_moves(group, sizes, rng)]

    def _share(self, part: float) -> int:
        """Returns the number of comparisons at one size for a share of all."""
        return max(8, int(self._setup.limits.max_points * part / self._setup.count))

    def _any(
        self, sizes: Sizes, points: Iterable[Inputs], moves: Sequence[Move], most: int = 10**6
    ) -> Violation | None:
        """Returns the first violation among pairs of points and elements, up to some number."""
        for inputs in points:
            for move in moves:
                most -= 1
                if most < 0:
                    return None
                found = self._comparer.violation_at(Trial(sizes, inputs, move))
                if found is not None:
                    return found
        return None

    def _probe(self, sizes: Sizes) -> Violation | None:
        """Tries a few points without structure."""
        rng = self._comparer.rng("probe", sorted(sizes.items()))
        points = self._comparer.points(sizes)
        moves = self._moves(sizes, 1)
        if not moves:
            return None
        chosen = [points.generic(rng), points.positive(rng), points.fractional(rng)]
        refused: list[TargetError] = []
        for k, inputs in enumerate(chosen):  # one that the function accepts comes first
            try:
                first = Trial(sizes, inputs, moves[0])
                self.first = first, self._comparer.called_results(first)
            except TargetError as error:
                refused.append(error)
            else:
                return self._any(sizes, [inputs, *chosen[:k], *chosen[k + 1 :]], moves)
        raise refused[0]

    def _structured(self, sizes: Sizes) -> Violation | None:
        """Tries small structured points."""
        rng = self._comparer.rng("structured", sorted(sizes.items()))
        moves = self._moves(sizes, EACH)
        most = self._share(_STRUCTURED)
        pool = self._comparer.points(sizes).structured(rng, max(24, most // max(1, len(moves))))
        return self._any(sizes, pool, moves, most)

    def _exceptional(self, sizes: Sizes) -> Violation | None:
        """Tries points at which values in Programs tie or coincide, then patterns of such."""
        violation = self._tied(sizes)
        if violation is not None:
            return violation
        points = self._comparer.points(sizes)
        found = equal_patterns(points)
        if any(op.function == "rint" for p in self._programs(sizes) for op in p.nodes):
            found = chain(half_patterns(points), found)
        simple = simple_moves(self._comparer.claim_sides.group, sizes, _SIMPLE)
        moves = simple or moves_at(self._comparer, sizes, EACH)
        if self._setup.limits.exceptional == "only":
            most = 10**6
        else:
            most = self._share(_EXCEPTIONAL)
        return self._any(sizes, found, moves, most)

    def _tied(self, sizes: Sizes) -> Violation | None:
        """Tries points at which compared values of Programs tie, or eigenvalues coincide."""
        comparer = self._comparer
        domain, signature = comparer.limits.domain, comparer.claim_sides.signature
        towards = allowed = None
        if domain is not None:
            allowed = partial(allows, domain)
        if isinstance(domain, Domain):
            towards = partial(point_in, domain)
        least, most, every = _TIED
        count = max(least, min(most, every // self._setup.count))
        screened = max(_LEAST_SCREENED, _SCREENED // self._setup.count)
        for program in self._programs(sizes):
            found = chain(
                tie_points(
                    program,
                    signature,
                    sizes,
                    comparer.limits.seed,
                    count,
                    screened=screened,
                    towards=towards,
                    allowed=allowed,
                ),
                eigenvalue_points(
                    program,
                    signature,
                    sizes,
                    comparer.limits.seed,
                    least,
                    screened=screened,
                    towards=towards,
                    allowed=allowed,
                ),
            )
            violation = self._any(sizes, found, self._moves(sizes, EACH))
            if violation is not None:
                return violation
        return None

    def _programs(self, sizes: Sizes) -> list[Program]:
        """Returns the Programs that tell which values are compared."""
        if self._setup.limits.compared:
            return [trace.program for trace in self._setup.limits.compared]
        return [
            p for s in self._comparer.claim_sides.subjects if (p := s.program_at(sizes)) is not None
        ]

    def _seeded(self, sizes: Sizes) -> Violation | None:
        """Tries large and tiny magnitudes, and constants of the function."""
        rng = self._comparer.rng("seeded", sorted(sizes.items()))
        points = self._comparer.points(sizes).seeded(rng)
        return self._any(sizes, points, self._moves(sizes, 2), self._share(_SEEDED))

    def _random(self, sizes: Sizes, number: int) -> Violation | None:
        """Tries random points and elements, different ones in each round."""
        rng = self._comparer.rng("random", sorted(sizes.items()), number)
        points = self._comparer.points(sizes)
        moves = self._moves(sizes, 1, rng.random())
        most = self._share(_RANDOM)
        return self._any(sizes, (points.random(rng) for _ in range(most)), moves, most)
