"""Evaluation over prime fields: the algebra against exact numbers, the hashes against what they keep."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.numbers import UNDEFINED, Undefined
from eqvproof.numbers.bound import Bound
from eqvproof.programs import Builder, Program
from eqvproof.programs import operations as ops
from eqvproof.programs.evaluate import evaluate_exact, modular
from eqvproof.programs.evaluate.degree import analyse, log2_error
from eqvproof.programs.evaluate.modular import ModularSystem, Residues
from eqvproof.programs.evaluate.prime_field import PrimeField, random_prime
from eqvproof.programs.evaluate.siphash import key_of, siphash
from eqvproof.programs.evaluate.walk import bind, evaluate_program
from eqvproof.programs.operations import FUNCTIONS, OPERATIONS
from eqvproof.programs.operations.map import ALGEBRAIC
from eqvproof.support.errors import EqvproofError
from tests.programs.evaluate.programs import operations_used, random_inputs, random_program
from tests.sampling import examples

SEEDS = st.integers(0, 2**40)
FIELD = PrimeField(random_prime(random.Random(0)))
RESIDUE = st.integers(0, FIELD.p - 1) | st.sampled_from([0, 1, FIELD.p - 1, FIELD.p // 2, 2**32, 2**60])


def evaluate_modular(program: Program, inputs: Any, sizes: dict[str, int], system: ModularSystem) -> Residues:
    result: Residues = evaluate_program(program, system, inputs, bind(program, inputs, sizes))
    return result


@given(st.lists(RESIDUE, min_size=1, max_size=40), RESIDUE)
def test_field_arithmetic(values: list[int], y: int) -> None:
    p, n = FIELD.p, len(values)
    a, b = FIELD.encode(values, (n,)), FIELD.encode([y], (1,))
    decode = lambda array: [int(x) for x in FIELD.decode(array)]  # noqa: E731
    assert decode(a) == values
    assert decode(FIELD.add(a, b)) == [(x + y) % p for x in values]
    assert decode(FIELD.subtract(a, b)) == [(x - y) % p for x in values]
    assert decode(FIELD.negative(a)) == [-x % p for x in values]
    assert decode(FIELD.multiply(a, b)) == [x * y % p for x in values]
    assert int(FIELD.decode(FIELD.total(a, (0,)))) == sum(values) % p
    product = 1
    for x in values:
        product = product * x % p
    assert int(FIELD.decode(FIELD.product(a, 0))) == product
    if all(values):
        assert decode(FIELD.inverse(a)) == [pow(x, -1, p) for x in values]
    else:
        with pytest.raises(Undefined):
            FIELD.inverse(a)


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 2), (4, 600, 3), (2, 1500, 2), (7, 0, 2)])
def test_products_of_matrices(shape: tuple[int, int, int]) -> None:
    m, k, n = shape
    rng = random.Random(1)
    top = FIELD.p - 1
    a = np.array([rng.choice([top, rng.randrange(top)]) for _ in range(m * k)], dtype=object).reshape(m, k)
    b = np.array([rng.choice([top, rng.randrange(top)]) for _ in range(k * n)], dtype=object).reshape(k, n)
    product = FIELD.matmul(FIELD.encode(a.flat, (m, k)), FIELD.encode(b.flat, (k, n)))
    expected = (a @ b) % FIELD.p if k else np.zeros((m, n), dtype=object)
    assert (FIELD.decode(product).astype(object) == expected).all()


def test_large_arrays_go_by_blocks() -> None:
    rng = np.random.default_rng(0)
    a = FIELD.reduce(rng.integers(0, 2**63, (300, 400), dtype=np.uint64))
    b = FIELD.reduce(rng.integers(0, 2**63, (400,), dtype=np.uint64))
    product = FIELD.decode(FIELD.multiply(a, b))
    x, y = FIELD.decode(a), FIELD.decode(b)
    for i, j in ((0, 0), (299, 399), (150, 7)):
        assert int(product[i, j]) == int(x[i, j]) * int(y[j]) % FIELD.p


@pytest.mark.parametrize("p", [2**61 + 15, 2**60 + 4, 7])
def test_what_is_no_field_here(p: int) -> None:
    with pytest.raises(ValueError, match="prime"):
        PrimeField(p)


def test_siphash_vectors() -> None:
    """The reference vectors of SipHash-2-4 for the messages 00 01 .. of 0, 8 and 16 bytes."""
    key = (0x0706050403020100, 0x0F0E0D0C0B0A0908)
    words = [
        np.array([int.from_bytes(bytes(range(8 * k, 8 * k + 8)), "little")], dtype=np.uint64)
        for k in range(2)
    ]
    assert int(siphash(key, words[:1], 1)[0][0]) == 0x93F5F5799A932462
    assert int(siphash(key, words, 1)[0][0]) == 0x3F2ACC7F57C29BDB


def test_hashes_depend_on_everything() -> None:
    words = [np.arange(40000, dtype=np.uint64), np.zeros(40000, dtype=np.uint64)]
    first, second = siphash(key_of(1, "f"), words, 2)
    assert len(np.unique(np.concatenate([first, second]))) == 80000
    for other in (siphash(key_of(2, "f"), words, 1)[0], siphash(key_of(1, "f"), words[::-1], 1)[0][1:]):
        assert not np.isin(other, first).any()
    assert np.array_equal(siphash(key_of(1, "f"), [w[20000:] for w in words], 1)[0], first[20000:])


# ------------------------------------------------------------------------------------------ Programs
ALGEBRA = {"einsum", "add", "concat", "read", "reshape", "matrix:inv", "matrix:det", "map:recip"}
LEAVES = {"input", "const", "size", "indicator", "iota"}


def algebraic_program(seed: int) -> Program | None:
    program = random_program(seed, rational=True)
    names = operations_used(program)
    products = all(getattr(node, "fn", "prod") in ("prod", "recip", "inv", "det") for node in program.nodes)
    compared = any(isinstance(node, ops.Indicator) and node.args for node in program.nodes)
    known = names <= ALGEBRA | LEAVES | {"map", "reduce", "matrix_function"}
    return program if known and products and not compared else None


@cache
def algebraic_programs(count: int) -> list[tuple[int, Program]]:
    found = ((seed, algebraic_program(seed)) for seed in range(100000))
    result = []
    for seed, program in found:
        if program is not None and len(program.nodes) > 3:
            result.append((seed, program))
        if len(result) == count:
            break
    return result


def encoded(system: ModularSystem, inputs: dict[str, np.ndarray]) -> dict[str, Residues]:
    return {name: system.fractions(list(x.flat), x.shape) for name, x in inputs.items()}


def test_algebra_is_that_of_exact_numbers() -> None:
    system = ModularSystem(5, channels=2)
    seen: set[str] = set()
    for seed, program in algebraic_programs(120):
        sizes = {"n": seed % 3 + 1, "d": seed % 2 + 1}
        inputs = random_inputs(seed, sizes)
        expected = evaluate_exact(program, inputs, sizes)
        try:
            result = system.integers(evaluate_modular(program, encoded(system, inputs), sizes, system))
        except Undefined:
            continue
        for field, part in zip(system.fields, result, strict=True):
            for got, want in zip(part.flat, expected.flat, strict=True):
                assert want is not UNDEFINED
                q = want.to_fraction()
                assert int(got) == q.numerator * pow(q.denominator, -1, field.p) % field.p
        seen |= operations_used(program)
    assert seen >= (ALGEBRA | LEAVES | {"reduce"})


@given(seed=SEEDS)
@settings(max_examples=examples(200))
def test_every_operation_has_a_value(seed: int) -> None:
    program, sizes = random_program(seed), {"n": 2, "d": 3}
    system = ModularSystem(seed, channels=2)
    inputs = {"X": system.random((2, 3)), "v": system.random((2,))}
    try:
        first = evaluate_modular(program, inputs, sizes, system)
    except Undefined:
        return
    assert first.shape == tuple(s.value(sizes) for s in program.shape)
    assert system.are_equal(first, evaluate_modular(program, inputs, sizes, system))
    bound = analyse(program, sizes)
    assert bound.output.top >= 0 and bound.calls >= 0


def test_everything_is_covered() -> None:
    wanted = {*OPERATIONS} - {"eigenvectors"} | {f"map:{fn}" for fn in FUNCTIONS}
    wanted |= {f"matrix:{fn}" for fn in ops.MATRIX_FUNCTIONS}
    system = ModularSystem(0, channels=2)
    seen: set[str] = set()
    for seed in range(1500):
        program, sizes = random_program(seed), {"n": 2, "d": 2}
        if operations_used(program) <= seen:
            continue
        try:
            evaluate_modular(program, {"X": system.random((2, 2)), "v": system.random((2,))}, sizes, system)
        except Undefined:
            continue
        analyse(program, sizes)
        seen |= operations_used(program)
        if seen >= wanted:
            break
    assert seen >= wanted
    assert set(FUNCTIONS) >= ALGEBRAIC == set(modular._RULES)


# ----------------------------------------------------------------------- identities that must be found
Make = Callable[[Builder, int], int]


def softmax(b: Builder, x: int) -> int:
    e = b.map("exp", [b.sub(x, b.expand(b.reduce("max", x, [1]), 1))])
    return b.div(e, b.expand(b.sum(e, [1]), 1))


FUNCTIONS_OF_ROWS: dict[str, Make] = {
    "softmax attention": lambda b, x: b.matmul(softmax(b, b.matmul(x, b.transpose(x))), x),
    "relu": lambda b, x: b.map("maximum", [x, b.const(0)]),
    "layer norm": lambda b, x: b.div(
        b.sub(x, b.expand(b.mean(x, [1]), 1)), b.expand(b.map("sqrt", [b.sum(b.mul(x, x), [1])]), 1)
    ),
    "mask": lambda b, x: b.mul(x, b.map("gt", [x, b.const(0)])),
    "select": lambda b, x: b.select(b.map("lt", [x, b.const(1)]), b.map("log", [x]), x),
    "centred": lambda b, x: b.sub(x, b.broadcast_to(b.reduce("min", x, [0]), b.shape(x))),
    "inverse": lambda b, x: b.matmul(x, b.inv(b.matmul(b.transpose(x), x))),
    "kernel": lambda b, x: b.map("mod", [b.matmul(x, b.transpose(x)), b.const(3)]),
}
INVARIANT: dict[str, Make] = {
    "max": lambda b, x: b.reduce("max", x, [0]), "sort": lambda b, x: b.sort(x, 0),
    "prod": lambda b, x: b.reduce("prod", x, [0]), "det": lambda b, x: b.det(b.matmul(b.transpose(x), x)),
    "pool": lambda b, x: b.map("tanh", [b.sum(b.map("sin", [x]), [0])]),
}  # fmt: skip
NOT_EQUIVARIANT: dict[str, Make] = {
    "iota": lambda b, x: b.add([x, b.expand(b.iota("n"), 1)]),
    "roll": lambda b, x: b.roll(x, 0, 1),
    "causal": lambda b, x: b.matmul(b.tri("n", "n"), x),
    "flip": lambda b, x: b.map("maximum", [x, b.mul(b.const(2), b.flip(x, 0))]),
}


def _permuted(make: Make, seed: int) -> tuple[Residues, Residues, np.ndarray, ModularSystem]:
    b = Builder()
    program = b.program(make(b, b.input("X", ["n", "d"])))
    system = ModularSystem(seed)
    x = system.random((5, 2))
    order = np.array([2, 0, 1, 4, 3])
    moved = Residues(tuple(part[order] for part in x.parts))
    left, right = (evaluate_modular(program, {"X": z}, {"n": 5, "d": 2}, system) for z in (moved, x))
    return left, right, order, system


@pytest.mark.parametrize("name", FUNCTIONS_OF_ROWS)
def test_equivariance_is_seen(name: str) -> None:
    left, right, order, system = _permuted(FUNCTIONS_OF_ROWS[name], 3)
    axes = (order[:, None], order[None, :]) if name == "kernel" else (order,)
    assert system.are_equal(left, Residues(tuple(part[axes] for part in right.parts)))
    assert not system.are_equal(left, right)


@pytest.mark.parametrize("name", INVARIANT)
def test_invariance_is_seen(name: str) -> None:
    left, right, _, system = _permuted(INVARIANT[name], 4)
    assert system.are_equal(left, right)


@pytest.mark.parametrize("name", NOT_EQUIVARIANT)
def test_its_absence_is_seen(name: str) -> None:
    left, right, order, system = _permuted(NOT_EQUIVARIANT[name], 5)
    assert not system.are_equal(left, Residues(tuple(part[order] for part in right.parts)))


#: Both sides of what the docstring of `modular` says is kept; each must also hold over the reals.
KEPT: dict[str, tuple[Callable[[Builder, int, int], int], Callable[[Builder, int, int], int]]] = {
    "abs": (lambda b, x, y: b.map("abs", [x]), lambda b, x, y: b.mul(x, b.map("sign", [x]))),
    "abs even": (lambda b, x, y: b.map("abs", [b.neg(x)]), lambda b, x, y: b.map("abs", [x])),
    "max symmetric": (lambda b, x, y: b.map("maximum", [x, y]), lambda b, x, y: b.map("maximum", [y, x])),
    "max plus min": (lambda b, x, y: b.add([b.map("maximum", [x, y]), b.map("minimum", [x, y])]),
                     lambda b, x, y: b.add([x, y])),
    "min is -max": (lambda b, x, y: b.map("minimum", [x, y]),
                    lambda b, x, y: b.neg(b.map("maximum", [b.neg(x), b.neg(y)]))),
    "gt": (lambda b, x, y: b.map("gt", [x, y]), lambda b, x, y: b.map("lt", [y, x])),
    "le": (lambda b, x, y: b.map("le", [x, y]), lambda b, x, y: b.sub(b.const(1), b.map("gt", [x, y]))),
    "ge": (lambda b, x, y: b.map("ge", [x, y]), lambda b, x, y: b.map("le", [y, x])),
    "eq": (lambda b, x, y: b.map("eq", [x, y]), lambda b, x, y: b.sub(b.const(1), b.map("ne", [y, x]))),
    "not": (lambda b, x, y: b.map("not", [x]), lambda b, x, y: b.map("eq", [x, b.const(0)])),
    "and": (lambda b, x, y: b.map("and", [x, y]), lambda b, x, y: b.mul(b.map("ne", [x, b.const(0)]),
                                                                        b.map("ne", [y, b.const(0)]))),
    "or": (lambda b, x, y: b.map("or", [x, y]),
           lambda b, x, y: b.sub(b.const(1), b.mul(b.map("not", [x]), b.map("not", [y])))),
    "where": (lambda b, x, y: b.select(x, y, x),
              lambda b, x, y: b.add([b.mul(b.map("not", [x]), x), b.mul(b.map("ne", [x, b.const(0)]), y)])),
    "ceil": (lambda b, x, y: b.map("ceil", [x]), lambda b, x, y: b.neg(b.map("floor", [b.neg(x)]))),
    "mod": (lambda b, x, y: b.map("mod", [x, y]),
            lambda b, x, y: b.sub(x, b.mul(y, b.map("floor", [b.div(x, y)])))),
    "odd": (lambda b, x, y: b.map("rint", [b.neg(x)]), lambda b, x, y: b.neg(b.map("rint", [x]))),
    "max shifts": (lambda b, x, y: b.reduce("max", b.add([x, b.slice(y, 0, 0, 1)]), [0]),
                   lambda b, x, y: b.add([b.reduce("max", x, [0]), b.sum(b.slice(y, 0, 0, 1), [0])])),
    "min of -x": (lambda b, x, y: b.reduce("min", b.neg(x), [0]),
                  lambda b, x, y: b.neg(b.reduce("max", x, [0]))),
    "sort shifts": (lambda b, x, y: b.sort(b.add([x, b.const(2)]), 0),
                    lambda b, x, y: b.add([b.sort(x, 0), b.const(2)])),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_what_is_kept_is_kept_and_true(name: str) -> None:
    b = Builder()
    x, y = b.input("x", ["n"]), b.input("y", ["n"])
    programs = [b.program(make(b, x, y)) for make in KEPT[name]]
    system = ModularSystem(11)
    inputs = {"x": system.random((4,)), "y": system.random((4,))}
    assert system.are_equal(*(evaluate_modular(p, inputs, {"n": 4}, system) for p in programs))
    rng = random.Random(0)
    for _ in range(60):
        reals = {k: np.array([Fraction(rng.randint(-4, 4), 2) for _ in range(3)], dtype=object) for k in "xy"}
        left, right = (evaluate_exact(p, reals).ravel().tolist() for p in programs)
        for u, v in zip(left, right, strict=True):
            assert u is v if u is UNDEFINED or v is UNDEFINED else u == v


def test_different_functions_differ() -> None:
    system = ModularSystem(1)
    x = system.random((3,))
    values = {fn: system.apply(fn, [x]) for fn, row in FUNCTIONS.items() if row.arity == 1}
    seen = {int(v.parts[0][0]) for v in values.values()}
    assert len(seen) == len(values)
    assert set(FUNCTIONS)


def test_a_vanishing_denominator_is_said() -> None:
    b = Builder()
    x = b.input("x", [])
    program = b.program(b.map("recip", [b.sub(x, x)]))
    system = ModularSystem(1)
    with pytest.raises(Undefined):
        evaluate_modular(program, {"x": system.random(())}, {}, system)


def test_opaque_with_symmetry_is_refused() -> None:
    b = Builder()
    program = b.program(b.opaque("f", [b.input("x", ["n"])], ["n"], {"group": []}))
    system = ModularSystem(1)
    with pytest.raises(EqvproofError, match="symmetry"):
        evaluate_modular(program, {"x": system.random((2,))}, {}, system)


# ------------------------------------------------------------------------------------------ degrees
def _fits(points: list[int], values: list[int], top: int, bottom: int, p: int) -> bool:
    """Whether some P/Q, not both zero, of these degrees has the values: P(t) = y Q(t) at all points."""
    rows = [[pow(t, k, p) for k in range(top + 1)] + [-y * pow(t, k, p) % p for k in range(bottom + 1)]
            for t, y in zip(points, values, strict=True)]  # fmt: skip
    matrix = flint.nmod_mat(len(rows), top + bottom + 2, [x for row in rows for x in row], p)
    return bool(matrix.rank() < top + bottom + 2)


def _along_a_line(
    program: Program, sizes: dict[str, int], count: int
) -> tuple[list[int], list[list[int]], int]:
    """Values of the first entries at inputs a + t b, for t = 1, 2, ..."""
    system = ModularSystem(2, channels=1)
    p = system.fields[0].p
    shapes = {"X": (sizes["n"], sizes["d"]), "v": (sizes["n"],)}
    a, b = ({k: system.random(s) for k, s in shapes.items()} for _ in range(2))
    points, values = list(range(1, count + 1)), []
    for t in points:
        at = {k: system.add([a[k], system.scale(b[k], Fraction(t))]) for k in shapes}
        part = system.integers(evaluate_modular(program, at, sizes, system))[0]
        values.append([int(x) for x in part.flat])
    return points, values, p


def test_degree_bounds_hold(some: Any) -> None:
    tight = checked = 0
    programs = some(algebraic_programs(250), 60)
    for seed, program in programs:
        sizes = {"n": seed % 2 + 1, "d": 2}
        bound = analyse(program, sizes).output
        if bound.top + bound.bottom > 40:
            continue
        count = bound.top + bound.bottom + 6
        try:
            points, values, p = _along_a_line(program, sizes, count)
        except Undefined:
            continue
        for k in range(min(4, len(values[0]))):
            line = [row[k] for row in values]
            assert _fits(points, line, bound.top, bound.bottom, p), seed
            checked += 1
            if bound.top and any(line):
                tight += not _fits(points, line, bound.top - 1, bound.bottom, p)
    assert checked > 0.8 * len(programs) and tight > 0.2 * len(programs)


def test_coefficient_bounds_hold(some: Any) -> None:
    """At inputs that are variables set to integers up to B, |N| <= length(N) B^degree: seen in the values."""
    checked = 0
    programs = some(algebraic_programs(250), 125)
    for seed, program in programs:
        sizes = {"n": seed % 2 + 1, "d": 2}
        bound = analyse(program, sizes).output
        rng = random.Random(seed)
        inputs = {"X": (sizes["n"], 2), "v": (sizes["n"],)}
        reals = {
            k: np.array([Fraction(rng.randint(-9, 9)) for _ in np.ndindex(*s)], dtype=object).reshape(s)
            for k, s in inputs.items()
        }
        for x in evaluate_exact(program, reals, sizes).flat:
            if x is UNDEFINED or bound.top + bound.bottom > 60:
                continue
            q = x.to_fraction()
            largest = np.log2(9)
            assert np.log2(max(abs(q.numerator), 1)) <= bound.top_bits + bound.top * largest + 1e-6
            below = bound.bottom_bits + bound.bottom * largest + bound.common_bits
            assert np.log2(q.denominator) <= below + 1e-6
            checked += 1
    assert checked > 0.8 * len(programs)


def test_bounds_of_known_functions() -> None:
    b = Builder()
    x = b.input("X", ["n", "d"])
    sizes = {"n": 4, "d": 3}
    gram = b.matmul(x, b.transpose(x))
    assert analyse(b.program(gram), sizes).output == Bound(top=2, top_bits=np.log2(3))
    cube = analyse(b.program(b.matmul(gram, x)), sizes).output
    assert (cube.top, cube.bottom) == (3, 0)
    inverse = analyse(b.program(b.inv(gram)), sizes).output
    assert (inverse.top, inverse.bottom) == (6, 8)
    tanh = analyse(b.program(b.map("tanh", [gram])), sizes)
    assert tanh.output == Bound(top=1) and tanh.calls == 16 and tanh.arguments.top == 2


def attention(heads: int, width: int) -> Program:
    b = Builder()
    x = b.input("X", ["n", "d"])
    results = []
    for h in range(heads):
        q, k, v = (b.input(f"{name}{h}", ["d", width]) for name in "QKV")
        scores = b.matmul(b.matmul(x, q), b.transpose(b.matmul(x, k)))
        results.append(b.matmul(softmax(b, scores), b.matmul(x, v)))
    return b.program(b.concat(results, 1))


def test_attention() -> None:
    program, sizes = attention(heads=2, width=4), {"n": 96, "d": 8}
    system = ModularSystem(0)
    inputs = {name: system.random(tuple(s.value(sizes) for s in shape)) for name, shape in program.inputs}
    result = evaluate_modular(program, inputs, sizes, system)
    order = np.random.default_rng(0).permutation(96)
    moved = {**inputs, "X": Residues(tuple(part[order] for part in inputs["X"].parts))}
    again = evaluate_modular(program, moved, sizes, system)
    assert system.are_equal(again, Residues(tuple(part[order] for part in result.parts)))


def test_three_channels_are_enough_at_scale() -> None:
    """Four heads, n = 512, d = 64: one point of three channels is wrong with probability below 2^-100."""
    analysis = analyse(attention(heads=4, width=16), {"n": 512, "d": 64})
    assert log2_error(analysis, analysis, channels=3) < -100


def test_error_bound_falls_with_channels() -> None:
    b = Builder()
    x = b.input("X", ["n", "n"])
    analysis = analyse(b.program(b.map("exp", [b.matmul(x, x)])), {"n": 8})
    errors = [log2_error(analysis, analysis, k) for k in (1, 2, 3)]
    assert errors[0] > errors[1] > errors[2]
    assert errors[2] < -120
    assert log2_error(analyse(b.program(x), {"n": 8}), analyse(b.program(x), {"n": 8}), 1) < -50


def test_inputs_are_any() -> None:
    value: Any = analyse(_square(), {"n": 2}, {"X": Bound(top=3, bottom=2)}).output
    assert (value.top, value.bottom) == (2 * 3 + 2 * 1 * 2, 8)


def _square() -> Program:
    b = Builder()
    x = b.input("X", ["n", "n"])
    return b.program(b.matmul(x, x))
