"""Floating formats: the rounding error of one operation, and the loss near 0.

Sources: IEEE 754-2019; N. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 2002,
section 2.2; NVIDIA A100 architecture white paper, 2020 (TF32: 10 bits, bfloat16: 7 bits behind the
point).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from eqvproof.support.errors import OptionError

Array = np.ndarray[Any, Any]
#: The unit of float64, in which bounds are computed.
UNIT = 2.0**-53
#: The error of elementary functions in ulps: the largest that is documented for libraries of CPUs
#: and GPUs (`functions`).
ULPS = 4.0
_EXPONENT = np.uint64(0x7FF0000000000000)


@dataclass(frozen=True, slots=True)
class Format:
    """A floating format and how its operations round.

    Attributes:
        name: the name of the dtype.
        unit: |computed - exact| <= unit |exact| for one operation, and for storing a number.
        sums: the same inside sums of products, which half formats compute in float32.
        factors: the relative error by which matrix products truncate their factors first.
        least: the largest loss near 0: the least normal number, since numbers below it may be
            flushed to 0 (in float16, and for gradual underflow, they are kept, and it is their
            spacing).
        normal: the least normal number, below which numbers have fewer bits.
        greatest: the largest finite number.
        bits: the bits of a stored number.
        cost: the rough cost of an operation relative to float64; formats are tried in this order.
        ulps: the error of elementary functions of the library, in ulps.
        roots: the error of square roots, in ulps; 0.5 if they are rounded correctly.
        casts: True if the function casts to shorter floats: one input may then be two numbers.
    """

    name: str
    unit: float
    sums: float
    factors: float
    least: float
    normal: float
    greatest: float
    bits: int
    cost: float
    ulps: float = ULPS
    roots: float = 0.5
    casts: bool = False

    def rounding_error(self, size: Array) -> Array:
        """Bounds |computed - exact| of one operation by half a unit in the last place.

        `size` is a bound of the exact result.
        """
        inner = self._inner
        reach = np.asarray(size * (1 + 2.0**-40 + inner), dtype=np.float64)
        half = (reach.view(np.uint64) & _EXPONENT).view(np.float64)
        half *= self.unit * (1 + 2.0**-20)
        if inner:
            half = half + inner * reach
        return np.asarray(half)

    def limit(self, unit: float) -> float:
        """Returns the largest number inside operations of this unit: float32's in half formats."""
        if unit < self.unit:
            return _FLOAT32_MAX
        return self.greatest

    def library_error(self) -> float:
        """Returns the relative error of an elementary function."""
        inner = 2 * self.ulps * self.sums * (1 + 2.0**-20)
        if self.sums < self.unit:
            return self.step + inner
        return inner

    @property
    def step(self) -> float:
        """The unit of an operation that may be computed in float32 first, and so rounded twice."""
        return self.unit * (1 + 2.0**-20) + self._inner

    @property
    def _inner(self) -> float:
        """The unit of the operations in float32 inside an operation of a shorter format."""
        if self.sums < self.unit:
            return 2 * self.sums
        return 0.0

    @property
    def ratio(self) -> float:
        """The ratio of the unit of float64 to that of this format.

        The error of the value computed here is smaller in this proportion.
        """
        return UNIT / min(self.unit, self.sums)

    def holds(self, values: Array) -> Array:
        """Returns which of these floats are numbers of the format."""
        if self.unit <= UNIT:
            return np.ones(values.shape, dtype=bool)
        mantissa, exponent = np.frexp(values)
        scaled = mantissa / self.unit
        whole = (scaled == np.rint(scaled)) & (exponent > (-126 if self.greatest > 1e5 else -14))
        return np.asarray((whole | (values == 0)) & (np.abs(values) <= self.greatest))


def gamma_of(total: float) -> float:
    """Bounds the relative error of successive roundings, given the sum of their units."""
    if total < 1:
        return total / (1 - total)
    return np.inf


_FLOAT32_MAX = float(np.finfo(np.float32).max)
FORMATS: Mapping[str, Format] = {
    f.name: f
    for f in (
        Format(
            "float64",
            UNIT,
            UNIT,
            0.0,
            2.0**-1022,
            2.0**-1022,
            float(np.finfo(np.float64).max),
            64,
            1.0,
        ),
        Format("float32", 2.0**-24, 2.0**-24, 0.0, 2.0**-126, 2.0**-126, _FLOAT32_MAX, 32, 0.5),
        Format("tf32", 2.0**-24, 2.0**-24, 2.0**-11, 2.0**-126, 2.0**-126, _FLOAT32_MAX, 32, 0.35),
        Format("float16", 2.0**-11, 2.0**-24, 0.0, 2.0**-24, 2.0**-14, 65504.0, 16, 0.25),
        Format("bfloat16", 2.0**-8, 2.0**-24, 0.0, 2.0**-126, 2.0**-126, 3.38e38, 16, 0.2),
    )
}
#: The worst of all formats of 16 bits, for functions with casts to an unknown one of them.
_SHORT = Format("16 bits", 2.0**-8, 2.0**-24, 0.0, 2.0**-24, 2.0**-14, 65504.0, 16, 0.25)


def with_underflow(form: Format, underflow: str) -> Format:
    """Returns the format with abrupt or gradual underflow.

    Raises:
        OptionError: `underflow` is neither "abrupt" nor "gradual", or is "gradual" for TF32, whose
            truncation of factors below the least normal number is not known.
    """
    if underflow == "gradual" and not form.factors:
        return replace(form, least=min(form.least, form.normal * 2 * form.unit))
    if underflow == "abrupt":
        return form
    raise OptionError(
        "this kind of underflow is not known", given=f"underflow={underflow!r} in {form.name}",
        expected='"abrupt" or "gradual"; only "abrupt" for TF32', code="underflow",
        hint='underflow="gradual" for processors that keep subnormal numbers',
    )  # fmt: skip


def name_of(dtype: object) -> str:
    """Returns the name of a dtype of NumPy, torch or JAX; names are accepted too."""
    return str(getattr(dtype, "__name__", dtype)).removeprefix("torch.").lower()


def format_of(dtype: object, *, bits: int = 64, sums_apart: bool = True) -> Format:
    """Returns the format of a dtype, by its name or as an object of NumPy or torch.

    Args:
        dtype: the dtype.
        bits: the bits of the shortest floats that the function itself casts to.
        sums_apart: True if half formats add in float32, as torch's kernels do; NumPy's may not.

    Raises:
        OptionError: the format of the dtype, or of a cast, is not known.
    """
    found = FORMATS.get(name_of(dtype))
    if found is None:
        raise OptionError(
            "the rounding of this dtype is not known", given=repr(dtype), expected=", ".join(FORMATS),
            hint='dtype="float32"', code="dtype",
        )  # fmt: skip
    if bits < 16:
        raise OptionError(
            "the function casts to floats whose rounding is not known",
            given=f"floats of {bits} bits",
            expected=", ".join(FORMATS),
            hint="remove the cast, or pass its result as an input",
            code="dtype.cast",
        )
    if bits < found.bits or bits == 16:  # there are two formats of 16 bits
        found = replace(FORMATS["float32"] if bits == 32 else _SHORT, casts=True)
    if found.unit > found.sums and not sums_apart:
        found = replace(found, sums=found.unit)
    return found
