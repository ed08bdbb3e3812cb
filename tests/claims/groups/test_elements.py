"""Elements are in their groups, exactly; simple ones come first; acting is a group action."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice, pairwise, permutations, product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eqvproof.claims.groups import (
    FAMILIES,
    Element,
    Factor,
    act,
    act_all,
    act_on_argument,
    compose,
    generators_of,
    householder_matrix,
    identity_of,
    is_trivial,
    parse_group,
    permutation_sign,
    random_element,
    simple_elements,
)
from eqvproof.claims.groups.matrices import multiply_along
from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import GroupError

Array = np.ndarray[Any, Any]
#: Families that act by their matrix alone.
LINEAR = [
    f.letter
    for f in FAMILIES.values()
    if f.kind.acts_by_matrices and not f.kind.has_dual and f.reals == 1
]
FACTORS = st.sampled_from([Factor(f, "n") for f in LINEAR])


def order(factor: Factor, size: int) -> int:
    """The number of elements of a finite group, counted by hand."""
    n = factorial(size)
    orders = {"S": n, "A": max(1, n // 2), "C": size, "Signs": 2**size, "D": 2 * size if size > 2 else size}
    return orders[factor.family]


def determinant(rows: tuple[tuple[Fraction, ...], ...]) -> Fraction:
    total = Fraction(0)
    for p in permutations(range(len(rows))):
        total += permutation_sign(p) * prod(rows[i][j] for i, j in enumerate(p))
    return total


@st.composite
def elements(draw: st.DrawFn) -> Element:
    factor, size = draw(FACTORS), draw(st.integers(1, 4))
    return draw(members(factor, size))


def members(factor: Factor, size: int) -> st.SearchStrategy[Element]:
    simple = [identity_of(factor, size), *islice(simple_elements(factor, size), 200)]
    return st.one_of(
        st.sampled_from(simple),
        st.integers(0, 10**6).map(lambda seed: random_element(factor, size, random.Random(seed))),
    )


def exact(draw: st.DrawFn, shape: tuple[int, ...]) -> Array:
    values = draw(
        st.lists(st.fractions(max_denominator=9), min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))
    )
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array.reshape(shape)


@given(elements())
def test_elements_are_in_their_group(g: Element) -> None:
    rows = g.matrix()
    for i, j in product(range(g.size), repeat=2):
        assert sum(r[i] * r[j] for r in rows) == (i == j)
    if g.family in ("SO", "A"):
        assert determinant(rows) == 1
    if g.family in ("S", "A", "C"):
        assert all(sorted(r) == [0] * (g.size - 1) + [1] for r in rows)
    if g.family == "C":
        assert all(rows[i] == rows[0][-i:] + rows[0][:-i] if i else True for i in range(g.size))
    if g.family == "Signs":
        assert all(rows[i][j] == 0 for i, j in product(range(g.size), repeat=2) if i != j)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 7])
def test_simple_elements_come_once_and_are_never_the_identity(family: str, size: int) -> None:
    factor = Factor(family, "n")
    found = list(islice(simple_elements(factor, size), 400))
    assert len({e.data for e in found}) == len(found)
    assert not any(e.is_identity for e in found)
    assert bool(found) != is_trivial(factor, size)
    assert random_element(factor, size, random.Random(3)).is_identity == is_trivial(factor, size)


def test_small_groups_are_listed_whole() -> None:
    for family, size in [("S", 2), ("S", 3), ("A", 3), ("A", 4), ("C", 6), ("Signs", 2), ("Signs", 3)]:
        factor = Factor(family, "n")
        assert len(list(simple_elements(factor, size))) == order(factor, size) - 1


@pytest.mark.parametrize("size", [1, 2, 3, 4])
@pytest.mark.parametrize("family", ["S", "A", "C", "D", "Signs"])
def test_generators_generate(family: str, size: int) -> None:
    factor = Factor(family, "n")
    found = {identity_of(factor, size)}
    frontier = list(found)
    while frontier:
        new = {compose(g, h) for g in generators_of(factor, size) for h in frontier} - found
        found |= new
        frontier = list(new)
    assert len(found) == order(factor, size)


def test_orthogonal_groups_have_no_finite_generators() -> None:
    with pytest.raises(GroupError, match="finite list of generators"):
        generators_of(Factor("O", "d"), 2)


def first_words(family: str, size: int, count: int, axis: str | int = "n") -> list[str]:
    return [e.describe() for e in islice(simple_elements(Factor(family, axis), size), count)]


def test_the_simplest_come_first_and_read_well() -> None:
    assert first_words("O", 1, 9) == ["reflect coordinate 0"]
    assert first_words("O", 2, 10) == [
        "reflect coordinate 0",
        "reflect coordinate 1",
        "swap coordinates 0 and 1",
        "quarter turn in the plane 0-1",
        "turn every vector into its negative",
        "rotate the plane 0-1 by the angle with cosine 3/5 and sine 4/5",
        "quarter turn in the plane 0-1 backwards",
        "rotate the plane 0-1 by the angle with cosine 3/5 and sine -4/5",
        "reflect in the hyperplane orthogonal to (1, 1)",
        "reflect in the hyperplane orthogonal to (1, 2)",
    ]
    assert first_words("SO", 3, 7)[0] == "quarter turn in the plane 0-1"
    assert first_words("SO", 3, 7)[3:] == [
        "reflect coordinates 0 and 1",
        "reflect coordinates 1 and 2",
        "reflect coordinates 0 and 2",
        "move coordinates 0 -> 1 -> 2 -> 0",
    ]
    assert first_words("S", 3, 9) == [
        "swap positions 0 and 1 along n",
        "swap positions 1 and 2 along n",
        "swap positions 0 and 2 along n",
        "shift all positions along n cyclically by 1",
        "shift all positions along n cyclically by -1",
    ]
    assert first_words("A", 4, 1) == ["move positions 0 -> 1 -> 2 -> 0 along n"]
    assert "swap positions 0 and 1, and 2 and 3 along n" in first_words("A", 4, 99)
    assert first_words("S", 4, 99)[14] == "reverse the order along n"
    assert first_words("C", 3, 9, axis=3) == [
        "shift all positions cyclically by 1",
        "shift all positions cyclically by -1",
    ]
    assert first_words("Signs", 3, 5)[2:] == [
        "flip the sign of coordinate 2",
        "flip the sign of every coordinate",
        "flip the sign of coordinates 0 and 1",
    ]
    assert identity_of(Factor("S", "n"), 3).describe() == "leave everything in place"
    assert "[3/5, " in Element("O", "d", householder_3()).describe()
    large = random_element(Factor("O", "d"), 6, random.Random(1))
    assert large.describe() == "apply an orthogonal 6 x 6 matrix"


def householder_3() -> tuple[tuple[Fraction, ...], ...]:
    g = Element("O", "d", householder_matrix((1, 2, 0)))
    h = Element("O", "d", householder_matrix((0, 1, 1)))
    return compose(g, h).matrix()


@given(st.sampled_from(["S", "C", "A"]), st.integers(2, 6), st.integers(0, 99))
def test_words_of_a_move_say_where_entries_go(family: str, size: int, seed: int) -> None:
    g = random_element(Factor(family, "n"), size, random.Random(seed))
    text = g.describe()
    moved = act(g, np.arange(size), parse_signature("x: n -> n").output).tolist()
    if " -> " in text:
        for part in text.removeprefix("move positions ").removesuffix(" along n").split(", and "):
            steps = [int(v) for v in part.split(" -> ")]
            for here, there in pairwise(steps):
                assert moved[there] == here


@pytest.mark.parametrize(
    ("family", "data", "why"),
    [
        ("S", (0, 0), "rearrangement"),
        ("S", (1, 2), "rearrangement"),
        ("S", (True, False), "integers"),
        ("S", [0, 1], "tuple"),
        ("S", (), "empty"),
        ("A", (1, 0, 2), "odd"),
        ("C", (1, 0, 2), "shift"),
        ("Signs", (1, 0), "1 or -1"),
        ("O", ((Fraction(1), Fraction(1)), (Fraction(0), Fraction(1))), "identity"),
        ("O", ((Fraction(1),), (Fraction(0),)), "square"),
        ("O", ((1, 0), (0, 1)), "Fractions"),
        ("SO", ((Fraction(-1),),), "determinant"),
        ("T", (1, 2), "Fractions"),
        ("Scale", (Fraction(0),), "positive"),
        ("E", ((Fraction(1),),), "matrix and a vector"),
        ("SE", (((Fraction(-1),),), (Fraction(0),)), "determinant"),
        ("D", (1, 0, 2, 3), "cycle"),
        ("GL", (1, 2), "square matrix"),
        ("GL", ((Fraction(1), Fraction(2)), (Fraction(2), Fraction(4))), "singular"),
    ],
)
def test_what_is_not_in_the_group_is_refused(family: str, data: Any, why: str) -> None:
    with pytest.raises(GroupError, match=why):
        Element(family, "n", data)


def test_a_literal_axis_fixes_the_size() -> None:
    with pytest.raises(GroupError, match="size 3"):
        Element("S", 3, (1, 0))


@given(st.data())
def test_acting_is_a_group_action(data: st.DataObject) -> None:
    factor, size = data.draw(FACTORS), data.draw(st.integers(1, 3))
    g, h = data.draw(members(factor, size)), data.draw(members(factor, size))
    axes = parse_signature(
        data.draw(st.sampled_from(["x: n k -> n", "x: n k -> n! n k", "x: n k -> n+k+2n"]))
    ).output
    sizes = {"n": size, "k": 2}
    x = data.draw(st.composite(exact)(tuple(a.at(sizes) for a in axes)))
    assert (act(compose(g, h), x, axes, sizes) == act(g, act(h, x, axes, sizes), axes, sizes)).all()
    assert (act(g.inverse(), act(g, x, axes, sizes), axes, sizes) == x).all()
    assert (act(identity_of(factor, size), x, axes, sizes) == x).all()
    assert compose(g, g.inverse()).is_identity


@given(elements(), st.data())
def test_acting_multiplies_by_the_matrix_on_every_axis_of_the_name(g: Element, data: st.DataObject) -> None:
    axes = parse_signature("x: n k -> n k n* n!").output
    x = data.draw(st.composite(exact)((g.size, 2, g.size, g.size)))
    m = np.array(g.matrix(), dtype=object)
    expected = np.einsum("ai,bj,ikjl->akbl", m, m, x)
    before = x.copy()
    assert (act(g, x, axes) == expected).all()
    assert (x == before).all()


@given(elements(), st.data())
def test_blocks_of_a_sum_are_acted_on_in_the_order_written(g: Element, data: st.DataObject) -> None:
    axes = parse_signature("x: n -> 2+2n+n!+n^").output
    x = data.draw(st.composite(exact)((2 + 4 * g.size,)))
    m = np.array(g.matrix(), dtype=object)
    size = g.size
    parts = [x[:2], m @ x[2 : 2 + size], m @ x[2 + size : 2 + 2 * size], x[2 + 2 * size : 2 + 3 * size]]
    expected = np.concatenate([*parts, m @ x[2 + 3 * size :]])
    assert (act(g, x, axes) == expected).all()


@given(elements(), st.data())
def test_floats_agree_with_exact_numbers(g: Element, data: st.DataObject) -> None:
    axes = parse_signature("x: n k -> n k").output
    x = data.draw(st.composite(exact)((g.size, 2)))
    left = act(g, x.astype(np.float64), axes)
    right = act(g, x, axes).astype(np.float64)
    assert left.dtype == np.float64
    assert np.isfinite(left).all()
    assert np.abs(left - right).max() <= 1e-13 * (
        1 + np.abs(right).max() + np.abs(x.astype(np.float64)).max()
    )


def test_the_convention_of_permutations() -> None:
    axes = parse_signature("x: n -> n").output
    g = Element("S", "n", (2, 0, 1))
    assert act(g, np.array([10, 20, 30]), axes).tolist() == [30, 10, 20]
    assert act(g, np.array([True, False, False]), axes).tolist() == [False, True, False]


def test_integers_under_a_matrix_stay_exact() -> None:
    axes = parse_signature("x: d -> d").output
    g = Element("O", "d", householder_matrix((1, 2)))
    assert act(g, np.array([5, 0]), axes).tolist() == [3, -4]


def test_entries_that_do_not_enter_may_be_undefined() -> None:
    axes = parse_signature("x: d -> d").output
    g = Element("O", "d", ((Fraction(0), Fraction(1)), (Fraction(-1), Fraction(0))))
    moved = act(g, np.array([np.nan, 2.0]), axes)
    assert moved[0] == 2.0
    assert np.isnan(moved[1])


def test_products_act_on_their_axes() -> None:
    axes = parse_signature("x: d n -> d n").output
    g, h = Element("Signs", "d", (-1, 1)), Element("S", "n", (1, 0))
    x = np.array([[1, 2], [3, 4]])
    assert act_all([g, h], x, axes).tolist() == [[-2, -1], [4, 3]]
    assert act_all([h, g], x, axes).tolist() == [[-2, -1], [4, 3]]


def test_edges_are_relabelled() -> None:
    signature = parse_signature("X: n d, E[n]: 2 m -> n")
    g = Element("S", "n", (1, 2, 0))
    x, edges = np.array([[10], [20], [30]]), np.array([[0, 1], [1, 2]])
    moved_x = act_on_argument(g, x, signature.inputs[0])
    moved_edges = act_on_argument(g, edges, signature.inputs[1])
    assert (moved_x[moved_edges] == x[edges]).all()


@pytest.mark.parametrize(
    ("axes", "shape"),
    [("n", (3,)), ("n", (2, 2)), ("2n", (3,)), ("n n", (2, 3)), ("n+k+m", (7,)), ("n+k", (1,))],
)
def test_misfits_are_refused(axes: str, shape: tuple[int, ...]) -> None:
    declared = parse_signature(f"x: n k m -> {axes}").output
    with pytest.raises(GroupError):
        act(Element("S", "n", (1, 0)), np.zeros(shape), declared)


AFFINE = [f for f in FAMILIES if f not in LINEAR and FAMILIES[f].reals == 1]


@pytest.mark.parametrize("family", AFFINE)
@given(data=st.data())
def test_affine_elements_act_as_a_group(family: str, data: st.DataObject) -> None:
    factor, size = Factor(family, "n"), data.draw(st.integers(1, 3))
    g, h = data.draw(members(factor, size)), data.draw(members(factor, size))
    axes = parse_signature(
        data.draw(st.sampled_from(["x: n k -> n", "x: n k -> k n! n", "x: n k -> n^ n!"]))
    ).output
    sizes = {"n": size, "k": 2}
    x = data.draw(st.composite(exact)(tuple(a.at(sizes) for a in axes)))
    assert (act(compose(g, h), x, axes, sizes) == act(g, act(h, x, axes, sizes), axes, sizes)).all()
    assert (act(g.inverse(), act(g, x, axes, sizes), axes, sizes) == x).all()
    assert (act(identity_of(factor, size), x, axes, sizes) == x).all()
    assert compose(g, g.inverse()).is_identity


def test_points_are_translated_and_directions_are_not() -> None:
    quarter = ((Fraction(0), Fraction(-1)), (Fraction(1), Fraction(0)))
    g = Element("E", "d", (quarter, (Fraction(5), Fraction(7))))
    x = np.array([[Fraction(1), Fraction(2)]], dtype=object)
    assert act(g, x, parse_signature("X: n d -> n d").output).tolist() == [[5 - 2, 7 + 1]]
    assert act(g, x, parse_signature("X: n d -> n d^").output).tolist() == [[-2, 1]]
    assert g.describe() == "quarter turn in the plane 0-1, then translate by (5, 7)"


def test_multiples_count_axes_and_duals() -> None:
    g = Element("Scale", "d", (Fraction(3),))
    x = np.array([[Fraction(1)]], dtype=object)
    for axes, expected in (("d d", 9), ("d d*", 1), ("d d!", 3), ("d! n", 1)):
        assert act(g, x, parse_signature(f"X: d n -> {axes}").output).tolist() == [[expected]]


def test_a_value_has_one_axis_of_points() -> None:
    with pytest.raises(GroupError, match="translates one axis"):
        parse_group("E(d)", parse_signature("X: n d -> d d"))
    assert parse_group("E(d)", parse_signature("X: n d -> d^ d^"))


@pytest.mark.parametrize("kind", ["int64", "int8", "uint8", "bool", "object", "float64"])
def test_a_matrix_of_fractions_acts_on_any_kind_of_array(kind: str) -> None:
    """Whole numbers become Fractions where the matrix holds any, and stay as they are under swaps."""
    third = ((Fraction(1, 3), Fraction(2, 3)), (Fraction(-1), Fraction(1, 2)))
    array = np.array([[1, 0], [1, 1]]).astype(kind)
    expected = [[1, Fraction(2, 3)], [Fraction(-1, 2), Fraction(1, 2)]]
    assert np.allclose(multiply_along(third, array).astype(float), np.array(expected, dtype=float))
    if kind != "float64":
        assert multiply_along(third, array).tolist() == expected
    swapped = multiply_along(((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))), array)
    assert swapped.tolist() == array[::-1].tolist()
