"""Random programs: equal normal forms must mean equal values, at every point where both are defined."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.engines.identity import IdentityProof, prove_identity
from eqvproof.kernel import normal, report
from eqvproof.kernel.normal_forms import Forms
from eqvproof.numbers import UNDECIDED_ENTRY, UNDEFINED
from eqvproof.programs import Builder, Program, Size
from eqvproof.programs.evaluate import evaluate_exact
from tests.kernel.encoding import at_all_sizes

Shape = tuple[Size, ...]
N, D, ONE, TWO = Size.of("n"), Size.of("d"), Size.of(1), Size.of(2)
INPUTS: dict[str, Shape] = {"s": (), "u": (D,), "v": (N,), "X": (D, N), "A": (N, N), "B": (D, D)}
SHAPES: list[Shape] = list(INPUTS.values())
UNARY = ["recip", "abs", "sign", "exp", "sqrt", "tanh", "log", "floor", "cbrt", "cos"]
BINARY = ["maximum", "minimum", "lt", "ge", "eq", "and", "arctan2"]
POINTS = [({"n": 1, "d": 2}, 1), ({"n": 2, "d": 3}, 2), ({"n": 3, "d": 1}, 3), ({"n": 2, "d": 2}, 4)]


class Maker:
    """Random programs, small enough that many of them are equal."""

    def __init__(self, seed: int, *, algebraic: bool, angles: bool = False) -> None:
        self.rng = random.Random(seed)
        self.b = Builder()
        self.maps = ["sin", "cos", "cos", "recip"] if angles else UNARY[:3] if algebraic else UNARY
        for name, shape in INPUTS.items():
            self.b.input(name, shape)

    def program(self, shape: Shape, depth: int) -> Program:
        found = self.b.program(self.value(shape, depth))
        return Program(tuple(INPUTS.items()), found.nodes, found.output)

    def value(self, shape: Shape, depth: int) -> int:
        if depth == 0:
            return self.leaf(shape)
        rank_two = (
            self.matmul,
            self.matmul,
            self.transpose,
            self.transpose,
            self.join,
            self.outer,
            self.einsum,
        )
        makers: list[Callable[[Shape, int], int]] = [
            *(lambda s, _: self.leaf(s), self.combine, self.combine, self.map, self.map2, self.scale),
            *(self.contract, self.diagonal, self.view, self.extremum, self.select, self.opaque),
            *(rank_two if len(shape) == 2 else ()),
            *((self.invert,) if len(shape) == 2 and shape[0] == shape[1] else ()),
            *((self.scalar, self.scalar, self.scalar) if not shape else ()),
        ]
        return self.rng.choice(makers)(shape, depth - 1)

    def leaf(self, shape: Shape) -> int:
        b, rng = self.b, self.rng
        found = [b.input(n, s) for n, s in INPUTS.items() if s == shape]
        turned = [(n, s) for n, s in INPUTS.items() if len(s) == 2 and s[::-1] == shape]
        found += [b.transpose(b.input(n, s), [1, 0]) for n, s in turned]
        found.append(b.broadcast_to(b.const(rng.choice([1, 2, -1])), shape))
        if len(shape) == 2:
            found.append(b.tri(*shape))
            if shape[0] == shape[1]:
                found.append(b.eye(shape[0]))
        if len(shape) == 1:
            found.append(b.iota(shape[0]))
        if not shape:
            found.append(b.size(rng.choice(["n", "d"])))
        return rng.choice(found)

    def combine(self, shape: Shape, depth: int) -> int:
        b, rng = self.b, self.rng
        one = self.value(shape, depth)
        other = b.broadcast_to(self.value(rng.choice([shape, shape, shape[1:], ()]), depth), shape)
        return rng.choice([lambda x, y: b.add([x, y]), b.sub, b.mul])(one, other)

    def map(self, shape: Shape, depth: int) -> int:
        return self.b.map(self.rng.choice(self.maps), [self.value(shape, depth)])

    def map2(self, shape: Shape, depth: int) -> int:
        return self.b.map(self.rng.choice(BINARY), [self.value(shape, depth) for _ in range(2)])

    def scale(self, shape: Shape, depth: int) -> int:
        factor = self.rng.choice([-1, 2, Fraction(1, 2), 0])
        return self.b.mul(self.b.const(factor), self.value(shape, depth))

    def contract(self, shape: Shape, depth: int) -> int:
        if len(shape) == 2:
            return self.leaf(shape)
        axis, size = self.rng.randrange(len(shape) + 1), self.rng.choice([N, D])
        return self.b.sum(self.value((*shape[:axis], size, *shape[axis:]), depth), [axis])

    def extremum(self, shape: Shape, depth: int) -> int:
        b, rng = self.b, self.rng
        if len(shape) == 2:
            return b.broadcast_to(b.expand(b.reduce("max", self.value(shape, depth), [0]), 0), shape)
        wide = (*shape, rng.choice([N, D]))
        return b.reduce(rng.choice(["max", "min", "prod"]), self.value(wide, depth), [len(shape)])

    def diagonal(self, shape: Shape, depth: int) -> int:
        if len(shape) != 1:
            return self.leaf(shape)
        return self.b.einsum([self.value((shape[0], shape[0]), depth)], [[0, 0]], [0])

    def select(self, shape: Shape, depth: int) -> int:
        return self.b.select(*(self.value(shape, depth) for _ in range(3)))

    def opaque(self, shape: Shape, depth: int) -> int:
        inner = self.rng.choice(SHAPES)
        name = "_".join(["g", *(str(s) for s in (*inner, "to", *shape))])
        return self.b.opaque(name, [self.value(inner, depth)], shape)

    def view(self, shape: Shape, depth: int) -> int:
        b, rng = self.b, self.rng
        if not shape:
            return b.squeeze(b.slice(self.value((N,), depth), 0, 0, 1), 0)
        x, axis = self.value(shape, depth), rng.randrange(len(shape))
        kind = rng.randrange(5)
        if kind == 0:
            return b.flip(x, axis)
        if kind == 1:
            return b.roll(x, axis, rng.choice([1, -1]))
        if kind == 2:
            return b.sort(x, axis)
        twice = b.concat([x, self.value(shape, depth)], axis)
        if kind == 3:
            return b.slice(twice, axis, rng.choice([0, 1]), shape[axis], 2 if rng.random() < 0.3 else 1)
        flat = Size.of(1)
        for size in shape:
            flat = flat * size
        return b.reshape(b.reshape(x, [flat]), shape)

    def matmul(self, shape: Shape, depth: int) -> int:
        inner = self.rng.choice([N, D])
        return self.b.matmul(self.value((shape[0], inner), depth), self.value((inner, shape[1]), depth))

    def transpose(self, shape: Shape, depth: int) -> int:
        return self.b.transpose(self.value(shape[::-1], depth), [1, 0])

    def outer(self, shape: Shape, depth: int) -> int:
        one, other = self.value(shape[:1], depth), self.value(shape[1:], depth)
        return self.b.mul(self.b.expand(one, 1), self.b.expand(other, 0))

    def einsum(self, shape: Shape, depth: int) -> int:
        """Up to four factors at random labels of fitting sizes."""
        sizes = {0: shape[0], 1: shape[1], 2: N, 3: D, 4: N, 5: TWO, 6: TWO, 7: TWO}
        rows, args = [], []
        for _ in range(self.rng.randrange(1, 5)):
            row = [self.rng.choice(list(sizes)) for _ in range(2)]
            rows.append(row)
            if sizes[row[0]] == sizes[row[1]] == TWO:
                args.append(self.b.const([[self.rng.choice([0, 1, 2]) for _ in range(2)] for _ in range(2)]))
                continue
            args.append(self.value((sizes[row[0]], sizes[row[1]]), max(0, depth - 1)))
        return self.b.einsum(args, rows, [0, 1], {0: shape[0], 1: shape[1]})

    def join(self, shape: Shape, depth: int) -> int:
        b = self.b
        extra = self.value((self.rng.choice([N, ONE]), shape[1]), depth)
        x = self.value(shape, depth)
        if self.rng.random() < 0.5:
            return b.slice(b.concat([x, extra], 0), 0, 0, shape[0])
        return b.slice(b.concat([extra, x], 0), 0, b.shape(extra)[0], shape[0])

    def invert(self, shape: Shape, depth: int) -> int:
        return self.b.inv(self.value(shape, depth))

    def scalar(self, shape: Shape, depth: int) -> int:
        b, rng = self.b, self.rng
        kind = rng.randrange(3)
        if kind == 0:
            return b.det(self.value((D, D), depth))
        if kind == 1:
            return b.einsum([self.value((N, N), depth)], [[0, 0]], [])
        parts = [rng.choice([N, D]), rng.choice([N, ONE])]
        joined = [b.concat([self.value((s,), depth) for s in parts], 0) for _ in range(2)]
        return b.einsum(joined, [[0], [0]], [])


def inputs_at(sizes: dict[str, int], seed: int) -> dict[str, Any]:
    rng = random.Random(seed)
    result = {}
    for name, shape in INPUTS.items():
        array = np.empty([s.value(sizes) for s in shape], dtype=object)
        for index in np.ndindex(array.shape):
            array[index] = Fraction(rng.choice([0, 1, -1, 2, -2, 3, -3, 5]), rng.choice([1, 1, 2, 3]))
        result[name] = array
    return result


def bounds(x: Any) -> tuple[Fraction, Fraction]:
    return (x.to_fraction(),) * 2 if x.is_rational else x.bounds()


def clash(left: Any, right: Any) -> str:
    """Tells "values" where results differ, "domains" where one only is undefined, else ""."""
    found = ""
    for x, y in zip(np.asarray(left).flat, np.asarray(right).flat, strict=True):
        if x is UNDECIDED_ENTRY or y is UNDECIDED_ENTRY:
            continue
        if (x is UNDEFINED) != (y is UNDEFINED):
            found = "domains"
        elif x is not UNDEFINED:
            (a, b), (c, d) = bounds(x), bounds(y)
            if b < c or d < a:
                return "values"
    return found


def values(program: Program) -> list[Any]:
    return [
        evaluate_exact(program, inputs_at(sizes, seed), sizes, max_precision=256) for sizes, seed in POINTS
    ]


def check_pair(one: Program, other: Program) -> None:
    """Two programs with one normal form are equal; a proof is right about where they are defined."""
    proof = prove_identity(one, other)
    assert isinstance(proof, IdentityProof)
    allowed = [""] if proof.same_domain else ["", "domains"]
    for left, right, (sizes, _) in zip(values(one), values(other), POINTS, strict=True):
        assert clash(left, right) in allowed, (one, other, sizes)


def normal_form(forms: Forms, program: Program, cells: int) -> int | None:
    report.allow_work(10**9)
    whole = at_all_sizes(program.to_json(), {"n": 1, "d": 1})
    try:
        return normal.normal_form(forms, whole, cells)
    except report.Rejected:
        return None


def run(
    seed: int, count: int, depth: int, *, algebraic: bool, cells: int = 0, angles: bool = False
) -> int:
    """Checks all pairs of equal normal forms; returns how many pairs."""
    pairs = 0
    for shape in SHAPES:
        maker = Maker(seed, algebraic=algebraic, angles=angles)
        seen: dict[int, Program] = {}
        forms = normal.new_forms({"n": 1, "d": 1}, normal.Way(cells, angles))
        for _ in range(count):
            program = maker.program(shape, depth)
            form = normal_form(forms, program, cells)
            if form is None or seen.setdefault(form, program) == program:
                continue
            pairs += 1
            check_pair(seen[form], program)
    return pairs


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("algebraic", [True, False])
@pytest.mark.parametrize(
    ("depth", "count", "cells", "least"),
    [(1, 90, 0, 20), (2, 60, 0, 3), (3, 30, 0, 0), (3, 30, 3, 0), (4, 8, 0, 0)],
)
def test_equal_normal_forms_are_equal_functions(
    seed: int, algebraic: bool, depth: int, count: int, cells: int, least: int
) -> None:
    assert run(seed, count, depth, algebraic=algebraic, cells=cells) >= least


@pytest.mark.parametrize("seed", range(3, 6))
@pytest.mark.parametrize(("depth", "count", "least"), [(1, 60, 5), (2, 60, 3), (3, 30, 0)])
def test_sums_of_angles_are_equal_functions(seed: int, depth: int, count: int, least: int) -> None:
    assert run(seed, count, depth, algebraic=False, angles=True) >= least
