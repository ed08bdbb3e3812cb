"""Signatures of models: several results, arguments that are parts of structures, axes that are merged.

A form is read as plain signatures, one for each result, of functions of plain arrays: a result is
one array, an argument one leaf of a structure, and a merged axis ``(n 3)`` the two axes that it is
row by row. What a claim says of the model is that each of these functions has the symmetry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from eqvproof.claims.signature.model import Argument, Axis, Signature
from eqvproof.support.errors import SignatureError

#: What stands for a result that is left out.
LEFT_OUT = "_"
#: What stands before an axis whose size is the argument.
SIZES = "sizes"


@dataclass(frozen=True, slots=True)
class Shaped:
    """Axes, some of which stand merged in the array.

    Attributes:
        axes: the axes, apart.
        merged: of how many of them each axis of the array is made, row by row.
    """

    axes: tuple[Axis, ...]
    merged: tuple[int, ...]

    @property
    def is_plain(self) -> bool:
        """Whether each axis of the array is one axis."""
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
        argument: as a plain signature has it, its name the path with "_" between the steps.
        path: the name of the argument, then the keys, positions and attributes that lead to the
            leaf.
        merged: as in `Shaped`.
        is_size: whether the function takes the size of the one axis, an integer, and no array.
        is_complex: whether the array is of complex numbers.
        doubled: the axis along which all real parts, then all imaginary parts stand in the
            argument; else
        None. is_dual: whether these are those of the conjugates.
        written: of complex numbers, how the user wrote it.
    """

    argument: Argument
    path: tuple[str, ...]
    merged: tuple[int, ...]
    is_size: bool = False
    is_complex: bool = False
    doubled: int | None = None
    is_dual: bool = False
    written: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether it is a whole argument, an array of plain axes."""
        plain = len(self.path) == 1 and all(count == 1 for count in self.merged)
        return plain and not self.is_size and not self.is_complex

    def __str__(self) -> str:
        if self.written:
            return self.written
        name, _, _ = str(self.argument).partition(":")
        written = ".".join(self.path) + name.removeprefix(self.argument.name)
        return f"{written}: {SIZES + ' ' if self.is_size else ''}{Shaped(self.argument.axes, self.merged)}"


@dataclass(frozen=True, slots=True)
class Result:
    """One of the results.

    Attributes:
        path: the keys, positions and attributes that lead to it; empty where it is taken by its
            place.
        shaped: its axes; None where it is left out.
        place: which result it is, counted from 0.
        doubled: of complex numbers, the axis along which real, then imaginary parts stand; else
            None.
        is_dual: whether these are those of the conjugates.
        written: of complex numbers, how the user wrote the axes.
    """

    path: tuple[str, ...]
    shaped: Shaped | None
    place: int
    doubled: int | None = None
    is_dual: bool = False
    written: str = ""

    @property
    def name(self) -> str:
        """How verdicts name it."""
        return ".".join(self.path) or f"result {self.place + 1}"

    def __str__(self) -> str:
        text = self.written or (LEFT_OUT if self.shaped is None else str(self.shaped))
        return f"{'.'.join(self.path)}: {text}" if self.path else text


@dataclass(frozen=True, slots=True)
class Form:
    """What a signature says of a model.

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
        """Whether it is the signature of a function of plain arrays with one plain result."""
        first = self.results[0]
        plain = len(self.results) == 1 and not first.path and first.shaped is not None
        return (
            plain
            and bool(first.shaped and first.shaped.is_plain)
            and all(x.is_plain for x in self.leaves)
        )

    @property
    def literals(self) -> frozenset[int]:
        """The sizes that stand as numbers on axes that a group can act on."""
        shapes = [
            *(x.argument.axes for x in self.leaves),
            *(r.shaped.axes for r in self.judged if r.shaped),
        ]
        terms = (term for axes in shapes for axis in axes for term in axis.terms)
        return frozenset(t.coefficient for t in terms if t.name is None and t.mark != "!")

    @property
    def judged(self) -> tuple[Result, ...]:
        """The results that are not left out."""
        return tuple(r for r in self.results if r.shaped is not None)

    def signature(self, result: Result) -> Signature:
        """The plain signature of the function that gives one result."""
        axes = result.shaped.axes if result.shaped else ()
        inputs = tuple(leaf.argument for leaf in self.leaves)
        return Signature(
            inputs, axes, self.text if self.is_plain else str(Signature(inputs, axes, ""))
        )

    @property
    def signatures(self) -> tuple[Signature, ...]:
        """The plain signatures, one for each result that is judged."""
        return tuple(self.signature(r) for r in self.judged)

    def of_result(
        self, given: Mapping[str, Any] | None, signature: Signature
    ) -> dict[str, Any] | None:
        """What is given by names of axes, without those that only other results have."""
        known = {n for s in self.signatures for n in s.names} - set(signature.names)
        return None if given is None else {n: value for n, value in given.items() if n not in known}

    def __str__(self) -> str:
        return ", ".join(map(str, self.leaves)) + " -> " + ", ".join(map(str, self.results))


def plain_signature(form: Form) -> Signature:
    """The signature that a plain form is.

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
    """The form that a signature is."""
    leaves = tuple(Leaf(a, (a.name,), (1,) * len(a.axes)) for a in signature.inputs)
    result = Result((), Shaped(signature.output, (1,) * len(signature.output)), 0)
    return Form(leaves, (result,), signature.text)
