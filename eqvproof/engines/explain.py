"""Proofs in words and formulas: one line a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eqvproof.engines.infer import FactorProof, Gap, Proof, group_symbol
from eqvproof.engines.moves import move_text
from eqvproof.program import Program, ops
from eqvproof.rules.acts import Type, act_text, is_fixed

LETTERS = "ijklmpqrstuvwxyzabcdefgh"
INFIX = {
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "and": "and", "or": "or",
    "mod": "mod", "pow": "**",
}  # fmt: skip


def derivation(program: Program, proof: Proof, claim: str) -> tuple[str, ...]:
    """The steps of a proof, readable from top to bottom."""
    names = value_names(program)
    lines: list[str] = []
    for part in proof.factors:
        lines.extend(_factor(program, part, names))
    lines.append(f"Hence {claim}. QED")
    return tuple(lines)


def _factor(program: Program, part: FactorProof, names: Sequence[str]) -> list[str]:
    symbol = group_symbol(part.factor)
    if part.factor.family in ("T", "Scale"):
        return _moves(program, part, names)
    what = {
        "O": "an orthogonal matrix", "SO": "a rotation matrix", "S": "a permutation matrix",
        "D": "a dihedral permutation matrix", "A": "an even permutation matrix", "C": "a cyclic shift matrix",
        "Signs": "a diagonal matrix of signs", "GL": "an invertible matrix",
    }.get(part.factor.family, "a matrix of the group")  # fmt: skip
    lines = [f"Under {part.factor}: let {symbol} be {what}, of size {part.factor.axis}."]
    for line in part.lines:
        node = program.nodes[line.node]
        text = expression(program, line.node, names)
        shape = "(" + ", ".join(str(s) for s in node.shape) + ")"
        sign = f"sgn({symbol})" if part.factor.kind == "perm" else f"det({symbol})"
        sign += "" if line.odd in (0, 1) else f"^{line.odd}"
        effect = effect_text(names[line.node], line.type, symbol, sign + " " if line.odd else "")
        lines.append(f"  {text}   {shape}: {effect}   [{line.rule}]")
    return lines


def _moves(program: Program, part: FactorProof, names: Sequence[str]) -> list[str]:
    what = "t be a vector" if part.factor.family == "T" else "c be a positive number"
    lines = [f"Under {part.factor.family}({part.factor.axis}): let {what}."]
    for line in part.lines:
        shape = "(" + ", ".join(str(s) for s in program.nodes[line.node].shape) + ")"
        effect = move_text(line.type, part.factor)
        lines.append(f"  {expression(program, line.node, names)}   {shape}: {effect}   [{line.rule}]")
    return lines


def effect_text(name: str, type_: Type, symbol: str, sign: str = "") -> str:
    """What the group element does to a value, as a formula where there is a short one; ``sign`` leads it."""
    if all(is_fixed(a) for a in type_):
        return f"becomes {sign}{name}" if sign else "invariant"
    acts = ["1" if is_fixed(a) else act_text(a, symbol) for a in type_]
    if len(acts) == 1:
        return (
            f"becomes {sign}{acts[0]} {name}" if " " not in acts[0] else f"becomes {sign}({acts[0]}) {name}"
        )
    if len(acts) == 2:
        left = "" if acts[0] == "1" else f"{acts[0]} "
        right = "" if acts[1] == "1" else f" {acts[1]}^T"
        return f"becomes {sign}{left}{name}{right}"
    moved = [f"axis {i + 1} by {a}" for i, a in enumerate(acts) if a != "1"]
    return (
        f"is multiplied by {sign}and along " + ", ".join(moved)
        if sign
        else "is multiplied along " + ", ".join(moved)
    )


def value_names(program: Program) -> list[str]:
    """A name for every node: inputs keep theirs, the rest are v1, v2, ...; the result is y."""
    taken = {name for name, _ in program.inputs}
    names: list[str] = []
    count = 0
    for i, node in enumerate(program.nodes):
        if isinstance(node, ops.Input):
            names.append(node.name)
            continue
        if isinstance(node, ops.Const) and not node.shape:
            names.append(str(node.values[0]))
            continue
        if isinstance(node, ops.SizeOf):
            names.append(f"({node.size})" if " " in str(node.size) else str(node.size))
            continue
        name = "y" if i == program.output else ""
        while not name or name in taken:
            count += 1
            name = f"v{count}"
        names.append(name)
    return names


def expression(program: Program, number: int, names: Sequence[str]) -> str:
    """What a node computes, by the names of its arguments."""
    node = program.nodes[number]
    name = names[number]
    args = [names[a] for a in node.args]
    match node:
        case ops.Input():
            return f"{name} is given"
        case ops.Const():
            return name if not node.shape else f"{name} = a constant array"
        case ops.SizeOf():
            return f"{name} is a size"
        case ops.Eye():
            return f"{name} = I"
        case ops.Tri():
            return f"{name}[i, j] = 1 if j <= i + {node.offset} else 0"
        case ops.Iota():
            return f"{name}[i] = i"
        case ops.Einsum():
            return _einsum(node, name, args)
        case ops.Add():
            return f"{name} = " + " + ".join(args)
        case ops.Map():
            if node.fn in INFIX:
                return f"{name} = {args[0]} {INFIX[node.fn]} {args[1]}"
            if node.fn == "recip":
                return f"{name} = 1 / {args[0]}"
            return f"{name} = {node.fn}({', '.join(args)})" if args else f"{name} = {node.fn}"
        case ops.Select():
            return f"{name} = {args[1]} where {args[0]} else {args[2]}"
        case ops.Reduce():
            return f"{name} = {node.fn} of {args[0]} over {_axes(node.axes)}"
        case ops.Concat():
            return f"{name} = [{', '.join(args)}] along axis {node.axis + 1}"
        case ops.Slice():
            return f"{name} = part of {args[0]} along axis {node.axis + 1} from entry {node.start + 1}"
        case ops.Flip():
            return f"{name} = {args[0]} reversed along axis {node.axis + 1}"
        case ops.Roll():
            return f"{name} = {args[0]} shifted by {node.shift} along axis {node.axis + 1}"
        case ops.Reshape():
            return f"{name} = {args[0]} reshaped"
        case ops.Sort():
            return f"{name} = {args[0]} sorted along axis {node.axis + 1}"
        case ops.Circulant():
            return f"{name} = all shifts of {args[0]} along its last axis"
        case ops.OneHot():
            return f"{name} = one-hot vectors of {args[0]}"
        case ops.Inv():
            return f"{name} = {args[0]}^-1"
        case ops.Eigvals():
            return f"{name} = the eigenvalues of {args[0]}, symmetrised"
        case ops.Det():
            return f"{name} = det {args[0]}"
        case ops.Opaque():
            return f"{name} = {node.name}({', '.join(args)})"


def _einsum(node: ops.Einsum, name: str, args: Sequence[str]) -> str:
    letters: dict[int, str] = {}
    for label in (*node.output, *(label for row in node.inputs for label in row)):
        letters.setdefault(label, LETTERS[len(letters) % len(LETTERS)])

    def index(row: Sequence[int]) -> str:
        return "[" + ", ".join(letters[k] for k in row) + "]" if row else ""

    summed = [letters[k] for k in letters if k not in node.output]
    product = " ".join(f"{arg}{index(row)}" for arg, row in zip(args, node.inputs, strict=True))
    return f"{name}{index(node.output)} = " + (f"sum_{{{', '.join(summed)}}} " if summed else "") + product


def _axes(axes: Sequence[int]) -> str:
    return "axis " + ", ".join(str(a + 1) for a in axes)


def gap_text(program: Program, gap: Gap, lines: Mapping[int, str]) -> str:
    """Why no proof was found: the value, the user's line and the condition that fails."""
    names = value_names(program)
    place = lines.get(gap.node)
    at = f" ({place})" if place else ""
    group = str(gap.factor)
    return f"no proof under {group}: at {expression(program, gap.node, names)}{at}: {gap.reason}"


__all__ = ["derivation", "effect_text", "expression", "gap_text", "value_names"]
