"""Runs a search for a counterexample, in time: `find_counterexample` and `find_difference`."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace

from eqvproof.claims.drawn_domains import is_strategy
from eqvproof.claims.groups import Group
from eqvproof.claims.signature import Signature
from eqvproof.engines.search.comparer import UNCONFIRMED, Comparer
from eqvproof.engines.search.limits import Limits, Setup
from eqvproof.engines.search.result import FoundCounterexample, Nondeterministic, SearchResult
from eqvproof.engines.search.search_loop import Search
from eqvproof.engines.search.sizes import far_sizes, size_order
from eqvproof.engines.search.subject import Subject
from eqvproof.engines.workers import Workers
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.forked_work import keep_partial_result

ANYWHERE = Limits()


def find_counterexample(
    subject: Subject, signature: Signature, group: Group, limits: Limits = ANYWHERE
) -> SearchResult:
    """Searches for the smallest point at which f(g x) is not g f(x).

    Each factor of the group acts alone.

    Exactness: "rational" and "ball" are certain; "float" is an observation far above measured
        noise.

    Raises:
        TargetError, ShapeError: the function returns no array as declared, at any size.
    """
    return _search((subject,), signature, group, limits)


def find_difference(
    subject: Subject, other: Subject, signature: Signature, limits: Limits = ANYWHERE
) -> SearchResult:
    """Searches for the smallest point at which two functions differ; see `find_counterexample`."""
    return _search((subject, other), signature, Group(()), limits)


def _search(
    subjects: tuple[Subject, ...], signature: Signature, group: Group, limits: Limits
) -> SearchResult:
    drawn = limits.domain if is_strategy(limits.domain) else None
    far: list[dict[str, int]] = []
    if limits.acts is None:
        where = signature, dict(limits.sizes or {}), limits.constants, limits.unbounded
        order = size_order(*where)
        far = [sizes for sizes in far_sizes(*where) if sizes not in order]
    else:
        order = list(limits.acts.order)
    common = replace(
        limits,
        domain=None if drawn is not None else limits.domain,
        constants=tuple(limits.constants),
        executor=None,
        tell=None,
    )
    deadline = limits.deadline
    setup = Setup(
        subjects, signature, group, common, len(order), time.time() + deadline - time.monotonic()
    )
    claim_sides = setup.claim_sides()
    comparer = Comparer(claim_sides, common)
    workers = Workers(limits.executor)

    def result(*, nondeterministic: bool = False) -> SearchResult:
        for subject in claim_sides.subjects:
            comparer.notes.update(dict.fromkeys(getattr(subject, "notes", ())))
        notes = dict(comparer.notes)
        if search.found is not None:
            notes.pop(UNCONFIRMED, None)
        return SearchResult(
            found=None if nondeterministic else search.found,
            tried=comparer.tried,
            undefined=comparer.undefined,
            undecided=comparer.undecided,
            sizes_tried=tuple(dict(s) for s in comparer.sizes_tried),
            nondeterministic=nondeterministic,
            notes=tuple(notes),
            doubts={doubt: note for note, doubt in reversed(notes.items()) if doubt is not None},
            is_structured=search.is_structured,
        )

    def tell_so_far() -> None:
        tell = limits.tell
        if tell is not None:
            keep_partial_result(lambda: tell(result()))

    search = Search(comparer, order, setup, workers, drawn, tell_so_far, far)
    nondeterministic = False
    # threads that run functions disable and restore warnings, each on its own
    with until(deadline), warnings.catch_warnings():
        try:
            search.run()
        except Nondeterministic as error:
            nondeterministic = True
            comparer.notes.update(dict.fromkeys(map(str, error.args)))
        except TimeIsUp:
            comparer.notes.setdefault("the time ran out before anything could be compared", None)
    if workers.note:
        comparer.notes.setdefault(workers.note, None)
    if (
        not comparer.tried
        and not comparer.undefined
        and comparer.errors
        and search.best is None
        and not nondeterministic
    ):
        raise comparer.errors[0]
    if search.found is not None and search.found.relative_size < search.explained:
        comparer.notes.setdefault(small_text(search.found), None)
    return result(nondeterministic=nondeterministic)


def small_text(found: FoundCounterexample) -> str:
    """Returns the note on a difference that rounded constants may explain."""
    return (
        f"the sides differ by a relative {found.relative_size:.1e} only: rounded constants in the"
        " target may be all that separates them"
    )
