"""Two expressions compared exactly, at one point or at every point of a finite family."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from eqvproof.engines.scope import tried_text
from eqvproof.errors import EqvproofError
from eqvproof.signature import Signature, parse_signature
from eqvproof.statements.claims.construction import Case
from eqvproof.statements.finding import Finding, of_verdict, undecided
from eqvproof.statements.judge import Court
from eqvproof.verdict import Counterexample, Grade, Outcome, Verdict, recheck, seal
from eqvproof.verdict.numbers import array_text

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Instance:
    """f(x) = g(x) at one point x: numbers in, exact comparison.

    HOLDS, DECIDED, at the sizes of the point and for this point only; FAILS, EXACT, with a certificate.

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
        """Both sides, evaluated exactly at the point."""
        signature = parse_signature(self.signature)
        arrays = {name: np.asarray(value, dtype=object) for name, value in self.inputs.items()}
        found = _compare(self.f, self.g, signature, Case(_sizes(signature, arrays), arrays))
        return found if isinstance(found, Finding) else _all_equal([found], "this point", signature)


@dataclass(frozen=True, slots=True)
class Enumeration:
    """f(x) = g(x) at every point of a family that is finite at given sizes.

    HOLDS, DECIDED, at the sizes that were gone through when the sides agree at all points; FAILS, EXACT, with
    a certificate, at the first point where they differ: the smallest where the family is in increasing order.

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
        """Both sides, evaluated exactly at point after point."""
        signature = parse_signature(self.signature)
        tried = []
        for case in self.family():
            found = _compare(self.f, self.g, signature, case)
            if isinstance(found, Finding):
                return found
            tried.append(found)
        return (
            _all_equal(tried, self.what, signature) if tried else undecided("the family has no points")
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Equal:
    """A point at which both sides agree.

    Attributes:
        sizes: all sizes.
        programs: both sides at these sizes, as certificates hold them.
        inputs: the point, likewise.
    """

    sizes: dict[str, int]
    programs: tuple[dict[str, Any], ...]
    inputs: dict[str, Any]


def _all_equal(tried: Sequence[_Equal], what: str, signature: Signature) -> Finding:
    groups: dict[tuple[tuple[str, int], ...], list[_Equal]] = {}
    for one in tried:
        groups.setdefault(tuple(one.sizes.items()), []).append(one)
    firsts = [group[0] for group in groups.values()]
    distinct = tuple(one.sizes for one in firsts)
    certificate = seal(
        "equality", claim={"kind": "identity", **signature.to_json(), "scope": list(distinct)},
        programs=[one.programs[0] for one in firsts], others=[one.programs[1] for one in firsts],
        evidence={"points": [[one.inputs for one in group] for group in groups.values()]},
    )  # fmt: skip
    objection = recheck(certificate)
    if objection:
        return undecided(f"the sides agree, but the kernel does not confirm it: {objection}")
    count = "1 point" if len(tried) == 1 else f"{len(tried)} points"
    verdict = Verdict(
        Outcome.HOLDS, Grade.DECIDED, f"{tried_text(distinct)}, for {what}" if distinct[0] else f"at {what}",
        reason=f"both sides evaluated exactly and equal ({count})", sizes=distinct, signature=str(signature),
        certificate=certificate,
    )  # fmt: skip
    return of_verdict(verdict)


def _compare(f: Function, g: Function, signature: Signature, case: Case) -> Finding | _Equal:
    """The point where both sides agree there; what is found where they differ."""
    from eqvproof.api import verify
    from eqvproof.evaluate import evaluate_exact
    from eqvproof.exact import is_rational, to_fractions
    from eqvproof.frontends import trace_at

    given = {n: case.sizes[n] for n in signature.input_names}
    programs = [trace_at(function, signature, given).program for function in (f, g)]
    values = [evaluate_exact(program, case.inputs, given) for program in programs]
    sizes = signature.output_sizes(values[0].shape, given)
    if not all(is_rational(value) for value in values):
        return undecided(f"at {sizes} a side is not a rational number, or not defined")
    inputs = {name: to_fractions(value) for name, value in case.inputs.items()}
    left, right = (to_fractions(value) for value in values)
    if left.shape != right.shape:
        raise EqvproofError(
            "the sides have different shapes",
            given=f"{left.shape} and {right.shape}",
            expected="two arrays of one shape",
            hint="let both functions return the same axes",
        )
    differ = [i for i in np.ndindex(left.shape) if left[i] != right[i]]
    if not differ:
        tensors = {name: _tensor(value) for name, value in inputs.items()}
        return _Equal(sizes, tuple(p.to_json() for p in programs), tensors)
    evidence = {
        "sizes": sizes, "inputs": {name: _tensor(value) for name, value in inputs.items()},
        "arithmetic": "rational", "entry": list(differ[0]), "left": _tensor(left), "right": _tensor(right),
    }  # fmt: skip
    certificate = seal(
        "difference", claim={"kind": "identity", **signature.to_json(), "scope": dict(sizes)},
        program=programs[0].to_json(), other=programs[1].to_json(), evidence=evidence,
    )  # fmt: skip
    report = verify(certificate)
    if not report.accepted:
        return undecided(f"the sides differ at {sizes}, but the kernel does not confirm it: {report.reason}")
    example = Counterexample(
        sizes=sizes, inputs=inputs, element={}, left=left, right=right, entry=differ[0], words="",
        snippet=_snippet(inputs, left, right), labels=("left", "right"),
    )  # fmt: skip
    verdict = Verdict(
        Outcome.FAILS, Grade.EXACT, tried_text([sizes]) if sizes else "at this point",
        sizes=(sizes,), signature=str(signature),
        counterexample=example, certificate=certificate,
    )  # fmt: skip
    return of_verdict(verdict)


def _sizes(signature: Signature, arrays: Mapping[str, Any]) -> dict[str, int]:
    """The sizes that the arrays show."""
    sizes: dict[str, int] = {}
    for argument in signature.inputs:
        if argument.name not in arrays:
            raise EqvproofError(
                "a point lacks an argument",
                given=", ".join(arrays),
                expected=argument.name,
                hint="give each argument of the signature a value",
            )
        for axis, length in zip(argument.axes, arrays[argument.name].shape, strict=True):
            if axis.single is not None:
                sizes.setdefault(axis.single, int(length))
    return sizes


def _tensor(array: Any) -> dict[str, Any]:
    return {"shape": list(array.shape), "values": [str(v) for v in array.ravel()]}


def _snippet(inputs: Mapping[str, Any], left: Any, right: Any) -> str:
    lines = ["from fractions import Fraction", "import numpy as np"]
    lines += [f"{name} = np.array({_literal(value)}, dtype=object)" for name, value in inputs.items()]
    lines += [f"# left:  {array_text(left)}", f"# right: {array_text(right)}"]
    return "\n".join(lines)


def _literal(array: Any) -> str:
    if np.ndim(array):
        return "[" + ", ".join(_literal(array[i]) for i in range(array.shape[0])) + "]"
    value = np.asarray(array, dtype=object).item()
    return (
        str(value.numerator)
        if value.denominator == 1
        else f"Fraction({value.numerator}, {value.denominator})"
    )
