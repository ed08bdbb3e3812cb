"""Conversion between NumPy, CuPy and Dask arrays.

CuPy and Dask are imported only when an array of theirs is given.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: package of the array type -> module of its functions
_LIBRARIES = {"cupy": "cupy", "dask": "dask.array"}


def namespace(array: Any) -> ModuleType | None:
    """Returns the module of functions for a CuPy or Dask array; None for any other object."""
    package = type(array).__module__.split(".")[0]
    name = _LIBRARIES.get(package)
    if name and hasattr(array, "shape"):
        return import_module(name)
    return None


def to_host(array: Any) -> NDArray[Any]:
    """Converts a (small) array of any library to a NumPy array; Dask arrays are computed."""
    if hasattr(array, "compute"):
        array = array.compute()
    if hasattr(array, "get"):
        array = array.get()
    return np.asarray(array)


def from_host(array: NDArray[Any], like: Any) -> Any:
    """Converts a small NumPy array to the library, and the device, of another array."""
    library = namespace(like)
    if library is None:
        return array
    if library.__name__ == "dask.array":
        inner = namespace(getattr(like, "_meta", None))
        if inner is not None:
            array = inner.asarray(array)
    return library.asarray(array)
