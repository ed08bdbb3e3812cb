"""Confirms the labels of claims about packages, by a test in float64 that shares no code with eqvproof.

    python benchmarks/packages/labels.py FAMILY ... [--all]

The test parses the signature by itself, draws arguments and group elements with NumPy, and compares both sides. A
claim that is true must agree up to rounding in all draws, one that is false must clearly differ in some. The program
also draws small integers and simple group elements (signed permutations, integer shifts), at which ties and zeros
occur, and prints where a claim that is true differs there; such a line asks for a reading of the code.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from benchmarks.packages.claims import Claim, Function

TRIALS, SAME, OTHER = 12, 1e-9, 1e-5


def main() -> None:
    """Prints the claims of the families whose labels the test does not confirm."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("families", nargs="+")
    parser.add_argument("--all", action="store_true", help="also print claims that agree")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    count = wrong = 0
    for family in options.families:
        for row in importlib.import_module(f"benchmarks.packages.{family}").CLAIMS:
            for claim in row:
                count += 1
                try:
                    right = agrees(claim)
                    text = f"{_worst(claim, False):8.1e} {_worst(claim, True):8.1e}"
                    # at small integers a claim that is true may not differ
                    sharp = claim.holds and _worst(claim, True) >= _bound(claim)
                except Exception as error:  # a claim that does not run
                    right, sharp, text = False, False, f"{type(error).__name__}: {error}"
                wrong += not right
                mark = "WRONG" if not right else "TIES?" if sharp else "ok"
                if options.all or mark != "ok":
                    print(f"{mark:5} {claim.holds!s:5} {text} {claim.key}", flush=True)
    print(f"{count} claims, {wrong} whose label is not confirmed")


def agrees(claim: Claim) -> bool:
    """Tells whether the label is right, as far as floats of 64 bits show it."""
    worst = _worst(claim, False)
    return worst < _bound(claim) if claim.holds else worst > (1e-2 if claim.single else OTHER)


def _bound(claim: Claim) -> float:
    return 1e-4 if claim.single else SAME


def _worst(claim: Claim, simple: bool) -> float:
    worst, compared = 0.0, 0
    with _doubles(claim.frame):
        f = _called(claim.make(), claim.frame)
        for trial in range(TRIALS):
            try:
                found = _residual(claim, f, np.random.default_rng(trial), simple)
            except (ArithmeticError, ValueError, IndexError, AssertionError):
                if not simple:  # small integers may lie outside the domain
                    raise
                continue
            if np.isfinite(found) or np.isposinf(found):
                worst, compared = max(worst, found), compared + 1
    if not simple and compared < 3:
        raise ValueError(f"only {compared} of {TRIALS} draws could be compared")
    return worst


def _residual(claim: Claim, f: Function, rng: np.random.Generator, simple: bool = False) -> float:
    """The largest difference of both sides; NaN where they are not numbers."""
    inputs, outputs = _read(claim.signature)
    names = {n for _, _, axes in inputs for a in axes for n in re.findall(r"[a-z]\w*", a)}
    sizes = {n: _size(claim.sizes.get(n, (3, 6)), rng) for n in sorted(names)}
    groups = [g.strip() for g in claim.under.split(" x ")]
    elements = [(g, _element(g, sizes, rng, simple)) for g in groups]
    given = [_argument(kind, axes, sizes, claim.draw, rng, simple) for _, kind, axes in inputs]
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
        differ = np.max(np.abs(left - right), initial=0) / (1 + np.max(np.abs(right), initial=0))
        worst = differ if np.isnan(differ) else max(worst, float(differ))
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
    kind: str,
    axes: list[str],
    sizes: Mapping[str, int],
    draw: str,
    rng: np.random.Generator,
    simple: bool,
) -> np.ndarray:
    shape = [_length(a, sizes) for a in axes]
    if kind == "bool":
        return rng.random(shape) < 0.5
    if kind and kind != "complex":
        return rng.integers(0, int(kind) if kind.isdigit() else sizes[kind], shape)
    positive = draw == "positive"
    if simple:
        x = rng.integers(1 if positive else -2, 4 if positive else 3, shape).astype(float)
    else:
        x = rng.random(shape) + 0.1 if positive else rng.standard_normal(shape)
    return x + 1j * rng.permutation(x.ravel()).reshape(shape) if kind else x


def _axis(group: str) -> str:
    return re.fullmatch(r"\w+\((.*)\)", group)[1]  # type: ignore[index]


def _element(group: str, sizes: Mapping[str, int], rng: np.random.Generator, simple: bool) -> Any:
    kind, axis = group.partition("(")[0], _axis(group)
    n = int(axis) if axis.isdigit() else sizes[axis]
    shift = rng.integers(-2, 3, n).astype(float) if simple else rng.standard_normal(n)
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
        case "B":
            return np.diag(rng.choice([-1.0, 1.0], n))[rng.permutation(n)]
        case "Scale":
            return float(rng.choice([0.5, 2.0])) if simple else float(rng.uniform(0.5, 2))
        case "T":
            return shift
        case "E" | "O" | "SO" | "SE":
            wanted = 1 if kind.startswith("S") else rng.choice([-1, 1])
            q = _signed(n, rng) if simple else np.linalg.qr(rng.standard_normal((n, n)))[0]
            if np.linalg.det(q) * wanted < 0:  # LAPACK's have one sign for each n
                q[:, 0] *= -1
            return (q, shift) if "E" in kind else q
        case "GL":
            return _signed(n, rng) @ np.diag(2.0 ** rng.integers(-1, 2, n)) @ _shear(n, rng)
        case "SL":
            return _shear(n, rng) @ _shear(n, rng).T
        case "Lorentz":
            a, g = rng.uniform(-1, 1), np.eye(n)
            g[:2, :2] = [[np.cosh(a), np.sinh(a)], [np.sinh(a), np.cosh(a)]]
            g[1:] = np.linalg.qr(rng.standard_normal((n - 1, n - 1)))[0] @ g[1:]
            return np.diag([*rng.choice([-1.0, 1.0], 2), *np.ones(n - 2)]) @ g  # all components
    raise ValueError(group)


def _signed(n: int, rng: np.random.Generator) -> np.ndarray:
    return np.diag(rng.choice([-1.0, 1.0], n))[rng.permutation(n)]


def _shear(n: int, rng: np.random.Generator) -> np.ndarray:
    return np.eye(n) + np.triu(rng.integers(-1, 2, (n, n)), 1)


def _act(x: Any, axes: list[str], kind: str, group: str, element: Any) -> Any:
    """The element on every axis of its name; on the entries of an array of indices."""
    family, name = group.partition("(")[0], _axis(group)
    if kind == name and family in ("S", "C", "D"):
        x = np.argsort(element)[x]
    moves = [(i, a) for i, a in enumerate(axes) if a.rstrip("^*") == name]
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
                matrix = np.linalg.inv(matrix).T if axis.endswith("*") else matrix
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


if __name__ == "__main__":
    main()
