"""Types under sign flips by normal forms: what is accepted is true, and altered proofs are refused."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.programs import Builder, Program
from eqvproof.programs.evaluate import evaluate_float
from tests.kernel.corpus import JSON, claim, edited, fix, reseal, seal, std
from tests.kernel.form_values import value
from tests.kernel.mutate import is_accepted, mutants
from tests.kernel.oracle import is_equivariant

Way = JSON


def proof(
    program: Program, signature: str, types: list[Any], lines: list[list[int]], *forms: Way, axis: Any = None
) -> JSON:
    """A certificate under Signs of which some lines are shown by normal forms.

    The types, and the lines [type, node, premise, ...], are about nodes of the Program.
    """
    what = claim(signature, f"Signs({axis or 'd'})")
    entry = {"family": "Signs", "axis": axis or "d", "types": types, "lines": lines, "shown": list(forms)}
    about_nodes = {"kind": "proof", "claim": what, "program": program.to_json()}
    _, content = elaborate({**about_nodes, "evidence": {"factors": [entry]}})
    return seal("proof", **content)


def together(line: int, *written: int) -> Way:
    return {"line": line, "single": False, "written": list(written)}


def one_by_one(line: int, *written: int) -> Way:
    return {"line": line, "single": True, "written": list(written)}


def of_entries(b: Builder, size: Any) -> int:
    """exp(x) + exp(-x)."""
    x = b.input("x", [size])
    return b.add([b.map("exp", [x]), b.map("exp", [b.mul(b.const(-1), x)])])


def of_a_sum(b: Builder, size: Any) -> int:
    """exp(s) + exp(-s), s the sum of x."""
    s = b.sum(b.input("x", [size]), [0])
    return b.add([b.map("exp", [s]), b.map("exp", [b.mul(b.const(-1), s)])])


def built(make: Callable[[Builder, Any], int], size: Any) -> Program:
    b = Builder()
    return b.program(make(b, size))


def even(size: Any = "d", way: Way | None = None) -> JSON:
    program = built(of_entries, size)
    types = [[[std(size)], 0], [[fix(size)], 0]]
    lines = [[0, 0], [1, program.output, 0]]
    return proof(program, f"x: {size} -> {size}!", types, lines, way or together(1), axis=size)


def test_even_functions_of_each_entry() -> None:
    for certificate in (even(), even(3), even(3, one_by_one(1))):
        report = ep.verify(certificate)
        assert report.accepted, report.reason
        assert "normal forms" in report.rests_on


def refused(certificate: JSON, *edits: tuple[list[Any], Any]) -> str:
    report = ep.verify(edited(certificate, *edits))
    assert not report.accepted
    assert "internal" not in str(report.reason)
    return str(report.reason)


def test_altered_proofs_are_refused() -> None:
    whole, factor = even(), ["evidence", "factors", 0]
    (shown,) = whole["evidence"]["factors"][0]["shown"]
    line, lines = shown["line"], whole["evidence"]["factors"][0]["lines"]
    assert line == len(lines) - 1 and shown["premises"] == [0]
    assert "normal forms" in refused(whole, ([*factor, "shown", 0, "single"], True))
    for other in ([], None, [shown, shown], [{**shown, "line": line + 1}], [{**shown, "line": 0}], [{}]):
        refused(whole, ([*factor, "shown"], other))
    assert "the argument of line 0, too" in refused(whole, ([*factor, "shown", 0, "premises"], []))
    assert "a line twice" in refused(whole, ([*factor, "shown", 0, "premises"], [0, 0]))
    refused(whole, ([*factor, "shown", 0, "premises"], [line]))
    number = {"moved": lines[0], "still": lines[line]}
    acts = whole["evidence"]["factors"][0]["types"][number["moved"]][0]
    output = ["claim", "output"], [[[1, "d", ""]]]
    assert refused(whole, ([*factor, "lines", line], number["moved"]), output)
    assert refused(whole, ([*factor, "types", number["still"], 1], 1))
    assert refused(whole, ([*factor, "types", number["still"], 0], acts))
    assert refused(whole, ([*factor, "lines", 0], number["still"]))
    assert "written" in refused(whole, ([*factor, "shown", 0, "written"], [1]))
    kinds = whole["forms"]["kinds"]
    (k,) = [k for k, (_, name, *_) in enumerate(kinds) if name == "Scalar"]
    assert "do not show" in refused(whole, (["forms", "kinds", k, 2], -2))
    k = whole["forms"]["functions"].index("exp")
    assert ep.verify(edited(whole, (["forms", "functions", k], "tanh"))).accepted


def test_types_of_lines_on_which_the_result_does_not_rest_are_not_used() -> None:
    """Whatever is stated of them: also where a line that is shown would need them by a rule."""
    whole = even()
    factor = whole["evidence"]["factors"][0]
    (shown,) = factor["shown"]
    for line in range(1, shown["line"]):
        for number in range(len(factor["types"])):
            other = edited(whole, (["evidence", "factors", 0, "lines", line], number))
            report = ep.verify(other)
            assert report.accepted or "another rank" in str(report.reason)
    plain = edited(whole, (["evidence", "factors", 0], {k: v for k, v in factor.items() if k != "shown"}))
    assert "no rule gives line" in str(ep.verify(plain).reason)


def test_other_groups_have_no_such_lines() -> None:
    for family in ("O", "SO", "S", "GL", "C", "A"):
        path = ["evidence", "factors", 0, "family"]
        assert refused(even(), (["claim", "group", 0, "family"], family), (path, family))


@pytest.mark.parametrize(("size", "way", "good"), [
    ("d", together(1), False), ("d", one_by_one(1), False), (3, together(1), False),
    (3, one_by_one(1), False), (3, one_by_one(1, 2), False), (1, one_by_one(1), True),
])  # fmt: skip
def test_sums_over_entries_have_many_signs(size: Any, way: Way, good: bool) -> None:
    program = built(of_a_sum, size)
    lines = [[0, 0], [1, program.output, 0]]
    certificate = proof(program, f"x: {size} -> ()", [[[std(size)], 0], [[], 0]], lines, way, axis=size)
    assert ep.verify(certificate).accepted == good


def test_elements_for_each_entry_of_an_axis() -> None:
    """exp(x) + exp(-x) with signs for each b; of the sum over b it is none."""

    def certificate(make: Callable[[Builder, int], int], rank: int) -> JSON:
        b = Builder()
        y = make(b, b.input("x", ["b", "d"]))
        output = b.add([b.map("exp", [y]), b.map("exp", [b.mul(b.const(-1), y)])])
        program = b.program(output)
        types = [[[fix("b"), std("d")], 0], [[fix("b"), fix("d")][-rank:], 0]]
        signature = "x: b d -> " + " ".join(["b", "d!"][-rank:])
        return proof(program, signature, types, [[0, 0], [1, program.output, 0]], together(1))

    for make, rank, good in ((lambda b, x: x, 2, True), (lambda b, x: b.sum(x, [0]), 1, False)):
        plain = certificate(make, rank)
        assert ep.verify(plain).accepted
        each = edited(plain, (["claim", "group", 0, "each"], "b"))
        report = ep.verify(each)
        assert report.accepted == good
        assert good or "one value for each entry" in report.reason


def with_last_type(certificate: JSON, last: Any) -> JSON:
    """The certificate with another type stated of the result."""
    factor = certificate["evidence"]["factors"][0]
    types, lines = [*factor["types"], last], [*factor["lines"][:-1], len(factor["types"])]
    path = ["evidence", "factors", 0]
    return edited(certificate, ([*path, "types"], types), ([*path, "lines"], lines))


SIGNS = list(itertools.product([1, -1], repeat=2))


def drawn(rng: np.random.Generator, b: Builder, x: list[int], depth: int) -> int:
    """A random expression of two scalars."""
    if not depth:
        return x[rng.integers(2)] if rng.random() < 0.8 else b.const(int(rng.integers(1, 4)))
    p = drawn(rng, b, x, depth - 1)
    way = rng.integers(5)
    if way == 0:
        return b.map(str(rng.choice(["exp", "tanh", "abs", "sin", "cos", "arctan"])), [p])
    q = drawn(rng, b, x, depth - 1)
    if way == 1:
        return b.add([p, b.mul(b.const(2), q)])
    if way == 2:
        return b.mul(p, q)
    if way == 3:
        return b.map(str(rng.choice(["maximum", "minimum", "lt"])), [p, q])
    return b.select(b.map("lt", [p, q]), p, q)


def symmetrised(rng: np.random.Generator) -> Program:
    """A random expression over some flips of its arguments, joined by an operation, with weights."""
    b = Builder()
    x = b.input("x", [2])
    entries = [b.sum(b.slice(x, 0, k, 1), [0]) for k in range(2)]
    state = int(rng.integers(2**31))
    chosen = [SIGNS, SIGNS, SIGNS, SIGNS[:2], [SIGNS[0], SIGNS[3]], SIGNS[:3]][rng.integers(6)]
    weights = [(1, 1), (1, 1), (1, -1), (-1, -1)][rng.integers(4)]
    values = []
    for signs in chosen:
        moved = [b.mul(b.const(s), e) for s, e in zip(signs, entries, strict=True)]
        value = drawn(np.random.default_rng(state), b, moved, 3)
        weight = np.prod([w if s < 0 else 1 for w, s in zip(weights, signs, strict=True)])
        values.append(b.mul(b.const(int(weight)), value))
    way = rng.integers(3)
    if way == 0:
        return b.program(b.add(values))
    result = values[0]
    for value in values[1:]:
        result = b.map("maximum", [result, value]) if way == 1 else b.mul(result, value)
    return b.program(result)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_accepted_is_true_of_floats(seed: int) -> None:
    rng = np.random.default_rng(seed)
    accepted = 0
    for _ in range(30):
        program = symmetrised(rng)
        if not any(node.input_name for node in program.nodes):
            continue
        points = rng.normal(size=(6, 2))
        value = np.array([float(evaluate_float(program, {"x": p})) for p in points])
        flips = {s: np.array([float(evaluate_float(program, {"x": p * s})) for p in points]) for s in SIGNS}
        for odd in (0, 1):
            lines = [[0, 0], [1, program.output, 0]]
            types = [[[std(2)], 0], [[], 0]]
            certificate = proof(program, "x: 2 -> ()", types, lines, one_by_one(1), axis=2)
            report = ep.verify(with_last_type(certificate, [[], odd]))
            is_true = all(np.allclose(other, value * (s[0] * s[1]) ** odd) for s, other in flips.items())
            # no claim says that a result changes sign: where that alone is wrong, the lines were accepted
            if report.accepted or "not the claimed one" in str(report.reason):
                accepted += 1
                assert is_true, program
    assert accepted > 3


def network(z: Any) -> Any:
    return np.tanh(np.maximum(z, 0) * 2 + 0.5) - np.maximum(z - 1, 0)


def coordinates(X: Any) -> Any:
    Z = X @ np.linalg.eigh(X.T @ X)[1]
    return network(Z) + network(-Z)


#: Proofs some of whose lines are shown: of entries, of sums, of two signs together, of eigenvectors.
CASES: dict[str, tuple[Callable[..., Any], str, str]] = {
    "entries": (lambda x: network(x) + network(-x), "x: n -> n!", "Signs(n)"),
    "odd": (lambda x: network(x) - network(-x), "x: n -> n", "Signs(n)"),
    "odd, then even": (lambda x: np.abs(network(x) - network(-x)).sum(), "x: n -> ()", "Signs(n)"),
    "a sum over rows": (lambda X: np.exp(X) * X.sum(0) - np.exp(-X) * X.sum(0), "X: n k -> n k!", "Signs(k)"),
    "two factors": (
        lambda X: (network(X) + network(-X)).sum(0), "X: n k -> k!", "Signs(k) x S(n)",
    ),
    "of each": (lambda X: network(X) + network(-X), "X: b k -> b k!", "Signs(k) each b"),
    "all frames": (
        lambda x: sum(np.exp(x @ np.array([s, t])) for s in (1, -1) for t in (1, -1)),
        "x: 2 -> ()", "Signs(2)",
    ),
    "eigenvectors": (coordinates, "X: n d -> n d!", "O(d) x S(n)"),
}  # fmt: skip


STEPS = {"rint", "floor", "ceil", "sign", "mod", "not", "eq", "ne", "lt", "le", "gt", "ge"}


def shown(name: str) -> JSON:
    certificate: Any = ep.check(*CASES[name], generic=True).certificate
    proofs = [*certificate["evidence"]["factors"], *certificate["evidence"].get("signs", ())]
    assert any("shown" in own for own in proofs)
    return dict(certificate)


def is_true(data: JSON, rng: random.Random) -> bool:
    """Whether the claim stands tests; one element for all entries."""
    claim, forms = data["claim"], data["forms"]
    one = [{k: v for k, v in factor.items() if k != "each"} for factor in claim["group"]]
    return is_equivariant({**claim, "group": one}, lambda *at: value(forms, claim, *at), rng)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", CASES)
def test_a_changed_field_is_rejected_or_still_true(name: str) -> None:
    data, rng = shown(name), random.Random(name)
    assert is_accepted(data) and is_true(data, rng)
    seen = dict.fromkeys((False, True), 0)
    for _, other in mutants(data):
        changed = reseal(other)
        good = is_accepted(changed)
        seen[good] += 1
        if good and not STEPS & {*map(str, changed["forms"]["functions"])}:  # floats are off at steps
            assert is_true(changed, rng), changed
    assert seen[False] > 300 and seen[True] < seen[False] / 2, seen


def test_signs_that_do_not_cancel() -> None:
    """Each claim is false, and the types, the premises and the ways are those of a true one."""
    for name, functions in (("entries", ("tanh", "exp")), ("eigenvectors", ("tanh", "exp"))):
        data = shown(name)
        number = data["forms"]["functions"].index(functions[0])
        for kind, (_, form, *_) in enumerate(data["forms"]["kinds"]):
            if form == "Scalar":
                for other in (-2, 0, 2):
                    changed = edited(data, (["forms", "kinds", kind, 2], other))
                    assert not is_accepted(changed) or is_true(changed, random.Random(0)), changed
        assert is_accepted(edited(data, (["forms", "functions", number], functions[1])))
