"""The facts about functions that the checker may suppose, as `fact` of `rocq/Checker.v`.

A function of entries has a degree k where ``f(c x, ...) = c^k f(x, ...)``, defined alike on both
sides, for all numbers c that are powers of the group's character. A function of matrices has its
law. Of opaque functions the certificate may assume a symmetry, which the report names.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from . import claims
from .checker import DUAL, STD, Fact, RType
from .claimed_types import checked_family, claimed_type
from .claims import Claim, Factor
from .form_shapes import Shape
from .forms import Fold, Map, Program, Sort, Whole
from .functions import AT_A_TIE, ENTRIES, EVEN, FUNCTIONS, MATRIX_FUNCTIONS, ODD, SERIES
from .report import Rejected
from .sizes import ONE, Size
from .text import LABEL, boolean, fields, items, one_of, rationals, read_name, read_pair
from .words import group_words, signature_words

_TRUTH = dict.fromkeys("eq ne and or".split(), 0)
#: The degrees for c = 1 and -1.
SIGNS = {**_TRUTH, **dict.fromkeys(EVEN, 0), **dict.fromkeys(ODD, 1)}
#: The degrees for c > 0.
POSITIVE = {
    **_TRUTH, "not": 0, "recip": -1, **dict.fromkeys(("sign", "lt", "le", "gt", "ge", "arctan2"), 0),
    **dict.fromkeys("abs maximum minimum mod max min sort".split(), 1),
}  # fmt: skip
#: The degrees for all numbers c but 0.
UNITS = {**_TRUTH, "not": 0, "recip": -1}
#: The degrees by the family of groups; for all others the character is 1 or -1.
DEGREES = {"Scale": POSITIVE, "GL": UNITS, "SL": UNITS}
#: Under translations, the laws of `motions`: a reciprocal; or what is added to all entries along an
#: axis is added to the value.
SHIFT_LAWS = {"recip": True, "max": False, "min": False, "sort": False}
#: The roots: r where f(c^k x) = c^(k/r) f(x) for c > 0.
ROOTS = {"sqrt": 2, "cbrt": 3}
#: The laws of functions of matrices, each with its proof in `rules.matrix`.
LAWS = {
    "inv": "Inverse",
    "pinv": "Pseudoinverse",
    "det": "Number",
    "eigvals": "List",
    "spectral": "Weighted",
    **dict.fromkeys(SERIES, "Conjugate"),
}
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

    @property
    def is_unknown(self) -> bool:
        """True for a number of which nothing is known, where entries tie."""
        return self.name.startswith(AT_A_TIE)


class Array:
    """A function without arguments: an array that does not depend on the arguments.

    Attributes:
        form: of the matrix of a form whether it has signs: diag(1, -1, ..., -1), or [[0, I], [-I,
            0]]; None for other arrays.
        count: how many numbers other arrays hold.
    """

    def __init__(self, value: Any, path: str) -> None:
        kind, held = read_pair(value, path)
        self.form: bool | None = None
        self.count = 0
        if one_of(kind, path, ("form", "numbers")) == "form":
            self.form = boolean(held, path)
        else:
            self.count = len(rationals(held, path))

    def require_shape(self, shape: Shape, path: str) -> None:
        """Requires that it has a shape; a matrix without signs is of even size."""
        size = ONE
        for length in shape:
            size = size * length
        good = self.form is not None or size == Size.of(self.count)
        if self.form is not None:
            good = len(shape) == 2 and shape[0] == shape[1]
            good = good and (self.form or all(c % 2 == 0 for _, c in shape[0].terms))
        if not good:
            raise Rejected(f"{path}: an array that does not have the shape of the line")

    def is_kept(self, factor: Factor, size: Size, shape: Shape, stated: RType) -> bool:
        """Checks whether a factor of the group acts on it in a way that leaves it as it is.

        The matrix has the size of the elements: a part of a larger one is another matrix. Where
        g^T B g = B for all g, g^-T B g^-1 = B; and g B g^T = B, as B^-1 is B or -B. No type of an
        orthogonal group has duals.
        """
        kinds = (STD, DUAL)[: 1 + (factor.kind == "lin")]
        moved = [((((kind, size),),) * 2, 0) for kind in kinds]
        kept = factor.about.form == ("minkowski" if self.form else "symplectic")
        return self.form is not None and kept and shape == (size, size) and stated in moved


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


def require_uses(program: Program, shapes: Sequence[Shape], functions: Sequence[Function]) -> None:
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
            raise Rejected(f"$.forms.lines[{number}]: a function that is not listed")
        found = functions[function]
        if isinstance(found, Array):
            good = isinstance(form, Whole) and form.batch == 0 and not arguments
            found.require_shape(shapes[number], f"$.forms.lines[{number}]")
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
            raise Rejected(f"$.forms.lines[{number}]: a function that is applied as another one")


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


def facts_of(
    factor: Factor, size: Size, program: Program, shapes: Sequence[Shape],
    functions: Sequence[Function], types: Sequence[RType],
) -> tuple[list[Fact | None], set[int]]:  # fmt: skip
    """Returns the facts about the functions of a program, and those of which one is assumed.

    Args:
        factor: the factor of the group.
        size: the size of its matrices.
        program: the lines.
        shapes: of the lines.
        functions: by number.
        types: the types of the lines; a root is supposed to take the type of its argument.
    """
    degrees, assumed = DEGREES.get(checked_family(factor), SIGNS), set[int]()
    found = list[Fact | None]()
    for function in functions:
        if isinstance(function, Opaque | Array):
            found.append(None)
        elif function in LAWS:
            found.append(Fact(LAWS[function]))
        elif function in degrees:
            found.append(Fact("Degree", degrees[function]))
        else:
            found.append(None)
    seen = dict[int, tuple[Shape, ...]]()
    for form, shape, stated in zip(program, shapes, types, strict=True):
        if not isinstance(form, Whole):
            continue
        number, function = form.function, functions[form.function]
        if isinstance(function, Array):
            if seen.setdefault(number, (shape,)) != (shape,):
                raise Rejected("$.forms: an array of several shapes")
            if function.is_kept(factor, size, shape, stated):
                found[number] = Fact("Typed", 0, (), stated)
        elif isinstance(function, Opaque) and function.symmetry is not None:
            its_shapes = *(sizes for _, sizes in form.arguments), shape[form.batch :]
            if seen.setdefault(number, its_shapes) != its_shapes:
                raise Rejected("$.forms: a function with a symmetry, on arrays of several shapes")
            found[number] = _assumed(function, factor, size, its_shapes)
            if found[number] is not None:
                assumed.add(number)
        elif function in ROOTS and factor.kind == "scale":
            given = (), types[form.arguments[0][0]][1]
            power, rest = divmod(given[1], ROOTS[function])
            if number in seen:
                raise Rejected("$.forms: a root that is stated once and used twice")
            seen[number] = ()
            found[number] = None if rest else Fact("Typed", 0, (given,), ((), power))
    return found, assumed


def _assumed(function: Opaque, factor: Factor, size: Size, shapes: Sequence[Shape]) -> Fact | None:
    """Returns the types of arguments and value that are assumed of a function; None for no such.

    Its symmetry under a group of which the factor is a subgroup is one under the factor.
    """
    rows, result, group = function.symmetry
    every, bound = [*rows, result], dict[str, Size]()
    if [*map(len, every)] != [*map(len, shapes)]:
        return None
    if not claims.bind([*chain(*every)], [*chain(*shapes)], bound):
        return None
    for own in group:
        length = bound.get(own.axis) if isinstance(own.axis, str) else Size.of(own.axis)
        is_within = factor.family in own.about.subgroups
        is_within = is_within and own.keeps_words(factor, chain(*every))
        if is_within and length is not None and own.size(length) == size:
            ours = Factor(factor.family, own.axis)
            *given, value = (claimed_type(ours, row, size, bound) for row in every)
            return Fact("Typed", 0, tuple(given), value)
    return None


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
