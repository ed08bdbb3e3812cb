"""Exact evaluation of functions at single points, traced once a choice of sizes, certified."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature
from eqvproof.engines.verdict import Verdict
from eqvproof.papers.statements.claims.construction import Case
from eqvproof.papers.statements.finding import Finding, certified
from eqvproof.programs import Program
from eqvproof.support.errors import EqvproofError

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """The Programs and values of functions at a point.

    Attributes:
        sizes: all sizes.
        inputs: the arrays of the point, with entries Fractions.
        programs: the functions at these sizes.
        values: their values, likewise; None where one is not rational, or not defined.
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
            EqvproofError: they have different shapes, or an entry of the point is no exact number.
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
        exact = all(is_rational(value) for value in values)
        return Point(sizes, inputs, programs, tuple(map(to_fractions, values)) if exact else None)


def differing(point: Point) -> list[tuple[int, ...]]:
    """Returns the indices of the entries in which two rational values differ."""
    left, right = point.values or ()
    return [i for i in np.ndindex(left.shape) if left[i] != right[i]]


def by_sizes(points: Sequence[Point]) -> list[list[Point]]:
    """Groups points by their sizes."""
    groups: dict[tuple[tuple[str, int], ...], list[Point]] = {}
    for point in points:
        groups.setdefault(tuple(point.sizes.items()), []).append(point)
    return list(groups.values())


def certified_points(
    verdict: Verdict, kind: str, signature: Signature, points: Sequence[Point]
) -> Finding:
    """Builds the finding, with the certificate that the kernel re-checks at the points."""
    groups = by_sizes(points)
    sides = [
        [group[0].programs[k].to_json() for group in groups] for k in range(len(points[0].programs))
    ]
    return certified(
        verdict,
        kind,
        claim={
            "kind": "identity",
            **signature.to_json(),
            "scope": [group[0].sizes for group in groups],
        },
        evidence={"points": [[tensors(point.inputs) for point in group] for group in groups]},
        **dict(zip(("programs", "others"), sides, strict=False)),
    )


def tensors(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Writes arrays of Fractions as certificates hold them."""
    return {
        name: {"shape": list(a.shape), "values": [str(v) for v in a.ravel()]}
        for name, a in arrays.items()
    }
