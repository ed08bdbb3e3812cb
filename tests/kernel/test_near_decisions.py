"""Decisions and tests of functions of one and two entries or matrices, and near misses."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import numpy as np
import pytest

from eqvproof.kernel.symbolic import Numbers
from tests.kernel import corpus
from tests.kernel.corpus import Graph
from tests.kernel.encoding import check_certificate
from tests.kernel.test_decisions import KINDS, checked, sealed

#: Signature, and two functions of which the second differs from the first somewhere.
DIFFERENT: dict[str, tuple[str, Any, Any]] = {
    "eigenvalues of twice": (
        "A: 2 2 -> 2", lambda A: np.linalg.eigvalsh(A + A.T), lambda A: np.linalg.eigvalsh(2 * (A + A.T)),
    ),
    "pseudo-inverse": ("A: 2 2 -> 2 2", np.linalg.pinv, lambda A: np.linalg.pinv(A).T),
    "pseudo-inverse of twice": ("A: 2 2 -> 2 2", np.linalg.pinv, lambda A: np.linalg.pinv(2 * A)),
    "a sort of two": ("x: 2 -> 2", np.sort, lambda x: x),
    "a sort of two, backwards": ("x: 2 -> 2", np.sort, lambda x: np.sort(x)[::-1]),
    "the larger of two": ("x: 2 -> ()", lambda x: x.max(), lambda x: x[0]),
    "the smaller of two": ("x: 2 -> ()", lambda x: x.min(), lambda x: x[0]),
    "a product of two": ("x: 2 -> ()", lambda x: x.prod(), lambda x: x[0]),
    "the largest of three, and of the negatives": (
        "x: 3 -> ()", lambda x: x.max() - x.mean(), lambda x: (-x).max() + x.mean(),
    ),
    "negative, or 0": ("x: () -> ()", lambda x: x < 0, lambda x: x <= 0),
    "negative, positive": ("x: () -> ()", lambda x: x < 0, lambda x: x > 0),
    "0, or not": ("x: () -> ()", lambda x: np.equal(x, 0), lambda x: np.not_equal(x, 0)),
}  # fmt: skip
EQUAL: dict[str, tuple[str, Any, Any]] = {
    "a sort of one": ("x: 1 -> 1", np.sort, lambda x: x),
    "the largest of one": ("x: 1 -> ()", lambda x: x.max(), lambda x: x[0]),
    "a sort of numbers": (
        "x: () -> 3", lambda x: 0 * x + np.sort(np.array([2, 3, 1])), lambda x: 0 * x + np.array([1, 2, 3]),
    ),
    "a sort in another order": ("x: n -> n", np.sort, lambda x: np.sort(x[::-1])),
    "the smallest by the largest": ("x: n -> ()", lambda x: x.min(), lambda x: -(-x).max()),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [*DIFFERENT, *EQUAL])
def test_functions_are_equal_or_different(name: str, kind: str) -> None:
    signature, *functions = {**DIFFERENT, **EQUAL}[name]
    found = checked(kind, signature, "", {"n": 3} if "n" in signature else {}, *functions)
    assert found.accepted == (name in EQUAL) and "internal" not in found.reason, found.reason


def weighted(*rows: int) -> Any:
    """Two matrices with the eigenvalues that these rows of two rows of weights say."""
    g = Graph(M=[2, 2, 2], w=[2, 2])
    m, w = g.node("input", [], [2, 2, 2], name="M"), g.node("input", [], [2, 2], name="w")
    c = g.node("const", [], [2, 2], values=[str(int(k == j)) for k in rows for j in range(2)])
    v = g.node("einsum", [c, w], [2, 2], inputs=[[0, 1], [1, 2]], output=[0, 2])
    g.node("matrix_function", [m, v], [2, 2, 2], fn="spectral")
    return g.program()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("first", "second"), [((0, 1), (0, 1)), ((0, 1), (0, 0)), ((0, 1), (1, 1))])
def test_each_matrix_has_its_own_weights(first: tuple[int, ...], second: tuple[int, ...], kind: str) -> None:
    what = corpus.claim("M: 2 2 2, w: 2 2 -> 2 2 2", kind="identity")
    found = check_certificate(corpus.single(kind, what, [{}], weighted(*first), weighted(*second)))
    assert found.accepted == (first == second) and "internal" not in found.reason, found.reason


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("under", "good"), [("Scale(d)", True), ("Scale(d) each n", False), ("O(d) each n", True)]
)
def test_multiples_for_the_entries_of_an_axis_are_not_covered(under: str, good: bool, kind: str) -> None:
    found = checked(kind, "x: n d -> n d", under, {"n": 2, "d": 1}, lambda x: x * 2)
    assert found.accepted == good and "internal" not in found.reason, found.reason


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_function_takes_its_arguments_into_account(kind: str) -> None:
    """s(x) is s(x), and not s(2 x)."""
    programs = []
    for times in ("1", "2"):
        g = Graph(x=[2])
        x, c = g.node("input", [], [2], name="x"), g.node("const", [], [], values=[times])
        moved = g.node("einsum", [x, c], [2], inputs=[[0], []], output=[0])
        g.node("opaque", [moved], [2], name="s", symmetry=None)
        programs.append(g.program())
    what = corpus.claim("x: 2 -> 2", kind="identity")
    for other in (0, 1):
        found = check_certificate(corpus.single(kind, what, [{}], programs[0], programs[other]))
        assert found.accepted == (other == 0) and "internal" not in found.reason, found.reason


@pytest.mark.parametrize("exact", [True, False])
def test_numbers_are_compared_as_numbers(exact: bool) -> None:
    numbers = Numbers("seed", exact=exact)
    for value, negative, zero in ((F(-1, 2), 1, 0), (F(0), 0, 1), (F(1, 2), 0, 0), (F(1), 0, 0)):
        assert (numbers.is_negative(value), numbers.is_zero(value)) == (negative, zero)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("under", "f", "good"), [
    ("GL(d)", lambda x, w: x @ w, True), ("GL(d)", lambda x, w: w @ w, False),
    ("GL(d)", lambda x, w: w[0], False), ("SL(d)", lambda x, w: x @ w, True),
    ("SL(d)", lambda x, w: w[0] * w[1], False), ("SL(d)", lambda x, w: w[1], False),
])  # fmt: skip
def test_what_is_dual_moves(under: str, f: Any, good: bool, kind: str) -> None:
    found = checked(kind, "x: d, w: d* -> ()", under, {"d": 2}, f)
    assert found.accepted == good and "internal" not in found.reason, found.reason


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("f", "size", "good"), [
    (lambda x: np.roll(x, 1), 3, True), (lambda x: x * np.array([1, 2, 3]), 3, False),
    (lambda x: x * x.sum(), 4, False), (lambda x: x * x.sum(), 2, False),
])  # fmt: skip
def test_listed_generators_are_of_the_size_of_the_axis(f: Any, size: int, good: bool, kind: str) -> None:
    data = sealed(kind, "x: n -> n", "C(n)", {"n": size}, f)
    data["claim"]["group"] = [{"family": "GenS", "axis": "n", "generators": [[1, 2, 0]]}]
    found = check_certificate(corpus.reseal(data))
    assert found.accepted == good and "internal" not in found.reason, found.reason
    assert size == 3 or "another size" in found.reason


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("family", "generator", "good"), [
    ("GenO", [["0", "1"], ["-1", "0"]], True), ("GenO", [["1", "1"], ["0", "1"]], False),
    ("GenO", [["2", "0"], ["0", "2"]], False), ("GenGL", [["1", "1"], ["0", "1"]], True),
    ("GenGL", [["1", "0"], ["0", "0"]], False), ("GenS", [1, 0], True), ("GenS", [0, 0], False),
])  # fmt: skip
def test_listed_generators_are_in_the_group(family: str, generator: Any, good: bool, kind: str) -> None:
    data = sealed(kind, "x: n -> n", "C(n)", {"n": 2}, lambda x: 2 * x)
    data["claim"]["group"] = [{"family": family, "axis": "n", "generators": [generator]}]
    found = check_certificate(corpus.reseal(data))
    assert found.accepted == good and "internal" not in found.reason, found.reason


@pytest.mark.parametrize(("entry", "left", "good"), [("1", 1, False), ("2", 4, False), ("-1", 1, True)])
def test_points_are_moved_by_what_is_in_the_group(entry: str, left: int, good: bool) -> None:
    """x^2, and x itself, under a number that multiplies x."""
    g = Graph(x=["n"])
    x = g.node("input", [], ["n"], name="x")
    g.node("einsum", [x, x], ["n"], inputs=[[0], [0]], output=[0])
    evidence = {
        "sizes": {"n": 1}, "inputs": {"x": corpus.vector(1)}, "arithmetic": "rational", "entry": [0],
        "element": [{"family": "GenO", "axis": "n", "word": [1]}], "left": corpus.vector(left),
        "right": corpus.vector(int(entry)),
    }  # fmt: skip
    what = corpus.claim("x: n -> n", "O(n)")
    what["group"] = [{"family": "GenO", "axis": "n", "generators": [[[entry]]]}]
    what["scope"] = {"n": 1}
    data = corpus.seal("counterexample", claim=what, program=g.program(), evidence=evidence)
    found = check_certificate(data)
    assert found.accepted == good and "internal" not in found.reason, found.reason


@pytest.mark.parametrize(("bits", "good"), [(0, False), (1, True), (100, True), (101, False)])
def test_the_bits_of_a_test(bits: int, good: bool) -> None:
    found = check_certificate(corpus.reseal({**corpus.tested(), "evidence": {"bits": bits}}))
    assert found.accepted == good and (f"2^-{bits}" in " ".join(found.rests_on)) == good, found.reason
