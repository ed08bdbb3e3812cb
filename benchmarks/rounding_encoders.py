"""Bounds of rounding for stacks of encoder layers of torch: how they grow with depth.

    python benchmarks/rounding_encoders.py [--inputs 20]

It writes all of `benchmarks/rounding_encoders.md`. `torch.nn.TransformerEncoder` in eval mode, with random
weights, in float32, post-norm and ReLU. Seen is the largest error of all entries, over random inputs, each
with its tokens in two orders (which takes sums in other orders), beside the same module in float64; bounds
are those at the first input, where also every entry seen is held against its bound.
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from eqvproof.rounding import rounding_bound

SIGNATURE = "X: b n d -> b n d"
#: d_model and tokens.
SHAPES = ((32, 8), (64, 8))
DEPTHS = (1, 2, 4)


def encoder(d: int, depth: int) -> torch.nn.Module:
    """The module; 4 heads, and twice as many features between."""
    torch.manual_seed(depth)
    layer = torch.nn.TransformerEncoderLayer(d, 4, 2 * d, dropout=0.0, batch_first=True)
    return torch.nn.TransformerEncoder(layer, depth, enable_nested_tensor=False).eval()


def errors(model: torch.nn.Module, inputs: list[torch.Tensor]) -> list[np.ndarray]:
    """What is seen at each input, entry by entry, of two orders of tokens."""
    found = []
    with torch.no_grad():
        for x in inputs:
            wide = model.double()(x.double())
            model.float()
            turned = model(x.flip(1)).flip(1)
            parts = [(model(x).double() - wide).abs(), (turned.double() - wide).abs()]
            found.append(torch.maximum(*parts).numpy())
    return found


def row(d: int, n: int, depth: int, count: int) -> str:
    """A row of the table."""
    model = encoder(d, depth)
    chance = torch.Generator().manual_seed(1)
    inputs = [torch.randn(1, n, d, generator=chance) for _ in range(count)]
    seen = errors(model, inputs)
    worst, cells, beyond = max(float(e.max()) for e in seen), [], 0
    for name in ("certain", "probable"):
        start = time.process_time()
        found = rounding_bound(model, SIGNATURE, inputs[0], model=name)
        spent = time.process_time() - start
        beyond += int(np.count_nonzero(seen[0] > found.bound))
        cells.append(f"{found.worst:.1e} | {found.worst / worst:.0f} | {spent:.1f}")
    return f"| {d} | {n} | {depth} | {worst:.1e} | {cells[0]} | {cells[1]} | {beyond} |"


def report(count: int) -> Iterator[str]:
    """The page."""
    yield "# Bounds of rounding for stacks of encoder layers\n"
    yield f"`python benchmarks/rounding_encoders.py --inputs {count}`, Python"
    yield f"{platform.python_version()}, torch {torch.__version__}, {platform.machine()}."
    yield "What the columns are stands in the script; times are processor time, with reading the module.\n"
    columns = "d_model tokens depth seen certain certain/seen s probable probable/seen s beyond".split()
    yield f"| {' | '.join(name.replace('/', ' / ') for name in columns)} |"
    yield "|---|---|---|---|---|---|---|---|---|---|---|"
    for d, n in SHAPES:
        for depth in DEPTHS:
            yield row(d, n, depth, count)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=20)
    lines = []
    for line in report(parser.parse_args().inputs):
        print(line, flush=True)
        lines.append(line)
    Path(__file__).with_suffix(".md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
