"""A formula has the shapes that are printed for it, at all sizes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from eqvproof.errors import EqvproofError, ShapeError, TargetError, TraceError
from eqvproof.signature import Signature, parse_signature
from eqvproof.statements.court import Court
from eqvproof.statements.finding import Finding, of_verdict, one_line, undecided
from eqvproof.verdict import Grade, Outcome, Verdict

LARGEST = 3


@dataclass(frozen=True, slots=True)
class Typing:
    """The formula f has the declared shapes, at all sizes.

    HOLDS, PROVED, when f is traced with sizes as symbols and every shape agrees as a polynomial in them; the
    certificate is that of f = f, in which the kernel checks every shape. FAILS, EXACT, with the smallest
    sizes at which the term does not fit, when it does not; such a term has no Program, hence no certificate.

    Attributes:
        f: the formula, as a function of NumPy arrays.
        signature: the shapes of its arguments and of its value.
    """

    f: Callable[..., Any]
    signature: str

    def judge(self, court: Court) -> Finding:
        """A trace for all sizes, or the smallest sizes at which there is none."""
        from eqvproof.api import identical
        from eqvproof.frontends import trace_all_sizes

        signature = parse_signature(self.signature)
        try:
            trace_all_sizes(self.f, signature, {})
        except (TraceError, ShapeError, TargetError) as error:
            return self._ill_typed(signature, error)
        verdict = identical(self.f, self.f, self.signature, budget=court.budget, seed=court.seed)
        if verdict.grade is not Grade.PROVED:
            return undecided(f"the formula could be traced, but not certified: {verdict.reason}", [verdict])
        return of_verdict(verdict)

    def _ill_typed(self, signature: Signature, error: EqvproofError) -> Finding:
        """The smallest sizes at which the formula, run by NumPy, does not fit."""
        term = one_line(error.message + (f": {error.given}" if error.given else ""))
        for sizes in _small_sizes(signature):
            problem = self._problem(signature, sizes)
            if problem:
                place = "at " + ", ".join(f"{k} = {v}" for k, v in sizes.items())
                verdict = Verdict(
                    Outcome.FAILS, Grade.EXACT, place,
                    reason=f"ill-typed term: {term}; {place} NumPy says: {problem}", sizes=(sizes,),
                    signature=self.signature,
                    notes=("an ill-typed term has no Program, so that a certificate would be empty",),
                )  # fmt: skip
                return of_verdict(verdict)
        return undecided(f"no trace for all sizes ({term}), yet the shapes fit at all sizes up to {LARGEST}")

    def _problem(self, signature: Signature, sizes: Mapping[str, int]) -> str:
        arrays = [np.ones([a.at(sizes) for a in argument.axes]) for argument in signature.inputs]
        try:
            result = np.asarray(self.f(*arrays))
            signature.output_sizes(result.shape, {n: sizes[n] for n in signature.input_names})
        except ShapeError as error:
            return one_line(f"{error.message}: {error.given}, expected {error.expected}")
        except ValueError as error:
            return re.sub(r"\s+", " ", str(error))
        return ""


def _small_sizes(signature: Signature) -> Iterator[dict[str, int]]:
    names = signature.input_names
    every = [
        dict(zip(names, values, strict=True)) for values in product(range(1, LARGEST + 1), repeat=len(names))
    ]
    every.sort(key=lambda s: (sum(s.values()), tuple(s.values())))
    yield from every
