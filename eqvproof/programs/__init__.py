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
from eqvproof.programs.program import Program, substituted
from eqvproof.support.lazy import loader

if TYPE_CHECKING:
    from eqvproof.programs.copies import copied
    from eqvproof.programs.same import is_near, is_same

__all__ = [
    "AS_REAL",
    "Builder",
    "Program",
    "Size",
    "OF_FINITE",
    "as_computed",
    "copied",
    "is_near",
    "is_same",
    "keeps_roundings",
    "new_builder",
    "substituted",
]

if not TYPE_CHECKING:  # loaded when first used
    __getattr__ = loader(
        __name__,
        {
            "copied": "eqvproof.programs.copies",
            "is_near": "eqvproof.programs.same",
            "is_same": "eqvproof.programs.same",
        },
    )
