"""The function as Rocq definitions, one for each node of the Program, in index notation.

Part of the statement: nothing here looks at the types or lines of a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import prod

from eqvproof.errors import ExportError
from eqvproof.export.rocq.naming import WRITTEN, Words
from eqvproof.export.rocq.source import Node
from eqvproof.export.rocq.words import closed, number, vector
from eqvproof.size import Size

REDUCTIONS = {"max": r"\largest_", "min": r"\smallest_", "prod": r"\prod_"}
MATRICES = {
    "inv": "inverse", "det": "determinant_of", "pinv": "pseudo_inverse undoing",
    "eigvals": "eigenvalues roots", "spectral": "spectral through",
}  # fmt: skip


def definitions(words: Words) -> list[str]:
    """The definitions, in the order of the nodes."""
    lines = []
    for i, node in enumerate(words.source.nodes):
        if i in words.inline:
            continue
        index = [f"i{a}" for a in range(len(node.shape))]
        head = f"Definition {words.prefix}{i} : {words.sizes.type(node.shape)} :="
        body = (f"fun {' '.join(index)} => " if index else "") + expression(words, i)
        lines.append(f"{head}\n  {body}.")
    return lines


def expression(words: Words, i: int) -> str:
    """The entry of node i at the index i0, i1, ..."""
    node = words.source.nodes[i]
    write = WRITERS.get(node.op)
    if write is None:
        raise ExportError.of(node.op, "operations with a definition in rocq/Rules.v")
    return write(words, node)


def _index(node: Node) -> list[str]:
    return [f"i{a}" for a in range(len(node.shape))]


def _value(words: Words, node: Node, which: int, index: Sequence[str]) -> str:
    given = words.source.nodes[node.args[which]]
    if given.op == "input" and node.op != "indicator":
        place = words.source.depends()[node.args[which]][0]
        if words.source.inputs[place].indexes:
            raise ExportError.of(node.op, "indices only in comparisons with all labels")
    return words.applied(node.args[which], (), index)


def _const(words: Words, node: Node) -> str:
    values = [Fraction(v) for v in node.at["values"]]
    if len(set(values)) == 1:
        return number(values[0])
    place = "0"
    for a, size in enumerate(node.shape):
        place = f"i{a}" if a == 0 else f"{place} * {words.sizes.nat(size)} + i{a}"
        place = f"({place})" if a else place
    place = place if place.startswith("i") else f"{place}%N"
    return f"nth 0 {vector([number(v) for v in values])} {place}"


def labels(words: Words, node: Node) -> tuple[dict[int, str], dict[int, Size]]:
    """The index variable of each label of an einsum, and the sizes of those that are summed, in order."""
    variable = {label: f"i{a}" for a, label in enumerate(node.at["output"])}
    summed: dict[int, Size] = {}
    for row, argument in zip(node.at["inputs"], node.args, strict=True):
        for label, size in zip(row, words.source.nodes[argument].shape, strict=True):
            if label not in variable:
                variable[label] = f"k{len(summed)}"
                summed[label] = size
    return variable, summed


def _einsum(words: Words, node: Node) -> str:
    variable, summed = labels(words, node)
    sums = "".join(f"\\sum_({variable[lab]} < {words.sizes.nat(size)}) " for lab, size in summed.items())
    rows = enumerate(node.at["inputs"])
    return sums + " * ".join(_value(words, node, a, [variable[lab] for lab in row]) for a, row in rows)


def _add(words: Words, node: Node) -> str:
    return " + ".join(_value(words, node, a, _index(node)) for a in range(len(node.args)))


def _map(words: Words, node: Node) -> str:
    given = [closed(_value(words, node, a, _index(node))) for a in range(len(node.args))]
    fn = node.at["fn"]
    return WRITTEN[fn].format(*given) if fn in WRITTEN else " ".join([words.symbols[fn], *given])


def _select(words: Words, node: Node) -> str:
    c, a, b = (_value(words, node, which, _index(node)) for which in range(3))
    return f"if {c} != 0 then {a} else {b}"


def _reduce(words: Words, node: Node) -> str:
    given = words.source.nodes[node.args[0]]
    kept = iter(_index(node))
    index = [f"k{a}" if a in node.at["axes"] else next(kept) for a in range(len(given.shape))]
    big = REDUCTIONS[node.at["fn"]]
    over = "".join(f"{big}(k{a} < {words.sizes.nat(given.shape[a])}) " for a in node.at["axes"])
    return over + _value(words, node, 0, index)


def _read(words: Words, node: Node, which: int, axis: int, place: str) -> str:
    """The entry of an argument at a place, a natural number, along an axis."""
    index = _index(node)[: len(words.source.nodes[node.args[which]].shape)]
    index[axis] = "k0"
    return _entry(_value(words, node, which, index), [("k0", place)])


def _entry(text: str, places: Sequence[tuple[str, str]]) -> str:
    """The entry at places, natural numbers, for some variables."""
    for variable, place in reversed(places):
        text = f"entry (fun {variable} => {text}) {place}"
    return text


def _concat(words: Words, node: Node) -> str:
    axis, text, start = node.at["axis"], "", Size(())
    for which, argument in enumerate(node.args):
        place = f"(i{axis} - {words.sizes.nat(start)})%N" if start != Size(()) else f"i{axis}"
        start = start + words.source.nodes[argument].shape[axis]
        part = _read(words, node, which, axis, place)
        last = which == len(node.args) - 1
        text += part if last else f"if (i{axis} < {words.sizes.nat(start)})%N then {part} else "
    return text


def _entries(words: Words, node: Node) -> str:
    given = words.source.nodes[node.args[0]].shape
    index, wrap, at = list[str](), list[tuple[str, str]](), 0
    for a, ((start, steps, cyclic), size) in enumerate(zip(node.at["places"], given, strict=True)):
        whole, own = words.sizes.nat(size), range(at, at + len(steps))
        at += len(steps)
        if (start, steps, cyclic) == (Size(()), [1], False) and node.shape[own.start] == size:
            index.append(f"i{own.start}")
            continue
        terms = []
        for step, k in zip(steps, own, strict=True):
            one = f"i{k}" if abs(step) == 1 else f"{abs(step)} * i{k}"
            terms.append(one if step > 0 else f"({whole} - {one} %% {whole})" if cyclic else one)
        index.append(f"k{a}")
        wrap.append((f"k{a}", _place(words, start, steps, terms, whole if cyclic else "")))
    return _entry(_value(words, node, 0, index), wrap)


def _place(words: Words, start: Size, steps: Sequence[int], terms: Sequence[str], modulus: str) -> str:
    """start + the terms, those with negative steps subtracted where nothing is taken modulo a size."""
    if modulus:
        shift = start.constant
        if shift is None:
            raise ExportError.of("read", "a shift that is a number")
        back = [] if shift == 0 else [str(shift)] if shift > 0 else [f"({modulus} - {-shift} %% {modulus})"]
        return f"(({' + '.join([*terms, *back])}) %% {modulus})%N"
    plus = [t for t, step in zip(terms, steps, strict=True) if step > 0]
    minus = [t for t, step in zip(terms, steps, strict=True) if step < 0]
    text = " + ".join([*([words.sizes.nat(start)] if start.terms else []), *plus])
    for term in minus:
        text = f"{text} - {term}"
    return text if text == "".join(plus) and " " not in text else f"({text})%N"


def _sort(words: Words, node: Node) -> str:
    axis, index = node.at["axis"], _index(node)
    index[axis] = "k0"
    return f"sorted (fun k0 => {_value(words, node, 0, index)}) i{axis}"


def _indicator(words: Words, node: Node) -> str:
    *index, label = _index(node)
    if not node.args:
        offset = node.at["offset"]
        if offset is None:
            return "(i0 == i1)%:R"
        left, right = ("i1", f"i0 + {offset}") if offset > 0 else (f"i1 + {-offset}", "i0")
        return f"({left} <= {right})%N%:R" if offset else "(i1 <= i0)%N%:R"
    given = words.source.nodes[node.args[0]]
    place = words.source.depends()[node.args[0]]
    labels = words.source.inputs[place[0]].labels if given.op == "input" else None
    if labels is None:
        return f"({_value(words, node, 0, index)} == ({label} : nat)%:R)%:R"
    if labels != node.shape[-1]:
        raise ExportError.of("indicator", "as many labels as the indexed axis has")
    return f"({_value(words, node, 0, index)} == {label})%:R"


def _matrix(words: Words, node: Node) -> str:
    batch = [f"i{a}" for a in range(len(words.source.nodes[node.args[0]].shape) - 2)]
    inner = [f"(fun k0 k1 => {_value(words, node, 0, [*batch, 'k0', 'k1'])})"]
    if node.args[1:]:
        inner.append(f"(fun k0 => {_value(words, node, 1, [*batch, 'k0'])})")
    return " ".join([MATRICES[node.at["fn"]], *inner, *_index(node)[len(batch) :]])


def _opaque(words: Words, node: Node) -> str:
    given = []
    for which, argument in enumerate(node.args):
        index = [f"k{a}" for a in range(len(words.source.nodes[argument].shape))]
        value = _value(words, node, which, index)
        given.append(f"(fun {' '.join(index)} => {value})" if index else closed(value))
    return " ".join([words.symbols[node.at["name"]], *given, *_index(node)])


def groups(before: Sequence[Size], after: Sequence[Size]) -> list[tuple[list[int], list[int]]]:
    """Axes before and after a reshape, in groups of equal size; axes of size 1 are left out."""
    one = Size.of(1)
    left = [a for a, s in enumerate(before) if s != one]
    right = [a for a, s in enumerate(after) if s != one]
    found: list[tuple[list[int], list[int]]] = []
    while left or right:
        ours, theirs = left[:1], right[:1]
        left, right = left[1:], right[1:]
        while (p := prod((before[a] for a in ours), start=one)) != (
            q := prod((after[a] for a in theirs), start=one)
        ):
            grow = (p.divide(q) is None and q.divide(p) is not None) or not right
            if grow and left:
                ours.append(left.pop(0))
            elif right:
                theirs.append(right.pop(0))
            else:
                raise ExportError.of("reshape", "axes that are joined and split in groups")
        found.append((ours, theirs))
    return found


def _reshape(words: Words, node: Node) -> str:
    before, after = words.source.nodes[node.args[0]].shape, node.shape
    index = ["ord0"] * len(before)
    wrap: list[tuple[str, str]] = []
    for ours, theirs in groups(before, after):
        if len(ours) == len(theirs) == 1:
            index[ours[0]] = f"i{theirs[0]}"
            continue
        flat = f"i{theirs[0]}"
        for a in theirs[1:]:
            flat = f"({flat} * {words.sizes.nat(after[a])} + i{a})"
        for n, a in enumerate(ours):
            later = prod((before[b] for b in ours[n + 1 :]), start=Size.of(1))
            place = flat if later == Size.of(1) else f"{flat} %/ {words.sizes.nat(later)}"
            place = place if n == 0 else f"({place}) %% {words.sizes.nat(before[a])}"
            index[a] = f"k{a}"
            wrap.append((f"k{a}", place if place.startswith("i") and " " not in place else f"({place})%N"))
    return _entry(_value(words, node, 0, index), wrap)


WRITERS: dict[str, Callable[[Words, Node], str]] = {
    "const": _const, "iota": lambda words, node: "(i0 : nat)%:R", "indicator": _indicator,
    "einsum": _einsum, "add": _add, "map": _map,
    "select": _select, "reduce": _reduce, "concat": _concat, "read": _entries,
    "reshape": _reshape, "sort": _sort, "matrix": _matrix, "opaque": _opaque,
}  # fmt: skip
