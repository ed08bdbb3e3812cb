"""The line that a verdict names: of a product folded into a later sum, where no sum could mend it."""

from __future__ import annotations

import numpy as np
import pytest

import eqvproof as ep


def weighted_late(X, Z):
    values = Z * np.arange(Z.shape[1])  # culprit
    weights = np.exp(Z.T @ X)
    return values @ weights


def masked_sum(A):
    upper = A * np.tri(len(A))  # culprit
    both = upper + upper.T
    return both.sum(axis=1)


def scaled_coordinates(X):
    scaled = X * np.arange(X.shape[0])[:, None]  # culprit
    return scaled.T @ X


def summed_coordinates(X):
    total = X.sum(axis=0)  # culprit
    return total * X


def squares_summed_wrongly(X):
    squares = X * X
    return squares.sum(axis=1)  # culprit


def squares_summed_well_then_added(X):
    squares = X * X
    norms = squares.sum(axis=0)
    return X + norms  # culprit


def products_of_points(X):
    squares = X * X  # culprit
    return squares.sum(axis=1)


def weights_that_do_not_sum_to_one(X, w):
    parts = X * w[:, None]
    return parts.sum(axis=0)  # culprit


def one_sign_left(x, y):
    products = x * y
    thirds = products * x  # kept, it would be odd
    return thirds.sum()  # culprit


def added_in_place(v, s):
    t = 2 * v
    t = t + np.tanh(s)  # culprit
    return v + t


def added_with_equals(v, s):
    t = v.copy()
    t += s  # culprit
    t += v
    return t


def a_number_added(x):
    y = x * (x**2).sum(1, keepdims=True)
    y = y + 1.0  # culprit
    return y - x


def a_bias_in_a_chain(x, s):
    y = x - x.mean(0)
    y = y + s  # culprit
    y = y + 2 * x
    return y - 3 * x.sum(0)


def positions_added(x):
    h = np.tanh(x)
    h = h + np.arange(len(x))[:, None]  # culprit
    h = h + x
    return h * 2


def a_number_that_cancels(x, s):
    y = x + 1.0
    z = y - 1.0
    return z + s  # culprit


def points_that_cancel(x, y):
    both = x + y
    rest = both - y
    return rest + x  # culprit


CASES = [
    (added_in_place, "v: n 3, s: n 3! -> n 3", "O(3)"),
    (added_with_equals, "v: n 3, s: n 3! -> n 3", "O(3)"),
    (a_number_added, "x: n 3 -> n 3", "O(3)"),
    (a_bias_in_a_chain, "x: n 3, s: n 3! -> n 3", "O(3)"),
    (positions_added, "x: n d -> n d", "S(n)"),
    (a_number_that_cancels, "x: n 3, s: n 3! -> n 3", "O(3)"),
    (points_that_cancel, "x: n d, y: n d -> n d", "T(d)"),
    (weighted_late, "X: d n, Z: d k -> d n", "S(k)"),
    (masked_sum, "A: n n -> n", "S(n)"),
    (scaled_coordinates, "X: d n -> n n", "O(d)"),
    (summed_coordinates, "X: d n -> d n", "O(d)"),
    (squares_summed_wrongly, "X: d n -> d", "O(d)"),
    (squares_summed_well_then_added, "X: d n -> d n", "O(d)"),
    (products_of_points, "X: n d -> n", "T(d)"),
    (weights_that_do_not_sum_to_one, "X: n d, w: n -> d", "T(d)"),
    (one_sign_left, "x: n, y: n -> ()", "Signs(n)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), CASES, ids=lambda c: getattr(c, "__name__", None))
def test_the_culprit_is_named(f, signature, under):
    verdict = ep.check(f, signature, under, budget=10.0)
    assert verdict.fails, str(verdict)
    named = verdict.reason.split("test_failing_line.py:")[1]
    assert "# culprit" in named, verdict.reason


def test_a_proof_does_not_need_it():
    def f(X):
        squares = X * X
        return squares.sum(axis=0)

    assert ep.check(f, "X: d n -> n", "O(d)").grade == "PROVED"


def test_a_submodule_of_a_library_is_named_by_its_path():
    """No line of `Sequential` is the user's: the path of the layer takes its place."""
    nn = pytest.importorskip("torch").nn

    class Gate(nn.Module):
        def forward(self, x):
            return x * x.norm(dim=-1, keepdim=True)

    inner = nn.Sequential(Gate(), nn.Softplus())
    verdict = ep.prove(nn.Sequential(Gate(), inner, Gate()), "x: n 3 -> n 3", under="O(3)")
    assert "(submodule 1.1 (Softplus))" in verdict.reason
    verdict = ep.prove(nn.Linear(3, 3), "x: n 3 -> n 3", under="O(3)")  # a library's function as a whole
    assert "submodule" not in verdict.reason
    verdict = ep.prove(nn.Sequential(Gate(), Gate()), "x: n 3 -> n 3!", under="O(3)")
    assert "submodule" not in verdict.reason and "x.norm" in verdict.reason
