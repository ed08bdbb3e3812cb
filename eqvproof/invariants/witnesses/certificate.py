"""Certificates of witnesses and mismatches, as JSON data that the kernel re-checks."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import fmpq

from eqvproof.invariants.witnesses.field import Field, FieldMatrix
from eqvproof.invariants.witnesses.input_matrices import FloatArray

Certificate = dict[str, Any]


def tensor(matrix: FieldMatrix | FloatArray) -> dict[str, Any]:
    """Writes a matrix as its shape and its entries, row by row; floats at their exact values."""
    if isinstance(matrix, FieldMatrix):
        return {"shape": list(matrix.shape), "values": [element(e) for e in matrix.entries()]}
    values = [rational_text(v) for v in np.asarray(matrix).ravel().tolist()]
    return {"shape": list(np.asarray(matrix).shape), "values": values}


def element(value: tuple[fmpq, ...]) -> str | list[str]:
    """Writes a field element: a rational number as text, others as the list of coefficients."""
    if len(value) == 1:
        return rational_text(value[0])
    return [rational_text(c) for c in value]


def rational_text(value: Any) -> str:
    """Writes a rational number as text: "p", or "p/q" in lowest terms."""
    if isinstance(value, float):
        value = Fraction(value)
    if isinstance(value, fmpq):
        if value.q == 1:
            return str(value.p)
        return f"{value.p}/{value.q}"
    return str(value)


def field_parts(field: Field) -> dict[str, Any]:
    """Returns the certificate entry "field" of a number field; an empty dict for the rationals."""
    if field.is_rational:
        return {}
    return {
        "field": {
            "minimal": [str(c) for c in field.minimal],
            "interval": [str(end) for end in field.interval],
        }
    }
