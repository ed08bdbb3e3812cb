"""Typed tensor programs: operations, rules of types, the builder, rewriting, evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from eqvproof.claims.size import Size
from eqvproof.programs.as_computed import (
    AS_REAL,
    OF_FINITE,
    as_computed,
    keeps_roundings,
    new_builder,
)
from eqvproof.programs.builder import Builder
from eqvproof.programs.program import Program, substitute_sizes
from eqvproof.support.lazy import loader

if TYPE_CHECKING:
    from eqvproof.programs.copies import copy_program
    from eqvproof.programs.same import is_near, is_same

__all__ = [
    "AS_REAL",
    "Builder",
    "Program",
    "Size",
    "OF_FINITE",
    "as_computed",
    "copy_program",
    "is_near",
    "is_same",
    "keeps_roundings",
    "new_builder",
    "substitute_sizes",
]

if not TYPE_CHECKING:  # loaded when first used
    __getattr__ = loader(
        __name__,
        {
            "copy_program": "eqvproof.programs.copies",
            "is_near": "eqvproof.programs.same",
            "is_same": "eqvproof.programs.same",
        },
    )
