"""Restrictions of the inputs, for ``domain=``: only points x with both x and g x in the domain count.

    ep.check(f, "x: n -> n", "S(n)", domain=ep.domains.positive)
    ep.check(f, "X: d n, w: n -> d", "O(d)", domain=ep.domains.of(X=ep.domains.full_column_rank))

A domain is a function of the inputs (arrays of Fractions, by name) that says whether a point belongs to it;
any such function serves. Those of this module also know how to move a point into the domain, so that no point
is lost; for other functions, points are drawn without regard to them and left out where they say no, so that
a thin domain leaves few. A proof, which holds at all points, needs no domain.

A Hypothesis strategy serves too: of numbers (the entries of all arguments), of arrays (of the only argument),
or of tuples or dicts of arrays. Points x are drawn from it; nothing is asked about g x.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

import flint
import numpy as np

from eqvproof.errors import EqvproofError, OptionError, place_of, told

Array = np.ndarray[Any, Any]
Inputs = Mapping[str, Array]


@dataclass(frozen=True, slots=True)
class Domain:
    """A set of points, as a function that says whether a point belongs to it.

    Attributes:
        name: what its points are.
        contains: the function.
        towards: a point -> one that is likely to belong to the domain, itself where it does; None: unknown.
    """

    name: str
    contains: Callable[[Inputs], bool]
    towards: Callable[[Inputs], Inputs] | None = None

    def __str__(self) -> str:
        return self.name

    def __call__(self, inputs: Inputs) -> bool:
        """Whether a point belongs to the domain."""
        return self.contains(inputs)

    def moved(self, inputs: Inputs) -> Inputs:
        """A point that is likely to belong to the domain."""
        return inputs if self.towards is None else self.towards(inputs)


class Distinct(Domain):
    """No two entries of an argument are equal; called with its name and an axis, no two points along it."""

    __slots__ = ()

    def __call__(self, inputs: Inputs | str, axis: int | None = None) -> Any:
        """Whether a point belongs to the domain; of the name of an argument, the domain of distinct points.

        Args:
            inputs: a point, or the name of an argument, as the signature has it.
            axis: along which axis of the argument no two slices may coincide, counted from 0.
        """
        if not isinstance(inputs, str):
            return self.contains(inputs)
        if isinstance(axis, bool) or not isinstance(axis, int):
            raise EqvproofError(
                "an axis of the argument is missing",
                given=f"axis={axis!r}",
                expected="its number, counted from 0",
                hint=f"ep.domains.distinct({inputs!r}, axis=0): no two rows coincide",
                code="domain.axis",
            )
        points = Domain(
            f"distinct along axis {axis}",
            partial(_are_apart, axis),
            partial(_arrays, partial(_put_apart, axis)),
        )
        return of(**{inputs.replace(".", "_"): points})


def allows(domain: Callable[[Inputs], object], inputs: Inputs) -> bool:
    """Whether a point belongs to a domain.

    A function that has no answer for exact numbers, as np.linalg.norm has none, is asked about floats.

    Raises:
        OptionError: the function raises, or answers with something other than True or False.
    """
    try:
        try:
            answer = domain(inputs)
        except TypeError:
            answer = _answer_for_floats(domain, inputs)
            if answer is None:
                raise
    except EqvproofError:
        raise
    except Exception as error:
        raise _failing(
            domain, inputs, f"raises {told(error)}", "domain.raises", _place(domain, error)
        ) from error
    if isinstance(answer, np.ndarray) and answer.ndim == 0:
        answer = answer.item()
    if not isinstance(answer, (bool, np.bool_)):
        shown = kind_of_value(answer)
        raise _failing(domain, inputs, f"answers with {shown}, not with True or False", "domain.answer", "")
    return bool(answer)


def _answer_for_floats(domain: Callable[[Inputs], object], inputs: Inputs) -> object:
    """What a function says about the point as floats; None where it raises once more."""
    floats = {n: a.astype(np.float64) if _is_real(a) else a for n, a in inputs.items()}
    try:
        return domain(floats)
    except EqvproofError:
        raise
    except Exception:
        return None


def kind_of_value(value: object) -> str:
    """A value in a few words, for messages."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    if value is None or isinstance(value, (int, float, str)):
        return repr(value)[:80]
    return f"an object of the class {type.__dict__['__name__'].__get__(type(value))}"


def _failing(
    domain: Callable[[Inputs], object], inputs: Inputs, what: str, code: str, place: str
) -> OptionError:
    first = next(iter(inputs), "X")
    example = f'domain=lambda p: np.linalg.norm(p["{first}"]) > 0'
    hint = f"for example {example}"
    names = _parameters(domain)
    if len(names) == 1 and names[0] in inputs:
        hint = f"{names[0]} is here the dictionary of all arguments: {example}"
    elif len(names) != 1:
        taken = f"the parameters {', '.join(names)}" if names else "no parameter"
        hint = f"the function has {taken}; it is called with one, the dictionary: {example}"
    elif code == "domain.answer" and what.startswith("answers with an array"):
        hint = f'say of the whole array whether it belongs: domain=lambda p: (p["{first}"] > 0).all()'
    shapes = ", ".join(f"{n!r}: an array of shape {a.shape}" for n, a in inputs.items())
    return OptionError(
        f"the function given as domain= {what}",
        given="a dictionary of arrays of Fractions by the names of the arguments, {" + shapes + "}"
        + f"; {place}" * bool(place),
        expected="True or False: whether this point counts",
        hint=hint,
        code=code,
    )  # fmt: skip


def _place(domain: object, error: BaseException) -> str:
    """The line of the function from which an exception comes; else the last one that is not ours."""
    code = getattr(domain, "__code__", None)
    lines = [f for f in traceback.extract_tb(error.__traceback__) if code and f.filename == code.co_filename]
    return f"{lines[-1].filename}, line {lines[-1].lineno}" if lines else place_of(error)


def _parameters(function: Callable[[Inputs], object]) -> list[str]:
    """The parameters that a call must fill, in order; one where they cannot be told."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return ["p"]
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(one.kind is inspect.Parameter.VAR_POSITIONAL for one in found):
        return ["p"]
    places = [one for one in found if one.kind in positional]
    needed = [one.name for one in places if one.default is inspect.Parameter.empty]
    return needed if len(needed) > 1 or not places else [places[0].name]


def point_in(domain: object, inputs: Inputs) -> Inputs:
    """The point that a domain knows nearby, as `Domain.moved` gives it; the same for other functions.

    Raises:
        OptionError: the function that moves points raises.
    """
    if not isinstance(domain, Domain):
        return inputs
    try:
        return domain.moved(inputs)
    except EqvproofError:
        raise
    except Exception as error:
        what = f"raises {told(error)} while it moves a point into the domain"
        raise _failing(domain, inputs, what, "domain.raises", _place(domain, error)) from error


def of(**domains: Callable[[Inputs], bool]) -> Domain:
    """The product of domains of single arguments: ``of(X=full_column_rank, w=positive)``."""
    return Domain(
        ", ".join(f"{name} {domain}" for name, domain in domains.items()),
        partial(_product_contains, domains),
        partial(_product_towards, domains),
    )


def both(*domains: Callable[[Inputs], bool]) -> Domain:
    """The intersection of domains."""
    return Domain(
        " and ".join(map(str, domains)),
        partial(_meeting_contains, domains),
        partial(_meeting_towards, domains),
    )


def _product_contains(domains: Mapping[str, Callable[[Inputs], bool]], inputs: Inputs) -> bool:
    missing = [name for name in domains if name not in inputs]
    if missing:
        raise EqvproofError(
            "a domain names an argument that the signature does not have",
            given=", ".join(missing), expected="one of " + ", ".join(inputs), code="domain.argument",
            hint="ep.domains.of(X=...) takes the names of the signature",
        )  # fmt: skip
    return all(domain({name: inputs[name]}) for name, domain in domains.items())


def _product_towards(domains: Mapping[str, Callable[[Inputs], bool]], inputs: Inputs) -> Inputs:
    result = dict(inputs)
    for name, domain in domains.items():
        if isinstance(domain, Domain) and name in inputs:
            result[name] = domain.moved({name: inputs[name]})[name]
    return result


def _meeting_contains(domains: tuple[Callable[[Inputs], bool], ...], inputs: Inputs) -> bool:
    return all(domain(inputs) for domain in domains)


def _meeting_towards(domains: tuple[Callable[[Inputs], bool], ...], inputs: Inputs) -> Inputs:
    for domain in domains:
        if isinstance(domain, Domain):
            inputs = domain.moved(inputs)
    return inputs


# ------------------------------------------------------------------------------------------ entry by entry
def _all_positive(inputs: Inputs) -> bool:
    return all(value > 0 for array in inputs.values() for value in array.flat)


def _all_nonnegative(inputs: Inputs) -> bool:
    return all(value >= 0 for array in inputs.values() for value in array.flat)


def _all_nonzero(inputs: Inputs) -> bool:
    return all(value != 0 for array in inputs.values() for value in array.flat)


def _magnitude(value: Fraction) -> Fraction:
    return abs(value)


def _positive_value(value: Fraction) -> Fraction:
    return abs(value) or Fraction(1)


def _nonzero_value(value: Fraction) -> Fraction:
    return value or Fraction(1)


def _entries(function: Callable[[Fraction], Fraction], inputs: Inputs) -> Inputs:
    return _arrays(partial(_mapped, function), inputs)


def _mapped(function: Callable[[Fraction], Fraction], array: Array) -> Array:
    return _filled(array.shape, [function(value) for value in array.flat])


def _arrays(function: Callable[[Array], Array], inputs: Inputs) -> Inputs:
    """A function of the arrays of real numbers; indices and masks stay."""
    return {n: function(a) if _is_real(a) else a for n, a in inputs.items()}


def _is_real(array: Array) -> bool:
    return array.dtype == object and all(isinstance(value, Fraction) for value in array.flat)


def _filled(shape: tuple[int, ...], values: list[Fraction]) -> Array:
    result = np.empty(len(values), dtype=object)
    result[:] = values
    return result.reshape(shape)


# ----------------------------------------------------------------------------------------- entries together
def _all_distinct(inputs: Inputs) -> bool:
    return all(len(set(array.flat)) == array.size for array in inputs.values())


def _spread(array: Array) -> Array:
    """Entries that came before are raised by 1 until they are new."""
    seen: set[Fraction] = set()
    values = []
    for value in array.flat:
        while value in seen:
            value = value + 1
        seen.add(value)
        values.append(value)
    return _filled(array.shape, values)


def _slices(axis: int, array: Array) -> list[tuple[Any, ...]]:
    """What stands at each place along an axis.

    Raises:
        EqvproofError: the array has no such axis.
    """
    if not -array.ndim <= axis < array.ndim:
        raise EqvproofError(
            "a domain names an axis that an argument does not have",
            given=f"axis={axis} of an array of {array.ndim} axes",
            expected=f"an axis from 0 to {array.ndim - 1}",
            hint="axes are counted from 0",
            code="domain.axis",
        )
    return [tuple(part.flat) for part in np.moveaxis(array, axis, 0)]


def _are_apart(axis: int, inputs: Inputs) -> bool:
    return all(len(set(found)) == len(found) for found in (_slices(axis, a) for a in inputs.values()))


def _put_apart(axis: int, array: Array) -> Array:
    """Points that came before have the first coordinate raised by 1 until they are new."""
    seen: set[tuple[Any, ...]] = set()
    result = np.moveaxis(array.copy(), axis, 0)
    for k, (first, *rest) in enumerate(_slices(axis, array)):
        while (first, *rest) in seen:
            first = first + 1
        seen.add((first, *rest))
        result[(k, *[0] * (array.ndim - 1))] = first
    return np.moveaxis(result, 0, axis)


def _are_one_hot(inputs: Inputs) -> bool:
    for array in inputs.values():
        if array.ndim == 0 or any(value not in (0, 1) for value in array.flat):
            return False
        if any(sum(row) != 1 for row in array.reshape(-1, array.shape[-1])):
            return False
    return True


def _hot(array: Array) -> Array:
    """One entry of each row: the greatest one, or, where several are, one that all entries decide."""
    if array.ndim == 0 or not array.shape[-1]:
        return array
    values = []
    for row in array.reshape(-1, array.shape[-1]):
        greatest = [k for k, value in enumerate(row) if value == max(row)]
        weight = sum(((k + 1) * value for k, value in enumerate(row)), Fraction(0))
        place = greatest[int(abs(weight)) % len(greatest)]
        values += [Fraction(int(k == place)) for k in range(len(row))]
    return _filled(array.shape, values)


def _full_rank(side: int, inputs: Inputs) -> bool:
    return all(_rank(m) == m.shape[side] for array in inputs.values() for m in _matrices(array))


def _raised(side: int, array: Array) -> Array:
    """Matrices with 1, 2, ... added on the diagonal until their rank is full."""
    if array.ndim < 2 or array.shape[-1 - side] < array.shape[-2 + side]:
        return array
    result = array.copy()
    for matrix in result.reshape(-1, *array.shape[-2:]):
        for _ in range(min(matrix.shape) + 1):
            if _rank(matrix) == matrix.shape[side]:
                break
            for k in range(min(matrix.shape)):
                matrix[k, k] += 1
    return result


def _matrices(array: Array) -> list[Array]:
    """The matrices in the last two axes; none in an array of fewer axes."""
    return list(array.reshape(-1, *array.shape[-2:])) if array.ndim >= 2 else []


def _rank(matrix: Array) -> int:
    rows, columns = matrix.shape
    entries = [flint.fmpq(v.numerator, v.denominator) for v in matrix.flat]
    return int(flint.fmpq_mat(rows, columns, entries).rank())


#: All entries are greater than 0.
positive = Domain("positive", _all_positive, partial(_entries, _positive_value))
#: All entries are at least 0.
nonnegative = Domain("nonnegative", _all_nonnegative, partial(_entries, _magnitude))
#: No entry is 0.
nonzero = Domain("nonzero", _all_nonzero, partial(_entries, _nonzero_value))
#: No two entries of an argument are equal: no ties. ``distinct("X", axis=0)``: no two rows of X are equal.
distinct = Distinct("distinct", _all_distinct, partial(_arrays, _spread))
#: Along the last axis one entry is 1 and the others are 0.
one_hot = Domain("one-hot", _are_one_hot, partial(_arrays, _hot))
#: The columns of every matrix are linearly independent, decided over the rationals.
full_column_rank = Domain(
    "of full column rank", partial(_full_rank, 1), partial(_arrays, partial(_raised, 1))
)
#: The rows of every matrix are linearly independent, decided over the rationals.
full_row_rank = Domain("of full row rank", partial(_full_rank, 0), partial(_arrays, partial(_raised, 0)))
