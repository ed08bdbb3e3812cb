"""Stages `prove` and `confirm` of a claim: find a proof for its Programs, and replay them.

The provers themselves stand in `provers.py`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from eqvproof.engines.claim import Claim
from eqvproof.engines.computed_constants import confirmed
from eqvproof.engines.identity import IdentityProof
from eqvproof.engines.known_programs import (
    KnownPrograms,
    Traced,
    at_single_sizes,
)
from eqvproof.engines.linear_types import Proof
from eqvproof.engines.provers import Candidate, first_proof
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.targets import read_again
from eqvproof.engines.trace_claim import SLOW, untraced, without_library
from eqvproof.engines.verdict.scope import ExceptionalSet
from eqvproof.support.deadline import TimeIsUp, require_time, until
from eqvproof.support.errors import TraceError


@dataclass(frozen=True, slots=True)
class NoProof:
    """The Programs of a claim without a proof.

    Attributes:
        programs: the Programs to compute with.
        why: the reason why there is no proof.
        at_larger_sizes: the Programs for larger sizes only, without a proof, if there are none for
            all sizes.
    """

    programs: KnownPrograms
    why: Reason
    at_larger_sizes: NoProof | None = None


@dataclass(frozen=True, slots=True)
class Proved:
    """A proof, with its scope.

    Attributes:
        programs: the Programs that it is about; its scope is their sizes.
        proof: the types, or the equal normal forms.
        points: the exceptional points that it leaves out.
        everywhere: what is known of all sizes and points, if the proof leaves some out.
    """

    programs: Traced
    proof: Proof | IdentityProof
    points: tuple[ExceptionalSet, ...] = ()
    everywhere: NoProof | None = None


def prove(claim: Claim, programs: Traced, part: float) -> Candidate | Reason:
    """Searches for a proof on Programs for all sizes, in a part of the time left."""
    try:
        with until(claim.moment(part)):
            return first_proof(claim, programs.traces)
    except TimeIsUp:
        require_time()
        return Reason(Why.PROOF_TIME)


def confirm(claim: Claim, programs: Traced, found: Candidate, end: float) -> Proved | NoProof:
    """Confirms that a proof on Programs holds for the functions.

    It must hold in other rounding modes of the processor too, and frameworks trace their functions
    once more.

    Args:
        claim: the claim.
        programs: the Programs as traced.
        found: the proof.
        end: the moment at which the work must stop.
    """
    again = _in_other_rounding_modes(claim, programs, found, end)
    if isinstance(again, Reason):
        return without_proof(claim, programs, again)
    try:
        with until(end):
            replayed = again.replayed or again.traces
            for function, trace in zip(claim.functions, replayed, strict=True):
                read_again(function, trace, claim.signature, claim.pins)
    except TraceError as error:
        unread = untraced(claim, error)
        return NoProof(unread, unread.untraced.reason)
    except TimeIsUp:
        return NoProof(at_single_sizes(claim, SLOW), SLOW.reason)
    read = replace(programs, traces=again.traces, readings=again.readings, stored=again.stored)
    if not again.points:
        return Proved(read, again.proof)
    everywhere = _without_library(claim, programs, again.why_not_all)
    return Proved(read, again.proof, again.points, everywhere)


def without_proof(claim: Claim, programs: Traced, why: Reason) -> NoProof:
    """Returns the Programs to compute with if there is no proof on these, with the reason."""
    found = _without_library(claim, programs, why)
    if programs.takes_eigenvectors:
        found = replace(found, why=why)
    if not programs.is_partial(claim):
        return found
    rest = at_single_sizes(claim, compared=programs.compared)
    return NoProof(rest, Reason(Why.UNTRACED_SOMEWHERE, inner=why), found)


# -- parts ---------------------------------------------------------------------------------------
def _without_library(claim: Claim, programs: Traced, why: Reason) -> NoProof:
    """Returns Programs without library functions, and why there is no proof on them."""
    plain = without_library(claim, programs)
    if isinstance(plain, Traced):
        return NoProof(plain, why)
    return NoProof(plain, plain.untraced.reason)


def _in_other_rounding_modes(
    claim: Claim, programs: Traced, found: Candidate, end: float
) -> Candidate | Reason:
    try:
        with until(end):
            return confirmed(claim, programs.traces, found)
    except TimeIsUp:
        require_time()
        return Reason(Why.ROUNDING_TIME)
