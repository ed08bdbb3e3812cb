"""The record of a trace: the Program read from a function, and other facts of that function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from eqvproof.programs import Program
from eqvproof.support.code_line import CodeLine
from eqvproof.tracing.arrays.traced_program import Drafts
from eqvproof.tracing.samples import Spans

#: The bits of precision of float32 and of float64.
SHORT_BITS, LONG_BITS = 24, 53


@dataclass(frozen=True, slots=True)
class Trace:
    """A Program that was read from a function.

    Attributes:
        program: the Program.
        lines: node -> the line of the user's code that made it.
        notes: remarks for the verdict.
        opaques: name -> a function that replaces an uninterpreted one where numbers are needed.
        drafts: all values of the trace, including those that the Program lacks, where known.
        limits: the greatest sizes for which the Program equals the function, by name; other names
            have no such limit.
        spans: the sizes for which the Program equals the function, for names that are not free from
            1 up.
        wraps: whether machine integers may be too large at some sizes, so that the Program wraps
            them.
        bits: the precision of the shortest floats to which its constants may be rounded: that of
            float32, or of float64 where a function of NumPy holds no shorter ones (modules may hold
            numbers of float32 as float64).
    """

    program: Program
    lines: Mapping[int, CodeLine]
    notes: tuple[str, ...] = ()
    opaques: Mapping[str, Callable[..., object]] = field(default_factory=dict)
    drafts: Drafts | None = None
    limits: Mapping[str, int] = field(default_factory=dict)
    wraps: bool = False
    spans: Spans = field(default_factory=dict)
    bits: int = SHORT_BITS
