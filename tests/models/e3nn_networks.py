"""Networks of e3nn as people write them, at usual sizes; a test breaks one character of each."""

from __future__ import annotations

from typing import Any

import torch
from e3nn import nn, o3
from e3nn.math import soft_one_hot_linspace
from torch.nn import Module

HIDDEN = "16x0e+8x1o+4x2e"


class Product(Module):
    def __init__(self) -> None:
        super().__init__()
        self.product = o3.FullyConnectedTensorProduct(HIDDEN, "0e+1o+2e", HIDDEN)

    def forward(self, h: Any, y: Any) -> Any:
        return h + self.product(h, y)


class Harmonics(Module):
    """To degree 6."""

    def __init__(self) -> None:
        super().__init__()
        self.harmonics = o3.SphericalHarmonics(o3.Irreps.spherical_harmonics(6), normalize=True)

    def forward(self, x: Any) -> Any:
        return self.harmonics(x) * torch.exp(-(x**2).sum(-1, keepdim=True))


class Gated(Module):
    def __init__(self) -> None:
        super().__init__()
        self.gate = nn.Gate("16x0e", [torch.nn.functional.silu], "12x0e", [torch.sigmoid], "8x1o+4x2e")
        self.before = o3.Linear(HIDDEN, self.gate.irreps_in)

    def forward(self, h: Any) -> Any:
        return h + self.gate(self.before(h))


class Normed(Module):
    def __init__(self) -> None:
        super().__init__()
        self.activate = nn.NormActivation(HIDDEN, torch.sigmoid)

    def forward(self, h: Any) -> Any:
        return h - self.activate(h)


class Interaction(Module):
    """Of NequIP and MACE, degrees up to 3; Batzner et al. 2022."""

    def __init__(self, hidden: str = "8x0e+8x1o+4x2e+2x3o", radial: int = 8) -> None:
        super().__init__()
        self.radial, self.edges = radial, o3.Irreps.spherical_harmonics(3)
        irreps = o3.Irreps(hidden)
        found, paths = [], []
        for i, (count, a) in enumerate(irreps):
            for j, (_, b) in enumerate(self.edges):
                for c in a * b:
                    if c in irreps:
                        paths.append((i, j, len(found), "uvu", True))
                        found.append((count, c))
        middle, order, _ = o3.Irreps(found).sort()
        paths = [(i, j, order[k], mode, train) for i, j, k, mode, train in paths]
        self.product = o3.TensorProduct(
            irreps, self.edges, middle, paths, shared_weights=False, internal_weights=False
        )
        self.weights = nn.FullyConnectedNet([radial, 16, self.product.weight_numel], torch.nn.functional.silu)
        self.up, self.down = o3.Linear(irreps, irreps), o3.Linear(middle.simplify(), irreps)
        self.skip = o3.Linear(irreps, irreps)

    def forward(self, h: Any, pos: Any, edge_index: Any) -> Any:
        i, j = edge_index
        r = pos[i] - pos[j]
        y = o3.spherical_harmonics(self.edges, r, normalize=True, normalization="component")
        near = soft_one_hot_linspace(
            r.norm(dim=1), 0.0, 5.0, self.radial, basis="smooth_finite", cutoff=True
        ).mul(self.radial**0.5)
        m = self.product(self.up(h)[i], y, self.weights(near))
        received = torch.zeros(len(h), m.shape[1]).index_add(0, j, m)
        return self.skip(h) + self.down(received) / 4


class Contraction(Module):
    """Of MACE, of three factors and degrees up to 3: products channel by channel, mixed by a linear layer."""

    def __init__(self, hidden: str = "4x0e+4x1o+4x2e+4x3o", out: str = "4x0e+4x1o") -> None:
        super().__init__()
        irreps, target = o3.Irreps(hidden), o3.Irreps(out)
        self.first = o3.Linear(irreps, irreps)
        middle, last = self._paths(irreps, irreps, irreps), self._paths(irreps, irreps, target)
        self.pairs = o3.TensorProduct(irreps, irreps, middle[0], middle[1], internal_weights=True)
        self.mix = o3.Linear(middle[0], irreps)
        self.triples = o3.TensorProduct(irreps, irreps, last[0], last[1], internal_weights=True)
        self.last, self.linear = o3.Linear(last[0], target), o3.Linear(irreps, target)

    @staticmethod
    def _paths(first: o3.Irreps, second: o3.Irreps, out: o3.Irreps) -> tuple[o3.Irreps, list[Any]]:
        found, paths = [], []
        for i, (count, a) in enumerate(first):
            for j, (_, b) in enumerate(second):
                for c in a * b:
                    if c in out:
                        paths.append((i, j, len(found), "uuu", True))
                        found.append((count, c))
        return o3.Irreps(found), paths

    def forward(self, received: Any) -> Any:
        a = self.first(received)
        b = self.mix(self.pairs(a, a))
        return self.linear(a + b) + self.last(self.triples(b, a))


class MACE(Module):
    """Messages along edges, as in `Interaction`, then products of what each node received."""

    def __init__(self) -> None:
        super().__init__()
        self.interaction, self.contraction = Interaction("4x0e+4x1o+4x2e+4x3o"), Contraction()

    def forward(self, h: Any, pos: Any, edge_index: Any) -> Any:
        return self.contraction(self.interaction(h, pos, edge_index))
