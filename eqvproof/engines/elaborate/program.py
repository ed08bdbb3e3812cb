"""Writes a Program in forms, without types: for points, decisions and values at given sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.agreement import agree
from eqvproof.engines.elaborate.forms import Translation, translated
from eqvproof.engines.elaborate.proof import forms_to_json
from eqvproof.engines.elaborate.source import Input, Source, read_node, read_size
from eqvproof.engines.verdict import packing
from eqvproof.programs import Program
from eqvproof.support.errors import ExportError

JSON = dict[str, Any]
Sizes = Mapping[str, int]


def forms_of_program(program: Program, sizes: Sizes | None = None) -> JSON:
    """Returns the forms of a Program, as certificates hold them.

    Args:
        program: the Program.
        sizes: the sizes of the names of axes; None for forms at all sizes.

    Raises:
        ExportError: there are none, or they do not have its values at a random point.
    """
    forms = translate_program(program.to_json(), sizes)
    if not agree(program, forms):
        raise ExportError.of("a Program", "forms that have its values at a random point")
    return forms_to_json(forms)


def has_forms_at_sizes(program: JSON, certificate: Mapping[str, Any]) -> bool:
    """Checks whether a Program is the one whose forms a certificate about a point holds.

    Args:
        program: the Program as JSON, with `Stored` numbers.
        certificate: of a counterexample, a difference, or a result of another shape.
    """
    sizes = certificate["claim"]["scope"]
    if "evidence" in certificate:
        sizes = certificate["evidence"]["sizes"]
    try:
        forms = forms_to_json(translate_program(packing.write_numbers(program), sizes))
    except ExportError:
        return False
    return bool(forms == certificate["forms"])


def translate_program(recorded: JSON, sizes: Sizes | None = None) -> Translation:
    """Returns the lines for the nodes of a Program in its JSON form.

    Raises:
        ExportError: an operation cannot be written in forms; the message names it.
    """
    names = {name for given in recorded["inputs"] for name in _names_in(given["shape"])}
    pins = {name: Size.of(size) for name, size in (sizes or {}).items() if name in names}
    inputs = tuple(Input(given["name"], (), None, None) for given in recorded["inputs"])
    nodes = tuple(
        read_node(recorded["kinds"][kind], args, pins) for kind, *args in recorded["nodes"]
    )
    lows = dict.fromkeys(names, 1)
    forms = translated(Source(inputs, (), (), lows, pins, nodes, recorded["output"], (), {}, {}))
    if forms.eigenvectors:
        raise ExportError.of("eigenvectors", "proofs of equivariance, which alone speak of them")
    return forms


def _names_in(shape: list[Any]) -> set[str]:
    """Returns the names in the sizes of the axes of an argument."""
    return {name for size in shape for name in read_size(size, {}).names}
