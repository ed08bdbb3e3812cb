"""Reads proofs as plain data, with sizes as polynomials."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm, prod
from typing import Any

from eqvproof.claims.groups.families import EVERY_FAMILY, containing
from eqvproof.claims.groups.family import Family
from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.irreps import (
    DUAL,
    FIX,
    STD,
    STILL,
    Act,
    Part,
    in_one,
    merged,
    normalised,
    parts_of_irrep,
)
from eqvproof.programs.operations.opaque import ENTRIES
from eqvproof.programs.program import parse_numbers
from eqvproof.support.errors import ExportError

#: Stands in place of numbers for the table next to the stored one that rotations keep.
INVARIANT = "invariant"
ONE = Size.of(1)


@dataclass(frozen=True, slots=True)
class Node:
    """An operation of the Program; `at` holds its attributes."""

    op: str
    args: tuple[int, ...]
    shape: tuple[Size, ...]
    at: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of the group, the axis on which it acts, and the size of its elements.

    Attributes:
        each: the axis for each entry of which there is an element, or empty for one element.
        count: the number of these entries.
        root: of multiples, the power of the scalar in the forms that an element is: where values
            have degrees with this denominator in the claim, they have integral ones in the forms.
    """

    letter: str
    axis: str | int
    size: Size
    each: str = ""
    count: Size = ONE
    root: int = 1

    @property
    def family(self) -> Family:
        """The family of groups."""
        return EVERY_FAMILY[self.letter]

    @property
    def may_keep_tables(self) -> bool:
        """Returns True if it moves or mixes entries of an axis of a literal size."""
        return self.size.constant is not None and self.family.kind.acts_by_matrices

    def __str__(self) -> str:
        words = f"{self.letter}({self.axis})"
        if self.each:
            words += f" each {self.each}"
        return words


@dataclass(frozen=True, slots=True)
class Type:
    """The acts of a factor of the group along the axes of a value, and its character's power."""

    acts: tuple[Act, ...]
    power: int = 0


#: The effect of a translation on a value, as in `rocq/Motions.v`: ("Still",); ("Moved", axis along
#: which the vector is added); or ("Share", axis along which the entries sum to 1, its size).
Motion = tuple[Any, ...]
STAYS: Motion = ("Still",)


@dataclass(frozen=True, slots=True)
class Input:
    """An argument: its claimed name and axes, and the axis that its entries index, if any.

    `labels` is the size of that axis.
    """

    name: str
    axes: tuple[Any, ...]
    indexes: str | None
    labels: Size | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """The content of a claim of equivariance.

    Attributes:
        lows: the least size in scope of each name of the arguments. A name that only the result has
            is the size that the program returns.
        pins: the names that have one size.
    """

    inputs: tuple[Input, ...]
    output_axes: tuple[Any, ...]
    factors: tuple[Factor, ...]
    lows: Mapping[str, int]
    pins: Mapping[str, Size]

    def rigid(self) -> Iterator[tuple[int, int]]:
        """Yields the places of translations and orthogonal maps of one axis.

        These generate E(d), or SE(d), with one element for all entries.
        """
        motions = (f for f in EVERY_FAMILY.values() if f.kind.translates)
        turns = {part.letter for family in motions for part in family.parts[1:]}
        for i, shift in enumerate(self.factors):
            for j, turn in enumerate(self.factors):
                of_one = (turn.axis, turn.size) == (shift.axis, shift.size)
                if shift.each or turn.each:
                    continue
                if shift.family.kind.only_translates and turn.letter in turns and of_one:
                    yield i, j

    def entries(
        self, factor: Factor, axes: tuple[Any, ...], indexes: str | None = None
    ) -> int | None:
        """Returns the axis of a value with an element for each entry; None if nothing acts on it."""
        acted = any(_acts(factor, t) or _turns(factor, t) for axis in axes for t in axis)
        if not acted and (indexes is None or indexes != factor.axis):
            return None
        for k, axis in enumerate(axes):
            if [term[:3] for term in axis] == [(1, factor.each, "")]:
                return k
        raise ExportError.of(
            f"{factor} acts on a value without the axis", "values with an entry for each element"
        )

    def shape(self) -> tuple[Size, ...]:
        """Returns the sizes of the axes of the result, as claimed."""
        return _axis_sizes(self.output_axes)

    def given_shape(self, place: int) -> tuple[Size, ...]:
        """Returns the sizes of the axes of an argument, as claimed, and that of its labels."""
        given = self.inputs[place]
        sizes = _axis_sizes(given.axes)
        if given.labels is not None:
            sizes = (*sizes, given.labels)
        return sizes

    def moved(self, factor: Factor, axes: tuple[Any, ...]) -> Motion:
        """Returns the claimed effect of a translation on a value."""
        places = [
            i for i, axis in enumerate(axes) if any(_acts(factor, t) and not t[2] for t in axis)
        ]
        if not places:
            return STAYS
        if len(places) > 1 or len(axes[places[0]]) > 1:
            raise ExportError.of(
                "a value with several parts that are translated", "points along one axis"
            )
        return "Moved", places[0]

    def moves(self, factor: Factor, given: Input) -> Motion:
        """Returns the claimed effect of a translation on an argument.

        Indices stand for the indicators of their labels, one of which is 1.
        """
        if given.labels:
            return ("Share", len(given.axes), given.labels)
        return self.moved(factor, given.axes)

    def claimed(self, factor: Factor, axes: tuple[Any, ...]) -> Type:
        """Returns the claimed type of a value under a factor."""
        if factor.family.kind.multiplies:
            return Type(
                ((),) * len(axes),
                factor.root * sum(_multiple(factor, term) for axis in axes for term in axis),
            )
        return Type(
            *normalised(
                merged(p for term in axis for p in _parts_of_term(factor, term)) for axis in axes
            )
        )

    def assumed(
        self, factor: Factor, symmetry: Any, shapes: Sequence[tuple[Size, ...]]
    ) -> tuple[list[Type], Type] | None:
        """Returns the assumed types of the arguments and the value of a function, or None.

        The shapes are those of the arguments, and of the value.
        """
        if symmetry is None or symmetry == ENTRIES:
            return None
        rows = [*symmetry["inputs"], symmetry["output"]]
        if [*map(len, rows)] != [*map(len, shapes)]:
            return None
        sizes = {
            axis[0][1]: size
            for row, shape in zip(rows, shapes, strict=True)
            for axis, size in zip(row, shape, strict=True)
            if len(axis) == 1 and axis[0][0] == 1 and axis[0][1]
        }
        pairs = [
            pair
            for row, shape in zip(rows, shapes, strict=True)
            for pair in zip(row, shape, strict=True)
        ]
        if any(
            sum((term[3] for term in _pinned([axis], sizes)[0]), Size(())) != size
            for axis, size in pairs
        ):
            return None  # it is assumed of other shapes
        for entry in symmetry["group"]:
            own = Factor(factor.letter, entry["axis"], factor.size, root=factor.root)
            size = Size.of(own.axis).substitute(sizes) * factor.family.reals
            if entry["family"] in containing(factor.family) and size == factor.size:
                *arguments, value = (self.claimed(own, _pinned(row, sizes)) for row in rows)
                return arguments, value
        return None

    def given(self, factor: Factor, place: int) -> Type:
        """Returns the claimed type of an argument under a factor.

        Indices stand for the indicators of their labels.
        """
        given = self.inputs[place]
        found = self.claimed(factor, given.axes)
        if given.indexes is None:
            return found
        moves = given.indexes == factor.axis and not factor.family.kind.multiplies
        return Type((*found.acts, ((STD, factor.size),) if moves else ()), found.power)


def keeps_form(factor: Factor, stated: Type, *, signs: bool) -> bool:
    """Checks whether a factor keeps the matrix of a form, on which it acts as a type says."""
    family = factor.family
    moved = [Type((((kind, factor.size),),) * 2) for kind in (STD, DUAL)]
    is_its_form = family.keeps_form and (family.form(2) == [[1, 0], [0, -1]]) == signs
    return bool(is_its_form and stated in moved)


@dataclass(frozen=True, slots=True)
class Shown:
    """How normal forms show the type of a node under sign flips.

    Attributes:
        premises: the nodes from whose types it follows.
        way: how the normal forms are made, as certificates hold it.
    """

    premises: tuple[int, ...]
    way: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NodeTypes:
    """The types of the nodes for a factor of the group.

    Attributes:
        types: by node; those between a node that is shown and its premises may have none.
        shown: the nodes whose types normal forms show.
    """

    types: Mapping[int, Type] = field(default_factory=dict)
    shown: Mapping[int, Shown] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Source(Claimed):
    """The content of a proof by types of the nodes of a Program.

    Attributes:
        types: for each factor of the group, the types of the nodes; none under translations.
        ways: the ways of the normal forms that prove it for factors of the group, by number.
        signs: for each node with eigenvectors the types of all nodes where their signs are flipped.
        readings: the constants that are read as others, by node: the stored numbers and the read
            ones, as text; of the table next to it that rotations keep, `INVARIANT`.
    """

    nodes: tuple[Node, ...]
    output: int
    types: tuple[NodeTypes, ...]
    signs: Mapping[int, NodeTypes]
    readings: Mapping[int, tuple[str, str]]
    ways: Mapping[int, Any] = field(default_factory=dict)


def _axis_sizes(axes: tuple[Any, ...]) -> tuple[Size, ...]:
    """Returns the sizes of axes of a claim."""
    return tuple(sum((size for *_, size in axis), Size(())) for axis in axes)


def _acts(factor: Factor, term: Any) -> bool:
    coefficient, name, mark, _ = term
    reals = factor.family.reals
    if isinstance(factor.axis, int):
        literal = name is None and coefficient == factor.axis * reals
    else:
        literal = False
    is_still = mark == "!" or mark[:1].isdigit()
    return bool(not is_still and (literal or name == factor.axis))


def _turns(factor: Factor, term: Any) -> bool:
    """Checks whether a factor acts on a part of an axis by a matrix of an irrep."""
    mark, about = term[2], factor.family
    return about.irreps and mark[:1].isdigit() and mark not in ("0e", "0o")[: 1 + about.special]


def _multiple(factor: Factor, term: Any) -> int:
    if not _acts(factor, term):
        return 0
    if term[2] == "*":
        return -1
    return 1


def _parts_of_term(factor: Factor, term: Any) -> Iterator[Part]:
    coefficient, name, mark, size = term
    if mark[:1].isdigit() and factor.family.irreps:
        yield from parts_of_irrep(mark, coefficient, special=factor.family.special)
        return
    if not _acts(factor, term):
        yield FIX, size
        return
    if name is None:
        copies = 1
    else:
        copies = coefficient // factor.family.reals
    if mark == "*" and factor.family.kind.has_dual:
        kind = DUAL
    else:
        kind = STD
    yield from [(kind, factor.size)] * copies


def part_of(act: Act, start: Size, size: Size) -> Act:
    """Returns the parts of an axis between two places; of those on which nothing acts, pieces.

    Raises:
        ExportError: there are no such parts at all sizes.
    """
    found: list[Part] = []
    for kind, whole in act:
        if _at_most(whole, start):
            start = start - whole
            continue
        length = whole - start
        if _at_most(size, length):
            length = size
        if length.terms and kind not in STILL and length != whole:
            break
        if length.terms:
            found.append((kind, length))
        start, size = Size(()), size - length
    if act and (size.terms or any(c < 0 for _, length in found for _, c in length.terms)):
        raise ExportError.of("a piece of an axis", "parts on each of which one matrix acts")
    return merged(iter(found))


def _at_most(one: Size, other: Size) -> bool:
    """Checks whether a size is at most as large as another one, term by term."""
    return all(c > 0 for _, c in (other - one).terms)


def read_claim(claim: Mapping[str, Any], result: Sequence[Size]) -> Claimed:
    """Reads a claim of equivariance about a function whose result has a shape.

    Raises:
        ExportError: its group is not exported.
    """
    given = {name for entry in claim["inputs"] for name in _names(entry)}
    lows = {name: least_size(sizes) for name, sizes in claim["scope"].items()}
    pins = pins_of(claim["scope"])
    for axis, size in zip(claim["output"], result, strict=False):
        coefficient, name, _ = axis[0]
        if len(axis) == coefficient == 1 and name is not None and name not in given:
            pins.setdefault(name, size.substitute(pins))
    inputs = tuple(
        Input(e["name"], _pinned(e["axes"], pins), e.get("indexes"), _labels(e, pins))
        for e in claim["inputs"]
    )
    factors = tuple(f for entry in claim["group"] for f in _read_factors(entry, pins))
    return Claimed(inputs, _pinned(claim["output"], pins), factors, lows, pins)


def read_source(proof: Mapping[str, Any]) -> Source:
    """Reads a proof of equivariance by types of the nodes of a Program; types may be missing.

    Raises:
        ExportError: its group or an act is not exported.
    """
    claim, program = proof["claim"], proof["program"]
    its_last = program["kinds"][program["nodes"][program["output"]][0]]["shape"]
    claimed = read_claim(claim, [read_size(size, {}) for size in its_last])
    nodes = tuple(
        read_node(program["kinds"][kind], args, claimed.pins) for kind, *args in program["nodes"]
    )
    readings = {
        entry["node"]: (nodes[entry["node"]].at["text"], entry["read"])
        for entry in claim.get("readings", ())
    }
    for node, (_, text) in readings.items():
        if text == INVARIANT:
            continue
        at = {**nodes[node].at, "text": text, "values": parse_numbers(text)}
        read_at = replace(nodes[node], at=at)
        nodes = (*nodes[:node], read_at, *nodes[node + 1 :])
    factors, types = claimed.factors, tuple[NodeTypes, ...]()
    signs, ways = dict[int, NodeTypes](), dict[int, Any]()
    if "evidence" in proof:
        evidence = proof["evidence"]
        factors, types = _read_proofs(evidence, factors, nodes, claimed.pins)
        ways = {k: own["way"] for k, own in enumerate(evidence["factors"]) if "way" in own}
        for own in evidence.get("signs", ()):
            node = own["axis"]
            signs[node] = _read_types(own, signs_of(nodes, node), nodes, claimed.pins)
    return Source(
        claimed.inputs, claimed.output_axes, factors, claimed.lows, claimed.pins, nodes,
        program["output"], types, signs, readings, ways,
    )  # fmt: skip


def signs_of(nodes: Sequence[Node], node: int) -> Factor:
    """Returns the factor that flips the signs of the eigenvectors that a node holds."""
    from eqvproof.claims.groups.families.signs import Signs

    lead = len(nodes[nodes[node].args[0]].shape) - 1
    (count,) = nodes[node].shape[lead:] or (ONE,)
    each = f"the matrices of {node}" if lead > 1 else ""
    return Factor(Signs.letter, node, count, each)


def _read_proofs(
    evidence: Any, factors: Sequence[Factor], nodes: tuple[Node, ...], pins: Mapping[str, Size]
) -> tuple[tuple[Factor, ...], tuple[NodeTypes, ...]]:
    """Reads the type of each node, for each factor of the group.

    Returns the factors, multiples with the root that makes their degrees integers, and the types.
    """
    proofs = evidence["factors"]
    if len(proofs) != len(factors):
        raise ExportError.of("the proof", "one for each factor of the group")
    factors = tuple(
        replace(f, root=_common_denominator(proof)) if f.family.kind.multiplies else f
        for f, proof in zip(factors, proofs, strict=True)
    )
    return factors, tuple(
        _read_types(proof, f, nodes, pins) for f, proof in zip(factors, proofs, strict=True)
    )


def _names(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yields the names of axes of an argument of the claim, and of its labels."""
    yield from (name for axis in entry["axes"] for _, name, _ in axis if name)
    if "indexes" in entry:
        yield entry["indexes"]


def pins_of(scope: Mapping[str, Any]) -> dict[str, Size]:
    """Returns the sizes of the names of axes that have one size in scope."""
    return {name: Size.of(least_size(sizes)) for name, sizes in scope.items() if is_one_size(sizes)}


def least_size(sizes: Any) -> int:
    """Returns the least of the sizes in scope."""
    if isinstance(sizes, list):
        return int(sizes[0])
    if sizes == "all":
        return 1
    return int(sizes)


def is_one_size(sizes: Any) -> bool:
    """Checks whether there is one size in scope."""
    if isinstance(sizes, list):
        return bool(sizes[0] == sizes[1])
    return bool(sizes != "all")


def _labels(entry: Mapping[str, Any], pins: Mapping[str, Size]) -> Size | None:
    """Returns how many labels an argument of indices has, or None for other arguments."""
    axis = entry.get("indexes")
    if axis is None:
        return None
    return Size.of(axis).substitute(pins)


def _pinned(axes: Any, pins: Mapping[str, Size]) -> tuple[Any, ...]:
    """Returns the axes of a claim, with terms as (coefficient, name, mark, size)."""
    return tuple(
        tuple(
            (c, name, mark, (Size.of(c) * Size.of(name or 1)).substitute(pins))
            for c, name, mark in axis
        )
        for axis in axes
    )


def read_size(value: Any, pins: Mapping[str, Size]) -> Size:
    """Reads a size, with the names that have one size replaced by it."""
    if isinstance(value, (int, str)):
        return Size.of(value).substitute(pins)
    total = Size(())
    for coefficient, names in value:
        part = Size.of(coefficient)
        for name in names:
            part = part * Size.of(name)
        total = total + part
    return total.substitute(pins)


def read_node(entry: Mapping[str, Any], args: Sequence[int], pins: Mapping[str, Size]) -> Node:
    """Reads a node of a Program: its kind as certificates hold it, and its arguments."""
    at = {k: v for k, v in entry.items() if k not in ("op", "shape")}
    if "values" in at:
        at["text"], at["values"] = at["values"], parse_numbers(at["values"])
    if "places" in at:
        at["places"] = [
            (read_size(start, pins), steps, cyclic) for start, steps, cyclic in at["places"]
        ]
    if "size" in at:
        at["size"] = read_size(at["size"], pins)
    return Node(entry["op"], tuple(args), tuple(read_size(s, pins) for s in entry["shape"]), at)


def _read_factors(entry: Mapping[str, Any], pins: Mapping[str, Size]) -> Iterator[Factor]:
    letter, axis = entry["family"], entry["axis"]
    family = EVERY_FAMILY[letter]
    for part in family.parts or (family,):
        size = Size.of(axis).substitute(pins) * part.reals
        each = entry.get("each", "")
        factor = Factor(part.letter, axis, size, each, Size.of(each or 1).substitute(pins))
        if not part.rocq:
            raise ExportError.of(f"the group {letter}({axis})", "the groups of rocq/Checker.v")
        yield factor


def _common_denominator(proof: Any) -> int:
    """Returns the least common denominator of the degrees in a proof under multiples."""
    degrees = (stated for stated, _ in proof["types"] if stated != "zero")
    return lcm(*(Fraction(d).denominator for d in degrees if isinstance(d, str)))


def _read_types(
    proof: Any, factor: Factor, nodes: tuple[Node, ...], pins: Mapping[str, Size]
) -> NodeTypes:
    if (proof["family"], proof["axis"]) != (factor.letter, factor.axis):
        raise ExportError.of("the proof", "one for each factor of the group")
    if factor.family.kind.only_translates:
        if "way" not in proof:
            _require_known_sums(proof, nodes)
        return NodeTypes()
    found, lines = dict[int, Type](), proof["lines"]
    for number, node, *_ in lines:
        stated, power = proof["types"][number]
        own = _read_type(stated, power, factor, nodes[node], pins)
        if found.setdefault(node, own) != own:
            raise ExportError.of(nodes[node].op, "one type for each value")
    shown = dict[int, Shown]()
    for entry in proof.get("shown", ()):
        _, node, *premises = lines[entry["line"]]
        way = {key: entry[key] for key in ("single", "written")}
        shown[node] = Shown(tuple(lines[k][1] for k in premises), way)
    return NodeTypes(found, shown)


def _require_known_sums(proof: Any, nodes: tuple[Node, ...]) -> None:
    """Checks that the checker in Rocq can recompute how translated points move.

    The kernel knows more cases than the checker.
    """
    weighted = list[bool]()
    for number, node, *premises in proof["lines"]:
        stated, op = proof["types"][number][0], nodes[node].op
        moved = isinstance(stated, Mapping)
        weights = stated.get("weights", []) if moved else []
        again = any(weighted[k] for k in premises if k < len(weighted))
        one = [sum(label < 0 for label in labels) for _, labels in weights] == [1]
        if (weights and (again or not one)) or (op != "einsum" and (weights or again)):
            raise ExportError.of(
                "points times weights that are more than one value, or not divided by their sum at"
                " once",
                "weights over their sum, times the points",
            )
        weighted.append(bool(weights))


def _read_type(
    stated: Any, power: int, factor: Factor, node: Node, pins: Mapping[str, Size]
) -> Type:
    if not factor.family.kind.multiplies:
        return Type(tuple(_read_act(act, pins) for act in stated), power)
    still = ((),) * len(node.shape)
    if stated == "zero":
        return Type(still)
    if not isinstance(stated, str):
        from eqvproof.engines.elaborate.identities import SIZED_DEGREE

        raise ExportError.of(SIZED_DEGREE, "degrees that are numbers")
    return Type(still, int(Fraction(stated) * factor.root))


def _read_act(act: Any, pins: Mapping[str, Size]) -> Act:
    if isinstance(act, str):
        return ()
    return merged(part for block in act for part in _read_block(block, pins))


def _read_block(block: Any, pins: Mapping[str, Size]) -> Iterator[Part]:
    """Yields the parts of an axis, or a part of one, that is several axes in one."""
    axes = list[tuple[Act, Size]]()
    for written, flag in block:
        size = read_size(written, pins)
        if isinstance(flag, str):
            parts = parts_of_irrep(flag, size.constant or 0, special=False)
            axes.append((merged(parts), size))
        elif flag:
            axes.append(((((FIX, STD, DUAL)[flag], size),), size))
        else:
            axes.append(((), size))
    whole = prod((size for _, size in axes), start=ONE)
    yield from in_one(axes) or ((FIX, whole),)
