"""Checks proofs under translations, which move points along one axis of a value, or nothing.

How they move arguments and result is what the claim says; that lines move so is checked by
`motions`, for one translation for each entry of an axis by `entries`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from . import facts, motions
from .claims import Axis, Factor, Term
from .form_program import least_sizes
from .loading import part
from .report import Rejected
from .sizes import Size
from .text import fields


def check(proof: Any, factor: Factor, evidence: Any, path: str) -> None:
    """Checks that values move as the claim says.

    Args:
        proof: a `form_proof.FormProof`, whose shapes have been checked.
        factor: the translations.
        evidence: their name alone.
        path: where that stands.

    Raises:
        Rejected: it is not seen that they do.
    """
    family, axis = fields(evidence, path, "family", "axis")
    factor.require_named(family, axis, path)
    what, program = proof.claim, proof.program
    laws = [
        (k, facts.SHIFT_LAWS[name])
        for k, name in enumerate(program.functions)
        if isinstance(name, str) and name in facts.SHIFT_LAWS
    ]
    given = [
        given_motion(factor, axes, what.indices.get(name), proof.bound)
        for name, axes in what.inputs
    ]
    stop = claimed_motion(factor, what.output)
    if proof.eigenvectors:
        given += [motions.STILL] * len(proof.eigenvectors)
        part("eigenvectors").require_still(proof.eigenvectors, laws, given, program.lines)
    if factor.each:
        entries = part("entries")
        ranks = [len(shape) for shape in program.shapes]
        at = entries.axes_of_elements(what, factor, program.shapes[-1])
        at = replace(at, starts=[*at.starts, *[None] * len(proof.eigenvectors)])
        good = entries.check_shifts_each(laws, given, program.lines, stop, ranks, at)
    else:
        good = motions.check_shifts(laws, given, program.lines, stop, least_sizes(what))
    if not good:
        raise Rejected(f"{path}: the result is not seen to move as claimed")


def claimed_motion(factor: Factor, axes: Sequence[Axis]) -> motions.Motion:
    """Returns how a translation moves a value: points along one axis, or nothing.

    Raises:
        Rejected: several parts of the value are points.
    """
    places = [k for k, axis in enumerate(axes) if any(factor.translates(t) for t in axis)]
    if not places:
        return motions.STILL
    if len(places) > 1 or len(axes[places[0]]) > 1 or not _is_once(factor, axes[places[0]][0]):
        raise Rejected(f"$.claim: {factor} on a value with several parts that are translated")
    return motions.Moved(places[0], 1, (), ())


def given_motion(
    factor: Factor, axes: Sequence[Axis], indexed: str | None, bound: Mapping[str, Size]
) -> motions.Motion:
    """Returns how a translation moves an argument.

    Indices stand for the indicators of their labels, which sum to 1.
    """
    if indexed is None:
        return claimed_motion(factor, axes)
    return motions.Share(len(axes), bound[indexed])


def _is_once(factor: Factor, term: Term) -> bool:
    """Checks whether a part of an axis is one copy of what the factor acts on."""
    return term.name is None or term.coefficient == factor.about.reals
