"""Signatures of models: several results, parts of structures as arguments, merged axes.

A form stands for plain signatures, one for each result, of functions of plain arrays: a result is
one array, an argument one leaf of a structure, and a merged axis ``(n 3)`` its two axes row by row.
A claim about the model says that each of these functions has the symmetry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.claims.signature.model import Argument, Axis, Signature
from eqvproof.support.errors import SignatureError

#: Stands for a result that is left out.
LEFT_OUT = "_"
#: Stands before an axis whose size is the argument.
SIZES = "sizes"


@dataclass(frozen=True, slots=True)
class Shaped:
    """Axes, some of which are merged in the array.

    Attributes:
        axes: the axes, separate.
        merged: for each axis of the array, the number of `axes` that it merges row by row.
    """

    axes: tuple[Axis, ...]
    merged: tuple[int, ...]

    @property
    def is_plain(self) -> bool:
        """Returns True if no axes are merged."""
        return all(count == 1 for count in self.merged)

    def __str__(self) -> str:
        rest, parts = list(self.axes), []
        for count in self.merged:
            text = " ".join(str(rest.pop(0)) for _ in range(count))
            parts.append(text if count == 1 else f"({text})")
        return " ".join(parts) or "()"


@dataclass(frozen=True, slots=True)
class Leaf:
    """An argument, or a part of one.

    Attributes:
        argument: the argument of the plain signature; its name is the path, joined by "_".
        path: the name of the argument, then the keys, positions and attributes that lead to the
            leaf.
        merged: as in `Shaped`.
        is_size: whether the function takes the size of the one axis, an integer, and no array.
        is_complex: whether the array holds complex numbers.
        is_scalar: whether a complex array has no axes.
        doubled: the axis of the argument that holds all real parts, then all imaginary parts; None
            if real.
        is_dual: whether the array holds the conjugates.
        written: for complex numbers, the text of the user.
        flips: the number of axes of size 1 at the end of the argument, which the array lacks.
    """

    argument: Argument
    path: tuple[str, ...]
    merged: tuple[int, ...]
    is_size: bool = False
    is_complex: bool = False
    is_scalar: bool = False
    doubled: int | None = None
    is_dual: bool = False
    written: str = ""
    flips: int = 0

    @property
    def is_plain(self) -> bool:
        """Returns True if it is a whole argument, a real array without merged axes."""
        plain = len(self.path) == 1 and all(count == 1 for count in self.merged)
        return plain and not self.is_size and not self.is_complex and not self.flips

    def __str__(self) -> str:
        if self.written:
            return self.written
        name, _, _ = str(self.argument).partition(":")
        written = ".".join(self.path) + name.removeprefix(self.argument.name)
        axes = str(Shaped(self.argument.axes, self.merged))
        if self.is_size:
            axes = f"{SIZES} {axes}"
        return f"{written}: {axes}"


@dataclass(frozen=True, slots=True)
class Result:
    """One of the results.

    Attributes:
        path: the keys, positions and attributes that lead to it; empty if taken by its position.
        shaped: its axes; None if it is left out.
        place: its position among the results, counted from 0.
        doubled: for complex numbers, the axis that holds real, then imaginary parts; else None.
        is_dual: whether the array holds the conjugates.
        written: for complex numbers, the axes as the user wrote them.
        flips: the number of axes of size 1 at the end of `shaped`, which the array lacks.
    """

    path: tuple[str, ...]
    shaped: Shaped | None
    place: int
    doubled: int | None = None
    is_dual: bool = False
    written: str = ""
    flips: int = 0

    @property
    def name(self) -> str:
        """Returns the name that verdicts use for it."""
        return ".".join(self.path) or f"result {self.place}"

    def __str__(self) -> str:
        text = self.written or str(self.shaped or LEFT_OUT)
        if self.path:
            return f"{'.'.join(self.path)}: {text}"
        return text


@dataclass(frozen=True, slots=True)
class Form:
    """The signature of a model.

    Attributes:
        leaves: the arguments and parts of arguments, in the order written.
        results: the results, those left out among them.
        text: what the user wrote.
    """

    leaves: tuple[Leaf, ...]
    results: tuple[Result, ...]
    text: str

    @property
    def is_plain(self) -> bool:
        """Returns True if it describes a function of plain arrays with one plain result."""
        first = self.results[0]
        plain = len(self.results) == 1 and not first.path and first.shaped is not None
        return (
            plain
            and bool(first.shaped and first.shaped.is_plain)
            and all(x.is_plain for x in self.leaves)
        )

    @property
    def literals(self) -> frozenset[int]:
        """Returns the literal sizes of axes on which a group can act."""
        shapes = [
            *(x.argument.axes for x in self.leaves),
            *(r.shaped.axes for r in self.claimed_results if r.shaped),
        ]
        terms = (term for axes in shapes for axis in axes for term in axis.terms)
        return frozenset(t.coefficient for t in terms if t.name is None and t.mark != "!")

    @property
    def claimed_results(self) -> tuple[Result, ...]:
        """Returns the results that are not left out."""
        return tuple(r for r in self.results if r.shaped is not None)

    def signature(self, result: Result) -> Signature:
        """Returns the plain signature of the function that computes one result."""
        axes = result.shaped.axes if result.shaped else ()
        inputs = tuple(leaf.argument for leaf in self.leaves)
        if self.is_plain:
            return Signature(inputs, axes, self.text)
        return Signature(inputs, axes, f"{', '.join(map(str, self.leaves))} -> {result}")

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """Returns the plain signatures, one for each result that is checked."""
        return tuple(self.signature(r) for r in self.claimed_results)

    def of_result(
        self, given: Mapping[str, Any] | None, signature: Signature
    ) -> dict[str, Any] | None:
        """Returns the values given by axis name, without names that only other results have."""
        known = {n for s in self.signatures for n in s.names} - set(signature.names)
        if given is None:
            return None
        return {n: value for n, value in given.items() if n not in known}

    def __str__(self) -> str:
        return ", ".join(map(str, self.leaves)) + " -> " + ", ".join(map(str, self.results))


def plain_signature(form: Form) -> Signature:
    """Returns the signature that a plain form stands for.

    Raises:
        SignatureError: it has several or named results, structured arguments, or merged axes.
    """
    if form.is_plain:
        return form.signatures[0]
    if len(form.results) > 1 or form.results[0].path:
        what, hint = (
            "several or named results",
            "take each result by itself: lambda *args: f(*args)[0]",
        )
    elif any(leaf.is_complex for leaf in form.leaves):
        what, hint = "complex arrays", "pass a function of the real and the imaginary part"
    elif any(len(leaf.path) > 1 for leaf in form.leaves):
        what, hint = "parts of structured arguments", "pass a function of plain arrays"
    else:
        what, hint = "merged axes", "write a function that takes and returns the axes apart"
    raise SignatureError(
        f"this signature has {what}, which are not taken here",
        given=form.text,
        expected="plain arguments and one array as the result, such as 'X: d n -> d n'",
        hint=hint + "; ep.check takes the signature as it is",
        code="signature.form",
    )


def plain_form(signature: Signature) -> Form:
    """Returns the form of a plain signature."""
    leaves = tuple(Leaf(a, (a.name,), (1,) * len(a.axes)) for a in signature.inputs)
    result = Result((), Shaped(signature.output, (1,) * len(signature.output)), 0)
    return Form(leaves, (result,), signature.text)
