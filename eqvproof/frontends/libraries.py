"""Whose code a target of a framework runs: the user's, which is judged, or that of a library that is known.

A library's own code is followed by its tracer and compared by value with what it computes; what the user
wrote is moreover read for what no trace shows.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from types import CodeType, FunctionType

from eqvproof.frontends.frames import owner_of_file

#: Libraries of arrays and layers whose code is traced as it is.
LIBRARIES = frozenset(
    "numpy scipy torch torchgen functorch torch_geometric e3nn opt_einsum opt_einsum_fx jax jaxlib flax "
    "equinox jaxtyping haiku einops sympy mpmath array_api_compat".split()
)
_SITES = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))


@lru_cache(maxsize=4096)
def is_library_file(filename: str) -> bool:
    """Whether a file belongs to a known library, to the standard library or to this package."""
    if owner_of_file(filename) in ("stdlib", "engine", "arrays"):
        return True
    for site in _SITES:
        if site in filename:
            return filename.rsplit(site, 1)[1].split(os.sep, 1)[0] in LIBRARIES
    return any(filename.startswith(root) for root in _roots())


def _roots() -> list[str]:
    """The folders of libraries that are imported from elsewhere."""
    files = [getattr(sys.modules.get(name), "__file__", None) for name in LIBRARIES]
    return [os.path.dirname(os.path.abspath(f)) + os.sep for f in files if f]


def is_library_code(code: CodeType) -> bool:
    """Whether a code object belongs to a library."""
    return is_library_file(code.co_filename)


def is_library_function(function: FunctionType) -> bool:
    """Whether a function belongs to a library, or to a module that a library wrote for itself."""
    if is_library_code(function.__code__):
        return True
    name = str(function.__globals__.get("__name__", ""))
    module = sys.modules.get(name)
    own = module is not None and vars(module) is function.__globals__
    file = os.path.basename(function.__code__.co_filename)
    return own and name.split(".")[0] in LIBRARIES and file.startswith(name)


def is_library_module(name: str | None) -> bool:
    """Whether a module belongs to a library; modules without a file are the interpreter's own."""
    module = sys.modules.get(name or "")
    filename = getattr(module, "__file__", None)
    if filename:
        return is_library_file(filename)
    root = str(name or "").split(".")[0]
    return name != "__main__" and (root in sys.stdlib_module_names or root in LIBRARIES)
