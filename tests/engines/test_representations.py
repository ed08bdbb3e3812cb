"""Representations that are given by functions, and irreps that no axis of scalars and vectors stands for."""

from __future__ import annotations

import copy
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import eqvproof as ep
from eqvproof.claims.groups import Factor, act, compose, permutation_sign, random_element
from eqvproof.claims.groups.harmonics import irrep_matrix
from eqvproof.claims.signature import parse_signature
from eqvproof.claims.signature.irreps import parse_irreps
from eqvproof.numbers import Real, precision
from eqvproof.support.errors import EqvproofError

ROOT = math.sqrt(3)


def triple(a: Any, b: Any, c: Any) -> Any:
    """det(a, b, c)."""
    return (np.cross(a, b) * c).sum(keepdims=True)


def harmonics(x: Any) -> Any:
    """The real harmonics of degree 2, in the order of e3nn."""
    a, b, c = x[0], x[1], x[2]
    s = ROOT
    return np.stack([s * a * c, s * a * b, b * b - (a * a + c * c) / 2, s * b * c, s / 2 * (c * c - a * a)])


def vandermonde(x: Any) -> Any:
    """The product of all x_j - x_i with i < j."""
    result = x[:1] * 0 + 1
    for i in range(len(x)):
        for j in range(i + 1, len(x)):
            result = result * (x[j : j + 1] - x[i : i + 1])
    return result


def sign(p: Any) -> int:
    return permutation_sign([int(i) for i in p])


def twice(q: Any) -> Any:
    """Q tensor Q on a flat axis."""
    return np.einsum("ij,kl->ikjl", q, q).reshape(len(q) ** 2, -1)


as_float = float  # under its own name a trace carries the number on


def approximate(q: Any) -> Any:
    return np.array([[as_float(v) for v in row] for row in q])


THREE = "a: d, b: d, c: d -> m"
#: right one, wrong one, signature, group, representations, grade of the refutation
LAYERS: list[tuple[Any, Any, str, str, Any, set[str]]] = [
    (lambda x: 2 * x, lambda x: x + 1, "x: m -> m", "O(d)", lambda q: q, {"EXACT"}),
    (lambda x: 2 * x, lambda x: x + 1, "x: m -> m", "O(d)", approximate, {"OBSERVED"}),
    (triple, lambda a, b, c: abs(triple(a, b, c)), THREE, "O(3)", np.linalg.det, {"EXACT"}),
    (triple, lambda a, b, c: abs(triple(a, b, c)), THREE, "O(d)", "0o", {"EXACT"}),
    (np.cross, lambda a, b: a + b, "a: d, b: d -> m", "O(d)", "1e", {"EXACT"}),
    (harmonics, lambda x: harmonics(x)[::-1], "x: d -> m", "O(d)", "2e", {"EXACT", "ENCLOSED"}),
    (lambda y: y * (y * y).sum(), lambda y: y * y, "y: m -> m", "O(d)", "2e", {"EXACT", "ENCLOSED"}),
    (
        lambda x: (x[:, None] * x[None, :]).reshape(-1),
        lambda x: (x[:, None] * x[None, ::-1]).reshape(-1),
        "x: d -> m", "O(d)", twice, {"EXACT"},
    ),
    (vandermonde, lambda x: vandermonde(x) ** 2, "x: n -> m", "S(n)", sign, {"EXACT"}),
]  # fmt: skip


def _factor(under: str) -> str:
    return "O(d)" if under == "O(3)" else under


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("right", "wrong", "signature", "under", "rho", "grades"), LAYERS)
def test_right_layers_pass_and_wrong_ones_fail(
    right: Any, wrong: Any, signature: str, under: str, rho: Any, grades: set[str]
) -> None:
    reps = {"m": (_factor(under), rho)}
    sizes = {"d": 3} if "O" in under else {"n": (2, 4)}
    holds = ep.check(right, signature, _factor(under), reps=reps, sizes=sizes)
    grade = "PROVED" if isinstance(rho, str) else "TESTED"
    assert holds.grade == grade, str(holds)
    assert holds.certificate is None or ep.verify(holds.certificate).accepted
    verdict = ep.check(wrong, signature, _factor(under), reps=reps, sizes=sizes)
    assert verdict.fails and verdict.grade in grades, str(verdict)
    assert (verdict.certificate is None) == (not isinstance(rho, str))
    assert verdict.certificate is None or ep.verify(verdict.certificate).accepted
    assert ep.refute(wrong, signature, _factor(under), reps=reps, sizes=sizes).fails
    assert ep.refute(right, signature, _factor(under), reps=reps, sizes=sizes).outcome == "UNDECIDED"
    assert ep.prove(wrong, signature, _factor(under), reps=reps, sizes=sizes).outcome == "UNDECIDED"
    if grade == "TESTED":
        assert ep.prove(right, signature, _factor(under), reps=reps, sizes=sizes).outcome == "UNDECIDED"


def test_the_counterexample_is_one() -> None:
    """Both sides computed again with rationals."""
    f = lambda x: x + 1  # noqa: E731
    verdict = ep.check(f, "x: m -> m", "O(d)", reps={"m": ("O(d)", lambda q: q)}, sizes={"d": 2})
    point = verdict.counterexample
    assert point is not None
    (q,), x = point.element.values(), point.inputs["x"]
    assert (f(q @ x) == point.left).all() and (q @ f(x) == point.right).all()
    assert point.left[point.entry] != point.right[point.entry]


@pytest.mark.parametrize(
    ("rho", "words"),
    [
        (lambda q: q[0], "square"),
        (lambda q: q[:, :2], "square"),
        (lambda q: q + q, "no representation"),
        (lambda q: q.T, "no representation"),
        (lambda q: q[5], "fails"),
        (lambda q: "text", "fails"),
        (lambda q: q * float("nan"), "finite"),
    ],
)
def test_what_is_no_representation_is_refused(rho: Any, words: str) -> None:
    with pytest.raises(EqvproofError, match=words):
        ep.check(lambda x: x, "x: m -> m", "O(d)", reps={"m": ("O(d)", rho)}, sizes={"d": 3})


@pytest.mark.parametrize(
    ("signature", "under", "reps", "sizes"),
    [
        ("x: m -> m", "O(d)", {"m": ("O(d)", lambda q: q)}, {"d": 3, "m": 4}),
        ("x: m -> m", "O(d)", {"m": ("SO(d)", lambda q: q)}, {"d": 3}),
        ("x: m+1 -> m", "O(d)", {"m": ("O(d)", lambda q: q)}, {"d": 3}),
        ("x: m -> m", "O(d)", {"k": ("O(d)", lambda q: q)}, {"d": 3}),
        ("x: m -> m", "Scale(d)", {"m": ("Scale(d)", lambda q: q)}, {"d": 3}),
        ("x: m -> m", "O(d)", {"m": ("O(d)", "17o")}, {"d": 3}),
    ],
)
def test_what_does_not_fit_is_refused(signature: str, under: str, reps: Any, sizes: Any) -> None:
    with pytest.raises(EqvproofError):
        ep.check(lambda x: x, signature, under, reps=reps, sizes=sizes)


@pytest.mark.parametrize("text", ["0o", "1e", "2e", "2o", "3e", "4e + 5o", "2x0e + 1o + 1e + 2e"])
def test_irreps_are_homomorphisms(text: str) -> None:
    rng = random.Random(1)
    axes = parse_signature(f"x: <{text}> -> ()").inputs[0].axes
    g, h = (random_element(Factor("O", 3), 3, rng) for _ in range(2))
    x = np.array([Fraction(k + 1, 3) for k in range(axes[0].at({}))], dtype=object)
    with precision(256):
        gaps = act(compose(g, h), x, axes) - act(g, act(h, x, axes), axes)
        assert all(Real(gap).bounds()[0] <= 0 <= Real(gap).bounds()[1] for gap in gaps)
        assert all(Real(gap).bounds()[1] - Real(gap).bounds()[0] < Fraction(1, 2**200) for gap in gaps)
    assert np.allclose(act(g, x.astype(float), axes), [float(Real(v).middle()) for v in act(g, x, axes)])


@pytest.mark.parametrize("seed", range(5))
def test_degree_two_moves_the_harmonics(seed: int) -> None:
    rng = random.Random(seed)
    q = np.array(random_element(Factor("O", "d"), 3, rng).data, dtype=float)
    x = np.array([rng.uniform(-1, 1) for _ in range(3)])
    assert np.allclose(harmonics(q @ x), irrep_matrix(q, 2, "e") @ harmonics(x), atol=1e-12)


@pytest.mark.parametrize("text", ["0o", "1e", "2e", "2o + 1e", "3o", "4e + 5e"])
def test_irreps_are_those_of_e3nn(text: str) -> None:
    o3 = pytest.importorskip("e3nn.o3", reason="e3nn is not installed", exc_type=ImportError)
    torch = pytest.importorskip("torch")
    for seed in range(3):
        q = np.array(random_element(Factor("O", "d"), 3, random.Random(seed)).data, dtype=float)
        expected = o3.Irreps(text).D_from_matrix(torch.tensor(q)).numpy()
        parts = [irrep_matrix(q, d, p) for n, d, p in parse_irreps(text) for _ in range(n)]
        assert np.allclose(scipy.linalg.block_diag(*parts), expected, atol=1e-5)


def test_numbers_that_rho_rounds_are_not_taken_for_exact() -> None:
    """A rotation by rounded constants: what is left is rounding, and no violation."""
    table = np.array([[0.6, -0.8], [0.8, 0.6]])
    rho = lambda p: np.linalg.matrix_power(np.array([[0.0, -1.0], [1.0, 0.0]]), int(-p[0]) % 4)  # noqa: E731
    verdict = ep.check(lambda y: table @ y, "y: m -> m", "C(n)", reps={"m": ("C(n)", rho)}, sizes={"n": 4})
    assert verdict.grade == "TESTED", str(verdict)
    assert Fraction(0.6) ** 2 + Fraction(0.8) ** 2 != 1


def test_rounded_constants_are_read_as_what_they_stand_for() -> None:
    """The harmonics with a root of 3 as it is stored; literally they are no harmonics."""
    options: Any = {"reps": {"m": ("O(d)", "2e")}, "sizes": {"d": 3}}
    verdict = ep.check(harmonics, "x: d -> m", "O(d)", **options)
    assert verdict.grade == "PROVED" and len(verdict.readings) == 1, str(verdict)
    assert verdict.readings[0] in str(verdict).splitlines()[0]
    assert "stands for the table next to it" in ep.verify(verdict.certificate).statement
    decided = ep.decide(harmonics, "x: d -> m", "O(d)", **options)
    assert decided.grade == "DECIDED" and decided.readings == verdict.readings, str(decided)
    said = ep.verify(decided.certificate).statement
    assert "stands for the table next to it that the group keeps" in said and "a proof by types" in said
    literal = ep.check(harmonics, "x: d -> m", "O(d)", constants="literal", **options)
    assert literal.fails and literal.grade == "ENCLOSED" and not literal.readings, str(literal)
    assert ep.verify(literal.certificate).accepted
    assert "relative" in str(literal.notes)


def exactly(x: Any, factor: Any = None) -> Any:
    """The harmonics of degree 2 with the root of 3 itself, or another number in its place at one entry."""
    a, b, c = x
    s = np.sqrt(3)
    t = s if factor is None else factor
    return np.stack([s * a * c, s * a * b, b * b - (a * a + c * c) / 2, t * b * c, s / 2 * (c * c - a * a)])


def test_roots_that_are_not_rounded() -> None:
    options: Any = {"reps": {"m": ("O(d)", "2e")}, "sizes": {"d": 3}}
    verdict = ep.prove(exactly, "x: d -> m", "O(d)", **options)
    assert verdict.grade == "PROVED" and len(verdict.readings) == 2, str(verdict)
    assert ep.verify(verdict.certificate).accepted
    assert ep.decide(exactly, "x: d -> m", "O(d)", **options).grade == "DECIDED"
    assert ep.prove(exactly, "x: d -> m", "O(d)", constants="literal", **options).outcome == "UNDECIDED"
    for wrong in (np.sqrt(2), 1.7320508, 3):
        refuted = ep.check(lambda x, t=wrong: exactly(x, t), "x: d -> m", "O(d)", **options)
        assert refuted.fails and ep.verify(refuted.certificate).accepted, str(refuted)


def test_digits_that_cancel_are_no_roundings() -> None:
    """What is left of a root and the float next to it is no table that rotations keep."""

    def left(x: Any) -> Any:
        a, b, c = x
        s, t = np.sqrt(3), 3**0.5
        return np.stack([s * a * c, s * b * c, t * a * c, a * b, s * b * c]) * s - np.stack(
            [t * a * c, t * b * c, s * a * c, s * a * b, t * b * c]
        )

    options: Any = {"reps": {"m": ("O(d)", "2e")}, "sizes": {"d": 3}}
    assert not ep.prove(left, "x: d -> m", "O(d)", **options).holds


def test_counterexamples_with_irreps_cannot_be_altered() -> None:
    """A reflection turns 1e, and no vector: what the kernel recomputes is D(g)."""
    reps = {"m": ("O(d)", "1e"), "k": ("O(d)", "1o")}
    verdict = ep.check(lambda w: w, "w: m -> k", "O(d)", reps=reps, sizes={"d": 3})
    assert verdict.fails and verdict.grade == "EXACT" and ep.verify(verdict.certificate).accepted
    for place, mark in (("output", "1e"), ("output", "0o"), ("inputs", "1o")):
        altered = copy.deepcopy(verdict.certificate)
        claim = altered["claim"]
        row = claim["output"] if place == "output" else claim["inputs"][0]["axes"]
        row[0][0] = [3, None, mark]
        assert not ep.verify(altered).accepted, mark


def test_the_scope_names_the_sizes_of_the_group() -> None:
    """The axis of the group need not be one of the signature."""
    reps = {"m": ("S(n)", sign)}
    holds = ep.check(lambda y: 2 * y, "y: m -> m", "S(n)", reps=reps, sizes={"n": (2, 4)})
    assert [dict(s) for s in holds.sizes] == [{"n": n, "m": 1} for n in (2, 3, 4)]
    fails = ep.check(lambda y: y + 1, "y: m -> m", "S(n)", reps=reps, sizes={"n": (2, 4)})
    assert fails.fails and dict(fails.sizes[0]) == {"n": 2, "m": 1}


def test_irreps_and_functions_stand_beside_each_other() -> None:
    """f(Dy, Qz) = D f(y, z) holds for y |z|^2, and fails for y z[0]."""
    options: Any = {"reps": {"m": ("O(d)", "2e"), "k": ("O(d)", lambda q: q)}, "sizes": {"d": 3}}
    signature = "y: m, z: k -> m"
    assert ep.check(lambda y, z: y * (z * z).sum(), signature, "O(d)", **options).grade == "TESTED"
    assert ep.check(lambda y, z: y * z[0], signature, "O(d)", **options).grade == "EXACT"


def test_a_domain_holds_for_functions_too() -> None:
    """min(x, 1) is x where all entries are below 1, which no permutation changes."""
    small = lambda p: all(v < 1 for v in p["x"])  # noqa: E731
    rho = lambda p: np.eye(len(p), dtype=int)[list(p)]  # noqa: E731
    options: Any = {"reps": {"m": ("S(n)", rho)}, "sizes": {"n": (2, 3)}}
    f = lambda x: x - np.maximum(x - 1, 0) * np.arange(len(x))  # noqa: E731
    assert ep.check(f, "x: m -> m", "S(n)", **options).fails
    assert ep.check(f, "x: m -> m", "S(n)", domain=small, **options).grade == "TESTED"


def test_irreps_where_no_group_acts() -> None:
    """Two functions of irreps are compared as functions of the numbers."""
    signature = "h: n <1x2e+1x0e> -> n <1x2e+1x0e>"
    same = ep.identical(lambda h: h + h, lambda h: 2 * h, signature)
    assert same.grade == "PROVED" and same.signature == signature
    assert ep.verify(same.certificate).accepted
    assert ep.identical(lambda h: h + h, lambda h: 3 * h, signature).grade == "EXACT"
