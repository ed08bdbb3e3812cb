"""Signatures as data.

``X: d n, b: d! -> d n+k`` has two arguments; an axis is a sum of terms, a term an integer times a
name (or an integer alone) with a mark that says how groups act there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from eqvproof.claims.size import Size
from eqvproof.support.errors import SignatureError
from eqvproof.support.lazy import LaterModule

shape_errors = LaterModule("eqvproof.claims.signature.shape_errors")
Kind = Literal["real", "index", "bool"]
MARKS: tuple[str, ...] = ("", "!", "^", "*")


@dataclass(frozen=True, slots=True)
class Term:
    """A term of an axis: copies of a named axis, or a literal size.

    Attributes:
        coefficient: the number of copies, at least 1, or the literal size.
        name: the axis name, or None for a literal size.
        mark: "" (acted on), "!" (not acted on), "^" (direction), "*" (dual); or an irrep of O(3),
            such as "2e", that the entries of a literal size carry, one copy after another.
    """

    coefficient: int
    name: str | None
    mark: str = ""

    @property
    def irrep(self) -> str:
        """Returns the irrep of O(3) that the term carries, such as "2e"; "" if none."""
        if self.mark[:1].isdigit():
            return self.mark
        return ""

    @property
    def size(self) -> Size:
        """Returns the size of the term."""
        return Size.of(self.coefficient) * (self.name or 1)

    def to_json(self) -> list[object]:
        """Returns the JSON form ``[coefficient, name | null, mark]``."""
        return [self.coefficient, self.name, self.mark]

    def __str__(self) -> str:
        if self.irrep:
            copies = self.coefficient // (2 * int(self.irrep[:-1]) + 1)
            return f"{copies}x{self.irrep}"
        if self.name is None:
            return f"{self.coefficient}{self.mark}"
        if self.coefficient == 1:
            return f"{self.name}{self.mark}"
        return f"{self.coefficient}{self.name}{self.mark}"


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis: the direct sum of its terms, in the order written."""

    terms: tuple[Term, ...]

    @property
    def size(self) -> Size:
        """Returns the size of the axis, a polynomial in the axis names."""
        return _sum_of_sizes(self.terms)

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the axis names that occur, in order, without repetition."""
        return tuple(dict.fromkeys(t.name for t in self.terms if t.name is not None))

    @property
    def single(self) -> str | None:
        """Returns the name when the axis is one name taken once (`n`, `n!`), else None."""
        if len(self.terms) == 1 and self.terms[0].coefficient == 1:
            return self.terms[0].name
        return None

    def at(self, sizes: Mapping[str, int]) -> int:
        """Returns the size as an integer, at given sizes of the names."""
        return sum(t.coefficient * (1 if t.name is None else sizes[t.name]) for t in self.terms)

    def to_json(self) -> list[list[object]]:
        """Returns the JSON form, a list of terms."""
        return [t.to_json() for t in self.terms]

    def __str__(self) -> str:
        text = "+".join(str(t) for t in self.terms)
        if any(t.irrep for t in self.terms):
            return f"<{text}>"
        return text


@lru_cache(maxsize=4096)
def _sum_of_sizes(terms: tuple[Term, ...]) -> Size:
    """Returns the sum of the sizes of some terms."""
    total = Size.of(0)
    for term in terms:
        total = total + term.size
    return total


def axes_text(axes: Sequence[Axis]) -> str:
    """Returns the axes as a signature writes them."""
    if axes:
        return " ".join(str(a) for a in axes)
    return "()"


def kinds(count: int) -> str:
    """Returns the name of the axis of `count` kinds, which ``z[10]: n`` indexes."""
    return f"_{count}"


def number_of_kinds(name: str) -> int:
    """Returns the number of kinds of an axis of this name; 0 if it is not an axis of kinds."""
    digits = name[1:]
    if name[:1] == "_" and digits.isdecimal() and digits.isascii():
        return int(digits)
    return 0


@dataclass(frozen=True, slots=True)
class Argument:
    """One argument: its name, axes and kind.

    Attributes:
        name: the name that messages and counterexamples use; arguments are passed by position.
        axes: the axes, none for a scalar.
        kind: "real", "index" (integers that index the axis `indexes`) or "bool".
        indexes: the axis that an index argument indexes, else None; ``_10`` for one of 10 kinds.
    """

    name: str
    axes: tuple[Axis, ...]
    kind: Kind = "real"
    indexes: str | None = None

    def to_json(self) -> dict[str, object]:
        """Returns the JSON form used in claims."""
        data: dict[str, object] = {
            "name": self.name,
            "axes": [a.to_json() for a in self.axes],
            "type": self.kind,
        }
        if self.indexes is not None:
            data["indexes"] = self.indexes
        return data

    def __str__(self) -> str:
        indexed = number_of_kinds(self.indexes or "") or self.indexes
        bracket = {"real": "", "bool": "[bool]", "index": f"[{indexed}]"}[self.kind]
        return f"{self.name}{bracket}: {axes_text(self.axes)}"


@dataclass(frozen=True, slots=True)
class Signature:
    """The arguments of a function, in order, and the axes of its result.

    Attributes:
        inputs: the arguments.
        output: the axes of the result.
        text: what the user wrote; two signatures are equal when they mean the same, whatever the
            spacing.
    """

    inputs: tuple[Argument, ...]
    output: tuple[Axis, ...]
    text: str

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Signature):
            return NotImplemented
        return (self.inputs, self.output) == (other.inputs, other.output)

    def __hash__(self) -> int:
        return hash((self.inputs, self.output))

    @property
    def is_as_written(self) -> bool:
        """Returns False where the user's arrays are others: complex, merged, parts of arguments."""
        return "".join(self.text.split()) in ("", "".join(str(self).split()))

    @property
    def names(self) -> tuple[str, ...]:
        """Returns the axis names in order of first appearance."""
        values = [*((a.indexes, a.axes) for a in self.inputs), (None, self.output)]
        names = (
            n for index, axes in values for n in (index, *(n for axis in axes for n in axis.names))
        )
        return tuple(dict.fromkeys(n for n in names if n is not None))

    @property
    def input_names(self) -> tuple[str, ...]:
        """Returns the axis names that the inputs mention (index arguments included), in order."""
        return Signature(self.inputs, (), "").names

    @property
    def pins(self) -> dict[str, int]:
        """Returns the sizes that the signature itself fixes: of axes of kinds, ``z[10]: n``."""
        counts = {n: number_of_kinds(n) for n in self.names}
        return {name: count for name, count in counts.items() if count}

    @property
    def output_only(self) -> tuple[str, ...]:
        """Returns the axis names that only the output mentions.

        Their sizes are read off the result of the function.
        """
        known = set(self.input_names)
        return tuple(n for n in self.names if n not in known)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Returns every axis of every input and of the output, in order."""
        return (*(a for argument in self.inputs for a in argument.axes), *self.output)

    @property
    def irreps(self) -> tuple[Term, ...]:
        """Returns the parts of axes that carry irreps."""
        return tuple(t for axis in self.axes for t in axis.terms if t.irrep)

    @property
    def argument_names(self) -> tuple[str, ...]:
        """Returns the names of the arguments, in order."""
        return tuple(a.name for a in self.inputs)

    def argument(self, name: str) -> Argument:
        """Returns the argument of that name.

        Raises:
            SignatureError: no argument has that name.
        """
        for argument in self.inputs:
            if argument.name == name:
                return argument
        from eqvproof.claims.signature.carets import did_you_mean

        raise SignatureError(
            f"the signature has no argument {name!r}",
            given=self.text,
            expected="one of " + ", ".join(self.argument_names),
            hint=did_you_mean(name, self.argument_names),
            code="signature.unknown-argument",
        )

    def to_json(self) -> dict[str, object]:
        """Returns the JSON form of the typing: ``{"inputs": [...], "output": [...]}``."""
        return {
            "inputs": [a.to_json() for a in self.inputs],
            "output": [a.to_json() for a in self.output],
        }

    def shown_sizes(
        self, shapes: Iterable[Sequence[int]], known: Mapping[str, int] | None = None
    ) -> dict[str, int]:
        """Returns the known sizes, with those read off the shapes of the arguments, in order."""
        sizes = dict(known or {})
        for argument, shape in zip(self.inputs, shapes, strict=True):
            for axis, length in zip(argument.axes, shape, strict=False):
                if axis.single is not None:
                    sizes.setdefault(axis.single, int(length))
        return sizes

    def misfit(self, shapes: Iterable[Sequence[int]], sizes: Mapping[str, int]) -> Argument | None:
        """Returns the first argument whose shape differs from the declared one, or None.

        A declared shape with an unknown size counts as different.
        """
        for argument, shape in zip(self.inputs, shapes, strict=True):
            declared = [a.at(sizes) if set(a.names) <= set(sizes) else None for a in argument.axes]
            if declared != list(shape):
                return argument
        return None

    def output_sizes(self, shape: Sequence[int], sizes: Mapping[str, int]) -> dict[str, int]:
        """Returns the sizes, with those of names that only the output mentions read off a result.

        Args:
            shape: the shape of the result.
            sizes: the sizes of the names that the inputs mention.

        Raises:
            ShapeError: the shape is not the declared one at these sizes.
        """
        found = {n: int(s) for n, s in sizes.items()}
        if len(shape) == len(self.output):
            for axis, length in zip(self.output, shape, strict=True):
                if axis.single is not None:
                    found.setdefault(axis.single, int(length))
            if all(a.at(found) == int(s) for a, s in zip(self.output, shape, strict=True)):
                return found
        raise shape_errors.wrong_result(self, [int(s) for s in shape], found)

    def __str__(self) -> str:
        return ", ".join(str(a) for a in self.inputs) + " -> " + axes_text(self.output)
