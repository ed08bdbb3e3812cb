"""Claims about functions of packages: what a row of a table says, and what builds its function.

A row reads

    of_torch(function, "x: n d -> n d", true("name", "S(n)"), false("another name", "O(d)", d=3), n=(2, 6))

The function is given itself, as "package.module:function", or as one of the builders below makes it; then its
signature, and what is claimed of it: names, groups, and sizes of axes where the usual ones do not do.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import torch

Function = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Built:
    """A function that is built when its claim is checked."""

    build: Callable[[], Function]


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, with the label that the test in float64 confirms.

    Attributes:
        name: package and what of it.
        function: the function, where it is, or how it is built.
        signature, under, sizes, backend: as `eqvproof.check` takes them.
        holds: the label.
        frame: "numpy", "torch" or "jax": what the function takes.
        draw: how real arguments are drawn: "normal" or "positive".
        single: the package computes in float32 whatever it is given.
    """

    name: str
    function: Function | Built | str
    signature: str
    under: str
    holds: bool
    frame: str
    sizes: Mapping[str, Any]
    backend: str | None
    draw: str
    single: bool

    @property
    def key(self) -> str:
        """Tells the claim from the others."""
        return f"{self.name} | {self.signature} | {self.under}"

    def make(self) -> Function:
        """Returns the function, built anew where it has state."""
        return _built(self.function)


def true(name: str, under: str, **more: Any) -> tuple[bool, str, str, dict[str, Any]]:
    """Says that the function of the row has a symmetry; `more` is as in `of_numpy`."""
    return True, name, under, more


def false(name: str, under: str, **more: Any) -> tuple[bool, str, str, dict[str, Any]]:
    """Says that the function of the row lacks a symmetry; `more` is as in `of_numpy`."""
    return False, name, under, more


def _row(frame: str, detected: str | None = None) -> Callable[..., list[Claim]]:
    def row(function: Any, signature: str, *claimed: Any, **common: Any) -> list[Claim]:
        claims = []
        for holds, name, under, more in claimed:
            sizes = {**common, **more}
            backend, draw = sizes.pop("backend", detected), sizes.pop("draw", "normal")
            single = sizes.pop("single", False)
            claims.append(
                Claim(name, function, signature, under, holds, frame, sizes, backend, draw, single)
            )
        return claims

    row.__doc__ = f"""Makes the claims about one function of arrays of {frame}.

    Args:
        function: the function, "package.module:function", or what a builder makes.
        signature: as `eqvproof.check` takes it.
        claimed: what `true` and `false` make.
        common: sizes of axes, as a number or a range, and `backend`, `draw`, `single` as in `Claim`.
    """
    return row


of_numpy, of_torch, of_jax = _row("numpy"), _row("torch"), _row("jax", "jax")
built = Built


def _built(function: Any) -> Any:
    if isinstance(function, Built):
        return function.build()
    if isinstance(function, str):
        module, _, name = function.partition(":")
        found = importlib.import_module(module)
        return functools.reduce(getattr, name.split("."), found) if name else found
    return function


def layer(make: Any, *arguments: Any, call: Function | None = None, **options: Any) -> Built:
    """Builds a module with weights that are always the same.

    Args:
        make: its class, a function, "package.module:Class", or what another builder makes.
        arguments, options: what it is built with.
        call: how arrays are given to it, as a function of the module and the arrays.
    """

    def build() -> Function:
        torch.manual_seed(0)
        made = make.build() if isinstance(make, Built) else _built(make)(*arguments, **options)
        if isinstance(made, torch.nn.Module):
            made = made.eval()
        return made if call is None else lambda *arrays: call(made, *arrays)

    return Built(build)


def one(module: Function, x: Any) -> Any:
    """Calls a module of batches on one entry of a batch."""
    return module(x[None])[0]


def using(path: str, call: Function) -> Built:
    """Builds what a user makes of "package.module:function": `call` of it and the arrays."""

    def build() -> Function:
        found = _built(path)
        return lambda *arrays: call(found, *arrays)

    return Built(build)


def held(imports: str, function: str, before: str = "pass") -> Built:
    """Builds a function that holds a module in its closure, as a function inside a test does."""

    def build() -> Function:
        torch.manual_seed(0)
        space: dict[str, Any] = {"torch": torch}
        exec(f"def made():\n    import {imports}\n    {before}\n    return {function}", space)
        return space["made"]()

    return Built(build)
