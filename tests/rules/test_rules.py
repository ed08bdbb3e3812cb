"""Every rule against exact evaluation on random typed instances, and the registry."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import eqvproof.rules as rules
from eqvproof.program import OPERATIONS, ops
from eqvproof.rules import RULES, Kind
from eqvproof.rules.acts import is_fixed
from tests.rules.harness import MAKERS, Instance


@pytest.mark.parametrize("kind", list(Kind), ids=lambda k: k.value)
@pytest.mark.parametrize("name", MAKERS)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=150)
def test_rule_is_sound(name: str, kind: Kind, seed: int) -> None:
    """No type that a rule gives is wrong at an exact point."""
    instance = Instance(random.Random(seed), MAKERS[name], kind)
    assert instance.violation() == ""


#: What these rules move nothing under: an order of entries is kept by permutations only, a function of
#: entries by permutations and, where it is odd, by signs; functions of matrices by orthogonal matrices only.
NOTHING: dict[str, set[Kind]] = {
    "map": {Kind.ORTH, Kind.LIN}, "eigvals": {Kind.LIN}, "spectral": {Kind.LIN}, "pinv": {Kind.LIN},
    **{name: {Kind.ORTH, Kind.SIGN, Kind.LIN} for name in ("reduce", "sort", "onehot")},
}  # fmt: skip


@pytest.mark.parametrize("name", MAKERS)
def test_instances_exercise_the_rule(name: str) -> None:
    """Positive control: among the random instances many are accepted with something that moves."""
    moving: Counter[Kind] = Counter()
    for seed in range(400):
        for kind in Kind:
            instance = Instance(random.Random(seed), MAKERS[name], kind)
            some = any(not is_fixed(a) for t in instance.types for a in t) or name == "leaf"
            moving[kind] += some and instance.accepted()
    assert moving.total() >= 20
    assert {kind for kind in Kind if moving[kind] == 0} == NOTHING.get(name, set())


def test_every_operation_has_a_rule() -> None:
    """All operations but the input stand in the registry."""
    assert set(RULES) == {cls for _, cls in OPERATIONS} - {ops.Input}


def test_every_rule_file_is_registered_and_proved() -> None:
    """A file in rules/ is a rule with an inference bar and a proof, or one of the named helpers."""
    folder = Path(rules.__file__).parent
    registered = {rule.__module__.rsplit(".", 1)[1] for rule, _ in RULES.values()}
    helpers = {"__init__", "acts", "claim", "context"}
    registered |= {"translation", "totals", "scaling"}  # a type of their own; see test_affine_types.py
    registered |= {"parity"}  # around the others; see test_parity.py
    assert {p.stem for p in folder.glob("*.py")} == registered | helpers
    for stem in registered:
        text = (folder / f"{stem}.py").read_text()
        docstring = text.split('"""')[1]
        assert "-----" in docstring and "Proof." in docstring and "QED" in docstring, stem
