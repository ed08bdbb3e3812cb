"""A claim tested on floats as they run, with what rounding explains as the tolerance."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from eqvproof.errors import EqvproofError

if TYPE_CHECKING:
    from eqvproof.groups import Under
    from eqvproof.rounding import Deviation

#: Inputs that are tried in turn: without structure, with ties, equal, large and tiny entries.
STYLES = ("normal", "integers", "singular", "large", "ties", "tiny", "zeros", "ones", "one-hot", "positive")
#: Inputs of few bits are multiples of 1 / GRID.
GRID = 16
#: The sizes of axes where none are given: not the same, so that axes that are mixed up show.
SIZES = (5, 4, 6, 3, 7)


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
    """f(g x) and g f(x) differ by no more than rounding explains, on random and on hard inputs, as f runs.

    There is no tolerance to choose: it is computed from the code, for these inputs and this dtype, and every
    order of summation. A difference above it is a certain violation over the reals.

    Args:
        model: a function or module; it is called on its own device, in its own dtype.
        signature: its typing.
        under: the group.
        sizes: axis sizes; 5, 4, 6, ... where none are given.
        dtype: "float32", "tf32", "bfloat16", ...; that of the module's parameters, else "float32".
        device: of the inputs, for functions of tensors; that of the module's parameters.
        trials: how many inputs, each with another element.
        seed: of inputs and elements.
        rounding: "certain", or "probable" for roundings that are independent and of mean 0.
        backend: "numpy", "torch" or "jax", where the function does not show what it takes.

    Returns:
        The deviation that came nearest to its bound.

    Raises:
        AssertionError: some difference is no rounding; the message names the entry, what was seen, and what
            rounding explains. EqvproofError: the function cannot be read, or no bound was finite.
    """
    from eqvproof.frontends.samples import make_inputs
    from eqvproof.groups import parse_group
    from eqvproof.rounding.compared import chosen, exact_elements
    from eqvproof.rounding.reading import read
    from eqvproof.rounding.sides import deviate
    from eqvproof.signature import parse_signature

    __tracebackhide__ = True
    parsed = parse_signature(signature)
    group = parse_group(under, parsed)
    known = {
        **dict(zip(parsed.input_names, cycle(SIZES), strict=False)),
        **parsed.pins,
        **group.pins,
        **(sizes or {}),
    }
    reading = read(model, parsed, known, backend)
    name, make = _maker(model, dtype, device, is_torch=reading.is_torch, backend=backend)
    rng, chance = np.random.default_rng(seed), random.Random(seed)
    nearest: Deviation | None = None
    for trial in range(trials):
        style = STYLES[trial // 2 % len(STYLES)]
        inputs = make_inputs(parsed, known, style, rng)
        element = exact_elements(group, known, chance) if trial % 2 else chosen(group, known, None, chance)
        if trial % 2:  # few bits: g x is not rounded, and equal points stay equal
            inputs = {n: np.rint(a * GRID) / GRID if a.dtype.kind == "f" else a for n, a in inputs.items()}
        arrays = {n: make(a) for n, a in inputs.items()}
        found = deviate(reading, model, arrays, element, known, name, rounding)
        if found.is_violation:
            at = ", ".join(f"{n} = {s}" for n, s in known.items())
            raise AssertionError(f"{group} of {signature}: {found}\nat {at}, inputs: {style}, seed={seed}")
        if np.isfinite(found.bound).any() and (nearest is None or _share(found) > _share(nearest)):
            nearest = found
    if nearest is None:
        raise EqvproofError(
            "no bound of rounding was finite: nothing was tested", given=f"{signature} in {name}",
            expected="operations whose rounding is bounded at these inputs",
            hint='a longer dtype, smaller sizes, or rounding="probable"', code="rounding.nothing",
        )  # fmt: skip
    return nearest


def _share(found: Deviation) -> float:
    """The largest part of its bound that a difference has."""
    at = found.worst
    return float(found.difference[at] / found.bound[at]) if found.bound[at] > 0 else 0.0


def _maker(
    model: Any, dtype: Any, device: Any, *, is_torch: bool, backend: str | None
) -> tuple[str, Callable[[Any], Any]]:
    """The name of the dtype, and what makes arrays of the target's kind."""
    if is_torch:
        import torch

        first = next(iter(model.parameters()), None) if isinstance(model, torch.nn.Module) else None
        kind = torch.float32 if first is None else first.dtype
        name = str(dtype or kind).removeprefix("torch.")
        kind = getattr(torch, "float32" if name == "tf32" else name, kind)
        place = device if device is not None or first is None else first.device

        def tensor(array: Any) -> Any:
            return torch.as_tensor(array, dtype=kind if array.dtype.kind == "f" else None, device=place)

        return name, tensor
    name = str(getattr(dtype, "__name__", dtype) or "float32")
    short = np.dtype("float32" if name in ("tf32", "bfloat16") else name)

    def plain(array: Any) -> Any:
        made = array.astype(short) if array.dtype.kind == "f" else array
        if backend == "jax":
            import jax.numpy as jnp

            return jnp.asarray(made)
        return made

    return name, plain
