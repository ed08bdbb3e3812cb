"""The functions of programs in forms: known ones by name, opaque ones, and arrays.

Of an opaque function the certificate may assume a symmetry, which the report names.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from . import claims
from .claims import Claim
from .forms import Fold, Map, Program, Sort, Whole
from .functions import AT_A_TIE, ENTRIES, FUNCTIONS, MATRIX_FUNCTIONS
from .report import Rejected
from .sizes import ONE, Size
from .text import LABEL, boolean, fields, items, one_of, rationals, read_name, read_pair
from .words import group_words, signature_words

Shape = tuple[Size, ...]
#: The roots: r where f(c^k x) = c^(k/r) f(x) for c > 0.
ROOTS = {"sqrt": 2, "cbrt": 3}
#: The functions along an axis, whose value does not depend on the order of the entries.
FOLDS, SORTS = ("max", "min", "prod"), ("sort",)


class Opaque:
    """A function of which at most a symmetry is assumed.

    Attributes:
        name: its name.
        symmetry: None; or `ENTRIES`; or the axes of the arguments, those of the value, and a group.
    """

    def __init__(self, value: Any, path: str) -> None:
        name, symmetry = fields(value, path, "name", "symmetry")
        self.name = read_name(name, path, LABEL)
        self.symmetry: Any = symmetry
        if self.is_unknown and symmetry is not None:
            raise Rejected(f"{path}: an unknown number of which a symmetry is assumed")
        if symmetry is not None and symmetry != ENTRIES:
            inputs, output, group = fields(symmetry, path, "inputs", "output", "group")
            rows = tuple(claims.axes(row, path) for row in items(inputs, path))
            result = claims.axes(output, path)
            every = [axis for row in (*rows, result) for axis in row]
            self.symmetry = rows, result, claims.group(group, path, every)

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


#: A function of a program: one that is known by its name, or an opaque one, or an array.
Function = str | Opaque | Array


def read_function(value: Any, path: str) -> Function:
    """Reads a function: its name; the name of an opaque one with its symmetry; or an array."""
    if isinstance(value, str):
        return one_of(value, path, (*FUNCTIONS, *MATRIX_FUNCTIONS, *FOLDS, *SORTS))
    if isinstance(value, dict) and "array" in value:
        (array,) = fields(value, path, "array")
        return Array(array, path)
    return Opaque(value, path)


def require_uses(
    program: Program, shapes: Sequence[Shape], functions: Sequence[Function], path: str
) -> None:
    """Requires that each function is applied as what it is, to as many arguments as it takes.

    Folds and sorts are of functions that do not depend on the order of entries, and values of
    functions of matrices have their shapes.

    Raises:
        Rejected: one is not.
    """
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
        found = functions[function]
        if isinstance(found, Array):
            good = isinstance(form, Whole) and form.batch == 0 and not arguments
            found.require_shape(shapes[number], f"{path}.lines[{number}]")
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


def _has_shape(function: str, form: Whole, shape: Shape) -> bool:
    """Checks whether a function of matrices, or a root of numbers, has a value of a shape."""
    first, *others = (sizes for _, sizes in form.arguments)
    value = shape[form.batch :]
    if function in ROOTS:
        return first == value == ()
    if len(first) != 2 or (function != "pinv" and first[0] != first[1]):
        return False
    turned = first[1], first[0]
    wanted = {"det": (), "eigvals": first[:1]}.get(function, turned)
    return value == wanted and all(weights == first[:1] for weights in others)


def assumption(function: Opaque, *, is_assumed: bool) -> str:
    """Returns words for what is assumed of an opaque function."""
    whose = "its arguments alone, real wherever they are"
    if function.symmetry == ENTRIES:
        whose = "the entries of its arguments at each place alone"
    text = f"{function.name} is a function of {whose}"
    if is_assumed:
        inputs, output, group = function.symmetry
        stated = Claim(tuple(("_", row) for row in inputs), output, group, {})
        text += (
            f"; assumed, not proved: its symmetry under {group_words(group)}, as "
            f"{signature_words(stated)}"
        )
    return text
