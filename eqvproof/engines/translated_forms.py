"""Proofs under translations by normal forms of f(x + t) and of f(x) with t added as claimed.

Types follow t through a Program only as long as it is added to values. If it goes through products,
powers, exponentials or angles and cancels at the end, the kernel's normal forms of both sides show
it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from eqvproof.claims.groups import Factor, Group
from eqvproof.claims.signature import Axis, Signature
from eqvproof.claims.size import least_sizes
from eqvproof.engines.affine_types import translated_axis
from eqvproof.engines.identity import IdentityProof, prove_translated
from eqvproof.engines.plain_violations import is_far
from eqvproof.engines.reasons import Reason, Why
from eqvproof.engines.search import ProgramSubject
from eqvproof.engines.search.sides import Equivariance
from eqvproof.programs import Program
from eqvproof.programs.rules import Stuck
from eqvproof.support.errors import EqvproofError

#: Largest number of constants in a Program whose normal forms are tried.
MOST_NUMBERS = 4096


def translated_forms(
    program: Program, signature: Signature, factor: Factor, pins: Mapping[str, int]
) -> IdentityProof | Reason:
    """Proves a claim under T by equal normal forms of both sides, or returns why it cannot.

    Args:
        program: the function; sizes in ``pins`` are numbers in it.
        signature: the claimed typing.
        factor: the translations.
        pins: axis names that are numbers in the program.

    **Exactness**: exact, all sizes. **Cost**: at most the kernel's work on such a certificate.
    """
    if _numbers(program) > MOST_NUMBERS:
        return Reason(Why.FORM_NOT_TRIED)
    try:
        inputs = {a.name: _vector_places(a.axes, factor) for a in signature.inputs}
        output = _vector_places(signature.output, factor)
    except Stuck as stuck:
        return Reason(Why.FORM_REFUSED, str(stuck))
    if not _seems_true(program, signature, factor, pins):
        return Reason(Why.FLOATS_DIFFER)
    return prove_translated(program, inputs, output, integral=factor.record.integral)


def _vector_places(axes: Sequence[Axis], factor: Factor) -> tuple[int, ...]:
    """Returns the axes of a value along which the vectors that are added to it stand.

    Raises:
        Stuck: several axes are translated, or a sum of axes.
    """
    axis, each = translated_axis(axes, factor), factor.place_of_each(axes)
    if axis is None:
        return ()
    if each is None:
        return (axis,)
    return (each, axis)


def _numbers(program: Program) -> int:
    """Counts the numbers in the constants of a Program."""
    arrays = (node.constant for node in program.nodes)
    return sum(array.size for array in arrays if array is not None)


def _seems_true(
    program: Program, signature: Signature, factor: Factor, pins: Mapping[str, int]
) -> bool:
    """Checks that floats do not refute the claim, which saves the work of normal forms."""
    names = sorted({name for _, shape in program.inputs for size in shape for name in size.names})
    lows = least_sizes(names)
    sizes = {name: max(2, lows[name]) + k % 3 for k, name in enumerate(names)} | dict(pins)
    question = Equivariance(ProgramSubject(program), signature, Group((factor,)))
    try:
        return not is_far(question, sizes, random.Random(0))
    except EqvproofError:
        return True
