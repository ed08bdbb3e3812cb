"""The attempt at a proof for all sizes: a trace of each function, and types or a normal form on it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from eqvproof.deadline import TimeIsUp, until
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.claim import Claim
from eqvproof.engines.explain import gap_text
from eqvproof.engines.failing_line import find_culprit
from eqvproof.engines.identity import IdentityProof, prove_identity
from eqvproof.engines.linear_types import Gap, Proof, infer_equivariance
from eqvproof.engines.targets import confirm, trace_all_sizes
from eqvproof.errors import EqvproofError, ShapeError, TargetError, TraceError
from eqvproof.evaluate.library_functions import library_functions
from eqvproof.frontends import Trace
from eqvproof.frontends.machine import CODE as WIDTH
from eqvproof.frontends.samples import NO_SPANS, Spans
from eqvproof.program import Program
from eqvproof.program.components import in_components
from eqvproof.program.halves import in_halves
from eqvproof.rules.irreps import MOST_DEGREE
from eqvproof.size import Size, spoken_from

#: The share of the time that a trace and its replays may take.
TRACE_SHARE = 0.6
#: Vectors of more entries are not taken apart into components.
MOST_COMPONENTS = 8
#: The code of a trace for which the time was too short.
SLOW = "trace.time"


@dataclass(frozen=True, slots=True)
class Attempt:
    """What the attempt at a proof left behind.

    Attributes:
        traces: the Programs of all functions for all sizes, or nothing.
        proof: a proof on them, or None.
        why: why there is none.
        notes: remarks for the verdict.
        code: the code of the error that ended a trace.
        at_sizes: without traces for all sizes, those of the functions at single ones.
        beyond: where the proof holds for limited sizes, what is known of all of them.
        readings: what numbers of the traces are read as others next to them.
        partial: without traces for all sizes, those for larger ones, on which no proof was found.
    """

    traces: tuple[Trace, ...]
    proof: Proof | IdentityProof | None
    why: str
    notes: tuple[str, ...] = ()
    code: str = ""
    at_sizes: tuple[AtSizes, ...] = field(default=(), compare=False)
    beyond: Attempt | None = None
    readings: tuple[str, ...] = ()
    partial: Attempt | None = None

    @property
    def limits(self) -> dict[str, int]:
        """The greatest sizes that the proof speaks of, by name; of other names there is none."""
        names = dict.fromkeys(n for t in self.traces for n in t.limits)
        return {n: min(t.limits[n] for t in self.traces if n in t.limits) for n in names}

    @property
    def spans(self) -> dict[str, tuple[int, int | None]]:
        """The sizes that the proof speaks of, of names that are not free from 1 up."""
        found: dict[str, tuple[int, int | None]] = {n: (1, most) for n, most in self.limits.items()}
        for name, (low, high) in (pair for t in self.traces for pair in t.spans.items()):
            ends = [e for e in (high, found.get(name, (1, None))[1]) if e is not None]
            found[name] = max(low, found.get(name, (1, None))[0]), min(ends) if ends else None
        return found

    @property
    def trace(self) -> Trace | None:
        """The trace of the function that is judged (the first, where there are two)."""
        return self.traces[0] if self.traces else None

    @property
    def is_stateful(self) -> bool:
        """Whether a call was seen to draw random numbers, or to change what the target can reach."""
        return self.code in ("trace.state", "trace.random", "trace.differs")

    def programs_at(self, sizes: Mapping[str, int]) -> tuple[Program, ...]:
        """The Programs, for all sizes where there are such, else at single ones.

        Raises:
            TraceError: a function cannot be traced at these sizes.
        """
        if self.traces:
            return tuple(t.program for t in self.traces)
        return tuple(a.trace(sizes).program for a in self.at_sizes)

    def programs_for(self, sizes: Sequence[Mapping[str, int]]) -> list[tuple[Program, ...]]:
        """The Programs at each of some sizes; once where they are for all sizes."""
        return [self.programs_at(at) for at in sizes[: 1 if self.traces else None]]


def share(deadline: float, part: float = TRACE_SHARE) -> float:
    """The moment at which a trace, or less, is given up, so that time is left for the search."""
    now = time.monotonic()
    return now + part * (deadline - now)


def attempt_trace(claim: Claim) -> Attempt:
    """A trace for all sizes, without a proof."""
    return _without_library(claim, _traced(claim, share(claim.deadline)))


def _library(traces: tuple[Trace, ...]) -> str:
    """The functions of libraries that Programs name: only proofs rest on such Programs."""
    return ", ".join(dict.fromkeys(name for t in traces for name in library_functions(t.program)))


def _without_library(claim: Claim, attempt: Attempt) -> Attempt:
    """The attempt, without traces where these name functions of libraries."""
    names = _library(attempt.traces)
    if not names:
        return attempt
    return _untraced(claim, TraceError(f"{names} is not traced, but as a function of what no factor moves"))


def _traced(
    claim: Claim, end: float, *, limited: bool = False, spans: Spans = NO_SPANS, splits: bool = False
) -> Attempt:
    """Traces for all sizes in spans; where there are none, for those of the claim.

    With `splits`, or for those that the error names: the Programs are the functions there alone.
    """
    pins = dict(claim.pins)
    try:
        with until(end), spoken_from(_lows(spans)):
            key = (claim.signature, tuple(pins.items()), limited, tuple(spans.items()))
            traces = tuple(
                claim.once(
                    f, key, partial(trace_all_sizes, f, claim.signature, pins, limited=limited, spans=spans)
                )
                for f in claim.functions
            )
    except (TraceError, TargetError, ShapeError) as error:
        narrower = _narrower(claim, error, splits=splits) if not spans else _grown(spans, error)
        if narrower and (again := _traced(claim, end, limited=limited, spans=narrower)).traces:
            return again
        if not isinstance(error, TraceError):
            raise
        return _untraced(claim, error)
    except TimeIsUp:
        return _untraced(claim, _too_slow())
    notes = tuple(dict.fromkeys(n for t in traces for n in t.notes))
    return Attempt(traces, None, "no proof was tried", notes)


def _narrower(claim: Claim, error: EqvproofError, *, splits: bool) -> Spans:
    """Sizes at which the target may be traced, where it is not at all sizes: given ones, or from 2 up."""
    if claim.ranges or not splits or not isinstance(error, TraceError):
        return dict(claim.ranges)
    free = [n for n in claim.signature.input_names if n not in claim.pins]
    at_one = error.code in ("trace.replay", "trace.branch") and len(free) == 1
    return error.spans or (dict.fromkeys(free, (2, None)) if at_one else NO_SPANS)


def _lows(spans: Spans) -> dict[str, int]:
    return {name: low for name, (low, _) in spans.items()}


def _grown(spans: Spans, error: EqvproofError) -> Spans:
    """Fewer sizes, where the error names some: one line asks for 2 rows at least, and a later one for 4."""
    named = error.spans if isinstance(error, TraceError) else {}
    fits = all(spans.get(n, (1, None))[1] is None for n in named)
    grows = any(low > spans.get(n, (1, None))[0] for n, (low, _) in named.items())
    return {**spans, **named} if fits and grows else NO_SPANS


def attempt_proof(claim: Claim) -> Attempt:
    """A trace for all sizes and, on it, a proof; or for the sizes at which no integer leaves its type."""
    attempt = _attempted(claim)
    if attempt.proof is not None or not (attempt.code == WIDTH or any(t.wraps for t in attempt.traces)):
        return attempt
    again = _attempted(claim, limited=True)
    fits = all(claim.ranges.get(n, (1, 1))[0] <= most for n, most in again.limits.items())
    return attempt if again.proof is None or not fits else replace(again, beyond=attempt)


def _attempted(claim: Claim, *, limited: bool = False) -> Attempt:
    end = share(claim.deadline)
    attempt = _traced(claim, end, limited=limited, splits=True)
    with spoken_from(_lows(attempt.spans)):
        return _proved(claim, attempt, end) if attempt.traces else attempt


def _proved(claim: Claim, attempt: Attempt, end: float) -> Attempt:
    """The attempt with its proof, if any, and the traces compared with the functions at single sizes."""
    found = _proof(claim, attempt)
    if isinstance(found, str):
        again = _by_components(claim, attempt)
        if again is None:
            if is_partial(claim, attempt):
                other = untraced(claim, f"no trace for all sizes, and {found}")  # other sizes are not told
                return replace(other, partial=_without_library(claim, replace(attempt, why=found)))
            return _without_library(claim, replace(attempt, why=found))
        attempt, found = again  # replayed below against the function, as every trace is
    try:
        with until(end):
            for function, trace in zip(claim.functions, attempt.traces, strict=True):
                confirm(function, trace, claim.signature, claim.pins)
    except TraceError as error:
        return _untraced(claim, error)
    except TimeIsUp:
        return _untraced(claim, _too_slow())
    return replace(attempt, proof=found, why="")


def _proof(claim: Claim, attempt: Attempt) -> Proof | IdentityProof | str:
    """A proof, or why there is none."""
    first = attempt.traces[0]
    if claim.is_identity:
        return prove_identity(first.program, attempt.traces[1].program)
    found = infer_equivariance(first.program, claim.signature, claim.group, claim.pins, literal=claim.literal)
    if isinstance(found, Gap):
        return gap_text(*find_culprit(first, found, claim.signature, claim.pins))
    return found


def _by_components(claim: Claim, attempt: Attempt) -> tuple[Attempt, Proof] | None:
    """A proof on the program in which what is done entry by entry along the group's axes is a product.

    Under motions of space, entries that are joined to an axis as long as an irrep are its components, too.
    """
    first = attempt.traces[0]
    moved = [(f, f.size({str(f.axis): 0, **claim.pins})) for f in claim.group.factors]
    terms = [t for a in claim.signature.axes for t in a.terms if t.irrep]
    short = {s for _, s in moved if 1 <= s <= MOST_COMPONENTS} | {2 * int(t.irrep[:-1]) + 1 for t in terms}
    axes = [f.axis for f in claim.group.factors if f.record.reals > 1]
    halves = {Size.of(claim.pins.get(str(axis), axis)) for axis in axes}
    wholes = {size + size for size in halves if (size + size).constant not in short}
    if not claim.is_identity and wholes:
        again = in_halves(first.program, wholes)
        found = infer_equivariance(again, claim.signature, claim.group, claim.pins, literal=claim.literal)
        if not isinstance(found, Gap):
            return replace(attempt, traces=(replace(first, program=again, lines={}, drafts=None),)), found
    if claim.is_identity or not short:
        return None
    is_spatial = any(s == 3 and f.kind in ("orth", "rigid") and not f.generators for f, s in moved)
    entries = _made_of_entries(first.program) if is_spatial else set()
    short = (short | entries) - ({1} if terms else set())
    joined = bool(terms or entries - {3}) and not claim.literal
    again, rounded = in_components(first.program, short, _cuts(claim, short), joined=joined)
    found = infer_equivariance(again, claim.signature, claim.group, claim.pins, literal=claim.literal)
    trace = replace(first, program=again, lines={}, drafts=None)
    read = (
        (f"within {2.0**-53:.2g} of the value of each: entries of tables with square roots",)
        if rounded
        else ()
    )
    return None if isinstance(found, Gap) else (replace(attempt, traces=(trace,), readings=read), found)


def _made_of_entries(program: Program) -> set[int]:
    """The sizes 2l + 1 of axes to which single entries are joined."""
    found = set[int]()
    for op in program.nodes:
        size = 0 if op.joined is None else op.shape[op.joined].constant or 0
        if size % 2 and size <= 2 * MOST_DEGREE + 1 and len(op.args) == size:
            found.add(size)
    return found


def _cuts(claim: Claim, short: set[int]) -> dict[int, tuple[int, ...]]:
    """The parts of claimed axes that are sums, by length; some are as long as an axis of the group."""
    found: dict[int, tuple[int, ...]] = {}
    for axes in (claim.signature.output, *(a.axes for a in claim.signature.inputs)):
        for axis in axes:
            parts: list[int] = []
            for term in axis.terms:
                size = 1 if term.name is None else claim.pins.get(term.name, 0)
                if term.irrep and term.irrep[0] != "0":
                    size = 2 * int(term.irrep[:-1]) + 1
                    parts += [size] * (term.coefficient // size)
                    continue
                parts += [term.coefficient] if term.name is None else [size] * term.coefficient
            if len(parts) > 1 and 0 not in parts and short & set(parts):
                found.setdefault(sum(parts), tuple(parts))
    return found


def _too_slow() -> TraceError:
    return TraceError("the time ran out before the trace had been replayed", code=SLOW)


def _untraced(claim: Claim, error: TraceError) -> Attempt:
    why = f"no trace for all sizes: {error.message}"
    state = error.message if error.code == "trace.state" else ""
    return Attempt((), None, why, code=error.code, at_sizes=_at_sizes(claim, state))


def is_partial(claim: Claim, attempt: Attempt) -> bool:
    """Whether the Programs are the functions at some sizes of the claim only."""
    return any(claim.ranges.get(n) != span for t in attempt.traces for n, span in t.spans.items())


def untraced(claim: Claim, why: str) -> Attempt:
    """What is left without a trace for all sizes."""
    return Attempt((), None, why, at_sizes=_at_sizes(claim))


def _at_sizes(claim: Claim, state: str = "") -> tuple[AtSizes, ...]:
    return tuple(
        claim.once(f, (claim.signature, state), partial(AtSizes, f, claim.signature, state))
        for f in claim.functions
    )
