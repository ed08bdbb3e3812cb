"""The functions of programs in forms: known ones by name, opaque ones, and arrays.

Of an opaque function the certificate may assume a symmetry, which the report names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from .forms import Fold, Map, Program, Sort, Whole
from .functions import AT_A_TIE, ENTRIES, FUNCTIONS, MATRIX_FUNCTIONS
from .loading import part
from .report import Rejected
from .sizes import ONE, Size
from .text import (
    boolean,
    fields,
    one_of,
    rationals,
    read_pair,
    read_rational,
)

Shape = tuple[Size, ...]
#: The exponents r of roots: f(c^k x) = c^(k r) f(x) for c > 0.
ROOTS = {"sqrt": Fraction(1, 2), "cbrt": Fraction(1, 3)}
#: The functions along an axis, whose value does not depend on the order of the entries.
FOLDS, SORTS = ("max", "min", "prod"), ("sort",)


@dataclass(frozen=True, slots=True)
class Opaque:
    """A function of which at most a symmetry is assumed.

    Attributes:
        name: its name.
        symmetry: None; or `ENTRIES`; or the axes of the arguments, those of the value, and a group.
    """

    name: str
    symmetry: Any

    def __str__(self) -> str:
        return self.name

    @property
    def is_unknown(self) -> bool:
        """True for a number of which nothing is known, where entries tie."""
        return self.name.startswith(AT_A_TIE)


class Array:
    """A function without arguments: an array that does not depend on the arguments.

    Attributes:
        form: of the matrix of a form whether it has signs: diag(1, -1, ..., -1), or [[0, I], [-I,
            0]]; None for other arrays.
        numbers: the entries of other arrays, row-major.
    """

    def __init__(self, value: Any, path: str) -> None:
        kind, held = read_pair(value, path)
        self.form: bool | None = None
        self.numbers = list[Fraction]()
        if one_of(kind, path, ("form", "numbers")) == "form":
            self.form = boolean(held, path)
        else:
            self.numbers = rationals(held, path)

    def require_shape(self, shape: Shape, path: str) -> None:
        """Requires that it has a shape; a matrix without signs is of even size."""
        size = ONE
        for length in shape:
            size = size * length
        good = self.form is not None or size == Size.of(len(self.numbers))
        if self.form is not None:
            good = len(shape) == 2 and shape[0] == shape[1]
            good = good and (self.form or all(c % 2 == 0 for _, c in shape[0].terms))
        if not good:
            raise Rejected(f"{path}: an array that does not have the shape of the line")


class Power:
    """A power of one number: the function pow of it and of a constant exponent."""

    def __init__(self, value: Any, path: str) -> None:
        self.exponent = read_rational(value, path)


#: A function of a program: one that is known by its name, or an opaque one, an array, or a power.
Function = str | Opaque | Array | Power


def read_function(value: Any, path: str) -> Function:
    """Reads a function: its name; that of an opaque one with its symmetry; an array, or a power."""
    if isinstance(value, str):
        return one_of(value, path, (*FUNCTIONS, *MATRIX_FUNCTIONS, *FOLDS, *SORTS))
    if isinstance(value, dict) and "array" in value:
        (array,) = fields(value, path, "array")
        return Array(array, path)
    if isinstance(value, dict) and "power" in value:
        (exponent,) = fields(value, path, "power")
        return Power(exponent, path)
    opaque: Opaque = part("assumptions").read_opaque(value, path)
    return opaque


def exponent_of(function: Function) -> Fraction | None:
    """Returns the exponent of a root, or of a power; None for other functions."""
    if isinstance(function, Power):
        return function.exponent
    if isinstance(function, str):
        return ROOTS.get(function)
    return None


def require_uses(
    program: Program, shapes: Sequence[Shape], functions: Sequence[Function], path: str
) -> None:
    """Requires that each function is applied as what it is, to as many arguments as it takes.

    Folds and sorts are of functions that do not depend on the order of entries, and values of
    functions of matrices have their shapes.

    Raises:
        Rejected: one is not, or it is opaque and no line applies it.
    """
    applied = set[int]()
    for number, form in enumerate(program):
        match form:
            case Map(function, arguments):
                known: Any = FUNCTIONS
            case Fold(function):
                arguments, known = (), dict.fromkeys(FOLDS, 0)
            case Sort(function):
                arguments, known = (), dict.fromkeys(SORTS, 0)
            case Whole(function, _, arguments):
                known = {**MATRIX_FUNCTIONS, **dict.fromkeys(ROOTS, 1)}
            case _:
                continue
        if function >= len(functions):
            raise Rejected(f"{path}.lines[{number}]: a function that is not listed")
        applied.add(function)
        found = functions[function]
        if isinstance(found, Array):
            good = isinstance(form, Whole) and form.batch == 0 and not arguments
            found.require_shape(shapes[number], f"{path}.lines[{number}]")
        elif isinstance(found, Power):
            good = isinstance(form, Whole) and len(arguments) == 1
            if good and isinstance(form, Whole):
                good = _has_shape(found, form, shapes[number])
        elif isinstance(found, Opaque):
            by_entries = found.symmetry == ENTRIES
            good = isinstance(form, Map if by_entries else Whole)
            good = good and (bool(arguments) or not by_entries)
            good = good and not (found.is_unknown and arguments)
        else:
            good = known.get(found) == len(arguments)
            if good and isinstance(form, Whole):
                good = _has_shape(found, form, shapes[number])
        if not good:
            raise Rejected(f"{path}.lines[{number}]: a function that is applied as another one")
    opaque = {k for k, function in enumerate(functions) if isinstance(function, Opaque)}
    if not opaque <= applied:
        raise Rejected(f"{path}.functions: an opaque function that no line applies")


def _has_shape(function: Function, form: Whole, shape: Shape) -> bool:
    """Checks whether a function of matrices, or a root or power of numbers, has a shape."""
    first, *others = (sizes for _, sizes in form.arguments)
    value = shape[form.batch :]
    if exponent_of(function) is not None:
        return first == value == ()
    if len(first) != 2 or (function != "pinv" and first[0] != first[1]):
        return False
    turned = first[1], first[0]
    wanted = {"det": (), "eigvals": first[:1]}.get(str(function), turned)
    return value == wanted and all(weights == first[:1] for weights in others)
