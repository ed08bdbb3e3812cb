"""Random programs: equal normal forms must mean equal values, at every point where both are defined."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from eqvproof.engines.identity import IdentityProof, prove_identity
from eqvproof.engines.identity.nodes import normal_form
from eqvproof.engines.identity.table import Table, TooLarge
from eqvproof.evaluate import evaluate_exact
from eqvproof.exact import UNDECIDED_ENTRY, UNDEFINED
from eqvproof.program import Builder, Program, Size

N, D, ONE = Size.of("n"), Size.of("d"), Size.of(1)
INPUTS: dict[str, tuple[Size, ...]] = {"s": (), "u": (D,), "v": (N,), "X": (D, N), "A": (N, N), "B": (D, D)}
SHAPES: list[tuple[Size, ...]] = list(INPUTS.values())
UNARY = ["recip", "abs", "sign", "exp", "sqrt", "tanh", "log", "floor", "cbrt", "cos"]
BINARY = ["maximum", "minimum", "lt", "ge", "eq", "and", "arctan2"]
POINTS = [({"n": 1, "d": 2}, 1), ({"n": 2, "d": 3}, 2), ({"n": 3, "d": 1}, 3), ({"n": 2, "d": 2}, 4)]


class Maker:
    """Random programs, small enough that many of them are equal."""

    def __init__(self, seed: int, *, algebraic: bool) -> None:
        self.rng = random.Random(seed)
        self.b = Builder()
        self.maps = UNARY[:3] if algebraic else UNARY
        for name, shape in INPUTS.items():
            self.b.input(name, shape)

    def program(self, shape: tuple[Size, ...], depth: int) -> Program:
        found = self.b.program(self.value(shape, depth))
        return Program(tuple(INPUTS.items()), found.nodes, found.output)

    def value(self, shape: tuple[Size, ...], depth: int) -> int:
        b, rng = self.b, self.rng
        if depth == 0:
            return self.leaf(shape)
        kinds = ["leaf", "add", "sub", "mul", "map", "map2", "scale", "contract", "diagonal", "view", "max", "select"]
        if len(shape) == 2:
            kinds += ["matmul", "matmul", "transpose", "transpose", "join", "outer"]
            if shape[0] == shape[1]:
                kinds += ["inv"]
        if not shape:
            kinds += ["trace", "det", "dot", "dot"]
        kind = rng.choice(kinds)
        if kind == "leaf":
            return self.leaf(shape)
        if kind in ("add", "sub", "mul"):
            one = self.value(shape, depth - 1)
            other = self.value(rng.choice([shape, shape, shape[1:], ()]), depth - 1)
            return {"add": lambda x, y: b.add([x, y]), "sub": b.sub, "mul": b.mul}[kind](one, b.broadcast_to(other, shape))
        if kind == "map":
            return b.map(rng.choice(self.maps), [self.value(shape, depth - 1)])
        if kind == "map2":
            return b.map(rng.choice(BINARY), [self.value(shape, depth - 1), self.value(shape, depth - 1)])
        if kind == "scale":
            return b.mul(b.const(rng.choice([-1, 2, Fraction(1, 2), 0])), self.value(shape, depth - 1))
        if kind == "contract":
            axis = rng.randrange(len(shape) + 1)
            size = rng.choice([N, D])
            return b.sum(self.value((*shape[:axis], size, *shape[axis:]), depth - 1), [axis]) if len(shape) < 2 else self.leaf(shape)
        if kind == "max":
            if len(shape) == 2:
                return b.broadcast_to(b.expand(b.reduce("max", self.value(shape, depth - 1), [0]), 0), shape)
            return b.reduce(rng.choice(["max", "min", "prod"]), self.value((*shape, rng.choice([N, D])), depth - 1), [len(shape)])
        if kind == "diagonal":
            if len(shape) == 1:
                return b.einsum([self.value((shape[0], shape[0]), depth - 1)], [[0, 0]], [0])
            return self.leaf(shape)
        if kind == "select":
            return b.select(*(self.value(shape, depth - 1) for _ in range(3)))
        if kind == "view":
            if not shape:
                v = self.value((N,), depth - 1)
                return b.squeeze(b.slice(v, 0, 0, 1), 0)
            x, axis = self.value(shape, depth - 1), rng.randrange(len(shape))
            pick = rng.randrange(3)
            if pick == 0:
                return b.flip(x, axis)
            if pick == 1:
                return b.roll(x, axis, rng.choice([1, -1]))
            return b.sort(x, axis)
        if kind == "matmul":
            inner = rng.choice([N, D])
            return b.matmul(self.value((shape[0], inner), depth - 1), self.value((inner, shape[1]), depth - 1))
        if kind == "transpose":
            return b.transpose(self.value(shape[::-1], depth - 1), [1, 0])
        if kind == "outer":
            return b.mul(b.expand(self.value(shape[:1], depth - 1), 1), b.expand(self.value(shape[1:], depth - 1), 0))
        if kind == "join":
            extra = self.value((rng.choice([N, ONE]), shape[1]), depth - 1)
            x = self.value(shape, depth - 1)
            if rng.random() < 0.5:
                return b.slice(b.concat([x, extra], 0), 0, 0, shape[0])
            left = self.value((N, N), depth - 1)
            right = b.concat([self.value((N, shape[0]), depth - 1), left], 1)
            return b.matmul(b.transpose(right, [1, 0]), self.value((N, shape[1]), depth - 1)) if False else b.slice(
                b.concat([extra, x], 0), 0, b.shape(extra)[0], shape[0]
            )
        if kind == "inv":
            return b.inv(self.value(shape, depth - 1))
        if kind == "det":
            return b.det(self.value((D, D), depth - 1))
        if kind == "trace":
            return b.einsum([self.value((N, N), depth - 1)], [[0, 0]], [])
        size = rng.choice([N, D])
        joined = [b.concat([self.value((s,), depth - 1) for s in (size, ONE)], 0) for _ in range(2)]
        return b.einsum(joined, [[0], [0]], [])

    def leaf(self, shape: tuple[Size, ...]) -> int:
        b, rng = self.b, self.rng
        found = [b.input(n, s) for n, s in INPUTS.items() if s == shape]
        found += [b.transpose(b.input(n, s), [1, 0]) for n, s in INPUTS.items() if len(s) == 2 and s[::-1] == shape]
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
    """ "values" where two results differ, "domains" where one is undefined and the other not, else ""."""
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
    return [evaluate_exact(program, inputs_at(sizes, seed), sizes, max_precision=256) for sizes, seed in POINTS]


def run(seed: int, count: int, depth: int, *, algebraic: bool, cells: int = 0) -> tuple[int, int]:
    """Checks all pairs of equal normal forms; returns how many pairs, and how many programs were too large."""
    pairs = too_large = 0
    for shape in SHAPES:
        maker = Maker(seed, algebraic=algebraic)
        seen: dict[int, tuple[Program, list[Any]]] = {}
        table = Table({}, 60.0)
        for _ in range(count):
            program = maker.program(shape, depth)
            try:
                form = normal_form(table, program, cells)
            except TooLarge:
                too_large += 1
                continue
            if form not in seen:
                seen[form] = (program, values(program))
            elif seen[form][0] != program:
                pairs += 1
                other, theirs = seen[form]
                proof = prove_identity(other, program)
                assert isinstance(proof, IdentityProof)
                for mine, point, (sizes, _) in zip(values(program), theirs, POINTS, strict=True):
                    allowed = [""] if proof.same_domain else ["", "domains"]
                    assert clash(mine, point) in allowed, (other, program, sizes)
    return pairs, too_large


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("algebraic", [True, False])
@pytest.mark.parametrize("depth", [2, 3])
def test_equal_normal_forms_are_equal_functions(seed: int, algebraic: bool, depth: int) -> None:
    pairs, too_large = run(seed, 40, depth, algebraic=algebraic)
    assert pairs > 10
    assert too_large < 100
