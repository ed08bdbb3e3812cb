"""Compares both sides of a claim on a user's arrays with the difference that rounding explains."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import isfinite
from typing import Any

import numpy as np

from eqvproof.claims.groups import (
    Element,
    Factor,
    Group,
    Under,
    identity_of,
    parse_group,
    random_element,
    simple_elements,
)
from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.engines.targets import adapt
from eqvproof.rounding.bound import require_model
from eqvproof.rounding.dtypes import computation_dtype
from eqvproof.rounding.sides import Deviation, compare_at_point
from eqvproof.rounding.tracing import TracedFunction, arrays_by_name, shapes, trace_with_roundings
from eqvproof.support.errors import GroupError
from eqvproof.support.short_tracebacks import shortens_tracebacks

#: The size above which only simple elements of matrix groups are drawn: entries of random elements
#: would have thousands of digits.
LARGEST_RANDOM = 6
_SIMPLE = 60


@shortens_tracebacks
def deviation(
    f: Callable[..., Any],
    signature: str,
    under: Under,
    arrays: Sequence[Any] | Mapping[str, Any],
    element: Any = None,
    *,
    dtype: Any = None,
    model: str = "certain",
    seed: int = 0,
    backend: str | None = None,
) -> Deviation:
    """Runs both sides f(g x) and g f(x), and bounds the difference that rounding explains.

    A difference above the bound is a certain violation; rounding may explain one below it.

    Args:
        f: a function of arrays, or a module; it is called on arrays of the given kind, dtype and
            device.
        signature: its typing.
        under: the group.
        arrays: the inputs, in the order of the signature or as a dict; integers become floats if
            the signature has real numbers.
        element: the group element by axis, as in counterexamples: ``{"n": (1, 0, 2)}``; for a group
            of one factor, an element of it; None: a random one.
        dtype: the dtype in which f computes; by default that of the arrays ("tf32" cannot be seen
            in them).
        model: "certain" or "probable", as in `rounding_bound`.
        seed: the seed of a random element.
        backend: as in `rounding_bound`.

    Raises:
        TraceError: f cannot be traced. ShapeError, GroupError, SignatureError, OptionError: bad
            input.

    Example:
        >>> swap = {"n": (1, 0, 2)}
        >>> ep.deviation(lambda x: x - x[:1], "x: n -> n", "S(n)", [np.arange(3.0)], swap).is_violation
        True
    """
    parsed = parse_signature(signature)
    given = arrays_by_name(parsed, arrays)
    sizes = shapes(parsed, given)
    claim = read_float_claim(f, parsed, under, sizes, dtype, model, backend, list(given.values()))
    return claim.compare(
        given, group_elements(claim.group, claim.sizes, element, random.Random(seed))
    )


@dataclass(frozen=True, slots=True)
class FloatClaim:
    """A claim about a function as it runs in floats.

    Attributes:
        target: the function, as the user calls it.
        traced: the function, traced with its roundings.
        group: the group that acts.
        sizes: the sizes of the axes.
        dtype: the dtype in which it computes.
        model: the model of rounding.
    """

    target: Callable[..., Any]
    traced: TracedFunction
    group: Group
    sizes: Mapping[str, int]
    dtype: str
    model: str

    def compare(self, arrays: Mapping[str, Any], elements: Sequence[Element]) -> Deviation:
        """Compares both sides at a point."""
        return compare_at_point(
            self.traced, self.target, arrays, elements, self.sizes, self.dtype, self.model
        )


def read_float_claim(
    f: Callable[..., Any],
    signature: Signature,
    under: Under,
    sizes: Mapping[str, int],
    dtype: object,
    model: str,
    backend: str | None,
    arrays: Sequence[Any] = (),
) -> FloatClaim:
    """Traces the function of a claim at given sizes.

    Without `dtype` it computes in the dtype of its parameters or of the arrays.

    Raises:
        TraceError: f cannot be traced. GroupError, OptionError: bad input.
    """
    require_model(model)
    target = adapt(f, backend, signature)
    name = computation_dtype(f, target, arrays, dtype, "float64")
    group = parse_group(under, signature)
    known = {**sizes, **group.pins}
    return FloatClaim(
        f,
        trace_with_roundings(f, signature, known, backend, name, target),
        group,
        known,
        name,
        model,
    )


def group_elements(
    group: Group, sizes: Mapping[str, int], element: Any, rng: random.Random
) -> list[Element]:
    """Returns one element for each factor: random ones if `element` is None.

    Otherwise factors without a given element get the identity.

    Raises:
        GroupError: the given value is no element of the group.
    """
    if element is None:
        return draw_elements(group, sizes, rng)
    if isinstance(element, Element):
        element = {element.axis: element.data}
    if not isinstance(element, Mapping):
        if len(group.factors) != 1:
            raise GroupError(
                "an element of a product of groups has a part for each axis",
                given=repr(element)[:200],
                expected='{"d": ..., "n": ...}',
                hint="name the axis of each part",
                code="group.element",
            )
        element = {group.factors[0].axis: element}
    axes = [factor.axis for factor in group.factors]
    if not set(element) <= set(axes):
        raise GroupError(
            "an element has a part for an axis on which the group does not act",
            given=repr(element)[:200],
            expected=", ".join(map(str, axes)),
            hint=f"the group is {group}",
            code="group.element",
        )
    found = []
    for factor in group.factors:
        if factor.axis in element:
            found.append(Element(factor.family, factor.axis, _element_data(element[factor.axis])))
        else:
            found.append(identity_of(factor, factor.size(sizes)))
    return found


def draw_elements(group: Group, sizes: Mapping[str, int], rng: random.Random) -> list[Element]:
    """Draws a random element of each factor; a simple one for large matrix groups."""

    def draw(factor: Factor, size: int) -> Element:
        is_short = size <= LARGEST_RANDOM or not factor.kind.rounds
        if is_short:
            return random_element(factor, size, rng)
        return _simple_element(factor, size, _SIMPLE, rng)

    return [draw(factor, factor.size(sizes)) for factor in group.factors]


def exact_elements(group: Group, sizes: Mapping[str, int], rng: random.Random) -> list[Element]:
    """Draws one of the simplest elements of each factor, such as a reflection or a swap."""
    return [_simple_element(factor, factor.size(sizes), 8, rng) for factor in group.factors]


def _simple_element(factor: Factor, size: int, most: int, rng: random.Random) -> Element:
    """Draws one of the `most` simplest elements; the identity if there is no other."""
    return rng.choice([*islice(simple_elements(factor, size), most)] or [identity_of(factor, size)])


def _element_data(value: Any, kinds: Any = float) -> Any:
    """Converts arrays and lists to the data of elements: rows of Fractions, tuples of integers."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if not isinstance(value, (list, tuple)):
        if isinstance(value, kinds) and isfinite(value):
            return Fraction(value)
        return value
    if len(value) == 2 and np.ndim(np.array(value[0], dtype=object)) == 2:  # a motion (Q, t)
        return tuple(map(_element_data, value))
    is_matrix = any(isinstance(v, (list, tuple, np.ndarray)) for v in value)
    return tuple(_element_data(v, int | float if is_matrix else kinds) for v in value)
