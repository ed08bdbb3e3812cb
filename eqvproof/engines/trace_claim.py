"""Stage `trace` of a claim: reads functions as Programs, at single sizes, or as black boxes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from eqvproof.claims.size import spoken_from
from eqvproof.engines.claim import Claim
from eqvproof.engines.computed_constants import (
    UNREAD,
    are_different,
    difference,
    other_modes,
    trace_functions,
    traces_in_other_modes,
)
from eqvproof.engines.known_programs import (
    KnownPrograms,
    Traced,
    TracedAtSizes,
    Untraced,
    UntracedKind,
    at_single_sizes,
)
from eqvproof.engines.reasons import Reason, Why
from eqvproof.support.deadline import TimeIsUp, until
from eqvproof.support.errors import EqvproofError, ShapeError, TargetError, TraceError
from eqvproof.tracing.samples import NO_SPANS, Spans, lower_ends

#: Largest share of the time for a trace and its replays.
TRACE_SHARE = 0.6
#: Largest least size of a trace that is raised because the trace differs from its function below.
MOST_LEAST = 3
#: The reason if the time ends a trace.
SLOW = Untraced(UntracedKind.TIME, "the time ran out before the trace had been replayed")


def trace(
    claim: Claim,
    end: float,
    *,
    limited: bool = False,
    spans: Spans = NO_SPANS,
    at_some_sizes: bool = False,
) -> KnownPrograms:
    """Traces the functions of a claim for all sizes in some spans, or else for narrower ones.

    Args:
        claim: the claim.
        end: the moment at which the work must stop.
        limited: whether the Programs may hold up to greatest sizes only.
        spans: the sizes; empty for all.
        at_some_sizes: whether Programs that equal the functions at some sizes of the claim only are
            of use; otherwise narrower spans are those of the claim.

    Raises:
        TargetError, ShapeError: the function raises an error, or returns no array as declared.
    """
    try:
        with until(end), spoken_from(lower_ends(spans)):
            traces = trace_functions(claim, limited=limited, spans=spans)
    except (TraceError, TargetError, ShapeError) as error:
        if not spans:
            narrower = _narrower(claim, error, at_some_sizes=at_some_sizes)
        else:
            narrower = _grown(spans, error)
        if narrower:
            again = trace(claim, end, limited=limited, spans=narrower)
            if isinstance(again, Traced) or again.untraced.kind is UntracedKind.SIGNS:
                return again
        if not isinstance(error, TraceError):
            raise
        return untraced(claim, error)
    except TimeIsUp:
        return at_single_sizes(claim, SLOW)
    return Traced(traces, compared=traces)


def untraced(claim: Claim, error: TraceError) -> TracedAtSizes:
    """Returns the functions at single sizes, after an error of a trace for all sizes."""
    why = Untraced(UntracedKind.of(error), error.message)
    state = error.message if why.kind is UntracedKind.STATE else ""
    return at_single_sizes(claim, why, state=state)


def without_library(claim: Claim, programs: KnownPrograms) -> KnownPrograms:
    """Returns single sizes instead if Programs contain library functions by their names alone."""
    if isinstance(programs, TracedAtSizes) or not programs.library:
        return programs
    why = f"{programs.library} is not traced, but known by its name alone"
    return at_single_sizes(claim, Untraced(why=why), compared=programs.compared)


def reason_without_proof(programs: KnownPrograms) -> Reason:
    """Returns the reason why there is no proof if none was tried."""
    if isinstance(programs, Traced):
        return Reason(Why.NOT_TRIED)
    return programs.untraced.reason


def in_other_rounding_modes(
    claim: Claim, programs: KnownPrograms, done: Sequence[Mapping[str, int]]
) -> Iterator[tuple[KnownPrograms, str]]:
    """Yields the Programs as traced in other rounding modes of the processor, where they differ.

    Each comes with the first number that differs. Programs at single sizes are compared at the
    given sizes.

    Raises:
        TraceError, TargetError, ShapeError: a function cannot be traced in such a mode.
    """
    if not done:
        return
    if isinstance(programs, Traced):
        for others in traces_in_other_modes(claim, programs.traces):
            if not others:
                raise TraceError(UNREAD)
            yield replace(programs, traces=others), difference(programs.traces, others)
        return
    for mode in other_modes():
        other = replace(programs, mode=mode)
        for sizes in done:
            traces, others = programs.traces_at(sizes), other.traces_at(sizes)
            if are_different(traces, others):
                yield other, difference(traces, others)
                break


# -- parts ---------------------------------------------------------------------------------------
def _narrower(claim: Claim, error: EqvproofError, *, at_some_sizes: bool) -> Spans:
    """Returns narrower sizes for a trace: those of the claim, those of an error, or from 2 up.

    Returns no spans if there are none to try.
    """
    if claim.ranges or not at_some_sizes or not isinstance(error, TraceError):
        return {name: claim.claimed_range(name) or (1, None) for name in claim.ranges}
    free = [n for n in claim.signature.input_names if n not in claim.pins]
    differs = UntracedKind.of(error) in (UntracedKind.REPLAY, UntracedKind.BRANCH)
    if error.spans or not differs or len(free) != 1:
        return error.spans
    return dict.fromkeys(free, (2, None))


def _grown(spans: Spans, error: EqvproofError) -> Spans:
    """Narrows spans to the sizes that an error names; returns no spans if it names none.

    One line may need 2 rows at least, and a later one 4. If a trace differs from its function, the
    least size is dropped: there may be a division by 0, which rounding errors hide.
    """
    if not isinstance(error, TraceError):
        return NO_SPANS
    named = error.spans
    if not named and UntracedKind.of(error) is UntracedKind.REPLAY and len(spans) == 1:
        named = {n: (low + 1, high) for n, (low, high) in spans.items() if low < MOST_LEAST}
    fits = all(spans.get(n, (1, None))[1] is None for n in named)
    grows = any(low > spans.get(n, (1, None))[0] for n, (low, _) in named.items())
    if fits and grows:
        return {**spans, **named}
    return NO_SPANS
