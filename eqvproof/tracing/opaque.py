"""Uninterpreted functions: a claim about a target that calls one holds for every such function.

g = eqvproof.opaque("g", "G: n n -> n n")                  # any function of an n x n matrix
h = eqvproof.opaque("h", "X: d n -> d n", under="O(d)")    # any equivariant one
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import Signature, parse_signature
from eqvproof.programs import Size
from eqvproof.support.errors import GroupError, SignatureError, TargetError
from eqvproof.support.short_tracebacks import shortens_tracebacks
from eqvproof.tracing.arrays.context import TraceContext, current_context
from eqvproof.tracing.arrays.lifting import lift, mentions_trace
from eqvproof.tracing.arrays.values import make, node_of

FEATURES = 8


class OpaqueFunction:
    """An uninterpreted function; call it inside a target.

    Attributes:
        name: its name in proofs; equal names are the same function.
        signature: its typing, from which the shape of its value follows.
        under: the group under which equivariance is assumed, or "".
        example: a function to compute with where numbers are needed, or None.
        symmetry: the assumed equivariance in the form of a claim, or None.
    """

    __slots__ = ("example", "name", "signature", "symmetry", "under")

    def __init__(
        self, name: str, signature: Signature, under: str, example: Callable[..., object] | None
    ) -> None:
        self.name = name
        self.signature = signature
        self.under = under
        self.example = example
        self.symmetry: dict[str, object] | None = None
        if under:
            group = parse_group(under, signature)
            if group.pins:
                raise GroupError(
                    f"the opaque function {name} is assumed equivariant at one size only",
                    given=under,
                    expected=f"the group on axes of that size, or of every size: {group}",
                    hint="write the size in place of the axis in the signature",
                    code="group.pinned",
                )
            data = signature.to_json()
            inputs: Any = data["inputs"]
            self.symmetry = {
                "inputs": [a["axes"] for a in inputs],
                "output": data["output"],
                "group": group.to_json(),
            }

    def __call__(self, *args: object) -> Any:
        """Returns a node while a target is traced, else the value from `concrete`."""
        if len(args) != len(self.signature.inputs):
            raise TargetError(
                f"the opaque function {self.name} takes {len(self.signature.inputs)} arguments",
                given=str(len(args)),
                expected=str(self.signature),
                hint="call it with the arguments of its signature",
            )
        context = current_context()
        if context is not None and context.active:
            return self._trace(context, args)
        if mentions_trace(args):
            raise TargetError(
                f"the opaque function {self.name} is called on values of an earlier trace",
                given="values of another trace",
                expected="values of one trace",
                hint="do not keep traced values between calls",
            )
        return self.concrete(*args)

    def _trace(self, context: TraceContext, args: Sequence[object]) -> object:
        traced = [lift(context, a) for a in args]
        b = context.builder
        sizes: dict[str, Size] = {}
        for argument, x in zip(self.signature.inputs, traced, strict=True):
            shape = b.shape(node_of(x))
            if len(shape) != len(argument.axes):
                context.refuse(
                    f"{self.name} is called with an array of {len(shape)} axes for {argument}"
                )
            for axis, size in zip(argument.axes, shape, strict=True):
                if axis.single is not None and sizes.setdefault(axis.single, size) != size:
                    context.refuse(
                        f"{self.name} is called with two sizes, {sizes[axis.single]} and {size},"
                        f" of its axis"
                        f" {axis}"
                    )
        for argument, x in zip(self.signature.inputs, traced, strict=True):
            for axis, size in zip(argument.axes, b.shape(node_of(x)), strict=True):
                if axis.size.substitute(sizes) != size:
                    context.refuse(f"{self.name} is called with {size} entries on its axis {axis}")
        known = context.opaques.setdefault(self.name, self)
        if known is not self and not (isinstance(known, OpaqueFunction) and known.same(self)):
            context.refuse(f"two different opaque functions have the name {self.name}")
        output = [axis.size.substitute(sizes) for axis in self.signature.output]
        return make(
            context, b.opaque(self.name, [node_of(x) for x in traced], output, self.symmetry)
        )

    def same(self, other: OpaqueFunction) -> bool:
        """Checks whether two opaque functions have the same signature, symmetry and example."""
        return (self.signature, self.under, self.example) == (
            other.signature,
            other.under,
            other.example,
        )

    def concrete(self, *args: object) -> object:
        """Returns the value on numbers: the example's, or that of a fixed generic function.

        Without an assumed symmetry every entry of the value is a smooth function of all entries of
        all arguments, drawn once and for all by the name; exact numbers give exact numbers.

        Raises:
            TargetError: a symmetry is assumed, and no example is given.
        """
        if self.example is not None:
            return self.example(*args)
        if self.symmetry is not None:
            raise TargetError(
                f"the opaque function {self.name} has no values: only its symmetry under"
                f" {self.under} is"
                " known",
                hint="give example=, a function with this symmetry",
                code="target.opaque",
                given="a call of it on numbers",
                expected="an example to compute with",
            )
        return self.generic(*args)

    def generic(self, *args: object) -> object:
        """Returns the value of the fixed generic function."""
        arrays = [np.asarray(a) for a in args]
        shapes = [a.shape for a in arrays]
        sizes = self.signature.shown_sizes(shapes)
        if argument := self.signature.misfit(shapes, sizes):
            raise ValueError(f"{self.name} is called with an array of another shape for {argument}")
        shape = tuple(axis.at(sizes) for axis in self.signature.output)
        exact = any(a.dtype == object for a in arrays)
        flat = np.concatenate([a.astype(object if exact else np.float64).ravel() for a in arrays])
        key = hashlib.blake2b(
            f"{self.name}|{[a.shape for a in arrays]}".encode(), digest_size=8
        ).digest()
        rng = np.random.Generator(np.random.PCG64(int.from_bytes(key, "little")))
        weights = rng.integers(-8, 9, (FEATURES, flat.size)) / 8.0
        offsets = rng.integers(-8, 9, FEATURES) / 8.0
        count = int(np.prod(shape))
        outer = rng.integers(-8, 9, (count, FEATURES)) / 8.0
        if exact:
            from eqvproof.numbers import exact_array

            weights, offsets, outer = (exact_array(a) for a in (weights, offsets, outer))
        inner = weights @ flat + offsets
        return np.reshape(outer @ (inner / (1 + inner * inner)), shape)

    def __repr__(self) -> str:
        under = f", under={self.under!r}" if self.under else ""
        return f"opaque({self.name!r}, {str(self.signature)!r}{under})"


@shortens_tracebacks
def opaque(
    function: str | Callable[..., object],
    signature: str,
    *,
    under: str = "",
    example: Callable[..., object] | None = None,
) -> OpaqueFunction:
    """Declares a function of which only its signature and an assumed symmetry are known.

    Args:
        function: its name; or a function, which then is used where numbers are needed.
        signature: its typing, ``"G: n n -> n n"`` or ``"n n -> n n"``.
        under: a group under which it is assumed to be equivariant.
        example: a function to compute with where numbers are needed (searches, replays).

    Raises:
        SignatureError, GroupError: the typing or the group cannot be read.

    Example:
        >>> g = ep.opaque("g", "n n -> n n")
        >>> print(ep.check(lambda X: X @ g(X.T @ X), "X: d n -> d n", under="O(d)").grade)
        PROVED
    """
    if isinstance(function, str):
        name = function
    else:
        name, example = getattr(function, "__name__", "g"), function if example is None else example
    if not name.isidentifier():
        raise SignatureError(
            "the name of an opaque function is an identifier",
            given=repr(name),
            expected='"g"',
            hint="give letters, digits and underscores, a letter first",
        )
    return OpaqueFunction(name, parse_signature(_named(signature)), under, example)


def _named(text: str) -> str:
    """Returns the signature text with names for unnamed arguments."""
    left, arrow, right = text.partition("->")
    if ":" in left or not arrow or not left.strip():
        return text
    return (
        ", ".join(f"x{i}: {part.strip()}" for i, part in enumerate(left.split(",")))
        + f" -> {right.strip()}"
    )


def stand_ins(opaques: Mapping[str, Any]) -> tuple[dict[str, Callable[..., object]], list[str]]:
    """Returns functions to compute uninterpreted ones with, and the names of those without one."""
    found: dict[str, Callable[..., object]] = {}
    missing: list[str] = []
    for name, function in opaques.items():
        if function.symmetry is not None and function.example is None:
            missing.append(name)
        else:
            found[name] = function.concrete
    return found, missing
