"""Searches among the points that a Hypothesis strategy draws.

Hypothesis shrinks the violations found.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.signature import Argument, Signature
from eqvproof.engines.search.comparer import Comparer, Stop, Violation
from eqvproof.engines.search.elements import Move, random_moves
from eqvproof.engines.search.inputs import Points
from eqvproof.engines.search.result import Inputs
from eqvproof.engines.search.shrink import EACH, moves_at
from eqvproof.engines.search.sides import Trial
from eqvproof.support.deadline import TimeIsUp, require_time
from eqvproof.support.errors import EqvproofError, ShapeError, error_text, is_foreign

Sizes = dict[str, int]
#: Largest number of points that are drawn, and of shrinking steps.
_EXAMPLES = 600


def draw(
    strategy: Any, signature: Signature, order: Sequence[Sizes], seed: int, most: int
) -> list[tuple[Sizes, Inputs]]:
    """Draws points from a strategy, up to some number, with their sizes; see `find_drawn`."""
    from hypothesis import Phase, find

    found: list[tuple[Sizes, Inputs]] = []

    def keep(point: tuple[Sizes, Inputs]) -> bool:
        found.append(point)
        return len(found) >= most

    options = _options(most, Phase.generate)
    with _drawing(strategy):
        find(
            _points_at_sizes(strategy, signature, order, options),
            keep,
            settings=options,
            random=random.Random(seed),
        )
    return found


@contextmanager
def _drawing(strategy: Any) -> Iterator[None]:
    """Reports errors of a strategy as bad input.

    Errors of the checked function do not reach this context.
    """
    from hypothesis.errors import NoSuchExample

    try:
        yield
    except NoSuchExample:
        pass
    except BaseException as error:
        if not is_foreign(error):
            raise
        require_time()  # Hypothesis mistakes an interrupted draw for a flaky strategy
        raise EqvproofError(
            f"no point can be drawn from the strategy given as domain=: {error_text(error)}",
            given=repr(strategy)[:200],
            expected="a Hypothesis strategy that draws points",
            hint="strategy.example() shows what it draws",
            code="domain.strategy",
        ) from error


def _options(most: int, *phases: Any) -> Any:
    """Returns settings of Hypothesis for some number of points, without a database."""
    from hypothesis import HealthCheck, settings

    return settings(
        max_examples=most, database=None, deadline=None, phases=phases,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def find_drawn(comparer: Comparer, strategy: Any, order: Sequence[Sizes]) -> Violation | None:
    """Searches for the smallest violation among drawn points, in the order of the strategy.

    Args:
        comparer: compares the two sides; the domain is not called.
        strategy: of numbers, of arrays, or of tuples or dicts of arrays.
        order: the sizes to try if the strategy draws numbers.

    Raises:
        EqvproofError: the strategy draws something else, or arrays that do not fit the signature.
        Nondeterministic, NotExact, TargetError: as in a search.
    """
    from hypothesis import Phase, find

    state = _State(comparer, {tuple(sizes.items()) for sizes in order})
    options = _options(_EXAMPLES, Phase.generate, Phase.shrink)
    try:
        with _drawing(strategy):
            points = _points_at_sizes(strategy, comparer.claim_sides.signature, order, options)
            find(
                points,
                state.is_violation,
                settings=options,
                random=random.Random(comparer.limits.seed),
            )
    except TimeIsUp:
        if state.best is None:
            raise
    if state.error is not None and not (isinstance(state.error, Stop) and state.best is not None):
        raise state.error
    return state.best


class _State:
    """The predicate for which Hypothesis minimises, with its last violation: the smallest one."""

    def __init__(self, comparer: Comparer, allowed: set[tuple[tuple[str, int], ...]]) -> None:
        self._comparer = comparer
        self._allowed = allowed
        self.best: Violation | None = None
        self.error: BaseException | None = None

    def is_violation(self, point: tuple[Sizes, Inputs]) -> bool:
        """Checks whether the claim fails at a point for one of the elements that are tried."""
        sizes, inputs = point
        if self.error is not None or tuple(sizes.items()) not in self._allowed:
            return False
        try:
            for move in self._moves(sizes):
                found = self._comparer.violation_at(Trial(sizes, inputs, move))
                if found is not None:
                    self.best = found
                    return True
        except (Exception, KeyboardInterrupt) as error:  # Hypothesis would run the point again
            self.error = error
        return False

    def _moves(self, sizes: Sizes) -> list[Move]:
        group = self._comparer.claim_sides.group
        rng = random.Random(f"{self._comparer.limits.seed}|drawn|{sorted(sizes.items())}")
        return [*moves_at(self._comparer, sizes, EACH), *random_moves(group, sizes, rng)]


def _points_at_sizes(
    strategy: Any, signature: Signature, order: Sequence[Sizes], options: Any
) -> Any:
    """Builds a strategy of pairs of sizes and inputs."""
    from hypothesis import find
    from hypothesis import strategies as st

    one = find(strategy, lambda _: True, settings=options, random=random.Random(0))
    if not _is_number(one):
        return strategy.map(lambda drawn: _point(drawn, signature))

    def filled(sizes: Sizes) -> Any:
        points = Points(signature, sizes, ())
        return st.lists(strategy, min_size=points.count, max_size=points.count).map(
            lambda values: (sizes, points.fill(lambda a, i, k: _drawn_number(a, values[k])))
        )

    return st.sampled_from(list(order)).flatmap(filled)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, Fraction, np.number)) and not isinstance(value, bool)


def _point(drawn: Any, signature: Signature) -> tuple[Sizes, Inputs]:
    """Converts drawn arrays to sizes and inputs."""
    names = [a.name for a in signature.inputs]
    if isinstance(drawn, Mapping):
        given = dict(drawn)
    elif isinstance(drawn, tuple):
        given = dict(zip(names, drawn, strict=False))
    else:
        if len(names) == 1 and isinstance(drawn, (list, np.ndarray)):
            given = {names[0]: drawn}
        else:
            given = {}
    if set(given) != set(names) or (isinstance(drawn, tuple) and len(drawn) != len(names)):
        raise EqvproofError(
            "the strategy given as domain= draws no point of the signature",
            given=f"{type(drawn).__name__}",
            expected="numbers, or arrays for " + ", ".join(names),
            hint="draw a tuple of arrays, in the order of the signature, or a dict by name",
            code="domain.strategy",
        )
    arrays = {n: np.asarray(given[n], dtype=object) for n in names}
    shapes = [a.shape for a in arrays.values()]
    sizes = signature.shown_sizes(shapes)
    empty = (a for a, shape in zip(signature.inputs, shapes, strict=True) if 0 in shape)
    if argument := signature.misfit(shapes, sizes) or next(empty, None):
        raise ShapeError(
            f"the strategy given as domain= draws {argument.name} of another shape than declared",
            given=f"an array of shape {arrays[argument.name].shape}",
            expected=str(argument),
            hint="equal names of axes are equal sizes, from 1 up",
            code="domain.shape",
        )
    points = Points(signature, sizes, ())
    return sizes, points.fill(lambda a, i, k: _drawn_number(a, arrays[a.name][i]))


def _drawn_number(argument: Argument, value: Any) -> Any:
    """Converts a drawn number to the rational with its value.

    Entries of masks and positions are converted by `Points.fill`.
    """
    if argument.kind in ("bool", "index"):
        return value
    try:
        if isinstance(value, np.generic):
            return Fraction(value.item())
        return Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise EqvproofError(
            "the strategy given as domain= draws an entry that is no real number",
            given=repr(value), expected="finite numbers",
            hint="draw floats, integers or Fractions", code="domain.strategy",
        ) from None  # fmt: skip
