"""Exact, certified evaluation of functions at single points; they are traced once for all sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.engines.verdict import Verdict
from eqvproof.papers.statements.claims.construction import Case
from eqvproof.papers.statements.finding import Finding, certify_verdict
from eqvproof.programs import Program
from eqvproof.support.errors import EqvproofError

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The Programs and values of functions at a point.

    Attributes:
        sizes: all sizes.
        inputs: the arrays of the point, with Fractions as entries.
        programs: the functions, traced at these sizes.
        values: their values, with Fractions as entries; None if a value is irrational or undefined.
    """

    sizes: dict[str, int]
    inputs: dict[str, Any]
    programs: tuple[Program, ...]
    values: tuple[Any, ...] | None


@dataclass(frozen=True, slots=True)
class Sides:
    """Functions of one signature, with a cache of their Programs at each choice of sizes.

    Attributes:
        functions: the functions, of NumPy arrays.
        signature: their signature.
    """

    functions: tuple[Function, ...]
    signature: Signature
    _programs: dict[tuple[tuple[str, int], ...], tuple[Program, ...]] = field(default_factory=dict)

    def at(self, case: Case) -> Point:
        """Evaluates the functions at a point.

        Raises:
            EqvproofError: the values have different shapes, or an entry of the point is not exact.
        """
        from eqvproof.numbers import is_rational, to_fractions
        from eqvproof.programs.evaluate import evaluate_exact
        from eqvproof.tracing.numpy.trace import trace_at

        names = self.signature.argument_names
        inputs = {n: to_fractions(np.asarray(case.inputs[n], dtype=object)) for n in names}
        given = {n: case.sizes[n] for n in self.signature.input_names}
        key = tuple(given.items())
        if key not in self._programs:
            self._programs[key] = tuple(
                trace_at(f, self.signature, given).program for f in self.functions
            )
        programs = self._programs[key]
        values = [evaluate_exact(program, inputs, given) for program in programs]
        sizes = self.signature.output_sizes(values[0].shape, given)
        if any(value.shape != values[0].shape for value in values):
            raise EqvproofError(
                "the sides have different shapes",
                given=" and ".join(str(value.shape) for value in values),
                expected="arrays of one shape",
                hint="let both functions return the same axes",
            )
        fractions = None
        if all(is_rational(value) for value in values):
            fractions = tuple(map(to_fractions, values))
        return Point(sizes, inputs, programs, fractions)


def differing_entries(point: Point) -> list[tuple[int, ...]]:
    """Returns the indices of the entries in which two rational values differ."""
    left, right = point.values or ()
    return [i for i in np.ndindex(left.shape) if left[i] != right[i]]


def group_by_sizes(points: Sequence[Point]) -> list[list[Point]]:
    """Groups points by their sizes."""
    groups: dict[tuple[tuple[str, int], ...], list[Point]] = {}
    for point in points:
        groups.setdefault(tuple(point.sizes.items()), []).append(point)
    return list(groups.values())


def certify_points(
    verdict: Verdict, kind: str, signature: Signature, points: Sequence[Point]
) -> Finding:
    """Seals a certificate of the values at the points; returns the finding with it."""
    from eqvproof.engines.elaborate.program import forms_of_program

    groups = group_by_sizes(points)
    sides = [
        [forms_of_program(group[0].programs[k], group[0].sizes) for group in groups]
        for k in range(len(points[0].programs))
    ]
    return certify_verdict(
        verdict,
        kind,
        claim={
            "kind": "identity",
            **signature.to_json(),
            "scope": [group[0].sizes for group in groups],
        },
        evidence={"points": [[to_tensors(point.inputs) for point in group] for group in groups]},
        **dict(zip(("forms", "others"), sides, strict=False)),
    )


def to_tensors(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Converts arrays of Fractions to their form in certificates."""
    return {
        name: {"shape": list(a.shape), "values": [str(v) for v in a.ravel()]}
        for name, a in arrays.items()
    }
