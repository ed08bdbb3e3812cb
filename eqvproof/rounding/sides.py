"""Bounds the difference of f(g x) and g f(x), as they run, that rounding explains.

The element is exact. Unless it only moves entries and signs, g x is computed from Fractions and
rounded once to the dtype; that rounding is an error of the input on the left. On the right, g acts
on the error of f(x). If f(g x) = g f(x) over the reals, the sides differ by at most the sum of both
errors.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any

import numpy as np

from eqvproof.claims.groups import Element, act, act_on_argument, reach
from eqvproof.numbers.scalar import from_fraction, to_float
from eqvproof.numbers.tensor import objects
from eqvproof.rounding.bound import bound_result, enclose_inputs
from eqvproof.rounding.enclosed import Enclosed, input_with_error
from eqvproof.rounding.formats import UNIT
from eqvproof.rounding.result import Flip
from eqvproof.rounding.system import RoundingSystem
from eqvproof.rounding.tracing import Array, TracedFunction, as_array, assumptions
from eqvproof.support.errors import ErrorCode, TargetError
from eqvproof.support.writing import entry_text, in_line


@dataclass(frozen=True, slots=True, eq=False)
class Deviation:
    """Both sides, their difference, and the part of it that rounding explains.

    Attributes:
        left: f(g x), as it was computed.
        right: g f(x), with f(x) as it was computed.
        bound: at least ``|left - right|`` for a function that is equivariant over the reals.
        element: g in words.
        dtype: the dtype of the computation.
        assumptions: the assumptions of the bound.
        flips: the decisions that rounding may change.
    """

    left: Array
    right: Array
    bound: Array
    element: str
    dtype: str
    assumptions: tuple[str, ...]
    flips: tuple[Flip, ...]

    @property
    def difference(self) -> Array:
        """The difference ``|left - right|``, entry by entry.

        It is inf if only one side is finite, and 0 if neither is.
        """
        with np.errstate(all="ignore"):
            gap = np.abs(self.left - self.right)
        here, there = np.isfinite(self.left), np.isfinite(self.right)
        return np.where(here & there, gap, np.where(here != there, np.inf, 0.0))

    @property
    def beyond(self) -> Array:
        """True for each entry whose difference exceeds the bound of rounding."""
        return np.asarray(self.difference > self.bound)

    @property
    def is_violation(self) -> bool:
        """True if some entry cannot be explained by rounding: then f is not equivariant."""
        return bool(self.beyond.any())

    @property
    def worst(self) -> tuple[int, ...]:
        """The entry whose difference is largest relative to its bound."""
        with np.errstate(all="ignore"):
            part = np.where(self.difference > 0, self.difference / self.bound, 0.0)
        return tuple(
            int(i)
            for i in np.unravel_index(int(np.argmax(np.nan_to_num(part, nan=0.0))), part.shape)
        )

    def __str__(self) -> str:
        """Returns the comparison in words."""
        if not self.left.size:
            return "nothing is computed"
        at = self.worst
        observed, most = float(self.difference[at]), float(self.bound[at])
        place = f" at entry {entry_text(*at)}" if at else ""
        conclusion = "rounding is enough to explain it"
        if self.is_violation:
            conclusion = "certain violation"
        limit = "no bound is known"
        if np.isfinite(most):
            limit = f"at most {most:.2g} can be rounding in {self.dtype}"
        text = f"{limit}, {observed:.2g} was observed{place}: {conclusion} ({self.element})"
        return text + "".join(f"\n  may flip: {f}" for f in self.flips)


def compare_at_point(
    traced: TracedFunction, call: Any, arrays: Mapping[str, Any], elements: Sequence[Element],
    sizes: Mapping[str, int], dtype: str, model: str = "certain",
) -> Deviation:  # fmt: skip
    """Runs both sides of a claim at a point, and bounds the difference that rounding explains.

    Args:
        traced: the function, traced with its roundings.
        call: the function as the user calls it, on arrays of their kind.
        arrays: the user's arrays, by name.
        elements: one group element for each factor.
        sizes: the sizes of the axes.
        dtype: the dtype in which the function computes.
        model: the model of rounding.
    """
    signature = traced.signature
    system = RoundingSystem(traced.format(dtype))
    arrays = {
        a.name: as_floats(arrays[a.name], dtype) if a.kind == "real" else arrays[a.name]
        for a in signature.inputs
    }
    plain = {n: as_array(a) for n, a in arrays.items()}
    moved: dict[str, Any] = {}
    there: dict[str, Enclosed] = {}
    for argument in signature.inputs:
        array = plain[argument.name]
        exact: Array = array
        for element in elements:
            exact = act_on_argument(element, _fractions_for(exact, element), argument, sizes)
        given = moved[argument.name] = convert_like(exact, arrays[argument.name])
        there[argument.name] = _enclose_input(as_array(given), exact, casts=system.form.casts)
    first = call_on_copies(call, [arrays[a.name] for a in signature.inputs])
    left = call_on_copies(call, [moved[a.name] for a in signature.inputs])
    here = enclose_inputs(signature, system, plain, {})
    at_x = bound_result(traced, here, sizes, system.form, model)
    at_gx = bound_result(traced, there, sizes, system.form, model)
    known = signature.output_sizes(first.shape, sizes)
    right, error = first, at_x.bound
    for element in elements:
        right = act(element, _fractions_for(right, element), signature.output, known)
        error = reach(element, error, signature.output, known)
    value = nearest_floats(np.asarray(right))
    bound = (at_gx.bound + error) * (1 + 2.0**-40) + 4 * UNIT * (np.abs(value) + np.abs(left))
    bound = np.where(np.isnan(bound), np.inf, bound)
    name = (
        ", ".join(e.describe() for e in elements if not e.is_identity)
        or "leave everything in place"
    )
    together = tuple(dict.fromkeys((*at_x.flips, *at_gx.flips)))
    return Deviation(left, value, bound, name, dtype, assumptions(system.form, model), together)


def _fractions_for(array: Array, element: Element) -> Array:
    """Converts entries to Fractions if the element would round floats; keeps NaN and infinities."""
    if element.is_identity or not element.kind.rounds:
        return array
    if array.dtype.kind != "f" or not np.isfinite(array).all():
        return array
    return objects([Fraction(v) for v in array.ravel().tolist()], array.shape)


def _enclose_input(given: Array, exact: Array, *, casts: bool) -> Enclosed:
    """Returns the input that the function receives, with its distance from the exact one."""
    if given.dtype.kind != "f" or exact.dtype != object:
        value = given.astype(np.float64)
        gap = np.abs(value - exact.astype(np.float64)) * (1 + 4 * UNIT)
        if not gap.any():
            return Enclosed(value)
        return input_with_error(value, gap, gap, casts=casts)
    pairs = zip(given.ravel().tolist(), exact.ravel().tolist(), strict=True)
    apart = np.array(
        [abs(Fraction(a) - b) if isfinite(a) else np.inf for a, b in pairs], dtype=object
    )
    gap = nearest_floats(apart).reshape(given.shape) * (1 + 4 * UNIT)
    if gap.any():
        return input_with_error(given, gap, gap, casts=casts)
    return Enclosed(given)


def nearest_floats(array: Array) -> Array:
    """Rounds numbers to the nearest floats, which are infinite beyond the largest float."""
    if array.dtype != object:
        return array.astype(np.float64)
    found = [v if v == np.inf else to_float(from_fraction(v)) for v in array.ravel().tolist()]
    return np.array(found, dtype=np.float64).reshape(array.shape)


def as_floats(given: Any, dtype: str) -> Any:
    """Converts integers to floats, which do not overflow silently; keeps floats."""
    if as_array(given).dtype.kind == "f":
        return given
    if hasattr(given, "detach"):
        import torch

        return given.to(getattr(torch, {"tf32": "float32"}.get(dtype, dtype)))
    if dtype not in ("float64", "float16"):
        dtype = "float32"
    return given.astype(dtype)


def convert_like(array: Array, given: Any) -> Any:
    """Converts numbers to an array of the user's kind, dtype and device."""
    plain = array
    if array.dtype == object:
        plain = nearest_floats(array)
    if hasattr(given, "detach"):
        import torch

        return torch.as_tensor(np.ascontiguousarray(plain)).to(
            dtype=given.dtype, device=given.device
        )
    root = type(given).__module__.partition(".")[0]
    if root in ("jax", "jaxlib"):
        import jax.numpy as jnp

        return jnp.asarray(plain, dtype=given.dtype)
    if root == "cupy":
        import cupy

        return cupy.asarray(plain, dtype=given.dtype)
    with np.errstate(over="ignore"):
        return np.asarray(plain, dtype=np.asarray(given).dtype)


def _copy_of(array: Any) -> Any:
    """Copies an array; copies of tensors are detached, and numbers are returned unchanged."""
    if hasattr(array, "detach"):
        return array.detach().clone()
    if hasattr(array, "copy"):
        return array.copy()
    return array


def call_on_copies(call: Any, arrays: Sequence[Any]) -> Array:
    """Calls the function on copies of the arrays, and returns floats on the CPU.

    Raises:
        TargetError: the call raises, or its result is no array of real numbers.
    """
    try:
        with np.errstate(all="ignore"):
            found = call(*map(_copy_of, arrays))
        array = as_array(found)
    except Exception as error:
        raise TargetError(
            "the function does not return one array of real numbers", given=in_line(str(error)),
            expected="one array, for arrays of the given kind, dtype and device",
            hint="return one of several results: lambda *args: f(*args)[0]", code=ErrorCode.TARGET_RAISES,
        ) from error  # fmt: skip
    return array.astype(np.float64)
