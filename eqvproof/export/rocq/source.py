"""Reading a proof certificate for export: nodes, claim and types as plain data, sizes as polynomials."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.errors import ExportError
from eqvproof.groups.families import EVERY_FAMILY, letters
from eqvproof.size import Size

#: How a group element acts along an axis of a value; "uni": not at all, and the value is constant there.
FIX, STD, UNI = "fix", "std", "uni"


@dataclass(frozen=True, slots=True)
class Node:
    """An operation of the Program; `at` holds what is particular to it."""

    op: str
    args: tuple[int, ...]
    shape: tuple[Size, ...]
    at: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of the group, the axis on which it acts, and the size of its elements."""

    family: str
    axis: str | int
    size: Size

    @property
    def permutes(self) -> bool:
        """Whether its elements are permutations; else they are orthogonal matrices."""
        return EVERY_FAMILY[self.family].kind == "perm"

    @property
    def suffix(self) -> str:
        """The factor in names: S_n, O_3."""
        return f"{self.family}_{self.axis}"


@dataclass(frozen=True, slots=True)
class Input:
    """An argument: its name, shape and axes as claimed, and the axis that its entries index, if any."""

    name: str
    shape: tuple[Size, ...]
    axes: tuple[Any, ...]
    indexes: str | None
    labels: Size | None


@dataclass(frozen=True, slots=True)
class Source:
    """What a certificate says.

    Attributes:
        names: the axis names that are sizes of the theorem.
        types: for each factor of the group, the acts along the axes of each node.
    """

    names: tuple[str, ...]
    inputs: tuple[Input, ...]
    nodes: tuple[Node, ...]
    output: int
    output_axes: tuple[Any, ...]
    factors: tuple[Factor, ...]
    types: tuple[Mapping[int, tuple[str, ...]], ...]

    def claimed(self, factor: Factor, axis: Any) -> str:
        """How the claim lets a factor act along an axis."""
        acted = [term for term in axis if _acts(factor, term)]
        if acted and (len(axis) > 1 or (axis[0][1] is not None and axis[0][0] != 1)):
            raise ExportError.of("the claim", "an axis of several parts, some of which the group moves")
        return STD if acted else FIX

    def depends(self) -> tuple[tuple[int, ...], ...]:
        """For each node, the positions of the inputs on which it depends."""
        places = {given.name: i for i, given in enumerate(self.inputs)}
        found: list[tuple[int, ...]] = []
        for node in self.nodes:
            own = {places[node.at["name"]]} if node.op == "input" else set()
            found.append(tuple(sorted(own.union(*(found[a] for a in node.args)))))
        return tuple(found)


def _acts(factor: Factor, term: Any) -> bool:
    coefficient, name, mark = term
    literal = name is None and coefficient == factor.axis
    return mark != "!" and (name == factor.axis if isinstance(factor.axis, str) else literal)


def read(certificate: Mapping[str, Any]) -> Source:
    """A certificate of a proof as data.

    Raises:
        ExportError: it is no proof of equivariance, or of a group or an act that is not exported.
    """
    claim = certificate.get("claim", {})
    if certificate.get("kind") != "proof" or claim.get("kind") != "equivariance":
        raise ExportError.of(f"a certificate of kind {certificate.get('kind')}", "proofs of equivariance")
    if certificate.get("version") != 1:
        raise ExportError.of(f"a certificate of version {certificate.get('version')}", "version 1")
    pins = {name: low for name, low in ((n, _pin(s)) for n, s in claim["scope"].items()) if low is not None}
    program = certificate["program"]
    shapes = {entry["name"]: _shape(entry["shape"], pins) for entry in program["inputs"]}
    inputs = tuple(
        Input(e["name"], shapes[e["name"]], tuple(e["axes"]), e.get("indexes"), _labels(e, pins))
        for e in claim["inputs"]
    )
    nodes = tuple(_node(entry, pins) for entry in program["nodes"])
    names = dict.fromkeys(
        t[1] for given in inputs for axis in given.axes for t in axis if t[1] is not None and t[1] not in pins
    )
    names |= dict.fromkeys(g.indexes for g in inputs if g.indexes is not None and g.indexes not in pins)
    factors = tuple(_factor(entry, pins) for entry in claim["group"])
    types = tuple(_types(entry["lines"], nodes) for entry in certificate["evidence"]["factors"])
    if len({f.axis for f in factors}) != len(factors) or len(types) != len(factors):
        raise ExportError.of("the claim", "two factors of the group on one axis")
    output = tuple(claim["output"])
    return Source(tuple(names), inputs, nodes, program["output"], output, factors, types)


def _labels(entry: Mapping[str, Any], pins: Mapping[str, int]) -> Size | None:
    """How many labels an argument of indices has."""
    axis = entry.get("indexes")
    return None if axis is None else Size.of(axis).substitute(pins)


def _pin(sizes: Any) -> int | None:
    if isinstance(sizes, list):
        return int(sizes[0]) if sizes[0] == sizes[1] else None
    return None if sizes == "all" else int(sizes)


def _size(value: Any, pins: Mapping[str, int]) -> Size:
    if isinstance(value, (int, str)):
        return Size.of(value).substitute(pins)
    total = Size(())
    for coefficient, names in value:
        part = Size.of(coefficient)
        for name in names:
            part = part * Size.of(name)
        total = total + part
    return total.substitute(pins)


def _shape(value: Any, pins: Mapping[str, int]) -> tuple[Size, ...]:
    return tuple(_size(v, pins) for v in value)


def _node(entry: Mapping[str, Any], pins: Mapping[str, int]) -> Node:
    at = {k: v for k, v in entry.items() if k not in ("op", "args", "shape")}
    if "places" in at:
        at["places"] = [(_size(start, pins), steps, cyclic) for start, steps, cyclic in at["places"]]
    if "size" in at:
        at["size"] = _size(at["size"], pins)
    return Node(entry["op"], tuple(entry["args"]), _shape(entry["shape"], pins), at)


def _factor(entry: Mapping[str, Any], pins: Mapping[str, int]) -> Factor:
    family, axis = entry["family"], entry["axis"]
    if EVERY_FAMILY[family].rocq is None:
        exported = letters(lambda f: f.rocq is not None, "and")
        raise ExportError.of(f"the group {family}({axis})", f"the groups {exported}")
    return Factor(family, axis, Size.of(axis).substitute(pins))


def _types(lines: Any, nodes: tuple[Node, ...]) -> Mapping[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for line in lines:
        op = nodes[line["node"]].op
        if "parity" in line:
            raise ExportError.of(op, "no value that the determinant of the group element multiplies")
        acts = tuple(_act(act, op) for act in line["type"])
        if found.setdefault(line["node"], acts) != acts:
            raise ExportError.of(op, "one type for each value")
    return found


def _act(act: Any, op: str) -> str:
    if act == UNI:
        return UNI
    acted = [flag for block in act for _, flag in block if flag]
    if not acted:
        return FIX
    if len(act) == len(act[0]) == 1 and acted == [1]:
        return STD
    raise ExportError.of(op, "no axis that is a direct sum or a product of axes that the group moves")
