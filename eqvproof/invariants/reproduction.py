"""Tests at sampled inputs whether f is a function of invariants and is equivariant."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from eqvproof.claims.groups.element import (
    Element,
    is_trivial,
    random_element,
    simple_elements,
)
from eqvproof.invariants.calling import Array, as_floats, as_inexact, is_exact
from eqvproof.invariants.classical import Setting, to_rational
from eqvproof.invariants.gram_function import AtRoot, at_root, evaluate, value_from
from eqvproof.invariants.layout import Layout, argument_widths, trial_sizes
from eqvproof.invariants.witnesses.orbit_exact import carry
from eqvproof.support.errors import DomainError, OrbitMismatch

#: For floats: largest relative difference that counts as rounding.
ROUNDING = 1e-8
#: Numbers of simple and of random group elements tried at each input.
SIMPLE, RANDOM = 6, 2


@dataclass(frozen=True, slots=True, eq=False)
class Reproduction:
    """The result of comparing f with the values predicted from coefficients in invariants alone.

    Attributes:
        holds: whether it was at all inputs tried, and f commuted with the elements of the group
            that were.
        trials: how many inputs.
        exact_trials: at how many of them everything was exact.
        element: where f does not commute with an element g of the group, g.
        inputs: where it fails, the arguments X, ... as arrays.
        left: f(g X), or f(X) where there is no such element.
        right: g f(X), or what f should be by its value at `others`.
        others: where there is no such element, arguments with the same invariants.
        undecided: where g reproduced f, and whether f is equivariant is not decided: why.
        refuted: where g reproduced f at all inputs tried, and `check` found where f fails: its
            answer.
    """

    holds: bool
    trials: int
    exact_trials: int
    element: Element | None = None
    inputs: tuple[Array, ...] = ()
    left: Array | None = None
    right: Array | None = None
    others: tuple[Array, ...] = ()
    undecided: str = ""
    refuted: str = ""

    def __str__(self) -> str:
        reproduced = f"f is reproduced at {self.trials} inputs, exactly at {self.exact_trials}"
        if self.holds:
            return reproduced
        if self.undecided:
            return f"{reproduced}; that it is equivariant is not decided: {self.undecided}"
        if self.refuted:
            return f"f is not equivariant: {self.refuted}"
        shown, others = (", ".join(map(_told, arrays)) for arrays in (self.inputs, self.others))
        if self.element is not None:
            return f"f is not equivariant: it does not commute with g, {self.element.describe()}, at {shown}"
        if self.right is None:
            return f"f is no combination of the vectors with invariant coefficients at {shown}"
        return f"f is no function of the invariants: they are equal at {shown} and at {others}"


def _told(array: Array) -> str:
    """Formats the numbers of an array without the names of their types."""
    return str(array.astype(str).tolist()).replace("'", "")


def check_factor(f: Callable[..., Any], layout: Layout, trials: int, seed: int) -> Reproduction:
    """Tests whether coefficients computed from invariants alone reproduce f.

    Also tests whether f commutes with some elements of the group.

    Once f turns out not to take exact numbers to rationals, floats are used.
    """
    done = exact = 0
    scale = 0.0  # of f, as far as it was seen
    rational = not layout.is_complex
    for sizes in trial_sizes(layout, trials):
        d = layout.factor.size(sizes) // layout.factor.record.reals
        setting = Setting(layout, d, tuple(argument_widths(layout, sizes)))
        for place, drawn in enumerate(_inputs(setting, seed)):
            columns = drawn if rational else as_inexact(drawn)
            try:
                value = evaluate(f, layout, columns, setting.widths)
            except DomainError:  # at special inputs f need not be defined
                if not place:
                    raise
                continue
            if rational and not is_exact(value):
                rational, columns = False, as_inexact(columns)
            scale = max(scale, *(float(abs(v)) for v in value.ravel().tolist()), 0.0)
            for g in _elements(setting, seed):
                if failure := _failure(f, setting, (columns, value), g, scale):
                    return failure
            at = at_root(f, layout, setting.invariants(drawn), setting.widths, d)
            right = value_from(setting, columns, at)
            if right is None or not _agree(right, value, scale):
                if failure := _apart(f, setting, (drawn, value), at, right):
                    return failure
                continue
            done += 1
            exact += at.is_exact and is_exact(value)
    return Reproduction(holds=True, trials=done, exact_trials=exact)


def _inputs(setting: Setting, seed: int) -> Iterator[Array]:
    """Yields inputs as columns: generic, repeated and zero, collinear, and null vectors of a form.

    Real inputs are exact.
    """
    d, n = setting.d, sum(setting.widths)
    rng = random.Random(f"{seed} {d} {n}")
    entries = [
        [Fraction(rng.randint(-4, 4), rng.choice((1, 1, 2))) for _ in range(n)] for _ in range(d)
    ]
    generic = np.array(entries, dtype=object).reshape(d, n)
    if setting.layout.is_complex:
        more = [[rng.randint(-4, 4) * 1j for _ in range(n)] for _ in range(d)]
        generic = as_floats(generic) + np.array(more).reshape(d, n)
    yield generic
    if n > 1:
        repeated, collinear = generic.copy(), generic.copy()
        repeated[:, 1] = repeated[:, 0]
        repeated[:, 2:3] = repeated[:, 2:3] * 0
        for k in range(1, n):
            collinear[:, k] = collinear[:, 0] * k
        yield from (repeated, collinear)
    signs = np.diag(setting.form).tolist()
    if not setting.layout.is_complex and 1 in signs and -1 in signs:
        null = generic * 0
        null[0], null[signs.index(-1)] = generic[0], generic[0]
        yield from (null, generic * 0)


def _elements(setting: Setting, seed: int) -> Iterator[Element]:
    factor, size = setting.layout.factor, setting.space.size
    telling = factor.record.telling(size)
    if telling is not None:
        yield Element(factor.family, factor.axis, telling)
    yield from islice(simple_elements(factor, size), SIMPLE)
    rng = random.Random(seed)
    for _ in range(0 if is_trivial(factor, size) else RANDOM):
        yield random_element(factor, size, rng)


def _agree(a: Array, b: Array, scale: float) -> bool:
    """Checks whether two values are equal, floats up to rounding relative to a scale."""
    if a.shape != b.shape:
        return False
    if is_exact(a) and is_exact(b):
        return bool((a == b).all())
    x, y = (np.array(m.tolist(), dtype=np.complex128) for m in (a, b))
    size = max(scale, float(np.max(np.abs(y), initial=0.0)))
    return bool(np.max(np.abs(x - y), initial=0.0) <= ROUNDING * size)


def _failure(
    f: Callable[..., Any], setting: Setting, at: tuple[Array, Array], g: Element, scale: float
) -> Reproduction | None:
    (columns, value), layout = at, setting.layout
    left = evaluate(f, layout, setting.moved(g, columns, setting.duals), setting.widths)
    right, output = value, layout.output
    if output is not None:
        right = setting.moved(g, value, np.full(value.shape[1], output.is_dual))
    if _agree(left, right, scale):
        return None
    if output is not None:
        left, right = output.from_columns(left), output.from_columns(right)
    inputs = tuple(layout.split(columns, setting.widths))
    return Reproduction(False, 1, int(is_exact(left)), g, inputs, left, right)  # noqa: FBT003


def _apart(
    f: Callable[..., Any],
    setting: Setting,
    at: tuple[Array, Array],
    other: AtRoot,
    right: Array | None,
) -> Reproduction | None:
    """Explains why f at some vectors is not what f at others with equal invariants predicts.

    Where an element of the group carries these to those, f does not commute with it. Where they are
    in different orbits and there are other coefficients, nothing follows: None.
    """
    columns, value = at
    layout = setting.layout
    g = None
    if layout.is_paired:
        if right is not None and not other.is_only:
            return None
    elif is_exact(other.columns) and is_exact(columns):
        sides = (
            to_rational(setting.raised(side, setting.duals)) for side in (other.columns, columns)
        )
        try:
            g = carry(setting.space, layout.factor.axis, *sides).element
        except OrbitMismatch:
            if not other.is_only:
                return None
    if g is not None and (failure := _failure(f, setting, (other.columns, other.value), g, 0.0)):
        return failure
    inputs, others = (
        tuple(layout.split(side, setting.widths)) for side in (columns, other.columns)
    )
    return Reproduction(False, 1, int(other.is_exact), None, inputs, value, right, others)  # noqa: FBT003
