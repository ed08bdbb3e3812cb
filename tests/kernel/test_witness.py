"""Witnesses and mismatches by hand: what is true at the very edge, and near misses."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import pytest

from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.orbits import check_orbit
from eqvproof.kernel.pseudo import pseudo_inverse
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.witness import check_witness

F = Fraction
ROOT = {"minimal": ["-2", "0", "1"], "interval": ["1", "2"]}


def matrix(*rows: str) -> dict[str, Any]:
    entries = [row.split() for row in rows]
    return {"shape": [len(entries), len(entries[0])], "values": [x for row in entries for x in row]}


def over_root(*rows: str) -> dict[str, Any]:
    """Entries a+b stand for a + b sqrt(2)."""
    plain = matrix(*rows)
    return {"shape": plain["shape"], "values": [v.split("+") for v in plain["values"]]}


def holds(kind: str, **content: Any) -> bool:
    try:
        return check_witness(kind, content).accepted
    except Rejected:
        return False


TURN, ONE, LINE = matrix("3/5 -4/5", "4/5 3/5"), matrix("1 0", "0 1"), matrix("0 3 5", "0 4 0")
NEAR = matrix("0 4 5", "0 4 0")
ORTHOGONAL = {"X": ONE, "Y": TURN, "Q": TURN, "determinant": 1}
MIRROR = {"X": ONE, "Y": matrix("1 0", "0 -1"), "Q": matrix("1 0", "0 -1"), "determinant": -1}
ROUNDED = {
    "X": ONE, "Y": ONE, "Q": matrix("1 0", "0 1001/1000"),
    "rounding": {"residual": "1/1000", "orthogonality": "2001/1000000"},
}  # fmt: skip
MOVED = {"X": LINE, "Y": NEAR, "permutation": [0, 1, 2], "tolerance": "1"}
CROWD = {
    "X": matrix("0 10 20"), "Y": matrix("0 1 20"), "tolerance": "2", "crowd": [0, 1], "partners": [0],
}  # fmt: skip
TWICE = {"X": matrix("1 1 2"), "Y": matrix("1 2 2"), "column": ["1"], "counts": [2, 1]}
GRAM = {"X": LINE, "Y": NEAR, "pair": [1, 1], "left": "25", "right": "32"}
#: Kind -> a true certificate; parts put in its place; whether it is accepted.
CASES: dict[str, list[tuple[dict[str, Any], dict[str, Any], bool]]] = {
    "orthogonal-witness": [
        (ORTHOGONAL, {}, True), (ORTHOGONAL, {"determinant": -1}, False),
        (ORTHOGONAL, {"determinant": 0}, False),
        (ORTHOGONAL, {"Y": ONE}, False), (ORTHOGONAL, {"Q": ONE}, False),
        (ORTHOGONAL, {"Q": matrix("1 0")}, False),
        (ORTHOGONAL, {"Q": matrix("2 0", "0 1"), "Y": matrix("2 0", "0 1")}, False),
        (ORTHOGONAL, {"Y": matrix("3/5", "4/5")}, False),
        (ORTHOGONAL, {"reflections": [["1", "0"], ["2", "1"]]}, False),
        (ORTHOGONAL, {"reflections": [["2", "1"], ["1", "0"]]}, True),
        (ORTHOGONAL, {"reflections": [["4", "2"], ["-1/3", "0"]]}, True),
        (ORTHOGONAL, {"reflections": []}, False), (ORTHOGONAL, {"reflections": [["2", "1"]]}, False),
        (ORTHOGONAL, {"reflections": [["2", "1"], ["0", "0"]]}, False),
        (ORTHOGONAL, {"reflections": [["2", "1"], ["1"]]}, False),
        (ORTHOGONAL, {"reflections": [["2", "1"], ["1", "0", "0"]]}, False),
        (ORTHOGONAL, {"reflections": [["1", "0"], ["1", "0"], ["2", "1"], ["1", "0"]]}, False),
        (MIRROR, {}, True), (MIRROR, {"reflections": [["0", "1"]]}, True),
        (MIRROR, {"reflections": [["1", "0"]]}, False),
        (MIRROR, {"reflections": [["1", "0"], ["1", "0"], ["0", "1"]]}, True),
        ({"X": matrix("1"), "Y": matrix("1"), "Q": matrix("1"), "determinant": 1, "reflections": []},
         {}, True),
        ({"field": ROOT, "X": over_root("1+0", "0+0"), "Y": over_root("0+1/2", "0+1/2"), "determinant": 1,
          "Q": over_root("0+1/2 0+-1/2", "0+1/2 0+1/2")}, {}, True),
        ({"field": ROOT, "X": over_root("1+0", "0+0"), "Y": over_root("0+1/2", "0+1/2"), "determinant": 1,
          "Q": over_root("0+1/2 0+-1/2", "0+1/2 0+1/2")}, {"reflections": [["2", "1"], ["1", "0"]]}, False),
        (ROUNDED, {}, True),
        (ROUNDED, {"rounding": {"residual": "1/1001", "orthogonality": "2001/1000000"}}, False),
        (ROUNDED, {"rounding": {"residual": "1/1000", "orthogonality": "2/1000"}}, False),
        (ROUNDED, {"rounding": {"residual": "-1/1000", "orthogonality": "2001/1000000"}}, False),
        (ROUNDED, {"rounding": {"residual": "1/1000", "orthogonality": "-2001/1000000"}}, False),
        (ROUNDED, {"Q": matrix("1 0")}, False), (ROUNDED, {"Q": matrix("1 0", "0 1", "0 0")}, False),
        ({"field": ROOT, "X": over_root("1+0"), "Y": over_root("1+0"), "Q": over_root("1+5"),
          "rounding": {"residual": "1", "orthogonality": "1"}}, {}, False),
    ],
    "gram-mismatch": [
        (GRAM, {}, True), (GRAM, {"left": "24"}, False), (GRAM, {"right": "31"}, False),
        (GRAM, {"pair": [2, 2], "left": "25", "right": "25"}, False),
        (GRAM, {"pair": [1, 2], "left": "15", "right": "20"}, True),
        (GRAM, {"pair": [1, 3], "left": "15", "right": "20"}, False),
        (GRAM, {"X": matrix("0 3/2", "0 4/2"), "Y": matrix("0 4/3", "0 4/3")}, False),
        (GRAM, {"X": matrix("0 3/2", "0 2"), "Y": matrix("0 4/3", "0 4/3"), "left": "25/4",
         "right": "32/9"}, True),
        ({"field": ROOT, "X": over_root("0+1"), "Y": over_root("1+0"), "pair": [0, 0], "left": ["2", "0"],
          "right": ["1", "0"]}, {}, True),
        ({"field": ROOT, "X": over_root("0+1"), "Y": over_root("0+-1"), "pair": [0, 0], "left": ["2", "0"],
          "right": ["2", "0"]}, {}, False),
    ],
    "permutation-witness": [
        (MOVED, {}, True), (MOVED, {"tolerance": "999/1000"}, False), (MOVED, {"tolerance": "-1"}, False),
        (MOVED, {"permutation": [1, 0, 2]}, False), (MOVED, {"permutation": [0, 0, 2]}, False),
        (MOVED, {"permutation": [0, 1]}, False), (MOVED, {"permutation": [0, 1, 3]}, False),
        ({"X": LINE, "Y": matrix("5 0 3", "0 0 4"), "permutation": [2, 0, 1]}, {}, True),
        ({"X": LINE, "Y": matrix("5 0 3", "0 0 4"), "permutation": [2, 0, 1], "tolerance": "0"}, {}, True),
        (MOVED, {"tolerance": "0"}, False),
        ({"X": LINE, "Y": matrix("5 0 3", "0 0 4"), "permutation": [1, 2, 0]}, {}, False),
        ({"X": LINE, "Y": NEAR, "permutation": [0, 1, 2]}, {}, False),
        ({"field": ROOT, "X": over_root("1+0"), "Y": over_root("1+5"), "permutation": [0],
         "tolerance": "1"}, {}, False),
    ],
    "multiset-mismatch": [
        (TWICE, {}, True), (TWICE, {"column": ["2"], "counts": [1, 2]}, True),
        (TWICE, {"counts": [1, 2]}, False),
        (TWICE, {"counts": [1, 1]}, False), (TWICE, {"column": ["3"], "counts": [0, 0]}, False),
        (TWICE, {"column": ["1", "1"], "counts": [2, 1]}, False),
        (TWICE, {"column": [], "counts": [2, 1]}, False),
        (TWICE, {"column": [], "counts": [0, 0]}, False), (TWICE, {"counts": [2]}, False),
        (TWICE, {"X": matrix("1/2 1/2 1"), "column": ["1/2"], "counts": [2, 0]}, True),
        ({"X": matrix("1 2"), "Y": matrix("2 1"), "column": ["1"], "counts": [1, 1]}, {}, False),
        (CROWD, {}, True), (CROWD, {"tolerance": "9"}, False), (CROWD, {"tolerance": "899/100"}, True),
        (CROWD, {"tolerance": "-2"}, False), (CROWD, {"partners": []}, False),
        (CROWD, {"partners": [0, 1]}, False),
        (CROWD, {"crowd": [0, 0]}, False), (CROWD, {"crowd": [0]}, False), (CROWD, {"crowd": [0, 3]}, False),
        (CROWD, {"partners": [3]}, False), (CROWD, {"crowd": [0, 1, 2]}, False),
        ({"field": ROOT, "X": over_root("0+1 9+0"), "Y": over_root("0+0 0+1"), "tolerance": "1",
         "crowd": [0, 1],
          "partners": [0]}, {}, False),
    ],
    "congruence-witness": [
        ({"X": ONE, "Y": matrix("-4/5 3/5", "3/5 4/5"), "Q": TURN, "permutation": [1, 0]}, {}, True),
        ({"X": ONE, "Y": matrix("-4/5 3/5", "3/5 4/5"), "Q": TURN, "permutation": [0, 1]}, {}, False),
        ({"X": ONE, "Y": matrix("2 0", "0 2"), "Q": matrix("2 0", "0 2"), "permutation": [0, 1]}, {}, False),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "number"), [(k, i) for k in CASES for i in range(len(CASES[k]))])
def test_at_the_edge(kind: str, number: int) -> None:
    content, parts, wanted = CASES[kind][number]
    assert holds(kind, **{**content, **parts}) == wanted


def test_what_is_ruled_out_has_no_congruence() -> None:
    """X and Y are congruent where a permutation takes one matrix of inner products to the other."""
    rng, seen = random.Random(3), [0, 0, 0]
    for _ in range(250):
        x, y = ([[rng.choice((-1, 0, 1)) for _ in range(3)] for _ in range(2)] for _ in range(2))
        if rng.random() < 0.5:
            order, sign = rng.sample(range(3), 3), rng.choice((-1, 1))
            y = [[sign * x[1][p] for p in order], [x[0][p] for p in order]]
            y[0][0] += rng.choice((0, 0, 1))
        gram = [[[sum(row[i] * row[j] for row in m) for j in range(3)] for i in range(3)] for m in (x, y)]
        congruent = any(
            all(gram[0][p[i]][p[j]] == gram[1][i][j] for i in range(3) for j in range(3))
            for p in itertools.permutations(range(3))
        )
        sides = {name: matrix(*(" ".join(map(str, r)) for r in m)) for name, m in (("X", x), ("Y", y))}
        found = [holds("congruence-mismatch", **sides, base=base) for base in ([], [0], [2, 0], [0, 1, 2])]
        assert found[3] == (not congruent) and not (congruent and any(found))
        assert not found[0] or all(found)
        seen = [n + new for n, new in zip(seen, (found[0], found[3] and not found[0], congruent),
         strict=True)]
    assert min(seen) > 5
    assert not holds("congruence-mismatch", **sides, base=[3])


def test_each_bound_is_said_of_what_it_bounds() -> None:
    found = check_witness("orthogonal-witness", ROUNDED).statement
    assert "|Q X - Y| <= 0.001 and |Q^T Q - I| <= 0.00201 in" in found


def test_a_number_written_in_two_ways_is_no_other_number() -> None:
    """(t - 2)(t^2 - 1) with t = 2: X = Y, with 2 as the inner product of columns in one, t in the other."""
    two = {"minimal": ["2", "-1", "-2", "1"], "interval": ["3/2", "3"]}
    plain, root = ["2", "0", "0"], ["0", "1", "0"]
    one, zero = ["1", "0", "0"], ["0", "0", "0"]
    x = {"shape": [2, 2], "values": [one, plain, zero, root]}
    y = {"shape": [2, 2], "values": [one, root, zero, plain]}
    assert not holds("congruence-mismatch", field=two, X=x, Y=y, base=[0])
    other = {"shape": [2, 2], "values": [one, ["3", "0", "0"], zero, zero]}
    assert holds("congruence-mismatch", field=two, X=x, Y=other, base=[0])
    assert not holds("gram-mismatch", field=two, X=x, Y=y, pair=[0, 1], left=plain, right=root)


@pytest.mark.parametrize(
    "rows", [["1 1", "1 1"], ["1 2 3"], ["0 0", "0 0"], ["1 0", "0 1/2"], ["1", "-2"], ["2 4", "1 2", "0 0"]]
)
def test_pseudo_inverses_of_any_rank(rows: list[str]) -> None:
    """A B A = A, B A B = B, and A B and B A are symmetric (R. Penrose 1955)."""

    def times(p: Any, q: Any) -> Any:
        columns = [*zip(*q, strict=True)]
        return [[sum((x * y for x, y in zip(row, c, strict=True)), F(0)) for c in columns] for row in p]

    a = [[F(x) for x in row.split()] for row in rows]
    b = pseudo_inverse([[*row] for row in a], Arithmetic(64))
    assert times(times(a, b), a) == a and times(times(b, a), b) == b
    assert all(m == [list(col) for col in zip(*m, strict=True)] for m in (times(a, b), times(b, a)))


ACROSS = {"family": "SO", "X": matrix("1", "0"), "Y": matrix("0", "1"), "matrix": [["0", "1"], ["1", "0"]]}
EMPTY = {"shape": [2, 0], "values": []}
TURNED = {"family": "SU", "X": matrix("1", "0"), "Y": matrix("0", "1"), "matrix": [["0", "-1"], ["1", "0"]]}
LONGER = {"family": "O", "X": matrix("1", "0"), "Y": matrix("2", "0"), "pair": [0, 0]}
WHOLE = {"family": "SO", "X": ONE, "Y": matrix("0 1", "1 0"), "matrix": [["0", "1"], ["1", "0"]]}


@pytest.mark.parametrize(("kind", "content", "parts", "wanted"), [
    (True, ACROSS, {"family": "O"}, True), (True, ACROSS, {}, False), (True, ACROSS, {"family": "GL"}, True),
    (True, ACROSS, {"family": "S"}, False), (True, ACROSS, {"matrix": [["0", "1"]]}, False),
    (True, ACROSS, {"X": {"shape": [2], "values": ["1", "0"]}}, False), (True, ACROSS, {"Y": ONE}, False),
    (True, ACROSS, {"X": {"shape": [0, 1], "values": []}, "Y": {"shape": [0, 1], "values": []}}, False),
    (True, ACROSS, {"X": {"shape": [2, 1, 1], "values": ["1", "0"]}}, False),
    (False, WHOLE, {}, True), (False, ACROSS, {}, False), (False, WHOLE, {"family": "O"}, False),
    (False, WHOLE, {"family": "GL"}, False), (False, WHOLE, {"family": "Sp"}, False),
    (False, WHOLE, {"family": "SL"}, True), (False, WHOLE, {"family": "Lorentz"}, False),
    (True, ACROSS, {"matrix": [["1"]]}, False), (True, ACROSS, {"family": ["O"]}, False),
    (True, ACROSS, {"family": "Q"}, False), (True, ACROSS, {"family": None}, False),
    (True, ACROSS, {"X": EMPTY, "Y": EMPTY, "family": "O"}, True),
    (True, ACROSS, {"X": EMPTY, "Y": EMPTY, "family": "O", "matrix": [["1"]]}, False),
    (False, LONGER, {}, True), (False, LONGER, {"Y": matrix("1", "0")}, False),
    (False, LONGER, {"Y": matrix("2 0", "0 0")}, False), (False, LONGER, {"X": ONE}, False),
    (False, TURNED, {}, True), (False, TURNED, {"family": "U"}, False),
    (False, TURNED, {"Y": matrix("1", "0"), "matrix": [["1", "0"], ["0", "1"]]}, False),
    (False, WHOLE, {"Y": matrix("0 1", "-1 0"), "matrix": [["0", "1"], ["-1", "0"]]}, False),
])  # fmt: skip
def test_orbits(kind: bool, content: dict[str, Any], parts: dict[str, Any], wanted: bool) -> None:
    """A swap carries e_1 to e_2, and so does a turn; the swap of both no turn and no shear can do."""
    try:
        found = check_orbit({**content, **parts}, holds=kind).accepted
    except Rejected:
        found = False
    assert found == wanted
