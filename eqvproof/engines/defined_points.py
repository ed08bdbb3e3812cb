"""Points of the domain of a claim, and whether its functions are defined at one of them.

A Program is evaluated exactly, in rationals or in balls; see `definedness`.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import prod
from typing import Any

import numpy as np

from eqvproof.claims.domains import Domain
from eqvproof.claims.drawn_domains import is_strategy
from eqvproof.engines.claim import Claim
from eqvproof.engines.known_programs import KnownPrograms
from eqvproof.engines.search import mine_constants
from eqvproof.engines.search.drawn import draw
from eqvproof.engines.search.inputs import Points, scaled_point
from eqvproof.numbers import UNDECIDED_ENTRY, Real, enclosure
from eqvproof.numbers.spans import Interval
from eqvproof.numbers.tensor import constant_array
from eqvproof.programs import Builder, Program, copy_program
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.programs.evaluate.library_functions import LIBRARY
from eqvproof.programs.operations import Operation
from eqvproof.programs.signs import Signs

Sizes = Mapping[str, int]
Inputs = Mapping[str, Any]
#: Bits of balls at all points, bits for a second try, and number of points of a second try.
BITS, MORE_BITS, AGAIN = 128, 1500, 3
#: Number of points at each size, and fewer for large Programs: other sizes may succeed sooner.
POINTS, FEWER = 40, 5
#: Largest number of entries in all values for exact points; above it, balls around a point are
#: evaluated, since rationals would grow long.
MOST_RATIONAL = 4096
#: Largest number of entries of Programs that are evaluated.
MOST_ENTRIES = 2_000_000
#: Bound of the absolute value that an uninterpreted function is assumed to take.
BOUND = 1 << 16
#: Radius of the balls around a point.
NEAR = Fraction(1, 1 << 80)


def places(claim: Claim, order: Sequence[Sizes]) -> Iterator[tuple[Sizes, Iterable[Inputs]]]:
    """Yields sizes with points of the domain at them."""
    if not is_strategy(claim.domain):
        yield from ((sizes, points_at(claim, sizes)) for sizes in order)
        return
    drawn: dict[tuple[tuple[str, int], ...], list[Inputs]] = {}
    for sizes, inputs in draw(
        claim.domain, claim.signature, [dict(s) for s in order], claim.seed, POINTS
    ):
        drawn.setdefault(tuple(sizes.items()), []).append(inputs)
    yield from ((dict(sizes), points) for sizes, points in drawn.items())


def points_at(claim: Claim, sizes: Sizes) -> Iterator[Inputs]:
    """Yields points of the domain: unstructured ones, then those with constants of the code."""
    towards = claim.domain.moved if isinstance(claim.domain, Domain) else None
    rng = random.Random(f"{claim.seed}|somewhere|{sorted(sizes.items())}")
    points = Points(claim.signature, sizes, (), towards)

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


def is_defined(
    known: KnownPrograms,
    sizes: Sizes,
    points: Iterable[Inputs],
    bounds: Mapping[str, Interval],
) -> bool | None:
    """Checks whether an entry of all functions is defined at one of the points; None if unknown.

    Args:
        known: the Programs of the functions.
        sizes: the sizes of the points.
        points: the inputs of the functions at each of them.
        bounds: for some inputs, an interval that contains their entries.
    """
    functions = {n: f for t in known.traces for n, f in t.opaques.items()}
    ways = list(_ways(known.programs_at(sizes), bounds, functions, sizes))
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
    programs: Sequence[Program],
    bounds: Mapping[str, Interval],
    functions: Mapping[str, Any],
    sizes: Sizes,
) -> Iterator[_Way]:
    """Yields the ways to evaluate uninterpreted functions.

    First any value up to a bound, then the implementations, if every function has one or is
    assumed to have no symmetry.
    """
    names = {o.name: o.symmetry for p in programs for o in p.opaques if o.name not in LIBRARY}
    opened, values = [], dict[str, Any]()

    def unknown(b: Builder, k: int, op: Operation) -> int | None:
        name = f"value {k} of {op.opaque_name}"
        if op.opaque_name not in names:
            return None
        values[name] = constant_array([s.value(sizes) for s in op.shape], enclosure(-BOUND, BOUND))
        return b.input(name, op.shape)

    for p in programs:
        b, made = copy_program(p, unknown)
        opened.append(b.program(made[p.output]))
    ways = [tuple(opened)]
    if names and all(n in functions or symmetry is None for n, symmetry in names.items()):
        ways.append(tuple(programs))
    for way in ways:
        yield _Way(way, tuple(_conditions(p, bounds) for p in way), functions, values)


def _conditions(program: Program, bounds: Mapping[str, Interval]) -> Program:
    """Builds the sum of all entries of the nodes that may be undefined at defined arguments."""
    b, made = copy_program(program)
    signs = Signs(b, bounds)
    sums = [b.sum(x) for x in sorted(b.behind(made[program.output])) if not signs.stays_defined(x)]
    return b.program(b.add(sums) if sums else b.const(0))
