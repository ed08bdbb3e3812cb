"""The dtype in which a function computes: that of its parameters, else that of its arrays."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from eqvproof.rounding.formats import format_of, name_of
from eqvproof.support.errors import OptionError
from eqvproof.tracing.framework import FrameworkTarget
from eqvproof.tracing.observing.detect import reached

#: The dtype if neither parameters nor arrays have one, as for integers or a box.
DEFAULT = "float32"


def computation_dtype(
    f: object,
    target: Callable[..., Any],
    arrays: Sequence[Any],
    dtype: object,
    default: str = DEFAULT,
) -> str:
    """Returns the dtype whose rounding is bounded: the requested one, else that of the function.

    Args:
        f: the function or module, as the user gives it.
        target: the adapted function that calls it.
        arrays: its arguments.
        dtype: the requested dtype, or None.
        default: the dtype if neither parameters nor arrays have one.

    Raises:
        OptionError: the rounding of the dtype is not known, or the parameters have another dtype,
            or several.
    """
    held = _parameter_dtypes(f, target)
    given = [name for a in arrays if (name := _float_dtype(a)) is not None]
    if dtype is not None:
        asked = name_of(dtype)
        format_of(asked)
        runs_in = asked
        if held:
            runs_in = _single_dtype(held, dtype)
        if runs_in not in (asked, "float32" if asked == "tf32" else asked):
            raise OptionError(
                f"the parameters have another dtype than dtype={asked!r}",
                given=f"parameters in {runs_in}",
                expected=f"dtype={runs_in!r}, or none",
                code="dtype.parameters",
                hint=f"leave dtype= out, or convert the module: module.to(torch.{asked})",
            )
        return asked
    for name in given:
        format_of(name)
    if held:
        runs_in = _single_dtype(held, None)
        others = [
            n
            for a in arrays
            if hasattr(a, "detach") and (n := _float_dtype(a)) not in (None, runs_in)
        ]
        if others:
            raise OptionError(
                "the parameters and the arrays have different dtypes",
                code="dtype.parameters",
                given=f"parameters in {runs_in}, arrays in {others[0]}",
                expected="one dtype for both",
                hint=f"convert one of them, or give the dtype of the computation: dtype={runs_in!r}",
            )
        return runs_in
    found = max(given, key=lambda name: format_of(name).unit, default=default)
    if found == "float64" and _is_jax(target):
        return _jax_default()
    return found


def _single_dtype(held: list[str], dtype: object) -> str:
    """Returns the dtype of the parameters; if they have several, the requested and shortest one."""
    for name in held:
        format_of(name)
    most = max(held, key=lambda name: format_of(name).unit)
    if len(set(held)) > 1 and (dtype is None or name_of(dtype) != most):
        raise OptionError(
            "the parameters have several dtypes",
            given=", ".join(sorted(set(held))),
            expected="one dtype",
            hint=f"give the shortest: dtype={most!r}, or convert the module",
            code="dtype.parameters",
        )
    return most


def _float_dtype(array: object) -> str | None:
    """Returns the name of an array's floating dtype, or None if it has none."""
    dtype = getattr(array, "dtype", None)
    if dtype is None or "float" not in str(dtype):
        return None
    return str(dtype).removeprefix("torch.")


def _is_jax(target: object) -> bool:
    return isinstance(target, FrameworkTarget) and target.framework.name == "JAX"


def _jax_default() -> str:
    """Returns the dtype to which JAX converts float64: float32, unless it is configured otherwise."""
    import jax

    if jax.config.jax_enable_x64:
        return "float64"
    return "float32"


def _parameter_dtypes(f: object, target: object) -> list[str]:
    """Returns the dtypes of the parameters that a function of a framework can reach."""
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
    return [name for leaf in leaves if (name := _float_dtype(leaf)) is not None]
