"""Signatures with complex arrays as signatures of real ones.

Of a complex array ``psi[complex]: n d`` the real array holds along one axis all real parts, then
all imaginary parts. That axis is the one on which a group of complex matrices acts, which then
moves 2d real coordinates, ``n 2d``; else the last one, ``n d+d^``: other groups move both parts
alike, and translate the real part. A result is complex where a group of complex matrices acts on
it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from eqvproof.claims.signature.forms import Form, Leaf, Result
from eqvproof.claims.signature.model import Axis, Term
from eqvproof.support.errors import SignatureError


def in_reals(form: Form, acted: Collection[str | int]) -> Form:
    """Returns the form of the function of real arrays.

    Args:
        form: a form, with complex leaves or without.
        acted: names, or literal sizes, of the axes on which groups of complex matrices act.

    Raises:
        SignatureError: such a group acts on a real array, or on two axes of an array.
    """
    if not acted and not any(leaf.is_complex for leaf in form.leaves):
        return form
    leaves = tuple(_leaf(leaf, acted, form.text) for leaf in form.leaves)
    return Form(leaves, tuple(_result(r, acted, form.text) for r in form.results), form.text)


def _acted_axis(axes: tuple[Axis, ...], acted: Collection[str | int], text: str) -> int | None:
    """Returns the one axis on which a group of complex matrices acts."""
    found = [i for i, axis in enumerate(axes) if any(_is_acted(t, acted) for t in axis.terms)]
    numbers = {
        t.coefficient for axis in axes for t in axis.terms if t.name is None and t.mark != "!"
    }
    if twice := numbers & {2 * a for a in acted if isinstance(a, int)}:
        size = min(twice)
        raise SignatureError(
            f"an axis is written {size}, as the {size // 2} complex coordinates are that a group"
            f" acts on",
            given=text,
            expected=f"a name for one of them, or {size}! for the axis that is not acted on",
            hint=f"name the axis of the group, U(d), with sizes={{'d': {size // 2}}}",
            code="signature.complex",
        )
    if len(found) > 1 or any(
        len(axes[i].terms) > 1 or _copies(axes[i].terms[0]) > 1 for i in found
    ):
        raise SignatureError(
            "a group of complex matrices acts on several axes of an array, or on parts of one",
            given=text,
            expected="one axis of each array, such as 'psi[complex]: n d'",
            hint="mark the others with '!', or claim it of vectors from which the array is made",
            code="signature.complex",
        )
    if found:
        return found[0]
    return None


def _copies(term: Term) -> int:
    if term.name is None:
        return 1
    return term.coefficient


def _is_acted(term: Term, acted: Collection[str | int]) -> bool:
    return term.mark != "!" and (term.name or term.coefficient) in acted


def _leaf(leaf: Leaf, acted: Collection[str | int], text: str) -> Leaf:
    axes = leaf.argument.axes
    place = _acted_axis(axes, acted, text)
    if not leaf.is_complex:
        if place is not None:
            raise SignatureError(
                f"a group of complex matrices acts on {leaf.argument.name}, which is real",
                given=text,
                expected=f"{leaf.argument.name}[complex]: ..., or a mark '!' on the axis",
                hint="real and imaginary parts are moved together; pass a complex array",
                code="signature.complex",
            )
        return leaf
    name, _, rest = str(leaf).partition(":")
    leaf = replace(leaf, written=f"{name}[complex]:{rest}")
    if not axes:
        pair = replace(leaf.argument, axes=(Axis((Term(2, None, "!"),)),))
        return replace(leaf, argument=pair, merged=(1,), doubled=0, is_scalar=True)
    if place is None:
        *front, last = axes
        more = (replace(t, mark=t.mark or "^") for t in last.terms)
        whole = replace(leaf.argument, axes=(*front, Axis((*last.terms, *more))))
        return replace(leaf, argument=whole, doubled=len(front))
    whole = replace(leaf.argument, axes=_with_doubled(axes, place))
    return replace(leaf, argument=whole, doubled=place, is_dual=axes[place].terms[0].mark == "*")


def _with_doubled(axes: tuple[Axis, ...], place: int) -> tuple[Axis, ...]:
    """Doubles the size of the axis at a place; a dual axis becomes a plain one.

    Conjugates of vectors of the dual move as vectors.
    """
    terms = tuple(
        replace(t, coefficient=2 * t.coefficient, mark=t.mark.removeprefix("*"))
        for t in axes[place].terms
    )
    return (*axes[:place], Axis(terms), *axes[place + 1 :])


def _result(result: Result, acted: Collection[str | int], text: str) -> Result:
    if result.shaped:
        place = _acted_axis(result.shaped.axes, acted, text)
    else:
        place = None
    if place is None or result.shaped is None:
        return result
    shaped = replace(result.shaped, axes=_with_doubled(result.shaped.axes, place))
    is_dual = result.shaped.axes[place].terms[0].mark == "*"
    return replace(
        result, shaped=shaped, doubled=place, is_dual=is_dual, written=str(result.shaped)
    )
