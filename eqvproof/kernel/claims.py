"""Parses claims in certificates: their signatures, groups and sizes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .groups import FAMILIES, Family
from .loading import part
from .report import Rejected
from .sizes import Size
from .text import (
    MOST_RANK,
    entry_of,
    fields,
    integer,
    items,
    one_of,
    read_name,
    read_pair,
    read_rational,
)


@dataclass(frozen=True, slots=True)
class Term:
    """A part of an axis: some copies of a named size, or a literal size."""

    coefficient: int
    name: str | None
    mark: str

    @property
    def irrep(self) -> str:
        """The irrep of O(3) that a part of literal size carries, such as "2e"."""
        if self.mark[:1].isdigit():
            return self.mark
        return ""

    @property
    def size(self) -> Size:
        """The size of the part."""
        return Size.of(self.coefficient) * Size.of(self.name or 1)


#: The terms of an axis, as the claim writes them; `checker.Axis` has the parts that follow.
Axis = tuple[Term, ...]
#: Largest number of terms of an axis: there are networks with 1024 vectors in one axis.
MOST_TERMS = 4096
#: The marks of a part of an axis that carries no irrep, whose name or size is that of a factor: by
#: "" the factor acts there by its matrix; by "!" not at all; by "^" as by "", but translations do
#: not move it, as a difference of points; by "*" through the dual of its matrix, or 1/c under Scale.
MARKS = ("", "!", "^", "*")


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of the group, with the axis name, or the literal size, on which it acts.

    A family may be the one of the subgroups with given generators: permutations p with (g x)[i] =
    x[p[i]], or matrices. Where `each` names an axis, there is an element for each entry of it.
    """

    family: str
    axis: str | int
    generators: tuple[Any, ...] = ()
    each: str = ""

    def acts_on(self, term: Term) -> bool:
        """Checks whether it acts on a part of an axis, by its standard matrix on each copy."""
        if term.irrep:
            return self.about.irreps and term.irrep not in ("0e", "0o")[: 1 + self.about.special]
        if term.mark == "!":
            return False
        if isinstance(self.axis, int):
            return (term.name, term.coefficient) == (None, self.axis * self.about.reals)
        return term.name == self.axis

    def translates(self, term: Term) -> bool:
        """Checks whether a translation moves a part of an axis: points, which have no mark."""
        return self.acts_on(term) and term.mark == ""

    def is_dual(self, term: Term) -> bool:
        """Checks whether it acts on a part of an axis by its inverse transpose."""
        return self.kind == "lin" and self.acts_on(term) and term.mark == "*"

    def moves(self, axes: Sequence[Axis]) -> bool:
        """Checks whether it acts on a value with these axes."""
        return any(self.acts_on(term) for axis in axes for term in axis)

    def place(self, axes: Sequence[Axis]) -> int | None:
        """Returns the axis of a value along which each entry has its own group element, or None."""
        return next((k for k, axis in enumerate(axes) if axis == (Term(1, self.each, ""),)), None)

    def keeps_words(self, subgroup: Factor, axes: Iterable[Axis]) -> bool:
        """Checks whether the axes say how a subgroup acts on them, as they do for this factor.

        An irrep is no word for how permutations, say, act there.
        """
        if self.about.irreps and not subgroup.about.irreps:
            return not any(term.irrep for axis in axes for term in axis)
        return True

    @property
    def about(self) -> Family:
        """The kernel's record of the family."""
        return FAMILIES[self.family]

    def size(self, axis: Size) -> Size:
        """Returns the size of its matrices on an axis of that size."""
        return axis * Size.of(self.about.reals)

    def at(self, sizes: Mapping[str, int]) -> int:
        """Returns the size of its matrices at given sizes of the axis names."""
        return (self.axis if isinstance(self.axis, int) else sizes[self.axis]) * self.about.reals

    def require_named(self, family: Any, axis: Any, path: str, words: str = "") -> None:
        """Requires that evidence names this factor, which a refusal calls by these words, if any."""
        if type(axis) is not type(self.axis) or (family, axis) != (self.family, self.axis):
            raise Rejected(f"{path}: expected the proof for {words or self}")

    def copies(self, term: Term, length: int, size: int) -> int:
        """Returns how many copies of its matrices act on a part of an axis.

        The matrices have the given `size`, the part the given `length`.

        Raises:
            Rejected: the copies do not fill the part, or their number is not the claimed one.
        """
        count, rest = divmod(length, max(size, 1))
        if rest or (not term.irrep and term.name and count * self.about.reals != term.coefficient):
            raise Rejected(f"{self}: elements of size {size} on {length} coordinates")
        return count

    @property
    def kind(self) -> str:
        """The kind of group elements, as `groups` names it."""
        return self.about.kind

    @property
    def character(self) -> str:
        """The kind of group as far as powers of chi are concerned.

        Where g^T B g = B, the determinant is 1 or -1, as for "orth".
        """
        if self.about.form:
            return "orth"
        return self.kind

    def __str__(self) -> str:
        if self.each:
            return f"{self._words()} each {self.each}"
        return self._words()

    def _words(self) -> str:
        if self.generators:
            listed = "; ".join(
                str([list(map(str, r)) if isinstance(r, tuple) else r for r in g])
                for g in self.generators
            )
            return f"<{listed}>({self.axis})"
        if self.family[-1] == ")":
            return f"{self.family[:-1]}; {self.axis})"
        if self.family[-1] == "2":
            return f"{self.family[:-1]}(2{self.axis})"
        return f"{self.family}({self.axis})"


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim: typing, group (empty for an identity), and sizes as (low, high or None).

    Attributes:
        readings: the constants of the program that are read as other numbers, see `readings`.
        masks: the inputs whose entries are 0 or 1.
        indices: the inputs whose entries index an axis, with its name: a permutation g of that axis
            moves the entry j to the i with (g x)[i] = x[j].
        points: the exceptional points that it leaves out, see `exceptional`.
    """

    inputs: tuple[tuple[str, tuple[Axis, ...]], ...]
    output: tuple[Axis, ...]
    group: tuple[Factor, ...]
    scope: dict[str, tuple[int, int | None]]
    masks: frozenset[str] = frozenset()
    indices: Mapping[str, str] = field(default_factory=dict)
    readings: tuple[Any, ...] = ()
    points: tuple[Any, ...] = ()

    @property
    def input_names(self) -> frozenset[str]:
        """The axis names of the inputs."""
        names = {t.name for _, axes in self.inputs for axis in axes for t in axis if t.name}
        return frozenset(names | set(self.indices.values()))

    @property
    def names(self) -> frozenset[str]:
        """All axis names."""
        return self.input_names | {t.name for axis in self.output for t in axis if t.name}

    @property
    def pins(self) -> dict[str, int]:
        """The axis names that have one size only."""
        return {name: low for name, (low, high) in self.scope.items() if low == high}


def axis_size(axis: Axis, bound: Mapping[str, Size]) -> Size:
    """Returns the size of an axis, given the sizes of its names."""
    total = Size(())
    for term in axis:
        total = total + (term.size.substitute(bound) if term.name else term.size)
    return total


def bind(axes: Sequence[Axis], shape: Sequence[Size], bound: dict[str, Size]) -> bool:
    """Binds names that stand alone on an axis to sizes, and checks the shape against the axes."""
    if len(axes) != len(shape):
        return False
    for axis, found in zip(axes, shape, strict=True):
        if len(axis) == axis[0].coefficient == 1 and axis[0].name:
            bound.setdefault(axis[0].name, found)
    if any(term.name and term.name not in bound for axis in axes for term in axis):
        return False
    return [axis_size(axis, bound) for axis in axes] == list(shape)


def bind_output(output: tuple[Axis, ...], shape: Sequence[Size], bound: dict[str, Size]) -> None:
    """Binds the names that only the output mentions.

    Raises:
        Rejected: the shape is not the claimed one.
    """
    if not bind(output, shape, bound):
        raise Rejected(
            "the result does not have the claimed shape, or nothing determines one of its names"
        )


def degree(axes: Sequence[Axis], factor: Factor) -> int:
    """Returns the power of c by which a value is multiplied.

    Each acted axis adds one, each dual axis subtracts one.
    """
    total = 0
    for axis in axes:
        acted = [t for t in axis if factor.acts_on(t)]
        if acted and len(axis) > 1:
            raise Rejected("a sum of axes, of which a part is multiplied")
        total += sum(-1 if t.mark == "*" else 1 for t in acted)
    return total


def group_parts(claim: Claim) -> list[Factor]:
    """Returns the factors of the group, with E(d) as T(d) and O(d), and others with parts likewise.

    The motion ``x -> Q x + t`` acts on a value with points along one axis only when nothing else of
    it moves.
    """
    found: list[Factor] = []
    for factor in claim.group:
        if not factor.about.parts:
            found.append(factor)
            continue
        for axes in (*(axes for _, axes in claim.inputs), claim.output):
            moved = [axis for axis in axes if any(factor.acts_on(t) for t in axis)]
            points = factor.kind == "rigid" and any(
                factor.translates(t) for axis in moved for t in axis
            )
            if len(moved) > 1 and points:
                raise Rejected(
                    "$.claim: a value with points along one axis, of which another axis moves too"
                )
        found += [Factor(family, factor.axis, each=factor.each) for family in factor.about.parts]
    return found


def axes(value: Any, path: str) -> tuple[Axis, ...]:
    """Reads axes from lists of terms [coefficient, name or null, mark]."""
    result = []
    for axis in items(value, path, MOST_RANK):
        terms = []
        for term in items(axis, path, MOST_TERMS):
            if len(items(term, path)) != 3:
                raise Rejected(f"{path}: a term is [coefficient, name, mark]")
            coefficient, name, mark = term
            if name is not None:
                read_name(name, path)
            if mark not in MARKS:
                mark = part("space").mark(term, path)
            terms.append(Term(integer(coefficient, path, 1, 10**6), name, mark))
        if not terms:
            raise Rejected(f"{path}: an axis without terms")
        result.append(tuple(terms))
    return tuple(result)


def _read_generators(value: Any, family: str, path: str) -> tuple[Any, ...]:
    """Reads permutations, or matrices of rationals, of one size.

    `membership` checks whether they are in the group.
    """
    found: list[Any] = []
    for g in items(value, path, 64):
        rows = items(g, path, 256)
        if FAMILIES[family].kind == "perm":
            found.append(tuple(integer(v, path, 0, len(rows) - 1) for v in rows))
        else:
            found.append(
                tuple(tuple(read_rational(v, path) for v in items(row, path, 256)) for row in rows)
            )
    if not found or len({len(g) for g in found}) > 1 or not found[0]:
        raise Rejected(f"{path}: expected generators of one size")
    return tuple(found)


def group(value: Any, path: str, all_axes: list[Axis], *, each: bool = False) -> tuple[Factor, ...]:
    """Reads the factors of a group, each of which acts on some axis.

    With `each`, a factor may have one element for each entry of an axis.
    """
    factors = []
    for i, entry in enumerate(items(value, path, 16)):
        at = f"{path}[{i}]"
        family = one_of(entry_of(entry, "family"), f"{at}.family", FAMILIES)
        more = ["generators"] * FAMILIES[family].listed
        own = ["each"] * (each and "each" in entry)
        axis, _, *given = fields(entry, at, "axis", "family", *own, *more)
        where = integer(axis, path, 1) if type(axis) is int else read_name(axis, path)
        listed = _read_generators(given[-1], family, f"{at}.generators") if more else ()
        factor = Factor(family, where, listed, read_name(given[0], path) if own else "")
        acted = [t for a in all_axes for t in a if factor.acts_on(t)]
        if factor in factors or not acted:
            raise Rejected(f"{path}[{i}]: {factor} acts on no axis, or stands there twice")
        if any(t.coefficient % factor.about.reals for t in acted):
            raise Rejected(f"{path}[{i}]: {factor} acts on pairs of real coordinates")
        factors.append(factor)
    if not factors:
        raise Rejected(f"{path}: a group without factors")
    return tuple(factors)


def claim(value: Any, kind: str, *, each: bool = False, points: bool = False) -> Claim:
    """Reads a claim of the kind "equivariance" or "identity".

    `each` is as in `group`; with `points`, the claim may leave out exceptional points.
    """
    keys, optional = ["kind", "inputs", "output", "scope"], ["points"] * points
    if kind == "equivariance":
        keys, optional = [*keys, "group"], [*optional, "readings"]
    keys += [key for key in optional if isinstance(value, dict) and key in value]
    parts = dict(zip(keys, fields(value, "$.claim", *keys), strict=True))
    if parts["kind"] != kind:
        raise Rejected(f"$.claim.kind: expected {kind}")
    inputs, masks, indices = [], set(), {}
    for i, entry in enumerate(items(parts["inputs"], "$.claim.inputs", 64)):
        path = f"$.claim.inputs[{i}]"
        more = ["indexes"] * (entry_of(entry, "type") == "index")
        name, its_axes, type_, *indexed = fields(entry, path, "name", "axes", "type", *more)
        inputs.append((read_name(name, path), axes(its_axes, path)))
        if one_of(type_, f"{path}.type", ("real", "bool", "index")) == "bool":
            masks.add(name)
        if indexed:
            indices[name] = read_name(indexed[0], path)
    if len({name for name, _ in inputs}) != len(inputs):
        raise Rejected("$.claim.inputs: two inputs of one name")
    output = axes(parts["output"], "$.claim.output")
    all_axes: list[Axis] = [axis for _, its_axes in inputs for axis in its_axes] + list(output)
    all_axes += [(Term(1, name, ""),) for name in indices.values()]
    factors: tuple[Factor, ...] = ()
    left_out: tuple[Any, ...] = ()
    read: tuple[Any, ...] = ()
    if "group" in parts:
        factors = group(parts["group"], "$.claim.group", all_axes, each=each)
    if "readings" in parts:
        read = tuple(items(parts["readings"], "$.claim.readings"))
        if not read:
            raise Rejected("$.claim.readings: expected readings")
    if "points" in parts:
        left_out = part("exceptional").read_points(parts["points"], "$.claim.points")
    scope, bools = _scope(parts["scope"]), frozenset(masks)
    result = Claim(tuple(inputs), output, factors, scope, bools, indices, read, left_out)
    if any(t.irrep for axis in all_axes for t in axis):
        part("space").require(result)
    for name, its_axes in inputs:
        for factor in factors:
            acted = any(factor.acts_on(t) for axis in its_axes for t in axis)
            acted = acted or factor.axis == indices.get(name)
            if factor.kind != "perm" and acted and (name in masks or name in indices):
                raise Rejected(f"$.claim: {factor} does not act on masks and indices")
    for factor in factors:
        values = [(axes, factor.axis == indices.get(name)) for name, axes in inputs] + [
            (output, False)
        ]
        moved = [axes for axes, is_relabelled in values if is_relabelled or factor.moves(axes)]
        if factor.each and (factor.each == factor.axis or None in map(factor.place, moved)):
            raise Rejected(
                f"$.claim: {factor} acts on a value that is none for each entry of {factor.each}"
            )
    if not result.input_names <= result.scope.keys() <= result.names:
        raise Rejected("$.claim.scope: expected every axis name of the signature, and no other")
    return result


def _scope(value: Any) -> dict[str, tuple[int, int | None]]:
    result: dict[str, tuple[int, int | None]] = {}
    if not isinstance(value, dict):
        raise Rejected("$.claim.scope: expected an object")
    for name, sizes in value.items():
        path = f"$.claim.scope.{read_name(name, '$.claim.scope')}"
        if isinstance(sizes, list):
            low, high = read_pair(sizes, path)
            least = integer(low, path, 1)
            if high is not None:
                integer(high, path, least)
            result[name] = (least, high)
        elif sizes == "all":
            result[name] = (1, None)
        else:
            result[name] = (integer(sizes, path, 1), integer(sizes, path, 1))
    return result
