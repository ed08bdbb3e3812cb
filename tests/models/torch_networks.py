"""Networks of PyTorch as people write them, at usual sizes; a test breaks one character of each."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn import Embedding, LayerNorm, Linear, Module, ModuleList, Sequential, SiLU


class EGNNLayer(Module):
    """Satorras, Hoogeboom and Welling 2021."""

    def __init__(self, c: int) -> None:
        super().__init__()
        self.edge = Sequential(Linear(2 * c + 1, c), SiLU(), Linear(c, c), SiLU())
        self.node = Sequential(Linear(2 * c, c), SiLU(), Linear(c, c))
        self.coord = Sequential(Linear(c, c), SiLU(), Linear(c, 1, bias=False))

    def forward(self, h: Any, x: Any, edge_index: Any) -> Any:
        row, col = edge_index
        apart = x[row] - x[col]
        radial = (apart**2).sum(-1, keepdim=True)
        m = self.edge(torch.cat([h[row], h[col], radial], -1))
        x = x + torch.zeros_like(x).index_add(0, row, apart * self.coord(m))
        received = torch.zeros(len(h), m.shape[1]).index_add(0, row, m)
        return h + self.node(torch.cat([h, received], -1)), x


class EGNN(Module):
    def __init__(self, c: int = 16, layers: int = 4) -> None:
        super().__init__()
        self.first, self.last = Linear(5, c), Linear(c, 5)
        self.layers = ModuleList([EGNNLayer(c) for _ in range(layers)])

    def forward(self, h: Any, x: Any, edge_index: Any) -> Any:
        h = self.first(h)
        for layer in self.layers:
            h, x = layer(h, x, edge_index)
        return self.last(h), x


class PaiNN(Module):
    """A message and an update; Schütt, Unke and Gastegger 2021."""

    def __init__(self, c: int = 16, radial: int = 8, cutoff: float = 5.0) -> None:
        super().__init__()
        self.c, self.radial, self.cutoff = c, radial, cutoff
        self.message = Sequential(Linear(c, c), SiLU(), Linear(c, 3 * c))
        self.filter = Linear(radial, 3 * c)
        self.U, self.V = Linear(c, c, bias=False), Linear(c, c, bias=False)
        self.update = Sequential(Linear(2 * c, c), SiLU(), Linear(c, 3 * c))

    def forward(self, s: Any, v: Any, pos: Any, edge_index: Any) -> Any:
        i, j = edge_index
        r = pos[j] - pos[i]
        d = r.norm(dim=-1, keepdim=True)
        waves = torch.sin(d * torch.arange(1, self.radial + 1) * torch.pi / self.cutoff) / d
        envelope = 0.5 * (torch.cos(torch.pi * d / self.cutoff) + 1) * (d < self.cutoff)
        x = self.message(s)[j] * self.filter(waves) * envelope
        along, ds, across = torch.split(x, self.c, dim=-1)
        dv = v[j] * along[:, None, :] + across[:, None, :] * (r / d)[:, :, None]
        s = s + torch.zeros_like(s).index_add(0, i, ds)
        v = v + torch.zeros_like(v).index_add(0, i, dv)
        u, w = self.U(v), self.V(v)
        a = self.update(torch.cat([s, torch.sqrt((w**2).sum(1) + 1e-8)], -1))
        avv, asv, ass = torch.split(a, self.c, dim=-1)
        return s + ass + asv * (u * w).sum(1), v + avv[:, None, :] * u


class GVP(Module):
    """Jing et al. 2021."""

    def __init__(self, si: int, vi: int, so: int, vo: int) -> None:
        super().__init__()
        h = max(vi, vo)
        self.wh, self.wv = Linear(vi, h, bias=False), Linear(h, vo, bias=False)
        self.ws, self.gate = Linear(h + si, so), Linear(so, vo)

    def forward(self, s: Any, v: Any) -> Any:
        vh = self.wh(torch.transpose(v, -1, -2))
        norms = torch.sqrt(torch.clamp(torch.sum(torch.square(vh), -2), min=1e-8))
        s = self.ws(torch.cat([s, norms], -1))
        v = torch.transpose(self.wv(vh), -1, -2)
        return torch.relu(s), v * torch.sigmoid(self.gate(torch.sigmoid(s))).unsqueeze(-1)


class GVPConv(Module):
    def __init__(self, s: int = 8, v: int = 4) -> None:
        super().__init__()
        self.message = ModuleList([GVP(2 * s + 1, 2 * v + 1, s, v), GVP(s, v, s, v)])
        self.feedforward, self.norm = GVP(s, v, s, v), LayerNorm(s)

    def forward(self, s: Any, v: Any, pos: Any, edge_index: Any) -> Any:
        i, j = edge_index
        r = pos[j] - pos[i]
        d = torch.sqrt((r * r).sum(-1, keepdim=True) + 1e-8)
        ms, mv = torch.cat([s[i], s[j], d], -1), torch.cat([v[i], v[j], (r / d)[:, None]], -2)
        for layer in self.message:
            ms, mv = layer(ms, mv)
        degree = torch.zeros(len(s)).index_add(0, i, torch.ones(len(i))).clamp(min=1)
        s = s + torch.zeros_like(s).index_add(0, i, ms) / degree[:, None]
        v = v + torch.zeros_like(v).index_add(0, i, mv) / degree[:, None, None]
        squares = torch.clamp(torch.sum(torch.square(v), -1, keepdim=True), min=1e-8)
        s, v = self.norm(s), v / torch.sqrt(torch.mean(squares, -2, keepdim=True))
        ds, dv = self.feedforward(s, v)
        return s + ds, v + dv


class SchNet(Module):
    """Of the interactions of torch_geometric; Schütt et al. 2017."""

    def __init__(self, c: int = 16, blocks: int = 3) -> None:
        super().__init__()
        from torch_geometric.nn.models.schnet import (
            GaussianSmearing,
            InteractionBlock,
            ShiftedSoftplus,
        )

        self.kind, self.smear = Embedding(10, c), GaussianSmearing(0.0, 5.0, 20)
        self.blocks = ModuleList([InteractionBlock(c, 20, c, 5.0) for _ in range(blocks)])
        self.last = Sequential(Linear(c, c // 2), ShiftedSoftplus(), Linear(c // 2, 1))

    def forward(self, z: Any, pos: Any, edge_index: Any) -> Any:
        h = self.kind(z)
        i, j = edge_index
        d = (pos[i] - pos[j]).norm(dim=-1)
        for block in self.blocks:
            h = h + block(h, edge_index, d, self.smear(d))
        return self.last(h).sum(0)


class OnData(Module):
    """Two convolutions and a pooling of torch_geometric, on `Data`."""

    def __init__(self) -> None:
        super().__init__()
        from torch_geometric.nn import GINConv, SAGEConv

        self.first = GINConv(Sequential(Linear(5, 16), SiLU(), Linear(16, 16)))
        self.second, self.last = SAGEConv(16, 16), Linear(16, 1)

    def forward(self, data: Any) -> Any:
        from torch_geometric.nn import global_mean_pool

        i, j = data.edge_index
        d = (data.pos[i] - data.pos[j]).norm(dim=-1)
        near = torch.zeros(len(data.x)).index_add(0, i, torch.exp(-d))
        h = self.first(torch.cat([data.x, near[:, None]], -1), data.edge_index).relu()
        h = self.second(h, data.edge_index).relu()
        return self.last(global_mean_pool(h, data.batch, data.num_graphs))
