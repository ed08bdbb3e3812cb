"""Enumerates countable sets: finds the element of an index, and the index of an element."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from eqvproof.support.errors import DomainError

#: Number of elements of an infinite enumeration that are searched for an element.
MOST_SEARCHED = 1_000_000

#: Largest bit length of an index.
LONGEST_INDEX = 1 << 16


@dataclass(frozen=True, slots=True)
class Universe:
    """A bijection c between a countable set and {0, 1, 2, ...}, or an initial segment of it.

    Attributes:
        index: c(x); None if x is not in the universe.
        element: the x with c(x) = i; raises IndexError if there is none.
        size: the number of elements; None if it is infinite or unknown.
        name: for messages.
    """

    index: Callable[[Any], int | None]
    element: Callable[[int], Any]
    size: int | None
    name: str

    def position(self, x: Any) -> int:
        """Returns c(x).

        Raises:
            DomainError: x is not in the universe.
        """
        try:
            found = self.index(x)
        except TypeError as error:  # unhashable, or of a type that compares with nothing here
            raise _not_in_universe(x, self.name) from error
        if found is None:
            raise _not_in_universe(x, self.name)
        return found


def _not_in_universe(x: Any, name: str) -> DomainError:
    return DomainError(
        "an element is not in the universe",
        given=f"{x!r} of type {type(x).__name__}",
        expected=f"an element of {name}",
        hint="give a universe that holds it; equal numbers of different types are one element",
        code="domain.universe",
    )


def read_universe(universe: Any) -> Universe:
    """Reads a universe: a `Universe`, a range, a collection, or an infinite iterable.

    Raises:
        DomainError: the object is not iterable, or an element occurs twice.
    """
    if isinstance(universe, Universe):
        return universe
    if isinstance(universe, range):
        return _universe_of_range(universe)
    if hasattr(universe, "tolist"):  # an array: its rows are the elements
        universe = [as_element(x) for x in universe.tolist()]
    if isinstance(universe, (set, frozenset)):
        return _universe_of_collection(_sorted(universe))
    if isinstance(universe, Collection):
        return _universe_of_collection(list(universe))
    if isinstance(universe, Iterable):
        name = f"the enumeration given (its first {MOST_SEARCHED:,} elements are searched)"
        return _universe_of_iterator(iter(universe), name)
    raise DomainError(
        "a universe must be a collection, an iterable that enumerates it, or a Universe",
        given=f"{universe!r}",
        expected="for example range(100), 'abc', itertools.count(), or universes.INTEGERS",
        hint="pass a list of its elements",
    )


def as_element(x: Any) -> Any:
    """Converts lists to tuples, so that rows of arrays can be elements."""
    if isinstance(x, list):
        return tuple(as_element(y) for y in x)
    return x


def _sorted(elements: Collection[Any]) -> list[Any]:
    """Sorts the elements of a set in an order that does not depend on the run."""
    try:
        return sorted(elements)
    except TypeError:
        return sorted(elements, key=lambda x: (type(x).__name__, repr(x)))


def _universe_of_range(numbers: range) -> Universe:
    def index(x: Any) -> int | None:
        n = _as_integer(x)  # a range is searched one by one for objects other than integers
        if n is not None and n in numbers:
            return numbers.index(n)
        return None

    return Universe(index, numbers.__getitem__, len(numbers), repr(numbers))


def _universe_of_collection(elements: list[Any]) -> Universe:
    shown = ", ".join(map(repr, elements[:3]))
    if len(elements) > 3:
        shown += ", ..."
    found = _universe_of_iterator(
        iter(elements), f"{{{shown}}} ({len(elements)} elements)", len(elements)
    )
    found.index(object())  # reads, and so checks, all elements
    return found


def _universe_of_iterator(source: Iterator[Any], name: str, size: int | None = None) -> Universe:
    table: dict[Hashable, int] = {}
    order: list[Any] = []
    most = MOST_SEARCHED
    if size is not None:
        most = size

    def read_more(count: int) -> bool:
        before = len(order)
        for x in islice(source, count):
            try:
                known = table.get(x)
            except TypeError as error:
                raise DomainError(
                    "an element of the universe cannot be hashed",
                    given=f"{x!r}",
                    expected="hashable elements: numbers, text, tuples, frozensets",
                    hint="turn lists into tuples",
                ) from error
            if x != x:
                raise DomainError(
                    "an element of the universe differs from itself",
                    given=f"{x!r}",
                    expected="x == x",
                    hint="remove NaN",
                )
            if known is not None:
                raise DomainError(
                    "an element occurs twice in the universe",
                    given=f"{x!r}",
                    expected="different elements",
                    hint="equal numbers of different types (1, 1.0, True) are one element",
                )
            table[x] = len(order)
            order.append(x)
        return len(order) > before

    def index(x: Any) -> int | None:
        while (found := table.get(x)) is None and len(order) < most and read_more(len(order) + 16):
            pass
        return found

    def element(i: int) -> Any:
        while len(order) <= i and read_more(i + 1 - len(order)):
            pass
        return order[i]

    return Universe(index, element, size, name)


def _as_integer(x: Any) -> int | None:
    """Returns the integer that x equals; None if there is none."""
    try:
        found = int(x)
    except (TypeError, ValueError, OverflowError):
        return None
    if x == found:
        return found
    return None


def _natural_index(x: Any) -> int | None:
    n = _as_integer(x)
    if n is not None and n >= 0:
        return n
    return None


def _integer_index(x: Any) -> int | None:
    n = _as_integer(x)
    if n is None:
        return None
    if n > 0:
        return 2 * n - 1
    return -2 * n


def _integer_element(i: int) -> int:
    if i % 2:
        return (i + 1) // 2
    return -(i // 2)


def _rational_index(x: Any) -> int | None:
    """Returns the index of x in 0, 1, -1, 1/2, -1/2, 2, -2, ...: the Calkin-Wilf tree, signed."""
    try:
        if isinstance(x, str):
            return None
        q = Fraction(x)
    except (TypeError, ValueError, OverflowError):
        return None
    a, b = abs(q.numerator), q.denominator
    if a == 0:
        return 0
    # The path to the root: a/b has the children a/(a+b) and (a+b)/b. Consecutive children of one
    # kind are one step.
    bits: list[tuple[int, int]] = []
    while a != b:
        if a < b:
            run = (b - 1) // a
            bits.append((0, run))
            b -= run * a
        else:
            run = (a - 1) // b
            bits.append((1, run))
            a -= run * b
    if sum(run for _, run in bits) > LONGEST_INDEX:
        raise DomainError(
            "the index of a rational number would be too long to write out",
            given=f"{q}",
            expected=f"partial quotients that sum to at most {LONGEST_INDEX}",
            code="domain.length",
            hint="enumerate the elements by a list of your own",
        )
    place = 1
    for bit, run in reversed(bits):
        place <<= run
        if bit:
            place |= (1 << run) - 1
    if q > 0:
        return 2 * place - 1
    return 2 * place


def _rational_element(i: int) -> Fraction:
    if i == 0:
        return Fraction(0)
    place = (i + 1) // 2
    a, b = 1, 1
    for bit in bin(place)[3:]:
        if bit == "1":
            a += b
        else:
            b += a
    if i % 2:
        return Fraction(a, b)
    return Fraction(-a, b)


NATURALS = Universe(_natural_index, lambda i: i, None, "the natural numbers 0, 1, 2, ...")
INTEGERS = Universe(_integer_index, _integer_element, None, "the integers 0, 1, -1, 2, -2, ...")
RATIONALS = Universe(_rational_index, _rational_element, None, "the rational numbers")


def words(alphabet: str) -> Universe:
    """Builds the universe of all finite words over an alphabet, shorter ones first.

    They are '', 'a', 'b', 'aa', 'ab', ...

    Raises:
        DomainError: the alphabet is empty, or a letter occurs twice.
    """
    letters = _universe_of_collection(list(alphabet))
    size = len(alphabet)
    if size == 0:
        raise DomainError(
            "the alphabet has no letters",
            given="''",
            expected="at least one letter",
            hint="pass a text such as 'ab'",
        )

    def index(x: Any) -> int | None:
        if not isinstance(x, str):
            return None
        place = 0
        for letter in x:
            digit = letters.index(letter)
            if digit is None:
                return None
            place = place * size + digit + 1
        return place

    def element(i: int) -> str:
        word = []
        while i > 0:
            i, digit = divmod(i - 1, size)
            word.append(alphabet[digit])
        return "".join(reversed(word))

    return Universe(index, element, None, f"the words over {alphabet!r}")
