"""Exact decisions at given sizes: attacked at exact points, and their limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import Group, parse_group
from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.claim import Claim, absent
from eqvproof.engines.decide_claim import SizeDecision, decision
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.targets import trace_at
from eqvproof.programs import Builder, Program

Make = Callable[[Builder, int], int]


def entry(b: Builder, x: int, axis: int, at: int) -> int:
    """One entry along an axis."""
    return b.squeeze(b.slice(x, axis, at, 1), axis)


def build(make: Make, d: int, n: int) -> Program:
    """A program in X (d, n) with numbers for sizes."""
    b = Builder()
    return b.program(make(b, b.input("X", [d, n])))


def decide_equivariance(
    program: Program, signature: Signature, under: str, sizes: dict[str, int]
) -> SizeDecision | Reason:
    """The decision at these sizes, or why there is none."""
    claim = Claim(absent, signature, parse_group(under, signature), under)
    return decision(claim, (program,), {n: sizes[n] for n in signature.input_names})


def decide_identity(
    p: Program, q: Program, signature: Signature, sizes: dict[str, int]
) -> SizeDecision | Reason:
    """The decision that two Programs are equal at these sizes, or why there is none."""
    return decision(Claim(absent, signature, Group(()), "", other=absent), (p, q), sizes)


def are_equal(p: Program, q: Program, signature: Signature, sizes: dict[str, int]) -> bool:
    """Whether two Programs are decided to be equal at these sizes."""
    return isinstance(decide_identity(p, q, signature, sizes), SizeDecision)


def decided(make: Make, under: str, d: int, n: int, output: str = "d n") -> bool:
    """Whether the claim is decided to hold."""
    signature = parse_signature(f"X: d n -> {output}")
    found = decide_equivariance(build(make, d, n), signature, under, {"d": d, "n": n})
    return isinstance(found, SizeDecision)


def cross_of_columns(b: Builder, x: int) -> int:
    """x_1 cross x_2."""
    u, v = (entry(b, x, 1, k) for k in (0, 1))
    left = b.mul(b.roll(u, 0, -1), b.roll(v, 0, -2))
    return b.sub(left, b.mul(b.roll(u, 0, -2), b.roll(v, 0, -1)))


def sum_by_loop(b: Builder, x: int) -> int:
    """x_1 + ... + x_n, written with indices."""
    n = b.shape(x)[1].constant or 0
    return b.add([entry(b, x, 1, k) for k in range(n)])


def self_over_self(b: Builder, x: int, order: tuple[int, ...]) -> int:
    """1 at every entry, undefined where the entry order[i] of the input is 0."""
    rows = [entry(b, entry(b, x, 1, 0), 0, k) for k in order]
    return b.concat([b.reshape(b.div(r, r), [1, 1]) for r in rows], 0)


def test_cross_product_is_a_vector_under_rotations_only() -> None:
    """SO(3) holds; a reflection turns the sign."""
    assert decided(lambda b, x: cross_of_columns(b, x), "SO(d)", 3, 2, "d")
    assert not decided(lambda b, x: cross_of_columns(b, x), "O(d)", 3, 2, "d")


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_a_loop_over_columns_is_decided_under_permutations(n: int) -> None:
    """What no rule types, since indices break the symmetry line by line."""
    assert decided(sum_by_loop, "S(n)", 2, n, "d")


def test_a_weighted_sum_is_not_decided_under_permutations() -> None:
    """x_1 + 2 x_2."""
    assert not decided(
        lambda b, x: b.add([entry(b, x, 1, 0), b.mul(b.const(2), entry(b, x, 1, 1))]),
        "S(n)",
        2,
        2,
        "d",
    )


def test_signed_area_is_invariant_under_even_permutations_only() -> None:
    """det of 3 columns under A(3) and S(3)."""
    assert decided(lambda b, x: b.det(x), "A(n)", 3, 3, "()")
    assert not decided(lambda b, x: b.det(x), "S(n)", 3, 3, "()")
    assert decided(lambda b, x: b.det(x), "SO(d)", 3, 3, "()")
    assert not decided(lambda b, x: b.det(x), "O(d)", 3, 3, "()")


def test_undefined_entries_count() -> None:
    """Entries that are 1 everywhere, undefined at other places on the two sides, are not equal."""
    assert decided(lambda b, x: self_over_self(b, x, (0, 1, 2)), "S(d)", 3, 1, "d n")
    assert not decided(lambda b, x: self_over_self(b, x, (1, 2, 0)), "S(d)", 3, 1, "d n")


def test_a_partly_undefined_vector_is_not_decided_under_rotations() -> None:
    """(s x_1 / s, x_2) with s = |x|^2 is undefined in its first entry only, at x = 0."""

    def make(b: Builder, x: int) -> int:
        s = b.sum(b.power(x, 2))
        first = b.mul(b.slice(x, 0, 0, 1), b.div(s, s))
        return b.concat([first, b.slice(x, 0, 1, 1)], 0)

    assert not decided(make, "SO(d)", 2, 1)


def test_a_kink_is_not_differentiated() -> None:
    """sign(x_1) has derivative 0 almost everywhere, and is no invariant."""
    assert not decided(
        lambda b, x: b.map("sign", [entry(b, entry(b, x, 1, 0), 0, 0)]), "SO(d)", 2, 1, "()"
    )


def test_identity_of_expressions() -> None:
    """(x + y)^2 = x^2 + 2xy + y^2; x/x is not 1."""

    def pair(make: Callable[[Builder, int], int]) -> Program:
        b = Builder()
        return b.program(make(b, b.input("X", ["n"])))

    one = pair(lambda b, x: b.power(b.add([x, b.const(1)]), 2))
    two = pair(lambda b, x: b.add([b.power(x, 2), b.mul(b.const(2), x), b.const(1)]))
    three = pair(lambda b, x: b.div(x, x))
    four = pair(lambda b, x: b.broadcast_to(b.const(1), b.shape(x)))
    typing = parse_signature("X: n -> n")
    assert are_equal(one, two, typing, {"n": 2})
    assert not are_equal(one, four, typing, {"n": 2})
    assert not are_equal(three, four, typing, {"n": 2})


def test_a_choice_is_undefined_where_the_chosen_branch_is() -> None:
    """where(x > 0, log(x - 5), 0) times 0 is undefined at x = 1, and 0 x is not."""
    signature = parse_signature("x: n -> n")
    branch = lambda x: np.where(x > 0, np.log(x - 5), 0)  # noqa: E731
    zero = trace_at(lambda x: 0 * x, signature, {"n": 2}).program
    for f in (lambda x: branch(x) * 0, lambda x: branch(x) - branch(x)):
        program = trace_at(f, signature, {"n": 2}).program
        assert not are_equal(program, zero, signature, {"n": 2})
        assert are_equal(program, program, signature, {"n": 2})


def test_sizes_of_one_alone_are_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer at d = n = 1 only says too little of all sizes to be called a verdict about them."""
    from eqvproof.engines import decide_claim, judge
    from eqvproof.engines.decide_claim import Decision
    from eqvproof.engines.definedness import Definedness

    def only_ones(claim: Any, _: Any) -> Decision:
        return Decision([c for c in claim.combinations() if set(c.values()) == {1}], {})

    def unreadable(X: Any) -> Any:
        return X * eval("scale", {"scale": 2.0})

    monkeypatch.setattr(decide_claim, "decided_sizes", only_ones)
    monkeypatch.setattr(judge, "defined_somewhere", lambda *_: Definedness(shown=True))
    free = ep.check(unreadable, "X: d n -> d n", under="O(d)", budget=20)
    assert free.grade is ep.Grade.TESTED
    assert ep.check(
        unreadable, "X: d n -> d n", under="O(d)", budget=20, sizes={"d": 1, "n": 1}
    ).holds


def test_polynomials_that_grow_too_large_are_no_decision() -> None:
    """(x_1 + ... + x_12)^16 has 17 million terms."""
    b = Builder()
    power = b.sum(b.input("X", ["n"]))
    for _ in range(4):
        power = b.mul(power, power)
    program = b.program(power)
    found = decide_identity(program, program, parse_signature("X: n -> ()"), {"n": 12})
    assert isinstance(found, Reason) and found.kind is Why.KERNEL_WORK
