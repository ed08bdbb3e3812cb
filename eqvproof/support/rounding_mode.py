"""Changes of the processor's rounding mode, which expose rounding errors in results.

A computation whose rounding errors do not depend on its inputs (a sum of fixed numbers in an order
that the inputs decide, an ill-conditioned matrix of constants) shows no noise when the inputs
change. Its result does change when every operation rounds up, down or towards zero.

Source: J. Vignes, A stochastic arithmetic for reliable scientific computation, Math. Comput. Simul.
35, 1993 (random rounding as a measure of rounding errors); C11, 7.6 (fesetround).
"""

from __future__ import annotations

import ctypes
import functools
import math
import platform
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from fractions import Fraction

from eqvproof.support.context_values import held_during

#: Machine -> (to nearest, downwards, upwards, towards zero), the values of C's FE_... macros.
_MODES = {
    "x86_64": (0, 0x400, 0x800, 0xC00),
    "amd64": (0, 0x400, 0x800, 0xC00),
    "aarch64": (0, 0x800000, 0x400000, 0xC00000),
    "arm64": (0, 0x800000, 0x400000, 0xC00000),
}

_mode: ContextVar[int] = ContextVar("eqvproof_rounding", default=0)


@functools.cache
def _control() -> tuple[Callable[[int], int], tuple[int, int, int, int]] | None:
    """Returns C's fesetround and the modes of this machine; None where they do not work."""
    modes = _MODES.get(platform.machine().lower())
    if modes is None or sys.platform == "win32":
        return None
    try:
        set_round = ctypes.CDLL(None).fesetround
    except (OSError, AttributeError):
        return None
    set_round.argtypes, set_round.restype = [ctypes.c_int], ctypes.c_int
    works = []
    try:
        for mode in modes[1:]:
            set_round(mode)
            works.append(_sums())
    finally:
        set_round(modes[0])
    expected = [(1.0, -1.0 - 2.0**-52), (1.0 + 2.0**-52, -1.0), (1.0, -1.0)]
    if works == expected:
        return (set_round, modes)
    return None


def _sums() -> tuple[float, float]:
    """Returns 1 + 2^-60 and -1 - 2^-60, as this thread rounds now."""
    one, tiny = float("1"), float("1") / float(1 << 60)
    return one + tiny, -one - tiny


def rounding_modes() -> tuple[int, ...]:
    """Returns the modes other than to nearest that can be set here, if any."""
    control = _control()
    if control is None:
        return ()
    return control[1][1:]


@contextmanager
def set_rounding(mode: int) -> Iterator[None]:
    """Sets the rounding mode of this thread inside the block.

    `mode` is one of `rounding_modes`.
    """
    control = _control()
    if control is None:
        yield
        return
    set_round, modes = control
    with held_during(_mode, mode):
        set_round(mode)
        try:
            yield
        finally:
            set_round(modes[0])


def current_mode() -> int:
    """Returns the rounding mode set by `set_rounding`; 0 is to nearest."""
    return _mode.get()


def to_float(value: Fraction) -> float:
    """Returns the float next to a rational number: the nearest one, or as `set_rounding` says."""
    near, mode, control = float(value), current_mode(), _control()
    if not mode or control is None or not math.isfinite(near) or near == value:
        return near
    _, downwards, upwards, towards_zero = control[1]
    goes_down = mode == downwards or (mode == towards_zero and value > 0)
    goes_up = mode == upwards or (mode == towards_zero and value < 0)
    if goes_down and near > value:
        return math.nextafter(near, -math.inf)
    if goes_up and near < value:
        return math.nextafter(near, math.inf)
    return near
