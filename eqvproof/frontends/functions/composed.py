"""NumPy's elementwise functions that are compositions of a Program's maps."""

from __future__ import annotations

from typing import Any

import numpy as np

from eqvproof.frontends import formulas
from eqvproof.frontends.context import TraceContext
from eqvproof.frontends.functions.registry import Handler, Table, node_of, real


def read(formula: formulas.Formula) -> Handler:
    """The handler that applies a formula."""

    def handler(context: TraceContext, *args: Any) -> Any:
        found = formula(context.builder, *map(node_of, args))
        return real(context, context.builder.by_library(found))

    return handler


FORMULAS: dict[Any, formulas.Formula] = {
    np.exp2: formulas.exp2, np.expm1: formulas.expm1, np.log1p: formulas.log1p, np.log2: formulas.log2,
    np.log10: formulas.log10, np.arccosh: formulas.arccosh, np.arctanh: formulas.arctanh,
    np.hypot: formulas.hypot, np.logaddexp: formulas.logaddexp, np.logaddexp2: formulas.logaddexp2,
    np.heaviside: formulas.heaviside, np.copysign: formulas.copysign, np.deg2rad: formulas.deg2rad,
    np.radians: formulas.deg2rad, np.rad2deg: formulas.rad2deg, np.degrees: formulas.rad2deg,
}  # fmt: skip
UFUNCS: Table = {ufunc: read(formula) for ufunc, formula in FORMULAS.items()}
