"""Single functions of the kernel at the very edge of what they are asked, and near misses of whole checks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from eqvproof.kernel import (
    claims,
    elements,
    indices,
    normal,
    points,
    readings,
    report,
    symmetric,
)
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.orbits import check_orbit
from eqvproof.kernel.report import Rejected
from eqvproof.kernel.sizes import ONE, Size
from eqvproof.kernel.symbolic import Numbers
from tests.kernel import corpus
from tests.kernel.corpus import Graph, claim, reseal, seal, tensor
from tests.kernel.encoding import at_all_sizes, check_certificate, encoded
from tests.kernel.test_finite import square_or_cube
from tests.kernel.test_near_identities import identity, read
from tests.kernel.test_witness import ROUNDED, holds, over_root

F, N, MORE, FIVE = Fraction, Size.of("n"), Size.of("m"), Size.of(5)


@pytest.fixture(autouse=True)
def _work() -> None:
    report.allow_work(10**6)


# -- tables that are read as those next to them ------------------------------------------------------------
@pytest.mark.parametrize(("squares", "far"), [((1,), "1.01"), ((2, 3), "1.74"), ((3, 2), "1.74")])
def test_how_far_away_a_table_is_at_most(squares: tuple[int, ...], far: str) -> None:
    """Three digits that are not below sqrt(1) + 10^-40 and sqrt(3) = 1.7320..., the largest of several."""
    read_ones = {number: F(square) for number, square in enumerate(squares)}
    words = readings.FormReadings(frozenset(read_ones), {}, {}).words(F(0), read_ones)
    assert f"at most {far} away" in words


# -- indices -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "step", "after"),
    [
        ((-1, (indices.affine(N, 0),)), indices.rolled(FIVE, 1), None),
        ((0, (indices.affine(ONE, 2), indices.rolled(FIVE, 1))), indices.rolled(FIVE, 1),
         (0, (indices.affine(ONE, 2), indices.rolled(FIVE, 2)))),
        ((0, (indices.rolled(FIVE, 1), indices.affine(ONE, 2))), indices.affine(ONE, 3),
         (0, (indices.rolled(FIVE, 1), indices.affine(Size.of(4), 6)))),
        (indices.fixed_index(Size.of(2)), indices.rolled(FIVE, 3), indices.fixed_index(Size.of(4))),
    ],
)  # fmt: skip
def test_steps_after_steps(before: indices.Index, step: indices.Step, after: indices.Index | None) -> None:
    """Those that cannot be joined stand one after the other."""
    assert indices.through(before, (step,)) == (after or (before[0], (*before[1], step)))


def turned(shift: Any) -> Graph:
    """x, read from a place on."""
    g = Graph(x=["n"])
    read(g, g.node("input", [], ["n"], name="x"), [shift, [1], True], shape=["n"])
    return g


def repeated(times: int) -> Graph:
    """x[0], so many times."""
    g = Graph(x=[2])
    read(g, g.node("input", [], [2], name="x"), [0, [0], False], shape=[times])
    return g


def by_product(times: int) -> Graph:
    """The same as a product of x[0] and a row of ones."""
    g = Graph(x=[2])
    one = read(g, g.node("input", [], [2], name="x"), [0, [0], False], shape=[1])
    g.node("einsum", [one], [times], inputs=[[1]], output=[0]) if times == 1 else g.node(
        "einsum", [one, g.node("const", [], [times], values=["1"] * times)], [times],
        inputs=[[1], [0]], output=[0],
    )  # fmt: skip
    return g


def moved_identity(output: list[int], by: int = 1, at: int = 0) -> Graph:
    """sum_j I[i, j + by] x[j + at], or sum_i I[i, i + by] x[i + at], places taken round."""
    g = Graph(x=["n"])
    x = read(g, g.node("input", [], ["n"], name="x"), [at, [1], True], shape=["n"])
    eye = g.node("indicator", [], ["n", "n"])
    eye = read(g, eye, [0, [1], False], [by, [1], True], shape=["n", "n"])
    rows = [[0, 1], [1]] if output else [[1, 1], [1]]
    g.node("einsum", [eye, x], ["n"] * len(output), inputs=rows, output=output)
    return g


def plain(output: list[int]) -> Graph:
    g = Graph(x=["n"])
    g.node("einsum", [g.node("input", [], ["n"], name="x")], ["n"] * len(output), inputs=[[0]], output=output)
    return g


def inverse_of_difference(first: str, second: str, sign: int) -> Graph:
    """sign / (first - second)."""
    g = Graph(x=[], y=[])
    a, b = (g.node("input", [], [], name=name) for name in (first, second))
    minus = g.node("einsum", [g.node("const", [], [], values=["-1"]), b], [], inputs=[[], []], output=[])
    below = g.node("map", [g.node("add", [a, minus], [])], [], fn="recip")
    g.node("einsum", [g.node("const", [], [], values=[str(sign)]), below], [], inputs=[[], []], output=[])
    return g


IDENTITIES = [
    ("x: n -> n", turned("n"), turned(0), False),  # there is no form for unknown shifts
    ("x: n -> n", turned(1), turned(0), False),
    ("x: n -> n", turned(0), turned(0), True),
    ("x: 2 -> 3", repeated(3), by_product(3), True),
    ("x: n -> n", moved_identity([0]), plain([0]), False),
    ("x: n -> ()", moved_identity([]), plain([]), False),
    ("x: n -> ()", moved_identity([], 1, 0), moved_identity([], 2, -1), False),  # at n = 2 it is no 0
    ("x: n -> ()", moved_identity([], 1, 0), moved_identity([], 1, 0), True),
    ("x: () , y: () -> ()", inverse_of_difference("x", "y", 1), inverse_of_difference("y", "x", -1), True),
    ("x: () , y: () -> ()", inverse_of_difference("x", "y", 1), inverse_of_difference("y", "x", 1), False),
]


@pytest.mark.parametrize(("signature", "f", "g", "holds_"), IDENTITIES)
def test_identities(signature: str, f: Graph, g: Graph, holds_: bool) -> None:
    found = check_certificate(identity(signature.replace(" ,", ","), f, g))
    assert found.accepted is holds_ and "internal" not in found.reason, found.reason


def test_what_is_joined_is_defined_where_the_parts_are() -> None:
    g = Graph(x=["n"], y=["n"])
    a, b = (g.node("input", [], ["n"], name=name) for name in "xy")
    g.node("concat", [a, b], [[[2, ["n"]]]], axis=0)
    program = at_all_sizes(g.program(), {"n": 1})
    forms = normal.new_forms({"n": 1})
    assert forms.total(normal.normal_form(forms, program))


# -- single functions --------------------------------------------------------------------------------------


def test_a_sum_of_terms_has_no_inverse() -> None:
    assert indices.inverse_of_term(indices.of_size(N + ONE)) is None
    assert indices.inverse_of_term(indices.of_size(N)) == (((("n", -1),), F(1)),)


def test_rationals_are_zero_or_not() -> None:
    numbers = Numbers("seed", exact=True)
    assert numbers.is_zero(F(0)) == 1 and numbers.is_zero(F(2)) == 0


def test_eigenvectors_of_what_is_undefined() -> None:
    assert symmetric.spectral([[None]], [F(1)], Arithmetic(64)) == [None]


@pytest.mark.parametrize(
    ("family", "inside", "outside"),
    [
        ("GL", "2 1 0 1", "2 1 4 2"), ("SL", "2 1 1 1", "2 1 0 1"), ("Sp", "1 3 0 1", "2 0 0 1"),
        ("Lorentz", "5/4 3/4 3/4 5/4", "3/4 5/4 5/4 3/4"), ("GL", "2 1 0 1", "2 1 0 1 1 1"),
    ],
)  # fmt: skip
def test_matrices_that_move_a_point_are_in_the_group(family: str, inside: str, outside: str) -> None:
    factor = claims.Factor(family, "d")

    def read_element(entries: str) -> elements.Motion:
        numbers = entries.split()
        rows = [numbers[: len(numbers) // 2], numbers[len(numbers) // 2 :]]
        given = {"family": family, "axis": "d", "matrix": rows}
        return elements.element(given, "$", factor, 2, Arithmetic(64))

    assert len(read_element(inside).rows) == 2
    with pytest.raises(Rejected):
        read_element(outside)


def test_a_result_may_have_the_size_one() -> None:
    what = claims.claim({**claim("x: n -> m", kind="identity"), "scope": {"n": "all"}}, "identity")
    assert points.read_sizes(what, {"n": 2, "m": 1}) == {"n": 2, "m": 1}


def test_the_entry_that_is_named_is_the_recorded_one() -> None:
    """Counted from 0."""
    named = 0
    for data in corpus.accepted().values():
        if data["kind"] == "counterexample" and data["evidence"]["entry"]:
            entry = ", ".join(map(str, data["evidence"]["entry"]))
            assert f"entry [{entry}] is" in check_certificate(data).statement
            named += 1
    assert named


def test_vectors_without_entries_are_no_matrix() -> None:
    empty = {"shape": [0, 1], "values": []}
    with pytest.raises(Rejected, match="one row or more"):
        check_orbit({"family": "O", "X": empty, "Y": empty, "matrix": []}, holds=True)


def test_roundings_are_of_rational_matrices() -> None:
    field = {"minimal": ["-2", "0", "1"], "interval": ["1", "2"]}
    one = over_root("1+0 0+0", "0+0 1+0")
    assert holds("orthogonal-witness", **ROUNDED)
    assert not holds("orthogonal-witness", **{**ROUNDED, "X": one, "Y": one, "Q": one, "field": field})


# -- programs at points ------------------------------------------------------------------------------------
def test_programs_at_points_return_one_shape_and_have_shapes() -> None:
    data = square_or_cube()
    assert check_certificate(data).accepted
    for shape in ([1, 1], [2], []):
        altered = encoded(square_or_cube())
        altered["forms"][0]["shapes"].append(shape)
        altered["forms"][0]["kinds"][1][0] = 1
        found = check_certificate(reseal({**altered, "kind": "inequality"}))
        assert not found.accepted and "points" not in found.reason
    once, twice = Graph(x=["n"]), Graph(x=["n"])
    for graph in (once, twice):
        graph.node("input", [], ["n"], name="x")
    twice.node("concat", [0, 0], [[[2, ["n"]]]], axis=0)
    what = {**claim("x: n -> m", kind="identity"), "scope": [{"n": 1}]}
    for other, reason in ((twice, "another shape"), (once, "equal")):
        found = check_certificate(
            seal("inequality", claim=what, programs=[once.program()], others=[other.program()],
                 evidence={"points": [[{"x": tensor([1], "1")}]]})
        )  # fmt: skip
        assert not found.accepted and reason in found.reason


@pytest.mark.parametrize("side", ["programs", "others"])
def test_values_at_points_are_rational_on_both_sides(side: str) -> None:
    data = square_or_cube()
    data[side][0]["nodes"].append({"op": "map", "fn": "exp", "args": [1], "shape": ["n"]})
    data[side][0]["output"] = 2
    data["kind"] = "inequality"
    found = check_certificate(reseal(data))
    assert not found.accepted and "rational" in found.reason
