"""How far functions are from a symmetry: bounds hold, and what is claimed to be exact is."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import act_all, act_on_point, parse_group, random_element
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.violation import NoBound

RIGHT: dict[str, tuple[Any, str, str, dict[str, int]]] = {
    "gram layer": (lambda X: X @ (X.T @ X), "X: d n -> d n", "O(d) x S(n)", {"d": 2, "n": 2}),
    "norms": (lambda X: (X**2).sum(0), "X: d n -> n", "O(d)", {"d": 3, "n": 2}),
    "centred": (lambda x: x - x.mean(0), "x: n d -> n d", "S(n)", {"n": 3, "d": 2}),
    "distances": (lambda x: ((x[:, None] - x[None]) ** 2).sum(-1), "x: n d -> n n", "E(d)", {"n": 2, "d": 2}),
    "softmax": (lambda x: np.exp(x) / np.exp(x).sum(), "x: n -> n", "S(n)", {"n": 3}),
    "cube": (lambda x: x**3, "x: d -> d", "Signs(d)", {"d": 3}),
    "largest": (lambda x: x.max(0), "x: n d -> d", "S(n)", {"n": 3, "d": 2}),
    "cross": (np.cross, "x: n 3, y: n 3 -> n 3", "SO(3)", {"n": 1}),
    "difference": (lambda x: x - np.roll(x, 1), "x: m -> m", "C(m)", {"m": 4}),
    "written out": (lambda x: x[0] * x[0] + x[1] * x[1], "x: d -> ()", "O(d)", {"d": 2}),
}
WRONG: dict[str, tuple[Any, str, str, dict[str, int]]] = {
    "bias": (lambda X: X @ (X.T @ X) + 0.125, "X: d n -> d n", "O(d)", {"d": 2, "n": 1}),
    "one axis": (lambda X: (X**2).sum(0) + X[0] / 8, "X: d n -> n", "SO(d)", {"d": 3, "n": 1}),
    "first": (lambda x: x - x[:1] / 16, "x: n d -> n d", "S(n)", {"n": 3, "d": 1}),
    "not centred": (lambda x: (x * x).sum(-1), "x: n d -> n", "T(d)", {"n": 2, "d": 1}),
    "weights": (lambda x: x * np.arange(1, 4), "x: n -> n", "S(n)", {"n": 3}),
    "even part": (lambda x: x + x**2 / 1024, "x: d -> d", "Signs(d)", {"d": 2}),
    "tiny": (lambda x: x + x**3 / 2**40, "x: d -> d", "O(d)", {"d": 2}),
    "mirror": (np.cross, "x: n 3, y: n 3 -> n 3", "O(3)", {"n": 1}),
    "edge": (lambda x: x * x[0], "x: m -> m", "C(m)", {"m": 4}),
    "scale": (lambda x: x + x**2, "x: n -> n", "Scale(n)", {"n": 2}),
}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_function_has_no_violation(name):
    f, signature, under, sizes = RIGHT[name]
    found = ep.violation(f, signature, under, sizes=sizes)
    assert (found.lower, found.upper, found.why) == (0, 0, None), found
    if found.verdict is not None:
        assert ep.verify(found.certificate).accepted


def sides(f, signature, group, point, sizes, elements):
    """Both sides by the definition: exact where f is, since f runs on arrays of Fractions."""
    parsed = parse_signature(signature)
    moved = act_on_point(elements, point, parsed, sizes)
    first = np.asarray(f(*point.values()))
    known = parsed.output_sizes(first.shape, sizes)
    return np.asarray(f(*moved.values())), act_all(elements, first, parsed.output, known)


def size(left, right, *, relative):
    gap = float(sum((left - right).ravel() ** 2)) ** 0.5
    if relative and gap:
        gap /= max(float(sum(side.ravel() ** 2)) ** 0.5 for side in (left, right))
    return gap


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("name", WRONG)
def test_the_violation_of_a_wrong_function_is_enclosed(name, relative):
    """It is that of its point by the definition; none that random points show exceeds the upper bound."""
    f, signature, under, sizes = WRONG[name]
    box = (0.5, 1)
    found = ep.violation(f, signature, under, sizes=sizes, box=box, relative=relative)
    assert found.lower > 0 and found.verdict.fails and ep.verify(found.certificate).accepted
    assert Fraction(found.certificate["bound"]["at_least"]) == Fraction(found.lower)
    assert all(box[0] <= v <= box[1] for a in found.point.values() for v in a.flat)
    group = parse_group(under, parse_signature(signature))
    shown = found.verdict.counterexample
    assert shown.inputs.keys() == found.point.keys()
    value = size(shown.left, shown.right, relative=relative)
    low, high = found.enclosure
    assert float(low) * (1 - 1e-12) <= value <= float(high) * (1 + 1e-12) and high - low < 1e-15
    assert found.upper is None or found.lower <= found.upper
    rng = random.Random(name)
    drawn = np.random.default_rng(rng.getrandbits(32))
    for _ in range(20):
        elements = [random_element(g, g.size({**sizes, **group.pins}), rng) for g in group.factors]
        exact = np.vectorize(Fraction, otypes=[object])
        point = {n: exact(drawn.uniform(*box, a.shape)) for n, a in found.point.items()}
        seen = size(*sides(f, signature, group, point, {**sizes, **group.pins}, elements), relative=relative)
        assert found.upper is None or seen <= found.upper * (1 + 1e-12)
        assert seen <= 4 * found.lower  # the search is not far from what random points show


def test_greatest_violations_that_are_known():
    """For ``x + c x^2`` under changes of signs: ``2 c |x^2|`` at the far corner of the box."""
    def f(x):
        return x + x**2 / 256

    found = ep.violation(f, "x: d -> d", "Signs(d)", box=(1, 2), sizes={"d": 2}, relative=False)
    exact = 2 / 256 * 32**0.5
    assert found.lower == pytest.approx(exact, rel=1e-15) and found.upper == pytest.approx(exact, rel=1e-15)
    assert found.lower <= exact * (1 + 1e-15) and found.upper >= exact * (1 - 1e-15)


@pytest.mark.parametrize("name", ["tanh", "exp"])
def test_parts_of_a_box_bound_functions_of_finite_groups(name):
    function = getattr(np, name)
    found = ep.violation(
        lambda x: function(x) + x[0] / 64, "x: n -> n", "S(n)", box=(1, 1.5), sizes={"n": 2}, relative=False
    )
    exact = 2**0.5 * 0.5 / 64  # x[0] - x[1] in both entries
    assert found.verdict.grade == "ENCLOSED" and ep.verify(found.certificate).accepted
    assert found.lower <= exact * (1 + 1e-15) and exact <= found.upper * (1 + 1e-15)
    assert found.upper < 24 * exact
    assert found.lower == pytest.approx(exact, rel=1e-2)


@pytest.mark.parametrize("under", ["SO(d)", "O(d)", "SO(d) x S(n)", "S(n) x Signs(d)"])
def test_no_point_exceeds_the_bound_of_a_random_polynomial(under):
    rng = np.random.default_rng(7)
    a, b = rng.integers(-4, 5, (2, 2, 2, 2)) / 8, rng.integers(-4, 5, (2, 2, 2, 2)) / 32

    def f(X):
        return X @ (X.T @ X) + np.einsum("ijkl,kl->ij", a, X) / 16 + np.einsum("ijkl,kl,kl->ij", b, X, X)

    sizes = {"d": 2, "n": 2}
    found = ep.violation(f, "X: d n -> d n", under, sizes=sizes, relative=False)
    group, draws = parse_group(under, parse_signature("X: d n -> d n")), random.Random(1)
    worst = 0.0
    for _ in range(200):
        elements = [random_element(g, 2, draws) for g in group.factors]
        point = {"X": np.where(draws.random() < 0.5, np.sign(x := rng.uniform(-1, 1, (2, 2))), x)}
        worst = max(worst, size(*sides(f, "X: d n -> d n", group, point, sizes, elements), relative=False))
    assert 0 < worst <= found.upper and 0.7 * worst < found.lower <= found.upper


def by_lists(x):
    """A function that no trace reads."""
    return x * np.frombuffer(x.tobytes())[0]


def test_reasons_why_there_is_no_upper_bound():
    def why(f, signature, under, **options):
        found = ep.violation(f, signature, under, **options)
        assert found.upper is None and found.why.value in str(found)
        return found.why

    assert why(lambda x: np.maximum(x, 0), "x: d -> d", "O(d)") is NoBound.NOT_A_POLYNOMIAL
    assert why(lambda x: x + x**2, "x: n -> n", "Scale(n)") is NoBound.UNBOUNDED_GROUP
    assert why(lambda x: x * x[0], "x: n -> n", "S(n)", sizes={"n": 6}) is NoBound.MANY_ELEMENTS
    assert why(lambda x: x + x**2, "x: d -> d", "Signs(d)") is NoBound.VANISHES
    assert why(lambda x, keep: x * x[0], "x: n, keep[bool]: n -> n", "S(n)") is NoBound.DISCRETE
    assert why(by_lists, "x: n -> n", "S(n)") is NoBound.UNTRACED


def test_floats_alone_give_no_bound():
    found = ep.violation(by_lists, "x: n -> n", "S(n)", sizes={"n": 2})
    assert found.lower is None and found.measured > 0.5 and "measured in floats" in str(found)


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("n", [2, 3])
def test_an_upper_bound_is_no_less_than_what_was_found(n, relative):
    """Bounds of the whole box are unknown here, since it holds points where enclosures are too wide."""
    divisors = (lambda x: 1 + x[0] ** 2, lambda x: 1 + x[0] ** 2 + x[1] ** 4, lambda x: x[0] - 3)
    for f in [lambda x, d=d: x / d(x) for d in divisors]:
        found = ep.violation(f, "x: n -> n", "S(n)", sizes={"n": n}, relative=relative)
        assert found.upper is None or found.upper >= max(found.lower or 0, 0.99 * found.measured)


def test_equal_seeds_give_equal_results():
    def f(x):
        return np.sin(x) * x[0]

    first, second = (ep.violation(f, "x: d -> d", "SO(d)", sizes={"d": 2}, seed=3) for _ in range(2))
    assert str(first) == str(second) and first.enclosure == second.enclosure


def test_two_results_are_refused():
    with pytest.raises(ep.SignatureError, match="one result"):
        ep.violation(lambda x: (x, x), "x: n -> n, n", "S(n)")


@pytest.mark.parametrize("box", [(1, 0), (0, np.inf), 3, {"y": (0, 1)}], ids=str)
def test_what_is_no_box_is_refused(box):
    with pytest.raises(ep.OptionError):
        ep.violation(lambda x: x + 1, "x: n -> n", "T(n)", box=box)
