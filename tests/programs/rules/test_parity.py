"""Parities against exact evaluation; constants that a group leaves as they are."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.claims.groups import Factor, random_element
from eqvproof.claims.groups.kinds import Kind
from eqvproof.programs import Size
from eqvproof.programs import operations as ops
from eqvproof.programs.rules import Context, Stuck, Typed
from eqvproof.programs.rules.acts import DUAL, canonical, fix, std
from tests.programs.rules.harness import KINDS, MAKERS, A, Instance, each_kind
from tests.programs.rules.reference import (
    act_matrix,
    apply_along,
    determinant,
    equal,
    evaluate,
    tensor,
)
from tests.sampling import examples


def make_determinant(i: Instance) -> ops.Operation:
    """Determinants of matrices whose rows and columns are moved in different ways."""
    two = Size.of(2)
    acts = {
        A: [std(A), fix(A)],
        A * 2: [canonical([[(A, True)], [(A, True)]]), canonical([[(two, False), (A, True)]]), fix(A * 2)],
    }
    size = i.rng.choice(list(acts) if i.sizes["a"] < 3 else [A])
    x = i.argument([(i.rng.choice(acts[size]), size), (i.rng.choice(acts[size]), size)])
    return ops.Matrix((x,), (), "det")


def make_even(i: Instance) -> ops.Operation:
    """Functions that a sign does or does not matter to."""
    fn = i.rng.choice(["eq", "and", "ne", "lt", "not", "abs", "recip", "maximum"])
    x = i.argument([(fix(A), A)])
    if fn in ("not", "abs", "recip"):
        return ops.Map((x,), (A,), fn)
    return ops.Map((x, i.argument([(fix(A), A)])), (A,), fn)


#: Positions that the group relabels are no numbers with a parity.
ALL = {k: make for k, make in MAKERS.items() if k != "onehot"} | {
    "determinant": make_determinant,
    "even": make_even,
}


def chi(rho: Any) -> Fraction:
    """The determinant of the group element."""
    return Fraction(determinant(rho))


def times(value: Any, sign: Fraction) -> Any:
    """A value times a sign, undefined entries as they are."""
    return tensor(value.shape, [None if v is None else sign * v for v in value.ravel()])


def truth(op: ops.Operation, args: list[Any], sizes: dict[str, int]) -> Any:
    """The reference evaluation; comparisons for what they are, which stand-ins are not."""
    if isinstance(op, ops.Map) and op.fn == "not":
        return tensor(args[0].shape, [None if v is None else Fraction(v == 0) for v in args[0].ravel()])
    if isinstance(op, ops.Map) and op.fn in ("eq", "ne", "and", "lt", "maximum"):
        fn: Any = {
            "eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "and": lambda a, b: bool(a and b),
            "lt": lambda a, b: a < b, "maximum": max,
        }[op.fn]  # fmt: skip
        pairs = zip(args[0].ravel(), args[1].ravel(), strict=True)
        values = [None if a is None or b is None else Fraction(fn(a, b)) for a, b in pairs]
        return tensor(args[0].shape, values)
    return evaluate(op, args, sizes)


def outcome(instance: Instance, odds: list[int]) -> tuple[list[Typed], str]:
    """What is derived when some arguments are odd, and why that is wrong ("" when it is right)."""
    typed = [Typed(t, o) for t, o in zip(instance.types, odds, strict=True)]
    args = [typed[a] for a in instance.op.args]
    try:
        found = instance.op.typed(args, instance.context())
    except Stuck:
        return [], ""
    sign = chi(instance.rho)
    moved = [
        times(instance.move(v, t.acts), sign**t.odd) for v, t in zip(instance.values, typed, strict=True)
    ]
    left = truth(instance.op, [moved[a] for a in instance.op.args], instance.sizes)
    plain = truth(instance.op, [instance.values[a] for a in instance.op.args], instance.sizes)
    for result in found:
        if not equal(left, times(instance.move(plain, result.acts), sign**result.odd)):
            return found, f"{instance.op} with {typed} at {instance.sizes} is not {result}"
    return found, ""


@each_kind
@pytest.mark.parametrize("name", ALL)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(60), deadline=None)
def test_no_parity_is_wrong(name: str, kind: Kind, seed: int) -> None:
    rng = random.Random(seed)
    instance = Instance(rng, ALL[name], kind)
    powers = [-2, -1, 0, 0, 1, 3] if kind.has_dual else [0, 1]
    odds = [rng.choice(powers) for _ in instance.types]
    assert outcome(instance, odds)[1] == ""


def test_odd_values_are_met() -> None:
    """Positive control: many instances derive an odd value, for each kind."""
    for kind in KINDS:
        count = 0
        for seed, name in product(range(60), ALL):
            rng = random.Random(seed)
            instance = Instance(rng, ALL[name], kind)
            odds = [int(rng.random() < 0.6) for _ in instance.types]
            count += any(t.odd for t in outcome(instance, odds)[0])
            if count > 100:
                break
        assert count > 100


# -- constants -------------------------------------------------------------------------------------------
def levi_civita(size: int) -> Any:
    """The alternating symbol."""
    out = np.zeros((size,) * size, dtype=int)
    for p in np.ndindex(out.shape):
        if len(set(p)) == size:
            out[p] = (-1) ** sum(p[i] > p[j] for i in range(size) for j in range(i + 1, size))
    return out


def constants(rng: random.Random, size: int) -> Any:
    """Arrays, most of them invariant under something."""
    eye, eps = np.eye(size, dtype=int), levi_civita(size)
    pick = rng.randrange(9)
    if pick == 0:
        return eps
    if pick == 1:
        return 3 * eye
    if pick == 2:
        return np.multiply.outer(eye, eye) - np.multiply.outer(eye, eye).swapaxes(1, 2)
    if pick == 3:
        return np.multiply.outer(eye, eps) if size < 4 else eps
    if pick == 4:
        return eye + rng.choice([0, 1]) * np.ones((size, size), dtype=int)
    if pick == 5:
        return np.roll(eye, 1, axis=0)
    if pick == 6:
        return abs(eps)
    if pick == 7:
        return np.array([rng.choice([-1, 0, 1]) for _ in range(size * size)]).reshape(size, size)
    return np.multiply.outer(eps, np.array([1, -2]))


FAMILIES = ["O", "SO", "S", "A", "C", "D", "Signs"]


def typed_constant(array: Any, family: str, size: int) -> tuple[Context, ops.Const, list[Typed]]:
    """The types of a constant under a family whose axis has that size."""
    op = ops.Const((), tuple(Size.of(n) for n in array.shape), tuple(Fraction(int(v)) for v in array.ravel()))
    context = Context(family, "d", Size.of(size), [op], {"d": size})
    return context, op, op.typed([], context)


@pytest.mark.parametrize("family", [*FAMILIES, "GL", "SL"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(60), deadline=None)
def test_invariant_constants(family: str, seed: int) -> None:
    """Random elements leave a constant as it is, up to chi, in every type found."""
    rng = random.Random(seed)
    size = rng.choice([1, 2, 3])
    array = constants(rng, size)
    _, op, found = typed_constant(array, family, size)
    value = tensor(array.shape, list(op.values))
    for typed in found:
        element = random_element(Factor(family, "d"), size, rng)
        rho = tensor((size, size), [v for row in element.matrix() for v in row])
        moved = value
        for axis, act in enumerate(typed.acts):
            moved = apply_along(act_matrix(act, array.shape[axis], rho, {}), moved, axis)
        assert equal(value, times(moved, chi(rho) ** typed.odd)), (array, typed)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("family", FAMILIES)
def test_the_levi_civita_symbol_is_odd(family: str, size: int) -> None:
    _, _, found = typed_constant(levi_civita(size), family, size)
    everywhere = Typed((std(Size.of(size)),) * size, family not in ("SO", "A"))
    assert (everywhere in found and Typed(everywhere.acts, not everywhere.odd) not in found) or (
        size == 3 and family == "C"
    )


@pytest.mark.parametrize("size", [2, 3])
def test_the_weights_of_constants_under_gl(size: int) -> None:
    """The alternating symbol has weight -1 on vectors and 1 on dual ones; the identity takes one of each."""
    up, down, still = std(Size.of(size)), canonical([[(Size.of(size), DUAL)]]), fix(Size.of(size))
    symbol = typed_constant(levi_civita(size), "GL", size)[2]
    assert Typed((up,) * size, -1) in symbol and Typed((down,) * size, 1) in symbol
    assert Typed((still,) * size) in symbol
    identity = typed_constant(np.eye(size, dtype=int), "GL", size)[2]
    assert {Typed((up, down)), Typed((down, up)), Typed((still, still))} <= set(identity)
    assert len(symbol) == len(identity) == 3


def test_products_of_two_identities_are_invariant_under_gl() -> None:
    two = np.eye(2, dtype=int)
    up, down = std(Size.of(2)), canonical([[(Size.of(2), DUAL)]])
    found = typed_constant(np.multiply.outer(two, two), "GL", 2)[2]
    assert Typed((up, down, up, down)) in found and Typed((up, down, down, up)) in found
    assert not any(t.acts.count(up) != t.acts.count(down) for t in found)


def test_a_difference_is_odd_under_swaps() -> None:
    for family in ("S", "C"):
        assert Typed((std(Size.of(2)),), 1) in typed_constant(np.array([1, -1]), family, 2)[2]
    assert all(t.acts == (fix(Size.of(2)),) for t in typed_constant(np.array([1, -2]), "S", 2)[2])


@pytest.mark.parametrize("large", [2**62, 2**63, 2**64])
def test_large_numbers_do_not_wrap(large: int) -> None:
    """a E_11 + b E_12 + ... is kept by turns in the plane where it is a multiple of I plus one of a turn."""
    moved = (std(Size.of(2)),) * 2
    good = np.array([[large, 1], [-1, large]], dtype=object)
    wrong = np.array([[large, large], [large, -large]], dtype=object)
    assert Typed(moved) in typed_constant(good, "SO", 2)[2]
    assert not any(t.acts == moved for t in typed_constant(wrong, "SO", 2)[2])


@pytest.mark.parametrize("family", FAMILIES)
def test_other_constants_are_not_taken_for_invariant_ones(family: str) -> None:
    almost = levi_civita(3)
    almost[0, 0, 0] = 1
    _, _, found = typed_constant(almost, family, 3)
    assert {t.acts for t in found} == {(fix(Size.of(3)),) * 3}


# -- through check ---------------------------------------------------------------------------------------
def cross(a: Any, b: Any) -> Any:
    """Columns."""
    return np.cross(a, b, axis=0)


def triple(x: Any, y: Any, z: Any) -> Any:
    """Signed volumes."""
    return (x * cross(y, z)).sum(0)


VECTORS = "X: 3 k, Y: 3 k, Z: 3 k"
PROVED: list[tuple[str, Any, str, list[str]]] = [
    ("cross", lambda x, y, z: cross(x, y), f"{VECTORS} -> 3 k", ["SO(3)", "A(3)", "C(3)"]),
    ("crossed twice", lambda x, y, z: cross(x, cross(y, z)), f"{VECTORS} -> 3 k", ["O(3)", "S(3)"]),
    ("volume squared", lambda x, y, z: triple(x, y, z) ** 2, f"{VECTORS} -> k", ["O(3)", "Signs(3)"]),
    ("signed", lambda x, y, z: np.sign(triple(x, y, z)) * cross(x, y), f"{VECTORS} -> 3 k", ["O(3)"]),
    ("det squared", lambda x: np.linalg.det(x) ** 2, "X: d d! -> ()", ["O(d)", "Signs(d)", "S(d)"]),
    ("volume", lambda x: abs(np.linalg.det(x)), "X: d d! -> ()", ["O(d)", "Signs(d)", "S(d)"]),
    ("det", lambda x: np.linalg.det(x), "X: d d! -> ()", ["SO(d)", "A(d)"]),
    ("det of a form", lambda x: np.linalg.det(x), "X: d d -> ()", ["O(d)", "S(d)", "Signs(d)"]),
    ("two dets", lambda x: np.linalg.det(x) * np.linalg.det(x + x), "X: d d! -> ()", ["O(d)", "S(d)"]),
    ("where volumes agree", lambda x: np.linalg.det(x) == np.linalg.det(2 * x), "X: d d! -> ()", ["O(d)"]),
    ("turn", lambda x: np.array([[0, -1], [1, 0]]) @ x, "X: 2 n -> 2 n", ["SO(2)"]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [pytest.param(f, s, u, id=f"{name} {u}") for name, f, s, groups in PROVED for u in groups],
)
def test_proved(f: Any, signature: str, under: str) -> None:
    verdict = ep.prove(f, signature, under)
    assert verdict.grade == "PROVED", verdict.reason
    assert ep.verify(verdict.certificate).accepted


FAILS: list[tuple[str, Any, str, str]] = [
    ("cross", lambda x, y, z: cross(x, y), f"{VECTORS} -> 3 k", "O(3)"),
    ("cross under swaps", lambda x, y, z: cross(x, y), f"{VECTORS} -> 3 k", "S(3)"),
    ("vector plus pseudo-vector", lambda x, y, z: x + cross(y, z), f"{VECTORS} -> 3 k", "O(3)"),
    ("volume", triple, f"{VECTORS} -> k", "O(3)"),
    ("crossed three times", lambda x, y, z: cross(x, cross(y, cross(x, z))), f"{VECTORS} -> 3 k", "O(3)"),
    ("largest volume", lambda x, y, z: np.maximum((x * cross(y, z)).sum(0), 0), f"{VECTORS} -> k", "O(3)"),
    ("det", lambda x: np.linalg.det(x), "X: d d! -> ()", "O(d)"),
    ("det under swaps", lambda x: np.linalg.det(x), "X: d d! -> ()", "S(d)"),
    ("det plus one", lambda x: np.linalg.det(x) + 1, "X: d d! -> ()", "O(d)"),
    ("turn", lambda x: np.array([[0, -1], [1, 0]]) @ x, "X: 2 n -> 2 n", "O(2)"),
    ("sign", lambda x: np.linalg.det(x) > 0, "X: d d! -> ()", "O(d)"),
]  # fmt: skip


@pytest.mark.parametrize(("f", "signature", "under"), [pytest.param(*c[1:], id=c[0]) for c in FAILS])
def test_near_misses_fail(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under)
    assert verdict.fails and verdict.grade == "EXACT"
    assert ep.verify(verdict.certificate).accepted
    assert all(size <= 3 for size in verdict.counterexample.sizes.values())


def test_the_cross_product_fails_at_one_vector() -> None:
    verdict = ep.check(lambda x, y: cross(x, y), "X: 3 n, Y: 3 n -> 3 n", "O(3)")
    assert verdict.counterexample.sizes == {"n": 1}
    assert "times det Q" in verdict.reason
