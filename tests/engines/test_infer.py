"""Proofs of random programs attacked at exact points, and what derivations and gaps say."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.claims.groups import parse_group
from eqvproof.claims.groups.families import EVERY_FAMILY
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.explain import derivation, gap_text
from eqvproof.engines.linear_types import Gap, Proof, infer_equivariance
from eqvproof.programs import Builder, Program, Size
from eqvproof.programs import operations as ops
from eqvproof.programs.evaluate import evaluate_float
from eqvproof.programs.rules.acts import canonical, fix, std
from tests.engines.programs import random_program, run
from tests.programs.rules.harness import group_matrix
from tests.programs.rules.reference import act_matrix, apply_along, equal, tensor
from tests.sampling import examples

FAMILIES = ["O(d)", "S(n)", "Signs(d)", "S(k)", "S(d)", "SO(d)", "C(n)", "C(d)"]


def output_signatures(program: Program, axis: str) -> list[str]:
    """Signatures whose output fits the program's shape; each factor axis moved or not."""
    texts = [""]
    for size in program.shape:
        name = "+".join(str(size).replace(" ", "").split("+")) if size.terms else "1"
        if any(len(names) > 1 for names, _ in size.terms) or (
            size.constant is None and () in dict(size.terms)
        ):
            return []
        marks = ["", "!"] if size == Size.of(axis) else [""]
        texts = [f"{t} {name}{m}".strip() for t in texts for m in marks]
    return [f"X: d n, Z: d k -> {t or '()'}" for t in texts[:4]]


def prove_some(seed: int) -> list[tuple[Program, str, str, Proof]]:
    """The proofs found for one random program."""
    rng = random.Random(seed)
    program = random_program(rng, rng.randint(1, 12))
    if {name for name, _ in program.inputs} != {"X", "Z"}:
        return []
    found = []
    for under in FAMILIES:
        for text in output_signatures(program, under[-2]):
            try:
                signature = parse_signature(text)
            except Exception:
                continue
            result = infer_equivariance(program, signature, parse_group(under, signature), {})
            if isinstance(result, Proof):
                found.append((program, text, under, result))
    return found


def run_in_floats(program: Program, inputs: dict[str, Any], sizes: dict[str, int]) -> Any:
    return evaluate_float(program, {name: x.astype(float) for name, x in inputs.items()}, sizes)


def alike(left: Any, right: Any) -> bool:
    return np.allclose(left.astype(float), right.astype(float), rtol=1e-9, atol=1e-9, equal_nan=True)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(400))
def test_no_proved_program_has_a_counterexample(seed: int) -> None:
    """Each proof, at exact random points and elements, undefined entries included."""
    rng = random.Random(seed)
    for program, text, under, proof in prove_some(seed):
        # rules hold for stand-ins of functions; normal forms know what exp, < and others are
        has_forms = any(line.shown for part in proof.factors for line in part.lines)
        value, same = (run_in_floats, alike) if has_forms else (run, equal)
        family, axis = under[:-3], under[-2]
        for _ in range(3):
            sizes = {"d": rng.randint(1, 3), "n": rng.randint(1, 2), "k": rng.randint(1, 2)}
            if any(s.value(sizes) > 12 for node in program.nodes for s in node.shape):
                continue
            rho = group_matrix(rng, EVERY_FAMILY[family].kind, sizes[axis])
            if family == "C":
                n, by = sizes[axis], rng.randrange(sizes[axis])
                rho = tensor((n, n), [Fraction(int((i + by) % n == j)) for i in range(n) for j in range(n)])
            inputs = {
                name: tensor(
                    (sizes["d"], sizes[other]),
                    [Fraction(rng.randint(-2, 2)) for _ in range(sizes["d"] * sizes[other])],
                )
                for name, other in (("X", "n"), ("Z", "k"))
            }
            moved = dict(inputs)
            for name, other in (("X", "n"), ("Z", "k")):
                for position, size in enumerate(("d", other)):
                    if size == axis:
                        moved[name] = apply_along(rho, moved[name], position)
            left = value(program, moved, sizes)
            right = value(program, inputs, sizes)
            marks = text.split("->")[1].split()
            for position, mark in enumerate(marks if marks != ["()"] else []):
                blocks = [
                    [(Size.of(part.strip("!").lstrip("0123456789") or int(part.strip("!"))), part == axis)]
                    for part in expand(mark)
                ]
                act = canonical(blocks)
                right = apply_along(act_matrix(act, right.shape[position], rho, sizes), right, position)
            assert same(left, right), (text, under, program.to_json(), sizes)


def expand(axis: str) -> list[str]:
    """2n+k as n, n, k."""
    parts = []
    for term in axis.split("+"):
        digits = term[: len(term) - len(term.lstrip("0123456789"))]
        name = term[len(digits) :]
        parts.extend([name] * int(digits or 1) if name else [digits])
    return parts


def test_the_fuzz_proves_something() -> None:
    """Positive control: many random programs are proved, with something that moves."""
    proved = moving = 0
    for seed in range(300):
        results = prove_some(seed)
        proved += bool(results)
        moving += any(
            not all(a in (None, fix(s)) for a, s in zip(p.factors[0].lines[-1].type, prog.shape, strict=True))
            for prog, _, _, p in results
        )
        if proved > 60 and moving > 30:
            return
    pytest.fail(f"{proved} proved, {moving} of them with something that moves")


def attention(b: Builder, *, axis: int = 0) -> Program:
    """X softmax(X^T X), the softmax over an axis."""
    x = b.input("X", ["d", "n"])
    e = b.map("exp", [b.matmul(b.transpose(x), x)])
    return b.program(b.matmul(x, b.div(e, b.expand(b.sum(e, [axis]), axis))))


@pytest.mark.parametrize("axis", [0, 1])
def test_attention_is_proved_and_its_derivation_reads_like_a_proof(axis: int) -> None:
    """Each value has a line with its formula, shape, effect and rule."""
    program = attention(Builder(), axis=axis)
    signature = parse_signature("X: d n -> d n")
    proof = infer_equivariance(program, signature, parse_group("O(d) x S(n)", signature), {})
    assert isinstance(proof, Proof)
    lines = derivation(program, proof, "f(Q X P^T) = Q f(X) P^T")
    assert lines[0] == "Under O(d): let Q be an orthogonal matrix, of size d."
    assert "  X is given   (d, n): becomes Q X   [assumption]" in lines
    assert "  v1[i, j] = sum_{k} X[k, i] X[k, j]   (n, n): invariant   [product and sum]" in lines
    assert lines[-1].endswith("QED")


def test_a_gap_names_the_first_bad_value_and_the_line() -> None:
    """Elementwise tanh on vectors stops the proof there."""
    b = Builder()
    x = b.input("X", ["d", "n"])
    program = b.program(b.add([b.map("tanh", [x]), x]))
    signature = parse_signature("X: d n -> d n")
    gap = infer_equivariance(program, signature, parse_group("O(d)", signature), {})
    assert isinstance(gap, Gap) and isinstance(program.nodes[gap.node], ops.Map)
    text = gap_text(program, gap, "model.py:3")
    assert (
        "tanh(X) (model.py:3): the elementwise function tanh is applied to entries that the group rotates"
        in text
    )


def test_pinned_sizes_are_numbers_in_the_program() -> None:
    """With d = 3 the axis keeps its name in the claim and is 3 in the program."""
    b = Builder()
    x = b.input("X", [3, "n"])
    program = b.program(b.matmul(b.matmul(x, b.transpose(x)), x))
    signature = parse_signature("X: d n -> d n")
    group = parse_group("O(d) x S(n)", signature)
    assert isinstance(infer_equivariance(program, signature, group, {"d": 3}), Proof)


@pytest.mark.parametrize(
    ("assumed", "under", "ok"),
    [
        ("O(d)", "O(d)", True),
        ("O(d)", "SO(d)", True),
        ("O(d)", "S(d)", True),
        ("SO(d)", "O(d)", False),
        (None, "O(d)", False),
    ],
)
def test_an_opaque_function_transports_what_is_assumed_of_it(
    assumed: str | None, under: str, ok: bool
) -> None:
    """g(QX) = Q g(X) is used for subgroups of the assumed group only."""
    b = Builder()
    x = b.input("X", ["d", "n"])
    signature = parse_signature("X: d n -> d n")
    symmetry = None
    if assumed:
        data = signature.to_json()
        symmetry = {
            "inputs": [a["axes"] for a in data["inputs"]],  # type: ignore[attr-defined]
            "output": data["output"],
            "group": parse_group(assumed, signature).to_json(),
        }
    program = b.program(b.mul(b.const(2), b.opaque("g", [x], ["d", "n"], symmetry)))
    result = infer_equivariance(program, signature, parse_group(under, signature), {})
    assert isinstance(result, Proof) is ok


def test_an_opaque_function_of_invariants_is_invariant() -> None:
    """X g(X^T X), nothing assumed of g."""
    b = Builder()
    x = b.input("X", ["d", "n"])
    program = b.program(b.matmul(x, b.opaque("g", [b.matmul(b.transpose(x), x)], ["n", "n"])))
    signature = parse_signature("X: d n -> d n")
    assert isinstance(infer_equivariance(program, signature, parse_group("O(d)", signature), {}), Proof)
    assert isinstance(infer_equivariance(program, signature, parse_group("S(n)", signature), {}), Gap)


def test_index_arguments_are_not_taken_for_numbers() -> None:
    """An edge list whose entries index n has no rule under S(n) yet."""
    b = Builder()
    x, _ = b.input("X", ["n"]), b.input("E", [2, "m"])
    signature = parse_signature("X: n, E[n]: 2 m -> ()")
    program = b.program(b.add([b.sum(x), b.sum(b.input("E", [2, "m"]))]))
    assert isinstance(infer_equivariance(program, signature, parse_group("S(n)", signature), {}), Gap)


def test_acts_are_canonical() -> None:
    """Fixed neighbours merge; a moved block does not."""
    n, k = Size.of("n"), Size.of("k")
    assert canonical([[(n, False)], [(k, False)]]) == fix(n + k)
    assert canonical([[(n, False), (k, False)]]) == fix(n * k)
    assert canonical([[(n, True)], [(n, True)]]) != std(n * 2)
