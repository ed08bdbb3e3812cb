"""Identities that must be proved, near misses that must not, and their certificates."""

from __future__ import annotations

import copy
import json
import random
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.signature import parse_signature
from eqvproof.engines import judge
from eqvproof.engines.elaborate.program import forms_of_program
from eqvproof.engines.identity import IdentityProof, prove_identity
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.search import SearchResult
from eqvproof.engines.search_claim import Searched
from eqvproof.engines.verdict.certificate import seal
from eqvproof.kernel import Report, Unreadable, check_certificate, tensors
from eqvproof.kernel import report as kernel_report
from eqvproof.kernel.form_values import evaluate, read_forms
from eqvproof.kernel.forms import Input
from eqvproof.kernel.interval import Arithmetic, hi, lo
from eqvproof.numbers import UNDEFINED
from eqvproof.programs import Builder, Program, Size
from eqvproof.programs.evaluate import evaluate_exact
from tests.sampling import OneIn

Function = Callable[..., int]


def trace(f: Function, signature: str, **pins: int) -> Program:
    b = Builder()
    argument_ids = []
    for argument in parse_signature(signature).inputs:
        shape = [a.size.substitute({n: Size.of(v) for n, v in pins.items()}) for a in argument.axes]
        argument_ids.append(b.input(argument.name, shape))
    return b.program(f(b, *argument_ids))


def t(b: Builder, x: int) -> int:
    return b.transpose(x, [1, 0])


def softmax(b: Builder, x: int, axis: int) -> int:
    e = b.map("exp", [x])
    return b.div(e, b.expand(b.sum(e, [axis]), axis))


def stable_softmax(b: Builder, x: int, axis: int) -> int:
    return softmax(b, b.sub(x, b.expand(b.reduce("max", x, [axis]), axis)), axis)


def logsumexp(b: Builder, x: int, axis: int) -> int:
    return b.expand(b.map("log", [b.sum(b.map("exp", [x]), [axis])]), axis)


def norm2(b: Builder, x: int) -> int:
    return b.sum(b.mul(x, x), [0])


def householder(b: Builder, u: int) -> int:
    outer = b.mul(b.expand(u, 1), b.expand(u, 0))
    return b.sub(b.eye("d"), b.div(b.mul(b.const(2), outer), norm2(b, u)))


def centering(b: Builder) -> int:
    return b.sub(b.eye("n"), b.div(b.broadcast_to(b.const(1), ("n", "n")), b.size("n")))


def pinv(b: Builder, x: int) -> int:
    return b.matmul(b.inv(b.matmul(t(b, x), x)), t(b, x))


def attention(b: Builder, x: int, o: int, v: int, q: int, k: int) -> int:
    s = softmax(b, b.matmul(t(b, b.matmul(q, x)), b.matmul(k, x)), 1)
    return b.add([x, b.matmul(o, b.matmul(b.matmul(v, x), t(b, s)))])


def attention_rebracketed(b: Builder, x: int, o: int, v: int, q: int, k: int) -> int:
    s = softmax(b, b.matmul(b.matmul(t(b, x), b.matmul(t(b, q), k)), x), 1)
    return b.add([x, b.matmul(b.matmul(o, v), b.matmul(x, t(b, s)))])


def stacked(layer: Function) -> Function:
    def f(b: Builder, x: int, *weights: int) -> int:
        for i in range(0, len(weights), 4):
            x = layer(b, x, *weights[i : i + 4])
        return x

    return f


def stack_signature(depth: int) -> str:
    weights = (f"O{i}: d k, V{i}: k d, Q{i}: k d, K{i}: k d" for i in range(depth))
    return ", ".join(["X: d n", *weights]) + " -> d n"


def query_key(b: Builder, x: int, q: int, k: int) -> int:
    z = b.concat([t(b, q), t(b, k)], 1)
    zero = b.broadcast_to(b.const(0), ("k", "k"))
    a = b.concat([b.concat([zero, b.eye("k")], 1), b.concat([zero, zero], 1)], 0)
    return b.matmul(b.matmul(b.matmul(t(b, x), z), a), b.matmul(t(b, z), x))


def sigmoid(b: Builder, x: int) -> int:
    return b.map("recip", [b.add([b.const(1), b.map("exp", [b.neg(x)])])])


def distances(b: Builder, x: int) -> int:
    difference = b.sub(b.expand(x, 2), b.expand(x, 1))
    return b.sum(b.mul(difference, difference), [0])


def distances_by_gram(b: Builder, x: int) -> int:
    squares = b.sum(b.mul(x, x), [0])
    both = b.add([b.expand(squares, 1), b.expand(squares, 0)])
    return b.sub(both, b.mul(b.const(2), b.matmul(t(b, x), x)))


def mean(b: Builder, x: int) -> int:
    return b.mean(x, [0])


def variance(b: Builder, x: int) -> int:
    return b.mean(b.power(b.sub(x, b.expand(mean(b, x), 0)), 2), [0])


X, MATRIX, VECTOR = "X: d n -> d n", "A: n n -> n n", "x: n -> n"
QK = "X: d n, Q: k d, K: k d -> n n"
HEADS = "X: d n, O: d k, V: k d, Q: k d, K: k d -> d n"

#: name, one side, the other side, signature, whether they are shown to be defined at the same points
PROVED: list[tuple[str, Function, Function, str, bool]] = [
    (
        "logits",
        lambda b, x, q, k: b.matmul(t(b, b.matmul(q, x)), b.matmul(k, x)),
        lambda b, x, q, k: b.matmul(b.matmul(b.matmul(t(b, x), t(b, q)), k), x),
        QK,
        True,
    ),
    ("heads", attention, attention_rebracketed, HEADS, True),
    ("softmax, turned", lambda b, x: t(b, softmax(b, x, 0)), lambda b, x: softmax(b, t(b, x), 1), X, True),
    ("softmax, shifted", lambda b, x: stable_softmax(b, x, 1), lambda b, x: softmax(b, x, 1), X, True),
    (
        "softmax sums to 1",
        lambda b, x: b.sum(softmax(b, x, 0), [0]),
        lambda b, x: b.broadcast_to(b.const(1), ("n",)),
        X,
        True,
    ),
    (
        "log softmax",
        lambda b, x: b.map("log", [stable_softmax(b, x, 0)]),
        lambda b, x: b.sub(x, logsumexp(b, x, 0)),
        X,
        True,
    ),
    (
        "Householder is orthogonal",
        lambda b, u: b.matmul(t(b, householder(b, u)), householder(b, u)),
        lambda b, u: b.eye("d"),
        "u: d -> d d",
        False,
    ),
    (
        "Householder turns u round",
        lambda b, u: b.matmul(householder(b, u), u),
        lambda b, u: b.neg(u),
        "u: d -> d",
        False,
    ),
    (
        "query and key in one",
        query_key,
        lambda b, x, q, k: b.matmul(t(b, b.matmul(q, x)), b.matmul(k, x)),
        QK,
        True,
    ),
    (
        "centering twice",
        lambda b, x: b.matmul(centering(b), b.matmul(centering(b), x)),
        lambda b, x: b.matmul(centering(b), x),
        VECTOR,
        True,
    ),
    ("inverse", lambda b, a: b.matmul(a, b.inv(a)), lambda b, a: b.eye("n"), MATRIX, False),
    ("inverse, turned", lambda b, a: t(b, b.inv(a)), lambda b, a: b.inv(t(b, a)), MATRIX, True),
    ("determinant, turned", lambda b, a: b.det(t(b, a)), lambda b, a: b.det(a), "A: n n -> ()", True),
    ("pseudo-inverse", lambda b, x: b.matmul(pinv(b, x), x), lambda b, x: b.eye("n"), X, False),
    (
        "projection",
        lambda b, x: b.matmul(b.matmul(x, pinv(b, x)), b.matmul(x, pinv(b, x))),
        lambda b, x: b.matmul(x, pinv(b, x)),
        X,
        True,
    ),
    (
        "resolvent",
        lambda b, a: b.matmul(b.inv(b.add([b.eye("n"), a])), a),
        lambda b, a: b.sub(b.eye("n"), b.inv(b.add([b.eye("n"), a]))),
        MATRIX,
        True,
    ),
    (
        "sigmoid(-x)",
        lambda b, x: sigmoid(b, b.neg(x)),
        lambda b, x: b.sub(b.const(1), sigmoid(b, x)),
        VECTOR,
        True,
    ),
    ("distances", distances, distances_by_gram, X, True),
    (
        "Gaussian kernel",
        lambda b, x: b.map("exp", [b.neg(distances(b, x))]),
        lambda b, x: b.map("exp", [b.neg(distances_by_gram(b, x))]),
        X,
        True,
    ),
    (
        "variance",
        variance,
        lambda b, x: b.sub(b.mean(b.mul(x, x), [0]), b.mul(mean(b, x), mean(b, x))),
        "x: n -> ()",
        True,
    ),
    (
        "unit vectors",
        lambda b, x: b.sum(b.power(b.div(x, b.map("sqrt", [norm2(b, x)])), 2), [0]),
        lambda b, x: b.const(1),
        "x: n -> ()",
        False,
    ),
    (
        "square of a norm",
        lambda b, x: b.power(b.map("sqrt", [norm2(b, x)]), 2),
        norm2,
        "x: n -> ()",
        True,
    ),
    (
        "1 / sqrt(n)",
        lambda b, x: b.div(x, b.map("sqrt", [b.size("n")])),
        lambda b, x: b.div(b.mul(x, b.map("sqrt", [b.size("n")])), b.size("n")),
        VECTOR,
        True,
    ),
    ("x / x", lambda b, x: b.div(x, x), lambda b, x: b.broadcast_to(b.const(1), ("n",)), VECTOR, False),
    (
        "0 / x",
        lambda b, x: b.mul(b.const(0), b.map("recip", [x])),
        lambda b, x: b.broadcast_to(b.const(0), ("n",)),
        VECTOR,
        False,
    ),
    (
        "flip of an odd function",
        lambda b, x: b.flip(b.map("tanh", [b.neg(x)]), 0),
        lambda b, x: b.neg(b.map("tanh", [b.flip(x, 0)])),
        VECTOR,
        True,
    ),
    ("roll there and back", lambda b, x: b.roll(b.roll(x, 0, 2), 0, -2), lambda b, x: x, VECTOR, True),
    (
        "maximum is symmetric",
        lambda b, x: b.map("maximum", [x, b.const(0)]),
        lambda b, x: b.map("maximum", [b.const(0), x]),
        VECTOR,
        True,
    ),
    (
        "trace of a product",
        lambda b, a: b.einsum([b.matmul(a, b.matmul(a, t(b, a)))], [[0, 0]], []),
        lambda b, a: b.einsum([b.matmul(t(b, a), b.matmul(a, a))], [[0, 0]], []),
        "A: n n -> ()",
        True,
    ),
    (
        "trace of I",
        lambda b, a: b.einsum([b.eye("n")], [[0, 0]], []),
        lambda b, a: b.size("n"),
        "A: n n -> ()",
        True,
    ),
    (
        "parts of a join",
        lambda b, x: b.slice(b.concat([x, b.neg(x)], 0), 0, "n", "n"),
        lambda b, x: b.neg(x),
        VECTOR,
        True,
    ),
    (
        "opaque",
        lambda b, x: b.opaque("g", [b.add([x, x])], ["n"]),
        lambda b, x: b.opaque("g", [b.mul(b.const(2), x)], ["n"]),
        VECTOR,
        True,
    ),
    *(
        (f"{depth} layers", stacked(attention), stacked(attention_rebracketed), stack_signature(depth), True)
        for depth in (2, 3, 12)
    ),
]

#: pairs that differ somewhere
NEAR_MISSES: list[tuple[str, Function, Function, str]] = [
    ("softmax over the other axis", lambda b, x: softmax(b, x, 0), lambda b, x: softmax(b, x, 1), X),
    (
        "softmax shifted along the wrong axis",
        lambda b, x: softmax(b, b.sub(x, b.expand(b.reduce("max", x, [1]), 1)), 0),
        lambda b, x: softmax(b, x, 0),
        X,
    ),
    ("transpose forgotten", lambda b, a: b.matmul(a, a), lambda b, a: b.matmul(a, t(b, a)), MATRIX),
    (
        "order of factors",
        lambda b, a: b.matmul(b.matmul(a, a), t(b, a)),
        lambda b, a: b.matmul(b.matmul(a, t(b, a)), a),
        MATRIX,
    ),
    (
        "trace of A A^T and A A",
        lambda b, a: b.einsum([b.matmul(a, t(b, a))], [[0, 0]], []),
        lambda b, a: b.einsum([b.matmul(a, a)], [[0, 0]], []),
        "A: n n -> ()",
    ),
    ("square of a sum", lambda b, x: b.power(b.sum(x, [0]), 2), norm2, "x: n -> ()"),
    ("projection is not I", lambda b, x: b.matmul(x, pinv(b, x)), lambda b, x: b.eye("d"), "X: d n -> d d"),
    ("Householder without the 2", lambda b, u: b.matmul(householder(b, u), u), lambda b, u: u, "u: d -> d"),
    (
        "sum of 1 over n",
        lambda b, x: b.sum(b.broadcast_to(b.const(1), ("n",)), [0]),
        lambda b, x: b.const(1),
        "x: n -> ()",
    ),
    (
        "p / q summed",
        lambda b, x: b.sum(b.div(x, x), [0]),
        lambda b, x: b.div(b.sum(x, [0]), b.sum(x, [0])),
        "x: n -> ()",
    ),
    (
        "a shared sum does not cancel",
        lambda b, x: b.sum(b.mul(x, b.div(x, norm2(b, x))), [0]),
        lambda b, x: b.div(b.power(b.sum(x, [0]), 2), norm2(b, x)),
        "x: n -> ()",
    ),
    ("sqrt of a square", lambda b, x: b.map("sqrt", [b.mul(x, x)]), lambda b, x: x, VECTOR),
    ("log of a product", lambda b, x: b.map("abs", [x]), lambda b, x: x, VECTOR),
    ("even, not odd", lambda b, x: b.map("cos", [b.neg(x)]), lambda b, x: b.neg(b.map("cos", [x])), VECTOR),
    (
        "exp(x) exp(x)",
        lambda b, x: b.power(b.map("exp", [x]), 2),
        lambda b, x: b.map("exp", [b.mul(x, x)]),
        VECTOR,
    ),
    ("roll the other way", lambda b, x: b.roll(x, 0, 1), lambda b, x: b.roll(x, 0, -1), VECTOR),
    ("flip forgotten", lambda b, x: b.flip(x, 0), lambda b, x: x, VECTOR),
    (
        "the other part of a join",
        lambda b, x: b.slice(b.concat([x, b.neg(x)], 0), 0, "n", "n"),
        lambda b, x: x,
        VECTOR,
    ),
    (
        "join in the other order",
        lambda b, x: b.concat([x, b.neg(x)], 0),
        lambda b, x: b.concat([b.neg(x), x], 0),
        "x: n -> 2n",
    ),
    (
        "key and query swapped",
        query_key,
        lambda b, x, q, k: b.matmul(t(b, b.matmul(k, x)), b.matmul(q, x)),
        QK,
    ),
    (
        "less and less or equal",
        lambda b, x: b.map("lt", [x, b.const(1)]),
        lambda b, x: b.map("le", [x, b.const(1)]),
        VECTOR,
    ),
    (
        "less and greater",
        lambda b, x: b.map("lt", [x, b.const(1)]),
        lambda b, x: b.map("gt", [x, b.const(1)]),
        VECTOR,
    ),
    ("max and min", lambda b, x: b.reduce("max", x, [0]), lambda b, x: b.reduce("min", x, [0]), "x: n -> ()"),
    (
        "max over the other axis",
        lambda b, a: b.reduce("max", a, [0]),
        lambda b, a: b.reduce("max", a, [1]),
        "A: n n -> n",
    ),
    ("diagonal", lambda b, a: b.einsum([a], [[0, 0]], [0]), lambda b, a: b.sum(a, [0]), "A: n n -> n"),
    (
        "arguments in order",
        lambda b, x: b.map("arctan2", [x, b.const(1)]),
        lambda b, x: b.map("arctan2", [b.const(1), x]),
        VECTOR,
    ),
    ("select", lambda b, x: b.select(x, x, b.const(1)), lambda b, x: b.select(x, b.const(1), x), VECTOR),
    ("sorted", lambda b, x: b.sort(x, 0), lambda b, x: x, VECTOR),
    ("sigmoid", sigmoid, lambda b, x: sigmoid(b, b.neg(x)), VECTOR),
    (
        "inverse of a sum",
        lambda b, a: b.matmul(b.inv(b.add([b.eye("n"), a])), a),
        lambda b, a: b.eye("n"),
        MATRIX,
    ),
    (
        "triangles",
        lambda b, a: b.mul(b.tri("n", "n", 0), a),
        lambda b, a: b.mul(b.tri("n", "n", -1), a),
        MATRIX,
    ),
    (
        "another opaque",
        lambda b, x: b.opaque("g", [x], ["n"]),
        lambda b, x: b.opaque("h", [x], ["n"]),
        VECTOR,
    ),
    (
        "opaque of another",
        lambda b, x: b.opaque("g", [x], ["n"]),
        lambda b, x: b.opaque("g", [b.flip(x, 0)], ["n"]),
        VECTOR,
    ),
    (
        "reshape",
        lambda b, a: b.reshape(a, [Size.of("n") * "n"]),
        lambda b, a: b.reshape(t(b, a), [Size.of("n") * "n"]),
        "A: n n -> m",
    ),
]

NAMES = [case[0] for case in PROVED]


def proved(f: Function, g: Function, signature: str, **pins: int) -> IdentityProof:
    found = prove_identity(trace(f, signature, **pins), trace(g, signature, **pins))
    assert isinstance(found, IdentityProof), found
    return found


def certificate(f: Function, g: Function, signature: str, proof: IdentityProof) -> dict[str, Any]:
    program, other = trace(f, signature), trace(g, signature)
    output = " ".join(f"out{i}" for i in range(len(program.shape))) or "()"
    typing = parse_signature(signature.split("->")[0] + "-> " + output)
    claim = {"kind": "identity", **typing.to_json(), "scope": dict.fromkeys(typing.input_names, "all")}
    forms = {"forms": forms_of_program(program), "other": forms_of_program(other)}
    parts = {**forms, "evidence": proof.evidence()}
    return seal("identity", claim=claim, **parts)


@pytest.mark.parametrize(("f", "g", "signature", "same"), [case[1:] for case in PROVED], ids=NAMES)
def test_identities_are_proved_and_the_kernel_agrees(
    f: Function, g: Function, signature: str, same: bool
) -> None:
    proof = proved(f, g, signature)
    assert proof.same_domain == same
    assert all(line for line in proof.lines)
    report = check_certificate(certificate(f, g, signature, proof))
    assert report.accepted, report.reason
    assert report.grade == "PROVED"
    assert ("so is the other" in report.statement) == same


@pytest.mark.parametrize(("f", "g", "signature", "same"), [case[1:] for case in PROVED[:18]], ids=NAMES[:18])
def test_they_are_true(f: Function, g: Function, signature: str, same: bool) -> None:
    found = [d for s in range(6) for d in difference(trace(f, signature), trace(g, signature), s)]
    assert "values" not in found
    assert not same or "domains" not in found


@pytest.mark.parametrize(
    ("f", "g", "signature"), [c[1:] for c in NEAR_MISSES], ids=[c[0] for c in NEAR_MISSES]
)
def test_near_misses_are_not_proved(f: Function, g: Function, signature: str) -> None:
    program, other = trace(f, signature), trace(g, signature)
    assert any("values" in difference(program, other, seed) for seed in range(8)), "the two are equal"
    reason = prove_identity(program, other)
    assert isinstance(reason, Reason)
    assert reason.kind is Why.FORMS_DIFFER
    proof = IdentityProof((), False, (), "")
    report = check_certificate(certificate(f, g, signature, proof))
    assert not report.accepted
    assert report.reason == "the normal forms of the two programs differ"


def difference(program: Program, other: Program, seed: int) -> Iterator[str]:
    """In which ways two programs differ at a random point."""
    rng = random.Random(seed)
    sizes = {name: rng.choice([2, 3]) for name in sorted(program.names | other.names | names_of(program))}
    inputs = {}
    for name, shape in program.inputs:
        array = np.empty([s.value(sizes) for s in shape], dtype=object)
        for index in np.ndindex(array.shape):
            array[index] = Fraction(rng.randint(-3, 3), rng.choice([1, 2]))
        inputs[name] = array
    left, right = (np.asarray(evaluate_exact(p, inputs, sizes)) for p in (program, other))
    for x, y in zip(left.flat, right.flat, strict=True):
        if (x is UNDEFINED) != (y is UNDEFINED):
            yield "domains"
        elif x is not UNDEFINED:
            (a, b), (c, d) = x.bounds(), y.bounds()
            if b < c or d < a:
                yield "values"


def names_of(program: Program) -> frozenset[str]:
    return frozenset(n for _, shape in program.inputs for s in shape for n in s.names)


def test_conditions_are_named() -> None:
    proof = proved(PROVED[6][1], PROVED[6][2], PROVED[6][3])
    assert proof.conditions == ("sum_{a} u[a] u[a] is not 0",)
    assert proof.form == "I[i, j]"
    assert "p / p = 1, where p is not 0" in " ".join(proof.lines)


def test_same_domain_cannot_be_claimed_where_it_is_not_shown() -> None:
    f, g, signature = PROVED[6][1:4]
    proof = IdentityProof((), True, (), "")
    report = check_certificate(certificate(f, g, signature, proof))
    assert not report.accepted
    assert "same_domain" in report.reason


def test_other_inputs_and_shapes_are_named() -> None:
    one = trace(lambda b, x: x, "x: n -> n")
    assert "same inputs" in str(prove_identity(one, trace(lambda b, y: y, "y: n -> n")))
    assert "different shapes" in str(prove_identity(one, trace(lambda b, x: b.sum(x, [0]), "x: n -> ()")))


def test_fixed_sizes() -> None:
    ones = [[1, 1], [1, 1]]
    assert proved(
        lambda b, x: b.matmul(b.const(ones), x),
        lambda b, x: b.broadcast_to(b.expand(b.sum(x, [0]), 0), (2, "n")),
        "x: d n -> d n", d=2,
    )  # fmt: skip
    assert proved(lambda b, x: b.matmul(b.const([[1, 0], [0, 1]]), x), lambda b, x: x, "x: d n -> d n", d=2)
    turn = [[0, -1], [1, 0]]
    assert proved(
        lambda b, x: b.matmul(b.const(turn), b.matmul(b.const(turn), x)),
        lambda b, x: b.neg(x),
        "x: d -> d",
        d=2,
    )


def test_growth_is_capped() -> None:
    def power(b: Builder, x: int) -> int:
        for _ in range(7):
            x = b.mul(b.add([x, b.const(1)]), b.add([x, b.flip(x, 0)]))
        return x

    reason = prove_identity(trace(power, VECTOR), trace(lambda b, x: b.neg(b.neg(power(b, x))), VECTOR))
    assert isinstance(reason, IdentityProof) or "normal form" in str(reason)


@pytest.mark.parametrize("fn", ["tanh", "sqrt"])
def test_the_text_of_deep_programs_is_written_once(fn: str) -> None:
    """A layer that stands in two terms of the next one stands in 2^n terms after n layers."""

    def layers(b: Builder, x: int, w: int, *, turned: bool) -> int:
        for _ in range(40):
            y = b.map(fn, [b.matmul(w, x)])
            x = b.add([y, x] if turned else [x, y])
        return x

    found = proved(partial(layers, turned=False), partial(layers, turned=True), "X: d n, W: d d -> d n")
    assert found.form.endswith(" ...")


def leaves(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(data, dict):
        for key in data:
            yield from leaves(data[key], (*path, key))
    elif isinstance(data, list):
        for i, value in enumerate(data):
            yield from leaves(value, (*path, i))
    else:
        yield path


def altered(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value, 1]
    if isinstance(value, int):
        return [value + 1, value - 1, True, str(value)]
    if isinstance(value, str):
        return [value + "1", "2", "n", "exp", "min", ""]
    return [0]


@pytest.mark.parametrize("case", [1, 3, 6, 8, 14], ids=[NAMES[i] for i in (1, 3, 6, 8, 14)])
def test_every_altered_field_is_refused_or_still_true(
    case: int, one_in: OneIn[tuple[Any, ...]]
) -> None:
    f, g, signature = PROVED[case][1:4]
    good = certificate(f, g, signature, proved(f, g, signature))
    body = {k: v for k, v in good.items() if k not in ("format", "version", "kind", "digest")}
    accepted = refused = 0
    for path in one_in(4, leaves(body)):
        *way, last = path
        for value in altered(_at(body, path)):
            changed = copy.deepcopy(body)
            _at(changed, tuple(way))[last] = value
            if changed == body and type(value) is type(_at(body, path)):
                continue
            report = verdict_on(seal("identity", **changed))
            assert not verdict_on({**good, **changed}).accepted
            if not report.accepted:
                refused += 1
                continue
            accepted += 1
            assert changed["claim"]["kind"] == "identity"
            if "so is the other" in report.statement:
                assert changed["evidence"]["same_domain"]
            still_true(changed)
    assert refused > 12


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


def verdict_on(data: dict[str, Any]) -> Report:
    try:
        return check_certificate(json.loads(json.dumps(data)))
    except Unreadable as error:
        return Report(accepted=False, reason=str(error))


def still_true(body: dict[str, Any]) -> None:
    """The kernel's own evaluation finds no difference between the programs of an accepted certificate."""
    names = sorted(name for name, low in body["claim"]["scope"].items())
    sizes = {name: 2 + i % 2 for i, name in enumerate(names)}
    arithmetic = Arithmetic(64)
    for seed in range(2):
        rng = random.Random(seed)
        kernel_report.allow_work(10**9)
        one, other = (read_forms(body[key], "$", sizes) for key in ("forms", "other"))
        shapes = {
            form.number: shape
            for program in (one, other)
            for form, shape in zip(program.lines, program.shapes, strict=True)
            if isinstance(form, Input)
        }
        inputs = [
            tensors.Tensor(
                shapes.get(k, ()),
                [Fraction(rng.randint(-3, 3), rng.choice([1, 2])) for _ in range(prod(shapes.get(k, ())))],
            )
            for k in range(len(body["claim"]["inputs"]))
        ]
        try:
            values = [evaluate(program, inputs, arithmetic).values for program in (one, other)]
        except kernel_report.Undecided:
            continue
        for x, y in zip(*values, strict=True):
            assert (x is None or y is None) or (lo(x) <= hi(y) and lo(y) <= hi(x))
            assert not body["evidence"]["same_domain"] or (x is None) == (y is None)


def test_a_proof_that_leaves_domains_open_says_so() -> None:
    found = ep.identical(lambda x: x / (x - 7919 / 64) * (x - 7919 / 64), lambda x: x, "x: n -> n", budget=5)
    assert found.fails or found.scope == "for all n, wherever both are defined"


def test_no_time_to_look_at_domains_is_no_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal where both are defined, and the time is up before all structured points were tried."""

    def busy(claim: Any, programs: Any, *_: Any, **__: Any) -> Any:
        time.sleep(max(0.0, claim.deadline - time.monotonic()))
        return Searched(programs, SearchResult(None, 0))

    monkeypatch.setattr(judge, "_search", busy)
    found = ep.identical(lambda x: x / x * x, lambda x: x, "x: n -> n", budget=1)
    assert not found.holds, found
