"""Translations and multiples: proofs of random programs at exact points, near misses, mutants, the kernel."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines import translated_forms
from eqvproof.engines.linear_types import Gap, Proof, infer_equivariance
from eqvproof.programs import Builder, Program, Size
from eqvproof.programs import operations as ops
from eqvproof.programs.operations import add, concat, einsum, read, reduce, select, sort
from eqvproof.programs.rules import characters, sums
from eqvproof.support.errors import ExportError
from tests.engines.programs import random_program, run
from tests.programs.rules.reference import equal, stand_in, tensor
from tests.sampling import examples
from tests.with_program import sealed_proof

OUTPUTS = {1: ["d", "d!", "n", "k", "()"], 2: ["d n", "d! n", "n n", "d d!", "n k", "d k", "d! d!"]}


def claims(program: Program) -> list[str]:
    """Signatures whose output has the program's shape, with and without its axis d marked."""
    names = [str(s) for s in program.shape]
    if any(n not in ("d", "n", "k") for n in names):
        return []
    free = " ".join(n + "!" if n == "d" else n for n in names) or "()"
    texts = {free}
    for i, n in enumerate(names):
        if n == "d":
            texts.add(" ".join("d" if j == i else m + "!" if m == "d" else m for j, m in enumerate(names)))
    return [f"X: d n, Z: {z} k -> {t}" for t in sorted(texts) for z in ("d", "d!")]


def found(seed: int, under: str) -> list[tuple[Program, str]]:
    """The claims proved of one random program."""
    rng = random.Random(seed)
    program = random_program(rng, rng.randint(1, 10))
    if {name for name, _ in program.inputs} != {"X", "Z"}:
        return []
    good = []
    for text in claims(program):
        signature = parse_signature(text)
        if isinstance(infer_equivariance(program, signature, parse_group(under, signature), {}), Proof):
            good.append((program, text))
    return good


def exact(fn: str, args: Any) -> Any:
    """The true functions, as far as they are rational; the rest by the reference's stand-ins."""
    if any(a is None for a in args) or fn not in TRUE:
        return stand_in(fn, args)
    return Fraction(TRUE[fn](*args))


TRUE: dict[str, Any] = {
    "abs": abs, "sign": lambda x: (x > 0) - (x < 0), "not": lambda x: x == 0, "maximum": max, "minimum": min,
    "lt": lambda x, y: x < y, "gt": lambda x, y: x > y,
}  # fmt: skip


def violation(program: Program, text: str, under: str, rng: random.Random) -> bool:
    """Whether an exact random point contradicts the claim."""
    sizes = {"d": rng.randint(1, 2), "n": rng.randint(1, 3), "k": rng.randint(1, 2)}
    if any(s.value(sizes) > 9 for node in program.nodes for s in node.shape):
        return False
    signature = parse_signature(text)
    inputs = {
        name: tensor(
            (sizes["d"], sizes[o]), [Fraction(rng.randint(-2, 2)) for _ in range(sizes["d"] * sizes[o])]
        )
        for name, o in (("X", "n"), ("Z", "k"))
    }
    t = [Fraction(rng.randint(-3, 3)) for _ in range(sizes["d"])]
    c = Fraction(rng.randint(1, 5), rng.randint(1, 5)) ** 6  # a sixth power, so that roots stay rational
    moved = {n: move(inputs[n], signature.argument(n).axes, under, t, c) for n in inputs}
    with mock.patch("tests.programs.rules.reference.stand_in", exact):
        left, right = run(program, moved, sizes), run(program, inputs, sizes)
    return not equal(left, move(right, signature.output, under, t, c))


def move(value: Any, axes: Any, under: str, t: list[Fraction], c: Fraction) -> Any:
    """What the claim says of a value, written out."""
    result = value.copy()
    for i, axis in enumerate(axes):
        if str(axis) != "d":
            continue
        for index in np.ndindex(value.shape):
            if result[index] is not None:
                result[index] = result[index] + t[index[i]] if under == "T(d)" else result[index] * c
    return result


@pytest.mark.parametrize("under", ["T(d)", "Scale(d)"])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(250))
def test_no_proved_claim_has_a_counterexample(under: str, seed: int) -> None:
    rng = random.Random(seed)
    for program, text in found(seed, under):
        if under == "Scale(d)" and any(
            getattr(n, "fn", "") in ("sqrt", "cbrt", "pow") for n in program.nodes
        ):
            continue  # the stand-ins of the reference evaluation are not homogeneous; see the test below
        for _ in range(3):
            assert not violation(program, text, under, rng), (under, text, program.to_json())


@pytest.mark.parametrize("under", ["T(d)", "Scale(d)"])
def test_the_fuzz_proves_something(under: str) -> None:
    assert sum(bool(found(seed, under)) for seed in range(150)) > 20


@pytest.fixture(autouse=True)
def types_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What normal forms show is not asked here."""
    monkeypatch.setattr(translated_forms, "translated_forms", lambda *_: "not asked")


Make = Callable[[Builder, int, int], int]


def softmax(b: Builder, a: int, axis: int) -> int:
    e = b.map("exp", [a])
    return b.div(e, b.expand(b.sum(e, [axis]), axis))


def gram(b: Builder, z: int) -> int:
    return b.matmul(z, b.transpose(z))


def masses(b: Builder, h: int) -> int:
    return b.sum(b.map("exp", [h]), [1])


def weighted(b: Builder, w: int, x: int, total: int) -> int:
    """sum_i w_i x_i / total, one product."""
    return b.einsum([w, b.map("recip", [total]), x], [[0], [], [0, 1]], [1])


def weighted_rows(b: Builder, w: int, x: int, axis: int) -> int:
    """sum_j w_ij x_j / sum_j w_ij (or sum_i), one product."""
    inverse = b.map("recip", [b.sum(w, [axis])])
    return b.einsum([w, inverse, x], [[0, 1], [1 - axis], [1, 2]], [0, 2])


def cubed(b: Builder, x: int) -> int:
    """x^3, a product over an axis of size 3."""
    return b.reduce("prod", b.concat([b.expand(x, 2)] * 3, 2), [2])


def condition(b: Builder, h: int) -> int:
    """Something invariant that is true or false, of the shape n 1."""
    return b.expand(b.map("gt", [b.sum(h, [1]), b.const(0)]), 1)


def chosen(b: Builder, h: int, one: int, other: int) -> int:
    """One or the other, row by row."""
    return b.select(b.broadcast_to(condition(b, h), b.shape(one)), one, other)


def over_total(b: Builder, h: int, total: int) -> int:
    """e / total with e = exp(h h^T), the total with one more axis, of which a sum is taken."""
    e = b.map("exp", [gram(b, h)])
    return b.einsum([e, b.map("recip", [total])], [[0, 1], [0, 2]], [0, 1])


def row_sums(b: Builder, h: int) -> int:
    return b.sum(b.map("exp", [gram(b, h)]), [1])


def column_sums(b: Builder, h: int) -> int:
    """The sums of columns, with an axis of size 1 behind."""
    return b.einsum([b.map("exp", [gram(b, h)])], [[0, 1]], [1, 2], {2: Size.of(1)})


def of_two(b: Builder) -> int:
    """1 times n, as a product of two scalars."""
    return b.einsum([b.const(1), b.size("n")], [[], []], [])


def times_column(b: Builder, h: int) -> int:
    """The sums of rows, multiplied by something else, with an axis of size 1 behind."""
    return b.einsum([row_sums(b, h), b.expand(masses(b, h), 1)], [[0], [0, 1]], [0, 1])


def shares(b: Builder, h: int) -> int:
    """Weights n k n that sum to 1 along the last axis."""
    e = b.map("exp", [b.einsum([h, h], [[0, 1], [2, 1]], [0, 1, 2])])
    return b.einsum([e, b.map("recip", [b.sum(e, [2])])], [[0, 1, 2], [0, 1]], [0, 1, 2])


def all_shares(b: Builder, h: int) -> int:
    """As many weights that sum to 1 as k says, added up."""
    e = b.map("exp", [b.einsum([h, h], [[0, 1], [2, 1]], [0, 1, 2])])
    return b.einsum([e, b.map("recip", [b.sum(e, [2])])], [[0, 1, 2], [0, 1]], [0, 2])


def halves(b: Builder, u: int) -> int:
    """(u_i + u_j) / 2."""
    both = [b.broadcast_to(b.expand(u, axis), ["d", "d"]) for axis in (0, 1)]
    return b.mul(b.const(Fraction(1, 2)), b.add(both))


def mixing(b: Builder, h: int, axis: int = 1) -> int:
    """A matrix whose rows (or columns) sum to 1."""
    return softmax(b, gram(b, h), axis)


def masked(b: Builder, h: int, x: int, axis: int = 1) -> int:
    """(W X) / W.sum(axis), sums of positive weights."""
    w = b.map("exp", [gram(b, h)])
    return b.div(b.matmul(w, x), b.broadcast_to(b.expand(b.sum(w, [axis]), 1), b.shape(x)))


def products(b: Builder, h: int, x: int, axis: int = 1) -> int:
    """The same, the products first."""
    w = b.map("exp", [gram(b, h)])
    each = b.einsum([w, x], [[0, 1], [1, 2]], [0, 1, 2])
    return b.div(b.sum(each, [1]), b.broadcast_to(b.expand(b.sum(w, [axis]), 1), b.shape(x)))


def lazy(b: Builder, h: int, share: Fraction) -> int:
    """share A + (1 - share) I."""
    return b.add([b.mul(b.const(share), mixing(b, h)), b.mul(b.const(1 - share), b.eye("n"))])


def both(b: Builder, x: int) -> int:
    """The mean and the maximum of the points."""
    return b.concat([b.expand(b.mean(x, [0]), 0), b.expand(b.reduce("max", x, [0]), 0)], 0)


THIRDS = [[Fraction(1, 3), Fraction(2, 3)], [Fraction(-1), Fraction(2)]]
LAZY = Fraction(1, 3)
N = Size.of("n")
HOLDS: list[tuple[str, str, Make]] = [
    ("T(d)", "n d", lambda b, x, h: b.matmul(softmax(b, gram(b, h), 1), x)),
    ("T(d)", "d", lambda b, x, h: b.mean(x, [0])),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.eye("n"), x)),
    ("T(d)", "d", lambda b, x, h: b.reduce("max", x, [0])),
    ("T(d)", "n d!", lambda b, x, h: b.sub(x, b.expand(b.mean(x, [0]), 0))),
    ("T(d)", "d", lambda b, x, h: b.div(b.sum(x, [0]), b.size("n"))),
    ("Scale(d)", "n", lambda b, x, h: b.map("sqrt", [b.sum(b.power(x, 2), [1])])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("maximum", [x, b.const(0)])),
    ("Scale(d)", "n d!", lambda b, x, h: b.map("sign", [x])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("cbrt", [cubed(b, x)])),
    ("Scale(d)", "n d", lambda b, x, h: b.div(cubed(b, x), b.mul(x, x))),
    ("Scale(d)", "d!", lambda b, x, h: b.reduce("prod", b.map("sign", [x]), [0])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("pow", [b.map("sqrt", [b.map("abs", [x])]), b.const(2)])),
    ("T(d)", "d", lambda b, x, h: weighted(b, masses(b, h), x, b.sum(masses(b, h), [0]))),
    ("T(d)", "n d", lambda b, x, h: weighted_rows(b, b.map("exp", [gram(b, h)]), x, 1)),
    ("T(d)", "n d", lambda b, x, h: chosen(b, h, x, b.add([x, b.mul(b.const(0), x)]))),
    ("T(d)", "2n d", lambda b, x, h: b.concat([x, x], 0)),
    ("T(d)", "2n d", lambda b, x, h: b.matmul(b.concat([b.eye("n"), softmax(b, gram(b, h), 1)], 0), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.roll(b.flip(softmax(b, gram(b, h), 1), 0), 0, 1), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(over_total(b, h, b.expand(row_sums(b, h), 1)), x)),
    ("T(d)", "n k d", lambda b, x, h: b.einsum([shares(b, h), x], [[0, 1, 2], [2, 3]], [0, 1, 3])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("pow", [b.map("abs", [x]), b.const(1)])),
    ("Scale(d)", "d!", lambda b, x, h: b.div(b.reduce("prod", x, [0]), b.reduce("prod", b.neg(x), [0]))),
    (
        "Scale(d)",
        "d",
        lambda b, x, h: b.map(
            "pow", [b.reduce("prod", b.map("abs", [x]), [0]), b.map("recip", [b.size("n")])]
        ),
    ),
    (
        "Scale(d)",
        "d",
        lambda b, x, h: b.div(
            b.reduce("prod", b.map("sqrt", [b.map("abs", [b.concat([x, x], 0)])]), [0]),
            b.reduce("prod", b.slice(x, 0, 1, N - 1), [0]),
        ),
    ),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.matmul(mixing(b, h), mixing(b, h)), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.matmul(b.matmul(*[mixing(b, h)] * 2), mixing(b, h)), x)),
    (
        "T(d)",
        "n d",
        lambda b, x, h: b.mul(b.const(Fraction(1, 2)), b.matmul(b.add([mixing(b, h), b.eye("n")]), x)),
    ),
    ("T(d)", "n d", lambda b, x, h: b.matmul(lazy(b, h, LAZY), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.matmul(lazy(b, h, LAZY), mixing(b, h)), x)),
    ("T(d)", "n d", lambda b, x, h: masked(b, h, x)),
    ("T(d)", "n d", lambda b, x, h: products(b, h, x)),
    ("T(d)", "n d!", lambda b, x, h: b.sub(x, masked(b, h, x))),
    ("T(d)", "n d!", lambda b, x, h: b.sub(masked(b, h, x), products(b, h, x))),
    ("T(d)", "n d!", lambda b, x, h: b.sub(*[b.matmul(b.map("exp", [gram(b, h)]), x)] * 2)),
    ("T(d)", "2 d", lambda b, x, h: b.matmul(b.const(THIRDS), both(b, x))),
    ("T(d)", "d", lambda b, x, h: b.mean(b.matmul(mixing(b, h), masked(b, h, x)), [0])),
]
NEAR_MISSES: list[tuple[str, str, Make]] = [
    ("T(d)", "n d", lambda b, x, h: b.matmul(softmax(b, gram(b, h), 0), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.map("exp", [gram(b, h)]), x)),
    ("T(d)", "d", lambda b, x, h: b.sum(x, [0])),
    ("T(d)", "d", lambda b, x, h: weighted(b, masses(b, h), x, b.sum(h))),
    ("T(d)", "d", lambda b, x, h: weighted(b, masses(b, h), x, b.sum(b.power(masses(b, h), 2), [0]))),
    ("T(d)", "n d", lambda b, x, h: weighted_rows(b, b.map("exp", [gram(b, h)]), x, 0)),
    ("T(d)", "n d", lambda b, x, h: b.mul(b.const(2), x)),
    ("T(d)", "n d!", lambda b, x, h: b.mul(x, x)),
    ("T(d)", "n", lambda b, x, h: b.reduce("max", x, [1])),
    ("T(d)", "n d", lambda b, x, h: b.flip(x, 1)),
    ("T(d)", "n d", lambda b, x, h: b.map("maximum", [x, b.const(0)])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("maximum", [x, b.const(1)])),
    ("Scale(d)", "n d", lambda b, x, h: b.mul(x, x)),
    ("Scale(d)", "n d", lambda b, x, h: b.add([x, b.const(1)])),
    ("Scale(d)", "n", lambda b, x, h: b.sum(b.power(x, 2), [1])),
    ("Scale(d)", "n d!", lambda b, x, h: b.map("tanh", [x])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("recip", [x])),
    ("Scale(d)", "n d", lambda b, x, h: cubed(b, x)),
    ("Scale(d)", "n d", lambda b, x, h: b.div(cubed(b, x), x)),
    ("Scale(d)", "d", lambda b, x, h: b.reduce("prod", x, [0])),
    ("Scale(d)", "d!", lambda b, x, h: b.reduce("prod", x, [0])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("pow", [b.map("abs", [x]), b.const(2)])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("pow", [b.const(2), x])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("pow", [b.map("abs", [x]), x])),
    ("T(d)", "n d", lambda b, x, h: b.select(x, x, x)),
    ("T(d)", "n d", lambda b, x, h: b.select(b.map("gt", [x, b.const(0)]), x, b.mul(b.const(2), x))),
    ("T(d)", "n d", lambda b, x, h: chosen(b, h, x, b.mul(b.const(2), x))),
    ("T(d)", "n d", lambda b, x, h: chosen(b, h, x, b.sub(x, x))),
    ("T(d)", "2n d", lambda b, x, h: b.concat([x, b.mul(b.const(2), x)], 0)),
    ("T(d)", "n 2d", lambda b, x, h: b.concat([x, x], 1)),
    ("T(d)", "2n d", lambda b, x, h: b.matmul(b.concat([b.eye("n"), gram(b, h)], 0), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(over_total(b, h, times_column(b, h)), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(
        over_total(b, h, b.broadcast_to(b.expand(row_sums(b, h), 1), ["n", "k"])), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.sum(b.flip(shares(b, h), 0), [1]), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(
        over_total(b, h, b.map("abs", [b.expand(row_sums(b, h), 1)])), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(over_total(b, h, column_sums(b, h)), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(all_shares(b, h), x)),
    ("T(d)", "n", lambda b, x, h: b.sum(x, [1])),
    ("T(d)", "d d!", lambda b, x, h: halves(b, b.mean(x, [0]))),
    ("T(d)", "d! d", lambda b, x, h: halves(b, b.mean(x, [0]))),
    ("Scale(d)", "2 d", lambda b, x, h: b.add([
        b.broadcast_to(b.sum(x, [0]), [2, "d"]), b.broadcast_to(b.const([[0], [1]]), [2, "d"])])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("pow", [b.map("abs", [x]), of_two(b)])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("pow", [b.map("abs", [x]), b.sum(b.const([1, 1]))])),
    ("Scale(d)", "n d", lambda b, x, h: b.map("pow", [b.map("abs", [x]), b.map("cos", [b.sum(h)])])),
    ("Scale(d)", "d!", lambda b, x, h: b.div(
        b.reduce("prod", x, [0]), b.reduce("prod", b.slice(x, 0, 1, N - 1), [0]))),
    ("Scale(d)", "d", lambda b, x, h: b.map("pow", [
        b.reduce("prod", b.map("abs", [x]), [0]), b.map("recip", [b.size("k")])])),
    ("Scale(d)", "d", lambda b, x, h: b.map("pow", [b.map("abs", [b.sum(x, [0])]), b.size("n")])),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.matmul(b.transpose(mixing(b, h)), mixing(b, h)), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.matmul(mixing(b, h, 0), mixing(b, h)), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.add([mixing(b, h), b.eye("n")]), x)),
    ("T(d)", "n d", lambda b, x, h: b.matmul(b.mul(mixing(b, h), mixing(b, h)), x)),
    ("T(d)", "n d", lambda b, x, h: masked(b, h, x, 0)),
    ("T(d)", "n d", lambda b, x, h: products(b, h, x, 0)),
    ("T(d)", "n d", lambda b, x, h: b.mul(b.const(2), masked(b, h, x))),
    ("T(d)", "n d!", lambda b, x, h: b.sub(
        b.matmul(b.map("exp", [gram(b, h)]), x), b.matmul(b.map("abs", [gram(b, h)]), x))),
    ("T(d)", "n d!", lambda b, x, h: b.add([b.matmul(gram(b, h), x), b.matmul(gram(b, h), x)])),
    ("T(d)", "2 d", lambda b, x, h: b.matmul(b.const([*THIRDS[:1], [Fraction(1)] * 2]), both(b, x))),
    ("T(d)", "n d", lambda b, x, h: b.reduce("max", b.einsum(
        [mixing(b, h), x], [[0, 1], [1, 2]], [0, 1, 2]), [1])),
    ("T(d)", "d", lambda b, x, h: b.sum(b.matmul(mixing(b, h), x), [0])),
]  # fmt: skip


def build(make: Make, under: str, output: str) -> tuple[Program, str, Any]:
    b = Builder()
    x, h = b.input("X", ["n", "d"]), b.input("H", ["n", "k"])
    program = b.program(b.add([make(b, x, h), b.mul(b.const(0), b.sum(h))]))
    text = f"X: n d, H: n k -> {output.replace('n d', 'n d')}"
    if under == "Scale(d)" and output == "n":
        text = "X: n d, H: n k -> n"
    signature = parse_signature(text)
    return program, text, infer_equivariance(program, signature, parse_group(under, signature), {})


@pytest.mark.parametrize(("under", "output", "make"), HOLDS[:6] + HOLDS[7:])
def test_proved(under: str, output: str, make: Make) -> None:
    program, text, result = build(make, under, output)
    assert isinstance(result, Proof), result
    assert check(program, text, under, result.to_json()).accepted


def test_a_norm_has_degree_one_and_is_no_invariant() -> None:
    under, output, make = HOLDS[6]
    assert isinstance(build(make, under, output)[2], Gap)


@pytest.mark.parametrize(("under", "output", "make"), NEAR_MISSES)
def test_near_misses_are_not_proved(under: str, output: str, make: Make) -> None:
    assert isinstance(build(make, under, output)[2], Gap)


def check(program: Program, text: str, under: str, evidence: Any) -> Any:
    """The kernel's report."""
    from eqvproof.kernel import check_certificate

    signature = parse_signature(text)
    claim = {
        "kind": "equivariance", **signature.to_json(), "group": parse_group(under, signature).to_json(),
        "scope": dict.fromkeys(signature.names, "all"),
    }  # fmt: skip
    return check_certificate(sealed_proof(claim, program.to_json(), evidence))


def first_known(*args: Any) -> Any:
    """The first argument of which something is known."""
    return next((a for a in args[-1] if a is not None), None)


ONE_EACH = (sums.ONE, sums.ONE)
MUTANTS: list[tuple[list[Any], str, Any]] = [
    ([concat, read, reduce, sort], "require_other_axis", lambda move, *_: move),
    ([ops.Add], "translated", lambda self, args, context: first_known(args)),
    ([select, concat], "common_move", first_known),
    ([ops.Const], "sums", lambda *_: {None: ONE_EACH}),
    ([add, sums, characters], "ratio_sum", lambda *ratios: ratios[0]),
    ([ops.Einsum], "sums", lambda self, *_: dict.fromkeys(range(len(self.shape)), ONE_EACH)),
    ([characters.Degrees], "equal", first_known),
    ([characters.Degrees], "plain", lambda *_: characters.ZERO),
    ([characters.Degrees], "scale", lambda self, degree, by: degree),
    ([ops.Map], "_degree", lambda *_: characters.ZERO),
    ([sums], "_is_inverse", lambda *_: True),
    ([sums], "_source_of_copies", lambda x, row, nodes: (nodes[x].args[0], list(row))),
    ([einsum], "normalise_weights", lambda left, output: ()),
    ([characters.Degrees], "power", lambda self, degree, count: degree),
]


def test_every_mutant_replaces_a_rule() -> None:
    """A plain run tries a sample of the mutants, and looks up all of them."""
    assert [name for places, name, _ in MUTANTS if not all(hasattr(place, name) for place in places)] == []


@pytest.mark.parametrize(("places", "name", "wrong"), MUTANTS, ids=[n for _, n, _ in MUTANTS])
def test_wrong_rules_prove_a_near_miss_and_the_kernel_refuses_it(
    places: list[Any], name: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mutant proves something that the tests above know to be wrong; the kernel does not follow."""
    for place in places:
        monkeypatch.setattr(place, name, wrong)
    caught = 0
    for under, output, make in NEAR_MISSES:
        try:
            program, text, result = build(make, under, output)
        except Exception:
            caught += 1  # a rule that breaks is noticed
            continue
        if isinstance(result, Proof):
            caught += 1
            try:
                report = check(program, text, under, result.to_json())
            except ExportError:  # there are no such forms
                continue
            assert not report.accepted and "internal" not in report.reason
    for under, output, make in HOLDS:
        caught += isinstance(build(make, under, output)[2], Gap) and (under, output) != ("Scale(d)", "n")
    for seed in range(150) if not caught else ():
        for under in ("T(d)", "Scale(d)"):
            caught += any(violation(p, t, under, random.Random(seed)) for p, t in found(seed, under))
    assert caught
