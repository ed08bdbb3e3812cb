"""The kinds of group elements: each answers everything, and what it answers is so."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest

from eqvproof.claims.groups.families import EVERY_FAMILY, FAMILIES
from eqvproof.claims.groups.kinds import Kind
from eqvproof.claims.groups.matrices import product_of, to_flint, unit

KINDS = {family.kind: family for family in reversed([*EVERY_FAMILY.values()])}
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: type(kind).__name__)
SIZE = 4


def elements(kind: Kind) -> list[object]:
    """Elements of all families of the kind."""
    rng, found = random.Random(0), []
    for family in FAMILIES.values():
        if family.kind is kind:
            found += [*islice(family.simple(SIZE), 12), *(family.sample(SIZE, rng) for _ in range(5))]
    return found


@every_kind
def test_every_kind_sets_every_attribute_itself(kind: Kind) -> None:
    """An attribute that is added to `Kind` is asked of all kinds; none has a default."""
    for attribute in Kind.__annotations__:
        assert attribute not in vars(Kind)
        assert any(attribute in vars(c) for c in type(kind).__mro__), attribute


@every_kind
def test_attributes_say_what_the_elements_do(kind: Kind) -> None:
    found = elements(kind)
    linear = [g for g in found if not kind.multiplies]
    matrices = [kind.matrix(g) for g in linear]
    assert kind.permutes == (
        bool(matrices) and all(set(row) == {0, 1} and sum(row) == 1 for m in matrices for row in m)
        and any(m != unit(SIZE) for m in matrices)
    )
    if kind.flips_signs:
        assert all(abs(m[i][j]) == (i == j) for m in matrices for i in range(SIZE) for j in range(SIZE))
    if kind.rotates:
        assert all(product_of(tuple(zip(*m, strict=True)), m) == unit(SIZE) for m in matrices)
    assert kind.has_dual == any(kind.dual(g) != g for g in found)
    if kind.has_dual:
        for g in found:
            dual = to_flint(kind.matrix(kind.dual(g)))
            assert dual.transpose() * to_flint(kind.matrix(g)) == to_flint(unit(SIZE))
    assert kind.translates == any(any(kind.vector(g)) for g in found)
    assert kind.multiplies == any(kind.multiple(g) != 1 for g in found)
    assert kind.moves_directions == (kind.multiplies or any(m != unit(SIZE) for m in matrices))
    assert kind.acts_by_matrices == (not kind.translates and not kind.multiplies)
    assert kind.only_translates == (kind.translates and not kind.moves_directions)


@every_kind
def test_elements_that_do_not_round_move_floats_as_they_are(kind: Kind) -> None:
    floats = np.array([0.1, 0.7, -1.3, 2.0**60 + 2.0**9])
    for g in elements(kind) if not kind.rounds else ():
        assert set(np.abs(kind.apply(g, floats))) == set(np.abs(floats))
