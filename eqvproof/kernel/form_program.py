"""Reads programs in forms, and the shapes that a claim gives to arguments and result.

Proofs, identities, points and decisions read them alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

from . import claims, form_functions
from .claims import Claim
from .form_functions import Function, Shape
from .forms import LINES, FormReader, Leaf, Program
from .report import Rejected
from .sizes import Size
from .text import SHA256, digest, fields, integer, items, one_of, rationals, read_name

#: The numbers of axes of arrays of any size: pi, 0, 1, 2, ..., and triangles of ones.
RANKS = {"function": 0, "counter": 1, "triangle": 2}


@dataclass(frozen=True, slots=True)
class FormProgram:
    """A program in forms.

    Attributes:
        lines: the program.
        shapes: of the lines.
        kinds: the number of the kind of each line.
        functions: by number.
        leaves: the arrays that do not depend on the arguments, as the certificate holds them.
        stored: the numbers of those of which they are stored, by number.
        parameters: the numbers of those of which the certificate holds the digest alone.
        digest: that of the forms, with their shapes, functions and numbers.
    """

    lines: Program
    shapes: Sequence[Shape]
    kinds: Sequence[int]
    functions: tuple[Function, ...]
    leaves: Sequence[Any]
    stored: Mapping[int, Sequence[Fraction]]
    parameters: frozenset[int]
    digest: str

    def opaque(self) -> list[form_functions.Opaque]:
        """Returns the listed functions of which at most a symmetry is known."""
        return [f for f in self.functions if isinstance(f, form_functions.Opaque)]


def read_program(
    value: Any, path: str, pins: Mapping[str, int], lows: Mapping[str, int], *more: str
) -> FormProgram:
    """Reads a program in forms.

    Args:
        value: its data.
        path: where they stand.
        pins: the names of axes with one size, which stands in their place.
        lows: the least sizes of the other names.
        more: further keys that the data have.

    Raises:
        Rejected: it is malformed, or a function is applied as another one.
    """
    functions, leaves, *_ = fields(value, path, "functions", "leaves", *LINES, *more)
    known = tuple(
        form_functions.read_function(entry, f"{path}.functions[{k}]")
        for k, entry in enumerate(items(functions, f"{path}.functions"))
    )
    read = FormReader(pins, lows).read_lines({key: value[key] for key in LINES}, path)
    if not read.program:
        raise Rejected(f"{path}.lines: expected lines")
    stored, parameters = _read_leaves(read.program, read.shapes, leaves, f"{path}.leaves")
    form_functions.require_uses(read.program, read.shapes, known, path)
    return FormProgram(
        read.program, read.shapes, read.kinds, known, leaves, stored, parameters, digest(value)
    )


def _read_leaves(
    lines: Program, shapes: Sequence[Shape], leaves: Any, path: str
) -> tuple[dict[int, Sequence[Fraction]], frozenset[int]]:
    """Reads the arrays that do not depend on the arguments.

    A proof holds whatever the numbers are; they are checked to be as many as the shape says.

    Returns:
        The numbers of those of which they are stored, and those of which the certificate holds the
        digest alone.

    Raises:
        Rejected: one is malformed; or a line reads none, or one of another shape.
    """
    read = [_read_leaf(leaf, f"{path}[{k}]") for k, leaf in enumerate(items(leaves, path))]
    for form, shape in zip(lines, shapes, strict=True):
        if not isinstance(form, Leaf):
            continue
        if form.number >= len(read):
            raise Rejected(f"{path}: an array that is not listed")
        kind, numbers = read[form.number]
        sizes = [size.constant for size in shape if size.constant is not None]
        if kind in RANKS:
            good = len(shape) == RANKS[kind]
        else:
            good = len(sizes) == len(shape) and (numbers is None or len(numbers) == prod(sizes))
        if not good:
            raise Rejected(f"{path}[{form.number}]: expected an array of the shape of its line")
    used = {form.number: read[form.number] for form in lines if isinstance(form, Leaf)}
    stored = {number: held for number, (_, held) in used.items() if held is not None}
    return stored, frozenset(number for number, (kind, _) in used.items() if kind == "digest")


def _read_leaf(value: Any, path: str) -> tuple[str, Sequence[Fraction] | None]:
    """Reads an array that does not depend on the arguments: its kind, and stored numbers."""
    kind, *held = items(value, path) or [None]
    match one_of(kind, path, ("numbers", "digest", *RANKS)), held:
        case "numbers", [numbers]:
            return "numbers", rationals(numbers, path)
        case "digest", [text]:
            read_name(text, path, SHA256)
        case "triangle", [offset]:
            integer(offset, path)
        case ("function", ["pi"]) | ("counter", []):
            pass
        case _:
            raise Rejected(f"{path}: expected an array that does not depend on the arguments")
    return str(kind), None


def least_sizes(claim: Claim) -> dict[str, int]:
    """Returns the least sizes of the names of arguments that have several sizes."""
    return {name: claim.scope[name][0] for name in claim.input_names - claim.pins.keys()}


def bind_names(claim: Claim, result: Shape) -> tuple[dict[str, Size], tuple[Shape, ...]]:
    """Returns the sizes of the names of axes, and the shapes of the arguments.

    A name that only the result has is the size that the program returns there.

    Raises:
        Rejected: the result does not have the claimed axes.
    """
    bound = {name: Size.of(claim.pins.get(name, name)) for name in claim.input_names}
    given = tuple(tuple(claims.axis_size(axis, bound) for axis in axes) for _, axes in claim.inputs)
    claims.bind_output(claim.output, result, bound)
    for name in claim.scope.keys() - claim.input_names:
        if claim.scope[name] != (1, None) and bound[name] != Size.of(claim.pins.get(name, name)):
            raise Rejected(f"$.claim.scope.{name}: the function returns the size {bound[name]}")
    return bound, given
