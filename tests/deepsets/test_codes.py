"""The code of a multiset gives it back; what is no multiset, or no code, is refused."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.deepsets import universes
from eqvproof.support.errors import DomainError

CountableCode = ep.deepsets.CountableCode
UNIVERSES = [universes.NATURALS, universes.INTEGERS, universes.RATIONALS, universes.words("abc")]


@given(st.data(), st.integers(1, 5), st.integers(0, 3))
def test_round_trip(data, multiplicity, extra):
    elements = data.draw(st.lists(st.one_of(st.integers(), st.text(max_size=3)), unique=True, max_size=12))
    counts = {x: data.draw(st.integers(0, multiplicity)) for x in elements}
    multiset = list(Counter(counts).elements())
    code = CountableCode(elements, multiplicity, base=multiplicity + 1 + extra)
    z = code.encode(data.draw(st.permutations(multiset)))
    assert isinstance(z, Fraction)
    assert z == sum((code.phi(x) for x in multiset), Fraction(0)) == code.encode(counts)
    assert code.decode(z) == multiset


@pytest.mark.parametrize("multiplicity", [1, 2])
def test_codes_of_different_multisets_differ(multiplicity):
    code = CountableCode("abcd", multiplicity)
    every = [
        Counter(dict(zip("abcd", m, strict=True)))
        for m in itertools.product(range(multiplicity + 1), repeat=4)
    ]
    assert len({code.encode(m) for m in every}) == len(every)


def test_the_lectures_code():
    code = CountableCode(itertools.count(), base=4)
    assert code.encode({0, 3}) == 1 + Fraction(1, 64)
    assert code.decode(Fraction(1, 4) + Fraction(1, 16)) == [1, 2]
    with pytest.raises(DomainError, match="digit of place 1 is 3"):
        code.decode(Fraction(3, 4))


@pytest.mark.parametrize("same_size", [False, True])
@given(st.integers(1, 6), st.integers(0, 3))
def test_beyond_the_base_there_is_a_collision(same_size, multiplicity, extra):
    code = CountableCode("xyz", multiplicity, base=multiplicity + 1 + extra)
    pair = code.collision(same_size=same_size)
    assert Counter(pair.left) != Counter(pair.right)
    assert code.sum(pair.left) == code.sum(pair.right) == pair.sum
    assert (len(pair.left) == len(pair.right)) == same_size
    with pytest.raises(DomainError, match="more often"):
        code.encode(pair.left)


@pytest.mark.parametrize(("universe", "same_size"), [("", False), ("a", False), ("ab", True)])
def test_no_collision_in_a_universe_too_small_for_one(universe, same_size):
    code = CountableCode(universe)
    assert code.collision(same_size=same_size) is None
    sums = {}
    for m in itertools.product(range(9), repeat=len(universe)):
        counts = dict(zip(universe, m, strict=True))
        sums.setdefault((code.sum(counts), sum(m) if same_size else 0), []).append(counts)
    assert all(len(s) == 1 for s in sums.values())


@pytest.mark.parametrize("universe", UNIVERSES, ids=lambda u: u.name)
@given(st.integers(0, 10**12))
def test_an_endless_universe_is_counted(universe, i):
    x = universe.element(i)
    assert universe.index(x) == i
    assert universe.element(universe.position(x)) == x


@given(*[st.fractions(min_value=-50, max_value=50, max_denominator=500)] * 2)
def test_every_rational_has_a_place_of_its_own(a, b):
    i, j = universes.RATIONALS.index(a), universes.RATIONALS.index(b)
    assert (i == j) == (a == b)
    assert universes.RATIONALS.element(i) == a


def test_rows_of_arrays_are_elements():
    grid = np.array([[0, 0], [0, 1], [1, 0]])
    code = CountableCode(grid, 2)
    assert code.decode(code.encode(grid[[2, 0, 2]])) == [(0, 0), (1, 0), (1, 0)]


def test_the_order_of_a_set_does_not_matter():
    a, b = CountableCode({"b", "a", "c"}), CountableCode({"c", "b", "a"})
    assert a.encode("ca") == b.encode("ac") == CountableCode("abc").encode("ac")


@pytest.mark.parametrize("multiset", ["abz", [1], [["a"]], [{"a": 1}], [float("nan")], [None]])
def test_elements_outside_the_universe(multiset):
    with pytest.raises(DomainError, match="not in the universe"):
        CountableCode("abc").encode(multiset)


def test_outside_endless_universes():
    for universe, x in [(universes.NATURALS, -1), (universes.INTEGERS, 0.5), (universes.RATIONALS, "1")]:
        with pytest.raises(DomainError, match="not in the universe"):
            CountableCode(universe).encode([x])
    with pytest.raises(DomainError, match="too long"):
        CountableCode(universes.RATIONALS).encode([Fraction(10**12)])
    with pytest.raises(DomainError, match="too long"):
        CountableCode(universes.INTEGERS).encode([10**12])


def test_a_long_range_is_not_looked_through():
    """As Python looks for all that is no int of its own."""
    numbers = universes.read_universe(range(0, 10**15, 5))
    assert numbers.position(np.int64(10**14)) == numbers.position(1e14) == 2 * 10**13
    for x in (0.5, 3, -5, "5", float("nan"), None):
        with pytest.raises(DomainError, match="not in the universe"):
            numbers.position(x)


@pytest.mark.parametrize(
    "code",
    [Fraction(-1, 2), Fraction(1, 3), Fraction(9), Fraction(1, 2**9), "1", None, float("nan"), float("inf")],
)
@pytest.mark.parametrize("multiplicity", [1, 3])
def test_numbers_that_are_no_code(code, multiplicity):
    with pytest.raises(DomainError):
        CountableCode("abc", multiplicity).decode(code)


@pytest.mark.parametrize(
    "arguments",
    [("abca",), ([1, True],), ([[1]],), ([float("nan")],), (3,), ("abc", 0), ("abc", True), ("abc", 1.0)],
)
def test_what_is_no_universe_and_no_multiplicity(arguments):
    with pytest.raises(DomainError):
        CountableCode(*arguments)


def test_a_base_too_small():
    with pytest.raises(DomainError, match="at least 3"):
        CountableCode("abc", 2, base=2)


@pytest.mark.parametrize("multiset", [3, {"a": -1}, {"a": 1.0}])
def test_what_is_no_multiset(multiset):
    with pytest.raises(DomainError):
        CountableCode("abc", 2).encode(multiset)


@pytest.mark.parametrize("universe", ["", "abc", universes.INTEGERS])
def test_the_empty_multiset(universe):
    code = CountableCode(universe)
    assert code.encode([]) == 0
    assert code.decode(0) == []
