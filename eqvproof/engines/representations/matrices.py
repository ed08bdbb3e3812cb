"""Representations given by functions: rho maps a group element to a matrix on one axis."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from eqvproof.claims.groups import Element, Factor, compose, identity_of, is_trivial, random_element
from eqvproof.claims.groups.families import letters
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.at_sizes import AtSizes
from eqvproof.engines.search.result import Array
from eqvproof.numbers import Real, exact_array, precision, recording, result_array
from eqvproof.programs import Program
from eqvproof.programs.evaluate import evaluate_exact
from eqvproof.support.errors import (
    EqvproofError,
    ErrorCode,
    GroupError,
    error_text,
    is_foreign,
    place_of,
)

#: Bits of precision with which rho is computed on exact numbers.
_BITS = 512
#: Number of pairs of elements that are multiplied to test whether rho is a homomorphism.
_PAIRS = 4
#: A larger defect of rho(g h) = rho(g) rho(h) in floats is not explained by rounding.
_ROUGH = 1e-5
#: Exceptions raised if there is no Program, or if it has no exact value.
_NOT_EXACT = (
    EqvproofError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    np.linalg.LinAlgError,
)


@dataclass(frozen=True, slots=True, eq=False)
class Representation:
    """A representation on an axis: x -> rho(g) x for the element g of one factor of the group.

    Attributes:
        axis: the name of the axis.
        factor: the factor of the group.
        rho: maps the matrix Q of g (the permutation p, the signs s) to a matrix, or to a number.
    """

    axis: str
    factor: Factor
    rho: Callable[[Any], Any]
    _read: dict[int, AtSizes] = field(default_factory=dict)

    def exact(self, element: Element) -> Array | None:
        """Returns rho(g) in exact numbers (rationals, balls); None if rho is computed in floats.

        A function of matrices is traced as a Program; a function of permutations or signs is called
        with the same integers in both cases.

        Raises:
            GroupError: rho(g) is not a square matrix.
        """
        given: Any = _data(element)
        with precision(_BITS), recording() as signals:
            try:
                if not element.kind.rounds:
                    answer = self._value(given)
                else:
                    answer = evaluate_exact(
                        self._program(len(given)), {"Q": given}, precision=_BITS
                    )
                raw = np.asarray(answer)
                if raw.dtype.kind not in "iubO":
                    return None
                value: Array = np.asarray(result_array(answer), dtype=object)
            except _NOT_EXACT:
                return None
        inexact = any(isinstance(v, (float, np.floating)) for v in raw.flat)
        if signals or inexact or not all(isinstance(v, Real) for v in value.flat):
            return None
        return self._square(value, element)

    def _program(self, size: int) -> Program:
        """Traces rho as a Program, for matrices of some size.

        Raises:
            TraceError: it cannot be traced.
        """
        if size not in self._read:
            shape = {0: "()", 2: "a b"}.get(np.ndim(self._value(np.eye(size))), "a")
            signature = parse_signature(f"Q: {size} {size} -> {shape}")
            self._read[size] = AtSizes(self.rho, signature)
        return self._read[size].trace({}).program

    def _value(self, given: Any) -> Any:
        """Calls rho with a matrix, a permutation or signs.

        Raises:
            GroupError: rho raises an error.
        """
        try:
            return self.rho(given)
        except BaseException as error:
            if not is_foreign(error):
                raise
            raise self._failing(error) from error

    def _failing(self, error: BaseException) -> GroupError:
        place = place_of(error)
        return GroupError(
            f"the representation on the axis {self.axis} fails: {error_text(error)}",
            expected=f"a function of {self.factor.kind.takes}",
            code="reps.function",
            given="an error raised by the function" + f"; {place}" * bool(place),
            hint="call it with this element to see the error",
        )

    def floats(self, element: Element) -> Array:
        """Returns rho(g) in floats.

        Raises:
            GroupError: rho fails, or rho(g) is not a square matrix of finite numbers.
        """
        given: Any = _data(element)
        if element.kind.rounds:
            given = given.astype(np.float64)
        try:
            value = np.asarray(self._value(given)).astype(np.float64)
        except BaseException as error:
            if not is_foreign(error):
                raise
            raise self._failing(error) from error
        if not np.isfinite(value).all():
            raise GroupError(
                f"the representation on the axis {self.axis} is not finite",
                given=repr(value)[:200],
                code="reps.function",
                expected="a matrix of finite numbers",
                hint="call it with this element",
            )
        return self._square(value, element)

    def size(self, size: int) -> int:
        """Returns the size of the axis if the factor's axis has the size `size`."""
        return len(self.floats(identity_of(self.factor, size)))

    def _square(self, value: Array, element: Element) -> Array:
        value = value.reshape(1, 1) if value.ndim == 0 else value
        if value.ndim != 2 or value.shape[0] != value.shape[1] or not value.size:
            raise GroupError(
                f"the representation on the axis {self.axis} gives no square matrix",
                given=f"shape {value.shape} for an element of {element.factor}",
                expected=f"a matrix m x m, for m the size of {self.axis}, or a number where it is"
                f" 1",
                code="reps.shape",
                hint="compare its shape with the size of the axis",
            )
        return value

    def examine(self, size: int, rng: random.Random) -> tuple[bool, float]:
        """Tests rho; returns whether it is exact, and the defect of rho(g h) = rho(g) rho(h).

        The defect is measured in floats.

        Exactness: the identity and some products are compared; that rho is exact says that they
        agree in exact numbers as far as enclosures tell.

        Raises:
            GroupError: rho is not a homomorphism, or its size changes.
        """
        one = identity_of(self.factor, size)
        still = self.floats(one)
        pairs = [(one, one)]
        if not is_trivial(self.factor, size):
            pairs += [
                (random_element(self.factor, size, rng), random_element(self.factor, size, rng))
                for _ in range(_PAIRS)
            ]
        is_exact, defect = True, float(np.max(np.abs(still - np.eye(len(still)))))
        for g, h in pairs:
            a, b, c = (self.floats(e) for e in (g, h, compose(g, h)))
            if not a.shape == b.shape == c.shape == still.shape:
                raise GroupError(
                    f"the representation on the axis {self.axis} changes its size",
                    given=f"{still.shape}, {a.shape}, {b.shape}, {c.shape}",
                    expected="one size for all elements",
                    code="reps.shape",
                    hint="return matrices of one size",
                )
            scale = max(1.0, float(np.max(np.abs(a))) * float(np.max(np.abs(b))))
            defect = max(defect, float(np.max(np.abs(c - a @ b))) / scale)
            is_exact = is_exact and self._agrees(g, h)
        if defect > _ROUGH:
            raise GroupError(
                f"the function on the axis {self.axis} is no representation of {self.factor}:"
                " rho(1) is not the identity, or rho(g h) is not rho(g) rho(h)",
                given=f"a defect of {defect:.2g}",
                expected="rho(g h) = rho(g) rho(h); a permutation p stands for (g x)[i] = x[p[i]]",
                code=ErrorCode.NO_HOMOMORPHISM,
                hint="check the order of the product, and rho(1)",
            )
        return is_exact, defect

    def _agrees(self, g: Element, h: Element) -> bool:
        """Checks whether rho(g) rho(h) = rho(g h) in exact numbers, as far as enclosures tell."""
        with precision(_BITS):
            a, b, c, e = (
                self.exact(x) for x in (g, h, compose(g, h), identity_of(g.factor, g.size))
            )
            if a is None or b is None or c is None or e is None:
                return False
            if a.shape != self.floats(g).shape or not np.allclose(
                _middles(a), self.floats(g), 1e-6, 1e-6
            ):
                return False
            unit = exact_array(np.eye(len(e), dtype=int))
            gaps = [*np.asarray(times(a, b) - c).flat, *np.asarray(e - unit).flat]
        return not any(Real(v).scalar < 0 or Real(v).scalar > 0 for v in gaps)


def _middles(matrix: Array) -> Array:
    return np.array([float(Real(v).middle()) for v in matrix.flat]).reshape(matrix.shape)


def times(matrix: Array, array: Array) -> Array:
    """Returns matrix @ array along the array's first axis, without the products with zeros."""
    if array.dtype != object:
        return np.asarray(np.tensordot(matrix.astype(array.dtype), array, axes=(1, 0)))
    result = np.empty((matrix.shape[0], *array.shape[1:]), dtype=object)
    for i, row in enumerate(matrix):
        total: Any = None
        for j, value in enumerate(row):
            if Real(value).is_rational and Real(value).to_fraction() == 0:
                continue
            part = value * array[j : j + 1]
            total = part if total is None else total + part
        result[i : i + 1] = Real(0) if total is None else total
    return result


def _data(element: Element) -> Array:
    """Returns the argument of rho: the matrix Q (of Fractions), the permutation p, or the signs."""
    if element.kind.rounds:
        return np.array(element.matrix(), dtype=object)
    return np.array(element.data, dtype=np.int64)


def require_function(axis: str, factor: Factor) -> None:
    """Checks that a factor consists of matrices, permutations or signs.

    Raises:
        GroupError: it does not, so that no function can represent it.
    """
    if not factor.kind.takes:
        raise GroupError(
            f"a representation of {factor} on the axis {axis} is not read",
            expected=f"one of {letters(lambda f: f.kind.takes)}, or of a group of generators",
            code="reps.unsupported",
            given=str(factor),
            hint="name another factor of the group",
        )
