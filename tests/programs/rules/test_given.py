"""What single rules give for arguments written out, beside what random instances show not to be wrong."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest

from eqvproof.programs import Builder, Program, Size
from eqvproof.programs import operations as ops
from eqvproof.programs.rules import Context, Stuck, Typed
from eqvproof.programs.rules.acts import DUAL, Act, canonical, fix, is_fixed, single_blocks, std
from eqvproof.programs.rules.characters import DEGREES
from eqvproof.programs.rules.sums import totals
from tests import readings
from tests.engines.programs import random_program, run
from tests.programs.rules.reference import tensor

A, N, K = Size.of("a"), Size.of("n"), Size.of("k")
ONE, TWO = Size.of(1), Size.of(2)
S, F = (A, True), (K, False)


def context(nodes: Any, family: str = "O", **more: Any) -> Context:
    return Context(family, "a", A, nodes, **more)


def part(act: Act, size: Size, start: Size, count: Size, step: int = 1) -> Act:
    """The act on a part of an axis."""
    x = ops.Input((), (size,), "x")
    op = readings.part((0,), (count,), 0, start, step)
    (found,) = op.infer([(act,)], context([x]))
    return found[0]


def test_parts_of_direct_sums_are_parts() -> None:
    whole, size = canonical([[S], [F], [S], [S]]), A + K + A + A
    assert part(whole, size, Size.of(0), A) == std(A) == part(whole, size, A + A + K, A)
    assert part(whole, size, A, K) == fix(K)
    assert part(whole, size, Size.of(0), A + K) == canonical([[S], [F]])
    assert part(whole, size, A, K + A) == canonical([[F], [S]])
    assert part(whole, size, Size.of(0), size) == whole
    assert is_fixed(part(whole, size, A + ONE, K - ONE))


def test_copies_are_counted_even_where_none_may_be_left() -> None:
    copies, size = canonical([[(N, False), S]]), N * A
    assert part(copies, size, A, size - A) == canonical([[(N - ONE, False), S]])
    assert part(copies, size, Size.of(0), A) == std(A)
    behind = canonical([[F], [(N, False), S]])
    assert part(behind, K + size, K + A, size - A) == canonical([[(N - ONE, False), S]])


@pytest.mark.parametrize(
    ("start", "count", "step"),
    [(ONE, A, 1), (Size.of(0), A + K + ONE, 1), (A - ONE, TWO, 1), (Size.of(0), A, 2)],
)
def test_other_parts_are_refused(start: Size, count: Size, step: int) -> None:
    with pytest.raises(Stuck):
        part(canonical([[S], [F], [S], [S]]), A + K + A + A, start, count, step)


def test_direct_sums_stay_whole_when_other_axes_are_joined() -> None:
    whole = canonical([[S], [F]])
    x = ops.Input((), (A + K, N, K), "x")
    op = ops.Reshape((0,), (A + K, N * K))
    assert op.infer([(whole, fix(N), fix(K))], context([x])) == [(whole, fix(N * K))]
    with pytest.raises(Stuck):
        ops.Reshape((0,), ((A + K) * N, K)).infer([(whole, fix(N), fix(K))], context([x]))


def scalars() -> list[ops.Operation]:
    """n, k, 1/n, n k, 3/2, (3/2) / n, an input, n times the input."""
    return [
        ops.SizeOf((), (), N),
        ops.SizeOf((), (), K),
        ops.Map((0,), (), "recip"),
        ops.Einsum((0, 1), (), ((), ()), ()),
        ops.Const((), (), (Fraction(3, 2),)),
        ops.Einsum((4, 2), (), ((), ()), ()),
        ops.Input((), (), "x"),
        ops.Einsum((0, 6), (), ((), ()), ()),
        ops.Const((), (), (Fraction(0),)),
        ops.Map((8,), (), "recip"),
        ops.Map((0,), (), "sqrt"),
    ]


def test_numbers_are_ratios_of_sizes() -> None:
    found, three = totals(scalars(), {}), Size.of(3)
    wanted: dict[int, Any] = {
        0: (N, ONE), 2: (ONE, N), 3: (N * K, ONE), 4: (three, TWO), 5: (three, TWO * N), 6: None, 7: None,
        8: (Size.of(0), ONE), 9: None, 10: None,
    }  # fmt: skip
    for x, value in wanted.items():
        assert found[x].get(None) == value


def test_one_hot_vectors_of_positions_sum_to_one() -> None:
    nodes = [
        ops.Input((), (K,), "i"),
        ops.Indicator((0,), (K, N)),
        ops.Einsum((1,), (N, K), ((0, 1),), (1, 0)),
        readings.flip((1,), (K, N), 0),
        readings.flip((1,), (K, N), 1),
        ops.Indicator((3,), (K, N, N)),
    ]
    one = {0: {}, 1: {1: (ONE, ONE)}, 2: {0: (ONE, ONE)}, 3: {1: (ONE, ONE)}, 4: {}, 5: {}}
    assert dict(enumerate(totals(nodes, {"i": N}))) == one
    for known in ({}, {"i": K}, {"j": N}):
        assert not any(totals(nodes, known))


def step(b: Builder, rng: random.Random, one: int, other: int) -> int:
    """A random operation on two n n arrays."""
    ways = [
        lambda: b.div(one, b.broadcast_to(b.expand(b.sum(one, [1]), 1), ["n", "n"])),
        lambda: b.einsum([one, b.map("recip", [b.sum(one, [0])])], [[0, 1], [1]], [0, 1]),
        lambda: b.matmul(one, other),
        lambda: b.add([one, other]),
        lambda: b.transpose(one),
        lambda: b.roll(one, rng.randint(0, 1), 1),
        lambda: b.mul(b.const(Fraction(rng.randint(-3, 3), 2)), one),
        lambda: b.mul(one, other),
        lambda: b.slice(b.concat([one, other], 0), 0, 1, "n"),
        lambda: b.broadcast_to(b.expand(b.mean(one, [0]), 0), ["n", "n"]),
    ]
    return rng.choice(ways)()


def random_weights(rng: random.Random) -> Program:
    """An n n array, made of weights that sum to 1 and others by random operations."""
    b = Builder()
    x = b.input("X", ["d", "n"])
    gram = b.matmul(b.transpose(x), x)
    pool = [gram, b.eye("n"), b.tri("n", "n"), b.broadcast_to(b.const(Fraction(1, 3)), ["n", "n"])]
    for _ in range(rng.randint(1, 7)):
        pool.append(step(b, rng, pool[-1], rng.choice(pool)))
    return b.program(pool[-1])


def test_totals_are_the_sums_of_entries(some: Any) -> None:
    """Of random Programs, at random sizes and inputs, exactly."""
    seen: set[str] = set()
    for seed in some(range(400), 160):
        rng = random.Random(seed)
        program = random_weights(rng) if seed % 2 else random_program(rng, rng.randint(1, 12))
        sizes = {"d": rng.randint(1, 2), "n": rng.randint(1, 3), "k": rng.randint(1, 2)}
        if any(s.value(sizes) > 9 for node in program.nodes for s in node.shape):
            continue
        inputs = {
            name: tensor(at, [Fraction(rng.randint(-2, 2)) for _ in range(prod(at))])
            for name, shape in program.inputs
            for at in [tuple(s.value(sizes) for s in shape)]
        }
        for x, known in enumerate(totals(program.nodes, {})):
            for axis, (num, den) in known.items():
                value = run(replace(program, output=x), inputs, sizes)
                sums = value if axis is None else np.sum(np.where(value == None, 0, value), axis)  # noqa: E711
                total = [v for v in np.ravel(sums) if v is not None]
                if axis is not None and any(v is None for v in value.flat):
                    continue
                seen.add(type(program.nodes[x]).__name__)
                assert all(v * den.value(sizes) == num.value(sizes) for v in total), (seed, x, axis)
    assert {"Const", "Einsum", "Add", "SizeOf", "Map", "Read", "Concat", "Indicator"} <= seen


def degree(num: Any, den: int = 1) -> Any:
    """num / den."""
    return Size.of(num), Size.of(den)


def test_choices_have_the_degree_of_what_is_chosen() -> None:
    x = ops.Input((), (N,), "x")
    choice, zero, one, two = ops.Select((0, 0, 0), (N,)), degree(0), degree(1), degree(2)
    here = context([x], numbers=DEGREES)
    for first, second, found in ((one, one, one), (one, None, one), (None, two, two), (zero, zero, zero)):
        assert choice.character([zero, first, second], here) == found
    for first, second in ((one, two), (two, one), (zero, one)):
        with pytest.raises(Stuck):
            choice.character([zero, first, second], here)


def test_unknown_functions_take_fixed_values_only() -> None:
    x = ops.Input((), (A,), "x")
    op, here = ops.Opaque((0,), (K,), "g", None), context([x])
    assert op.infer([(fix(A),)], here) == [(fix(K),)]
    with pytest.raises(Stuck):
        op.infer([(std(A),)], here)


def test_only_a_tensor_of_zeros_has_every_degree() -> None:
    def of(*values: int) -> Any:
        op = ops.Const((), (Size.of(len(values)),), tuple(map(Fraction, values)))
        return op.character([], context([op], numbers=DEGREES))

    assert of(0, 0) is None and of(1, 1) == of(0, 1) == of(1, 0) == degree(0)


def test_zeros_may_be_moved_and_other_constants_not() -> None:
    def types(*values: int) -> Any:
        op = ops.Const((), (TWO,), tuple(map(Fraction, values)))
        return op.infer([], Context("O", "d", TWO, [op], {"d": 2}))

    assert (std(TWO),) in types(0, 0)
    assert not any((std(TWO),) in types(*values) for values in ((1, 1), (0, 1), (1, 0)))
    assert types(1, 1) == [(None,)] and types(0, 1) == [(fix(TWO),)] == types(1, 0)


def test_degrees_are_counted() -> None:
    x = ops.Input((), (TWO, Size.of(3), N), "x")
    here = context([x], numbers=DEGREES)

    def product(*axes: int) -> Any:
        shape = tuple(s for k, s in enumerate(x.shape) if k not in axes)
        return ops.Reduce((0,), shape, "prod", axes).character([degree(1, 2)], here)

    assert (product(0), product(1), product(0, 1)) == (degree(1), degree(3, 2), degree(3))
    assert (product(2), product(0, 2)) == (degree(N, 2), degree(N))
    for still in (degree(0), None):
        assert not ops.Reduce((0,), (), "prod", (0, 1, 2)).character([still], here)[0].terms


def test_degrees_of_functions_of_matrices() -> None:
    three, half, five = Size.of(3), degree(1, 2), degree(5)
    nodes = [
        ops.Input((), (N, three, three), "x"),
        ops.Input((), (N, N), "y"),
        ops.Input((), (N, three), "w"),
    ]
    here = context(nodes, numbers=DEGREES)
    assert ops.Matrix((0,), (N,), "det").character([half], here) == degree(3, 2)
    assert ops.Matrix((1,), (), "det").character([None], here) == degree(0)
    assert ops.Matrix((1,), (), "det").character([half], here) == degree(N, 2)
    for op in (ops.Matrix((0,), (N, three, three), "inv"), ops.Matrix((0,), (N, three, three), "pinv")):
        assert op.character([half], here) == degree(-1, 2) and op.character([None], here) is None
    assert ops.Matrix((0, 2), (N, three, three), "spectral").character([half, five], here) == five
    assert ops.Matrix((0,), (N, three), "eigvals").character([half], here) == half


def test_functions_of_matrices_in_a_batch_of_two_axes() -> None:
    """Three different sizes, so that no axis passes for another."""
    shape = (N, K, A, A)
    here = context([ops.Input((), shape, "x"), ops.Input((), shape[:-1], "w")])
    batch, moved = (fix(N), fix(K)), std(A)
    matrices = (*batch, moved, moved)
    wanted: list[tuple[ops.Operation, list[Any], Any]] = [
        (ops.Matrix((0,), shape[:-1], "eigvals"), [matrices], (*batch, fix(A))),
        (ops.Matrix((0,), shape[:-1], "eigvals"), [(*batch, None, None)], (*batch, fix(A))),
        (ops.Matrix((0, 1), shape, "spectral"), [matrices, (*batch, fix(A))], matrices),
        (ops.Matrix((0,), shape, "pinv"), [(*batch, moved, fix(A))], (*batch, fix(A), moved)),
        (ops.Matrix((0,), shape, "inv"), [matrices], matrices),
        (ops.Matrix((0,), shape[:-2], "det"), [matrices], batch),
    ]
    for op, args, value in wanted:
        assert value in op.infer(args, here), op


def test_copies_of_a_moved_block_are_taken_singly() -> None:
    assert single_blocks(None) == () and single_blocks(std(A)) == std(A)
    assert single_blocks(canonical([[(Size.of(3), False), S], [F]])) == (*(std(A) or ()) * 3, *(fix(K) or ()))
    many = canonical([[(N, False), S]])
    assert single_blocks(many) == many


@pytest.mark.parametrize(("generator", "weight"), [([[1, 1], [0, 1]], 0), ([[2, 0], [0, 1]], 1)])
def test_weights_matter_where_determinants_do(generator: list[list[int]], weight: int) -> None:
    """Where all generators have determinant 1 there are no weights."""
    symbol = ops.Const((), (TWO, TWO), tuple(map(Fraction, (0, 1, -1, 0))))
    matrix = tuple(tuple(map(Fraction, row)) for row in generator)
    here = Context("GenGL", "d", TWO, [symbol], {"d": 2}, generators=(matrix,))
    found = symbol.typed([], here)
    up, down = std(TWO), canonical([[(TWO, DUAL)]])
    assert {Typed((up, up), -weight), Typed((down, down), weight)} <= set(found)
    assert all(t.odd == 0 for t in found) is (weight == 0)
    x = ops.Input((), (TWO, TWO), "x")
    det = ops.Matrix((0,), (), "det")
    there = Context("GenGL", "d", TWO, [x, det], {"d": 2}, generators=(matrix,))
    (value,) = det.typed([Typed((up, fix(TWO)))], there)
    assert value == Typed((), weight) and np.linalg.det(np.array(generator)) == weight + 1


def test_determinants_of_a_batch_count_rows() -> None:
    """A factor of weight 1 before every row counts as often as there are rows."""
    three = Size.of(3)
    shape = (N, K, three, three)
    op = ops.Matrix((0,), shape[:2], "det")
    here = Context("GL", "d", three, [ops.Input((), shape, "x"), op], {"d": 3})
    batch, still = (fix(N), fix(K)), fix(three)
    for odd, weight in ((0, 0), (1, 3), (-2, -6)):
        found = op.typed([Typed((*batch, still, still), odd)], here)
        assert found == [Typed(batch, weight)]
    moved = op.typed([Typed((*batch, std(three), std(three)), 1)], here)
    assert moved == [Typed(batch, 5)]
