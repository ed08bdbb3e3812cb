"""The questions that every operation of a Program answers.

Each class of `operations` holds all that the package knows of one operation; walks over Programs
ask the nodes and know none of them. What sums, intervals, signs and domains ask stands beside these
walks.

No question has an answer here: a class that leaves one out cannot be instantiated. An operation
answers by a method, or names a function of `operations.shared`, which also holds the answers that
leave everything open.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from eqvproof.numbers.bound import Bound
from eqvproof.programs.defined import DomainNode
from eqvproof.programs.node import Args, Lengths, Shape, Sizes
from eqvproof.programs.operations.numpy_code import Text
from eqvproof.programs.rules.acts import Type
from eqvproof.programs.rules.characters import Exponent, Typed
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import SumNode
from eqvproof.programs.rules.translations import Move

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions
    from eqvproof.programs.evaluate.system import NumberSystem

LETTERS = "ijklmpqrstuvwxyzabcdefgh"


def axis_text(shape: Shape, axis: int) -> str:
    """Writes the name of an axis, or its number where the name stands for no axis or for several."""
    name = str(shape[axis])
    if name.isidentifier() and [*map(str, shape)].count(name) == 1:
        return name
    return f"axis {axis}"


__all__ = [
    "LETTERS",
    "Args",
    "Lengths",
    "Operation",
    "Shape",
    "Sizes",
    "axis_text",
    "integer_array",
]


class Operation(DomainNode, SumNode):
    """One node of a Program, with all that is known of it; see `Node` for its attributes."""

    __slots__ = ()

    # -- how groups act
    # --------------------------------------------------------------------------------
    @abstractmethod
    def infer(self, args: list[Type], context: Context) -> list[Type]:
        """Infers the types of the result from those of the arguments. Raises: Stuck."""

    @abstractmethod
    def typed(self, args: Sequence[Typed], context: Context) -> list[Typed]:
        """Infers types with exponents of the determinant. Raises: Stuck."""

    @abstractmethod
    def character(self, exponents: Sequence[Exponent], context: Context) -> Exponent:
        """Infers the exponent of the character that multiplies the result. Raises: Stuck.

        See `rules.characters`.
        """

    @abstractmethod
    def translated(self, args: list[Move], context: Context) -> Move:
        """Infers what translations add to the result, if they move an argument. Raises: Stuck.

        See `rules.translations`.
        """

    # -- values
    # ----------------------------------------------------------------------------------------
    @abstractmethod
    def bound(
        self, args: Sequence[Bound], shapes: Sequence[Lengths], shape: Lengths, counts: CallCounts
    ) -> Bound:
        """Bounds the result as a rational function.

        `counts` counts values of uninterpreted functions.
        """

    @abstractmethod
    def evaluate_with_conditions(self, args: Sequence[Any], where: Conditions) -> Any:
        """Evaluates the operation over prime fields, on values with their conditions."""

    @abstractmethod
    def conditions(self, args: Sequence[Any], value: Any, where: Conditions) -> Any:
        """Returns the sums of hashes of all conditions under which entries are defined.

        None: they always are.

        Args:
            args: values with their conditions.
            value: its value.
            where: builds and combines conditions.
        """

    @abstractmethod
    def count_conditions(self, args: Sequence[Bound], shape: Lengths, counts: CallCounts) -> None:
        """Counts the hashes that `conditions` makes: error bounds rest on their number."""

    # -- text
    # ------------------------------------------------------------------------------------------
    @property
    @abstractmethod
    def label(self) -> str | None:
        """Returns its name in formulas if it needs no line of its own, else None."""

    @abstractmethod
    def formula(self, name: str, args: Sequence[str], shapes: Sequence[Shape]) -> str:
        """Returns the formula of the operation, with names for the result and the arguments.

        The arguments have these shapes.
        """

    @abstractmethod
    def code(self, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
        """Returns the NumPy expression. Raises: NotRenderable."""


def integer_array(system: NumberSystem, values: Sequence[int], shape: Lengths) -> Any:
    """Returns the array of these integers, row-major."""
    known = {v: Fraction(v) for v in set(values)}
    return system.fractions([known[v] for v in values], shape)
