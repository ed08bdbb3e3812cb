"""The kernel's record of an operation, and the data that its rule may use.

A type gives an act to each axis, and a power to the character chi. v has type (A_1, ..., A_k) and
power p when, for all group elements g and inputs x,

    v(g x) = chi(g)^p (A_1(g) (x) ... (x) A_k(g)) v(x),

and v is constant along each axis with UNI. (H) The same holds of where v is undefined, and along an
acted factor of an orthogonal act, v is undefined everywhere or nowhere (so the sum that Q forms is
defined or not as a whole). The proof of each rule is the docstring of its function; all of them
keep (H), because undefined entries arise entrywise along axes on which nothing is mixed, or for
whole sums, fibres and matrices.

For permutations ("perm") an act permutes the entries; for O and SO ("orth") it is an orthogonal
matrix, for sign flips ("sign") diagonal with entries 1, -1, its own inverse; for GL ("lin")
invertible. A rule says yes only where it has a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from ..acts import UNI, Act, fits, is_fixed, unify
from ..claims import Factor
from ..loading import part
from ..powers import NONE, Power, Ratio, agree, common
from ..program import Node, Program, Shape
from ..sizes import ONE, Size
from ..text import integer, items

Type = tuple[Act, ...]
Lows = Mapping[str, int]
#: Sums along an axis, or entries (None), that are one number.
Facts = dict[int | None, Ratio]
Decoder = Callable[[Any, str, Mapping[str, int]], Any]


@dataclass(frozen=True, slots=True)
class Setting:
    """The factor of the group under which a proof is read.

    Attributes:
        program: the program.
        factor: the factor; `standard` is the size of its matrices.
        lows: the least size of each axis name.
        zeros: the nodes that are 0 in every entry.
        assumed: the kinds of opaque functions whose symmetries were used (filled by their rule).
        labels: the inputs whose entries g relabels; they have no type but through indicators.
        facts: what `totals` knows of each node, where the group multiplies.
        readable: the constant tables that are read as those next to them that the group keeps.
        read: of constants that were read so, the squares of how far away that is (filled by their
            rule).
        flipped: the eigenvectors whose signs are flipped, in a proof about these signs.
        chosen: the types and powers of eigenvectors, one of each (filled by their rule).
    """

    program: Program
    factor: Factor
    standard: Size
    lows: Lows
    zeros: frozenset[int] = frozenset()
    assumed: set[int] = field(default_factory=set)
    labels: frozenset[int] = frozenset()
    facts: Sequence[Facts] = ()
    readable: frozenset[int] = frozenset()
    read: dict[int, Fraction] = field(default_factory=dict)
    flipped: int | None = None
    chosen: dict[int, tuple[Type, Power]] = field(default_factory=dict)

    def is_spatial(self) -> bool:
        """Checks whether the group is O(3) or SO(3), whose axes may carry irreps."""
        return self.factor.about.irreps and self.standard == Size.of(3)

    def is_special(self) -> bool:
        """Checks whether chi is 1: all elements, or all generators, have determinant 1."""
        if self.factor.generators:
            return bool(part("membership").has_determinants_one(self.factor))
        return self.factor.about.special


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a proof: a node, its stated type and power, and those of its arguments."""

    number: int
    node: Node
    types: Sequence[Type]
    powers: Sequence[Power]
    stated: Type
    power: Power
    setting: Setting

    @property
    def kind(self) -> str:
        """The kind of group elements."""
        return self.setting.factor.kind

    def shape(self, number: int = 0) -> Shape:
        """Returns the shape of an argument."""
        return self.setting.program.nodes[self.node.args[number]].shape

    def is_free(self) -> bool:
        """Checks whether g permutes entries, or acts on no argument."""
        return self.kind == "perm" or all(is_fixed(act) for type_ in self.types for act in type_)

    def unified(self, types: Sequence[Sequence[Act]]) -> list[Act | None]:
        """Returns, for each axis, the one act to which the acts of all types can be weakened."""
        return [unify(acts, self.kind) for acts in zip(*types, strict=True)]

    def fits(self, derived: Sequence[Act | None]) -> bool:
        """Checks whether the derived acts equal or imply the stated ones."""
        pairs = zip(derived, self.stated, strict=True)
        return all(fits(act, wanted, self.kind) for act, wanted in pairs)

    def common(self, powers: Sequence[Power]) -> Power | None:
        """Returns the power that all of these agree on; None where they differ."""
        return common(powers, self.setting.factor.character)


def _never(step: Step) -> bool:
    """Accepts no type: the type of an input is the claimed one."""
    return False


def power_zero(step: Step) -> Power | None:
    """Returns power 0 if no argument has another power, else None."""
    character = step.setting.factor.character
    if all(agree(p, NONE, character) for p in step.powers):
        return NONE
    return None


def shared(step: Step) -> Power | None:
    """Returns the one power that all arguments have, as for sums and rearrangements."""
    return step.common(step.powers)


@dataclass(frozen=True, slots=True)
class Rule:
    """The kernel's record of an operation.

    Attributes:
        name: its name in certificates.
        arguments: the fewest and the most arguments.
        functions: the number of arguments by the attribute "fn", if it has one.
        attributes: the attributes of its nodes, and the reader of each.
        shape: whether its shape follows from those of the arguments, at all sizes.
        sizes: the sizes that are read from its attributes.
        typed: checks whether it has a type when its arguments have theirs.
        power: the power of its character; None where it has none.
        kept: another way to a type and a power, without arguments.
        by_kind: whether `typed` and `power` depend on kinds, types and powers only.
        relabelled: whether an argument may be an input whose entries g relabels.
        form: "number" where it is defined wherever its arguments are; "product", "sum", or "moved"
            where its entries are products, sums or entries of the arguments: 0 where a factor, or
            all arguments, are.
        zero: whether it is 0, without arguments that are.
        conditions: the number of arguments, the first ones, that only choose between others.
        carries: where adding a vector along an axis of all other arguments adds it to the value:
            for each axis of the argument that of the value, or None. The function is None where
            nothing is known.
        is_up_to_signs: whether the signs of its columns are not determined.
        along: where entries rest on those of the same index alone: for each axis of an argument
            that of the value, or None; where this is not given, it is so where it `carries`.
    """

    name: str
    shape: Callable[[Node, list[Shape], Lows], bool]
    typed: Callable[[Step], bool] = _never
    power: Callable[[Step], Power | None] = power_zero
    arguments: tuple[int, int] = (1, 1)
    functions: Mapping[str, int] | None = None
    attributes: Mapping[str, Decoder] = field(default_factory=dict)
    sizes: Callable[[Node], list[Size]] = lambda node: []
    kept: Callable[[Step], bool] = _never
    by_kind: bool = True
    relabelled: bool = False
    form: Literal["number", "product", "sum", "moved", "other"] = "other"
    zero: Callable[[Node], bool] = lambda node: False
    conditions: int = 0
    carries: Callable[[Node, Shape], list[int | None] | None] = lambda node, shape: None
    along: Callable[[Node, Shape], list[int | None]] | None = None
    is_up_to_signs: bool = False


# -- helpers of several rules
# ----------------------------------------------------------------------------


def independent(step: Step) -> bool:
    """Checks the type of a value without arguments, on which g does not act: v(g x) = v(x)."""
    return all(act != UNI and is_fixed(act) for act in step.stated)


def same_shapes(node: Node, shapes: list[Shape], lows: Lows) -> bool:
    """Checks whether all arguments have the shape of the result."""
    return all(shape == node.shape for shape in shapes)


def entry_count(shape: Shape) -> Size:
    """Returns the number of entries."""
    total = ONE
    for size in shape:
        total = total * size
    return total


def every_axis(node: Node, shape: Shape) -> list[int | None]:
    """Maps each axis to itself."""
    return list(range(len(shape)))


def beside(node: Node, shape: Shape) -> list[int | None]:
    """Maps each axis to itself, but the one of the operation to None."""
    return [None if axis == node.at["axis"] else axis for axis in range(len(shape))]


def read_by(read: Callable[..., Any], *more: Any) -> Decoder:
    """Returns the reader of an attribute without sizes."""
    return lambda value, path, pins: read(value, path, *more)


def read_integers(value: Any, path: str) -> tuple[int, ...]:
    """Reads integers from 0 on."""
    return tuple(integer(v, path, 0) for v in items(value, path))
