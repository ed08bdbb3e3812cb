"""GL(d): vectors, dual vectors, weights; what is right is proved, near misses fail."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import eqvproof as ep

PROVED: list[tuple[Any, str, str]] = [
    (lambda x, y: (x * y).sum(0), "X: d n, Y: d* n -> n", "GL(d)"),
    (lambda x, y: x.T @ y, "X: d n, Y: d* m -> n m", "GL(d) x S(n)"),
    (lambda x, w: x @ w, "X: d n, W: n m -> d m", "GL(d)"),
    (lambda x: x - x.mean(1, keepdims=True), "X: d n -> d n", "GL(d) x S(n)"),
    (lambda a, x: np.linalg.solve(a, x), "A: d* d*, X: d* n -> d n", "GL(d)"),
    (lambda a, x: np.linalg.solve(a, x), "A: d d*, X: d n -> d n", "GL(d)"),
    (lambda a: np.linalg.inv(a), "A: d d -> d* d*", "GL(d)"),
    (lambda x: np.linalg.solve(x @ x.T, x), "X: d n -> d* n", "GL(d)"),
    (lambda x: np.einsum("in,ij,jn->n", x, np.linalg.inv(x @ x.T), x), "X: d n -> n", "GL(d)"),
    (lambda x, y: np.linalg.det(x) / np.linalg.det(y), "X: d d!, Y: d d! -> ()", "GL(d)"),
    (lambda x, y: np.linalg.det(x) * np.linalg.det(y), "X: d d!, Y: d* d! -> ()", "GL(d)"),
    (lambda x: np.linalg.det(x) + np.trace(x), "X: d d* -> ()", "GL(d)"),
    (lambda x: np.linalg.det(x) == np.linalg.det(x + x), "X: d d! -> ()", "GL(d)"),
    (lambda x: x @ np.linalg.inv(x) - np.eye(3), "X: 3 3 -> 3 3*", "GL(3)"),
    (lambda x, y: x[0] * y[0] + x[1] * y[1], "X: 2 n, Y: 2* n -> n", "GL(2)"),
    (lambda x, y, z: (x[0] * y[1] - x[1] * y[0]) / np.linalg.det(z), "X: 2, Y: 2, Z: 2 2! -> ()", "GL(2)"),
    (lambda x, y, z: np.cross(x, y, axis=0) / np.linalg.det(z), "X: 3 n, Y: 3 n, Z: 3 3! -> 3* n", "GL(3)"),
    (lambda x, y: (x * y).sum(0), "X: d n, Y: d* n -> n", "O(d)"),
]
FAILS: list[tuple[Any, str, str]] = [
    (lambda x, y: (x * y).sum(0), "X: d n, Y: d n -> n", "GL(d)"),
    (lambda x: x.T @ x, "X: d n -> n n", "GL(d)"),
    (lambda x, y: x + y, "X: d n, Y: d* n -> d n", "GL(d)"),
    (lambda a, x: np.linalg.solve(a, x), "A: d* d*, X: d n -> d n", "GL(d)"),
    (lambda a: np.linalg.inv(a), "A: d d -> d d", "GL(d)"),
    (lambda a: np.linalg.inv(a), "A: d d* -> d* d", "GL(d)"),
    (lambda x: np.linalg.det(x), "X: d d! -> ()", "GL(d)"),
    (lambda x: abs(np.linalg.det(x)), "X: d d! -> ()", "GL(d)"),
    (lambda x, y: np.linalg.det(x) * np.linalg.det(y), "X: d d!, Y: d d! -> ()", "GL(d)"),
    (lambda x: np.linalg.det(x) > 0, "X: d d! -> ()", "GL(d)"),
    (lambda x: np.trace(x), "X: d d -> ()", "GL(d)"),
    (lambda x: x @ np.linalg.inv(x), "X: 3 3 -> 3 3", "GL(3)"),
    (lambda x: x - x.mean(0, keepdims=True), "X: d n -> d n", "GL(d)"),
    (lambda x, y, z: np.cross(x, y, axis=0) / np.linalg.det(z), "X: 3 n, Y: 3 n, Z: 3 3! -> 3 n", "GL(3)"),
    (lambda x, y: x[0] * y[1] - x[1] * y[0], "X: 2, Y: 2 -> ()", "GL(2)"),
]


@pytest.mark.parametrize(("f", "signature", "under"), PROVED)
def test_proved(f: Any, signature: str, under: str) -> None:
    verdict = ep.prove(f, signature, under)
    assert verdict.grade == "PROVED", verdict.reason
    assert ep.verify(verdict.certificate).accepted


@pytest.mark.parametrize(("f", "signature", "under"), FAILS)
def test_near_misses_fail(f: Any, signature: str, under: str) -> None:
    verdict = ep.check(f, signature, under)
    assert verdict.fails and verdict.grade == "EXACT"
    assert ep.verify(verdict.certificate).accepted
    assert all(size <= 3 for size in verdict.counterexample.sizes.values())


def test_decided_by_derivatives_and_a_reflection() -> None:
    def pairing(x: Any, y: Any) -> Any:
        return sum(x[i] * y[i] for i in range(x.shape[0]))

    sizes = {"d": (1, 3), "n": (1, 2)}
    assert ep.check(pairing, "X: d n, Y: d* n -> n", "GL(d)", sizes=sizes).grade in ("DECIDED", "PROVED")
    assert ep.decide(lambda x: np.linalg.det(x) ** 2, "X: d d! -> ()", "GL(d)", sizes={"d": 2}).grade == ""
    assert ep.decide(lambda x: x @ x.T, "X: d n -> d d", "GL(d)", sizes={"d": 2, "n": 2}).grade == "DECIDED"
    assert ep.decide(lambda x: x @ x.T, "X: d n -> d d*", "GL(d)", sizes={"d": 2, "n": 2}).grade == ""


def test_the_counterexample_is_simple_and_runs() -> None:
    verdict = ep.check(lambda x, y: x + y, "X: d n, Y: d* n -> d n", "GL(d)")
    found = verdict.counterexample
    assert found.words == "multiply coordinate 0 by 2" and found.sizes == {"d": 1, "n": 1}
    space: dict[str, Any] = {}
    exec(found.code(), space)
    assert space["left"] != space["right"]


def test_the_kernel_wants_an_invertible_matrix() -> None:
    from eqvproof.engines.verdict.certificate import seal

    data = ep.check(lambda x: x.T @ x, "X: d n -> n n", "GL(d)", sizes={"d": 2}).certificate
    for matrix, good in ([["1", "0"], ["0", "0"]], False), ([["1", "2"], ["2", "4"]], False):
        body = {k: v for k, v in data.items() if k not in ("format", "version", "kind", "digest")}
        body["evidence"]["element"][0]["matrix"] = matrix
        assert ep.verify(seal("counterexample", **body)).accepted is good
