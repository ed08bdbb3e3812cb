"""Irreps as acts, their generators, and tables that they keep: exactly, by numbers, and what is next to
them."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy.linalg

import eqvproof as ep
from eqvproof.claims.groups import Factor, random_element
from eqvproof.claims.groups.harmonics import irrep_matrix
from eqvproof.claims.size import Size
from eqvproof.kernel import checker, claims, harmonics, invariants, report
from eqvproof.kernel import irreps as kernel
from eqvproof.kernel.interval import Arithmetic, hi, lo
from eqvproof.kernel.sizes import Size as KernelSize
from eqvproof.numbers import Real
from eqvproof.programs.rules.acts import fix, normalise_twists, of_irrep, twist
from eqvproof.programs.rules.irreps import Irrep, rotation_generators
from eqvproof.programs.rules.tables import distance, last_place_unit, table_types, violation

DEGREES = range(7)


def dense(degree: int, k: int) -> Any:
    found = np.zeros((2 * degree + 1, 2 * degree + 1))
    for i, j, sign, n in rotation_generators(degree)[k]:
        found[i, j] = sign * math.sqrt(n / 2)
    return found


def roots(matrix: dict[tuple[int, int, int], Fraction]) -> dict[tuple[int, int, int], Fraction]:
    return {key: value for key, value in matrix.items() if value}


def bracket(degree: int, a: int, b: int) -> dict[tuple[int, int, int], Fraction]:
    """[A_a, A_b] exactly: (row, column, s) -> q, for the entry that is the sum of ``q sqrt(s)``."""
    found: dict[tuple[int, int, int], Fraction] = {}
    for first, second, sign in ((a, b, 1), (b, a, -1)):
        for i, m, s, n in rotation_generators(degree)[first]:
            for m2, j, t, o in rotation_generators(degree)[second]:
                if m == m2:  # sqrt(n / 2) sqrt(o / 2) = sqrt(n o) / 2
                    add(found, (i, j), Fraction(sign * s * t, 2), n * o)
    return roots(found)


def add(found: dict[tuple[int, int, int], Fraction], place: tuple[int, int], q: Fraction, n: int) -> None:
    root = max(r for r in range(1, math.isqrt(n) + 1) if n % (r * r) == 0)
    key = (*place, n // root**2)
    found[key] = found.get(key, Fraction(0)) + q * root


@pytest.mark.parametrize("degree", DEGREES)
def test_brackets_are_those_of_turns(degree: int) -> None:
    for a, b, c in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        wanted: dict[tuple[int, int, int], Fraction] = {}
        for i, j, sign, n in rotation_generators(degree)[c]:
            add(wanted, (i, j), Fraction(sign, 2), 2 * n)
        assert bracket(degree, a, b) in (roots(wanted), roots({k: -v for k, v in wanted.items()}))


@pytest.mark.parametrize("degree", DEGREES)
def test_generators_are_derivatives_of_the_matrices(degree: int) -> None:
    """D(exp(t E)) = 1 + t A + O(t^2), E the derivative of a turn about each axis."""
    t = 1e-6
    for k in range(3):
        turn = np.eye(3) + t * dense(1, k)
        d = np.array(irrep_matrix(turn, degree, "eo"[degree % 2]), dtype=float)
        assert np.allclose((d - np.eye(len(d))) / t, dense(degree, k), atol=1e-4)


@pytest.mark.parametrize("degree", DEGREES)
def test_the_kernel_has_the_same_generators(degree: int) -> None:
    for k in range(3):
        mine = {(i, j): (s, n) for i, j, s, n in rotation_generators(degree)[k]}
        theirs = {(i, j): (s, n) for j, column in kernel.columns(degree, k).items() for i, s, n in column}
        assert mine == theirs


def kept(degrees: tuple[int, ...], dtype: Any = np.float64) -> Any:
    """A table that rotations keep, as floats: a null vector of the sum of squares of the generators."""
    size = math.prod(2 * d + 1 for d in degrees)
    total = np.zeros((size, size))
    for k in range(3):
        whole = np.zeros((size, size))
        for axis, _ in enumerate(degrees):
            parts = [dense(d, k) if a == axis else np.eye(2 * d + 1) for a, d in enumerate(degrees)]
            matrix = np.eye(1)
            for part in parts:
                matrix = np.kron(matrix, part)
            whole += matrix
        total -= whole @ whole
    values, vectors = np.linalg.eigh(total)
    assert values[0] < 1e-9 < values[1]
    table = vectors[:, 0].reshape([2 * d + 1 for d in degrees])
    for _ in range(3):  # refined: the vector is rounded once, at the end
        table = (table.ravel() - np.linalg.pinv(total) @ (total @ table.ravel())).reshape(table.shape)
    table[abs(table) < 1e-12] = 0
    return table.astype(dtype)


TRIPLES = [(1, 1, 2), (2, 2, 2), (1, 2, 3), (2, 2, 1), (3, 3, 2), (2, 2, 0)]


def asked(array: Any, acts: Any = (), *, special: bool = False, literal: bool = False) -> list[Any]:
    shape = [Size.of(n) for n in array.shape]
    return list(table_types(array, shape, acts, special=special, bits=0 if literal else 24))


def near(table: Any, degrees: Sequence[int], power: int = 0) -> Fraction | None:
    """The kernel's bound of the squared distance to the table that reflections keep, or none."""
    report.allow_work(10**6)
    kinds = {0: checker.FIX, 1: checker.STD}
    axes = [((kinds.get(d, checker.Irr(d)), KernelSize.of(2 * d + 1)),) for d in degrees]
    values = [Fraction(float(v)) for v in table.flat]
    stated: Any = (tuple(axes), (sum(degrees) + power) % 2)
    return invariants.distance_to_kept(
        claims.Factor("O", 3), KernelSize.of(3), values, table.shape, stated, exact=False
    )


@pytest.mark.parametrize("degrees", TRIPLES)
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_tables_as_stored_are_read(degrees: tuple[int, ...], dtype: Any) -> None:
    table = kept(degrees, dtype)
    wanted = tuple(((of_irrep(d, "eo"[d % 2], special=True),),) if d else fix(Size.of(1)) for d in degrees)
    found = [t for t in asked(table) if t.acts == wanted]
    assert [t.odd for t in found] == [sum(degrees) % 2]
    how = distance(table, wanted)
    assert how is None or how.relative < 16 * float(last_place_unit(table))
    found_near = near(table, degrees)
    assert found_near is not None
    mine = violation(table.reshape([n for n in table.shape]), list(degrees))
    assert abs(found_near * 2 - mine) <= mine / 10**6
    wrong = table.copy()
    place = np.unravel_index(int(np.argmax(abs(wrong))), wrong.shape)
    wrong[place] += 1e-7 if dtype is np.float64 else 1e-5
    assert not any(t.acts == wanted for t in asked(wrong))
    assert near(wrong, degrees) is None and near(table, degrees, power=1) is None


def test_literally_a_rounded_table_is_not_kept() -> None:
    table = kept((1, 2, 3))
    assert len(asked(table)) >= 1 and not asked(table, literal=True)
    exact = np.zeros((3, 3, 3))
    for p, sign in (
        ((0, 1, 2), 1),
        ((1, 2, 0), 1),
        ((2, 0, 1), 1),
        ((0, 2, 1), -1),
        ((2, 1, 0), -1),
        ((1, 0, 2), -1),
    ):
        exact[p] = sign
    (typed,) = [
        t for t in asked(exact, literal=True) if len(t.acts) == 3 and t.acts[0] == t.acts[1] == t.acts[2]
    ]
    assert typed.odd == 1 and distance(exact, typed.acts) is None


@pytest.mark.parametrize("seed", range(12))
def test_a_determinant_may_stand_on_any_axis(seed: int) -> None:
    """`normalise_twists` keeps the product of all matrices with the power of the determinant."""
    rng = random.Random(seed)
    acts, parts = [], []
    for _ in range(rng.randrange(1, 4)):
        row = [(rng.randrange(1, 3), rng.randrange(4), rng.choice("eo")) for _ in range(rng.randrange(1, 4))]
        parts.append(tuple(row))
        blocks = [((Size.of(m), False), of_irrep(d, p, special=False)) for m, d, p in row]
        from eqvproof.programs.rules.acts import canonical

        acts.append(canonical(blocks))
    found, odd = normalise_twists(tuple(acts), 0)
    q = np.array(random_element(Factor("O", "d"), 3, rng).data, dtype=float)
    for q_ in (q, -q):
        before = [np.array(block_diagonal(p, q_), dtype=float) for p in parts]
        after = [matrix(act, q_) for act in found]
        det = np.linalg.det(q_) ** odd
        for b, a in zip(before, after, strict=True):
            assert b.shape == a.shape
        assert np.allclose(product_of(before), det * product_of(after), atol=1e-9)
    for act in acts:
        assert np.allclose(matrix(twist(act), q), np.linalg.det(q) * matrix(act, q), atol=1e-9)


def block_diagonal(parts: Any, q: Any) -> Any:
    return scipy.linalg.block_diag(*(irrep_matrix(q, d, p) for n, d, p in parts for _ in range(n)))


def product_of(matrices: Any) -> Any:
    found = np.eye(1)
    for m in matrices:
        found = np.kron(found, m)
    return found


def matrix(act: Any, q: Any) -> Any:
    """The matrix of an act, block by block."""
    blocks = []
    for block in act:
        found = np.eye(1)
        for size, moved in block:
            if isinstance(moved, Irrep):
                part = irrep_matrix(q, moved.degree, str(moved)[-1])
            else:
                part = q if moved else np.eye(size.constant)
            found = np.kron(found, np.array(part, dtype=float))
        blocks.append(found)
    whole = np.zeros((sum(map(len, blocks)),) * 2)
    at = 0
    for b in blocks:
        whole[at : at + len(b), at : at + len(b)] = b
        at += len(b)
    return whole


def test_every_pair_of_degrees_has_its_delta() -> None:
    for d, e in product(range(1, 5), repeat=2):
        found = asked(np.eye(2 * d + 1, 2 * e + 1), literal=True)
        assert bool(found) == (d == e)


@pytest.mark.parametrize("degree", DEGREES)
@pytest.mark.parametrize("parity", "eo")
def test_the_kernel_acts_as_the_engines_do(degree: int, parity: str) -> None:
    """Two computations of D(g), for reflections and rotations by rationals."""
    report.allow_work(10**8)
    rng = random.Random(degree)
    for special in (False, True):
        element = random_element(Factor("SO" if special else "O", 3), 3, rng)
        q = np.array(element.matrix(), dtype=object)
        rows = [[(j, x) for j, x in enumerate(row)] for row in q.tolist()]
        found = harmonics.acting(rows, f"{degree}{parity}", Arithmetic(256), special=special)
        natural = "eo"[degree % 2] if special else parity
        wanted = irrep_matrix(q, degree, natural)
        for i, row in enumerate(found):
            for j in range(2 * degree + 1):
                entry, value = dict(row).get(j, Fraction(0)), Real(np.asarray(wanted)[i, j])
                low, high = value.bounds()
                assert lo(entry) <= high and low <= hi(entry)
                assert hi(entry) - lo(entry) < Fraction(1, 2**200)


@pytest.mark.whole_search
def test_roundings_of_tables_are_no_violations() -> None:
    """x tensor x -> 2e by a table as it is stored; by another one there is a counterexample."""
    table = kept((2, 2, 2), np.float64)
    signature = "x: <1x2e> -> <1x2e>"
    right = ep.refute(lambda x: np.einsum("abc,a,b->c", table, x, x), signature, "O(3)", budget=3)
    assert right.outcome == "UNDECIDED", str(right)
    wrong = table.copy()
    wrong[tuple(np.argwhere(table)[0])] *= 1 + 2.0**-12
    verdict = ep.refute(lambda x: np.einsum("abc,a,b->c", wrong, x, x), signature, "O(3)", budget=20)
    assert verdict.fails and ep.verify(verdict.certificate).accepted
