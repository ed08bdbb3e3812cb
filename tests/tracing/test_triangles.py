"""Sums and extremes over the pairs i < j of what is the same for (j, i), and the places of those pairs."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.numbers.arrays import unwrap
from eqvproof.programs import Builder, Size
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.tracing.arrays.traced_program import Drafts
from eqvproof.tracing.arrays.triangles import replace_triangles
from tests.judged import assert_proved, assert_refuted

N = Size.of("n")


def masks(b: Builder, even: int) -> list[int]:
    """Triangles, written in every way that is known; ``even`` is a symmetric mask."""
    rows, columns = (b.einsum([b.iota(N)], [[k]], [0, 1], {0: N, 1: N}) for k in (0, 1))
    gap = b.sub(rows, columns)
    lower, strict = b.tri(N, N), b.tri(N, N, -1)
    compared = [(fn, c) for fn in ("lt", "le", "gt", "ge") for c in (-1, 0, 1)]
    found = [lower, strict, b.transpose(strict), b.sub(b.const(1), lower), b.map("not", [strict])]
    found += [b.map(fn, [rows, columns]) for fn in ("lt", "le", "gt", "ge")]
    found += [b.map(fn, [gap, b.broadcast_to(b.const(c), (N, N))]) for fn, c in compared]
    positive = b.map("gt", [strict, b.broadcast_to(b.const(0), (N, N))])
    found += [b.select(lower, b.const(1), b.const(0)), positive]
    return [*found, *(b.map("and", [m, even]) for m in (strict, b.map("le", [rows, columns]))),
            b.select(strict, even, b.const(0))]  # fmt: skip


def values(b: Builder, x: int) -> dict[str, int]:
    """Of pairs: the same for (j, i), the negative, and neither."""
    gap = b.sub(b.expand(x, 1), b.expand(x, 0))
    first, second = (b.einsum([x, b.const(np.eye(2)[k])], [[0, 1], [1]], [0]) for k in (0, 1))
    squared = b.sum(b.mul(gap, gap), [2])
    return {
        "squares": squared,
        "products": b.matmul(x, b.transpose(x)),
        "inverse": b.map("recip", [b.add([squared, b.const(1)])]),
        "undefined": b.map("recip", [squared]),
        "odd": b.sub(b.expand(first, 1), b.expand(first, 0)),
        "neither": b.mul(b.expand(first, 1), b.expand(second, 0)),
    }


def uses(b: Builder, m: int, v: int, x: int) -> dict[str, int]:
    """What is asked of a triangle."""
    zero, row = b.const(0), b.sum(x, [1])
    down, across = b.expand(row, 1), b.expand(row, 0)
    chosen, beside = b.select(m, v, zero), b.select(m, zero, v)
    other = b.select(b.transpose(m), b.transpose(v), b.select(m, v, b.const(7)))
    return {
        "sum": b.sum(chosen),
        "sum beside": b.sum(beside),
        "product": b.sum(b.mul(m, v)),
        "count": b.sum(m),
        "weighted": b.sum(b.mul(chosen, down)),
        "both": b.sum(b.mul(chosen, b.mul(down, across))),
        "rows": b.sum(chosen, [1]),
        "max": b.reduce("max", chosen, [0, 1]),
        "min": b.reduce("min", b.select(m, v, b.const(5)), [0, 1]),
        "max of rows": b.reduce("max", chosen, [1]),
        "max beside": b.reduce("max", b.select(m, v, across), [0, 1]),
        "twice": b.reduce("max", b.select(m, chosen, b.const(-1)), [0, 1]),
        "with its transpose": b.add([chosen, b.transpose(chosen)]),
        "on both sides": other,
    }


def told(b: Builder, output: int, point: dict[str, Any]) -> Any:
    """The entries, exact rationals or undefined."""
    return np.asarray(unwrap(evaluate_exact(b.program(output), point)), object).ravel()


@pytest.mark.parametrize("name", ["squares", "products", "inverse", "undefined", "odd", "neither"])
def test_values_stay_what_they_are(name: str) -> None:
    """Exactly, at random rational points; undefined where they were."""
    rng = np.random.default_rng(0)
    b = Builder()
    x = b.input("x", [N, Size.of(2)])
    found = values(b, x)
    changed = 0
    outputs = []
    for m in masks(b, b.map("lt", [found["squares"], b.broadcast_to(b.const(3), (N, N))])):
        for of, output in uses(b, m, found[name], x).items():
            new = replace_triangles(Drafts(b, {}, output, {}, ())).output
            changed += new != output
            outputs.append((of, output, new))
    assert (changed > 100) == (name not in ("odd", "neither"))
    for n in (1, 2, 3):
        halves = [[Fraction(int(k), 2) for k in row] for row in rng.integers(-4, 5, (n, 2))]
        point = {"x": np.array(halves, dtype=object)}
        for of, output, new in outputs:
            if new != output:
                before, after = (list(map(str, told(b, k, point))) for k in (output, new))
                assert before == after, (name, of, n)


def gaps(x: Any) -> Any:
    return ((x[:, None] - x[None]) ** 2).sum(-1)


def pairs_once(x):
    return np.triu(gaps(x), 1).sum()


def below_and_on(x):
    return np.tril(np.exp(-gaps(x))).sum()


def by_numbers(x):
    i = np.arange(len(x))
    return gaps(x)[i[:, None] < i[None]].mean()


def by_places(x):
    i, j = np.triu_indices(len(x), k=1)
    r = np.linalg.norm(x[i] - x[j], axis=1)
    return (4 * (r**-12 - r**-6)).sum()


def near_places(x):
    i, j = np.tril_indices_from(gaps(x), -1)
    d = np.sqrt(gaps(x))[i, j]
    return d[d < 2].sum() + np.median(d) + d.max() + d.std()


def histogram(x):
    d = np.sqrt(gaps(x))[np.triu_indices(len(x), 1)]
    return np.histogram(d, bins=4, range=(0, 4))[0] @ np.arange(4.0)


def least(x):
    return np.where(np.tri(len(x), k=-1) > 0, gaps(x), np.inf).min()


def neighbours(x):
    i, j = np.nonzero(gaps(x) < 4)
    return np.exp(-((x[i] - x[j]) ** 2).sum(1)).sum()


def positive_rows(x):
    return x[np.where(x[:, 0] > 0)[0]].mean(0).sum()


def diagonal_left_out(x):
    d = gaps(x)
    d[np.diag_indices_from(d)] = 1.0
    return d.prod() + gaps(x)[np.diag_indices(len(x))].sum()


def filled_on_both_sides(x):
    i, j = np.triu_indices(len(x), 1)
    d = np.zeros((len(x), len(x)))
    d[i, j] = np.linalg.norm(x[i] - x[j], axis=-1)
    d[j, i] = d[i, j]
    return d


def filled_by_its_transpose(x):
    d, iu = np.zeros((len(x), len(x))), np.triu_indices(len(x), 1)
    d[iu] = np.exp(-gaps(x))[iu]
    return d + d.T


TRUE = [pairs_once, below_and_on, by_numbers, by_places, near_places, histogram, least, neighbours,
        positive_rows, diagonal_left_out]  # fmt: skip


@pytest.mark.parametrize("f", TRUE)
def test_order_does_not_count(f: Any) -> None:
    assert_proved(f, "x: n 3 -> ()", "S(n)")


@pytest.mark.parametrize("f", [filled_on_both_sides, filled_by_its_transpose])
def test_matrices_that_are_filled_in_halves(f: Any) -> None:
    assert_proved(f, "x: n 3 -> n n", "S(n)")


def odd_in_places(x):
    i, j = np.triu_indices(len(x), 1)
    return (x[i] - x[j])[:, 0].sum()


def other_weights(x):
    i, j = np.triu_indices(len(x), 1)
    return (x[i] * x[j] ** 2)[:, 0].sum()


def second_diagonal(x):
    return gaps(x)[np.triu_indices(len(x), 2)].sum()


def rows_of_a_triangle(x):
    return np.triu(gaps(x), 1).sum(0).max()


def beside_it_rows(x):
    return np.where(np.tri(len(x), k=-1) > 0, gaps(x), x[:, :1]).sum()


def first_of_a_pair(x):
    i, j = np.triu_indices(len(x), 1)
    return (x[i, 0] * np.exp(-gaps(x)[i, j])).sum()


def filled_in_one_half(x):
    d, iu = np.zeros((len(x), len(x))), np.triu_indices(len(x), 1)
    d[iu] = gaps(x)[iu]
    return (d @ np.ones(len(x))).max()


def filled_by_other_numbers(x):
    i, j = np.triu_indices(len(x), 1)
    d = np.zeros((len(x), len(x)))
    d[i, j], d[j, i] = x[i, 0], x[i, 0]
    return (d**2 @ np.ones(len(x))).max()


FALSE = [odd_in_places, other_weights, second_diagonal, rows_of_a_triangle, beside_it_rows, first_of_a_pair,
         filled_in_one_half, filled_by_other_numbers]  # fmt: skip


@pytest.mark.parametrize("f", FALSE)
def test_order_counts(f: Any) -> None:
    """Near misses, each with a call that shows it."""
    x = np.random.default_rng(1).normal(size=(4, 3))
    assert any(abs(f(x[list(p)]) - f(x)) > 1e-3 for p in product(range(4), repeat=4) if len({*p}) == 4)
    assert ep.prove(f, "x: n 3 -> ()", "S(n)").outcome == "UNDECIDED"


def test_places_of_rectangles_and_of_axes_that_are_one() -> None:
    """Near misses: i < j of two axes of different sizes; a triangle of which an axis stands twice."""

    def rectangle(x: Any, y: Any) -> Any:
        i, j = np.arange(len(x)), np.arange(len(y))
        return (x @ y.T)[i[:, None] < j[None]].sum() + (i[:, None] < j[None]).sum()

    def diagonal(x: Any) -> Any:
        t = x[:, None, None, 0] * x[None, :, None, 0] * x[None, None, :, 1]
        return np.einsum("ijj->", np.where(np.triu(np.ones((len(x), len(x))), 1)[:, :, None] > 0, t, 0))

    assert_refuted(rectangle, "x: n 2, y: m 2 -> ()", "S(n)")
    assert_refuted(diagonal, "x: n 2 -> ()", "S(n)")


def test_places_that_are_no_integers_are_refused() -> None:
    """Truth values of places pick some of them, and are no places."""

    def some(x: Any) -> Any:
        d = gaps(x)[np.triu_indices(len(x), 1)]
        return d[d < 4].sum()

    def wrong(x: Any) -> Any:
        d = gaps(x)[np.triu_indices(len(x), 1)]
        return x[d < 4].sum()

    assert_proved(some, "x: n 3 -> ()", "S(n)")
    assert ep.prove(wrong, "x: n 3 -> ()", "S(n)").outcome == "UNDECIDED"


def test_torch() -> None:
    torch = pytest.importorskip("torch")

    def triangle(x: Any) -> Any:
        return torch.triu(torch.cdist(x, x), 1).sum() / (len(x) * (len(x) + 1))

    def one_side(x: Any) -> Any:
        return torch.triu(x @ x.T * x[:, :1], 1).sum()

    assert_proved(triangle, "x: n 3 -> ()", "S(n) x E(3)")
    assert ep.prove(one_side, "x: n 3 -> ()", "S(n)").outcome == "UNDECIDED"


def test_jax() -> None:
    jnp = pytest.importorskip("jax.numpy")

    def triangle(x: Any) -> Any:
        mask = jnp.tril(jnp.ones((len(x), len(x)), bool), -1)
        return jnp.where(mask, 1 / (1 + gaps(x)), 0.0).sum()

    def one_side(x: Any) -> Any:
        return jnp.triu(gaps(x) * x[:, 0], 1).sum()

    assert_proved(triangle, "x: n 3 -> ()", "S(n) x E(3)", backend="jax")
    assert ep.prove(one_side, "x: n 3 -> ()", "S(n)", backend="jax").outcome == "UNDECIDED"
