"""Writes docs/rules.md from the rules themselves: what they derive of one-line functions, and their proofs.

python docs/make_rules.py           rewrites the page
python docs/make_rules.py --check   exits 1 if the page is out of date
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rules.md"
sys.path.insert(0, str(ROOT))

from docs.generated import keep  # noqa: E402
from eqvproof.claims.groups import Factor, parse_group  # noqa: E402
from eqvproof.claims.signature import Signature, parse_signature  # noqa: E402
from eqvproof.engines.linear_types import Proof, infer_equivariance, move_rules  # noqa: E402
from eqvproof.programs import Program, Size  # noqa: E402
from eqvproof.programs.operations import OPERATIONS  # noqa: E402
from eqvproof.programs.rules import (  # noqa: E402
    Context,
    Stuck,
    characters,
    invariant_constants,
    sums,
    translations,
)
from eqvproof.support.errors import GroupError  # noqa: E402
from eqvproof.tracing.numpy.trace import trace_all_sizes  # noqa: E402

INTRODUCTION = """# The rules of inference

A proof for all sizes is a list of lines, one for each value, which say how the group acts on the axes of
that value. A rule derives the line of an operation's result from the lines of its arguments.
`docs/make_rules.py` writes this page from the rules: the table from what they derive, the rest from their
docstrings. If no rule applies, the result is unknown; nothing is guessed. Each rule has a counterpart in
the kernel, which re-checks every proof and was written from the same statements.

## What they derive

The table shows how the group acts on the value of an expression when it acts on the axis `n` of `x`, `y`
(vectors of size n), `X`, `Y` (matrices n k) and `A` (n n), for all sizes n and k. **moves** means that it
acts along the axes n of the value, as on the inputs; *invariant* means that the value does not change; a dash
means that no rule derives either, and other engines decide or refute the claim. T(n) adds a vector t along
one axis of a value, Scale(n) multiplies by c > 0 for each axis n. `V` also has an axis `n!`, of size n, on
which the group does not act.
"""

Row = tuple[str, str, Callable[..., Any], tuple[str, ...]]
VECTOR, MATRIX, SCALAR = ("n", "n!"), ("n k", "n! k"), ("()",)
SQUARE, OTHER = ("n n", "n! n!"), ("k",)
ROWS: tuple[Row, ...] = (
    ("x + y", "x: n, y: n", lambda x, y: x + y, VECTOR),
    ("x + 1", "x: n", lambda x: x + 1, VECTOR),
    ("2 * x", "x: n", lambda x: 2 * x, VECTOR),
    ("x - x.mean()", "x: n", lambda x: x - x.mean(), VECTOR),
    ("X - X.mean(1, keepdims=True)", "X: n k", lambda X: X - X.mean(1, keepdims=True), MATRIX),
    ("x * y", "x: n, y: n", lambda x, y: x * y, VECTOR),
    ("x @ y", "x: n, y: n", lambda x, y: x @ y, SCALAR),
    ("X.T @ X, entries of its rows", "X: n k", lambda X: (X.T @ X).sum(0), OTHER),
    ("np.outer(x, y)", "x: n, y: n", lambda x, y: np.outer(x, y), SQUARE),
    ("A @ x", "A: n n, x: n", lambda A, x: A @ x, VECTOR),
    ("A.T", "A: n n", lambda A: A.T, SQUARE),
    ("np.trace(A)", "A: n n", np.trace, SCALAR),
    ("np.diag(A)", "A: n n", np.diag, VECTOR),
    ("A + np.eye(n)", "A: n n", lambda A: A + np.eye(len(A)), SQUARE),
    ("A + 1", "A: n n", lambda A: A + 1, SQUARE),
    ("x.sum()", "x: n", lambda x: x.sum(), SCALAR),
    ("x.max()", "x: n", lambda x: x.max(), SCALAR),
    ("x.prod()", "x: n", lambda x: x.prod(), SCALAR),
    ("np.linalg.norm(x)", "x: n", np.linalg.norm, SCALAR),
    ("x / np.linalg.norm(x)", "x: n", lambda x: x / np.linalg.norm(x), VECTOR),
    ("np.tanh(x)", "x: n", np.tanh, VECTOR),
    ("np.abs(x)", "x: n", np.abs, VECTOR),
    ("np.exp(x)", "x: n", np.exp, VECTOR),
    ("np.maximum(x, 0)", "x: n", lambda x: np.maximum(x, 0), VECTOR),
    ("np.sign(x)", "x: n", np.sign, VECTOR),
    ("np.where(x > y, x, y)", "x: n, y: n", lambda x, y: np.where(x > y, x, y), VECTOR),
    ("np.sort(x)", "x: n", np.sort, VECTOR),
    ("np.cumsum(x)", "x: n", np.cumsum, VECTOR),
    ("np.roll(x, 1)", "x: n", lambda x: np.roll(x, 1), VECTOR),
    ("x[::-1]", "x: n", lambda x: x[::-1], VECTOR),
    ("x[0]", "x: n", lambda x: x[0], SCALAR),
    ("np.arange(n) * x", "x: n", lambda x: np.arange(len(x)) * x, VECTOR),
    ("np.concatenate([X, Y], axis=1)", "X: n k, Y: n k", lambda X, Y: np.concatenate([X, Y], axis=1),
     ("n 2k", "n! 2k")),
    ("X.reshape(-1), its entries", "X: n k", lambda X: X.reshape(-1).sum(), SCALAR),
    ("np.linalg.inv(A)", "A: n n", np.linalg.inv, SQUARE),
    ("np.linalg.det(A)", "A: n n", np.linalg.det, SCALAR),
    ("np.linalg.det(V)", "V: n n!", np.linalg.det, SCALAR),
)  # fmt: skip
SHOWN = ("S(n)", "A(n)", "C(n)", "D(n)", "O(n)", "SO(n)", "Signs(n)", "GL(n)", "T(n)", "Scale(n)")


def derived(row: Row, program: Program, group: str) -> str:
    """What the rules derive of a one-line function: "moves", "invariant", or a dash."""
    _, inputs, _, outputs = row
    for output in outputs:
        signature = parse_signature(f"{inputs} -> {output}")
        try:
            parsed = parse_group(group, signature)
        except GroupError:  # T(n) adds to one axis of a value only
            return ""
        if group in ("T(n)", "Scale(n)"):
            return move(program, signature, parsed.factors[0])
        if isinstance(infer_equivariance(program, signature, parsed, {}), Proof):
            return "**moves**" if "n" in output.split() else "*invariant*"
    return "-"


def move(program: Program, signature: Signature, factor: Factor) -> str:
    """How a translation by t, or a multiple c, of the inputs moves the value, or a dash."""
    rules = move_rules(factor)
    assert rules is not None  # noqa: S101
    context = Context(
        factor.family,
        factor.axis,
        Size.of("n"),
        program.nodes,
        {},
        totals=sums.totals(program.nodes, {}),
        numbers=characters.DEGREES,
    )
    types: list[Any] = []
    for node in program.nodes:
        try:
            if node.input_name is not None:
                types.append(rules.claimed(signature.argument(node.input_name).axes, factor))
            else:
                types.append(rules.infer(node, [types[a] for a in node.args], context))
        except Stuck:
            return "-"
    found = types[program.output]
    if factor.family == "Scale":
        return "*invariant*" if not found else f"times c^{found}" if found != 1 else "times c"
    if found is None:
        return "*invariant*"
    times = str(found.num) if str(found.den) == "1" else f"({found.num})/({found.den})"
    return "plus t" if times == "1" else f"plus {times} t"


def table() -> list[str]:
    """The table of one-line functions."""
    lines = ["| expression | " + " | ".join(SHOWN) + " |", "|---|" + "---|" * len(SHOWN)]
    for row in ROWS:
        signature = parse_signature(f"{row[1]} -> {row[3][0]}")
        program = trace_all_sizes(row[2], signature, {}).program
        cells = [derived(row, program, group) for group in SHOWN]
        lines.append(f"| `{row[0]}` | " + " | ".join(cells) + " |")
    return lines


def operations() -> list[str]:
    """The operations, each with the file that holds its rule."""
    lines = ["| operation | value | cited as | rule |", "|---|---|---|---|"]
    for name, operation in OPERATIONS.items():
        meaning = " ".join((inspect.getdoc(operation) or "").split("\n\n")[0].split()).replace("|", "\\|")
        module = operation.__module__.rsplit(".", 1)[1]
        lines.append(f"| {name} | {meaning} | {operation.rule} | [{module}](#{anchor(module)}) |")
    return lines


def anchor(module: str) -> str:
    """The link to a rule's section."""
    return f"rule-{module}"


def section(module: ModuleType) -> list[str]:
    """A rule: its first sentence as a title, and its bars and proof as they stand in the code."""
    name = module.__name__.rsplit(".", 1)[1]
    text = (module.__doc__ or "").strip()
    place = module.__name__.replace(".", "/")
    return [f"### rule: {name}", "", f"In `{place}.py`.", "", "```text", text, "```", ""]


def page() -> str:
    """The whole page."""
    modules = [sys.modules[operation.__module__] for operation in OPERATIONS.values()]
    lines = [INTRODUCTION, *table(), "", "## The operations", "", *operations(), "", "## The rules", ""]
    acts = sys.modules["eqvproof.programs.rules.acts"]
    lines += ["How a group acts on a value:", "", "```text", (acts.__doc__ or "").strip(), "```", ""]
    for module in (*modules, characters, invariant_constants, translations, sums):
        lines += section(module)
    return "\n".join(lines).rstrip() + "\n"


if __name__ == "__main__":
    sys.exit(keep(PAGE, page()))
