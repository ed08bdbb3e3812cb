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
from eqvproof.invariants.gram_function import RootValue, evaluate, evaluate_at_root, predict_value
from eqvproof.invariants.layout import Layout, argument_widths, trial_sizes
from eqvproof.invariants.witnesses.orbit_exact import exact_orbit
from eqvproof.support.errors import DomainError, OrbitMismatch

#: For floats: largest relative difference that counts as rounding.
ROUNDING = 1e-8
#: Numbers of simple and of random group elements tried at each input.
SIMPLE, RANDOM = 6, 2


@dataclass(frozen=True, slots=True, eq=False)
class Reproduction:
    """The result of comparing f with the values predicted from coefficients in invariants alone.

    Attributes:
        holds: True if the values agreed at all inputs tried, and f commuted with all group
            elements tried.
        trials: the number of inputs.
        exact_trials: the number of inputs at which everything was exact.
        element: a group element g with which f does not commute, or None.
        inputs: the arguments X, ... at which it fails, as arrays.
        left: f(g X), or f(X) without such an element.
        right: g f(X), or the value of f predicted from its value at `others`.
        others: without such an element, arguments with the same invariants.
        undecided: the reason, if g reproduced f but `check` did not decide whether f is
            equivariant.
        refuted: the result of `check`, if g reproduced f at all inputs tried but `check` refuted f.
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
            return f"{reproduced}; whether it is equivariant is undecided: {self.undecided}"
        if self.refuted:
            return f"f is not equivariant: {self.refuted}"
        shown, others = (
            ", ".join(map(_numbers_text, arrays)) for arrays in (self.inputs, self.others)
        )
        if self.element is not None:
            g = self.element.describe()
            return f"f is not equivariant: it does not commute with g, {g}, at {shown}"
        if self.right is None:
            return f"f is not a combination of the vectors with invariant coefficients at {shown}"
        return f"f is not a function of the invariants: they are equal at {shown} and at {others}"


def _numbers_text(array: Array) -> str:
    """Formats the numbers of an array without the names of their types."""
    return str(array.astype(str).tolist()).replace("'", "")


def check_factor(f: Callable[..., Any], layout: Layout, trials: int, seed: int) -> Reproduction:
    """Tests whether coefficients computed from invariants only reproduce f.

    Also tests whether f commutes with some elements of the group. Once a value of f at exact
    numbers is irrational, floats are used.
    """
    done = exact = 0
    scale = 0.0  # the largest absolute value of f so far
    rational = not layout.is_complex
    for sizes in trial_sizes(layout, trials):
        d = layout.factor.size(sizes) // layout.factor.record.reals
        setting = Setting(layout, d, tuple(argument_widths(layout, sizes)))
        for place, drawn in enumerate(_inputs(setting, seed)):
            columns = drawn
            if not rational:
                columns = as_inexact(drawn)
            try:
                value = evaluate(f, layout, columns, setting.widths)
            except DomainError:  # f need not be defined at special inputs
                if not place:
                    raise
                continue
            if rational and not is_exact(value):
                rational, columns = False, as_inexact(columns)
            scale = max(scale, *(float(abs(v)) for v in value.ravel().tolist()), 0.0)
            for g in _elements(setting, seed):
                if failure := _find_failure(f, setting, (columns, value), g, scale):
                    return failure
            at = evaluate_at_root(f, layout, setting.invariants(drawn), setting.widths, d)
            right = predict_value(setting, columns, at)
            if right is None or not _are_equal(right, value, scale):
                failure = _explain_difference(f, setting, (drawn, value), at, right)
                if failure:
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
    revealing = factor.record.revealing_element(size)
    if revealing is not None:
        yield Element(factor.family, factor.axis, revealing)
    yield from islice(simple_elements(factor, size), SIMPLE)
    if is_trivial(factor, size):
        return
    rng = random.Random(seed)
    for _ in range(RANDOM):
        yield random_element(factor, size, rng)


def _are_equal(a: Array, b: Array, scale: float) -> bool:
    """Checks whether two values are equal, floats up to rounding relative to a scale."""
    if a.shape != b.shape:
        return False
    if is_exact(a) and is_exact(b):
        return bool((a == b).all())
    x, y = (np.array(m.tolist(), dtype=np.complex128) for m in (a, b))
    size = max(scale, float(np.max(np.abs(y), initial=0.0)))
    return bool(np.max(np.abs(x - y), initial=0.0) <= ROUNDING * size)


def _find_failure(
    f: Callable[..., Any], setting: Setting, at: tuple[Array, Array], g: Element, scale: float
) -> Reproduction | None:
    """Returns the failure of f to commute with a group element at a point, or None."""
    (columns, value), layout = at, setting.layout
    left = evaluate(f, layout, setting.act(g, columns, setting.duals), setting.widths)
    right, output = value, layout.output
    if output is not None:
        right = setting.act(g, value, np.full(value.shape[1], output.is_dual))
    if _are_equal(left, right, scale):
        return None
    if output is not None:
        left, right = output.from_columns(left), output.from_columns(right)
    inputs = tuple(layout.split(columns, setting.widths))
    return Reproduction(False, 1, int(is_exact(left)), g, inputs, left, right)  # noqa: FBT003


def _explain_difference(
    f: Callable[..., Any],
    setting: Setting,
    at: tuple[Array, Array],
    other: RootValue,
    right: Array | None,
) -> Reproduction | None:
    """Explains why f at some vectors differs from its prediction from others with equal invariants.

    If an element of the group maps the others to them, f does not commute with it. If they are in
    different orbits and there are other coefficients, nothing follows: None.
    """
    columns, value = at
    layout = setting.layout
    g = None
    if layout.is_paired:
        if right is not None and not other.is_only:
            return None
    elif is_exact(other.columns) and is_exact(columns):
        sides = (
            to_rational(setting.raise_duals(side, setting.duals))
            for side in (other.columns, columns)
        )
        try:
            g = exact_orbit(setting.space, layout.factor.axis, *sides).element
        except OrbitMismatch:
            if not other.is_only:
                return None
    if g is not None and (
        failure := _find_failure(f, setting, (other.columns, other.value), g, 0.0)
    ):
        return failure
    inputs, others = (
        tuple(layout.split(side, setting.widths)) for side in (columns, other.columns)
    )
    return Reproduction(False, 1, int(other.is_exact), None, inputs, value, right, others)  # noqa: FBT003
