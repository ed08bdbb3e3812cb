"""First fundamental theorems of the classical groups: functions of invariants, and near misses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.invariants.fundamental import factor_through_gram
from eqvproof.kernel import check_certificate
from eqvproof.support.errors import DomainError, GroupError, ShapeError, SignatureError

L, J, B = ep.groups.form("Lorentz", 4), ep.groups.form("Sp", 4), ep.groups.form("O(2,2)", 4)


def first(X: Any, columns: int, d: int) -> Any:
    return np.linalg.det(X[:, :d]) if columns >= d else 0 * X[0, 0]


#: A function, its signature, the group; and a slip, with the same signature and group.
CASES: dict[str, tuple[Any, str, str, Any]] = {
    "masses": (lambda p: p @ L @ p.T, "p: n 4 -> n n", "Lorentz(4)", lambda p: p @ p.T),
    "attention": (lambda p: p @ L @ p.T @ p, "p: n 4 -> n 4", "Lorentz(4)", lambda p: p @ p.T @ p),
    "constant": (lambda p: p[::-1], "p: n 4 -> n 4", "Lorentz(4)", lambda p: p[:, ::-1]),
    "lowered": (lambda p: p @ L, "p: n 4 -> n 4*", "Lorentz(4)", lambda p: p),
    "covectors": (
        lambda p, q: (p * q).sum(1),
        "p: n 4, q: n 4* -> n",
        "Lorentz(4)",
        lambda p, q: (p @ L * q).sum(1),
    ),
    "split": (lambda x: x @ B @ x.T @ x, "x: n d -> n d", "O(2,2; d)", lambda x: x @ L @ x.T @ x),
    "skew": (lambda z: z @ J @ z.T @ z, "z: n 4 -> n 4", "Sp(4)", lambda z: z @ z.T @ z),
    "areas": (lambda z: z @ J @ z.T, "z: n 4 -> n n", "Sp(4)", lambda z: abs(z)),
    "volume": (lambda X: first(X, X.shape[1], 3), "X: 3 n -> ()", "SL(3)", lambda X: X.sum()),
    "planes": (np.cross, "a: 3, b: 3 -> 3*", "SL(3)", lambda a, b: a * b),
    "back": (np.cross, "a: 3*, b: 3* -> 3", "SL(3)", lambda a, b: a + b),
    "cross": (np.cross, "a: 3, b: 3 -> 3", "SO(3)", lambda a, b: a * b),
    "signed": (lambda X: first(X, X.shape[1], X.shape[0]), "X: d n -> ()", "SO(d)", lambda X: X[0, 0]),
    "pairings": (lambda X, Z: Z @ X, "X: d n, Z: k d* -> k n", "GL(d)", lambda X, Z: Z.sum() * Z @ X),
    "linear": (lambda X, Z: X @ (Z @ X), "X: d n, Z: n d* -> d n", "GL(d)", lambda X, Z: X @ X.T @ X),
    "mixed": (lambda X: X[:, ::-1] * 2, "X: d n -> d n", "GL(d)", lambda X: X * 2 + 1),
}
COMPLEX: dict[str, tuple[Any, str, str, Any]] = {
    "born": (lambda p: np.abs(p @ p.conj().T) ** 2, "p[complex]: n d -> n n", "U(d)", lambda p: abs(p @ p.T)),
    "layer": (lambda p: p @ p.conj().T @ p, "p[complex]: n d -> n d", "U(d)", lambda p: p @ p.T @ p),
    "conjugate": (np.conj, "p[complex]: n d -> n d*", "U(d)", np.real),
    "phase": (
        lambda p: np.linalg.det(p[:2]).real if len(p) > 1 else 0.0 * p[0, 0].real,
        "p[complex]: n d -> ()", "SU(d)", lambda p: p.real.sum(),
    ),
}  # fmt: skip


def sides(name: str) -> tuple[Any, str, str, Any, dict[str, int]]:
    f, signature, under, slip = (CASES | COMPLEX)[name]
    return f, signature, under, slip, {"d": 2} if name == "phase" else {}


@pytest.mark.parametrize("name", CASES)
def test_reproduced_exactly(name: str) -> None:
    f, signature, under, _, sizes = sides(name)
    g = factor_through_gram(f, signature, under=under, sizes=sizes)
    assert g.holds and g.check.exact_trials == g.check.trials > 1, str(g)


@pytest.mark.parametrize("name", COMPLEX)
def test_reproduced_to_rounding(name: str) -> None:
    f, signature, under, _, sizes = sides(name)
    g = factor_through_gram(f, signature, under=under, sizes=sizes)
    assert g.holds and g.check.trials > 5 and not g.check.exact_trials, str(g)


@pytest.mark.parametrize("name", CASES | COMPLEX)
def test_a_slip_is_refuted_by_an_element(name: str) -> None:
    _, signature, under, slip, sizes = sides(name)
    g = factor_through_gram(slip, signature, under=under, sizes=sizes)
    assert not g.holds and g.element is not None
    assert str(g).startswith("f is not equivariant: it does not commute with g, ")
    with pytest.raises(DomainError, match="there is no g"):
        g()


def test_called_on_invariants_alone() -> None:
    rng = np.random.default_rng(0)
    p, q = (rng.integers(-4, 5, (n, 4)).astype(object) for n in (3, 2))
    attention = factor_through_gram(CASES["attention"][0], "p: n 4 -> n 4", under="Lorentz(4)")
    (gram,) = attention.invariants(p)
    assert (gram == p @ L @ p.T).all() and (attention(gram) == gram).all()
    assert np.allclose(np.array(attention(gram.astype(float)), dtype=float), gram.astype(float))
    both = factor_through_gram(lambda p, q: (q @ L @ p.T).T @ q, "p: n 4, q: k 4 -> n 4", under="Lorentz(4)")
    blocks = both.invariants(p, q)
    assert [b.shape for b in blocks] == [(3, 3), (2, 3), (2, 2)]
    g1, g2 = both(*blocks)
    assert (g1.dot(p) + g2.dot(q) == both.f(p, q)).all()


def test_brackets_and_pairings() -> None:
    a, b = np.array([1, 2, 3]), np.array([0, 1, 5])
    cross = factor_through_gram(np.cross, "a: 3, b: 3 -> 3", under="SO(3)")
    *blocks, brackets = cross.invariants(a, b)
    assert [v.tolist() for v in blocks] == [[[14]], [[17]], [[26]]] and brackets.size == 0
    ga, gb, star = cross(*blocks, brackets)
    assert [v.tolist() for v in (ga, gb, star)] == [[0], [0], [1]]
    volume = factor_through_gram(
        lambda X: np.linalg.det(X[:, 1:4]) if X.shape[1] > 3 else X[0, 0] * 0, "X: 3 n -> ()", under="SL(3)"
    )
    X = np.array([[1, 0, 2, 1], [0, 1, 1, 3], [2, 1, 0, 1]])
    (minors,) = volume.invariants(X)
    chosen = [X[:, [0, 1, 2]], X[:, [0, 1, 3]], X[:, [0, 2, 3]], X[:, [1, 2, 3]]]
    assert (
        np.allclose(minors.astype(float), [np.linalg.det(c) for c in chosen]) and volume(minors) == minors[3]
    )
    linear = factor_through_gram(CASES["linear"][0], CASES["linear"][1], under="GL(d)", sizes={"d": 2})
    pairing = np.array([[1, 2], [3, 4]])
    assert (linear(pairing) == pairing).all()


def test_orbits_that_no_inner_product_tells_apart() -> None:
    """Whether p is 0: invariant under Lorentz transformations, and no function of the Gram matrix."""
    g = factor_through_gram(lambda p: 1 * (p != 0).any(), "p: n 4 -> ()", under="Lorentz(4)")
    assert not g.holds and g.element is None
    (one,), (other,) = g.check.inputs, g.check.others
    assert (one @ L @ one.T == other @ L @ other.T).all() and (one != other).any()
    assert "not a function of the invariants" in str(g)


def test_with_its_verdict_and_certificate() -> None:
    for name in ("attention", "skew", "planes"):
        f, signature, under, slip, _ = sides(name)
        found = ep.first_fundamental(f, signature, under)
        assert found.holds and found.verdict.grade == "PROVED"
        assert check_certificate(found.certificate or {}).accepted
        wrong = ep.first_fundamental(slip, signature, under)
        assert not wrong.holds and wrong.verdict.fails and wrong.verdict.grade == "EXACT"
        assert check_certificate(wrong.certificate or {}).accepted


@pytest.mark.parametrize(
    ("signature", "under", "error"),
    [
        ("p: n 4, h: n -> n 4", "Lorentz(4)", SignatureError),
        ("p: n 4 -> 4 4", "Lorentz(4)", SignatureError),
        ("p: n 4 -> n 4", "S(n)", GroupError),
        ("p: n 4 -> n 4", "Lorentz(4) x GL(n)", GroupError),
    ],
)
def test_bad_claims(signature: str, under: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        factor_through_gram(lambda *p: p[0], signature, under=under)


@pytest.mark.parametrize(
    ("name", "given", "error"),
    [
        ("attention", ([[1, 2], [3, 4]],), DomainError),
        ("attention", ([[1, 0], [0, 1]],), DomainError),
        ("attention", ([[1, 2]],), ShapeError),
        ("attention", (), ShapeError),
        ("skew", ([[1]],), DomainError),
        ("linear", (np.eye(9, dtype=int),), DomainError),
        ("volume", ([1, 2],), DomainError),
        ("signed", ([[1]], [5]), DomainError),
        ("mixed", (), ShapeError),
    ],
)
def test_what_are_no_invariants(name: str, given: Any, error: type[Exception]) -> None:
    f, signature, under, _, _ = sides(name)
    sizes = {"d": 1 if name == "signed" else 2} if " d" in signature else {}
    with pytest.raises(error):
        factor_through_gram(f, signature, under=under, sizes=sizes)(*given)
