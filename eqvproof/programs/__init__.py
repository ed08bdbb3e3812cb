"""Typed tensor programs: operations, rules of types, the builder, rewriting, evaluation."""

from eqvproof.claims.size import Size
from eqvproof.programs.as_computed import (
    AS_REAL,
    OF_FINITE,
    as_computed,
    keeps_roundings,
    new_builder,
)
from eqvproof.programs.builder import Builder
from eqvproof.programs.copies import copied
from eqvproof.programs.program import Program, substituted
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
