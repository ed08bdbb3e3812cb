"""Data as Gallina text: sizes, places, operations, types."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping

from eqvproof.claims.size import Size
from eqvproof.engines.elaborate.irreps import Act, Kind
from eqvproof.engines.elaborate.source import Motion, Type
from eqvproof.rocq.read_forms import Form

#: Largest number of columns of a file.
WIDTH = 110
#: A size of more terms than these is a variable of the theorem, about which nothing is assumed.
MOST_TERMS = 1024
#: A size of more terms than these is any number for the checker of shapes.
MOST_KNOWN = 100_000


def wrapped(text: str) -> str:
    """Breaks long lines of text at spaces, which mean nothing to Rocq."""
    wrapper = textwrap.TextWrapper(
        WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(map(wrapper.fill, text.split("\n")))


def listed(values: Iterable[str]) -> str:
    """Returns a list as Gallina text."""
    found = "; ".join(values)
    if found:
        return f"[:: {found}]"
    return "[::]"


def integer(value: int) -> str:
    """Returns an integer as Gallina text."""
    if value >= 0:
        return f"Posz {value}"
    return f"Negz {-value - 1}"


def option(value: int | None) -> str:
    """Returns a number or its absence as Gallina text."""
    if value is None:
        return "None"
    return f"Some {value}"


class Extents:
    """Definitions of sizes and of types.

    Sizes are lists of products of variables, the names of axes.
    """

    def __init__(self) -> None:
        self._variables: dict[str, Size] = {}
        self._named: dict[Size, str] = {}
        self._types: dict[Type, str] = {}
        self.definitions: list[str] = []

    @property
    def variables(self) -> list[str]:
        """The sizes that are variables of the theorem."""
        return list(self._variables)

    def name(self, size: Size) -> str:
        """Returns the name of a size, which is defined if it is new."""
        if size not in self._named:
            self._named[size] = f"z{len(self._named)}"
            self.definitions.append(
                f"Definition {self._named[size]} : extent := {self._text(size)}."
            )
        return self._named[size]

    def _text(self, size: Size) -> str:
        if any(c < 0 for _, c in size.terms) or sum(c for _, c in size.terms) > MOST_TERMS:
            return f"[:: [:: {self._variable(str(size), size)}]]"
        rows = [
            listed(str(self._variable(n, Size.of(n))) for n in names)
            for names, c in size.terms
            for _ in range(c)
        ]
        return listed(rows)

    def _variable(self, name: str, size: Size) -> int:
        self._variables.setdefault(name, size)
        return self.variables.index(name)

    def knowledge(self, lows: Mapping[str, int]) -> str:
        """Returns for each variable, as Gallina text, how many times which products it is.

        A name is its least size plus the variable of its number, which may be any number; a size is
        what it is in these, or any number if terms of it are negative.
        """
        for name in sorted({name for size in self._variables.values() for name in size.names}):
            self._variable(name, Size.of(name))
        numbers = {name: number for number, name in enumerate(self._variables)}
        rows = []
        for terms in self._known(lows):
            row = ((c, listed(map(str, sorted(numbers[n] for n in ns)))) for ns, c in terms)
            rows.append(listed(f"({c}, {product})" for c, product in row))
        return listed(rows)

    def _known(self, lows: Mapping[str, int]) -> Iterator[tuple[tuple[tuple[str, ...], int], ...]]:
        """Iterates over the variables, as terms in those that may be any numbers."""
        larger = {name: Size.of(name) + low for name, low in lows.items()}
        for name, size in self._variables.items():
            terms = size.substitute(larger).terms
            if any(c < 0 for _, c in terms) or sum(c for _, c in terms) > MOST_KNOWN:
                terms = (((name,), 1),)
            yield terms

    def positive(self, lows: Mapping[str, int]) -> list[int]:
        """Returns the numbers of the variables that are positive from the least sizes on.

        So are names of axes, and n - 1 where n is 2 or more. Of a size with too many terms for
        `knowledge` the reader of the file does not see that it is positive, unless it is a number.
        """
        return [
            number
            for number, (size, terms) in enumerate(
                zip(self._variables.values(), self._known(lows), strict=True)
            )
            if (size.constant or 0) > 0 or dict(terms).get((), 0) > 0
        ]

    # -- data in which sizes stand
    # -----------------------------------------------------------------------

    def data(self, value: object) -> str:
        """Returns a number, a size, a place, a list or a pair as Gallina text."""
        if isinstance(value, Size):
            return self.name(value)
        if isinstance(value, list):
            return listed(self.data(v) for v in value)
        if isinstance(value, tuple) and value and isinstance(value[0], str):
            return f"({' '.join([value[0], *map(self.data, value[1:])])})"
        if isinstance(value, tuple):
            return f"({', '.join(map(self.data, value))})"
        return str(value)

    def form(self, form: Form) -> str:
        """Returns a form as Gallina text."""
        if form[0] == "Scalar":
            return f"Scalar ({integer(form[1])})"
        return self.data(form)[1:-1]

    def motion(self, given: Motion) -> str:
        """Returns the effect of a translation on a value as Gallina text."""
        if given[0] == "Moved":
            return f"{self.data(given)[1:-1]} (Posz 1) [::] [::]"
        return self.data(given)[1:-1]

    def shape(self, sizes: Iterable[Size]) -> str:
        """Returns the sizes of axes as Gallina text."""
        return listed(map(self.name, sizes))

    def axis(self, act: Act) -> str:
        """Returns the parts of an axis as Gallina text."""
        return listed(f"({self._kind(kind)}, {self.name(size)})" for kind, size in act)

    def _kind(self, kind: Kind) -> str:
        if isinstance(kind, str):
            return kind
        first, second = (f"({self._kind(k)})" for k in (kind.first, kind.second))
        sizes = self.name(kind.first_size), self.name(kind.second_size)
        return f"Prod {first} {sizes[0]} {second} {sizes[1]}"

    def type(self, given: Type) -> str:
        """Returns the name of a type, which is defined if it is new.

        A type is how the group acts on a value, and the power of its character.
        """
        if given not in self._types:
            text = f"({listed(map(self.axis, given.acts))}, {integer(given.power)})"
            self._types[given] = f"t{len(self._types)}"
            self.definitions.append(f"Definition {self._types[given]} : rtype := {text}.")
        return self._types[given]
