"""A counterexample as a snippet of Python code.

It runs with NumPy alone and prints both sides and their difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.groups import Element, Group
from eqvproof.claims.signature import Argument, Axis, Signature
from eqvproof.engines.search.evidence import recorded
from eqvproof.engines.search.render import function_code
from eqvproof.engines.search.result import Array, FoundCounterexample
from eqvproof.engines.search.sides import ClaimSides, Trial, claim_sides_of, float_inputs
from eqvproof.engines.search.subject import Subject
from eqvproof.numbers import Undefined
from eqvproof.programs.evaluate.floats import nearest_float
from eqvproof.programs.operations.numpy_code import (
    NotRenderable,
    float_code,
    nested_lists,
    variable,
)
from eqvproof.support.errors import EqvproofError

#: Relative accuracy with which floats must reproduce a difference to show it.
_SHOWN = 1e-4
#: A name, perhaps with indices, which needs no parentheses.
_SIMPLE = re.compile(r"[A-Za-z_]\w*(\[[^\[\]]*\])*")


def snippet(
    found: FoundCounterexample,
    signature: Signature,
    group: Group,
    subject: Subject,
    other: Subject | None = None,
) -> str:
    """Returns the snippet: the function as NumPy code if a Program is known, else recorded values.

    Args:
        found: the counterexample.
        signature: the typing of the claim.
        group: the group of the claim; without factors for an identity.
        subject: the function.
        other: the second function, for an identity.

    Exactness: the snippet computes in floats; if these would not show the difference, it holds the
        values that were computed exactly.
    """
    claim_sides = claim_sides_of([s for s in (subject, other) if s is not None], signature, group)
    functions = None
    if _floats_show_it(found, claim_sides):
        functions = _functions(found, claim_sides)
    exact = functions is None and not _values_show_it(found)
    lines = ["import numpy as np", ""]
    if exact:
        lines.insert(0, "from fractions import Fraction\n")
    if functions is not None:
        for part, line in (("math.erf", "import math"), ("special.", "from scipy import special")):
            if any(part in code for code in functions):
                lines.insert(0, line)
        lines += functions
    lines += [f"# {_sizes_text(found)}", *_input_lines(found, signature)]
    if other is None:
        lines += _equivariance_lines(found, signature, computed=functions is not None, exact=exact)
    else:
        lines += _identity_lines(found, signature, computed=functions is not None, exact=exact)
    return "\n".join([*lines, 'print("difference =", left - right)', ""])


def _sizes_text(found: FoundCounterexample) -> str:
    return ", ".join(f"{n} = {s}" for n, s in found.sizes.items()) or "the point"


def _functions(found: FoundCounterexample, claim_sides: ClaimSides) -> list[str] | None:
    """Returns the code of the functions, or None if there is none."""
    lines: list[str] = []
    for subject, name in zip(claim_sides.subjects, ("f", "h"), strict=False):
        program = subject.program_at(found.sizes)
        if program is None:
            return None
        try:
            lines += [*function_code(program, found.sizes, name), "", ""]
        except NotRenderable:
            return None
    return lines


def _floats_show_it(found: FoundCounterexample, claim_sides: ClaimSides) -> bool:
    """Checks whether both sides, computed in floats, differ as they do exactly."""
    trial = Trial(found.sizes, found.inputs, found.elements)
    try:
        left, right, _ = claim_sides.float_sides(trial, float_inputs(claim_sides, trial))
    except (Undefined, EqvproofError):
        return False
    pairs = (
        (left[found.entry], found.left[found.entry]),
        (right[found.entry], found.right[found.entry]),
    )
    if found.is_one_sided:
        return all(bool(np.isfinite(f)) == (e is not None) for f, e in pairs)
    a, b = (recorded(e) for _, e in pairs)
    return _is_gap(float(pairs[0][0]) - float(pairs[1][0]), a - b)


def _values_show_it(found: FoundCounterexample) -> bool:
    """Checks whether the recorded values, rounded to floats, differ as they do exactly."""
    left, right = found.left[found.entry], found.right[found.entry]
    if left is None or right is None:
        return True
    a, b = recorded(left), recorded(right)
    return _is_gap(nearest_float(a) - nearest_float(b), a - b)


def _is_gap(gap: float, exact: Fraction) -> bool:
    return bool(np.isfinite(gap)) and bool(
        abs(Fraction(gap) - exact) <= Fraction(_SHOWN) * abs(exact)
    )


# ----------------------------------------------------------------------------------- parts
def array_code(array: Array, *, exact: bool = False) -> str:
    """Returns an array of numbers as NumPy code, with NaN for missing numbers."""
    entries = nested_lists([_entry_code(v, exact=exact) for v in array.flat], array.shape)
    if exact:
        return f"np.array({entries}, dtype=object)"
    return f"np.array({entries})"


def _entry_code(value: Any, *, exact: bool = False) -> str:
    if value is None:
        return "np.nan"
    if exact:
        return f"Fraction({str(recorded(value))!r})"
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    rational = recorded(value)
    try:
        if rational.denominator < 10**6:
            return float_code(rational)
        return repr(float(rational))
    except (NotRenderable, OverflowError):
        if rational < 0:
            return "-np.inf"
        return "np.inf"


def _input_lines(found: FoundCounterexample, signature: Signature) -> list[str]:
    return [f"{variable(a.name)} = {array_code(found.inputs[a.name])}" for a in signature.inputs]


def _equivariance_lines(
    found: FoundCounterexample, signature: Signature, *, computed: bool, exact: bool
) -> list[str]:
    moving = [e for e in found.elements if not e.is_identity]
    lines = ["", f"# g: {found.words}"]
    names = {id(e): _letter(e, len(moving), k) for k, e in enumerate(moving)}
    lines += [f"{names[id(e)]} = {_data_code(e, exact=exact)}" for e in moving]
    if computed:
        moved = []
        for argument in signature.inputs:
            code = variable(argument.name)
            for e in moving:
                code = _acted_argument(code, e, names[id(e)], argument, found.sizes)
            moved.append(code)
        arguments = ", ".join(variable(a.name) for a in signature.inputs)
        lines += [f"left = f({', '.join(moved)})", f"at = f({arguments})"]
    else:
        lines += [
            "# the function, as it was computed at x and at g x",
            f"at = {array_code(found.at, exact=exact)}",
            f"left = {array_code(found.left, exact=exact)}",
        ]
    code = "at"
    sizes = signature.output_sizes(found.at.shape, found.sizes)
    for e in moving:
        code = _acted_code(code, e, names[id(e)], signature.output, sizes)
    return [*lines, f"right = {code}", 'print("f(g x) =", left)', 'print("g f(x) =", right)']


def _identity_lines(
    found: FoundCounterexample, signature: Signature, *, computed: bool, exact: bool
) -> list[str]:
    arguments = ", ".join(variable(a.name) for a in signature.inputs)
    if computed:
        lines = ["", f"left = f({arguments})", f"right = h({arguments})"]
    else:
        lines = [
            "",
            "# the functions, as they were computed at x",
            f"left = {array_code(found.left, exact=exact)}",
            f"right = {array_code(found.right, exact=exact)}",
        ]
    return [*lines, 'print("f(x) =", left)', 'print("g(x) =", right)']


def _letter(element: Element, count: int, position: int) -> str:
    letter = element.kind.variable
    if count == 1:
        return letter
    return f"{letter}{position + 1}"


def _data_code(element: Element, *, exact: bool = False) -> str:
    if element.kind.multiplies:
        return _entry_code(element.multiple, exact=exact)
    if element.kind.permutes:
        return f"np.array({list(element.data)})"
    if element.kind.flips_signs:
        return f"np.array({[float(v) for v in element.data]})"
    if element.kind.only_translates:
        return array_code(np.array(element.vector, dtype=object), exact=exact)
    return array_code(np.array(element.matrix(), dtype=object), exact=exact)


def _acted_argument(
    code: str, element: Element, name: str, argument: Argument, sizes: Mapping[str, int]
) -> str:
    if element.each:

        def moved_entry(part: str, alone: Element, axes: tuple[Axis, ...]) -> str:
            return _acted_argument(part, alone, name, replace(argument, axes=axes), sizes)

        return _code_in_entry(code, element, argument.axes, moved_entry)
    moved = _acted_code(code, element, name, argument.axes, sizes)
    if argument.kind == "index" and argument.indexes == element.axis:
        return f"np.array({list(element.inverse().data)})[{moved}]"
    return moved


def _acted_code(
    code: str, element: Element, name: str, axes: Sequence[Axis], sizes: Mapping[str, int]
) -> str:
    """Returns the code that applies the element to every axis on which it acts."""
    if element.each:
        return _code_in_entry(
            code, element, axes, lambda part, g, rest: _acted_code(part, g, name, rest, sizes)
        )
    if element.kind.multiplies:
        power = element.factor.power(axes)
        if not power:
            return code
        factor = name if power == 1 else f"{name}**{power}"
        return f"{_parenthesised(code)} * {factor}"
    if element.kind.translates:
        return _affine_code(code, element, name, axes)
    for position, axis in enumerate(axes):
        acted = [element.factor.acts_on(t) for t in axis.terms]
        if not any(acted):
            continue
        whole = len(axis.terms) == 1 and axis.terms[0].coefficient in (1, element.axis)
        whole = whole and not element.factor.is_dual(axis.terms[0])
        data = name
        if not whole:
            data = _on_blocks(element, axis, sizes)
        code = _code_along_axis(code, element, data, position, len(axes))
    return code


def _code_in_entry(
    code: str, element: Element, axes: Sequence[Axis],
    moved: Callable[[str, Element, tuple[Axis, ...]], str],
) -> str:  # fmt: skip
    """Returns the code that applies the element to its one entry of an axis."""
    place, at = element.factor.place_of_each(axes), element.at
    if place is None:
        return code
    part, rest = f"np.take({code}, {at}, {place})", (*axes[:place], *axes[place + 1 :])
    found = moved(part, replace(element, each="", at=0), rest)
    if found == part:
        return code
    return f"np.insert(np.delete({code}, {at}, {place}), {at}, {found}, {place})"


def _affine_code(code: str, element: Element, name: str, axes: Sequence[Axis]) -> str:
    """Returns the code that rotates along every moved axis, then translates along one axis."""
    count = len(axes)
    for position, axis in enumerate(axes):
        acts = any(element.factor.acts_on(t) for t in axis.terms)
        if acts and element.kind.moves_directions:
            code = _code_along_axis(code, element, name, position, count)
    for position, axis in enumerate(axes):
        if any(element.factor.translates(t) for t in axis.terms) and any(element.vector):
            vector = f"np.array({nested_lists([float_code(v) for v in element.vector], (element.size,))})"
            code = f"{_parenthesised(code)} + {_as_column(vector, count - position)}"
    return code


def _code_along_axis(code: str, element: Element, data: str, position: int, count: int) -> str:
    if element.kind.permutes:
        return f"{_parenthesised(code)}[{':, ' * position}{data}]"
    if element.kind.flips_signs:
        return f"{_parenthesised(code)} * {_as_column(data, count - position)}"
    if position == 0 and count <= 2:
        return f"{data} @ {_parenthesised(code)}"
    if position == count - 1:
        return f"{_parenthesised(code)} @ {data}.T"
    return f"np.moveaxis(np.tensordot({data}, {code}, axes=(1, {position})), 0, {position})"


def _parenthesised(code: str) -> str:
    if _SIMPLE.fullmatch(code):
        return code
    return f"({code})"


def _as_column(vector: str, axes: int) -> str:
    """Returns the code of a vector along the first of some axes."""
    if axes == 1:
        return vector
    return f"{vector}[{', '.join([':'] + ['None'] * (axes - 1))}]"


def _on_blocks(element: Element, axis: Axis, sizes: Mapping[str, int]) -> str:
    """Returns the element on an axis that is a sum: on its own blocks, the identity on others."""
    size = axis.at(sizes)
    matrix = np.full((size, size), Fraction(0), dtype=object)
    at = 0
    for term in axis.terms:
        length = term.size.value(sizes)
        if element.factor.acts_on(term):
            for start in range(at, at + length, element.size):
                acting = element
                if element.factor.is_dual(term):
                    acting = element.contragredient()
                block = slice(start, start + element.size)
                matrix[block, block] = np.array(acting.matrix(), dtype=object)
        else:
            for i in range(at, at + length):
                matrix[i, i] = Fraction(1)
        at += length
    if element.kind.permutes:
        return str([int(np.argmax(row != 0)) for row in matrix])
    if element.kind.flips_signs:
        return f"np.array({[float(matrix[i, i]) for i in range(size)]})"
    return f"np.array({nested_lists([float_code(v) for v in matrix.flat], (size, size))})"
