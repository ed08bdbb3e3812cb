"""What every operation of a Program is asked, and what it answers where nothing else is said of it.

An operation is frozen data: ``args`` (indices of earlier nodes), ``shape`` (a tuple of `Size`), and
fields of its own. Values are tensors of real numbers whose entries may be *undefined* (1/0, log 0,
...). Each class holds all that the package knows of one operation; walks over Programs ask the
nodes and know none of them.
What an answer leaves open ("may be", "no rule") is always sound; the exceptions, which a class has
to give, raise NotImplementedError here.
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
        op: what certificates call it.
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
        """The shape at given sizes."""
        return tuple(s.value(sizes) for s in self.shape)

    # -- what it is
    # ------------------------------------------------------------------------------------
    @property
    def given(self) -> str | None:
        """The name of the argument that it is; None for all but inputs."""
        return None

    @property
    def constant(self) -> np.ndarray[Any, Any] | None:
        """The array of numbers that it is; None for all but constants."""
        return None

    @property
    def is_identity(self) -> bool:
        """Whether it is the identity matrix."""
        return False

    @property
    def triangle(self) -> int | None:
        """Where it is 1 for j <= i + k, else 0: k."""
        return None

    @property
    def extreme(self) -> tuple[str, tuple[int, ...]] | None:
        """Where it is the largest or the least entry along some axes: "max" or "min", and these."""
        return None

    @property
    def is_counting(self) -> bool:
        """Whether it is 0, 1, 2, ..."""
        return False

    @property
    def as_size(self) -> Size | None:
        """The size that it is."""
        return None

    @property
    def is_ordered(self) -> bool:
        """Whether the order of values decides which entries it has."""
        return False

    @property
    def as_product(self) -> Einsum | None:
        """Itself, where it is a sum of products of labelled values."""
        return None

    @property
    def as_reading(self) -> Read | None:
        """Itself, where it holds entries of a value at other places."""
        return None

    @property
    def joined(self) -> int | None:
        """The axis along which its arguments are joined."""
        return None

    @property
    def choice(self) -> Args:
        """The condition and the two values of which it chooses entries; none where it does not."""
        return ()

    @property
    def function(self) -> str:
        """The elementwise function that it is of its arguments; "" for others."""
        return ""

    @property
    def matrix_function(self) -> str:
        """The function of matrices that it is; "" for others."""
        return ""

    @property
    def called(self) -> str | None:
        """The name of the uninterpreted function whose value it is."""
        return None

    @property
    def is_up_to_signs(self) -> bool:
        """Whether it holds eigenvectors, each of which is one of two."""
        return False

    @property
    def terms(self) -> Args:
        """The values of which it is the sum; none where it is no sum."""
        return ()

    @property
    def remainder(self) -> tuple[int, int] | None:
        """Where it is x mod y: x and y."""
        return None

    @property
    def unit_axes(self) -> tuple[int, ...]:
        """The axes along which at most one entry is not 0, and that is 1."""
        return ()

    @property
    def inverted(self) -> int | None:
        """Where it is 1 / x: x."""
        return None

    @property
    def root(self) -> int | None:
        """Where it is the square root of x: x."""
        return None

    @property
    def summed(self) -> tuple[int, tuple[int, ...], tuple[int, ...]] | None:
        """Where it is one value summed, repeated and reordered: that value, its labels, those kept."""
        return None

    @property
    def is_rational(self) -> bool:
        """Whether entries are rational functions of the entries of the arguments."""
        return self.rational

    @property
    def sources(self) -> Args:
        """The arguments of whose entries every entry is one; none where entries are computed."""
        return ()

    def along(self, k: int, shape: Shape) -> Sequence[int | None]:
        """The axis along which entries rest on the same entries of the k-th argument; for each axis of it.

        None where they may rest on others. The argument has that shape.
        """
        return [None] * len(shape)

    def widened(self, b: Builder, args: Sequence[int], size: Size) -> int | None:
        """The same of values with one more axis at the end, of this size, line by line; None: it is not."""
        return None

    # -- how groups act
    # --------------------------------------------------------------------------------
    def infer(self, args: list[Type], context: Context) -> list[Type]:
        """How the axes are moved where those of the arguments are moved so. Raises: Stuck."""
        raise NotImplementedError

    def typed(self, args: Sequence[Typed], context: Context) -> list[Typed]:
        """`infer`, with exponents of the determinant. Raises: Stuck."""
        odd = 0 if not any(a.odd for a in args) else self.character([a.odd for a in args], context)
        return [Typed(acts, odd) for acts in self.infer([a.acts for a in args], context)]

    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        """By which power of a character it is multiplied (`rules.characters`). Raises: Stuck."""
        return context.characters.plain(exponents, "an uninterpreted function")

    def translated(self, args: list[Move], context: Context) -> Move:
        """What translations add, where some argument is translated (`rules.translations`). Raises: Stuck."""
        raise Stuck("no rule for coordinates that are translated")

    def sums(self, known: Known) -> Totals:
        """What entries sum to, whatever the inputs are (`rules.sums`); `known` of the nodes before it."""
        return {}

    # -- values
    # ----------------------------------------------------------------------------------------
    def evaluate(self, system: NumberSystem, args: Sequence[Any], sizes: Sizes) -> Any:
        """The value in any number system."""
        raise NotImplementedError

    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, walk: Counted
    ) -> Bound:
        """How large it is as a rational function; `walk` counts values of uninterpreted functions."""
        raise NotImplementedError

    def locate(self, args: Sequence[Bound], shape: Lengths, walk: Counted) -> None:
        """Counts the hashes that say where it is defined (`conditions`)."""

    def located(self, args: Sequence[Any], where: Where) -> Any:
        """The value over prime fields, from values with their conditions."""
        return self.evaluate(where.system, [a.value for a in args], where.sizes)

    def conditions(self, args: Sequence[Any], value: Any, where: Where) -> Any:
        """The sum of hashes of all conditions under which entries are defined; None: they always are.

        Args:
            args: values with their conditions.
            value: its value.
            where: what conditions are made and moved with.
        """
        if self.args:
            raise NotImplementedError
        return None

    # -- where values lie, at all inputs and sizes
    # -----------------------------------------------------
    def interval(self, args: Sequence[Interval], known: Intervals) -> Interval:
        """An interval that holds every defined entry, from those of the arguments."""
        return hull([known.of(x) for x in self.sources]) if self.sources else EVERYTHING

    def is_whole(self, known: Intervals) -> bool:
        """Whether every entry is known to be a whole number."""
        return bool(self.sources) and all(map(known.is_whole, self.sources))

    def is_nonzero(self, span: Interval, known: Signs) -> bool:
        """Whether no entry is known to be 0, beyond what an interval that holds them says."""
        return bool(self.sources) and all(map(known.is_nonzero, self.sources))

    def keeps(self, known: Signs) -> bool:
        """Whether it is known to be defined wherever its arguments are."""
        return self.strict

    def needed(self, known: Signs) -> Args:
        """The arguments on which it depends whether it is defined."""
        return self.args

    def carried(self, axes: Callable[[int], frozenset[int]]) -> frozenset[int]:
        """The axes along which it may differ where its arguments may differ along these axes of theirs."""
        return frozenset(range(len(self.shape)))

    def varying(self, known: Domains) -> frozenset[int]:
        """The axes along which it may be defined here and undefined there."""
        return self.carried(known.varying)

    # -- text
    # ------------------------------------------------------------------------------------------
    @property
    def label(self) -> str | None:
        """What it is called in formulas, where it needs no line of its own."""
        return None

    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        """What is computed, with names for it and its arguments, which have these shapes."""
        raise NotImplementedError

    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        """The NumPy expression. Raises: NotRenderable."""
        raise NotRenderable(type(self).__name__)


def integers(system: NumberSystem, values: Sequence[int], shape: Lengths) -> Any:
    """The array of these integers, row-major."""
    known = {v: Fraction(v) for v in set(values)}
    return system.fractions([known[v] for v in values], shape)
