"""Which lemmas of rocq/Rules.v prove a line: the rule of an operation, for the acts that are stated.

Nothing is checked here: a type that is wrong gives a lemma that Rocq rejects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from eqvproof.errors import ExportError
from eqvproof.export.rocq.function import labels
from eqvproof.export.rocq.naming import Words
from eqvproof.export.rocq.source import FIX, STD, UNI, Factor, Node

#: The rule of each operation, or function of matrices -> (lemmas for permutations, for orthogonal matrices).
LEMMAS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "einsum": (
        ("sum_moved", "sum_kept", "mul_same"),
        ("act_dot", "act_mull", "act_mulr", "act_sum", "act_act", "act_zero", "sum_kept", "mul_same"),
    ),
    "add": (("add_same",), ("act_add", "add_same")),
    "map": (("map1_same", "map2_same"), ("map1_same", "map2_same")),
    "select": (("select_same",), ("act_if", "select_same")),
    "reduce": (
        ("largest_moved", "largest_kept", "smallest_moved", "smallest_kept", "prod_moved", "prod_kept"),
        ("largest_kept", "smallest_kept", "prod_kept"),
    ),
    "concat": (("concat_same", "entry_same"), ("act_if", "act_entry", "concat_same", "entry_same")),
    "read": (("entry_same",), ("act_entry", "entry_same")),
    "reshape": (("entry_same",), ("act_entry", "entry_same")),
    "sort": (("sorted_moved", "sorted_kept"), ("sorted_kept",)),
    "indicator": (("eye_moved", "onehot_moved", "label_same"), ("act_eye", "label_same")),
    "matrix inv": (
        ("inverse_moved", "inverse_moved_rows", "inverse_moved_columns", "inverse_kept"),
        ("inverse_turned_both", "inverse_turned_rows", "inverse_turned_columns", "inverse_kept"),
    ),
    "matrix det": (("determinant_moved", "determinant_kept"), ("determinant_turned", "determinant_kept")),
    "matrix eigvals": (("eigenvalues_moved", "eigenvalues_kept"), ("eigenvalues_turned", "eigenvalues_kept")),
    "matrix spectral": (("spectral_moved", "spectral_kept"), ("spectral_turned", "spectral_kept")),
    "matrix pinv": (
        ("pseudo_moved", "pseudo_moved_rows", "pseudo_moved_columns", "pseudo_kept"),
        ("pseudo_turned_both", "pseudo_turned_rows", "pseudo_turned_columns", "pseudo_kept"),
    ),
}
#: Operations whose values do not depend on the input: the two sides are one expression.
LEAVES = ("const", "size", "iota", "input")
#: Operations whose rule is an assumption of the theorem: a function has one value on equal arguments.
ASSUMED = ("opaque",)


@dataclass(frozen=True, slots=True)
class Setting:
    """What a line is proved under; without a factor: that a value is constant along axes.

    Attributes:
        element: the name of the group element.
        types: the acts along the axes of each node.
    """

    words: Words
    factor: Factor | None
    element: str
    types: Mapping[int, Sequence[str]]

    @property
    def permutes(self) -> bool:
        """Whether the element is a permutation."""
        return self.factor is not None and self.factor.permutes

    @property
    def turns(self) -> bool:
        """Whether the element is an orthogonal matrix."""
        return self.factor is not None and not self.factor.permutes

    def acts(self, node: int) -> list[str]:
        """How the element acts along the axes of a node; constant axes count as fixed."""
        if self.factor is None:
            return [FIX] * len(self.words.source.nodes[node].shape)
        return [FIX if act == UNI else act for act in self.types[node]]


def script(s: Setting, i: int) -> str:
    """The tactics that prove the line of node i, after its indices are introduced."""
    node = s.words.source.nodes[i]
    out = "".join(f"kept o{s.element} i{a}; " for a, act in enumerate(s.acts(i)) if act == STD and s.turns)
    match node.op:
        case "einsum":
            return _einsum(s, node) + out + "same"
        case "add" | "select" | "concat" | "read" | "reshape":
            return out + "same"
        case "map":
            return f"apply: map{len(node.args)}_same; known"
        case "reduce":
            return _reduce(s, node)
        case "sort":
            return f"apply: {_variant(s, 'sorted', s.acts(node.args[0])[node.at['axis']])} => ?; known"
        case "indicator":
            return _indicator(s, i)
        case "matrix":
            return _matrix(s, node)
        case "opaque":
            return f"apply: {s.words.symbols[node.at['name']]}_same => *; known"
        case "const" if STD in s.acts(i):
            raise ExportError.of("const", "constants on which the group does not act")
        case _:
            return "done"


def _variant(s: Setting, name: str, act: str) -> str:
    """The lemma for an axis that is permuted, or on which nothing acts."""
    return f"({name}_moved (s := {s.element}))" if act == STD and s.permutes else f"{name}_kept"


def _einsum(s: Setting, node: Node) -> str:
    variable, summed = labels(s.words, node)
    acted = {
        label
        for row, argument in zip(node.at["inputs"], node.args, strict=True)
        for label, act in zip(row, s.acts(argument), strict=True)
        if act == STD
    }
    if s.permutes:
        sums = [(_variant(s, "sum", STD if label in acted else FIX), variable[label]) for label in summed]
        return "".join(f"apply: {lemma} => {index}; " for lemma, index in sums)
    steps = ""
    for depth, label in enumerate(summed):
        if s.turns and label in acted:
            inner = "inside; " * depth
            steps += f"eapply eq_trans; [ {inner}dot o{s.element} | cbv beta ]; "
    return steps


def _reduce(s: Setting, node: Node) -> str:
    name = {"max": "largest", "min": "smallest", "prod": "prod"}[node.at["fn"]]
    acts = s.acts(node.args[0])
    return "".join(f"apply: {_variant(s, name, acts[a])} => ?; " for a in node.at["axes"]) + "known"


#: Function of matrices -> the beginning of its lemmas' names, whether rows and columns may be acted on alone.
_MATRICES = {
    "inv": ("inverse", True), "pinv": ("pseudo", True), "det": ("determinant", False),
    "eigvals": ("eigenvalues", False), "spectral": ("spectral", False),
}  # fmt: skip


def _matrix(s: Setting, node: Node) -> str:
    name, alone = _MATRICES[node.at["fn"]]
    rows, columns = (act == STD for act in s.acts(node.args[0])[-2:])
    both = rows and columns
    known = "[? ? | ?]; known" if node.args[1:] else "? ?; known"
    if not (both or (alone and (rows or columns))):
        return f"apply: {name}_kept => {known}"
    tail = "" if not alone else "_both" if both else "_rows" if rows else "_columns"
    if s.turns:
        return f"apply: ({name}_turned{tail} o{s.element}) => {known}"
    tail = "" if both else tail
    given = f"(s := {s.element})" + (f" (t := {s.element})" if both and alone else "")
    return f"apply: ({name}_moved{tail} {given}) => {known}"


def _indicator(s: Setting, i: int) -> str:
    node = s.words.source.nodes[i]
    if not node.args:
        moved = "eye_moved" if s.permutes else f"(act_eye o{s.element})"
        return f"exact: {moved}" if STD in s.acts(i) else "done"
    given = s.words.source.nodes[node.args[0]]
    place = s.words.source.depends()[node.args[0]]
    indexed = s.words.source.inputs[place[0]].indexes if given.op == "input" else None
    if indexed is None:
        return "apply: label_same; known"
    if s.factor is None:
        return "done"
    hypothesis = f"{s.words.inputs[place[0]]}_{s.factor.suffix}"
    return f"rewrite {hypothesis}; " + ("exact: onehot_moved" if indexed == s.factor.axis else "done")
