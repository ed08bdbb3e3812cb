"""Replays a Program against the target from which it was read, to notice that they differ.

Results rest on a trace only after this comparison: at several sizes, on random and structured
inputs, the target must run the same instructions as when it was traced, and return what the Program
evaluates to, up to rounding. Where one side is undefined, so must the other be (overflow, and inf
that NumPy turns into a number again, excepted).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.programs import Program
from eqvproof.programs.operations.size_of import SizeOf
from eqvproof.support.code_line import CodeLine
from eqvproof.support.errors import EqvproofError, ErrorCode
from eqvproof.support.forked_work import continue_in_copy_if_slow
from eqvproof.support.writing import entry_text
from eqvproof.tracing.arrays.context import make_error
from eqvproof.tracing.arrays.values import Numbers
from eqvproof.tracing.observing.code import integer_constants
from eqvproof.tracing.observing.executed_code import (
    Recorder,
    TracedPath,
    Way,
    require_all_taken,
    require_same,
)
from eqvproof.tracing.rounding import (
    Point,
    beyond_floats,
    cancelled,
    excused,
    half_defined,
    is_continuous,
    is_singular,
    is_undefined,
    rests_on_order,
)
from eqvproof.tracing.run import NO_WRITES, call_target, sizes_text
from eqvproof.tracing.samples import (
    GENERIC,
    MODERATE,
    MOST_ENTRIES,
    Spans,
    jobs,
    limited_to,
    make_inputs,
    require_finite,
    within,
)

TOLERANCE = 1e-7
#: Bound of the numbers of the code that are tried as entries.
MOST_WRITTEN = 1e150
#: Fewest and most comparisons of one trace, and nodes evaluated in all of them together.
FEWEST, MOST, WORK = 14, 64, 6000
#: Operations that are defined at some points only, or whose values jump.
DELICATE = frozenset({"matrix_function", "eigenvectors", "sort", "select", "opaque"})


@dataclass(frozen=True, slots=True)
class ReplayedProgram:
    """A Program, with the facts of its trace with which a replay compares.

    Attributes:
        program: the Program.
        codes: the user's code objects that ran when it was traced.
        paths: the instructions that ran, on each path through the code.
        stand_ins: name -> function for uninterpreted functions.
        raises: whether the function raises exceptions of its own, depending on values.
        spans: the ranges of sizes that the claim covers, for names that are not free from 1 up.
        limits: the greatest sizes for which the Program equals the function, by name.
        exchanged: whether names of installed packages were replaced when it was traced.
        unrewritten: gives the Program as the target computes it, without algebra; None where it is
            not known.
        lines: the user's lines that made the nodes of the Program.
        by_entries: code that runs for each entry of an array, on ways of their own.
        tolerance: the tolerance relative to the largest entry; more than TOLERANCE where the target
            rounds to float32.
    """

    program: Program
    codes: frozenset[CodeType]
    paths: tuple[TracedPath, ...]
    stand_ins: Mapping[str, Callable[..., object]]
    tolerance: float = TOLERANCE
    raises: bool = False
    limits: Mapping[str, int] = field(default_factory=dict)
    spans: Spans = field(default_factory=dict)
    exchanged: bool = False
    unrewritten: Callable[[], Program | None] = lambda: None
    lines: Mapping[int, CodeLine] = field(default_factory=dict)
    by_entries: frozenset[CodeType] = frozenset()


def replay(
    function: Callable[..., object],
    signature: Signature,
    traced: ReplayedProgram,
    fixed: Mapping[str, int],
    seed: int,
    held: Mapping[str, Numbers],
) -> None:
    """Compares the target with its Program at several sizes and inputs.

    Args:
        function: the target.
        signature: its typing.
        traced: the Program and what ran.
        fixed: the sizes that are fixed; others take several values.
        seed: the seed of the random inputs.
        held: arguments that have fixed values.

    Raises:
        TraceError: the target and the Program differ, or the target raises where the Program has
            values.
    """
    rng = np.random.default_rng(seed)
    constants = {c for code in traced.codes for c in integer_constants(code)}
    free = [n for n in signature.input_names if n not in fixed]
    finite, ran = 0, set[Way]()
    jumps = len(traced.paths) > 1 or bool(traced.stand_ins or traced.by_entries)
    jumps = jumps or not is_continuous(traced.program)
    is_plain = not jumps and not traced.raises and not traced.exchanged
    is_plain = is_plain and not any(op.op in DELICATE for op in traced.program.nodes)
    most = _how_many(traced.program)
    for chosen, style, magnitude in jobs(
        free, constants, most, jumps=jumps, is_plain=is_plain and bool(free) and not held
    ):
        chosen = within(chosen, limited_to(traced.spans, traced.limits))
        sizes = {**fixed, **_within_memory(traced.program, fixed, chosen)}
        inputs = {**make_inputs(signature, sizes, style, rng, magnitude), **held}
        at = Point(traced.program, sizes, inputs, traced.stand_ins, traced.lines)
        finite += _compare(function, signature, traced, at, style, ran)
    for inputs in _beside_constants(signature, sizes, constants, rng):
        at = Point(traced.program, sizes, {**inputs, **held}, traced.stand_ins, traced.lines)
        _compare(function, signature, traced, at, "constants", ran)
    require_finite(finite)
    require_all_taken(traced.paths, ran)


def _beside_constants(
    signature: Signature,
    sizes: dict[str, int],
    constants: Collection[float],
    rng: np.random.Generator,
) -> Iterator[dict[str, Numbers]]:
    """Yields inputs with entries that are numbers of the code, or somewhat greater.

    Code may ask for one, such as -999 for missing data, that no other input has.
    """
    written = sorted(c for c in constants if 2 < abs(c) < MOST_WRITTEN)
    for factor in (1.0, 1.25) if written else ():
        inputs = make_inputs(signature, sizes, "normal", rng)
        for array in inputs.values():
            if array.dtype.kind == "f" and array.size:
                chosen = rng.permutation(written)[: max(1, array.size // 2)]
                places = rng.permutation(array.size)[: len(chosen)]
                array.flat[places] = chosen[: len(places)] * factor
        yield inputs


def _how_many(program: Program) -> int:
    """Returns the number of comparisons: fewer for long Programs and large constants."""
    cost = len(program.nodes) + program.stored // 2000
    return max(FEWEST, min(MOST, WORK // cost))


def _within_memory(
    program: Program, fixed: Mapping[str, int], chosen: dict[str, int]
) -> dict[str, int]:
    """Returns the chosen sizes, with large ones lowered until every value fits in memory."""

    def largest(candidate: Mapping[str, int]) -> int:
        known = {**fixed, **candidate}
        entries = [np.prod([s.value(known) for s in n.shape], dtype=float) for n in program.nodes]
        return int(max(entries, default=1))

    while max(chosen.values(), default=0) > 12 and largest(chosen) > MOST_ENTRIES:
        chosen = {n: max(12, 2 * s // 3) if s > 12 else s for n, s in chosen.items()}
    return chosen


def _compare(
    function: Callable[..., object],
    signature: Signature,
    traced: ReplayedProgram,
    at: Point,
    style: str,
    ran: set[Way],
) -> int:
    """Compares the two at one point; returns 1 if the result has a finite entry, else 0.

    The path that the target takes is added to `ran`.
    """
    where = sizes_text(at.sizes)
    try:
        expected = at.value()
    except (EqvproofError, ArithmeticError, ValueError) as error:
        raise make_error(f"the trace cannot be evaluated at {where}: {error}", "") from error
    flags: set[str] = set()
    recorder = Recorder(traced.codes)
    # a fork begins here, not while instructions are recorded
    continue_in_copy_if_slow(sum(a.size for a in at.inputs.values()))
    try:
        with (
            warnings.catch_warnings(),
            recorder,
            np.errstate(all="call", call=lambda kind, _: flags.add(kind)),
        ):
            warnings.simplefilter("ignore")
            result = call_target(function, signature, at.inputs, at.sizes, NO_WRITES)
    except EqvproofError as error:
        told = style in MODERATE or traced.raises or is_singular(error.__cause__)
        if told and not np.isfinite(expected).any():
            return 0
        if is_singular(error.__cause__) and is_undefined(at):
            return 0
        raise make_error(
            f"on real arrays, at {where}, {error.message}",
            "",
            "for all sizes means from 1 up; sizes= leaves out sizes at which the function does not"
            " work",
            ErrorCode.TRACE_REPLAY,
        ) from error
    ways = [path.steps for path in traced.paths]
    ran.add(require_same(ways, recorder, where, by_entries=traced.by_entries))
    one_way = len(traced.paths) == 1 and not traced.by_entries
    for reason, place in recorder.complaints(one_way=one_way):
        raise make_error(reason, place, code="trace.impure")
    if result.shape != expected.shape:
        raise make_error(
            f"the trace has shape {expected.shape} at {where}, the function returns {result.shape}",
            "", code=ErrorCode.TRACE_REPLAY,
        )  # fmt: skip
    lenient = style not in MODERATE or "overflow" in flags
    no_number = bool(flags & {"divide by zero", "invalid value"}) and not _sums_nothing(at)
    _require_same_domain(at, result, expected, lost=not lenient, found=not (lenient or no_number))
    _require_same_values(at, result, expected, traced, generic=style in GENERIC)
    return int(np.isfinite(result).any() and np.isfinite(expected).any())


def _sums_nothing(at: Point) -> bool:
    """Checks whether an axis may be empty: a sum over none is 0, whatever its terms would be."""
    return any(
        0 in node.lengths(at.sizes) or (isinstance(node, SizeOf) and node.size.value(at.sizes) == 0)
        for node in at.program.nodes
    )


def _require_same_domain(
    at: Point, result: Numbers, expected: Numbers, *, lost: bool, found: bool
) -> None:
    """Compares where both are defined; differences count if `lost` or `found` in the function."""
    ours, theirs = np.isfinite(expected), np.isfinite(result)
    lacks, has = ours & ~theirs & lost, ~ours & theirs & found
    if has.any():
        has &= ~rests_on_order(at, expected)
    if (lacks | has).any():
        may_lack, may_have = half_defined(at)
        lacks, has = lacks & ~may_lack, has & ~may_have
        if lacks.any() and beyond_floats(at):
            lacks = np.zeros_like(lacks)
    if (lacks | has).any():
        entry = tuple(int(i) for i in np.argwhere(lacks | has)[0])
        raise make_error(
            f"the function and its trace differ in where they are defined: entry"
            f" {entry_text(*entry)} at"
            f" {sizes_text(at.sizes)} is {result[entry]} and {expected[entry]}",
            "",
            code=ErrorCode.TRACE_REPLAY,
        )


def _require_same_values(
    at: Point, result: Numbers, expected: Numbers, traced: ReplayedProgram, *, generic: bool
) -> None:
    """Compares values relative to the largest entry, then exactly where they differ."""
    both = np.isfinite(expected) & np.isfinite(result)
    scale = max(1e-300, float(np.max(np.abs(result), where=both, initial=0.0)))
    gap = np.where(both, np.abs(np.where(both, result, 0.0) - np.where(both, expected, 0.0)), 0.0)
    bad = ~(gap <= traced.tolerance * scale)
    if bad.any():
        bad &= ~excused(at, result, expected, generic=generic)
    if bad.any():
        bad &= ~(gap <= cancelled(at, traced.unrewritten(), expected))
    if bad.any():
        from eqvproof.tracing.vector_signs import refuse_signs

        refuse_signs(at)
        entry = tuple(int(i) for i in np.argwhere(bad)[0])
        raise make_error(
            f"the function and its trace differ: entry {entry_text(*entry)} at"
            f" {sizes_text(at.sizes)} is"
            f" {float(result[entry])!r} and {float(expected[entry])!r}",
            "",
            code=ErrorCode.TRACE_REPLAY,
        )
