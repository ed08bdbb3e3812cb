"""Proofs that two Programs are equal for all sizes, by normal forms of the kernel.

The kernel brings both into a normal form (`eqvproof.kernel.normal`, with the proof that equal
normal forms mean equal functions). The certificate names the two Programs and how far sums are
expanded, which is all that this module searches for. Different normal forms show nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from eqvproof.claims.size import least_sizes
from eqvproof.engines.reasons import NO_REASON, Reason, Why
from eqvproof.programs import Program
from eqvproof.support.errors import ExportError

if TYPE_CHECKING:
    from eqvproof.engines.identity_text import Writer
    from eqvproof.kernel.form_program import FormProgram
    from eqvproof.kernel.normal import Way
    from eqvproof.kernel.normal_forms import Forms
    from eqvproof.kernel.translated import Places

#: Largest numbers of factors of a sum that stays expanded (0: no limit), tried in this order while
#: forms are too large.
CELLS = (0, 16, 4)


@dataclass(frozen=True, slots=True)
class IdentityProof:
    """A proof that two programs are equal wherever both are defined, for all sizes.

    Attributes:
        lines: the derivation, for readers.
        same_domain: whether the proof also shows that both are defined at the same points.
        conditions: otherwise, the values assumed not to be 0, or not negative; in words.
        form: the common normal form, as a formula.
        cells: a sum of more factors is one factor in the normal forms; 0 if no sum is.
        angles: whether the normal forms write products of sines and cosines as sums.
    """

    lines: tuple[str, ...]
    same_domain: bool
    conditions: tuple[str, ...]
    form: str
    cells: int = 0
    angles: bool = False

    def way(self) -> dict[str, object]:
        """Returns the options of the normal forms in the JSON form of certificates."""
        return {"cells": self.cells, "angles": self.angles}

    def evidence(self) -> dict[str, object]:
        """Returns the evidence of a certificate of kind "identity"."""
        return {"way": self.way(), "same_domain": self.same_domain}


def prove_identity(p: Program, q: Program) -> IdentityProof | Reason:
    """Proves that two programs with the same inputs are equal at all sizes, or returns why not.

    Args:
        p: one program.
        q: the other.

    Returns:
        The proof, or the reason; it says nothing about whether the programs are equal.

    **Exactness**: exact, all sizes. **Cost**: at most the kernel's work on a certificate of this
        length.
    """
    if sorted(p.inputs) != sorted(q.inputs):
        return Reason(Why.INPUTS_DIFFER)
    if p.shape != q.shape:
        shapes = ("(" + ", ".join(map(str, x.shape)) + ")" for x in (p, q))
        return Reason(Why.SHAPES_DIFFER, " and ".join(shapes))

    from eqvproof.kernel import normal

    def both(forms: Forms, programs: Sequence[FormProgram], cells: int) -> tuple[int, ...]:
        return tuple(normal.normal_form(forms, program, cells) for program in programs)

    return _in_one_form([p, q], both, normal.new_forms)


def prove_translated(
    p: Program, inputs: Mapping[str, Places], output: Places, *, integral: bool
) -> IdentityProof | Reason:
    """Proves that f(x + t) = f(x) + t for all sizes, or returns the reason why there is no proof.

    t is added along the given axes of the inputs and the output; if `integral`, its entries are
    integers.

    **Exactness**: exact, all sizes. **Cost**: at most the kernel's work on such a certificate.
    """
    from eqvproof.kernel import translated

    places = {number: inputs[name] for number, (name, _) in enumerate(p.inputs)}

    def both(forms: Forms, programs: Sequence[FormProgram], cells: int) -> tuple[int, ...]:
        return translated.sides(forms, programs[0], places, output, cells)

    made = partial(translated.forms_of, integral=integral)
    found = _in_one_form([p], both, made)
    if isinstance(found, IdentityProof) and not found.same_domain:
        return Reason(Why.DOMAINS_MAY_DIFFER)
    return found


def _in_one_form(
    programs: Sequence[Program],
    sides: Callable[[Forms, Sequence[FormProgram], int], tuple[int, ...]],
    new_forms: Callable[[Mapping[str, int], Way], Forms],
) -> IdentityProof | Reason:
    """Proves that two sides built from Programs have equal normal forms, or returns why not.

    If the forms differ and contain sines or cosines, products of these are written as sums.
    """
    from eqvproof.engines.elaborate.program import translate_program
    from eqvproof.engines.elaborate.proof import forms_to_json
    from eqvproof.engines.identity_text import Writer
    from eqvproof.kernel import report
    from eqvproof.kernel.form_program import read_program
    from eqvproof.kernel.form_shapes import require_shapes
    from eqvproof.kernel.normal import Way
    from eqvproof.kernel.text import read_size

    names = [name for name, _ in programs[0].inputs]
    given = programs[0].to_json()["inputs"]
    try:
        written = [
            forms_to_json(translate_program({**x.to_json(), "inputs": given})) for x in programs
        ]
    except ExportError as error:
        return Reason(Why.FORM_REFUSED, str(error))
    every = [size for x in programs for _, shape in x.inputs for size in shape]
    lows = least_sizes(name for size in every for name in size.names)
    length, reason = len(json.dumps(written)), NO_REASON
    has_angles = any(node.function in ("sin", "cos") for x in programs for node in x.nodes)
    for made in (
        Way(cells, angles) for cells in CELLS for angles in (False, True)[: 1 + has_angles]
    ):
        report.allow_work(length)
        forms = new_forms(lows, made)
        try:
            read = [read_program(data, "$", {}, lows) for data in written]
            shapes = [tuple(read_size(size, "$", {}) for size in one["shape"]) for one in given]
            for program in read:
                require_shapes(program, shapes, lows, "$")
            left, right = sides(forms, read, made.cells)
        except report.Limited:
            reason = reason or Reason(Why.FORM_WORK)
            continue
        except report.Rejected as error:
            reason = reason or Reason(Why.FORM_REFUSED, str(error))
            continue
        except RecursionError:
            reason = reason or Reason(Why.FORM_REFUSED, "the programs are nested too deeply")
            continue
        report.allow_work(length)
        if left == right:
            return _proof(Writer(forms, names), left, made)
        reason = reason or Reason(Why.FORMS_DIFFER, _difference(Writer(forms, names), left, right))
        if made.angles or not has_angles:
            break
    return reason


def _proof(write: Writer, number: int, made: Way) -> IdentityProof:
    forms = write.forms
    form, conditions, rank = write.form(number), write.supposed(), len(forms.form[number][0])
    lines = [
        "both sides have one normal form: products flattened, sums distributed, like terms"
        " collected",
        *(f"used: {law}" for law in forms.used),
        f"entry ({', '.join('ijklpqrs'[:rank])}) of both sides: {form}"
        if rank
        else f"both: {form}",
    ]
    if not (same := forms.same(number)):
        lines.append(
            "so they are equal wherever both are defined"
            + (" (" + "; ".join(conditions) + ")" if conditions else "")
        )
    return IdentityProof(tuple(lines), same, conditions, form, made.cells, made.angles)


def _difference(write: Writer, left: int, right: int) -> str:
    forms = write.forms
    one, other = dict(forms.form[left][1]), dict(forms.form[right][1])
    sizes = forms.form[left][0]
    parts = []
    for name, mine, yours in (("the first", one, other), ("the second", other, one)):
        extra = dict(sorted((p, c) for p, c in mine.items() if yours.get(p) != c)[:3])
        if extra:
            parts.append(f"{name} has {write.form(forms.store_form(sizes, extra))}")
    return ", ".join(parts)
