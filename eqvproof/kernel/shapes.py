"""Recomputes the shapes of the nodes of a Program by `rules`, for what is not in forms."""

from __future__ import annotations

from collections.abc import Mapping

from .program import Program
from .report import Rejected, spend
from .rules import RULES
from .rules.leaves import INPUT
from .sizes import is_nonnegative


def check_shapes(program: Program, lows: Mapping[str, int]) -> None:
    """Rejects a program in which some shape does not follow from the arguments.

    Raises:
        Rejected: some shape does not follow; the message names the node.
    """
    seen: set[tuple[int, ...]] = set()
    for i, node in enumerate(program.nodes):
        rule, key = RULES[node.op], (node.kind, *(program.nodes[a].kind for a in node.args))
        if key in seen:
            spend(1 + len(node.args))
            continue  # kinds are all that is read below
        seen.add(key)
        spend(5 + len(node.shape) + len(node.args))
        names = {name for s in (*node.shape, *rule.sizes(node)) for name in s.names}
        if not names <= lows.keys():
            raise Rejected(
                f"node {i}: a size that depends on {', '.join(sorted(names - lows.keys()))}"
            )
        good = node.op != INPUT or (node.at["name"], node.shape) in program.inputs
        good = good and all(is_nonnegative(s, lows) for s in node.shape)
        if not good or not rule.shape(node, [program.nodes[a].shape for a in node.args], lows):
            raise Rejected(f"node {i}: {node.op} does not have this shape, or not for all sizes")
