"""Checks proofs under translations: f(x + t) and f(x) + t, or f(x), have one normal form.

The program is brought into normal form twice: with x + t in the place of the points x among its
arguments, t one more argument, and as it is, where t is added if the claim says so. If both forms
are one, and it is defined where both sides are and nowhere else (see `normal`), then f(x + t) =
f(x) + t for all x and t, and where one side is undefined, so is the other. With a translation for
each entry of an axis, t has this axis, too, and its entry at each place is added to the part of a
value there. Of translations by whole numbers the entries of t are integers, which `lattices` knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import claimed_motions
from .claims import Axis, Factor
from .constant_atoms import leaf
from .form_program import FormProgram, least_sizes
from .loading import part
from .motions import Moved
from .normal import Way, new_forms, normal_form, way
from .normal_forms import Forms, added
from .report import Rejected
from .text import fields

#: The axes of a value along which t stands: none of a value that is not translated.
Places = tuple[int, ...]


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
    if factor.kind != "shift" or hidden or proof.eigenvectors:
        raise Rejected(
            f"{path}: expected types, as these are no translations, or constants as they are"
        )
    what, made = proof.claim, way(chosen, f"{path}.way")
    places = {number: _vector_places(row, factor) for number, (_, row) in enumerate(what.inputs)}
    if any(places[k] for k, (name, _) in enumerate(what.inputs) if name in what.indices):
        raise Rejected(f"{path}: indices that are translated")
    forms = forms_of(least_sizes(what), made, integral=factor.about.integral)
    found, wanted = sides(
        forms, proof.program, places, _vector_places(what.output, factor), made.cells
    )
    if found != wanted or not forms.same(wanted):
        raise Rejected(
            f"{path}: the normal forms of both sides differ, or may be defined at other points"
        )


def _vector_places(axes: tuple[Axis, ...], factor: Factor) -> Places:
    """Returns the axes along which t stands.

    Raises:
        Rejected: several parts of the value are points; or there is no element for each of them.
    """
    act = claimed_motions.claimed_motion(factor, axes)
    if not isinstance(act, Moved):
        return ()
    if not factor.each:
        return (act.axis,)
    each = factor.place(axes)
    if each is None or each == act.axis:
        raise Rejected(f"$.claim: {factor} on a value that is none for each entry of {factor.each}")
    return (each, act.axis)


def forms_of(lows: Mapping[str, int], made: Way, *, integral: bool) -> Forms:
    """Returns an empty store of forms; if `integral`, with the laws of integers in functions."""
    forms = new_forms(lows, made)
    if integral:
        part("lattices").add_laws(forms)
    return forms


def sides(
    forms: Forms,
    program: FormProgram,
    inputs: Mapping[int, Places],
    output: Places,
    cells: int,
) -> tuple[int, int]:
    """Returns the normal forms of f(x + t) and of f(x) + t.

    t is added along the given axes of the arguments, by number, and of the result.
    """

    def moved(form: int, places: Places) -> int:
        if not places:
            return form
        sizes = forms.form[form][0]
        vector = leaf(forms, "translation", None, tuple(sizes[k] for k in places))
        return added(
            forms, sizes, [form, forms.move(vector, tuple((k, ()) for k in places), sizes)]
        )

    still = moved(normal_form(forms, program, cells), output)
    put = {name: lambda form, places=places: moved(form, places) for name, places in inputs.items()}
    return normal_form(forms, program, cells, put), still
