"""Readable NumPy code for a Program at given sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from eqvproof.programs import Program, substitute_sizes
from eqvproof.programs.operations import Read
from eqvproof.programs.operations.numpy_code import NotRenderable, Text, fixed_shape, variable

#: Largest number of constants of a Program that is written as code.
MOST_WRITTEN = 20_000
#: Largest number of characters of an expression, used once, that is written in place.
_INLINE = 56


def function_code(program: Program, sizes: Mapping[str, int], name: str = "f") -> list[str]:
    """Returns the lines of ``def f(X, ...):``.

    Raises:
        NotRenderable: the Program holds an uninterpreted function, an operation unknown here, or
            too many numbers to read.
    """
    if program.stored > MOST_WRITTEN:
        raise NotRenderable("too many numbers")
    fixed = substitute_sizes(program, sizes)
    uses: dict[int, int] = {}
    for node in fixed.nodes:
        for a in node.args:
            uses[a] = uses.get(a, 0) + 1
    texts: dict[int, Text] = {}
    lines = [f"def {name}({', '.join(variable(n) for n, _ in fixed.inputs)}):"]
    count = 0
    for i, node in enumerate(fixed.nodes[: fixed.output + 1]):
        shapes = [fixed_shape(fixed.nodes[a].shape) for a in node.args]
        args = [texts[a] for a in node.args]
        if isinstance(node, Read):
            args = [replace(args[0], counted_from_end=_counted_from_end(program, i))]
        text = node.code(args, shapes)
        single = frozenset(k for k, s in enumerate(program.nodes[i].shape) if s.constant == 1)
        text = replace(text, single_axes=single)
        short = len(text.narrow or text.code) <= _INLINE and (
            uses.get(i, 0) <= 1 or text.code.isidentifier() or _is_number(text)
        )
        if i == fixed.output:
            lines.append(f"    return {text.code}")
        elif short:
            texts[i] = text
        else:
            count += 1
            lines.append(f"    t{count} = {text.narrow or text.code}")
            texts[i] = Text(f"t{count}", single_axes=single)
            if text.narrow:
                broadcast = f"np.broadcast_to(t{count}, {fixed_shape(node.shape)})"
                texts[i] = replace(texts[i], code=broadcast, narrow=f"t{count}")
    return lines


def _counted_from_end(program: Program, number: int) -> frozenset[int]:
    """Returns the axes of the argument of a read at which it starts at a distance from the end."""
    node = program.nodes[number]
    if not isinstance(node, Read):
        return frozenset()
    pairs = zip(node.places, program.nodes[node.args[0]].shape, strict=True)
    return frozenset(
        k
        for k, (place, size) in enumerate(pairs)
        if place.start.terms and (place.start - size).constant is not None
    )


def _is_number(text: Text) -> bool:
    return text.code.replace(".", "").replace("-", "").isdigit()
