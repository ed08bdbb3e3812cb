"""The builder's folding and simplification against programs built without any."""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.programs import Builder, Program, Size
from eqvproof.programs import operations as ops
from eqvproof.support.errors import ShapeError
from tests.programs.rules.reference import equal, evaluate, tensor
from tests.sampling import examples


class Plain(Builder):
    """A builder that folds and simplifies nothing."""

    def einsum(
        self,
        args: Sequence[int],
        inputs: Sequence[Sequence[int]],
        output: Sequence[int],
        sizes: Mapping[int, Size] | None = None,
    ) -> int:
        """An einsum as it is given."""
        known = dict(sizes or {})
        for a, row in zip(args, inputs, strict=True):
            known.update(zip(row, self.shape(a), strict=True))
        shape = tuple(known[k] for k in output)
        return self.node(ops.Einsum(tuple(args), shape, tuple(map(tuple, inputs)), tuple(output)))

    def add(self, args: Sequence[int]) -> int:
        """A sum as it is given."""
        shape = self.broadcast_shapes([self.shape(a) for a in args])
        return self.node(ops.Add(tuple(self.broadcast_to(a, shape) for a in args), shape))

    def map(self, fn: str, args: Sequence[int]) -> int:
        """A function as it is given."""
        shape = self.broadcast_shapes([self.shape(a) for a in args])
        return self.node(ops.Map(tuple(self.broadcast_to(a, shape) for a in args), shape, fn))

    def reduce(self, fn: str, x: int, axes: Sequence[int]) -> int:
        """A maximum, minimum or product as it is given."""
        shape = tuple(s for i, s in enumerate(self.shape(x)) if i not in axes)
        return self.node(ops.Reduce((x,), shape, fn, tuple(axes)))


def run(program: Program, inputs: Mapping[str, Any], sizes: Mapping[str, int]) -> Any:
    """The value of a program by the reference evaluation."""
    values: list[Any] = []
    for node in program.nodes:
        if isinstance(node, ops.Input):
            values.append(inputs[node.name])
        else:
            values.append(evaluate(node, [values[a] for a in node.args], sizes))
    return values[program.output]


def grow(rng: random.Random, builders: Sequence[Builder], steps: int) -> list[int]:
    """The same random expression in every builder; the output of each."""
    pools = [[b.input("X", ["d", "n"]), b.input("Y", ["d", "n"]), b.eye("n"), b.const(-2)] for b in builders]
    for _ in range(steps):
        method = rng.choice(
            [
                "mul",
                "add",
                "sub",
                "sum",
                "transpose",
                "matmul",
                "mean",
                "power",
                "recip",
                "einsum",
                "0",
                "spread",
                "fold",
                "compare",
            ]
        )
        picks = [rng.randrange(len(pools[0])) for _ in range(2)]
        number = rng.randrange(1000)
        results = []
        for b, pool in zip(builders, pools, strict=True):
            x, y = (pool[p] for p in picks)
            try:
                results.append(step(b, method, x, y, number))
            except ShapeError:
                results.append(None)
        if results[0] is not None:
            assert None not in results
            for pool, r in zip(pools, results, strict=True):
                pool.append(r)
    return [pool[-1] for pool in pools]


def step(b: Builder, method: str, x: int, y: int, number: int) -> int:
    """One random operation."""
    rank = len(b.shape(x))
    if method in ("mul", "matmul", "sub"):
        return getattr(b, method)(x, y)
    if method == "add":
        return b.add([x, y])
    if method in ("sum", "mean"):
        return getattr(b, method)(x, [number % rank] if rank and number % 3 else None)
    if method == "transpose":
        return b.transpose(x)
    if method == "power":
        return b.power(x, number % 4)
    if method == "recip":
        return b.map("recip", [x])
    if method == "spread":
        return b.broadcast_to(x, (*[Size.of("d")] * (rank < 3), *b.shape(x)))
    if method == "fold":
        axes = sorted({number % rank, number % 7 % rank}) if rank else []
        return b.reduce(["max", "min", "prod"][number % 3], x, axes) if axes else x
    if method == "compare":
        return b.map(["eq", "ne"][number % 2], [x, x if number % 4 else y])
    if method == "0":
        return b.mul(b.const(0), x)
    if rank != 2 or b.shape(x)[0] != b.shape(x)[1]:
        return b.einsum([x], [list(range(rank))], [])
    return b.einsum([x], [[0, 0]], [0] if number % 2 else [])


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(300))
def test_folding_keeps_values_and_undefined_places(seed: int) -> None:
    """Folded and plain programs agree exactly, entry by entry."""
    rng = random.Random(seed)
    folded, plain = Builder(), Plain()
    one, two = grow(rng, [folded, plain], rng.randint(2, 9))
    sizes = {"d": rng.randint(1, 2), "n": rng.randint(1, 3)}
    inputs = {
        name: tensor(
            (sizes["d"], sizes["n"]), [Fraction(rng.randint(-2, 2)) for _ in range(sizes["d"] * sizes["n"])]
        )
        for name in "XY"
    }
    a, b = folded.program(one), plain.program(two)
    assert [s.value(sizes) for s in a.shape] == [s.value(sizes) for s in b.shape]
    assert equal(run(a, inputs, sizes), run(b, inputs, sizes))


def test_spellings_of_a_norm_are_one_node() -> None:
    """(X**2).sum(0), (X*X).sum(0), einsum and the diagonal-free form meet."""
    b = Builder()
    x = b.input("X", ["d", "n"])
    one = b.sum(b.power(x, 2), [0])
    assert one == b.sum(b.mul(x, x), [0]) == b.einsum([x, x], [[0, 1], [0, 1]], [1])


def test_sum_is_distributed_over_products() -> None:
    """(X*X + Y*X).sum(0) becomes two contractions."""
    b = Builder()
    x, y = b.input("X", ["d", "n"]), b.input("Y", ["d", "n"])
    node = b.nodes[b.sum(b.add([b.mul(x, x), b.mul(y, x)]), [0])]
    assert isinstance(node, ops.Add) and len(node.args) == 2


def test_zero_of_something_undefined_is_not_zero() -> None:
    """0 / x is undefined at 0, and stays so."""
    b = Builder()
    x = b.input("X", ["n"])
    program = b.program(b.mul(b.const(0), b.map("recip", [x])))
    value = run(program, {"X": tensor((2,), [Fraction(0), Fraction(1)])}, {"n": 2})
    assert list(value) == [None, 0]


@pytest.mark.parametrize(
    "bad",
    [
        lambda b, x: b.matmul(x, x),
        lambda b, x: b.reshape(x, ["d", "d"]),
        lambda b, x: b.slice(x, 1, 0, 2),
        lambda b, x: b.add([x, b.transpose(x)]),
        lambda b, x: b.concat([x, b.transpose(x)], 0),
        lambda b, x: b.const(float("nan")),
        lambda b, x: b.transpose(x, [0, 0]),
    ],
)
def test_shapes_that_clash_for_some_size_are_refused(bad: Any) -> None:
    """What NumPy would accept at d = n only is an error here."""
    b = Builder()
    with pytest.raises(ShapeError):
        bad(b, b.input("X", ["d", "n"]))


def test_last_column_is_in_range_for_every_size() -> None:
    """X[:, -1] is fine from n = 1 up, X[:, 1] is not."""
    b = Builder()
    x = b.input("X", ["d", "n"])
    assert b.slice(x, 1, Size.of("n") - 1, 1)
    with pytest.raises(ShapeError):
        b.slice(x, 1, 1, 1)


def test_canonical_json_of_a_gram_matrix() -> None:
    """The form that certificates hold."""
    b = Builder()
    x = b.input("X", ["d", "n"])
    data = b.program(b.matmul(b.transpose(x), x)).to_json()
    assert data == {
        "inputs": [{"name": "X", "shape": ["d", "n"]}],
        "kinds": [
            {"op": "input", "shape": ["d", "n"], "name": "X"},
            {"op": "einsum", "shape": ["n", "n"], "inputs": [[0, 1], [0, 2]], "output": [1, 2]},
        ],
        "nodes": [[0], [1, 0, 0]],
        "output": 1,
    }


@pytest.mark.parametrize("swapped", [False, True])
def test_a_symmetric_clip_shows_that_it_is_odd(swapped: bool) -> None:
    """min(max(x, -2), 2) = sign(x) min(|x|, 2), in either order; crossed bounds leave one number."""
    b = Builder()
    x = b.input("X", ["n"])
    outer, inner, bound = ("maximum", "minimum", -2) if swapped else ("minimum", "maximum", 2)
    clipped = b.map(outer, [b.map(inner, [x, b.const(-bound)]), b.const(bound)])
    expected = b.mul(b.map("sign", [x]), b.map("minimum", [b.map("abs", [x]), b.const(2)]))
    assert clipped == expected
    crossed = b.map(outer, [b.map(inner, [x, b.const(bound)]), b.const(-bound)])
    assert b.scalar_value(crossed) == -bound
    uneven = b.map(outer, [b.map(inner, [x, b.const(-bound)]), b.const(bound * 2)])
    assert isinstance(b.nodes[uneven], ops.Map) and b.nodes[uneven].fn == outer


def test_reshapes_of_copies_keep_the_entries_and_the_copies() -> None:
    rng = random.Random(9)
    b, plain = Builder(), Plain()
    cases = [
        (("b", "n", 2, 3), (0, 1), ("b*n", 2, 3)), (("b", "n", 2, 3), (0, 1), ("b*n", 6)),
        (("b", 2, "n", 3), (0, 2), ("b", 2, "n", 3, 1)), ((2, "b", "n"), (1, 2), (2, "b*n")),
        (("n", 4, 3), (1,), ("n", 2, 2, 3)), (("b", "n", 2), (0,), ("b*n", 2)), ((1, "n", 2), (0,), ("n", 2)),
        (("b", 3, "n"), (0, 2), (3, "b", "n")),
    ]  # fmt: skip
    for shape, copied, new in cases:
        results = []
        for builder in (b, plain):
            sizes = [Size.of(s) for s in shape]
            core = builder.input("X", [s for i, s in enumerate(sizes) if i not in copied])
            labels = [i for i in range(len(shape)) if i not in copied]
            wide = builder.einsum([core], [labels], range(len(shape)), dict(enumerate(sizes)))
            target = [Size.of("b") * Size.of("n") if s == "b*n" else Size.of(s) for s in new]
            results.append(builder.program(builder.reshape(wide, target)))
        for numbers in ({"b": 2, "n": 3}, {"b": 1, "n": 2}, {"b": 3, "n": 1}):
            extent = [s.value(numbers) for s in dict(results[0].inputs)["X"]]
            count = math.prod(extent)
            inputs = {"X": tensor(extent, [Fraction(rng.randint(-9, 9)) for _ in range(count)])}
            assert equal(run(results[0], inputs, numbers), run(results[1], inputs, numbers)), (shape, new)


def test_reshapes_of_constants_along_an_axis_of_any_size() -> None:
    """A constant repeated along n, or read at shifts of n, has no entries to be known before n is."""
    numbers = [Fraction(k) for k in (1, 2, 3)]
    b = Builder()
    three = b.const(tensor([3], numbers))
    copies = b.einsum([three], [(1,)], (0, 1), {0: Size.of("n"), 1: Size.of(3)})
    shifts = b.circulant(three, "n", 1)
    for node, rows in (
        (copies, [numbers] * 4),
        (shifts, [[numbers[(i + j) % 3] for j in range(4)] for i in range(3)]),
    ):
        made = b.program(b.reshape(node, [b.shape(node)[0] * b.shape(node)[1]]))
        assert equal(run(made, {}, {"n": 4}), tensor([12], [v for row in rows for v in row]))
