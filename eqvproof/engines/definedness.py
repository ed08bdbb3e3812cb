"""Search for a point at which a function is defined.

A function that is defined nowhere satisfies every claim, and no claim is reported to hold for it.
Definedness is shown exactly: by the signs known of values (`program.signs`), which is enough for
most layers at any width, or by one point at which an entry is a rational or a ball in exact
arithmetic. A finite float shows nothing, for rounding makes singular matrices invertible. Without
such a point the verdict is not HOLDS.

At size 1 some functions are defined that are defined at no other size, such as
``inv(outer(x, x))``. So each axis that may be longer than 1 is so at some size at which the
function is seen to be defined. One more size is tried, and the verdict names the sizes at which
no point was found.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.drawn_domains import is_strategy
from eqvproof.claims.signature import Signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import KnownPrograms, Traced
from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.engines.scope import tried_text
from eqvproof.numbers import UNDECIDED_ENTRY, Real, enclosure
from eqvproof.numbers.spans import INF, UNIT, Interval
from eqvproof.programs import Builder, Program, copied
from eqvproof.programs.evaluate.library_functions import LIBRARY
from eqvproof.programs.operations import Operation
from eqvproof.programs.signs import Signs
from eqvproof.support.deadline import TimeIsUp, overtime, until
from eqvproof.support.errors import EqvproofError
from eqvproof.tracing.samples import Spans, lower_ends

Sizes = Mapping[str, int]
Inputs = Mapping[str, Any]
#: Bits of balls at all points, bits for a second try, and number of points of a second try.
BITS, MORE_BITS, AGAIN = 128, 1500, 3
#: Number of points at each size, number of sizes, and largest length of an axis.
POINTS, SIZES, LONGEST = 40, 12, 5
#: Number of points at each size for large Programs: other sizes may succeed sooner.
FEWER = 5
#: Largest number of entries in all values for exact points; above it, balls around a point are
#: evaluated, since rationals would grow long.
MOST_RATIONAL = 4096
#: Largest number of entries of Programs that are evaluated; least and usual limits in seconds.
MOST_ENTRIES, LEAST_SECONDS, SECONDS = 2_000_000, 1.0, 10.0
#: Bound of the absolute value that an uninterpreted function is assumed to take.
BOUND = 1 << 16
#: Radius of the balls around a point.
NEAR = Fraction(1, 1 << 80)


@dataclass(frozen=True, slots=True)
class Definedness:
    """The result of the search for a point at which all functions of a claim are defined.

    Attributes:
        shown: whether such a point is known.
        why: the reason if none is known.
        notes: the sizes at which points were tried and none was found.
    """

    shown: bool
    why: Reason = NO_REASON
    notes: tuple[str, ...] = ()


def defined_somewhere(
    claim: Claim, known: KnownPrograms, sizes: Sequence[Sizes] | None = None
) -> Definedness:
    """Searches for a point of the domain at which the functions of a claim are defined.

    Args:
        claim: the claim.
        known: its Programs.
        sizes: the sizes to try; None for sizes of the claim.
    """
    if isinstance(known, Traced) and are_total(known.programs, claim.signature):
        return Definedness(shown=True)
    found: list[Sizes] = []
    empty: list[Sizes] = []
    why = ""
    try:
        now = time.monotonic()
        with overtime(), until(max(now + LEAST_SECONDS, min(claim.deadline, now + SECONDS))):
            order = list(_sizes(claim, known.spans)) if sizes is None else sorted(sizes, key=_order)
            for here, points in _places(claim, order):
                answer = _is_defined(claim, known, here, points)
                (found if answer else empty).append(here)
                if answer is None:
                    why = f"; at some points {MORE_BITS} bits do not tell whether it is"
                if claim.goes_beyond_one(found):
                    break
            larger = order[1 if sizes is None else -1] if len(order) > 1 else order[0]
            is_new = larger not in (*found, *empty) and not is_strategy(claim.domain)
            if is_new and claim.goes_beyond_one(found):
                answer = _is_defined(claim, known, larger, _points(claim, larger))
                (empty if answer is False else found).append(larger)
    except TimeIsUp:
        why = " in the time for that"
    except EqvproofError as error:
        why = f"; {error.message}"
    what = "both functions are" if claim.is_identity else "it is"
    nowhere = f"no point was found {tried_text(empty)} at which {what} defined" if empty else ""
    if claim.goes_beyond_one(found):
        return Definedness(shown=True, notes=(nowhere,) if empty else ())
    why = (f", but {tried_text(found)}" if found else "") + why
    text = (nowhere or f"no point was found at which {what} defined") + why
    return Definedness(shown=False, why=Reason(Why.DEFINED_NOWHERE, text))


def are_total(programs: Iterable[Program], signature: Signature) -> bool:
    """Checks by signs whether Programs are defined at all inputs.

    Also True if they are defined wherever all masks are true, or wherever all masks are false.
    """
    masks = any(a.kind == "bool" for a in signature.inputs)
    ways = [_known(signature, (k, k)) for k in ((1, 0) if masks else (1,))]
    return any(all(Signs(p, way).is_total(p.output) for p in programs) for way in ways)


def _known(signature: Signature, masks: Interval) -> dict[str, Interval]:
    """Returns the intervals that contain the entries of masks and of index arrays."""
    kinds: dict[str, Interval] = {"bool": masks, "index": (0, INF)}
    return {a.name: kinds[a.kind] for a in signature.inputs if a.kind in kinds}


# ----------------------------------------------------------------------------------- sizes
def _sizes(claim: Claim, known: Spans) -> Iterator[dict[str, int]]:
    """Yields sizes that a proof covers: small ones in every order, and all of size 1."""
    spans = claim.search_sizes()
    free = [n for n in spans if n not in claim.pins]
    count = len(free)
    rows = [[2] * count, [3] * count, range(2, count + 2), range(count + 1, 1, -1)]
    rows += [[LONGEST if j == k else 2 for j in range(count)] for k in range(count)]
    rows += [[2 if j == k else LONGEST for j in range(count)] for k in range(count)]
    seen: dict[tuple[int, ...], None] = {}
    for row in [*rows[: SIZES - 1], [1] * count]:
        sizes = lower_ends(spans)
        for name, size in zip(free, row, strict=True):
            low, high = spans[name]
            least, most = known.get(name, (1, None))
            bounded = name in claim.ranges and name not in claim.open_ended
            high = min(high if bounded else max(LONGEST, low), LONGEST if most is None else most)
            sizes[name] = max(low, least, min(high, size))
        if tuple(sizes.values()) not in seen:
            seen[tuple(sizes.values())] = None
            yield sizes


def _order(sizes: Sizes) -> tuple[int, int]:
    return sum(size == 1 for size in sizes.values()), sum(sizes.values())


# ----------------------------------------------------------------------------------- points
def _places(claim: Claim, order: Sequence[Sizes]) -> Iterator[tuple[Sizes, Iterable[Inputs]]]:
    """Yields sizes with points of the domain at them."""
    if not is_strategy(claim.domain):
        yield from ((sizes, _points(claim, sizes)) for sizes in order)
        return
    drawn: dict[tuple[tuple[str, int], ...], list[Inputs]] = {}
    from eqvproof.engines.search.drawn import draw

    for sizes, inputs in draw(
        claim.domain, claim.signature, [dict(s) for s in order], claim.seed, POINTS
    ):
        drawn.setdefault(tuple(sizes.items()), []).append(inputs)
    yield from ((dict(sizes), points) for sizes, points in drawn.items())


def _points(claim: Claim, sizes: Sizes) -> Iterator[Inputs]:
    """Yields points of the domain: unstructured ones, then those with constants of the code."""
    from eqvproof.claims.domains import Domain

    towards = claim.domain.moved if isinstance(claim.domain, Domain) else None
    rng = random.Random(f"{claim.seed}|somewhere|{sorted(sizes.items())}")
    from eqvproof.engines.search.inputs import Points, scaled_point

    points = Points(claim.signature, sizes, (), towards)

    from eqvproof.engines.search import mine_constants

    def candidates() -> Iterator[Inputs]:
        yield points.positive(rng)
        yield points.untied(rng)
        yield points.generic(rng)
        yield points.fractional(rng)
        for base in (points.positive(rng), points.generic(rng)):
            yield scaled_point(base, Fraction(1, 16))
        yield from (points.random(rng) for _ in range(POINTS // 4))
        constants = [c for f in claim.functions for c in mine_constants(f)]
        yield from Points(claim.signature, sizes, constants, towards).seeded(rng)
        yield from points.structured(rng, POINTS)

    yield from islice((p for p in candidates() if claim.domain is None or claim.domain(p)), POINTS)


def _is_defined(
    claim: Claim, known: KnownPrograms, sizes: Sizes, points: Iterable[Inputs]
) -> bool | None:
    """Checks whether an entry of all functions is defined at one of the points; None if unknown."""
    functions = {n: f for t in known.traces for n, f in t.opaques.items()}
    ways = list(_ways(known.programs_at(sizes), claim.signature, functions, sizes))
    again: list[Inputs] = []
    is_large = any(_entries(way.programs, sizes) > MOST_RATIONAL for way in ways)
    for inputs in islice(points, FEWER if is_large else None):
        found = [way.at(inputs, sizes, BITS) for way in ways]
        if True in found:
            return True
        if None in found and len(again) < AGAIN:
            again.append(inputs)
    found = [way.at(inputs, sizes, MORE_BITS) for inputs in again for way in ways]
    if True in found:
        return True
    if None in found:
        return None
    return False


@dataclass(frozen=True, slots=True)
class _Way:
    """Programs to evaluate at points, with values for their uninterpreted functions.

    Attributes:
        programs: one, or two.
        conditions: for each Program, one that returns a number, defined only where every entry of
            the Program is.
        functions: implementations of uninterpreted functions.
        values: values of uninterpreted functions, as inputs.
    """

    programs: tuple[Program, ...]
    conditions: tuple[Program, ...]
    functions: Mapping[str, Any]
    values: Inputs

    def at(self, inputs: Inputs, sizes: Sizes, bits: int) -> bool | None:
        """Checks whether an entry is defined at a point; None if these bits are not enough to tell.

        Balls around the point are fast; if they do not tell, as for the root of a difference that
        is 0, the point itself is evaluated. The same holds for conditions with few entries.
        """
        few, entries = (_entries(programs, sizes) for programs in (self.conditions, self.programs))
        if few <= MOST_RATIONAL < entries and self._meets_conditions(inputs, sizes, bits):
            return True
        near = _around(inputs) if MOST_RATIONAL < entries <= MOST_ENTRIES else inputs
        found = self._at(near, sizes, bits) if entries <= MOST_ENTRIES else None
        if found is None and near is not inputs:
            return self._at(inputs, sizes, bits)
        return found

    def _at(self, inputs: Inputs, sizes: Sizes, bits: int) -> bool | None:
        if self._meets_conditions(inputs, sizes, bits):
            return True
        try:
            values = [v.ravel() for v in self._values(self.programs, inputs, sizes, bits)]
        except Exception:  # an example of a function does not take exact numbers
            return None
        entries = list(zip(*values, strict=True))
        if any(all(isinstance(x, Real) for x in entry) for entry in entries):
            return True
        if any(x is UNDECIDED_ENTRY for entry in entries for x in entry):
            return None
        return False

    def _meets_conditions(self, inputs: Inputs, sizes: Sizes, bits: int) -> bool:
        try:
            values = self._values(self.conditions, inputs, sizes, bits)
        except Exception:  # an example of a function does not take exact numbers
            return False
        return all(isinstance(v[()], Real) for v in values)

    def _values(
        self, programs: Sequence[Program], inputs: Inputs, sizes: Sizes, bits: int
    ) -> list[np.ndarray[Any, Any]]:
        given = {**inputs, **self.values}
        from eqvproof.programs.evaluate import evaluate_exact

        return [
            evaluate_exact(
                p, given, dict(sizes), precision=bits, max_precision=bits, opaque=self.functions
            )
            for p in programs
        ]


def _entries(programs: Iterable[Program], sizes: Sizes) -> int:
    """Counts the entries of all values of some Programs."""
    return sum(prod(node.lengths(sizes)) for p in programs for node in p.nodes)


def _around(inputs: Inputs) -> Inputs:
    """Returns balls around the real entries of a point."""
    near = np.vectorize(lambda x: enclosure(x - NEAR, x + NEAR), otypes=[object])
    return {
        n: near(x) if x.size and isinstance(x.flat[0], Fraction) else x for n, x in inputs.items()
    }


def _ways(
    programs: Sequence[Program], signature: Signature, functions: Mapping[str, Any], sizes: Sizes
) -> Iterator[_Way]:
    """Yields the ways to evaluate uninterpreted functions.

    First any value up to a bound, then the implementations, if every function has one or is
    assumed to have no symmetry.
    """
    names = {o.name: o.symmetry for p in programs for o in p.opaques if o.name not in LIBRARY}
    opened, values = [], dict[str, Any]()

    from eqvproof.numbers.tensor import constant_array

    def unknown(b: Builder, k: int, op: Operation) -> int | None:
        name = f"value {k} of {op.called}"
        if op.called not in names:
            return None
        values[name] = constant_array([s.value(sizes) for s in op.shape], enclosure(-BOUND, BOUND))
        return b.input(name, op.shape)

    for p in programs:
        b, made = copied(p, unknown)
        opened.append(b.program(made[p.output]))
    known = _known(signature, UNIT)
    ways = [tuple(opened)]
    if names and all(n in functions or symmetry is None for n, symmetry in names.items()):
        ways.append(tuple(programs))
    for way in ways:
        yield _Way(way, tuple(_conditions(p, known) for p in way), functions, values)


def _conditions(program: Program, known: Mapping[str, Interval]) -> Program:
    """Builds the sum of all entries of the nodes that may be undefined at defined arguments."""
    b, made = copied(program)
    signs = Signs(b, known)
    sums = [b.sum(x) for x in sorted(b.behind(made[program.output])) if not signs.stays_defined(x)]
    return b.program(b.add(sums) if sums else b.const(0))
