"""Translations: the vector that they add to every value.

    v : (i, c) when translating the inputs by t adds c t to v along axis i, where c is a ratio of
        sizes times a product of invariant values along the other axes, summed over labels of its
        own (`weights`);
    v : invariant when translating the inputs leaves v as it is.

    v_1 : (i, c_1), ..., v_m : (i, c_m)      x : (i, c), its axis i kept;  w the other factors
    -----------------------------------      -------------------------------------------------
    v_1 + ... + v_m : (i, c_1 + ... + c_m)   product and sum : (i, the sum of c w)

    v : (i, c), c a ratio, another axis than i      all arguments invariant
    ------------------------------------------      -----------------------
    max, min, sort, part, shift of v : (i, c)       any operation : invariant

invariant values count 0 in a sum, (i, 0) is invariant; a choice or a joining of equals keeps (i,
c). What the sum of ``c w`` is, as far as it is a number, is known from `sums`: 1 for softmax, for
``w_ij / sum_j w_ij``, for products of such matrices.

Proof. ``sum_j (x_ij + c_j t_i) w_j = sum_j x_ij w_j + t_i sum_j c_j w_j``, and
``max_j (x_ij + c t_i) = max_j x_ij + c t_i``. Functions of invariant values have equal arguments.
Where values are defined does not change, since partial functions are applied to invariant values
only, and c is defined where v is: all its factors are factors of v. QED
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eqvproof.claims.size import Size
from eqvproof.programs.node import Weight
from eqvproof.programs.rules.acts import Stuck
from eqvproof.programs.rules.sums import are_equal_ratios, ratio

WEIGHTED = "points are weighted, and the weights are not seen to sum to 1"


@dataclass(frozen=True, slots=True)
class Shift:
    """``num/den`` times the translation is added along an axis.

    Attributes:
        axis: the axis.
        num: numerator of the coefficient, a size.
        den: its denominator.
        weights: the other factors of the coefficient: nodes, with the axes of the value that their
            axes are, or with -1, -2, ... for axes over which their product is summed.
    """

    axis: int
    num: Size
    den: Size
    weights: tuple[Weight, ...] = ()

    def equals(self, other: Shift) -> bool:
        """Checks whether both have the same axis and coefficient."""
        alike = self.axis == other.axis and self.weights == other.weights
        return alike and are_equal_ratios((self.num, self.den), (other.num, other.den))


class Multiplied(Stuck):
    """Two translated values are multiplied, which no sum repairs."""


#: The shift that translations add to a value; None: it is invariant.
Move = Shift | None


def reduced_shift(axis: int, num: Size, den: Size, weights: tuple[Weight, ...]) -> Move:
    """Returns a move with its coefficient in lowest terms; None if it is 0."""
    if num.terms:
        return Shift(axis, *ratio(num, den), weights)
    return None


def common_move(args: list[Move]) -> Move:
    """Returns the move that all arguments have. Raises: Stuck."""
    first = args[0]
    if first is None or any(a is None or not a.equals(first) for a in args):
        raise Stuck(
            "coordinates that are translated are combined with others that are not, or differently"
        )
    return first


def require_other_axis(move: Move, axes: Sequence[int], verb: str) -> Shift:
    """Returns the move if it is along another axis than these, by a ratio. Raises: Stuck."""
    if move is None or move.axis in axes:
        raise Stuck(f"the coordinates themselves are {verb}")
    if move.weights:
        raise Stuck(WEIGHTED)
    return move


def renumber_axis(move: Shift, by: int) -> Shift:
    """Returns a move along the axis `by` places before."""
    return Shift(move.axis - by, move.num, move.den)


def normalise_weights(left: list[Weight], output: tuple[int, ...]) -> tuple[Weight, ...]:
    """Normalises weights: sorted, with axes of the value and -1, -2, ... in place of labels."""
    axes = {k: i for i, k in enumerate(output)}
    ordered = sorted(left, key=lambda f: (f[0], [axes.get(k, -1) for k in f[1]]))
    for _, row in ordered:
        for k in row:
            axes.setdefault(k, len(output) - len(axes) - 1)
    return tuple((x, tuple(axes[k] for k in row)) for x, row in ordered)
