"""Detection of constants that a function computes in floats, by tracing in other rounding modes.

``W.sum()`` of a stored array, or ``a * b`` of two Python floats, is a single number for a trace,
and stands for a real number that no Program holds. The function is traced again while the
processor rounds down, and up: such a number differs there if it was rounded. A result about the
function must then hold for these Programs as well, or the number is read as a nearby one and the
verdict says so.

Source: J. Vignes, A stochastic arithmetic for reliable scientific computation, Math. Comput. Simul.
35, 1993.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

from eqvproof.engines.claim import Claim
from eqvproof.engines.provers import Candidate, first_proof
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.targets import trace_all_sizes
from eqvproof.programs.copies import replace_constants
from eqvproof.programs.operations import Operation
from eqvproof.support.code_line import NO_LINE
from eqvproof.support.errors import ShapeError, TargetError, TraceError
from eqvproof.support.rounding_mode import current_mode, rounding_modes, set_rounding
from eqvproof.tracing.libraries import source_of
from eqvproof.tracing.observing.detect import may_compute_numbers
from eqvproof.tracing.samples import Spans
from eqvproof.tracing.trace import Trace

Traces = tuple[Trace, ...]
#: Largest number of stored numbers of a module that is traced again.
MOST_STORED = 1_000_000
#: Words for a Program that cannot be compared with another one.
UNREAD = "the function cannot be traced while the processor rounds up or down"


def confirmed(claim: Claim, traces: Traces, found: Candidate) -> Candidate | Reason:
    """Returns a proof that holds in other rounding modes too, or the reason why there is none.

    If the proof holds only when such a number is read as a nearby one, the result is the proof with
    that reading, on the Program that holds the number as rounded in the other mode.

    Args:
        claim: the claim.
        traces: the Programs traced in the processor's default rounding mode.
        found: the proof on them; constants that it reads as others keep their readings.
    """
    for others in traces_in_other_modes(claim, traces):
        if not others:
            return Reason(Why.ROUNDING_UNREAD)
        kept = tuple(_with_kept(o, t, found.stored) for o, t in zip(others, traces, strict=True))
        again = first_proof(claim, kept)
        if isinstance(again, Reason):
            return Reason(Why.ROUNDING, difference(traces, others))
        if len(again.readings) > len(found.readings):
            found = replace(again, replayed=found.replayed or traces)
    return found


def traces_in_other_modes(claim: Claim, traces: Traces) -> Iterator[Traces]:
    """Yields the traces in rounding modes down and up where the Programs differ; () if untraceable.

    Functions are not traced again if they run code of libraries only, or if they hold very many
    numbers.
    """
    if not _may_compute(claim, traces):
        return
    is_limited = any(trace.limits for trace in traces)
    for mode in other_modes():
        try:
            with set_rounding(mode):
                others = trace_functions(claim, limited=is_limited, spans=traces[0].spans)
        except (TraceError, TargetError, ShapeError):
            others = ()
        if not others or are_different(traces, others):
            yield others


def other_modes() -> tuple[int, ...]:
    """Returns the rounding modes down and up."""
    return rounding_modes()[:2]


def are_different(traces: Traces, others: Traces) -> bool:
    """Checks whether two lists of traces hold different Programs."""
    return any(t.program != o.program for t, o in zip(traces, others, strict=True))


def trace_functions(claim: Claim, *, limited: bool, spans: Spans) -> Traces:
    """Traces the functions of a claim for all sizes in spans, once in each rounding mode.

    Raises:
        TraceError, TargetError, ShapeError: a function cannot be traced.
    """
    pins = dict(claim.pins)
    key = (claim.signature, tuple(pins.items()), limited, tuple(spans.items()), current_mode())

    def traced(f: Callable[..., Any]) -> Trace:
        return trace_all_sizes(f, claim.signature, pins, limited=limited, spans=spans)

    return tuple(claim.once(f, key, partial(traced, f)) for f in claim.functions)


def difference(traces: Traces, others: Traces) -> str:
    """Returns the first constant that differs in the other traces, with its line."""
    if not others:
        return UNREAD
    for trace, other in zip(traces, others, strict=True):
        known = {number for op in trace.program.nodes for number in _numbers(op)}
        for node, op in enumerate(other.program.nodes):
            new = [number for number in _numbers(op) if number not in known]
            if new:
                users = (j for j, user in enumerate(other.program.nodes) if node in user.args)
                near = (other.lines.get(j, NO_LINE) for j in (node, *users))
                line = next(filter(None, near), NO_LINE)
                return f"{float(new[0]):.17g}{line.place_in_brackets}"
    return "the Program is another one where the processor rounds up or down"


# -- parts ---------------------------------------------------------------------------------------
def _may_compute(claim: Claim, traces: Traces) -> bool:
    """Checks whether the functions may compute constants of their own in floats."""
    if sum(trace.program.stored for trace in traces) > MOST_STORED:
        return False
    return any(may_compute_numbers(source_of(f)) for f in claim.functions)


def _numbers(op: Operation) -> list[Fraction]:
    """Returns the numbers of a small constant; none for any other operation."""
    from eqvproof.programs.rounded_constants import MOST_ENTRIES

    array = op.constant
    if array is not None and array.size <= MOST_ENTRIES:
        return [*map(Fraction, array.ravel().tolist())]
    return []


def _with_kept(other: Trace, trace: Trace, stored: Mapping[int, Operation]) -> Trace:
    """Returns the other trace, with those constants of the first that a proof reads as others."""
    if not stored or len(other.program.nodes) != len(trace.program.nodes):
        return other
    kept = {k: trace.program.nodes[k] for k in stored}
    return replace(other, program=replace_constants(other.program, kept))
