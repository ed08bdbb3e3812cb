"""Elements for each entry of an axis, on values that have no further axis: one number for each entry."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import Element, act, act_on_argument, element_of
from eqvproof.claims.groups.actions import reach
from eqvproof.claims.groups.families import FAMILIES
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.model import Factor
from eqvproof.claims.signature import parse_signature
from tests.judged import assert_proved, assert_refuted

B = 3
#: A size of d at which the family has more than the identity.
SIZE = {letter: 4 if letter in ("Sp", "U", "SU") else 3 for letter in FAMILIES}
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


def element_at(family: Family, at: int) -> Element:
    factor = Factor(family.letter, "d", each="b")
    data = family.sample(SIZE[family.letter], random.Random(at))
    found = element_of(factor, data)
    return Element(found.family, found.axis, found.data, found.word, found.each, at)


def rows(dtype: Any, shape: tuple[int, ...]) -> Any:
    values = [Fraction(3 * k - 7, 4) if dtype is object else 3 * k - 7 for k in range(int(np.prod(shape)))]
    return np.array(values, dtype=dtype).reshape(shape)


@every_family
@pytest.mark.parametrize("dtype", [object, np.float64, np.int64])
@pytest.mark.parametrize("axes", ["b", "b d", "d b", "b c", "b d d"])
def test_one_entry_moves_as_the_element_alone_moves_it(family: Family, dtype: Any, axes: str) -> None:
    """Entry by entry, the array is what the plain element makes of the part there."""
    written = axes.replace("d", "2d") if family.is_complex else axes  # the real coordinates
    where = parse_signature(f"y: d, x: {written} -> {written}").output
    lengths = {"b": B, "c": 2, "d": SIZE[family.letter]}
    x = rows(dtype, tuple(lengths[name] for name in axes.split()))
    place = axes.split().index("b")
    for at in range(B):
        g = element_at(family, at)
        alone = Element(g.family, g.axis, g.data)
        moved = np.moveaxis(act(g, x, where), place, 0)
        rest = tuple(axis for k, axis in enumerate(where) if k != place)
        for entry, part in enumerate(np.moveaxis(x, place, 0)):
            expected = act(alone, np.asarray(part), rest) if entry == at else np.asarray(part)
            assert np.shape(moved[entry]) == expected.shape
            for a, b in zip(np.ravel(moved[entry]), expected.ravel(), strict=True):
                assert not isinstance(a, np.ndarray) and a == b


@every_family
def test_errors_of_one_number_for_each_entry_reach_no_further(family: Family) -> None:
    errors = np.array([0.5, 0.25, 2.0])
    assert reach(element_at(family, 1), errors, parse_signature("u: b -> b").output) == pytest.approx(errors)


@pytest.mark.parametrize("dtype", [object, np.int64])
def test_positions_are_relabelled_in_one_entry(dtype: Any) -> None:
    """``x[j]`` at g x and g j is ``x[j]``: for j in x, g x has the i with ``p[i] = j``."""
    argument = parse_signature("x: b d, j[d]: b -> b").inputs[1]
    j = np.array([2, 0, 2], dtype=dtype)
    g = Element("S", "d", (1, 2, 0), each="b", at=2)
    moved = act_on_argument(g, j, argument)
    assert moved.shape == (3,) and moved.dtype == j.dtype and list(moved) == [2, 0, 1]


def letters_with(*without: str) -> list[str]:
    return [letter for letter in FAMILIES if letter not in without]


def first(x: Any) -> Any:
    return x[:, 0]


WRONG: list[tuple[Callable[..., Any], str]] = [
    (first, "x: b d -> b"),
    (lambda x, u: u * x[:, -1], "x: b d, u: b -> b"),
    (lambda u, x: u - 2 * x[:, 0] * u, "u: b, x: b d -> b"),
    (lambda x: x[:, 0] ** 3, "x: b d -> b"),
    (lambda x, u: x[:, 0] * u[0], "x: b d, u: b -> b"),
]


@pytest.mark.parametrize("letter", letters_with("U", "SU"))
@pytest.mark.parametrize("case", range(len(WRONG)))
def test_coordinates_of_each_entry_are_not_kept(letter: str, case: int) -> None:
    assert_refuted(*WRONG[case], f"{letter}(d) each b")


@pytest.mark.parametrize("letter", letters_with("U", "SU"))
def test_what_depends_on_other_arguments_alone_holds(letter: str) -> None:
    assert_proved(lambda x, u: u * u[::-1], "x: b d, u: b -> b", f"{letter}(d) each b")


@pytest.mark.parametrize("under", ["U(d) each b", "SU(d) each b"])
def test_complex_coordinates_of_each_entry(under: str) -> None:
    assert_refuted(lambda psi: psi[:, 0].imag, "psi[complex]: b d -> b", under)
    assert_proved(lambda psi: (abs(psi) ** 2).sum(1), "psi[complex]: b d -> b", under)


@pytest.mark.parametrize(
    ("function", "signature", "under"),
    [
        (lambda x, j: x[np.arange(len(x)), j], "x: b n, j[n]: b -> b", "S(n) each b"),
        (lambda x, m: np.where(m, x.sum(1), 1.0), "x: b n, m[bool]: b -> b", "A(n) each b"),
        (lambda x, u: u * (x * x).sum(1), "x: b d, u: b -> b", "O(d) each b"),
        (lambda x: (x * x).sum(1)[::-1], "x: b d -> b", "B(d) each b"),
    ],
)
def test_invariants_of_each_entry_hold(function: Any, signature: str, under: str) -> None:
    assert_proved(function, signature, under)


@pytest.mark.parametrize(
    ("function", "signature", "under"),
    [
        (lambda x, j: x[np.arange(len(x)), j] * j, "x: b n, j[n]: b -> b", "S(n) each b"),
        (lambda x, j: j, "x: b n, j[n]: b -> b", "C(n) each b"),
        (lambda x, m: np.where(m, x[:, 0], 1.0), "x: b n, m[bool]: b -> b", "S(n) each b"),
        (lambda x: np.array([float(v) for v in x[:, 0]]), "x: b n -> b", "D(n) each b"),
        (lambda x: np.argmax(x, 1), "x: b n -> b", "S(n) each b"),
        (lambda x: x[:, 0].sum(), "x: b n -> ()", "Signs(n) each b"),
    ],
)
def test_near_misses_of_each_entry_fail(function: Any, signature: str, under: str) -> None:
    assert_refuted(function, signature, under)


def test_floats_alone_see_it_too() -> None:
    """A function without a Program, and floats themselves."""

    def opaque(x: Any) -> Any:
        return np.array([np.float64(float(row[0])) + 0.0 for row in x.tolist()])

    assert ep.check(opaque, "x: b n -> b", "S(n) each b", budget=30).fails
    verdict = ep.check(first, "x: b n -> b", "S(n) each b", about="floats", sizes={"b": 2, "n": 2})
    assert verdict.fails
