"""Enclosures of elementary functions, against values computed with many more digits."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from eqvproof.kernel import report, series
from eqvproof.kernel.report import Rejected

Q = Fraction
POINTS: dict[str, tuple[Callable[[Q, int], Any], Callable[[Any], Any], str]] = {
    "exp": (series.exp, mpmath.exp, "-300 -9/2 -1 -1/3 -1/1000 0 1/1000 1/7 1 5/2 30 200"),
    "log": (series.log, mpmath.log, "1/100000 1/3 1/2 2/3 99/100 1 101/100 3/2 2 5/2 7 1000000007"),
    "arctan": (series.arctan, mpmath.atan, "1/1000 1/5 1/4 13/50 1/3 1/2 3/4 1 101/100 3/2 4 1000"),
    "cos": (
        lambda x, bits: series.cosine(x, 0, bits), mpmath.cos,
        "-1000 -5 -22/7 -3/2 -1/9 0 1/9 1 3/2 2 3 22/7 4 5 6 7 1000",
    ),
    "sin": (
        lambda x, bits: series.cosine(x, 1, bits), mpmath.sin,
        "-1000 -5 -22/7 -3/2 -1/9 0 1/9 1 3/2 2 3 22/7 4 5 6 7 1000",
    ),
    "erf": (series.erf, mpmath.erf, "1/1000 1/3 1 3/2 3 5 7 9 13 50"),
    "log_gamma": (
        series.log_gamma, lambda x: mpmath.log(abs(mpmath.gamma(x))),
        "1/1000 1/3 1 3/2 2 3 10 1000003 -1/2 -7/3 -1001/10",
    ),
    "digamma": (series.digamma, mpmath.digamma, "1/1000 1/3 1 3/2 2 3 10 1000003 -1/2 -7/3 -1001/10"),
    "sqrt": (lambda x, bits: series.root(x, 2, bits), mpmath.sqrt, "0 1/1000007 1/4 1/3 1 2 9/4 10 1000003"),
    "cbrt": (lambda x, bits: series.root(x, 3, bits), mpmath.cbrt, "0 1/1000007 1/8 1/3 1 2 27/8 10 1000003"),
}  # fmt: skip


@pytest.mark.parametrize("bits", [53, 160])
@pytest.mark.parametrize("name", POINTS)
def test_values_lie_in_narrow_enclosures(name: str, bits: int) -> None:
    enclosed, true, points = POINTS[name]
    report.allow_work(10**7)
    with mpmath.workprec(4 * bits + 600):
        error = mpmath.mpf(2) ** (-4 * bits)
        for x in map(Q, points.split()):
            low, high = enclosed(x, bits)
            value = true(mpmath.mpf(x.numerator) / x.denominator)
            ends = [mpmath.mpf(end.numerator) / end.denominator for end in (low, high)]
            assert ends[0] - error <= value <= ends[1] + error, x
            assert ends[1] - ends[0] <= mpmath.mpf(2) ** (1 - bits) * max(1, abs(value)), x


def test_pi_lies_in_a_narrow_enclosure() -> None:
    report.allow_work(10**6)
    low, high = series.pi(90)
    with mpmath.workprec(300):
        assert mpmath.mpf(low.numerator) / low.denominator <= mpmath.pi
        assert mpmath.pi <= mpmath.mpf(high.numerator) / high.denominator
    assert 0 < high - low < Q(1, 2**90)


def test_exact_values_are_exact() -> None:
    assert series.log(Q(1), 53) == (0, 0) and series.root(Q(9, 4), 2, 53) == (Q(3, 2), Q(3, 2))
    assert series.root(Q(8, 27), 3, 53) == (Q(2, 3), Q(2, 3)) and series.root(Q(0), 3, 53) == (0, 0)


def test_what_is_too_large_is_refused_or_kept_coarse() -> None:
    report.allow_work(10**7)
    most = series.MOST_EXPONENT
    with pytest.raises(Rejected):
        series.exp(Q(most + 1), 53)
    low, high = series.exp(Q(-most - 1), 53)
    assert low == 0 < high < Q(1, 2**53)
    for beyond in (1, -1):
        low, high = series.cosine(Q(beyond * series.MOST_ANGLE), 0, 53)
        assert 0 < high - low < Q(1, 2**53)
        with pytest.raises(Rejected):
            series.cosine(Q(beyond * (series.MOST_ANGLE + 1)), 0, 53)
    for function in series.log_gamma, series.digamma:
        low, high = function(Q(1, 2) - series.MOST_LEFT, 53)
        assert 0 < high - low < Q(1, 2**38)
        with pytest.raises(Rejected):
            function(Q(-1, 2) - series.MOST_LEFT, 53)


#: What each function is computed from, and where it is looked at.
PARTS: dict[str, tuple[str, str]] = {
    "exp": ("_sum_series", "-9/2 -1/3 1/7 5/2 30"),
    "log": ("_odd _log2", "1/100000 1/3 2/3 101/100 5/2 1000000007"),
    "arctan": ("_odd _pi", "1/5 1/3 2/3 5/4 7"),
    "cos": ("_sum_series _pi", "-5 -22/7 -3/2 1/9 1 2 3 4 5 6 7 20"),
    "sin": ("_sum_series _pi", "-5 -22/7 -3/2 1/9 1 2 3 4 5 6 7 20"),
    "erf": ("_sum_series exp pi root", "1/3 1 5/2 5"),
    "log_gamma": ("_stirling log pi", "1/3 3/2 10 -1/2 -7/3"),
    "digamma": ("_stirling log", "1/3 3/2 10 -1/2 -7/3"),
}


@pytest.mark.parametrize(("name", "part"), [(n, p) for n, (parts, _) in PARTS.items() for p in parts.split()])
def test_an_enclosure_holds_those_of_all_that_its_parts_may_be(
    name: str, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a part is wider, the value holds what comes out at both of its ends."""
    report.allow_work(10**7)
    own = getattr(series, part)

    def forget() -> None:
        for kept in series._log2, series._pi:
            kept.cache_clear()

    def found(x: Q, below: int, above: int) -> tuple[Q, Q]:
        def moved(*args: Any) -> Any:
            value = own(*args)
            if part == "_stirling":
                steps, (low, high) = value
                return steps, (low + below * Q(1, 2**20), high + above * Q(1, 2**20))
            low, high = value
            unit = 1 << (args[1] if part == "_odd" else args[0]) - 20 if part[0] == "_" else Q(1, 2**20)
            return low + below * unit, high + above * unit

        with monkeypatch.context() as patch:
            forget()
            patch.setattr(series, part, moved)
            value = POINTS[name][0](x, 64)
        forget()
        return value

    differ = False
    for x in map(Q, PARTS[name][1].split()):
        low, high = found(x, -1, 1)
        ends = [found(x, -1, -1), found(x, 1, 1)]
        assert all(low <= a and b <= high for a, b in ends), x
        differ |= ends[0] != ends[1]
    assert differ


@pytest.mark.parametrize("bits", [3, 8, 20])
@pytest.mark.parametrize("name", ["log_gamma", "digamma"])
def test_what_is_added_up_is_rounded_outwards(name: str, bits: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stirling's series and the logarithm taken as they are, in place of their enclosures."""
    report.allow_work(10**7)
    own = series._stirling
    with mpmath.workprec(400):

        def exact(value: Any) -> tuple[Q, Q]:
            whole = Q(int(mpmath.floor(value * 2**300)), 2**300)
            return whole, whole + Q(1, 2**300)

        def series_at(z: Q) -> Any:
            at = mpmath.mpf(z.numerator) / z.denominator
            if name == "digamma":
                return mpmath.digamma(at) - mpmath.log(at) + 1 / (2 * at)
            return mpmath.loggamma(at) - mpmath.log(at) * (at - 0.5) + at - mpmath.log(2 * mpmath.pi) / 2

        def stirling(*args: Any) -> Any:
            steps = own(*args)[0]
            return steps, exact(series_at(args[0] + steps))

        def mpf(x: Q) -> Any:
            return mpmath.mpf(x.numerator) / x.denominator

        monkeypatch.setattr(series, "_stirling", stirling)
        monkeypatch.setattr(series, "log", lambda x, _: exact(mpmath.log(mpf(x))))
        monkeypatch.setattr(series, "pi", lambda _: exact(mpmath.pi))
        enclosed, true, _ = POINTS[name]
        for x in map(Q, "1/1000 1/3 3/7 1 3/2 2 3 10/3 -1/2 -7/3 -10/7 -1001/10".split()):
            low, high = enclosed(x, bits)
            value = true(mpmath.mpf(x.numerator) / x.denominator)
            error = mpmath.mpf(2) ** -250
            assert mpmath.mpf(low.numerator) / low.denominator <= value + error, x
            assert value - error <= mpmath.mpf(high.numerator) / high.denominator, x


def test_bernoulli_numbers() -> None:
    for k in range(1, 40):
        assert series._bernoulli(k) == Q(*map(int, mpmath.bernfrac(2 * k)))


@pytest.mark.parametrize("n", [2, 3])
def test_integer_roots(n: int) -> None:
    for x in (*range(200), *(m**n + d for m in (10**6, 7**20, 2**70 + 3) for d in (-1, 0, 1))):
        r = series._integer_root(x, n)
        assert r**n <= x < (r + 1) ** n


def test_log_gamma_with_many_digits() -> None:
    report.allow_work(10**8)
    for x in (1, 2, 6):
        low, high = series.log_gamma(Q(x), 1000)
        with mpmath.workprec(1400):
            value = mpmath.loggamma(x)
            assert mpmath.mpf(low.numerator) / low.denominator <= value + mpmath.mpf(2) ** -1300
            assert value - mpmath.mpf(2) ** -1300 <= mpmath.mpf(high.numerator) / high.denominator
        assert 0 < high - low < Q(1, 2**990)
