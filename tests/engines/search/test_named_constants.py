"""Named constants are the same real numbers in every engine: no refutation rests on pi being a float."""

from __future__ import annotations

import cmath
import functools
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import pi as bound_pi
from math import tau as bound_tau
from typing import Any

import numpy as np
import pytest
import scipy.constants
import scipy.special as sp

import eqvproof as ep
from eqvproof.numbers import Real, precision
from eqvproof.programs.evaluate.named_constants import named_value
from tests.engines.search.asking import ask

pytestmark = pytest.mark.whole_search  # a wrong refutation may be a late one


class Settings:
    pi = np.pi


@dataclass(frozen=True)
class Record:
    pi: float = math.pi


RECORD, TABLE, PAIR, STORED = Record(), {"pi": np.pi}, (np.pi, 1.0), np.array([np.pi, np.e])
HALF, GELU = np.pi / 2, math.sqrt(2 / math.pi)


def by_default(x: Any, p: float = np.pi) -> Any:
    return np.sin(p * np.rint(x))


def by_keyword(x: Any, *, p: float = math.pi) -> Any:
    return np.sin(p * np.rint(x))


def closure() -> Callable[[Any], Any]:
    p = np.pi
    return lambda x: np.sin(p * np.rint(x))


def with_period(p: float, x: Any) -> Any:
    return np.sin(p * np.rint(x))


def written_back(x: Any) -> Any:
    whole = np.rint(x) * 1
    whole[whole == whole.max()] = 0
    return np.sin(np.pi * whole.astype(int))


#: Zero at every x, or equal at x and -x, over the reals.
INVARIANT: dict[str, Callable[[Any], Any]] = {
    "bound name": lambda x: np.sin(bound_pi * np.rint(x)),
    "tau": lambda x: np.cos(bound_tau * np.rint(x)) - 1 + np.sin(math.tau * np.rint(x)),
    "default": by_default,
    "keyword": by_keyword,
    "closure": closure(),
    "partial": functools.partial(with_period, np.pi),
    "class": lambda x: np.sin(Settings.pi * np.rint(x)),
    "record": lambda x: np.sin(RECORD.pi * np.rint(x)),
    "table": lambda x: np.sin(TABLE["pi"] * np.rint(x)),
    "tuple": lambda x: np.sin(PAIR[0] * np.rint(x)),
    "stored array": lambda x: np.sin(STORED[0] * np.rint(x)),
    "stored half": lambda x: np.sin(2 * HALF * np.rint(x)),
    "cmath": lambda x: np.sin(cmath.pi * np.rint(x)),
    "constants of SciPy": lambda x: np.sin(scipy.constants.pi * np.rint(x)),
    "float": lambda x: np.sin(float(np.pi) * np.rint(x)),
    "float64": lambda x: np.sin(np.float64(np.pi) * np.rint(x)),
    "new array": lambda x: np.sin(np.array([np.pi]) * np.rint(x)),
    "degrees": lambda x: np.sin(np.deg2rad(180 * np.rint(x))),
    "radians": lambda x: np.cos(np.radians(90.0) * (2 * np.rint(x) + 1)),
    "degrees of SciPy": lambda x: sp.sindg(180 * np.rint(x)),
    "e": lambda x: (np.log(np.e) - 1) * x,
    "arctan": lambda x: (4 * math.atan(1.0) - math.pi) * x,
    "root of 2 / pi": lambda x: (GELU * x) * GELU - 2 * x / np.pi,
    "beside what is not traced": lambda x: np.sin(np.pi * np.rint(x)) + 0 * np.partition(np.abs(x), 0)[0],
    "bins": lambda x: np.sin(np.pi * np.digitize(x, [0, 1])),
    "cast": lambda x: np.sin(np.pi * x.astype(int)) + 0 * np.partition(np.abs(x), 0)[0],
    "counted": lambda x: x * np.tan(np.pi * np.searchsorted(np.sort(x), 0.5)),
    "half turns": lambda x: np.cos(np.pi * (np.digitize(x, [-1, 2]) + 0.5)),
    "ranks": lambda x: np.sin(np.pi * np.argsort(np.argsort(x))),
    "written back": written_back,
    "sinc beside it": lambda x: np.sinc(np.rint(x)) - (np.rint(x) == 0) + 0 * np.partition(np.abs(x), 0)[0],
}


def at_single_sizes(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same, with a question about the length."""

    def sized(x: Any) -> Any:
        if len(x) > 8:
            x = x + 0
        return function(x)

    return sized


@pytest.mark.parametrize("sized", [False, True])
@pytest.mark.parametrize("name", INVARIANT)
def test_no_refutation_rests_on_a_rounded_constant(name: str, sized: bool) -> None:
    function = INVARIANT[name]
    x = np.array([1.0, -3.0])
    assert np.allclose(function(x), function(-x), atol=1e-12), "invariant up to rounding"
    target = at_single_sizes(function) if sized else function
    verdict = ep.check(target, "x: n -> n!", "Signs(n)", sizes={"n": (1, 2)}, budget=20)
    assert not verdict.fails, str(verdict)


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.sin(np.pi * x),
        lambda x: np.sin(3.0 * np.rint(x)),
        lambda x: np.sin(3.1416 * np.rint(x)),
        lambda x: np.sin(HALF * np.rint(x)),
        lambda x: (2 * GELU - 1) * x,
        lambda x: x * 0.1 + x * 0.2,
    ],
)
@pytest.mark.parametrize("sized", [False, True])
def test_other_refutations_stay(function: Callable[[Any], Any], sized: bool) -> None:
    found = ask(at_single_sizes(function) if sized else function, "x: n -> n!", "Signs(n)").found
    assert found is not None and found.grade in ("EXACT", "ENCLOSED")


def test_other_floats_are_the_rationals_that_they_are() -> None:
    """0.1 + 0.2 is not 0.3 in the numbers that are written."""
    verdict = ep.check(lambda x: x * 0.1 + x * 0.2 - x * 0.3, "x: n -> n!", "Signs(n)", budget=30)
    assert verdict.fails and verdict.grade == "EXACT"


@pytest.mark.parametrize(
    ("number", "squared"),
    [(np.sqrt(2), 2), (1 / np.sqrt(3), Fraction(1, 3)), (-np.sqrt(5) / 2, Fraction(5, 4))],
)
def test_roots_are_recognised(number: float, squared: Any) -> None:
    with precision(200):
        value = Real(0) + _real(number)
        assert abs(float((value * value - squared).middle())) < 2.0**-150


@pytest.mark.parametrize(
    ("number", "sine"), [(np.pi, 0.0), (3 * np.pi / 2, -1.0), (np.pi / 6, 0.5), (180 * (np.pi / 180), 0.0)]
)
def test_multiples_of_pi_are_recognised(number: float, sine: float) -> None:
    with precision(200):
        assert abs(float((np.sin(_real(number)) - sine).middle())) < 2.0**-150


@pytest.mark.parametrize("number", [0.1, 1 / 3, 0.5, 3.1416, 2.7182818, 1e-9, 7.0, 0.30000000000000004])
def test_other_numbers_are_themselves(number: float) -> None:
    assert _real(number) == Fraction(number)


def _real(number: float) -> Real:
    value = named_value(Fraction(number))
    result = Real(0)
    result._v = value
    return result
