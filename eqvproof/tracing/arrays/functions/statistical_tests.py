"""Statistical tests of ``scipy.stats``, as their documentation states them; see `definitions`.

Each returns what SciPy does: a tuple with names of the statistic and its p-value. A p-value that
SciPy counts from all orders of the observations has no formula here: it may be dropped, and its use
is refused.

With t from Student's distribution of k degrees of freedom, the two-sided p-value is the regularized
incomplete beta function ``I_x(k / 2, 1 / 2)`` at ``x = k / (k + t^2)``, which is 0 where t is
infinite; the upper tail of F(m, k) is ``I_x(k / 2, m / 2)`` at ``x = k / (k + m F)``.
Source: https://dlmf.nist.gov/8.17, and the definitions of both distributions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import reduce

from eqvproof.tracing.arrays.functions.definitions import (
    STATS,
    centred,
    defines,
    pairs_of_rows,
    rankdata,
    require_vectors,
)
from eqvproof.tracing.arrays.object_state import Untold
from eqvproof.tracing.arrays.values import Array, xp


class TestResult(tuple[object, ...]):
    """A tuple whose entries have names, and further values that have only names."""

    __test__ = False

    def __new__(cls, names: str, *values: object, **more: object) -> TestResult:
        """Makes a tuple of values under names; `more` is in no entry."""
        made = super().__new__(cls, values)
        vars(made).update(zip(names.split(), values, strict=True), **more)
        return made


def _result(statistic: object, pvalue: object, **more: object) -> TestResult:
    return TestResult("statistic pvalue", statistic, pvalue, **more)


def _counted(test: str) -> Untold:
    return Untold(f"the p-value of scipy.stats.{test} is not traced")


def _special(name: str, *arguments: object) -> Array:
    function: Callable[..., Array] = getattr(sys.modules["scipy.special"], name)
    return function(*arguments)


def _total(terms: Iterable[Array]) -> Array:
    return reduce(xp.add, terms)


def _tail(share: Array, freedom: Array, parameters: Array | int = 1) -> Array:
    """Returns the upper tail of F(parameters, freedom); Student's two tails for one parameter.

    The share is ``freedom / (freedom + parameters F)``: of a sum of squares, what is not explained.
    """
    return _special("betainc", freedom / 2, parameters / 2, share)


def _correlation(x: Array, y: Array) -> Array:
    x, y = centred(x, 0), centred(y, 0)
    return xp.sum(x * y) / xp.sqrt(xp.sum(x * x) * xp.sum(y * y))


@defines(STATS, "pearsonr", arrays=2)
def _pearsonr(x: Array, y: Array) -> TestResult:
    """Returns Pearson's correlation; two observations have the p-value 1."""
    require_vectors(x, y)
    count, r = xp.sum(xp.ones_like(x)), _correlation(x, y)
    p = xp.where(count == 2, 1 + 0 * r, _tail(1 - r * r, count - 2))
    return _result(r, p, correlation=r)


@defines(STATS, "spearmanr", arrays=2)
def _spearmanr(x: Array, y: Array) -> TestResult:
    """Returns the correlation of ranks."""
    require_vectors(x, y)
    r, freedom = _correlation(rankdata(x), rankdata(y)), x.shape[0] - 2
    return _result(r, _tail(1 - r * r + 0 / freedom, freedom), correlation=r)


@defines(STATS, "kendalltau", arrays=2)
def _kendalltau(x: Array, y: Array) -> TestResult:
    """Returns Kendall's tau, the correlation of the signs of differences."""
    require_vectors(x, y)
    u, v = (xp.sign(xp.subtract(*pairs_of_rows(a, a))) for a in (x, y))
    tau = xp.sum(u * v) / xp.sqrt(xp.sum(u * u) * xp.sum(v * v))
    return _result(tau, _counted("kendalltau"), correlation=tau)


@defines(STATS, "chisquare")
def _chisquare(f_obs: Array) -> TestResult:
    """Returns the chi-square statistic against equal frequencies."""
    expected = xp.mean(f_obs, axis=0, keepdims=True)
    found = xp.sum((f_obs - expected) ** 2 / expected, axis=0)
    return _result(found, _special("chdtrc", f_obs.shape[0] - 1, found))


def _student(gap: Array, variance: Array, freedom: Array) -> TestResult:
    """Returns Student's statistic of a difference and the variance of its estimate."""
    share = freedom * variance / (freedom * variance + gap * gap)
    return _result(gap / xp.sqrt(variance), _tail(share, freedom), df=freedom)


@defines(STATS, "ttest_1samp")
def _ttest_1samp(x: Array, popmean: object) -> TestResult:
    count = x.shape[0]
    return _student(xp.mean(x, axis=0) - popmean, xp.var(x, axis=0, ddof=1) / count, count - 1)


@defines(STATS, "ttest_rel", arrays=2)
def _ttest_rel(x: Array, y: Array) -> TestResult:
    return _ttest_1samp(x - y, 0)


@defines(STATS, "ttest_ind", arrays=2)
def _ttest_ind(x: Array, y: Array, *, equal_var: bool = True) -> TestResult:
    n, m = x.shape[0], y.shape[0]
    gap = xp.mean(x, axis=0) - xp.mean(y, axis=0)
    if equal_var:
        freedom = n + m - 2
        squares = _total(xp.sum(centred(v, 0) ** 2, axis=0) for v in (x, y))
        return _student(gap, squares / freedom * (1 / n + 1 / m), freedom)
    first, second = xp.var(x, axis=0, ddof=1) / n, xp.var(y, axis=0, ddof=1) / m
    freedom = (first + second) ** 2 / (first**2 / (n - 1) + second**2 / (m - 1))
    return _student(gap, first + second, freedom)


@defines(STATS, "f_oneway", arrays=99)
def _f_oneway(*samples: Array) -> TestResult:
    """Returns the F statistic of samples: the variance between them by that within."""
    count, groups = sum(x.shape[0] for x in samples), len(samples)
    middle = _total(xp.sum(x, axis=0) for x in samples) / count
    within = _total(xp.sum(centred(x, 0) ** 2, axis=0) for x in samples)
    between = _total(x.shape[0] * (xp.mean(x, axis=0) - middle) ** 2 for x in samples)
    found = (between / (groups - 1)) / (within / (count - groups))
    return _result(found, _tail(within / (within + between), count - groups, groups - 1))


@defines(STATS, "mannwhitneyu", arrays=2)
def _mannwhitneyu(x: Array, y: Array) -> TestResult:
    return _result(_larger_pairs(x, y), _counted("mannwhitneyu"))


def _larger_pairs(x: Array, y: Array) -> Array:
    """Counts the pairs in which x is larger; equal ones count half."""
    require_vectors(x, y)
    u, v = pairs_of_rows(x, y)
    return xp.sum((u > v) + (u == v) / 2)


@defines(STATS, "ks_2samp", arrays=2)
def _ks_2samp(x: Array, y: Array) -> TestResult:
    """Returns the largest difference of the empirical distribution functions of two samples."""
    require_vectors(x, y)
    both = xp.concatenate([x, y])
    shares = [xp.mean(xp.less_equal(*reversed(pairs_of_rows(both, v))), axis=1) for v in (x, y)]
    return _result(xp.max(xp.abs(shares[0] - shares[1])), _counted("ks_2samp"))


@defines(STATS, "levene", arrays=99)
def _levene(*samples: Array, center: str = "median") -> TestResult:
    """Returns the F statistic of the distances of samples from their medians, or means."""
    require_vectors(*samples)
    middle = {"median": xp.median, "mean": xp.mean}[center]
    return _f_oneway(*(xp.abs(x - middle(x)) for x in samples))


@defines(STATS, "kruskal", arrays=99)
def _kruskal(*samples: Array) -> TestResult:
    """Returns the Kruskal-Wallis statistic of samples, corrected for ties.

    It is the variance between the samples of ranks, by the variance of all ranks.
    """
    require_vectors(*samples)
    both = xp.concatenate(samples)
    count = both.shape[0]
    ranks = [
        xp.sum(xp.less(*reversed(pairs_of_rows(x, both))), axis=1)
        + (xp.sum(xp.equal(*pairs_of_rows(x, both)), axis=1) + 1) / 2
        for x in samples
    ]
    between = _total(r.shape[0] * (xp.mean(r) - (count + 1) / 2) ** 2 for r in ranks)
    ties = xp.sum(xp.sum(xp.equal(*pairs_of_rows(both, both)), axis=1) ** 2 - 1)
    found = between * 12 / (count * (count + 1)) / (1 - ties / (count**3 - count))
    return _result(found, _special("chdtrc", len(samples) - 1, found))


@defines(STATS, "ranksums", arrays=2)
def _ranksums(x: Array, y: Array) -> TestResult:
    """Returns Mann and Whitney's U, standardized."""
    n, m = x.shape[0], y.shape[0]
    z = (_larger_pairs(x, y) - n * m / 2) / xp.sqrt(n * m * (n + m + 1) / 12)
    return _result(z, 2 * _special("ndtr", -xp.abs(z)))


@defines(STATS, "jarque_bera")
def _jarque_bera(x: Array) -> TestResult:
    """Returns the Jarque-Bera statistic, from skewness and excess kurtosis.

    The tail of the chi-square distribution of two degrees of freedom is exp(-x / 2).
    """
    require_vectors(x)
    third, fourth = (
        xp.mean(centred(x, 0) ** k) / xp.mean(centred(x, 0) ** 2) ** (k / 2) for k in (3, 4)
    )
    found = x.shape[0] / 6 * (third**2 + (fourth - 3) ** 2 / 4)
    return _result(found, xp.exp(-found / 2))


@defines(STATS, "linregress", arrays=2)
def _linregress(x: Array, y: Array) -> TestResult:
    """Returns the line through points; for two points p-value and errors are exceptions."""
    require_vectors(x, y)
    count, u, v = xp.sum(xp.ones_like(x)), centred(x, 0), centred(y, 0)
    slope, r = xp.sum(u * v) / xp.sum(u * u), _correlation(x, y)
    few = count == 2
    p = xp.where(few, xp.all(v == 0) + 0 * slope, _tail(1 - r * r, count - 2))
    residual = xp.sum((v - slope * u) ** 2) / xp.where(few, 1, count - 2)
    error = xp.where(few, 0 * slope, xp.sqrt(residual / xp.sum(u * u)))
    return TestResult(
        "slope intercept rvalue pvalue stderr", slope, xp.mean(y) - slope * xp.mean(x), r, p, error,
        intercept_stderr=error * xp.sqrt(xp.mean(x * x)),
    )  # fmt: skip
