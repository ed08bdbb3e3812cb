"""Identities between single entries of a vector: which entry it is after parts, shifts and reversals."""

from __future__ import annotations

import itertools
import random

import pytest

from tests.kernel.corpus import JSON, Graph, claim, seal
from tests.kernel.encoding import check_certificate

SIZE = 6


def entry(steps: list[tuple[str, int, int]], k: int) -> tuple[JSON, int]:
    """The program that takes entry k after the steps, and which entry of v that is."""
    g = Graph(v=[SIZE])
    last, places = g.node("input", [], [SIZE], name="v"), list(range(SIZE))
    for op, a, b in steps:
        n = len(places)
        if op == "flip":
            places, at = places[::-1], {}
        elif op == "roll":
            places, at = [places[(i - a) % n] for i in range(n)], {"shift": a}
        else:
            places, at = places[a::b], {"start": a, "step": b}
        last = g.node(op, [last], [len(places)], axis=0, **at)
    g.node("slice", [last], [1], axis=0, start=k, step=1)
    return g.program(), places[k]


def accepted(left: JSON, right: JSON, text: str = f"v: {SIZE} -> 1") -> bool:
    data = seal(
        "identity", claim=claim(text, kind="identity"), program=left, other=right,
        evidence={"way": {"cells": 0, "angles": False}, "same_domain": True},
    )  # fmt: skip
    report = check_certificate(data)
    assert "internal" not in report.reason
    return report.accepted


def chains() -> list[list[tuple[str, int, int]]]:
    rng = random.Random(0)
    found: list[list[tuple[str, int, int]]] = [
        [("slice", 3, 1)],
        [("slice", 1, 2)],
        [("roll", 2, 0)],
        [("flip", 0, 0)],
    ]
    for _ in range(16):
        steps, n = list[tuple[str, int, int]](), SIZE
        for _ in range(rng.randint(2, 3)):
            op = rng.choice(("slice", "slice", "roll", "flip"))
            a, b = rng.randint(0, min(2, n - 2)) if n > 2 else 0, rng.choice((1, 2)) if n > 3 else 1
            steps.append((op, a if op == "slice" else rng.randint(1, 4), b))
            n = len(range(n)[a::b]) if op == "slice" else n
        found.append(steps)
    return found


@pytest.mark.parametrize("steps", chains(), ids=str)
def test_only_the_entry_that_it_is(steps: list[tuple[str, int, int]]) -> None:
    right = 0
    for k, place in itertools.product(range(2), range(SIZE)):
        left, real = entry(steps, k)
        said = accepted(left, entry([], place)[0])
        assert not said or place == real, (k, place, real)
        right += said
    assert right == 2


@pytest.mark.parametrize(
    ("product", "good"), [(["5", "-1"], True), (["5", "1"], False), (["6", "-1"], False)]
)
def test_products_of_arrays_of_numbers_are_computed(product: list[str], good: bool) -> None:
    """(A b) . v with A and b given, against the vector that A b is."""
    one, other = Graph(v=[2]), Graph(v=[2])
    v = one.node("input", [], [2], name="v")
    a = one.node("const", [], [2, 3], values=["1", "2", "3", "0", "1", "-1"])
    b = one.node("const", [], [3], values=["2", "0", "1"])
    one.node("einsum", [a, b, v], [], inputs=[[0, 1], [1], [0]], output=[])
    v = other.node("input", [], [2], name="v")
    c = other.node("const", [], [2], values=product)
    other.node("einsum", [c, v], [], inputs=[[0], [0]], output=[])
    assert accepted(one.program(), other.program(), "v: 2 -> ()") is good


@pytest.mark.parametrize(("turned", "good"), [(False, True), (True, False)])
def test_a_diagonal_is_one_of_rows_and_of_columns(turned: bool, good: bool) -> None:
    """I_ij v_i = I_ij v_j, and not I_ij v_(n-1-j)."""
    one, other = Graph(v=[2]), Graph(v=[2])
    v = one.node("input", [], [2], name="v")
    eye = one.node("indicator", [], [2, 2])
    one.node("einsum", [eye, v], [2, 2], inputs=[[0, 1], [0]], output=[0, 1])
    v = other.node("input", [], [2], name="v")
    if turned:
        v = other.node("flip", [v], [2], axis=0)
    eye = other.node("indicator", [], [2, 2])
    other.node("einsum", [eye, v], [2, 2], inputs=[[0, 1], [1]], output=[0, 1])
    assert accepted(one.program(), other.program(), "v: 2 -> 2 2") is good
