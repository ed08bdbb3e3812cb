"""Functions of eigenvectors in which signs cancel between operations, however they are written."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from tests.judged import assert_proved

eigh = np.linalg.eigh
Function = Callable[..., Any]
RNG = np.random.default_rng(7)
A, B, C, D = (RNG.normal(size=shape) for shape in ((3, 5), (5,), (5, 3), (1, 4)))
FRAMES = [np.array(signs) for signs in itertools.product([-1.0, 1.0], repeat=3)]
ROTATIONS = [s for s in FRAMES if s.prod() == 1]


def assert_off_equal_eigenvalues(function: Function, signature: str, under: str, **options: Any) -> None:
    """The claim is proved wherever eigenvalues differ."""
    verdict = assert_proved(function, signature, under, generic=True, **options)
    assert {p.kind for p in verdict.points} == {"eigenvalues"}


def relu(z: Any) -> Any:
    return np.maximum(z, 0)


def phi(z: Any) -> Any:
    return np.tanh(relu(z[..., None] @ D + 0.5) @ D.T)[..., 0]


def sigmoid(z: Any) -> Any:
    return 1 / (1 + np.exp(-z - 1))


def leaky(z: Any) -> Any:
    return np.where(z > 0, z, z / 8) + 1


def softmax(z: Any) -> Any:
    e = np.exp(z)
    return e / e.sum(axis=0)


def mixed(Z: Any) -> Any:
    """A function in which coordinates along different eigenvectors meet."""
    return relu(Z @ A + B) @ C


WIDE = [RNG.normal(size=shape) / 4 for shape in ((3, 40), (40, 40), (40, 3))]


def deep(Z: Any) -> Any:
    for matrix in WIDE:
        Z = relu(Z @ matrix + 0.125)
    return Z


def attention(Z: Any) -> Any:
    return softmax(Z @ Z.T + Z.sum(axis=1)[:, None]).T @ Z


def mean(values: list[Any]) -> Any:
    return sum(values) / len(values)


def stacked(Z: Any) -> Any:
    return np.einsum("nk,fk->fnk", Z, np.array(FRAMES))


#: Of the coordinates Z = X V along three eigenvectors; of any signs of these they are the same.
EVEN: dict[str, Function] = {
    "cosh": lambda Z: 2 * np.cosh(Z),
    "exp and exp": lambda Z: np.exp(Z) + np.exp(-Z),
    "a network": lambda Z: phi(Z) + phi(-Z),
    "the outer one as well": lambda Z: sigmoid(phi(Z) + phi(-Z)).sum(axis=1),
    "products": lambda Z: relu(Z + 1) * relu(1 - Z),
    "the greater": lambda Z: np.maximum(phi(Z), phi(-Z)),
    "the greater of a stack": lambda Z: np.stack([relu(Z + 1), relu(1 - Z)]).max(axis=0),
    "the least of a stack": lambda Z: np.stack([leaky(Z), leaky(-Z)]).min(axis=0),
    "a mean of joined ones": lambda Z: np.tanh(2 * np.concatenate([Z[None], -Z[None]]) + 1).mean(axis=0),
    "the product of a stack": lambda Z: np.stack([sigmoid(Z), sigmoid(-Z)]).prod(axis=0),
    "the square of an odd one": lambda Z: (np.exp(Z) - np.exp(-Z)) ** 2,
    "two odd ones": lambda Z: (phi(Z) - phi(-Z)) * np.sin(Z),
    "branches": lambda Z: np.where(Z > 1, 2.0, 0.0) + np.where(Z < -1, 2.0, 0.0),
    "shares": lambda Z: softmax(Z) + softmax(-Z),
    "logarithms": lambda Z: np.log(Z + 1) + np.log(1 - Z),
    "a sum before and after": lambda Z: (phi(Z) + phi(-Z)).sum(axis=1) ** 2,
    "all frames": lambda Z: mean([mixed(Z * s) for s in FRAMES]),
    "all frames, one number": lambda Z: mean([relu(Z * s @ A + B).sum() for s in FRAMES]),
    "all frames in one array": lambda Z: mixed(stacked(Z)).mean(axis=0),
    "all frames of a deep network": lambda Z: mean([deep(Z * s) for s in FRAMES]),
    "all frames of attention": lambda Z: mean([attention(Z * s) for s in FRAMES]),
    "the greatest of all frames": lambda Z: mixed(stacked(Z)).max(axis=0),
}
#: Of some signs of them they are others.
NOT_EVEN: dict[str, Function] = {
    "another exponent": lambda Z: np.exp(Z) + np.exp(-2 * Z),
    "a difference": lambda Z: phi(Z) - phi(-Z),
    "two functions": lambda Z: phi(Z) + sigmoid(-Z),
    "a sum": lambda Z: Z.sum(),
    "another constant": lambda Z: relu(Z + 1) + relu(0.5 - Z),
    "a product with one": lambda Z: (phi(Z) + phi(-Z)) * Z,
    "one power": lambda Z: np.cosh(Z) ** 2 + np.sinh(Z),
    "signs together": lambda Z: mixed(Z) + mixed(-Z),
    "half of the frames": lambda Z: mean([mixed(Z * s) for s in ROTATIONS]),
    "half of the frames of attention": lambda Z: mean([attention(Z * s) for s in FRAMES[::2]]),
    "frames but one": lambda Z: mean([mixed(Z * s) for s in FRAMES[1:]]),
    "frames with weights": lambda Z: sum(mixed(Z * s) * (1 + k) for k, s in enumerate(FRAMES)),
    "a maximum of three": lambda Z: np.stack([phi(Z), phi(-Z), phi(Z + 1)]).max(axis=0),
    "a product of neighbours": lambda Z: (Z[:, :2] * Z[:, 1:]).sum(axis=1),
    "the order of a stack": lambda Z: np.stack([relu(Z), relu(-Z)])[0],
}


def change(function: Function) -> float:
    """How far signs of the coordinates move the values of a function, as floats tell it."""
    rng, worst = np.random.default_rng(1), 0.0
    for signs in FRAMES:
        Z = rng.uniform(-0.9, 0.9, size=(4, 3))
        value, other = np.asarray(function(Z)), np.asarray(function(Z * signs))
        worst = max(worst, float(np.abs(value - other).max() / (1e-9 + np.abs(value).max())))
    return worst


def in_coordinates(function: Function) -> Function:
    def f(X: Any) -> Any:
        Y = X - X.mean(axis=0)
        return function(Y @ eigh(Y.T @ Y)[1])

    return f


def typing(function: Function) -> str:
    axes = {(): "()", (4,): "n", (4, 3): "n 3!"}[np.shape(function(np.full((4, 3), 0.1)))]
    return f"X: n 3 -> {axes}"


@pytest.mark.parametrize("name", EVEN)
def test_even_functions_are_proved(name: str) -> None:
    function = EVEN[name]
    assert change(function) < 1e-12
    assert_off_equal_eigenvalues(in_coordinates(function), typing(function), "E(3)", budget=30)


@pytest.mark.parametrize("name", NOT_EVEN)
def test_near_misses_are_not_proved(name: str) -> None:
    function = NOT_EVEN[name]
    assert change(function) > 1e-3
    signature = "X: n 3 -> n 3!" if name == "the order of a stack" else typing(function)
    verdict = ep.prove(in_coordinates(function), signature, "E(3)", budget=60)
    assert not verdict.holds, verdict
    assert "eigenvectors have no sign: the result changes when v is replaced by -v" in verdict.reason


def test_any_number_of_eigenvectors() -> None:
    for name in ("exp and exp", "a network", "the greater", "shares"):
        assert_off_equal_eigenvalues(in_coordinates(EVEN[name]), "X: n d -> n d!", "O(d) x S(n)", budget=60)


BASE: list[Function] = [
    np.exp, np.tanh, relu, sigmoid, leaky, np.cos, lambda z: z**2 + z, lambda z: np.abs(z - 0.25),
]  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_random_sums_products_and_maxima(seed: int) -> None:
    """What is proved is even as floats tell it; and what is made even is proved."""
    rng = np.random.default_rng(seed)

    def drawn() -> Function:
        outer, inner = (BASE[k] for k in rng.integers(len(BASE), size=2))
        a, b = (float(x) for x in rng.choice([-2.0, -1.0, 0.5, 1.0], size=2))
        return lambda z: outer(a * inner(z) + b)

    def pair(f: Function, g: Function, way: int) -> Function:
        ways: list[Function] = [
            lambda z: f(z) + g(-z), lambda z: f(z) * g(-z), lambda z: np.minimum(f(z), g(-z)),
            lambda z: np.tanh(f(z) - g(-z)) ** 2,
        ]  # fmt: skip
        return ways[way]

    f, g, h = drawn(), drawn(), drawn()
    first, second = (int(k) for k in rng.integers(4, size=2))
    even = lambda z: pair(f, f, first)(z) * pair(g, g, second)(z) + np.cosh(z)  # noqa: E731
    assert_off_equal_eigenvalues(in_coordinates(even), "X: n d -> n d!", "E(d)", budget=60)
    for other in (pair(f, g, first), lambda z: pair(f, f, second)(z) + h(z), pair(g, h, second)):
        verdict = ep.prove(in_coordinates(other), "X: n d -> n d!", "E(d)", budget=60)
        if change(other) > 1e-9:
            assert not verdict.holds, verdict


def test_frames_that_are_mapped_back() -> None:
    def averaged(X: Any) -> Any:
        Y = X - X.mean(axis=0)
        V = eigh(Y.T @ Y)[1]
        return sum(mixed(Y @ (V * s)) @ (V * s).T for s in FRAMES) / len(FRAMES)

    def one_sided(X: Any) -> Any:
        Y = X - X.mean(axis=0)
        V = eigh(Y.T @ Y)[1]
        return sum(mixed(Y @ (V * s)) @ V.T for s in FRAMES) / len(FRAMES)

    def right_handed(X: Any) -> Any:
        Y = X - X.mean(axis=0)
        V = eigh(Y.T @ Y)[1]
        u, v = V[:, 2], V[:, 1]
        frames = [np.stack([a * u, b * v, a * b * np.cross(u, v)], axis=1) for a in (1, -1) for b in (1, -1)]
        return mean([mixed(Y @ F) @ F.T for F in frames])

    assert_off_equal_eigenvalues(averaged, "X: n 3 -> n 3^", "E(3) x S(n)", budget=40)
    assert_off_equal_eigenvalues(right_handed, "X: n 3 -> n 3^", "SE(3) x S(n)", budget=40)
    assert not ep.prove(right_handed, "X: n 3 -> n 3^", "E(3)", budget=60).holds
    assert not ep.prove(one_sided, "X: n 3 -> n 3^", "E(3)", budget=60).holds


def laplacian(A: Any) -> Any:
    S = A + A.T
    return np.diag(S.sum(axis=1)) - S


def test_encodings_of_graphs() -> None:
    def encoded(A: Any) -> Any:
        V = eigh(laplacian(A))[1][:, :3]
        return relu((phi(V) + phi(-V)) @ A[:3, :3].sum() + V**2)

    def networks(A: Any) -> Any:
        L = laplacian(A)
        V = eigh(L)[1]
        return sum(relu(L @ relu(s * V + 0.5)) for s in (1, -1))

    def by_largest(A: Any) -> Any:
        V = eigh(laplacian(A))[1]
        largest = np.argmax(np.abs(V), axis=0)
        return V * np.sign(V[largest, np.arange(V.shape[1])])

    assert_off_equal_eigenvalues(networks, "A: n n -> n n!", "S(n)", budget=60)
    assert not ep.prove(encoded, "A: n n -> n 3", "S(n)", budget=60).holds  # entries of A that are picked
    assert not ep.prove(by_largest, "A: n n -> n n!", "S(n)", budget=60).holds  # the first of equal ones


def test_several_matrices_have_signs_of_their_own() -> None:
    def each(X: Any) -> Any:
        Z = X @ eigh(np.swapaxes(X, -1, -2) @ X)[1]
        return np.exp(Z) + np.exp(-Z)

    def together(X: Any) -> Any:
        Z = X @ eigh(np.swapaxes(X, -1, -2) @ X)[1]
        return np.exp(Z.sum(axis=0)) + np.exp(-Z.sum(axis=0))

    assert_off_equal_eigenvalues(each, "X: b n d -> b n d!", "O(d) each b", budget=60)
    assert_off_equal_eigenvalues(each, "X: b n 3 -> b n 3!", "S(b) x O(3) x S(n)", budget=60)
    assert not ep.prove(together, "X: b n d -> n d!", "O(d)", budget=60).holds


def test_claims_under_signs() -> None:
    assert_proved(lambda x: np.exp(x) + np.exp(-x), "x: d -> d!", "Signs(d)")
    assert_proved(lambda x: np.exp(x) - np.exp(-x), "x: d -> d", "Signs(d)")
    assert_proved(lambda x: np.tanh(x) + np.tanh(-x), "x: d -> d!", "Signs(d)")  # 0, which is odd as well
    assert_proved(lambda x: mean([mixed(x * s) for s in FRAMES]), "x: 3 -> 3!", "Signs(3)")
    for function, signature in (
        (lambda x: np.exp(x) + np.exp(-2 * x), "x: d -> d!"),
        (lambda x: np.exp(x) - np.exp(-x), "x: d -> d!"),
        (lambda x: np.exp(x.sum()) + np.exp(-x.sum()), "x: d -> ()"),
        (lambda x: mean([mixed(x * s) for s in ROTATIONS]), "x: 3 -> 3!"),
    ):
        assert not ep.prove(function, signature, "Signs(d)" if "d" in signature else "Signs(3)").holds


def test_torch() -> None:
    torch = pytest.importorskip("torch")
    torch.manual_seed(0)
    linear, relu_ = torch.nn.Linear, torch.nn.ReLU

    class SignNet(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self, sign: float) -> None:
            super().__init__()
            self.phi = torch.nn.Sequential(linear(1, 8), relu_(), linear(8, 4), relu_())
            self.rho = torch.nn.Sequential(linear(12, 8), relu_(), linear(8, 2))
            self.sign = sign

        def forward(self, A: Any) -> Any:
            S = A + A.T
            v = torch.linalg.eigh(torch.diag(S.sum(1)) - S)[1][:, :3].unsqueeze(-1)
            return self.rho((self.phi(v) + self.phi(self.sign * v)).flatten(1))

    assert_off_equal_eigenvalues(SignNet(-1).double(), "A: n n -> n 2", "S(n)", budget=60)
    verdict = ep.prove(SignNet(-2).double(), "A: n n -> n 2", "S(n)", budget=60)
    assert not verdict.holds
    assert "eigenvectors have no sign" in verdict.reason


def test_jax() -> None:
    jnp = pytest.importorskip("jax.numpy")

    def encoded(A: Any) -> Any:
        S = A + A.T
        V = jnp.linalg.eigh(jnp.diag(S.sum(1)) - S)[1]
        return jnp.tanh(2 * V + 1) + jnp.tanh(1 - 2 * V)

    assert_off_equal_eigenvalues(encoded, "A: n n -> n n!", "S(n)", backend="jax", budget=60)


def of_all(weight: Function, count: int = 3) -> Function:
    def f(A: Any) -> Any:
        values, vectors = eigh(A + A.T)
        return sum(weight(values, k) * np.outer(vectors[:, k], vectors[:, k]) for k in range(count))

    return f


@pytest.mark.parametrize(
    "f",
    [
        of_all(lambda t, k: t[k]),
        of_all(lambda t, k: np.exp(-t[k]) / (1 + t[k] ** 2)),
        of_all(lambda t, k: np.tanh(t)[k] + t.sum()),
        of_all(lambda t, k: 1),
        lambda A: sum(t * np.outer(v, v) for t, v in zip(eigh(A + A.T)[0], eigh(A + A.T)[1].T, strict=True)),
        lambda A: np.stack([v[:, None] @ v[None] / 2 for v in eigh(A + A.T)[1].T]).sum(axis=0),
        lambda A: A @ sum(np.outer(A @ v, v) for v in eigh(A + A.T)[1].T),
    ],
)  # fmt: skip
def test_sums_over_all_eigenvectors_are_functions_of_the_matrix(f: Function) -> None:
    assert not assert_proved(f, "A: 3 3 -> 3 3", "O(3)").points
    A = np.diag([1.0, 1.0, 2.0])
    turned = np.linalg.qr(np.random.default_rng(0).normal(size=(3, 3)))[0]
    assert np.allclose(f(turned @ A @ turned.T), turned @ f(A) @ turned.T)


@pytest.mark.parametrize(
    "f",
    [
        of_all(lambda t, k: t[k], 2),
        of_all(lambda t, k: t[2 - k]),
        of_all(lambda t, k: k + t[k]),
        of_all(lambda t, k: (1 + k) ** 2),
    ],
)
def test_other_sums_leave_equal_eigenvalues_out(f: Function) -> None:
    assert_off_equal_eigenvalues(f, "A: 3 3 -> 3 3", "O(3)")


def test_bases_that_cancel() -> None:
    def of(h: Function) -> Function:
        return lambda A: h(A + A.T, *eigh(A + A.T))

    for h in (lambda S, t, V: V.T @ V, lambda S, t, V: V.T @ S @ V):
        assert not assert_proved(of(h), "A: n n -> n! n!", "O(n)").points
    assert not assert_proved(of(lambda S, t, V: (S @ V) @ V.T), "A: n n -> n n", "O(n)").points
    assert not ep.prove(of(lambda S, t, V: V.T @ np.abs(S) @ V), "A: n n -> n! n!", "O(n)").holds


@pytest.mark.parametrize(
    ("function", "signature", "under", "kind"),
    [
        (lambda A: eigh(A + A.T)[1], "A: n n -> n n!", "S(n)", "eigenvectors"),
        (lambda X: np.linalg.svd(X)[0], "X: n n -> n n!", "O(n)", "singular vectors"),
        (lambda X: np.linalg.svd(X)[0], "X: 3 3 -> 3 3!", "O(3)", "singular vectors"),
        (lambda X: np.linalg.svd(X, full_matrices=False)[2], "X: n 3 -> 3! 3", "O(3)", "singular vectors"),
        (lambda X: X @ eigh(X.T @ X)[1][:, -1], "X: n d -> n", "O(d)", "eigenvectors"),
        (lambda A: np.exp(eigh(A)[1]), "A: n n -> n n!", "S(n)", "eigenvectors"),
    ],
)
def test_raw_vectors_have_no_sign(function: Function, signature: str, under: str, kind: str) -> None:
    verdict = ep.check(function, signature, under, budget=10)
    assert not verdict.holds
    assert verdict.reason.startswith(f"{kind} have no sign: the result changes when v is replaced by -v (at ")
    assert "test_even_functions.py" in verdict.reason
    assert "trace differ" not in str(verdict)


@pytest.mark.parametrize("function", [np.equal, np.not_equal, np.logical_and, np.logical_or])
def test_truths_about_two_values_do_not_change_where_both_change_their_signs(function: Function) -> None:
    assert_proved(
        lambda X, Y: function(X, Y) * X, "X: n d, Y: n d -> n d", "Signs(d) x S(n)"
    )


@pytest.mark.parametrize(
    ("function", "other"), [(np.less, "d"), (np.greater_equal, "d"), (np.equal, "d!"), (np.not_equal, "d!")]
)
def test_other_truths_change(function: Function, other: str) -> None:
    verdict = ep.check(function, f"X: n d, Y: n {other} -> n d!", "Signs(d)", budget=4)
    assert verdict.fails and verdict.certificate is not None and ep.verify(verdict.certificate).accepted
