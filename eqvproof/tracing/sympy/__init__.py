"""SymPy expressions and matrix expressions as functions; symbols are the arguments, by name."""

from __future__ import annotations

__all__ = ["is_sympy"]


def is_sympy(f: object) -> bool:
    """Checks whether f is a SymPy expression, a matrix or an array of them, or a `Lambda`."""
    import sys

    sympy = sys.modules.get("sympy")
    if sympy is None or isinstance(f, type):
        return False
    return isinstance(f, (sympy.Basic, sympy.MatrixBase)) or isinstance(f, sympy.NDimArray)
