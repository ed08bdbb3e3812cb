"""Eigenvectors and singular vectors whose signs cancel, or do not matter, in what a function returns."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.programs import Builder
from eqvproof.programs.evaluate import evaluate_exact, evaluate_float
from eqvproof.support.errors import ExportError
from tests.judged import assert_proved
from tests.kernel.corpus import edited
from tests.kernel.corpus import seal as corpus_seal
from tests.kernel.encoding import in_forms
from tests.with_program import proof_with_program, sealed_proof

eigh, svd = np.linalg.eigh, np.linalg.svd


def axes_of(X: Any) -> Any:
    Y = X - X.mean(axis=0)
    return Y, eigh(Y.T @ Y)[1]


def canonical(X: Any) -> Any:
    Y, V = axes_of(X)
    return np.abs(Y @ V)


def by_skewness(X: Any) -> Any:
    Y, V = axes_of(X)
    Z = Y @ V
    return Z * np.sign((Z**3).sum(axis=0))


def averaged(X: Any) -> Any:
    Y, V = axes_of(X)
    frames = [V * np.array(signs) for signs in itertools.product([-1, 1], repeat=3)]
    return sum(np.tanh(Y @ F) @ F.T for F in frames) / len(frames)


def along_the_first_axis(X: Any) -> Any:
    Y, V = axes_of(X)
    return (Y @ V[:, -1]) ** 2


def flattened(X: Any) -> Any:
    Y, V = axes_of(X)
    return Y @ V[:, 1:] @ V[:, 1:].T


def twice(X: Any) -> Any:
    Y, V = axes_of(X)
    Z = Y @ V
    W = eigh(np.tanh(Z**2).T @ np.tanh(Z**2))[1]
    return np.abs(Z**2 @ W)


def rotation(X: Any, Y: Any) -> Any:
    U, _, Vt = svd(X.T @ Y)
    d = np.sign(np.linalg.det(Vt.T @ U.T))
    return Vt.T @ np.diag([1.0, 1.0, d]) @ U.T


def aligned(X: Any, Y: Any) -> Any:
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    return np.sqrt(((X @ rotation(X, Y).T - Y) ** 2).sum(axis=-1).mean())


def aligned_in_place(X: Any, Y: Any) -> Any:
    X, Y = X - X.mean(axis=0), Y - Y.mean(axis=0)
    U, _, Vt = svd(X.T @ Y)
    R = Vt.T @ U.T
    if np.linalg.det(R) < 0:
        Vt[-1, :] *= -1
        R = Vt.T @ U.T
    return np.sqrt(((X @ R.T - Y) ** 2).sum() / len(X))


def of_a_graph(A: Any) -> Any:
    S = A + A.T
    return np.abs(eigh(np.diag(S.sum(axis=1)) - S)[1])


def turned(X: Any) -> Any:
    return np.swapaxes(X, -1, -2)


def several(X: Any, Y: Any) -> Any:
    U, _, Vt = svd(turned(X) @ Y)
    d = np.sign(np.linalg.det(U @ Vt))
    D = np.eye(3) * np.stack([np.ones_like(d), np.ones_like(d), d], axis=-1)[:, None, :]
    return ((X @ U @ D @ Vt - Y) ** 2).sum(axis=(-1, -2))


def of_each(X: Any) -> Any:
    return np.abs(X @ eigh(turned(X) @ X)[1])


def steepness(X: Any) -> Any:
    V = eigh(X.T @ X)[1]
    return V @ np.diag(np.arange(3.0)) @ V.T


RIGHT: dict[str, tuple[Callable[..., Any], str, str]] = {
    "coordinates without signs": (canonical, "X: n d -> n d!", "E(d) x S(n)"),
    "signs by the third moment": (by_skewness, "X: n d -> n d!", "E(d)"),
    "all frames of three": (averaged, "X: n 3 -> n 3^", "E(3)"),
    "one column": (along_the_first_axis, "X: n d -> n", "E(d) x S(n)"),
    "some columns": (flattened, "X: n 3 -> n 3^", "E(3) x S(n)"),
    "of what others make": (twice, "X: n d -> n d!", "E(d)"),
    "the best rotation": (rotation, "X: n 3, Y: n 3! -> 3! 3", "SO(3)"),
    "distance after it": (aligned, "X: n 3, Y: n 3 -> ()", "SE(3) x S(n)"),
    "a branch and a row in place": (aligned_in_place, "X: n 3, Y: n 3! -> ()", "SE(3)"),
    "the plane of points": (
        lambda X: ((X - X.mean(0)) @ svd(X - X.mean(0), full_matrices=False)[2][-1]) ** 2,
        "X: n 3 -> n", "E(3)",
    ),
    "the same, all vectors": (
        lambda X: np.abs((X - X.mean(0)) @ svd(X - X.mean(0))[2].T), "X: n 3 -> n 3!", "E(3) x S(n)",
    ),
    "axes of a graph": (of_a_graph, "A: n n -> n n!", "S(n)"),
    "weights by place": (steepness, "X: n 3 -> 3 3", "O(3)"),
    "of several matrices": (of_each, "X: b n d -> b n d!", "S(b) x O(d) x S(n)"),
    "each with its own rotation": (of_each, "X: b n d -> b n d!", "O(d) each b"),
    "one of each": (lambda X: (X @ eigh(turned(X) @ X)[1][..., -1:]) ** 2, "X: b n d -> b n 1", "O(d)"),
    "the best rotations": (several, "X: b n 3, Y: b n 3! -> b", "SO(3) x S(b) x S(n)"),
    "multiples": (lambda X: np.abs(eigh(X.T @ X)[1]), "X: n d -> d! d!", "Scale(d)"),
    "beside another column": (
        lambda X: np.stack([np.linalg.norm(X, axis=-1), np.abs(X @ eigh(X.T @ X)[1][:, 0])], axis=-1),
        "X: n 3 -> n 2!", "O(3) x S(n)",
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_signs_do_not_change_is_proved(name: str) -> None:
    function, signature, under = RIGHT[name]
    verdict = ep.check(function, signature, under, budget=20, generic=True)
    assert verdict.grade == "PROVED", verdict
    assert {p.kind for p in verdict.points} <= {"eigenvalues", "singular values"} and verdict.points
    assert all(p.words_off in verdict.scope for p in verdict.points)
    report = ep.verify(verdict.certificate)
    assert report.accepted
    words = report.statement.replace('"', "")
    assert all(p.words_off in words for p in verdict.points)


WRONG: dict[str, tuple[Callable[..., Any], str, str]] = {
    "coordinates": (lambda X: X @ eigh(X.T @ X)[1], "X: n d -> n d!", "O(d)"),
    "vectors": (lambda X: eigh(X.T @ X)[1], "X: n d -> d d!", "O(d)"),
    "one of them": (lambda X: eigh(X.T @ X)[1][:, -1], "X: n d -> d", "O(d)"),
    "vectors without signs": (lambda X: np.abs(eigh(X.T @ X)[1]), "X: n d -> d d!", "O(d)"),
    "the plus of each": (lambda X: np.maximum(X @ eigh(X.T @ X)[1], 0), "X: n d -> n d!", "O(d)"),
    "three factors": (
        lambda X: np.einsum("ik,jk,lk->ijl", *[eigh(X.T @ X)[1]] * 3), "X: n d -> d d d", "O(d)",
    ),
    "of two matrices": (
        lambda X: eigh(X.T @ X)[1] @ eigh(X.T @ X @ X.T @ X + X.T @ X)[1].T, "X: n d -> d d", "O(d)",
    ),
    "of other columns": (
        lambda X: np.outer(eigh(X.T @ X)[1][:, -1], eigh(X.T @ X)[1][:, 0]), "X: n d -> d d", "O(d)",
    ),
    "a determinant": (lambda X: np.linalg.det(eigh(X.T @ X)[1]), "X: n d -> ()", "SO(d)"),
    "rows for columns": (lambda A: np.abs(eigh(A + A.T)[1].T @ A), "A: n n -> n! n", "O(n)"),
    "of one and another": (
        lambda X: np.einsum("bik,cjk->bcij", *[eigh(turned(X) @ X)[1]] * 2), "X: b n d -> b b d d", "O(d)",
    ),
    "sums over matrices": (lambda X: np.abs((X @ eigh(turned(X) @ X)[1]).sum(0)), "X: b n d -> n d!", "O(d)"),
    "neighbours": (
        lambda X: (V := X @ eigh(turned(X) @ X)[1]) * np.roll(V, 1, axis=0), "X: b n d -> b n d!", "O(d)",
    ),
    "one column and another's": (
        lambda X: np.einsum("bi,ci->bc", *[eigh(turned(X) @ X)[1][..., 0]] * 2), "X: b n d -> b b", "O(d)",
    ),
    "vectors of no singular value": (lambda X: np.abs(svd(X)[0].T @ X), "X: n 3 -> n 3", "O(3)"),
    "distance under reflections": (aligned, "X: n 3, Y: n 3! -> ()", "O(3)"),
    "under shears": (canonical, "X: n d -> n d!", "SL(d)"),
    "moved points": (lambda X: np.abs(X @ eigh(X.T @ X)[1]), "X: n d -> n d!", "T(d)"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_near_misses_are_not_proved(name: str) -> None:
    function, signature, under = WRONG[name]
    verdict = ep.check(function, signature, under, budget=6)
    assert verdict.grade != "PROVED", verdict
    assert not (verdict.holds and verdict.certificate), verdict


def test_what_the_signs_change_is_named() -> None:
    verdict = ep.check(*WRONG["coordinates"], budget=6)
    assert verdict.fails
    assert "eigenvectors have no sign: the result changes when v is replaced by -v" in verdict.reason


def certificate_of(function: Callable[..., Any], signature: str, under: str) -> Any:
    verdict = ep.check(function, signature, under, budget=20, generic=True)
    assert verdict.grade == "PROVED", verdict
    return verdict.certificate


def refused(certificate: Any, *edits: tuple[list[Any], Any]) -> str:
    """Why the kernel refuses a certificate that was altered, and sealed again."""
    report = ep.verify(edited(certificate, *edits))
    assert not report.accepted
    return str(report.reason)


def test_altered_proofs_are_refused() -> None:
    whole = certificate_of(*RIGHT["of what others make"])
    signs = whole["evidence"]["signs"]
    first, second = signs
    assert [first["axis"], second["axis"]] == [0, 1]
    assert "evidence" in refused(whole, (["evidence"], {"factors": whole["evidence"]["factors"]}))
    assert "one proof for each argument" in refused(whole, (["evidence", "signs"], [first]))
    assert "the signs of the eigenvectors 0" in refused(whole, (["evidence", "signs"], [second, first]))
    assert "the signs of the eigenvectors" in refused(whole, (["evidence", "signs", 0, "axis"], 1))
    assert "the signs of the eigenvectors" in refused(whole, (["evidence", "signs", 0, "family"], "O"))
    still = [[[[] for _ in axes], power] for axes, power in first["types"]]
    assert refused(whole, (["evidence", "signs", 0, "types"], still))
    assert refused(whole, (["claim", "output"], whole["claim"]["inputs"][0]["axes"]))
    other = {k: v for k, v in first.items() if k in ("types", "lines")}
    assert refused(whole, (["evidence", "signs", 1], {**second, **other}))
    vectors = whole["forms"]["eigenvectors"]
    assert refused(whole, (["forms", "eigenvectors"], vectors[::-1]))
    assert refused(whole, (["forms", "eigenvectors"], vectors[:1]))
    assert refused(whole, (["forms", "eigenvectors"], [vectors[0], vectors[0]]))


def test_normal_forms_do_not_speak_of_them() -> None:
    whole = certificate_of(*RIGHT["coordinates without signs"])
    (k,) = [k for k, factor in enumerate(whole["evidence"]["factors"]) if factor["family"] == "T"]
    forms = {"family": "T", "axis": "d", "way": {"cells": 0, "angles": False}}
    assert "expected types" in refused(whole, (["evidence", "factors", k], forms))


def test_other_than_orthogonal_matrices_move_no_eigenvectors() -> None:
    whole = certificate_of(*RIGHT["weights by place"])
    (factor,) = whole["evidence"]["factors"]
    family, lines = ["claim", "group", 0, "family"], ["evidence", "factors", 0]
    reason = refused(whole, (family, "GL"), (lines, {**factor, "family": "GL"}))
    assert "do not move as their eigenvectors" in reason


def test_columns_lie_in_the_matrix() -> None:
    whole = certificate_of(*RIGHT["some columns"])
    (vectors,) = whole["forms"]["eigenvectors"]
    assert vectors["start"] == 1
    for start, reason in ((2, "columns beyond the last one"), (-1, "negative")):
        path = ["forms", "eigenvectors", 0, "start"]
        assert reason in refused(whole, (path, start))


def test_proofs_about_signs_hold_forms() -> None:
    for name in ("all frames of three", "each with its own rotation", "multiples", "one column"):
        assert "forms" in certificate_of(*RIGHT[name]), name


def test_one_type_of_each_choice() -> None:
    """M = |x|^2 I moves as x does, and does not: V V^T would move from one side, and at d = 1 it is 1."""
    whole = proof_with_program(
        lambda x: np.ones((len(x), len(x))) * (x @ x), "x: d -> d! d!", "O(d)"
    )
    program = two_of_one()
    fixed, moved, scalar = [[["d", 0]]], [[["d", 1]]], []
    types = [[[moved], 0], [scalar, 0], [[moved, moved], 0], [[moved, fixed], 0], [[fixed, fixed], 0]]
    lines = [
        [0, 0], [1, 1, 0, 0], [2, 2], [2, 3, 1, 2], [3, 4, 3], [4, 2], [4, 3, 1, 5], [4, 4, 6], [3, 5, 4, 7],
    ]  # fmt: skip
    factor = {"family": "O", "axis": "d", "types": types, "lines": lines}
    signs = {
        "family": "Signs", "axis": 4, "types": [[[fixed], 0], *types[1:2], *types[4:], [[fixed, moved], 0]],
        "lines": [[0, 0], [1, 1, 0, 0], [2, 2], [2, 3, 1, 2], [3, 4, 3], [2, 5, 4, 4]],
    }  # fmt: skip
    axes = [whole["claim"]["inputs"][0]["axes"][0], whole["claim"]["output"][1]]
    whole["claim"]["points"] = [{"kind": "eigenvalues", "of": "M", "place": "", "mark": 4}]
    claim = {**whole["claim"], "output": axes}
    evidence = {"factors": [factor], "signs": [signs]}
    with pytest.raises(ExportError, match="one type for each value"):
        sealed_proof(claim, program, evidence)
    lines[-1] = [3, 5, 4, 4]  # V V^T by one type of V, which does not move so
    with pytest.raises(ExportError, match="one type for each value"):
        sealed_proof(claim, program, evidence)
    one_type = [[0, 0], [1, 1, 0, 0], [4, 2], [4, 3, 1, 2], [4, 4, 3], [4, 5, 4, 4]]
    good = {"factors": [{**factor, "types": types, "lines": one_type}], "signs": [signs]}
    used = [types[k] for k in (0, 1, 4)]
    number = {0: 0, 1: 1, 4: 2}
    good["factors"][0] |= {"types": used, "lines": [[number[t], *rest] for t, *rest in one_type]}
    report = ep.verify(sealed_proof(whole["claim"], program, good))
    assert report.accepted, report.reason


def two_of_one() -> Any:
    """V V^T for the eigenvectors V of |x|^2 I, as it is written."""
    b = Builder()
    x = b.input("x", ["d"])
    square = b.einsum([x, x], [(0,), (0,)], ())
    matrix = b.einsum([square, b.eye("d")], [(), (0, 1)], (0, 1))
    V = b.eigenvectors(matrix)
    return b.program(b.einsum([V, V], [(0, 2), (1, 2)], (0, 1))).to_json()


def test_nothing_but_proofs_speaks_of_them() -> None:
    whole = proof_with_program(*RIGHT["coordinates without signs"])
    claim = {k: v for k, v in whole["claim"].items() if k not in ("scope", "points")}
    claim["scope"] = [{"n": 2, "d": 2}]
    report = ep.verify(
        corpus_seal("test", claim=claim, forms=[whole["program"]], evidence={"bits": 9})
    )
    assert not report.accepted
    with pytest.raises(ExportError, match="eigenvectors"):
        in_forms(whole["program"], {"n": 2})


def test_exact_values_are_eigenvectors() -> None:
    b = Builder()
    program = b.program(b.eigenvectors(b.input("A", ["n", "n"])))
    a = np.array([[2, 1, 0], [1, 5, 3], [0, 3, -4]], dtype=object)
    exact = evaluate_exact(program, {"A": a})
    values, vectors = eigh(a.astype(float))
    for k in range(3):
        column = np.array([float(x.to_float()) for x in exact[:, k]])
        assert np.allclose(a.astype(float) @ column, values[k] * column)
        assert np.isclose(column @ column, 1)
        assert np.isclose(abs(column @ vectors[:, k]), 1)


@pytest.mark.parametrize("dtype", [np.float64, np.longdouble])
def test_equal_eigenvalues_have_none(dtype: Any) -> None:
    b = Builder()
    program = b.program(b.eigenvectors(b.input("A", ["n", "n"])))
    known = np.array([[3, 1, 0], [1, 3, 0], [0, 0, 4]], dtype=object)  # 2, 4, 4
    assert {str(x) for x in evaluate_exact(program, {"A": known}).flat} == {"UNDEFINED"}
    assert np.isnan(evaluate_float(program, {"A": known}, dtype=dtype).astype(float)).all()


def polar(X: Any) -> Any:
    U, _, V = svd(X, full_matrices=False)
    return U @ V


@pytest.mark.parametrize(
    ("f", "signature", "sizes"),
    [
        (polar, "X: d 1 -> d 1", {}),
        (polar, "X: n d -> n d", {"n": 1}),
        (lambda x: polar(x[:, None])[:, 0], "x: d -> d", {}),
        (lambda x: svd(x[None], full_matrices=False)[2][0] * svd(x[None])[0][0, 0], "x: d -> d", {}),
    ],
)
def test_the_direction_of_one_column(f: Callable[..., Any], signature: str, sizes: dict[str, int]) -> None:
    """Of zeros a library gives some vector, which does not rotate: no proof may speak of them."""
    for judge in (ep.check, ep.decide):
        verdict = judge(f, signature, "O(d)", sizes=sizes, budget=6)
        assert verdict.grade not in ("PROVED", "DECIDED", "BOUNDED"), str(verdict)


def test_what_rests_on_no_direction_of_one_column() -> None:
    assert_proved(lambda x: svd(x[:, None])[1][0], "x: d -> ()", "O(d)")
    assert_proved(lambda x: x / np.sqrt((x * x).sum()), "x: d -> d", "O(d)")
    both = ep.check(polar, "X: n d -> n d", "O(d)", sizes={"n": 2})
    assert both.fails and both.elsewhere is not None and both.elsewhere.grade == "PROVED"
    assert "the singular values of X differ and none is 0" in both.elsewhere.scope
