"""Reads opaque functions, and says what is assumed of them: a symmetry, which the report names."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from . import claims
from .checker import Fact
from .claimed_types import claimed_type
from .claims import Claim, Factor
from .form_functions import Opaque, Shape
from .functions import ENTRIES
from .report import Rejected
from .sizes import Size
from .text import LABEL, fields, items, read_name
from .words import group_words, signature_words


def read_opaque(value: Any, path: str) -> Opaque:
    """Reads the name of an opaque function, and the symmetry that is assumed of it.

    Raises:
        Rejected: it is malformed, or an unknown number, of which nothing is assumed.
    """
    name, symmetry = fields(value, path, "name", "symmetry")
    read_name(name, path, LABEL)
    if symmetry is None or symmetry == ENTRIES:
        found = Opaque(name, symmetry)
    else:
        inputs, output, group = fields(symmetry, path, "inputs", "output", "group")
        rows = tuple(claims.axes(row, path) for row in items(inputs, path))
        result = claims.axes(output, path)
        every = [axis for row in (*rows, result) for axis in row]
        found = Opaque(name, (rows, result, claims.group(group, path, every)))
    if found.is_unknown and symmetry is not None:
        raise Rejected(f"{path}: an unknown number of which a symmetry is assumed")
    return found


def assumed(function: Opaque, factor: Factor, size: Size, shapes: Sequence[Shape]) -> Fact | None:
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
