"""The interface of the operations of a Program, and the default answers.

An operation is frozen data: ``args`` (indices of earlier nodes), ``shape`` (a tuple of `Size`), and
fields of its own. Values are tensors of real numbers whose entries may be *undefined* (1/0, log 0,
...). Each class holds all that the package knows of one operation; walks over Programs ask the
nodes and know none of them.

An answer that leaves something open ("may be", "no rule") is always sound, and is the default;
methods that every class must give raise NotImplementedError here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from eqvproof.claims.size import Size
from eqvproof.numbers.bound import Bound
from eqvproof.numbers.spans import EVERYTHING, Interval, hull
from eqvproof.programs.operations.numpy_code import NotRenderable, Text
from eqvproof.programs.rules.acts import Stuck, Type
from eqvproof.programs.rules.characters import Exponent, Typed
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import Known, Totals
from eqvproof.programs.rules.translations import Move

if TYPE_CHECKING:
    from eqvproof.programs.builder import Builder as Builder
    from eqvproof.programs.defined import Domains as Domains
    from eqvproof.programs.evaluate.definedness import Where as Where
    from eqvproof.programs.evaluate.degree import Counted as Counted
    from eqvproof.programs.evaluate.system import NumberSystem as NumberSystem
    from eqvproof.programs.intervals import Intervals as Intervals
    from eqvproof.programs.operations.einsum import Einsum
    from eqvproof.programs.operations.read import Read
    from eqvproof.programs.signs import Signs as Signs

Shape = tuple[Size, ...]
Args = tuple[int, ...]
Lengths = tuple[int, ...]
Sizes = Mapping[str, int]
LETTERS = "ijklmpqrstuvwxyzabcdefgh"


@dataclass(frozen=True, slots=True)
class Operation:
    """One node of a Program.

    Attributes:
        args: the nodes that it is computed from.
        shape: its shape.
        op: its name in certificates.
        rule: the name under which proofs cite its rule.
        strict: whether it is defined exactly where its arguments are, whatever these are.
        rational: whether entries always are rational functions of the entries of the arguments.
        keeps_order: whether it has the entries of its argument in their row-major order, whatever
            its shape.
    """

    op: ClassVar[str]
    rule: ClassVar[str]
    strict: ClassVar[bool] = False
    rational: ClassVar[bool] = False
    keeps_order: ClassVar[bool] = False

    args: Args
    shape: Shape

    def lengths(self, sizes: Sizes) -> Lengths:
        """Returns the shape at given sizes."""
        return tuple(s.value(sizes) for s in self.shape)

    # -- what it is
    # ------------------------------------------------------------------------------------
    @property
    def given(self) -> str | None:
        """Returns the name of an input; None for other operations."""
        return None

    @property
    def constant(self) -> np.ndarray[Any, Any] | None:
        """Returns the array of a constant; None for other operations."""
        return None

    @property
    def is_identity(self) -> bool:
        """Returns True for the identity matrix."""
        return False

    @property
    def triangle(self) -> int | None:
        """Returns k for the matrix that is 1 for j <= i + k, else 0; None for others."""
        return None

    @property
    def extreme(self) -> tuple[str, tuple[int, ...]] | None:
        """Returns ("max" or "min", axes) for an extreme entry along axes; None for others."""
        return None

    @property
    def is_counting(self) -> bool:
        """Returns True for the vector 0, 1, 2, ..."""
        return False

    @property
    def as_size(self) -> Size | None:
        """Returns the size whose value it is; None for others."""
        return None

    @property
    def is_ordered(self) -> bool:
        """Returns True if the order of values decides which entries it has."""
        return False

    @property
    def as_product(self) -> Einsum | None:
        """Returns itself if it is a sum of products of labelled values, else None."""
        return None

    @property
    def as_reading(self) -> Read | None:
        """Returns itself if it holds entries of a value at other places, else None."""
        return None

    @property
    def joined(self) -> int | None:
        """Returns the axis along which it joins its arguments; None for others."""
        return None

    @property
    def choice(self) -> Args:
        """Returns the condition and the two values of a choice; nothing for others."""
        return ()

    @property
    def function(self) -> str:
        """Returns the name of the elementwise function that it applies; "" for others."""
        return ""

    @property
    def matrix_function(self) -> str:
        """Returns the name of the function of matrices that it applies; "" for others."""
        return ""

    @property
    def called(self) -> str | None:
        """Returns the name of the uninterpreted function that it applies; None for others."""
        return None

    @property
    def is_up_to_signs(self) -> bool:
        """Returns True if it holds eigenvectors, each determined up to its sign."""
        return False

    @property
    def terms(self) -> Args:
        """Returns the values that it adds up; nothing if it is no sum."""
        return ()

    @property
    def remainder(self) -> tuple[int, int] | None:
        """Returns (x, y) for x mod y; None for others."""
        return None

    @property
    def unit_axes(self) -> tuple[int, ...]:
        """Returns axes along which at most one entry is not 0, and that is 1."""
        return ()

    @property
    def inverted(self) -> int | None:
        """Returns x for 1 / x; None for others."""
        return None

    @property
    def root(self) -> int | None:
        """Returns x for the square root of x; None for others."""
        return None

    @property
    def summed(self) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
        """Returns (value, its labels, those kept) if it sums, repeats and reorders one value.

        None for others.
        """
        return None

    @property
    def is_rational(self) -> bool:
        """Returns True if entries are rational functions of the entries of the arguments."""
        return self.rational

    @property
    def sources(self) -> Args:
        """Returns the arguments from which its entries are taken; nothing if it computes them."""
        return ()

    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        """Returns, for each axis of the k-th argument, the axis of the result with its index.

        Entries at an index of that axis depend on entries of the argument at the same index alone;
        None if they may depend on others. The argument has that shape.
        """
        return [None] * len(shape)

    def widened(self, b: Builder, args: Sequence[int], size: Size) -> int | None:
        """Builds the operation on arguments with one more last axis; None if that is unknown.

        It is applied slice by slice along the new axis, which has this size.
        """
        return None

    # -- how groups act
    # --------------------------------------------------------------------------------
    def infer(self, args: list[Type], context: Context) -> list[Type]:
        """Infers the types of the result from those of the arguments. Raises: Stuck."""
        raise NotImplementedError

    def typed(self, args: Sequence[Typed], context: Context) -> list[Typed]:
        """Infers types with exponents of the determinant. Raises: Stuck."""
        if not any(a.odd for a in args):
            odd = 0
        else:
            odd = self.character([a.odd for a in args], context)
        return [Typed(acts, odd) for acts in self.infer([a.acts for a in args], context)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        """Infers the exponent of the character that multiplies the result. Raises: Stuck.

        See `rules.characters`.
        """
        return context.characters.plain(exponents, "an uninterpreted function")

    def translated(self, args: list[Move], context: Context) -> Move:
        """Infers what translations add to the result, if they move an argument. Raises: Stuck.

        See `rules.translations`.
        """
        raise Stuck("no rule for coordinates that are translated")

    def sums(self, known: Known) -> Totals:
        """Returns the sums of entries that do not depend on the inputs (see `rules.sums`).

        `known` holds those of the nodes before it.
        """
        return {}

    # -- values
    # ----------------------------------------------------------------------------------------
    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        """Evaluates the operation in any number system."""
        raise NotImplementedError

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, walk: Counted
    ) -> Bound:
        """Bounds the result as a rational function.

        `walk` counts values of uninterpreted functions.
        """
        raise NotImplementedError

    def locate(self, args: Sequence[Bound], shape: Lengths, walk: Counted) -> None:
        """Counts the hashes that encode where it is defined (`conditions`)."""

    def located(self, args: Sequence[Any], where: Where) -> Any:
        """Evaluates the operation over prime fields, on values with their conditions."""
        return self.evaluate(where.system, [a.value for a in args], where.sizes)

    def conditions(self, args: Sequence[Any], value: Any, where: Where) -> Any:
        """Returns the sums of hashes of all conditions under which entries are defined.

        None: they always are.

        Args:
            args: values with their conditions.
            value: its value.
            where: builds and combines conditions.
        """
        if self.args:
            raise NotImplementedError
        return None

    # -- where values lie, at all inputs and sizes
    # -----------------------------------------------------
    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        """Returns an interval that holds every defined entry, from those of the arguments."""
        if self.sources:
            return hull([known.of(x) for x in self.sources])
        return EVERYTHING

    def is_whole(self, known: Intervals) -> bool:
        """Returns True only if every entry is a whole number."""
        return bool(self.sources) and all(map(known.is_whole, self.sources))

    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        """Returns True only if no entry is 0, for reasons other than its interval `span`."""
        return bool(self.sources) and all(map(known.is_nonzero, self.sources))

    def keeps(self, known: Signs) -> bool:
        """Returns True only if it is defined wherever its arguments are."""
        return self.strict

    def needed(self, known: Signs) -> Args:
        """Returns the arguments that decide whether it is defined."""
        return self.args

    def carried(self, axes: Callable[[int], frozenset[int]]) -> frozenset[int]:
        """Returns the axes along which it may differ, from those of its arguments.

        `axes` gives the axes along which an argument may differ.
        """
        return frozenset(range(len(self.shape)))

    def varying(self, known: Domains) -> frozenset[int]:
        """Returns the axes along which it may be defined here and undefined there."""
        return self.carried(known.varying)

    # -- text
    # ------------------------------------------------------------------------------------------
    @property
    def label(self) -> str | None:
        """Returns its name in formulas if it needs no line of its own, else None."""
        return None

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        """Returns the formula of the operation, with names for the result and the arguments.

        The arguments have these shapes.
        """
        raise NotImplementedError

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        """Returns the NumPy expression. Raises: NotRenderable."""
        raise NotRenderable(type(self).__name__)


def integers(system: NumberSystem, values: Sequence[int], shape: Lengths) -> Any:
    """Returns the array of these integers, row-major."""
    known = {v: Fraction(v) for v in set(values)}
    return system.fractions([known[v] for v in values], shape)
