"""Counterexamples: inputs, a group element, and two sides that differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from eqvproof.claims.complex_number import ComplexNumber
from eqvproof.engines.verdict.numbers import (
    BALL,
    array_text,
    float_of,
    folded_array,
    number_text,
    short_array,
    short_number,
)
from eqvproof.support.writing import entry_text, visible

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Counterexample:
    """A point at which the two sides of a claim differ.

    Attributes:
        sizes: the axis sizes.
        inputs: by name, arrays of exact numbers (`fractions.Fraction`), or floats for functions
            that take floats only; entries of complex arrays are pairs of these with `.real` and
            `.imag`, which `complex` converts.
        element: by axis of the group factor: a matrix, or a permutation p with ``(g x)[i] =
            x[p[i]]``, or a vector of signs; empty for an identity.
        left: f(g x); entries are exact numbers, balls or floats, None where undefined.
        right: g f(x).
        entry: the index of an entry that differs, counted from 0.
        words: the group element in words.
        snippet: NumPy code that shows the failure.
        labels: the names of the two sides.
        moved: g x by name, if it is known; empty for an identity.
        result: the name of the result that differs; empty if there is only one.
    """

    sizes: Mapping[str, int]
    inputs: Mapping[str, Array]
    element: Mapping[str | int, Any]
    left: Array
    right: Array
    entry: tuple[int, ...]
    words: str
    snippet: str = field(default="", repr=False)
    labels: tuple[str, str] = ("f(g x)", "g f(x)")
    moved: Mapping[str, Array] = field(default_factory=dict, repr=False)
    result: str = ""

    def __post_init__(self) -> None:
        for name in ("words", "snippet"):
            object.__setattr__(self, name, visible(getattr(self, name)))

    @property
    def residual(self) -> Array:
        """Returns left - right, entry by entry; None where a side is undefined."""
        result = np.empty(self.left.shape, dtype=object)
        for i in np.ndindex(self.left.shape):
            a, b = self.left[i], self.right[i]
            if a is not None and b is not None:
                result[i] = a - b
        return result

    @property
    def size(self) -> float:
        """Returns the difference in `entry`, relative to the largest entry; NaN if undefined."""
        sizes = [
            abs(float_of(v)) for side in (self.left, self.right) for v in side.flat if v is not None
        ]
        return abs(float_of(self.residual[self.entry])) / (max(sizes, default=1.0) or 1.0)

    def code(self) -> str:
        """Returns a runnable snippet that shows the failure with NumPy alone."""
        return self.snippet

    @property
    def sizes_text(self) -> str:
        """Writes the sizes as a phrase, without those that the signature gives."""
        from eqvproof.claims.signature.model import number_of_kinds

        return ", ".join(f"{k} = {v}" for k, v in self.sizes.items() if not number_of_kinds(k))

    def __str__(self) -> str:
        return self._written(lambda label, value: [label + array_text(value)], number_text)

    def summary(self) -> str:
        """Writes the counterexample with rounded numbers, and with large arrays abbreviated."""
        return self._written(
            lambda label, value: folded_array(label, short_array(value)), short_number
        )

    def _written(
        self,
        array_lines: Callable[[str, Any], list[str]],
        number_text: Callable[[Any], str],
    ) -> str:
        sizes = self.sizes_text
        places = [sizes or "this point"]
        if self.result:
            places.append(f"in {self.result}")
        lines = [f"At {', '.join(places)}:"]
        for name, value in self.inputs.items():
            lines += array_lines(f"  {name} = ", value)
        if self.words:
            lines.append(f"  g = {self.words}")
        lines += array_lines(f"  {self.labels[0]} = ", self.left)
        lines += array_lines(f"  {self.labels[1]} = ", self.right)
        if self.left.shape and self.left.size > 1:
            left, right = (number_text(side[self.entry]) for side in (self.left, self.right))
            where = entry_text(*self.entry)
            lines.append(f"  they differ, for instance, in entry {where}: {left} against {right}")
        return "\n".join(lines)

    def to_html(self) -> str:
        """Returns the counterexample as HTML: sizes, inputs, group element, and both sides.

        The entry that differs is marked.
        """
        from html import escape

        from eqvproof.engines.verdict.elements import elements_html
        from eqvproof.engines.verdict.matrices import matrix_html
        from eqvproof.engines.verdict.svg import figure_html, matrices_svg

        parts = [
            f"<div>{escape(name)} = {matrix_html(value)}</div>"
            for name, value in self.inputs.items()
        ]
        if self.sizes_text:
            parts.insert(0, f"<div>{escape(self.sizes_text)}:</div>")
        element = ""
        if self.words:
            moved = "".join(
                f"<div>g {escape(name)} = {matrix_html(value)}</div>"
                for name, value in self.moved.items()
            )
            element = f'<div class="sides"><div>g: {escape(self.words)}</div>{moved}</div>'
            element += elements_html(self.element)
        labelled = dict(zip(self.labels, (self.left, self.right), strict=True))
        sides = [
            f"<div>{escape(label)} = {matrix_html(value, self.entry)}</div>"
            for label, value in labelled.items()
        ]
        drawn = ""
        if self.left.ndim in (1, 2) and max(self.left.shape, default=0) >= 3:
            drawn = figure_html(
                "both sides, and their difference",
                matrices_svg({**labelled, "difference": self.residual}, self.entry),
            )
        return (
            f'<div class="sides">{"".join(parts)}</div>'
            f'{element}<div class="sides">{"".join(sides)}</div>{drawn}'
        )

    def _repr_html_(self) -> str:
        """Returns the counterexample as HTML for a notebook."""
        from eqvproof.support.display import in_notebook

        return in_notebook(self.to_html())

    def to_json(self) -> dict[str, Any]:
        """Returns the counterexample as JSON data."""
        return {
            "sizes": dict(self.sizes),
            "inputs": {k: nested(v) for k, v in self.inputs.items()},
            "element": {str(k): element_to_json(v) for k, v in self.element.items()},
            "words": self.words,
            "moved": {k: nested(v) for k, v in self.moved.items()},
            "left": nested(self.left),
            "right": nested(self.right),
            "labels": list(self.labels),
            "entry": list(self.entry),
            "result": self.result,
            "code": self.code(),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Counterexample:
        """Builds a counterexample from the output of `to_json`.

        Exact numbers are restored; balls are read as balls that enclose their printed text.

        Raises:
            KeyError, TypeError, ValueError: these are not such data.
        """
        first, second = map(str, data["labels"])
        return cls(
            sizes={str(k): int(v) for k, v in data["sizes"].items()},
            inputs={str(k): unnested(v) for k, v in data["inputs"].items()},
            element={
                int(k) if k.isdigit() else k: element_data(v) for k, v in data["element"].items()
            },
            left=unnested(data["left"]),
            right=unnested(data["right"]),
            entry=tuple(map(int, data["entry"])),
            words=str(data["words"]),
            snippet=str(data["code"]),
            labels=(first, second),
            moved={str(k): unnested(v) for k, v in data["moved"].items()},
            result=str(data["result"]),
        )


def element_to_json(value: Any) -> Any:
    """Returns data of a group element as JSON data."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, ComplexNumber):
        return value.to_json()
    if isinstance(value, (np.ndarray, tuple, list)):
        return [element_to_json(v) for v in value]
    if isinstance(value, np.integer):
        return int(value)
    if isinstance(value, np.floating):
        return float(value)
    return value


def nested(value: Any) -> Any:
    """Returns an array as nested lists; exact numbers as text, undefined entries as null."""
    array = np.asarray(value, dtype=object)
    if array.ndim:
        return [nested(array[i]) for i in range(array.shape[0])]
    entry = array.item()
    if entry is None or isinstance(entry, float):
        return entry
    if isinstance(entry, ComplexNumber):
        return entry.to_json()
    return str(entry)


def unnested(value: Any) -> Array:
    """Builds an array from nested lists; the inverse of `nested`."""
    array = np.array(value, dtype=object)
    for i in np.ndindex(array.shape):
        array[i] = number_of(array[i])
    return array


def element_data(value: Any) -> Any:
    """Builds data of a group element from JSON data; the inverse of `plain`.

    A list of rows becomes a matrix, any other list a tuple.
    """
    if not isinstance(value, list):
        return number_of(value)
    rows = value and all(
        isinstance(row, list) and not any(isinstance(v, list) for v in row) for row in value
    )
    if rows:
        return unnested(value)
    return tuple(element_data(v) for v in value)


def number_of(value: Any) -> Any:
    """Returns the number for an entry of JSON data."""
    if isinstance(value, dict):
        return ComplexNumber(number_of(value["re"]), number_of(value["im"]))
    if not isinstance(value, str):
        return value
    if BALL.fullmatch(value):
        from flint import arb

        from eqvproof.numbers.number import wrap

        return wrap(arb(value))
    return Fraction(value)
