"""Asks the search about plain functions, as Programs and as functions that are only called."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines import search_claim
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.search import (
    MAX_POINTS,
    CalledSubject,
    FoundCounterexample,
    Limits,
    ProgramSubject,
    SearchResult,
    Subject,
    find_counterexample,
    mine_constants,
)
from eqvproof.tracing.numpy.trace import trace_all_sizes

REACH = (1, 4)


def subject_of(function: Any, signature: str, pins: dict[str, int], how: str) -> Subject:
    parsed = parse_signature(signature)
    if how == "program":
        trace = trace_all_sizes(function, parsed, pins)
        return ProgramSubject(trace.program, trace.opaques)
    return CalledSubject(AtSizes(function, parsed))


def ask(
    function: Any,
    signature: str,
    under: str,
    *,
    how: str = "black box",
    sizes: dict[str, Any] | None = None,
    **options: Any,
) -> SearchResult:
    """Searches, with at most 750 comparisons in a plain run unless a limit is given."""
    parsed = parse_signature(signature)
    group = parse_group(under, parsed)
    options.setdefault("max_points", min(MAX_POINTS, 3 * search_claim.MAX_POINTS))
    known = {**group.pins, **(sizes or {})}
    return find_counterexample(
        subject_of(function, signature, dict(group.pins), how),
        parsed,
        group,
        Limits(
            sizes={n: known.get(n, REACH) for n in parsed.input_names},
            unbounded=[n for n in parsed.input_names if n not in known],
            constants=mine_constants(function),
            **options,
        ),
    )


#: Under its own name a trace knows it, and carries the number on.
as_float = float


def floats_only(function: Any) -> Any:
    """The same function, refusing exact numbers."""

    def wrapped(*arrays: Any) -> Any:
        plain = [np.array([as_float(v) for v in a.ravel()], np.float64).reshape(a.shape) for a in arrays]
        return function(*plain)

    wrapped.__wrapped__ = function  # type: ignore[attr-defined]
    return wrapped


def numbers(found: FoundCounterexample) -> dict[str, Any]:
    """The inputs as nested lists."""
    return {name: array.tolist() for name, array in found.inputs.items()}
