"""A family of a new kind is one file: the one below, checked as far as the package goes without the kernel.

The kernel has a table of its own, so that a verdict needs an entry there; proofs, searches, words and
snippets read the objects here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import eqvproof as ep
from eqvproof.claims.groups import Element, act, parse_group, random_element, simple_elements
from eqvproof.claims.groups.families import EVERY_FAMILY, FAMILIES, GENERATED
from eqvproof.claims.groups.families.linear import GL
from eqvproof.claims.groups.family import Family
from eqvproof.claims.groups.kinds import Array, Kind
from eqvproof.claims.groups.matrices import Matrix, diagonal_matrix
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.linear_types import Gap, Proof, infer_equivariance
from eqvproof.engines.search.elements import simple_moves
from eqvproof.tracing.numpy.trace import trace_all_sizes

# ------------------------------------------------------------------ the file of the family: from here
Factors = tuple[Fraction, ...]


class DiagonalFactors(Kind):
    """Positive factors of the entries of an axis, as tuples of Fractions."""

    permutes = False
    flips_signs = False
    rotates = False
    has_dual = True
    translates = False
    multiplies = False
    moves_directions = True
    rounds = True
    verb = "scales"
    variable = "c"
    takes = ""

    def identity(self, size: int) -> Factors:
        return (Fraction(1),) * size

    def compose(self, g: Factors, h: Factors) -> Factors:
        return tuple(a * b for a, b in zip(g, h, strict=True))

    def inverse(self, data: Factors) -> Factors:
        return tuple(1 / c for c in data)

    def dual(self, data: Factors) -> Factors:
        return self.inverse(data)

    def matrix(self, data: Factors) -> Matrix:
        return diagonal_matrix(data)

    def to_json(self, data: Factors) -> dict[str, object]:
        return {"factors": [str(c) for c in data]}

    def describe(self, data: Factors, axis: str | int) -> str:
        return f"scale the coordinates by {', '.join(map(str, data))}"

    def apply(self, data: Factors, array: Array) -> Array:
        factors = np.array(data, dtype=object).reshape((-1,) + (1,) * (array.ndim - 1))
        return array * factors.astype(array.dtype)


class PositiveDiagonal(Family):
    """All diagonal matrices with positive entries."""

    def why_not(self, data: Any, size: int) -> str:
        if all(type(c) is Fraction and c > 0 for c in data):
            return ""
        return "factors are positive Fractions"

    def simple(self, size: int) -> Iterator[Factors]:
        return (tuple(Fraction(1 + (i == k)) for i in range(size)) for k in range(size))

    def sample(self, size: int, rng: random.Random) -> Factors:
        return tuple(Fraction(rng.randint(1, 9), rng.randint(1, 9)) for _ in range(size))


Units = PositiveDiagonal(
    letter="Units",
    meaning="changes of units",
    element="a positive diagonal matrix",
    symbol="C",
    kind=DiagonalFactors(),
    default_axis="d",
    inside=(GL,),
)
# ------------------------------------------------------------------ to here


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line of the registry."""
    monkeypatch.setitem(FAMILIES.modules, Units.letter, __name__)
    monkeypatch.setitem(EVERY_FAMILY.modules, Units.letter, __name__)


def infer(f: Any, signature: str) -> Proof | Gap:
    parsed = parse_signature(signature)
    program = trace_all_sizes(f, parsed, {}).program
    return infer_equivariance(program, parsed, parse_group("Units(d)", parsed), {})


def test_claims_are_proved_by_the_attributes_of_the_kind() -> None:
    assert isinstance(infer(lambda x: x.sum(axis=0), "x: n d -> d"), Proof)
    assert isinstance(infer(lambda x, y: (x * y).sum(axis=1), "x: n d, y: n d* -> n"), Proof)
    wrong = infer(lambda x: (x * x).sum(axis=1), "x: n d -> n")
    assert isinstance(wrong, Gap) and "one vector with one dual vector" in wrong.reason
    wrong = infer(np.exp, "x: n d -> n d")
    assert isinstance(wrong, Gap) and wrong.reason.endswith("entries that the group scales")


def test_a_verdict_says_that_the_kernel_lacks_the_family() -> None:
    """Without the entry of the kernel nothing is proved and no counterexample is exact."""
    right = ep.check(lambda x: x.sum(axis=0), "x: n d -> d", under="Units(d)", seed=0)
    assert (right.outcome, right.grade) == ("HOLDS", "TESTED")
    assert "the kernel does not accept it" in str(right.headline) + str(right.reason) + str(right.notes)
    wrong = ep.check(lambda x: x * x, "x: n d -> n d", under="Units(d)", seed=0)
    assert (wrong.outcome, wrong.grade) == ("FAILS", "OBSERVED")
    found = wrong.counterexample
    assert found is not None and found.words == "scale the coordinates by 2"


def test_its_elements_act_on_vectors_and_duals() -> None:
    axes = parse_signature("X: d d* -> ()").inputs[0].axes
    x = np.array([[Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)]], dtype=object)
    g = Element("Units", "d", (Fraction(2), Fraction(5)))
    assert act(g, x, axes).tolist() == [[1, Fraction(4, 5)], [Fraction(15, 2), 4]]
    assert g.describe() == "scale the coordinates by 2, 5"
    assert g.to_evidence() == {"family": "Units", "axis": "d", "factors": ["2", "5"]}
    assert (act(g.inverse(), act(g, x, axes), axes) == x).all()


def test_the_search_draws_them() -> None:
    signature = parse_signature("x: n d -> n")
    group = parse_group("Units(d)", signature)
    (factor,) = group.factors
    moves = simple_moves(group, {"n": 1, "d": 3}, 5)
    assert [g.data for (g,) in moves] == [(2, 1, 1), (1, 2, 1), (1, 1, 2)]
    assert [g.data for g in simple_elements(factor, 2)] == [(2, 1), (1, 2)]
    assert not random_element(factor, 2, random.Random(0)).is_identity
    x = np.array([[Fraction(k) for k in range(3)]], dtype=object)
    axes = signature.inputs[0].axes
    assert any((act(g, x, axes) ** 2).sum() != (x**2).sum() for (g,) in moves)


def test_nothing_else_names_it() -> None:
    assert Units.letter not in GENERATED
    assert FAMILIES[Units.letter] is EVERY_FAMILY[Units.letter] is Units
