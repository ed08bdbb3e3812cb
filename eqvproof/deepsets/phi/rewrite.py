"""Rewrites formulas so that they are evaluated faster."""

from __future__ import annotations

import functools
import itertools

from eqvproof.deepsets.phi.formula import Formula, Tape


@functools.lru_cache(maxsize=256)
def halve_monomials(formula: Formula) -> Formula:
    """Writes every feature that is a monomial as a product of two monomials of half its degree.

    There are few monomials of degree D / 2, so most features of degree D take one operation, which
    can be fused with an addition. The real values are equal; the roundings differ.
    """
    powers: list[tuple[int, ...] | None] = []
    for node in formula.nodes:
        found: tuple[int, ...] | None = None
        if node.op == "column":
            found = tuple(int(j == int(node.value)) for j in range(formula.columns))
        elif node.op == "mul":
            a, b = (powers[i] for i in node.args)
            if a is not None and b is not None:
                found = tuple(map(sum, zip(a, b, strict=True)))
        powers.append(found)
    if all(powers[o] is None or sum(powers[o] or ()) < 3 for o in formula.outputs):
        return formula
    tape = Tape(formula.columns)
    outputs = []
    for o in formula.outputs:
        exponents = powers[o]
        if exponents is None or sum(exponents) < 3:
            outputs += tape.copy(formula, [o])
            continue
        factors = list(itertools.chain.from_iterable([j] * a for j, a in enumerate(exponents)))
        middle = (len(factors) + 1) // 2
        left, right = (
            tape.monomial(tuple(part.count(j) for j in range(formula.columns)))
            for part in (factors[:middle], factors[middle:])
        )
        outputs.append(tape.put("mul", left, right))
    return tape.formula(tuple(outputs), scalar=formula.scalar)
