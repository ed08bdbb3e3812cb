"""A choice that hangs on a tie that rounding made refutes nothing; one that hangs on a tie of reals does.

The targets are only called. Each claim is true over the reals, and fails in floats at the point given.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from math import tanh as bound_tanh
from typing import Any

import numpy as np
import pytest
import scipy.special as sp

import eqvproof as ep
from eqvproof.claims.groups import parse_group, simple_elements
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.search import CalledSubject, Limits
from eqvproof.engines.search.comparer import Comparer, Violation
from eqvproof.engines.search.sides import Equivariance, Trial
from tests.engines.search.asking import floats_only

pytestmark = pytest.mark.whole_search  # a wrong refutation may be a late one


def hit_at(function: Any, point: list[Any], output: str = "n!") -> Violation | None:
    """What the comparison at a point says under a swap of the first two entries, in floats."""
    signature = parse_signature(f"x: n -> {output}")
    group = parse_group("S(n)", signature)
    claim_sides = Equivariance(CalledSubject(AtSizes(function, signature)), signature, group)
    comparer = Comparer(claim_sides, Limits(max_points=10))
    comparer.exact = False
    x = np.array([Fraction(v) for v in point], dtype=object)
    swap = next(iter(simple_elements(group.factors[0], len(point))))
    return comparer.violation_at(Trial({"n": len(point)}, {"x": x}, (swap,)))


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


def by(key: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The entries in the order of a strictly increasing function of them."""
    return lambda x: x[np.argsort(key(x), kind="stable")]


def rows(key: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The same, by Python's sort and the key of one entry."""
    return lambda x: np.array([x[i] for i in sorted(range(len(x)), key=lambda i: key(x[i]))])


#: An order of the entries -> a point at which floats do not see it.
TIES: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "argsort of tanh": (by(np.tanh), [-20, -21]),
    "argsort of a sigmoid": (by(sigmoid), [41, 40]),
    "argsort of expit": (by(sp.expit), [-800, -801]),
    "argsort of exp, underflow": (by(np.exp), [-750, -751]),
    "argsort of exp, overflow": (by(np.exp), [751, 750]),
    "argsort of a power, overflow": (by(lambda x: x**99), [10**5, 10**4]),
    "argsort of erf": (by(sp.erf), [7, 6]),
    "argsort of math.erf": (rows(lambda v: math.erf(v)), [7, 6]),
    "argsort of a softmax": (by(softmax), [-800, -900, 0]),
    "argsort beside 1e20": (by(lambda x: x + 1e20), [2, 1]),
    "argsort of subnormals": (by(lambda x: x * 1e-323), [Fraction(5, 4), 1]),
    "argsort in float32": (by(lambda x: x.astype(np.float32)), [1 + Fraction(1, 2**30), 1]),
    "argsort in float16": (by(lambda x: x.astype(np.float16)), [10**6, 10**5]),
    "argsort after cancellation": (by(lambda x: (x + 1e16) - 1e16), [Fraction(1, 2), Fraction(1, 4)]),
    "argsort of a sum": (by(lambda x: np.stack([x, x * 0 + 1e17, x * 0 - 1e17]).sum(0)), [2, 1]),
    "argsort of a product of matrices": (
        by(lambda x: np.stack([x, x * 0 + 1e17, x * 0 - 1e17], 1) @ np.ones(3)), [2, 1],
    ),
    "argsort of einsum": (
        by(lambda x: np.einsum("in->n", np.stack([x, x * 0 + 1e17, x * 0 - 1e17]))), [2, 1],
    ),
    "argsort of an interpolation": (by(lambda x: np.interp(x, [-1e30, 1e30], [0, 1])), [7, 6]),
    "argsort of arctan": (by(lambda x: np.arctan(x * 1e17)), [9, 8]),
    "argsort of log1p": (by(lambda x: np.log1p(1e-20 * x) + 1), [2, 1]),
    "argsort of a hypotenuse": (by(lambda x: np.hypot(1e9, np.exp(x))), [-2, -3]),
    "argsort of a function of no array": (rows(lambda v: bound_tanh(float(v))), [-20, -21]),
    "argmax": (lambda x: x[np.argmax(np.tanh(x))], [20, 21]),
    "argmin": (lambda x: x[np.argmin(sp.erfc(x))], [31, 30]),
    "lexsort": (lambda x: x[np.lexsort((np.tanh(x),))], [-20, -21]),
    "argpartition": (lambda x: x[np.argpartition(np.tanh(x), 1)[1:]], [30, 40]),
    "unique": (lambda x: x[np.unique(np.tanh(x), return_index=True)[1][-1:]], [30, 40]),
    "equality": (lambda x: x[np.tanh(x) == np.tanh(x).max()][:1], [30, 40]),
    "searchsorted": (lambda x: x[np.searchsorted(np.sort(np.tanh(x)), np.tanh(x)).argmax()], [30, 40]),
    "where": (lambda x: np.where(np.tanh(x[0]) >= np.tanh(x[1]), x[0], x[1]), [30, 40]),
    "maximum by key": (lambda x: max(x, key=lambda v: np.tanh(v)), [30, 40]),
}  # fmt: skip


@pytest.mark.parametrize("in_floats", [False, True])
@pytest.mark.parametrize("name", TIES)
def test_ties_that_rounding_made_refute_nothing(name: str, in_floats: bool) -> None:
    function, point = TIES[name]
    x = np.array(point, dtype=float)
    swapped = np.array([*x[1::-1], *x[2:]])
    with np.errstate(all="ignore"):
        here, there = function(x), function(swapped)
    assert not np.array_equal(here, there), "in floats the order of the arguments shows"
    output = {0: "()", 1: "m"}[np.ndim(here)]
    assert hit_at(floats_only(function) if in_floats else function, point, output) is None


#: Wrong over the reals too, at a point of ties or far from 1.
WRONG: dict[str, tuple[Callable[[Any], Any], list[Any]]] = {
    "order of equal numbers": (lambda x: np.argsort(x, kind="stable")[0] * 1.0 + x[0] * 0, [1, 2]),
    "first of equal keys": (lambda x: x[np.argmax(np.sqrt(x * x + 1))], [1, -1, 0]),
    "position of the greatest": (lambda x: np.argmax(np.tanh(x)) * 1.0, [1, 2]),
    "weights by position": (lambda x: (np.tanh(x) * np.arange(len(x))).sum(), [1, 2]),
    "greatest beside 1e3": (lambda x: (x + 1e3)[0] - 1e3, [1, 2]),
    "count of equal numbers": (lambda x: x[0] if len(np.unique(x)) < len(x) else x.sum(), [1, 2, 2]),
    "a floor": (lambda x: np.floor(x[0] / 3), [4, 1]),
    "equal sums": (lambda x: x[0] if x[0] + x[1] == x[2] + x[3] else x.sum(), [1, 0, 1, 0]),
    "equal roots": (lambda x: x[0] if np.ptp(np.sqrt(np.abs(x))) == 0 else 0.0, [2, -2, 2]),
    "sigmoid of the first": (lambda x: sigmoid(x)[0], [3, 1]),
    "softmax in order": (lambda x: softmax(x) @ np.arange(len(x)), [3, 1]),
    "in float16": (lambda x: np.float64(x.astype(np.float16)[0]), [3, 1]),
}  # fmt: skip


@pytest.mark.parametrize("in_floats", [False, True])
@pytest.mark.parametrize("name", WRONG)
def test_ties_of_reals_and_plain_violations_count(name: str, in_floats: bool) -> None:
    function, point = WRONG[name]
    found = hit_at(floats_only(function) if in_floats else function, point, "()")
    assert found is not None and found.comparison.arithmetic == "float"


def test_numbers_in_the_code_explain_large_and_tiny_entries() -> None:
    """Without such a number a violation far from 1 may be saturation, in a library that shows nothing."""
    hidden = floats_only(lambda x: x[0] if np.abs(x).max() > 5e4 else x.sum())
    found = ep.check(hidden, "x: n -> ()", "S(n)", budget=10)
    assert found.fails and found.grade == "OBSERVED", str(found)
    tiny = floats_only(lambda x: x[0] if np.abs(x).max() < 1e-7 else x.sum())
    found = ep.check(tiny, "x: n -> ()", "S(n)", budget=10)
    assert found.fails and found.grade == "OBSERVED", str(found)


@pytest.mark.slow
def test_saturation_in_another_library_is_mentioned() -> None:
    sort = floats_only(rows(lambda v: bound_tanh(float(v))))
    verdict = ep.check(sort, "x: n -> n!", "S(n)", budget=30)
    assert not verdict.fails
    assert any("large or tiny" in note for note in verdict.notes)
