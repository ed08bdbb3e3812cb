"""Answers that several operations give to the questions of `operations.base`.

An operation names a function of this module where a question has no answer of its own, as in
``sums = no_sums``. Those of the first part leave everything open, and are right for every
operation. Those of the second part are right for the operations that their docstrings describe.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from eqvproof.numbers.bound import Bound
from eqvproof.numbers.spans import EVERYTHING, Interval, hull
from eqvproof.programs.defined import Domains
from eqvproof.programs.intervals import Intervals
from eqvproof.programs.operations.base import Args, Lengths, Operation, Shape
from eqvproof.programs.operations.numpy_code import NotRenderable, Text
from eqvproof.programs.rules.acts import Stuck
from eqvproof.programs.rules.characters import Exponent, Typed
from eqvproof.programs.rules.context import Context
from eqvproof.programs.rules.sums import Known, Totals
from eqvproof.programs.rules.translations import Move
from eqvproof.programs.signs import Signs

if TYPE_CHECKING:
    from eqvproof.programs.evaluate.call_counts import CallCounts
    from eqvproof.programs.evaluate.conditions import Conditions


# -- answers that leave everything open
# --------------------------------------------------------------------------------------------------
def no_translations(op: Operation, args: list[Move], context: Context) -> Move:
    """Raises Stuck: no rule says what translations of an argument add to the result."""
    raise Stuck("no rule for coordinates that are translated")


def no_sums(op: Operation, known: Known) -> Totals:
    """Returns no sums."""
    return {}


def any_number(op: Operation, args: Sequence[Interval], known: Intervals) -> Interval:
    """Returns the interval of all real numbers."""
    return EVERYTHING


def may_be_fractional(op: Operation, known: Intervals) -> bool:
    """Returns False: entries may be other than whole numbers."""
    return False


def may_be_zero(op: Operation, span: Interval, known: Signs) -> bool:
    """Returns False: nothing but its interval shows that an entry is not 0."""
    return False


def may_be_undefined(op: Operation, known: Signs) -> bool:
    """Returns False: entries may be undefined where all arguments are defined."""
    return False


def no_common_axes(op: Operation, k: int, shape: Shape) -> Sequence[int | None]:
    """Returns None for each axis of an argument: entries may depend on all of its entries."""
    return [None] * len(shape)


def may_differ(op: Operation, axes: Callable[[int], frozenset[int]]) -> frozenset[int]:
    """Returns all axes: entries may differ along each."""
    return frozenset(range(len(op.shape)))


def may_vary(op: Operation, known: Domains) -> frozenset[int]:
    """Returns all axes: along each, an entry may be defined and another one undefined."""
    return frozenset(range(len(op.shape)))


def no_code(op: Operation, args: Sequence[Text], shapes: Sequence[Lengths]) -> Text:
    """Raises NotRenderable: no NumPy expression computes the operation."""
    raise NotRenderable(type(op).__name__)


def never_asked(op: Operation, *args: Any, **options: Any) -> NoReturn:
    """Raises TypeError: a walk that comes here has missed a case.

    A walk takes the value and the type of an input from its caller, and refuses a Program with
    eigenvectors before it evaluates it over prime fields.
    """
    raise TypeError(f"a question that {type(op).__name__} does not answer")


# -- answers that are right for some operations
# --------------------------------------------------------------------------------------------------
def acts_and_exponents(op: Operation, args: Sequence[Typed], context: Context) -> list[Typed]:
    """Infers types by `infer` and exponents by `character`, each by itself. Raises: Stuck.

        infer:      v_i : A_i  =>  f(v) : B           character:      v_i : k_i  =>  f(v) : k
        --------------------------------------------------------------------------------------
        v_i : A_i and k_i  =>  f(v) : B and k

    Proof. ``f(chi^k_1 A_1 v_1, ...) = chi^k f(A_1 v_1, ...)``, since the rule of exponents holds
    for all values, ``A_i v_i`` among them, and that is ``chi^k B f(v)``. QED Right for operations
    whose rules of acts and of exponents hold for all values; where both say more together, as
    for joined irreps, an operation adds that.
    """
    if not any(a.odd for a in args):
        odd = 0
    else:
        odd = op.character([a.odd for a in args], context)
    return [Typed(acts, odd) for acts in op.infer([a.acts for a in args], context)]


def trivial_exponents(op: Operation, exponents: Sequence[Exponent], context: Context) -> Exponent:
    """Returns the exponent 0 of a function of values of exponent 0. Raises: Stuck.

    Right for every function: its arguments are equal at moved and unmoved inputs then.
    """
    return context.characters.plain(exponents, "an uninterpreted function")


def hull_of_sources(op: Operation, args: Sequence[Interval], known: Intervals) -> Interval:
    """Returns the interval of the sources, for operations whose entries are entries of these."""
    return hull([known.of(x) for x in op.sources])


def whole_as_sources(op: Operation, known: Intervals) -> bool:
    """Checks the sources, for operations whose entries are entries of these."""
    return all(map(known.is_whole, op.sources))


def nonzero_as_sources(op: Operation, span: Interval, known: Signs) -> bool:
    """Checks the sources, for operations whose entries are entries of these."""
    return all(map(known.is_nonzero, op.sources))


def is_always_whole(op: Operation, known: Intervals) -> bool:
    """Returns True, for operations with whole entries alone."""
    return True


def same_axes(op: Operation, k: int, shape: Shape) -> Sequence[int | None]:
    """Returns the axes themselves, for entrywise operations."""
    return range(len(shape))


def axes_of_arguments(op: Operation, axes: Callable[[int], frozenset[int]]) -> frozenset[int]:
    """Returns the axes along which some argument differs, for entrywise operations."""
    return frozenset[int]().union(*map(axes, op.args))


def is_defined_as_arguments(op: Operation, known: Signs) -> bool:
    """Returns True, for operations that are defined wherever all arguments are."""
    return True


def all_arguments(op: Operation, known: Signs) -> Args:
    """Returns all arguments, for operations that are undefined wherever one of these is.

    Right for every operation, if some arguments decide nothing.
    """
    return op.args


def varies_as_arguments(op: Operation, known: Domains) -> frozenset[int]:
    """Returns the axes that follow from those along which arguments are defined in part.

    Right for operations whose entries are defined where the entries of arguments are that they are
    computed from, whatever the values of these.
    """
    return op.differing_axes(known.varying_axes)


def evaluate_values(op: Operation, args: Sequence[Any], where: Conditions) -> Any:
    """Evaluates the operation on the values alone.

    Right for operations that are undefined wherever an argument is: a choice is not.
    """
    return op.evaluate(where.system, [a.value for a in args], where.sizes)


def always_defined(op: Operation, args: Sequence[Any], value: Any, where: Conditions) -> None:
    """Returns no condition, for operations without arguments that are defined everywhere."""


def counts_nothing(
    op: Operation, args: Sequence[Bound], shape: Lengths, counts: CallCounts
) -> None:
    """Counts no hash, for operations whose `conditions` makes none of its own."""
