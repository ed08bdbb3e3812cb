"""The kernel's report and refusals, and the count of its work up to a limit."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass


class Rejected(Exception):
    """The certificate is not accepted; the message says where and why."""


class Unreadable(Rejected):
    """Data that is no certificate at all."""


class Limited(Rejected):
    """A certificate that was not checked: its size or work exceeds a limit of this kernel."""


class Undecided(Rejected):
    """Two enclosures overlap, so that a comparison has no certain answer."""


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a check.

    Attributes:
        accepted: whether the certificate shows what it claims.
        statement: the proved claim, in words made by the kernel from the checked structure, and in
            quotation marks words of the certificate; "" if rejected.
        grade: PROVED, DECIDED, BOUNDED, EXACT, ENCLOSED or OBSERVED; "" if rejected.
        rests_on: the rules that were used, and everything assumed that the kernel did not check.
        reason: why it is rejected; "" if accepted.
        limited: whether it is rejected only because it was not checked to the end, for its size or
            work.
        readings: the part of the statement about constants that are read as others; "" where none
            is.
    """

    accepted: bool
    statement: str = ""
    grade: str = ""
    rests_on: tuple[str, ...] = ()
    reason: str = ""
    limited: bool = False
    readings: str = ""

    def __bool__(self) -> bool:
        raise TypeError("ask for .accepted")


#: The units of work that are left, and those that were allowed in total.
_left: ContextVar[list[int]] = ContextVar("eqvproof_kernel_work")
#: The work allowed for each certificate, for each of its characters in addition, and in total.
BASE_WORK, WORK_PER_BYTE, MOST_WORK = 200_000, 20, 1_000_000
#: The work allowed for certificates that are short compared with their claim: about single sizes,
#: points, matrices of integers.
LARGE_WORK = 1_500_000


def allow_work(length: int) -> None:
    """Starts the check of a certificate of the given length in characters."""
    allow(min(BASE_WORK + WORK_PER_BYTE * length, MOST_WORK))


def left() -> int:
    """Returns the work that is left."""
    return _left.get()[0]


def done() -> int:
    """Returns the work that is done."""
    left, given = _left.get()
    return given - left


def allow(units: int) -> None:
    """Allows an amount of work.

    A unit is at most about a microsecond, and a hundred bytes that stay in memory.
    """
    _left.set([units, units])


def allow_in_all(units: int) -> None:
    """Raises the total work allowed for this certificate, including the work already done."""
    left = _left.get()
    more = max(0, units - left[1])
    left[0], left[1] = left[0] + more, left[1] + more


def spend(units: int) -> None:
    """Accounts for work that is about to be done, or for data that was just stored."""
    left = _left.get()
    left[0] -= units
    if left[0] < 0:
        raise Limited("checking this certificate needs more work than its size allows")
