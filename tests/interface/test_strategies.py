"""The strategies draw what they promise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

import eqvproof as ep
from eqvproof.claims.groups import act
from eqvproof.claims.signature import parse_signature
from eqvproof.support.errors import GroupError


@given(ep.strategies.orthogonal(max_d=5))
def test_exact_orthogonal_matrices(q: Any) -> None:
    assert all(isinstance(v, Fraction) for v in q.ravel())
    assert (q.T.dot(q) == np.eye(len(q), dtype=int)).all()


@given(ep.strategies.orthogonal(max_d=5, exact=False))
def test_float_orthogonal_matrices(q: Any) -> None:
    assert q.dtype == np.float64 and np.abs(q.T @ q - np.eye(len(q))).max() < 1e-13


@pytest.mark.parametrize("exact", [True, False])
def test_rotations(exact: bool) -> None:
    @given(ep.strategies.special_orthogonal(max_d=4, exact=exact))
    def check(q: Any) -> None:
        assert np.linalg.det(q.astype(float)) == pytest.approx(1)
        assert not exact or (q.T.dot(q) == np.eye(len(q), dtype=int)).all()

    check()


def test_orthogonal_matrices_reflect_and_rotate() -> None:
    seen = set()

    @given(ep.strategies.orthogonal(3))
    def collect(q: Any) -> None:
        seen.add(round(float(np.linalg.det(q.astype(float)))))

    collect()
    assert seen == {1, -1}


@given(ep.strategies.permutations(max_n=7))
def test_permutations(p: Any) -> None:
    assert sorted(p.tolist()) == list(range(len(p)))


@given(ep.strategies.arrays("X: d n, M[bool]: n n, E[n]: 2 m -> d n", n=3))
def test_arrays_of_a_signature(arrays: Any) -> None:
    x, mask, edges = arrays
    assert x.shape[1] == 3 and mask.shape == (3, 3) and mask.dtype == bool
    assert edges.shape[0] == 2 and ((edges >= 0) & (edges < 3)).all()
    assert all(isinstance(v, Fraction) for v in x.ravel())


@given(ep.strategies.arrays("X: d n -> d n", exact=False))
def test_float_arrays(arrays: Any) -> None:
    assert arrays[0].dtype == np.float64 and np.isfinite(arrays[0]).all()


@pytest.mark.parametrize("exact", [True, False])
def test_complex_arguments_have_imaginary_parts(exact: bool) -> None:
    found = ep.strategies.arrays("psi[complex]: n d, x: n -> n", n=2, d=3, exact=exact)
    first = settings(phases=[Phase.generate], database=None)
    psi, x = find(found, lambda arrays: bool(np.iscomplex(arrays[0]).any()), settings=first)
    assert psi.shape == (2, 3) and x.shape == (2,)
    assert x.dtype == (object if exact else np.float64)


@pytest.mark.parametrize("under", ["O(d)", "SO(3)", "S(n)", "Signs(d)", "C(n)"])
def test_group_elements_act_linearly(under: str) -> None:
    axis = under.partition("(")[2].rstrip(")")
    axes = parse_signature(f"X: {axis} -> {axis}").inputs[0].axes
    size = 3

    @given(ep.strategies.group_elements(under, size=size), st.integers(1, 5))
    def check(element: Any, factor: int) -> None:
        x = np.array([Fraction(k + 1) for k in range(size)], dtype=object)
        assert (act(element, x * factor, axes) == factor * act(element, x, axes)).all()
        assert sum(v * v for v in act(element, x, axes)) == sum(v * v for v in x)

    check()


def test_one_factor_at_a_time() -> None:
    with pytest.raises(GroupError):
        ep.strategies.group_elements("O(d) x S(d)")
