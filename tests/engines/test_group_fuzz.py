"""Random programs with determinants, inverses, alternating constants and duals; every proof is attacked."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import islice, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.claims.groups import Group, act, generated_by, parse_group, random_element
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.linear_types import Proof, infer_equivariance
from eqvproof.engines.one_type_each import with_one_type_each
from eqvproof.kernel import check_certificate
from eqvproof.programs import Builder, Program, Size
from eqvproof.support.errors import ExportError, ShapeError
from tests.engines.programs import run
from tests.programs.rules.reference import equal, tensor
from tests.sampling import examples
from tests.with_program import sealed_proof

TURN = generated_by([[[0, -1, 0], [1, 0, 0], [0, 0, 1]]])
CYCLE = generated_by([(1, 2, 0)], axis="d")
SHEAR = generated_by([[[1, 1, 0], [0, 1, 0], [0, 0, 2]]])
GROUPS: list[str | Group] = [
    "O(d)", "SO(d)", "GL(d)", "SL(d)", "S(d)", "A(d)", "C(d)", "D(d)", "Signs(d)", "B(d)", "S(n)", TURN,
    CYCLE, SHEAR,
]  # fmt: skip
INPUTS = "X: d n, Y: d* n, M: d d*"
EPSILON = [[[(i - j) * (j - k) * (k - i) // 2 for k in range(3)] for j in range(3)] for i in range(3)]


def random_program(rng: random.Random, d: int | str) -> Program:
    """A program in X (d, n), Y (d, n) and M (d, d)."""
    b = Builder()
    pool = [b.input("X", [d, "n"]), b.input("Y", [d, "n"]), b.input("M", [d, d])]
    if d == 3:
        pool.append(b.const(EPSILON))
    pool.append(b.eye(d))
    for _ in range(rng.randint(2, 9)):
        x = pool[-1] if rng.random() < 0.4 else rng.choice(pool)
        y = rng.choice(pool)
        try:
            made = step(b, rng, x, y)
        except ShapeError:
            continue
        if len(b.shape(made)) <= 3:
            pool.append(made)
    return b.program(pool[-1])


def step(b: Builder, rng: random.Random, x: int, y: int) -> int:
    """One operation."""
    choice, rank = rng.randrange(12), len(b.shape(x))
    if choice <= 4:  # a random contraction or product
        rows, fresh = [], 0
        for a in (x, y):
            rows.append(tuple(range(fresh, fresh + len(b.shape(a)))))
            fresh += len(b.shape(a))
        names = list(range(fresh))
        sizes = [*b.shape(x), *b.shape(y)]
        for _ in range(rng.randint(0, 2)):
            i, j = rng.randrange(fresh or 1), rng.randrange(fresh or 1)
            if fresh and sizes[i] == sizes[j]:
                names = [names[i] if k == names[j] else k for k in names]
        labels = [tuple(names[k] for k in row) for row in rows]
        flat = [k for row in labels for k in row]
        output = [k for k in dict.fromkeys(flat) if flat.count(k) == 1 or rng.random() < 0.2]
        return b.einsum([x, y], labels, output)
    if choice == 5:
        return b.det(x)
    if choice == 6:
        return b.inv(x)
    if choice == 7:
        return b.add([x, y])
    if choice == 8:
        return b.map(rng.choice(["recip", "abs", "sign", "not", "exp"]), [x])
    if choice == 9:
        return b.map(rng.choice(["eq", "ne", "and"]), [x, y])
    if choice == 10:
        return b.transpose(x)
    return b.concat([x, y], rng.randrange(rank)) if rank else b.mul(x, y)


def proofs(seed: int) -> list[tuple[Program, str, Group, Proof, dict[str, int]]]:
    """The proofs of one random program, under all groups and readings of its axes."""
    rng = random.Random(seed)
    d: int | str = rng.choice([3, "d"])
    program = random_program(rng, d)
    if len(program.inputs) != 3 or len(program.shape) > 3:
        return []
    found = []
    for under in GROUPS:
        pins = {"d": 3} if d == 3 else {}
        options: list[list[str]] = []
        for size in program.shape:
            if size == Size.of(d):
                options.append(["d", "d*", "d!"])
            elif size == Size.of("n"):
                options.append(["n"])
            else:
                options.append([str(size.constant)] if size.constant else [])
        for axes in islice(product(*options), 9):
            signature = parse_signature(f"{INPUTS} -> {' '.join(axes) or '()'}")
            group = parse_group(under, signature)
            if group.pins and not pins:
                continue
            result = infer_equivariance(program, signature, group, pins)
            if isinstance(result, Proof):
                found.append((program, str(signature), group, result, pins))
    return found


@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(80, 10), deadline=None)
def test_no_proof_has_a_counterexample(seed: int) -> None:
    rng = random.Random(seed)
    for program, text, group, proof, pins in proofs(seed):
        signature = parse_signature(text)
        (factor,) = group.factors
        claim = {
            "kind": "equivariance", **signature.to_json(), "group": group.to_json(),
            "scope": {k: pins.get(k, "all") for k in signature.names},
        }  # fmt: skip
        written, copied = with_one_type_each(program, proof)
        try:
            report = check_certificate(sealed_proof(claim, written.to_json(), copied.to_json()))
            good, reason = report.accepted, report.reason
        except ExportError as error:
            good, reason = False, str(error)
        # no form has determinants, or truth values, of what the sign of a permutation multiplies
        assert good or factor.family in ("S", "D"), (reason, text, str(group), program.to_json())
        for _ in range(2):
            sizes = {"d": pins.get("d", rng.randint(1, 3)), "n": rng.randint(1, 2)}
            element = random_element(factor, sizes[str(factor.axis)], rng)
            values: dict[str, Any] = {}
            for argument in signature.inputs:
                shape = tuple(axis.at(sizes) for axis in argument.axes)
                small = [Fraction(rng.randint(-2, 2)) for _ in range(shape[0] * shape[1])]
                values[argument.name] = tensor(shape, small)
            moved = {a.name: act(element, values[a.name], a.axes, sizes) for a in signature.inputs}
            left = run(program, moved, sizes)
            plain = run(program, values, sizes)
            if any(v is None for v in plain.ravel()):
                assert any(v is None for v in left.ravel())
                continue
            assert equal(left, act(element, plain, signature.output, sizes)), (text, str(group))


def test_the_fuzz_proves_something() -> None:
    """Positive control: proofs with a parity or a dual, under every group."""
    seen: set[str] = set()
    special = 0
    for seed in range(120):
        for _, text, group, proof, _ in proofs(seed):
            lines = proof.factors[0].lines
            if any(line.odd for line in lines) or "d*" in text.split("->")[1]:
                special += 1
                seen.add(f"{group} {group.factors[0].family}")
        if special > 25 and len(seen) >= 8:
            return
    pytest.fail(f"{special} proofs, under {seen}")
