"""Identity of two programs for all sizes, by a normal form.

Both programs are brought into one normal form: sums of products of atoms, where products are flattened,
sums distributed, identity matrices eliminated, scalars collected, and what is not algebra (exp, max, an
input, ...) is an atom over the normal forms of its arguments.

**Equal normal forms mean equal functions.** Proof: each step replaces a value by one that is defined, and
equal, wherever the first was (the proofs stand beside the rules: `simplify`, `maps`, `canonical_atoms`); a
term with the coefficient 0, at the sizes where it is 0, counts as 0 whatever stands in it. All operations
keep this relation: the result of arguments that are defined at more points is defined, and equal, wherever
the first result was; for `select`, an entry that is not chosen does not matter. So the normal form extends
the program, and where both programs are defined both equal their common normal form.

Different normal forms mean nothing.

When no step made anything defined at more points (`IdentityProof.same_domain`), every step was an equality of
partial functions, and the two programs are defined at the same points.
"""

from __future__ import annotations

from dataclasses import dataclass

from eqvproof.engines.identity.nodes import new_table, normal_form
from eqvproof.engines.identity.table import Table
from eqvproof.engines.identity.terms import Form, TooLarge
from eqvproof.engines.identity.text import describe
from eqvproof.program import Program

__all__ = ["IdentityProof", "prove_identity"]


@dataclass(frozen=True, slots=True)
class IdentityProof:
    """A proof that two programs are equal wherever both are defined, for all sizes.

    Attributes:
        lines: the derivation, for readers.
        same_domain: whether it also shows that both are defined at the same points.
        conditions: what is assumed not to be 0, or not negative, where it does not; in words.
        form: the common normal form, as a formula.
        cells: sums of more atoms than this were made single atoms (0: none); the kernel does the same.
    """

    lines: tuple[str, ...]
    same_domain: bool
    conditions: tuple[str, ...]
    form: str
    cells: int = 0

    def evidence(self) -> dict[str, object]:
        """What a certificate of kind "identity" holds beside the claim and the two programs."""
        return {"cells": self.cells, "same_domain": self.same_domain}


#: Tried one after another while the normal form grows too large.
CELLS = (0, 16, 4)


def prove_identity(p: Program, q: Program, *, seconds: float = 5.0) -> IdentityProof | str:
    """A proof that two programs with the same inputs are equal at all sizes, or the reason why there is none.

    Args:
        p: one program.
        q: the other.
        seconds: the time after which the answer is unknown.

    Returns:
        The proof, or a text; a text says nothing about whether the programs are equal.

    **Exactness**: exact, all sizes. **Cost**: capped by time, terms and factors.
    """
    if sorted(p.inputs) != sorted(q.inputs):
        return "the two functions do not have the same inputs"
    if p.shape != q.shape:
        return "the results have different shapes: " + " and ".join(
            "(" + ", ".join(map(str, x.shape)) + ")" for x in (p, q)
        )
    reason = ""
    for cells in CELLS:
        table = new_table(seconds / len(CELLS))
        try:
            left, right = normal_form(table, p, cells), normal_form(table, q, cells)
        except (TooLarge, RecursionError) as error:
            reason = str(error) if isinstance(error, TooLarge) else "the programs are nested too deeply"
            continue
        if left == right:
            return _proof(table, p, left, cells)
        return reason or _difference(table, left, right)
    return reason


def _proof(table: Table, p: Program, form_number: int, cells: int) -> IdentityProof:
    form = describe(table, form_number)
    lines = [
        "both sides have one normal form: products flattened, sums distributed, like terms collected",
        *(f"used: {rule}" for rule in table.rules),
        f"entry ({', '.join('ijklpqrs'[: len(p.shape)])}) of both sides: {form}"
        if p.shape
        else f"both: {form}",
    ]
    conditions = tuple(table.conditions) if table.loses else ()
    if table.loses:
        lines.append(
            "so they are equal wherever both are defined"
            + (" (" + "; ".join(conditions) + ")" if conditions else "")
        )
    return IdentityProof(tuple(lines), not table.loses, conditions, form, cells)


def _difference(table: Table, left: int, right: int) -> str:
    one, other = dict(table.forms[left].terms), dict(table.forms[right].terms)
    sizes = table.forms[left].sizes
    parts = []
    for name, mine, yours in (("the first", one, other), ("the second", other, one)):
        extra = tuple(sorted((m, c) for m, c in mine.items() if yours.get(m) != c))[:3]
        if extra:
            parts.append(f"{name} has {describe(table, table.form(Form(sizes, extra)))}")
    return "the normal forms differ: " + ", ".join(parts)
