"""Numbers that Python computes before the trace sees them: a refutation does not hinge on their roundings."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.search.constants import written_numbers

torch = pytest.importorskip("torch")
pytest.importorskip("jax")
Function = Callable[..., Any]
SIGNATURE, UNDER = "x: n -> ()", "S(n)"
TINY, TWO = 1.2246467991473532e-16, math.sqrt(2)
UNEVEN = np.array([0.1 + 0.2, 0.3])
UNEVEN_TENSOR = torch.tensor([0.1 + 0.2, 0.3], dtype=torch.float64)


def mean(values: list[float]) -> float:
    """Without NumPy."""
    return sum(values) / len(values)


#: 0, or a number that is not, but for the rounding of what Python computed.
HINGE: dict[str, Function] = {
    "the sine of pi": lambda x: x.sum() + x[0] * math.sin(math.pi),
    "the sine of 1000 pi": lambda x: x.sum() + x[0] * math.sin(1000 * math.pi),
    "the cosine of half of pi": lambda x: x.sum() + x[0] * math.cos(math.pi / 2),
    "the tangent": lambda x: x.sum() + x[0] * (math.tan(math.pi / 4) - 1),
    "a power": lambda x: x.sum() + x[0] * (2**0.5 * 2**0.5 - 2.0),
    "logarithms": lambda x: x.sum() + x[0] * (math.log(6.0) - math.log(2.0) - math.log(3.0)),
    "roots": lambda x: x.sum() + x[0] * (math.sqrt(2) * math.sqrt(3) - math.sqrt(6)),
    "means of lists": lambda x: x.sum() + x[0] * (mean([0.1, 0.2, 0.3]) - mean([0.3, 0.2, 0.1])),
    "sums": lambda x: x.sum() + x[0] * (sum([0.1, 0.7, 0.2]) - sum([0.2, 0.7, 0.1])),
    "exact sums": lambda x: x.sum() + x[0] * (math.fsum([0.1] * 10) - sum([0.1] * 10)),
    "sums that the compiler folds": lambda x: x.sum() + x[0] * ((0.1 + 0.2 + 0.3) - (0.3 + 0.2 + 0.1)),
    "a difference": lambda x: x.sum() + x[0] * (0.1 * 3 - 0.3),
}


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("name", HINGE)
def test_no_refutation_hinges_on_roundings(name: str, backend: str) -> None:
    verdict = ep.check(HINGE[name], SIGNATURE, under=UNDER, backend=backend, budget=20)
    assert not verdict.fails, str(verdict)
    if backend == "torch":
        assert not ep.refute(HINGE[name], SIGNATURE, under=UNDER, backend=backend, budget=3).fails
        assert verdict.outcome == "UNDECIDED" and "computed in floats" in verdict.reason, str(verdict)
        assert "test_computed_numbers.py:" in verdict.reason


#: Violations that numbers around those that were computed do not change, and numbers that stand in the code.
FAIL: dict[str, Function] = {
    "a tiny number": lambda x: x.sum() + 1.2246467991473532e-16 * x[0],
    "a tiny number of the module": lambda x: x.sum() + TINY * x[0],
    "a small number": lambda x: x.sum() + x[0] * 1e-15,
    "a root": lambda x: x.sum() + x[0] * math.sqrt(2),
    "a root of the module": lambda x: x.sum() + x[0] * (TWO - 1.41),
    "a small logarithm": lambda x: x.sum() + x[0] * math.log(1.001),
    "a mean": lambda x: x.sum() + x[0] * (mean([0.1, 0.2, 0.3]) - 0.2001),
    "a sine": lambda x: x.sum() + x[0] * math.sin(3.14),
    "an entry above a root": lambda x: x.sum() + x[0] * abs(math.sqrt(5.0) - x[0]),
}


@pytest.mark.parametrize("backend", ["numpy", "torch", "jax"])
@pytest.mark.parametrize("name", FAIL)
def test_what_no_rounding_changes_is_refuted(name: str, backend: str) -> None:
    verdict = ep.check(FAIL[name], SIGNATURE, under=UNDER, backend=backend, budget=10)
    assert verdict.fails and verdict.grade in ("EXACT", "ENCLOSED"), str(verdict)
    assert ep.verify(verdict.certificate).accepted


def test_data_are_what_is_stored() -> None:
    """Arrays of the module, of NumPy and of torch, whose entries differ in the last place."""
    assert ep.check(lambda x: UNEVEN @ x, "x: 2 -> ()", under="S(2)").grade == "EXACT"
    assert ep.check(lambda x: UNEVEN_TENSOR @ x, "x: 2 -> ()", under="S(2)", backend="torch").grade == "EXACT"


def test_literally_numbers_are_what_is_stored() -> None:
    function = HINGE["the sine of pi"]
    verdict = ep.check(function, SIGNATURE, under=UNDER, backend="torch", constants="literal")
    assert verdict.grade == "EXACT"


#: Tables of float32 whose sum NumPy rounds to 0: the real number is 2/5.
CANCELS = np.array([0.2, -1e8, 0.2, 1e8], dtype=np.float32)
#: Functions that are invariant under Scale only for a sum that was rounded to 0.
ROUNDED_TO_ZERO: dict[str, Function] = {
    "a norm": lambda x: np.linalg.norm(x * CANCELS.sum(), ord=1, axis=0),
    "a sum": lambda x: (x * CANCELS.sum()).sum(),
    "a product": lambda x: (x * float(CANCELS.sum())).sum() ** 2,
    "a matrix product": lambda x: (CANCELS @ np.ones(4, np.float32)) * x.sum(),
    "a mean": lambda x: np.abs(x).max() * CANCELS.mean(),
}


@pytest.mark.parametrize("constants", ["literal", "rounded"])
@pytest.mark.parametrize("name", ROUNDED_TO_ZERO)
def test_no_proof_rests_on_a_number_rounded_to_zero(name: str, constants: str) -> None:
    verdict = ep.check(ROUNDED_TO_ZERO[name], "x: n -> ()", under="Scale(n)", constants=constants)
    is_strong = verdict.holds and verdict.grade in ("PROVED", "DECIDED", "BOUNDED")
    assert not is_strong or verdict.readings, str(verdict)
    assert not (is_strong and constants == "literal"), str(verdict)


#: Lists of floats, of which NumPy's functions are traced exactly.
EXACTLY: dict[str, Function] = {
    "means": lambda x: x.sum() + x[0] * (np.mean([0.1, 0.2, 0.3]) - np.mean([0.3, 0.2, 0.1])),
    "sums of tuples": lambda x: x.sum() + x[0] * (np.sum((0.1, 0.2, 0.3)) - np.sum((0.3, 0.2, 0.1))),
    "products": lambda x: x.sum() + x[0] * (np.prod([0.1, 0.2, 0.7]) - np.prod([0.7, 0.2, 0.1])),
    "inner products": lambda x: x.sum() + x[0] * (np.dot([0.1, 0.2], [3, 7]) - np.dot([7, 3], [0.2, 0.1])),
    "variances": lambda x: x.sum() + x[0] * (np.var([0.1, 0.2, 0.4]) - np.var([0.4, 0.1, 0.2])),
    "averages": lambda x: x.sum() + x[0] * (
        np.average([0.1, 0.2], weights=[1, 2]) - np.average([0.2, 0.1], weights=[2, 1])
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", EXACTLY)
def test_what_is_0_of_the_stored_rationals_is_0(name: str) -> None:
    verdict = ep.check(EXACTLY[name], SIGNATURE, under=UNDER, budget=5)
    assert verdict.holds, str(verdict)
    assert not ep.check(EXACTLY[name], SIGNATURE, under=UNDER, backend="torch", budget=5).fails


@pytest.mark.parametrize("function", [
    lambda x: x.sum() if np.mean([0.1, 0.2]) < 0.2 else x[0],
    lambda x: x.sum() * np.zeros(int(np.sum([1.0, 2.0]))).sum(),
    lambda x: x.sum() * float(np.mean([0.5, 0.7])),
    lambda x: x.sum() * [1.0, 2.0][int(np.mean([0.5, 1.5]))],
])  # fmt: skip
def test_exact_numbers_are_used_as_numbers(function: Function) -> None:
    assert ep.check(function, SIGNATURE, under=UNDER).grade == "PROVED"


def test_what_stands_in_the_code() -> None:
    def f(x: Any) -> Any:
        return 0.25 * x + (0.1 + 0.2) * x.mean() - TINY

    found = written_numbers(f)
    assert {Fraction(0.1), Fraction(0.2), Fraction(1, 4), Fraction(TINY)} <= found
    assert Fraction(0.1 + 0.2) not in found
    layer = torch.nn.Linear(2, 2)
    assert {abs(Fraction(float(w))) for w in layer.weight.detach().flatten()} <= written_numbers(layer)


SUMMED = np.array([0.23923188, 0.15127112, 0.27049242, 0.33900457], dtype=np.float32)
UNIT, TENTH, TEN, THIRD = np.array([0.6, 0.8]), 0.1, 10, np.float32(1 / 3)
#: Numbers that are 1 as they are rounded, and not exactly.
ROUNDED_TO_ONE: dict[str, Callable[[], Any]] = {
    "the sum of a table": lambda: SUMMED.sum(),
    "the sum by Python": lambda: np.float32(sum(SUMMED.tolist())),
    "a mean": lambda: 4 * SUMMED.mean(),
    "a product of numbers": lambda: TENTH * TEN,
    "a dot product": lambda: UNIT.dot(UNIT),
    "a norm": lambda: np.linalg.norm(UNIT) ** 2,
    "a third": lambda: THIRD * 3,
    "a matrix product": lambda: (UNIT[None] @ UNIT[:, None])[0, 0],
    "a cumulative sum": lambda: SUMMED.cumsum()[-1],
    "a contraction": lambda: np.einsum("i,i", UNIT, UNIT),
}
#: Claims that hold where the number is 1, and nowhere near it.
HOLDS_AT_ONE: dict[str, tuple[Callable[[Any], Function], str, str]] = {
    "T": (lambda c: lambda X: X * float(c()), "X: n d -> n d", "T(d)"),
    "SE": (lambda c: lambda X: X * c(), "X: 3 d -> 3 d", "SE(d)"),
    "Scale": (lambda c: lambda X: np.abs(X) ** float(c()), "X: n d -> n d", "Scale(d)"),
    "S": (lambda c: lambda X: X.sum(0) + X[0] * (float(c()) - 1.0), "X: n d -> d", "S(n)"),
}


@pytest.mark.parametrize("group", HOLDS_AT_ONE)
@pytest.mark.parametrize("name", ROUNDED_TO_ONE)
def test_a_proof_says_that_a_computed_number_is_read_as_one(name: str, group: str) -> None:
    make, signature, under = HOLDS_AT_ONE[group]
    assert sum(Fraction(float(v)) for v in SUMMED) != 1 != sum(Fraction(v) ** 2 for v in UNIT.tolist())
    for call in (ep.prove, ep.decide):
        verdict = call(make(ROUNDED_TO_ONE[name]), signature, under)
        assert not verdict.holds or verdict.readings, f"{call.__name__}: {verdict}"
        assert not verdict.holds or ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize("backend", ["torch", "jax"])
@pytest.mark.parametrize("name", ROUNDED_TO_ONE)
def test_a_framework_does_not_hide_what_numpy_computed(name: str, backend: str) -> None:
    number = ROUNDED_TO_ONE[name]
    verdict = ep.prove(lambda X: X * float(number()), "X: n d -> n d", "T(d)", backend=backend)
    assert not verdict.holds or verdict.readings, str(verdict)


@pytest.mark.parametrize("name", ROUNDED_TO_ONE)
def test_a_proof_for_any_number_has_no_reading(name: str) -> None:
    number = ROUNDED_TO_ONE[name]
    for under in ("O(d)", "S(n)"):
        verdict = ep.check(lambda X: X * number(), "X: n d -> n d", under)
        assert verdict.grade == "PROVED" and verdict.is_unrestricted, str(verdict)
        assert ep.verify(verdict.certificate).accepted
