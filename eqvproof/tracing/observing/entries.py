"""Entries of arrays of torch and JAX, as NumPy arrays.

What their libraries raise for arrays without such entries is raised here too.
"""

from __future__ import annotations

import sys
import types
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

#: The type of the entries, the shape, and the entries if they are read.
Parts: TypeAlias = tuple[str, tuple[int, ...], npt.NDArray[np.generic] | None]


def stored_entries(torch: types.ModuleType, tensor: object) -> Any:
    """Returns a plain tensor on the CPU of the entries that a tensor stores.

    The methods of a subclass are not called: they may answer by another object, or refuse.
    """
    with torch._C.DisableTorchFunctionSubclass():
        return torch.Tensor.detach(tensor).cpu().resolve_conj().resolve_neg()


def parts_of_torch(value: Any, *, read: bool) -> Parts:
    """Returns the parts of a tensor, with entries of floats of 16, 32 or 64 bits."""
    torch = sys.modules["torch"]
    array = stored_entries(torch, value)
    known = array.dtype in (torch.float16, torch.float32, torch.float64)
    if array.is_floating_point() and not known:
        exact = array.double()
    else:
        exact = array
    kind = f"{array.dtype} {value.requires_grad} {value.stride()}"
    return kind, tuple(value.shape), exact.numpy() if read else None


def parts_of_jax(value: Any, *, read: bool) -> Parts:
    """Returns the parts of an array of JAX; keys of random numbers have their numbers as entries."""
    jax = sys.modules["jax"]
    if jax.dtypes.issubdtype(value.dtype, jax.dtypes.prng_key):
        value = jax.random.key_data(value)
    return str(value.dtype), tuple(value.shape), np.asarray(value) if read else None
