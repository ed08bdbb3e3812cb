"""Pictures of group elements show the element, and g x beside x is what the element does."""

from __future__ import annotations

from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.engines.verdict.elements import MOST, element_svg, elements_html, is_permutation

SVG = "{http://www.w3.org/2000/svg}"


def polylines(text: str) -> dict[str, np.ndarray]:
    root = ElementTree.fromstring(text)
    return {
        line.get("class", ""): np.array(
            [[float(v) for v in p.split(",")] for p in line.get("points", "").split()]
        )
        for line in root.iter(f"{SVG}polyline")
    }


@given(st.permutations(range(6)))
def test_a_permutation_is_drawn_by_its_lines(order: list[int]) -> None:
    drawn = element_svg(tuple(order))
    if order == sorted(order):
        assert drawn == ""
        return
    lines = [path.get("d", "") for path in ElementTree.fromstring(drawn).iter(f"{SVG}path")]
    ends = [(float(d.split(",")[0][1:]), float(d.split()[-1].split(",")[0])) for d in lines]
    places = [(int(a // 28), int(b // 28)) for a, b in ends]
    assert sorted(places) == sorted((p, i) for i, p in enumerate(order))  # (g x)[i] = x[p[i]]


@pytest.mark.parametrize(
    ("matrix", "shift"),
    [
        ([[0, -1], [1, 0]], (0, 0)),
        ([[-1, 0], [0, 1]], (0, 0)),
        (
            [[Fraction(3, 5), Fraction(4, 5)], [Fraction(-4, 5), Fraction(3, 5)]],
            (Fraction(1, 2), 3),
        ),
    ],
)
def test_a_motion_of_the_plane_moves_the_letter(matrix: list, shift: tuple) -> None:
    drawn = polylines(element_svg((np.array(matrix, dtype=object), shift)))
    before, after = drawn["still"], drawn["moves"]
    flip = np.diag([1.0, -1.0])  # pictures count downwards
    unit = np.linalg.norm(before[1] - before[0])
    motion = np.array(matrix, dtype=float)
    for a in range(6):
        expected = ((before[a] - before[0]) / unit @ flip) @ motion.T + np.array(shift, dtype=float)
        assert np.allclose((after[a] - before[0]) / unit @ flip, expected, atol=0.01)


@pytest.mark.parametrize(
    "value",
    [(1, -1), (Fraction(0), Fraction(1)), np.eye(2, dtype=object), np.eye(3, dtype=object), Fraction(2),
     tuple(range(MOST, -1, -1))],
)  # fmt: skip
def test_what_is_not_drawn(value: object) -> None:
    assert element_svg(value) == ""


def test_signs_and_vectors_are_no_permutations() -> None:
    assert is_permutation((1, 0)) and is_permutation((0,))
    assert not any(
        map(is_permutation, [(1,), (1, 1), (-1, 1), (Fraction(0),), np.eye(2), (True, False), 3])
    )


def test_matrices_of_other_sizes_are_written() -> None:
    turn = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]], dtype=object)
    assert elements_html({"d": turn}).count("<mtd>") == 9
    assert elements_html({"d": np.eye(3, dtype=int), "n": (0, 1)}) == ""


@pytest.mark.parametrize(
    ("f", "signature", "under", "act"),
    [
        (np.cumsum, "x: n -> n", "S(n)", lambda g, x: x[list(g["n"])]),
        (lambda X: np.maximum(X, 0), "X: d n -> d n", "O(d)", lambda g, x: g["d"] @ x),
        (
            lambda X: X**2,
            "X: n d -> n d",
            "E(d)",
            lambda g, x: x @ g["d"][0].T + np.array(g["d"][1]),
        ),
        (lambda X: X + 1, "X: d n -> d n", "Signs(d)", lambda g, x: np.array(g["d"])[:, None] * x),
    ],
)
def test_the_moved_input_is_the_element_times_the_input(f, signature, under, act) -> None:
    found = ep.check(f, signature, under=under).counterexample
    assert found is not None
    ((name, x),) = found.inputs.items()
    assert (found.moved[name] == act(found.element, x)).all()
    assert f"g {name} = " in found.to_html()
    assert (
        found.to_json()["moved"][name]
        == np.vectorize(str, otypes=[object])(found.moved[name]).tolist()
    )


def test_an_identity_moves_nothing() -> None:
    verdict = ep.identical(lambda x: x, lambda x: 2 * x, "x: n -> n")
    assert verdict.counterexample is not None and verdict.counterexample.moved == {}


def test_bits_that_differ_come_with_the_moved_input() -> None:
    x = ep.check(
        lambda x: (x[0] + x[1]) + x[2], "x: 3 -> ()", under="S(3)", about="floats"
    ).counterexample
    assert (
        x is not None
        and (x.moved["x"] == x.inputs["x"][list(next(iter(x.element.values())))]).all()
    )
