"""Tests of a claim in floats, on the code as it runs, with a computed bound of rounding."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.support.errors import EqvproofError, OptionError
from eqvproof.support.short_tracebacks import shortens_tracebacks

if TYPE_CHECKING:
    from eqvproof.claims.groups import Under
    from eqvproof.rounding import Deviation

#: Styles of inputs, tried in turn: without structure, with ties, equal, large and tiny entries.
STYLES = (
    "normal",
    "integers",
    "singular",
    "large",
    "ties",
    "tiny",
    "zeros",
    "ones",
    "one-hot",
    "positive",
)
#: Inputs of few bits are multiples of 1 / GRID.
GRID = 16
#: Default sizes of axes: distinct, so that mixed-up axes show.
SIZES = (5, 4, 6, 3, 7)


@shortens_tracebacks
def assert_equivariant_floats(
    model: Callable[..., Any],
    signature: str,
    under: Under,
    *,
    sizes: Mapping[str, int] | None = None,
    dtype: Any = None,
    device: Any = None,
    trials: int = 20,
    seed: int = 0,
    rounding: str = "certain",
    backend: str | None = None,
) -> Deviation:
    """Asserts that f(g x) and g f(x) differ by no more than rounding explains, as f runs.

    Inputs are random, or chosen to be difficult. There is no tolerance to choose: it is computed
    from the code, for these inputs, this dtype and every order of summation. A difference above it
    proves a violation over the reals.

    Args:
        model: a function or module; it is called on its own device, in its own dtype.
        signature: its typing.
        under: the group.
        sizes: axis sizes; 5, 4, 6, ... by default.
        dtype: "float32", "tf32", "bfloat16", ...; by default that of the module's parameters, else
            "float32".
        device: the device of the inputs, for functions of tensors; by default that of the module's
            parameters.
        trials: the number of inputs, each with another element.
        seed: seed of inputs and elements.
        rounding: "certain", or "probable" for roundings that are independent and of mean 0.
        backend: "numpy", "torch" or "jax", if the kind of arrays cannot be found from the function.

    Returns:
        The deviation with the largest ratio to its bound.

    Raises:
        AssertionError: a difference exceeds the bound of rounding; the message names the entry, the
            difference and the bound.
        EqvproofError: the function cannot be traced, or no bound was finite.
    """
    from eqvproof.claims.groups import parse_group
    from eqvproof.claims.signature import parse_signature
    from eqvproof.rounding.deviations import draw_elements, exact_elements, read_float_claim
    from eqvproof.rounding.formats import name_of
    from eqvproof.rounding.tracing import single_sizes
    from eqvproof.tracing.samples import make_inputs

    __tracebackhide__ = True
    if not (isinstance(trials, int) and trials > 0):
        raise OptionError(
            "the number of trials is not a positive integer",
            given=repr(trials),
            expected="1 or more",
            hint="trials=20",
            code="trials",
        )
    parsed = parse_signature(signature)
    pins = {**parsed.pins, **parse_group(under, parsed).pins}
    known = {**dict(zip(parsed.input_names, cycle(SIZES), strict=False)), **pins}
    known |= single_sizes(sizes or {}, parsed, pins)
    parameter = next(iter(model.parameters()), None) if hasattr(model, "parameters") else None
    name = name_of(dtype or getattr(parameter, "dtype", "float32"))
    claim = read_float_claim(model, parsed, under, known, name, rounding, backend)
    if device is None:
        device = getattr(parameter, "device", None)
    make = _maker(name, device, is_torch=claim.traced.is_torch, backend=backend)
    chance = random.Random(seed)
    rng = np.random.default_rng(chance.getrandbits(64))
    nearest: Deviation | None = None
    for trial in range(trials):
        style = STYLES[trial // 2 % len(STYLES)]
        inputs = make_inputs(parsed, known, style, rng)
        if trial % 2:  # few bits: g x is not rounded, and equal points stay equal
            element = exact_elements(claim.group, known, chance)
            inputs = {n: _on_grid(a) for n, a in inputs.items()}
        else:
            element = draw_elements(claim.group, known, chance)
        arrays = {n: make(a) for n, a in inputs.items()}
        found = claim.compare(arrays, element)
        if found.is_violation:
            at = ", ".join(f"{n} = {s}" for n, s in known.items())
            where = f"at {at}, inputs: {style}, seed={seed}"
            raise AssertionError(f"{claim.group} of {signature}: {found}\n{where}")
        if np.isfinite(found.bound).any() and (nearest is None or _share(found) > _share(nearest)):
            nearest = found
    if nearest is None:
        raise EqvproofError(
            "no bound of rounding was finite: nothing was tested",
            given=f"{signature} in {name}",
            expected="operations whose rounding is bounded at these inputs",
            hint='use a longer dtype, smaller sizes, or rounding="probable"',
            code="rounding.nothing",
        )
    return nearest


def _on_grid(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Rounds floats to multiples of 1 / GRID; other arrays are returned unchanged."""
    if array.dtype.kind != "f":
        return array
    return np.asarray(np.rint(array * GRID) / GRID)


def _share(found: Deviation) -> float:
    """Returns the largest ratio of a difference to its bound."""
    at = found.worst
    if found.bound[at] > 0:
        return float(found.difference[at] / found.bound[at])
    return 0.0


def _maker(name: str, device: Any, *, is_torch: bool, backend: str | None) -> Callable[[Any], Any]:
    """Returns a function that converts arrays to the kind and dtype that the model takes."""
    stored = name
    if name == "tf32":
        stored = "float32"
    if device is not None and not is_torch:
        raise OptionError(
            "device= is for functions of tensors",
            given=f"device={device!r}, with a function of arrays",
            expected="a module of torch, or backend='torch'",
            hint="leave out device=",
            code="device",
        )
    if is_torch:
        import torch

        try:
            torch.empty((), device=device)
        except (RuntimeError, AssertionError) as error:
            raise OptionError(
                "torch cannot use this device",
                given=f"device={device!r}; torch: {str(error).splitlines()[0]}",
                expected="a device of torch that is there",
                hint="device='cpu'",
                code="device",
            ) from error

        def tensor(array: Any) -> Any:
            if array.dtype.kind == "f":
                kind = getattr(torch, stored)
            else:
                kind = None
            return torch.as_tensor(array, dtype=kind, device=device)

        return tensor

    numpy_dtype = np.dtype(np.float32)  # NumPy has no bfloat16
    if stored != "bfloat16":
        numpy_dtype = np.dtype(stored)

    def convert(array: Any) -> Any:
        if array.dtype.kind == "f":
            array = array.astype(numpy_dtype)
        if backend == "jax":
            import jax.numpy as jnp

            return jnp.asarray(array)
        return array

    return convert
