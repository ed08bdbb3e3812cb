"""Flips of some arguments, Flip(v, B): as people write functions of velocities, fields and signs."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.errors import GroupError, OptionTypeError
from tests.judged import assert_proved, assert_refuted

F = Callable[..., Any]
HIDDEN = np.random.default_rng(0).normal(size=(8, 3)).round(2)
XV = "x: n 3, v: n 3"


def kinetic(x, v):
    return (v**2).sum() + (x**2).sum()


def lorentz_force(v, B):
    return np.cross(v, B)


def odd_network(x, v):
    return np.tanh(v @ HIDDEN.T) @ HIDDEN


def biased_network(x, v):
    return np.tanh(v @ HIDDEN.T + 0.5) @ HIDDEN


def drag(x, v):
    return -v * np.sqrt((v**2).sum(-1, keepdims=True))


def drag_without_direction(x, v):
    return v**2


def euler(x, v):
    return x + 0.1 * v, v - 0.1 * x


def normalised(x, v):
    return (v - v.mean(-1, keepdims=True)) / np.sqrt(v.var(-1, keepdims=True) + 1e-5)


def attention(x, v):
    scores = np.exp(v @ v.T)
    return scores / scores.sum(1, keepdims=True) @ v


def attention_over_positions(x, v):
    scores = np.exp(x @ v.T)
    return scores / scores.sum(1, keepdims=True) @ v


def signed_root(x, v):
    return np.sign(v) * np.sqrt(np.abs(v))


def rectified(x, v):
    return np.maximum(v, 0)


def momentum(x, v):
    return {"L": np.cross(x, v).sum(0), "E": (v**2).sum()}


def power(v, B):
    return (v * B).sum(-1)


def gated(x, v):
    return np.where((v**2).sum(-1, keepdims=True) > 1, v, 2 * v)


def gated_by_a_component(x, v):
    return np.where(v[:, :1] > 0, v, 2 * v)


def work(x, v):
    return (x * v).sum()


RIGHT: list[tuple[F, str, str]] = [
    (kinetic, "x: n d, v: n d -> ()", "Flip(v)"),
    (kinetic, "x: n d, v: n d -> ()", "Flip(x) x Flip(v) x S(n) x O(d)"),
    (lorentz_force, "v: n 3, B: n 3 -> n 3", "Flip(v, B)"),
    (lorentz_force, "v: n 3, B: n 3 -> F: n 3", "Flip(B, F) x SO(3)"),
    (odd_network, XV + " -> F: n 3", "Flip(v, F) x S(n)"),
    (drag, "x: n d, v: n d^ -> F: n d^", "E(d) x Flip(F, v)"),
    (normalised, "x: n d, v: n d -> v: n d", "Flip(v)"),
    (attention, "x: n d, v: n d -> v: n d", "Flip(v)"),
    (signed_root, XV + " -> v: n 3", "Flip(v)"),
    (momentum, XV + " -> L: 3, E: ()", "Flip(v, L)"),
    (momentum, XV + " -> L: 3, E: ()", "Flip(x, v)"),
    (power, "v: n d, B: n d -> P: n", "Flip(v, P) x Flip(B, P)"),
    (gated, XV + " -> v: n 3", "Flip(v)"),
]
WRONG: list[tuple[F, str, str]] = [
    (lorentz_force, "v: n 3, B: n 3 -> F: n 3", "Flip(v, B, F)"),
    (lorentz_force, "v: n 3, B: n 3 -> n 3", "Flip(v)"),
    (biased_network, XV + " -> F: n 3", "Flip(v, F)"),
    (drag_without_direction, "x: n d, v: n d -> F: n d", "Flip(v, F)"),
    (euler, "x: n d, v: n d -> x: n d, v: n d", "Flip(v)"),
    (attention_over_positions, "x: n d, v: n d -> v: n d", "Flip(v)"),
    (rectified, XV + " -> v: n 3", "Flip(v)"),
    (momentum, XV + " -> L: 3, E: ()", "Flip(v)"),
    (momentum, XV + " -> L: 3, E: ()", "Flip(v, L, E)"),
    (power, "v: n d, B: n d -> P: n", "Flip(v, P) x Flip(B)"),
    (gated_by_a_component, XV + " -> v: n 3", "Flip(v)"),
    (work, "x: n d, v: n d -> ()", "Flip(x) x Flip(v)"),
]


def holds_at_random_points(f: F, signature: str, under: str) -> bool:
    """Compares both sides in floats, from the texts alone."""
    rng = np.random.default_rng(1)
    left, right = signature.split("->")
    names = [part.split(":")[0].strip() for part in left.split(",")]
    results = [part.split(":")[0].strip() if ":" in part else "" for part in right.split(",")]
    for factor in under.split(" x "):
        if not factor.startswith("Flip"):
            continue
        flipped = [name.strip() for name in factor[5:-1].split(",")]
        for _ in range(20):
            point = {name: rng.normal(size=(4, 3)) for name in names}
            moved = {n: -a if n in flipped else a for n, a in point.items()}
            for name, before, after in zip(
                results, parts(f(*point.values())), parts(f(*moved.values())), strict=True
            ):
                if not np.allclose(after, -before if name in flipped else before):
                    return False
    return True


def parts(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [*value.values()]
    return [*value] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize(("f", "signature", "under"), RIGHT)
def test_right_functions_are_proved(f: F, signature: str, under: str) -> None:
    assert holds_at_random_points(f, signature, under)
    verdict = assert_proved(f, signature, under)
    assert (verdict.under, verdict.signature) == (under, signature)
    assert "_1" not in verdict.scope


@pytest.mark.parametrize(("f", "signature", "under"), WRONG)
def test_wrong_functions_are_refuted(f: F, signature: str, under: str) -> None:
    assert not holds_at_random_points(f, signature, under)
    verdict = assert_refuted(f, signature, under)
    assert "_1" not in str(verdict)


def test_a_counterexample_has_the_arrays_of_the_user() -> None:
    verdict = assert_refuted(euler, "x: n d, v: n d -> x: n d, v: n d", "Flip(v)")
    found = verdict.counterexample
    assert found is not None
    assert found.words == "flip the sign of v"
    assert {n: a.ndim for n, a in found.inputs.items()} == {"x": 2, "v": 2}
    assert (found.moved["v"] == -found.inputs["v"]).all()
    assert (found.moved["x"] == found.inputs["x"]).all()
    assert found.left.ndim == found.right.ndim == len(found.entry) == 2
    shown: list[str] = []
    exec(found.code(), {"print": lambda *parts: shown.append(str(parts))})
    assert len(shown) == 3


def test_the_reason_names_the_line_where_signs_meet() -> None:
    def drift(x, v):
        step = 0.1 * v
        return x + step

    verdict = assert_refuted(drift, "x: n d, v: n d -> n d", "Flip(v)")
    assert "return x + step" in verdict.reason
    kept = ep.check(lambda x, v: v, "x: n d, v: n d -> n d", "Flip(v)")
    assert kept.fails and "the result changes sign where it should not" in kept.reason


def test_parts_of_structures_complex_arrays_numbers_and_merged_axes() -> None:
    example = {"data": {"x": 0, "v": 0}}
    assert_proved(
        lambda data: data["v"] * data["x"], "data.x: n, data.v: n -> F: n", "Flip(data.v, F)",
        example=example,
    )  # fmt: skip
    assert_proved(lambda z, v: (z * v).real, "z[complex]: n, v: n -> F: n", "Flip(z, F)")
    assert_refuted(lambda z, v: (z * v).real, "z[complex]: n, v: n -> F: n", "Flip(z)")
    assert_proved(lambda z, v: abs(z) * v, "z[complex]: (), v: () -> ()", "Flip(z)")
    assert_proved(lambda v: float(v), "v: () -> v: ()", "Flip(v)")
    assert_proved(lambda z: z**3, "z: (n 3) -> z: (n 3)", "Flip(z)")
    # an axis of one kind has the name that the axis of a flip would have
    assert_proved(lambda z, v: v * (z == 0), "z[1]: n, v: n -> v: n", "Flip(v)")


def test_a_domain_sees_the_arrays_of_the_user() -> None:
    def inside(inputs: Any) -> bool:
        return inputs["v"].ndim == 1 and bool((abs(inputs["v"]) < 2).all())

    def f(x, v):
        return np.where(v > 2, x + 1, x)

    claim = (f, "x: n, v: n -> n", "Flip(v)")
    assert_refuted(*claim)
    verdict = ep.check(*claim, domain=inside, budget=20)
    assert verdict.holds or verdict.outcome == "UNDECIDED"
    assert "no point" not in verdict.reason
    assert_proved(
        lambda x, v: v / x, "x: n, v: n -> v: n", "Flip(v)", domain=ep.domains.distinct("v", axis=0)
    )
    numbers = np.array([Fraction(k) for k in (1, 2, 1)], dtype=object)
    assert sorted(ep.domains.distinct("A", axis=0).moved({"A": numbers})["A"]) == [1, 2, 3]


def test_modules_of_torch_and_functions_of_jax() -> None:
    torch = pytest.importorskip("torch")
    jnp = pytest.importorskip("jax.numpy")

    class Odd(torch.nn.Module):
        def __init__(self, *, bias: bool) -> None:
            super().__init__()
            self.layer = torch.nn.Linear(3, 3, bias=bias)

        def forward(self, x, v):
            return torch.tanh(self.layer(v)), x.sum()

    assert_proved(Odd(bias=False), XV + " -> F: n 3, E: ()", "Flip(v, F)")
    assert_refuted(Odd(bias=True), XV + " -> F: n 3, E: ()", "Flip(v, F)")
    assert_proved(lambda x, v: jnp.tanh(v) * x.sum(), XV + " -> F: n 3", "Flip(v, F)")
    assert_refuted(lambda x, v: jnp.cos(v) * x.sum(), XV + " -> F: n 3", "Flip(v, F)")


@pytest.mark.parametrize("name", ["F", "T", "real", "shape"])
def test_a_single_array_may_have_any_name(name: str) -> None:
    assert_proved(lambda x, v: x * v, f"x: n d, v: n d -> {name}: n d", f"Flip(v, {name})")
    assert_refuted(lambda x, v: x * v, f"x: n d, v: n d -> {name}: n d", "Flip(v)")


def test_assertions_take_flips() -> None:
    ep.testing.assert_equivariant(drag, "x: n d, v: n d -> F: n d", "Flip(v, F)")
    ep.testing.assert_invariant(kinetic, "x: n d, v: n d -> ()", "Flip(v)")
    with pytest.raises(AssertionError):
        ep.testing.assert_invariant(drag, "x: n d, v: n d -> F: n d", "Flip(v)")
    with pytest.raises(GroupError):
        ep.testing.assert_invariant(drag, "x: n d, v: n d -> F: n d", "Flip(v, F)")


@pytest.mark.parametrize(
    ("under", "said"),
    [
        ("Flip(w)", "no argument and no result 'w'"),
        ("Flip()", "a name is missing"),
        ("Flip", "Flip(v, B)"),
        ("flip(v)", "Flip(v, B)"),
        ("Flip(v, v)", "once"),
        ("Flip(F)", "names results alone"),
        ("Flip(m)", "has no sign"),
        ("Flip(v) x Flip(v, F)", "two flips of the same arguments"),
        ("Flip(v) Flip(x)", "Flip(v) x Flip(x)"),
        ("Flip(v) and S(n)", "Flip(v) x S(n)"),
    ],
)
def test_mistakes(under: str, said: str) -> None:
    with pytest.raises(GroupError) as caught:
        ep.check(drag, "x: n d, v: n d, m[bool]: n -> F: n d", under)
    assert said in str(caught.value)


def test_flips_are_refused_where_they_are_not_read() -> None:
    sp = pytest.importorskip("sympy")
    st = pytest.importorskip("hypothesis.strategies")
    with pytest.raises(GroupError):
        ep.reynolds(drag, "x: n d, v: n d -> n d", "Flip(v)")
    with pytest.raises(GroupError):
        a, b = sp.symbols("a b")
        ep.check(a * b**2, "a: (), b: () -> ()", "Flip(b)")
    with pytest.raises(OptionTypeError):
        ep.check(drag, "x: n d, v: n d -> F: n d", "Flip(v, F)", domain=st.floats())
