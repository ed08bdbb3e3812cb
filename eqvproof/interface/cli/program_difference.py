"""``eqvproof verify --target``: compares the Program of a certificate with the function's."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from eqvproof.interface.cli.target import isolated_target, load_target
from eqvproof.support.errors import EqvproofError

if TYPE_CHECKING:
    from eqvproof.claims.signature import Signature


def program_difference(data: bytes, target: str) -> str:
    """Returns how a function differs from an accepted certificate's Program; "" if it does not.

    The function is traced again, which replays the traced Program against it, and both Programs are
    compared operation by operation. A function that computes the same values differently counts as
    different.

    Raises:
        TargetError: the target cannot be imported, or cannot be traced at all.
    """
    with isolated_target(target):
        return _certificate_difference(json.loads(data), target, load_target(target))


def _certificate_difference(certificate: dict[str, Any], target: str, function: Any) -> str:
    from eqvproof.claims.size import spoken_from
    from eqvproof.engines.elaborate.program import has_forms
    from eqvproof.tracing.models import result_of
    from eqvproof.tracing.numpy.trace import trace_all_sizes
    from eqvproof.tracing.samples import lower_ends

    if "results" in certificate:
        parts = (
            (entry, result_of(function, entry["name"], k))
            for k, entry in enumerate(certificate["results"])
        )
        differences = (
            _certificate_difference(entry["certificate"], target, part) for entry, part in parts
        )
        return next(filter(None, differences), "")
    if not isinstance(certificate.get("forms"), dict):
        return "the certificate contains no Program to compare"
    claim = certificate["claim"]
    pins = {name: size for name, size in claim["scope"].items() if isinstance(size, int)}
    spans = {n: (size[0], size[1]) for n, size in claim["scope"].items() if isinstance(size, list)}
    try:
        signature = claimed_signature(claim)
        with spoken_from(lower_ends(spans)):
            traced = trace_all_sizes(function, signature, pins, limited=bool(spans), spans=spans)
    except EqvproofError as error:
        return f"{target} cannot be traced to a Program: {error.message}"
    program = traced.program.to_json(is_stored=True)
    if not has_forms(program, certificate):
        return f"the Program of {target} is not the Program of the certificate"
    return ""


def claimed_signature(claim: dict[str, Any]) -> Signature:
    """Rebuilds the signature of a claim from its JSON form."""
    from eqvproof.claims.signature import Argument, Axis, Signature, Term, parse_signature

    def axis(terms: list[Any]) -> Axis:
        return Axis(tuple(Term(coefficient, name, mark) for coefficient, name, mark in terms))

    inputs = tuple(
        Argument(i["name"], tuple(map(axis, i["axes"])), i["type"], i.get("indexes"))
        for i in claim["inputs"]
    )
    output = tuple(map(axis, claim["output"]))
    return parse_signature(str(Signature(inputs, output, "")))
