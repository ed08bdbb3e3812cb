"""Claims about the shapes of matrix products at all sizes, with their free dimensions fixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.papers.statements.finding import Finding, certify_verdict
from eqvproof.papers.statements.judge import Court
from eqvproof.support.errors import EqvproofError


@dataclass(frozen=True, slots=True)
class ProductShapes:
    """The claim that one of several matrix products can have a shape at all sizes, or that none can.

    A matrix is written ``"Y: k n"``, rows before columns; a product is written
    ``"A: a b, Y: k n, B: c d"``. Dimensions are sizes, some of which vary, or unknowns: numbers that
    are chosen once, the same for every value of a varying size. Neighbouring dimensions must be
    equal, and the outer ones must be those of the shape. This is a system of equations between
    names. It has a solution exactly if no class of equal names contains two different sizes, or an
    unknown and a varying size (two values of the size would need two numbers).

    HOLDS, PROVED, with the dimensions of a product that has the shape (or, for ``possible=False``,
    with the contradiction in each product); FAILS, EXACT, in the other case.

    Attributes:
        products: the products, by their description.
        shape: the required shape, such as ``"n n"``.
        sizes: the sizes, separated by blanks; all other names are unknowns.
        varies: the sizes that vary.
        possible: True for the claim that one product can have the shape, False for the claim that
            none can.
    """

    products: Mapping[str, str]
    shape: str
    sizes: str
    varies: str
    possible: bool = True

    def judge(self, court: Court) -> Finding:
        """Solves the equations between dimensions, for every product."""
        del court
        contradictions: list[str] = []
        for label, text in self.products.items():
            solved, explanation = self._solve(text)
            if solved:
                reason = f"{label} has the shape {' x '.join(self.shape.split())}"
                if explanation:
                    reason += f", with {explanation}"
                return self._finding(reason, holds=self.possible, every=True)
            contradictions.append(f"{label}: {explanation}")
        reason = "; ".join(contradictions)
        return self._finding(reason, holds=not self.possible, every=not self.possible)

    def _finding(self, reason: str, *, holds: bool, every: bool) -> Finding:
        """Seals the certificate; the scope is all sizes if `every`, else two values of each."""
        names = self.varies.split()
        if every:
            scope = f"for all {', '.join(names)}"
        else:
            scope = f"at {' and '.join(f'{n} = 1, 2' for n in names)}"
        if holds:
            outcome, grade = Outcome.HOLDS, Grade.PROVED
        else:
            outcome, grade = Outcome.FAILS, Grade.EXACT
        products = [
            [list(dims) for _, *dims in map(_parse_factor, p.split(","))]
            for p in self.products.values()
        ]
        return certify_verdict(
            Verdict(outcome, grade, scope, reason=reason, derivation=(reason,)),
            "product-shapes", products=products, shape=self.shape.split(), sizes=self.sizes.split(),
            varies=names, possible=self.possible, holds=holds,
        )  # fmt: skip

    def _solve(self, text: str) -> tuple[bool, str]:
        """Solves for the dimensions; returns (True, their values) or (False, the contradiction)."""
        rows, columns = self.shape.split()
        fixed = set(self.sizes.split())
        factors = [_parse_factor(factor) for factor in text.split(",")]
        chain = [("the result", "", rows), *factors, ("the result", columns, "")]
        classes: dict[str, str] = {}
        for (left, _, a), (right, b, _) in pairwise(chain):
            place = f"{left} and {right} meet at {a} and {b}"
            one, other = _representative(classes, a), _representative(classes, b)
            if one == other:
                continue
            known = [name for name in (one, other) if name in fixed or name.isdigit()]
            if len(known) == 2:
                return False, f"{place}: {one} = {other} would be needed"
            if known and known[0] in self.varies.split():
                return False, f"{place}: that number would depend on {known[0]}"
            root = known[0] if known else one
            classes[other if root == one else one] = root
        dims = sorted({n for _, *pair in factors for n in pair} - fixed)
        chosen = [
            (n, r)
            for n in dims
            if (r := _representative(classes, n)) in fixed or (r.isdigit() and r != n)
        ]
        return True, ", ".join(f"{n} = {value}" for n, value in chosen)


def _parse_factor(factor: str) -> tuple[str, str, str]:
    """Parses ``"Y: k n"``; returns the name and both dimensions."""
    name, _, dims = factor.partition(":")
    parts = dims.split()
    if len(parts) != 2 or not name.strip():
        raise EqvproofError(
            "this is not a matrix",
            given=factor.strip(),
            expected="such as 'Y: k n'",
            code="statement.product",
            hint="write its name, a colon and two sizes",
        )
    return name.strip(), parts[0], parts[1]


def _representative(classes: Mapping[str, str], name: str) -> str:
    """Follows equations from a name to the representative of its class."""
    while name in classes:
        name = classes[name]
    return name
