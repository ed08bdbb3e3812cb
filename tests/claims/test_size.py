"""Sizes are polynomials: arithmetic, division, provable bounds."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from eqvproof.programs import Size

names = st.sampled_from(["d", "n", "k"])
sizes = st.recursive(
    st.one_of(st.integers(-3, 3).map(Size.of), names.map(Size.of)),
    lambda s: st.one_of(
        st.tuples(s, s).map(lambda p: p[0] + p[1]), st.tuples(s, s).map(lambda p: p[0] * p[1])
    ),
    max_leaves=6,
)
values = st.fixed_dictionaries({"d": st.integers(1, 9), "n": st.integers(1, 9), "k": st.integers(1, 9)})


@given(sizes, sizes, values)
def test_ring_operations_agree_with_integers(a: Size, b: Size, at: dict[str, int]) -> None:
    """Sum, difference and product at numbers are those of the numbers."""
    assert (a + b).value(at) == a.value(at) + b.value(at)
    assert (a - b).value(at) == a.value(at) - b.value(at)
    assert (a * b).value(at) == a.value(at) * b.value(at)


@given(sizes, sizes)
def test_exact_division_undoes_multiplication(a: Size, b: Size) -> None:
    """(a b) / b is a, b any polynomial but 0."""
    assert (a * b).divide(b) == (a if b.terms else None)
    quotient = a.divide(b)
    assert quotient is None or quotient * b == a


@given(sizes, st.integers(-3, 3), values)
def test_is_at_least_is_true_only_where_it_is(a: Size, bound: int, at: dict[str, int]) -> None:
    """A provable bound holds at every size."""
    if a.is_at_least(bound):
        assert a.value(at) >= bound


def test_is_at_least_sees_n_minus_one() -> None:
    """n - 1 >= 0, n - 2 is not, n m - n >= 0."""
    n, m = Size.of("n"), Size.of("m")
    assert (n - 1).is_at_least(0) and not (n - 2).is_at_least(0)
    assert (n * m - n).is_at_least(0)


def test_json_forms() -> None:
    """Constants, names, and the rest."""
    n, k = Size.of("n"), Size.of("k")
    assert [Size.of(3).to_json(), n.to_json(), Size.of(0).to_json()] == [3, "n", 0]
    assert (n + k).to_json() == [[1, ["k"]], [1, ["n"]]]
    assert (n * n * 2 - 1).to_json() == [[-1, []], [2, ["n", "n"]]]
