"""Claims about the shapes of matrix products at all sizes, with their free dimensions fixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from eqvproof.engines.verdict import Grade, Outcome, Verdict
from eqvproof.papers.statements.finding import Finding, certified
from eqvproof.papers.statements.judge import Court
from eqvproof.support.errors import EqvproofError


@dataclass(frozen=True, slots=True)
class ProductShapes:
    """The claim that one of several matrix products has a shape at all sizes; or that none can.

    A matrix is written ``"Y: k n"``, rows before columns; a product is written
    ``"A: a b, Y: k n, B: c d"``. Dimensions are sizes, of which some vary, or unknowns: numbers
    that may be chosen, but not anew for every value of a size that varies. Neighbouring dimensions
    must be equal, and the outer ones those of the shape. That is a system of equations between
    names; it has a solution exactly when no class of equal names holds two different sizes, or an
    unknown and a size that varies (two values of it ask for two numbers).

    HOLDS, PROVED, with the dimensions of a product that has the shape (or, for ``possible=False``,
    with the contradiction in each of them); FAILS, EXACT, in the other case.

    Attributes:
        products: the products, by what each of them is.
        shape: the shape that is asked for, such as ``"n n"``.
        sizes: the sizes, separated by blanks; all other names are unknowns.
        varies: those of them that vary.
        possible: whether the claim is that one product has the shape, or that none can have it.
    """

    products: Mapping[str, str]
    shape: str
    sizes: str
    varies: str
    possible: bool = True

    def judge(self, court: Court) -> Finding:
        """Solves the equations between dimensions, product by product."""
        del court
        refused: list[str] = []
        for label, text in self.products.items():
            solved, says = self._solve(text)
            if solved:
                reason = f"{label} has the shape {self._shape()}" + (
                    f", with {says}" if says else ""
                )
                return self._answer(reason, holds=self.possible, every=True)
            refused.append(f"{label}: {says}")
        return self._answer("; ".join(refused), holds=not self.possible, every=not self.possible)

    def _shape(self) -> str:
        return " x ".join(self.shape.split())

    def _answer(self, reason: str, *, holds: bool, every: bool) -> Finding:
        names = self.varies.split()
        if every:
            scope = f"for all {', '.join(names)}"
        else:
            scope = f"at {' and '.join(f'{n} = 1, 2' for n in names)}"
        if holds:
            outcome, grade = (Outcome.HOLDS, Grade.PROVED)
        else:
            outcome, grade = (Outcome.FAILS, Grade.EXACT)
        products = [
            [list(dims) for _, *dims in map(_read, p.split(","))] for p in self.products.values()
        ]
        return certified(
            Verdict(outcome, grade, scope, reason=reason, derivation=(reason,)),
            "product-shapes", products=products, shape=self.shape.split(), sizes=self.sizes.split(),
            varies=names, possible=self.possible, holds=holds,
        )  # fmt: skip

    def _solve(self, text: str) -> tuple[bool, str]:
        """Solves for the dimensions; returns (True, choice) or (False, contradiction)."""
        rows, columns = self.shape.split()
        fixed = set(self.sizes.split())
        factors = [_read(factor) for factor in text.split(",")]
        chain = [("the result", "", rows), *factors, ("the result", columns, "")]
        classes: dict[str, str] = {}
        for (left, _, a), (right, b, _) in pairwise(chain):
            says = f"{left} and {right} meet at {a} and {b}"
            one, other = _find(classes, a), _find(classes, b)
            if one == other:
                continue
            known = [name for name in (one, other) if name in fixed or name.isdigit()]
            if len(known) == 2:
                return False, f"{says}: {one} = {other} would be needed"
            if known and known[0] in self.varies.split():
                return False, f"{says}: that number would depend on {known[0]}"
            root = known[0] if known else one
            classes[other if root == one else one] = root
        dims = sorted({n for _, *pair in factors for n in pair} - fixed)
        chosen = [
            (n, r) for n in dims if (r := _find(classes, n)) in fixed or (r.isdigit() and r != n)
        ]
        return True, ", ".join(f"{n} = {value}" for n, value in chosen)


def _read(factor: str) -> tuple[str, str, str]:
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


def _find(classes: Mapping[str, str], name: str) -> str:
    while name in classes:
        name = classes[name]
    return name
