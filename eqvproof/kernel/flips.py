"""Checks types under sign flips: v at flipped arguments and flipped v have one normal form.

A value u is computed from values p_1, ..., p_r of earlier lines, and from constants: u = F(p). At g
x it is F(D p), where D p are the p_i with the signs that their types give them. So u has a type,
D_u say, where ``F(D p) = D_u F(p)`` for all arrays p, both defined at the same entries. Normal
forms show such an identity (see `normal`; entries of the p_i may have no value). It is asked for

* the flip of each single sign, where these are a number of them: they generate all flips, and what
  holds of D and D' for all arrays holds of D D'; or
* the flip of all signs together, where each p_i has signs along one axis at most and F goes index
  by index along these axes (see `each`): entry k of F(D p) is then the one of F(s p) for the sign
  s = D[k], and s is 1 or -1.

In the first case forms are compared entry by entry along the axes of the signs, and those that are
written out. What has no normal form is some function of its arguments, and of these alone;
eigenvectors are none.

Some p_i count as real arrays: inputs, the eigenvectors V of one matrix whose signs are flipped, and
what is computed from these by functions defined everywhere. Where V has no value, a flip changes
nothing, so that ``D p = p`` by the types. Let entry e of F(p) be c there. Operations only gain
values when arguments do: so e of F(p') is c for all arrays p' of reals that agree with p where it
has values, D p' among them. Hence c is 0 where the type says that e changes sign: D_u F(p) is F(p),
and F(D p), too.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from . import rules
from .acts import UNI, is_fixed, normal
from .constant_atoms import constants
from .each import NOWHERE, Place, followed
from .functions import TOTAL
from .indices import ONCE, Index, fixed_index
from .normal import new_forms
from .normal_forms import Forms, Head, HeadKind, Labels, Piece, multiplied, negative
from .normal_nodes import NODES
from .powers import is_odd
from .program import Node, Program
from .report import LARGE_WORK, Limited, Rejected, allow_in_all, spend
from .rules.base import Setting
from .rules.leaves import INPUT
from .sizes import ONE, Size, is_nonnegative
from .text import boolean, fields, integer, items

#: Largest number of signs that are flipped one by one, of entries of an axis that is written out,
#: and of entries that are compared.
MOST_SIGNS, MOST_WRITTEN, MOST_ENTRIES = 16, 64, 256
#: Largest number of entries of a constant that is expanded.
MOST_NUMBERS = 64
#: Operations that have values wherever their arguments have, functions only where these are defined
#: everywhere.
REAL = frozenset(
    "const size iota indicator form parameter einsum add map select concat read reshape"
    " sort".split()
)
#: Functions that are defined, and positive, at positive numbers.
POSITIVE = frozenset(("recip", "sqrt"))


@dataclass(frozen=True, slots=True)
class Way:
    """The way in which a line is shown by normal forms.

    Attributes:
        single: whether signs are flipped one by one, else all together.
        written: the sizes of axes along which sums are written out, and forms compared entry by
            entry.
    """

    single: bool
    written: frozenset[int] = frozenset()


def way(value: Any, path: str) -> tuple[int, Way]:
    """Reads the number of a line, and how a certificate says that it is shown."""
    line, single, written = fields(value, path, "line", "single", "written")
    sizes = frozenset(integer(n, f"{path}.written", 2, MOST_WRITTEN) for n in items(written, path))
    return integer(line, f"{path}.line", 0), Way(boolean(single, f"{path}.single"), sizes)


@dataclass(frozen=True, slots=True)
class Flipped:
    """A value that flips move.

    It is multiplied by the signs along `axes`, and, if `odd`, by the product of all signs.
    """

    node: int
    axes: tuple[int, ...]
    odd: bool


def derivable(
    number: int,
    premises: Sequence[tuple[int, rules.Powered]],
    conclusion: rules.Powered,
    s: Setting,
    made: Way,
) -> bool:
    """Checks whether a node has a type and a power when the nodes of the premises have theirs.

    Raises:
        Rejected: node `number` is not computed from these, or its normal forms are too long.
    """
    atoms = {node: _flipped(node, known, s) for node, known in premises}
    found, moved = (
        _flipped(number, conclusion, s),
        {n: a for n, a in atoms.items() if a is not None},
    )
    if s.factor.kind != "sign" or s.is_special() or UNI in conclusion[0] or s.labels:
        return False
    if found is None or len(moved) < len(atoms):
        return False
    allow_in_all(LARGE_WORK)
    inside = region(s.program, number, moved.keys())
    return holds(s.program, inside, moved, found, s, made)


def _flipped(node: int, known: rules.Powered, s: Setting) -> Flipped | None:
    """Returns what a type says under flips; None for types of sums or products of axes."""
    acts, power = known
    moved = normal([[(s.standard, True)]])
    axes = tuple(a for a, act in enumerate(acts) if not is_fixed(act))
    if isinstance(power, str) or any(acts[a] != moved for a in axes):
        return None
    return Flipped(node, axes, bool(is_odd(power[0])))


def region(program: Program, number: int, ends: Container[int]) -> list[int]:
    """Returns the nodes between `ends` and a node that is computed from them.

    The nodes in `ends`, and those that they are computed from, are left out.

    Raises:
        Rejected: the node depends on an input, or on eigenvectors, that are not in `ends`.
    """
    found, stack = set[int](), [number]
    while stack:
        this = stack.pop()
        if this in found or (this in ends and this != number):
            continue
        node = program.nodes[this]
        if node.op == INPUT or rules.RULES[node.op].is_up_to_signs:
            raise Rejected(
                f"node {number}: normal forms do not speak of {node.op} {this}, which has no line"
            )
        spend(1 + len(node.args))
        found.add(this)
        stack.extend(node.args)
    return sorted(found)


def holds(
    program: Program,
    inside: Sequence[int],
    atoms: Mapping[int, Flipped],
    found: Flipped,
    s: Setting,
    made: Way,
) -> bool:
    """Checks whether both sides have one normal form, defined at the same entries.

    Args:
        program: the program.
        inside: the nodes between the atoms and the value, which is the last of them.
        atoms: the values that it is computed from.
        found: the claimed behaviour of the value under flips.
        s: the setting; of `standard` signs.
        made: how the normal forms are made.
    """
    forms, count = new_forms(s.lows), s.standard
    forms.written = made.written
    nodes, total = program.nodes, _real_nodes(program, s)
    values = Values(forms, program, inside)
    still = {
        node: _leaf(forms, nodes[node], atom, total=node in total) for node, atom in atoms.items()
    }
    if not made.single:
        if any(len(a.axes) > 1 or a.odd for a in (*atoms.values(), found)):
            return False
        starts = {node: (a.axes[0], ONE) if a.axes else None for node, a in atoms.items()}
        place = followed_through(program, inside, starts, count)
        if place == NOWHERE or (found.axes and place not in (None, (found.axes[0], ONE))):
            return False
        turned = dict(still)
        for node, form in still.items():
            if atoms[node].axes:
                turned[node] = negative(forms, form)
        value = wanted = values.at(still)
        if found.axes:
            wanted = negative(forms, value)
        return values.at(turned) == wanted and forms.same(wanted)
    many = count.constant
    if many is None or not 1 <= many <= MOST_SIGNS:
        return False
    forms.written |= {many}
    value, compared = values.at(still), list[int]()
    for k in range(many):
        turned = {
            node: _flipped_form(forms, form, atoms[node], k, many) for node, form in still.items()
        }
        other = values.at(turned)
        for index, sizes, entry in _written_entries(forms, nodes[found.node].shape):
            one, two = (forms.move(form, index, sizes) for form in (value, other))
            times = sum(entry[a] == k for a in found.axes) + found.odd
            wanted = negative(forms, one) if times % 2 else one
            if two != wanted:
                return False
            compared.append(wanted)
    return all(map(forms.same, compared))


def _real_nodes(program: Program, s: Setting) -> frozenset[int]:
    """Returns the nodes that count as real arrays."""
    spend(len(program.nodes))
    found, positive = set[int](), set[int]()
    for number, node in enumerate(program.nodes):
        if _is_positive(node, s, positive):
            positive.add(number)
        fn, is_flipped = node.at.get("fn", "pi"), number == s.flipped
        total = fn in TOTAL or (fn in POSITIVE and positive.issuperset(node.args))
        is_one = is_flipped and len(program.nodes[node.args[0]].shape) == 2
        if (
            node.op == INPUT
            or is_one
            or (total and node.op in REAL and found.issuperset(node.args))
        ):
            found.add(number)
    return frozenset(found)


def _is_positive(node: Node, s: Setting, known: Container[int]) -> bool:
    """Checks whether all entries of a constant are positive; False may mean unknown.

    Products, reciprocals and roots of such constants are positive, too.
    """
    if node.op == "size":
        return is_nonnegative(node.at["size"] - ONE, s.lows)
    if node.op == "const":
        return all(value > 0 for value in node.at["values"])
    is_product = node.op == "einsum" and all(
        {*row} <= {*node.at["output"]} for row in node.at["inputs"]
    )
    is_made = is_product or (node.op == "map" and node.at["fn"] in POSITIVE)
    return is_made and all(a in known for a in node.args)


def _leaf(forms: Forms, node: Node, atom: Flipped, *, total: bool) -> int:
    """Returns the form of an arbitrary array in the place of a value."""
    rank = tuple(range(len(node.shape)))
    head = forms.store_head(
        Head("argument", ("node", atom.node), (), node.shape, 0, (rank,), total)
    )
    if atom.axes or atom.odd:
        forms.signed[head] = frozenset(atom.axes or (-1,))
    return forms.close(Labels(node.shape), [Piece(ONCE, ((head, tuple((a, ()) for a in rank)),))])


def _flipped_form(forms: Forms, form: int, atom: Flipped, k: int, count: int) -> int:
    """Returns a value with the sign k flipped along its axes."""
    sizes = forms.form[form][0]
    signs = constants(forms, (count,), [Fraction(-1 if i == k else 1) for i in range(count)])
    factors = [forms.move(signs, ((a, ()),), sizes) for a in atom.axes]
    found = multiplied(forms, sizes, [form, *factors], ONCE)
    if atom.odd:
        return negative(forms, found)
    return found


class Values:
    """The normal forms of a value, as functions of those of the atoms.

    Constants of many numbers become unknown arrays; equal constants become the same array.
    """

    def __init__(self, forms: Forms, program: Program, inside: Sequence[int]) -> None:
        self.forms, self.program, self.inside = forms, program, inside
        self.constant: dict[int, int] = {}

    def at(self, atoms: Mapping[int, int]) -> int:
        """Returns the form of the last node, given forms of the atoms."""
        known = {node: form for node, form in atoms.items() if node != self.inside[-1]}
        for number in self.inside:
            if number in self.constant:
                known[number] = self.constant[number]
                continue
            node = self.program.nodes[number]
            known[number] = self._node(node, [known[a] for a in node.args])
            if self.constant.keys() >= {*node.args}:
                self.constant[number] = known[number]
        return known[self.inside[-1]]

    def _node(self, node: Node, args: Sequence[int]) -> int:
        values = node.at.get("values", ())
        if len(values) > MOST_NUMBERS and any(value != values[0] for value in values):
            return self._leaf(node, "argument", (), total=True)
        try:
            return NODES[node.op](self.forms, node, args)
        except Limited:
            raise
        except Rejected:
            return self._leaf(node, "unknown", args, total=False)

    def _leaf(self, node: Node, kind: HeadKind, args: Sequence[int], *, total: bool) -> int:
        """Returns the form of one unknown function, the same for all nodes of a kind."""
        rank = tuple(range(len(node.shape)))
        head = Head(kind, ("kind", node.kind), tuple(args), node.shape, 0, (rank,), total)
        places: tuple[Index, ...] = tuple((a, ()) for a in rank)
        piece = Piece(ONCE, ((self.forms.store_head(head), places),))
        return self.forms.close(Labels(node.shape), [piece])


def _written_entries(
    forms: Forms, shape: Sequence[Size]
) -> Iterator[tuple[tuple[Index, ...], tuple[Size, ...], dict[int, int]]]:
    """Yields indices at each place of the axes that are written out, with the other axes kept.

    Each is given with the sizes of the other axes, and with the index on each axis that is written
    out.
    """
    axes = {a: size.constant for a, size in enumerate(shape) if size.constant in forms.written}
    kept = [a for a in range(len(shape)) if a not in axes]
    lengths = [n for n in axes.values() if n is not None]
    if prod(lengths) > MOST_ENTRIES:
        raise Rejected("normal forms that are compared at too many entries")
    for place in product(*map(range, lengths)):
        entry = dict(zip(axes, place, strict=True))
        index = tuple(
            fixed_index(Size.of(entry[a])) if a in entry else (kept.index(a), ())
            for a in range(len(shape))
        )
        yield index, tuple(shape[a] for a in kept), entry


def followed_through(
    program: Program, inside: Sequence[int], starts: Mapping[int, Place | None], count: Size
) -> Place | None:
    """Returns where the last of these nodes follows, given where the atoms follow.

    Returns NOWHERE where entries are mixed.
    """
    places = {node: place for node, place in starts.items() if node != inside[-1]}
    for number in inside:
        node = program.nodes[number]
        args = [(places[a], program.nodes[a], None) for a in node.args]
        places[number] = followed(node, args, count, is_still=False, is_scaled=False)
        if places[number] == NOWHERE:
            return NOWHERE
    return places[inside[-1]]
