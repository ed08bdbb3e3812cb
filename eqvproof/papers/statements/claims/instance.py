"""Exact comparison of two expressions, at one point or at all points of a finite family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.scope import tried_text
from eqvproof.engines.verdict import Counterexample, Grade, Outcome, Verdict
from eqvproof.engines.verdict.numbers import array_text
from eqvproof.papers.statements.claims.construction import Case
from eqvproof.papers.statements.claims.points import (
    Function,
    Point,
    Sides,
    certify_points,
    differing_entries,
    group_by_sizes,
    to_tensors,
)
from eqvproof.papers.statements.finding import Finding, certify_verdict, undecided
from eqvproof.papers.statements.judge import Court
from eqvproof.support.errors import EqvproofError


@dataclass(frozen=True, slots=True)
class Instance:
    """The claim that f(x) = g(x) at one point x, compared exactly.

    HOLDS, DECIDED, at the sizes of the point and for this point only; FAILS, EXACT, with a
    certificate.

    Attributes:
        f: a function of NumPy arrays.
        g: another one.
        signature: the typing of both.
        inputs: the point, by argument name; exact numbers.
    """

    f: Function
    g: Function
    signature: str
    inputs: Mapping[str, Any]

    def judge(self, court: Court) -> Finding:
        """Evaluates both sides exactly at the point, and compares them."""
        signature = parse_signature(self.signature)
        arrays = {name: np.asarray(value, dtype=object) for name, value in self.inputs.items()}
        return _compare_at_points(
            (self.f, self.g), signature, [Case(_sizes(signature, arrays), arrays)], "this point"
        )


@dataclass(frozen=True, slots=True)
class Enumeration:
    """The claim that f(x) = g(x) at every point of a family that is finite at given sizes.

    HOLDS, DECIDED, at the sizes of the family, if the sides agree at all points. FAILS, EXACT, with
    a certificate, at the first point at which they differ, which is the smallest if the family is
    in increasing order.

    Attributes:
        f: a function of NumPy arrays.
        g: another one.
        signature: the typing of both.
        family: all points of the family, size after size; exact numbers.
        what: the points in words, such as "all one-hot sequences".
    """

    f: Function
    g: Function
    signature: str
    family: Callable[[], Iterable[Case]]
    what: str

    def judge(self, court: Court) -> Finding:
        """Evaluates both sides exactly at every point, and compares them."""
        return _compare_at_points(
            (self.f, self.g), parse_signature(self.signature), self.family(), self.what
        )


def _compare_at_points(
    sides: tuple[Function, Function], signature: Signature, family: Iterable[Case], what: str
) -> Finding:
    """Compares both sides at every point, until they differ; returns the finding."""
    both, tried = Sides(sides, signature), list[Point]()
    for case in family:
        point = both.at(case)
        if point.values is None:
            return undecided(f"at {point.sizes} a side is not a rational number, or not defined")
        if differ := differing_entries(point):
            return _difference(point, differ[0], signature)
        tried.append(point)
    if not tried:
        return undecided("the family has no points")
    distinct = tuple(group[0].sizes for group in group_by_sizes(tried))
    scope = f"at {what}"
    if distinct[0]:
        scope = f"{tried_text(distinct)}, for {what}"
    count = "1 point" if len(tried) == 1 else f"{len(tried)} points"
    verdict = Verdict(
        Outcome.HOLDS,
        Grade.DECIDED,
        scope,
        reason=f"both sides evaluated exactly and equal ({count})",
        sizes=distinct,
        signature=str(signature),
    )
    return certify_points(verdict, "equality", signature, tried)


def _difference(point: Point, entry: tuple[int, ...], signature: Signature) -> Finding:
    """Builds the finding that two sides differ at a point, with the first differing entry."""
    sizes, inputs, (left, right) = point.sizes, point.inputs, point.values or ()
    example = Counterexample(
        sizes=sizes, inputs=inputs, element={}, left=left, right=right, entry=entry, words="",
        snippet=_snippet(inputs, left, right), labels=("left", "right"),
    )  # fmt: skip
    verdict = Verdict(
        Outcome.FAILS, Grade.EXACT, tried_text([sizes]) if sizes else "at this point",
        sizes=(sizes,), signature=str(signature), counterexample=example,
    )  # fmt: skip
    sides = to_tensors({"left": left, "right": right})
    evidence = {
        "sizes": sizes,
        "inputs": to_tensors(inputs),
        "arithmetic": "rational",
        "entry": list(entry),
        **sides,
    }
    from eqvproof.engines.elaborate.program import forms_of_program

    f, g = (forms_of_program(program, sizes) for program in point.programs)
    claim = {"kind": "identity", **signature.to_json(), "scope": dict(sizes)}
    return certify_verdict(verdict, "difference", claim=claim, forms=f, other=g, evidence=evidence)


def _sizes(signature: Signature, arrays: Mapping[str, Any]) -> dict[str, int]:
    """Reads the sizes from the shapes of the arrays."""
    for name in signature.argument_names:
        if name not in arrays:
            raise EqvproofError(
                "the point has no value for an argument",
                given=", ".join(arrays),
                expected=name,
                hint="give each argument of the signature a value",
            )
    return signature.shown_sizes(arrays[name].shape for name in signature.argument_names)


def _snippet(inputs: Mapping[str, Any], left: Any, right: Any) -> str:
    """Writes Python code that builds the inputs, with both values as comments."""
    lines = ["from fractions import Fraction", "import numpy as np"]
    lines += [
        f"{name} = np.array({_literal(value)}, dtype=object)" for name, value in inputs.items()
    ]
    lines += [f"# left:  {array_text(left)}", f"# right: {array_text(right)}"]
    return "\n".join(lines)


def _literal(array: Any) -> str:
    if np.ndim(array):
        return "[" + ", ".join(_literal(array[i]) for i in range(array.shape[0])) + "]"
    value = np.asarray(array, dtype=object).item()
    if value.denominator == 1:
        return str(value.numerator)
    return f"Fraction({value.numerator}, {value.denominator})"
