"""Eigenvectors of symmetric matrices, as columns.

    M : (A, A), A orthogonal                  M : (fixed, fixed)
    ----------------------------------        ----------------------------------------------------
    columns of V : (A, fixed)                 columns of V, their signs flipped : (fixed, s)
    one column of V : (A)                     one column of V, its sign flipped : (fixed), times s

Proof. V is any matrix with unit eigenvectors of (M + M^T)/2 as columns, in the ascending order of
the eigenvalues; where two of these are equal it has no value. Then A V is such a matrix for A M
A^T, which has the same eigenvalues, and V s for M, with signs s. So the types of a factor lead from
a choice of eigenvectors at x, for each such node, to one at g x: one type of each is taken in a
proof. The result there is g times what it is at x for these choices. That is f(g x) = g f(x) where
the result is the same for all choices, which is proved beside it, once for each such node: with the
signs of its columns flipped, and its matrix and the eigenvectors of earlier nodes as they are, the
result stays as it is. From any choice these lead to any other, the first node of all first. Where
there is no choice at x there is none at g x. Of several matrices along an axis, each has signs of
its own: the values that flips change hold at each entry of that axis what rests on the eigenvectors
there, as in `engines.elements_per_entry`. QED

M times c > 0 has the same eigenvectors in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from eqvproof.claims.size import Size
from eqvproof.programs.operations import shared
from eqvproof.programs.operations.base import Lengths, Operation, Shape, Sizes
from eqvproof.programs.operations.numpy_code import Text
from eqvproof.programs.rules.acts import Stuck, Type, fix, is_fixed, std
from eqvproof.programs.rules.characters import DEGREES, ZERO, Exponent, Typed
from eqvproof.programs.rules.context import Context

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.system import NumberSystem


@dataclass(frozen=True, slots=True)
class Eigenvectors(Operation):
    """The columns from ``start`` on, or that one column, of a matrix V of unit eigenvectors.

    They are those of the symmetric part of the argument, in the ascending order of their
    eigenvalues. Each is determined up to its sign, so claims about a Program with eigenvectors
    are proved by types alone, and never by evaluation over prime fields.
    """

    op: ClassVar[str] = "eigenvectors"
    rule: ClassVar[str] = "eigenvectors"

    start: Size

    # -- shared answers
    is_up_to_signs = True
    is_ordered = False
    is_rational = False
    sources = ()
    translated = shared.no_translations
    sums = shared.no_sums
    bound = shared.never_asked
    evaluate_with_conditions = shared.never_asked
    conditions = shared.never_asked
    count_conditions = shared.never_asked
    interval = shared.any_number
    is_whole = shared.may_be_fractional
    is_nonzero = shared.may_be_zero
    stays_defined = shared.may_be_undefined
    deciding_args = shared.all_arguments
    differing_axes = shared.may_differ
    varying_axes = shared.may_vary
    label = None

    # -- how groups act
    # --------------------------------------------------------------------------------
    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        return [*range(len(shape) - 2), None, None]

    def infer(self, args: list[Type], context: Context) -> list[Type]:
        sizes = context.shape(self.args[0])
        *batch, rows, columns = (
            fix(n) if a is None else a for a, n in zip(args[0], sizes, strict=True)
        )
        if rows != columns or (context.kind.has_dual and not is_fixed(rows)):
            raise Stuck("eigenvectors of matrices that no orthogonal matrix moves from both sides")
        if not context.kind.permutes and not all(map(is_fixed, batch)):
            raise Stuck("eigenvectors of matrices that the group mixes")
        flipped, number = context.flipped, context.nodes.index(self)
        if flipped is not None and number <= flipped and not all(map(is_fixed, (*batch, rows))):
            raise Stuck("eigenvectors of a matrix that the signs of later ones move")
        last = [std(n) if flipped == number else fix(n) for n in self.shape[len(sizes) - 1 :]]
        return [(*batch, rows, *last)]

    def typed(self, args: Sequence[Typed], context: Context) -> list[Typed]:
        (found,) = shared.acts_and_exponents(self, args, context)
        is_one = len(self.shape) < len(args[0].acts) and context.flipped == context.nodes.index(
            self
        )
        return [Typed(found.acts, 1) if is_one else found]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        chi = context.characters
        if chi is DEGREES:
            return ZERO
        return chi.plain(exponents, "eigenvectors")

    # -- values
    # ----------------------------------------------------------------------------------------
    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        start, shape, rank = self.start.value(sizes), self.lengths(sizes), len(args[0].shape)
        count = 1
        if len(shape) == rank:
            count = shape[-1]
        found = system.take(system.matrix(self.op, args), rank - 1, range(start, start + count))
        return system.reshape(found, shape)

    # -- text
    # ------------------------------------------------------------------------------------------
    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        if len(self.shape) == len(shapes[0]):
            columns = "the columns"
        else:
            columns = "one column"
        return (
            f"{name} = {columns} from {self.start} on of the eigenvectors of {args[0]}, symmetrised"
        )

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        (x,) = (a.code for a in args)
        if len(self.shape) == len(shapes[0]):
            columns = f"{self.start}:"
        else:
            columns = str(self.start)
        return Text(f"np.linalg.eigh(({x} + np.swapaxes({x}, -1, -2)) / 2)[1][..., {columns}]")
