"""Proofs of the gallery: how long a proof takes after tracing, its re-check, and how both grow with depth.

    python benchmarks/gallery.py [--repeats 5] [--out benchmarks/gallery.md]

For every layer of `tests/gallery`: the trace, the inference of types on it, and the kernel's check of the
certificate; each the least of so many runs, in processor time. Then stacks of 1, 10, 100 and 1000 blocks of
attention and norm, traced for all sizes: the time a block must not grow with their number.
"""

from __future__ import annotations

import argparse
import json
import math
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import eqvproof as ep
from eqvproof.claims.groups import parse_group
from eqvproof.claims.signature import parse_signature
from eqvproof.engines.claim import Claim
from eqvproof.engines.elaborate.proof import elaborate
from eqvproof.engines.linear_types import Proof, infer_equivariance
from eqvproof.engines.scope import all_sizes, read_sizes
from eqvproof.engines.targets import adapt, trace_all_sizes
from eqvproof.engines.verdict import proof_by_nodes, seal
from eqvproof.kernel.text import MOST_BYTES, MOST_NODES
from eqvproof.programs import Builder, Program
from tests.gallery.test_gallery import LAYERS, TORCH

DEPTHS = (1, 10, 100, 1000)
TARGET_MS = 50.0


def least(repeats: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """The least time in milliseconds of some runs, and the last result."""
    best, result = math.inf, None
    for _ in range(repeats):
        start = time.process_time()
        result = work()
        best = min(best, 1e3 * (time.process_time() - start))
    return best, result


def certificate(program: Program, claim: Claim, proof: Proof) -> str:
    """The certificate of a proof, as text."""
    scope = all_sizes(claim.signature, claim.pins)
    by_nodes = proof_by_nodes(
        claim=claim.to_json(scope), program=program.to_json(), evidence=proof.to_json()
    )
    return json.dumps(seal("proof", **elaborate(by_nodes)[1]))


def timed(program: Program, claim: Claim, repeats: int) -> tuple[float, float, int] | None:
    """Milliseconds of the inference and of the re-check, and the bytes of the certificate; None: no proof.

    Raises:
        RuntimeError: the kernel does not accept the certificate.
    """

    def infer() -> Any:
        return infer_equivariance(program, claim.signature, claim.group, claim.pins)

    inference, proof = least(repeats, infer)
    if not isinstance(proof, Proof):
        return None
    text = certificate(program, claim, proof)
    check, report = least(repeats, lambda: ep.verify(text))
    if not report.accepted:
        raise RuntimeError(f"the kernel rejects a proof: {report.reason}")
    return inference, check, len(text)


def claim_of(function: Any, signature: str, under: str, options: Any) -> Claim:
    """The claim of a layer."""
    parsed = parse_signature(signature)
    group = parse_group(under, parsed)
    pins, ranges = read_sizes(options.get("sizes"), parsed, group.pins)
    return Claim(adapt(function, None, parsed), parsed, group, under, pins, ranges)


def block(b: Builder, x: int, weights: list[int]) -> int:
    """x + softmax(norm(x) Q (norm(x) K)^T) norm(x) V, as the tracer builds it."""
    mean = b.expand(b.mean(x, [1]), 1)
    centred = b.sub(x, mean)
    variance = b.expand(b.mean(b.power(centred, 2), [1]), 1)
    h = b.div(centred, b.map("sqrt", [b.add([variance, b.const(1e-5)])]))
    q, k, v = (b.matmul(h, w) for w in weights)
    scores = b.matmul(q, b.transpose(k, (1, 0)))
    e = b.map("exp", [b.sub(scores, b.expand(b.reduce("max", scores, [1]), 1))])
    return b.add([x, b.matmul(b.div(e, b.expand(b.sum(e, [1]), 1)), v)])


def stack(depth: int) -> tuple[Program, Claim]:
    """Blocks of attention and norm, each with weights of its own."""
    rng = np.random.default_rng(0)
    b = Builder()
    x = b.input("X", ["n", 4])
    for _ in range(depth):
        x = block(b, x, [b.const(rng.normal(size=(4, 4)).round(3)) for _ in range(3)])
    return b.program(x), claim_of(lambda X: X, "X: n 4 -> n 4", "S(n)", {})


def gallery_rows(repeats: int) -> list[tuple[str, int, float, float, float, int]]:
    """(layer, operations, trace, inference, check, bytes) of every layer that is proved."""
    rows = []
    for layer in (layer for family, layer in LAYERS if family not in TORCH):
        claim = claim_of(layer.function, layer.signature, layer.under, layer.options)
        start = time.process_time()
        trace = trace_all_sizes(claim.function, claim.signature, dict(claim.pins))
        tracing = 1e3 * (time.process_time() - start)
        found = timed(trace.program, claim, repeats)
        if found is not None:
            rows.append((layer.name, len(trace.program.nodes), tracing, *found))
    return rows


def report(rows: list[Any], stacks: list[Any]) -> str:
    """The page."""
    inference, check = [r[3] for r in rows], [r[4] for r in rows]
    count = sum(family not in TORCH for family, _ in LAYERS)
    ratios = [c / i for i, c in zip(inference, check, strict=True)]
    lines = [
        "# Proofs of the gallery",
        "",
        f"Written by `benchmarks/gallery.py` (Python {platform.python_version()}, NumPy {np.__version__},"
        " processor time). The layers are in `tests/gallery`. *Trace*: reading the function for all sizes,"
        " twice, and replaying it. *Proof*: inferring the types. *Re-check*: the kernel, from its text.",
        "",
        f"{len(rows)} of {count} NumPy layers are proved by types. Proof after tracing: median"
        f" {median(inference):.2f} ms, greatest {max(inference):.1f} ms (target: median below {TARGET_MS:g}"
        f" ms). Re-check: median {median(check):.2f} ms, greatest {max(check):.1f} ms; re-check / proof:"
        f" median {median(ratios):.2f}. Trace: median {median(r[2] for r in rows):.0f} ms.",
        "",
        "| layer | operations | trace (ms) | proof (ms) | re-check (ms) | certificate (KB) |",
        "|---|---|---|---|---|---|",
    ]
    for name, nodes, tracing, infer, kernel, size in sorted(rows, key=lambda r: -r[3]):
        lines.append(f"| {name} | {nodes} | {tracing:.0f} | {infer:.2f} | {kernel:.2f} | {size / 1e3:.1f} |")
    lines += [
        "",
        "## Stacks of attention and norm",
        "",
        "| blocks | operations | building (ms) | proof (ms) | proof, a block (ms) | kernel | re-check (ms) |"
        " re-check, a block (ms) | re-check / proof | certificate (KB) |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for depth, nodes, building, found in stacks:
        infer, kernel, size = found
        lines.append(
            f"| {depth} | {nodes} | {building:.1f} | {infer:.1f} | {infer / depth:.3f} | accepted |"
            f" {kernel:.1f} | {kernel / depth:.3f} | {kernel / infer:.2f} | {size / 1e3:.0f} |"
        )
    span = math.log(stacks[-1][0] / stacks[1][0])
    growth, check_growth = (math.log(stacks[-1][3][i] / stacks[1][3][i]) / span for i in (0, 1))
    lines += [
        "",
        f"From {stacks[1][0]} to {stacks[-1][0]} blocks the proof grows as blocks^{growth:.2f}, the re-check"
        f" as blocks^{check_growth:.2f}. The kernel accepts every certificate. It"
        f" reads certificates of up to {MOST_NODES} operations and {MOST_BYTES / 1e6:g} MB.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Measures and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path(__file__).with_suffix(".md"))
    arguments = parser.parse_args()
    rows = gallery_rows(arguments.repeats)
    stacks = []
    for depth in DEPTHS:
        building, (program, claim) = least(1, lambda depth=depth: stack(depth))
        found = timed(program, claim, arguments.repeats)
        if found is None:
            raise RuntimeError("a stack is not proved")
        stacks.append((depth, len(program.nodes), building, found))
    page = report(rows, stacks)
    arguments.out.write_text(page, encoding="utf-8")
    print(page)


if __name__ == "__main__":
    main()
