"""Identity of two Programs for all sizes: what the kernel's normal forms say of them.

The kernel brings both into one normal form (`eqvproof.kernel.normal`, with the proof that equal
normal forms mean equal functions). The certificate names the two Programs and how far sums are
taken apart, which is all that is looked for here. Different normal forms mean nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from eqvproof.claims.size import least_sizes
from eqvproof.engines.identity_text import Writer
from eqvproof.kernel import decode, normal, report, translated
from eqvproof.kernel.normal import Way
from eqvproof.kernel.normal_forms import Forms
from eqvproof.kernel.program import Program as Graph
from eqvproof.kernel.shapes import check_shapes
from eqvproof.programs import Program

#: Sums of more factors than this are made one factor (0: none); one after another, while forms are
#: too large.
CELLS = (0, 16, 4)
PLAIN = Way()


@dataclass(frozen=True, slots=True)
class IdentityProof:
    """A proof that two programs are equal wherever both are defined, for all sizes.

    Attributes:
        lines: the derivation, for readers.
        same_domain: whether it also shows that both are defined at the same points.
        conditions: what is assumed not to be 0, or not negative, where it does not; in words.
        form: the common normal form, as a formula.
        made: how the normal forms are made.
    """

    lines: tuple[str, ...]
    same_domain: bool
    conditions: tuple[str, ...]
    form: str
    made: Way = PLAIN

    def forms(self) -> dict[str, object]:
        """How the normal forms are made, as certificates say it."""
        return {"cells": self.made.cells, "angles": self.made.angles}

    def evidence(self) -> dict[str, object]:
        """What a certificate of kind "identity" holds beside the claim and the two programs."""
        return {"forms": self.forms(), "same_domain": self.same_domain}


def prove_identity(p: Program, q: Program) -> IdentityProof | str:
    """A proof that two programs with the same inputs are equal at all sizes, or the reason why there is none.

    Args:
        p: one program.
        q: the other.

    Returns:
        The proof, or a text; a text says nothing about whether the programs are equal.

    **Exactness**: exact, all sizes. **Cost**: what the kernel spends on a certificate as long as
        this.
    """
    if sorted(p.inputs) != sorted(q.inputs):
        return "the two functions do not have the same inputs"
    if p.shape != q.shape:
        return "the results have different shapes: " + " and ".join(
            "(" + ", ".join(map(str, x.shape)) + ")" for x in (p, q)
        )

    def both(forms: Forms, graphs: Sequence[Graph], cells: int) -> tuple[int, ...]:
        return tuple(normal.normal_form(forms, graph, cells) for graph in graphs)

    return _in_one_form([p, q], both)


def prove_translated(
    p: Program, inputs: Mapping[str, int | None], output: int | None
) -> IdentityProof | str:
    """A proof that f(x + t) = f(x) + t, t added along these axes of inputs and output, or why there is none.

    **Exactness**: exact, all sizes. **Cost**: what the kernel spends on such a certificate.
    """

    def both(forms: Forms, graphs: Sequence[Graph], cells: int) -> tuple[int, ...]:
        return translated.sides(forms, graphs[0], inputs, output, cells)

    found = _in_one_form([p], both)
    if isinstance(found, IdentityProof) and not found.same_domain:
        return "one side may be defined where the other is not"
    return found


def _in_one_form(
    programs: Sequence[Program], sides: Callable[[Forms, Sequence[Graph], int], tuple[int, ...]]
) -> IdentityProof | str:
    """The proof that two normal forms, made of Programs, are one; or why there is none.

    Where these have sines or cosines, and differ, products of these are written as sums.
    """
    written = [x.to_json() for x in programs]
    shapes = [shape for x in programs for _, shape in x.inputs]
    lows = least_sizes(name for shape in shapes for size in shape for name in size.names)
    length, reason = len(json.dumps(written)), ""
    has_angles = any(node.function in ("sin", "cos") for x in programs for node in x.nodes)
    for made in (
        Way(cells, angles) for cells in CELLS for angles in (False, True)[: 1 + has_angles]
    ):
        report.allow_work(length)
        forms = normal.new_forms(lows, made)
        try:
            graphs = [decode.program(data, "$", {}) for data in written]
            for graph in graphs:
                check_shapes(graph, lows)
            left, right = sides(forms, graphs, made.cells)
        except report.Limited:
            reason = reason or "the normal form takes more work than the kernel undertakes"
            continue
        except report.Rejected as error:
            reason = reason or str(error)
            continue
        except RecursionError:
            reason = reason or "the programs are nested too deeply"
            continue
        report.allow_work(length)
        if left == right:
            return _proof(forms, left, made)
        reason = reason or _difference(forms, left, right)
        if made.angles or not has_angles:
            break
    return reason


def _proof(forms: Forms, number: int, made: Way) -> IdentityProof:
    write, rank = Writer(forms), len(forms.form[number][0])
    form, conditions = write.form(number), write.supposed()
    lines = [
        "both sides have one normal form: products flattened, sums distributed, like terms"
        " collected",
        *(f"used: {law}" for law in forms.used),
        f"entry ({', '.join('ijklpqrs'[:rank])}) of both sides: {form}"
        if rank
        else f"both: {form}",
    ]
    if not (same := forms.same(number)):
        lines.append(
            "so they are equal wherever both are defined"
            + (" (" + "; ".join(conditions) + ")" if conditions else "")
        )
    return IdentityProof(tuple(lines), same, conditions, form, made)


def _difference(forms: Forms, left: int, right: int) -> str:
    one, other = dict(forms.form[left][1]), dict(forms.form[right][1])
    sizes = forms.form[left][0]
    parts = []
    for name, mine, yours in (("the first", one, other), ("the second", other, one)):
        extra = dict(sorted((p, c) for p, c in mine.items() if yours.get(p) != c)[:3])
        if extra:
            parts.append(f"{name} has {Writer(forms).form(forms.store_form(sizes, extra))}")
    return "the normal forms differ: " + ", ".join(parts)
