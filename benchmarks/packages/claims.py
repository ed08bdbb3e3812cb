"""Claims about packages, and a test in float64, independent of eqvproof, whether they are true.

The test parses the signature by itself, draws arguments and group elements, and compares both sides in float64.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Function = Callable[..., Any]
TRIALS, SAME, OTHER = 12, 1e-9, 1e-5


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim, with the label that the test in float64 confirms.

    Attributes:
        name: package and what of it.
        make: builds the function.
        signature, under, sizes, backend: as `eqvproof.check` takes them.
        holds: the label.
        frame: "numpy", "torch" or "jax": what the function takes.
        draw: how real arguments are drawn: "normal" or "positive".
        single: the package computes in float32 whatever it is given.
    """

    name: str
    make: Callable[[], Function]
    signature: str
    under: str
    holds: bool
    sizes: Mapping[str, Any] = field(default_factory=dict)
    backend: str | None = None
    frame: str = "torch"
    draw: str = "normal"
    single: bool = False

    @property
    def key(self) -> str:
        """What tells it from the others."""
        return f"{self.name} | {self.signature} | {self.under}"


def family(frame: str) -> tuple[Callable[..., Claim], Callable[..., Claim]]:
    """Makers of true and of false claims about functions of one framework."""

    def maker(holds: bool) -> Callable[..., Claim]:
        def make(
            name: str, made: Callable[[], Function], signature: str, under: str, **more: Any
        ) -> Claim:
            return Claim(name, made, signature, under, holds, frame=frame, **more)

        return make

    return maker(True), maker(False)


numpy_true, numpy_false = family("numpy")
torch_true, torch_false = family("torch")
jax_true, jax_false = family("jax")


def agrees(claim: Claim) -> bool:
    """Whether the label is right, as far as floats of 64 bits show it."""
    worst = 0.0
    with _doubles(claim.frame):
        f = _called(claim.make(), claim.frame)
        for trial in range(TRIALS):
            worst = max(worst, _residual(claim, f, np.random.default_rng(trial)))
    return (
        worst < (1e-4 if claim.single else SAME)
        if claim.holds
        else worst > (1e-2 if claim.single else OTHER)
    )


def _residual(claim: Claim, f: Function, rng: np.random.Generator) -> float:
    inputs, outputs = _read(claim.signature)
    names = {n for _, _, axes in inputs for a in axes for n in re.findall(r"[a-z]\w*", a)}
    sizes = {n: _size(claim.sizes.get(n, (3, 6)), rng) for n in sorted(names)}
    groups = [g.strip() for g in claim.under.split(" x ")]
    elements = [(g, _element(g, sizes, rng)) for g in groups]
    given = [_argument(kind, axes, sizes, claim.draw, rng) for _, kind, axes in inputs]
    moved = []
    for (_, kind, axes), x in zip(inputs, given, strict=True):
        for group, element in elements:
            x = _act(x, axes, kind, group, element)
        moved.append(x)
    results = zip(_taken(f(*moved), outputs), _taken(f(*given), outputs), outputs, strict=True)
    worst = 0.0
    for left, right, (_, axes) in results:
        for group, element in elements:
            right = _act(right, axes, "", group, element)
        if left.shape != right.shape:
            return float("inf")
        worst = max(
            worst,
            float(np.max(np.abs(left - right), initial=0) / (1 + np.max(np.abs(right), initial=0))),
        )
    return worst


def _taken(made: Any, outputs: list[tuple[str, list[str]]]) -> list[np.ndarray]:
    """The results that the signature names, by their names or by their places."""
    if outputs[0][0]:
        found = [
            made[name] if isinstance(made, Mapping) else getattr(made, name) for name, _ in outputs
        ]
    else:
        found = list(made) if isinstance(made, (tuple, list)) and len(outputs) > 1 else [made]
    return [np.asarray(x.detach() if hasattr(x, "detach") else x, float) for x in found]


def _read(signature: str) -> tuple[list[tuple[str, str, list[str]]], list[tuple[str, list[str]]]]:
    left, right = signature.split("->")
    inputs = []
    for part in left.split(","):
        found = re.fullmatch(r"\s*(\w+)(?:\[(\w+)\])?:(.*)", part)
        if found is None:
            raise ValueError(part)
        inputs.append((found[1], found[2] or "", found[3].replace("()", "").split()))
    outputs = []
    for part in right.split(","):
        name, _, axes = part.rpartition(":")
        outputs.append((name.strip(), axes.replace("()", "").split()))
    return inputs, outputs


def _size(wanted: Any, rng: np.random.Generator) -> int:
    return wanted if isinstance(wanted, int) else int(rng.integers(wanted[0], wanted[1] + 1))


def _length(axis: str, sizes: Mapping[str, int]) -> int:
    plain = axis.rstrip("!^*")
    if plain.isdigit():
        return int(plain)
    found = re.fullmatch(r"(\d*)([a-z]\w*)", plain)
    if found is None:
        raise ValueError(axis)
    return int(found[1] or 1) * sizes[found[2]]


def _argument(
    kind: str, axes: list[str], sizes: Mapping[str, int], draw: str, rng: np.random.Generator
) -> np.ndarray:
    shape = [_length(a, sizes) for a in axes]
    if kind == "bool":
        return rng.random(shape) < 0.5
    if kind:
        return rng.integers(0, int(kind) if kind.isdigit() else sizes[kind], shape)
    return rng.random(shape) + 0.1 if draw == "positive" else rng.standard_normal(shape)


def _axis(group: str) -> str:
    return re.fullmatch(r"\w+\((.*)\)", group)[1]  # type: ignore[index]


def _element(group: str, sizes: Mapping[str, int], rng: np.random.Generator) -> Any:
    kind, axis = group.partition("(")[0], _axis(group)
    n = int(axis) if axis.isdigit() else sizes[axis]
    match kind:
        case "S":
            return rng.permutation(n)
        case "C":
            return np.roll(np.arange(n), rng.integers(n))
        case "D":
            p = np.roll(np.arange(n), rng.integers(n))
            return p[::-1] if rng.random() < 0.5 else p
        case "Signs":
            return np.diag(rng.choice([-1.0, 1.0], n))
        case "Scale":
            return float(rng.uniform(0.5, 2))
        case "T":
            return rng.standard_normal(n)
        case "E" | "O" | "SO" | "SE":
            q = np.linalg.qr(rng.standard_normal((n, n)))[0]
            wanted = (
                1 if kind.startswith("S") else rng.choice([-1, 1])
            )  # LAPACK's have one sign for each n
            if np.linalg.det(q) * wanted < 0:
                q[:, 0] *= -1
            return (q, rng.standard_normal(n)) if "E" in kind else q
    raise ValueError(group)


def _act(x: Any, axes: list[str], kind: str, group: str, element: Any) -> Any:
    """The element on every axis of its name; on the entries of an array of indices."""
    family, name = group.partition("(")[0], _axis(group)
    if kind == name and family in ("S", "C", "D"):
        x = np.argsort(element)[x]
    moves = [(i, a) for i, a in enumerate(axes) if a.rstrip("^") == name]
    for place, axis in moves:
        if family in ("S", "C", "D"):
            x = np.take(x, element, place)
        elif family == "Scale":
            x = x * element
        else:
            matrix, shift = element if family in ("E", "SE") else (element, None)
            if family == "T":
                matrix, shift = None, element
            if matrix is not None:
                x = np.moveaxis(np.tensordot(matrix, x, (1, place)), 0, place)
            if shift is not None and not axis.endswith("^") and len(moves) == 1:
                x = x + shift.reshape([-1 if i == place else 1 for i in range(x.ndim)])
    return x


@contextlib.contextmanager
def _doubles(frame: str) -> Iterator[None]:
    """Whatever is built is of float64."""
    if frame == "torch":
        import torch

        before = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        try:
            yield
        finally:
            torch.set_default_dtype(before)
    elif frame == "jax":
        import jax

        with jax.enable_x64(True):
            yield
    else:
        yield


def _called(f: Function, frame: str) -> Function:
    """The function, of arrays of NumPy and to them."""
    if frame == "torch":
        import torch

        def call(*arrays: Any) -> Any:
            with torch.no_grad():
                return f(*(torch.tensor(np.ascontiguousarray(a)) for a in arrays))

        return call
    if frame == "jax":
        import jax.numpy as jnp

        return lambda *arrays: f(*map(jnp.asarray, arrays))
    return f
