"""Sums whose range depends on an outer index: SymPy does not do them, so that they are written out."""

from __future__ import annotations

import pytest

import eqvproof as ep

sympy = pytest.importorskip("sympy")
i, j, n = sympy.symbols("i j n")
X = sympy.IndexedBase("X")
PAIRS = sympy.Sum(X[i] * X[j], (j, 0, i), (i, 0, n - 1))


def test_pairs_in_order_are_all_pairs():
    verdict = ep.check(PAIRS, "X: n -> ()", "S(n)", budget=4)  # it is compared to the end
    assert verdict.holds, str(verdict)


@pytest.mark.slow
def test_a_product_of_partial_sums_depends_on_the_order():
    partial = sympy.Product(1 + sympy.Sum(X[i] * X[j], (j, 0, i)), (i, 0, n - 1))
    verdict = ep.check(partial, "X: n -> ()", "S(n)")
    assert verdict.fails, str(verdict)


def test_a_range_the_wrong_way_round_is_not_taken_for_an_empty_one():
    """From 0 to i - 2 SymPy subtracts the term at -1 where i is 0, which is no entry."""
    backward = sympy.Sum(X[i] * X[j], (j, 0, i - 2), (i, 0, n - 1))
    with pytest.raises(ep.errors.EqvproofError):
        ep.check(backward, "X: n -> ()", "S(n)")
