"""Proofs in words and formulas, one line per value."""

from __future__ import annotations

from collections.abc import Sequence

from eqvproof.engines.linear_types import FLIPPED, FactorProof, Gap, Line, Proof, move_rules
from eqvproof.programs import Program
from eqvproof.programs.rules.acts import Type, act_text, is_fixed
from eqvproof.programs.text import expression
from eqvproof.support.display.step import Step


def derivation(program: Program, proof: Proof, claim: str) -> tuple[str, ...]:
    """Returns the steps of a proof as lines of text, in logical order."""
    names = program.value_names()
    lines: list[str] = []
    for part in proof.factors:
        lines.extend(_factor(program, part, names))
    for node, part in proof.signs.items():
        symbol = part.factor.record.symbol
        lines.append(
            f"Whatever the signs {symbol} of the columns of {names[node]}, the result is the same:"
        )
        lines.extend(_factor(program, part, names)[1:])
    lines.append(f"Hence {claim}. QED")
    return tuple(lines)


def _factor(program: Program, part: FactorProof, names: Sequence[str]) -> list[str]:
    record, rules = part.factor.record, move_rules(part.factor)
    if record.reals > 1 and not record.is_complex:
        twice = "2"
    else:
        twice = ""
    size = ""
    if rules is None:
        size = f", of size {twice}{part.factor.axis}"
    lines = [f"Under {part.factor}: let {record.symbol} be {record.element}{size}."]
    lines += [f"  {line}" for line in part.forms.lines] if part.forms else []
    still: dict[int, bool] = {}
    for line in part.lines:
        node = program.nodes[line.node]
        if rules is not None:
            is_still, effect = rules.is_still(line.type), rules.text(line.type)
        else:
            is_still = not line.odd and all(map(is_fixed, line.type))
            effect = _effect(part, line, names[line.node])
        still[line.node] = is_still
        stops = is_still and not all(still.get(a, True) for a in node.args)
        shape = ", ".join(map(str, node.shape))
        value = expression(program.nodes, line.node, names)
        lines.append(Step(value, shape, effect, line.rule, stops or line is part.lines[-1]))
    return lines + _each(part)


def _effect(part: FactorProof, line: Line, name: str) -> str:
    symbol = part.factor.record.symbol
    if part.factor.kind.permutes:
        sign = f"sgn({symbol})"
    else:
        sign = f"det({symbol})"
    sign += "" if line.odd in (0, 1) else f"^{line.odd}"
    return effect_text(name, line.type, symbol, sign + " " if line.odd else "")


def _each(part: FactorProof) -> list[str]:
    """Returns the step from a proof for one element to one element per entry of an axis."""
    if not part.factor.each or part.forms:
        return []
    return [
        f"  So it is for one {part.factor.record.symbol}. Entry by entry of the axis"
        f" {part.factor.each},"
        " values that change rest on those of the same entry: so each entry may have an element of"
        " its own."
    ]


def effect_text(name: str, type_: Type, symbol: str, sign: str = "") -> str:
    """Describes the action of the group element on a value, as a formula if there is a short one.

    The text of `sign` precedes the formula.
    """
    if all(is_fixed(a) for a in type_):
        if sign:
            return f"becomes {sign}{name}"
        return "invariant"
    acts = ["1" if is_fixed(a) else act_text(a, symbol) for a in type_]
    if len(acts) == 1:
        if " " not in acts[0]:
            return f"becomes {sign}{acts[0]} {name}"
        return f"becomes {sign}({acts[0]}) {name}"
    if len(acts) == 2:
        left = "" if acts[0] == "1" else f"{acts[0]} "
        right = "" if acts[1] == "1" else f" {acts[1]}^T"
        return f"becomes {sign}{left}{name}{right}"
    moved = [f"axis {i} by {a}" for i, a in enumerate(acts) if a != "1"]
    if sign:
        return f"is multiplied by {sign}and along " + ", ".join(moved)
    return "is multiplied along " + ", ".join(moved)


def gap_text(program: Program, gap: Gap, place: str) -> str:
    """Returns the reason why there is no proof, as text.

    It names the value, the user's line and the condition that fails.
    """
    names = program.value_names()
    at = f" ({place})" if place else ""
    reason = "; ".join(filter(None, (gap.reason, gap.remark)))
    if gap.factor.axis == FLIPPED:
        what = "that signs of eigenvectors do not matter"
    else:
        what = f"under {gap.factor}"
    return f"no proof {what}: at {expression(program.nodes, gap.node, names)}{at}: {reason}"
