"""The typed tensor program that every target becomes, and that every engine reads."""

from eqvproof.program.builder import Builder
from eqvproof.program.ops import MAP_FUNCTIONS, OP_NAMES, OPERATIONS, Op
from eqvproof.program.program import Program, substituted
from eqvproof.program.size import Size

__all__ = ["MAP_FUNCTIONS", "OPERATIONS", "OP_NAMES", "Builder", "Op", "Program", "Size", "substituted"]
