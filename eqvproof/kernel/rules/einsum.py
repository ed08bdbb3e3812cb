"""Sums of products: out[I] = sum over K of the product of the arguments at their labels."""

from __future__ import annotations

from typing import Any

from ..acts import UNI, Act, dual, fits, fixed, is_fixed
from ..powers import Power, summed
from ..program import Node, Shape
from ..text import items
from .base import Lows, Rule, Step, read_by, read_integers


def _rows(value: Any, path: str) -> tuple[tuple[int, ...], ...]:
    return tuple(read_integers(v, path) for v in items(value, path))


def _shape(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    rows, output = node.at["inputs"], node.at["output"]
    if [len(row) for row in rows] != [len(shape) for shape in shapes] or len(output) != len(
        node.shape
    ):
        return False
    sizes = dict(zip(output, node.shape, strict=True))
    pairs = [
        pair
        for row, shape in zip(rows, shapes, strict=True)
        for pair in zip(row, shape, strict=True)
    ]
    return len(sizes) == len(output) and all(
        sizes.setdefault(label, size) == size for label, size in pairs
    )


def _typed(step: Step) -> bool:
    """Checks the type, one label at a time, with the others held.

    An argument that is UNI at a label does not depend on it. No other occurrence: the result does
    not depend on a kept label; a sum over one multiplies by its size. Fixed occurrences: nothing
    happens term by term.

    perm: if g permutes all occurrences alike, it permutes the terms: a kept label is permuted so, a
    sum is the same.

    orth: one occurrence u with act A gives (A u) w = A (u w) where w does not depend on the label;
    a sum over two is (A u).(A w) = u.w.

    lin: the same, but a sum is over one act and its dual, (A u).(A^-T w) = u.w.

    sign: entry i is multiplied by a_i = 1 or -1 once for each of e acted occurrences, by a_i^e in
    all: by a_i for odd e, by 1 for even e.
    """
    node, stated, kind = step.node, step.stated, step.kind
    output = node.at["output"]
    occurrences: dict[int, list[Act]] = {label: [] for label in output}
    for row, premise in zip(node.at["inputs"], step.types, strict=True):
        for label, act in zip(row, premise, strict=True):
            occurrences.setdefault(label, []).extend([act] * (act != UNI))
    for label, acts in occurrences.items():
        acted = [act for act in acts if not is_fixed(act)]
        if acted:
            common = acted[0]
        elif acts:
            common = acts[0]
        else:
            common = UNI
        if kind == "sign":
            good = all(act == common for act in acted) and (label in output or len(acted) % 2 == 0)
            if acted and len(acted) % 2 == 0:
                if label in output:
                    common = fixed(node.shape[output.index(label)])
                else:
                    common = UNI
        elif kind == "lin" and acted:
            pair = len(acts) == 2 and label not in output and acts[0] == dual(acts[1])
            good = pair or (len(acts) == 1 and label in output)
        elif kind == "perm" or not acted:
            good = all(act == common for act in acts)
        else:
            good = all(act == common for act in acts) and len(acts) == (1 if label in output else 2)
        if not good or (label in output and not fits(common, stated[output.index(label)], kind)):
            return False
    return True


def _power(step: Step) -> Power:
    """Returns the sum of the powers: characters come out of products and of sums."""
    return summed(step.powers)


RULE = Rule(
    "einsum", _shape, _typed, _power, arguments=(1, 256),
    attributes={"inputs": read_by(_rows), "output": read_by(read_integers)}, form="product",
)  # fmt: skip
