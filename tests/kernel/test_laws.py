"""Laws of normal forms: each is accepted; what evaluation tells apart never has one normal form."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from eqvproof.kernel import normal, report
from eqvproof.support.errors import ExportError
from tests.kernel.corpus import JSON, claim, seal
from tests.kernel.encoding import at_all_sizes, check_certificate
from tests.kernel.expressions import (
    Value,
    ein,
    eye,
    fn,
    iota,
    mat,
    program,
    red,
    roll,
    size,
    srt,
    tri,
)
from tests.kernel.laws import (
    ANGLES,
    INPUTS,
    MORE,
    OTHERS,
    SAME,
    A,
    B,
    Law,
    T,
    exp,
    inv,
    recip,
    sqrt,
    turned,
    x,
    y,
)
from tests.kernel.oracle import evaluate

POINTS = [({"n": 2, "m": 3, "k": 2}, 1), ({"n": 3, "m": 2, "k": 1}, 2), ({"n": 2, "m": 2, "k": 2}, 3),
    ({"n": 2, "m": 2, "k": 1}, 4), ({"n": 1, "m": 2, "k": 1}, 5)]


def point(sizes: dict[str, int], seed: int) -> dict[str, Any]:
    """Inputs: positive ones; ones of both signs; ones that begin with zeros; and such that A = -I, y = -x."""
    rng = np.random.default_rng(seed)
    found = {k: rng.normal(size=[sizes.get(c) or int(c) for c in shape]) for k, shape in INPUTS.items()}
    if seed == 1:
        return {k: np.abs(v) for k, v in found.items()}
    if seed == 3:
        for v in found.values():
            v[(0,) * min(v.ndim, 1)] = 0.0
    if seed == 4:
        found |= {"y": -found["x"], "A": -np.eye(sizes["n"])}
    return found


def values(value: Value) -> list[Any]:
    """What evaluation gives at all points."""
    return [evaluate(program(value, INPUTS), point(*p), p[0]) for p in POINTS]


def differ(left: Any, right: Any) -> bool:
    """Whether two values are both defined somewhere, and differ there."""
    if left.shape != right.shape:
        return True
    both = ~(np.isnan(left) | np.isnan(right))
    return not np.allclose(left[both], right[both], rtol=1e-7, atol=1e-9)


TYPING = ", ".join(f"{k}: {' '.join(v) or '()'}" for k, v in INPUTS.items())


def identity(law: Law, same: bool, *, angles: bool = False) -> JSON:
    """The claim that two values are one; and, where it is made, that they are defined at the same points."""
    axes = [str(a) if isinstance(a, (str, int)) else "pqr"[k] for k, a in enumerate(law[0].shape)]
    return seal(
        "identity", claim=claim(f"{TYPING} -> {' '.join(axes) or '()'}", kind="identity"),
        program=program(law[0], INPUTS), other=program(law[1], INPUTS),
        evidence={"way": {"cells": 0, "angles": angles}, "same_domain": same},
    )  # fmt: skip


@pytest.mark.parametrize("name", [*SAME, *MORE])
def test_laws(name: str) -> None:
    """Both ways round; what is only equal where both sides are defined is not claimed to be more."""
    left, right = SAME[name] if name in SAME else MORE[name]
    for law in ((left, right), (right, left)):
        report = check_certificate(identity(law, name in SAME))
        assert report.accepted, report.reason
    pairs = list(zip(values(left), values(right), strict=True))
    assert not any(differ(a, b) for a, b in pairs)
    if name in SAME:
        assert all(np.array_equal(np.isnan(a), np.isnan(b)) for a, b in pairs)
    else:
        assert "same_domain" in check_certificate(identity((left, right), True)).reason


@pytest.mark.parametrize("name", ANGLES)
def test_laws_of_angles(name: str) -> None:
    """Those of each sign; with the other sign of the second term they are none."""
    left, right = ANGLES[name]
    assert check_certificate(identity((left, right), True, angles=True)).accepted
    assert not any(differ(a, b) for a, b in zip(values(left), values(right), strict=True))
    if right.op == "add":
        wrong = right.args[0] - (right - right.args[0])
        assert not check_certificate(identity((left, wrong), True, angles=True)).accepted


def collisions(pool: Iterable[Value]) -> tuple[int, int]:
    """How many normal forms there are, and how many values have that of an earlier one, which they equal."""
    report.allow_work(10**9)
    forms = normal.new_forms({"n": 1, "m": 1, "k": 1})
    seen: dict[int, tuple[Value, list[Any]]] = {}
    again = 0
    for value in pool:
        try:
            whole = at_all_sizes(program(value, INPUTS), forms.lows)
            form = normal.normal_form(forms, whole)
        except (ExportError, report.Rejected):
            continue
        if form not in seen:
            seen[form] = value, []
            continue
        again += 1
        first, known = seen[form]
        known += [] if known else values(first)
        assert not any(differ(a, b) for a, b in zip(values(value), known, strict=True)), (first, value)
    return len(seen), again


def test_what_evaluation_tells_apart_has_no_one_normal_form() -> None:
    pool = [*OTHERS.values(), *(v for law in (SAME | MORE).values() for v in law)]
    forms, again = collisions(pool)
    assert forms > 400 and forms + again > len(pool) - 9


SQUARES = [
    A, B, inv(A), inv(A + B), inv(A + eye("n")), exp(A), recip(exp(A)), recip(A), sqrt(A), eye("n"), A + B,
    tri("n", "n", 0), inv(ein("ab,bc->ac", A, B)), inv(A + turned(A)), roll(A, 1, 1), roll(inv(A), 0, 1),
]  # fmt: skip
CUBES = [T, inv(T), ein("abc->acb", T), exp(T), inv(ein("abc->bac", T)), srt(T, 2),
    fn("maximum", T, ein("abc->bac", T))]
LINES = [
    x, recip(x), exp(x), recip(ein("ab->a", exp(A))), recip(ein("ba->a", exp(A))), mat("det", T),
        red("max", A, 1),
    red("max", T, 1, 2), iota("n"), sqrt(x), recip(sqrt(x)), recip(x + y), ein("aa->a", A),
]  # fmt: skip


def contractions(rng: random.Random, rounds: int) -> Iterator[Value]:
    """Sums of products of the same factors, at many random labels; sometimes a function of them."""
    for _ in range(rounds):
        factors = rng.sample(SQUARES[:3] + CUBES[:2] + rng.sample(SQUARES + CUBES + LINES, 2),
            rng.choice([1, 2, 2, 3]))
        factors += rng.sample(factors, rng.choice([0, 0, 1]))
        inside = rng.random() < 0.25
        kept = rng.sample("abc", rng.choice([0, 1, 1, 2]))
        for _ in range(30):
            rows = ["".join(rng.choice("abcab") for _ in f.shape) for f in factors]
            output = "".join(c for c in kept if c in "".join(rows))
            value = ein(f"{','.join(rows)}->{output}", *factors)
            yield fn("tanh", value) if inside else value


@pytest.mark.parametrize("seed", range(3))
def test_contractions_at_random_labels(seed: int) -> None:
    forms, again = collisions([eye("n"), size("n"), *contractions(random.Random(seed), 12)])
    assert forms > 100 and again > 20


@pytest.mark.parametrize(("signature", "good"), [("X: n m -> n m", True), ("X: m n -> n m", False),
    ("X: n m -> m n", False)])
def test_inputs_and_results_have_the_claimed_axes(signature: str, good: bool) -> None:
    one = {"inputs": [{"name": "X", "shape": ["n", "m"]}], "output": 0,
           "nodes": [{"op": "input", "args": [], "shape": ["n", "m"], "name": "X"}]}  # fmt: skip
    what = claim(signature, kind="identity")
    evidence = {"way": {"cells": 0, "angles": False}, "same_domain": True}
    data = seal("identity", claim=what, program=one, other=one, evidence=evidence)
    assert check_certificate(data).accepted == good
