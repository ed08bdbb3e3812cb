"""The calls that other parts of the package make: a search, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from eqvproof.deadline import TimeIsUp, until
from eqvproof.engines.search.constants import Number
from eqvproof.engines.search.found import Inputs, SearchResult
from eqvproof.engines.search.look import Looker, Nondeterministic
from eqvproof.engines.search.question import Equivariance, Identity, Question
from eqvproof.engines.search.search import MAX_POINTS, Search
from eqvproof.engines.search.sizes import SizeRange, size_order
from eqvproof.engines.search.subject import Subject
from eqvproof.groups import Group
from eqvproof.signature import Signature

#: Below this relative size a violation may come from constants that are rounded to floats.
SMALL = 1e-12


def find_counterexample(
    subject: Subject,
    signature: Signature,
    group: Group,
    *,
    sizes: Mapping[str, SizeRange] | None = None,
    seed: int = 0,
    deadline: float | None = None,
    max_points: int = MAX_POINTS,
    domain: Callable[[Inputs], Any] | None = None,
    constants: Sequence[Number] = (),
    unbounded: Collection[str] = (),
) -> SearchResult:
    """The smallest point that is found at which f(g x) is not g f(x).

    Args:
        subject: f.
        signature: its typing.
        group: the group; each factor moves alone.
        sizes: name -> size or (least, greatest).
        seed: of the random points; equal seeds, equal results, unless the deadline cuts in.
        deadline: value of ``time.monotonic()`` at which the search ends.
        max_points: at most so many comparisons.
        domain: x -> whether x counts (given arrays of Fractions by name).
        constants: numbers in the target's code, see `mine_constants`.
        unbounded: names whose sizes constants may lead beyond the given range.

    Exactness: "rational" and "ball" are certain; "float" is an observation far above measured noise.

    Raises:
        TargetError, ShapeError: the target does not give an array as declared, at any size, or at one with
            axes of different sizes from 3 up.
    """
    question = Equivariance(subject, signature, group)
    return _search(question, sizes, seed, deadline, max_points, domain, constants, unbounded)


def find_difference(
    subject: Subject,
    other: Subject,
    signature: Signature,
    *,
    sizes: Mapping[str, SizeRange] | None = None,
    seed: int = 0,
    deadline: float | None = None,
    max_points: int = MAX_POINTS,
    domain: Callable[[Inputs], Any] | None = None,
    constants: Sequence[Number] = (),
    unbounded: Collection[str] = (),
) -> SearchResult:
    """The smallest point that is found at which two functions differ; see `find_counterexample`."""
    question = Identity(subject, other, signature)
    return _search(question, sizes, seed, deadline, max_points, domain, constants, unbounded)


def _search(
    question: Question,
    sizes: Mapping[str, SizeRange] | None,
    seed: int,
    deadline: float | None,
    max_points: int,
    domain: Callable[[Inputs], Any] | None,
    constants: Sequence[Number],
    unbounded: Collection[str],
) -> SearchResult:
    ranges = dict(sizes or {})
    order = size_order(question.signature, ranges, constants, unbounded)
    looker = Looker(question, seed=seed, deadline=deadline, max_points=max_points, domain=domain)
    search = Search(looker, order, tuple(constants), max_points)
    nondeterministic = False
    with until(float("inf") if deadline is None else deadline):
        try:
            search.require_typed()
            search.run()
        except Nondeterministic:
            nondeterministic = True
        except TimeIsUp:
            looker.notes.setdefault("the time was up before anything could be compared")
    if (
        not looker.tried
        and not looker.undefined
        and looker.errors
        and search.best is None
        and not nondeterministic
    ):
        raise looker.errors[0]
    if search.found is not None and search.found.relative_size < SMALL:
        looker.notes.setdefault(
            f"the sides differ by a relative {search.found.relative_size:.1e} only: rounded constants in the"
            " target may be all that separates them"
        )
    for subject in question.subjects:
        looker.notes.update(dict.fromkeys(getattr(subject, "notes", ())))
    return SearchResult(
        found=None if nondeterministic else search.found,
        tried=looker.tried,
        undefined=looker.undefined,
        undecided=looker.undecided,
        sizes_tried=tuple(dict(s) for s in looker.sizes_tried),
        nondeterministic=nondeterministic,
        notes=tuple(looker.notes),
    )
