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
    by_sizes,
    certified_points,
    differing,
    tensors,
)
from eqvproof.papers.statements.finding import Finding, certified, undecided
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
        return _compared(
            (self.f, self.g), signature, [Case(_sizes(signature, arrays), arrays)], "this point"
        )


@dataclass(frozen=True, slots=True)
class Enumeration:
    """The claim that f(x) = g(x) at every point of a family that is finite at given sizes.

    HOLDS, DECIDED, at the sizes that were gone through when the sides agree at all points; FAILS,
    EXACT, with a certificate, at the first point where they differ: the smallest where the family
    is in increasing order.

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
        """Evaluates both sides exactly at point after point, and compares them."""
        return _compared(
            (self.f, self.g), parse_signature(self.signature), self.family(), self.what
        )


def _compared(
    sides: tuple[Function, Function], signature: Signature, family: Iterable[Case], what: str
) -> Finding:
    """Compares both sides at every point, until they differ."""
    both, tried = Sides(sides, signature), list[Point]()
    for case in family:
        point = both.at(case)
        if point.values is None:
            return undecided(f"at {point.sizes} a side is not a rational number, or not defined")
        if differ := differing(point):
            return _different(point, differ[0], signature)
        tried.append(point)
    if not tried:
        return undecided("the family has no points")
    distinct = tuple(group[0].sizes for group in by_sizes(tried))
    count = "1 point" if len(tried) == 1 else f"{len(tried)} points"
    verdict = Verdict(
        Outcome.HOLDS,
        Grade.DECIDED,
        f"{tried_text(distinct)}, for {what}" if distinct[0] else f"at {what}",
        reason=f"both sides evaluated exactly and equal ({count})",
        sizes=distinct,
        signature=str(signature),
    )
    return certified_points(verdict, "equality", signature, tried)


def _different(point: Point, entry: tuple[int, ...], signature: Signature) -> Finding:
    sizes, inputs, (left, right) = point.sizes, point.inputs, point.values or ()
    example = Counterexample(
        sizes=sizes, inputs=inputs, element={}, left=left, right=right, entry=entry, words="",
        snippet=_snippet(inputs, left, right), labels=("left", "right"),
    )  # fmt: skip
    verdict = Verdict(
        Outcome.FAILS, Grade.EXACT, tried_text([sizes]) if sizes else "at this point",
        sizes=(sizes,), signature=str(signature), counterexample=example,
    )  # fmt: skip
    sides = tensors({"left": left, "right": right})
    evidence = {
        "sizes": sizes,
        "inputs": tensors(inputs),
        "arithmetic": "rational",
        "entry": list(entry),
        **sides,
    }
    f, g = (program.to_json() for program in point.programs)
    claim = {"kind": "identity", **signature.to_json(), "scope": dict(sizes)}
    return certified(verdict, "difference", claim=claim, program=f, other=g, evidence=evidence)


def _sizes(signature: Signature, arrays: Mapping[str, Any]) -> dict[str, int]:
    """Reads the sizes from the shapes of the arrays."""
    for name in signature.argument_names:
        if name not in arrays:
            raise EqvproofError(
                "a point lacks an argument",
                given=", ".join(arrays),
                expected=name,
                hint="give each argument of the signature a value",
            )
    return signature.shown_sizes(arrays[name].shape for name in signature.argument_names)


def _snippet(inputs: Mapping[str, Any], left: Any, right: Any) -> str:
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
