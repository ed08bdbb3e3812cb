"""Elements of groups as exact data, checked at construction; each family defines its data."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from eqvproof.claims.groups.families import GENERATED, letters
from eqvproof.claims.groups.family import FiniteFamily
from eqvproof.claims.groups.kinds import Kind
from eqvproof.claims.groups.matrices import Matrix, Vector
from eqvproof.claims.groups.model import Factor
from eqvproof.support.errors import GroupError

#: Largest number of elements listed for a group given by generators.
MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a factor, checked at construction.

    **Exactness**: exact; membership is decided over the rationals.

    Attributes:
        family: the family of the factor.
        axis: the axis on which it acts.
        data: O, SO, GL: rows of Fractions; S, A, C, D: p with ``(g x)[i] = x[p[i]]``, 0-based;
            Signs: 1, -1; T: a vector of Fractions; E, SE: (rows, vector); Scale: (a positive
            Fraction,).

    Of a group that is given by generators, `word` says which product of them it is: k stands for
    the k-th, -k for its inverse, counted from 1. Of a group with an element for each entry of the
    axis `each`, it is the one that acts at the entry `at`, counted from 0, and leaves the others as
    they are.

    Raises:
        GroupError: the data are not an element of the group.
    """

    family: str
    axis: str | int
    data: Any
    word: tuple[int, ...] = ()
    each: str = ""
    at: int = 0

    def __post_init__(self) -> None:
        reason = "expected a tuple that is not empty"
        if isinstance(self.data, tuple) and self.data:
            reason = self.factor.record.why_not(self.data, len(self.data))
            if (
                not reason
                and isinstance(self.axis, int)
                and self.size not in (0, self.factor.size({}))
            ):
                reason = f"expected the size {self.axis}"
        if reason:
            raise GroupError(
                f"not an element of {self.factor}: {reason}",
                given=repr(self.data),
                code="group.element",
                expected=self.kind.takes,
                hint="check the size and the defining equation",
            )

    @property
    def factor(self) -> Factor:
        """Returns the factor of the group to which it belongs."""
        return _factor(self.family, self.axis, self.each)

    @property
    def kind(self) -> Kind:
        """Returns the kind of the element: the format of its data, and how they act."""
        return self.factor.kind

    @property
    def size(self) -> int:
        """Returns the size of the axis on which it acts (0 for a multiple, at every size)."""
        return self.kind.size(self.data)

    @property
    def vector(self) -> Vector:
        """Returns the translation part: t of T, E, SE; zeros otherwise."""
        return self.kind.vector(self.data)

    @property
    def is_identity(self) -> bool:
        """Returns True if it is the identity."""
        return bool(self.data == self.kind.identity(self.size))

    @property
    def multiple(self) -> Fraction:
        """Returns the factor c of Scale; 1 otherwise."""
        return self.kind.multiple(self.data)

    def matrix(self) -> Matrix:
        """Returns the standard matrix M with ``g x = M x``, of motions their linear part."""
        return self.kind.matrix(self.data)

    def to_json(self) -> dict[str, object]:
        """Returns the JSON form, an object with one key.

        For example ``{"matrix": [["0", "1"], ..]}``, ``{"permutation": [..]}``,
        ``{"signs": [..]}``.
        """
        return self.kind.to_json(self.data)

    def to_evidence(self) -> dict[str, object]:
        """Returns the JSON form in a counterexample: family, axis, and the data or the word."""
        found: dict[str, object] = {"family": self.family, "axis": self.axis}
        if self.family in GENERATED:
            found["word"] = list(self.word)
        else:
            found |= self.to_json()
        if self.each:
            found |= {"each": self.each, "at": self.at}
        return found

    def describe(self) -> str:
        """Describes the element in words, such as "swap positions 0 and 1 along n"."""
        if self.is_identity:
            return "leave everything in place"
        described = self.kind.describe(self.data, self.axis)
        if self.each:
            described += f" in entry {self.at} of {self.each}"
        return described

    def inverse(self) -> Element:
        """Returns the inverse of the element."""
        word = tuple(-k for k in reversed(self.word))
        return replace(self, data=self.kind.inverse(self.data), word=word)

    def contragredient(self) -> Element:
        """Returns the inverse transpose, which acts on dual axes; without duals, the element."""
        if not self.kind.has_dual:
            return self
        return replace(self, data=self.kind.dual(self.data), word=())


@lru_cache(maxsize=256)
def _factor(family: str, axis: str | int, each: str) -> Factor:
    """Returns the factor that acts on an axis; it is asked for at every use of an element."""
    return Factor(family, axis, each=each)


def element_of(factor: Factor, data: Any, word: tuple[int, ...] = ()) -> Element:
    """Builds the element of a factor from its data.

    For a factor with an element for each entry of an axis, it acts at the first entry.
    """
    return Element(factor.family, factor.axis, data, word, factor.each)


def identity_of(factor: Factor, size: int) -> Element:
    """Returns the identity of a factor at a size."""
    return element_of(factor, factor.kind.identity(size))


def compose(g: Element, h: Element) -> Element:
    """Returns the product g h, which acts as g after h: ``(g h) x = g (h x)``.

    For permutations ``(g (h x))[i] = (h x)[p_g[i]] = x[p_h[p_g[i]]]``.
    """
    if (g.family, g.axis, g.size, g.each, g.at) != (h.family, h.axis, h.size, h.each, h.at):
        raise GroupError(
            "elements of different groups have no product",
            given=f"{g.factor}, {h.factor}",
            expected="two elements of one factor",
            hint="multiply factor by factor",
        )
    return replace(g, data=g.kind.compose(g.data, h.data), word=g.word + h.word)


def generators_of(factor: Factor, size: int) -> tuple[Element, ...]:
    """Returns generators of a finite group at a size; none if it is trivial.

    Every element is a product of these.

    Raises:
        GroupError: no finite list of generators is known.
    """
    if factor.generators:
        return tuple(element_of(factor, g, (k,)) for k, g in enumerate(factor.generators, start=1))
    record = factor.record
    if not isinstance(record, FiniteFamily):
        raise GroupError(
            f"{factor} has no finite list of generators here",
            expected=letters(lambda f: isinstance(f, FiniteFamily)),
            code="group.infinite",
            given="an infinite group",
            hint="draw elements at random instead",
        )
    return tuple(element_of(factor, data) for data in record.generators(size))


def simple_elements(factor: Factor, size: int) -> Iterator[Element]:
    """Yields simple elements of a factor, simplest first, each once, never the identity."""
    if factor.generators:
        yield from _products_of_generators(factor)
        return
    seen: set[object] = {factor.kind.identity(size)}
    for data in factor.record.simple(size):
        if data not in seen:
            seen.add(data)
            yield element_of(factor, data)


def _products_of_generators(factor: Factor) -> Iterator[Element]:
    """Yields the elements other than the identity, shortest words first, at most MOST_LISTED."""
    size = len(factor.generators[0])
    steps = _generators_and_inverses(factor, size)
    first = identity_of(factor, size)
    seen, layer = {first.data}, [first]
    while layer and len(seen) < MOST_LISTED:
        found = []
        for old in layer:
            for step in steps:
                new = compose(step, old)
                if new.data not in seen and len(seen) < MOST_LISTED:
                    seen.add(new.data)
                    found.append(new)
                    yield new
        layer = found


def _generators_and_inverses(factor: Factor, size: int) -> list[Element]:
    return [h for g in generators_of(factor, size) for h in (g, g.inverse())]


def is_trivial(factor: Factor, size: int) -> bool:
    """Returns True if the group is the identity alone: S(1), A(1), A(2), C(1), SO(1)."""
    if factor.generators:
        return all(g.is_identity for g in generators_of(factor, size))
    return factor.record.is_trivial(size)


def random_element(factor: Factor, size: int, rng: random.Random) -> Element:
    """Draws a random element; it is the identity only if the group is trivial.

    **Exactness**: exact rational matrices.
    """
    while True:
        element = _draw_element(factor, size, rng)
        if not element.is_identity or is_trivial(factor, size):
            return element


def _draw_element(factor: Factor, size: int, rng: random.Random) -> Element:
    """Draws a random element, which may be the identity."""
    if not factor.generators:
        return element_of(factor, factor.record.sample(size, rng))
    steps = _generators_and_inverses(factor, size)
    found = rng.choice(steps)
    for _ in range(rng.randrange(12)):
        found = compose(rng.choice(steps), found)
    return found
