"""Checks proofs under translations: f(x + t) and f(x) + t, or f(x), have one normal form.

The program is brought into normal form twice: with x + t in the place of the points x among its
inputs, t one more argument, and as it is, where t is added if the claim says so. If both forms are
one, and it is defined where both sides are and nowhere else (see `normal`), then f(x + t) = f(x) +
t for all x and t, and where one side is undefined, so is the other.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from .affine_types import Shift, claimed
from .claims import Axis, Claim, Factor
from .constant_atoms import leaf
from .normal import Way, new_forms, normal_form
from .normal_forms import Forms, added
from .program import Program
from .report import Rejected


def check(
    claim: Claim, program: Program, factor: Factor, made: Way, path: str, lows: Mapping[str, int],
    hidden: Collection[int],
) -> None:  # fmt: skip
    """Checks that f(x + t) = f(x) + t, as the claim lets t act.

    `hidden` are constants of which other values were read.

    Raises:
        Rejected: the normal forms are no proof of it.
    """
    if factor.kind != "shift" or factor.each or hidden:
        raise Rejected(
            f"{path}: expected lines, as it is not one translation and constants as they are"
        )
    forms = new_forms(lows, made)
    axes = {name: _axis(row, factor) for name, row in claim.inputs}
    found, wanted = sides(forms, program, axes, _axis(claim.output, factor), made.cells)
    if found != wanted or not forms.same(wanted):
        raise Rejected(
            f"{path}: the normal forms of both sides differ, or may be defined at other points"
        )


def _axis(axes: tuple[Axis, ...], factor: Factor) -> int | None:
    act = claimed(axes, factor)
    if isinstance(act, Shift):
        return act.axis
    return None


def sides(
    forms: Forms, program: Program, inputs: Mapping[str, int | None], output: int | None, cells: int
) -> tuple[int, int]:
    """Returns the normal forms of f(x + t) and of f(x) + t.

    t is added along the given axes, or not at all where that is None.
    """

    def moved(form: int, axis: int | None) -> int:
        if axis is None:
            return form
        sizes = forms.form[form][0]
        vector = leaf(forms, "translation", None, (sizes[axis],))
        return added(forms, sizes, [form, forms.move(vector, ((axis, ()),), sizes)])

    still = moved(normal_form(forms, program, cells), output)
    put = {name: lambda form, axis=axis: moved(form, axis) for name, axis in inputs.items()}
    return normal_form(forms, program, cells, put), still
