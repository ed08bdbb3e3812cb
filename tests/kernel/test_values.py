"""Recorded values: a function has one value at one point, however g x comes to be x."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.kernel import second
from tests.kernel.corpus import JSON, claim, factor, reseal, seal, tensor, vector
from tests.kernel.encoding import check_certificate, encoded

QUARTER = [["0", "-1"], ["1", "0"]]
FLIP = [["1", "0"], ["0", "-1"]]
EYE = [["1", "0"], ["0", "1"]]
ABOUT_Z = [["3/5", "-4/5", "0"], ["4/5", "3/5", "0"], ["0", "0", "1"]]
MIRROR = [["1/9", "-8/9", "-4/9"], ["-8/9", "1/9", "-4/9"], ["-4/9", "-4/9", "7/9"]]
#: Of more digits than rational arithmetic keeps exactly.
LONG = "1" + "0" * 3990


#: signature, group, sizes, inputs, elements: g x is x.
Still = tuple[str, str, JSON, JSON, list[JSON]]
STILL: dict[str, Still] = {
    "identity of O": ("x: d -> ()", "O(d)", {"d": 2}, {"x": vector(1, 2)}, [dict(matrix=EYE)]),
    "identity of SO": ("x: d -> ()", "SO(d)", {"d": 2}, {"x": vector(1, 2)}, [dict(matrix=EYE)]),
    "identity of S": ("x: n -> ()", "S(n)", {"n": 2}, {"x": vector(1, 2)}, [dict(permutation=[0, 1])]),
    "identity of GL": ("x: d -> ()", "GL(d)", {"d": 2}, {"x": vector(1, 2)}, [dict(matrix=EYE)]),
    "no flip": ("x: d -> ()", "Signs(d)", {"d": 2}, {"x": vector(1, 2)}, [dict(signs=[1, 1])]),
    "size 1": ("x: n -> ()", "S(n)", {"n": 1}, {"x": vector(7)}, [dict(permutation=[0])]),
    "translated by 0": ("x: d -> ()", "T(d)", {"d": 2}, {"x": vector(1, 2)}, [dict(vector=["0", "0"])]),
    "multiplied by 1": ("x: d -> ()", "Scale(d)", {"d": 2}, {"x": vector(1, 2)}, [dict(factor="1")]),
    "multiples of 0": ("x: d -> ()", "Scale(d)", {"d": 2}, {"x": vector(0, 0)}, [dict(factor="5")]),
    "multiples that cancel": (
        "x: d, y: d d* -> ()", "Scale(d)", {"d": 1}, {"x": vector(0), "y": tensor([1, 1], 3)},
        [dict(factor="5")],
    ),
    "no motion": (
        "x: n d -> ()", "E(d)", {"n": 1, "d": 2}, {"x": tensor([1, 2], 1, 2)},
        [dict(matrix=EYE, vector=["0", "0"])],
    ),
    "motion about the point": (
        "x: d -> ()", "SE(d)", {"d": 2}, {"x": vector(1, 1)},
        [dict(matrix=QUARTER, vector=["2", "0"])],
    ),
    "directions translated": (
        "v: d^, x: n d -> ()", "E(d)", {"n": 1, "d": 2}, {"v": vector(1, 0), "x": tensor([1, 2], 3, 0)},
        [dict(matrix=FLIP, vector=["0", "0"])],
    ),
    "equal entries swapped": (
        "x: n -> ()", "S(n)", {"n": 3}, {"x": vector(5, 1, 5)}, [dict(permutation=[2, 1, 0])]
    ),
    "equal rows turned": (
        "x: n c -> ()", "A(n)", {"n": 3, "c": 2}, {"x": tensor([3, 2], 1, 2, 1, 2, 1, 2)},
        [dict(permutation=[1, 2, 0])],
    ),
    "a periodic shift": (
        "x: n -> ()", "C(n)", {"n": 4}, {"x": vector("1/2", 3, "1/2", 3)},
        [dict(permutation=[2, 3, 0, 1])],
    ),
    "a palindrome": (
        "x: n -> ()", "D(n)", {"n": 3}, {"x": vector(1, 2, 1)}, [dict(permutation=[2, 1, 0])]
    ),
    "a graph automorphism": (
        "A: n n -> ()", "S(n)", {"n": 2}, {"A": tensor([2, 2], 1, 4, 4, 1)},
        [dict(permutation=[1, 0])],
    ),
    "0 flipped": ("x: d -> ()", "Signs(d)", {"d": 2}, {"x": vector(3, 0)}, [dict(signs=[1, -1])]),
    "in the mirror": ("x: d -> ()", "O(d)", {"d": 2}, {"x": vector(3, 0)}, [dict(matrix=FLIP)]),
    "in a slanted mirror": (
        "x: 3 -> ()", "O(3)", {}, {"x": vector(1, -1, 0)}, [dict(matrix=MIRROR)],
    ),
    "on the axis": (
        "x: 3 k -> ()", "SO(3)", {"k": 1},
        {"x": tensor([3, 1], 0, 0, 2)}, [dict(matrix=ABOUT_Z)],
    ),
    "a multiple of I conjugated": (
        "x: d d -> ()", "SO(d)", {"d": 2}, {"x": tensor([2, 2], 2, 0, 0, 2)}, [dict(matrix=QUARTER)]
    ),
    "an eigenvector": (
        "x: d -> ()", "GL(d)", {"d": 2}, {"x": vector(1, 0)},
        [dict(matrix=[["1", "2"], ["0", "3"]])],
    ),
    "vector and covector": (
        "x: d, y: d* -> ()", "GL(d)", {"d": 2}, {"x": vector(1, 0), "y": vector(0, 0)},
        [dict(matrix=[["1", "0"], ["0", "2"]])],
    ),
    "two inputs, both fixed": (
        "x: n, y: n -> ()", "S(n)", {"n": 2}, {"x": vector(1, 1), "y": vector(2, 2)},
        [dict(permutation=[1, 0])],
    ),
    "two factors that cancel": (
        "x: n m -> ()", "S(n) x S(m)", {"n": 2, "m": 2}, {"x": tensor([2, 2], 1, 2, 2, 1)},
        [dict(permutation=[1, 0]), dict(permutation=[1, 0])],
    ),
    "a flip that a swap takes back": (
        "x: d n -> ()", "O(d) x S(n)", {"d": 1, "n": 2}, {"x": tensor([1, 2], 1, -1)},
        [dict(matrix=[["-1"]]), dict(permutation=[1, 0])],
    ),
    "equal mask": (
        "M[bool]: n -> ()", "S(n)", {"n": 2}, {"M": vector(1, 1)}, [dict(permutation=[1, 0])]
    ),
    "an index that stays": (
        "E[n]: m, x: n -> ()", "S(n)", {"n": 3, "m": 2}, {"E": vector(2, 2), "x": vector(4, 4, 0)},
        [dict(permutation=[1, 0, 2])],
    ),
    "edges that change places": (
        "E[n]: m -> ()", "S(n) x S(m)", {"n": 2, "m": 2}, {"E": vector(0, 1)},
        [dict(permutation=[1, 0]), dict(permutation=[1, 0])],
    ),
    "an axis that is not acted on": (
        "x: d d! -> ()", "Signs(d)", {"d": 2}, {"x": tensor([2, 2], 0, 0, 1, 2)},
        [dict(signs=[-1, 1])],
    ),
}  # fmt: skip


def evaluation(case: Still, at: Any = 0, moved: Any = 1) -> JSON:
    """A certificate that f(x) = at and f(g x) = moved, one number each."""
    signature, under, sizes, inputs, elements = case
    evidence = {
        "sizes": sizes, "inputs": inputs, "arithmetic": "rational", "entry": [],
        "element": [{**factor(f), **g} for f, g in zip(under.split(" x "), elements, strict=True)],
        "left": tensor([], moved), "right": tensor([], at),
        "values": {"at": tensor([], at), "moved": tensor([], moved)},
    }  # fmt: skip
    return seal("evaluation", claim=claim(signature, under), evidence=evidence)


@pytest.mark.parametrize("name", STILL)
@pytest.mark.parametrize(("at", "moved"), [(0, 1), ("1/2", None), (None, 0), (0, f"1/1{'0' * 300}")])
def test_two_values_at_one_point_are_rejected(name: str, at: Any, moved: Any) -> None:
    data = evaluation(STILL[name], at, moved)
    report = check_certificate(data)
    assert not report.accepted and "two values of f at one point" in report.reason, report.reason
    assert not second.is_exact(encoded(data))


@pytest.mark.parametrize("name", STILL)
def test_the_same_in_ball_arithmetic(name: str) -> None:
    data = evaluation(STILL[name])
    data["evidence"] |= {
        "arithmetic": "ball", "precision": 16,
        "left": {"lo": "1", "hi": "2"}, "right": {"lo": "-1", "hi": "0"},
    }  # fmt: skip
    report = check_certificate(reseal(data))
    assert not report.accepted and "two values of f at one point" in report.reason, report.reason


@pytest.mark.parametrize("name", ["identity of O", "motion about the point", "equal entries swapped"])
def test_numbers_that_are_not_kept_exactly_may_be_equal(name: str) -> None:
    signature, under, sizes, inputs, elements = copy.deepcopy(STILL[name])
    far = {"identity of O": [LONG, LONG], "motion about the point": ["1", "1"]}.get(name, [LONG, "1", LONG])
    inputs = {"x": vector(*far)}
    report = check_certificate(evaluation((signature, under, sizes, inputs, elements)))
    assert not report.accepted and "two values of f at one point" in report.reason, report.reason


def entries(data: JSON) -> list[tuple[str, int]]:
    return [(k, i) for k, v in data["evidence"]["inputs"].items() for i in range(len(v["values"]))]


@pytest.mark.parametrize(
    "name", [n for n in STILL if "rows" not in n and "index" not in n and "mask" not in n]
)
def test_where_g_moves_an_entry_two_values_are_evidence(name: str) -> None:
    """The positive control: with some entry changed the certificate is accepted, unless g is the identity."""
    found = []
    for key, i in entries(evaluation(STILL[name])):
        data = copy.deepcopy(evaluation(STILL[name]))
        its = data["evidence"]["inputs"][key]["values"]
        its[i] = "1" if its[i] == "0" else "0"
        report = check_certificate(reseal(data))
        assert report.accepted == second.is_exact(encoded(reseal(data))), report.reason
        found.append(report.accepted)
    trivial = name.startswith(("identity", "no ", "size 1", "translated", "multiplied"))
    assert any(found) != trivial


def test_a_value_that_g_moves_though_x_stays_is_evidence() -> None:
    """f(x) = (1, 2) at x = (5, 5): a swap leaves x, and would have to leave f(x)."""
    evidence = {
        "sizes": {"n": 2}, "inputs": {"x": vector(5, 5)}, "arithmetic": "rational", "entry": [0],
        "element": [{**factor("S(n)"), "permutation": [1, 0]}],
        "left": vector(1, 2), "right": vector(2, 1), "values": {"at": vector(1, 2), "moved": vector(1, 2)},
    }  # fmt: skip
    data = seal("evaluation", claim=claim("x: n -> n", "S(n)"), evidence=evidence)
    assert check_certificate(data).accepted and second.is_exact(encoded(data))
    data["evidence"] |= {"left": vector(3, 2), "values": {"at": vector(1, 2), "moved": vector(3, 2)}}
    assert not check_certificate(reseal(data)).accepted and not second.is_exact(encoded(reseal(data)))


@pytest.mark.parametrize("word", ["real", "", "balls", None, ["ball"]])
def test_numbers_are_rational_or_enclosed(word: Any) -> None:
    data = evaluation(("x: 3 -> ()", "O(3)", {}, {"x": vector(1, 0, 0)}, [dict(matrix=MIRROR)]), 0, None)
    assert check_certificate(data).accepted
    data["evidence"]["arithmetic"] = word
    assert "arithmetic" in check_certificate(reseal(data)).reason


def test_what_is_said_of_a_point() -> None:
    sizes, where = {"n": 2}, {"x": vector(5, 7)}
    swapped = ("x: n -> ()", "S(n)", sizes, where, [dict(permutation=[1, 0])])
    said = check_certificate(evaluation(swapped, 3, "1/2"))
    assert "at n = 2 and the recorded point: the result is 1/2 on the left, 3 on the" in said.statement
    only = ("x: 3 -> ()", "O(3)", {}, {"x": vector(1, 0, 0)}, [dict(matrix=MIRROR)])
    said = check_certificate(evaluation(only, 0, None))
    assert "at its only size and the recorded point: the result is undefined on the left," in said.statement
    assert said.grade == "EXACT" and "is not equivariant under O(3)" in said.statement
    said = check_certificate(evaluation(only, None, 0))
    assert "the result is 0 on the left, undefined on the right" in said.statement
    data = evaluation(only)
    data["evidence"] |= {
        "arithmetic": "ball", "precision": 16,
        "left": {"lo": "1/2", "hi": "2"}, "right": {"lo": "0", "hi": "0"},
    }  # fmt: skip
    said = check_certificate(reseal(data))
    assert said.grade == "ENCLOSED" and "a number between 1/2 and 2 on the left, 0 on the" in said.statement
