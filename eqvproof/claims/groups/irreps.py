"""Reads irreps of O(3) that a user gives for axes, and writes their parts in the signature.

Scalars ``0e`` stay and vectors ``1o`` are moved by the matrix itself, with entries in the order x,
y, z; so ``"2x0e + 2x1o"`` on an axis is the axis ``2!+2d`` with d = 3. Under SO(3) the parity does
not matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import count as counted
from typing import Any

from eqvproof.claims.groups.families import FAMILIES, letters
from eqvproof.claims.groups.model import Group
from eqvproof.claims.signature import Argument, Axis, Signature, Term
from eqvproof.claims.signature.irreps import parse_irreps
from eqvproof.support.errors import GroupError

_FACTOR = re.compile(r"\s*([A-Za-z]+)\s*\(\s*([A-Za-z_][A-Za-z0-9_]*|3)\s*\)\s*")


def has_irreps(letter: str) -> bool:
    """Checks whether irreps are written for a family: its elements include all rotations of R^3."""
    return letter in FAMILIES and FAMILIES[letter].irreps


def three_dimensional() -> str:
    """Lists the groups for which irreps are written, in words."""
    return letters(lambda family: family.irreps) + " on an axis of size 3"


def is_tensor(letter: str, degree: int, parity: str) -> bool:
    """Checks whether an irrep consists of scalars or vectors.

    These have degree 0 or 1 and parity ``(-1)^degree``; under rotations alone, any parity.
    """
    return degree < 2 and (FAMILIES[letter].special or parity == "eo"[degree])


def with_reps(
    signature: Signature, reps: Mapping[str, Any], sizes: Mapping[str, Any] | None
) -> tuple[Signature, dict[str, Any]]:
    """Writes irreps onto the axes of a signature that carry them; returns it with the sizes.

    If all are scalars and vectors, they are written as plain axes.

    Args:
        signature: of the claim.
        reps: axis name -> (factor of the group such as "O(d)", irreps in the notation of e3nn).
        sizes: of axis names, as users give them.

    Raises:
        GroupError: an axis that is not there, a factor that is none of O, SO, E, SE, irreps that
            are no text.
    """
    given = dict(sizes or {})
    carried = {axis: _parse_irreps_of(axis, value, signature) for axis, value in reps.items()}
    parts = [
        (rep.family, degree, parity) for rep in carried.values() for _, degree, parity in rep.parts
    ]
    wide = any(not is_tensor(*part) for part in parts)
    terms: dict[str, tuple[Term, ...]] = {}
    for axis, rep in carried.items():
        size = sum(count * (2 * degree + 1) for count, degree, _ in rep.parts)
        if given.pop(axis, size) != size:
            raise GroupError(
                f"the irreps of the axis {axis} have the size {size}",
                given=str((sizes or {})[axis]),
                expected=f"{axis} = {size}",
                hint=f"leave {axis} out of sizes=",
            )
        if rep.name != "3" and given.setdefault(rep.name, 3) != 3:
            raise GroupError(
                f"irreps of O(3) need {rep.name} = 3",
                given=str(given[rep.name]),
                code="reps.size",
                expected=f"{rep.name} = 3",
                hint="leave it out of sizes=",
            )
        if wide:
            terms[axis] = tuple(
                Term(n * (2 * k + 1), None, f"{k}{parity}") for n, k, parity in rep.parts
            )
        else:
            terms[axis] = tuple(_tensors(rep))
    return put_terms(signature, terms), given


def put_terms(signature: Signature, terms: Mapping[str, tuple[Term, ...]]) -> Signature:
    """Returns the signature with these terms in place of the axes of some names.

    Raises:
        GroupError: an axis of an argument that holds no real numbers.
    """
    inputs = tuple(
        replace(a, axes=tuple(_put_terms(x, terms) for x in a.axes)) for a in signature.inputs
    )
    output = tuple(_put_terms(x, terms) for x in signature.output)
    _require_real(inputs, signature)
    text = ", ".join(map(str, inputs)) + " -> " + (" ".join(map(str, output)) or "()")
    return Signature(inputs, output, text)


def name_irreps(
    signature: Signature, reps: Mapping[str, Any] | None, under: Any
) -> tuple[Signature, dict[str, Any]]:
    """Names the axes written as irreps, and completes representations with their factors.

    Irreps without a factor, as text or as an object of e3nn, belong to the one factor of motions in
    space.

    Raises:
        GroupError: there is none, or more than one.
    """
    given = {axis: _irreps_text(value) for axis, value in (reps or {}).items()}
    names: dict[Axis, str] = {}
    for axis in signature.axes:
        if any(t.irrep for t in axis.terms):
            taken = {*signature.names, *signature.argument_names, *names.values()}
            name = next(n for n in (f"irreps{k}" for k in counted(1)) if n not in taken)
            given.setdefault(names.setdefault(axis, name), str(axis)[1:-1])
    for axis_name, value in given.items():
        if isinstance(value, str):
            given[axis_name] = (_factor_of_motions(under, axis_name), value)
    if not names:
        return signature, given

    named = {axis: Axis((Term(1, name),)) for axis, name in names.items()}

    def put_names(axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
        return tuple(named.get(a, a) for a in axes)

    inputs = tuple(replace(a, axes=put_names(a.axes)) for a in signature.inputs)
    return replace(signature, inputs=inputs, output=put_names(signature.output)), given


def without_irreps(signature: Signature) -> Signature:
    """Replaces irreps in a signature by axes of numbers if no group moves them."""

    def plain_term(term: Term) -> Term:
        if term.irrep:
            return replace(term, mark="")
        return term

    def plain_axes(axes: tuple[Axis, ...]) -> tuple[Axis, ...]:
        return tuple(Axis(tuple(map(plain_term, a.terms))) for a in axes)

    inputs = tuple(replace(a, axes=plain_axes(a.axes)) for a in signature.inputs)
    return replace(signature, inputs=inputs, output=plain_axes(signature.output))


def _irreps_text(value: Any) -> Any:
    """Returns irreps as text, also those that are an object of e3nn."""
    if type(value).__name__ == "Irreps":
        return str(value) or "0x0e"
    if isinstance(value, (tuple, list)) and len(value) == 2:
        return (value[0], _irreps_text(value[1]))
    return value


def _factor_of_motions(under: Any, axis: str) -> str:
    """Returns the factor to which irreps belong. Raises: GroupError."""
    parts = [under]
    if isinstance(under, (list, tuple)):
        parts = list(under)
    found = [m[0].strip() for p in parts for m in _FACTOR.finditer(str(p)) if has_irreps(m[1])]
    if len(found) != 1:
        raise GroupError(
            f"irreps on the axis {axis} under {under}",
            expected="one factor of motions in space: O(3), SO(3), E(3) or SE(3)",
            hint=f"name the factor: reps={{'{axis}': ('O(3)', '1o')}}",
            code="reps.factor",
            given=str(under),
        )
    return found[0]


def require_name(axis: str, signature: Signature) -> None:
    """Checks that the signature has an axis of that name.

    Raises:
        GroupError: it has none.
    """
    if axis not in signature.names:
        hint = "write an axis of real numbers of that name into the signature"
        if axis.isdigit():
            hint = (
                f"a representation needs a name: write m in place of {axis} in the signature, and"
                " reps={'m': ...}"
            )
        raise GroupError(
            f"there is no axis {axis} that could carry a representation",
            expected=", ".join(signature.names),
            code="reps.axis",
            given=f"reps={{'{axis}': ...}}",
            hint=hint,
        )


def require_factors(reps: Mapping[str, Any], group: Group) -> None:
    """Checks that every representation belongs to a factor of the group.

    Raises:
        GroupError: it is of another group, or of the same on another axis.
    """
    for axis, (factor, _) in reps.items():
        match = _FACTOR.fullmatch(factor)
        if match is None or not any(
            f.family == match[1] and match[2] in (str(f.axis), str(group.pins.get(str(f.axis))))
            for f in group.factors
        ):
            raise GroupError(
                f"the axis {axis} carries a representation of {factor}, which is no factor of the"
                f" group",
                given=f'reps={{"{axis}": ("{factor}", ...)}} under {group}',
                expected="a factor of the group, written as in under=: "
                + ", ".join(map(str, group.factors)),
                hint=f'reps={{"{axis}": ("{group.factors[0]}", ...)}}',
                code="reps.factor",
            )


def syntax_error(axis: str, value: object) -> GroupError:
    """Builds the error for a representation that cannot be parsed."""
    return GroupError(
        f"the representation on the axis {axis} is not read",
        given=repr(value)[:200],
        expected='a pair such as ("O(d)", "2x0e + 1o") or ("O(d)", function of the matrix)',
        hint=f"reps={{'{axis}': ('O(d)', '1o')}}",
        code="reps.syntax",
    )


def is_called(value: Any) -> bool:
    """Checks whether a representation is given by a function of the group element."""
    return isinstance(value, (tuple, list)) and len(value) == 2 and callable(value[1])


def in_space(
    group: Group, signature: Signature, sizes: Mapping[str, Any]
) -> tuple[Group, dict[str, Any]]:
    """Moves factors whose axis only irreps use to the literal axis 3; returns group and sizes.

    These factors move irreps alone, so the signature has no axis of theirs.
    """
    alone = [f for f in group.factors if f.record.irreps and f.axis not in signature.names]
    if not signature.irreps or not alone:
        return group, dict(sizes)
    in_place = {f: replace(f, axis=3) for f in alone}
    factors = [in_place.get(f, f) for f in group.factors]
    known = {str(f.axis) for f in alone}
    return Group(tuple(factors), group.pins), {
        n: s for n, s in sizes.items() if n not in known or s != 3
    }


def _axis_of_space(signature: Signature) -> str:
    """Returns the axis on which O(3) acts: "3" if written, else "d", as in `parse_group`."""
    terms = [t for axis in signature.axes for t in axis.terms if t.mark != "!"]
    literal = any(t.name is None and t.coefficient == 3 for t in terms)
    if any(t.name == "d" for t in terms) and not literal:
        return "d"
    return "3"


@dataclass(frozen=True, slots=True)
class _Irreps:
    """The irreps on an axis.

    Attributes:
        family: the family of groups that moves them.
        name: the name of the axis of the family, or "3".
        parts: (multiplicity, degree, parity) of each.
    """

    family: str
    name: str
    parts: tuple[tuple[int, int, str], ...]


def _parse_irreps_of(axis: str, value: Any, signature: Signature) -> _Irreps:
    """Reads the irreps that an axis carries."""
    require_name(axis, signature)
    if (
        not isinstance(value, (tuple, list))
        or len(value) != 2
        or not all(isinstance(v, str) for v in value)
    ):
        raise syntax_error(axis, value)
    match = _FACTOR.fullmatch(value[0])
    if match is None or not has_irreps(match[1]):
        raise GroupError(
            f"irreps on the axis {axis} under {value[0]}",
            expected=three_dimensional(),
            code="reps.unsupported",
            given=f"reps={{'{axis}': ('{value[0]}', ...)}}",
            hint="a function of the group element serves every group",
        )
    name = match[2]
    if name == "3":
        name = _axis_of_space(signature)
    return _Irreps(match[1], name, tuple(part for part in parse_irreps(value[1]) if part[0]))


def _tensors(rep: _Irreps) -> Iterator[Term]:
    """Yields scalars and vectors as terms of an axis."""
    for count, degree, _ in rep.parts:
        if FAMILIES[rep.family].parts and degree:
            mark = "^"
        elif degree:
            mark = ""
        else:
            mark = "!"
        if not degree:
            yield Term(count, None, "!")
        elif rep.name == "3":
            yield from [Term(3, None, mark)] * count
        else:
            yield Term(count, rep.name, mark)


def _put_terms(axis: Axis, terms: Mapping[str, tuple[Term, ...]]) -> Axis:
    """Replaces names by terms in an axis; terms marked `!` keep the mark."""
    found: list[Term] = []
    for term in axis.terms:
        if term.name not in terms:
            found.append(term)
            continue
        parts = terms[term.name or ""]
        if term.mark == "!":
            parts = tuple(replace(part, mark="!") for part in parts)
        found += parts * term.coefficient
    return Axis(tuple(found))


def _require_real(inputs: tuple[Argument, ...], signature: Signature) -> None:
    for new, old in zip(inputs, signature.inputs, strict=True):
        if new != old and new.kind != "real":
            raise GroupError(
                f"irreps on an axis of {old.name}, which holds no real numbers",
                given=str(old),
                expected="an argument of real numbers",
                hint="leave the axis out of reps=",
                code="reps.axis",
            )
