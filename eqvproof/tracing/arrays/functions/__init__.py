"""Handlers of NumPy's functions, and the tables of functions that are traced.

`UFUNCS` maps NumPy's (and SciPy's) universal functions, `FUNCTIONS` all other functions, to
handlers. `EXACT` are functions that are traced even where all arguments are numbers, because they
make arrays that the target may fill, or because their results are irrational (``np.sqrt(3)``) and
must stay exact. `OF_LISTS` are those that are so traced for lists of floats, of which NumPy would
round the result.
"""

from __future__ import annotations

import importlib
import sys

import numpy as np

from eqvproof.tracing.arrays.functions import (
    choices,
    creation,
    filters,
    fourier,
    joining,
    linalg,
    logic,
    mathlib,
    moments,
    ordering,
    products,
    reductions,
    repeating,
    scattering,
    selection,
    shaping,
    special,
    ufuncs,
)
from eqvproof.tracing.arrays.functions.registry import Handler

UFUNC_MODULES = (ufuncs, logic)
FUNCTION_MODULES = (
    choices,
    creation,
    fourier,
    joining,
    linalg,
    mathlib,
    moments,
    ordering,
    products,
    reductions,
    repeating,
    scattering,
    selection,
    shaping,
)

UFUNCS: dict[object, Handler] = {f: h for m in UFUNC_MODULES for f, h in m.UFUNCS.items()}
FUNCTIONS: dict[object, Handler] = {f: h for m in FUNCTION_MODULES for f, h in m.FUNCTIONS.items()}
OF_LISTS: set[object] = {np.sum, np.mean, np.average, np.prod, np.var, np.dot, np.inner, np.vdot}
EXACT: set[object] = {*ufuncs.IRRATIONAL, *creation.MAKERS, *mathlib.EXACT, *linalg.EXACT}


def load_scipy() -> None:
    """Registers the handlers of SciPy modules that have been imported by now."""
    if "array_api_compat" in sys.modules:
        importlib.import_module("array_api_compat.numpy")  # it imports more when it is first asked
    more_ufuncs, more_functions = special.loaded()
    more_functions = {**filters.handlers(), **more_functions}
    UFUNCS.update(more_ufuncs)
    FUNCTIONS.update(more_functions)
    EXACT.update(more_ufuncs, more_functions)
