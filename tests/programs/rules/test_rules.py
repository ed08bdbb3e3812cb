"""Every rule against exact evaluation on random typed instances, and the registry."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eqvproof.claims.groups.families.linear import LINEAR
from eqvproof.claims.groups.families.orthogonal import ORTHOGONAL
from eqvproof.claims.groups.families.signs import SIGNS
from eqvproof.claims.groups.kinds import Kind
from eqvproof.programs import operations, rules
from eqvproof.programs.rules.acts import is_fixed
from tests.programs.rules.harness import KINDS, MAKERS, Instance, each_kind
from tests.sampling import examples


@each_kind
@pytest.mark.parametrize("name", MAKERS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=examples(150))
def test_rule_is_sound(name: str, kind: Kind, seed: int) -> None:
    """No type that a rule gives is wrong at an exact point."""
    instance = Instance(random.Random(seed), MAKERS[name], kind)
    assert instance.violation() == ""


#: What these rules move nothing under: an order of entries is kept by permutations only, a function of
#: entries by permutations and, where it is odd, by signs; functions of matrices by orthogonal matrices only,
#: and Cholesky factors where a batch is permuted only.
NOTHING: dict[str, set[Kind]] = {
    "map": {ORTHOGONAL, LINEAR}, "eigvals": {LINEAR}, "spectral": {LINEAR}, "pinv": {LINEAR},
    **{name: {ORTHOGONAL, SIGNS, LINEAR} for name in ("reduce", "sort", "onehot", "cholesky")},
}  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_instances_exercise_the_rule(name: str) -> None:
    """Positive control: among the random instances many are accepted with something that moves."""
    moving: Counter[Kind] = Counter()
    for seed in range(400):
        for kind in KINDS:
            instance = Instance(random.Random(seed), MAKERS[name], kind)
            some = any(not is_fixed(a) for t in instance.types for a in t) or name == "leaf"
            moving[kind] += some and instance.accepted()
    assert moving.total() >= 20
    assert {kind for kind in KINDS if moving[kind] == 0} == NOTHING.get(name, set())


#: Operations without random instances here: a claim gives the type of an input; a form is kept by groups of
#: matrices that the harness does not draw (tests/claims/groups); an uninterpreted function has no values, and
#: eigenvectors have them up to signs (tests/engines).
ELSEWHERE = {"input", "form", "opaque", "eigenvectors"}


def test_every_rule_has_random_instances() -> None:
    """An operation whose rule is compared with no value is found."""
    seeds = [random.Random(seed) for seed in range(20)]
    made = {Instance(rng, make, kind).op.op for make in MAKERS.values() for kind in KINDS for rng in seeds}
    assert made | ELSEWHERE == set(operations.OPERATIONS) and not made & ELSEWHERE


def test_every_rule_file_is_registered_and_proved() -> None:
    """A file of rules states them with inference bars and a proof, unless it is one of the named helpers."""
    helpers = {
        operations: {
            "__init__", "base", "einsum_text", "functions", "input", "matrix_functions", "numpy_code",
            "registry", "shared", "stored",
        },
        rules: {"__init__", "acts", "claim", "context"},
    }  # fmt: skip
    homes = {record.__module__.rsplit(".", 1)[1] for record in operations.OPERATIONS.values()}
    for package, others in helpers.items():
        stated = {p.stem: p for p in Path(package.__file__ or "").parent.glob("*.py") if p.stem not in others}
        assert package is rules or stated.keys() == homes - {"input"}
        for stem, path in stated.items():
            docstring = path.read_text().split('"""')[1]
            assert "-----" in docstring and "Proof." in docstring and "QED" in docstring, stem
