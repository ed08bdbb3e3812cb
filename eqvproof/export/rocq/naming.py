"""The names that things have in an exported file, and the numbers that it speaks of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from eqvproof.errors import ExportError
from eqvproof.export.rocq.source import Source
from eqvproof.export.rocq.words import Names, Sizes, closed, number

#: Elementwise functions that have a meaning in every ordered field; {0}, {1}: the arguments.
WRITTEN = {
    "recip": "{0}^-1", "sqrt": "Num.sqrt {0}", "abs": "`|{0}|", "sign": "Num.sg {0}",
    "maximum": "Num.max {0} {1}", "minimum": "Num.min {0} {1}", "lt": "is_lt {0} {1}", "le": "is_le {0} {1}",
    "gt": "is_gt {0} {1}", "ge": "is_ge {0} {1}", "eq": "is_eq {0} {1}", "ne": "is_ne {0} {1}",
    "and": "is_and {0} {1}", "or": "is_or {0} {1}", "not": "is_not {0}",
}  # fmt: skip
#: Functions of matrices: what a theorem about them is about besides.
MATRICES = {
    "eigvals": {"roots": "{poly R} -> nat -> R"},
    "spectral": {"through": "{poly R} -> seq R -> {poly R}"},
    "pinv": {"undoing": "{poly R} -> {poly R}"},
}
STRUCTURES = ("comRingType", "fieldType", "realFieldType", "rcfType")


@dataclass(frozen=True, slots=True)
class Words:
    """The names that things have in a file.

    Attributes:
        functions: elementwise and opaque functions that may be any functions: name -> type.
        inline: nodes that are written out where they are used: numbers, sizes, inputs.
    """

    source: Source
    sizes: Sizes
    axes: dict[str, str]
    inputs: tuple[str, ...]
    functions: dict[str, str]
    symbols: dict[str, str]
    inline: dict[int, str]
    elements: tuple[str, ...]
    prefix: str = field(default="v")

    def applied(self, node: int, arguments: Sequence[str], index: Sequence[str]) -> str:
        """The entry of a value, for these inputs."""
        if node in self.inline and self.source.nodes[node].op != "input":
            return closed(self.inline[node])
        if node in self.inline:
            place = self.source.depends()[node][0]
            return " ".join([arguments[place] if arguments else self.inputs[place], *index])
        chosen = [arguments[i] for i in self.source.depends()[node]] if arguments else []
        return " ".join([f"{self.prefix}{node}", *chosen, *index])

    def input_type(self, place: int) -> str:
        """The type of an argument of the function."""
        given = self.source.inputs[place]
        labels = given.labels
        return self.sizes.type(given.shape, "R" if labels is None else self.sizes.ordinal(labels))


def words_of(source: Source) -> Words:
    """Names for everything in a file."""
    names = Names()
    axes = {name: names.fresh(name) for name in source.names}
    sizes = Sizes(axes)
    elements = tuple(names.fresh(("s_" if f.permutes else "Q_") + str(f.axis)) for f in source.factors)
    inputs = tuple(names.fresh(given.name) for given in source.inputs)
    places = {given.name: i for i, given in enumerate(source.inputs)}
    functions: dict[str, str] = {}
    symbols: dict[str, str] = {}
    inline: dict[int, str] = {}

    def symbol(name: str, type_: str) -> None:
        word = symbols.setdefault(name, "pi" if name == "pi" else names.fresh(name))
        if functions.setdefault(word, type_) != type_:
            raise ExportError.of(f"opaque {name}", "one shape for each opaque function")

    for i, node in enumerate(source.nodes):
        if node.op == "input":
            inline[i] = inputs[places[node.at["name"]]]
        elif node.op == "const" and not node.shape:
            inline[i] = number(Fraction(node.at["values"][0]))
        elif node.op == "size":
            inline[i] = sizes.scalar(node.at["size"])
        elif node.op == "map" and node.at["fn"] not in WRITTEN:
            symbol(node.at["fn"], " -> ".join(["R"] * (len(node.args) + 1)))
            if not node.args:
                inline[i] = symbols[node.at["fn"]]
        elif node.op == "matrix":
            functions.update(MATRICES.get(node.at["fn"], {}))
        elif node.op == "opaque":
            given = [f"({sizes.type(source.nodes[a].shape)})" for a in node.args]
            symbol(node.at["name"], " -> ".join([*given, sizes.type(node.shape)]))
    return Words(source, sizes, axes, inputs, functions, symbols, inline, elements)


def structure(source: Source) -> str:
    """The weakest structure of numbers in which the function can be written."""
    needed = 0
    for node in source.nodes:
        fn = node.at.get("fn", "")
        if fn == "sqrt":
            needed = 3
        elif fn in ("max", "min") or (fn in WRITTEN and fn != "recip") or node.op == "sort":
            needed = max(needed, 2)
        elif fn == "recip" or node.op == "matrix" or (
            node.op == "const" and any(Fraction(v).denominator != 1 for v in node.at["values"])
        ):  # fmt: skip
            needed = max(needed, 1)
    return STRUCTURES[needed]
