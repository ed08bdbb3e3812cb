"""Stand-ins for uninterpreted functions: a given callable, or values drawn from the arguments.

Where none is given, each entry of the value is a rational drawn by a keyed hash from the name and
all entries of the arguments: a deterministic function, with no symmetry but what chance gives. It
is the same over exact numbers and over floats that are the same numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from eqvproof.programs import Program
from eqvproof.programs.evaluate.library_functions import library_function
from eqvproof.support.errors import EqvproofError

Functions = Mapping[str, Callable[..., Any] | None]


def find_function(
    name: str, symmetry: str | None, functions: Functions | None
) -> Callable[..., Any] | None:
    """Returns the callable for an opaque function, also a library's; None if values are drawn.

    Raises:
        EqvproofError: its symmetry is assumed and no callable is given: a hash has no symmetry.
    """
    function = (functions or {}).get(name) or library_function(name)
    if function is None and symmetry is not None:
        raise EqvproofError(
            f"the opaque function {name} has an assumed symmetry; no stand-in can be drawn for it",
            expected=f"opaque={{{name!r}: a function with that symmetry}}",
            code="evaluate.opaque-symmetry",
            given=name,
            hint="give example= to opaque",
        )
    return function


def functions_without_values(program: Program, functions: Functions) -> list[str]:
    """Returns the uninterpreted functions with an assumed symmetry and no given callable.

    No values can be drawn for these.
    """
    assumed = [o.name for o in program.opaques if o.symmetry is not None]
    return [name for name in assumed if name not in functions and library_function(name) is None]


def draw_rationals(name: str, entries: Iterable[Fraction], count: int, seed: int) -> list[Fraction]:
    """Draws ``count`` rationals k/16, |k| <= 64, fixed by the name, the entries and the seed."""
    state = hashlib.blake2b(digest_size=32)
    state.update(f"{seed}|{name}|".encode())
    for x in entries:
        state.update(f"{x.numerator}/{x.denominator},".encode())
    key = state.digest()
    values = []
    for i in range(count):
        block = hashlib.blake2b(i.to_bytes(8, "little"), key=key, digest_size=8).digest()
        values.append(Fraction(int.from_bytes(block, "little") % 129 - 64, 16))
    return values
