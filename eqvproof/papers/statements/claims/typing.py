"""Claims that a formula has its printed shapes at all sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.engines.verdict.text import one_line
from eqvproof.papers.statements.finding import Finding, certified, of_verdict, undecided
from eqvproof.papers.statements.judge import Court
from eqvproof.programs import Program
from eqvproof.support.errors import EqvproofError, ShapeError, TargetError, TraceError

LARGEST = 3


@dataclass(frozen=True, slots=True)
class Typing:
    """The claim that the formula f has the declared shapes, at all sizes.

    HOLDS, PROVED, when f is traced with sizes as symbols and every shape agrees as a polynomial in
    them; the certificate is that of f = f, in which the kernel checks every shape. FAILS, with the
    smallest sizes at which the term does not fit: EXACT where the result has another shape, which
    the kernel computes; OBSERVED where an operation is refused, so that there is no Program, hence
    no certificate.

    Attributes:
        f: the formula, as a function of NumPy arrays.
        signature: the shapes of its arguments and of its value.
    """

    f: Callable[..., Any]
    signature: str

    def judge(self, court: Court) -> Finding:
        """Traces f for all sizes, or finds the smallest sizes at which its shapes do not fit."""
        from eqvproof.api import identical
        from eqvproof.tracing.numpy.trace import trace_all_sizes

        signature = parse_signature(self.signature)
        try:
            trace_all_sizes(self.f, signature, {})
        except (TraceError, ShapeError, TargetError) as error:
            found = ill_typed(self.f, signature, error)
            return found or undecided(
                f"the shapes fit, yet there is no trace: {one_line(error.message)}"
            )
        verdict = identical(self.f, self.f, self.signature, budget=court.budget, seed=court.seed)
        if verdict.grade is not Grade.PROVED:
            return undecided(
                f"the formula could be traced, but not certified: {verdict.reason}", [verdict]
            )
        return of_verdict(verdict)


def judged_or_ill_typed(
    ask: Callable[[], Verdict],
    sides: Sequence[Callable[..., Any]],
    text: str,
    claimed: Mapping[str, Any] | None,
) -> Finding:
    """Asks for the verdict on a claim about functions; FAILS where one of them is ill-typed.

    Then the finding names the ill-typed term.

    Args:
        ask: asks the engines.
        sides: the functions.
        text: their signature.
        claimed: sizes to which the claim is restricted.
    """
    error: EqvproofError | None = None
    found: Finding | None = None
    try:
        found = of_verdict(ask())
    except (ShapeError, TargetError) as caught:
        error = caught
    if found is not None and (found.fails or found.grade is Grade.PROVED):
        return found
    for side in sides:
        wrong = ill_typed(side, parse_signature(text), error, claimed)
        if wrong is not None:
            return wrong
    if found is None:
        raise error or EqvproofError("no verdict", code="internal")
    return found


def ill_typed(
    f: Callable[..., Any],
    signature: Signature,
    error: EqvproofError | None,
    claimed: Mapping[str, Any] | None = None,
) -> Finding | None:
    """Finds the smallest sizes, up to 3, at which f does not have the declared shapes.

    f is run by NumPy. The finding FAILS at these sizes.

    Args:
        f: the formula.
        signature: the declared shapes.
        error: the error of the engines about f, if any.
        claimed: sizes to which the claim is restricted, as in `eqvproof.check`.

    Returns:
        None where the shapes fit at all these sizes.
    """
    for sizes in _small_sizes(signature, claimed or {}):
        problem = _problem(f, signature, sizes)
        if problem:
            place = "at " + ", ".join(f"{k} = {v}" for k, v in sizes.items())
            verdict = Verdict(
                Outcome.FAILS, Grade.EXACT, place, sizes=(sizes,), signature=str(signature),
                reason=f"ill-typed term{_term(error)}; {place} NumPy says: {problem}",
            )  # fmt: skip
            program = _program(f, signature, sizes)
            if program is not None:
                claim = {"kind": "identity", **signature.to_json(), "scope": sizes}
                return certified(verdict, "ill-typed", claim=claim, program=program.to_json())
            note = "an operation that is refused is in no Program, so that there is no certificate"
            return of_verdict(replace(verdict, grade=Grade.OBSERVED, notes=(note,)))
    return None


def _program(
    f: Callable[..., Any], signature: Signature, sizes: Mapping[str, int]
) -> Program | None:
    """Traces f at these sizes, whatever the shape of its result; None if that fails."""
    from eqvproof.tracing.numpy.trace import trace_at

    try:
        rank = np.asarray(f(*_ones(signature, sizes))).ndim
        axes = " ".join(f"axis{k}" for k in range(rank)) or "()"
        free = parse_signature(f"{', '.join(map(str, signature.inputs))} -> {axes}")
        return trace_at(f, free, sizes).program
    except (EqvproofError, ValueError):
        return None


def _ones(signature: Signature, sizes: Mapping[str, int]) -> list[Any]:
    return [np.ones([a.at(sizes) for a in argument.axes]) for argument in signature.inputs]


def _term(error: EqvproofError | None) -> str:
    if error is None:
        return ""
    return ": " + one_line(error.message + (f": {error.given}" if error.given else ""))


def _problem(f: Callable[..., Any], signature: Signature, sizes: Mapping[str, int]) -> str:
    try:
        result = np.asarray(f(*_ones(signature, sizes)))
        signature.output_sizes(result.shape, {n: sizes[n] for n in signature.input_names})
    except ShapeError as error:
        return one_line(f"{error.message}: {error.given}, expected {error.expected}")
    except EqvproofError:  # a function left uninterpreted, without values
        return ""
    except ValueError as error:
        return one_line(str(error))
    return ""


def _small_sizes(signature: Signature, claimed: Mapping[str, Any]) -> list[dict[str, int]]:
    names = signature.input_names
    spans = [claimed.get(name, (1, LARGEST)) for name in names]
    lengths = product(
        *(range(s, s + 1) if isinstance(s, int) else range(s[0], s[1] + 1) for s in spans)
    )
    every = [dict(zip(names, values, strict=True)) for values in lengths]
    return sorted(every, key=lambda s: (sum(s.values()), tuple(s.values())))
