"""Checks the claims about packages, and writes the table `benchmarks/packages.md`.

    python benchmarks/packages/run.py [--only TEXT ...] [--results FILE ...] [--again] [--failed] [--labels]
        [--budget SECONDS] [--out FILE]

Each claim is checked in a fresh call with the default budget; the seconds are those of the processor. Results are
stored in a JSON file as they come, so that a run can be stopped, continued, or repeated for a part (`--only`,
`--again`); results of other files, by processes that check other families, are copied into the first one. Before a
claim is checked, a test in float64 that is independent of eqvproof confirms its label: it parses the signature by
itself, draws arguments and group elements, and compares both sides. `--labels` runs that test alone.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import json
import os
import re
import statistics
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[0] = str(ROOT)

from benchmarks.packages.claims import Claim, Function  # noqa: E402

#: modules of this package that hold claims, in the order of the page
FAMILIES = (
    "torch_layers",
    "attention",
    "graph_networks",
    "point_clouds_and_geometry",
    "molecules_and_physics",
    "losses",
    "images_and_signals",
    "statistics_and_kernels",
    "scientific_libraries",
    "everyday_code",
    "jax_functions",
    "known_mistakes",
)
STRONG = {True: ("PROVED", "DECIDED", "BOUNDED"), False: ("EXACT", "ENCLOSED")}
TRIALS, SAME, OTHER = 12, 1e-9, 1e-5


def main() -> None:
    """Checks the selected claims, and writes the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="*", default=[], help="families, or parts of names")
    parser.add_argument("--results", type=Path, nargs="+", default=[Path("packages.json")])
    parser.add_argument("--again", action="store_true", help="also check claims with stored results")
    parser.add_argument(
        "--failed", action="store_true", help="check claims again that have no strong grade"
    )
    parser.add_argument("--labels", action="store_true", help="only confirm the labels")
    parser.add_argument("--budget", type=float, default=30.0)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    kept = {
        k: row
        for f in reversed(options.results)
        if f.exists()
        for k, row in json.loads(f.read_text()).items()
    }
    only = options.only
    families = only if only and set(only) <= set(FAMILIES) else FAMILIES
    for name, claim in _claims(families):
        if only and not any(part == name or part in claim.key for part in only):
            continue
        if options.labels:
            _confirm_label(claim)
            continue
        old = kept.get(claim.key)
        if old and not options.again and not (options.failed and not _strong(old)):
            continue
        try:
            if not agrees(claim):
                raise SystemExit(f"the label of {claim.key} is wrong")
        except (ImportError, AttributeError) as absent:  # also of versions that do not fit
            print(f"SKIPPED {claim.key}: {absent}", flush=True)
            continue
        row = {"family": name, **_check(claim, options.budget)}
        kept[claim.key] = row
        options.results[0].write_text(json.dumps(kept, indent=0))
        print(_line(claim, row), flush=True)
    print(_summary(kept.values()))
    if options.out:
        options.out.write_text(_page(kept))


def _claims(families: Any) -> list[tuple[str, Claim]]:
    """Returns the claims with their families; a family whose framework is missing has none."""
    found: list[tuple[str, Claim]] = []
    for name in families:
        try:
            rows = importlib.import_module(f"benchmarks.packages.{name}").CLAIMS
        except ImportError as absent:
            print(f"SKIPPED {name}: {absent}", flush=True)
        else:
            found += [(name, claim) for row in rows for claim in row]
    twice = [key for key, n in Counter(claim.key for _, claim in found).items() if n > 1]
    if twice:
        raise SystemExit(f"claims with the same key: {', '.join(twice)}")
    return found


def _confirm_label(claim: Claim) -> None:
    try:
        right: Any = agrees(claim)
    except Exception as error:  # a claim that does not run
        right = f"{type(error).__name__}: {error}"
    if right is not True:
        print(f"LABEL {claim.holds} {claim.key}: {right}", flush=True)


def _check(claim: Claim, budget: float) -> dict[str, Any]:
    import eqvproof as ep

    more = {"backend": claim.backend} if claim.backend else {}
    start = sum(os.times()[:4])
    try:
        verdict = ep.check(
            claim.make(),
            claim.signature,
            under=claim.under,
            sizes=claim.sizes or None,
            budget=budget,
            **more,
        )
    except ep.errors.EqvproofError as error:
        found = {"outcome": "ERROR", "grade": "", "reason": str(error)}
    else:
        found = {
            "outcome": str(verdict.outcome),
            "grade": str(verdict.grade or ""),
            "reason": verdict.reason,
        }
    return {"holds": claim.holds, **found, "seconds": round(sum(os.times()[:4]) - start, 2)}


def _strong(row: dict[str, Any]) -> bool:
    return row["grade"] in STRONG[row["holds"]]


def _line(claim: Claim, row: dict[str, Any]) -> str:
    mark = "  " if _strong(row) else "??"
    reason = "" if _strong(row) else " ".join(row["reason"].split())[:300]
    return f"{mark} {row['seconds']:6.2f} {'true ' if row['holds'] else 'false'} {row['outcome']} {row['grade']} {claim.key}\n      {reason}"


def _summary(rows: Any) -> str:
    rows, parts = list(rows), []
    for label in (True, False):
        mine = [r for r in rows if r["holds"] is label]
        if mine:
            share = sum(map(_strong, mine)) / len(mine)
            grades = Counter(f"{r['outcome']} {r['grade']}".strip() for r in mine)
            text = ", ".join(f"{n} {g}" for g, n in grades.most_common())
            parts.append(f"{len(mine)} {'true' if label else 'false'}: {share:.0%} strong ({text})")
    seconds = [r["seconds"] for r in rows] or [0]
    return (
        "; ".join(parts)
        + f"; median {statistics.median(seconds):.1f} s, worst {max(seconds):.1f} s"
    )


def _page(kept: dict[str, dict[str, Any]]) -> str:
    import eqvproof as ep

    head = (
        "# Claims about published packages\n\n"
        f"Written by `benchmarks/packages/run.py` on {date.today()} (eqvproof {ep.__version__}). Each claim in a call"
        " of its own; its label is confirmed by a test in float64 that is independent of eqvproof. Seconds are of the processor.\n\n"
        f"{_summary(kept.values())}\n"
    )
    rows = [
        f"| {key.replace('|', '·')} | {r['holds']} | {r['outcome']} {r['grade']} | {r['seconds']:.1f} |"
        for key, r in sorted(kept.items(), key=lambda pair: FAMILIES.index(pair[1]["family"]))
    ]
    return (
        head
        + "\n| claim | true | verdict | seconds |\n|---|---|---|---|\n"
        + "\n".join(rows)
        + "\n"
    )



def agrees(claim: Claim) -> bool:
    """Tells whether the label is right, as far as floats of 64 bits show it."""
    worst = 0.0
    with _doubles(claim.frame):
        f = _called(claim.make(), claim.frame)
        for trial in range(TRIALS):
            worst = max(worst, _residual(claim, f, np.random.default_rng(trial)))
    if claim.holds:
        return worst < (1e-4 if claim.single else SAME)
    return worst > (1e-2 if claim.single else OTHER)


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


if __name__ == "__main__":
    main()
