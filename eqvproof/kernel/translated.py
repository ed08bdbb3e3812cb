"""Checks proofs under translations: f(x + t) and f(x) + t, or f(x), have one normal form.

The program is brought into normal form twice: with x + t in the place of the points x among its
arguments, t one more argument, and as it is, where t is added if the claim says so. If both forms
are one, and it is defined where both sides are and nowhere else (see `normal`), then f(x + t) =
f(x) + t for all x and t, and where one side is undefined, so is the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import claimed_motions
from .claims import Axis, Factor
from .constant_atoms import leaf
from .form_program import FormProgram, least_sizes
from .motions import Moved
from .normal import new_forms, normal_form, way
from .normal_forms import Forms, added
from .report import Rejected
from .text import fields


def check(proof: Any, factor: Factor, evidence: Any, path: str, readings: Any) -> None:
    """Checks that f(x + t) = f(x) + t, as the claim lets t act.

    Args:
        proof: a `form_proof.FormProof`, whose shapes have been checked.
        factor: the translations.
        evidence: how the normal forms are made.
        path: where that stands.
        readings: the constants that are read as others, or None.

    Raises:
        Rejected: the normal forms are no proof of it.
    """
    family, axis, chosen = fields(evidence, path, "family", "axis", "way")
    factor.require_named(family, axis, path)
    hidden = readings is not None and readings.arrays
    if factor.kind != "shift" or factor.each or hidden or proof.eigenvectors:
        raise Rejected(
            f"{path}: expected types, as it is not one translation and constants as they are"
        )
    what, made = proof.claim, way(chosen, f"{path}.way")
    forms = new_forms(least_sizes(what), made)
    axes = {number: _axis(row, factor) for number, (_, row) in enumerate(what.inputs)}
    if any(axes[k] is not None for k, (name, _) in enumerate(what.inputs) if name in what.indices):
        raise Rejected(f"{path}: indices that are translated")
    found, wanted = sides(forms, proof.program, axes, _axis(what.output, factor), made.cells)
    if found != wanted or not forms.same(wanted):
        raise Rejected(
            f"{path}: the normal forms of both sides differ, or may be defined at other points"
        )


def _axis(axes: tuple[Axis, ...], factor: Factor) -> int | None:
    """Returns the axis along which t is added, or None."""
    act = claimed_motions.claimed_motion(factor, axes)
    if isinstance(act, Moved):
        return act.axis
    return None


def sides(
    forms: Forms,
    program: FormProgram,
    inputs: Mapping[int, int | None],
    output: int | None,
    cells: int,
) -> tuple[int, int]:
    """Returns the normal forms of f(x + t) and of f(x) + t.

    t is added along the given axes of the arguments, by number, or not at all where that is None.
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
