"""The search for the smallest counterexample.

First every size is probed with points without structure, which shows most violations at the least sizes
where they exist; then with structured points and simple elements, for violations that only ties, zeros and
collinear vectors show; then with magnitudes, constants of the target, and random points. What is found is
made smaller, beginning with the sizes that come before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

from eqvproof.deadline import TimeIsUp
from eqvproof.engines.search.constants import Number
from eqvproof.engines.search.found import Array, Found, Inputs
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.look import Hit, Looker, NotExact, Stop, require_same, to_found
from eqvproof.engines.search.moves import Move, random_moves
from eqvproof.engines.search.question import (
    Trial,
    float_inputs,
    float_value,
)
from eqvproof.engines.search.shrink import EACH, Shrinker, best_of, moves_at
from eqvproof.errors import ShapeError, TargetError

MAX_POINTS = 6000
_EARLIER_POINTS, _EARLIER_EACH = 60, 3
#: The shares of structured points, of seeded ones, and of each of the rounds of random ones.
_STRUCTURED, _SEEDED, _RANDOM, _ROUNDS = 0.4, 0.2, 0.1, 3
_CHECKED_ON_FLOATS = 12
Sizes = dict[str, int]


class Search:
    """The order in which points are tried.

    Attributes:
        best: the smallest violation so far.
    """

    def __init__(
        self, looker: Looker, order: list[Sizes], constants: tuple[Number, ...], most: int = MAX_POINTS
    ) -> None:
        self._most = most
        self._looker = looker
        self._order = order
        self._constants = constants
        self._unusable: set[int] = set()
        self._first: tuple[Trial, tuple[Array | None, ...]] | None = None
        self._shrinker: Shrinker | None = None
        self.best: Hit | None = None

    @property
    def found(self) -> Found | None:
        """The smallest violation so far, as the search gives it back."""
        hit = self._shrinker.best if self._shrinker is not None else self.best
        if hit is None:
            return None
        subjects = self._looker.question.subjects
        return to_found(hit, is_recorded=any(s.program_at(hit.trial.sizes) is None for s in subjects))

    def run(self) -> None:
        """Search until something is found and small, or nothing is left to try."""
        try:
            while True:
                try:
                    self._whole()
                    break
                except NotExact as reason:
                    self._to_floats(reason.note)
            self._same_as_first()
        except (Stop, TimeIsUp):
            return

    def _to_floats(self, note: str) -> None:
        looker = self._looker
        looker.notes.setdefault(note)
        looker.exact = False
        looker.tried = looker.undefined = looker.undecided = 0
        looker.sizes_tried.clear()
        self.best = self._shrinker = None
        self._unusable.clear()
        self._first = None

    def require_typed(self) -> None:
        """The target gives an array as declared at a size at which all axes are long and none are equal.

        Raises:
            TargetError, ShapeError: it does not; smaller sizes at which it fails are passed over.
        """
        names = self._looker.question.signature.input_names
        longest = {n: max(s[n] for s in self._order) for n in names}
        least = {n: min(s[n] for s in self._order) for n in names}
        sizes = {n: max(least[n], min(longest[n], 3 + k)) for k, n in enumerate(names)}
        inputs = self._points(sizes).generic(self._looker.rng("typed"))
        trial = Trial(sizes, inputs, ())
        for subject in self._looker.question.subjects:
            if subject.is_black_box:
                value = float_value(subject, float_inputs(self._looker.question, trial), sizes)
                if value is not None:
                    self._looker.question.signature.output_sizes(value.shape, sizes)

    def _whole(self) -> None:
        hit = self._first_hit()
        if hit is None and self._looker.exact and self._looker.is_black_box:
            if not self._looker.tried and self._looker.undecided:
                raise NotExact("run on floats: exact arithmetic decided nothing")
            self._same_as_first()
            hit = self._on_floats()
        if hit is not None:
            self.best = hit
            self._minimise()

    def _first_hit(self) -> Hit | None:
        stages: tuple[Callable[[Sizes], Hit | None], ...] = (
            self._probe, self._seeded, self._structured, *(self._random,) * _ROUNDS,
        )  # fmt: skip
        for number, stage in enumerate(stages):
            if number > 1 and not self._looker.tried and not self._looker.undecided:
                return None  # undefined everywhere
            for position, sizes in enumerate(self._order):
                if position in self._unusable:
                    continue
                found = self._guarded(stage, position, sizes) if number == 0 else stage(sizes)
                if found is not None:
                    return found
        return None

    def _guarded(self, stage: Callable[[Sizes], Hit | None], position: int, sizes: Sizes) -> Hit | None:
        """A first look at a size: the target may not work there."""
        try:
            return stage(sizes)
        except (TargetError, ShapeError) as error:
            self._unusable.add(position)
            self._looker.errors.append(error)
            where = ", ".join(f"{n} = {s}" for n, s in sizes.items()) or "its only size"
            self._looker.notes.setdefault(f"not tried at {where}: {error.message}")
            return None

    # --------------------------------------------------------------------------------------------- stages
    def _points(self, sizes: Sizes) -> Points:
        return Points(self._looker.question.signature, sizes, self._constants)

    def _moves(self, sizes: Sizes, each: int, *labels: Any) -> list[Move]:
        """Simple elements and one random one of each factor."""
        group = self._looker.question.group
        rng = self._looker.rng("moves", sorted(sizes.items()), *labels)
        return [*moves_at(self._looker, sizes, each), *random_moves(group, sizes, rng)]

    def _share(self, part: float) -> int:
        """The number of comparisons at one size for a share of all."""
        return max(8, int(self._most * part / len(self._order)))

    def _any(
        self, sizes: Sizes, points: Iterable[Inputs], moves: Sequence[Move], most: int = 10**6
    ) -> Hit | None:
        """The first violation among so many pairs of points and elements."""
        for inputs in points:
            for move in moves:
                most -= 1
                if most < 0:
                    return None
                found = self._looker.hit(Trial(sizes, inputs, move))
                if found is not None:
                    return found
        return None

    def _probe(self, sizes: Sizes) -> Hit | None:
        """A few points without structure."""
        rng = self._looker.rng("probe", sorted(sizes.items()))
        points = self._points(sizes)
        moves = self._moves(sizes, 1)
        if not moves:
            return None
        chosen = [points.generic(rng), points.positive(rng), points.fractional(rng)]
        first = Trial(sizes, chosen[0], moves[0])
        answers = self._looker.answers(first)
        self._first = self._first or (first, answers)
        return self._any(sizes, chosen, moves)

    def _structured(self, sizes: Sizes) -> Hit | None:
        """Small structured points."""
        rng = self._looker.rng("structured", sorted(sizes.items()))
        moves = self._moves(sizes, EACH)
        most = self._share(_STRUCTURED)
        pool = self._points(sizes).structured(rng, max(24, most // max(1, len(moves))))
        return self._any(sizes, pool, moves, most)

    def _seeded(self, sizes: Sizes) -> Hit | None:
        """Magnitudes, and constants of the target."""
        rng = self._looker.rng("seeded", sorted(sizes.items()))
        return self._any(sizes, self._points(sizes).seeded(rng), self._moves(sizes, 2), self._share(_SEEDED))

    def _random(self, sizes: Sizes) -> Hit | None:
        """Random points and elements; each call goes on where the last one ended."""
        rng = self._looker.rng("random", sorted(sizes.items()), self._looker.tried)
        points = self._points(sizes)
        moves = self._moves(sizes, 1, rng.random())
        most = self._share(_RANDOM)
        return self._any(sizes, (points.random(rng) for _ in range(most)), moves, most)

    def _on_floats(self) -> Hit | None:
        """A black box that does well on exact numbers, run on floats too: it may tell them apart."""
        looker = self._looker
        looker.exact = False
        self._first = None
        stages = (self._probe, self._seeded, self._structured) if looker.floats_only else (self._probe,)
        chosen = [s for k, s in enumerate(self._order[:_CHECKED_ON_FLOATS]) if k not in self._unusable]
        for stage, sizes in product(stages, chosen):
            found = stage(sizes)
            if found is not None:
                looker.notes.setdefault("the violation shows on floats only, not on arrays of exact numbers")
                return found
        return None

    # ------------------------------------------------------------------------------------------- the end
    def _minimise(self) -> None:
        """The point that was found made smaller; then one at sizes that come before, where there is one."""
        if self.best is None:
            return
        self._shrink(self.best)
        for position, sizes in enumerate(self._order):
            if self._shrinker is None or sizes == self._shrinker.best.trial.sizes:
                break
            if position in self._unusable:
                continue
            rng = self._looker.rng("earlier", sorted(sizes.items()))
            pool = self._points(sizes).structured(rng, _EARLIER_POINTS)
            found = best_of(self._looker, sizes, pool, _EARLIER_EACH)
            if found is not None:
                self._shrink(found)
                break

    def _shrink(self, hit: Hit) -> None:
        self._shrinker = Shrinker(self._looker, hit, self._constants)
        self._shrinker.run({n: min(s[n] for s in self._order) for n in hit.trial.sizes})

    def _same_as_first(self) -> None:
        """A target that keeps state may answer differently at the end."""
        if self._first is None:
            return
        trial, before = self._first
        for old, new in zip(before, self._looker.answers(trial), strict=True):
            require_same(old, new)
