"""Both sides of a claim on a user's arrays, beside what rounding explains."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from eqvproof.errors import GroupError
from eqvproof.groups import (
    Element,
    Factor,
    Group,
    Under,
    identity,
    parse_group,
    random_element,
    simple_elements,
)
from eqvproof.rounding.reading import named, read, shapes
from eqvproof.rounding.sides import Deviation, deviate
from eqvproof.signature import parse_signature

#: Random elements of larger matrix groups have entries of thousands of digits: simple ones then.
LARGEST_RANDOM = 6
_SIMPLE = 60


def deviation(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    arrays: Sequence[Any],
    element: Any = None,
    *,
    dtype: Any = None,
    model: str = "certain",
    seed: int = 0,
    backend: str | None = None,
) -> Deviation:
    """Both sides f(g x) and g f(x) as they run, their difference, and the bound of what rounding explains.

    Above the bound is a certain violation; below it, rounding is enough to explain what was seen.

    Args:
        f: a function of arrays, or a module; it is called on arrays of the kind, dtype and device given.
        signature: its typing.
        under: the group.
        arrays: the inputs.
        element: the group element by axis, as counterexamples hold it: ``{"n": (1, 0, 2)}``; one element
            of a group of one factor; None: a random one.
        dtype: what f computes in; that of the arrays where it is left out ("tf32" is never seen in them).
        model: "certain" or "probable", as in `rounding_bound`.
        seed: of a random element.
        backend: as in `rounding_bound`.

    Raises:
        TraceError: f cannot be read. ShapeError, GroupError, SignatureError, OptionError: bad input.
    """
    parsed = parse_signature(signature)
    group = parse_group(under, parsed)
    given = dict(zip(named(parsed, arrays), arrays, strict=True))
    sizes = {**shapes(parsed, named(parsed, arrays)), **group.pins}
    reading = read(f, parsed, sizes, backend)
    elements = chosen(group, sizes, element, random.Random(seed))
    return deviate(reading, f, given, elements, sizes, str(dtype or dtype_of(arrays)), model)


def dtype_of(arrays: Sequence[Any]) -> str:
    """The floating type of arrays, float64 where there is none."""
    names = (str(getattr(a, "dtype", np.asarray(a).dtype)).removeprefix("torch.") for a in arrays)
    return next((n for n in names if "float" in n), "float64")


def chosen(group: Group, sizes: Mapping[str, int], element: Any, rng: random.Random) -> list[Element]:
    """One element of each factor: those given, the identity where others are, or random ones.

    Raises:
        GroupError: what is given is no element of the group.
    """
    if element is None:
        return [drawn(f, f.size(sizes), rng) for f in group.factors]
    if isinstance(element, Element):
        element = {element.axis: element.data}
    if not isinstance(element, Mapping):
        if len(group.factors) != 1:
            raise GroupError(
                "an element of a product of groups has a part for each axis", given=repr(element)[:200],
                expected='{"d": ..., "n": ...}', hint="name the axis of each part", code="group.element",
            )  # fmt: skip
        element = {group.factors[0].axis: element}
    found = []
    for factor in group.factors:
        if factor.axis in element:
            found.append(Element(factor.family, factor.axis, _data(element[factor.axis])))
        else:
            found.append(identity(factor, factor.size(sizes)))
    return found


def drawn(factor: Factor, size: int, rng: random.Random) -> Element:
    """A random element: of larger matrix groups one of the simple ones."""
    if size <= LARGEST_RANDOM or not factor.record.elements.rounds:
        return random_element(factor, size, rng)
    return rng.choice(list(islice(simple_elements(factor, size), _SIMPLE)))


def exact_elements(group: Group, sizes: Mapping[str, int], rng: random.Random) -> list[Element]:
    """One of the simplest elements of each factor: reflections, swaps, turns, whole steps."""
    found = []
    for factor in group.factors:
        some = list(islice(simple_elements(factor, factor.size(sizes)), 8))
        found.append(rng.choice(some) if some else identity(factor, factor.size(sizes)))
    return found


def _data(value: Any) -> Any:
    """Arrays and lists as elements hold them: rows of Fractions, tuples of integers."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        return value
    if any(isinstance(v, (list, tuple, np.ndarray)) for v in value):  # a matrix, or a motion (Q, t)
        return tuple(_data(v) for v in value) if _is_motion(value) else tuple(map(_row, value))
    return tuple(Fraction(v) if isinstance(v, float) else v for v in value)


def _is_motion(value: Any) -> bool:
    return len(value) == 2 and np.ndim(np.array(value[0], dtype=object)) == 2


def _row(row: Any) -> tuple[Fraction, ...]:
    return tuple(Fraction(v) for v in (row.tolist() if isinstance(row, np.ndarray) else row))
