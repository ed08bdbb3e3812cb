"""Proofs that a result does not depend on translated arguments, whatever these are.

The rules are the kernel's (`kernel.independence`); here it is found which points are good: entries
of a mask, or indices along an axis below a size, or from it on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any

from eqvproof.claims.groups import Factor
from eqvproof.claims.signature import Signature
from eqvproof.claims.size import least_sizes
from eqvproof.engines.affine_types import translated_axis
from eqvproof.kernel import independence
from eqvproof.kernel.form_program import FormProgram, read_program
from eqvproof.kernel.forms import Scalar
from eqvproof.kernel.report import LARGE_WORK, Rejected, allow
from eqvproof.kernel.sizes import Size
from eqvproof.programs import Program
from eqvproof.programs.rules import Stuck
from eqvproof.support.errors import ExportError

#: A constant that is at most this may stand for minus infinity, as the least number of float16 does.
LARGE_NEGATIVE = -10_000


@dataclass(frozen=True, slots=True)
class IndependenceProof:
    """A proof that no entry of the result depends on what is moved.

    Attributes:
        good: the points that are good, in the JSON form of certificates.
        lines: the proof in words.
    """

    good: tuple[Any, ...]
    lines: tuple[str, ...]

    def way(self) -> list[Any]:
        """Returns the evidence of a certificate."""
        return list(self.good)


def prove_independence(
    program: Program, signature: Signature, factor: Factor, pins: Mapping[str, int]
) -> IndependenceProof | str:
    """Proves that the result does not depend on the arguments that a factor translates.

    Args:
        program: the function; sizes in ``pins`` are numbers in it.
        signature: the claimed typing.
        factor: the translations; it may have one for each entry of an axis.
        pins: axis names that are numbers in the program.

    Returns:
        The proof; if there is none, what else is to be said of it, or "".

    **Exactness**: exact, all sizes. **Cost**: linear in the Program.
    """
    try:
        if translated_axis(signature.output, factor) is not None:
            return ""
        moved = [
            k for k, a in enumerate(signature.inputs) if translated_axis(a.axes, factor) is not None
        ]
    except Stuck:
        return ""
    if not moved:
        return ""
    from eqvproof.engines.elaborate.program import translate_program
    from eqvproof.engines.elaborate.proof import forms_to_json

    names = {name for _, shape in program.inputs for size in shape for name in size.names}
    try:
        forms = forms_to_json(translate_program(program.to_json()))
        allow(LARGE_WORK)
        lows = least_sizes(names)
        read = read_program(forms, "$.forms", {}, lows)
        for good, chosen, words in _candidates(program, signature, moved, pins):
            known = independence.follow(read, frozenset(moved), chosen, lows)
            if known[-1].is_still:
                return IndependenceProof(good, words)
        if masking := _large_negative_number(read):
            return (
                f"{masking} in place of -inf makes weights small, not 0: what it masks still counts"
            )
    except (ExportError, Rejected):
        pass
    return ""


def _candidates(
    program: Program, signature: Signature, moved: list[int], pins: Mapping[str, int]
) -> Iterator[tuple[tuple[Any, ...], independence.Good, tuple[str, ...]]]:
    """Yields which points may be good, as JSON, for the kernel, and in words."""
    names = ", ".join(signature.inputs[k].name for k in moved)
    yield (), independence.Good(), (f"the result does not depend on {names}",)
    for number, argument in enumerate(signature.inputs):
        if number in moved or argument.kind != "bool":
            continue
        for holds, verb in ((True, "holds"), (False, "does not hold")):
            where = f"where {argument.name} {verb}"
            text = f"no entry {where} depends on {names}, and the result uses no other entries"
            yield ("mask", argument.name, holds), independence.Good(number, holds), (text,)
    shapes = dict(program.inputs)
    own = dict.fromkeys(
        size for k, a in enumerate(signature.inputs) if k not in moved for size in shapes[a.name]
    )
    before = dict.fromkeys(size for k in moved for size in shapes[signature.inputs[k].name])
    for size in own:
        text = f"no entry below {size} depends on {names}, and the result uses no other entries"
        yield ("below", size.to_json()), independence.Good(limit=Size(size.terms)), (text,)
    for size in before:
        good = independence.Good(limit=Size(size.terms), is_below=False)
        text = f"no entry from {size} on depends on {names}, and the result uses no other entries"
        yield ("from", size.to_json()), good, (text,)


def _large_negative_number(read: FormProgram) -> str:
    """Returns the text of a constant that may stand for minus infinity, as -1e9 does; or ""."""
    scalars = [Fraction(form.value) for form in read.lines if isinstance(form, Scalar)]
    least = min(chain(scalars, *read.stored.values()), default=0)
    if least > LARGE_NEGATIVE:
        return ""
    return f"{float(least):g}"
