"""Enclosures against python-flint's, and the rules for undefined and undecided."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.kernel import elementary, interval, report
from eqvproof.kernel.elementary import to_power
from eqvproof.kernel.functions import FUNCTIONS, TOTAL
from eqvproof.kernel.interval import Arithmetic, Ball, Number, hi, lo
from eqvproof.kernel.report import Rejected, Undecided
from tests.sampling import examples

F = Fraction
REFERENCE: dict[str, Callable[[flint.arb], flint.arb]] = {
    "recip": lambda x: 1 / x,
    "exp": flint.arb.exp,
    "log": flint.arb.log,
    "sqrt": flint.arb.sqrt,
    "cbrt": lambda x: x.root(3) if x > 0 else -((-x).root(3)) if x < 0 else x,
    "abs": abs,
    "sin": flint.arb.sin,
    "cos": flint.arb.cos,
    "tan": flint.arb.tan,
    "sinh": flint.arb.sinh,
    "cosh": flint.arb.cosh,
    "tanh": flint.arb.tanh,
    "arcsin": flint.arb.asin,
    "arccos": flint.arb.acos,
    "arctan": flint.arb.atan,
    "arcsinh": flint.arb.asinh,
    "erf": flint.arb.erf,
    "lgamma": lambda x: abs(x.gamma()).log(),
    "digamma": flint.arb.digamma,
}
rationals = st.builds(
    lambda p, q, e: F(p, q) * F(2) ** e, st.integers(-300, 300), st.integers(1, 300), st.integers(-40, 4)
)


def ball(x: Fraction, prec: int = 600) -> flint.arb:
    """The rational as a ball."""
    flint.ctx.prec = prec
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def between(value: flint.arb, found: Number) -> bool:
    """Whether the enclosure holds the ball."""
    assert found is not None
    return bool(
        ball(lo(found)) <= value + abs(value) * F2 + F2 and value <= ball(hi(found)) + abs(value) * F2 + F2
    )


F2 = flint.arb(2) ** -500


@pytest.mark.parametrize("fn", REFERENCE)
@given(x=rationals)
@settings(max_examples=examples(150), deadline=None)
def test_rationals_are_enclosed_tightly(fn: str, x: Fraction) -> None:
    report.allow_work(10**7)
    a = Arithmetic(256)
    if fn in ("log", "sqrt") and x < 0:
        x = -x
    if fn in ("arcsin", "arccos") and abs(x) > 1:
        x = 1 / x
    found = a.apply(fn, [x])
    pole = fn in ("lgamma", "digamma") and x <= 0 and x.denominator == 1
    if pole or (x == 0 and fn in ("recip", "log")):
        assert found is None
        return
    value = REFERENCE[fn](ball(x))
    assert between(value, found)
    assert found is not None
    assert hi(found) - lo(found) <= F(1, 2**200) * max(1, abs(hi(found)))


@pytest.mark.parametrize("fn", REFERENCE)
def test_rationals_are_enclosed_at_every_precision(fn: str) -> None:
    rng = random.Random(fn)
    for _ in range(400):
        x = F(rng.randint(1, 60), rng.randint(1, 20)) * rng.choice([1, 1, F(1, 64), -1])
        if fn in ("log", "sqrt"):
            x = abs(x)
        if fn in ("arcsin", "arccos") and abs(x) > 1:
            x = 1 / x
        if fn in ("lgamma", "digamma") and x.denominator == 1:
            x = abs(x)
        try:
            found = Arithmetic(rng.randint(2, 24)).apply(fn, [x])
        except Undecided:
            assert fn == "tan"
        else:
            assert between(REFERENCE[fn](ball(x)), found), x


@pytest.mark.sampled(2)
@pytest.mark.parametrize("fn", [*REFERENCE, "floor", "ceil", "rint", "sign"])
@given(x=rationals, width=rationals, t=st.fractions(0, 1, max_denominator=50))
@settings(max_examples=examples(150), deadline=None)
def test_intervals_hold_the_value_at_each_point(fn: str, x: Fraction, width: Fraction, t: Fraction) -> None:
    report.allow_work(10**7)
    a = Arithmetic(96)
    whole = Ball(x, x + abs(width)) if width else x
    point = x + t * abs(width)
    try:
        outer = a.apply(fn, [whole])
    except Undecided:
        return
    except Rejected:
        assert fn in ("exp", "sinh", "cosh") and hi(whole) > 8000
        return
    inner = a.apply(fn, [point])
    if outer is None:
        assert inner is None
        return
    assert inner is not None
    assert lo(outer) <= hi(inner) and lo(inner) <= hi(outer)
    if fn not in ("sin", "cos", "tan"):
        slack = F(1, 2**60) * max(1, abs(lo(inner)), abs(hi(inner)))
        assert lo(outer) <= lo(inner) + slack and hi(inner) <= hi(outer) + slack


@pytest.mark.parametrize("fn", [fn for fn, count in FUNCTIONS.items() if count == 2])
@given(seed=st.integers(0, 10**9))
@settings(max_examples=examples(200), deadline=None)
def test_functions_of_two_intervals(fn: str, seed: int) -> None:
    report.allow_work(10**7)
    rng, a = random.Random(seed), Arithmetic(96)
    pairs = []
    for _ in range(2):
        x = F(rng.randint(-6, 6), rng.choice([1, 1, 2, 3]))
        width = F(rng.choice([0, 0, 1, 2]), rng.choice([1, 2, 7]))
        pairs.append((Ball(x, x + width) if width else x, x + width * F(rng.randint(0, 5), 5)))
    (x, p), (y, q) = pairs
    try:
        inner = a.apply(fn, [p, q])
        outer = a.apply(fn, [x, y])
    except Undecided:
        return
    assert (inner is None) == (outer is None)
    if inner is not None and outer is not None:
        assert lo(outer) <= hi(inner) and lo(inner) <= hi(outer)
        if isinstance(inner, Fraction):
            assert lo(outer) <= inner <= hi(outer)


TABLE: list[tuple[str, list[Any], Any]] = [
    ("exp", [F(0)], F(1)),
    ("log", [F(1)], F(0)),
    ("log", [F(0)], None),
    ("log", [F(-1)], None),
    ("sqrt", [F(4, 9)], F(2, 3)),
    ("sqrt", [F(0)], F(0)),
    ("sqrt", [F(-1)], None),
    ("cbrt", [F(-8, 27)], F(-2, 3)),
    ("cbrt", [F(0)], F(0)),
    ("abs", [F(-2)], F(2)),
    ("sin", [F(0)], F(0)),
    ("cos", [F(0)], F(1)),
    ("tan", [F(0)], F(0)),
    ("sinh", [F(0)], F(0)),
    ("cosh", [F(0)], F(1)),
    ("tanh", [F(0)], F(0)),
    ("arcsin", [F(0)], F(0)),
    ("arcsin", [F(2)], None),
    ("arccos", [F(1)], F(0)),
    ("arccos", [F(-2)], None),
    ("arctan", [F(0)], F(0)),
    ("arcsinh", [F(0)], F(0)),
    ("erf", [F(0)], F(0)),
    ("lgamma", [F(1)], F(0)),
    ("lgamma", [F(2)], F(0)),
    ("lgamma", [F(0)], None),
    ("lgamma", [F(-3)], None),
    ("digamma", [F(-3)], None),
    ("recip", [F(0)], None),
    ("recip", [F(-2, 3)], F(-3, 2)),
    ("floor", [F(-1, 2)], F(-1)),
    ("ceil", [F(-1, 2)], F(0)),
    ("floor", [F(3, 2)], F(1)),
    ("ceil", [F(3, 2)], F(2)),
    ("rint", [F(1, 2)], F(0)),
    ("rint", [F(3, 2)], F(2)),
    ("rint", [F(-5, 2)], F(-2)),
    ("sign", [F(-3)], F(-1)),
    ("sign", [F(0)], F(0)),
    ("sign", [F(1, 2)], F(1)),
    ("not", [F(0)], F(1)),
    ("not", [F(2)], F(0)),
    ("pow", [F(0), F(0)], F(1)),
    ("pow", [F(0), F(-1)], None),
    ("pow", [F(0), F(1, 2)], F(0)),
    ("pow", [F(0), F(-1, 2)], None),
    ("pow", [F(-2), F(1, 2)], None),
    ("pow", [F(-2), F(3)], F(-8)),
    ("pow", [F(-2), F(-2)], F(1, 4)),
    ("pow", [F(4), F(3, 2)], F(8)),
    ("pow", [F(8), F(-2, 3)], F(1, 4)),
    ("pow", [F(-8), F(1, 3)], None),
    ("mod", [F(7), F(-2)], F(-1)),
    ("mod", [F(-7, 2), F(2)], F(1, 2)),
    ("mod", [F(1), F(0)], None),
    ("maximum", [F(1), F(2)], F(2)),
    ("minimum", [F(1), F(2)], F(1)),
    ("lt", [F(1), F(1)], F(0)),
    ("le", [F(1), F(1)], F(1)),
    ("gt", [F(1), F(0)], F(1)),
    ("ge", [F(0), F(1)], F(0)),
    ("eq", [F(1), F(1)], F(1)),
    ("ne", [F(1), F(1)], F(0)),
    ("and", [F(1), F(0)], F(0)),
    ("and", [F(1), F(-1)], F(1)),
    ("or", [F(0), F(0)], F(0)),
    ("or", [F(0), F(3)], F(1)),
    ("arctan2", [F(0), F(1)], F(0)),
    ("add", [], None),
    ("exp", [None], None),
    ("maximum", [F(1), None], None),
    ("and", [F(0), None], None),
    ("pow", [None, F(0)], None),
]


@pytest.mark.parametrize(("fn", "args", "value"), [t for t in TABLE if t[1]], ids=lambda v: str(v))
def test_exact_values(fn: str, args: list[Any], value: Any) -> None:
    assert Arithmetic(64).apply(fn, args) == value


UNDECIDED: list[tuple[str, list[Any]]] = [
    ("recip", [Ball(F(-1), F(1))]),
    ("recip", [Ball(F(0), F(1))]),
    ("log", [Ball(F(0), F(1))]),
    ("log", [Ball(F(-1), F(1))]),
    ("sqrt", [Ball(F(-1), F(1))]),
    ("arcsin", [Ball(F(0), F(2))]),
    ("arccos", [Ball(F(-2), F(0))]),
    ("sqrt", [Ball(F(-1), F(0))]),
    ("arcsin", [Ball(F(1), F(2))]),
    ("arccos", [Ball(F(-2), F(-1))]),
    ("lgamma", [Ball(F(0), F(1))]),
    ("lgamma", [Ball(F(-1), F(1))]),
    ("arctan2", [Ball(F(-1), F(0)), F(-1)]),
    ("arctan2", [Ball(F(0), F(1)), F(-1)]),
    ("arctan2", [F(0), Ball(F(-1), F(0))]),
    ("lt", [Ball(F(0), F(1)), F(1)]),
    ("eq", [Ball(F(0), F(1)), Ball(F(1), F(2))]),
    ("eq", [Ball(F(1), F(2)), Ball(F(0), F(1))]),
    ("not", [Ball(F(-1), F(0))]),
    ("floor", [Ball(F(0), F(1))]),
    ("rint", [Ball(F(1, 4), F(3, 4))]),
    ("sign", [Ball(F(0), F(1))]),
    ("ceil", [Ball(F(0), F(1))]),
    ("not", [Ball(F(0), F(1))]),
    ("tan", [Ball(F(1), F(2))]),
    ("lt", [Ball(F(0), F(1)), F(1, 2)]),
    ("le", [Ball(F(0), F(1)), F(1, 2)]),
    ("eq", [Ball(F(0), F(1)), F(1)]),
    ("ne", [Ball(F(0), F(1)), Ball(F(0), F(1))]),
    ("and", [F(1), Ball(F(-1), F(1))]),
    ("or", [F(0), Ball(F(0), F(1))]),
    ("mod", [Ball(F(0), F(2)), F(1)]),
    ("mod", [F(1), Ball(F(-1), F(1))]),
    ("arctan2", [F(0), F(0)]),
    ("arctan2", [Ball(F(-1), F(1)), F(-1)]),
    ("pow", [Ball(F(-1), F(1)), F(1, 2)]),
    ("pow", [F(-1), Ball(F(0), F(2))]),
    ("pow", [F(0), Ball(F(-1), F(1))]),
    ("lgamma", [Ball(F(-1, 2), F(-1, 3))]),
    ("digamma", [Ball(F(-3, 2), F(-1, 3))]),
    ("digamma", [Ball(F(-1, 2), F(0))]),
    ("pow", [Ball(F(-1), F(1)), F(-1)]),
]


@pytest.mark.parametrize(("fn", "args"), UNDECIDED, ids=lambda v: str(v)[:40])
def test_undecided(fn: str, args: list[Any]) -> None:
    with pytest.raises(Undecided):
        Arithmetic(64).apply(fn, args)


#: Intervals -> the least and the greatest value, both of them taken.
RANGES: list[tuple[str, list[Any], tuple[Any, Any]]] = [
    ("maximum", [Ball(F(0), F(1)), Ball(F(1, 2), F(2))], (F(1, 2), F(2))),
    ("maximum", [Ball(F(0), F(3)), Ball(F(1, 2), F(2))], (F(1, 2), F(3))),
    ("minimum", [Ball(F(0), F(1)), Ball(F(1, 2), F(2))], (F(0), F(1))),
    ("minimum", [Ball(F(0), F(3)), Ball(F(1, 2), F(2))], (F(0), F(2))),
    ("abs", [Ball(F(-1), F(2))], (F(0), F(2))),
    ("abs", [Ball(F(-3), F(2))], (F(0), F(3))),
    ("abs", [Ball(F(-3), F(-2))], (F(2), F(3))),
    ("recip", [Ball(F(2), F(4))], (F(1, 4), F(1, 2))),
    ("recip", [Ball(F(-4), F(-2))], (F(-1, 2), F(-1, 4))),
    ("sqrt", [Ball(F(4), F(9))], (F(2), F(3))),
    ("sqrt", [Ball(F(0), F(9))], (F(0), F(3))),
    ("cbrt", [Ball(F(-8), F(27))], (F(-2), F(3))),
    ("mod", [Ball(F(5, 2), F(11, 4)), F(2)], (F(1, 2), F(3, 4))),
    ("pow", [Ball(F(4), F(9)), F(3, 2)], (F(8), F(27))),
    ("pow", [Ball(F(8), F(27)), F(-2, 3)], (F(1, 9), F(1, 4))),
    ("pow", [Ball(F(0), F(9)), F(1, 2)], (F(0), F(3))),
    ("floor", [Ball(F(1, 3), F(2, 3))], (F(0), F(0))),
    ("ceil", [Ball(F(1, 3), F(2, 3))], (F(1), F(1))),
    ("lt", [Ball(F(0), F(1)), F(2)], (F(1), F(1))),
    ("lt", [F(1), Ball(F(0), F(1))], (F(0), F(0))),
    ("le", [Ball(F(0), F(1)), F(1)], (F(1), F(1))),
    ("gt", [Ball(F(0), F(1)), F(1)], (F(0), F(0))),
    ("ge", [Ball(F(1), F(2)), F(1)], (F(1), F(1))),
    ("eq", [Ball(F(0), F(1)), F(2)], (F(0), F(0))),
    ("eq", [F(2), Ball(F(0), F(1))], (F(0), F(0))),
    ("ne", [Ball(F(0), F(1)), F(2)], (F(1), F(1))),
    ("not", [Ball(F(1), F(2))], (F(0), F(0))),
    ("and", [Ball(F(1), F(2)), F(1)], (F(1), F(1))),
    ("or", [Ball(F(1), F(2)), F(0)], (F(1), F(1))),
    ("arctan2", [F(0), Ball(F(1), F(2))], (F(0), F(0))),
]


@pytest.mark.parametrize(("fn", "args", "ends"), RANGES, ids=lambda v: str(v)[:40])
def test_intervals_are_ranges(fn: str, args: list[Any], ends: tuple[Fraction, Fraction]) -> None:
    found = Arithmetic(64).apply(fn, args)
    assert found is not None and lo(found) <= ends[0] and ends[1] <= hi(found)
    assert ends[0] - lo(found) <= F(1, 2**55) and hi(found) - ends[1] <= F(1, 2**55)


@pytest.mark.parametrize("n", range(-4, 5))
def test_whole_powers_of_intervals_are_ranges(n: int) -> None:
    a, values = Arithmetic(64), [F(-3), F(-3, 2), F(-1), F(0), F(1, 2), F(1), F(2)]
    for low, high in itertools.combinations(values, 2):
        if n < 0 and low <= 0 <= high:
            with pytest.raises(Undecided):
                to_power(a, Ball(low, high), F(n))
            continue
        ends = {low**n, high**n} | ({F(0)} if low < 0 < high and n > 0 else set())
        found = to_power(a, Ball(low, high), F(n))
        assert found is not None and lo(found) <= min(ends) and max(ends) <= hi(found)
        slack = F(1, 2**50) if n % 2 == 0 or low >= 0 or high <= 0 or n == 1 else F(100)
        assert min(ends) - lo(found) <= slack and hi(found) - max(ends) <= slack


def test_every_function_of_a_map_is_there() -> None:
    """Each is in one table, with a value of that many numbers."""
    tables = (elementary.UNARY, elementary.BINARY, interval.RATIONAL, interval.STEPS, {"pi": 0})
    assert sorted(FUNCTIONS) == sorted(fn for table in tables for fn in table)
    for fn, count in FUNCTIONS.items():
        assert Arithmetic(64).apply(fn, [F(1, 2)] * count) is not None


def test_pi() -> None:
    flint.ctx.prec = 600
    found = Arithmetic(300).apply("pi", [])
    assert found is not None and between(flint.arb.pi(), found) and hi(found) - lo(found) < F(1, 2**290)


@pytest.mark.parametrize("x", ["1e3000", "-1e3000"])
def test_numbers_out_of_range_are_refused(x: str) -> None:
    value = F(x)
    with pytest.raises(Rejected):
        Arithmetic(64).apply("sin", [value])
    if value > 0:
        with pytest.raises(Rejected):
            Arithmetic(64).apply("exp", [value])
    else:
        small = Arithmetic(64).apply("exp", [value])
        assert small is not None and 0 <= lo(small) < hi(small) <= F(1, 2**1000)


def test_long_rationals_become_enclosures() -> None:
    a = Arithmetic(64)
    x: Number = F(3, 7)
    for _ in range(13):
        assert x is not None
        x = a.mul(x, x)
    assert isinstance(x, Ball) and lo(x) < F(3, 7) ** 8192 < hi(x)


@pytest.mark.parametrize("ends", [(0, 1), (-1, 0), (-1, 1), (-1, F(1, 2))], ids=str)
def test_zero_to_a_power_that_may_be_zero_is_undecided(ends: tuple[int, int]) -> None:
    """0^y is 0 for y > 0, 1 for y = 0 and undefined for y < 0."""
    a = Arithmetic(64)
    with pytest.raises(Undecided):
        to_power(a, F(0), Ball(F(ends[0]), F(ends[1])))
    assert to_power(a, F(0), Ball(F(1, 3), F(1, 2))) == 0 and to_power(a, F(0), Ball(F(-1), F(-1, 2))) is None
    assert to_power(a, F(0), F(0)) == 1


@pytest.mark.parametrize("fn", sorted(FUNCTIONS))
def test_what_is_said_to_be_total_is_defined_everywhere(fn: str) -> None:
    """At poles, at the ends of domains and beyond; every function that is not, is left out."""
    points = [F(k, 2) for k in range(-8, 9)]
    args = itertools.product(points, repeat=FUNCTIONS[fn])
    undefined = [at for at in args if _value(fn, list(at)) is None]
    assert not undefined or fn not in TOTAL
    assert undefined or fn in TOTAL or fn == "tan"  # whose poles are no rational numbers


def _value(fn: str, args: list[Any]) -> Number | str:
    try:
        return Arithmetic(64).apply(fn, args)
    except Undecided:
        return "unknown"
