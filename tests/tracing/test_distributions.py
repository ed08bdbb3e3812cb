"""Distributions, statistical tests and transforms of SciPy in traces, compared with SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import fft, signal, stats
from scipy.stats import norm

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.support.errors import TraceError
from eqvproof.tracing.arrays.functions.distributions import FORMULAS
from eqvproof.tracing.numpy.trace import trace_all_sizes
from tests.judged import assert_proved, assert_refuted

#: Distributions: those with formulas, and some that are known as functions of entries.
SHAPES = {"lognorm": 1, "t": 1, "gamma": 1, "chi2": 1, "poisson": 1, "beta": 2, "f": 2, "nbinom": 2}
NAMES = [*FORMULAS, *(name for name in SHAPES if name not in FORMULAS)]
#: Arguments, next to the ends of supports and beyond them.
POINTS = np.array([-1.5, -1.0, 0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 3.0])
#: Parameters, in and out of their domains.
PARAMETERS = ((0.5, 2.0), (1.0, 1.0), (2.0, 0.5), (3.0, 2.5), (0.0, 1.0), (-1.0, 2.0))
NAMED = ("a", "b", "l", "s", "on")
FROZEN = norm(0.5, 2.0)


def _methods(name: str) -> list[str]:
    whole = isinstance(getattr(stats, name), stats.rv_discrete)
    densities = ("pmf", "logpmf") if whole else ("pdf", "logpdf")
    return ["cdf", "sf", "logcdf", "logsf", "ppf", "isf", *densities]


@pytest.mark.parametrize("name", NAMES)
def test_a_distribution_has_the_values_of_scipy(name: str) -> None:
    """At points in and beyond the support, for parameters that are allowed and not, scales too."""
    distribution, count = getattr(stats, name), SHAPES.get(name, 0)
    whole = isinstance(distribution, stats.rv_discrete)
    scales = (1.0,) if whole else (1.0, 2.0, 0.0, -1.0)
    for method in _methods(name):
        compute = getattr(distribution, method)

        def with_all(x: Any, a: Any, b: Any, loc: Any, scale: Any, on: Any, f: Any = compute) -> Any:
            more = {} if whole else {"scale": scale}
            return np.where(on > 0, f(x, *(a, b)[:count], loc=loc, **more), 0.0)

        signature = parse_signature("x: (), a: (), b: (), l: (), s: (), on: () -> ()")
        program = trace_all_sizes(with_all, signature).program
        for a, b in PARAMETERS if count else PARAMETERS[:1]:
            for scale in scales:
                with np.errstate(all="ignore"):
                    right = compute(POINTS, *(a, b)[:count], loc=0.5, **({} if whole else {"scale": scale}))
                others = {k: np.array(v) for k, v in zip(NAMED, (a, b, 0.5, scale, 1), strict=True)}
                left = np.array([evaluate_float(program, {"x": np.array(x), **others}) for x in POINTS])
                finite = np.isfinite(right)
                case = f"{name}.{method}, {a}, {b}, scale {scale}: {left} {right}"
                assert np.array_equal(np.isfinite(left), finite), case
                np.testing.assert_allclose(left[finite], right[finite], atol=1e-12, rtol=1e-9, err_msg=case)


P_VALUES: tuple[tuple[str, Any, str], ...] = (
    ("pearsonr", lambda x, y: stats.pearsonr(x, y)[1], "x: n, y: n -> ()"),
    ("spearmanr", lambda x, y: stats.spearmanr(x, y).pvalue, "x: n, y: n -> ()"),
    ("ttest_ind", lambda x, y: stats.ttest_ind(x, y).pvalue, "x: n, y: m -> ()"),
    ("variances differ", lambda x, y: stats.ttest_ind(x, y, equal_var=False)[1], "x: n, y: m -> ()"),
    ("ttest_rel", lambda x, y: stats.ttest_rel(x, y)[1], "x: n, y: n -> ()"),
    ("ttest_1samp", lambda x: stats.ttest_1samp(x, 0.5).pvalue, "x: n -> ()"),
    ("f_oneway", lambda x, y: stats.f_oneway(x, y, x + 1)[1], "x: n, y: m -> ()"),
    ("kruskal", lambda x, y: stats.kruskal(x, y, y + 1).pvalue, "x: n, y: m -> ()"),
    ("levene", lambda x, y: stats.levene(x, y, x * 2).pvalue, "x: n, y: m -> ()"),
    ("ranksums", lambda x, y: stats.ranksums(x, y).pvalue, "x: n, y: m -> ()"),
    ("chisquare", lambda x: stats.chisquare(np.exp(x)).pvalue, "x: n -> ()"),
    ("jarque_bera", lambda x: stats.jarque_bera(x).pvalue, "x: n -> ()"),
    ("linregress", lambda x, y: stats.linregress(x, y)[3], "x: n, y: n -> ()"),
    ("error of a slope", lambda x, y: stats.linregress(x, y).stderr, "x: n, y: n -> ()"),
    ("error of an intercept", lambda x, y: stats.linregress(x, y).intercept_stderr, "x: n, y: n -> ()"),
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("function", "signature"), [c[1:] for c in P_VALUES], ids=[c[0] for c in P_VALUES])
def test_p_values_are_those_of_scipy(function: Any, signature: str) -> None:
    program = trace_all_sizes(function, parse_signature(signature), spans={"n": (2, 9)}).program
    rng = np.random.default_rng(1)
    for n, m in ((2, 3), (3, 2), (5, 4), (6, 8)):
        for draw in (rng.normal(size=(2, 8)), rng.integers(0, 3, (2, 8)) * 1.0):
            x, y = draw[0, :n], draw[1, : n if "y: n" in signature else m]
            given = {"x": x, "y": y} if "y" in signature else {"x": x}
            with np.errstate(all="ignore"):
                try:
                    right = function(*given.values())
                except ValueError:  # all x are equal
                    continue
            sizes = {"n": n, "m": m} if "y: m" in signature else {"n": n}
            left = evaluate_float(program, given, sizes)
            if np.isfinite(right) and np.isfinite(left):
                np.testing.assert_allclose(left, right, atol=1e-9)
            else:
                assert not np.isfinite(right) or np.ptp(x) == 0 or np.ptp(y) == 0, (left, right, x, y)


TRUE: tuple[tuple[str, Any, str, str], ...] = (
    ("z test", lambda x: 2 * norm.sf(abs(x.mean() / x.std())), "x: n -> ()", "Scale(n)"),
    ("frozen", lambda x: FROZEN.logpdf(x).sum(), "x: n -> ()", "S(n)"),
    ("quantiles of ranks", lambda x: norm.ppf((stats.rankdata(x) - 0.5) / len(x)), "x: n -> n", "S(n)"),
    ("interval", lambda x: stats.t.ppf(0.975, len(x) - 1) * stats.sem(x), "x: n -> ()", "S(n)"),
    ("correlation without its p-value", lambda x, y: stats.kendalltau(x, y)[0], "x: n, y: n -> ()", "S(n)"),
    ("envelope", lambda x: np.abs(signal.hilbert(x)), "x: n -> n", "C(n)"),
    ("power", lambda x: np.max(np.abs(fft.fft(x))), "x: n -> ()", "C(n)"),
    ("convolution", lambda x, y: fft.ifft(fft.fft(x) * fft.fft(y)).real, "x: n, y: n! -> n", "C(n)"),
    ("rows of cosines", lambda X: fft.dct(X, axis=1), "X: m n -> m n", "S(m)"),
)
FALSE: tuple[tuple[str, Any, str, str], ...] = (
    ("z test moved", lambda x: norm.sf(x.mean()), "x: n -> ()", "T(n)"),
    ("frozen turned", lambda x: FROZEN.logpdf(x), "x: n -> n", "Signs(n)"),
    ("first quantile", lambda x: norm.cdf(x)[0], "x: n -> ()", "S(n)"),
    ("first of an envelope", lambda x: np.abs(signal.hilbert(x))[0], "x: n -> ()", "C(n)"),
    ("cosines of a ring", lambda x: fft.dct(x), "x: n -> n", "C(n)"),
    ("spectrum in order", lambda x: np.abs(fft.fft(x)) ** 2, "x: n -> n", "S(n)"),
)


@pytest.mark.parametrize("case", TRUE, ids=[c[0] for c in TRUE])
def test_true_claims_are_proved(case: tuple[str, Any, str, str]) -> None:
    assert_proved(*case[1:])


@pytest.mark.parametrize("case", FALSE, ids=[c[0] for c in FALSE])
def test_near_misses_are_refuted(case: tuple[str, Any, str, str]) -> None:
    assert_refuted(*case[1:])


def test_a_tail_that_is_known_by_its_name_is_not_said_to_hold_where_it_fails() -> None:
    verdict = ep.check(lambda x: stats.chi2.sf(x, 3), "x: n -> n", "Scale(n)", budget=8)
    assert not verdict.holds


@pytest.mark.parametrize(
    "function",
    [
        lambda x: norm.rvs(size=3) * x[0],
        lambda x: x * stats.kendalltau(x, x)[1],
        lambda x: norm.fit(x)[0] * x,
    ],
    ids=["draws", "p-value from orders", "fit"],
)
def test_what_is_not_traced_is_refused(function: Any) -> None:
    with pytest.raises(TraceError):
        trace_all_sizes(function, parse_signature("x: n -> n"))


def test_a_distribution_with_a_generator_of_its_own_is_refused() -> None:
    mine = norm(0)
    mine.random_state = 3
    with pytest.raises(TraceError):
        trace_all_sizes(lambda x: mine.cdf(x), parse_signature("x: n -> n"))


def test_a_distribution_whose_parameters_change_is_state() -> None:
    mine = norm(0)

    def function(x: Any) -> Any:
        found = mine.cdf(x)
        mine.kwds["scale"] = mine.kwds.get("scale", 1) + 1
        return found

    verdict = ep.check(function, "x: n -> n", "S(n)", budget=4)
    assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED")


