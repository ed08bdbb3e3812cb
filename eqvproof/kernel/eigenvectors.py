"""Checks proofs about eigenvectors, which are further arguments of a program in forms.

V holds columns of unit eigenvectors of (M + M^T)/2, for the matrix M of an earlier line, in the
ascending order of their eigenvalues: some of them one after another, or one; of several matrices
along one axis, those of each. It has no value where two eigenvalues are equal. Which of the two
vectors of each is meant is not said: a choice at x says it for each V.

*Elements.* Where M(g x) = A M(x) A^T for an orthogonal A, A V are eigenvectors of M(g x), of the
same eigenvalues in the same order: a choice at x leads to one at g x, with A V in place of V.
Several matrices are permuted with their V. c M, c > 0, has the eigenvectors of M in their order.
The types of the lines, with these of V, show that f at g x with that choice is g times what it is
at x.

*Signs.* V s, for signs s of the columns, is another choice for the same M; of several matrices, each
has signs of its own. Types beside those of the elements show that f stays as it is where the signs
of one V are flipped: its M and all V before it stay, those after it move as their matrices do. From
any choice at x these lead to any other, the first V of all first. So f(g x) = g f(x), where f is
the same at every choice. `rocq/Eigenvectors.v` has the lemmas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .checker import STD, RType, Rules, all_fixed
from .claimed_types import checked_family
from .claims import Factor
from .entries import Entries, Mark, Marks, Still
from .form_program import FormProgram
from .forms import FormReader, Input, Lab, Program
from .groups import FAMILIES
from .motions import Law, Motion, Motions, stays
from .report import Rejected, spend
from .sizes import ONE, Size, is_nonnegative
from .text import fields, integer, items

Shape = tuple[Size, ...]
#: The family whose elements flip the signs of eigenvectors.
SIGNS = next(name for name, family in FAMILIES.items() if family.kind == "sign")


@dataclass(frozen=True, slots=True)
class Eigenvectors:
    """An argument that holds eigenvectors.

    Attributes:
        number: its number among the arguments.
        line: the line that is the argument.
        matrix: the line of the matrices.
        shape: of the argument.
        lead: the number of its axes before that of the columns.
    """

    number: int
    line: int
    matrix: int
    shape: Shape
    lead: int

    @property
    def count(self) -> Size:
        """The number of columns."""
        (count,) = self.shape[self.lead :] or (ONE,)
        return count

    def moved_type(self, types: Sequence[RType], factor: Factor) -> RType:
        """Returns the type of the eigenvectors, by that of their matrices.

        Raises:
            Rejected: the matrices do not move as A M A^T for orthogonal A.
        """
        axes, power = types[self.matrix]
        *batch, rows, columns = axes
        same = Rules(checked_family(factor), self.count, (), ()).same
        good = rows == columns and (all_fixed(tuple(batch)) or factor.kind == "perm")
        if factor.kind in ("lin", "scale"):
            good = good and all_fixed(axes)
        if not good or (factor.kind != "scale" and not same(power, 0)):
            raise Rejected(f"the matrices of line {self.matrix} do not move as their eigenvectors")
        return (*batch, rows, *[()] * (len(self.shape) - self.lead)), 0

    def flipped_type(self, types: Sequence[RType]) -> RType:
        """Returns the type of the eigenvectors where their signs are flipped.

        Of one column the sign is the character.

        Raises:
            Rejected: their matrices are said to be others where they are flipped.
        """
        axes, power = types[self.matrix]
        if not all_fixed(axes) or power % 2:
            raise Rejected(f"the matrices of line {self.matrix} are not as they were")
        if len(self.shape) == self.lead:
            return ((),) * self.lead, 1
        return (*((),) * self.lead, ((STD, self.count),)), 0


def read_eigenvectors(
    value: Any, program: FormProgram, first: int, reader: FormReader
) -> tuple[Eigenvectors, ...]:
    """Reads which arguments, from a number on, hold eigenvectors: of which line, from which column.

    Raises:
        Rejected: an argument is not one line, after that of its matrices and those of the arguments
            before it, or not of the shape of such columns.
    """
    found = list[Eigenvectors]()
    for k, entry in enumerate(items(value, "$.forms.eigenvectors")):
        path = f"$.forms.eigenvectors[{k}]"
        matrix, start = fields(entry, path, "matrix", "start")
        places = [n for n, form in enumerate(program.lines) if form == Input(first + k)]
        spend(len(program.lines))
        earlier = found[-1].line if found else -1
        if len(places) != 1 or places[0] <= max(integer(matrix, path, 0), earlier):
            raise Rejected(f"{path}: expected one line, after its matrix and those before")
        whole, own = program.shapes[matrix], program.shapes[places[0]]
        good = 2 <= len(whole) <= 3 and whole[-1] == whole[-2] and len(own) <= len(whole)
        if not good or own[: len(whole) - 1] != whole[:-1]:
            raise Rejected(f"{path}: a shape that columns of eigenvectors do not have")
        one = Eigenvectors(first + k, places[0], matrix, own, len(whole) - 1)
        if not is_nonnegative(whole[-1] - reader.size(start, path) - one.count, reader.lows):
            raise Rejected(f"{path}: columns beyond the last one")
        found.append(one)
    if not found:
        raise Rejected("$.forms.eigenvectors: expected eigenvectors")
    return tuple(found)


def flipped_types(
    listed: Sequence[Eigenvectors], flipped: int, types: Sequence[RType], factor: Factor
) -> list[RType]:
    """Returns the types of all eigenvectors where the signs of one are flipped."""
    found = list[RType]()
    for k, own in enumerate(listed):
        if k < flipped:
            found.append((((),) * len(own.shape), 0))
        elif k == flipped:
            found.append(own.flipped_type(types))
        else:
            found.append(own.moved_type(types, factor))
    return found


def typing_of_signs(
    proof: Any, number: int, evidence: Any, path: str, read_types: Callable[..., list[RType]]
) -> tuple[Any, ...]:
    """Returns the fields of a `form_proof.Typing` where the signs of eigenvectors are flipped.

    Args:
        proof: a `form_proof.FormProof`.
        number: that of the eigenvectors, among these.
        evidence: the stated types.
        path: where they stand.
        read_types: reads them.

    Raises:
        Rejected: they are malformed, or eigenvectors have other types.
    """
    family, axis, *stated = fields(evidence, path, "family", "axis", "types", "lines")
    words = f"the signs of the eigenvectors {number}"
    Factor(SIGNS, number).require_named(family, axis, path, words)
    listed, own = proof.eigenvectors, proof.eigenvectors[number]
    factor = Factor(SIGNS, f"the eigenvectors {number}")
    types = read_types(stated, proof, path)
    still = [(((),) * len(shape), 0) for shape in proof.given[: -len(listed)]]
    given = still + flipped_types(listed, number, types, factor)
    result, at = proof.program.shapes[-1], None
    if own.lead > 1:
        at = Entries([None] * len(still), None, result)
    claimed: RType = ((),) * len(result), 0
    return factor, own.count, types, given, claimed, at, frozenset[int](), number


def with_starts(
    listed: Sequence[Eigenvectors], at: Entries, still: Still, lines: Program,
    shapes: Sequence[Shape], flipped: int | None = None,
) -> Entries:  # fmt: skip
    """Adds the axes of eigenvectors each entry of which has an element: that of their matrices.

    Args:
        listed: the eigenvectors.
        at: those axes of the other arguments, and of the result.
        still: whether by its type no element changes a form.
        lines: the program.
        shapes: of the lines.
        flipped: the eigenvectors that have signs of their own for each matrix, or None.

    Raises:
        Rejected: some matrices are not seen to be one for each entry of their first axis.
    """
    starts: list[int | None] = [*at.starts, *[None] * len(listed)]
    own = {one.line: one for one in listed}
    if flipped is not None:
        first = listed[flipped]
        starts[first.number] = 0
        del own[first.line]
    marks, context = Marks(starts, still, at.lows), list[tuple[int, Mark]]()
    for number, (form, shape) in enumerate(zip(lines, shapes, strict=True)):
        if number in own:
            one = own[number]
            rank, (place, bounds) = context[one.matrix]
            inside = all(shapes[one.matrix][axis] == size for axis, size in bounds)
            if place is not None and not (rank == 3 and place == Lab(0) and inside):
                raise Rejected(f"the matrices of line {one.matrix} are not one for each element")
            starts[one.number] = None if place is None else 0
        found = marks.mark_of_line(context, len(shape), form)
        if found is None:
            raise Rejected(f"line {number} is not seen to be one value for each element")
        context.append((len(shape), found))
    return replace(at, starts=starts)


def require_still(
    listed: Sequence[Eigenvectors], laws: Sequence[Law], given: Sequence[Motion], lines: Program
) -> None:
    """Requires that a translation leaves the matrices as they are.

    Raises:
        Rejected: it is not seen that it does.
    """
    motions = Motions(laws, given)
    for form in lines:
        spend(1)
        found = motions.motion_of(form)
        if found is None:
            raise Rejected("a line that is not seen to move by a translation")
        motions.context.append(found)
    if not all(stays(motions.context[one.matrix]) for one in listed):
        raise Rejected("matrices that a translation moves have other eigenvectors")
