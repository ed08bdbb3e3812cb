"""Random programs over two inputs, for attacking proofs."""

from __future__ import annotations

import random
from typing import Any

from eqvproof.programs import Builder, Program
from eqvproof.programs import operations as ops
from eqvproof.support.errors import ShapeError
from tests.programs.rules.reference import evaluate

UNARY = ["exp", "abs", "tanh", "recip", "sqrt", "sign", "not"]


def random_program(rng: random.Random, steps: int) -> Program:
    """A program in X (d, n) and Z (d, k), grown by random operations."""
    b = Builder()
    pool = [b.input("X", ["d", "n"]), b.input("Z", ["d", "k"])]
    extra = [b.eye("d"), b.eye("n"), b.tri("n", "n"), b.const(3), b.size("n"), b.const([1, 2])]
    for _ in range(steps):
        x = pool[-1] if rng.random() < 0.5 else rng.choice(pool)
        y = rng.choice(pool + extra) if rng.random() < 0.9 else rng.choice(extra)
        try:
            pool.append(_step(b, rng, x, y))
        except ShapeError:
            continue
    good = [p for p in pool[2:] if len(b.shape(p)) <= 3] or pool
    return b.program(good[-1])


def _step(b: Builder, rng: random.Random, x: int, y: int) -> int:
    rank = len(b.shape(x))
    axis = rng.randrange(rank) if rank else 0
    choice = rng.randrange(19)
    if choice <= 2:
        return b.matmul(b.transpose(x), y) if rng.random() < 0.5 else b.matmul(x, y)
    if choice == 3:
        return b.mul(x, y)
    if choice == 4:
        return b.add([x, y])
    if choice == 5:
        return b.sub(x, b.mean(x, [axis])) if rank < 2 else b.sub(x, b.expand(b.mean(x, [axis]), axis))
    if choice == 6:
        return b.map(rng.choice(UNARY), [x])
    if choice == 7:
        return b.map(rng.choice(["maximum", "lt"]), [x, y])
    if choice == 8:
        return b.select(b.map("gt", [y, b.const(0)]), x, b.const(0))
    if choice == 9:
        return b.reduce(rng.choice(["max", "min"]), x, [axis])
    if choice == 10:
        return b.concat([x, y], axis)
    if choice == 11:
        return b.sort(x, axis)
    if choice == 12:
        return b.sum(b.power(x, 2), [axis])
    if choice == 13:
        return b.transpose(x)
    if choice == 14:
        return b.div(x, b.expand(b.map("sqrt", [b.sum(b.power(x, 2), [axis])]), axis))
    if choice == 16:
        return b.onehot(x, rng.choice(["d", "n", "k", 2]))
    if choice == 17:
        return b.circulant(x, b.shape(x)[-1] if rank else 1, rng.choice([1, -1]))
    if choice == 18:  # circular convolutions, correlations
        shifts = b.circulant(x, b.shape(x)[-1] if rank else 1, rng.choice([1, -1]))
        return b.matmul(shifts, y) if rng.random() < 0.5 else b.matmul(y, shifts)
    return b.reshape(x, [b.prod_sizes(x)])


def run(program: Program, inputs: dict[str, Any], sizes: dict[str, int]) -> Any:
    """The value by the reference evaluation."""
    values: list[Any] = []
    for node in program.nodes:
        if isinstance(node, ops.Input):
            values.append(inputs[node.name])
        else:
            values.append(evaluate(node, [values[a] for a in node.args], sizes))
    return values[program.output]
