"""The user's lines, carried from the nodes of a builder to those of its Program."""

from __future__ import annotations

from collections.abc import Mapping

from eqvproof.frontends.frames import place_text
from eqvproof.program import Builder


def renumbered(b: Builder, output: int, places: Mapping[int, tuple[str, int]]) -> dict[int, str]:
    """Node of the Program that ends in ``output`` -> ``file:line: source text``."""
    needed: set[int] = set()
    stack = [output]
    while stack:
        node = stack.pop()
        if node not in needed:
            needed.add(node)
            stack.extend(b.nodes[node].args)
    return {i: place_text(*places[n]) for i, n in enumerate(sorted(needed)) if n in places}
