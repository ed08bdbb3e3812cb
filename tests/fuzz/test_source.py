"""Random functions of source text: 100 a day from that day's seed, and an oracle that notices wrong verdicts.

The seed is the date, or EQVPROOF_FUZZ_SEED, and stands in the name of the test. A failure prints the case;
draw it again with
``python benchmarks/source_fuzz.py --numpy --seed SEED --only NUMBER``.
"""

from __future__ import annotations

import os
import random
import sys
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.fuzz import exactly, oracle
from benchmarks.fuzz.judge import case, fails, holds
from benchmarks.fuzz.oracle import Claim, Spec, Trials, Violation
from benchmarks.fuzz.source import Source
from benchmarks.fuzz.watch import EIGENVALUES, SINGULAR_VALUES, TIES, exceptional
from eqvproof.claims.groups import Element, act, act_on_argument, parse_group
from eqvproof.claims.signature import parse_signature

SEED = os.environ.get("EQVPROOF_FUZZ_SEED") or date.today().isoformat()
PART = 10
BUDGET = 0.5


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", [SEED])
@pytest.mark.parametrize("part", range(100 // PART))
def test_no_verdict_on_random_functions_is_wrong(seed: str, part: int) -> None:
    numbers = range(PART * part, PART * (part + 1))
    found = [case(f"{seed} {number}", BUDGET, libraries=False) for number in numbers]
    wrong = [str(c) for c in found if c is not None and c.strong]
    assert not wrong, "\n\n".join(wrong)
    assert any(c is not None and c.answer != "crash" for c in found)


def drawn(body: str, signature: str, under: str) -> tuple[Source, Claim]:
    left, right = signature.split("->")
    inputs = Spec.parse(left)
    output = Spec.parse(f"y: {right}")[0].axes
    source = Source((), tuple(body.split("; ")), inputs, None)
    family, axis = under.rstrip(")").split("(")
    return source, Claim(inputs, output, ((family, axis),))


#: False claims, some true at small sizes, at distinct ones, on generic points or of proper rotations.
FALSE = (
    ("return np.cumsum(x)", "x: n -> n", "S(n)"),
    ("return np.roll(x, 1) * np.arange(len(x))", "x: n -> n", "C(n)"),
    ("return x + (np.roll(x, 1) if len(x) > 2 else 0)", "x: n -> n", "S(n)"),
    ("return X.sum(0) / (np.ones(len(X), np.int8) @ np.ones(len(X), np.int8))", "X: n d -> d", "T(d)"),
    ("return X.T.reshape(X.shape)", "X: n d -> n d", "S(n)"),
    ("return X[np.argsort(X[:, 0])]", "X: n d -> n! d", "O(d)"),
    ("return np.linalg.norm(X, axis=0)", "X: n d -> n", "S(d)"),
    ("return x * (len(x) > 4) * x[0]", "x: n -> n", "S(n)"),
    ("return np.linalg.det(X[:, :X.shape[0]]) if X.shape[0] <= X.shape[1] else x", "X: n d -> ()", "S(n)"),
    ("return np.cross(X, X[::-1])", "X: n 3 -> n 3", "O(3)"),
    ("return X / (np.abs(X).sum() - np.abs(X).sum())", "X: n d -> n d", "O(d)"),
    ("return np.linalg.inv(np.outer(x, x) - np.outer(x, x))", "x: n -> n n", "O(n)"),
)


@pytest.mark.parametrize(("body", "signature", "under"), FALSE)
def test_a_false_claim_that_is_said_to_hold_is_noticed(body: str, signature: str, under: str) -> None:
    source, claim = drawn(body, signature, under)
    told = SimpleNamespace(sizes=({"n": "all", "d": "all"},), grade="PROVED", readings=(), points=())
    wrong, _ = holds(source, claim, Trials(source, "0"), told, random.Random(0))
    assert wrong


def stored(values: str, body: str, signature: str, under: str) -> tuple[Source, Claim]:
    source, claim = drawn(body, signature, under)
    return replace(source, head=(f"W1 = np.array({values})",), theme="table"), claim


#: Weights by which a claim is false: some differ from true ones by less than floats tell.
WEIGHTS = (
    ("[0.5, 0.25, 0.2500001]", "return W1 @ X", "X: 3 d -> d", "T(d)"),
    ("[0.5, 0.25, 0.250000003]", "return W1 @ X", "X: 3 d -> d", "SE(d)"),
    ("[1e6, -1e6, 1.4]", "return W1 @ X", "X: 3 d -> d", "E(d)"),
    ("[1e6, -1e6, 1.0000001]", "return X @ W1", "X: d 3 -> d", "T(d)"),
    ("[0.5, 0.5000001]", "return np.abs(x) ** W1[0] * np.abs(x).sum() ** W1[1]", "x: n -> n", "Scale(n)"),
    ("[1, -1.0000001]", "return np.max(x) * W1[0] + W1[1] * np.min(x)", "x: n -> ()", "T(n)"),
    ("[0.1, 0.2, 0.6], dtype=np.float32", "return W1 @ X", "X: 3 d -> d", "T(d)"),
)


@pytest.mark.parametrize(("values", "body", "signature", "under"), WEIGHTS)
@pytest.mark.parametrize("readings", [(), ("read as a whole sum",)], ids=["stored", "read"])
def test_weights_that_are_nearly_right_are_noticed(
    values: str, body: str, signature: str, under: str, readings: tuple[str, ...]
) -> None:
    source, claim = stored(values, body, signature, under)
    told = SimpleNamespace(sizes=({"n": "all", "d": "all"},), grade="PROVED", readings=readings, points=())
    wrong, _ = holds(source, claim, Trials(source, "0"), told, random.Random(0))
    assert wrong


#: Weights that round those of a true claim.
ROUNDED = (
    ("[0.1, 0.2, 0.7], dtype=np.float32", "return W1 @ X", "X: 3 d -> d", "T(d)"),
    ("[0.3, 0.3, 0.4], dtype=np.float32", "return X - W1 @ X", "X: 3 d -> 3 d^", "E(d)"),
    ("[1e6, -1e6, 1 / 3, 2 / 3], dtype=np.float32", "return W1 @ X", "X: 4 d -> d", "T(d)"),
)


@pytest.mark.parametrize(("values", "body", "signature", "under"), ROUNDED)
def test_what_a_reading_within_a_few_roundings_explains_is_no_mistake(
    values: str, body: str, signature: str, under: str
) -> None:
    source, claim = stored(values, body, signature, under)
    for readings in ((), ("read as a whole sum",)):
        told = SimpleNamespace(sizes=({"d": "all"},), grade="PROVED", readings=readings, points=())
        wrong, _ = holds(source, claim, Trials(source, "0"), told, random.Random(0))
        assert bool(wrong) is not bool(readings)


EIGH, SVD = "np.linalg.eigh", "np.linalg.svd"
#: Claims that are true off an exceptional set and false on it, and claims that are false off it too.
SETS = (
    ("return x[np.argsort(np.abs(x))]", "x: n -> n!", "S(n)", TIES, True),
    ("return X[np.argmax(X[:, 0])]", "X: n d -> d", "S(n)", TIES, True),
    ("return x[np.argsort(np.abs(x))]", "x: n -> n", "S(n)", TIES, False),
    ("return np.argsort(x) * 1.0", "x: n -> n", "S(n)", TIES, False),
    ("return x * (np.arange(len(x)) == np.argmax(x))", "x: n -> n", "S(n)", TIES, True),
    ("return x + (np.arange(len(x)) == np.argmax(np.sign(x) ** 2))", "x: n -> n", "S(n)", TIES, True),
    (f"return np.abs({EIGH}(X @ X.T)[1])", "X: n d -> n n!", "S(n)", EIGENVALUES, True),
    (f"return np.abs({EIGH}(X @ X.T)[1])", "X: n d -> n n!", "O(d)", EIGENVALUES, True),
    (f"return {EIGH}(X @ X.T)[1] ** 2", "X: n d -> n n", "S(n)", EIGENVALUES, False),
    (f"return np.abs({EIGH}(np.diag(x))[1])", "x: n -> n n!", "S(n)", EIGENVALUES, True),
    (f"return {EIGH}(np.diag(x))[0]", "x: n -> n", "S(n)", EIGENVALUES, False),
    (f"return np.abs({EIGH}(X.T @ X)[1][:, -1]) ** 1.5", "X: n d -> d", "S(d)", EIGENVALUES, True),
    (f"return np.abs({EIGH}(X.T @ X)[1][:, -1]) ** 1.5", "X: n d -> d!", "S(d)", EIGENVALUES, False),
    (f"return np.abs({EIGH}(np.outer(x, x))[1])", "x: n -> n n!", "S(n)", EIGENVALUES, True),
    (f"return np.abs({EIGH}(np.eye(len(x)))[1])", "x: n -> n n!", "S(n)", EIGENVALUES, True),
    (f"return {EIGH}(np.ones((len(x), len(x))))[1] ** 2", "x: n -> n n!", "S(n)", EIGENVALUES, True),
    (f"return {EIGH}(X @ X.T)[1][:, :1] ** 2 @ X.sum(0)[None]", "X: n d -> n d", "S(n)", EIGENVALUES, True),
    (f"return np.abs({SVD}(X, full_matrices=False)[0])", "X: n d -> n k", "S(n)", SINGULAR_VALUES, True),
    (f"return np.abs({SVD}(X - X.mean(0), False)[0])", "X: n d -> n k", "S(n)", SINGULAR_VALUES, True),
    (f"return np.abs({SVD}(X)[0])", "X: n d -> n n!", "S(n)", SINGULAR_VALUES, False),
    (f"return np.abs({SVD}(np.outer(x, x))[2])", "x: n -> n! n", "S(n)", SINGULAR_VALUES, True),
    (f"return {SVD}(X, full_matrices=False)[0] ** 2", "X: n d -> n! k", "S(n)", SINGULAR_VALUES, False),
    (f"return {SVD}(X, compute_uv=False)", "X: n d -> k", "Scale(n)", SINGULAR_VALUES, False),
)  # fmt: skip


@pytest.mark.parametrize(
    ("body", "at", "ties"),
    [
        ("return np.argsort(x)", [3.0, 1.0, 2.0], False),
        ("return np.argsort(x)", [3.0, 1.0, 3.0], True),
        ("return x.argmax()", [1.0, 1.0, 2.0], False),
        ("return x.argmax()", [2.0, 1.0, 2.0], True),
        ("return np.eye(2)[(x > 2) * 1].sum(0).argmax()", [3.0, 1.0], True),
        ("return np.eye(2)[(x > 2) * 1].sum(0).argmax()", [3.0, 1.0, 2.0], False),
        ("return np.argmin(np.zeros(len(x)))", [3.0, 1.0, 2.0], True),
        ("return np.sort(x)", [3.0, 3.0, 2.0], False),
    ],
)
def test_ties_that_decide_a_place_are_noticed(body: str, at: list[float], ties: bool) -> None:
    source, _ = drawn(body, "x: n -> ()", "S(n)")
    assert exceptional(source, [np.array(at)]) == ({TIES} if ties else set())


@pytest.mark.parametrize(
    ("body", "at", "kinds"),
    [
        ("return np.linalg.eigh(np.diag(x))[1]", [3.0, 1.0, 2.0], set()),
        ("return np.linalg.eigh(np.diag(x))[1]", [3.0, 1.0, 3.0], {EIGENVALUES}),
        ("return np.linalg.eigh(np.outer(x, x))[1]", [3.0, 1.0], set()),
        ("return np.linalg.eigh(np.outer(x, x))[1]", [3.0, 1.0, 2.0], {EIGENVALUES}),
        ("return np.linalg.eigh(0 * np.outer(x, x))[1]", [3.0], set()),
        ("return np.linalg.eigh(0 * np.outer(x, x))[1]", [3.0, 1.0], {EIGENVALUES}),
        ("return np.linalg.eigvalsh(np.outer(x, x))", [3.0, 1.0, 2.0], set()),
        ("return np.linalg.svd(np.diag(x))[0]", [3.0, 1.0, 2.0], set()),
        ("return np.linalg.svd(np.diag(x))[0]", [3.0, 1.0, -3.0], {SINGULAR_VALUES}),
        ("return np.linalg.svd(np.diag(x))[0]", [3.0, 1.0, 0.0], {SINGULAR_VALUES}),
        ("return np.linalg.svd(x[:, None])[0]", [3.0, 1.0, 0.0], set()),
        ("return np.linalg.svd(x[:, None])[0]", [0.0, 0.0], {SINGULAR_VALUES}),
        ("return np.linalg.svd(np.diag(x), compute_uv=False)", [3.0, 3.0], set()),
        ("return np.linalg.eigh(np.diag(x))[0].argmax()", [3.0, 3.0], {EIGENVALUES, TIES}),
        ("return np.linalg.eigvalsh(np.diag(x)).argmax()", [3.0, 3.0], {TIES}),
        ("return np.linalg.eigvalsh(np.diag(x)).argmax()", [3.0, 1.0], set()),
        ("return np.linalg.svd(np.diag(x))[1].argmax()", [3.0, 3.0], {SINGULAR_VALUES, TIES}),
    ],
)
def test_spectra_that_coincide_are_noticed(body: str, at: list[float], kinds: set[str]) -> None:
    source, _ = drawn(body, "x: n -> ()", "S(n)")
    assert exceptional(source, [np.array(at)]) == kinds


@pytest.mark.parametrize(("body", "signature", "under", "kind", "true"), SETS)
def test_a_verdict_is_judged_off_the_points_that_it_leaves_out(
    body: str, signature: str, under: str, kind: str, true: bool
) -> None:
    assert bool(said_to_hold(body, signature, under, kind)) is not true


@pytest.mark.parametrize(("body", "signature", "under", "kind", "true"), [s for s in SETS if s[3] == TIES])
def test_a_verdict_without_such_points_is_judged_everywhere(
    body: str, signature: str, under: str, kind: str, true: bool
) -> None:
    assert said_to_hold(body, signature, under)


#: Claims that are true only off sets that hold all points of these sizes: all entries are equal, or a matrix
#: is 0, or the identity. The first was drawn by the fuzzer.
CENTRED = "C = X - X.mean(0); "
ALL_POINTS = (
    (CENTRED + f"return np.abs({EIGH}(C.T @ C)[1][:, -1]) ** 1.5", "X: n d -> d", "A(d)", EIGENVALUES, 1),
    (CENTRED + f"return {EIGH}(C.T @ C - np.eye(C.shape[1]))[1] ** 2", "X: n d -> d d!", "S(d)",
     EIGENVALUES, 1),
    (f"return np.abs({EIGH}(np.eye(len(x)))[1])", "x: n -> n n!", "S(n)", EIGENVALUES, [2, 8]),
    (f"return {EIGH}(0 * np.outer(x, x))[1] @ np.ones(len(x))", "x: n -> n", "Signs(n)", EIGENVALUES, [2, 8]),
    (CENTRED + f"return np.abs({SVD}(C, False)[2])", "X: n d -> k d", "S(d)", SINGULAR_VALUES, 1),
    (f"return {SVD}(np.eye(len(x)))[0] ** 2", "x: n -> n n!", "C(n)", SINGULAR_VALUES, [2, 8]),
    ("return 1.0 * (np.arange(len(x)) == np.argmax(0 * x))", "x: n -> n", "S(n)", TIES, [2, 8]),
    ("return x * np.argsort(np.ones(len(x)))", "x: n -> n", "C(n)", TIES, [2, 8]),
)  # fmt: skip


@pytest.mark.parametrize("kinds", [(TIES,), (EIGENVALUES,), (SINGULAR_VALUES,), (TIES, EIGENVALUES)])
@pytest.mark.parametrize(("body", "signature", "under", "kind", "n"), ALL_POINTS)
def test_points_of_one_kind_excuse_no_others(
    body: str, signature: str, under: str, kind: str, n: Any, kinds: tuple[str, ...]
) -> None:
    wrong = said_to_hold(body, signature, under, *kinds, n=n, d=[2, 8])
    assert bool(wrong) is (kind not in kinds)


def said_to_hold(body: str, signature: str, under: str, *kinds: str, **sizes: Any) -> str:
    """Why a verdict would be wrong that leaves out points of these kinds; "" where it would not be."""
    source, claim = drawn(body, signature, under)
    source = replace(source, theme="spectra" if "linalg" in body else "ties")
    told = SimpleNamespace(
        sizes=({"n": [2 - bool(kinds), 8], "d": [1, 8], **sizes},), grade="PROVED", readings=(),
        points=tuple(SimpleNamespace(kind=kind) for kind in kinds),
    )  # fmt: skip
    return holds(source, claim, Trials(source, "0"), told, random.Random(0))[0]


TRUE = (
    ("return x[np.argsort(np.tanh(x))]", "x: n -> n!", "S(n)", [-21, -20], [1, 0]),
    ("return np.sin(np.pi * np.rint(x))", "x: n -> n!", "Signs(n)", [1, 1], [-1, 1]),
    ("return np.exp(x).sum() - np.exp(x[::-1]).sum()", "x: n -> ()", "S(n)", [1, 3], [1, 0]),
    ("return np.cumsum(np.sort(x))", "x: n -> n!", "S(n)", [1, 3], [1, 0]),
)


@pytest.mark.parametrize(("body", "signature", "under", "at", "element"), TRUE)
def test_a_counterexample_that_is_none_is_noticed(
    body: str, signature: str, under: str, at: Any, element: Any
) -> None:
    source, claim = drawn(body, signature, under)
    inputs = {"x": np.array([Fraction(v) for v in at], dtype=object)}
    point = SimpleNamespace(sizes={"n": len(at)}, inputs=inputs, element={"n": tuple(element)})
    wrong, _ = fails(source, claim, Trials(source, "0"), SimpleNamespace(grade="EXACT", counterexample=point))
    assert wrong


@pytest.mark.parametrize("family", oracle.FAMILIES)
def test_the_oracle_acts_as_the_package_does(family: str) -> None:
    """Written apart from it; one of the two would be wrong."""
    text = "X: n d, A: d n, E[d]: 2 n" if family in "SACD" else "X: n d, A: d n"
    text += " -> d d! n" if family in ("T", "E", "SE") else " -> d d* n" if family == "GL" else " -> d d! d n"
    signature = parse_signature(text)
    factor = parse_group(f"{family}(d)", signature).factors[0]
    sizes, rng = {"n": 3, "d": 4}, np.random.default_rng(5)
    for seed in range(5):
        g = oracle.element(family, 4, seed)
        data: Any = tuple(map(tuple, g[1])) if g[0] == "matrix" else g[1]
        data = {"T": tuple(g[2] or ()), "E": (data, tuple(g[2] or ())), "SE": (data, tuple(g[2] or ()))}.get(
            family, data
        )
        if family == "Signs":
            data = tuple(int(row[i]) for i, row in enumerate(g[1]))
        theirs = Element(factor.family, factor.axis, (data,) if family == "Scale" else data)
        specs = Spec.parse(text.split("->")[0])
        arrays = [oracle.sample(a, sizes, rng) for a in specs]
        for ours, a, array in zip(
            oracle.moved(g, "d", specs, arrays, sizes), signature.inputs, arrays, strict=True
        ):
            assert np.allclose(ours, act_on_argument(theirs, array, a, sizes))
        output = rng.normal(size=[sizes[str(a).rstrip("!*")] for a in signature.output])
        axes = Spec.parse(f"y: {text.split('->')[1]}")[0].axes
        assert np.allclose(
            oracle.act(g, "d", output, axes, sizes), act(theirs, output, signature.output, sizes)
        )


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("(x * np.sqrt(2)) ** 2", 18), ("(x * np.sqrt(2)) ** -1 * np.sqrt(2)", Fraction(-1, 3)),
        ("2 ** x", Fraction(1, 8)), ("np.log(np.exp(x))", -3), ("np.log(x)", None), ("0 / (x + 3)", None),
        ("np.sin(np.pi * x)", 0), ("np.sqrt(x * x)", 3), ("np.maximum(x, 0) + 1 / 2", Fraction(1, 2)),
        ("np.rint(x / 2)", -2), ("np.floor(x / 2)", -2), ("x % 2", 1), ("np.mod(x, 2)", 1),
        ("np.sign(x)", -1), ("x.astype(np.int8) * np.int8(50)", 106),
        ("np.linalg.norm(np.stack([x, x, x, x]))", 6),
    ],
)  # fmt: skip
def test_exact_numbers_are_what_they_are_called(code: str, value: Any) -> None:
    source = Source((), (f"return {code}",), Spec.parse("x: n"), None)
    found = exactly.exact_numbers(exactly.run(source, [exactly.exact(np.array([-3.0]))])).flat[0].v
    assert found is None if value is None else abs(exactly._real(found) - value) < 1e-60


@pytest.mark.parametrize(
    ("body", "at"),
    [
        ("return (np.exp(x ** 3) - np.expm1(x ** 3))[:1].sum()", (8, 1)),
        ("return (np.exp(x * x) - np.exp(x * x) * (1 - np.exp(-x * x)))[:1].sum()", (20, 1)),
        ("return np.exp(np.log((x[:1] > 1).astype(int)).sum())", (1, 2)),
    ],
    ids=["digits that cancel", "digits that cancel in a product", "the logarithm of an integer 0"],
)
def test_what_exact_numbers_cannot_tell_they_do_not_tell(body: str, at: tuple[int, int]) -> None:
    source, claim = drawn(body, "x: n -> ()", "S(n)")
    arrays = (np.array([Fraction(v) for v in at], dtype=object),)
    swap = ("perm", (1, 0), None)
    assert exactly.judge(source, claim, Violation({"n": 2}, arrays, ((swap, "n"),))).startswith("unclear")
