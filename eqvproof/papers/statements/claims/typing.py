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
from eqvproof.papers.statements.finding import Finding, certify_verdict, from_verdict, undecided
from eqvproof.papers.statements.judge import Court
from eqvproof.support.errors import EqvproofError, ErrorCode, ShapeError, TargetError, TraceError

LARGEST = 3


@dataclass(frozen=True, slots=True)
class Typing:
    """The claim that the formula f has the declared shapes, at all sizes.

    HOLDS, PROVED, if f can be traced with symbols as sizes and every shape agrees as a polynomial
    in them; the certificate is that of f = f, in which the kernel checks every shape. FAILS at the
    smallest sizes at which the shapes do not fit: EXACT if the result has another shape, which the
    kernel computes; OBSERVED if NumPy refuses an operation, since a certificate needs a Program.

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
                f"the shapes fit, but the formula cannot be traced: {one_line(error.message)}"
            )
        verdict = identical(self.f, self.f, self.signature, budget=court.budget, seed=court.seed)
        if verdict.grade is not Grade.PROVED:
            return undecided(
                f"the formula is traced, but not certified: {verdict.reason}", [verdict]
            )
        return from_verdict(verdict)


def check_or_ill_typed(
    ask: Callable[[], Verdict],
    sides: Sequence[Callable[..., Any]],
    text: str,
    claimed: Mapping[str, Any] | None,
) -> Finding:
    """Checks a claim about functions; FAILS, naming the term, if one of them is ill-typed.

    Args:
        ask: calls the engines.
        sides: the functions.
        text: their signature.
        claimed: sizes to which the claim is restricted.
    """
    error: EqvproofError | None = None
    found: Finding | None = None
    try:
        found = from_verdict(ask())
    except (ShapeError, TargetError) as caught:
        error = caught
    if found is not None and (found.fails or found.grade is Grade.PROVED):
        return found
    for side in sides:
        wrong = ill_typed(side, parse_signature(text), error, claimed)
        if wrong is not None:
            return wrong
    if found is None:
        raise error or EqvproofError("no verdict", code=ErrorCode.INTERNAL)
    return found


def ill_typed(
    f: Callable[..., Any],
    signature: Signature,
    error: EqvproofError | None,
    claimed: Mapping[str, Any] | None = None,
) -> Finding | None:
    """Runs f by NumPy at sizes up to 3; returns a finding that FAILS where its shapes do not fit.

    Args:
        f: the formula.
        signature: the declared shapes.
        error: the error of the engines about f, if any.
        claimed: sizes to which the claim is restricted, as in `eqvproof.check`.

    Returns:
        The finding at the smallest such sizes; None if the shapes fit at all sizes up to 3.
    """
    for sizes in _small_sizes(signature, claimed or {}):
        problem = _problem(f, signature, sizes)
        if problem:
            place = "at " + ", ".join(f"{k} = {v}" for k, v in sizes.items())
            verdict = Verdict(
                Outcome.FAILS, Grade.EXACT, place, sizes=(sizes,), signature=str(signature),
                reason=f"ill-typed term{_term_note(error)}; {place} NumPy says: {problem}",
            )  # fmt: skip
            forms = _forms(f, signature, sizes)
            if forms is not None:
                claim = {"kind": "identity", **signature.to_json(), "scope": sizes}
                return certify_verdict(verdict, "ill-typed", claim=claim, forms=forms)
            note = "NumPy refuses an operation, so that there is no Program and no certificate"
            return from_verdict(replace(verdict, grade=Grade.OBSERVED, notes=(note,)))
    return None


def _forms(
    f: Callable[..., Any], signature: Signature, sizes: Mapping[str, int]
) -> dict[str, Any] | None:
    """Traces f at these sizes, with any shape of its result, in forms; None if that fails."""
    from eqvproof.engines.elaborate.program import forms_of_program
    from eqvproof.tracing.numpy.trace import trace_at

    try:
        rank = np.asarray(f(*_arrays_of_ones(signature, sizes))).ndim
        axes = " ".join(f"axis{k}" for k in range(rank)) or "()"
        free = parse_signature(f"{', '.join(map(str, signature.inputs))} -> {axes}")
        return forms_of_program(trace_at(f, free, sizes).program, sizes)
    except (EqvproofError, ValueError):
        return None


def _arrays_of_ones(signature: Signature, sizes: Mapping[str, int]) -> list[Any]:
    return [np.ones([a.at(sizes) for a in argument.axes]) for argument in signature.inputs]


def _term_note(error: EqvproofError | None) -> str:
    """Writes the term that an error names, after a colon; "" without an error."""
    if error is None:
        return ""
    return ": " + one_line(error.message + (f": {error.given}" if error.given else ""))


def _problem(f: Callable[..., Any], signature: Signature, sizes: Mapping[str, int]) -> str:
    """Runs f at these sizes; returns NumPy's objection to its shapes, or ""."""
    try:
        result = np.asarray(f(*_arrays_of_ones(signature, sizes)))
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
    """Lists all choices of sizes up to 3, or within the claimed sizes, smallest sum first."""
    ranges = []
    for name in names:
        claim = claimed.get(name, (1, LARGEST))
        low, high = (claim, claim) if isinstance(claim, int) else claim
        ranges.append(range(low, high + 1))
    choices = [dict(zip(names, values, strict=True)) for values in product(*ranges)]
    return sorted(choices, key=lambda s: (sum(s.values()), tuple(s.values())))
