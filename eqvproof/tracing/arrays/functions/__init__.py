"""Tables of NumPy's, SciPy's and Python's functions that are traced, and the modules of handlers.

`UFUNCS` maps universal functions, `FUNCTIONS` all other functions, to handlers; a module of
handlers is imported when one of its functions is first called. `EXACT` are functions that are
traced even where all arguments are numbers, because they make arrays that the user's code may
fill, or because their results are irrational (``np.sqrt(3)``) and must stay exact. `OF_LISTS` are
those that are so traced for lists of floats, whose result NumPy would round.
"""

from __future__ import annotations

import importlib
import math
import sys
from types import ModuleType

import numpy as np

from eqvproof.tracing.arrays.functions.registry import Handler, LazyTable, find_functions

_HERE = __name__
#: Module of handlers -> the universal functions of NumPy that it handles.
_UFUNCS_OF_NUMPY = {
    "logic": "bitwise_and bitwise_or bitwise_xor equal greater greater_equal invert isfinite isinf"
    " isnan less less_equal logical_and logical_not logical_or logical_xor not_equal",
    "products": "matmul matvec vecdot vecmat",
    "ufuncs": "absolute add arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt ceil conjugate"
    " copysign cos cosh deg2rad degrees divide divmod exp exp2 expm1 fabs float_power floor"
    " floor_divide fmax fmin fmod heaviside hypot log log10 log1p log2 logaddexp logaddexp2 maximum"
    " minimum multiply negative positive power rad2deg radians reciprocal remainder rint sign sin"
    " sinh sqrt square subtract tan tanh trunc",
}
#: Module of handlers -> the other functions of NumPy that it handles.
_FUNCTIONS_OF_NUMPY = {
    "choices": "allclose around array_equal compress copyto delete diag_indices diag_indices_from"
    " insert interp isneginf isposinf logaddexp.reduce meshgrid nan_to_num nanargmax nanargmin"
    " nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd"
    " nansum nanvar nonzero place putmask result_type round tril_indices triu_indices vander",
    "creation": "arange array asanyarray asarray asarray_chkfinite ascontiguousarray"
    " asfortranarray empty empty_like eye full full_like identity linspace ones ones_like require"
    " tri zeros zeros_like",
    "fourier": "fft.fft fft.fft2 fft.fftn fft.ifft fft.ifft2 fft.ifftn fft.irfft fft.rfft",
    "joining": "array_split block concatenate convolve correlate diff"
    " lib.stride_tricks.sliding_window_view pad split stack take unstack",
    "linalg": "corrcoef cov linalg.cholesky linalg.cond linalg.det linalg.eigh linalg.eigvalsh"
    " linalg.inv linalg.lstsq linalg.matrix_power linalg.multi_dot linalg.norm linalg.pinv"
    " linalg.slogdet linalg.solve linalg.svd linalg.svdvals polyfit",
    "moments": "average count_nonzero sort std var",
    "ordering": "argmax argmin argsort cumprod cumsum cumulative_sum digitize histogram lexsort"
    " median percentile quantile searchsorted",
    "products": "cross diagonal dot einsum inner kron linalg.cross linalg.matmul linalg.outer"
    " linalg.tensordot linalg.vecdot matmul outer tensordot trace vdot",
    "reductions": "all amax amin any max mean min prod ptp sum",
    "repeating": "flip repeat roll tile",
    "scattering": "bincount put_along_axis take_along_axis",
    "selection": "clip diag diagflat fill_diagonal iscomplexobj isrealobj isscalar select sinc"
    " tril triu where",
    "shaping": "astype atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_shapes broadcast_to"
    " copy expand_dims linalg.matrix_transpose matrix_transpose may_share_memory moveaxis ndim ravel"
    " reshape shape shares_memory size squeeze swapaxes transpose",
}
_FUNCTIONS_OF_MATH = {
    "mathlib": "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh degrees erf erfc"
    " exp exp2 expm1 fabs floor fmod fsum gamma hypot isfinite isinf isnan lgamma log log10 log1p"
    " log2 pow radians sin sinh sqrt tan tanh trunc",
}
#: Module of SciPy, scikit-learn or Python -> the modules that handle its functions.
HANDLED_LIBRARIES = {
    "scipy.special": ("special",),
    "scipy.linalg": ("special",),
    "scipy.spatial": (),
    "scipy.spatial.distance": ("special", "definitions"),
    "scipy.stats": ("definitions", "statistical_tests"),
    "scipy.signal": ("definitions", "special"),
    "scipy.fft": ("definitions", "special"),
    "scipy.fftpack": ("special",),
    "scipy.ndimage": ("filters",),
    "sklearn.preprocessing": ("definitions",),
    "sklearn.metrics.pairwise": ("definitions",),
    "sklearn.metrics": ("definitions",),
    "sklearn.covariance": ("definitions",),
    "statistics": ("definitions",),
}

UFUNCS = LazyTable(_HERE, "UFUNCS", [(np, _UFUNCS_OF_NUMPY)])
FUNCTIONS = LazyTable(_HERE, "FUNCTIONS", [(np, _FUNCTIONS_OF_NUMPY), (math, _FUNCTIONS_OF_MATH)])
OF_LISTS: set[object] = {np.sum, np.mean, np.average, np.prod, np.var, np.dot, np.inner, np.vdot}
EXACT: set[object] = {
    *find_functions(
        np,
        "arccos arccosh arcsin arcsinh arctan arctan2 arctanh cbrt cos cosh deg2rad degrees empty"
        " exp exp2 expm1 eye float_power full hypot identity linalg.norm linspace log log10 log1p"
        " log2 logaddexp logaddexp2 ones power rad2deg radians sin sinh sqrt std tan tanh tri"
        " zeros",
    ),
    *find_functions(
        math,
        "acos acosh asin asinh atan atan2 atanh cbrt cos cosh degrees erf erfc exp exp2 expm1"
        " gamma hypot lgamma log log10 log1p log2 pow radians sin sinh sqrt tan tanh",
    ),
}


def load_scipy() -> None:
    """Registers the handlers of functions of SciPy and scikit-learn that are imported by now."""
    if "array_api_compat" in sys.modules:
        importlib.import_module("array_api_compat.numpy")  # it imports more when it is first asked
    loaded = _load_handlers()
    more_ufuncs: dict[object, Handler] = {}
    more_functions: dict[object, Handler] = {}
    if "definitions" in loaded:
        more_functions |= loaded["definitions"].handlers()
    if "special" in loaded:
        universal, others = loaded["special"].loaded()
        more_ufuncs |= universal
        more_functions |= others
    UFUNCS.update(more_ufuncs)
    FUNCTIONS.update(more_functions)
    EXACT.update(more_ufuncs, more_functions)


def is_distribution(value: object) -> bool:
    """Checks whether a value is a distribution of ``scipy.stats``, free or with parameters."""
    if not type(value).__module__.startswith("scipy.stats._"):
        return False
    return bool(_distributions().is_distribution(value))


def names_of_distributions() -> list[str]:
    """Lists the attributes of distributions that draw nothing."""
    return [*_distributions().METHODS, "freeze"]


def replaced_distribution(value: object) -> object:
    """Returns a distribution of ``scipy.stats`` as traced code sees it."""
    return _distributions().stand_in(value)


def _distributions() -> ModuleType:
    return importlib.import_module(f"{_HERE}.distributions")


def functions_with_definitions() -> list[object]:
    """Returns the functions of imported libraries that are traced as definitions in NumPy."""
    loaded = _load_handlers()
    if "definitions" not in loaded:
        return []
    return list(loaded["definitions"].functions())


def _load_handlers() -> dict[str, ModuleType]:
    """Imports the modules that handle functions of imported libraries; returns them by name."""
    names = {
        name
        for home in HANDLED_LIBRARIES
        if home in sys.modules
        for name in HANDLED_LIBRARIES[home]
    }
    if "filters" in names:
        names.add("definitions")  # where filters are entered
    return {name: importlib.import_module(f"{_HERE}.{name}") for name in sorted(names)}
