"""Readable NumPy code for a Program at given sizes."""

from __future__ import annotations

from collections.abc import Mapping

from eqvproof.programs import Program, substitute_sizes
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
        text = node.code([texts[a] for a in node.args], shapes)
        short = len(text.code) <= _INLINE and (
            uses.get(i, 0) <= 1 or text.code.isidentifier() or _is_number(text)
        )
        if i == fixed.output:
            lines.append(f"    return {text.code}")
        elif short:
            texts[i] = text
        else:
            count += 1
            lines.append(f"    t{count} = {text.code}")
            texts[i] = Text(f"t{count}")
    return lines


def _is_number(text: Text) -> bool:
    return text.code.replace(".", "").replace("-", "").isdigit()
