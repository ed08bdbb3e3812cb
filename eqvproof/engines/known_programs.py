"""The Programs of a claim's functions: for all sizes, or traced at single sizes when needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial

from eqvproof.claims.size import spoken_from
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.claim import Claim
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.verdict.scope import Reading
from eqvproof.programs import Program
from eqvproof.programs.copies import replace_constants
from eqvproof.programs.evaluate.library_functions import (
    library_functions,
    rests_on_ties,
    takes_eigenvectors,
)
from eqvproof.programs.operations import Operation
from eqvproof.support.errors import ErrorCode, TraceError
from eqvproof.support.rounding_mode import set_rounding
from eqvproof.tracing.samples import lower_ends
from eqvproof.tracing.trace import SHORT_BITS, Trace


class UntracedKind(Enum):
    """The kinds of reasons why a function has no Program for all sizes."""

    STATE = auto()
    RANDOM = auto()
    NONDETERMINISTIC = auto()
    WIDTH = auto()
    SIGNS = auto()
    TIME = auto()
    REPLAY = auto()
    BRANCH = auto()
    OTHER = auto()

    @staticmethod
    def of(error: TraceError) -> UntracedKind:
        """Returns the kind of an error of a trace."""
        return _KINDS.get(error.code, UntracedKind.OTHER)


_KINDS: Mapping[str, UntracedKind] = {
    ErrorCode.TRACE_STATE: UntracedKind.STATE,
    ErrorCode.TRACE_RANDOM: UntracedKind.RANDOM,
    ErrorCode.TRACE_DIFFERS: UntracedKind.NONDETERMINISTIC,
    ErrorCode.TRACE_WIDTH: UntracedKind.WIDTH,
    ErrorCode.TRACE_SIGNS: UntracedKind.SIGNS,
    ErrorCode.TRACE_REPLAY: UntracedKind.REPLAY,
    ErrorCode.TRACE_BRANCH: UntracedKind.BRANCH,
}
#: Kinds of functions that were seen to draw random numbers or to change reachable state.
_STATEFUL = (UntracedKind.STATE, UntracedKind.RANDOM, UntracedKind.NONDETERMINISTIC)
#: Reason to call functions in place of Programs: the order of equal entries matters.
NOT_TOLD = "what is chosen among equal entries, or equal eigenvalues, is seen by calls alone"


@dataclass(frozen=True, slots=True)
class Untraced:
    """The reason why a function has no Program for all sizes.

    Attributes:
        kind: its kind.
        why: the message, with the place in the function's code.
    """

    kind: UntracedKind = UntracedKind.OTHER
    why: str = ""

    @property
    def reason(self) -> Reason:
        """Returns the reason why a verdict is not a proof."""
        if self.kind is UntracedKind.SIGNS:
            return Reason(Why.SIGNS_MATTER, self.why)
        return Reason(Why.UNTRACED, self.why)


@dataclass(frozen=True, slots=True)
class Traced:
    """The Programs of a claim's functions for all sizes, or for those in `spans`.

    Attributes:
        traces: the traces that hold the Programs, of one function or of two.
        compared: the traces as they were read, which tell which entries are compared.
        readings: the constants of the traces that are read as nearby ones.
        stored: the stored values of those constants, by node, if the Programs hold the values that
            they are read as.
    """

    traces: tuple[Trace, ...]
    compared: tuple[Trace, ...]
    readings: tuple[Reading, ...] = ()
    stored: Mapping[int, Operation] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """Returns remarks for the verdict."""
        return tuple(dict.fromkeys(note for trace in self.compared for note in trace.notes))

    @property
    def programs(self) -> tuple[Program, ...]:
        """Returns the Programs."""
        return tuple(trace.program for trace in self.traces)

    @property
    def limits(self) -> dict[str, int]:
        """Returns the greatest sizes that the Programs cover; names without a limit are absent."""
        names = dict.fromkeys(n for t in self.traces for n in t.limits)
        return {n: min(t.limits[n] for t in self.traces if n in t.limits) for n in names}

    @property
    def spans(self) -> dict[str, tuple[int, int | None]]:
        """Returns the sizes that the Programs cover; names free from 1 up are absent."""
        found: dict[str, tuple[int, int | None]] = {n: (1, most) for n, most in self.limits.items()}
        for name, (low, high) in (pair for t in self.traces for pair in t.spans.items()):
            ends = [e for e in (high, found.get(name, (1, None))[1]) if e is not None]
            found[name] = max(low, found.get(name, (1, None))[0]), min(ends) if ends else None
        return found

    def at_covered_sizes(self) -> AbstractContextManager[object]:
        """Assumes within the block that sizes are at least those that the Programs cover."""
        return spoken_from(lower_ends(self.spans))

    @property
    def rests_on_ties(self) -> bool:
        """Checks whether a Program depends on the order in which a sort puts equal entries."""
        return any(map(rests_on_ties, self.programs))

    @property
    def takes_eigenvectors(self) -> bool:
        """Checks whether a Program contains eigenvectors."""
        return any(map(takes_eigenvectors, self.programs))

    @property
    def bits(self) -> int:
        """Returns the bits of the shortest floats to which constants of Programs may be rounded."""
        return min(trace.bits for trace in self.traces)

    @property
    def library(self) -> str:
        """Names the library functions that Programs contain; only proofs may use such Programs."""
        names = (name for program in self.programs for name in library_functions(program))
        return ", ".join(dict.fromkeys(names))

    @property
    def is_stateful(self) -> bool:
        """Checks whether a call was seen to draw random numbers or to change reachable state."""
        return False

    @property
    def may_overflow(self) -> bool:
        """Checks whether machine integers may be too large at some sizes."""
        return any(trace.wraps for trace in self.traces)

    def traces_at(self, sizes: Mapping[str, int]) -> tuple[Trace, ...]:
        """Returns the traces, which hold at all sizes."""
        return self.traces

    def programs_at(self, sizes: Mapping[str, int]) -> tuple[Program, ...]:
        """Returns the Programs, which hold at all sizes."""
        return self.programs

    def programs_for(self, sizes: Sequence[Mapping[str, int]]) -> list[tuple[Program, ...]]:
        """Returns the Programs once, for all of some sizes."""
        return [self.programs for _ in sizes[:1]]

    def with_stored_constants(self) -> Traced:
        """Restores the stored constants if the Programs hold others in their place."""
        if not self.stored:
            return self
        (trace,) = self.traces
        whole = replace(trace, program=replace_constants(trace.program, self.stored))
        return replace(self, traces=(whole,), readings=(), stored={})

    def is_partial(self, claim: Claim) -> bool:
        """Checks whether the Programs equal the functions only at some sizes of the claim."""
        return any(
            claim.claimed_range(n) != span for t in self.traces for n, span in t.spans.items()
        )

    def at_all_sizes(self, claim: Claim) -> KnownPrograms:
        """Returns single sizes instead if the Programs equal the functions only at some sizes."""
        if self.is_partial(claim):
            return at_single_sizes(claim, compared=self.compared)
        return self


@dataclass(frozen=True, slots=True)
class TracedAtSizes:
    """The functions of a claim without Programs for all sizes, traced at single sizes when needed.

    Attributes:
        readers: trace the functions at single sizes.
        untraced: the reason why there are no Programs for all sizes.
        compared: traces that tell which entries are compared, although nothing is computed with
            them.
        mode: the processor's rounding mode in which functions are traced.
    """

    readers: tuple[AtSizes, ...] = field(compare=False)
    untraced: Untraced = Untraced()
    compared: tuple[Trace, ...] = ()
    mode: int = 0

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Returns no traces for all sizes."""
        return ()

    @property
    def notes(self) -> tuple[str, ...]:
        """Returns no remarks for the verdict: each subject of a search has its own."""
        return ()

    @property
    def readings(self) -> tuple[Reading, ...]:
        """Returns no readings: constants are as they are stored."""
        return ()

    @property
    def spans(self) -> dict[str, tuple[int, int | None]]:
        """Returns no sizes to which the Programs are limited."""
        return {}

    @property
    def rests_on_ties(self) -> bool:
        """Checks whether a known Program depends on the order of equal entries in a sort."""
        return any(rests_on_ties(t.program) for reader in self.readers for t in reader.known)

    @property
    def bits(self) -> int:
        """Returns the bits of the shortest floats to which constants may be rounded."""
        known = (trace.bits for reader in self.readers for trace in reader.known)
        return min(known, default=SHORT_BITS)

    @property
    def is_stateful(self) -> bool:
        """Checks whether a call was seen to draw random numbers or to change reachable state."""
        return self.untraced.kind in _STATEFUL

    @property
    def may_overflow(self) -> bool:
        """Checks whether machine integers are too large at some sizes."""
        return self.untraced.kind is UntracedKind.WIDTH

    def traces_at(self, sizes: Mapping[str, int]) -> tuple[Trace, ...]:
        """Returns the traces at single sizes.

        Raises:
            TraceError: a function cannot be traced at these sizes.
        """
        if not self.mode:
            return tuple(reader.trace(sizes) for reader in self.readers)
        with set_rounding(self.mode):
            return tuple(reader.trace(sizes, self.mode) for reader in self.readers)

    def programs_at(self, sizes: Mapping[str, int]) -> tuple[Program, ...]:
        """Returns the Programs at single sizes.

        Raises:
            TraceError: a function cannot be traced at these sizes.
        """
        return tuple(trace.program for trace in self.traces_at(sizes))

    def programs_for(self, sizes: Sequence[Mapping[str, int]]) -> list[tuple[Program, ...]]:
        """Returns the Programs at each of some sizes."""
        return [self.programs_at(at) for at in sizes]

    def with_stored_constants(self) -> TracedAtSizes:
        """Returns the same: Programs at single sizes hold the constants as they are stored."""
        return self

    def at_all_sizes(self, claim: Claim) -> TracedAtSizes:
        """Returns the same: any single size can be traced."""
        return self


KnownPrograms = Traced | TracedAtSizes


def at_single_sizes(
    claim: Claim,
    untraced: Untraced = Untraced(),
    *,
    state: str = "",
    compared: tuple[Trace, ...] = (),
) -> TracedAtSizes:
    """Returns the functions of a claim, to be traced at single sizes.

    A non-empty `state` is the reason why they cannot be traced at single sizes either: they are
    called.
    """

    def reader(function: Callable[..., object]) -> AtSizes:
        new = partial(AtSizes, function, claim.signature, state)
        return claim.once(function, (claim.signature, state), new)

    return TracedAtSizes(tuple(map(reader, claim.functions)), untraced, compared)


def by_calls(claim: Claim, known: KnownPrograms) -> TracedAtSizes:
    """Returns the functions to be called, as Programs do not determine the order of ties."""
    return at_single_sizes(claim, state=NOT_TOLD, compared=known.compared)
