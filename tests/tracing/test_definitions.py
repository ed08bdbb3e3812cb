"""Functions of SciPy and scikit-learn that are read as their definitions: proved, and near misses refuted."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import linalg, ndimage, signal, special, stats
from scipy.spatial import distance

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.tracing.arrays.functions.definitions import DEFINITIONS, FOURIER
from eqvproof.tracing.arrays.functions.filters import IMAGES
from eqvproof.tracing.numpy.trace import trace_all_sizes, trace_at
from tests.judged import assert_proved, assert_refuted

TRUE: tuple[tuple[str, Any, str, str], ...] = (
    ("skew", lambda x: stats.skew(x), "x: n -> ()", "S(n)"),
    ("zscore", lambda x: stats.zscore(x), "x: n -> n", "S(n)"),
    ("kurtosis", stats.kurtosis, "x: n -> ()", "S(n)"),
    ("gmean", lambda x: stats.gmean(x), "x: n -> ()", "S(n)"),
    ("entropy", stats.entropy, "x: n -> ()", "S(n)"),
    ("cdist", distance.cdist, "X: n d, Y: m d -> n m", "E(d)"),
    ("cosine", lambda u, v: distance.cosine(u, v), "u: d, v: d -> ()", "O(d)"),
    ("detrend", lambda x: signal.detrend(x, type="constant"), "x: n -> n", "S(n)"),
    ("euclidean", distance.euclidean, "u: d, v: d -> ()", "E(d)"),
    ("pairs", lambda X: distance.pdist(X).mean(), "X: n d -> ()", "E(d) x S(n)"),
    ("spread of pairs", lambda X: np.std(distance.pdist(X)), "X: n d -> ()", "E(d) x S(n)"),
    ("energy of pairs", lambda X: np.sum(1 / distance.pdist(X) ** 6), "X: n d -> ()", "E(d) x S(n)"),
    ("diameter", lambda X: distance.pdist(X, "cityblock").max(), "X: n d -> ()", "T(d) x S(n)"),
    ("lengths by 3", lambda X: distance.cdist(X, X, "minkowski", p=3), "X: n d -> n n", "T(d) x S(n)"),
    ("lengths by 2", lambda X: distance.cdist(X, X, "minkowski", p=2), "X: n d -> n n", "E(d) x S(n)"),
    ("kernel", lambda X: distance.squareform(np.exp(-distance.pdist(X))), "X: n d -> n n", "E(d) x S(n)"),
    ("correlation", lambda x, y: np.corrcoef(x, y)[0, 1], "x: n, y: n -> ()", "S(n)"),
    ("variance", lambda x: np.cov(x), "x: n -> ()", "S(n)"),
    ("covariances", lambda X, y: np.cov(X, y, rowvar=False)[:-1, -1], "X: n d, y: n -> d", "S(n)"),
    ("deviation from the median", lambda x: stats.median_abs_deviation(x), "x: n -> ()", "S(n)"),
    ("variation", lambda x: stats.variation(x), "x: n -> ()", "S(n)"),
    ("canberra", lambda u, v: distance.canberra(u, v), "u: n, v: n -> ()", "S(n)"),
    ("Bray-Curtis", lambda u, v: distance.braycurtis(u, v), "u: n, v: n -> ()", "S(n)"),
    ("histogram", lambda x: np.histogram(x, bins=4, range=(-1, 1))[0], "x: n -> 4", "S(n)"),
    (
        "density",
        lambda x, w: np.histogram(x, [0, 1, 3], density=True, weights=w)[0],
        "x: n, w: n -> 2",
        "S(n)",
    ),
    ("bins", lambda x: np.bincount(np.digitize(x, [0.0, 1.0]), weights=x, minlength=3), "x: n -> 3", "S(n)"),
    ("descending bins", lambda x: np.digitize(x, [3.0, 1.0], right=True) * x, "x: n -> n", "S(n)"),
    ("places among numbers", lambda x: np.searchsorted([0, 1, 1, 2], x, side="right"), "x: n -> n", "S(n)"),
    ("ranks", stats.rankdata, "x: n -> n", "S(n)"),
    ("rank correlation", lambda x, y: stats.kendalltau(x, y).statistic, "x: n, y: n -> ()", "S(n)"),
    ("rank sums", lambda x, y: stats.mannwhitneyu(x, y).statistic, "x: n, y: m -> ()", "S(n) x S(m)"),
    ("Levene", lambda x, y: stats.levene(x, y).statistic, "x: n, y: m -> ()", "S(n) x S(m)"),
    ("Kruskal and Wallis", lambda x, y: stats.kruskal(x, y).statistic, "x: n, y: m -> ()", "S(n) x S(m)"),
    ("ranks of two", lambda x, y: stats.ranksums(x, y).statistic, "x: n, y: m -> ()", "S(n) x S(m)"),
    ("Jarque and Bera", lambda x: stats.jarque_bera(x).statistic, "x: n -> ()", "S(n)"),
    ("trimmed", lambda x: stats.trim_mean(x, 0.1), "x: n -> ()", "S(n)"),
    ("shares", lambda x: np.searchsorted(np.sort(x), x, side="right"), "x: n -> n", "S(n)"),
    ("log gamma", lambda c: special.gammaln(c + 1).sum() + special.psi(c.sum()), "c: n -> ()", "S(n)"),
    ("Cholesky", lambda A: linalg.cholesky(A @ A.T + np.eye(2)), "A: 2 d -> 2 2", "O(d)"),
    ("trimmed columns", lambda X: stats.trim_mean(X, 0.25, axis=0), "X: n d -> d", "S(n) x S(d)"),
    ("correlations", lambda X, Y: distance.cdist(X, Y, "correlation"), "X: n d, Y: m d -> n m", "S(d)"),
    ("round", lambda x: ndimage.convolve1d(x, [1.0, 2.0, 4.0, 8.0], mode="wrap"), "x: n -> n", "C(n)"),
    ("rows", lambda X: ndimage.uniform_filter1d(X, 4, axis=0), "X: n d -> n d", "S(d)"),
    ("Gaussian", lambda X: ndimage.gaussian_filter1d(X, 0.6, mode="constant"), "X: b n -> b n", "S(b)"),
    ("Gaussian image", lambda X: ndimage.gaussian_filter(X, 0.6, mode="wrap"), "X: n m -> n m", "C(n)"),
    ("Gaussian rows", lambda X: ndimage.gaussian_filter(X, (0, 0.6)), "X: b n -> b n", "S(b)"),
    ("mean image", lambda X: ndimage.uniform_filter(X, (1, 3), mode="wrap"), "X: b n -> b n", "S(b) x C(n)"),
    ("Sobel", lambda X: ndimage.sobel(X, 0, mode="wrap"), "X: n m -> n m", "C(n) x C(m)"),
    ("Prewitt", lambda X: ndimage.prewitt(X, mode="wrap"), "X: n m -> n m", "C(n) x C(m)"),
    ("Laplace", lambda X: ndimage.laplace(X, mode="wrap"), "X: n m -> n m", "C(n) x C(m)"),
    ("over axes", lambda X: np.apply_over_axes(np.sum, X, [0, 1]), "X: n m d -> 1 1 d", "S(n) x S(m) x O(d)"),
    ("median kept", lambda x: np.apply_over_axes(np.median, np.asarray_chkfinite(x), 0), "x: n -> 1", "S(n)"),
    ("relative entropy", lambda p, q: stats.entropy(p, q), "p: n, q: n -> ()", "S(n)"),
)
FALSE: tuple[tuple[str, Any, str, str], ...] = (
    ("zscore of running sums", lambda x: stats.zscore(np.cumsum(x)), "x: n -> n", "S(n)"),
    ("entropy with another base", lambda x, y: stats.entropy(x) * y[0], "x: n, y: n -> ()", "S(n)"),
    ("pairs of directions", lambda X: distance.pdist(X, "cosine").sum(), "X: n d -> ()", "E(d)"),
    ("pairs and the first", lambda X: distance.pdist(X).sum() * X[0, 0], "X: n d -> ()", "S(n)"),
    ("correlation and the first", lambda x, y: np.corrcoef(x, y)[0, 1] * x[0], "x: n, y: n -> ()", "S(n)"),
    ("Levene, one shuffled", lambda x: stats.levene(x[1:], x[:-1]).statistic, "x: n -> ()", "S(n)"),
    ("Jarque and Bera of sums", lambda x: stats.jarque_bera(x.cumsum()).statistic, "x: n -> ()", "S(n)"),
    ("Kruskal and Wallis, in order", lambda x: stats.kruskal(x[1:], x[:1]).statistic, "x: n -> ()", "S(n)"),
    ("cosine moved", lambda u, v: distance.cosine(u, v), "u: d, v: d -> ()", "T(d)"),
    ("ends of a convolution", lambda x: signal.convolve(x, [1.0, 2.0], "same"), "x: n -> n", "C(n)"),
    ("reflected image", lambda X: ndimage.gaussian_filter(X, 0.6), "X: n 3 -> n 3", "C(n)"),
    ("Sobel of a set", lambda X: ndimage.sobel(X, 0, mode="wrap"), "X: n m -> n m", "S(m)"),
    ("over axes turned", lambda X: np.apply_over_axes(np.max, X, [1]), "X: n d -> n 1", "O(d)"),
    ("reflected ends", lambda x: ndimage.convolve1d(x, [1.0, 2.0, 1.0]), "x: n -> n", "C(n)"),
    ("repeated ends", lambda x: ndimage.uniform_filter1d(x, 3, mode="nearest"), "x: n -> n", "C(n)"),
    ("zeros at ends", lambda x: ndimage.gaussian_filter1d(x, 0.6, mode="constant"), "x: n -> n", "C(n)"),
    ("trimmed columns turned", lambda X: stats.trim_mean(X, 0.25, axis=0), "X: n d -> d", "O(d)"),
    ("correlations turned", lambda X: distance.cdist(X, X, "correlation"), "X: n d -> n n", "O(d)"),
    ("ranks and their places", lambda x: stats.rankdata(x).cumsum(), "x: n -> n", "S(n)"),
    ("ranks of signs", lambda x: stats.rankdata(x), "x: n -> n", "Signs(n)"),
    ("log gamma and the first", lambda c: special.gammaln(c).sum() * c[0], "c: n -> ()", "S(n)"),
    ("digamma turned", lambda c: special.digamma(c), "c: n -> n", "Signs(n)"),
    ("gamma scaled", lambda c: special.gamma(c), "c: n -> n", "Scale(n)"),
    ("canberra turned", lambda u, v: distance.canberra(u, v), "u: d, v: d -> ()", "O(d)"),
    ("variation and the first", lambda x: stats.variation(x) * x[0], "x: n -> ()", "S(n)"),
    ("histogram and the first", lambda x: np.histogram(x, [0, 1, 3])[0] * x[0], "x: n -> 2", "S(n)"),
    ("histogram of signs", lambda x: np.histogram(x, bins=2, range=(-1, 1))[0], "x: n -> 2", "Signs(n)"),
    ("running places", lambda x: np.searchsorted([0, 1], x).cumsum(), "x: n -> n", "S(n)"),
    ("lengths by 3 turned", lambda X: distance.cdist(X, X, "minkowski", p=3), "X: n d -> n n", "O(d)"),
    ("city blocks turned", lambda u, v: distance.cityblock(u, v), "u: d, v: d -> ()", "O(d)"),
)
#: Values in floats at which definitions are compared with their functions.
EDGES = np.array([0.0, 1.0, -1.0, 2.0, 1e-17, 3e-15, -3e-16, 1 + 2**-52])
EXTRA = {
    "pearsonr": lambda f: lambda x, y: f(x, y).statistic,
    "convolve": lambda f: lambda x: f(np.concatenate([x, x, x]), [1.0, 2.0, 4.0], "same"),
    "detrend": lambda f: lambda x: f(x, type="constant"),
    "correlate1d": lambda f: lambda x: f(x, [1.0, 2.0, 4.0, 8.0], mode="nearest"),
    "convolve1d": lambda f: lambda x: f(x, [1.0, 2.0, 4.0, 8.0], mode="constant", cval=3.0),
    "uniform_filter1d": lambda f: lambda x: f(x, 3),
    "gaussian_filter1d": lambda f: lambda x: f(x, 0.8, mode="wrap"),
    "uniform_filter": lambda f: lambda x: f(x, 3),
    "gaussian_filter": lambda f: lambda x: f(x, 0.8, mode="wrap"),
    "pmean": lambda f: lambda x: f(x, 3) + f(x, -2),
    "trim_mean": lambda f: lambda x: f(x, 0.25),
    "moment": lambda f: lambda x: f(x, 3),
    "chisquare": lambda f: lambda x: f(x).statistic,
    "ttest_1samp": lambda f: lambda x: f(x, 0.5).statistic,
    "ttest_ind": lambda f: lambda x, y: f(x, y).statistic + f(x, y, equal_var=False).statistic,
    "jarque_bera": lambda f: lambda x: f(x).statistic,
    **dict.fromkeys(("levene", "kruskal", "ranksums"), lambda f: lambda x, y: f(x, y).statistic),
    "linregress": lambda f: lambda x, y: f(x, y).slope + f(x, y).intercept,
    **dict.fromkeys(
        ("ttest_rel", "f_oneway", "spearmanr", "kendalltau", "mannwhitneyu", "ks_2samp"),
        lambda f: lambda x, y: f(x, y).statistic,
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("function", "signature", "under"), [c[1:] for c in TRUE], ids=[c[0] for c in TRUE])
def test_what_is_defined_is_proved(function: Any, signature: str, under: str) -> None:
    assert_proved(function, signature, under)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("function", "signature", "under"), [c[1:] for c in FALSE], ids=[c[0] for c in FALSE]
)
def test_near_misses_are_refuted(function: Any, signature: str, under: str) -> None:
    assert_refuted(function, signature, under)


def test_rows_next_to_zero_are_not_divided_by_their_lengths() -> None:
    """scikit-learn divides by lengths from ten roundings of 1 on: such are O(d) and no multiples."""
    preprocessing = pytest.importorskip("sklearn.preprocessing")

    def normalize(x: Any) -> Any:
        return preprocessing.normalize(x)

    def plain(x: Any) -> Any:
        length = np.sqrt(np.sum(x * x, axis=1, keepdims=True))
        return x / np.where(length == 0, 1.0, length)

    assert_proved(normalize, "x: n d -> n d", "O(d) x S(n)")
    small = np.array([[1e-20]])
    assert normalize(small) != plain(small)
    verdict = ep.identical(normalize, plain, "x: n d -> n d", budget=30)
    assert not verdict.holds or verdict.grade == "TESTED"


@pytest.mark.filterwarnings("ignore:Precision loss")
@pytest.mark.parametrize("function", [lambda x: stats.zscore(x)[0], lambda x: stats.skew(x)])
def test_scores_of_what_is_all_but_constant_have_no_value(function: Any) -> None:
    """SciPy gives NaN where the deviation is one rounding of the mean; only multiples keep where that is."""
    assert_proved(function, "x: n d -> d!", "Scale(d)")
    x = np.array([[0.0], [1.0], [2.0], [5.0]])
    assert np.isfinite(function(x)).all() and np.isnan(function(x + 2.0**54)).all()
    verdict = ep.check(function, "x: n d -> d!", "T(d)", budget=2)
    assert not verdict.holds or verdict.grade == "TESTED", str(verdict)


def _cases() -> list[tuple[str, str, int]]:
    return [(home, name, n) for home, table in DEFINITIONS.items() for name, (n, _) in table.items()]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("home", "name", "arrays"), _cases(), ids=[n for _, n, _ in _cases()])
def test_a_definition_agrees_with_its_function(home: str, name: str, arrays: int) -> None:
    """A trace is compared with the function itself, at several sizes and kinds of inputs."""
    module = pytest.importorskip(home)
    function = EXTRA.get(name, lambda f: f)(getattr(module, name))
    rows = home.startswith("sklearn") and home != "sklearn.metrics"
    shape = "n d" if rows else "n"
    paired = name.startswith("paired")
    second = "m d" if rows and not paired else shape
    inputs = ["x: " + shape, "y: " + second][: arrays if name != "entropy" else 1]
    out = {"zscore": "n", "scale": "n d", "normalize": "n d", "empirical_covariance": "d d"}
    out |= {"detrend": "n", "convolve": "m", "rankdata": "n"} | ({name: "n"} if paired else {})
    alike = [*DEFINITIONS[IMAGES], *DEFINITIONS[FOURIER]]
    out |= dict.fromkeys([name for name in alike if name not in out], "n")
    returned = out.get(name, "n m" if rows else "()")
    few = name.startswith(("ttest", "linregress")) or name.endswith(("_score", "sonr", "manr", "tau"))
    spans = {"n": (2, 9)} if few else {}
    read = parse_signature(f"{', '.join(inputs)} -> {returned}")
    if name.endswith("fftshift"):  # by half of the size, which is no polynomial in it
        assert all(trace_at(function, read, {"n": n}).program.nodes for n in (4, 5))
    else:
        assert trace_all_sizes(function, read, spans=spans).program.nodes


def test_a_filter_wider_than_twice_an_axis_is_claimed_of_longer_ones_alone() -> None:
    """There ends are reflected more than once."""
    verdict = assert_proved(lambda x: ndimage.correlate1d(x, [1.0, 2, 3, 4, 5]), "x: b n -> b n", "S(b)")
    assert verdict.sizes == ({"b": "all", "n": [2, None]},)


NEXT_TO_ZERO = ["entropy", "gmean", "scale", "normalize", "cosine_similarity", "zscore", "skew", "kurtosis"]


@pytest.mark.filterwarnings("ignore:Precision loss")
@pytest.mark.parametrize("name", NEXT_TO_ZERO)
def test_a_definition_agrees_next_to_zero(name: str) -> None:
    """Where its function asks whether a number is 0 or small: at zeros, signs and tiny numbers, by floats."""
    home = next(home for home, table in DEFINITIONS.items() if name in table)
    function, (arrays, definition) = getattr(pytest.importorskip(home), name), DEFINITIONS[home][name]
    rows = home.startswith("sklearn")
    tables = [np.array(t).reshape(2, 1 + rows, order="F") for t in product(EDGES, repeat=2 * (1 + rows))]
    columns = tables if rows else [t[:, 0] for t in tables]
    others = [None] if rows or arrays == 1 else columns
    with np.errstate(all="ignore"):
        for x, y in product(columns, others):
            given = [a for a in (x, y) if a is not None]
            left, right = function(*[a.copy() for a in given]), definition(*given)
            finite = np.isfinite(left)
            assert np.array_equal(finite, np.isfinite(right)), (name, given, left, right)
            np.testing.assert_allclose(
                np.where(finite, left, 0), np.where(finite, right, 0), atol=1e-6, err_msg=str(given)
            )


def test_an_option_that_is_not_read_is_refused() -> None:
    from eqvproof.support.errors import TraceError

    with pytest.raises(TraceError):
        trace_all_sizes(lambda x: stats.zscore(x, nan_policy="omit"), parse_signature("x: n -> n"))


def test_histograms_count_as_numpy_does_at_the_bounds() -> None:
    x = np.array([-1.0, -0.5, 0.0, 0.5, 1.0, 1.5, -2.0])
    for function in (
        lambda x: np.histogram(x, bins=4, range=(-1, 1))[0],
        lambda x: np.histogram(x, [-1.0, 0.0, 0.5], density=True)[0],
        lambda x: np.digitize(x, [1.0, 0.5, -1.0]),
        lambda x: np.digitize(x, [1.0, 0.5, -1.0], right=True),
        lambda x: np.searchsorted([-1.0, 0.5], x, side="right"),
        lambda x: np.searchsorted([-1.0, 0.5], x),
    ):
        length = "n" if len(function(x)) == len(x) else str(len(function(x)))
        program = trace_all_sizes(function, parse_signature(f"x: n -> {length}")).program
        np.testing.assert_allclose(evaluate_float(program, {"x": x}, {"n": len(x)}), function(x))
