"""Lorentz(d), O(p,q; d), SO(p,q; d), Sp(d): matrices that keep a form, and what is proved of them."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import (
    Element,
    Factor,
    Group,
    is_trivial,
    parse_group,
    random_element,
    simple_elements,
)
from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.claims.groups.family import LieFamily
from eqvproof.claims.groups.matrices import to_flint
from eqvproof.claims.signature import parse_signature
from eqvproof.claims.size import Size
from eqvproof.engines.verdict.certificate import seal
from eqvproof.kernel import claims, invariants, report
from eqvproof.programs.rules import Context
from eqvproof.programs.rules.acts import DUAL, is_fixed
from eqvproof.programs.rules.invariant_constants import invariant_types
from eqvproof.support.errors import GroupError
from tests.judged import assert_proved, assert_refuted
from tests.kernel.encoding import written

F = Callable[..., Any]
ETA = np.diag([1, -1, -1, -1])
NAMES = ["Lorentz", "O(1,2)", "SO(1,2)", "O(2,2)", "SO(2,2)", "SO(3,1)", "Sp"]
#: Families at sizes at which they have a form.
AT = [(name, size) for name in NAMES for size in (1, 2, 3, 4) if EVERY_FAMILY[name].form(size) is not None]


def omega(x: Any, y: Any) -> Any:
    return x[:, :2] @ y[:, 2:].T - x[:, 2:] @ y[:, :2].T


def attention(scores: F) -> F:
    def apply(x: Any) -> Any:
        weights = np.exp(scores(x))
        return weights / weights.sum(axis=1, keepdims=True) @ x

    return apply


def layer(square: F) -> F:
    """A layer in the way of LorentzNet: positions and scalars, messages from squares and products."""

    def apply(x: Any, h: Any, w: Any, v: Any) -> Any:
        between = x[:, None, :] - x[None, :, :]
        pairs = np.stack([square(between, between), square(x[:, None, :], x[None, :, :])], axis=-1)
        messages = np.tanh(pairs @ w + h[:, None, :] + h[None, :, :])
        gates = 1 / (1 + np.exp(-(messages @ v)))
        return x + np.einsum("nm,mi->ni", gates, x) / 10

    return apply


def minkowski(x: Any, y: Any) -> Any:
    return x[..., 0] * y[..., 0] - (x[..., 1:] * y[..., 1:]).sum(axis=-1)


def euclid(x: Any, y: Any) -> Any:
    return (x * y).sum(axis=-1)


LAYER = "x: n 4, h: n c, w: 2 c, v: c -> n 4"
PROVED: list[tuple[F, str, str]] = [
    (lambda p: p[:, 0] ** 2 - (p[:, 1:] ** 2).sum(axis=1), "p: n 4 -> n", "Lorentz(4)"),
    (lambda p: np.einsum("ni,ij,nj->n", p, ETA, p), "p: n 4 -> n", "Lorentz(4) x S(n)"),
    (lambda p: (p * np.array([1, -1, -1, -1]) * p).sum(axis=-1), "p: n d -> n", "O(1,3; d)"),
    (lambda p: np.sqrt(minkowski(p.sum(axis=0), p.sum(axis=0))), "p: n 4 -> ()", "Lorentz(4) x S(n)"),
    (attention(lambda x: x @ ETA @ x.T), "x: n 4 -> n 4", "Lorentz(4) x S(n)"),
    (layer(minkowski), LAYER, "Lorentz(4) x S(n)"),
    (lambda x: x @ ETA, "x: n 4 -> n 4*", "Lorentz(4)"),
    (lambda x, y: (x[:, :2] * y[:, :2]).sum(1) - x[:, 2] * y[:, 2], "x: n 3, y: n 3 -> n", "O(2,1; 3)"),
    (lambda x: np.linalg.det(x) ** 2, "x: d d! -> ()", "Lorentz(d)"),
    (lambda x: np.linalg.det(x), "x: d d! -> ()", "SO(1,3; d)"),
    (lambda A, x: A @ x, "A: d d*, x: d -> d", "Lorentz(d)"),
    (omega, "x: n 4, y: m 4 -> n m", "Sp(4)"),
    (lambda x: x + np.tanh(omega(x, x)) @ x, "x: n 4 -> n 4", "Sp(4) x S(n)"),
    (lambda z, w: z + omega(z[None], w[None])[0, 0] * w, "z: 4, w: 4 -> 4", "Sp(4)"),
    (lambda x: np.linalg.det(x), "x: d d! -> ()", "Sp(d)"),
    (lambda x, y, z: np.linalg.det(np.stack([x, y, z])), "x: 3, y: 3, z: 3 -> ()", "SL(3)"),
    (lambda x, y: np.cross(x, y), "x: 3, y: 3 -> 3*", "SL(3)"),
]
FAILS: list[tuple[F, str, str]] = [
    (lambda p: (p**2).sum(axis=1), "p: n 4 -> n", "Lorentz(4)"),
    (lambda p: np.einsum("ni,ij,nj->n", p, np.diag([1, -1, -1, 1]), p), "p: n 4 -> n", "Lorentz(4)"),
    (attention(lambda x: x @ x.T), "x: n 4 -> n 4", "Lorentz(4)"),
    (layer(euclid), LAYER, "Lorentz(4)"),
    (lambda x: x @ ETA, "x: n 4 -> n 4", "Lorentz(4)"),
    (lambda x: np.linalg.det(x), "x: d d! -> ()", "Lorentz(d)"),
    (lambda x, y: (x[:, :2] * y[:, :2]).sum(1) - x[:, 2] * y[:, 2], "x: n 3, y: n 3 -> n", "O(1,2; 3)"),
    (lambda x: x @ x.T, "x: n d -> n n", "Sp(d)"),
    (lambda z, w: z + (z @ w) * w, "z: 4, w: 4 -> 4", "Sp(4)"),
    (lambda x, y: np.cross(x, y), "x: 3, y: 3 -> 3", "SL(3)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED, ids=[str(k) for k in range(len(PROVED))])
def test_proved(f: F, signature: str, under: str) -> None:
    assert_proved(f, signature, under)


@pytest.mark.parametrize(("f", "signature", "under"), FAILS, ids=[str(k) for k in range(len(FAILS))])
def test_slips_fail(f: F, signature: str, under: str) -> None:
    verdict = assert_refuted(f, signature, under)
    (found,) = verdict.certificate["evidence"]["element"]
    assert found["matrix"]  # rational


@pytest.mark.whole_search
@pytest.mark.parametrize(
    ("right", "slip", "signature"),
    [
        (lambda p: minkowski(p.sum(0), p.sum(0)), lambda p: euclid(p.sum(0), p.sum(0)), "p: n 4 -> ()"),
        (attention(lambda x: x @ ETA @ x.T), attention(lambda x: x @ x.T), "x: n 4 -> n 4"),
        (layer(minkowski), layer(euclid), LAYER),
    ],
    ids=["mass", "attention", "layer"],
)
def test_for_all_n_and_with_a_euclidean_slip_at_the_boost_of_3_4_5(right: F, slip: F, signature: str) -> None:
    proved = assert_proved(right, signature, "Lorentz(4) x S(n)")
    assert all(size == "all" for sizes in proved.sizes for size in sizes.values())
    verdict = assert_refuted(slip, signature, "Lorentz(4)")
    assert verdict.counterexample is not None
    assert verdict.counterexample.words == "boost coordinates 0 and 1 with cosh = 5/4 and sinh = 3/4"


@pytest.mark.parametrize(("name", "size"), AT)
def test_elements_keep_the_form(name: str, size: int) -> None:
    rng, b = (
        random.Random(size),
        to_flint(tuple(tuple(map(Fraction, r)) for r in ep.groups.form(name, size).tolist())),
    )
    factor = Factor(name, "d")
    found = [*simple_elements(factor, size), *(random_element(factor, size, rng) for _ in range(10))]
    assert found or is_trivial(factor, size)
    for g in found:
        matrix = to_flint(g.matrix())
        assert matrix.transpose() * b * matrix == b
        assert not EVERY_FAMILY[name].special or matrix.det() == 1
    signs = {(g.matrix()[0][0] > 0, to_flint(g.matrix()).det() > 0) for g in found}
    assert name != "Lorentz" or size == 1 or len(signs) == 4  # its four components


@pytest.mark.parametrize(("name", "size"), AT)
def test_lie_bases_are_tangent(name: str, size: int) -> None:
    record, b = EVERY_FAMILY[name], ep.groups.form(name, size)
    assert isinstance(record, LieFamily) and record.keeps_form
    for a in map(np.array, record.lie(size)):
        assert (a.T @ b + b @ a == 0).all() and a.any()
    skew = (b == -b.T).all()
    assert (
        np.linalg.matrix_rank([np.ravel(a) for a in record.lie(size)] or [[0]])
        == size * (size - 1) // 2 + skew * size
    )


def moved(array: Any, acts: Any, g: Element) -> Any:
    dual = np.array(g.kind.inverse(g.data), dtype=object).T
    for axis, act in enumerate(acts):
        if not is_fixed(act):
            matrix = dual if act[0][0][1] == DUAL else np.array(g.data, dtype=object)
            array = np.moveaxis(np.tensordot(matrix, array, axes=(1, axis)), 0, axis)
    return array


def constants(name: str, size: int) -> list[Any]:
    """The form, its products, determinants, and near misses of each."""
    b = ep.groups.form(name, size).astype(object)
    found = [
        b,
        np.eye(size, dtype=object),
        np.multiply.outer(b, b),
        np.arange(size * size).astype(object).reshape(size, size),
    ]
    if size == 3:
        eps = np.zeros((3, 3, 3), dtype=object)
        for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            eps[i, j, k], eps[i, k, j] = 1, -1
        found.append(eps)
    rng = random.Random(size)
    for array in [*found]:
        other = array.copy()
        other[tuple(rng.randrange(size) for _ in array.shape)] += 1
        found.append(other)
    return found


@pytest.mark.parametrize(("name", "size"), AT)
def test_constants_that_are_kept_are_kept(name: str, size: int) -> None:
    """Types of constants hold at random elements; the kernel says the same, of near misses too."""
    rng = random.Random(size)
    elements = [random_element(Factor(name, "d"), size, rng) for _ in range(6)]
    context = Context(name, "d", Size.of(size), [])
    special = EVERY_FAMILY[name].special
    for array in constants(name, size):
        if not array.any():
            continue
        types = {(t.acts, t.odd) for t in invariant_types(array, [Size.of(size)] * array.ndim, context)}
        for acts, odd in types:
            for g in elements:
                sign = to_flint(g.matrix()).det() if odd else 1
                assert (moved(array, acts, g) == array * int(sign)).all()
        factor = claims.Factor(name, "d")
        for choice in product((0, 1, -1), repeat=array.ndim) if any(map(any, types)) else ():
            places = [i for i, way in enumerate(choice) if way]
            if not places:
                continue
            strides = tuple(size ** (array.ndim - 1 - i) for i in places)
            constant = invariants.Constant(
                [Fraction(v) for v in array.ravel()], size, strides, tuple(choice[i] for i in places)
            )
            report.allow_work(10**8)
            kept = [p for p in (0, 1) if invariants.keeps(factor, constant, p, special=special)]
            ours = [odd for acts, odd in types if [_way(a) for a in acts] == list(choice)]
            assert (kept if not special else kept[:1]) == ours


def _way(act: Any) -> int:
    return 0 if is_fixed(act) else -1 if act[0][0][1] == DUAL else 1


def body(verdict: ep.Verdict) -> dict[str, Any]:
    data = copy.deepcopy(dict(verdict.certificate or {}))
    return {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}


WRONG: list[list[list[str]]] = [
    [["5/4", "-3/4"], ["3/4", "5/4"]],
    [["4/3", "3/4"], ["3/4", "4/3"]],
    [["0", "1"], ["1", "0"]],
    [["2", "0"], ["0", "1/2"]],
    [["3/5", "4/5"], ["-4/5", "3/5"]],
    [["1", "0"], ["0", "0"]],
]


@pytest.mark.parametrize("matrix", WRONG)
def test_the_kernel_takes_lorentz_transformations_only(matrix: Any) -> None:
    verdict = assert_refuted(lambda x: x[::-1] * 2 + x[0], "x: d -> d", "Lorentz(d)", sizes={"d": 2})
    whole = body(verdict)
    whole["evidence"]["element"][0]["matrix"] = matrix
    assert not ep.verify(seal("counterexample", **whole)).accepted


@pytest.mark.parametrize(
    "family", ["O(2,2)", "O(3,1)", "SO(3,1)", "Sp", "GL", "SL", "O", "E", "O(0,4)", "O(1,4)", "O(1,3"]
)
def test_a_proof_is_none_for_another_group(family: str) -> None:
    """Neither is a proof under O(1,3) one of a form with other signs, or of more matrices."""
    whole = body(assert_proved(lambda p: minkowski(p, p), "p: n 4 -> n", "O(1,3; 4)"))
    assert ep.verify(seal("proof", **whole)).accepted
    whole["claim"]["group"][0]["family"] = whole["evidence"]["factors"][0]["family"] = family
    assert not ep.verify(seal("proof", **whole)).accepted


def test_the_kernel_refuses_another_metric() -> None:
    whole = body(assert_proved(lambda p: p @ ETA @ p.T, "p: n 4 -> n n", "Lorentz(4)"))
    (function,) = whole["forms"]["functions"]
    values = written(function["array"][1])
    for at in range(16):
        changed = copy.deepcopy(whole)
        (same,) = changed["forms"]["functions"]
        same["array"][1] = " ".join([*values[:at], "2", *values[at + 1 :]])
        assert not ep.verify(seal("proof", **changed)).accepted


def test_nothing_is_proved_with_the_form_of_another_size_or_group() -> None:
    for under, signature in (
        ("O(2,2; 4)", "p: n 4 -> n"),
        ("GL(4)", "p: n 4 -> n"),
        ("Sp(4)", "p: n 4 -> n"),
    ):
        assert ep.prove(lambda p: minkowski(p, p), signature, under).outcome == "UNDECIDED"


def test_a_size_that_is_not_that_of_the_form() -> None:
    for under in ("O(1,3; 5)", "O(0,3; d)", "SL(1,3; d)", "O(1,3;)"):
        with pytest.raises(GroupError) as caught:
            ep.check(lambda x: x, "x: 5 d -> 5 d", under)
        assert caught.value.hint
    with pytest.raises(ep.EqvproofError):
        ep.check(lambda x: x, "x: d -> d", "O(1,3; d)", sizes={"d": 5})
    for name, size in (("Sp", 3), ("O(1,3)", 5), ("GL", 3), ("none", 2), ("Lorentz", 0)):
        with pytest.raises(GroupError):
            ep.groups.form(name, size)


def test_groups_are_written_as_they_are_read() -> None:
    verdict = ep.check(lambda x: 2 * x, "x: n d -> n d", "SO( 1 , 3 ; d )")
    assert verdict.grade == "PROVED" and "SO(1,3; d)" in ep.verify(verdict.certificate).statement
    assert list(verdict.sizes) == [{"n": "all", "d": 4}]
    assert str(Group((Factor("O(1,3)", "d"),))) == "O(1,3; d)"


def test_symplectic_matrices_of_odd_size_are_the_identity() -> None:
    assert [*simple_elements(Factor("Sp", "d"), 3)] == [] and is_trivial(Factor("Sp", "d"), 3)
    with pytest.raises(GroupError):
        Element("Sp", "d", tuple(tuple(Fraction(2 if i == j else 0) for j in range(3)) for i in range(3)))


def gram(x: Any) -> Any:
    return x @ ep.groups.form("Lorentz", x.shape[-1]) @ x.T


def flat_gram(x: Any) -> Any:
    return x @ x.T


@pytest.mark.parametrize("under", ["Lorentz(d) x S(n)", "Lorentz(d)"])
def test_forms_at_all_sizes(under: str) -> None:
    """The form of an axis whose size is not known, and what is made with it, for all n and d."""
    n = "n n"
    assert_proved(gram, f"x: n d -> {n}", under)
    assert_proved(lambda x: np.exp(gram(x)) @ x, "x: n d -> n d", under)
    assert_proved(lambda x: x @ ep.groups.form("Lorentz", x.shape[-1]), "x: n d -> n d*", under)
    assert_proved(lambda a: a @ ep.groups.form("Lorentz", a.shape[-1]), "a: n d* -> n d", under)


def areas(x: Any, y: Any) -> Any:
    half = x.shape[-1] // 2
    return x[..., :half] @ y[..., half:].T - x[..., half:] @ y[..., :half].T


def flow(z: Any, a: Any, form: F = areas) -> Any:
    """A step along the flow of H = (omega(z, a))^2 / 2, position by position."""
    half, speed = z.shape[-1] // 2, form(z, a)
    return np.concatenate([z[:half] + speed * a[:half], z[half:] + speed * a[half:]])


SP: list[tuple[F, str]] = [
    (lambda x, y: areas(x, y), "x: n 2d, y: m 2d -> n m"),
    (lambda x: np.exp(areas(x, x)) @ x, "x: n 2d -> n 2d"),
    (flow, "z: 2d, a: 2d -> 2d"),
    (lambda x: x @ ep.groups.form("Sp", x.shape[-1]), "x: n 2d -> n 2d*"),
    (lambda x: np.linalg.det(x), "x: 2d 2d! -> ()"),
    (lambda x: 2 * x, "x: n 4d -> n 4d"),
]
SP_SLIPS: list[tuple[F, str]] = [
    (lambda x, y: areas(x, y[:, ::-1]), "x: n 2d, y: m 2d -> n m"),
    (lambda x: np.exp(x @ x.T) @ x, "x: n 2d -> n 2d"),
    (lambda z, a: flow(z, a, lambda z, a: z @ a), "z: 2d, a: 2d -> 2d"),
    (lambda x: x @ ep.groups.form("Sp", x.shape[-1]), "x: n 2d -> n 2d"),
    (lambda x: x[:, : x.shape[-1] // 2], "x: n 2d -> n d!"),
    (lambda x: x + x[:, ::-1], "x: n 4d -> n 4d"),
]


@pytest.mark.parametrize("number", range(len(SP)))
def test_symplectic_matrices_of_all_sizes(number: int) -> None:
    """Of axes written 2d, in the words of positions and momenta; each with a slip."""
    verdict = assert_proved(*SP[number], "Sp(2d)")
    assert verdict.sizes[0]["d"] == "all" and "Sp(2d)" in ep.verify(verdict.certificate).statement
    assert_refuted(*SP_SLIPS[number], "Sp(2d)")


def test_a_proof_under_all_symplectic_matrices_is_none_under_others() -> None:
    whole = body(assert_proved(flow, "z: 2d, a: 2d -> 2d", "Sp(2d)"))
    assert ep.verify(seal("proof", **whole)).accepted
    for family in ("Sp", "SL", "GL", "O", "SO", "Lorentz", "Signs"):
        other = copy.deepcopy(whole)
        other["claim"]["group"][0]["family"] = other["evidence"]["factors"][0]["family"] = family
        assert not ep.verify(seal("proof", **other)).accepted
    for signature in ("x: n d -> n d", "x: n 3d -> n 3d"):
        with pytest.raises(GroupError, match="2d"):
            ep.check(lambda x: x, signature, "Sp(2d)")
    with pytest.raises(GroupError, match="Sp"):
        ep.orbit_witness([[1], [0]], [[0], [1]], "Sp(2d)")


@pytest.mark.parametrize(
    ("f", "signature", "under"),
    [
        (flat_gram, "x: n d -> n n", "Lorentz(d)"),
        (gram, "x: n d -> n n", "O(d)"),
        (gram, "x: n d -> n n", "SL(d)"),
        (lambda x: x @ ep.groups.form("Lorentz", x.shape[-1]), "x: n d -> n d", "Lorentz(d)"),
    ],
)  # fmt: skip
def test_other_forms_fail(f: Any, signature: str, under: str) -> None:
    assert_refuted(f, signature, under)


@pytest.mark.parametrize("size", [2, 4, 20, 24, 200])
def test_a_size_that_begins_with_2_is_a_size(size: int) -> None:
    """Sp(24) is of matrices of size 24, and acts on no axis of size 8."""
    group = parse_group(f"Sp({size})", parse_signature(f"z: {size} -> {size}"))
    assert [(f.family, f.axis) for f in group.factors] == [("Sp", size)]
    if size > 9:
        with pytest.raises(GroupError, match="no axis"):
            parse_group(f"Sp({size})", parse_signature("z: 8 -> 8"))
