"""Values of a Program as formulas in plain characters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eqvproof.program import ops
from eqvproof.program.reading import moved_axes

if TYPE_CHECKING:
    from eqvproof.program.program import Program

LETTERS = "ijklmpqrstuvwxyzabcdefgh"
INFIX = {
    "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!=", "and": "and", "or": "or",
    "mod": "mod", "pow": "**",
}  # fmt: skip
MATRICES = {
    "inv": "{0}^-1", "pinv": "{0}^+", "det": "det {0}", "eigvals": "the eigenvalues of {0}, symmetrised",
    "spectral": "the sum of {1}_k v_k v_k^T, v_k the eigenvectors of {0}",
}  # fmt: skip


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
        case ops.Iota():
            return f"{name}[i] = i"
        case ops.Indicator():
            if node.offset is not None:
                return f"{name}[i, j] = 1 if j <= i + {node.offset} else 0"
            return f"{name} = one-hot vectors of {args[0]}" if args else f"{name} = I"
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
        case ops.Read():
            return _read(node, name, args[0], program.nodes[node.args[0]].shape)
        case ops.Reshape():
            return f"{name} = {args[0]} reshaped"
        case ops.Sort():
            return f"{name} = {args[0]} sorted along axis {node.axis + 1}"
        case ops.Matrix():
            return f"{name} = {MATRICES[node.fn].format(*args)}"
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


def _read(node: ops.Read, name: str, arg: str, shape: ops.Shape) -> str:
    """In words where one axis is read by one other; else the entry that is read, written out."""
    moved = moved_axes(node, shape)
    place = node.places[moved[0]]
    start, along = place.start, f"along axis {moved[0] + 1}"
    if len(moved) == 1 and len(place.steps) == 1:
        if place.cyclic and place.steps == (1,):
            return f"{name} = {arg} shifted by {-start} {along}"
        if place == ops.Place(shape[moved[0]] - 1, (-1,)):
            return f"{name} = {arg} reversed {along}"
        if not place.cyclic and place.steps[0] > 0:
            every = f", every {place.steps[0]}th entry" if place.steps[0] > 1 else ""
            return f"{name} = part of {arg} {along} from entry {start + 1}{every}"
    entries = []
    for p, axes, size in zip(node.places, node.axes(), shape, strict=True):
        terms = [LETTERS[k] if s == 1 else f"{s} {LETTERS[k]}" for s, k in zip(p.steps, axes, strict=True)]
        text = " + ".join([*([str(p.start)] if p.start.terms else []), *terms]).replace("+ -1 ", "- ")
        entries.append(f"({text}) mod {size}" if p.cyclic else text)
    return f"{name}[{', '.join(LETTERS[: len(node.shape)])}] = {arg}[{', '.join(entries)}]"


def _axes(axes: Sequence[int]) -> str:
    return "axis " + ", ".join(str(a + 1) for a in axes)
