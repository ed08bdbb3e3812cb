"""Reshapes at given sizes hold in forms, whatever the sizes are; also where there are no entries."""

from __future__ import annotations

import random
from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.places import groups_of_axes
from eqvproof.engines.elaborate.program import translate_program
from eqvproof.engines.elaborate.proof import forms_to_json
from eqvproof.engines.verdict import packing
from eqvproof.kernel import report
from eqvproof.kernel.form_values import evaluate, read_forms
from eqvproof.kernel.interval import Arithmetic
from eqvproof.kernel.tensors import Tensor
from eqvproof.programs import Builder
from tests.judged import assert_refuted


def factored(r: random.Random, entries: int) -> list[int]:
    """A shape with so many entries."""
    shape = []
    while entries > 1 and r.random() < 0.8:
        size = r.choice([k for k in range(1, entries + 1) if entries % k == 0])
        shape.append(size)
        entries //= size
    shape.append(entries)
    return r.sample(shape, len(shape))


@pytest.mark.parametrize("seed", range(150))
def test_reshapes_are_those_of_numpy(seed: int) -> None:
    report.allow(10**7)
    r = random.Random(seed)
    entries = r.choice((0, 1, 4, 6, 12, 24, 36))
    if entries:
        shapes = [factored(r, entries) for _ in range(r.randint(2, 4))]
    else:
        shapes = [[0, *(r.randint(0, 3) for _ in range(r.randint(0, 2)))] for _ in range(3)]
    b = Builder()
    node = b.input("x", shapes[0])
    for shape in shapes[1:]:
        node = b.reshape(node, shape)
    recorded = packing.write_numbers(b.program(node).to_json())
    forms = read_forms(forms_to_json(translate_program(recorded, {})), "$.forms", {})
    numbers = [Fraction(k) for k in range(entries)]
    found = evaluate(forms, [Tensor(tuple(shapes[0]), numbers)], Arithmetic(0))
    assert found.shape == tuple(shapes[-1]) and prod(found.shape) == entries
    assert [*found.values] == [*np.arange(entries).reshape(shapes[-1]).ravel()]


def test_a_point_without_entries_in_between_has_a_certificate() -> None:
    def f(x: Any) -> Any:
        y = np.zeros_like(x)
        y[:, 1::2] = x[:, 1::2] ** 2
        return x + np.arange(len(x))[:, None] * y

    assert_refuted(f, "x: n 2k -> n 2k", "S(n)")


@pytest.mark.parametrize("seed", range(40))
def test_axes_are_grouped_as_finely_as_can_be(seed: int) -> None:
    """Both shapes are cut where as many entries are before the cut in both."""
    r = random.Random(seed)
    before, after = (factored(r, 360) for _ in range(2))
    groups = groups_of_axes(*([Size.of(k) for k in shape] for shape in (before, after)))
    for ours, theirs in groups:
        assert prod(before[a] for a in ours) == prod(after[a] for a in theirs) > 1
    cuts = [{prod(s[:k]) for k in range(len(s) + 1)} for s in (before, after)]
    assert len(groups) == len(cuts[0] & cuts[1]) - 1
    listed = [[a for group in groups for a in group[side]] for side in (0, 1)]
    assert listed == [[a for a, k in enumerate(shape) if k > 1] for shape in (before, after)]
