"""Means and variances by updates: what trees of kernels merge, and layers of torch at large means."""

from __future__ import annotations

import copy
import importlib.util
import math
from collections.abc import Iterator

import numpy as np
import pytest

from eqvproof.programs.evaluate.library_functions import MEAN, SQUARES
from eqvproof.rounding.bound import bound_traced
from eqvproof.rounding.formats import format_of
from eqvproof.rounding.system import RoundingSystem
from eqvproof.rounding.tracing import trace_with_roundings

rng = np.random.default_rng(5)
LENGTHS = [*range(2, 300), 480, 511, 512, 513, 768, 1000, 1024, 4097]
FLOAT32 = format_of("float32")


class Part:
    """Entries that are merged: how many, and the merges that made it."""

    def __init__(self, count: int, merges: tuple[tuple[str, int, int, tuple[int, ...]], ...] = (), leaves=()):
        self.count, self.merges, self.leaves = count, merges, leaves

    def add(self, other: Part, kind: str = "update") -> Part:
        """A merge; nothing is rounded where one is empty, or means are weighed by powers of 2."""
        whole = self.leaves + other.leaves
        count = self.count + other.count
        plain = not (self.count and other.count) and (kind == "update" or not count & (count - 1))
        mine = () if plain or not count else ((kind, self.count, other.count, whole),)
        return Part(count, self.merges + other.merges + mine, whole)


def chain(entries: list[int]) -> Part:
    found = Part(0)
    for i in entries:
        found = found.add(Part(1, (), (i,)))
    return found


def on_cpu(n: int, lanes: int) -> Part:
    """Rows as moments_utils.h of PyTorch merges them: chunks of 16 vectors, a stack, lanes after a tail."""
    vectors = n // lanes
    chunks = -(-vectors // 16)
    depth = max((chunks - 1).bit_length(), 1)
    tops = []
    for lane in range(lanes):
        stack = [Part(0)] * depth
        for i in range(chunks):
            ks = range(16 * i, min(16 * (i + 1), vectors))
            stack[0] = stack[0].add(chain([lane + lanes * k for k in ks]))
            mask = i + 1
            for j in range(1, depth):
                if mask & 1:
                    break
                stack[j], stack[j - 1] = stack[j].add(stack[j - 1]), Part(0)
                mask >>= 1
        for j in range(1, depth):
            stack[0] = stack[0].add(stack[j])
        tops.append(stack[0])
    found = chain(list(range(lanes * vectors, n)))
    for top in tops:
        found = found.add(top)
    return found


def on_gpu(n: int, threads: int = 128) -> Part:
    """Four entries at a time to each thread in turn; warps of 32, and then warps, by halves."""
    parts = [
        chain([i for v in range(t, n // 4, threads) for i in range(4 * v, 4 * v + 4)]) for t in range(threads)
    ]
    for step in (16, 8, 4, 2, 1):
        for warp in range(0, threads, 32):
            for k in range(step):
                parts[warp + k] = parts[warp + k].add(parts[warp + k + step], "weighed")
    heads = parts[::32]
    while len(heads) > 1:
        half = len(heads) // 2
        heads = [heads[k].add(heads[k + half], "weighed") for k in range(half)]
    return heads[0]


def trees(n: int) -> Iterator[Part]:
    for lanes in (4, 8, 16):
        yield on_cpu(n, lanes)
    if not n % 4:
        yield on_gpu(n)


def most(n: int, weights: list[float], merges: list[tuple[int, ...]]) -> float:
    """At least sum_j g_j sqrt(Q_j) for sum q_i = 1: concave, so below its tangent at q_i = 1 / n."""
    at = [math.sqrt(len(leaves) / n) for leaves in merges]
    slopes = np.zeros(n)
    for g, a, leaves in zip(weights, at, merges, strict=True):
        slopes[list(leaves)] += g / a
    tangent = (sum(g * a for g, a in zip(weights, at, strict=True)) + slopes.max()) / 2
    return min(tangent, sum(weights))


@pytest.mark.parametrize("n", LENGTHS)
def test_trees_of_kernels_round_no_more_than_is_said(n: int) -> None:
    for tree in trees(n):
        assert sorted(tree.leaves) == list(range(n)) and tree.count == n
        updates = [m for m in tree.merges if m[0] == "update"]
        weighed = [m for m in tree.merges if m[0] == "weighed"]
        ratio = sum(b / a for _, a, b, _ in updates)
        weights = [1.0] * len(updates) + [4.0] * len(weighed)
        first = most(n, weights, [m[3] for m in [*updates, *weighed]])
        assert first + 3 * math.sqrt(ratio) <= n - 1 + 8 + 3 * math.sqrt(n)
        assert sum(b * (a + b) / a for _, a, b, _ in updates) <= n * n
        larger = [(a, b) for _, a, b, _ in updates if b > a]
        assert n & (n - 1) or not larger
        assert sum(b for _, b in larger) <= 2 * n
        assert sum(b * b for _, b in larger) <= n * n / 2
        # per path: magnitudes of the mean, and squares for deviations
        depth, squares = np.zeros(n), np.zeros(n)
        for kind, _, _, leaves in tree.merges:
            depth[list(leaves)] += 1 if kind == "update" else 4
            squares[list(leaves)] += 1 if kind == "update" else 4
        assert depth.max() <= n - 1 + 12
        assert squares.max() <= n - 1 + 8


def updated(x: np.ndarray, tree: Part) -> tuple[np.float32, np.float32]:
    """The moments that a tree of updates finds in float32."""
    f = np.float32
    known: dict[tuple[int, ...], tuple[np.float32, np.float32]] = {(i,): (x[i], f(0)) for i in range(len(x))}
    for _, a, b, leaves in tree.merges:
        (m, M), (k, K) = known[leaves[:a]], known[leaves[a:]]
        d, c = k - m, f(b) / f(a + b)
        new = m + d * c
        T = d * (x[leaves[-1]] - new) if b == 1 else d * d * c * f(a)
        known[leaves] = new, M + (K + T)
    return known[tree.leaves]


@pytest.mark.parametrize("middle", [0.0, 3.0, 1000.0])
@pytest.mark.parametrize("n", [2, 5, 32, 100])
def test_moments_by_updates_are_within_their_bounds(n: int, middle: float) -> None:
    """Beside two passes in float64; sorted rows, whose means change most, and rows that are not."""
    system = RoundingSystem(FLOAT32)
    for k in range(12):
        x = (middle + rng.normal(size=n)).astype(np.float32)
        x = np.sort(x) if k % 2 else x
        plain = x.astype(np.float64)
        for tree in (chain(list(range(n))), on_cpu(n, 8)):
            mean, squares = updated(x, tree)
            rows = system.as_input(plain[None])
            for what, found, exact in (
                (MEAN, mean, plain.mean()), (SQUARES, squares, np.sum((plain - plain.mean()) ** 2))
            ):  # fmt: skip
                flat = 0.0 if what == SQUARES else n * FLOAT32.unit * np.abs(plain).mean()
                bound = system.extra_roundings(what, rows).error[0] + flat
                assert abs(float(found) - exact) <= bound + 2 * FLOAT32.unit * abs(exact)


needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="PyTorch is not installed")


@needs_torch
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("middle", [0.0, 100.0, 1e4])
@pytest.mark.parametrize("model", ["certain", "probable"])
def test_layers_that_normalise_stay_within_their_bounds_at_large_means(middle: float, model: str) -> None:
    """Batch norms multiply before they subtract: at a mean of 100 they were 2000 times beyond their bound."""
    import torch

    torch.manual_seed(0)
    norms = [torch.nn.BatchNorm1d(16), torch.nn.LayerNorm(30), torch.nn.GroupNorm(4, 16)]
    norms += [torch.nn.InstanceNorm1d(16, affine=True), torch.nn.BatchNorm1d(16, affine=False)]
    for norm in norms:
        if isinstance(norm, torch.nn.BatchNorm1d):
            norm.running_mean[:] = middle + torch.randn(16)
            norm.running_var[:] = torch.rand(16) + 0.5
        for p in norm.parameters():
            torch.nn.init.normal_(p)
        norm = norm.eval()
        x = (middle + torch.randn(3, 16, 30)).float()
        reading = trace_with_roundings(norm, "X: 3 16 30 -> 3 16 30", {}, "torch")
        found = bound_traced(reading, {"X": x.double().numpy()}, {}, "float32", model)
        with torch.no_grad():
            gap = (norm(x).double() - copy.deepcopy(norm).double()(x.double())).abs().numpy()
        assert np.all(gap <= found.bound + 1e-9 * np.abs(found.value))
        if middle < 1000:
            assert np.isfinite(found.bound).all()
