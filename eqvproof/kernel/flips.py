"""Checks types under sign flips by normal forms: v at flipped arguments and flipped v have one.

A line u is computed from earlier lines p_1, ..., p_r, and from constants: u = F(p). At g x it is
F(D p), where D p are the p_i with the signs that their types give them. So u has a type, D_u say,
where ``F(D p) = D_u F(p)`` for all arrays p, both defined at the same entries. Normal forms show
such an identity (see `normal`; entries of the p_i may have no value). It is asked for

* the flip of each single sign, where these are a number of them: they generate all flips, and what
  holds of D and D' for all arrays holds of D D'; or
* the flip of all signs together, where each p_i has signs along one axis at most and F goes index
  by index along these axes (`entries`, with an element 1 or -1 for each index): entry k of F(D p)
  is then the one of F(s p) for the sign s = D[k].

In the first case forms are compared entry by entry along the axes of the signs, and those that are
written out. What has no normal form is some function of its arguments, and of these alone;
eigenvectors are none.

Some p_i count as real arrays: arguments, the eigenvectors V of one matrix whose signs are flipped,
and what is computed from these by functions defined everywhere. Where V has no value, a flip
changes nothing, so that ``D p = p`` by the types. Let entry e of F(p) be c there. Operations only
gain values when arguments do: so e of F(p') is c for all arrays p' of reals that agree with p where
it has values, D p' among them. Hence c is 0 where the type says that e changes sign: D_u F(p) is
F(p), and F(D p), too.

Types are checked of the lines on which the result rests: of a line that is shown these are the p_i,
of others those that they use, and of eigenvectors their matrices. By induction each of them has its
type. Of the lines between u and the p_i no type is needed, and what is stated of them is not used.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from .checker import STD, RType, Rules, all_fixed, fixed
from .constant_atoms import constants
from .entries import NO_MARK, Mark, Marks, Still, still_by_types
from .form_functions import Array
from .form_program import FormProgram, least_sizes
from .forms import (
    Add,
    Choose,
    Contract,
    Delta,
    Form,
    Input,
    Join,
    Lab,
    Leaf,
    Map,
    Scalar,
    Sort,
    View,
    Whole,
    arguments_of,
)
from .functions import TOTAL
from .indices import ONCE, Index, fixed_index
from .normal import form_of_line, new_forms
from .normal_forms import Forms, Head, HeadKind, Labels, Piece, multiplied, negative
from .report import LARGE_WORK, Limited, Rejected, allow_in_all, spend
from .sizes import ONE, Size, is_nonnegative
from .text import boolean, fields, integer, items

#: Largest number of signs that are flipped one by one, of entries of an axis that is written out,
#: and of entries that are compared.
MOST_SIGNS, MOST_WRITTEN, MOST_ENTRIES = 16, 64, 256
#: Largest number of entries of a constant that is expanded.
MOST_NUMBERS = 64
#: Functions that are defined, and positive, at positive numbers.
POSITIVE = frozenset(("recip", "sqrt"))
#: The number of axes of a line of which nothing is known.
UNKNOWN = (-1, NO_MARK)
Shape = tuple[Size, ...]


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


@dataclass(frozen=True, slots=True)
class Shown:
    """The lines by whose types normal forms show that of a line, and how."""

    premises: tuple[int, ...]
    way: Way


def read_shown(value: Any, path: str, count: int) -> dict[int, Shown]:
    """Reads which of the lines of a program are shown by normal forms.

    Args:
        value: its data.
        path: where they stand.
        count: the number of lines.

    Raises:
        Rejected: they are malformed, name a line twice, or one by later ones.
    """
    found = dict[int, Shown]()
    for k, entry in enumerate(items(value, path, count)):
        where = f"{path}[{k}]"
        line, premises, single, written = fields(
            entry, where, "line", "premises", "single", "written"
        )
        number = integer(line, f"{where}.line", max(found, default=-1) + 1, count - 1)
        earlier = items(premises, f"{where}.premises", count)
        read = tuple(integer(p, f"{where}.premises", 0, number - 1) for p in earlier)
        if len({*read}) != len(read):
            raise Rejected(f"{where}.premises: a line twice")
        sizes = items(written, f"{where}.written", MOST_WRITTEN)
        lengths = frozenset(integer(n, f"{where}.written", 2, MOST_WRITTEN) for n in sizes)
        found[number] = Shown(read, Way(boolean(single, f"{where}.single"), lengths))
    if not found:
        raise Rejected(f"{path}: expected lines")
    return found


@dataclass(frozen=True, slots=True)
class Flipped:
    """A line that flips move.

    It is multiplied by the signs along `axes`, and, if `odd`, by the product of all signs.
    """

    line: int
    axes: tuple[int, ...]
    odd: bool


@dataclass(frozen=True, slots=True)
class Flips:
    """A program under the flips of some signs.

    Attributes:
        program: the program.
        count: the number of signs.
        lows: the least sizes of the names of axes.
        real: the lines that count as real arrays.
    """

    program: FormProgram
    count: Size
    lows: Mapping[str, int]
    real: frozenset[int]

    def flipped(self, line: int, own: RType) -> Flipped | None:
        """Returns what a type says of a line; None if along an axis other than all signs are.

        An axis along which signs stand is as long as there are signs.
        """
        acts, power = own
        axes = tuple(a for a, act in enumerate(acts) if not fixed(act))
        shape = self.program.shapes[line]
        if any(acts[a] != ((STD, self.count),) or shape[a] != self.count for a in axes):
            return None
        return Flipped(line, axes, bool(power % 2))

    def derivable(self, line: int, shown: Shown, types: Sequence[RType]) -> bool:
        """Checks whether a line has its type when the lines by which it is shown have theirs.

        Raises:
            Rejected: it is not computed from these, or its normal forms are too long.
        """
        found, atoms = self.flipped(line, types[line]), dict[int, Flipped]()
        for premise in shown.premises:
            atom = self.flipped(premise, types[premise])
            if atom is None:
                return False
            atoms[premise] = atom
        allow_in_all(LARGE_WORK)
        return found is not None and self.holds(atoms, found, shown.way)

    def holds(self, atoms: Mapping[int, Flipped], found: Flipped, way: Way) -> bool:
        """Checks whether both sides have one normal form, defined at the same entries.

        Args:
            atoms: the lines from which the line is computed.
            found: the claimed behaviour of the line under flips.
            way: how the normal forms are made.

        Raises:
            Rejected: it is not computed from these, or the forms are too long.
        """
        inside = region(self.program, found.line, atoms)
        forms = new_forms(self.lows)
        forms.written = way.written
        values = Values(forms, self.program, inside)
        still = {
            line: _leaf(forms, self.program.shapes[line], atom, total=line in self.real)
            for line, atom in atoms.items()
        }
        if way.single:
            return self._holds_of_each(values, still, atoms, found)
        if not follows(self.program, inside, atoms, found):
            return False
        turned = {
            line: negative(forms, form) if atoms[line].axes else form
            for line, form in still.items()
        }
        value = wanted = values.at(still)
        if found.axes:
            wanted = negative(forms, value)
        return values.at(turned) == wanted and forms.same(wanted)

    def _holds_of_each(
        self, values: Values, still: Mapping[int, int], atoms: Mapping[int, Flipped], found: Flipped
    ) -> bool:
        """Checks whether both sides have one normal form where one sign is flipped, for each."""
        many, forms = self.count.constant, values.forms
        if many is None or not 1 <= many <= MOST_SIGNS:
            return False
        forms.written |= {many}
        value, compared = values.at(still), list[int]()
        for k in range(many):
            turned = {
                line: _flipped_form(forms, form, atoms[line], k, many)
                for line, form in still.items()
            }
            other = values.at(turned)
            shape = self.program.shapes[found.line]
            for index, sizes, entry in _written_entries(forms, shape):
                one, two = (forms.move(form, index, sizes) for form in (value, other))
                times = sum(entry[a] == k for a in found.axes) + found.odd
                wanted = negative(forms, one) if times % 2 else one
                if two != wanted:
                    return False
                compared.append(wanted)
        return all(map(forms.same, compared))


def real_lines(
    program: FormProgram, lows: Mapping[str, int], partial: Container[int]
) -> frozenset[int]:
    """Returns the lines that count as real arrays.

    Args:
        program: the program.
        lows: the least sizes of the names of axes.
        partial: the numbers of the arguments that count as none.
    """
    spend(len(program.lines))
    found, positive = set[int](), set[int]()
    for line, form in enumerate(program.lines):
        used = arguments_of(form)
        if _is_positive(program, form, lows, positive):
            positive.add(line)
        if isinstance(form, Input):
            is_real = form.number not in partial
        else:
            is_real = _keeps_reals(program, form, are_positive=positive.issuperset(used))
        if is_real and found.issuperset(used):
            found.add(line)
    return frozenset(found)


def _keeps_reals(program: FormProgram, form: Form, *, are_positive: bool) -> bool:
    """Checks whether a form of real arrays, perhaps of positive ones, has values everywhere."""
    match form:
        case Map(function):
            name = program.functions[function]
            return name in TOTAL or (are_positive and name in POSITIVE)
        case Whole(function):
            return isinstance(program.functions[function], Array)
    return isinstance(form, Scalar | Leaf | Delta | Contract | Add | Choose | Join | Sort | View)


def _is_positive(
    program: FormProgram, form: Form, lows: Mapping[str, int], known: Container[int]
) -> bool:
    """Checks whether all entries of a line are positive numbers; False may mean unknown.

    Those of constants are, and sums of at least one product of such numbers, their reciprocals and
    roots.
    """
    numbers = numbers_of(program, form)
    if numbers is not None:
        return all(value > 0 for value in numbers)
    match form:
        case Scalar(value):
            return value > 0
        case Contract(rows, summed, _):
            counts = (is_nonnegative(size - ONE, lows) for _, size in summed)
            return all(a in known for a, _ in rows) and all(counts)
        case Map(function, (argument,)):
            return program.functions[function] in POSITIVE and argument in known
    return False


def check(proof: Any, own: Any, rules: Rules, shown: Any, path: str) -> None:
    """Checks types of a proof, some of which are shown by normal forms.

    Args:
        proof: a `form_proof.FormProof`, whose shapes have been checked.
        own: the `form_proof.Typing`, for sign flips.
        rules: those for the types of the other lines.
        shown: which lines are shown, and how.
        path: where that stands.

    Raises:
        Rejected: some type does not follow, or that of the result is not the claimed one.
    """
    program, types = proof.program, own.types
    lines = program.lines
    ways = read_shown(shown, f"{path}.shown", len(lines))
    if not rules.signed:
        raise Rejected(f"{path}.shown: sign flips alone are shown by normal forms")
    vectors = {one.number: one for one in proof.eigenvectors}
    first = len(proof.claim.inputs)
    one_matrix = [k for k, one in enumerate(proof.eigenvectors) if one.lead == 1]
    real = first + own.flipped if own.flipped in one_matrix else None
    lows = least_sizes(proof.claim)
    flips = Flips(program, own.size, lows, real_lines(program, lows, vectors.keys() - {real}))
    proved = result_rests_on(lines, ways, {n: one.matrix for n, one in vectors.items()})
    for line in sorted(proved):
        spend(1 + line // 500)
        if line in ways and not flips.derivable(line, ways[line], types):
            raise Rejected(f"{path}: normal forms do not show the type of line {line}")
        if line not in ways and not rules.rule(types[:line], lines[line], types[line]):
            raise Rejected(f"{path}: no rule gives line {line} the stated type")
    if types[-1] != own.claimed:
        raise Rejected(f"{path}: the type of the last line is not the claimed one")
    if own.at is None:
        return
    by_rule = still_by_types(rules, types)

    def still(line: int, form: Form, rank: int) -> bool:
        if line in ways and line in proved and form == lines[line]:
            return all_fixed(types[line][0]) and rules.same(types[line][1], 0)
        return proved.issuperset(arguments_of(form)) and by_rule(line, form, rank)

    _check_each(proof, own, still, path)


def result_rests_on(
    lines: Sequence[Form], shown: Mapping[int, Shown], matrices: Mapping[int, int]
) -> frozenset[int]:
    """Returns the last line and those on whose types its type rests.

    Args:
        lines: the program.
        shown: which lines are shown by normal forms.
        matrices: for each argument that holds eigenvectors, by number, the line of its matrices.
    """
    found, stack = set[int](), [len(lines) - 1]
    while stack:
        line = stack.pop()
        if line in found:
            continue
        found.add(line)
        form = lines[line]
        spend(1)
        if line in shown:
            stack.extend(shown[line].premises)
        elif isinstance(form, Input):
            stack.extend(matrices[n] for n in [form.number] if n in matrices)
        else:
            stack.extend(arguments_of(form))
    return frozenset(found)


def _check_each(proof: Any, own: Any, still: Still, path: str) -> None:
    """Checks the program under signs of their own for each entry of an axis.

    Raises:
        Rejected: the result is not seen to be one value for each entry.
    """
    lines, at = proof.program.lines, proof.with_starts(own.at, still, own.flipped)
    ranks = [len(shape) for shape in proof.program.shapes]
    good = len(at.starts) == len(own.given)
    if not good or not Marks(at.starts, still, at.lows).follows(ranks, lines, at.stop, at.shape):
        raise Rejected(f"{path}: the result is not seen to be one value for each entry of the axis")


def region(program: FormProgram, number: int, ends: Container[int]) -> list[int]:
    """Returns the lines between `ends` and a line that is computed from them, that line last.

    The lines in `ends`, and those that they are computed from, are left out.

    Raises:
        Rejected: the line depends on an argument that is not in `ends`.
    """
    found, stack = set[int](), [number]
    while stack:
        line = stack.pop()
        if line in found or (line in ends and line != number):
            continue
        form = program.lines[line]
        if isinstance(form, Input):
            raise Rejected(f"line {number}: it is computed from the argument of line {line}, too")
        used = arguments_of(form)
        spend(1 + len(used))
        found.add(line)
        stack.extend(used)
    return sorted(found)


def follows(
    program: FormProgram, inside: Sequence[int], atoms: Mapping[int, Flipped], found: Flipped
) -> bool:
    """Checks that a line is computed index by index along the axes of the signs.

    Of each line at most one axis is such, and none is multiplied by the product of all signs.

    Args:
        program: the program.
        inside: the lines between the atoms and the line, which is the last of them.
        atoms: the lines from which it is computed.
        found: the claimed behaviour of the line under flips.
    """
    if any(len(atom.axes) > 1 or atom.odd for atom in (*atoms.values(), found)):
        return False
    marks, context = Marks((), lambda *_: False), [UNKNOWN] * (found.line + 1)
    for line, atom in atoms.items():
        start: Mark = NO_MARK
        if atom.axes:
            start = Lab(atom.axes[0]), ()
        context[line] = len(program.shapes[line]), start
    for line in inside:
        rank = len(program.shapes[line])
        spend(1 + line // 500)
        mark = marks.mark_of_line(context[:line], rank, program.lines[line])
        if mark is None:
            return False
        context[line] = rank, mark
    shape, (place, bounds) = program.shapes[found.line], context[found.line][1]
    in_range = all(axis < len(shape) and shape[axis] == size for axis, size in bounds)
    return in_range and (not found.axes or place is None or place == Lab(found.axes[0]))


def _leaf(forms: Forms, shape: Shape, atom: Flipped, *, total: bool) -> int:
    """Returns the form of an arbitrary array in the place of a line."""
    rank = tuple(range(len(shape)))
    head = forms.store_head(Head("argument", ("line", atom.line), (), shape, 0, (rank,), total))
    if atom.axes or atom.odd:
        forms.signed[head] = frozenset(atom.axes or (-1,))
    return forms.close(Labels(shape), [Piece(ONCE, ((head, tuple((a, ()) for a in rank)),))])


def _flipped_form(forms: Forms, form: int, atom: Flipped, k: int, count: int) -> int:
    """Returns a line with the sign k flipped along its axes."""
    sizes = forms.form[form][0]
    signs = constants(forms, (count,), [Fraction(-1 if i == k else 1) for i in range(count)])
    factors = [forms.move(signs, ((a, ()),), sizes) for a in atom.axes]
    found = multiplied(forms, sizes, [form, *factors], ONCE)
    if atom.odd:
        return negative(forms, found)
    return found


def numbers_of(program: FormProgram, form: Form) -> Sequence[Fraction] | None:
    """Returns the numbers of a line that is an array of them, None for other lines."""
    match form:
        case Leaf(number):
            return program.stored.get(number)
        case Whole(function):
            known = program.functions[function]
            if isinstance(known, Array) and known.form is None:
                return known.numbers
    return None


class Values:
    """The normal forms of a line, as functions of those of the atoms.

    Constants of many numbers become unknown arrays; equal constants become the same array.
    """

    def __init__(self, forms: Forms, program: FormProgram, inside: Sequence[int]) -> None:
        self.forms, self.program, self.inside = forms, program, inside
        self.constant: dict[int, int] = {}

    def at(self, atoms: Mapping[int, int]) -> int:
        """Returns the form of the last line, given forms of the atoms."""
        known = {line: form for line, form in atoms.items() if line != self.inside[-1]}
        for line in self.inside:
            if line in self.constant:
                known[line] = self.constant[line]
                continue
            known[line] = self._form_of(line, known)
            if self.constant.keys() >= {*arguments_of(self.program.lines[line])}:
                self.constant[line] = known[line]
        return known[self.inside[-1]]

    def _form_of(self, line: int, known: Mapping[int, int]) -> int:
        form, shape = self.program.lines[line], self.program.shapes[line]
        numbers = numbers_of(self.program, form)
        if numbers and len(numbers) > MOST_NUMBERS and any(x != numbers[0] for x in numbers):
            return self._unknown(line, "argument", ("numbers", *numbers), (), total=True)
        try:
            return form_of_line(self.forms, self.program, form, shape, known)
        except Limited:
            raise
        except Rejected:
            data, args = ("kind", self.program.kinds[line]), [known[a] for a in arguments_of(form)]
            return self._unknown(line, "unknown", data, args, total=False)

    def _unknown(
        self, line: int, kind: HeadKind, data: Any, args: Sequence[int], *, total: bool
    ) -> int:
        """Returns the form of one unknown function, the same for all lines with the same data."""
        shape = self.program.shapes[line]
        rank = tuple(range(len(shape)))
        head = Head(kind, data, tuple(args), shape, 0, (rank,), total)
        places: tuple[Index, ...] = tuple((a, ()) for a in rank)
        piece = Piece(ONCE, ((self.forms.store_head(head), places),))
        return self.forms.close(Labels(shape), [piece])


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
