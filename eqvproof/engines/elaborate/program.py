"""Writes a Program in forms, without types: for identities, and for points and decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.agreement import agree
from eqvproof.engines.elaborate.forms import translated
from eqvproof.engines.elaborate.proof import forms_to_json, has_forms_of_proof
from eqvproof.engines.elaborate.source import (
    Input,
    Source,
    is_one_size,
    least_size,
    read_node,
    read_size,
)
from eqvproof.engines.elaborate.translation import Translation
from eqvproof.engines.verdict import packing
from eqvproof.programs import Program
from eqvproof.support.errors import ExportError

JSON = dict[str, Any]
#: For names of axes a size, the least and the greatest one, or "all".
Scope = Mapping[str, Any]


def forms_of_program(program: Program, scope: Scope | None = None) -> JSON:
    """Returns the forms of a Program, as certificates hold them.

    Args:
        program: the Program.
        scope: the sizes of the names of axes, as claims hold them; None for all sizes.

    Raises:
        ExportError: there are none, or they do not have its values at a random point.
    """
    forms = translate_program(program.to_json(), scope)
    if not agree(program, forms):
        raise ExportError.of("a Program", "forms that have its values at a random point")
    return forms_to_json(forms)


def has_forms(program: JSON, certificate: Mapping[str, Any]) -> bool:
    """Checks whether a Program is the one whose forms a certificate holds.

    Args:
        program: the Program as JSON, with `Stored` numbers.
        certificate: of a proof, an identity, a point, or a result of another shape.
    """
    if certificate["kind"] == "proof":
        return has_forms_of_proof(program, certificate)
    scope = certificate.get("evidence", {}).get("sizes", certificate["claim"]["scope"])
    try:
        forms = forms_to_json(translate_program(packing.write_numbers(program), scope))
    except ExportError:
        return False
    return bool(forms == certificate["forms"])


def translate_program(recorded: JSON, scope: Scope | None = None) -> Translation:
    """Returns the lines for the nodes of a Program in its JSON form.

    Raises:
        ExportError: it holds eigenvectors, or an operation cannot be written in forms; the message
            names it.
    """
    forms = lines_of_program(recorded, scope)
    if forms.eigenvectors:
        raise ExportError.of("eigenvectors", "proofs of equivariance, which alone speak of them")
    return forms


def lines_of_program(recorded: JSON, scope: Scope | None = None) -> Translation:
    """Returns the lines for the nodes of a Program; eigenvectors are further arguments.

    Raises:
        ExportError: an operation cannot be written in forms; the message names it.
    """
    names = {name for given in recorded["inputs"] for name in _names_in(given["shape"])}
    known = {name: sizes for name, sizes in (scope or {}).items() if name in names}
    lows = dict.fromkeys(names, 1) | {name: least_size(sizes) for name, sizes in known.items()}
    pins = {name: Size.of(lows[name]) for name, sizes in known.items() if is_one_size(sizes)}
    inputs = tuple(Input(given["name"], (), None, None) for given in recorded["inputs"])
    nodes = tuple(
        read_node(recorded["kinds"][kind], args, pins) for kind, *args in recorded["nodes"]
    )
    return translated(Source(inputs, (), (), lows, pins, nodes, recorded["output"], (), {}, {}))


def _names_in(shape: list[Any]) -> set[str]:
    """Returns the names in the sizes of the axes of an argument."""
    return {name for size in shape for name in read_size(size, {}).names}
