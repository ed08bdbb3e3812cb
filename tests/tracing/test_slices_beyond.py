"""Slices whose ends lie beyond the axis are clamped as Python clamps them, in every door."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.claims.size import spoken_from
from eqvproof.engines.targets import adapt, trace_all_sizes, trace_at
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.samples import Spans
from tests.judged import assert_proved, assert_refuted

BACKENDS = ("numpy", "torch", "jax")
#: Both ends beyond, before and within an axis of few entries, with steps.
SLICES = [
    slice(40, None), slice(None, 40), slice(-40, None), slice(None, -40), slice(40, 50), slice(-50, -40),
    slice(2, 40), slice(-40, 3), slice(3, 1), slice(-1, -40), slice(1, 40, 2), slice(-40, None, 3),
    slice(40, None, 2),
]  # fmt: skip
SIGNATURE = parse_signature("x: n -> ()")


def read(function: Callable[[Any], Any], backend: str) -> Callable[..., Any]:
    return adapt(function, backend, SIGNATURE)


def sums(backend: str) -> Callable[[Any], Any]:
    if backend == "numpy":
        return np.sum
    if backend == "jax":
        return pytest.importorskip("jax.numpy").sum  # type: ignore[no-any-return]
    return pytest.importorskip("torch").sum  # type: ignore[no-any-return]


def total(backend: str, part: slice) -> Callable[[Any], Any]:
    add = sums(backend)
    return lambda x: add(x) + add(x[part] ** 2)


def expected(part: slice, x: Any) -> float:
    return float(x.sum() + (x[part] ** 2).sum())


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("part", SLICES, ids=str)
def test_at_one_size(backend: str, part: slice) -> None:
    target = read(total(backend, part), backend)
    for n in (1, 2, 5, 41):
        program = trace_at(target, SIGNATURE, {"n": n}).program
        x = np.arange(1.0, n + 1)
        assert evaluate_float(program, {"x": x}, {"n": n}) == expected(part, x), n


def program_from(target: Any, spans: Spans) -> tuple[Any, Spans]:
    """The Program for all sizes that the door names at last, and these."""
    for _ in range(4):
        try:
            with spoken_from({n: low for n, (low, _) in spans.items()}):
                return trace_all_sizes(target, SIGNATURE, {}, spans=spans).program, spans
        except TraceError as error:
            if not error.spans:
                raise
            spans = {**spans, **error.spans}
    raise AssertionError(spans)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("part", [s for s in SLICES if s.step is None], ids=str)
def test_the_program_for_all_sizes_is_the_function_there(backend: str, part: slice) -> None:
    program, spans = program_from(read(total(backend, part), backend), {})
    low, high = spans.get("n", (1, None))
    for n in {low, low + 1, low + 7, 39, 40, 41, 45, 60, 90}:
        if n >= low and (high is None or n <= high):
            x = np.arange(1.0, n + 1)
            assert evaluate_float(program, {"x": x}, {"n": n}) == expected(part, x), n


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "part", [slice(150, None), slice(None, -150), slice(-150, None), slice(None, 150)], ids=str
)
def test_what_fails_beyond_a_far_end_is_found(backend: str, part: slice) -> None:
    verdict = assert_refuted(total(backend, part), "x: n -> ()", "S(n)", backend=backend)
    assert verdict.counterexample is not None
    assert verdict.counterexample.sizes["n"] in (151, 152)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize(
    "part", [slice(70, None), slice(-130, None), slice(None, -70), slice(None, 70)], ids=str
)
def test_what_holds_there_is_proved(backend: str, part: slice) -> None:
    add = sums(backend)
    verdict = assert_proved(lambda x: add(x) + add(x[part] ** 2), "x: n d -> ()", "S(d)", backend=backend)
    assert verdict.sizes[0]["n"] != "all"


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("part", [slice(9, None), slice(-9, None), slice(None, 9, 2)], ids=str)
def test_pinned_sizes(backend: str, part: slice) -> None:
    function = total(backend, part)
    for n in (4, 9):
        whole = part.start is None or len(range(n)[part]) in (0, n)
        verdict = ep.check(function, f"x: {n} -> ()", f"S({n})", backend=backend)
        assert verdict.holds == (whole and part.step is None), (n, str(verdict))
        assert ep.verify(verdict.certificate).accepted


def test_an_end_that_is_computed_from_the_size() -> None:
    """``x[n - 150:]`` counts from the end where n < 150: torch has one Program for n >= 150."""
    add = sums("torch")
    target = read(lambda x: add(x) + add(x[x.shape[0] - 5 :] ** 2), "torch")
    for n in (1, 2, 4, 5, 6, 9):
        program = trace_at(target, SIGNATURE, {"n": n}).program
        x = np.arange(1.0, n + 1)
        assert evaluate_float(program, {"x": x}, {"n": n}) == x.sum() + (x[n - 5 :] ** 2).sum(), n
    program, spans = program_from(target, {})
    low, high = spans["n"]
    for n in range(low, (high or low + 4) + 1):
        x = np.arange(1.0, n + 1)
        assert evaluate_float(program, {"x": x}, {"n": n}) == x.sum() + (x[n - 5 :] ** 2).sum(), n
