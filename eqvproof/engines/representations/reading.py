"""Parsing of representations that users give by functions of the group element."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from eqvproof.claims.groups import Factor, Group, acts_on_inputs, parse_group
from eqvproof.claims.groups.irreps import require_name, syntax_error
from eqvproof.claims.signature import Argument, Axis, Signature, Term
from eqvproof.engines.representations.matrices import Representation, require_function
from eqvproof.support.errors import GroupError

_FACTOR = re.compile(r"\s*([A-Za-z][\w ]*?)\s*\(\s*([A-Za-z_][A-Za-z0-9_]*|\d+)\s*\)\s*")


def read_functions(
    reps: Mapping[str, Any], signature: Signature, under: str
) -> tuple[Signature, Group, tuple[Representation, ...]]:
    """Parses representations given by functions.

    Returns the signature with the axes of all factors, the group, and the representations.

    Raises:
        GroupError: a representation that cannot be parsed, that belongs to no factor of the group,
            or that is on an axis not of its own.
    """
    pairs = {axis: _pair(axis, value) for axis, value in reps.items()}
    group, wider = _group(pairs, signature, under)
    maps = []
    for axis, (family, where, given) in pairs.items():
        _require_axis(axis, signature)
        found = [
            f
            for f in group.factors
            if family in (f.family, f.name or "G") and _same(f, where, group)
        ]
        if not found or found[0].axis == axis:
            raise GroupError(
                f"the axis {axis} carries a representation of {family}({where}), which is no"
                f" factor of the"
                " group on another axis",
                given=f'reps={{"{axis}": ("{family}({where})", ...)}} under {group}',
                expected="a factor of the group, written as in under=: "
                + ", ".join(map(str, group.factors)),
                hint=f'reps={{"{axis}": ("{group.factors[0]}", ...)}}',
                code="reps.factor",
            )
        require_function(axis, found[0])
        maps.append(Representation(axis, found[0], given))
    carried = {m.factor.axis for m in maps if m.axis in signature.input_names}
    for factor in group.factors:
        if factor.axis not in carried and not acts_on_inputs(factor, signature):
            raise GroupError(
                f"{factor} acts on no input of '{signature}', and no representation of it stands"
                f" on one",
                expected="an axis of an input",
                code="group.no-axis",
                given=str(factor),
                hint="name an axis of an input in the group, or in reps=",
            )
    return wider, group, tuple(maps)


def _pair(axis: str, value: Any) -> tuple[str, str, Any]:
    """Returns the family, the axis of the factor, and the function or irreps."""
    if isinstance(value[0], str):
        match = _FACTOR.fullmatch(value[0])
    else:
        match = None
    if match is None:
        raise syntax_error(axis, value)
    return match[1], match[2], value[1]


def _same(factor: Factor, where: str, group: Group) -> bool:
    if str(factor.axis) == where:
        return True
    return (
        where.isdigit()
        and isinstance(factor.axis, str)
        and group.pins.get(factor.axis) == int(where)
    )


def _require_axis(axis: str, signature: Signature) -> None:
    """Checks that an axis with a representation is not a sum or product, and holds real numbers.

    Raises:
        GroupError: it is one, or holds other values.
    """
    require_name(axis, signature)
    for axes, kind in [*((a.axes, a.kind) for a in signature.inputs), (signature.output, "real")]:
        for one in axes:
            alone = (
                len(one.terms) == 1
                and one.terms[0].coefficient == 1
                and one.terms[0].mark in ("", "!")
            )
            if axis in one.names and (not alone or kind != "real"):
                raise GroupError(
                    f"the axis {one} cannot carry a representation",
                    expected=f"the axis {axis} alone, of real numbers",
                    code="reps.axis",
                    given=str(one),
                    hint="give the representation an axis of its own",
                )


def _group(
    pairs: Mapping[str, tuple[str, str, Any]], signature: Signature, under: Any
) -> tuple[Group, Signature]:
    """Returns the group, and the signature with the axes of its factors.

    The signature that the user wrote need not name these axes.
    """
    missing = [w for _, w, _ in pairs.values() if not w.isdigit() and w not in signature.names]
    axes = tuple(Axis((Term(1, name),)) for name in dict.fromkeys(missing))
    wider = _with_axes(signature, axes)
    try:
        return parse_group(under, wider), wider
    except GroupError:
        literal = tuple(
            Axis((Term(int(w), None),)) for w in {w for _, w, _ in pairs.values() if w.isdigit()}
        )
        if not literal:
            raise
        wider = _with_axes(signature, (*axes, *literal))
        return parse_group(under, wider), wider


def _with_axes(signature: Signature, axes: tuple[Axis, ...]) -> Signature:
    if not axes:
        return signature
    return replace(signature, inputs=(*signature.inputs, Argument("the group", axes)))
