"""Flips of some arguments: ``Flip(v, B)`` changes the sign of everything that is called v or B.

A claim says it by sign flips of an axis: each argument and result that is named has a further axis
of size 1 at its end, and ``Signs`` acts on that axis. So a flip is proved, decided and refuted as
sign flips are, and its certificate is one of theirs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from eqvproof.claims.groups.families.signs import Signs
from eqvproof.claims.groups.model import Factor
from eqvproof.claims.groups.written import Place, is_of_flips
from eqvproof.claims.signature import Axis, Signature, Term
from eqvproof.claims.signature.forms import Form, Leaf, Result

#: One factor, such as ``Flip(v, B)``.
FLIP = re.compile(r"[ \t\r\n]*Flip[ \t\r\n]*\((?P<names>[^()]*)\)")


def with_flips(form: Form, under: Any) -> Form:
    """Returns the form with an axis of size 1, for each flip of a group, on what it names.

    Args:
        form: a form of real arrays.
        under: the group, as a user gives it.

    Raises:
        GroupError: a flip names nothing, or no real argument, or the same arguments as another.
    """
    seen: list[frozenset[str]] = []
    taken = {n for s in form.signatures for n in s.names}
    for place, names in _flips_in(under):
        flipped = _require_names(names, form, place)
        if flipped in seen:
            raise place.error(
                "two flips of the same arguments",
                expected="one flip, which names all that it changes",
                hint="state a claim for each flip",
                code="group.flip",
            )
        seen.append(flipped)
        axis = next(a for k in range(len(taken) + 1) if (a := f"_{'0' * k}1") not in taken)
        taken.add(axis)
        more = Axis((Term(1, axis),))
        form = Form(
            tuple(_with_axis(leaf, more, names) for leaf in form.leaves),
            tuple(_result_with_axis(result, more, names) for result in form.results),
            form.text,
        )
    return form


def flip_factor(names: str, place: Place, signature: Signature) -> Factor:
    """Returns the factor of a flip, on the axis that `with_flips` gave to what it names.

    Raises:
        GroupError: there is no such axis.
    """
    asked = {"_".join(name.split(".")) for name in _split(names)}
    flipped = asked & set(signature.argument_names)
    for axis in filter(is_of_flips, signature.names):
        having = {a.name for a in signature.inputs if axis in (x.single for x in a.axes)}
        if having and having == flipped:
            return Factor(Signs.letter, axis, name=f"Flip({', '.join(_split(names))})")
    raise place.error(
        "flips of arguments are not taken here",
        expected="groups that act on axes",
        hint="ep.check, prove, decide, refute and the assertions of a symmetry take them",
        code="group.flip",
    )


def _flips_in(under: Any) -> Iterator[tuple[Place, list[str]]]:
    """Yields each flip of a group with the names in it."""
    if isinstance(under, (list, tuple)):
        for part in under:
            yield from _flips_in(part)
    if isinstance(under, str):
        for match in FLIP.finditer(under):
            start = match.start() + len(match[0]) - len(match[0].lstrip())
            yield Place(under, start, match.end()), _split(match["names"])


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",")]


def _require_names(names: list[str], form: Form, place: Place) -> frozenset[str]:
    """Returns the arguments among some names. Raises: GroupError, if a name stands for nothing."""
    leaves = {".".join(leaf.path): leaf for leaf in form.leaves}
    results = {".".join(r.path) for r in form.claimed_results if r.path}
    for name in names:
        if name in leaves or name in results:
            continue
        if not name:
            raise place.error(
                "a name is missing in a flip",
                expected="arguments: " + ", ".join(leaves),
                hint="write the names with commas between them: Flip(v, B)",
                code="group.flip",
            )
        from eqvproof.claims.signature.carets import did_you_mean

        known = [*leaves, *sorted(results - {*leaves})]
        raise place.error(
            f"the signature has no argument and no result {name!r}",
            expected="names in it: " + ", ".join(known),
            hint=did_you_mean(name, known)
            or "a flip names arguments, and results that change sign too: with '-> F: n d',"
            " Flip(v, F)",
            code="group.flip",
        )
    flipped = frozenset(names) & frozenset(leaves)
    if not flipped or len(set(names)) < len(names):
        message = "a flip names each argument and each result once"
        if not flipped:
            message = "a flip changes no argument: it names results alone"
        raise place.error(
            message,
            expected="arguments: " + ", ".join(leaves),
            hint="write Flip(v, F) where the result F changes sign with the argument v",
            code="group.flip",
        )
    for name in flipped:
        if leaves[name].argument.kind != "real" or leaves[name].is_size:
            raise place.error(
                f"{name} holds no real numbers, and has no sign",
                expected="arguments of real or complex numbers",
                hint=f"leave {name} out",
                code="group.flip",
            )
    return flipped


def _with_axis(leaf: Leaf, more: Axis, names: Collection[str]) -> Leaf:
    if ".".join(leaf.path) not in names:
        return leaf
    argument = replace(leaf.argument, axes=(*leaf.argument.axes, more))
    return replace(leaf, argument=argument, flips=leaf.flips + 1)


def _result_with_axis(result: Result, more: Axis, names: Collection[str]) -> Result:
    if result.shaped is None or not result.path or ".".join(result.path) not in names:
        return result
    shaped = replace(result.shaped, axes=(*result.shaped.axes, more))
    return replace(result, shaped=shaped, flips=result.flips + 1)
