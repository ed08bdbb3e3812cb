"""Provers for all sizes, in the order in which they are tried; each finds a proof or says why not.

A rewritten Program is compared with its function by replays, as the traced one is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from eqvproof.claims.groups import Factor
from eqvproof.claims.signature import Axis
from eqvproof.claims.signature.irreps import MOST_DEGREE
from eqvproof.claims.size import Size
from eqvproof.engines.claim import Claim
from eqvproof.engines.identity import IdentityProof, prove_identity
from eqvproof.engines.linear_types import FLIPPED, Gap, Proof, infer_equivariance
from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.engines.verdict.scope import ExceptionalSet, Reading
from eqvproof.programs import Program
from eqvproof.programs.copies import replace_constants
from eqvproof.programs.operations import Operation
from eqvproof.support.code_line import NO_LINE
from eqvproof.tracing.trace import Trace

if TYPE_CHECKING:
    from eqvproof.programs.rounded_constants import RoundedConstant

Traces = tuple[Trace, ...]
#: Largest number of entries of vectors that are split into components.
MOST_COMPONENTS = 8
#: Reading of tables with square roots, entry by entry.
ROUNDED = Reading(
    "of the value of each: entries of tables with square roots",
    "the float64 next to it",
    2.0**-53,
    0,
)
#: Largest number of readings that are tried to be dropped one by one.
MOST_TRIED = 16


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proof as a prover finds it, with the Programs and readings that it is about.

    Attributes:
        traces: the traces whose Programs it is about.
        proof: the proof on them.
        readings: the constants of the traces that are read as nearby ones.
        stored: the stored values of those constants, by node, if the Programs hold the values that
            they are read as.
        replayed: the traces to compare with the functions, if `traces` hold other numbers.
        points: the exceptional points that it leaves out.
        why_not_all: the reason why there is no proof that covers them.
    """

    traces: Traces
    proof: Proof | IdentityProof
    readings: tuple[Reading, ...] = ()
    stored: Mapping[int, Operation] = field(default_factory=dict)
    replayed: Traces = ()
    points: tuple[ExceptionalSet, ...] = ()
    why_not_all: Reason = NO_REASON


#: Returns a proof, or the reason why there is none; an empty one if it is for other claims.
Prover = Callable[[Claim, Traces], Candidate | Reason]


def by_normal_forms(claim: Claim, traces: Traces) -> Candidate | Reason:
    """Proves that two functions are equal because their normal forms are."""
    if not claim.is_identity:
        return NO_REASON
    found = prove_identity(traces[0].program, traces[1].program)
    if isinstance(found, Reason):
        return found
    return Candidate(traces, found)


def by_types(claim: Claim, traces: Traces) -> Candidate | Reason:
    """Proves equivariance by types: the action on each value, by the rule of its operation."""
    if claim.is_identity:
        return NO_REASON
    found = _inferred(claim, traces[0], traces[0].program)
    if isinstance(found, Gap):
        from eqvproof.engines.explain import gap_text
        from eqvproof.engines.failing_line import find_failing_value
        from eqvproof.engines.leaking_line import find_leak
        from eqvproof.tracing.vector_signs import signs_matter

        if leak := find_leak(traces[0], found, claim.signature, claim.pins):
            return leak
        place = gap_text(*find_failing_value(traces[0], found, claim.signature, claim.pins))
        signs = signs_matter(traces[0].program, traces[0].lines, claim.signature, claim.pins)
        if signs and found.factor.axis == FLIPPED:
            return Reason(Why.SIGNS_MATTER, signs)
        if signs:
            return Reason(Why.SIGNS_MATTER, signs, inner=Reason(Why.NO_TYPE, place))
        return Reason(Why.NO_TYPE, place)
    return Candidate(traces, found)


def by_halves(claim: Claim, traces: Traces) -> Candidate | Reason:
    """Proves equivariance by types, with joined axes split into their halves.

    The halves are real and imaginary parts, or a pair.
    """
    if claim.is_identity:
        return NO_REASON
    axes = [f.axis for f in claim.group.factors if f.record.reals > 1]
    halves = {Size.of(claim.pins.get(str(axis), axis)) for axis in axes}
    wholes = {size + size for size in halves if (size + size).constant not in _short(claim)}
    if wholes:
        from eqvproof.programs.halves import rewrite_halves

        return _rewritten(claim, traces[0], rewrite_halves(traces[0].program, wholes))
    return NO_REASON


def by_components(claim: Claim, traces: Traces) -> Candidate | Reason:
    """Proves equivariance by types, with operations on single entries written as products.

    Entries along the axes of the group are components. Under motions of space, entries that are
    joined to an axis as long as an irrep are its components, too. First all axes of such a length
    are split, then only those on which the group may act: corners of triangles are points then, and
    their differences are invariant under translations.
    """
    short = _short(claim)
    if claim.is_identity or not short:
        return NO_REASON
    program = traces[0].program
    is_spatial = any(
        s == 3 and f.kind.rotates and not f.generators for f, s in _factors_with_lengths(claim)
    )
    cut = _cuts_of_joins(program, short) | _cuts_of_reads(program) if is_spatial else {}
    if is_spatial:
        entries = _made_of_entries(program, cut)
    else:
        entries = set()
    has_irreps = bool(claim.signature.irreps)
    short = (short | entries) - ({1} if has_irreps else set())
    joined = (has_irreps or bool(entries - {3})) and not claim.literal
    cut |= _cuts(claim, short)
    acted = _moved_axes(claim)
    held = any(
        size.constant in short and k not in acted.get(name, ())
        for name, shape in program.inputs for k, size in enumerate(shape)
    )  # fmt: skip
    from eqvproof.programs.components import multiplies_entries, rewrite_componentwise

    ways = [(moved, False) for moved in ((None, acted) if held and not has_irreps else (None,))]
    if any(multiplies_entries(op, short) for op in program.nodes):
        ways.append((None, True))
    for moved, entrywise in ways:
        again, rounded = rewrite_componentwise(
            program, short, cut, joined=joined, moved=moved, entrywise=entrywise
        )
        found = _rewritten(claim, traces[0], again, (ROUNDED,) if rounded else ())
        if isinstance(found, Candidate):
            return found
    return NO_REASON


def by_rounded_constants(claim: Claim, traces: Traces) -> Candidate | Reason:
    """Proves equivariance by types, with floats read as the numbers that they round.

    This is for translations and multiples, where sums of weights or exponents matter.
    """
    if (
        claim.is_identity
        or claim.literal
        or all(f.kind.acts_by_matrices for f in claim.group.factors)
    ):
        return NO_REASON
    from eqvproof.programs.rounded_constants import rounded_constants

    trace, program = traces[0], traces[0].program
    for read in rounded_constants(program, trace.bits):
        if read:
            found = _rewritten(claim, trace, _read_so(program, read))
        else:
            found = NO_REASON
        if not isinstance(found, Candidate):
            continue
        for k in [*read] if len(read) <= MOST_TRIED else ():
            fewer = {j: constant for j, constant in read.items() if j != k}
            again = _rewritten(claim, trace, _read_so(program, fewer))
            found, read = (again, fewer) if isinstance(again, Candidate) else (found, read)
        stored = {k: program.nodes[k] for k in read}
        readings = tuple(_reading(trace, k, constant) for k, constant in read.items())
        return replace(found, readings=readings, stored=stored, replayed=traces)
    return NO_REASON


#: Provers in the order in which they are tried.
PROVERS: tuple[Prover, ...] = (
    by_normal_forms, by_types, by_halves, by_components, by_rounded_constants,
)  # fmt: skip


def first_proof(claim: Claim, traces: Traces) -> Candidate | Reason:
    """Returns the first proof found; else the reason why the first prover finds none.

    If there is no proof for all points, one is tried that leaves out points at which entries tie.
    """
    found = _first(claim, traces)
    if isinstance(found, Reason) and not claim.is_identity:
        found = _first_of_others(claim, traces[0], found)
    if isinstance(found, Candidate):
        return _without_equal_eigenvalues(found, traces)
    return found


# -- parts ---------------------------------------------------------------------------------------
def _first(claim: Claim, traces: Traces) -> Candidate | Reason:
    """Returns the first proof on these Programs; else the reason of the first prover."""
    why = NO_REASON
    for prover in PROVERS:
        found = prover(claim, traces)
        if isinstance(found, Candidate):
            return found
        why = why or found
    return why


def _first_of_others(claim: Claim, trace: Trace, why: Reason) -> Candidate | Reason:
    """Returns the first proof on an equal Program, or on one that is equal where no entries tie."""
    from eqvproof.programs.guards import remove_guards

    free = remove_guards(trace.program)
    if free is not trace.program:
        found = _first(claim, (_with_program(trace, free),))
        if isinstance(found, Candidate):
            return found
    from eqvproof.programs.off_ties import off_ties

    program, ties = off_ties(free)
    if ties:
        off = _first(claim, (_with_program(trace, program),))
    else:
        off = NO_REASON
    if not isinstance(off, Candidate):
        return why
    given = {tie.name: tie for tie in off_ties(trace.program)[1]}  # whose lines are known
    from eqvproof.engines.search.exceptional_tests import tied

    points = tuple(tied(trace, given.get(tie.name, replace(tie, line=-1))) for tie in ties)
    return replace(off, replayed=(trace,), points=points, why_not_all=why)


def _with_program(trace: Trace, program: Program) -> Trace:
    return replace(trace, program=program, lines={}, drafts=None)


def _without_equal_eigenvalues(found: Candidate, traces: Traces) -> Candidate:
    """Adds to a proof the points at which its eigenvectors are undefined: equal eigenvalues."""
    written, taken = _vectors(traces), _vectors(found.traces)
    if not taken:
        return found
    points: list[ExceptionalSet] = []
    from eqvproof.engines.search.exceptional_tests import decomposed

    for number, (trace, node) in enumerate(taken):
        if len(written) == len(taken):
            first, place = written[number]
            points.append(decomposed(first, place, first.lines.get(place, NO_LINE), node))
        else:
            line = next((t.lines.get(k, NO_LINE) for t, k in written), NO_LINE)
            points.append(decomposed(trace, node, line))
    return replace(found, points=(*found.points, *points))


def _vectors(traces: Traces) -> list[tuple[Trace, int]]:
    """Returns the eigenvectors of Programs."""
    return [(t, k) for t in traces for k, op in enumerate(t.program.nodes) if op.is_up_to_signs]


def _read_so(program: Program, read: Mapping[int, RoundedConstant]) -> Program:
    return replace_constants(program, {k: found.constant for k, found in read.items()})


def _reading(trace: Trace, node: int, read: RoundedConstant) -> Reading:
    """Builds the reading of a constant as another one."""
    stored, other = trace.program.nodes[node].constant, read.constant.constant
    if stored is None or other is None:
        raise ValueError("there is no constant")
    size, place = stored.size, trace.lines.get(node, NO_LINE).place
    if size > 1:
        return Reading(
            f"a table of {size}", "the numbers that it rounds", float(read.distance), size, place
        )
    value = f"{float(stored.ravel()[0]):.17g}"
    return Reading(value, str(other.ravel()[0]), float(read.distance), size, place)


def _inferred(claim: Claim, trace: Trace, program: Program) -> Proof | Gap:
    bits = 0 if claim.literal else trace.bits
    return infer_equivariance(program, claim.signature, claim.group, claim.pins, bits=bits)


def _rewritten(
    claim: Claim, trace: Trace, program: Program, readings: tuple[Reading, ...] = ()
) -> Candidate | Reason:
    """Infers a proof on another Program of the same function; an empty reason if there is none."""
    found = _inferred(claim, trace, program)
    if isinstance(found, Gap):
        return NO_REASON
    return Candidate((replace(trace, program=program, lines={}, drafts=None),), found, readings)


def _factors_with_lengths(claim: Claim) -> list[tuple[Factor, int]]:
    """Returns the factors of the group with the lengths of their axes; 0 for free lengths."""
    return [(f, f.size({str(f.axis): 0, **claim.pins})) for f in claim.group.factors]


def _moved_axes(claim: Claim) -> dict[str, frozenset[int]]:
    """Returns the axes of each input on which the group acts."""

    def is_moved(axis: Axis) -> bool:
        return any(f.acts_on(term) for f in claim.group.factors for term in axis.terms)

    return {
        a.name: frozenset(k for k, axis in enumerate(a.axes) if is_moved(axis))
        for a in claim.signature.inputs
    }


def _short(claim: Claim) -> set[int]:
    """Returns the lengths of vectors that may be split into components."""
    sizes = {s for _, s in _factors_with_lengths(claim) if 1 <= s <= MOST_COMPONENTS}
    return sizes | {2 * int(t.irrep[:-1]) + 1 for t in claim.signature.irreps}


def _made_of_entries(program: Program, cuts: Mapping[int, tuple[int, ...]]) -> set[int]:
    """Returns the sizes 2l + 1 of axes, or of parts read from them, that join single entries."""
    found = set[int]()
    for op in program.nodes:
        if op.joined_axis is None:
            size = 0
        else:
            size = op.shape[op.joined_axis].constant or 0
        if len(op.args) == size:
            found.update(n for n in cuts.get(size, (size,)) if n % 2 and n <= 2 * MOST_DEGREE + 1)
    return found


def _cuts_of_joins(program: Program, short: Container[int]) -> dict[int, tuple[int, ...]]:
    """Returns the parts from which axes are joined, by length, if all joins of the length agree."""
    found: dict[int, set[tuple[int, ...]]] = {}
    for op in program.nodes:
        if op.joined_axis is not None:
            parts = tuple(program.nodes[a].shape[op.joined_axis].constant or 0 for a in op.args)
            if 0 not in parts and any(part in short for part in parts):
                found.setdefault(sum(parts), set()).add(parts)
    return {size: parts.pop() for size, parts in found.items() if len(parts) == 1}


def _cuts_of_reads(program: Program) -> dict[int, tuple[int, ...]]:
    """Returns the parts that are read from joined axes, by length, if they cover the whole axis."""
    joined = {
        op.shape[op.joined_axis].constant for op in program.nodes if op.joined_axis is not None
    }
    parts: dict[int, set[tuple[int, int]]] = {}
    for op in program.nodes:
        reading = op.as_reading
        shape = () if reading is None else program.nodes[op.args[0]].shape
        if reading is None or len(shape) != len(op.shape):
            continue
        for axis in reading.changed_axes(shape):
            size, place, count = shape[axis].constant, reading.places[axis], op.shape[axis].constant
            start = place.start.constant
            if size is None or start is None or count is None or size not in joined:
                continue
            if place.steps == (1,):
                parts.setdefault(size, set()).add((start, count))
    found = dict[int, tuple[int, ...]]()
    for size, pairs in parts.items():
        starts, counts = zip(*sorted(pairs), strict=True)
        if (*starts, size) == (0, *accumulate(counts)):
            found[size] = counts
    return found


def _cuts(claim: Claim, short: set[int]) -> dict[int, tuple[int, ...]]:
    """Returns the parts of claimed axes that are sums, by length, if a part is a short vector."""
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
