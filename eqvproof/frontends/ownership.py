"""Of a library, of the user, plain: what can be said of a class or module by its name and its file."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any

from eqvproof.frontends.code import PURE_MODULES
from eqvproof.frontends.frames import owner_of_module


def is_user_class(cls: type) -> bool:
    """Whether a user wrote the class."""
    return owner_of_module(cls.__module__) == "user"


def is_plain_class(cls: type) -> bool:
    """Whether all state of an instance lies where Python code put it: nothing in C but containers."""
    for base in cls.__mro__:
        if base in (object, list, tuple, dict, set, frozenset, int, float, str):
            continue
        if base.__module__ in ("abc", "typing", "enum"):
            continue
        module = sys.modules.get(base.__module__)
        filename = getattr(module, "__file__", None)
        written_in_python = base.__module__ == "__main__" or (
            isinstance(filename, str) and filename.endswith(".py")
        )
        if not is_user_class(base) or not written_in_python:
            return False
    return True


def atom_text(value: Any) -> str:
    """A number or text, exactly."""
    if type(value) is float:
        return value.hex()
    if type(value) is int:
        return hex(value)
    if type(value) is Fraction:
        return f"{value.numerator:x}/{value.denominator:x}"
    return repr(value)


def is_pure_module(module: str) -> bool:
    """Whether the functions of a module are functions: equal arguments, equal results."""
    if module.startswith(
        ("numpy.random", "numpy.testing", "numpy.ctypeslib", "scipy.stats", "scipy.optimize")
    ):
        return False
    return module.split(".")[0] in PURE_MODULES


def slots_of(cls: type) -> list[str]:
    """The slots that a class adds."""
    found = cls.__dict__.get("__slots__", ())
    return [found] if isinstance(found, str) else [s for s in found if not s.startswith("__")]
