"""The dtype that a function computes in: that of its parameters, else that of its arrays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from eqvproof.rounding.formats import format_of, name_of
from eqvproof.support.errors import OptionError
from eqvproof.tracing.framework import FrameworkTarget
from eqvproof.tracing.observing.detect import reached

#: The dtype where neither parameters nor arrays show one, as for whole numbers or a box.
DEFAULT = "float32"


def computed_in(
    f: object,
    target: Callable[..., Any],
    arrays: Sequence[Any],
    dtype: object,
    default: str = DEFAULT,
) -> str:
    """Returns the dtype whose rounding is bounded.

    It is the requested one, else the one that the function computes in.

    Args:
        f: the function or module, as the user gives it.
        target: the adapted function that calls it.
        arrays: the arrays that it is given.
        dtype: the requested dtype, or None.
        default: the dtype where nothing shows one.

    Raises:
        OptionError: the rounding of the dtype is not known, or it is another dtype than that of the
            parameters, of which there may be several.
    """
    held, given = _held(f, target), [name for a in arrays if (name := _float_of(a)) is not None]
    if dtype is not None:
        asked = name_of(dtype)
        format_of(asked)
        runs_in = asked
        if held:
            runs_in = _single(held, dtype)
        if runs_in not in (asked, "float32" if asked == "tf32" else asked):
            raise OptionError(
                f"the parameters are of another dtype than dtype={asked!r}",
                given=f"parameters in {runs_in}",
                expected=f"dtype={runs_in!r}, or none",
                code="dtype.parameters",
                hint=f"leave dtype= out, or convert the module: module.to(torch.{asked})",
            )
        return asked
    for name in given:
        format_of(name)
    if held:
        runs_in = _single(held, None)
        others = [
            n for a in arrays if hasattr(a, "detach") and (n := _float_of(a)) not in (None, runs_in)
        ]
        if others:
            raise OptionError(
                "the parameters and the arrays are of two dtypes",
                code="dtype.parameters",
                given=f"parameters in {runs_in}, arrays in {others[0]}",
                expected="one dtype for both",
                hint=f"convert one of them, or say what is computed in: dtype={runs_in!r}",
            )
        return runs_in
    found = max(given, key=lambda name: format_of(name).unit, default=default)
    if found == "float64" and _is_jax(target):
        return _of_jax()
    return found


def _single(held: list[str], dtype: object) -> str:
    """Returns the one dtype of the parameters.

    If there are several, it is the requested one, which must round most.
    """
    for name in held:
        format_of(name)
    most = max(held, key=lambda name: format_of(name).unit)
    if len(set(held)) > 1 and (dtype is None or name_of(dtype) != most):
        raise OptionError(
            "the parameters are of several dtypes",
            given=", ".join(sorted(set(held))),
            expected="one dtype",
            hint=f"say what rounds most: dtype={most!r}, or convert the module",
            code="dtype.parameters",
        )
    return most


def _float_of(array: object) -> str | None:
    """Returns the name of an array's floating dtype, or None if it has none."""
    dtype = getattr(array, "dtype", None)
    if dtype is None or "float" not in str(dtype):
        return None
    return str(dtype).removeprefix("torch.")


def _is_jax(target: object) -> bool:
    return isinstance(target, FrameworkTarget) and target.framework.name == "JAX"


def _of_jax() -> str:
    """Returns the dtype to which JAX converts arrays of 64 bits.

    It is float32, unless JAX is configured to keep float64.
    """
    import jax

    if jax.config.jax_enable_x64:
        return "float64"
    return "float32"


def _held(f: object, target: object) -> list[str]:
    """Returns the dtypes of the parameters that a function of a framework holds or reaches."""
    if not isinstance(target, FrameworkTarget):
        return []
    if target.framework.name == "torch":
        import torch

        modules = [m for m in reached(f) if isinstance(m, torch.nn.Module)]
        parameters = {id(p): p for m in modules for p in m.parameters() if p.is_floating_point()}
        return [name_of(p.dtype) for p in parameters.values()]
    tree = sys.modules.get("jax")
    if tree is None:
        return []
    leaves = tree.tree_util.tree_leaves(f)
    if len(leaves) == 1 and leaves[0] is f:
        return []
    return [name for leaf in leaves if (name := _float_of(leaf)) is not None]
