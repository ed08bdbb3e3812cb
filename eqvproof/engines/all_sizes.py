"""Attempts at proofs for all sizes: a trace of each function, and types or a normal form on it."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from eqvproof.claims.size import spoken_from
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.claim import Claim
from eqvproof.engines.computed_constants import (
    UNREAD,
    are_different,
    confirmed,
    difference,
    other_modes,
    traced_otherwise,
    traces_of,
)
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.linear_types import Proof
from eqvproof.engines.provers import Proved, first_proof
from eqvproof.engines.targets import confirm
from eqvproof.engines.verdict.scope import ExceptionalSet, Reading
from eqvproof.programs import Program
from eqvproof.programs.evaluate.library_functions import (
    library_functions,
    rests_on_ties,
    takes_eigenvectors,
)
from eqvproof.programs.operations import Operation
from eqvproof.programs.rounded_constants import with_constants
from eqvproof.support.deadline import TimeIsUp, require_time, until
from eqvproof.support.errors import EqvproofError, ShapeError, TargetError, TraceError
from eqvproof.support.rounding_mode import rounded
from eqvproof.tracing.arrays.machine import CODE as WIDTH
from eqvproof.tracing.samples import NO_SPANS, Spans
from eqvproof.tracing.trace import SHORT_BITS, Trace
from eqvproof.tracing.vector_signs import SIGNS

#: Largest share of the time for a trace and its replays.
TRACE_SHARE = 0.6
#: Largest least size of a trace that is raised because the trace differs from its function below.
MOST_LEAST = 3
#: Error code of a trace that ran out of time.
SLOW = "trace.time"


@dataclass(frozen=True, slots=True)
class Attempt:
    """The result of an attempt at a proof: traces, the proof if any, and reasons.

    Attributes:
        traces: the Programs of all functions for all sizes; empty if there are none.
        proof: a proof on them, or None.
        why: the reason if there is no proof.
        notes: remarks for the verdict.
        code: the code of the error that ended a trace.
        at_sizes: without traces for all sizes, the readers of the functions at single sizes.
        beyond: the attempt without restrictions, if the proof holds only for limited sizes or only
            where no entries tie.
        compared: the traces for all sizes that were read, even if nothing is computed with them:
            they tell which entries are compared.
        points: the exceptional points that the proof leaves out.
        readings: the constants of the traces that are read as nearby ones.
        stored: the stored values of those constants, by node, if the Programs hold the values that
            they are read as.
        partial: without traces for all sizes, the attempt on traces for larger sizes, which found
            no proof.
        mode: the processor's rounding mode while functions are read at single sizes.
    """

    traces: tuple[Trace, ...]
    proof: Proof | IdentityProof | None
    why: str
    notes: tuple[str, ...] = ()
    code: str = ""
    at_sizes: tuple[AtSizes, ...] = field(default=(), compare=False)
    beyond: Attempt | None = None
    readings: tuple[Reading, ...] = ()
    stored: Mapping[int, Operation] = field(default_factory=dict)
    partial: Attempt | None = None
    compared: tuple[Trace, ...] = ()
    points: tuple[ExceptionalSet, ...] = ()
    mode: int = 0

    @property
    def limits(self) -> dict[str, int]:
        """Returns the greatest sizes that the proof covers; names without a limit are absent."""
        names = dict.fromkeys(n for t in self.traces for n in t.limits)
        return {n: min(t.limits[n] for t in self.traces if n in t.limits) for n in names}

    @property
    def spans(self) -> dict[str, tuple[int, int | None]]:
        """Returns the ranges of sizes that the proof covers; names free from 1 up are absent."""
        found: dict[str, tuple[int, int | None]] = {n: (1, most) for n, most in self.limits.items()}
        for name, (low, high) in (pair for t in self.traces for pair in t.spans.items()):
            ends = [e for e in (high, found.get(name, (1, None))[1]) if e is not None]
            found[name] = max(low, found.get(name, (1, None))[0]), min(ends) if ends else None
        return found

    @property
    def trace(self) -> Trace | None:
        """Returns the trace of the checked function (the first of two); None without a trace."""
        if self.traces:
            return self.traces[0]
        return None

    @property
    def rests_on_ties(self) -> bool:
        """Checks whether a Program depends on the order in which a sort puts equal entries."""
        traces = (*self.traces, *(t for a in self.at_sizes for t in a.known))
        return any(rests_on_ties(t.program) for t in traces)

    @property
    def takes_eigenvectors(self) -> bool:
        """Checks whether a Program for all sizes contains eigenvectors."""
        return any(takes_eigenvectors(t.program) for t in self.traces)

    @property
    def bits(self) -> int:
        """Returns the bits of the shortest floats to which constants of Programs may be rounded."""
        traces = (*self.traces, *(t for a in self.at_sizes for t in a.known))
        return min((t.bits for t in traces), default=SHORT_BITS)

    @property
    def is_stateful(self) -> bool:
        """Checks whether a call was seen to draw random numbers or to change reachable state."""
        return self.code in ("trace.state", "trace.random", "trace.differs")

    def programs_at(self, sizes: Mapping[str, int]) -> tuple[Program, ...]:
        """Returns the Programs for all sizes if there are such, else those at the given sizes.

        Raises:
            TraceError: a function cannot be traced at these sizes.
        """
        return tuple(t.program for t in self.traces or self.traces_at(sizes))

    def traces_at(self, sizes: Mapping[str, int]) -> tuple[Trace, ...]:
        """Returns the traces at single sizes, for functions without a trace for all sizes.

        Raises:
            TraceError: a function cannot be traced at these sizes.
        """
        if not self.mode:
            return tuple(a.trace(sizes) for a in self.at_sizes)
        with rounded(self.mode):
            return tuple(a.trace(sizes, self.mode) for a in self.at_sizes)

    def programs_for(self, sizes: Sequence[Mapping[str, int]]) -> list[tuple[Program, ...]]:
        """Returns the Programs at each of some sizes; only once if they are for all sizes."""
        return [self.programs_at(at) for at in sizes[: 1 if self.traces else None]]


def share(deadline: float, part: float = TRACE_SHARE) -> float:
    """Returns the moment at which work that may take a part of the time must stop."""
    now = time.monotonic()
    return now + part * (deadline - now)


def attempt_trace(claim: Claim) -> Attempt:
    """Traces the functions of a claim for all sizes, without trying a proof."""
    return _without_library(claim, _traced(claim, share(claim.deadline)))


def _library(traces: tuple[Trace, ...]) -> str:
    """Names the library functions that Programs contain; only proofs may use such Programs."""
    return ", ".join(dict.fromkeys(name for t in traces for name in library_functions(t.program)))


def _without_library(claim: Claim, attempt: Attempt) -> Attempt:
    """Drops the traces of an attempt if they contain named library functions."""
    names = _library(attempt.traces)
    if not names:
        return attempt
    untold = _untraced(claim, TraceError(f"{names} is not traced, but known by its name alone"))
    return replace(untold, compared=attempt.compared)


def _traced(
    claim: Claim,
    end: float,
    *,
    limited: bool = False,
    spans: Spans = NO_SPANS,
    splits: bool = False,
) -> Attempt:
    """Traces the functions for all sizes in some spans; if that fails, for the sizes of the claim.

    With `splits`, also for the sizes that the error names; the Programs equal the functions at
    these sizes only.

    With `splits`, or for those that the error names: the Programs are the functions there alone.
    """
    try:
        with until(end), spoken_from(_lows(spans)):
            traces = traces_of(claim, limited=limited, spans=spans)
    except (TraceError, TargetError, ShapeError) as error:
        if not spans:
            narrower = _narrower(claim, error, splits=splits)
        else:
            narrower = _grown(spans, error)
        if narrower:
            again = _traced(claim, end, limited=limited, spans=narrower)
        else:
            again = None
        if again is not None and (again.traces or again.code == SIGNS):
            return again
        if not isinstance(error, TraceError):
            raise
        return _untraced(claim, error)
    except TimeIsUp:
        return _untraced(claim, _too_slow())
    notes = tuple(dict.fromkeys(n for t in traces for n in t.notes))
    return Attempt(traces, None, "no proof was tried", notes, compared=traces)


def _narrower(claim: Claim, error: EqvproofError, *, splits: bool) -> Spans:
    """Returns narrower sizes for a trace: those of the claim, those of an error, or from 2 up.

    Returns no spans if there are none to try.
    """
    if claim.ranges or not splits or not isinstance(error, TraceError):
        return {name: claim.asked(name) or (1, None) for name in claim.ranges}
    free = [n for n in claim.signature.input_names if n not in claim.pins]
    at_one = error.code in ("trace.replay", "trace.branch") and len(free) == 1
    return error.spans or (dict.fromkeys(free, (2, None)) if at_one else NO_SPANS)


def _lows(spans: Spans) -> dict[str, int]:
    return {name: low for name, (low, _) in spans.items()}


def _grown(spans: Spans, error: EqvproofError) -> Spans:
    """Narrows spans to the sizes that an error names; returns no spans if it names none.

    One line may need 2 rows at least, and a later one 4. If a trace differs from its function, the
    least size is dropped: there may be a division by 0, which rounding errors hide.
    """
    named = error.spans if isinstance(error, TraceError) else {}
    if (
        not named
        and isinstance(error, TraceError)
        and error.code == "trace.replay"
        and len(spans) == 1
    ):
        named = {n: (low + 1, high) for n, (low, high) in spans.items() if low < MOST_LEAST}
    fits = all(spans.get(n, (1, None))[1] is None for n in named)
    grows = any(low > spans.get(n, (1, None))[0] for n, (low, _) in named.items())
    if fits and grows:
        return {**spans, **named}
    return NO_SPANS


def attempt_proof(claim: Claim, part: float = 1.0) -> Attempt:
    """Attempts a proof for all sizes; if integers overflow, for the sizes at which they do not.

    Args:
        claim: the claim.
        part: largest share of the time for the search for a proof; the trace has its own share.
    """
    attempt = _attempted(claim, part)
    if attempt.proof is not None or not (
        attempt.code == WIDTH or any(t.wraps for t in attempt.traces)
    ):
        return attempt
    again = _attempted(claim, part, limited=True)
    fits = all(claim.ranges.get(n, (1, 1))[0] <= most for n, most in again.limits.items())
    if again.proof is None or not fits:
        return attempt
    return replace(again, beyond=attempt)


def _attempted(claim: Claim, part: float, *, limited: bool = False) -> Attempt:
    end = share(claim.deadline)
    attempt = _traced(claim, end, limited=limited, splits=True)
    with spoken_from(_lows(attempt.spans)):
        if attempt.traces:
            return _proved(claim, attempt, end, part)
        return attempt


def _proved(claim: Claim, attempt: Attempt, end: float, part: float) -> Attempt:
    """Searches for a proof on the traces and compares these with the functions at single sizes."""
    found: str | Proved
    try:
        with until(share(claim.deadline, part)):
            found = first_proof(claim, attempt.traces)
    except TimeIsUp:
        require_time()
        found = "no proof was found in the time for it"
    if isinstance(found, Proved):
        found = _confirmed(claim, attempt, found, end)
    if isinstance(found, str):
        unproved = _without_library(claim, replace(attempt, why=found))
        if attempt.takes_eigenvectors:
            unproved = replace(unproved, why=found)
        if not is_partial(claim, attempt):
            return unproved
        why = f"no trace for all sizes, and {found}"
        return replace(untraced(claim, why), partial=unproved, compared=attempt.compared)
    try:
        with until(end):
            for function, trace in zip(
                claim.functions, found.replayed or found.traces, strict=True
            ):
                confirm(function, trace, claim.signature, claim.pins)
    except TraceError as error:
        return _untraced(claim, error)
    except TimeIsUp:
        return _untraced(claim, _too_slow())
    proved = replace(
        attempt,
        traces=found.traces,
        proof=found.proof,
        readings=found.readings,
        stored=found.stored,
        why="",
    )
    if not found.points:
        return proved
    everywhere = _without_library(claim, replace(attempt, why=found.why_not_all))
    return replace(proved, beyond=everywhere, points=found.points)


def _confirmed(claim: Claim, attempt: Attempt, found: Proved, end: float) -> Proved | str:
    try:
        with until(end):
            return confirmed(claim, attempt.traces, found)
    except TimeIsUp:
        require_time()
        return (
            "the time ran out before the functions had been read as the processor rounds otherwise"
        )


def attempts_otherwise(
    claim: Claim, attempt: Attempt, done: Sequence[Mapping[str, int]]
) -> Iterator[tuple[Attempt, str]]:
    """Yields the attempt with the Programs traced under other rounding modes of the processor.

    Only modes whose Programs differ at the given sizes, each with the first number that differs.

    Raises:
        TraceError, TargetError, ShapeError: a function cannot be traced in such a mode.
    """
    if not done:
        return
    if attempt.traces:
        for others in traced_otherwise(claim, attempt.traces):
            if not others:
                raise TraceError(UNREAD)
            yield replace(attempt, traces=others), difference(attempt.traces, others)
        return
    for mode in other_modes(claim):
        other = replace(attempt, mode=mode)
        for sizes in done:
            traces, others = attempt.traces_at(sizes), other.traces_at(sizes)
            if are_different(traces, others):
                yield other, difference(traces, others)
                break


def with_stored_constants(attempt: Attempt) -> Attempt:
    """Drops a proof that reads constants as nearby ones, and restores the stored constants."""
    if not attempt.stored:
        return attempt
    (trace,) = attempt.traces
    whole = replace(trace, program=with_constants(trace.program, attempt.stored))
    return replace(attempt, traces=(whole,), proof=None, readings=(), stored={})


def _too_slow() -> TraceError:
    return TraceError("the time ran out before the trace had been replayed", code=SLOW)


def _untraced(claim: Claim, error: TraceError) -> Attempt:
    if error.code == SIGNS:
        why = error.message
    else:
        why = f"no trace for all sizes: {error.message}"
    state = error.message if error.code == "trace.state" else ""
    return Attempt((), None, why, code=error.code, at_sizes=_at_sizes(claim, state))


def is_partial(claim: Claim, attempt: Attempt) -> bool:
    """Checks whether the Programs equal the functions only at some sizes of the claim."""
    return any(claim.asked(n) != span for t in attempt.traces for n, span in t.spans.items())


def at_all_sizes(claim: Claim, attempt: Attempt) -> Attempt:
    """Drops the traces of an attempt that equal the functions at some sizes of the claim only."""
    if not is_partial(claim, attempt):
        return attempt
    return replace(untraced(claim, attempt.why), compared=attempt.compared)


def untraced(claim: Claim, why: str, state: str = "") -> Attempt:
    """Builds an attempt without traces for all sizes.

    A non-empty state is the reason why the functions cannot be read at single sizes either.
    """
    return Attempt((), None, why, at_sizes=_at_sizes(claim, state))


def _at_sizes(claim: Claim, state: str = "") -> tuple[AtSizes, ...]:
    return tuple(
        claim.once(f, (claim.signature, state), partial(AtSizes, f, claim.signature, state))
        for f in claim.functions
    )
