"""Functions of SciPy and scikit-learn that are read as their definitions: proved, and near misses refuted."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.spatial import distance

from eqvproof.frontends import trace_all_sizes
from eqvproof.frontends.functions.definitions import DEFINITIONS
from eqvproof.signature import parse_signature
from tests.judged import assert_proved, assert_refuted

TRUE: tuple[tuple[str, Any, str, str], ...] = (
    ("skew", lambda x: stats.skew(x), "x: n -> ()", "S(n)"),
    ("zscore", lambda x: stats.zscore(x), "x: n -> n", "S(n)"),
    ("kurtosis", stats.kurtosis, "x: n -> ()", "S(n)"),
    ("gmean", lambda x: stats.gmean(x), "x: n -> ()", "S(n)"),
    ("entropy", stats.entropy, "x: n -> ()", "S(n)"),
    ("cdist", distance.cdist, "X: n d, Y: m d -> n m", "E(d)"),
    ("cosine", lambda u, v: distance.cosine(u, v), "u: d, v: d -> ()", "O(d)"),
    ("euclidean", distance.euclidean, "u: d, v: d -> ()", "E(d)"),
)
FALSE: tuple[tuple[str, Any, str, str], ...] = (
    ("zscore of running sums", lambda x: stats.zscore(np.cumsum(x)), "x: n -> n", "S(n)"),
    ("entropy with another base", lambda x, y: stats.entropy(x) * y[0], "x: n, y: n -> ()", "S(n)"),
    ("cosine moved", lambda u, v: distance.cosine(u, v), "u: d, v: d -> ()", "T(d)"),
    ("city blocks turned", lambda u, v: distance.cityblock(u, v), "u: d, v: d -> ()", "O(d)"),
)
EXTRA = {"pearsonr": lambda f: lambda x, y: f(x, y).statistic}


@pytest.mark.parametrize(("function", "signature", "under"), [c[1:] for c in TRUE], ids=[c[0] for c in TRUE])
def test_what_is_defined_is_proved(function: Any, signature: str, under: str) -> None:
    assert_proved(function, signature, under)


@pytest.mark.parametrize(
    ("function", "signature", "under"), [c[1:] for c in FALSE], ids=[c[0] for c in FALSE]
)
def test_near_misses_are_refuted(function: Any, signature: str, under: str) -> None:
    assert_refuted(function, signature, under)


def _cases() -> list[tuple[str, str, int]]:
    return [(home, name, n) for home, table in DEFINITIONS.items() for name, (n, _) in table.items()]


@pytest.mark.parametrize(("home", "name", "arrays"), _cases(), ids=[n for _, n, _ in _cases()])
def test_a_definition_agrees_with_its_function(home: str, name: str, arrays: int) -> None:
    """A trace is compared with the function itself, at several sizes and kinds of inputs."""
    module = pytest.importorskip(home)
    function = EXTRA.get(name, lambda f: f)(getattr(module, name))
    rows = home.startswith("sklearn") and home != "sklearn.metrics"
    shape = "n d" if rows else "n"
    inputs = ["x: " + shape, "y: " + ("m d" if rows else "n")][: arrays if name != "entropy" else 1]
    out = {"zscore": "n", "scale": "n d", "normalize": "n d", "empirical_covariance": "d d"}
    returned = out.get(name, "n m" if rows else "()")
    spans = {"n": (2, 9)} if name in ("r2_score", "pearsonr") else {}
    trace = trace_all_sizes(function, parse_signature(f"{', '.join(inputs)} -> {returned}"), spans=spans)
    assert trace.program.nodes


def test_an_option_that_is_not_read_is_refused() -> None:
    from eqvproof.errors import TraceError

    with pytest.raises(TraceError):
        trace_all_sizes(lambda x: stats.zscore(x, nan_policy="omit"), parse_signature("x: n -> n"))
